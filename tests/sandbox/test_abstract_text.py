"""Abstract text."""

from pubmed_api.sandbox.abstract_text import abstract_text
from pubmed_api.sandbox.corpus import Corpus


def test_abstract_text__article(corpus: Corpus) -> None:
    assert abstract_text([corpus.entries["90000005"].record]) == (
        "1. Acta Fict Cardiol. 2022 Jun 26;9:e55. doi: 10.5555/afc.2022.55. eCollection\n2022.\n\n"
        "Stroke and blood pressure in people who do not exist.\n\n"
        "Voorbeeld P\n\n"
        "An invented cohort of readers with high blood pressure.\n\n"
        "DOI: 10.5555/afc.2022.55\nPMCID: PMC90000005\nPMID: 90000005\n"
    )


def test_abstract_text__books_are_numbered_on(corpus: Corpus) -> None:
    text = abstract_text(corpus.entries[pmid].record for pmid in ("90000007", "90000008"))
    assert text.startswith("1. ImagReviews® 1993\n\nCough of the IMAG1 type\n\nHong G\n\n")
    assert "\n\n\n2. A Handbook of Imaginary Medicine 2011\n\n" in text
