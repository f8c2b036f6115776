"""Items by id: how long each kind is good for, what is kept of what there is not, and failures that cost no call."""

import subprocess
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from support.storing import integrity

from pubmed_api.clients.cache_file import CacheFile, Row
from pubmed_api.clients.items import (
    BRIEF_SECONDS,
    GRACE_SECONDS,
    NOTHING,
    TABLE,
    Item,
    ItemStore,
    Kind,
    StoredItem,
    open_items,
)

DAY = 86400
RECORDS = Kind("record", "https://eutils.test/", DAY)
RECORD = Item(b"<PubmedArticle>" + b"<Abstract>words and markup</Abstract>" * 200 + b"</PubmedArticle>")


class Dictionary:
    """A shelf in memory."""

    def __init__(self, now):
        self.rows, self.now = {}, now

    def read_many(self, keys):
        return {key: self.rows[key] for key in keys if key in self.rows}

    def write_many(self, entries):
        self.rows |= {key: Row(value, int(self.now()), expires) for key, value, expires in entries}

    def close(self):
        pass


@pytest.fixture
def now(monkeypatch):
    """The time of day, to be set by its ``moment``."""
    clock = SimpleNamespace(moment=1_900_000_000.0)
    monkeypatch.setattr("pubmed_api.clients.items.time", SimpleNamespace(time=lambda: clock.moment))
    return clock


@pytest.fixture
def shelf(now):
    return Dictionary(lambda: now.moment)


@pytest.fixture
def file(tmp_path):
    opened = CacheFile(tmp_path / "items.sqlite", 10**9, table=TABLE, grace=GRACE_SECONDS)
    yield opened
    opened.close()


def test_read__what_was_written(file):
    store = ItemStore(file)
    store.write(RECORDS, {"1": RECORD, "2": NOTHING, "3": Item(b"", lasting=False)})
    assert store.read(RECORDS, ["3", "4", "2", "1"]) == {
        "1": StoredItem(RECORD, 0, True),
        "2": StoredItem(NOTHING, 0, True),
        "3": StoredItem(Item(b"", lasting=False), 0, True),
    }


def test_read__kinds_and_origins_are_apart(file):
    store = ItemStore(file)
    store.write(RECORDS, {"1": RECORD})
    assert store.read(replace(RECORDS, name="summary"), ["1"]) == {}
    assert store.read(replace(RECORDS, origin="https://mirror.test/"), ["1"]) == {}


def test_write__newer_replaces_older(file):
    store = ItemStore(file)
    store.write(RECORDS, {"1": RECORD})
    store.write(RECORDS, {"1": NOTHING})
    assert store.read(RECORDS, ["1"])["1"].item == NOTHING


def test_write__is_packed(shelf):
    ItemStore(shelf).write(RECORDS, {"1": RECORD})
    ((_, row),) = shelf.rows.items()
    assert len(row.value) < len(RECORD.body) / 4


@pytest.mark.parametrize(("age", "fresh", "standing_in"), [(DAY, DAY - 1, DAY + GRACE_SECONDS - 1), (60, 59, 61)])
def test_read__for_the_age_of_its_kind_and_then_to_stand_in(shelf, now, age, fresh, standing_in):
    store, kind = ItemStore(shelf), replace(RECORDS, age=age)
    store.write(kind, {"1": RECORD})
    written = now.moment
    now.moment = written + fresh
    assert store.read(kind, ["1"])["1"] == StoredItem(RECORD, fresh, True)
    now.moment = written + standing_in
    assert store.read(kind, ["1"])["1"] == StoredItem(RECORD, standing_in, False)
    now.moment = written + age + GRACE_SECONDS
    assert store.read(kind, ["1"]) == {}


@pytest.mark.parametrize("item", [NOTHING, Item(b'{"status":"error"}', lasting=False)])
@pytest.mark.parametrize(("age", "brief"), [(DAY, BRIEF_SECONDS), (10, 10)])
def test_read__what_may_soon_be_otherwise_is_kept_briefly(shelf, now, item, age, brief):
    store, kind = ItemStore(shelf), replace(RECORDS, age=age)
    store.write(kind, {"1": item})
    written = now.moment
    now.moment = written + brief - 1
    assert store.read(kind, ["1"])["1"].item == item
    now.moment = written + brief
    assert store.read(kind, ["1"]) == {}


def test_store__age_of_zero_keeps_nothing(shelf):
    store = ItemStore(shelf)
    store.write(RECORDS, {"1": RECORD})
    none = replace(RECORDS, age=0)
    store.write(none, {"2": RECORD})
    assert store.read(none, ["1", "2"]) == {}
    assert len(shelf.rows) == 1


@pytest.mark.parametrize("value", [b"", b"x", b"+not packed", b"+", b"~\x00"])
def test_read__damaged_value_is_a_miss(shelf, now, value):
    store = ItemStore(shelf)
    shelf.rows[RECORDS.key("1")] = Row(value, int(now.moment), int(now.moment) + 100)
    assert store.read(RECORDS, ["1"]) == {}
    assert store.failures["read"] == 1


@pytest.mark.parametrize("obstacle", ["a folder", "no database"])
def test_store__unusable_file_is_passed_over(tmp_path, obstacle):
    path = tmp_path / "items.sqlite"
    if obstacle == "a folder":
        path.mkdir()
    else:
        path.write_bytes(b"not a database, and long enough to be seen as none" * 40)
    store = ItemStore(CacheFile(path, 10**9, table=TABLE))
    store.write(RECORDS, {"1": RECORD})
    assert store.read(RECORDS, ["1"]) == {}
    assert store.failures == {"write": 1, "read": 1}


def test_store__full_file_makes_room(tmp_path):
    file = CacheFile(tmp_path / "items.sqlite", 1_000_000, table=TABLE)
    store = ItemStore(file)
    for start in range(0, 4000, 50):
        noise = {str(n): Item(bytes((n * k) % 251 for k in range(1, 600))) for n in range(start, start + 50)}
        store.write(RECORDS, noise)
    assert (tmp_path / "items.sqlite").stat().st_size < 1_500_000
    kept = store.read(RECORDS, map(str, range(4000)))
    assert 100 < len(kept) < 4000
    assert store.failures == {}


def test_open_items__one_file_for_the_service_and_one_for_the_sandbox(settings):
    settings.data_dir.mkdir()
    open_items(settings, None, sandbox=False).write(RECORDS, {"1": RECORD})
    assert open_items(settings, None, sandbox=True).read(RECORDS, ["1"]) == {}
    assert open_items(settings, None, sandbox=False).read(RECORDS, ["1"])
    names = {path.name for path in settings.data_dir.iterdir() if path.suffix == ".sqlite"}
    assert names == {"items.sqlite", "items-sandbox.sqlite"}


_WORKER = """
import random, sys, threading, time
from pathlib import Path
from pubmed_api.clients.cache_file import CacheFile
from pubmed_api.clients.items import TABLE, Item, ItemStore, Kind

store = ItemStore(CacheFile(Path(sys.argv[1]), 3_000_000, table=TABLE))
kind = Kind("record", "https://eutils.test/", 1000)

def body(n):
    return f"<PubmedArticle>{n}</PubmedArticle>".encode() * 50

def work(seed):
    draw, stop = random.Random(seed), time.monotonic() + 3
    while time.monotonic() < stop:
        ids = [str(draw.randrange(500)) for _ in range(40)]
        store.write(kind, {one: Item(body(one)) for one in ids})
        for one, stored in store.read(kind, ids).items():
            assert stored.item.body == body(one), one

failures = []
threading.excepthook = failures.append
threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit(bool(failures))
"""


@pytest.mark.processes
def test_store__many_threads_and_processes_get_what_they_wrote(tmp_path):
    path = tmp_path / "items.sqlite"
    workers = [subprocess.Popen([sys.executable, "-c", _WORKER, str(path)]) for _ in range(3)]
    assert [worker.wait() for worker in workers] == [0] * 3
    assert integrity(path) == "ok"


def test_read__time_of_day(file):
    """With the real clock an item of this second is fresh."""
    ItemStore(file).write(RECORDS, {"1": RECORD})
    (row,) = file.read_many([RECORDS.key("1")]).values()
    assert row.expires - time.time() > DAY - 60
