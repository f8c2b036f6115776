"""Recorded answers taken apart: each record alone reads as it does in its answer, and none is lost."""

import gzip
import json
import re

import pytest

from pubmed_api.clients.split import split_id_rows, split_records, split_summaries
from pubmed_api.exceptions import UpstreamInvalidResponse
from pubmed_api.parsers.esummary import parse_document_summaries, parse_summary
from pubmed_api.parsers.idconv import parse_id_records, parse_id_row
from pubmed_api.parsers.pubmed.article import parse_pubmed_article_set, parse_pubmed_record
from pubmed_api.parsers.xml import parse_xml


def bodies(folder):
    for path in sorted(folder.iterdir()):
        body = path.read_bytes()
        yield path.name, gzip.decompress(body) if path.suffix == ".gz" else body


def test_records__each_reads_as_in_its_answer(payloads):
    total = 0
    for name, body in bodies(payloads / "efetch-pubmed"):
        try:
            if parse_xml(body).tag != "PubmedArticleSet":
                continue
        except UpstreamInvalidResponse:
            continue
        newest = {}
        for article in sorted(parse_pubmed_article_set(body), key=lambda article: -article.version):
            if article.pmid is not None:
                newest.setdefault(article.pmid, article)
        found = split_records(body, [*newest, "99999999"])
        assert found.pop("99999999").body is None
        assert {pmid: parse_pubmed_record(item.body) for pmid, item in found.items()} == newest, name
        total += len(newest)
    assert total > 1000


def test_summaries__each_reads_as_in_its_answer(payloads):
    total = 0
    for name, body in bodies(payloads / "esummary"):
        if b"<DocSum>" not in body and b"<DocumentSummary " not in body:
            continue
        whole = {summary.pmid: summary for summary in parse_document_summaries(body)}
        found = split_summaries(body, [*whole, "99999999"])
        assert found.pop("99999999").body is None
        assert {pmid: parse_summary(item.body) for pmid, item in found.items()} == whole, name
        total += len(whole)
    assert total > 20


def test_id_rows__each_reads_as_in_its_answer(payloads):
    total = 0
    for name, body in bodies(payloads / "idconv"):
        try:
            whole = parse_id_records(json.loads(body, strict=False))
        except (ValueError, UpstreamInvalidResponse):
            continue
        asked = {record.requested_id: record for record in whole if re.fullmatch("[0-9]+", record.requested_id or "")}
        found = split_id_rows(body, asked, "pmid")
        assert {key: parse_id_row(item.body) for key, item in found.items()} == asked, name
        total += len(asked)
    assert total > 0


@pytest.mark.parametrize("name", ["mixed-7-records-deletecitation.xml"])
def test_records__deleted_citations_are_none(payloads, name):
    body = (payloads / "efetch-pubmed" / name).read_bytes()
    deleted = [node.text for node in parse_xml(body).findall("DeleteCitation/PMID")]
    assert deleted
    assert all(item.body is None for item in split_records(body, deleted).values())
