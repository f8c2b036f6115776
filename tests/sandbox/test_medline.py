"""MEDLINE text."""

import re

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.medline import medline_text

_TRIAL = [
    ("PMID", "90000001"),
    ("OWN", "NLM"),
    ("STAT", "MEDLINE"),
    ("DCOM", "20200601"),
    ("LR", "20210109"),
    ("IS", "0000-0011 (Print)"),
    ("IS", "0000-0011 (Linking)"),
    ("VI", "12"),
    ("IP", "3"),
    ("DP", "2020 Mar 14"),
    ("TI", "Inhaled stories for children with asthma."),
    ("PG", "101-9"),
    ("LID", "10.5555/JIM.2020.1 [doi]"),
    (
        "AB",
        "METHODS: Imaginary children with mild asthma heard a story. RESULTS: Fewer nights with symptoms.",
    ),
    ("FAU", "Doe, Jane A"),
    ("AU", "Doe JA"),
    ("AUID", "ORCID: 0000-0009-9999-0012"),
    ("AD", "Beispielhausen University Hospital, Utopia."),
    ("FAU", "Mustermann, Erika"),
    ("AU", "Mustermann E"),
    ("LA", "eng"),
    ("GR", "FIC-000123/Imaginary Council/Utopia"),
    ("PT", "Journal Article"),
    ("PT", "Randomized Controlled Trial"),
    ("DEP", "20200202"),
    ("PL", "Utopia"),
    ("TA", "J Imag Med"),
    ("JT", "Journal of Imaginary Medicine"),
    ("JID", "F0000001"),
    ("SB", "IM"),
    ("CIN", "J Imag Med. 2020;12(4):200. PMID: 90000004"),
    ("MH", "Asthma/*drug therapy"),
    ("MH", "Child"),
    ("MH", "Humans"),
    ("OTO", "NOTNLM"),
    ("OT", "bedtime stories"),
    ("PMC", "PMC90000001"),
    ("EDAT", "2020/03/15 06:00"),
    ("MHDA", "2020/06/01 06:00"),
    ("CRDT", "2020/03/14 06:00"),
    ("PHST", "2020/03/14 06:00 [entrez]"),
    ("PHST", "2020/03/15 06:00 [pubmed]"),
    ("PHST", "2020/06/01 06:00 [medline]"),
    ("AID", "10.5555/JIM.2020.1 [doi]"),
    ("PST", "ppublish"),
    ("SO", "J Imag Med. 2020 Mar 14;12(3):101-9. doi: 10.5555/JIM.2020.1. Epub 2020 Feb 2."),
]


def _fields(corpus: Corpus, pmid: str) -> list[tuple[str, str]]:
    """Tags and values, continuation lines joined."""
    text = medline_text([corpus.entries[pmid].record])
    joined = re.sub(r"\n {6}", " ", text).strip().splitlines()
    return [(line[:4].strip(), line[6:]) for line in joined]


def test_medline_text__article(corpus: Corpus) -> None:
    assert _fields(corpus, "90000001") == _TRIAL


def test_medline_text__major_descriptor_vernacular_title_and_group(corpus: Corpus) -> None:
    assert ("MH", "*Asthma/genetics") in _fields(corpus, "90000002")
    assert ("TT", "Bluthochdruck in erfundenen Städten") in _fields(corpus, "90000003")
    letter = _fields(corpus, "90000004")
    assert ("CN", "Nowhere Reading Group") in letter
    assert ("CON", "J Imag Med. 2020 Mar 14;12(3):101-9. PMID: 90000001") in letter
    assert not [tag for tag, _ in letter if tag in ("FAU", "AB", "MH")]


def test_medline_text__chapter(corpus: Corpus) -> None:
    assert _fields(corpus, "90000007")[:14] == [
        ("PMID", "90000007"),
        ("STAT", "Publisher"),
        ("CTDT", "20060215"),
        ("DRDT", "20241219"),
        ("PB", "University of Nowhereland"),
        ("DP", "1993"),
        ("TI", "Cough of the IMAG1 type"),
        ("BTI", "ImagReviews®"),
        ("ISBN", "0000999010"),
        ("AB", "DIAGNOSIS: Reading on."),
        ("FED", "Example, Erika E"),
        ("ED", "Example EE"),
        ("FAU", "Hong, Gildong"),
        ("AU", "Hong G"),
    ]
    assert ("AID", "NBK99900007 [bookaccession]") in _fields(corpus, "90000007")


def test_medline_text__long_lines_go_on_after_six_spaces(corpus: Corpus) -> None:
    lines = medline_text([corpus.entries["90000001"].record]).splitlines()
    assert max(map(len, lines)) <= 80
    abstract = next(place for place, line in enumerate(lines) if line.startswith("AB  - "))
    assert re.match(r" {6}\S", lines[abstract + 1])


def test_medline_text__records_are_apart_by_a_blank_line(corpus: Corpus) -> None:
    text = medline_text(corpus.entries[pmid].record for pmid in ("90000001", "90000002"))
    first, second = text.split("\n\n")
    assert first.startswith("\nPMID- 90000001\n")
    assert second.startswith("PMID- 90000002\n")
    assert text.endswith("\n")
    assert medline_text([]) == ""
