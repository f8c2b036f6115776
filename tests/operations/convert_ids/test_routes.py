import pytest

URL = "/v1/ids/convert"


def test_convert__one_record_per_element(client):
    answer = client.post(URL, json={"ids": ["0090000001", "99999999", "90000001"], "idType": "pmid"})
    first, second, third = answer.json["records"]
    assert first == {
        "requestedId": "0090000001",
        "pmid": "90000001",
        "pmcid": "PMC90000002",
        "doi": "10.5555/jim.2023.0101",
    }
    assert set(second) == {"requestedId", "errmsg"}
    assert third == {**first, "requestedId": "90000001"}
    assert (answer.json["totalConverted"], answer.json["totalSubmitted"]) == (2, 3)


def test_convert__forms_of_a_pmcid(client):
    sent = ["PMC90000002", "90000002", "pmc90000002"]
    answer = client.post(URL, json={"ids": sent, "idType": "pmcid"})
    assert [record["requestedId"] for record in answer.json["records"]] == sent
    assert {record["pmid"] for record in answer.json["records"]} == {"90000001"}


def test_convert__casings_of_a_doi(client):
    sent = ["10.5555/JIM.2023.0101", "10.5555/jim.2023.0101"]
    answer = client.post(URL, json={"ids": sent, "idType": "doi"})
    assert [record["requestedId"] for record in answer.json["records"]] == sent
    assert answer.json["totalConverted"] == 2


def test_convert__lone_number_in_place_of_the_list(client):
    answer = client.post(URL, json={"ids": 90000001, "idType": "pmid"})
    assert answer.json["records"][0]["pmid"] == "90000001"


def test_convert__malformed_elements_are_named(client):
    answer = client.post(URL, json={"ids": ["90000001", "90000001,90000002", "PMC1"], "idType": "pmid"})
    assert answer.status_code == 422
    error = answer.json["error"]
    assert error["data"]["reason"] == "malformed_id"
    assert [problem["path"] for problem in error["data"]["problems"]] == ["ids.1", "ids.2"]
    assert "90000001,90000002" in error["message"]
    assert error["data"]["recovery"]["hint"] != error["message"]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"ids": ["90000001"]}, "idType"),
        ({"ids": ["90000001"], "idType": "pii"}, "idType"),
        ({"ids": [""], "idType": "pmid"}, "ids.0"),
        ({"ids": [], "idType": "pmid"}, "ids"),
        ({"ids": ["1"] * 51, "idType": "pmid"}, "ids"),
    ],
)
def test_convert__refused(client, body, path):
    answer = client.post(URL, json=body)
    assert answer.status_code == 422
    assert [problem["path"] for problem in answer.json["error"]["data"]["problems"]] == [path]
