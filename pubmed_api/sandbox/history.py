"""The history server: result sets that are named by a handle and used in later calls.

A handle holds its own set, as a search to run again or as a list of PMIDs, with a checksum. So any worker
process can read what another one gave out, and nothing has to be kept or thrown away.
"""

import base64
import binascii
import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.search import SearchRequest, run_search

QUERY_KEY = "1"
"""The key of the only set a handle has."""

_PREFIX = "MCID_"
_CHECKSUM_BYTES = 8
_MAX_BYTES = 1_000_000


class UnknownHistoryError(Exception):
    """A handle that was never given out, or a key it does not have; the text is the service's own."""

    def __init__(self, query_key: str) -> None:
        super().__init__(f"Unable to obtain query #{query_key or QUERY_KEY}")


def store_search(request: SearchRequest) -> str:
    """The ``WebEnv`` of a search."""
    return _encode(asdict(request))


def store_pmids(pmids: Sequence[str]) -> str:
    """The ``WebEnv`` of a list of PMIDs."""
    return _encode({"pmids": list(pmids)})


def resolve(corpus: Corpus, web_env: str, query_key: str) -> tuple[str, ...]:
    """The PMIDs of a stored set in order. Raises ``UnknownHistoryError``."""
    content = _decode(web_env) if query_key.strip() == QUERY_KEY else None
    if content is None:
        raise UnknownHistoryError(query_key)
    if "pmids" in content:
        return tuple(content["pmids"])
    return run_search(corpus, SearchRequest(**content)).pmids


def _encode(content: dict[str, object]) -> str:
    packed = zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 9)
    return _PREFIX + base64.urlsafe_b64encode(_checksum(packed) + packed).decode().rstrip("=")


def _decode(web_env: str) -> dict[str, str] | None:
    text = web_env.strip()
    if not text.startswith(_PREFIX):
        return None
    encoded = text.removeprefix(_PREFIX)
    try:
        raw = base64.b64decode(encoded + "=" * (-len(encoded) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    checksum, packed = raw[:_CHECKSUM_BYTES], raw[_CHECKSUM_BYTES:]
    if checksum != _checksum(packed):
        return None
    content: dict[str, str] = json.loads(zlib.decompressobj().decompress(packed, _MAX_BYTES))
    return content


def _checksum(packed: bytes) -> bytes:
    return hashlib.sha256(b"sandbox history" + packed).digest()[:_CHECKSUM_BYTES]
