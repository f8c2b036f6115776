"""The cache fails open, stores no pickle and nothing of the request."""

import datetime
import json
import pickle
import sqlite3
import stat
from dataclasses import replace

import pytest
from requests import Request, Response
from requests.structures import CaseInsensitiveDict

from pubmed_api.clients.cache import AnswerCache, create_cache_file, dump_answer, read_answer
from pubmed_api.clients.cache_file import CacheFile

LATER = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)


def response(body=b"<a>\n\xff</a>"):
    made = Response()
    made.status_code = 200
    made.headers = CaseInsensitiveDict({"Content-Type": "text/xml"})
    made.url = "https://eutils.test/x?api_key=SECRETKEY123"
    made.request = Request("GET", made.url).prepare()
    made._content = body
    return made


@pytest.fixture
def cache(tmp_path):
    made = AnswerCache(CacheFile(tmp_path / "cache.sqlite", 10**9))
    yield made
    made.close()


def test_read_answer__what_was_dumped():
    answer = read_answer(dump_answer(response(), LATER))
    assert answer.body == b"<a>\n\xff</a>"
    assert answer.content_type == "text/xml"
    assert answer.expires == LATER.timestamp()
    assert answer.is_fresh


def test_dump_answer__holds_nothing_of_the_request():
    stored = dump_answer(response(), LATER)
    assert b"SECRET" not in stored
    assert set(json.loads(stored.partition(b"\n")[0])) == {"created", "expires", "type", "size"}


@pytest.mark.parametrize(
    "stored",
    [b"", b"{}\nbody", b"[]\nbody", b"null\n", pickle.dumps({"size": 1}), dump_answer(response(), LATER)[:-1], b"7\nx"],
    ids=["empty", "without a head", "a list", "null", "a pickle", "cut short", "a number"],
)
def test_get_response__unreadable_entry_is_a_miss(cache, stored):
    cache._store.write("key", stored, int(LATER.timestamp()))
    assert cache.get_response("key") is None
    assert cache.failures["read"] == 1


def test_get_response__what_was_saved(cache):
    cache.save_response(response(), "key", LATER)
    assert cache.get_response("key").content == b"<a>\n\xff</a>"
    assert cache.get_response("other", "nothing") == "nothing"
    assert not cache.failures


def test_save_response__without_an_expiry_keeps_nothing(cache):
    cache.save_response(response(), "key", None)
    assert cache.get_response("key") is None


def test_failures__are_counted_and_logged_without_a_url(tmp_path, caplog):
    (tmp_path / "folder").mkdir()
    cache = AnswerCache(CacheFile(tmp_path / "folder", 10**9))
    cache.save_response(response(), "key", LATER)
    assert cache.get_response("key") is None
    assert cache.failures == {"read": 1, "write": 1}
    assert "cache write failed" in caplog.text
    assert "SECRET" not in caplog.text
    assert "://" not in caplog.text


def test_failures__of_a_store_that_is_gone_do_not_fill_the_log(tmp_path, caplog):
    cache = AnswerCache(CacheFile(tmp_path / "missing" / "cache.sqlite", 10**9))
    for _ in range(100):
        assert cache.find("key") is None
    assert cache.failures["read"] == 100
    assert [record.args[2] for record in caplog.records] == [1, 2, 4, 8, 16, 32, 64]


def test_find__answer_past_its_age_is_of_use_for_a_day(cache):
    now = datetime.datetime.now(datetime.UTC)
    for hours, use in ((-1, (True, True)), (1, (False, True)), (23, (False, True)), (25, (False, False))):
        cache.save_response(response(), "key", now - datetime.timedelta(hours=hours))
        found = cache.find("key")
        assert (found.is_fresh, found.is_of_use) == use


def test_create_cache_file__makes_the_folder_for_its_owner_alone(settings):
    create_cache_file(settings)
    assert stat.S_IMODE(settings.data_dir.stat().st_mode) == 0o700
    with sqlite3.connect(settings.data_dir / "cache.sqlite") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_create_cache_file__sandbox_has_its_own(settings):
    create_cache_file(replace(settings, upstream="sandbox"))
    names = {path.name for path in settings.data_dir.iterdir()}
    assert names == {"cache-sandbox.sqlite", "items-sandbox.sqlite"}


def test_create_cache_file__damaged_file_is_started_anew(settings, caplog):
    settings.data_dir.mkdir()
    (settings.data_dir / "cache.sqlite").write_bytes(b"this is no database" * 100)
    create_cache_file(settings)
    assert "damaged" in caplog.text
    assert CacheFile(settings.data_dir / "cache.sqlite", 10**9).read("key") is None


def test_create_cache_file__that_cannot_be_made_is_only_logged(settings, caplog):
    (settings.data_dir / "cache.sqlite").mkdir(parents=True)
    create_cache_file(settings)
    assert "cannot be made" in caplog.text
