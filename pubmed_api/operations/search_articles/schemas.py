"""What goes in and out of a search."""

from marshmallow import validate

from pubmed_api.operations.search_articles.model import MAX_OFFSET, MAX_SUMMARIES, WINDOW
from pubmed_api.schemas import fields
from pubmed_api.schemas.failed import failed_ids
from pubmed_api.web import ArgsSchema, Schema

_DATE = r"^$|^\d{4}([/\-.]\d{1,2}([/\-.]\d{1,2})?)?$"
_DATE_MESSAGE = "must be empty or a date as YYYY, YYYY/MM or YYYY/MM/DD"
_DATE_TYPES = ("pdat", "mdat", "edat")
_SPECIES = ("humans", "animals")
_TERM_RULE = (
    "Empty means no filter. A value without a term (white space, invisible characters, markup, parentheses, "
    "brackets or double quotes alone) is refused."
)


class Offset(fields.Integer):
    """A start within what PubMed serves; the refusal of a larger one says how to get beyond."""

    def __init__(self, doc: str):
        super().__init__(doc, default=0, minimum=0, maximum=MAX_OFFSET)
        message = (
            f"must be from 0 to {MAX_OFFSET}: PubMed serves the first {WINDOW} results of a search. "
            f"For more, split the search by dateRange into slices of at most {WINDOW} results"
        )
        self.validators = [validate.Range(min=0, max=MAX_OFFSET, error=message)]


class DateRangeSchema(Schema):
    """Two bounds and the kind of date they are about."""

    min_date = fields.Text(
        "First day, month or year (`YYYY/MM/DD`, `YYYY/MM`, `YYYY`; `-` and `.` separate too). It has to exist in "
        'the calendar: `2023/02/29` is refused. For an open start give "1000"; empty switches the whole range off.',
        required=True,
        pattern=_DATE,
        pattern_message=_DATE_MESSAGE,
        example="2020/01",
    )
    max_date = fields.Text(
        "Last day, month or year, in the same forms; a month or year counts to its last day. For an open end give "
        '"3000"; empty switches the whole range off.',
        required=True,
        pattern=_DATE,
        pattern_message=_DATE_MESSAGE,
        example="2021",
    )
    date_type = fields.Text(
        "Which date: `pdat` publication, `edat` arrival in PubMed, `mdat` last change. Records dated by a month or "
        "year alone count under `pdat` as of its first day, so an alert for new records does better with `edat`.",
        default="pdat",
        choices=_DATE_TYPES,
    )


class SearchArticlesArgs(ArgsSchema):
    """A query, filters, and which part of the result to return."""

    aliases = {
        "term": "query",
        "limit": "maxResults",
        "max_results": "maxResults",
        "retmax": "maxResults",
        "pageSize": "maxResults",
        "retstart": "offset",
    }

    query = fields.Text(
        'What to search for, in PubMed\'s full syntax: words, "phrases", AND/OR/NOT, parentheses, `word*`, field tags '
        "such as `asthma[tiab]`. It needs a term: field tags, markup, parentheses and invisible characters alone "
        "are refused.",
        required=True,
        min_length=1,
        max_length=100_000,
        example="asthma AND steroids[tiab]",
    )
    max_results = fields.Integer(
        "How many PMIDs to return at most; 0 returns the count alone.", default=20, minimum=0, maximum=1000
    )
    offset = Offset(
        f"How many results to skip. PubMed serves only the first {WINDOW} of a search; for more, split it by "
        "`dateRange`."
    )
    sort = fields.Text(
        "Order: `relevance` (best match first), `pub_date` (newest first), `author` or `journal` (by name).",
        default="relevance",
        choices=("relevance", "pub_date", "author", "journal"),
    )
    date_range = fields.Record(
        DateRangeSchema,
        "Keep records dated within these bounds, both included. It filters only when both bounds are given; with "
        "one of them empty the search runs without it, and the notice says so. `minDate` must not be after `maxDate`.",
    )
    publication_types = fields.Items(
        fields.Text(f'One publication type, such as "Review" or "Clinical Trial". {_TERM_RULE}'),
        "Keep records of any of these publication types.",
        example=["Review", "Meta-Analysis"],
    )
    author = fields.Text(f'Keep records by this author, surname before initials ("Smith J"). {_TERM_RULE}')
    journal = fields.Text(f"Keep records of this journal: its full title, abbreviation or ISSN. {_TERM_RULE}")
    mesh_terms = fields.Items(
        fields.Text(f"One MeSH heading or entry term. {_TERM_RULE}"),
        "Keep records indexed with all of these MeSH headings, or narrower ones. The newest records often have no "
        "headings yet and are left out.",
        example=["Asthma"],
    )
    language = fields.Text(f'Keep records of articles in this language ("english"). {_TERM_RULE}')
    has_abstract = fields.Boolean("Keep only records with an abstract; `false` is no filter.")
    free_full_text = fields.Boolean("Keep only records with free full text; `false` is no filter.")
    species = fields.Text(
        "Keep records about humans, or about animals other than humans. Both go by MeSH headings, which the newest "
        "records often do not have yet.",
        choices=_SPECIES,
    )
    summary_count = fields.Integer(
        "For how many of the returned PMIDs, from the first on, to add a brief summary. For more than "
        f"{MAX_SUMMARIES}, pass the PMIDs to `pubmed_fetch_articles`.",
        default=0,
        minimum=0,
        maximum=MAX_SUMMARIES,
    )
    use_history = fields.Boolean(
        "Keep the result set on NCBI's history server and return its handle, for `fetch_pubmed_content`.", default=False
    )


class AppliedDateRangeSchema(Schema):
    """The dates as they were sent."""

    min_date = fields.Text("First date, with `/` between its parts.", required=True)
    max_date = fields.Text("Last date, with `/` between its parts.", required=True)
    date_type = fields.Text("Which of a record's dates was compared.", required=True, choices=_DATE_TYPES)


class AppliedFiltersSchema(Schema):
    """The filters in force."""

    author = fields.Text("Author the results are restricted to.")
    journal = fields.Text("Journal the results are restricted to.")
    language = fields.Text("Language the results are restricted to.")
    species = fields.Text("Species the results are restricted to.", choices=_SPECIES)
    date_range = fields.Record(AppliedDateRangeSchema, "Dates the results are restricted to.")
    mesh_terms = fields.Items(fields.Text("One MeSH term that was applied."), "MeSH terms that every result has.")
    publication_types = fields.Items(
        fields.Text("One publication type that was applied."), "Publication types of which every result has one."
    )
    has_abstract = fields.Boolean("`true` when every result has an abstract.")
    free_full_text = fields.Boolean("`true` when every result has free full text.")


class ArticleSummarySchema(Schema):
    """A record in brief."""

    pmid = fields.Text("The record's PubMed ID.", required=True)
    title = fields.Text("Title of the article, chapter or book.")
    authors = fields.Text('The first three authors and, where there are more, "et al.". Editors are in `editors`.')
    source = fields.Text("Abbreviated journal title; a book record has `bookTitle` and `publisherName` in its place.")
    pub_date = fields.Text(
        "Publication date as `YYYY-MM-DD`; a month or day the record does not give is 01. A chapter has its own. "
        "Absent where the date is no calendar date, such as a season."
    )
    doi = fields.Text("DOI in NCBI's upper and lower case. Compare DOIs without regard to case.")
    pmc_id = fields.Text("PMC ID with its prefix, where the article is in PMC.")
    pubmed_url = fields.Text("Address of the record on PubMed.")
    pmc_url = fields.Text("Address of the article on PMC.")
    book_title = fields.Text("Title of the book that a Bookshelf record belongs to.")
    publisher_name = fields.Text("Publisher of that book.")
    doc_type = fields.Text(
        "Kind of record: `citation` for a journal article; `chapter` or `book` for one of Bookshelf."
    )
    editors = fields.Items(
        fields.Text("Surname and initials of one editor."), "The book's editors, where the record names them."
    )
    retracted = fields.Boolean("`true` where PubMed marks the article as retracted. Else absent.")


class HistorySchema(Schema):
    """A result set on NCBI's history server."""

    web_env = fields.Text("Identifier of the history (WebEnv).", required=True)
    query_key = fields.Text("Number of this result set in it (query_key).", required=True)


class DiagnosticsSchema(Schema):
    """What is wrong with the query though it has a result."""

    phrases_not_found = fields.Items(fields.Text("One phrase, verbatim."), "Phrases that PubMed found nothing for.")
    fields_not_found = fields.Items(
        fields.Text("One field tag, verbatim."), "Field tags that PubMed says it does not know. They restrict nothing."
    )
    phrases_ignored = fields.Items(fields.Text("One phrase, verbatim."), "Words PubMed left out, such as stop words.")
    quoted_phrases_not_found = fields.Items(
        fields.Text("One quoted phrase, verbatim."), "Quoted phrases that PubMed does not have as a phrase."
    )
    messages = fields.Items(fields.Text("One message of PubMed, verbatim."), "What else PubMed said about the query.")
    unknown_tags = fields.Items(
        fields.Text("One tag as it stands in the query, without its brackets."),
        "Field tags of the query, or forms of them, that are not among PubMed's. It drops such tags without a word.",
    )


class SearchArticlesResponse(Schema):
    """One page of PMIDs, and how it came about."""

    keep_empty = ("pmids", "summaries", "appliedFilters")

    query = fields.Text("The query as it was given.", required=True)
    effective_query = fields.Text("What was sent to PubMed: the query without markup, and the filters.", required=True)
    applied_filters = fields.Record(
        AppliedFiltersSchema, "The filters in force, in the values sent; empty when there are none.", required=True
    )
    total_count = fields.Integer("How many records match in all.", required=True)
    offset = fields.Integer("How many results were skipped.", required=True)
    returned = fields.Integer("How many PMIDs this answer holds.")
    has_more = fields.Boolean(
        f"Whether a larger `offset` brings more. `false` also at the end of the {WINDOW} results PubMed serves."
    )
    pmids = fields.Items(fields.Text("One PubMed ID."), "PubMed IDs in the order asked for.", required=True)
    summaries = fields.Items(
        fields.Record(ArticleSummarySchema, "One record in brief."),
        "Summaries of the first PMIDs, in the same order; empty unless `summaryCount` asks for them.",
        required=True,
    )
    search_url = fields.Text("The same search on PubMed's site.", required=True)
    query_translation = fields.Text("How PubMed understood the query, in its own syntax.")
    diagnostics = fields.Record(
        DiagnosticsSchema, "Parts of the query that PubMed ignored or found nothing for. Absent when there are none."
    )
    history = fields.Record(HistorySchema, "Handle of the result set; only with `useHistory`.")
    failed = failed_ids("PMIDs of this page that should have a summary and have none because NCBI failed.")
    notice = fields.Text(
        "What to know about this result: filters or tags without effect, nothing found, a cut page, stored data that "
        "stands in because NCBI failed."
    )
