"""What the master and new workers prepare for metrics, and that they start without it where it cannot be had."""

import os
from types import SimpleNamespace

import pytest

from pubmed_api import metrics, serving
from pubmed_api.settings import Settings


@pytest.fixture(autouse=True)
def variable(monkeypatch):
    monkeypatch.setenv(metrics.FOLDER_VARIABLE, "")


def test_share_metrics__folder_of_the_data_directory_emptied(tmp_path):
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "counter_7.db").touch()
    serving._share_metrics(Settings(data_dir=tmp_path))
    assert os.environ[metrics.FOLDER_VARIABLE] == str(tmp_path / "metrics")
    assert list((tmp_path / "metrics").iterdir()) == []


def test_share_metrics__folder_of_the_operator(tmp_path, monkeypatch):
    monkeypatch.setenv(metrics.FOLDER_VARIABLE, str(tmp_path / "elsewhere"))
    serving._share_metrics(Settings(data_dir=tmp_path))
    assert os.environ[metrics.FOLDER_VARIABLE] == str(tmp_path / "elsewhere")
    assert not (tmp_path / "metrics").exists()


def test_share_metrics__folder_cannot_be_made(tmp_path, caplog):
    (tmp_path / "metrics").write_text("in the way")
    serving._share_metrics(Settings(data_dir=tmp_path))
    assert not os.environ.get(metrics.FOLDER_VARIABLE)
    assert "no folder for metrics" in caplog.text


def test_post_fork__takes_room_and_keeps_what_is_counted(tmp_path, monkeypatch):
    monkeypatch.setenv(metrics.FOLDER_VARIABLE, str(tmp_path))
    serving._post_fork(None, None)
    files = sorted(tmp_path.iterdir())
    assert [file.name.removesuffix(f"_{os.getpid()}.db") for file in files] == ["counter", "gauge_livesum", "histogram"]
    # Blocks are held, so writing to the mapped file cannot run out of space.
    assert all(file.stat().st_blocks * 512 >= file.stat().st_size > 0 for file in files)
    files[0].write_bytes(b"of a worker with the same number")
    serving._post_fork(None, None)
    assert files[0].read_bytes() == b"of a worker with the same number"


def test_post_fork__full_disk(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv(metrics.FOLDER_VARIABLE, str(tmp_path))
    # As on a full disk: the file can be made and not be filled.
    monkeypatch.setattr(serving.Path, "write_bytes", fail_to_write)
    serving._post_fork(None, None)
    assert not os.environ.get(metrics.FOLDER_VARIABLE)
    assert list(tmp_path.iterdir()) == []
    assert "no room for metrics" in caplog.text


def fail_to_write(path, content):
    path.touch()
    raise OSError(28, "No space left on device")


def test_child_exit__takes_the_worker_out_of_what_is_alive(tmp_path, monkeypatch):
    monkeypatch.setenv(metrics.FOLDER_VARIABLE, str(tmp_path))
    for name in ("counter_7.db", "gauge_livesum_7.db", "gauge_livesum_8.db"):
        (tmp_path / name).touch()
    serving._child_exit(None, SimpleNamespace(pid=7))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["counter_7.db", "gauge_livesum_8.db"]
