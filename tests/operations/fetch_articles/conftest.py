"""EFetch over invented records."""

import pytest
from support.looked_up import records


class FakeEutils:
    """Answers with those of its records that are asked for, the last one first; calls are kept.

    ``failed`` maps PMIDs to the errors that befell them.
    """

    def __init__(self, *articles, body=None, error=None, failed=None):
        self.articles, self.body, self.error, self.failed = articles, body, error, failed
        self.calls = []

    def records(self, pmids, *, post_from):
        self.calls.append({"ids": list(pmids), "post": len(pmids) >= post_from})
        if self.error is not None:
            raise self.error
        return records(self._answer(pmids), pmids, self.failed)

    def _answer(self, pmids):
        if self.body is not None:
            return self.body
        asked = [xml for pmid, xml in reversed(self.articles) if pmid in pmids]
        return f"<PubmedArticleSet>{''.join(asked)}</PubmedArticleSet>".encode()


def article(pmid, *, title="An invented title", version=1, inside="", citation=""):
    """A journal article: its PMID as asked for, and its XML."""
    xml = f"""<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">
        <PMID Version="{version}">{pmid.lstrip("0")}</PMID>
        <Article PubModel="Print"><Journal><JournalIssue CitedMedium="Print"><PubDate><Year>2031</Year></PubDate>
        </JournalIssue><Title>Annals of Invention</Title></Journal><ArticleTitle>{title}</ArticleTitle>{inside}
        </Article>{citation}</MedlineCitation></PubmedArticle>"""
    return pmid.lstrip("0"), xml


def author(last_name, affiliation, tag="Author"):
    return (
        f'<{tag} ValidYN="Y"><LastName>{last_name}</LastName>'
        f"<AffiliationInfo><Affiliation>{affiliation}</Affiliation></AffiliationInfo></{tag}>"
    )


class Pubmed:
    """What the tests of this folder make their PubMed of."""

    FakeEutils = FakeEutils
    article = staticmethod(article)
    author = staticmethod(author)


@pytest.fixture(scope="session")
def pubmed():
    return Pubmed
