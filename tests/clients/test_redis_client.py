"""A Redis that is away costs little, and nothing of its failure tells where it is."""

import socket

import pytest
import redis
from support.redis_server import redis_server

from pubmed_api.clients.redis_client import Breaker, BreakingRedis, RedisAway


@pytest.fixture(scope="module")
def server():
    with redis_server() as running:
        yield running


@pytest.fixture
def silent():
    """The address of a Redis that takes connections and says nothing; ``silent.accept()`` takes one."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def url_of(listener, options=""):
    return f"redis://:SECRETPASSWORD@127.0.0.1:{listener.getsockname()[1]}/0{options}"


def fail():
    raise redis.ConnectionError("gone")


@pytest.mark.parametrize("options", ["", "?socket_timeout=30&socket_connect_timeout=30&retry_on_timeout=yes"])
def test_limits__are_short_whatever_the_address_says(silent, options):
    """Connecting and one answer together stay under 0.3 s, and nothing is tried twice."""
    client = BreakingRedis(url_of(silent, options))
    connection = client.connection_pool.make_connection()
    assert connection.socket_connect_timeout + connection.socket_timeout < 0.3
    assert connection.retry.get_retries() == 0
    assert not connection.retry_on_timeout


def test_command__to_a_silent_redis_fails_in_time(silent):
    with pytest.raises(redis.TimeoutError):
        BreakingRedis(url_of(silent)).get("x")


def test_command__after_a_failure_is_not_sent(time_):
    breaker, uses = Breaker(time_.now), []
    with pytest.raises(redis.ConnectionError, match="gone"):
        breaker.run(fail)
    for _ in range(3):
        with pytest.raises(RedisAway):
            breaker.run(lambda: uses.append(1))
    assert uses == []
    time_.moment += 5.1
    breaker.run(lambda: uses.append(1))
    breaker.run(lambda: uses.append(1))
    assert uses == [1, 1]


def test_command__after_the_pause_one_tries_for_all(time_):
    breaker, tried = Breaker(time_.now), []
    with pytest.raises(redis.ConnectionError):
        breaker.run(fail)
    time_.moment += 5.1

    def try_for_all():
        with pytest.raises(RedisAway):
            breaker.run(lambda: tried.append("another"))
        fail()

    with pytest.raises(redis.ConnectionError, match="gone"):
        breaker.run(try_for_all)
    with pytest.raises(RedisAway):
        breaker.run(lambda: tried.append("later"))
    assert tried == []


def test_command__that_redis_refuses_is_no_sign_of_its_absence(server):
    client = BreakingRedis(server.url)
    client.set("text", "x")
    with pytest.raises(redis.ResponseError):
        client.incr("text")
    assert client.get("text") == b"x"


def test_pipeline__goes_through_the_breaker(server, silent):
    with BreakingRedis(server.url).pipeline(transaction=False) as pipeline:
        assert pipeline.set("a", "1").get("a").execute() == [True, b"1"]
    client = BreakingRedis(url_of(silent))
    with pytest.raises(redis.TimeoutError):
        client.ping()
    with pytest.raises(RedisAway):
        client.pipeline().get("a").execute()


def test_script__goes_through_the_breaker(server):
    client = BreakingRedis(server.url)
    assert client.register_script("return ARGV[1]")(args=["x"]) == b"x"


def test_log__tells_once_and_names_no_address(silent, caplog):
    client = BreakingRedis(url_of(silent))
    for _ in range(3):
        with pytest.raises(redis.RedisError):
            client.get("x")
    assert caplog.text.count("Redis is away") == 1
    assert "SECRETPASSWORD" not in caplog.text
    assert "127.0.0.1" not in caplog.text


def test_restarted_redis__is_used_again(server, time_, caplog):
    client = BreakingRedis(server.url, Breaker(time_.now))
    client.set("a", "1")
    server.stop()
    with pytest.raises(redis.RedisError):
        client.get("a")
    server.start()
    with pytest.raises(RedisAway):
        client.get("a")
    time_.moment += 5.1
    assert client.get("a") is None
    assert "Redis is back" in caplog.text
