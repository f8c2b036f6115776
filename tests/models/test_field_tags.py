"""PubMed's field tags in every spelling, and what is none."""

import pytest

from pubmed_api.models.field_tags import find_tag_fault, is_field_tag, suggest_tag


@pytest.mark.parametrize(
    "tag",
    [
        *("ad", "all", "aid", "au", "auid", "book", "dcom", "cois", "cn", "crdt", "rn", "ed", "edat", "filter"),
        *("sb", "1au", "fau", "fir", "gr", "ir", "isbn", "ip", "ta", "jo", "la", "lastau", "lid", "mhda", "majr"),
        *("sh", "mh", "lr", "jid", "ot", "pg", "ps", "pa", "pl", "pmid", "dp", "pdat", "mdat", "pt", "pubn", "si"),
        *("nm", "tw", "ti", "tiab", "tt", "vi", "epdat", "ppdat", "doi", "uid", "pmc", "pmcid", "issn"),
        *("AFFL", "MESH", "TITL", "JOUR", "PTYP", "WORD", "FILT", "AUTH", "OTRM", "COLN", "GRNT", "LAUT"),
        *("All Fields", "MeSH Terms", "MeSH Major Topic", "Title/Abstract", "Publication Type", "text word"),
        *("Date - Publication", "Author - Last", "Text Words", "Supplementary Concept", "Mesh", "Majr"),
        *("mesh  terms", " tiab ", "Grants and Funding", "Conflict of Interest Statements"),
    ],
)
def test_find_tag_fault__known_tag(tag):
    assert find_tag_fault(tag) is None
    assert is_field_tag(tag)


@pytest.mark.parametrize(
    "tag",
    [
        *("tiab:~2", "ti:~0", "Title:~3", "Title/Abstract:~10", "ad:~5", "Affiliation: ~ 5"),
        *("MeSH Terms:noexp", "mh:noexp", "majr:noexp", "Mesh:NoExp", "pt:noexp", "sh:noexp"),
        "Journal:__jid7505876",
    ],
)
def test_find_tag_fault__modifier_that_the_field_takes(tag):
    assert find_tag_fault(tag) is None


@pytest.mark.parametrize("tag", ["mh:~3", "au:~2", "tiab:noexp", "tiab:2", "tiab:", "ta:noexp", "ti:__jid1"])
def test_find_tag_fault__modifier_that_the_field_does_not_take(tag):
    assert find_tag_fault(tag) == "modifier"
    assert is_field_tag(tag)


@pytest.mark.parametrize("tag", ["tiabb", "foo", "Titel", "18F", "a", "NoSuchField", "ti tle", "", "tiabb:~2"])
def test_find_tag_fault__unknown_tag(tag):
    assert find_tag_fault(tag) == "unknown"
    assert not is_field_tag(tag)


@pytest.mark.parametrize(
    ("tag", "near"),
    [("tiabb", "tiab"), ("Titel", "title"), ("mesh term", "mesh terms"), ("foo", None), ("18F", None)],
)
def test_suggest_tag(tag, near):
    assert suggest_tag(tag) == near
