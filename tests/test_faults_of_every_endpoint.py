"""What any service of NCBI may send in place of an answer, sent by each of those we ask: one meaning everywhere."""

import pytest
from support.replay import Replay, serve
from support.validating import ValidatingClient, build_settings

from pubmed_api.app import create_app

KEY, EGRESS, PMID = "SECRETKEY123", "203.0.113.9", "90000001"
FOUND = f"<eSearchResult><Count>1</Count><IdList><Id>{PMID}</Id></IdList></eSearchResult>".encode()

CALLS = {
    "esearch": ("POST", "/v1/articles/search", {"query": "asthma"}),
    "esummary": ("POST", "/v1/articles/search", {"query": "asthma", "summaryCount": 1}),
    "efetch": ("POST", "/v1/articles/fetch", {"pmids": [PMID]}),
    "espell": ("POST", "/v1/spelling/check", {"query": "asthma"}),
    "einfo": ("GET", "/v1/database/info", None),
    "idconv": ("POST", "/v1/ids/convert", {"ids": [PMID], "idType": "pmid"}),
}

THROTTLE = f'{{"error":"API rate limit exceeded","api-key":"{EGRESS}","count":"4","limit":"3"}}'.encode()
BAD_KEY = f'{{"error":"API key invalid","api-key":"{KEY}","count":"1","limit":"3"}}'.encode()
PAGE = b"<!DOCTYPE html>\n<html><head><title>Busy</title></head><body>Busy</body></html>"
PROLOG = b'<?xml version="1.0" encoding="UTF-8" ?>\n<!DOCTYPE x PUBLIC "-//NLM//DTD x//EN" "https://x.test/x.dtd">\n'

FAULTS = {
    "throttled": ((429, "application/json", THROTTLE), "ncbi_rate_limited"),
    "throttled, told in a 200": ((200, "application/json", THROTTLE), "ncbi_rate_limited"),
    "throttled, told in a padded 200": ((200, "text/xml", b"\n\n " + THROTTLE), "ncbi_rate_limited"),
    "key refused": ((400, "application/json", BAD_KEY), "ncbi_refused"),
    "page in a 200": ((200, "text/html", PAGE), "ncbi_unreachable"),
    "page in a 503": ((503, "text/html", PAGE), "ncbi_unreachable"),
    "nothing": ((200, "text/xml", b""), "ncbi_unreachable"),
    "cut off": ((200, "text/xml", b"<eSe", {"Content-Length": "400"}), "ncbi_unreachable"),
    "elsewhere": ((307, "text/html", b"", {"Location": "http://other.invalid/"}), "ncbi_refused"),
}
# Where JSON is asked for, XML is as unreadable as prose is.
FAULTS_OF_XML = {
    "prose": ((200, "text/plain", b"Service is being restarted"), "ncbi_unreachable"),
    "prolog alone": ((200, "text/xml", PROLOG), "ncbi_unreachable"),
    "JSON": ((200, "application/json", b'{"header":{},"result":{"uids":[]}}'), "ncbi_invalid_response"),
}
FAULTS_OF_JSON = {
    "prose": ((200, "text/plain", b"Service is being restarted"), "ncbi_invalid_response"),
    "XML": ((200, "text/xml", b"<records/>"), "ncbi_invalid_response"),
    "cut off where it may end": ((200, "application/json", b'{"status":"ok","records":['), "ncbi_invalid_response"),
}

CASES = [(endpoint, *fault) for endpoint in CALLS for fault in FAULTS.items()]
CASES += [(endpoint, *fault) for endpoint in CALLS if endpoint != "idconv" for fault in FAULTS_OF_XML.items()]
CASES += [("idconv", *fault) for fault in FAULTS_OF_JSON.items()]


@pytest.fixture(scope="module")
def server():
    replay = Replay()
    with serve(replay) as base:
        yield replay, base


@pytest.fixture
def replay(server):
    replay, _ = server
    replay.answers = {"esearch": (200, "text/xml", FOUND)}
    replay.calls.clear()
    return replay


@pytest.fixture
def client(server, tmp_path):
    _, base = server
    addresses = {"ncbi_eutils_base_url": f"{base}/eutils/", "pmc_idconv_base_url": f"{base}/idconv/"}
    app = create_app(build_settings(tmp_path, upstream="live", ncbi_api_key=KEY, **addresses))
    app.test_client_class = ValidatingClient
    return app.test_client()


def ask(client, endpoint, **headers):
    method, path, body = CALLS[endpoint]
    return client.open(path, method=method, json=body, headers=headers)


def reason_of(answer):
    """Why the call failed, or the part of it that could."""
    if answer.status_code == 200:
        (failed,) = answer.json["failed"]
        assert failed["id"] == PMID
        return failed["reason"]
    return answer.json["error"]["data"]["reason"]


@pytest.mark.parametrize(
    ("endpoint", "name", "fault"), CASES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_fault__means_the_same_everywhere_and_is_not_stored(client, replay, endpoint, name, fault):
    replay.answers[endpoint], reason = fault
    answer = ask(client, endpoint)
    assert reason_of(answer) == reason
    for hidden in (KEY, EGRESS, "other.invalid", "127.0.0.1:"):
        assert hidden not in answer.text
    stored = ask(client, endpoint, **{"Cache-Control": "only-if-cached"})
    assert reason_of(stored) == "not_in_cache"
    assert [asked for asked, _ in replay.calls].count(endpoint) == 1
