"""The store in Redis: the same as a file, for several hosts, and failing openly while Redis is away."""

import time
from dataclasses import replace

import pytest
from support.redis_server import redis_server

from pubmed_api.clients import build_clients
from pubmed_api.clients.cache import STALE_SECONDS, AnswerCache
from pubmed_api.clients.cache_file import Contents
from pubmed_api.clients.cache_redis import RedisStore
from pubmed_api.clients.redis_link import open_redis
from pubmed_api.exceptions import NotInCache
from pubmed_api.models.call import Call, open_call

LATER = int(time.time()) + 1000

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def server():
    with redis_server() as running:
        yield running


@pytest.fixture
def redis(server, settings):
    client = open_redis(replace(settings, redis_url=server.url))
    client.flushall()
    return client


@pytest.fixture
def store(redis):
    return RedisStore(redis, "test:", grace=1000)


def test_read__what_was_written(store):
    store.write("key", b"\x00value\xff", LATER)
    store.write("key", b"newer", LATER)
    assert store.read("key") == b"newer"
    assert store.read("other") is None


def test_read_many__what_there_is_with_its_times(store):
    assert store.read_many([]) == {}
    before = int(time.time())
    store.write_many([("a", b"1", LATER), ("b", b"", LATER + 1)])
    rows = store.read_many(["b", "missing", "a"])
    assert [(key, row.value, row.expires) for key, row in rows.items()] == [("b", b"", LATER + 1), ("a", b"1", LATER)]
    assert before <= rows["a"].stored <= time.time()


def test_write__redis_drops_it_when_its_grace_is_over(store, redis):
    now = int(time.time())
    store.write_many([("fresh", b"1", now + 50), ("expired", b"1", now - 990), ("over", b"1", now - 1001)])
    assert 1040 <= redis.ttl("test:fresh") <= 1050
    assert 1 <= redis.ttl("test:expired") <= 10
    assert store.read("over") is None
    assert store.prune() == 0


def test_contents__counts_its_own_entries(store, redis):
    assert store.contents() == Contents(0, 0, None, 0)
    store.write_many([(str(number), b"12345", LATER) for number in range(1100)])
    store.write("expired", b"1", int(time.time()) - 5)
    RedisStore(redis, "other:").write("key", b"value", LATER)
    contents = store.contents()
    assert (contents.entries, contents.bytes, contents.expired) == (1101, 5501, 1)
    assert abs(contents.oldest - time.time()) < 60


def test_clear__leaves_what_is_not_its_own(store, redis):
    store.write_many([(str(number), b"1", LATER) for number in range(1100)])
    other = RedisStore(redis, "other:")
    other.write("key", b"value", LATER)
    assert store.clear() == 1100
    assert store.contents().entries == 0
    assert other.read("key") == b"value"


@pytest.mark.parametrize("value", [b"", b"short", b"x" * 100])
def test_read__what_others_have_written_is_no_answer(store, redis, value):
    redis.set("test:key", value)
    cache = AnswerCache(store)
    assert cache.find("key") is None
    assert cache.failures["read"] == 1


def test_store__redis_away_raises_without_its_address(settings):
    with redis_server() as short_lived:
        address = short_lived.url.replace("redis://", "redis://:password@")
        store = RedisStore(open_redis(replace(settings, redis_url=address)), "test:")
    for use in (
        lambda: store.read("key"),
        lambda: store.write("key", b"", LATER),
        store.contents,
        store.clear,
    ):
        with pytest.raises(ConnectionError) as raised:
            use()
        assert "password" not in str(raised.value)
        assert raised.value.__suppress_context__


@pytest.fixture
def fleet(settings, server, redis, upstream, tmp_path):
    """``fleet(name)``: the clients of one more host."""

    def fleet(name, **more):
        chosen = replace(settings, data_dir=tmp_path / name, redis_url=server.url, **more)
        return build_clients(chosen, upstream).eutils

    return fleet


def test_fetch__another_host_finds_the_answer(fleet, upstream):
    answers = [fleet(name).esearch(term="x", retmax=20) for name in ("one", "other")]
    assert answers == [upstream.answers[0]] * 2
    assert len(upstream.asked) == 1


def test_fetch__expired_answer_stands_in(fleet, upstream, redis):
    eutils = fleet("one", age_search=1, ncbi_max_retries=0)
    eutils.esearch(term="x", retmax=20)
    (key,) = redis.keys("pubmed-api-sandbox:answers:*")
    assert STALE_SECONDS - 10 < redis.ttl(key) <= STALE_SECONDS + 1
    time.sleep(1.1)
    upstream.answers = [(500, b"")]
    with open_call(Call()) as call:
        assert eutils.esearch(term="x", retmax=20)
    assert call.cache_state == "stale"


def test_fetch__keys_and_values_hold_no_secret(fleet, redis, settings):
    fleet("one").esearch(term="x", retmax=20)
    for key in redis.keys("pubmed-api-sandbox:answers:*"):
        assert settings.ncbi_api_key.encode() not in key + redis.get(key)
        assert settings.ncbi_admin_email.encode() not in key + redis.get(key)


def test_fetch__redis_away_never_fails_a_request(settings, upstream, caplog):
    with redis_server() as short_lived:
        chosen = replace(settings, redis_url=short_lived.url)
        eutils = build_clients(chosen, upstream).eutils
        eutils.esearch(term="x", retmax=20)
    assert eutils.esearch(term="x", retmax=20) == upstream.answers[0]
    assert len(upstream.asked) == 2
    with open_call(Call(only_if_cached=True)), pytest.raises(NotInCache):
        eutils.esearch(term="x", retmax=20)
    assert short_lived.url not in caplog.text
