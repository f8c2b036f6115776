"""A brief record as ESummary gives it."""

from dataclasses import dataclass

from pubmed_api.models.identifiers import pmc_url, pubmed_url


@dataclass(frozen=True, slots=True)
class ArticleSummary:
    """One document summary.

    ``authors`` is the display string (three names, then ``et al.``), ``author_names`` the whole roster.
    ``pub_date`` is ``YYYY-MM-DD``. ``source`` is absent on book records. ``retracted`` is ``True`` or absent.
    """

    pmid: str
    title: str | None = None
    authors: str | None = None
    author_names: tuple[str, ...] = ()
    source: str | None = None
    pub_date: str | None = None
    e_pub_date: str | None = None
    doi: str | None = None
    pmc_id: str | None = None
    book_title: str | None = None
    publisher_name: str | None = None
    doc_type: str | None = None
    editors: tuple[str, ...] = ()
    retracted: bool | None = None

    @property
    def pubmed_url(self) -> str:
        """The record's page on PubMed."""
        return pubmed_url(self.pmid)

    @property
    def pmc_url(self) -> str | None:
        """The article's page on PMC, where it has one."""
        return pmc_url(self.pmc_id) if self.pmc_id else None
