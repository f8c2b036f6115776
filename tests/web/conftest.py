"""A small application with one invented operation, so that the web layer is tried without PubMed."""

from types import SimpleNamespace

import pytest

from pubmed_api.exceptions import UpstreamRateLimited
from pubmed_api.models.call import Part, current_call
from pubmed_api.schemas import fields
from pubmed_api.settings import Settings
from pubmed_api.web import ArgsSchema, Blueprint, Schema
from pubmed_api.web.application import build_app


class RangeArgs(ArgsSchema):
    low = fields.Integer("The lower bound.", required=True)
    high_end = fields.Integer("The upper bound.", default=9, minimum=0)


class EchoArgs(ArgsSchema):
    aliases = {"term": "query", "limit": "maxResults", "retmax": "maxResults"}

    query = fields.Text("What to look for.", required=True, min_length=1)
    max_results = fields.Integer("How many to return.", default=20, minimum=0, maximum=100)
    pmids = fields.Items(fields.Pmid(), "PubMed IDs.", min_items=1, max_items=5, id_list=True)
    tags = fields.Items(fields.Text("A tag."), "Tags.")
    exact = fields.Boolean("Whether to match exactly.", default=False)
    sort = fields.Text("The order.", choices=("relevance", "date"))
    range = fields.Record(RangeArgs, "A range.")


class EchoResponse(Schema):
    keep_empty = ("pmids",)

    query = fields.Text("The query.", required=True)
    max_results = fields.Integer("The limit.")
    pmids = fields.Items(fields.Pmid(), "The ids.")
    tags = fields.Items(fields.Text("A tag."), "The tags.")
    sort = fields.Text("The order.")
    range = fields.Record(RangeArgs, "The range.")
    exact = fields.Boolean("As asked.")
    notice = fields.Text("What to know about this answer.")


def build_blueprint():
    blp = Blueprint("echo", description="Says what it heard.")

    @blp.operation("POST", "/v1/echo", "echo", args=EchoArgs, response=EchoResponse(), example={"query": "asthma"})
    def echo(args):
        """Say what was heard."""
        if args["query"] == "boom":
            raise RuntimeError("secret-text-of-a-caller")
        if args["query"] == "limit":
            raise UpstreamRateLimited("NCBI asks us to wait.", host="eutils.example", retry_after=2.2)
        if args["query"] == "parts":
            current_call().parts.extend([Part("hit", 40), Part("miss", 0)])
        if args["query"].startswith("stale"):
            current_call().parts.extend([Part("stale", 7300), Part("hit", 90000), Part("miss")])
        if args["query"] == "slow":
            current_call().timings.update(parse=0.0005, queue=1.25, upstream=0.05)
        if args["query"] == "key":
            args = {**args, "tags": [str(current_call().ncbi_api_key)]}
        notice = "Something else." if args["query"] == "stale and more" else None
        return SimpleNamespace(**{"pmids": [], "tags": [], "sort": None, "range": None, "notice": notice, **args})

    @blp.operation("GET", "/v1/echo/state", "echo_state", response=EchoResponse())
    def state():
        """Say something."""
        return SimpleNamespace(query="state", pmids=[])

    return blp


@pytest.fixture
def build(tmp_path):
    """Build a client of the echo application with these settings."""

    def _build(upstream="sandbox", **settings):
        app, _ = build_app(Settings(data_dir=tmp_path, **settings), upstream, None, [build_blueprint()])
        return app.test_client()

    return _build


@pytest.fixture
def client(build):
    return build()
