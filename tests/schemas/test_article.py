from pubmed_api.models.article import (
    Article,
    ArticleDate,
    Author,
    Book,
    CommentCorrection,
    Grant,
    Journal,
    MeshHeading,
    MeshQualifier,
    PublicationDate,
)
from pubmed_api.schemas.article import ArticleSchema

SCHEMA = ArticleSchema()


def test_article__bare_record_has_no_empty_property():
    assert SCHEMA.dump(Article(record_type="journal-article", pmid=None)) == {
        "recordType": "journal-article",
        "authors": [],
    }


def test_article__addresses():
    dumped = SCHEMA.dump(Article(record_type="journal-article", pmid="90000001", pmc_id="PMC9900001"))
    assert dumped["pubmedUrl"] == "https://pubmed.ncbi.nlm.nih.gov/90000001/"
    assert dumped["pmcUrl"] == "https://pmc.ncbi.nlm.nih.gov/articles/PMC9900001/"
    assert (dumped["pmid"], dumped["pmcId"]) == ("90000001", "PMC9900001")


def test_article__people():
    person = Author("Inventa", "Ada B", "AB", "Jr", None, "0000-0001-2345-678X", (0, 1))
    group = Author(collective_name="The Invented Group", affiliation_indices=(0,))
    dumped = SCHEMA.dump(
        Article("journal-article", "90000001", authors=(person, group), investigators=(Author("Memberly"),))
    )
    assert dumped["authors"] == [
        {
            "lastName": "Inventa",
            "firstName": "Ada B",
            "initials": "AB",
            "suffix": "Jr",
            "orcid": "0000-0001-2345-678X",
            "affiliationIndices": [0, 1],
        },
        {"collectiveName": "The Invented Group", "affiliationIndices": [0]},
    ]
    assert dumped["investigators"] == [{"lastName": "Memberly"}]


def test_article__journal():
    date = PublicationDate("2031", "Jun", "7", "Spring", "2031 Spring")
    journal = Journal("Annals of Invention", "Ann Inv", "4", "2", "48-55", "1234-5678", "8765-4321", "e7", "pii", date)
    assert SCHEMA.dump(Article("journal-article", "90000001", journal_info=journal))["journalInfo"] == {
        "title": "Annals of Invention",
        "isoAbbreviation": "Ann Inv",
        "volume": "4",
        "issue": "2",
        "pages": "48-55",
        "issn": "1234-5678",
        "eIssn": "8765-4321",
        "elocationId": "e7",
        "elocationIdType": "pii",
        "publicationDate": {
            "year": "2031",
            "month": "Jun",
            "day": "7",
            "season": "Spring",
            "medlineDate": "2031 Spring",
        },
    }


def test_article__book():
    book = Book(
        "A Book of Fiction",
        "Invention Press",
        "Nowhere (NW)",
        "2031",
        "2030",
        "2032",
        "Internet",
        "2nd",
        "A Series",
        ("0000000000",),
        "10.5555/book",
        (Author("Inventa", "Ada", "A", "Jr", orcid="0000-0001-2345-678X", affiliation_indices=(0,)),),
        "NBK99",
    )
    dumped = SCHEMA.dump(Article("book-chapter", "90000001", book=book, doi="10.5555/chapter"))
    assert dumped["doi"] == "10.5555/chapter"
    assert dumped["book"] == {
        "title": "A Book of Fiction",
        "publisher": "Invention Press",
        "publisherLocation": "Nowhere (NW)",
        "pubDate": "2031",
        "beginningDate": "2030",
        "endingDate": "2032",
        "medium": "Internet",
        "edition": "2nd",
        "collectionTitle": "A Series",
        "isbns": ["0000000000"],
        "doi": "10.5555/book",
        "editors": [{"lastName": "Inventa", "firstName": "Ada", "initials": "A"}],
        "accession": "NBK99",
    }


def test_article__mesh_terms_keep_their_flags():
    term = MeshHeading("Fiction", "D000001", True, (MeshQualifier("history", "Q000001"),))
    dumped = SCHEMA.dump(Article("journal-article", "90000001", mesh_terms=(term, MeshHeading("Books"))))
    assert dumped["meshTerms"] == [
        {
            "descriptorName": "Fiction",
            "descriptorUi": "D000001",
            "isMajorTopic": True,
            "qualifiers": [{"qualifierName": "history", "qualifierUi": "Q000001", "isMajorTopic": False}],
        },
        {"descriptorName": "Books", "isMajorTopic": False},
    ]


def test_article__lists():
    dumped = SCHEMA.dump(
        Article(
            "journal-article",
            "90000001",
            title="T",
            abstract_text="AIM: x\n\nEND: y",
            affiliations=("First House",),
            publication_types=("Journal Article",),
            keywords=("fiction",),
            grant_list=(Grant("G-1", "HL", "Fund", "Nowhere"), Grant(acronym="NIH")),
            article_dates=(ArticleDate("Electronic", "2031", "06", "08"),),
            comments_corrections=(CommentCorrection("RetractionIn", "1.50", "90000002", "007"),),
        )
    )
    assert dumped["abstractText"] == "AIM: x\n\nEND: y"
    assert dumped["affiliations"] == ["First House"]
    assert (dumped["publicationTypes"], dumped["keywords"]) == (["Journal Article"], ["fiction"])
    assert dumped["grantList"] == [
        {"grantId": "G-1", "acronym": "HL", "agency": "Fund", "country": "Nowhere"},
        {"acronym": "NIH"},
    ]
    assert dumped["articleDates"] == [{"dateType": "Electronic", "year": "2031", "month": "06", "day": "08"}]
    assert dumped["commentsCorrections"] == [
        {"refType": "RetractionIn", "refSource": "1.50", "pmid": "90000002", "note": "007"}
    ]


def test_article__how_it_was_found_is_not_shown():
    dumped = SCHEMA.dump(Article("journal-article", "90000001", investigator_affiliations=("x",), version=2))
    assert set(dumped) == {"recordType", "pmid", "pubmedUrl", "authors"}
