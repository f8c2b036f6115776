"""Keys and addresses, the operator's and a caller's: sent upstream and nowhere else, whatever the upstream does."""

import gzip
import logging
import sqlite3
import zlib
from contextlib import closing, suppress
from urllib.parse import quote

import pytest
from support.replay import Replay, serve
from support.validating import ValidatingClient, build_settings

from pubmed_api.app import create_app

OPERATOR_KEY, OPERATOR_EMAIL = "0perat0rkey4711", "operator@service-of-ours.net"
CALLER_KEY, CALLER_EMAIL = "ca11erkey-0815_x", "caller@somewhere-else.net"
SECRETS = (OPERATOR_KEY, OPERATOR_EMAIL, CALLER_KEY, CALLER_EMAIL)
SPELLINGS = {form.encode() for secret in SECRETS for form in (secret, quote(secret, safe=""))}

OPERATIONS = {
    "/v1/articles/search": {"query": "asthma", "summaryCount": 1},
    "/v1/articles/fetch": {"pmids": ["90000001", "99999999"]},
    "/v1/spelling/check": {"query": "asthmaa"},
    "/v1/ids/convert": {"ids": ["90000001"], "idType": "pmid"},
    "/v1/database/info": None,
}

GOOD = {
    "esearch": b"<eSearchResult><Count>1</Count><RetMax>1</RetMax><RetStart>0</RetStart>"
    b"<IdList><Id>90000001</Id></IdList></eSearchResult>",
    "esummary": b"<eSummaryResult><DocumentSummarySet><DocumentSummary uid='90000001'>"
    b"<Title>T</Title></DocumentSummary></DocumentSummarySet></eSummaryResult>",
    "efetch": b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version='1'>90000001</PMID><Article>"
    b"<ArticleTitle>T</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>",
    "espell": b"<eSpellResult><Query>asthmaa</Query><CorrectedQuery>asthma</CorrectedQuery></eSpellResult>",
    "einfo": b"<eInfoResult><DbInfo><DbName>pubmed</DbName></DbInfo></eInfoResult>",
}


def echo(params):
    """What NCBI's services repeat of a request, keys and addresses included."""
    return "&".join(f"{name}={quote(value)}" for name, value in params.items())


def good(endpoint):
    if endpoint != "idconv":
        return lambda params: (200, "text/xml", GOOD[endpoint], {"X-Request": echo(params)})
    record = '{"pmid": 90000001, "doi": "10.5555/a", "requested-id": "90000001"}'
    return lambda params: (
        200,
        "application/json",
        f'{{"status": "ok", "request": "{echo(params).replace("&", ";")}", "records": [{record}]}}'.encode(),
    )


def faulty(status, kind, text, **headers):
    """An answer whose text and headers may repeat ``{sent}``, the request."""

    def answer(params):
        said = {name.replace("_", "-"): value.replace("{sent}", echo(params)) for name, value in headers.items()}
        return status, kind, text.replace("{sent}", echo(params)).encode(), said

    return answer


FAULTS = {
    "key refused": faulty(400, "application/json", '{"error": "API key invalid", "api-key": "{sent}"}'),
    "throttled": faulty(429, "application/json", '{"error": "API rate limit exceeded", "api-key": "{sent}"}'),
    "refused": faulty(403, "text/plain", "Forbidden for {sent}"),
    "refused ids": faulty(400, "application/json", '{"status": "error", "request": "{sent}", "errors": []}'),
    "error text in a 200": faulty(200, "text/xml", "<eFetchResult><ERROR>No {sent}</ERROR></eFetchResult>"),
    "prose": faulty(200, "text/plain", "Cannot do {sent}"),
    "web page": faulty(503, "text/html", "<html>{sent}</html>"),
    "redirect": faulty(302, "text/html", "", Location="http://elsewhere.test/?{sent}"),
    "cut off": faulty(200, "text/xml", "<PubmedArticleSet>{sent}", Content_Length="100000"),
    "bad header": faulty(200, "text/xml", "<x>", **{"Content_Encoding": "{sent}"}),
}  # fmt: skip


@pytest.fixture
def replay():
    replay = Replay()
    replay.answers = {endpoint: good(endpoint) for endpoint in (*GOOD, "idconv")}
    return replay


@pytest.fixture
def client(replay, tmp_path):
    with serve(replay) as base:
        settings = build_settings(
            tmp_path,
            upstream="live",
            ncbi_api_key=OPERATOR_KEY,
            ncbi_admin_email=OPERATOR_EMAIL,
            ncbi_total_deadline_ms=3000,
            ncbi_eutils_base_url=f"{base}/entrez/eutils/",
            pmc_idconv_base_url=f"{base}/tools/idconv/",
        )
        app = create_app(settings)
        app.test_client_class = ValidatingClient
        yield app.test_client()


def ask(client, path, body, **options):
    return client.get(path, **options) if body is None else client.post(path, json=body, **options)


def ask_everything(client, **options):
    return [ask(client, path, body, **options) for path, body in OPERATIONS.items()]


def stored_bytes(folder):
    """Every file as it is, every value of a database besides, and what a compressed value holds."""
    for file in folder.rglob("*"):
        if not file.is_file():
            continue
        yield file.name.encode()
        yield file.read_bytes()
        if file.suffix == ".sqlite":
            for value in database_values(file):
                yield value
                yield from unpacked(value)


def database_values(file):
    with closing(sqlite3.connect(file)) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in database.execute(f'SELECT * FROM "{table}"'):
                yield from (value if isinstance(value, bytes) else str(value).encode() for value in row)


def unpacked(value):
    for unpack in (zlib.decompress, gzip.decompress):
        with suppress(zlib.error, OSError, EOFError):
            yield unpack(value)


def assert_hidden(where, *texts):
    for text in texts:
        for spelling in SPELLINGS:
            assert spelling not in (text if isinstance(text, bytes) else text.encode("utf-8", "replace")), where


def assert_nowhere(answers, client, folder, caplog):
    for answer in answers:
        assert_hidden("answer", answer.data, str(answer.headers))
    assert_hidden("metrics", client.get("/metrics").data)
    assert_hidden("document", client.get("/openapi.json").data)
    assert_hidden("log", caplog.text, *(str(record.__dict__) for record in caplog.records))
    assert_hidden("file", *stored_bytes(folder))


@pytest.mark.parametrize("caller", [{}, {"X-NCBI-API-Key": CALLER_KEY}], ids=["operator's key", "caller's key"])
@pytest.mark.parametrize("fault", [None, *FAULTS])
def test_secrets__nowhere_whatever_the_upstream_does(client, replay, tmp_path, caplog, caller, fault):
    caplog.set_level(logging.DEBUG)
    if fault:
        replay.answers = dict.fromkeys(replay.answers, FAULTS[fault])
    answers = ask_everything(client, headers={**caller, "X-Request-Id": "mine"})
    assert {answer.status_code >= 400 for answer in answers} == {fault is not None}
    assert_nowhere(answers, client, tmp_path, caplog)


@pytest.mark.parametrize("fault", [*FAULTS])
def test_secrets__nowhere_when_stored_answers_stand_in(client, replay, tmp_path, caplog, fault):
    caplog.set_level(logging.DEBUG)
    answers = ask_everything(client)
    replay.answers = dict.fromkeys(replay.answers, FAULTS[fault])
    answers += ask_everything(client, headers={"Cache-Control": "no-cache", "X-NCBI-API-Key": CALLER_KEY})
    assert_nowhere(answers, client, tmp_path, caplog)


@pytest.mark.parametrize(
    "options",
    [
        {"headers": {"X-NCBI-API-Key": f"{CALLER_KEY} {CALLER_EMAIL}"}},
        {"headers": {"X-Request-Id": f"{CALLER_KEY} {CALLER_EMAIL}"}},
        {"headers": {"Accept": f"text/csv; key={CALLER_KEY}; email={CALLER_EMAIL}"}},
        {"headers": {"Authorization": f"Bearer {CALLER_KEY}", "X-API-Key": CALLER_KEY}},
        {"query_string": {"api_key": CALLER_KEY, "email": CALLER_EMAIL}},
    ],
)
def test_secrets__in_the_wrong_place_are_not_repeated(client, tmp_path, caplog, options):
    caplog.set_level(logging.DEBUG)
    answers = ask_everything(client, **options)
    misplaced = {"api_key": CALLER_KEY, "email": CALLER_EMAIL}
    answers += [ask(client, path, {**body, **misplaced}) for path, body in OPERATIONS.items() if body]
    assert_nowhere(answers, client, tmp_path, caplog)


def test_key__goes_where_it_belongs(client, replay):
    ask_everything(client, headers={"X-NCBI-API-Key": CALLER_KEY})
    ask_everything(client, headers={"Cache-Control": "no-cache"})
    keys = [(endpoint, params.get("api_key")) for endpoint, params in replay.calls]
    mine, ours = keys[: len(keys) // 2], keys[len(keys) // 2 :]
    assert len(mine) == len(ours) == len(OPERATIONS) + 1  # The search asks for a summary too.
    assert {key for endpoint, key in mine if endpoint != "idconv"} == {CALLER_KEY}
    assert {key for endpoint, key in ours if endpoint != "idconv"} == {OPERATOR_KEY}
    # The converter takes no key, and must not be handed one.
    assert {key for endpoint, key in keys if endpoint == "idconv"} == {None}


def test_key__stored_answers_are_shared_whoever_asked(client, replay):
    ask_everything(client, headers={"X-NCBI-API-Key": CALLER_KEY})
    before = len(replay.calls)
    answers = ask_everything(client)
    # An id that brought no record may be asked for again; nothing else is.
    assert len(replay.calls) - before <= 1
    assert [answer.headers["X-Cache"] for answer in answers].count("hit") >= len(answers) - 1


@pytest.mark.parametrize(
    ("caller", "named"), [({}, "NCBI_API_KEY"), ({"X-NCBI-API-Key": CALLER_KEY}, "X-NCBI-API-Key")]
)
@pytest.mark.parametrize("path", [path for path in OPERATIONS if "ids" not in path])
def test_key__refused_is_said_to_whom_it_belongs(client, replay, caller, named, path):
    replay.answers = dict.fromkeys(replay.answers, FAULTS["key refused"])
    error = ask(client, path, OPERATIONS[path], headers=caller).json["error"]
    assert error["data"]["reason"] == "ncbi_refused"
    assert named in error["data"]["recovery"]["hint"]
