"""Source lines."""

import pytest

from pubmed_api.sandbox.corpus import Corpus
from pubmed_api.sandbox.source import source_text


@pytest.mark.parametrize(
    ("pmid", "line"),
    [
        ("90000001", "J Imag Med. 2020 Mar 14;12(3):101-9. doi: 10.5555/JIM.2020.1. Epub 2020 Feb 2."),
        ("90000002", "J Imag Med. 2021 May;13(1):7-11."),
        ("90000003", "Acta Fict Cardiol. 2018 Winter;4:33-8."),
        ("90000004", "J Imag Med. 2020 Spring;12(4):200."),
        ("90000005", "Acta Fict Cardiol. 2022 Jun 26;9:e55. doi: 10.5555/afc.2022.55. eCollection 2022."),
        ("90000006", "J Imag Med. 2023 Oct 7. doi: 10.5555/jim.2023.6."),
        ("90000008", ""),
    ],
)
def test_source_text__by_publication_model(corpus: Corpus, pmid: str, line: str) -> None:
    assert source_text(corpus.entries[pmid].record) == line
