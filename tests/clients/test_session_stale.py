"""Stored answers past their age stand in where the upstream fails, and nowhere else."""

from dataclasses import replace

import pytest
from support.storing import shift_stored, stored_answers

from pubmed_api.clients.cache import STALE_SECONDS
from pubmed_api.exceptions import (
    NotInCache,
    RequestCancelled,
    UpstreamError,
    UpstreamRefused,
    UpstreamUnreachable,
)
from pubmed_api.models.call import Call, Part, open_call

OLD = b"<eSearchResult><Count>1</Count><IdList><Id>99000001</Id></IdList></eSearchResult>"
NEW = b"<eSearchResult><Count>2</Count></eSearchResult>"


@pytest.fixture
def file(settings):
    return settings.data_dir / "cache-sandbox.sqlite"


@pytest.fixture
def ask(build, upstream, settings, file):
    """A search whose stored answer is 100 s past its age."""
    eutils = build(replace(settings, ncbi_max_retries=0)).eutils
    upstream.answers = [OLD]
    eutils.esearch(term="x", retmax=20)
    shift_stored(file, settings.age_search + 100)
    upstream.asked.clear()
    return lambda: eutils.esearch(term="x", retmax=20)


OUTAGES = [
    (500, b"down"),
    (503, b""),
    (504, b""),
    (429, b""),
    (429, b"", {"Retry-After": "600"}),
    (200, b'{"error":"API rate limit exceeded"}'),
    (200, b"<html>busy</html>"),
    (200, b"<eSearchResult><ERROR>Search Backend failed</ERROR></eSearchResult>"),
    (200, b"<eSearchResult><Count>1</Count>"),
]


@pytest.mark.parametrize("fault", OUTAGES, ids=range(len(OUTAGES)))
def test_fetch__outage_is_answered_by_what_is_stored(ask, upstream, settings, call, fault, caplog):
    upstream.answers = [fault]
    assert ask() == OLD
    assert [part.cache for part in call.parts] == ["stale"]
    assert settings.age_search + 100 <= call.parts[0].age <= settings.age_search + 110
    assert call.cache_state == "stale"
    assert "stands in" in caplog.text
    assert "SECRETKEY123" not in caplog.text


def test_fetch__deadline_is_answered_by_what_is_stored(ask, time_, upstream):
    with open_call(Call(deadlines={"ncbi": time_.now() - 1})) as late:
        assert ask() == OLD
    assert late.cache_state == "stale"
    assert upstream.asked == []


def test_fetch__full_queue_is_answered_by_what_is_stored(ask, time_, upstream, build, settings):
    other = build(replace(settings, ncbi_requests_per_second=0.1)).eutils
    other.esearch(term="y", retmax=20)
    with open_call(Call(deadlines={"ncbi": time_.now() + 0.5})) as hurried:
        assert other.esearch(term="x", retmax=20) == OLD
    assert hurried.cache_state == "stale"


def test_fetch__answer_that_cannot_be_read_is_an_outage_too(ask, upstream, file, call):
    before = stored_answers(file)
    upstream.answers = [(200, b"<eSearchResult><Count>1</oops>")]
    assert ask() == OLD
    assert call.cache_state == "stale"
    assert stored_answers(file) == before


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ((400, b"<ERROR>bad</ERROR>"), UpstreamRefused),
        ((404, b""), UpstreamError),
    ],
)
def test_fetch__answer_that_says_no_is_an_error(ask, upstream, call, fault, error):
    upstream.answers = [fault]
    with pytest.raises(error):
        ask()
    assert call.parts == []


def test_fetch__caller_who_has_gone_gets_nothing(ask):
    with open_call(Call(cancelled=lambda: True)), pytest.raises(RequestCancelled):
        ask()


def test_fetch__caller_who_wants_it_new_gets_the_error(ask, upstream):
    upstream.answers = [(500, b"")]
    with open_call(Call(no_cache=True)) as anew, pytest.raises(UpstreamUnreachable):
        ask()
    assert anew.parts == []


def test_fetch__stored_answers_alone_may_not_be_stale(ask):
    with open_call(Call(only_if_cached=True)), pytest.raises(NotInCache):
        ask()


def test_fetch__after_the_grace_it_is_an_error(ask, upstream, file):
    upstream.answers = [(500, b"")]
    shift_stored(file, STALE_SECONDS - 200)
    assert ask() == OLD
    shift_stored(file, 200)
    with pytest.raises(UpstreamUnreachable):
        ask()


def test_fetch__outage_leaves_the_stored_answer_and_its_end_replaces_it(ask, upstream, file, call):
    upstream.answers = [(500, b""), (500, b""), NEW]
    before = stored_answers(file)
    assert [ask(), ask()] == [OLD, OLD]
    assert stored_answers(file) == before
    assert [ask(), ask()] == [NEW, NEW]
    assert [part.cache for part in call.parts] == ["stale", "stale", "miss", "hit"]


def test_fetch__without_a_stored_answer_the_error_is_as_it_was(build, upstream, call):
    upstream.answers = [(500, b"")]
    with pytest.raises(UpstreamUnreachable, match="failed after"):
        build().eutils.esearch(term="y", retmax=20)
    assert call.parts == []


def test_fetch__fresh_answer_of_another_is_no_stale_one(ask, upstream, file, settings, call):
    def fail_while_another_is_answered(_):
        shift_stored(file, -settings.age_search)
        return 500, b""

    upstream.answers = [fail_while_another_is_answered]
    assert ask() == OLD
    assert call.parts == [Part("hit", 100)]
