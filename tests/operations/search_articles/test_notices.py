"""What a search says, sentence by sentence."""

import pytest

from pubmed_api.models.failed_id import FailedId
from pubmed_api.operations.search_articles import notices
from pubmed_api.operations.search_articles.field_tags import IgnoredTag
from pubmed_api.operations.search_articles.model import AppliedFilters, Diagnostics


def test_lone_bound__names_bound_value_and_sentinel():
    low = notices.lone_bound("minDate", "2024-01")
    assert 'minDate "2024-01"' in low
    assert 'maxDate: "3000"' in low
    high = notices.lone_bound("maxDate", "2024")
    assert 'maxDate "2024"' in high
    assert 'minDate: "1000"' in high


def test_ignored_fields__names_each_that_pubmed_reports():
    (text,) = notices.ignored_fields(Diagnostics(fields_not_found=("Titel", "jungle")), ())
    assert '"Titel", "jungle"' in text
    assert "not restricted by them" in text


def test_ignored_fields__unknown_tag_with_suggestion():
    (text,) = notices.ignored_fields(Diagnostics(), (IgnoredTag("tiabb", "unknown"), IgnoredTag("foo", "unknown")))
    assert "[tiabb] (did you mean [tiab]?), [foo]." in text


def test_ignored_fields__reported_tag_is_not_said_twice():
    said = list(notices.ignored_fields(Diagnostics(fields_not_found=("[Titel]",)), (IgnoredTag("titel", "unknown"),)))
    assert len(said) == 1


@pytest.mark.parametrize(("why", "part"), [("modifier", "no such form"), ("group", "behind each term")])
def test_ignored_fields__known_tag_in_the_wrong_place(why, part):
    (text,) = notices.ignored_fields(Diagnostics(), (IgnoredTag("mh:~3", why),))
    assert "[mh:~3]" in text
    assert part in text


def test_ignored_fields__many_are_counted():
    tags = [IgnoredTag(f"x{number}x", "unknown") for number in range(25)]
    (text,) = notices.ignored_fields(Diagnostics(), tags)
    assert "[x19x] and 5 more." in text
    assert "x20x" not in text


def test_unmatched_phrases__names_each_clause():
    found = Diagnostics(phrases_not_found=("nosuch[ti]",), quoted_phrases_not_found=('"x y"[mh]',))
    (text,) = notices.unmatched_phrases(found)
    assert '"nosuch[ti]", "x y"[mh].' in text
    assert "pubmed_spell_check" in text
    assert "pubmed_lookup_mesh" in text


def test_unmatched_phrases__none():
    assert list(notices.unmatched_phrases(Diagnostics(phrases_ignored=("the",)))) == []


def test_no_results__without_filters():
    assert "pubmed_spell_check" in notices.no_results(AppliedFilters())


@pytest.mark.parametrize(
    ("filters", "by_mesh"),
    [
        (AppliedFilters(author="Mond A"), False),
        (AppliedFilters(species="humans"), True),
        (AppliedFilters(mesh_terms=("Asthma",)), True),
    ],
)
def test_no_results__with_filters(filters, by_mesh):
    text = notices.no_results(filters)
    assert "Loosen or remove filters" in text
    assert ("no MeSH headings yet" in text) is by_mesh


def test_window_end__says_what_was_cut_and_the_way_out():
    text = notices.window_end(20000, returned=499, asked=1000)
    assert "first 9999 of these 20000 results" in text
    assert "499 of the 1000 asked for" in text
    assert "dateRange" in text
    assert "asked for" not in notices.window_end(20000, returned=499, asked=499)


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        (AppliedFilters(author="Mond A OR Flut B"), "of author holds"),
        (AppliedFilters(author="#1", language="english OR french"), "of author and language holds"),
    ],
)
def test_literal_filters(filters, names):
    (text,) = notices.literal_filters(filters)
    assert names in text


def test_literal_filters__plain_values():
    assert list(notices.literal_filters(AppliedFilters(author="O'Brien J", journal="A OR B"))) == []


@pytest.mark.parametrize(("retryable", "advice"), [(True, "Search again"), (False, "Pass the PMIDs")])
def test_failed_summaries(retryable, advice):
    (text,) = notices.failed_summaries((FailedId("90000001", "ncbi_timeout", retryable),))
    assert "ncbi_timeout" in text
    assert advice in text


def test_join():
    assert notices.join(["A.", "B."]) == "A. B."
    assert notices.join([]) is None
