import stat

import pytest

from pubmed_api.clients.data_files import cache_path, limiter_path, make_data_dir


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


def test_limiter_path__one_per_key_without_naming_it(settings):
    paths = [limiter_path(settings, "ncbi", key=key, sandbox=False) for key in (None, "SECRETKEY123", "OTHERKEY")]
    assert len(set(paths)) == 3
    assert "KEY" not in "".join(path.name for path in paths)
