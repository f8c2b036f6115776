"""Claims: what one process asks for no other asks for, until it is done or dead; and nobody waits for a broken file."""

import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest
from support.redis_server import redis_server

from pubmed_api.clients.claims import ClaimFile, Claims, open_claims
from pubmed_api.clients.claims_redis import RedisClaims
from pubmed_api.clients.redis_link import open_redis

_OTHER = """
import sys
from pathlib import Path
from pubmed_api.clients.claims import ClaimFile, Claims
with Claims([ClaimFile(Path(sys.argv[1]))]).hold(sys.argv[2:]) as claim:
    print(*sorted(claim.keys), flush=True)
    sys.stdin.readline()
"""


@contextmanager
def other_process(path, *keys):
    """Another process that holds what it can of these keys until its input ends; gives what it got."""
    command = [sys.executable, "-c", _OTHER, str(path), *keys]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.got = set(process.stdout.readline().split())
        yield process
        process.kill()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "claims.locks"


@pytest.fixture
def claims(path):
    return Claims([ClaimFile(path)])


def test_hold__what_nobody_has(claims, path):
    with claims.hold(["a", "b"]) as claim:
        assert claim.keys == {"a", "b"}
        claim.renew()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_size == 0


@pytest.mark.processes
def test_hold__what_another_process_has_is_left_to_it(claims, path):
    with other_process(path, "a", "b") as other:
        assert other.got == {"a", "b"}
        with claims.hold(["b", "c"]) as claim:
            assert claim.keys == {"c"}
        other.communicate("\n")
        with claims.hold(["b", "c"]) as claim:
            assert claim.keys == {"b", "c"}


@pytest.mark.processes
def test_hold__of_a_killed_process_is_free(claims, path):
    with other_process(path, "a") as other:
        other.kill()
        other.wait()
        with claims.hold(["a"]) as claim:
            assert claim.keys == {"a"}


@pytest.mark.processes
def test_hold__within_a_process_is_shared_and_ends_with_the_last(claims, path):
    with claims.hold(["a"]), claims.hold(["a", "b"]) as inner:
        assert inner.keys == {"a", "b"}
    with claims.hold(["a"]):
        with claims.hold(["a"]):
            pass
        with other_process(path, "a", "b") as other:
            assert other.got == {"b"}
    with other_process(path, "a") as other:
        assert other.got == {"a"}


def test_hold__is_given_back_when_the_block_fails(claims):
    with pytest.raises(KeyError), claims.hold(["a"]):
        raise KeyError
    assert not claims._held


@pytest.mark.parametrize("break_it", [lambda path: path.mkdir(), lambda path: path.symlink_to(path / "nowhere" / "x")])
def test_hold__without_a_file_everybody_asks(claims, path, break_it):
    break_it(path)
    with claims.hold(["a"]) as claim:
        assert claim.keys == {"a"}


def test_take__after_a_fork(path):
    """A child has no lock of its parent's, and must not think so."""
    ground = ClaimFile(path)
    with Claims([ground]).hold(["a"]):
        child = os.fork()
        if child == 0:
            os._exit(0 if ground.take(["a", "b"]) == {"b"} else 1)
        assert os.waitpid(child, 0)[1] == 0


class Ground:
    """A ground that has some keys for itself."""

    def __init__(self, *others):
        self.others, self.mine, self.renewed = set(others), set(), []

    def take(self, keys):
        given = set(keys) - self.others
        self.mine |= given
        return given

    def renew(self, keys):
        self.renewed.append(set(keys))

    def release(self, keys):
        self.mine -= set(keys)


def test_hold__on_several_grounds_only_what_all_give():
    host, hosts = Ground("a"), Ground("b")
    claims = Claims([host, hosts])
    with claims.hold(["a", "b", "c"]) as claim:
        assert claim.keys == {"c"}
        assert (host.mine, hosts.mine) == ({"c"}, {"c"})
    assert (host.mine, hosts.mine) == (set(), set())


def test_renew__now_and_then(monkeypatch):
    ground = Ground()
    with Claims([ground]).hold(["a"]) as claim:
        claim.renew()
        assert ground.renewed == []
        monkeypatch.setattr("pubmed_api.clients.claims.RENEW_SECONDS", 0.0)
        claim.renew()
    assert ground.renewed == [{"a"}]


def test_hold__threads_count_right():
    ground = Ground()
    claims = Claims([ground])

    def work():
        for _ in range(200):
            with claims.hold(["a", "b"]) as claim:
                assert claim.keys == {"a", "b"}

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ground.mine == set()
    assert not claims._held


@pytest.fixture(scope="module")
def server():
    with redis_server() as running:
        yield running


@pytest.mark.processes
def test_redis_claims__of_another_host_are_left_to_it(server, settings):
    redis = open_redis(replace(settings, redis_url=server.url))
    redis.flushall()
    here, there = RedisClaims(redis, "t:"), RedisClaims(redis, "t:")
    assert here.take(["a", "b"]) == {"a", "b"}
    assert there.take(["b", "c"]) == {"c"}
    here.renew(["a", "b"])
    assert 0 < redis.pttl("t:a") <= 3000
    there.release(["a", "c"])
    assert there.take(["a"]) == set()
    here.release(["a", "b"])
    assert there.take(["a", "b"]) == {"a", "b"}


@pytest.mark.processes
def test_redis_claims__of_a_dead_host_run_out(server, settings):
    redis = open_redis(replace(settings, redis_url=server.url))
    RedisClaims(redis, "d:").take(["a"])
    assert 0 < redis.pttl("d:a") <= 3000


def test_redis_claims__while_redis_is_away_everybody_asks(settings):
    settings.data_dir.mkdir()
    away = replace(settings, redis_url="redis://127.0.0.1:1/0")
    claims = open_claims(away, open_redis(away), sandbox=False)
    with claims.hold(["a"]) as claim:
        assert claim.keys == {"a"}
        claim.renew()
