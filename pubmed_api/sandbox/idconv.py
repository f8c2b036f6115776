"""The PMC ID Converter: PMID, PMCID and DOI of articles in PubMed Central."""

import json
import re
from collections.abc import Callable, Mapping

from werkzeug.wrappers import Response

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.record import Record

_MAX_IDS = 200
_PMID = re.compile(r"[0-9]{1,20}\Z")
_PMCID = re.compile(r"PMC[0-9]{1,20}(?:\.[0-9]+)?\Z", re.IGNORECASE)
_DOI = re.compile(r"10\.\S+/\S+\Z")
_KINDS = ("pmid", "pmcid", "doi")
_NOT_IN_PMC = "Identifier not found in PMC"

Row = dict[str, object]


class _RefusedError(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def convert_ids(parameters: Mapping[str, str], corpus: Corpus) -> Response:
    """Answer with a row for each id, folded where two are the same; the whole batch is refused for a bad one.

    Only articles in PMC are known. The echo of a PMCID is in upper case; of DOIs that differ in case alone the
    last spelling is echoed. PMIDs are numbers in the answer and are not freed of leading zeros.
    """
    try:
        if parameters.get("format", "json").lower() != "json":
            raise _RefusedError("invalid_format", "the sandbox writes format=json only")
        ids = [part.strip() for part in parameters.get("ids", "").split(",") if part.strip()]
        kind = _kind(parameters.get("idtype", "").lower(), ids)
        rows = [_row(kind, echo, corpus) for echo in _echoes(kind, ids)]
    except _RefusedError as error:
        refusal = {"status": "error", "errors": [{"message": str(error), "code": error.code}]}
        return _json(refusal, 400)
    return _json({"status": "ok", "records": rows}, 200)


def _kind(named: str, ids: list[str]) -> str:
    """The kind of the ids, named or told from the first; every id has to be of it."""
    if not ids:
        raise _RefusedError("missing_ids", "no ids given")
    if len(ids) > _MAX_IDS:
        raise _RefusedError("too_many_ids", f"{len(ids)} ids given, {_MAX_IDS} allowed")
    if named and named not in _KINDS:
        raise _RefusedError("invalid_idtype", f"idtype {named} is not known")
    kind = named or next((kind for kind in _KINDS if _form(kind, ids[0])), "pmid")
    forms = {_form(kind, text) for text in ids}
    if "" in forms or len(forms) > 1:
        raise _RefusedError(f"invalid_{kind}s", f"not all ids have the form of one {kind}")
    return kind


def _form(kind: str, text: str) -> str:
    """The form of an id of this kind: ``prefixed`` and ``bare`` PMCIDs are two; empty where it is of none."""
    if kind == "pmcid":
        return "prefixed" if _PMCID.match(text) else "bare" if _PMID.match(text) else ""
    return kind if (_PMID if kind == "pmid" else _DOI).match(text) else ""


def _echoes(kind: str, ids: list[str]) -> list[str]:
    if kind == "pmcid":
        return list(dict.fromkeys(text.upper() for text in ids))
    if kind == "pmid":
        return list(dict.fromkeys(ids))
    return list({text.lower(): text for text in ids}.values())


def _row(kind: str, echo: str, corpus: Corpus) -> Row:
    find: dict[str, Callable[[str], Record | None]] = {
        "pmid": corpus.record,
        "pmcid": lambda text: corpus.by_pmcid.get("PMC" + text.removeprefix("PMC").partition(".")[0]),
        "doi": lambda text: corpus.by_doi.get(text.lower()),
    }
    record = find[kind](echo)
    if record is None or record.pmcid is None:
        own = {"pmid": int(echo)} if kind == "pmid" else {kind: echo}
        return {**own, "requested-id": echo, "status": "error", "errmsg": _NOT_IN_PMC}
    doi = {"doi": record.doi} if record.doi else {}
    return {**doi, "pmcid": record.pmcid, "pmid": int(record.pmid), "requested-id": echo}


def _json(content: object, status: int) -> Response:
    return Response(json.dumps(content), status, content_type="application/json")
