"""Flights over several hosts: the rules of flights in files, and what a Redis that goes away does to them."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest
from support.crowd import Crowd
from support.redis_server import redis_server

from pubmed_api.clients import build_clients
from pubmed_api.clients.coalescing import FlightFiles
from pubmed_api.clients.coalescing_redis import RedisFlights
from pubmed_api.clients.redis_link import open_redis
from pubmed_api.exceptions import RequestCancelled

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def server():
    with redis_server() as running:
        yield running


@pytest.fixture
def host(settings, tmp_path):
    """``host(server, name)``: where the calls of one more host meet."""

    def host(server, name="one"):
        return RedisFlights(open_redis(replace(settings, redis_url=server.url)), "test:", FlightFiles(tmp_path / name))

    return host


@pytest.fixture
def redis(server, settings):
    client = open_redis(replace(settings, redis_url=server.url))
    client.flushall()
    return client


@pytest.fixture
def flights(host, server, redis):
    return host(server)


def test_join__all_equal_calls_share_one_flight(flights, redis):
    brought = Crowd(flights, 20).land()
    assert brought.count(None) == 1
    assert brought.count(b"answer") == 19
    assert redis.get("test:key") is None


def test_join__over_hosts(flights, host, server):
    with flights.join("key", time.sleep) as flight:
        elsewhere = Crowd(host(server, "other"), 3).wait_for(3)
        flight.leave_answer(b"\x00answer\xff")
    assert elsewhere.join() == [b"\x00answer\xff"] * 3


def test_join__the_next_call_flies_again_and_different_keys_do_not_meet(flights):
    for _ in range(2):
        with flights.join("one", time.sleep) as one, flights.join("other", time.sleep) as other:
            assert one.leads
            assert other.leads
            one.leave_answer(b"answer")


def test_join__leader_that_raises_leaves_nothing(flights):
    leading = flights.join("key", time.sleep)
    leading.__enter__()
    crowd = Crowd(flights, 3).wait_for(3)
    assert not leading.__exit__(RequestCancelled, RequestCancelled("gone"), None)
    assert crowd.join() == [None] * 3


def test_join__pause_ends_the_wait(flights):
    def pause(_):
        raise RequestCancelled("gone")

    with flights.join("key", time.sleep) as flight:
        with pytest.raises(RequestCancelled), flights.join("key", pause):
            pytest.fail("there is a leader")
        assert flight.leads


def test_join__long_flight_stays_up(flights, redis):
    with flights.join("key", time.sleep) as flight:
        crowd = Crowd(flights, 2).wait_for(2)
        time.sleep(3.5)
        assert redis.get("test:key") is not None
        flight.leave_answer(b"late")
    assert crowd.join() == [b"late"] * 2


def test_join__landing_spares_the_flight_of_another(flights, redis):
    with flights.join("key", time.sleep) as flight:
        flight.leave_answer(b"answer")
        redis.set("test:key", "another")
    assert redis.get("test:key") == b"another"


def test_join__outcome_does_not_stay(flights, redis):
    with flights.join("key", time.sleep) as flight:
        flight.leave_answer(b"answer")
    (outcome,) = redis.keys("test:outcome:*")
    assert 0 < redis.pttl(outcome) <= 10_000


_LEADER = """
import sys, time
from pathlib import Path
from pubmed_api.clients import build_clients
from pubmed_api.clients.coalescing import FlightFiles
from pubmed_api.clients.coalescing_redis import RedisFlights
from pubmed_api.clients.redis_link import open_redis
from pubmed_api.settings import Settings
redis = open_redis(Settings(redis_url=sys.argv[1]))
with RedisFlights(redis, "test:", FlightFiles(Path(sys.argv[2]))).join("key", time.sleep) as flight:
    print(flight.leads, flush=True)
    time.sleep(60)
"""


def test_join__leader_killed_is_followed_by_the_next(flights, server, tmp_path):
    command = [sys.executable, "-c", _LEADER, server.url, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as leader:
        assert leader.stdout.readline() == b"True\n"
        crowd = Crowd(flights, 3).wait_for(3)
        os.kill(leader.pid, signal.SIGKILL)
    # They learn that it is over without an outcome; in the session one of them leads then.
    crowd.let_land.set()
    assert crowd.join() == [None] * 3


def test_join__redis_away_leaves_the_calls_of_a_host_together(host):
    with redis_server() as short_lived:
        flights = host(short_lived)
    brought = Crowd(flights, 10).land()
    assert brought.count(None) == 1
    assert brought.count(b"answer") == 9


def test_join__redis_gone_meanwhile_hangs_nobody(host):
    with redis_server() as short_lived:
        flights = host(short_lived)
        leading = flights.join("key", time.sleep)
        flight = leading.__enter__()
        crowd = Crowd(flights, 3).wait_for(3)
    flight.leave_answer(b"answer")
    leading.__exit__(None, None, None)
    crowd.let_land.set()
    # Those who waited in Redis meet on their host again; whoever leads there asks anew.
    assert crowd.join().count(None) >= 1
    assert len(crowd.brought) == 3


def test_fetch__equal_calls_of_two_hosts_ask_once(settings, server, redis, tmp_path):
    asked, answers = [], []

    def upstream(environ, start_response):
        asked.append(environ["PATH_INFO"])
        time.sleep(0.5)
        start_response("200 OK", [("Content-Type", "text/xml")])
        return [b"<eSearchResult><Count>7</Count></eSearchResult>"]

    def ask(eutils):
        answers.append(eutils.esearch(term="x", retmax=20))

    hosts = [replace(settings, data_dir=tmp_path / name, redis_url=server.url) for name in ("one", "other")]
    clients = [build_clients(host, upstream).eutils for host in hosts]
    threads = [threading.Thread(target=ask, args=(eutils,)) for eutils in clients * 5]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert answers == [b"<eSearchResult><Count>7</Count></eSearchResult>"] * 10
    assert len(asked) == 1
