"""Settings: every variable validated, every problem named, blank and placeholder are unset."""

from dataclasses import fields
from pathlib import Path

import pytest

from pubmed_api.settings import Settings, SettingsError

VARIABLES = {entry.metadata["variable"]: entry.name for entry in fields(Settings)}


def problems_of(environ):
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(environ)
    return caught.value.problems


def test_defaults__as_documented():
    settings = Settings.from_env({"XDG_CACHE_HOME": "/caches"})
    assert settings.data_dir == Path("/caches/pubmed-api")
    assert (settings.host, settings.port, settings.upstream) == ("127.0.0.1", 8000, "live")
    assert (settings.ncbi_max_retries, settings.ncbi_timeout_ms, settings.ncbi_total_deadline_ms) == (6, 30000, 60000)
    assert (settings.europepmc_max_retries, settings.europepmc_timeout_ms) == (3, 20000)
    assert settings.europepmc_enabled is True
    assert settings.max_body_bytes == 1048576
    assert settings.cors_origins == ("*",)


@pytest.mark.parametrize("blank", ["", "   ", "${user_config.x}", "\n"])
@pytest.mark.parametrize("variable", sorted(VARIABLES))
def test_variable__blank_is_unset(variable, blank):
    default = Settings.from_env({})
    assert Settings.from_env({variable: blank}) == default


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("NCBI_REQUEST_DELAY_MS", "abc"),
        ("NCBI_REQUEST_DELAY_MS", "49"),
        ("NCBI_REQUEST_DELAY_MS", "5001"),
        ("NCBI_MAX_CONCURRENT", "0"),
        ("NCBI_MAX_CONCURRENT", "17"),
        ("NCBI_MAX_RETRIES", "11"),
        ("NCBI_MAX_RETRIES", "1.5"),
        ("NCBI_TIMEOUT_MS", "999"),
        ("NCBI_TOTAL_DEADLINE_MS", "600001"),
        ("NCBI_ADMIN_EMAIL", "nobody"),
        ("NCBI_REQUESTS_PER_SECOND", "0"),
        ("NCBI_API_KEY", "abc\ndef"),
        ("EUROPEPMC_ENABLED", "maybe"),
        ("EUROPEPMC_TOTAL_DEADLINE_MS", "4999"),
        ("UNPAYWALL_EMAIL", "you@example.com"),
        ("UNPAYWALL_EMAIL", "you@mail.example.org"),
        ("PUBMED_API_HOST", "not a host"),
        ("PUBMED_API_HOST", "http://127.0.0.1"),
        ("PUBMED_API_PORT", "65536"),
        ("PUBMED_API_PORT", "http"),
        ("PUBMED_API_UPSTREAM", "real"),
        ("PUBMED_API_LOG_LEVEL", "LOUD"),
        ("PUBMED_API_CORS_ORIGINS", "app.invalid"),
        ("PUBMED_API_MAX_BODY_BYTES", "-1"),
        ("PUBMED_API_CALLER_LIMIT", "often"),
        ("NCBI_EUTILS_BASE_URL", "eutils.invalid/entrez"),
        ("NCBI_EUTILS_BASE_URL", "https://user:pass@eutils.invalid/"),
        ("PMC_IDCONV_BASE_URL", "https://pmc.invalid/?x=1"),
        ("REDIS_URL", "localhost:6379"),
    ],
)
def test_variable__refused_by_name(variable, value):
    (problem,) = problems_of({variable: value})
    assert problem.startswith(f"{variable} must")


def test_problems__all_at_once():
    problems = problems_of({"NCBI_TIMEOUT_MS": "x", "PUBMED_API_PORT": "x", "EUROPEPMC_ENABLED": "x"})
    assert [problem.split()[0] for problem in problems] == [
        "PUBMED_API_PORT",
        "NCBI_TIMEOUT_MS",
        "EUROPEPMC_ENABLED",
    ]


def test_secret__never_in_a_problem_or_repr():
    assert "tops" not in "".join(problems_of({"NCBI_API_KEY": "tops\x07ecret"}))
    settings = Settings.from_env({"NCBI_API_KEY": "topsecret", "NCBI_ADMIN_EMAIL": "a@b.net", "PUBMED_API_KEYS": "k1"})
    assert "topsecret" not in repr(settings)
    assert "a@b.net" not in repr(settings)
    assert "k1" not in repr(settings)


@pytest.mark.parametrize(
    ("word", "value"), [("TRUE", True), ("1", True), ("yes", True), ("On", True), ("false", False), ("0", False),
                        ("No", False), ("OFF", False)]
)  # fmt: skip
def test_boolean__words(word, value):
    assert Settings.from_env({"EUROPEPMC_ENABLED": word}).europepmc_enabled is value


@pytest.mark.parametrize(
    ("environ", "rate"),
    [
        ({}, 3.0),
        ({"NCBI_API_KEY": "k"}, 10.0),
        ({"NCBI_API_KEY": "k", "NCBI_REQUEST_DELAY_MS": " "}, 10.0),
        ({"NCBI_REQUEST_DELAY_MS": "500"}, 2.0),
        ({"NCBI_REQUESTS_PER_SECOND": "1.5", "NCBI_REQUEST_DELAY_MS": "500"}, 1.5),
        ({"NCBI_REQUESTS_PER_SECOND": "8", "NCBI_REQUEST_DELAY_MS": "250"}, 4.0),
    ],
)
def test_ncbi_rate__lower_one_wins(environ, rate):
    assert Settings.from_env(environ).ncbi_rate == rate


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/x", "http://127.0.0.1:9/x/"])
def test_base_url__with_and_without_slash(address):
    assert Settings.from_env({"NCBI_EUTILS_BASE_URL": address}).ncbi_eutils_base_url == "http://127.0.0.1:9/x/"


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost", "::1", "[::]", "api.service.net"])
def test_host__names_and_addresses(host):
    assert Settings.from_env({"PUBMED_API_HOST": host}).host == host


def test_value__trimmed():
    assert Settings.from_env({"NCBI_API_KEY": " abc\n"}).ncbi_api_key == "abc"
