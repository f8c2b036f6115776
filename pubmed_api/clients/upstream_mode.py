"""Whether this process asks the real upstreams or the sandbox."""

import logging
from typing import Literal, cast

from requests import Request

from pubmed_api.clients.eutils import eutils_params, eutils_url
from pubmed_api.clients.eutils_answer import read_eutils_answer
from pubmed_api.clients.session import USER_AGENT
from pubmed_api.clients.transport import SocketTransport
from pubmed_api.clients.wire import describe
from pubmed_api.exceptions import UpstreamError
from pubmed_api.settings import Settings

log = logging.getLogger(__name__)

PROBE_SECONDS = 2.0


def resolve_upstream(settings: Settings) -> Literal["live", "sandbox"]:
    """``live`` or ``sandbox``. ``auto`` asks NCBI's EInfo once, for 2 s at most; anything but an answer is ``sandbox``.

    The caller keeps the result: a service that changed its mind while running would mix fiction with literature.
    """
    if settings.upstream != "auto":
        return cast(Literal["live", "sandbox"], settings.upstream)
    try:
        _ask_einfo(settings)
    except UpstreamError as error:
        log.warning(
            "NCBI DOES NOT ANSWER (%s): SERVING THE SANDBOX, whose articles are all invented. "
            "Set PUBMED_API_UPSTREAM=live to insist on the real PubMed.",
            error.reason,
        )
        return "sandbox"
    return "live"


def _ask_einfo(settings: Settings) -> None:
    params = eutils_params(settings, {"db": "pubmed", "retmode": "xml"})
    headers = {"User-Agent": USER_AGENT}
    request = Request("GET", eutils_url(settings, "einfo"), params=params, headers=headers).prepare()
    sent = describe(request, "ncbi")
    transport = SocketTransport(pool_size=1)
    try:
        read_eutils_answer(sent, transport.exchange(request, sent, PROBE_SECONDS))
    finally:
        transport.close()
