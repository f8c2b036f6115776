"""The door to every upstream: one cached session for the process, below which the rest of the stack is mounted."""

import hashlib
import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from operator import itemgetter
from typing import Any
from urllib.parse import urlsplit

import requests
from requests import PreparedRequest
from requests.adapters import BaseAdapter
from requests_cache import DO_NOT_CACHE, CachedSession

from pubmed_api.clients.cache import AnswerCache
from pubmed_api.clients.wire import IDENTITY, is_form, sent_params
from pubmed_api.exceptions import NotInCache, UpstreamRefused
from pubmed_api.models.call import Part, current_call

USER_AGENT = f"pubmed-api/{version('pubmed-api')}"


class UpstreamSession:
    """Sends requests through cache and adapters; safe to share between threads.

    ``adapters`` maps base URLs to what is mounted there; nothing else can be reached.
    """

    def __init__(self, cache: AnswerCache, adapters: Mapping[str, BaseAdapter]):
        self._session = _build_session(cache, adapters)

    def fetch(self, method: str, url: str, params: Mapping[str, str], *, age: int | None) -> bytes:
        """The body of the answer, from the cache if it is there, else asked for and kept for ``age`` seconds.

        ``params`` go into the query of a GET and the form of a POST. With an age of 0 or ``None`` the cache is
        neither read nor written. The current call's wishes count before that, and what was used is noted in its
        ``parts``. Raises ``NotInCache`` and the errors of the adapters.
        """
        call = current_call()
        try:
            response = self._session.request(
                method,
                url,
                params=params if method == "GET" else None,
                data=params if method == "POST" else None,
                allow_redirects=False,
                expire_after=age or DO_NOT_CACHE,
                only_if_cached=call.only_if_cached,
                force_refresh=call.no_cache,
            )
        except requests.RequestException:
            response = None
        # Outside the handler: the library's exceptions hold the URL.
        if response is None:
            raise UpstreamRefused(f"No request can be sent to {urlsplit(url).hostname}.")
        if response.status_code == 504:
            raise NotInCache("This answer is not stored, and only a stored one was asked for.")
        if response.from_cache:
            stored_for = datetime.now(UTC) - response.created_at
            call.parts.append(Part("hit", max(0, int(stored_for.total_seconds()))))
        else:
            call.parts.append(Part("miss"))
        return response.content


def build_key(request: PreparedRequest, **_: Any) -> str:
    """The cache key: what is asked, and nothing of who asks.

    The library's own key differs with and without an API key, drops blank parameters and sorts lists.
    """
    address = urlsplit(request.url or "")
    params = [(name, value) for name, value in sent_params(request) if name not in IDENTITY]
    body = b"" if is_form(request) else request.body or b""
    parts = [
        (request.method or "").upper(),
        address.scheme,
        address.netloc.lower(),
        address.path,
        # By name only: the values of a repeated parameter have an order of their own.
        sorted(params, key=itemgetter(0)),
        body.decode("utf-8", "replace") if isinstance(body, bytes) else str(body),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _build_session(cache: AnswerCache, adapters: Mapping[str, BaseAdapter]) -> CachedSession:
    # It writes URLs, which hold keys and addresses, into the log.
    logging.getLogger("requests_cache").setLevel(logging.ERROR)
    session = CachedSession(
        backend=cache,
        key_fn=build_key,
        ignored_parameters=IDENTITY,
        allowable_codes=(200,),
        allowable_methods=("GET", "POST"),
    )
    session.headers.update({"User-Agent": USER_AGENT})
    session.adapters.clear()
    for base, adapter in adapters.items():
        prepared = PreparedRequest()
        prepared.prepare_url(base, None)
        session.mount(prepared.url or base, adapter)
    return session
