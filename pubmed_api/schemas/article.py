"""A PubMed record as it is returned, part by part."""

from pubmed_api.schemas import fields
from pubmed_api.web import Schema


class PersonNameSchema(Schema):
    """A person's name parts, or a group's one name in their place."""

    last_name = fields.Text("The person's surname.")
    first_name = fields.Text("Given name as PubMed has it, often with a middle initial.")
    initials = fields.Text('Initials without separators ("MP").')
    collective_name = fields.Text("Name of a group, in place of the other name parts.")


class ContributorSchema(PersonNameSchema):
    """A name with what identifies and places its bearer."""

    suffix = fields.Text('What follows the name ("Jr", "3rd").')
    orcid = fields.Text("ORCID iD, as `dddd-dddd-dddd-dddX`.")
    affiliation_indices = fields.Items(
        fields.Integer("A position in `affiliations`, from 0."),
        "Where this one works: positions in the record's `affiliations`, counted from 0.",
    )


class PublicationDateSchema(Schema):
    """A cover date as the journal printed it."""

    year = fields.Text("Year of the issue.")
    month = fields.Text('Month as PubMed has it: a name ("Jun") or a number.')
    day = fields.Text("Day of the month.")
    season = fields.Text('Season, where the issue is dated by one ("Spring").')
    medline_date = fields.Text('The date in words where it is not a plain one ("2000 Nov-Dec").')


class JournalSchema(Schema):
    """Where a journal article appeared."""

    title = fields.Text("Full title of the journal.")
    iso_abbreviation = fields.Text("Its ISO abbreviation.")
    volume = fields.Text("Volume the article is in.")
    issue = fields.Text("Issue of that volume.")
    pages = fields.Text('Pages as PubMed writes them ("48-55").')
    issn = fields.Text("ISSN of the print edition.")
    e_issn = fields.Text("ISSN of the electronic edition.")
    elocation_id = fields.Text(
        'The article number of a journal without pages ("2400512"). Given beside `pages`, never in their place; '
        "never a DOI, and never one that PubMed marks invalid."
    )
    elocation_id_type = fields.Text('What kind of locator `elocationId` is, in practice "pii". An open set.')
    publication_date = fields.Record(PublicationDateSchema, "The issue's cover date.")


class BookSchema(Schema):
    """The book of a Bookshelf record."""

    title = fields.Text("Title of the book; on a `book` record the same as the record's own `title`.")
    publisher = fields.Text("Publisher of the book.")
    publisher_location = fields.Text('Place of publication ("Seattle (WA)").')
    pub_date = fields.Text("Year of publication.")
    beginning_date = fields.Text("First year of a book that is kept up to date.")
    ending_date = fields.Text("Last year of such a book; absent while it is still updated.")
    medium = fields.Text('Medium, where PubMed names one ("Internet").')
    edition = fields.Text("Edition, where there is a statement of it.")
    collection_title = fields.Text("Series the book belongs to.")
    isbns = fields.Items(fields.Text("One ISBN, leading zeros kept."), "ISBNs as PubMed gives them, of every edition.")
    doi = fields.Text("DOI of the book itself. A chapter's own is the record's `doi`.")
    editors = fields.Items(
        fields.Record(PersonNameSchema, "One editor: a name and no more."),
        "Editors of the book. They are never among the record's `authors`.",
    )
    accession = fields.Text('NCBI Bookshelf accession ("NBK1247"), to read at ncbi.nlm.nih.gov/books/<accession>/.')


class MeshQualifierSchema(Schema):
    """A subheading."""

    qualifier_name = fields.Text("Name of the subheading.", required=True)
    qualifier_ui = fields.Text("Its unique id in MeSH.")
    is_major_topic = fields.Boolean("Whether the article is mainly about this aspect.", required=True)


class MeshHeadingSchema(Schema):
    """A MeSH descriptor given to a record, with its subheadings."""

    descriptor_name = fields.Text("Name of the MeSH descriptor.")
    descriptor_ui = fields.Text("Its unique id in MeSH.")
    is_major_topic = fields.Boolean(
        "Whether this is a major topic of the article: the descriptor or any of its subheadings is marked so.",
        required=True,
    )
    qualifiers = fields.Items(fields.Record(MeshQualifierSchema, "One subheading."), "Subheadings, in order.")


class GrantSchema(Schema):
    """A grant that paid for the work."""

    grant_id = fields.Text("Number of the grant.")
    acronym = fields.Text('Code of the funding institute ("HL").')
    agency = fields.Text("The funding agency.")
    country = fields.Text("Country of the agency.")


class ArticleDateSchema(Schema):
    """A dated event in the life of a record."""

    date_type = fields.Text('What happened on this date ("Electronic").')
    year = fields.Text("Year, as PubMed has it.")
    month = fields.Text("Month, as PubMed has it.")
    day = fields.Text("Day, as PubMed has it.")


class CommentCorrectionSchema(Schema):
    """A record that PubMed ties to this one."""

    ref_type = fields.Text(
        'How the other record relates to this one ("RetractionIn", "ErratumIn", "CommentOn", …). An open set.',
        required=True,
    )
    ref_source = fields.Text("Citation of the other record, as PubMed writes it.", required=True)
    pmid = fields.Text("PMID of the other record, where it has one.")
    note = fields.Text("PubMed's note on the tie, such as what an erratum corrects.")


class ArticleSchema(Schema):
    """One PubMed record; what a record does not have is left out, save ``authors``."""

    keep_empty = ("authors",)

    record_type = fields.Text(
        "What the record describes. Only this tells articles, chapters and books apart: `publicationTypes` does "
        "not. A `journal-article` has `journalInfo`, the other two have `book`.",
        required=True,
        choices=("journal-article", "book-chapter", "book"),
    )
    pmid = fields.Text("PubMed ID, without leading zeros.")
    title = fields.Text("Title of the article or chapter; of the book, where the record is a whole book.")
    abstract_text = fields.Text("The abstract, its parts as paragraphs, each after its label if it has one.")
    authors = fields.Items(
        fields.Record(ContributorSchema, "An author: a person or a group."),
        "All authors, in order. A chapter's are its own; the book's editors are in `book.editors`.",
    )
    affiliations = fields.Items(
        fields.Text("One affiliation."),
        "Affiliations, each text once, in order of first mention; investigators' own follow the authors'.",
    )
    journal_info = fields.Record(JournalSchema, "The journal and the place in it. Journal articles only.")
    book = fields.Record(BookSchema, "The book, or the one a chapter is from. Never on a journal article.")
    doi = fields.Text(
        "DOI in the upper and lower case PubMed has. Other sources may spell it in another: compare DOIs "
        "without regard to case."
    )
    pmc_id = fields.Text("PMC ID, where the full text is in PubMed Central.")
    pubmed_url = fields.Text("The record's page on PubMed.")
    pmc_url = fields.Text("The full text's page on PubMed Central.")
    publication_types = fields.Items(fields.Text("One publication type."), "Publication types, in order.")
    keywords = fields.Items(fields.Text("One keyword."), "Keywords, of every list the record has.")
    mesh_terms = fields.Items(
        fields.Record(MeshHeadingSchema, "One MeSH heading."), "MeSH headings the indexers gave the article."
    )
    grant_list = fields.Items(fields.Record(GrantSchema, "One grant."), "Grants, when `includeGrants` asks for them.")
    article_dates = fields.Items(fields.Record(ArticleDateSchema, "One dated event."), "Dates beside the cover date.")
    comments_corrections = fields.Items(
        fields.Record(CommentCorrectionSchema, "One related record."),
        "Retractions, errata, expressions of concern, comments, updates and other records PubMed ties to this "
        "one, all of them, in PubMed's order. Read it beside `publicationTypes`: a corrected article often "
        "bears no matching type. The article's bibliography is not among them.",
    )
    investigators = fields.Items(
        fields.Record(ContributorSchema, "One member of a group author."),
        "Members of the record's group authors, all of them and in order, when `includeInvestigators` asks for them.",
    )
