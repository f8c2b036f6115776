import pytest

from pubmed_api.models.article import CommentCorrection
from pubmed_api.parsers.pubmed.comments import parse_comments_corrections


def links(*inner: str) -> str:
    return f"<CommentsCorrectionsList>{''.join(inner)}</CommentsCorrectionsList>"


def link(ref_type: str, inner: str) -> str:
    return f'<CommentsCorrections RefType="{ref_type}">{inner}</CommentsCorrections>'


def test_comments_corrections__in_order_without_cites(node):
    found = parse_comments_corrections(
        node(
            links(
                link("ErratumIn", "<RefSource>J. 2010;1(2):3</RefSource>"),
                link("Cites", "<RefSource>J. 1999</RefSource><PMID>90000001</PMID>"),
                link("RetractionIn", "<RefSource>J. 2011</RefSource><PMID>90000002</PMID><Note>why</Note>"),
                link("SomethingNewIn", "<RefSource>J. 2012</RefSource>"),
            )
        )
    )
    assert found == (
        CommentCorrection("ErratumIn", "J. 2010;1(2):3"),
        CommentCorrection("RetractionIn", "J. 2011", "90000002", "why"),
        CommentCorrection("SomethingNewIn", "J. 2012"),
    )


def test_comments_corrections__verbatim_strings(node):
    (found,) = parse_comments_corrections(node(links(link("ErratumIn", "<RefSource>1.50</RefSource><Note>007</Note>"))))
    assert (found.ref_source, found.note) == ("1.50", "007")


def test_comments_corrections__retraction_with_pmid_alone_is_kept(node):
    found = parse_comments_corrections(node(links(link("RetractionIn", "<RefSource/><PMID>90000003</PMID>"))))
    assert found == (CommentCorrection("RetractionIn", "PMID 90000003", "90000003"),)


@pytest.mark.parametrize("text", [links(), links(link("Cites", "<RefSource>x</RefSource>"))])
def test_comments_corrections__none(node, text):
    assert parse_comments_corrections(node(text)) == ()
    assert parse_comments_corrections(None) == ()
