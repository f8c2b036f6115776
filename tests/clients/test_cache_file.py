"""The SQLite file: kept values, its size, and being locked, damaged or read-only."""

import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.storing import integrity

from pubmed_api.clients.cache_file import CacheFile, Contents, open_cache_file

LATER = int(time.time()) + 1000


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cache.sqlite"


@pytest.fixture
def file(path):
    opened = CacheFile(path, 10**9)
    yield opened
    opened.close()


def test_read__what_was_written(file):
    file.write("key", b"\x00value\xff", LATER)
    file.write("key", b"newer", LATER)
    assert file.read("key") == b"newer"
    assert file.read("other") is None


def test_read__from_another_connection(file, path):
    file.write("key", b"value", LATER)
    assert CacheFile(path, 10**9).read("key") == b"value"


def test_file__is_not_opened_before_it_is_used(path):
    CacheFile(path, 10**9)
    assert not path.exists()


def test_file__is_in_write_ahead_mode_and_readable_by_its_owner_alone(file, path):
    file.write("key", b"value", LATER)
    assert path.stat().st_mode & 0o777 == 0o600
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_write__locked_by_another_process_gives_up_and_reads_go_on(file, path):
    file.write("key", b"value", LATER)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError):
        file.write("other", b"value", LATER)
    assert file.read("key") == b"value"
    other.execute("ROLLBACK")
    file.write("other", b"value", LATER)
    assert file.read("other") == b"value"
    other.close()


def test_read__does_not_wait_for_a_writer(file):
    file.write("key", b"value", LATER)
    with file._writer.use():
        assert file.read("key") == b"value"


def test_use__damaged_file_raises(file, path):
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        file.read("key")


def test_use__truncated_file_raises_or_misses(file, path):
    for number in range(50):
        file.write(str(number), bytes(9000), LATER)
    file.close()
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(sqlite3.DatabaseError):
        file.read("49")


def test_use__path_that_cannot_be_opened_raises(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(sqlite3.Error):
        CacheFile(tmp_path / "folder", 10**9).read("key")
    with pytest.raises(sqlite3.Error):
        CacheFile(tmp_path / "missing" / "cache.sqlite", 10**9).write("key", b"", LATER)


def test_write__over_the_limit_drops_what_expires_first(path):
    file = CacheFile(path, 1_000_000)
    for number in range(40):
        file.write(f"key{number:02}", bytes(50_000), LATER + number)
    kept = [number for number in range(40) if file.read(f"key{number:02}")]
    assert kept == list(range(40 - len(kept), 40))
    assert 10 <= len(kept) <= 20
    connection = open_cache_file(path)
    assert connection.execute("SELECT sum(length(value)) FROM answers").fetchone()[0] <= 1_000_000
    connection.close()
    file.close()


def test_write__over_the_limit_drops_the_expired_before_the_rest(path):
    file = CacheFile(path, 1_000_000)
    file.write("fresh", bytes(50_000), LATER)
    for number in range(30):
        file.write(f"old{number}", bytes(50_000), int(time.time()) - 5)
    assert file.read("fresh")
    file.close()


def test_file__does_not_grow_without_bound(path):
    file = CacheFile(path, 1_000_000)
    for number in range(200):
        file.write(f"key{number}", bytes(50_000), LATER + number)
    file.close()
    assert path.stat().st_size < 2_000_000


def test_read_many__what_there_is_with_its_times(file):
    assert file.read_many([]) == {}
    before = int(time.time())
    file.write_many([(str(number), bytes([number % 256]), LATER + number) for number in range(1200)])
    rows = file.read_many([str(number) for number in range(100, 1300)])
    assert set(rows) == {str(number) for number in range(100, 1200)}
    assert rows["300"].value == bytes([300 % 256])
    assert rows["300"].expires == LATER + 300
    assert before <= rows["300"].stored <= time.time()


def test_write_many__all_or_nothing(file):
    with pytest.raises(sqlite3.Error):
        file.write_many([("good", b"value", LATER), ("bad", None, LATER)])
    assert file.read("good") is None
    file.write("good", b"value", LATER)
    assert file.read("good") == b"value"


def test_tables__of_one_file_are_apart(path, file):
    other = CacheFile(path, 10**9, table="others")
    file.write("key", b"value", LATER)
    other.write("key", b"other", LATER)
    assert file.read("key") == b"value"
    other.clear()
    assert file.read("key") == b"value"
    other.close()


def test_table__of_an_older_form_is_made_anew(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE answers (key TEXT PRIMARY KEY, expires INTEGER NOT NULL, value BLOB NOT NULL)")
        connection.execute("INSERT INTO answers VALUES ('key', 1, 'value')")
    connection.close()
    file = CacheFile(path, 10**9)
    assert file.read("key") is None
    file.write("key", b"value", LATER)
    assert file.read("key") == b"value"
    file.close()


@pytest.fixture
def graced(path):
    """A file whose entries outlive their expiry by 1000 s; one that is expired and one whose grace is over."""
    file, now = CacheFile(path, 1_000_000, grace=1000), int(time.time())
    file.write("fresh", b"x" * 100, LATER + 1)
    file.write_many([("expired", b"x" * 200, now - 900), ("over", b"x" * 300, now - 1001)])
    yield file
    file.close()


def test_prune__what_is_past_its_grace(graced):
    assert graced.read("over")
    assert graced.prune() == 1
    assert graced.read("over") is None
    assert graced.read("expired")
    assert graced.read("fresh")
    assert graced.prune() == 0


def test_prune__many_in_steps(graced):
    graced.write_many([(str(number), b"x", 1000) for number in range(1300)])
    assert graced.prune() == 1301
    assert graced.contents().entries == 2


def test_write__prunes_once_in_a_while(graced, monkeypatch):
    graced.write("next", b"x", LATER)
    assert graced.read("over")
    graced._prune_at = time.monotonic()
    graced.write("next", b"x", LATER)
    assert graced.read("over") is None
    assert graced.read("expired")


def test_write__over_the_limit_drops_the_expired_in_spite_of_their_grace(graced):
    for number in range(20):
        graced.write(f"key{number}", bytes(50_000), LATER)
    assert graced.read("expired") is None
    assert graced.read("fresh")


def test_contents__counts_what_there_is(graced, path):
    before = int(time.time())
    assert CacheFile(path, 1, table="others").contents() == Contents(0, 0, None, 0)
    contents = graced.contents()
    assert (contents.entries, contents.bytes, contents.expired) == (3, 600, 2)
    assert before - 5 <= contents.oldest <= time.time()


def test_clear__gives_the_room_back(file, path):
    file.write_many([(str(number), bytes(50_000), LATER) for number in range(40)])
    assert file.clear() == 40
    assert file.contents().entries == 0
    assert path.stat().st_size < 50_000
    assert path.with_name(path.name + "-wal").stat().st_size == 0


def test_patience__is_how_long_a_lock_is_waited_for(file, path):
    file.write("key", b"value", LATER)
    patient = CacheFile(path, 10**9, patience=10)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.6, lambda: other.execute("ROLLBACK")).start()
    with pytest.raises(sqlite3.OperationalError):
        file.write("key", b"new", LATER)
    patient.write("key", b"new", LATER)
    assert file.read("key") == b"new"
    other.close()
    patient.close()


def locks_on(path):
    """The POSIX locks of this process on the file."""
    inode = f":{path.stat().st_ino} "
    lines = Path("/proc/locks").read_text().splitlines()
    return sorted(line.split(":", 1)[1] for line in lines if inode in line and f" {os.getpid()} " in line)


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="the kernel does not list its locks here")
def test_open_cache_file__keeps_the_locks_of_an_open_connection(path):
    """POSIX drops all of a process's locks on a file when any descriptor of it is closed: corruption follows."""
    first = open_cache_file(path)
    first.execute("SELECT * FROM answers").fetchall()
    held = locks_on(path)
    assert held
    second = open_cache_file(path)
    assert set(held) <= set(locks_on(path))
    second.close()
    first.close()


_WORKER = """
import sys, sqlite3, threading, time
from pathlib import Path
from pubmed_api.clients.cache_file import CacheFile
file, unexpected = CacheFile(Path(sys.argv[1]), 3_000_000), []
def work(name):
    for number in range(25):
        key = str(number % 10)
        try:
            value = file.read(key)
            if value is not None and value != key.encode() * 20_000:
                unexpected.append("wrong value")
            file.write(key, key.encode() * 20_000, int(time.time()) + 100)
        except sqlite3.OperationalError:
            pass
        except BaseException as error:
            unexpected.append(repr(error))
threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(unexpected[:3])
sys.exit(bool(unexpected))
"""


@pytest.mark.processes
def test_file__cold_under_threads_and_processes_is_busy_at_worst(path):
    command = [sys.executable, "-c", _WORKER, str(path)]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(4)]
    outputs = [worker.communicate()[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * 4, outputs
    assert integrity(path) == "ok"


_WRITER = """
import os, sys, time
from pathlib import Path
from pubmed_api.clients.cache_file import CacheFile
file = CacheFile(Path(sys.argv[1]), 2_000_000)
for number in range(10**9):
    file.write(str(number % 50), os.urandom(50_000), int(time.time()) + 100)
    if number == 60:
        print("writing", flush=True)
"""


@pytest.mark.processes
def test_file__killed_writers_leave_it_whole_and_usable(path, file):
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout.readline() == b"writing\n"
            writer.kill()
        file.write("key", b"value", LATER)
        assert file.read("key") == b"value"
        assert integrity(path) == "ok"
