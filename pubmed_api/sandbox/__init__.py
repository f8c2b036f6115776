"""An emulation of the remote services over a small fictional corpus, for machines without internet.

The rule of this folder: it answers as the real services do, byte shape and quirks included, and knows nothing of
the rest of the package. A module stands for a remote service, one of its formats, or a part of the search behind
it. Nothing is read at import; each application loads its corpus once, at the first request that needs it. Every
answer carries the header ``X-Sandbox: 1``, so that fiction never passes for literature.
"""

from pubmed_api.sandbox.app import create_sandbox

__all__ = ["create_sandbox"]
