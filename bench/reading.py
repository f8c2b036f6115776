"""What reading records costs beside what XML and JSON cost anyhow."""

import json
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

import pubmed_api.sandbox
from bench.timing import milliseconds, ratio
from pubmed_api.parsers.pubmed.article import parse_pubmed_article_set
from pubmed_api.schemas.article import ArticleSchema

CORPUS = Path(pubmed_api.sandbox.__file__).with_name("corpus")


def documents() -> list[bytes]:
    """The sandbox's records, as an upstream would send them."""
    return [path.read_bytes() for path in sorted(CORPUS.glob("*.xml"))]


def measure() -> Iterator[str]:
    """Parse and dump the sandbox's records."""
    bodies = documents()
    bare = milliseconds(lambda: [etree.fromstring(body) for body in bodies])
    articles = [article for body in bodies for article in parse_pubmed_article_set(body)]
    parsed = milliseconds(lambda: [parse_pubmed_article_set(body) for body in bodies])
    yield ratio(f"parse {len(articles)} records", parsed, bare, "lxml alone")
    schema = ArticleSchema(many=True)
    data = schema.dump(articles)
    plain = milliseconds(lambda: json.dumps(data, ensure_ascii=False))
    dumped = milliseconds(lambda: json.dumps(schema.dump(articles), ensure_ascii=False))
    yield ratio(f"dump {len(articles)} records to JSON", dumped, plain, "json.dumps alone")
