"""What an operator finds: every store there is, none made for the looking, no secret shown."""

import time
from dataclasses import replace

import pytest
from support.redis_server import redis_server

from pubmed_api.clients import build_clients, items
from pubmed_api.clients.cache import STALE_SECONDS
from pubmed_api.clients.cache_admin import stores_in_use, sweep
from pubmed_api.clients.cache_file import CacheFile
from pubmed_api.clients.coalescing import FlightFiles

NOW = int(time.time())


def found(settings):
    return [(used.name, used.path and used.path.name) for used in stores_in_use(settings)]


def test_stores_in_use__none_is_made_for_the_looking(settings):
    settings.data_dir.mkdir()
    assert found(settings) == []
    assert list(settings.data_dir.iterdir()) == []


def test_stores_in_use__those_of_service_and_sandbox(settings, build):
    build().eutils.esearch(term="x", retmax=20)
    CacheFile(settings.data_dir / "items.sqlite", 10**9, table=items.TABLE).write("key", b"value", NOW + 100)
    assert found(settings) == [("items", "items.sqlite"), ("answers", "cache-sandbox.sqlite")]
    assert [used.store.contents().entries for used in stores_in_use(settings)] == [1, 1]
    for used in stores_in_use(settings):
        assert used.disk_bytes > used.store.contents().bytes


@pytest.mark.parametrize(
    ("name", "table", "grace"),
    [("cache.sqlite", "answers", STALE_SECONDS), ("items.sqlite", items.TABLE, items.GRACE_SECONDS)],
)
def test_stores_in_use__prune_keeps_to_the_grace_of_each(settings, name, table, grace):
    settings.data_dir.mkdir()
    file = CacheFile(settings.data_dir / name, 10**9, table=table, grace=grace)
    file.write("first", b"value", NOW + 100)
    file.write_many([("stale", b"value", NOW - grace + 100), ("over", b"value", NOW - grace - 100)])
    (used,) = stores_in_use(settings)
    assert used.store.prune() == 1
    assert set(file.read_many(["first", "stale", "over"])) == {"first", "stale"}


def test_sweep__removes_what_killed_leaders_left_and_no_flight(settings):
    flights = FlightFiles(settings.data_dir / "flights")
    settings.data_dir.mkdir()
    sweep(settings)
    with flights.join("flying", time.sleep) as flight:
        (settings.data_dir / "flights" / "left").write_bytes(b"+half an ans")
        sweep(settings)
        assert [path.name for path in (settings.data_dir / "flights").iterdir()] == ["flying"]
        assert flight.leads


@pytest.mark.processes
def test_stores_in_use__those_in_redis(settings, upstream):
    with redis_server() as server:
        chosen = replace(settings, redis_url=server.url.replace("redis://", "redis://:secret@"))
        shared = replace(settings, redis_url=server.url)
        build_clients(shared, upstream).eutils.esearch(term="x", retmax=20)
        counts = {used.place: used.store.contents().entries for used in stores_in_use(shared)}
        assert counts["answers of the sandbox in Redis"] == 1
        assert counts["answers in Redis"] == 0
        assert not any("secret" in used.place for used in stores_in_use(chosen))
        assert {used.disk_bytes for used in stores_in_use(shared) if used.path is None} == {None}
        assert sum(used.store.clear() for used in stores_in_use(shared)) == 1
