"""The cached session: keys, ages, the caller's wishes, what is never kept."""

import sqlite3
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requests import Request
from support.storing import shift_stored, stored_answers

from pubmed_api.clients.session import NEGATIVE_SECONDS, USER_AGENT, build_key, key_of
from pubmed_api.exceptions import NotInCache, UpstreamRefused, UpstreamUnreachable
from pubmed_api.models.call import Call, Part, open_call

URL = "https://eutils.test/entrez/eutils/esearch.fcgi"
SEARCH = b"<eSearchResult><Count>2</Count></eSearchResult>"


def key(params, method="GET", url=URL):
    parts = {"params": params} if method == "GET" else {"data": params}
    return build_key(Request(method, url, **parts).prepare())


def test_build_key__nothing_of_who_asks():
    plain = key({"term": "x"})
    assert key({"term": "x", "api_key": "SECRETKEY123", "email": "a@b.test", "tool": "t"}) == plain
    form = key({"term": "x"}, "POST")
    assert key({"term": "x", "api_key": "SECRETKEY123"}, "POST") == form


def test_build_key__order_of_parameters_does_not_matter():
    assert key([("db", "pubmed"), ("term", "x")]) == key([("term", "x"), ("db", "pubmed")])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"term": "x"}, {"term": "y"}),
        ({"term": "x"}, {"term": "x", "sort": ""}),
        ({"id": "1,2"}, {"id": "2,1"}),
        ([("id", "1"), ("id", "2")], [("id", "2"), ("id", "1")]),
        ({"term": "a&db=b"}, {"term": "a", "db": "b"}),
        ({"term": "a b"}, {"term": "ab"}),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_build_key__different_questions_differ(one, other, method):
    assert key(one, method) != key(other, method)


def test_build_key__method_host_and_path_count():
    others = [
        key({"term": "x"}, "POST"),
        key({"term": "x"}, url=URL + "x"),
        key({"term": "x"}, url="http://eutils.test/"),
    ]
    assert key({"term": "x"}) not in others


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(st.dictionaries(WORDS.filter(bool), WORDS, max_size=5), st.sampled_from(["GET", "POST"]))
def test_key_of__is_that_of_the_request_it_becomes(params, method):
    assert key_of(method, URL, params) == key(params, method)


@pytest.mark.parametrize(
    "url", ["http://EUTILS.test:80", "http://b\u00fccher.test/a b/", "https://eutils.test/x?a=1&b="]
)
def test_key_of__address_is_that_of_the_request(url):
    assert key_of("GET", url, {"term": "x"}) == key({"term": "x"}, url=url)


@pytest.fixture
def file(settings):
    return settings.data_dir / "cache-sandbox.sqlite"


@pytest.fixture
def ask(eutils):
    return lambda term="asthma", **more: eutils.esearch(term=term, retmax=20, **more)


def test_fetch__equal_requests_ask_once(ask, upstream, time_, call):
    assert {ask() for _ in range(100)} == {upstream.answers[0]}
    assert len(upstream.asked) == 1
    assert time_.slept == 0
    assert call.parts == [Part("miss")] + [Part("hit")] * 99
    assert call.cache_state == "miss"


def test_fetch__posts_are_kept_too(ask, upstream):
    assert ask("x" * 3000) == ask("x" * 3000)
    assert ask("y" * 3000)
    assert [asked.method for asked in upstream.asked] == ["POST", "POST"]


def test_fetch__another_key_finds_the_same_entry(build, upstream, settings):
    build().eutils.esearch(term="x", retmax=20)
    build(replace(settings, ncbi_api_key=None)).eutils.esearch(term="x", retmax=20)
    assert len(upstream.asked) == 1


def test_fetch__hit_tells_its_age(ask, call, file):
    ask()
    shift_stored(file, 100)
    ask()
    assert call.parts[1].cache == "hit"
    assert call.parts[1].age >= 100


def test_fetch__expired_entry_is_asked_anew(ask, upstream, settings, call, file):
    ask()
    shift_stored(file, settings.age_search + 1)
    ask()
    assert len(upstream.asked) == 2
    assert call.parts == [Part("miss"), Part("miss")]


def test_fetch__error_after_expiry_is_raised_and_not_kept(ask, upstream, settings, file):
    ask()
    shift_stored(file, settings.age_search + 1)
    upstream.answers = [SEARCH, (404, b"gone"), b"<eSearchResult><Count>7</Count></eSearchResult>"]
    with pytest.raises(Exception, match="404"):
        ask()
    assert b"7" in ask()


@pytest.mark.parametrize(
    "bad",
    [
        b"<eSearchResult><ERROR>Search Backend failed</ERROR></eSearchResult>",
        b"<eSearchResult><Count/></eSearchResult>",
        b"<html>busy</html>",
        b"<eSearchResult><Count>1</Count>",
        b'{"error":"API rate limit exceeded"}',
        (500, b"down"),
        (429, b""),
    ],
)
def test_fetch__fault_is_never_kept(build, upstream, settings, bad):
    eutils = build(replace(settings, ncbi_max_retries=0)).eutils
    upstream.answers = [bad, SEARCH]
    with pytest.raises(Exception, match="eutils"):
        eutils.esearch(term="x", retmax=20)
    assert eutils.esearch(term="x", retmax=20) == SEARCH


def test_fetch__no_cache_asks_anew_and_keeps_the_answer(ask, upstream):
    ask()
    upstream.answers = [SEARCH, b"<eSearchResult><Count>9</Count></eSearchResult>"]
    with open_call(Call(no_cache=True)) as anew:
        assert b"9" in ask()
    assert anew.parts == [Part("miss")]
    assert b"9" in ask()
    assert len(upstream.asked) == 2


def test_fetch__only_if_cached(ask, upstream):
    with open_call(Call(only_if_cached=True)), pytest.raises(NotInCache):
        ask()
    assert upstream.asked == []
    ask()
    with open_call(Call(only_if_cached=True)) as stored:
        assert ask()
    assert stored.cache_state == "hit"


def test_fetch__only_if_cached_does_not_take_an_expired_entry(ask, settings, upstream, file):
    ask()
    shift_stored(file, settings.age_search + 1)
    with open_call(Call(only_if_cached=True)), pytest.raises(NotInCache):
        ask()
    assert len(upstream.asked) == 1


def test_fetch__history_calls_are_neither_read_nor_kept(ask, eutils, upstream, file):
    ask(usehistory=True)
    ask(usehistory=True)
    upstream.answers = [b"<ePostResult><QueryKey>1</QueryKey><WebEnv>M</WebEnv></ePostResult>"]
    eutils.epost(ids=["99000001"])
    eutils.epost(ids=["99000001"])
    assert len(upstream.asked) == 4
    assert stored_answers(file) == []
    with open_call(Call(only_if_cached=True)), pytest.raises(NotInCache):
        ask(usehistory=True)


def test_fetch__age_of_zero_keeps_nothing(build, upstream, settings):
    eutils = build(replace(settings, age_search=0)).eutils
    for _ in range(2):
        eutils.esearch(term="x", retmax=20)
    assert len(upstream.asked) == 2


@pytest.mark.parametrize(
    "headers", [{"ETag": '"1"'}, {"Vary": "*"}, {"Cache-Control": "no-store"}, {"Set-Cookie": "a=b"}]
)
def test_fetch__headers_of_the_upstream_do_not_steer_the_cache(ask, upstream, settings, headers, file):
    upstream.answers = [(200, SEARCH, headers)]
    ask()
    ask()
    assert len(upstream.asked) == 1
    shift_stored(file, settings.age_search + 1)
    ask()
    assert not {"HTTP_IF_NONE_MATCH", "HTTP_COOKIE"} & set(upstream.asked[1].headers)


def test_fetch__our_own_cache_headers_stay_here(ask, upstream):
    with open_call(Call(no_cache=True)):
        ask()
        ask(usehistory=True)
    for asked in upstream.asked:
        assert not {"HTTP_CACHE_CONTROL", "HTTP_X_ACTUAL_NO_CACHE"} & set(asked.headers)
        assert asked.headers["HTTP_USER_AGENT"] == USER_AGENT


@pytest.mark.parametrize("state", ["folder", "garbage", "truncated", "locked"])
def test_fetch__unusable_cache_file_never_fails_a_request(build, upstream, settings, state, caplog):
    settings.data_dir.mkdir(mode=0o700)
    path = settings.data_dir / "cache-sandbox.sqlite"
    held = _spoil(path, state)
    eutils = build().eutils
    assert [eutils.esearch(term="x", retmax=20) for _ in range(2)] == [upstream.answers[0]] * 2
    assert len(upstream.asked) == 2
    assert "cache write failed" in caplog.text
    assert "SECRETKEY123" not in caplog.text
    if held:
        held.close()


def test_fetch__address_that_is_not_mounted_cannot_be_reached(eutils, upstream):
    with pytest.raises(UpstreamRefused) as raised:
        eutils._session.fetch("GET", "https://other.test/x", {"api_key": "SECRETKEY123"}, age=1)
    assert "SECRETKEY123" not in raised.value.message
    assert raised.value.__context__ is None
    assert upstream.asked == []


def test_fetch__failure_notes_no_part(ask, upstream, settings, call):
    upstream.answers = [(500, b"")]
    with pytest.raises(UpstreamUnreachable):
        ask()
    assert call.parts == []


def _spoil(path, state):
    if state == "folder":
        path.mkdir()
    elif state == "garbage":
        path.write_bytes(b"this is no database" * 100)
    elif state == "truncated":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE other (x)")
        connection.close()
        path.write_bytes(path.read_bytes()[:2000])
    else:
        held = sqlite3.connect(path, isolation_level=None)
        held.execute("BEGIN EXCLUSIVE")
        return held
    return None


NOTHING = b"<eSearchResult><Count>0</Count><IdList/></eSearchResult>"
TERM_ALONE = b"<eSearchResult><Count>1</Count><TranslationStack><Count>0</Count></TranslationStack></eSearchResult>"


@pytest.mark.parametrize(("answer", "asked"), [(NOTHING, 2), (TERM_ALONE, 1), (SEARCH, 1)])
def test_fetch__search_without_hits_is_kept_briefly(ask, upstream, file, call, answer, asked):
    upstream.answers = [answer]
    ask()
    shift_stored(file, NEGATIVE_SECONDS - 10)
    ask()
    assert call.parts[1].cache == "hit"
    shift_stored(file, 20)
    ask()
    assert len(upstream.asked) == asked


def test_fetch__search_without_hits_is_not_kept_longer_than_any(build, upstream, settings, file):
    eutils = build(replace(settings, age_search=60)).eutils
    upstream.answers = [NOTHING]
    for _ in range(2):
        eutils.esearch(term="x", retmax=20)
        shift_stored(file, 61)
    assert len(upstream.asked) == 2


def test_fetch__hit_makes_no_request_of_it(ask, eutils, monkeypatch):
    ask()
    monkeypatch.setattr(eutils._session, "_session", None)
    assert ask()
