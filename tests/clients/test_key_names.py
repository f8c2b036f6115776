"""Names of callers' keys: the same for a key everywhere, and telling nobody what it is."""

import os
import stat
import threading

import pytest
from support.redis_server import redis_server

from pubmed_api.clients.key_names import HostSecret, SharedSecret, name_key
from pubmed_api.clients.redis_client import Breaker, BreakingRedis

KEY = "CALLERS-OWN-KEY"


@pytest.fixture(scope="module")
def server():
    with redis_server() as running:
        yield running


@pytest.fixture
def redis(server, time_):
    client = BreakingRedis(server.url, Breaker(time_.now))
    client.flushall()
    return client


def test_name_key__depends_on_key_and_secret_and_shows_neither():
    names = {name_key(key, secret) for key in (KEY, "ANOTHER-KEY") for secret in (b"s" * 32, b"t" * 32)}
    assert len(names) == 4
    assert all(name.isalnum() and len(name) == 24 for name in names)


def test_host_secret__is_one_for_all_processes_and_its_owners_alone(tmp_path):
    path, values = tmp_path / "secret", []
    threads = [threading.Thread(target=lambda: values.append(HostSecret(path).value())) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(values)) == 1
    assert len(values[0]) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_host_secret__differs_between_hosts(tmp_path):
    assert HostSecret(tmp_path / "one").value() != HostSecret(tmp_path / "other").value()


@pytest.mark.parametrize("damage", [b"", b"short"])
def test_host_secret__damaged_file_gets_a_new_one(tmp_path, damage):
    (tmp_path / "secret").write_bytes(damage)
    secret = HostSecret(tmp_path / "secret").value()
    assert len(secret) == 32
    assert HostSecret(tmp_path / "secret").value() == secret


def test_host_secret__without_a_file_is_one_of_this_process(tmp_path, caplog):
    secret = HostSecret(tmp_path / "nowhere" / "secret")
    assert secret.value() == secret.value()
    assert "cannot be used" in caplog.text


def test_shared_secret__is_one_for_all_hosts(redis, tmp_path, clock):
    hosts = [SharedSecret(redis, "names", HostSecret(tmp_path / name), clock) for name in ("one", "other")]
    assert hosts[0].value() == hosts[1].value() == redis.get("names")


def test_shared_secret__that_redis_lost_is_put_back(redis, tmp_path, clock, time_):
    known = SharedSecret(redis, "names", HostSecret(tmp_path / "one"), clock)
    before = known.value()
    redis.flushall()
    time_.moment += 6
    assert known.value() == before
    assert SharedSecret(redis, "names", HostSecret(tmp_path / "other"), clock).value() == before


def test_shared_secret__that_another_replaced_is_taken_over(redis, tmp_path, clock, time_):
    known = SharedSecret(redis, "names", HostSecret(tmp_path / "one"), clock)
    known.value()
    theirs = os.urandom(32)
    redis.set("names", theirs)
    time_.moment += 6
    assert known.value() == theirs


def test_shared_secret__without_redis_is_the_last_one_known_or_the_hosts(tmp_path, clock, time_):
    with redis_server() as server:
        redis = BreakingRedis(server.url, Breaker(time_.now))
        known = SharedSecret(redis, "names", HostSecret(tmp_path / "one"), clock)
        before = known.value()
    time_.moment += 6
    assert known.value() == before
    host = HostSecret(tmp_path / "other")
    assert SharedSecret(redis, "names", host, clock).value() == host.value()
