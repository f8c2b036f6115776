"""Building the client, and refusing settings that cannot give one."""

import subprocess
import sys
from dataclasses import replace

import pytest

from pubmed_api.clients import build_clients
from pubmed_api.clients.redis_link import open_redis
from pubmed_api.settings import SettingsError


def test_open_redis__without_an_address_is_none(settings):
    assert open_redis(settings) is None


def test_open_redis__connects_to_nothing(settings):
    assert open_redis(replace(settings, redis_url="redis://127.0.0.1:1/0")) is not None


@pytest.mark.parametrize("scheme", ["rediss://127.0.0.1:1/0?ssl_cert_reqs=none", "unix:///tmp/redis.sock?db=2"])
def test_open_redis__takes_every_scheme_of_the_settings(settings, scheme):
    assert open_redis(replace(settings, redis_url=scheme)) is not None


@pytest.mark.parametrize("end", ["host:port/0", "host/0?no_such_option=1", "host:99999999/0?socket_timeout=soon"])
def test_open_redis__unreadable_address_is_refused_without_repeating_it(settings, end):
    with pytest.raises(SettingsError) as refused:
        open_redis(replace(settings, redis_url=f"redis://:SECRETPASSWORD@{end}"))
    assert refused.value.problems[0].startswith("REDIS_URL ")
    assert "SECRETPASSWORD" not in str(refused.value)
    assert refused.value.__context__ is None


def test_open_redis__without_the_extra_says_what_to_install(settings, monkeypatch):
    monkeypatch.setitem(sys.modules, "redis", None)
    monkeypatch.delitem(sys.modules, "pubmed_api.clients.redis_client", raising=False)
    with pytest.raises(SettingsError, match=r"REDIS_URL.*pip install .pubmed-api\[redis\]"):
        build_clients(replace(settings, redis_url="redis://127.0.0.1:1/0"))


@pytest.mark.processes
def test_service__without_redis_url_does_not_need_the_library():
    code = (
        "import sys; sys.modules['redis'] = None\n"
        "from pubmed_api.app import create_app\n"
        "from pubmed_api.settings import Settings\n"
        "import tempfile, pathlib\n"
        "create_app(Settings(upstream='sandbox', data_dir=pathlib.Path(tempfile.mkdtemp())))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
