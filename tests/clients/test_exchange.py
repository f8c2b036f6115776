"""A request put together at the last moment: what the transport gets, and what no error may tell."""

import traceback

import pytest

from pubmed_api.clients.adapter import Upstream
from pubmed_api.clients.exchange import Exchange, Question
from pubmed_api.clients.wire import Answer
from pubmed_api.exceptions import UpstreamRefused

PARAMS = {"id": "1,2", "email": "operator@lab.test", "api_key": "SECRETKEY123"}


class Transport:
    """Keeps what it is given."""

    def exchange(self, request, sent, seconds, **options):
        self.request, self.sent, self.seconds, self.options = request, sent, seconds, options
        return Answer(200, {}, b"body")


@pytest.fixture
def transport():
    return Transport()


@pytest.fixture
def exchange(transport):
    return Exchange(Upstream("ncbi", lambda sent, answer: answer.body + b" checked"), None, transport)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_send__parameters_where_the_method_has_them(exchange, transport, method):
    assert exchange.send(Question(method, "http://eutils.test/efetch.fcgi", PARAMS), 5.0) == b"body checked"
    request = transport.request
    assert request.method == method
    sent = request.url.partition("?")[2] if method == "GET" else request.body
    assert "id=1%2C2" in sent
    assert ("?" in request.url) is (method == "GET")
    assert request.headers["User-Agent"].startswith("pubmed-api/")
    assert "gzip" in request.headers["Accept-Encoding"]
    assert transport.seconds == 5.0
    assert (transport.sent.provider, transport.sent.host, transport.sent.endpoint) == ("ncbi", "eutils.test", "efetch")


def test_send__proxies_and_certificates_of_the_environment(exchange, transport, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://proxy.test:3128")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/etc/bundle.pem")
    exchange.send(Question("GET", "http://eutils.test/efetch.fcgi", PARAMS), 5.0)
    assert transport.options["proxies"]["http"] == "http://proxy.test:3128"
    assert transport.options["verify"] == "/etc/bundle.pem"


def test_send__address_that_cannot_be_used_is_not_told(exchange):
    with pytest.raises(UpstreamRefused) as caught:
        exchange.send(Question("GET", "http://eutils.test:notaport/efetch.fcgi", PARAMS), 5.0)
    told = "".join(traceback.format_exception(caught.value))
    assert "SECRETKEY123" not in told
    assert "operator" not in told
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)


def test_describe__names_the_endpoint_it_was_given(transport):
    exchange = Exchange(Upstream("ncbi", None, endpoint="idconv"), None, transport)
    sent = exchange.describe(Question("GET", "http://pmc.test/tools/v1/articles/", {"ids": "1", "idtype": "pmid"}))
    assert (sent.host, sent.endpoint, dict(sent.params)) == ("pmc.test", "idconv", {"ids": "1", "idtype": "pmid"})


def test_question__does_not_show_its_parameters():
    assert "SECRETKEY123" not in repr(Question("GET", "http://eutils.test/", PARAMS))
