"""Places are given in the order of asking, and never lost."""

import threading

import pytest

from pubmed_api.clients.places import Places


class Gone(Exception):
    pass


def refuse(event):
    raise Gone


def test_take__free_place_needs_no_waiting():
    places = Places(2)
    places.take(refuse)
    places.take(refuse)
    with pytest.raises(Gone):
        places.take(refuse)


def test_give_back__makes_it_free_again():
    places = Places(1)
    for _ in range(3):
        places.take(refuse)
        places.give_back()


def test_take__is_served_in_the_order_of_asking():
    places, order, asked = Places(1), [], threading.Semaphore(0)
    places.take(refuse)

    def wait(event):
        asked.release()
        assert event.wait(10)

    def work(number):
        places.take(wait)
        order.append(number)
        places.give_back()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
        assert asked.acquire(timeout=10)
    places.give_back()
    for thread in threads:
        thread.join(10)
    assert order == list(range(8))


def test_take__newcomer_does_not_overtake_one_to_whom_the_place_was_given():
    places = Places(1)
    places.take(refuse)

    def wait(event):
        places.give_back()
        assert event.is_set()
        with pytest.raises(Gone):
            places.take(refuse)

    places.take(wait)


def test_take__given_up_while_waiting_leaves_the_place_to_the_next():
    places = Places(1)
    places.take(refuse)
    with pytest.raises(Gone):
        places.take(refuse)
    places.give_back()
    places.take(refuse)


def test_take__given_up_in_the_moment_it_is_given_passes_it_on():
    places = Places(1)
    places.take(refuse)

    def give_up(event):
        places.give_back()
        raise Gone

    with pytest.raises(Gone):
        places.take(give_up)
    places.take(refuse)
