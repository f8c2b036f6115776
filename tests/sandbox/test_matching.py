"""Terms matched against fields."""

import datetime

import pytest

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.fields import find_field
from pubmed_api.sandbox.matching import date_span, days_back, match_span, match_term


def _found(corpus: Corpus, text: str, tag: str, *, quoted: bool = False) -> str:
    """The last digits of the PMIDs found."""
    use = find_field(tag)
    assert use is not None
    return "".join(sorted(pmid[-1] for pmid in match_term(corpus, use, text, quoted=quoted)))


@pytest.mark.parametrize(
    ("text", "tag", "found"),
    [
        ("asthma", "tiab", "12"),
        ("mild asthma", "tiab", "1"),
        ("asthma mild", "tiab", ""),
        ("imagin*", "ti", "38"),
        ("imagi*", "ti", "38"),
        ("bedtime stories", "ot", "1"),
        ("beta blockers", "tiab", "2"),
        ("erfundenen", "tt", "3"),
        ("erfundenen", "ti", ""),
        ("children asthma", "ti:~1", "1"),
        ("children asthma", "ti:~0", ""),
        ("beispielhausen", "ad", "1"),
        ("FIC-000123", "gr", "1"),
        ("utopia", "gr", "1"),
        ("nowhere reading group", "cn", "4"),
        ("orcid 0000-0009-9999-0012", "auid", "1"),
        ("do not exist", "cois", "5"),
        ("imagreviews", "book", "7"),
        ("0000999010", "isbn", "7"),
        ("fiktiv", "pubn", "8"),
        ("utopia", "pl", "123456"),
        ("randomized", "tw", "1"),
        ("hasabstract", "tw", "125678"),
        ("hascommentin", "all", "1"),
        ("pmcbookchapter", "all", "7"),
        ("german", "all", "3"),
        ("PMC90000005", "all", "5"),
        ("12", "all", ""),
    ],
)
def test_match_term__words(corpus: Corpus, text: str, tag: str, found: str) -> None:
    assert _found(corpus, text, tag) == found


@pytest.mark.parametrize(
    ("text", "tag", "found"),
    [
        ("J Imag Med", "ta", "1246"),
        ("journal of imaginary medicine", "jour", "1246"),
        ("0000-0011", "issn", "123456"),
        ("F0000002", "jid", "35"),
        ("Imag Med", "ta", ""),
        ("acta*", "ta", "35"),
        ("12", "vi", "14"),
        ("3", "ip", "1"),
        ("101", "pg", "1"),
        ("101-9", "pg", ""),
        ("review", "pt", "37"),
        ("clinical trial", "pt", "1"),
        ("clinical trial", "pt:noexp", ""),
        ("german", "la", "3"),
        ("ger", "lang", "3"),
        ("English", "Language", "124578"),
        ("10.5555/jim.2020.1", "doi", "1"),
        ("10.5555/JIM.2020-1", "doi", ""),
        ("nbk99900007", "aid", "7"),
        ("e55", "lid", "5"),
        ("90000001", "uid", "1"),
        ("090000001", "pmid", "1"),
        ("drug therapy", "sh", "1"),
        ("hasabstract", "filter", "125678"),
        ("free full text", "sb", "15"),
        ("medline", "sb", "125"),
        ("humans", "filter", "15"),
        ("english", "filter", "124578"),
        ("pubmed books", "sb", "78"),
        ("all", "sb", "12345678"),
    ],
)
def test_match_term__values(corpus: Corpus, text: str, tag: str, found: str) -> None:
    assert _found(corpus, text, tag) == found


@pytest.mark.parametrize(
    ("text", "tag", "found"),
    [
        ("asthma", "mh", "12"),
        ("Asthma/drug therapy", "mh", "1"),
        ("asthma", "majr", "12"),
        ("child", "majr", ""),
        ("asthma/genetics", "majr", ""),
        ("animals", "MeSH Terms", "125"),
        ("animals", "mh:noexp", "2"),
        ("high blood pressure", "mh", "5"),
        ("hyper*", "mh", "5"),
    ],
)
def test_match_term__headings(corpus: Corpus, text: str, tag: str, found: str) -> None:
    assert _found(corpus, text, tag) == found


def test_match_term__quoted_heading_maps_to_no_other(corpus: Corpus) -> None:
    assert _found(corpus, "high blood pressure", "mh", quoted=True) == ""


@pytest.mark.parametrize(
    ("text", "tag", "found"),
    [
        ("doe", "au", "13"),
        ("doe j", "au", "13"),
        ("Doe, Jane", "au", "1"),
        ("jane a doe", "fau", "1"),
        ("doer*", "au", "2"),
        ("orsted-fiktiv", "au", "2"),
        ("Nowhere Reading Group", "au", "4"),
        ("mustermann", "1au", ""),
        ("mustermann", "lastau", "1"),
        ("example", "ed", "7"),
        ("example", "au", ""),
    ],
)
def test_match_term__names(corpus: Corpus, text: str, tag: str, found: str) -> None:
    assert _found(corpus, text, tag) == found


def test_match_term__quoted_name_is_whole(corpus: Corpus) -> None:
    assert _found(corpus, "doe j", "au", quoted=True) == "3"


@pytest.mark.parametrize(
    ("text", "tag", "found"),
    [
        ("2020", "pdat", "14"),
        ("2020/02", "dp", "1"),
        ("2020/04", "dp", "4"),
        ("2018/01/01", "dp", "3"),
        ("2022/06", "dp", ""),
        ("2022/06", "epdat", "5"),
        ("2021/05/21", "edat", "2"),
        ("2021/05/20", "crdt", "2"),
        ("2020/06", "mhda", "1"),
        ("2021", "mdat", "1"),
        ("2020", "dcom", "1"),
        ("soon", "pdat", ""),
    ],
)
def test_match_term__dates(corpus: Corpus, text: str, tag: str, found: str) -> None:
    assert _found(corpus, text, tag) == found


def test_match_span__range_counts_a_later_electronic_date(corpus: Corpus) -> None:
    use = find_field("pdat")
    assert use is not None
    assert match_span(corpus, use, ((2022, 6, 1), (2022, 6, 31)), single=False) == {"90000005"}


def test_date_span__two_dates_and_relative_ones() -> None:
    today = datetime.date.today()
    start = today - datetime.timedelta(days=10)
    assert date_span("2020", "2021/02") == ((2020, 1, 1), (2021, 2, 31))
    assert date_span("last 10 days") == ((start.year, start.month, start.day), (3000, 12, 31))
    assert date_span("2020", "soon") is None


def test_days_back__stops_at_the_first_day() -> None:
    assert days_back(10**9) == (1, 1, 1)
