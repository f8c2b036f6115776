"""ESearch and ESummary over invented results."""

import pytest
from support.looked_up import summaries


def search_body(ids=(), *, count=None, extra=""):
    """An ESearch answer with these ids; ``count`` is their number unless said otherwise."""
    listed = "".join(f"<Id>{pmid}</Id>" for pmid in ids)
    total = len(ids) if count is None else count
    return (
        f"<eSearchResult><Count>{total}</Count><RetMax>{len(ids)}</RetMax><RetStart>0</RetStart>"
        f"<IdList>{listed}</IdList>{extra}</eSearchResult>"
    ).encode()


def warnings(**members):
    """An ErrorList and WarningList as one: ``PhraseNotFound="x"`` or a tuple of texts."""
    entries = [
        f"<{name}>{text}</{name}>"
        for name, texts in members.items()
        for text in ([texts] if isinstance(texts, str) else texts)
    ]
    return f"<WarningList>{''.join(entries)}</WarningList>"


class FakeEutils:
    """Answers every search with one body, and summaries of the ids asked for, the last one first. Calls are kept.

    ``failed`` maps PMIDs to the errors that befell their summaries.
    """

    def __init__(self, search=None, *, search_error=None, summary_error=None, without=(), failed=None):
        self.search = search_body() if search is None else search
        self.search_error, self.summary_error = search_error, summary_error
        self.without, self.failed = without, failed
        self.searches = []
        self.summarized = []

    @property
    def term(self):
        return self.searches[-1]["term"]

    def esearch(self, *, term, db="pubmed", retmax, retstart=0, sort=None, usehistory=False):
        self.searches.append(
            {"term": term, "retmax": retmax, "retstart": retstart, "sort": sort, "usehistory": usehistory}
        )
        if self.search_error:
            raise self.search_error
        return self.search

    def summaries(self, pmids):
        self.summarized.append(list(pmids))
        if self.summary_error:
            raise self.summary_error
        documents = (
            f'<DocumentSummary uid="{pmid}"><Title>Title of {pmid}</Title></DocumentSummary>'
            for pmid in reversed(list(pmids))
            if pmid not in self.without
        )
        body = f"<eSummaryResult><DocumentSummarySet>{''.join(documents)}</DocumentSummarySet></eSummaryResult>"
        return summaries(body.encode(), pmids, self.failed)


class Pubmed:
    """What the tests of this folder make their PubMed of."""

    FakeEutils = FakeEutils
    search_body = staticmethod(search_body)
    warnings = staticmethod(warnings)


@pytest.fixture(scope="session")
def pubmed():
    return Pubmed
