import pytest

from pubmed_api.models.article import Author
from pubmed_api.parsers.pubmed.authors import Affiliations, parse_authors, parse_investigators, parse_orcid


def author(inner: str, valid: str = "Y") -> str:
    return f'<Author ValidYN="{valid}">{inner}</Author>'


def affiliation(*texts: str) -> str:
    return "".join(f"<AffiliationInfo><Affiliation>{text}</Affiliation></AffiliationInfo>" for text in texts)


def article(*authors: str) -> str:
    return f"<Article><AuthorList>{''.join(authors)}</AuthorList></Article>"


@pytest.fixture
def read(node):
    """Authors and affiliations of an article."""

    def read(*authors: str) -> tuple[tuple[Author, ...], tuple[str, ...]]:
        affiliations = Affiliations()
        return parse_authors(node(article(*authors)), affiliations), affiliations.texts()

    return read


def test_authors__all_name_parts(read):
    person = "<LastName>The</LastName><ForeName>Ana María</ForeName><Initials>AM</Initials><Suffix>Sr</Suffix>"
    authors, _ = read(author(person))
    assert authors == (Author(last_name="The", first_name="Ana María", initials="AM", suffix="Sr"),)


def test_authors__one_name(read):
    authors, _ = read(author("<LastName>Okba</LastName>"), author("<ForeName>Lu</ForeName><Initials/>"))
    assert authors == (Author(last_name="Okba"), Author(first_name="Lu"))


def test_authors__group_keeps_its_place_name_and_affiliation(read):
    group = "<CollectiveName>Study <i>of</i> Things Group</CollectiveName>"
    authors, affiliations = read(
        author("<LastName>A</LastName>" + affiliation("X")),
        author(group + affiliation("Y", "X")),
        author("<LastName>B</LastName>"),
    )
    assert authors[1] == Author(collective_name="Study of Things Group", affiliation_indices=(1, 0))
    assert [person.last_name for person in authors] == ["A", None, "B"]
    assert affiliations == ("X", "Y")


def test_authors__superseded_form_left_out_with_its_affiliation(read):
    authors, affiliations = read(
        author("<LastName>Whitely</LastName>" + affiliation("Old"), valid="N"),
        author("<LastName>Whitley</LastName>" + affiliation("New")),
    )
    assert authors == (Author(last_name="Whitley", affiliation_indices=(0,)),)
    assert affiliations == ("New",)


def test_authors__nobody_named(read):
    assert read(author(""), author("<LastName/><Suffix>Jr</Suffix>")) == ((), ())


def test_authors__no_list(node):
    assert parse_authors(node("<Article/>"), Affiliations()) == ()
    assert parse_authors(None, Affiliations()) == ()


def test_authors__affiliations_once_each_in_order_of_first_use(read):
    authors, affiliations = read(
        author("<LastName>A</LastName>" + affiliation("Lab <i>one</i>", "Lab\n two", "Lab two")),
        author("<LastName>B</LastName>" + affiliation("Lab three", "Lab one", " ")),
        author("<LastName>C</LastName>"),
    )
    assert affiliations == ("Lab one", "Lab two", "Lab three")
    assert [person.affiliation_indices for person in authors] == [(0, 1), (2, 0), ()]


def test_authors__identifier_of_an_affiliation_is_no_orcid_and_no_text(read):
    info = (
        "<AffiliationInfo><Affiliation>Lab</Affiliation>"
        '<Identifier Source="ORCID">0000-0002-1825-0097</Identifier></AffiliationInfo>'
    )
    authors, affiliations = read(author("<LastName>A</LastName>" + info))
    assert authors == (Author(last_name="A", affiliation_indices=(0,)),)
    assert affiliations == ("Lab",)


def test_authors__3000(read):
    authors, affiliations = read(*(author(f"<LastName>N{n}</LastName>" + affiliation(f"Lab {n}")) for n in range(3000)))
    assert len(authors) == len(affiliations) == 3000
    assert authors[2999].affiliation_indices == (2999,)


def test_investigators__every_list_and_affiliations_behind_the_authors(node, read):
    affiliations = Affiliations()
    parse_authors(node(article(author("<LastName>A</LastName>" + affiliation("Lab")))), affiliations)
    member = '<InvestigatorList><Investigator ValidYN="Y">{}</Investigator></InvestigatorList>'
    citation = node(
        "<MedlineCitation>"
        + member.format("<LastName>M</LastName><Suffix>Jr</Suffix>" + affiliation("Site", "Lab"))
        + member.format("<LastName>N</LastName>")
        + "</MedlineCitation>"
    )
    assert parse_investigators(citation, affiliations) == (
        Author(last_name="M", suffix="Jr", affiliation_indices=(1, 0)),
        Author(last_name="N"),
    )
    assert affiliations.texts() == ("Lab", "Site")
    assert affiliations.texts(1) == ("Site",)


@pytest.mark.parametrize(
    "text",
    [
        "0000-0002-1694-233X",
        "https://orcid.org/0000-0002-1694-233X",
        "http://orcid.org/0000-0002-1694-233x/",
        "000000021694233X",
        "https://orcid.org/000000021694233x",
        "0000‐0002‐1694‐233x",
        " 0000-0002-1694-233X ",
    ],
)
def test_orcid__one_form(node, text):
    person = node(f'<Author><Identifier Source="ORCID">{text}</Identifier></Author>')
    assert parse_orcid(person) == "0000-0002-1694-233X"


@pytest.mark.parametrize("text", ["", "0000-0002-1694", "10000-0002-1694-2330", "A. Person"])
def test_orcid__what_is_none(node, text):
    assert parse_orcid(node(f'<Author><Identifier Source="ORCID">{text}</Identifier></Author>')) is None


def test_orcid__first_of_its_kind(node):
    person = node(
        '<Author><Identifier Source="ISNI">0000000121032683</Identifier>'
        '<Identifier Source="ORCID">0000-0002-1825-0097</Identifier>'
        '<Identifier Source="ORCID">0000-0002-1694-233X</Identifier></Author>'
    )
    assert parse_orcid(person) == "0000-0002-1825-0097"
