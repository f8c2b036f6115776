"""Merged calls over a scripted upstream: callers on threads of their own, and a way to have them come together."""

import threading
import time

from pubmed_api.clients.adapter import Upstream
from pubmed_api.clients.batches import Batches
from pubmed_api.clients.eutils_answer import read_eutils_answer
from pubmed_api.clients.exchange import Exchange, Question
from pubmed_api.clients.items import Item
from pubmed_api.clients.limiter import Limiter
from pubmed_api.clients.retry import RetryLoop, RetryPolicy
from pubmed_api.clients.split import split_records
from pubmed_api.clients.turns import Turns
from pubmed_api.clients.wire import Answer
from pubmed_api.models.call import Call, current_call, open_call

# For what must happen, and on a busy machine may take its time.
LONG = 20.0


def record(pmid):
    """A record; there is none for a PMID that begins with 99."""
    return f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID></MedlineCitation></PubmedArticle>"


def wait_for(condition):
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


class Transport:
    """Answers with the records asked for, unless ``answer(ids)`` gives an answer or an error; ``asked`` has what came.

    While ``open`` is not set every request is under way.
    """

    def __init__(self):
        self.asked, self.posts, self.keys = [], [], []
        self.answer = lambda ids: None
        self.open = threading.Event()
        self.open.set()

    def exchange(self, request, sent, seconds, **options):
        ids = sent.params["id"].split(",")
        self.asked.append(ids)
        self.posts.append(request.method == "POST")
        self.keys.append(sent.params.get("api_key"))
        assert self.open.wait(LONG)
        other = self.answer(ids)
        if isinstance(other, Exception):
            raise other
        known = "".join(record(pmid) for pmid in ids if not pmid.startswith("99"))
        return other or Answer(200, {}, f"<PubmedArticleSet>{known}</PubmedArticleSet>".encode())


def refuse(*bad):
    """Refuse every request with one of these ids."""
    refusal = Answer(400, {}, b"<eFetchResult><ERROR>Bad id</ERROR></eFetchResult>")
    return lambda ids: refusal if set(bad) & set(ids) else None


def break_down(*bad):
    """Fail, as a server does, on every request with one of these ids."""
    return lambda ids: Answer(500, {}, b"") if set(bad) & set(ids) else None


class Caller(threading.Thread):
    """A call on a thread of its own: ``outcomes`` when it came back, ``error`` if it raised."""

    def __init__(self, batches, *ids, key=None, seconds=60.0, post_from=100):
        super().__init__(daemon=True)
        self.batches, self.ids, self.post_from = batches, ids, post_from
        self.gone = False
        deadlines = {"ncbi": time.monotonic() + seconds}
        self.call = Call(cancelled=lambda: self.gone, ncbi_api_key=key, deadlines=deadlines)
        self.outcomes = self.error = None
        self.start()

    def run(self):
        with open_call(self.call):
            try:
                self.outcomes = self.batches.fetch({one: one for one in self.ids}, post_from=self.post_from)
            except BaseException as error:
                self.error = error

    def result(self):
        self.join(LONG)
        assert not self.is_alive(), "the call hangs"
        return self.outcomes

    def found(self):
        """Whether it has every record, and nothing else."""
        return self.result() == {one: Item(record(one).encode()) for one in self.ids}

    def failures(self):
        """The kinds of the errors that it has for its ids; every id has one."""
        outcomes = self.result()
        assert all(isinstance(outcomes[one], Exception) for one in self.ids), outcomes
        return {type(error) for error in outcomes.values()}


class Merging:
    """Batches over a scripted transport, paced so that nobody waits."""

    def __init__(self, folder):
        self._folder = folder
        self.transport = Transport()
        self.kept = []
        self.batches = None

    def build(self, retries=0, rate=1000.0):
        policy = RetryPolicy(retries, 30_000, 60_000)
        retry = RetryLoop(policy, Turns(Limiter(self._folder / "slots", rate), 8))
        exchange = Exchange(Upstream("ncbi", read_eutils_answer), retry, self.transport)
        self.batches = Batches(exchange, _ask, split_records, self.kept.append)
        return self.batches

    def call(self, *ids, **options):
        return Caller(self.batches, *ids, **options)

    def waiting(self):
        """How many ids are waited for, counted for every caller."""
        return sum(len(entry.tickets) for entry in list(self.batches._gathering._entries.values()))

    def join(self, *ids, **options):
        """A caller that has come, and waits."""
        before = self.waiting()
        caller = self.call(*ids, **options)
        wait_for(lambda: self.waiting() == before + len(ids))
        return caller

    def crowd(self, *calls, **options):
        """Callers who came while another's request is under way. They go out when ``transport.open`` is set."""
        self.transport.open.clear()
        self.call("90009999", **options)
        wait_for(lambda: len(self.transport.asked) == 1)
        callers = [self.join(*ids, **options) for ids in calls]
        self.transport.asked.clear()
        self.transport.posts.clear()
        return callers


def _ask(ids, post):
    key = current_call().ncbi_api_key
    params = {"db": "pubmed", "retmode": "xml", "id": ",".join(ids), **({"api_key": key} if key else {})}
    return Question("POST" if post else "GET", "http://eutils.test/efetch.fcgi", params)
