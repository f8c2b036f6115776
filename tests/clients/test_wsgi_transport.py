from requests import Request

from pubmed_api.clients.wire import describe
from pubmed_api.clients.wsgi_transport import WsgiTransport


def exchange(upstream, method, **parts):
    request = Request(method, "https://eutils.test/entrez/eutils/esearch.fcgi", **parts).prepare()
    return WsgiTransport(upstream).exchange(request, describe(request, "ncbi"), 1)


def test_exchange__get_keeps_path_and_query(upstream):
    exchange(upstream, "GET", params={"term": "a b&c é", "sort": ""}, headers={"X-Own": "1"})
    asked = upstream.asked[0]
    assert (asked.method, asked.path) == ("GET", "/eutils.test/entrez/eutils/esearch.fcgi")
    assert asked.params == {"term": "a b&c é", "sort": ""}
    assert asked.headers["HTTP_X_OWN"] == "1"


def test_exchange__post_keeps_the_body(upstream):
    exchange(upstream, "POST", data={"term": "x" * 3000})
    assert upstream.asked[0].method == "POST"
    assert upstream.asked[0].query == ""
    assert upstream.asked[0].params == {"term": "x" * 3000}


def test_exchange__answer_of_any_status(upstream):
    upstream.answers = [(503, b"wait", {"Retry-After": "3"})]
    answer = exchange(upstream, "GET")
    assert (answer.status, answer.body) == (503, b"wait")
    assert answer.headers.get("retry-after") == "3"
