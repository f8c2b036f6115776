"""The file itself: who has it, what happens when it cannot be had, and when it goes."""

import fcntl
import time

import pytest

from pubmed_api.clients.limiter import Limiter
from pubmed_api.clients.schedule_file import remove_unused

FOREVER = 1e6


@pytest.fixture
def limiter(tmp_path, clock):
    return Limiter(tmp_path / "slots", 3, clock)


@pytest.fixture
def impatient(monkeypatch):
    """Nobody waits for a lock for long."""
    monkeypatch.setattr("pubmed_api.clients.schedule_file._PATIENCE_SECONDS", 0.01)


@pytest.fixture
def held(tmp_path):
    """Hold the lock as a process would that was stopped with it; ``held()`` lets go."""
    (tmp_path / "slots").touch()
    file = (tmp_path / "slots").open()
    fcntl.flock(file, fcntl.LOCK_EX)
    yield file.close
    file.close()


def test_locked__by_a_process_that_does_not_go_on_is_done_without(impatient, held, limiter, caplog):
    moments = [limiter.reserve(FOREVER).moment for _ in range(6)]
    assert moments[3] == pytest.approx(moments[0] + 4 * 1.05)
    assert caplog.text.count("pacing in this process alone") == 1


def test_locked__on_every_change_over_nothing_starts_for_a_window(impatient, tmp_path, clock, time_):
    limiter = Limiter(tmp_path / "slots", 3, clock)
    limiter.reserve(FOREVER)
    with (tmp_path / "slots").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert limiter.reserve(FOREVER).moment == pytest.approx(time_.now() + 1.05)
    time_.moment += 100
    assert limiter.reserve(FOREVER).moment == pytest.approx(time_.now() + 1.05)


def test_locked__again_is_used_again(impatient, held, limiter, time_):
    limiter.reserve(FOREVER)
    held()
    time_.moment += 100
    limiter.reserve(FOREVER)
    time_.moment += 100
    assert [limiter.reserve(FOREVER).moment for _ in range(3)] == [time_.now()] * 3


def test_remove_unused__takes_old_files_and_the_limit_holds(limiter, tmp_path, time_):
    limiter.reserve(FOREVER)
    path = tmp_path / "slots"
    remove_unused(path, path.stat().st_mtime - 1)
    assert path.exists()
    remove_unused(path, path.stat().st_mtime + 1)
    assert not path.exists()
    remove_unused(path, time.time())
    assert limiter.reserve(FOREVER).moment == time_.now()


def test_remove_unused__leaves_a_file_that_is_locked(limiter, tmp_path):
    limiter.reserve(FOREVER)
    path = tmp_path / "slots"
    with path.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        remove_unused(path, path.stat().st_mtime + 1)
    assert path.exists()


def test_reserve__file_that_is_removed_while_waited_for_is_made_anew(limiter, tmp_path, monkeypatch):
    limiter.reserve(FOREVER)
    flock, removed = fcntl.flock, []

    def lock(fd, how):
        if not removed:
            removed.append((tmp_path / "slots").unlink())
        flock(fd, how)

    monkeypatch.setattr("pubmed_api.clients.schedule_file.fcntl.flock", lock)
    limiter.reserve(FOREVER)
    assert (tmp_path / "slots").stat().st_size > 0
