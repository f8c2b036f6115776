"""EInfo: the databases there are, and what can be searched in one."""

from lxml.etree import _Element
from werkzeug.wrappers import Response

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.dates import slashed_day
from pubmed_api.sandbox.eutils import DATABASE, Parameters, ServiceError, element, xml_answer
from pubmed_api.sandbox.fields import FIELDS, Field

ROOT = "eInfoResult"
_HIDDEN = {"UID", "CNTY", "PID", "PPDT", "EPDT", "AUCL", "EID", "DSO", "P1DAT"}
_OF_SEVERAL_WORDS = {"ALL", "TITL", "AFFL", "TIAB", "OTRM", "COLN", "CNTY", "TT", "DSO", "COIS", "WORD"}
_WITH_NARROWER = {"MESH", "MAJR", "PTYP", "SUBH"}
_DATES_ALSO = {"P1DAT"}


def einfo(parameters: Parameters, corpus: Corpus) -> Response:
    """Answer with the list of databases, or with the description of one."""
    name = parameters.get("db", "").strip()
    if not name:
        return xml_answer(element(ROOT, [element("DbList", [element("DbName", DATABASE)])]))
    if name.lower() != DATABASE:
        raise ServiceError(f"Can not retrieve DbInfo for db={name}")
    return xml_answer(element(ROOT, [_describe(corpus)]))


def _describe(corpus: Corpus) -> _Element:
    days = [day for entry in corpus for name in ("EDAT", "MDAT") for day in entry.days.get(name, ())]
    last = slashed_day(max(days, default=(1, 1, 1)))
    texts = {
        "DbName": DATABASE,
        "MenuName": "PubMed (sandbox)",
        "Description": "Sandbox: fictional records in the form of PubMed's",
        "DbBuild": f"Sandbox-{last.replace('/', '.')}",
        "Count": str(len(corpus)),
        "LastUpdate": f"{last} 00:00",
    }
    return element(
        "DbInfo",
        [
            *(element(tag, text) for tag, text in texts.items()),
            element("FieldList", map(_field, FIELDS)),
            element("LinkList"),
        ],
    )


def _field(field: Field) -> _Element:
    flags = {
        "IsDate": field.kind == "date" or field.name in _DATES_ALSO,
        "IsNumerical": field.name == "UID",
        "SingleToken": field.name not in _OF_SEVERAL_WORDS,
        "Hierarchy": field.name in _WITH_NARROWER,
        "IsHidden": field.name in _HIDDEN,
    }
    return element(
        "Field",
        [
            element("Name", field.name),
            element("FullName", field.full_name),
            element("Description", field.description),
            element("TermCount"),
            *(element(tag, "Y" if holds else "N") for tag, holds in flags.items()),
        ],
    )
