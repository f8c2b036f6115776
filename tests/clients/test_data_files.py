import stat

import pytest

from pubmed_api.clients.data_files import (
    cache_path,
    caller_limiter_path,
    caller_limiter_paths,
    flights_path,
    limiter_path,
    make_data_dir,
    redis_prefix,
    secret_path,
)


def test_make_data_dir__is_its_owners_alone(settings):
    make_data_dir(settings)
    make_data_dir(settings)
    assert stat.S_IMODE(settings.data_dir.stat().st_mode) == 0o700


def test_make_data_dir__that_cannot_be_made(settings):
    settings.data_dir.write_text("a file")
    with pytest.raises(OSError, match="File exists"):
        make_data_dir(settings)


def test_paths__sandbox_shares_no_file(settings):
    live = {cache_path(settings, sandbox=False), limiter_path(settings, "ncbi", sandbox=False)}
    sandbox = {cache_path(settings, sandbox=True), limiter_path(settings, "ncbi", sandbox=True)}
    assert not live & sandbox
    assert cache_path(settings, sandbox=True).name == "cache-sandbox.sqlite"


def test_flights_and_redis__sandbox_shares_nothing(settings):
    assert flights_path(settings, sandbox=True) != flights_path(settings, sandbox=False)
    live, sandbox = (redis_prefix("answers", sandbox=sandbox) for sandbox in (False, True))
    assert not live.startswith(sandbox)
    assert not sandbox.startswith(live)


def test_limiter_path__one_per_key_without_naming_it(settings):
    paths = [limiter_path(settings, "ncbi", key=key, sandbox=False) for key in (None, "SECRETKEY123", "OTHERKEY")]
    assert len(set(paths)) == 3
    assert "KEY" not in "".join(path.name for path in paths)


def test_caller_limiter_path__is_found_among_all_of_these_and_no_other(settings):
    make_data_dir(settings)
    paths = [caller_limiter_path(settings, "ncbi", name, sandbox=sandbox) for name in "ab" for sandbox in (True, False)]
    for path in (*paths, limiter_path(settings, "ncbi", key="KEY", sandbox=False), secret_path(settings)):
        path.touch()
    assert sorted(caller_limiter_paths(settings)) == sorted(paths)
    assert len(set(paths)) == 4
