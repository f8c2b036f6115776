"""ESpell: a query with its words put right."""

import re
from collections.abc import Iterable

from lxml.etree import _Element
from werkzeug.wrappers import Response

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.eutils import DATABASE, Parameters, element, xml_answer
from pubmed_api.sandbox.medical_words import WORDS
from pubmed_api.sandbox.text import words

ROOT = "eSpellResult"
_MAX_EDITS = 2
# Short words have too many neighbours: one edit for every three letters.
_LETTERS_PER_EDIT = 3
# Field tags, and words that go on with a digit, a hyphen or an asterisk, are not looked at.
_PIECE = re.compile(r"\[[^\]]*\]|(?<![\w-])[^\W\d_]{4,}(?![\w*-])")


def espell(parameters: Parameters, corpus: Corpus) -> Response:
    """Answer with the corrected query, empty where nothing is to correct; it is in lower case, as NCBI's is.

    The answer always carries an empty ``ERROR``, as the real one does.
    """
    query = parameters.get("term", "")
    pieces = _spelled(query, corpus)
    corrected = "".join(text for _, text in pieces).lower() if len(pieces) > 1 else ""
    return xml_answer(
        element(
            ROOT,
            [
                element("Database", DATABASE),
                element("Query", query),
                element("CorrectedQuery", corrected),
                element("SpelledQuery", _piece_elements(pieces) if corrected else ""),
                element("ERROR"),
            ],
        )
    )


def _piece_elements(pieces: Iterable[tuple[str, str]]) -> list[_Element]:
    return [element(tag, text) for tag, text in pieces]


def _spelled(query: str, corpus: Corpus) -> list[tuple[str, str]]:
    """The query in turns of ``Original`` text and ``Replaced`` words; an original piece leads, even empty."""
    pieces: list[tuple[str, str]] = []
    done = 0
    for match in _PIECE.finditer(query):
        better = None if match.group().startswith("[") else suggest(match.group(), corpus)
        if better is not None:
            pieces += [("Original", query[done : match.start()]), ("Replaced", better)]
            done = match.end()
    rest = query[done:]
    return [*pieces, ("Original", rest)] if rest or not pieces else pieces


def suggest(word: str, corpus: Corpus) -> str | None:
    """The known word next to a misspelt one, at most two edits away; ``None`` for known and hopeless words.

    Of equally near words the one more frequent in the corpus is taken, then the first of the alphabet.
    """
    wanted = "".join(words(word))
    counts = corpus.word_counts
    if wanted in counts or wanted in WORDS or any(wanted in entry.vocabulary.get("ALL", ()) for entry in corpus):
        return None
    limit = min(_MAX_EDITS, len(wanted) // _LETTERS_PER_EDIT)
    near = [
        (distance, -counts[known], known)
        for known in counts.keys() | WORDS
        if known.isalpha() and abs(len(known) - len(wanted)) <= limit
        if (distance := edit_distance(wanted, known, limit)) <= limit
    ]
    return min(near)[2] if near else None


def edit_distance(left: str, right: str, limit: int) -> int:
    """How many letters to insert, drop, change or swap with the next; more than ``limit`` is ``limit + 1``."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for place, letter in enumerate(left):
        above, row = row, [place + 1]
        for column, other in enumerate(right):
            cost = min(above[column + 1] + 1, row[column] + 1, above[column] + (letter != other))
            swapped = place and column and letter == right[column - 1] and left[place - 1] == other
            row.append(min(cost, before[column - 1] + 1) if swapped else cost)
        if min(row) > limit:
            return limit + 1
        before = above
    return min(row[-1], limit + 1)
