"""The last step in sandbox mode: a call into a WSGI application in place of a socket."""

from typing import Any
from urllib.parse import urlsplit

from requests import PreparedRequest
from requests.structures import CaseInsensitiveDict
from werkzeug.test import EnvironBuilder, run_wsgi_app

from pubmed_api.clients.wire import Answer, Sent


class WsgiTransport:
    """Asks ``application`` at ``/<host>/<path>``; method, query string, headers and body stay as they are."""

    def __init__(self, application: Any):
        self._application = application

    def exchange(self, request: PreparedRequest, sent: Sent, seconds: float, **options: Any) -> Answer:
        """See ``Transport``; within one process nothing times out or is cut off."""
        address = urlsplit(request.url or "")
        headers = {name: value for name, value in request.headers.items() if name != "Accept-Encoding"}
        builder = EnvironBuilder(
            path=f"/{sent.host}{address.path}",
            query_string=address.query,
            method=request.method or "GET",
            headers=list(headers.items()),
            data=request.body,
        )
        parts, status, received = run_wsgi_app(self._application, builder.get_environ(), buffered=True)
        return Answer(int(status.partition(" ")[0]), CaseInsensitiveDict(received), b"".join(parts))
