import pytest

from pubmed_api.parsers.pubmed.identifiers import bare_doi, parse_doi, parse_pmcid, parse_pmid, parse_version


def id_list(**ids: str) -> str:
    inner = "".join(f'<ArticleId IdType="{id_type}">{text}</ArticleId>' for id_type, text in ids.items())
    return f"<ArticleIdList>{inner}</ArticleIdList>"


def location(text: str, id_type: str = "doi", valid: str = "Y") -> str:
    return f'<Article><ELocationID EIdType="{id_type}" ValidYN="{valid}">{text}</ELocationID></Article>'


@pytest.mark.parametrize(("text", "pmid"), [("90000001", "90000001"), ("0090000001", "90000001")])
def test_pmid__canonical(node, text, pmid):
    assert parse_pmid(node(f"<PMID>{text}</PMID>")) == pmid


def test_pmid__from_id_list_where_the_element_has_none(node):
    assert parse_pmid(None, node(id_list(pubmed="90000002"))) == "90000002"
    assert parse_pmid(node("<PMID>x</PMID>"), node(id_list(pubmed="90000002"))) == "90000002"


@pytest.mark.parametrize("text", ["", "n/a", "1e5", "-5", "９０"])
def test_pmid__not_a_number(node, text):
    assert parse_pmid(node(f"<PMID>{text}</PMID>")) is None


@pytest.mark.parametrize(
    ("attributes", "version"),
    [(' Version="3"', 3), ("", 1), (' Version=""', 1), (' Version="x"', 1), (f' Version="{"9" * 5000}"', 1)],
)
def test_version(node, attributes, version):
    assert parse_version(node(f"<PMID{attributes}>90000001</PMID>")) == version


def test_doi__location_before_id_list(node):
    assert parse_doi(node(location("10.5555/ONE")), node(id_list(doi="10.5555/two"))) == "10.5555/ONE"


@pytest.mark.parametrize(
    "article", [location("10.5555/one", valid="N"), location("S0140", id_type="pii"), location("S0140"), "<Article/>"]
)
def test_doi__id_list_where_no_location_serves(node, article):
    assert parse_doi(node(article), node(id_list(pubmed="90000001", doi="10.5555/two"))) == "10.5555/two"


def test_doi__location_alone(node):
    assert parse_doi(node(location("10.5555/one")), None) == "10.5555/one"


def test_doi__pii_is_none(node):
    assert parse_doi(node(location("10.5555/one", id_type="pii")), node(id_list(pii="10.5555/one"))) is None


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.5555/ABC.", "10.5555/ABC"),
        ("https://doi.org/10.5555/abc", "10.5555/abc"),
        ("http://dx.doi.org/10.5555/abc", "10.5555/abc"),
        ("doi: 10.5555/abc", "10.5555/abc"),
        ("10.5555/(SICI)1<1::AID>3.0.CO;2-2", "10.5555/(SICI)1<1::AID>3.0.CO;2-2"),
        ("10.5555.12/abc", "10.5555.12/abc"),
        ("10.5555/doi:abc", "10.5555/doi:abc"),
        ("S0140-6736(10)60175-4", None),
        ("", None),
        (None, None),
    ],
)
def test_bare_doi(text, doi):
    assert bare_doi(text) == doi


@pytest.mark.parametrize(
    ("text", "pmcid"),
    [("PMC1234567", "PMC1234567"), ("PMC1234567.1", "PMC1234567"), ("pmc0012", "PMC12"), ("NIHMS1", None)],
)
def test_pmcid(node, text, pmcid):
    assert parse_pmcid(node(id_list(pmc=text))) == pmcid


def test_pmcid__absent(node):
    assert parse_pmcid(node(id_list(mid="NIHMS1"))) is None
    assert parse_pmcid(None) is None
