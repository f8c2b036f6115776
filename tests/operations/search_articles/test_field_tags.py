"""Tags that PubMed drops without a word, and text in brackets that is no tag."""

import pytest

from pubmed_api.operations.search_articles.field_tags import IgnoredTag, find_ignored_tags


@pytest.mark.parametrize(
    ("query", "tag", "why"),
    [
        ("asthma[tiabb]", "tiabb", "unknown"),
        ("asthma [foo]", "foo", "unknown"),
        ("asthma[Titel] AND copd[tiab]", "Titel", "unknown"),
        ("(asthma[tiabb])", "tiabb", "unknown"),
        ('"lung cancer"[foo]', "foo", "unknown"),
        ("asthma[tiabb]OR copd", "tiabb", "unknown"),
        ("2020[pdta]:2021[pdat]", "pdta", "unknown"),
        ("asthma[ti][foo]", "foo", "unknown"),
        ("(asthma OR copd)[tiabb]", "tiabb", "unknown"),
        ("asthma[mh:~3]", "mh:~3", "modifier"),
        ("asthma[tiab:noexp]", "tiab:noexp", "modifier"),
        ("(asthma OR copd)[tiab]", "tiab", "group"),
        ("(asthma or copd) [tiab]", "tiab", "group"),
        ("x AND ((a OR b) AND c)[ti]", "ti", "group"),
        ("((a AND b))[ti]", "ti", "group"),
        ("steroids (asthma OR copd)[tiab]", "tiab", "group"),
    ],
)
def test_find_ignored_tags__found(query, tag, why):
    assert find_ignored_tags(query) == (IgnoredTag(tag, why),)


@pytest.mark.parametrize(
    "query",
    [
        *('"[18F]FDG"[tiab]', "benzo[a]pyrene", "Front Endocrinol (Lausanne)[JO]", "2020[pdat]:2021[pdat]"),
        *("asthma[MeSH Terms:noexp]", "asthma[mh:noexp]", "asthma[majr:noexp]", '"asthma attack"[tiab:~2]'),
        *('"asthma"[tiab:~2]', "[18F]", "[18F]FDG", "PET [18F]FDG", "[18F]-FDG", "asthma AND [foo]", "(asthma)[tiab]"),
        *("dibenz[a,h]anthracene[nm]", "2-[4-(2-methylpropyl)phenyl]propanoic acid", '"asthma[tiabb]"', "“a[b]”[ti]"),
        *("systematic[sb]", "free full text[filter]", "J Food (Science and Art)[ta]", "asthma[]", "asthma [ti", "a] b"),
        *("(asthma[ti] OR copd[ti]) AND 2020:2021[dp]", "smith j [au]", "asthma[TIAB]", "x[Title / Abstract"),
    ],
)
def test_find_ignored_tags__clean(query):
    assert find_ignored_tags(query) == ()


def test_find_ignored_tags__each_once_in_order():
    tags = find_ignored_tags("a[foo] AND b[bar] OR c[foo] OR (d OR e)[ti]")
    assert [tag.tag for tag in tags] == ["foo", "bar", "ti"]


def test_find_ignored_tags__deep_nesting_takes_no_longer_per_character():
    depth = 20_000
    query = "(" * depth + "a OR b" + ")[ti]" * depth + ")[ti]" * depth
    assert find_ignored_tags(query) == (IgnoredTag("ti", "group"),)
