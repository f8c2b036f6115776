from requests import Request

from pubmed_api.clients.wire import Sent, describe, is_form, sent_params
from pubmed_api.exceptions import UpstreamUnreachable


def prepared(method="GET", url="https://EUTILS.test:8443/entrez/eutils/esearch.fcgi", **parts):
    return Request(method, url, **parts).prepare()


def test_describe__names_host_and_endpoint():
    sent = describe(prepared(params={"term": "a b"}), "ncbi")
    assert (sent.provider, sent.host, sent.endpoint) == ("ncbi", "eutils.test", "esearch")
    assert sent.params == {"term": "a b"}


def test_describe__endpoint_with_a_suffix_of_its_own():
    assert describe(prepared(url="https://h.test/e/ecitmatch.cgi"), "ncbi").endpoint == "ecitmatch"


def test_describe__given_name_wins_over_the_path():
    assert describe(prepared(url="https://h.test/api/v1/articles/"), "ncbi", "idconv").endpoint == "idconv"


def test_sent_params__query_and_form_with_blanks():
    request = prepared("POST", params={"db": ""}, data={"term": "é&=", "sort": ""})
    assert sent_params(request) == [("db", ""), ("term", "é&="), ("sort", "")]
    assert is_form(request)


def test_sent__shows_no_parameters():
    sent = Sent("ncbi", "h.test", "esearch", {"api_key": "SECRETKEY123", "term": "private"})
    error = sent.failure(UpstreamUnreachable, "It failed.", status=500, retry_after=None)
    assert error.data == {"host": "h.test", "endpoint": "esearch", "status": 500}
    assert "SECRETKEY123" not in repr(sent) + repr(error)
    assert "private" not in repr(sent)
