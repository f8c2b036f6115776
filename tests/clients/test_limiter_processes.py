"""One limit over several processes, some of which are killed or stopped."""

import contextlib
import fcntl
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections import namedtuple

import pytest

pytestmark = pytest.mark.processes

Started = namedtuple("Started", "ticket asked started")

# Prints, for every turn: ticket, when it was asked for, when it was started.
_WORKER = """
import signal, sys, threading
from pathlib import Path
from pubmed_api.clients.limiter import Limiter
from pubmed_api.clients.turns import Turns
from pubmed_api.clients.waiting import Clock
from pubmed_api.models.call import Call
signal.alarm(60)
path, rate, threads = sys.argv[1:]
turns, clock = Turns(Limiter(Path(path), float(rate)), 16), Clock()
def work():
    while True:
        asked = clock.now()
        with turns.turn(Call(), asked + 50) as turn:
            print(f"{turn.slot.ticket:.9f} {asked:.9f} {turn.slot.started:.9f}\\n", end="", flush=True)
for _ in range(int(threads)):
    threading.Thread(target=work, daemon=True).start()
threading.Event().wait()
"""


class Crew:
    """Worker processes and the turns they have had."""

    def __init__(self, path, rate, size, threads):
        command = [sys.executable, "-c", _WORKER, str(path), str(rate), str(threads)]
        self.workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(size)]
        self.turns = [[] for _ in self.workers]
        self._news = threading.Condition()
        self._readers = [
            threading.Thread(target=self._read, args=(worker, turns), daemon=True)
            for worker, turns in zip(self.workers, self.turns, strict=True)
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, worker, turns):
        for line in worker.stdout:
            if line.endswith("\n"):
                with self._news:
                    turns.append(Started(*map(float, line.split())))
                    self._news.notify_all()

    def wait_for(self, count, *workers):
        """Until each of these workers (by default all) has had so many turns more."""
        chosen = [self.turns[number] for number in workers or range(len(self.workers))]
        goals = [len(turns) + count for turns in chosen]
        with self._news:
            assert self._news.wait_for(lambda: all(len(t) >= g for t, g in zip(chosen, goals, strict=True)), 40)

    def end(self):
        for worker in self.workers:
            worker.kill()
        for reader in self._readers:
            reader.join(10)
        for worker in self.workers:
            worker.wait()
            worker.stdout.close()

    def all_turns(self):
        return sorted((turn for turns in self.turns for turn in turns), key=lambda turn: turn.started)


@contextlib.contextmanager
def crew(path, rate, size=3, threads=1):
    running = Crew(path, rate, size, threads)
    try:
        yield running
    finally:
        running.end()


def stop_outside_the_lock(worker, path):
    """What others do about a lock that is not given back is another matter."""
    for _ in range(100):
        worker.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, worker.pid, os.WSTOPPED)
        for _ in range(20):
            with path.open() as file, contextlib.suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            time.sleep(0.001)
        worker.send_signal(signal.SIGCONT)
        time.sleep(0.01)
    raise AssertionError("the lock is always held")


def most_in_a_second(moments):
    return max(sum(1 for other in moments if moment <= other < moment + 1) for moment in moments)


def test_turns__of_several_processes_and_one_killed(tmp_path):
    """The rate holds over processes, and a process that dies takes nothing with it."""
    with crew(tmp_path / "slots", 50) as running:
        running.wait_for(10)
        running.workers[0].kill()
        running.wait_for(10, 1, 2)
    assert most_in_a_second([turn.started for turn in running.all_turns()]) <= 50


def test_turns__of_a_process_that_was_stopped_do_not_come_on_top(tmp_path):
    """Its slots have passed; when it goes on, its threads all want to start at once."""
    with crew(tmp_path / "slots", 20, threads=8) as running:
        running.wait_for(4)
        stop_outside_the_lock(running.workers[0], tmp_path / "slots")
        running.wait_for(20, 1, 2)
        running.workers[0].send_signal(signal.SIGCONT)
        running.wait_for(8)
    assert most_in_a_second([turn.started for turn in running.all_turns()]) <= 20


def test_turns__are_served_in_the_order_of_arrival(tmp_path):
    """Nobody is overtaken by more than the few that wake together, and nobody starves."""
    with crew(tmp_path / "slots", 20, size=4, threads=16) as running:
        running.wait_for(35)
    turns = running.all_turns()
    for place, turn in enumerate(turns):
        overtaken_by = sum(1 for earlier in turns[:place] if earlier.ticket > turn.ticket)
        assert overtaken_by <= 10
    waits = [turn.started - turn.asked for turn in turns[64:]]
    assert max(waits) < 2 * statistics.median(waits)
    assert most_in_a_second([turn.started for turn in turns]) <= 20
