import pytest

from pubmed_api.models.article import Journal, PublicationDate
from pubmed_api.parsers.pubmed.journal import parse_journal


def article(journal: str = "", rest: str = "") -> str:
    return f"<Article><Journal>{journal}</Journal>{rest}</Article>"


def test_journal__all_parts(node):
    journal = parse_journal(
        node(
            article(
                '<ISSN IssnType="Print">0000-0001</ISSN><JournalIssue CitedMedium="Print"><Volume>007</Volume>'
                "<Issue>1e5</Issue><PubDate><Year>2021</Year></PubDate></JournalIssue>"
                "<Title>Tidskrift : ny raekke (Lund, Sweden)</Title><ISOAbbreviation>Tidskr.</ISOAbbreviation>",
                "<Pagination><MedlinePgn>737-8</MedlinePgn></Pagination>"
                '<ELocationID EIdType="pii" ValidYN="Y">0012</ELocationID>',
            )
        )
    )
    assert journal == Journal(
        title="Tidskrift : ny raekke (Lund, Sweden)",
        iso_abbreviation="Tidskr.",
        volume="007",
        issue="1e5",
        pages="737-8",
        issn="0000-0001",
        elocation_id="0012",
        elocation_id_type="pii",
        publication_date=PublicationDate(year="2021"),
    )


def test_journal__absent_parts_are_none(node):
    journal = parse_journal(node(article("<Title>X</Title><ISOAbbreviation/>", "<Pagination/>")))
    assert journal == Journal(title="X")


@pytest.mark.parametrize("text", ["<Article/>", article()])
def test_journal__nothing_at_all(node, text):
    assert parse_journal(node(text)) is None
    assert parse_journal(None) is None


@pytest.mark.parametrize(
    ("issn", "expected"),
    [
        ('<ISSN IssnType="Electronic">1</ISSN>', (None, "1")),
        ('<ISSN IssnType="Print">1</ISSN><ISSN IssnType="Electronic">2</ISSN>', ("1", "2")),
        ("<ISSN>1</ISSN>", ("1", None)),
        ('<ISSN IssnType="Undetermined">1</ISSN>', ("1", None)),
    ],
)
def test_journal__issn_by_type(node, issn, expected):
    journal = parse_journal(node(article(issn)))
    assert (journal.issn, journal.e_issn) == expected


@pytest.mark.parametrize(
    ("inner", "pages"),
    [
        ("<StartPage>12</StartPage><EndPage>19</EndPage><MedlinePgn>12-9</MedlinePgn>", "12-9"),
        ("<StartPage>12</StartPage><EndPage>19</EndPage>", "12-19"),
        ("<StartPage>e12</StartPage>", "e12"),
        ("<StartPage>12</StartPage><MedlinePgn/>", "12"),
        ("<MedlinePgn>48-55, 4002.e26</MedlinePgn>", "48-55, 4002.e26"),
        ("<MedlinePgn/>", None),
    ],
)
def test_journal__pages(node, inner, pages):
    journal = parse_journal(node(article("<Title>X</Title>", f"<Pagination>{inner}</Pagination>")))
    assert journal.pages == pages


def elocation(text: str, id_type: str = "pii", valid: str | None = "Y") -> str:
    mark = f' ValidYN="{valid}"' if valid else ""
    return f'<ELocationID EIdType="{id_type}"{mark}>{text}</ELocationID>'


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (elocation("10.5555/a", "doi") + elocation("2400512"), ("2400512", "pii")),
        (elocation("10.5555/a", "doi"), (None, None)),
        (elocation("1", valid="N"), (None, None)),
        (elocation("1", valid="N") + elocation("2"), ("2", "pii")),
        (elocation("1", valid=None) + elocation("2"), ("2", "pii")),
        (elocation("1", valid=None), ("1", "pii")),
        (elocation("1") + elocation("2"), ("1", "pii")),
        (elocation("e7", "pubmed-number"), ("e7", "pubmed-number")),
        (elocation("") + elocation("2"), ("2", "pii")),
    ],
)
def test_journal__locator(node, ids, expected):
    journal = parse_journal(node(article("<Title>X</Title>", ids)))
    assert (journal.elocation_id, journal.elocation_id_type) == expected


def test_journal__locator_beside_pages(node):
    pages = "<Pagination><MedlinePgn>e7</MedlinePgn></Pagination>"
    journal = parse_journal(node(article("", pages + elocation("e7"))))
    assert (journal.pages, journal.elocation_id) == ("e7", "e7")
