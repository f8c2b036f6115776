"""The PMC ID Converter."""

import pytest
from werkzeug.test import Client, TestResponse

_ADDRESS = "/pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/"
_TRIAL = {"doi": "10.5555/JIM.2020.1", "pmcid": "PMC90000001", "pmid": 90000001}


def _convert(client: Client, ids: str, **parameters: str) -> TestResponse:
    return client.get(_ADDRESS, query_string={"ids": ids, "format": "json", **parameters})


def _records(client: Client, ids: str, **parameters: str) -> list[dict[str, object]]:
    answer = _convert(client, ids, **parameters)
    assert (answer.status_code, answer.content_type) == (200, "application/json")
    assert answer.json["status"] == "ok"  # type: ignore[index]
    return answer.json["records"]  # type: ignore[index, no-any-return]


@pytest.mark.parametrize(
    ("kind", "asked", "echo"),
    [
        ("pmid", "90000001", "90000001"),
        ("pmcid", "pmc90000001", "PMC90000001"),
        ("pmcid", "90000001", "90000001"),
        ("pmcid", "PMC90000001.1", "PMC90000001.1"),
        ("doi", "10.5555/jim.2020.1", "10.5555/jim.2020.1"),
    ],
)
def test_convert_ids__found(client: Client, kind: str, asked: str, echo: str) -> None:
    assert _records(client, asked, idtype=kind) == [{**_TRIAL, "requested-id": echo}]


@pytest.mark.parametrize(
    ("kind", "asked", "own"),
    [
        ("pmid", "90000002", {"pmid": 90000002}),
        ("pmid", "99999999", {"pmid": 99999999}),
        ("pmid", "090000001", {"pmid": 90000001}),
        ("pmcid", "PMC9", {"pmcid": "PMC9"}),
        ("doi", "10.5555/jim.2023.6", {"doi": "10.5555/jim.2023.6"}),
    ],
)
def test_convert_ids__not_in_pmc(client: Client, kind: str, asked: str, own: dict[str, object]) -> None:
    # A padded PMID names no article here, as with the real converter.
    expected = {**own, "requested-id": asked, "status": "error", "errmsg": "Identifier not found in PMC"}
    assert _records(client, asked, idtype=kind) == [expected]


def test_convert_ids__folds_equal_ids(client: Client) -> None:
    assert len(_records(client, "90000001,90000005,90000001", idtype="pmid")) == 2
    folded = _records(client, "10.5555/JIM.2020.1,10.5555/jim.2020.1", idtype="doi")
    assert [record["requested-id"] for record in folded] == ["10.5555/jim.2020.1"]


def test_convert_ids__kind_told_from_the_first(client: Client) -> None:
    assert _records(client, "PMC90000005")[0]["pmid"] == 90000005
    assert _records(client, "10.5555/afc.2022.55")[0]["pmid"] == 90000005


@pytest.mark.parametrize(
    ("ids", "parameters", "code"),
    [
        ("PMC90000001,90000001", {"idtype": "pmcid"}, "invalid_pmcids"),
        ("90000001,PMC90000001", {}, "invalid_pmids"),
        ("x1", {"idtype": "pmid"}, "invalid_pmids"),
        ("9" * 5000, {"idtype": "pmid"}, "invalid_pmids"),
        ("90000001", {"idtype": "doi"}, "invalid_dois"),
        ("", {}, "missing_ids"),
        (",".join(["1"] * 201), {"idtype": "pmid"}, "too_many_ids"),
        ("1", {"format": "csv"}, "invalid_format"),
        ("1", {"idtype": "isbn"}, "invalid_idtype"),
    ],
)
def test_convert_ids__refuses_the_whole_batch(client: Client, ids: str, parameters: dict[str, str], code: str) -> None:
    answer = _convert(client, ids, **parameters)
    assert answer.status_code == 400
    body = answer.json
    assert body is not None
    assert body["status"] == "error"
    assert [error["code"] for error in body["errors"]] == [code]
    assert body["errors"][0]["message"]
