"""What an answer costs, from the sandbox and from the store, beside an empty request."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.timing import milliseconds, ratio
from pubmed_api.app import create_app
from pubmed_api.settings import Settings


def measure() -> Iterator[str]:
    """Search and fetch through the whole application."""
    with TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), upstream="sandbox", ncbi_requests_per_second=1000.0)
        client = create_app(settings).test_client()
        fresh = {"Cache-Control": "no-cache"}
        empty = milliseconds(lambda: client.get("/healthz"))
        search = {"query": "asthma", "summaryCount": 5}
        pmids = client.post("/v1/articles/search", json={"query": "all[sb] OR asthma", "maxResults": 40}).json["pmids"]
        for name, path, body in (
            ("search with 5 summaries", "/v1/articles/search", search),
            (f"fetch {len(pmids)} records", "/v1/articles/fetch", {"pmids": pmids}),
        ):
            stored = milliseconds(lambda path=path, body=body: client.post(path, json=body))
            asked = milliseconds(lambda path=path, body=body: client.post(path, json=body, headers=fresh))
            yield ratio(f"{name}, stored", stored, empty, "GET /healthz")
            yield ratio(f"{name}, asked anew", asked, stored, "the stored answer")
