"""EFetch over invented records."""

import pytest


class FakeEutils:
    """Answers with those of its records that are asked for, the last one first; calls are kept."""

    def __init__(self, *records, body=None, error=None):
        self.records, self.body, self.error = records, body, error
        self.calls = []

    def efetch(self, *, ids, db="pubmed", rettype=None, retmode="xml", post=False):
        self.calls.append({"ids": list(ids), "db": db, "post": post})
        if self.error is not None:
            raise self.error
        if self.body is not None:
            return self.body
        asked = [xml for pmid, xml in reversed(self.records) if pmid in ids]
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
