import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubmed_api.operations.fetch_articles.ledger import Ledger, fill

SIZES = (100, 300, 50)


def size(item):
    return item


@pytest.mark.parametrize(
    ("ceiling", "ledger"),
    [
        (250, Ledger(kept=(100,), deferred=(300, 50), kept_characters=100, next_characters=300)),
        (50, Ledger(kept=(), deferred=(100, 300, 50), kept_characters=0, next_characters=100)),
        (400, Ledger(kept=(100, 300), deferred=(50,), kept_characters=400, next_characters=50)),
        (449, Ledger(kept=(100, 300), deferred=(50,), kept_characters=400, next_characters=50)),
        (450, Ledger(kept=SIZES, deferred=(), kept_characters=450, next_characters=None)),
    ],
)
def test_fill__ceiling(ceiling, ledger):
    assert fill(SIZES, ceiling, size) == ledger


def test_fill__nothing_to_fill_with():
    assert fill((), 1, size) == Ledger(kept=())


def test_fill__what_waits_is_not_measured():
    measured = []

    def measure(item):
        measured.append(item)
        return item

    fill((10, 20, 30, 40), 15, measure)
    assert measured == [10, 20]


@given(st.lists(st.integers(1, 1000), max_size=30), st.integers(1, 10_000))
def test_fill__any_sizes(sizes, ceiling):
    ledger = fill(sizes, ceiling, size)
    assert list(ledger.kept + ledger.deferred) == sizes
    assert sum(ledger.kept) == ledger.kept_characters <= ceiling
    if ledger.deferred:
        assert ledger.next_characters == ledger.deferred[0]
        assert ledger.kept_characters + ledger.next_characters > ceiling
    else:
        assert ledger.next_characters is None


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=30))
def test_fill__the_size_of_the_next_makes_progress(sizes):
    """Following the answer's own advice ends with every item returned."""
    rounds, waiting, ceiling = 0, sizes, 1
    while waiting:
        ledger = fill(waiting, ceiling, size)
        waiting, ceiling = list(ledger.deferred), ledger.next_characters or ceiling
        rounds += 1
    assert rounds <= len(sizes) + 1
