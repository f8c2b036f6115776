def test_database_info__pubmed(client):
    answer = client.get("/v1/database/info")
    assert answer.status_code == 200
    assert answer.json["dbName"] == "pubmed"
    assert answer.json["count"].isdigit()
    tags = {entry["name"]: entry["fullName"] for entry in answer.json["fields"]}
    assert tags["TIAB"] == "Title/Abstract"


def test_database_info__takes_no_argument(client):
    answer = client.get("/v1/database/info?db=pmc")
    assert answer.status_code == 422
    assert answer.json["error"]["data"]["reason"] == "invalid_arguments"
