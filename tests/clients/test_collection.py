"""Look-ups by ids: what is stored, what another process is about to have, what is asked for, and what stands in."""

import time

import pytest

from pubmed_api.clients.cache_file import Row
from pubmed_api.clients.claims import Claims
from pubmed_api.clients.collection import Collection, Items
from pubmed_api.clients.items import NOTHING, Item, ItemStore, Kind
from pubmed_api.exceptions import (
    InvalidArguments,
    NotInCache,
    QueueFull,
    UpstreamDeadlineExceeded,
    UpstreamInvalidResponse,
    UpstreamNotFound,
    UpstreamRefused,
    UpstreamUnreachable,
)
from pubmed_api.models.call import Call, Part, open_call

AGE = 1000
KIND = Kind("record", "https://eutils.test/", AGE)
AWAY = UpstreamUnreachable("away")


def body(item_id, edition=""):
    return f"<PubmedArticle>{item_id}{edition}</PubmedArticle>".encode()


class Shelf:
    def __init__(self):
        self.rows = {}

    def read_many(self, keys):
        return {key: self.rows[key] for key in keys if key in self.rows}

    def write_many(self, entries):
        now = int(time.time())
        self.rows |= {key: Row(value, now, expires) for key, value, expires in entries}

    def grow_older(self, seconds):
        self.rows = {key: Row(row.value, row.stored - seconds, row.expires - seconds) for key, row in self.rows.items()}


class Batches:
    """Answers for every id but those that begin with 99; ``errors`` by id. Keeps what it hands out, as the real one."""

    def __init__(self, store, kind):
        self.store, self.kind = store, kind
        self.asked, self.errors, self.edition = [], {}, ""
        self.pauses, self.on_pause = 0, lambda: None
        self.shared = 0

    def fetch(self, wanted, *, post_from, claim=None):
        self.claim = claim
        self.asked.append(dict(wanted))
        items = {
            one: NOTHING if one.startswith("99") else Item(body(one, self.edition))
            for one in wanted
            if one not in self.errors
        }
        self.store.write(self.kind, items)
        return {one: items.get(one) or self.errors[one] for one in wanted}

    def pause(self):
        return self._pause

    def note_shared(self):
        self.shared += 1

    def _pause(self, seconds):
        self.pauses += 1
        self.on_pause()


class Ground:
    """Where another process may have claimed ids."""

    def __init__(self):
        self.others, self.mine = set(), set()

    def take(self, keys):
        given = set(keys) - self.others
        self.mine |= given
        return given

    def renew(self, keys):
        pass

    def release(self, keys):
        self.mine -= set(keys)


class Desk:
    """A collection, and all that it stands on."""

    def __init__(self, kind=KIND):
        self.shelf, self.ground = Shelf(), Ground()
        self.store = ItemStore(self.shelf)
        self.batches = Batches(self.store, kind)
        self.collection = Collection(kind, self.store, Claims([self.ground]), self.batches)

    def look_up(self, *ids, **wishes):
        """The items; ``parts`` are those of this call."""
        self.parts = []
        with open_call(Call(parts=self.parts, **wishes)):
            return self.collection.items({one: one for one in ids}, post_from=100)


@pytest.fixture
def desk():
    return Desk()


def test_items__only_what_is_not_stored_is_asked_for(desk):
    desk.look_up("1", "2")
    desk.shelf.grow_older(40)
    found = desk.look_up("3", "2", "1", "99")
    assert found == Items({one: body(one) for one in ("3", "2", "1")})
    assert list(found.found) == ["3", "2", "1"]
    assert [list(asked) for asked in desk.batches.asked] == [["1", "2"], ["3", "99"]]
    assert desk.parts[0].cache == "hit"
    assert 40 <= desk.parts[0].age <= 42
    assert desk.parts[1:] == [Part("miss")]


def test_items__all_stored_even_that_there_is_nothing(desk):
    desk.look_up("1", "99")
    assert desk.look_up("99", "1") == Items({"1": body("1")})
    assert len(desk.batches.asked) == 1
    assert [part.cache for part in desk.parts] == ["hit"]


def test_items__nothing_wanted(desk):
    assert desk.look_up() == Items()
    assert (desk.batches.asked, desk.parts) == ([], [])


def test_items__are_sent_as_spelled(desk):
    desk.collection.items({"10.5555/a": "10.5555/A"}, post_from=100)
    assert desk.batches.asked == [{"10.5555/a": "10.5555/A"}]


def test_items__no_cache_asks_anew_and_stores(desk):
    desk.look_up("1")
    desk.batches.edition = " corrected"
    assert desk.look_up("1", no_cache=True).found == {"1": body("1", " corrected")}
    assert desk.parts == [Part("miss")]
    assert desk.look_up("1").found == {"1": body("1", " corrected")}
    assert len(desk.batches.asked) == 2


@pytest.mark.parametrize("ids", [("2",), ("1", "2")])
def test_items__only_if_cached_is_no_empty_result(desk, ids):
    desk.look_up("1")
    with pytest.raises(NotInCache):
        desk.look_up(*ids, only_if_cached=True)
    assert (len(desk.batches.asked), desk.parts) == (1, [])


def test_items__only_if_cached_and_stored(desk):
    desk.look_up("1", "99")
    assert desk.look_up("1", "99", only_if_cached=True).found == {"1": body("1")}


def test_items__only_if_cached_and_past_its_age(desk):
    desk.look_up("1")
    desk.shelf.grow_older(AGE)
    with pytest.raises(NotInCache):
        desk.look_up("1", only_if_cached=True)


def test_items__nothing_is_kept_of_an_age_of_zero():
    desk = Desk(Kind("record", "https://eutils.test/", 0))
    desk.look_up("1")
    desk.look_up("1")
    assert len(desk.batches.asked) == 2
    with pytest.raises(NotInCache):
        desk.look_up("1", only_if_cached=True)


def test_items__some_fail(desk):
    refused = UpstreamRefused("no")
    desk.batches.errors = {"2": AWAY, "4": refused}
    found = desk.look_up("1", "2", "99", "4")
    assert found == Items({"1": body("1")}, {"2": AWAY, "4": refused})
    assert desk.parts == [Part("miss")]


def test_items__some_fail_and_of_the_others_there_is_nothing(desk):
    desk.batches.errors = {"2": AWAY}
    assert desk.look_up("2", "99") == Items({}, {"2": AWAY})


def test_items__all_fail(desk):
    desk.batches.errors = {"1": AWAY, "2": QueueFull("full")}
    with pytest.raises(UpstreamUnreachable) as caught:
        desk.look_up("1", "2")
    assert caught.value is AWAY
    assert desk.parts == []


@pytest.mark.parametrize("error", [InvalidArguments([{"path": "ids", "message": "no"}]), ZeroDivisionError()])
def test_items__what_is_no_failure_of_the_upstream_is_raised(desk, error):
    desk.look_up("1")
    desk.batches.errors = {"2": error}
    with pytest.raises(type(error)):
        desk.look_up("1", "2")


@pytest.mark.parametrize(
    "error",
    [AWAY, QueueFull("full"), UpstreamDeadlineExceeded("late"), UpstreamInvalidResponse("unreadable")],
)
def test_items__old_ones_stand_in_for_a_failing_upstream(desk, error):
    desk.look_up("1", "2")
    desk.shelf.grow_older(AGE + 500)
    desk.look_up("3")
    desk.batches.errors = dict.fromkeys(("1", "2", "4"), error)
    found = desk.look_up("1", "2", "3", "4")
    assert found == Items({one: body(one) for one in "123"}, {"4": error})
    assert [part.cache for part in desk.parts] == ["hit", "stale"]
    assert AGE + 500 <= desk.parts[1].age <= AGE + 502


@pytest.mark.parametrize("error", [UpstreamRefused("no"), UpstreamNotFound("none")])
def test_items__nothing_stands_in_for_an_answer_that_says_no(desk, error):
    desk.look_up("1")
    desk.shelf.grow_older(AGE)
    desk.batches.errors = {"1": error}
    with pytest.raises(type(error)):
        desk.look_up("1")


def test_items__nothing_stands_in_for_who_wants_it_new(desk):
    desk.look_up("1")
    desk.batches.errors = {"1": AWAY}
    with pytest.raises(UpstreamUnreachable):
        desk.look_up("1", no_cache=True)


def test_items__that_there_was_nothing_does_not_stand_in(desk):
    desk.look_up("99")
    desk.shelf.grow_older(AGE)
    desk.batches.errors = {"99": AWAY}
    with pytest.raises(UpstreamUnreachable):
        desk.look_up("99")


def test_items__fresh_ones_that_came_meanwhile_are_better_than_a_failure(desk, monkeypatch):
    def fail(wanted, **options):
        desk.store.write(KIND, {"1": Item(body("1"))})
        return dict.fromkeys(wanted, AWAY)

    monkeypatch.setattr(desk.batches, "fetch", fail)
    assert desk.look_up("1").found == {"1": body("1")}
    assert desk.parts == [Part("hit")]


def test_items__what_another_process_asks_for_is_waited_for(desk):
    desk.ground.others = {KIND.key("2")}
    desk.batches.on_pause = lambda: desk.batches.pauses == 3 and desk.store.write(KIND, {"2": Item(body("2"))})
    assert desk.look_up("1", "2").found == {"1": body("1"), "2": body("2")}
    assert [list(asked) for asked in desk.batches.asked] == [["1"]]
    assert desk.batches.pauses == 3
    assert desk.parts == [Part("miss")]
    assert desk.batches.shared == 1


def test_items__of_a_process_that_failed_or_died_are_asked_for(desk):
    desk.ground.others = {KIND.key("2")}
    desk.batches.on_pause = desk.ground.others.clear
    assert desk.look_up("1", "2").found == {"1": body("1"), "2": body("2")}
    assert [list(asked) for asked in desk.batches.asked] == [["1"], ["2"]]
    assert desk.ground.mine == set()


def test_items__are_claimed_while_they_are_asked_for(desk, monkeypatch):
    fetch = desk.batches.fetch

    def look(wanted, **options):
        assert desk.ground.mine == {KIND.key("1"), KIND.key("2")} == options["claim"].keys
        return fetch(wanted, **options)

    monkeypatch.setattr(desk.batches, "fetch", look)
    desk.look_up("1", "2")
    assert desk.ground.mine == set()


def test_items__stored_between_the_look_and_the_claim_are_not_asked_for(desk, monkeypatch):
    take = desk.ground.take

    def take_late(keys):
        desk.store.write(KIND, {"1": Item(body("1"))})
        return take(keys)

    monkeypatch.setattr(desk.ground, "take", take_late)
    assert desk.look_up("1").found == {"1": body("1")}
    assert desk.batches.asked == []


def test_items__waited_for_until_the_time_is_over(desk):
    def expire():
        raise UpstreamDeadlineExceeded("late")

    desk.ground.others = {KIND.key("2")}
    desk.batches.on_pause = expire
    found = desk.look_up("1", "2")
    assert found.found == {"1": body("1")}
    assert isinstance(found.failed["2"], UpstreamDeadlineExceeded)


@pytest.mark.parametrize("wishes", [{"no_cache": True}, {"ncbi_api_key": "OWNKEY00"}])
def test_items__others_are_not_waited_for(desk, wishes):
    """A caller who wants new ones, or pays with a key of its own, asks for itself."""
    desk.ground.others = {KIND.key("1")}
    assert desk.look_up("1", **wishes).found == {"1": body("1")}
    assert desk.batches.pauses == 0
