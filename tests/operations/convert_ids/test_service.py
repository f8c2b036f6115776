import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.looked_up import id_rows

from pubmed_api.exceptions import MalformedId, UpstreamUnreachable
from pubmed_api.models.entrez import IdRecord
from pubmed_api.models.failed_id import FailedId
from pubmed_api.models.identifiers import normalize_id
from pubmed_api.operations.convert_ids.service import convert_ids


class FakeIdconv:
    """The converter over the rows it is given; calls are kept. ``failed`` maps ids to the errors that befell them."""

    def __init__(self, *rows, failed=None):
        self.answer = json.dumps({"status": "ok", "records": rows}).encode()
        self.calls, self.failed = [], failed

    def rows(self, ids, id_type):
        self.calls.append((list(ids), id_type))
        return id_rows(self.answer, [normalize_id(one, id_type) for one in ids], id_type, self.failed)


KNOWN = {"requested-id": "90000001", "pmid": 90000001, "pmcid": "PMC9900001", "doi": "10.5555/Inv.1"}
MISSING = {"requested-id": "PMC9", "status": "error", "errmsg": "Identifier not found in PMC"}


def test_convert_ids__known():
    answer = convert_ids(["90000001"], "pmid", idconv=FakeIdconv(KNOWN))
    assert answer.records == (IdRecord("90000001", "90000001", "PMC9900001", "10.5555/Inv.1"),)
    assert (answer.total_converted, answer.total_submitted) == (1, 1)


def test_convert_ids__not_in_pmc():
    (record,) = convert_ids(["PMC9"], "pmcid", idconv=FakeIdconv(MISSING)).records
    assert (record.requested_id, record.pmcid) == ("PMC9", None)
    assert "may still be in PubMed" in record.errmsg
    assert "pubmed_fetch_articles" in record.errmsg
    assert "pubmed_search_articles" in record.errmsg


@pytest.mark.parametrize("errmsg", ["invalid article id", "Identifier not found in PMC today"])
def test_convert_ids__other_messages_are_verbatim(errmsg):
    row = {"requested-id": "PMC9", "pmcid": "PMC9", "status": "error", "errmsg": errmsg}
    (record,) = convert_ids(["PMC9"], "pmcid", idconv=FakeIdconv(row)).records
    assert record == IdRecord("PMC9", errmsg=errmsg)


def test_convert_ids__message_in_another_case():
    row = {**MISSING, "errmsg": "IDENTIFIER NOT FOUND IN PMC"}
    (record,) = convert_ids(["PMC9"], "pmcid", idconv=FakeIdconv(row)).records
    assert "may still be in PubMed" in record.errmsg


def test_convert_ids__echo_of_a_failure_is_no_mapping():
    """The present service repeats a PMID it does not know as ``pmid``."""
    row = {"requested-id": "99999999", "pmid": 99999999, "doi": "10.5555/x", "status": "error", "errmsg": "no"}
    (record,) = convert_ids(["99999999"], "pmid", idconv=FakeIdconv(row)).records
    assert record == IdRecord("99999999", doi="10.5555/x", errmsg="no")


def test_convert_ids__one_record_per_element_as_sent():
    idconv = FakeIdconv(KNOWN)
    sent = ["90000001", "99999999", "0090000001", "90000001"]
    answer = convert_ids(sent, "pmid", idconv=idconv)
    assert [record.requested_id for record in answer.records] == sent
    assert [record.pmcid for record in answer.records] == ["PMC9900001", None, "PMC9900001", "PMC9900001"]
    assert (answer.total_converted, answer.total_submitted) == (3, 4)
    assert idconv.calls == [(["90000001", "99999999"], "pmid")]


def test_convert_ids__casings_of_a_doi():
    idconv = FakeIdconv({**KNOWN, "requested-id": "10.5555/INV.1"})
    sent = ["10.5555/inv.1", "10.5555/INV.1", "10.5555/Inv.1"]
    answer = convert_ids(sent, "doi", idconv=idconv)
    assert [record.requested_id for record in answer.records] == sent
    assert {record.doi for record in answer.records} == {"10.5555/Inv.1"}
    assert len(idconv.calls[0][0]) == 1


def test_convert_ids__forms_of_a_pmcid():
    idconv = FakeIdconv({**KNOWN, "requested-id": "PMC9900001"})
    sent = ["PMC9900001", "9900001", "pmc9900001", "PMC0009900001"]
    answer = convert_ids(sent, "pmcid", idconv=idconv)
    assert [record.requested_id for record in answer.records] == sent
    assert answer.total_converted == 4


def test_convert_ids__nothing_came_back():
    answer = convert_ids(["90000001", "90000002"], "pmid", idconv=FakeIdconv(KNOWN))
    assert answer.records[1].errmsg is not None
    assert "no record" in answer.records[1].errmsg
    assert answer.total_converted == 1


@pytest.mark.parametrize(("element", "id_type"), [("00000000", "pmid"), ("1234567890", "pmid"), ("PMC0", "pmcid")])
def test_convert_ids__cannot_exist(element, id_type):
    idconv = FakeIdconv()
    answer = convert_ids([element], id_type, idconv=idconv)
    assert answer.records[0].requested_id == element
    assert "can exist" in answer.records[0].errmsg
    assert (answer.total_converted, idconv.calls) == (0, [])


MALFORMED = [
    ("pmid", "90000001,90000002"),
    ("pmid", "90000001 90000002"),
    ("pmid", " 90000001"),
    ("pmid", "９００００００１"),
    ("pmid", "42.9"),
    ("pmid", "-5"),
    ("pmid", "1e5"),
    ("pmid", "PMC9900001"),
    ("pmid", "PMID:90000001"),
    ("pmid", "10.5555/inv.1"),
    ("pmcid", "PMC"),
    ("pmcid", "PMC 9900001"),
    ("pmcid", "PMC9900001.1"),
    ("doi", "90000001"),
    ("doi", "10.5555"),
    ("doi", "10./inv.1"),
    ("doi", "10.5555/"),
    ("doi", "doi:10.5555/inv.1"),
    ("doi", "https://doi.org/10.5555/inv.1"),
    ("doi", "10.5555/inv.1,10.5555/inv.2"),
    ("doi", "10.5555/inv\u00a01"),
    ("doi", "10.5555/inv.1\u200b"),
]


@pytest.mark.parametrize(("id_type", "element"), MALFORMED)
def test_convert_ids__malformed(id_type, element):
    idconv = FakeIdconv(KNOWN)
    good = {"pmid": "90000001", "pmcid": "PMC9900001", "doi": "10.5555/inv.1"}[id_type]
    with pytest.raises(MalformedId) as caught:
        convert_ids([good, element], id_type, idconv=idconv)
    assert caught.value.reason == "malformed_id"
    assert element in caught.value.message
    assert idconv.calls == []


def test_convert_ids__every_malformed_element_is_named():
    sent = ["90000001", "PMC1", *[f"bad{i}" for i in range(8)]]
    with pytest.raises(MalformedId) as caught:
        convert_ids(sent, "pmid", idconv=FakeIdconv())
    problems = caught.value.data["problems"]
    assert [(p["path"], p["value"]) for p in problems] == [(f"ids.{i}", sent[i]) for i in range(1, 10)]
    assert all("digits" in p["message"] for p in problems)
    assert "and 4 more" in caught.value.message
    assert "digits" in caught.value.hint


def test_convert_ids__failed_is_no_miss():
    """Every element still has its record; a failed one says that nothing is known."""
    idconv = FakeIdconv(KNOWN, failed={"90000002": UpstreamUnreachable("away")})
    answer = convert_ids(["0090000002", "90000001", "99999999", "90000002"], "pmid", idconv=idconv)
    assert answer.failed == (FailedId("0090000002", "ncbi_unreachable", True),)
    assert [record.requested_id for record in answer.records] == ["0090000002", "90000001", "99999999", "90000002"]
    assert "Nothing is known" in answer.records[0].errmsg
    assert answer.records[3].errmsg == answer.records[0].errmsg
    assert "no record" in answer.records[2].errmsg
    assert (answer.total_converted, answer.total_submitted) == (1, 4)
    assert "1 of the identifiers (ncbi_unreachable)" in answer.notice


def test_convert_ids__failure_is_the_error_of_the_call():
    class Broken:
        def rows(self, *_):
            raise UpstreamUnreachable("The converter is away.")

    with pytest.raises(UpstreamUnreachable):
        convert_ids(["90000001"], "pmid", idconv=Broken())


@given(st.lists(st.from_regex(r"(?:PMC|pmc|Pmc)?0{0,2}[0-9]{1,10}", fullmatch=True), min_size=1, max_size=20))
def test_convert_ids__every_element_answered_in_order(sent):
    idconv = FakeIdconv({"requested-id": "PMC1", "pmcid": "PMC1", "pmid": 90000001})
    answer = convert_ids(sent, "pmcid", idconv=idconv)
    assert [record.requested_id for record in answer.records] == sent
    assert all(record.errmsg or record.pmcid for record in answer.records)
    assert answer.total_converted == sum(record.errmsg is None for record in answer.records)
    assert len(idconv.calls) <= 1
