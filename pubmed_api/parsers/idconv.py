"""The PMC ID Converter's answer: one record per identifier."""

import json
from collections.abc import Mapping
from typing import Any

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.models.entrez import IdRecord

_UNEXPLAINED = "The PMC ID Converter reports an error for this identifier and does not say which."


def parse_id_records(answer: Any) -> tuple[IdRecord, ...]:
    """The records of a decoded answer, in its order.

    Every part of a record may be absent, its echo of the request too. PMIDs come as JSON numbers from the
    present service and as strings from its predecessor; both are strings here. A record marked as an error
    always has an ``errmsg``. Raises ``UpstreamInvalidResponse`` where there is no list of records.
    """
    records = answer.get("records") if isinstance(answer, Mapping) else None
    if not isinstance(records, list):
        raise UpstreamInvalidResponse("The PMC ID Converter's answer has no list of records.")
    return tuple(_record(record) for record in records if isinstance(record, Mapping))


def parse_id_row(body: bytes) -> IdRecord:
    """The record of one row that stands alone, as JSON. Raises ``UpstreamInvalidResponse`` where it is none."""
    try:
        row = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, Mapping):
        raise UpstreamInvalidResponse("A row of the PMC ID Converter cannot be read.")
    return _record(row)


def _record(record: Mapping[str, Any]) -> IdRecord:
    failed = record.get("status") == "error"
    return IdRecord(
        requested_id=_text(record.get("requested-id")),
        pmid=_text(record.get("pmid")),
        pmcid=_text(record.get("pmcid")),
        doi=_text(record.get("doi")),
        errmsg=_text(record.get("errmsg")) or (_UNEXPLAINED if failed else None),
    )


def _text(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return (value.strip() or None) if isinstance(value, str) else None
