"""Whose allowance is spent, by whom, and that nobody can tell a key from what is kept of it."""

import os
import time
from dataclasses import replace

import pytest
from support.redis_server import redis_server

from pubmed_api.clients import budgets as budgets_module
from pubmed_api.clients import build_clients
from pubmed_api.clients.budgets import MOST_KEYS, open_budgets
from pubmed_api.clients.data_files import make_data_dir
from pubmed_api.clients.limiter_shared import SharedLimiter
from pubmed_api.clients.redis_client import BreakingRedis
from pubmed_api.exceptions import UpstreamRateLimited, UpstreamRefused
from pubmed_api.models.call import Call, open_call

OWN, OTHER = "CALLERS-OWN-KEY", "ANOTHER-CALLERS-KEY"
FOREVER = 1e6
IDCONV = b'{"status":"ok","records":[{"requested-id":"99000001","pmid":99000001,"pmcid":"PMC9900001"}]}'


@pytest.fixture
def budgets(settings, clock):
    make_data_dir(settings)
    return open_budgets(replace(settings, ncbi_api_key=None), None, sandbox=False, clock=clock)


def waits(turns, time_, count):
    return [turns.limiter.reserve(FOREVER).moment - time_.now() for _ in range(count)]


def test_turns_of__each_key_has_a_queue_of_its_own(budgets):
    queues = [budgets.turns_of(Call(ncbi_api_key=key)) for key in (None, OWN, OTHER, OWN)]
    assert queues[0] is budgets.operator
    assert queues[1] is queues[3]
    assert len({id(queue) for queue in queues}) == 3


def test_turns_of__keys_do_not_wait_for_each_other(budgets, time_):
    own, other = (budgets.turns_of(Call(ncbi_api_key=key)) for key in (OWN, OTHER))
    assert waits(own, time_, 11) == [0] * 10 + [pytest.approx(1.05)]
    assert waits(other, time_, 10) == [0] * 10
    assert waits(budgets.operator, time_, 4) == [0] * 3 + [pytest.approx(1.05)]


def test_turns_of__rate_of_a_key_is_not_the_operators(settings, clock, time_):
    make_data_dir(settings)
    slow = open_budgets(replace(settings, ncbi_requests_per_second=1.0), None, sandbox=False, clock=clock)
    assert waits(slow.operator, time_, 2) == [0, pytest.approx(1.05)]
    assert waits(slow.turns_of(Call(ncbi_api_key=OWN)), time_, 10) == [0] * 10


def test_turns_of__caller_with_the_operators_key_shares_its_queue(settings, clock):
    budgets = open_budgets(settings, None, sandbox=False, clock=clock)
    assert budgets.turns_of(Call(ncbi_api_key=settings.ncbi_api_key)) is budgets.operator


def test_turns_of__processes_share_the_allowance_of_a_key(settings, clock, time_):
    make_data_dir(settings)
    one, other = (open_budgets(settings, None, sandbox=False, clock=clock) for _ in range(2))
    call = Call(ncbi_api_key=OWN)
    waits(one.turns_of(call), time_, 10)
    assert waits(other.turns_of(call), time_, 1) == [pytest.approx(1.05)]


def test_turns_of__keeps_so_many_keys_in_mind_and_finds_the_others_again(budgets, time_):
    first = budgets.turns_of(Call(ncbi_api_key=OWN))
    waits(first, time_, 10)
    for number in range(MOST_KEYS):
        budgets.turns_of(Call(ncbi_api_key=f"KEY-NUMBER-{number}"))
    assert len(budgets._known) == MOST_KEYS
    again = budgets.turns_of(Call(ncbi_api_key=OWN))
    assert again is not first
    assert waits(again, time_, 1) == [pytest.approx(1.05)]


def test_turns_of__places_are_those_of_the_process(settings, clock, time_):
    make_data_dir(settings)
    budgets = open_budgets(replace(settings, ncbi_max_concurrent=1), None, sandbox=False, clock=clock)
    own = Call(ncbi_api_key=OWN, cancelled=lambda: False)
    with budgets.operator.turn(Call(), time_.now() + 60):
        places = budgets.turns_of(own)._places
        with pytest.raises(ZeroDivisionError):
            places.take(lambda event: 1 / 0)


def test_operator__of_several_hosts_without_redis_has_its_part(settings, clock, time_):
    make_data_dir(settings)
    part = open_budgets(replace(settings, hosts=5), None, sandbox=False, clock=clock).operator
    assert waits(part, time_, 3) == [0, 0, pytest.approx(1.05)]


def test_files__of_keys_that_are_not_used_any_more_go(budgets, settings, monkeypatch, time_):
    waits(budgets.turns_of(Call(ncbi_api_key=OWN)), time_, 1)
    waits(budgets.operator, time_, 1)
    for path in settings.data_dir.iterdir():
        os.utime(path, (time.time() - 7200,) * 2)
    waits(budgets.turns_of(Call(ncbi_api_key=OTHER)), time_, 1)
    kept = {path.name for path in settings.data_dir.iterdir()}
    monkeypatch.setattr(budgets_module, "_CLEANING_SECONDS", 0.0)
    budgets.turns_of(Call(ncbi_api_key="A-THIRD-CALLERS-KEY"))
    gone = kept - {path.name for path in settings.data_dir.iterdir()}
    assert len(gone) == 1
    assert gone.pop().startswith("limiter-caller-")


def test_redis__names_the_key_alike_for_all_hosts_and_shows_it_to_none(settings, clock):
    call = Call(ncbi_api_key=OWN)
    with redis_server() as server:
        redis = BreakingRedis(server.url)
        for host in ("one", "other"):
            data_dir = settings.data_dir / host
            data_dir.mkdir(parents=True)
            turns = open_budgets(replace(settings, data_dir=data_dir), redis, sandbox=False, clock=clock).turns_of(call)
            assert isinstance(turns.limiter, SharedLimiter)
            turns.limiter.reserve(FOREVER)
        keys = redis.keys("*")
        assert len([key for key in keys if b"limiter-caller" in key]) == 1
        assert OWN.encode() not in b"".join(keys) + b"".join(redis.get(key) for key in keys)


# Through the whole stack.


@pytest.fixture
def clients(build):
    return build()


def ask_as(key, clients, term="x"):
    with open_call(Call(ncbi_api_key=key)):
        return clients.eutils.esearch(term=term, retmax=1)


def test_stack__callers_key_is_sent_in_place_of_the_operators(clients, upstream):
    ask_as(OWN, clients, "one")
    ask_as(None, clients, "two")
    assert [asked.params["api_key"] for asked in upstream.asked] == [OWN, "SECRETKEY123"]


def test_stack__callers_key_is_not_part_of_the_question(clients, upstream):
    assert ask_as(OWN, clients) == ask_as(None, clients) == ask_as(OTHER, clients)
    assert len(upstream.asked) == 1


def test_stack__nothing_kept_or_logged_tells_the_key(clients, settings, caplog):
    caplog.set_level("DEBUG")
    ask_as(OWN, clients)
    kept = b"".join(p.name.encode() + p.read_bytes() for p in settings.data_dir.rglob("*") if p.is_file())
    assert OWN.encode() not in kept
    assert OWN not in caplog.text + repr(Call(ncbi_api_key=OWN))


def test_stack__refusal_of_one_key_holds_back_nobody_else(settings, upstream, clock, time_):
    clients = build_clients(replace(settings, ncbi_max_retries=0), upstream, clock=clock)
    upstream.answers = [(429, b""), upstream.answers[0]]
    with pytest.raises(UpstreamRateLimited):
        ask_as(OWN, clients, "one")
    before = time_.now()
    ask_as(None, clients, "two")
    ask_as(OTHER, clients, "three")
    assert time_.now() == before
    ask_as(OWN, clients, "four")
    assert time_.now() >= before + 1


@pytest.mark.parametrize("answer", [b'{"error":"API key invalid","api-key":"%s"}' % OWN.encode(), OWN.encode()])
def test_stack__bad_key_is_told_to_its_caller_without_repeating_it(clients, upstream, answer, caplog):
    upstream.answers = [(400, answer if answer.startswith(b"{") else b"API key invalid: " + answer)]
    with pytest.raises(UpstreamRefused) as refused:
        ask_as(OWN, clients)
    assert refused.value.reason == "ncbi_refused"
    assert "X-NCBI-API-Key" in refused.value.hint
    assert "operator" not in refused.value.hint + refused.value.message
    assert OWN not in repr(vars(refused.value)) + caplog.text


def test_stack__converter_is_always_asked_by_the_operator(clients, upstream, settings):
    upstream.answers = [IDCONV]
    with open_call(Call(ncbi_api_key=OWN)):
        clients.idconv.rows(["99000001"], "pmid")
    assert "api_key" not in upstream.asked[0].params
    assert not [path for path in settings.data_dir.iterdir() if path.name.startswith("limiter-caller-")]
