import pytest

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.models.entrez import IdRecord
from pubmed_api.parsers.idconv import parse_id_records, parse_id_row


def records(*rows: dict[str, object]) -> tuple[IdRecord, ...]:
    return parse_id_records({"status": "ok", "records": list(rows)})


def test_id_records__pmid_as_a_number():
    row = {"pmid": 90000001, "pmcid": "PMC9900001", "doi": "10.5555/AbC.1", "requested-id": "90000001"}
    assert records(row) == (IdRecord("90000001", "90000001", "PMC9900001", "10.5555/AbC.1"),)


def test_id_records__pmid_as_a_string():
    (record,) = records({"pmid": "90000001", "requested-id": "PMC9900001"})
    assert record.pmid == "90000001"


def test_id_records__error():
    (record,) = records({"requested-id": "PMC9", "status": "error", "errmsg": "Identifier not found in PMC"})
    assert record == IdRecord("PMC9", errmsg="Identifier not found in PMC")


def test_id_records__error_without_a_message():
    """A failure without a text must not count as a conversion."""
    (record,) = records({"requested-id": "PMC9", "status": "error"})
    assert record.errmsg


def test_id_records__everything_absent_or_blank():
    row = {"pmid": None, "doi": "", "pmcid": " ", "live": "false", "release-date": "x"}
    assert records(row) == (IdRecord(),)


def test_id_records__a_boolean_is_no_pmid():
    assert records({"requested-id": "90000001", "pmid": True}) == (IdRecord("90000001"),)


def test_id_records__rows_that_are_no_objects_are_passed_over():
    assert parse_id_records({"records": ["PMC1", None, {"requested-id": "PMC2"}]}) == (IdRecord("PMC2"),)


@pytest.mark.parametrize(
    "answer", [None, [], "Service unavailable", {"status": "error", "message": "x"}, {"records": {}}]
)
def test_id_records__no_list_of_records(answer):
    with pytest.raises(UpstreamInvalidResponse):
        parse_id_records(answer)


def test_id_row__alone_reads_as_in_its_answer():
    (whole,) = records({"requested-id": "PMC9", "pmid": 90000001, "errmsg": "two\nlines"})
    assert parse_id_row(b'{"requested-id": "PMC9", "pmid": 90000001, "errmsg": "two\nlines"}') == whole


@pytest.mark.parametrize("row", [b"", b"[]", b"null", b"{", b"[" * 100_000])
def test_id_row__unreadable(row):
    with pytest.raises(UpstreamInvalidResponse):
        parse_id_row(row)
