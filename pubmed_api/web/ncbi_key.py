"""The caller's own NCBI API key: a header of the request, good for its calls alone and never repeated to anybody."""

import re
from typing import Any

from flask import request

from pubmed_api.exceptions import InvalidArguments

HEADER = "X-NCBI-API-Key"
_FORM = r"[A-Za-z0-9_-]{8,64}"

# As the document has it. No example: a made-up key would be tried, and NCBI counts wrong keys against us.
PARAMETER: dict[str, Any] = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": (
        "Your own NCBI API key. NCBI is then asked under this key, at its rate of ten requests a second, apart from "
        "this service's other callers. It is used for this request and kept nowhere."
    ),
    "schema": {"type": "string", "pattern": f"^{_FORM}$"},
}


def read_ncbi_key() -> str | None:
    """The key of this request, or ``None``. Raises ``InvalidArguments``, without the value, for what can be none."""
    sent = request.headers.get(HEADER)
    if sent is None or re.fullmatch(_FORM, sent):
        return sent
    problem = {"path": HEADER, "message": "must be an NCBI API key: 8 to 64 letters, digits, - or _"}
    raise InvalidArguments([problem], hint=f"Correct the header {HEADER}, or leave it out to use this service's own.")
