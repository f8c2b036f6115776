"""Recorded answers of ESpell, EInfo and the PMC ID Converter, read to the values they hold."""

import json

import pytest

from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.models.entrez import IdRecord, SpellCheck
from pubmed_api.parsers.einfo import parse_einfo_result
from pubmed_api.parsers.espell import parse_espell_result
from pubmed_api.parsers.idconv import parse_id_records

ALLERGIES = SpellCheck("asthmaa OR alergies", "asthma or allergies", True)


@pytest.mark.parametrize(
    ("name", "spelling"),
    [
        ("asthmaa-alergies.xml", ALLERGIES),
        ("asthmaa-alergies-spaced.xml", ALLERGIES),
        ("bioperl.xml", SpellCheck("Netch AND Mus musclus", "notch AND mus musculus", True)),
        ("biopython-biopythooon.xml", SpellCheck("biopythooon", "biopython", True)),
    ],
)
def test_espell__recorded(payloads, name, spelling):
    assert parse_espell_result((payloads / "espell" / name).read_bytes(), term="unused") == spelling


@pytest.mark.parametrize(
    ("name", "db_name", "count", "last_update"),
    [
        ("pubmed.xml", "pubmed", "39730388", "2025/11/27 06:33"),
        ("pubmed-2008.xml", "pubmed", "18525976", "2008/12/11 02:33"),
        ("protein-cassette.xml", "protein", "1291933024", "2024/04/11 11:05"),
        ("dbinfo-toolkit-go.xml", "toolkit", "265403", "2013/02/07 14:34"),
    ],
)
def test_einfo__recorded(payloads, name, db_name, count, last_update):
    body = (payloads / "einfo" / name).read_bytes()
    info = parse_einfo_result(body)
    assert (info.db_name, info.count, info.last_update) == (db_name, count, last_update)
    assert len(info.fields) == body.count(b"<Field>")
    assert all(field.full_name and field.description for field in info.fields)


def test_einfo__recorded_fields_of_pubmed(payloads):
    info = parse_einfo_result((payloads / "einfo" / "pubmed.xml").read_bytes())
    assert info.description == "PubMed bibliographic record"
    names = {field.name: field.full_name for field in info.fields}
    assert names["ALL"] == "All Fields"
    assert names["TITL"] == "Title"


@pytest.mark.parametrize(
    "name",
    [
        "corrupted.xml",
        "dblist.xml",
        "dblist-bioperl.xml",
        "dblist-cassette.xml",
        "dblist-go.xml",
        "egquery-bioperl.xml",
        "egquery-go.xml",
        "error-unknown-db.xml",
    ],
)
def test_einfo__recorded_answer_that_describes_no_database(payloads, name):
    with pytest.raises(UpstreamInvalidResponse):
        parse_einfo_result((payloads / "einfo" / name).read_bytes())


@pytest.mark.parametrize(
    ("name", "records"),
    [
        (
            "new-api-record-error.json",
            (
                IdRecord("PMC3531190", "23193287", "PMC3531190", "10.1093/nar/gks1195"),
                IdRecord("99999999", "99999999", errmsg="Identifier not found in PMC"),
            ),
        ),
        ("ok-with-versions.json", (IdRecord(None, "20495566", "PMC2883744", "10.1038/ng.590"),)),
        ("ok-invalid-article-id.json", (IdRecord(None, None, "PMC23840460", errmsg="invalid article id"),)),
    ],
)
def test_idconv__recorded(payloads, name, records):
    assert parse_id_records(json.loads((payloads / "idconv" / name).read_bytes())) == records


def test_idconv__recorded_refusal(payloads):
    answer = json.loads((payloads / "idconv" / "error-type-mismatch-404.json").read_bytes())
    with pytest.raises(UpstreamInvalidResponse):
        parse_id_records(answer)
