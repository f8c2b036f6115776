"""Reading a corpus from a folder."""

import threading
from pathlib import Path

import pytest

from pubmed_api.sandbox.corpus import Corpus, LazyCorpus, read_folder

_RECORD = "<PubmedArticle><MedlineCitation><PMID>{}</PMID><Article/></MedlineCitation></PubmedArticle>"


def test_corpus__look_ups(corpus: Corpus) -> None:
    assert len(corpus) == 8
    assert corpus.record("90000001") is not None
    assert corpus.record("99999999") is None
    assert corpus.by_pmcid["PMC90000005"].pmid == "90000005"
    assert corpus.by_doi["10.5555/jim.2020.1"].pmid == "90000001"
    assert corpus.headings == {"asthma", "child", "humans", "animals", "mice", "stroke", "hypertension"}
    assert corpus.journal_ids["acta fict cardiol"] == ("Acta Fict Cardiol", "F0000002")


def test_read_folder__of_an_empty_folder(tmp_path: Path) -> None:
    assert list(read_folder(tmp_path)) == []


def test_read_folder__names_the_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "broken.xml").write_text("<PubmedArticleSet>", "utf-8")
    with pytest.raises(ValueError, match=r"broken\.xml"):
        list(read_folder(tmp_path))


def test_corpus__refuses_a_pmid_twice(tmp_path: Path) -> None:
    body = _RECORD.format(90000099) * 2
    (tmp_path / "twice.xml").write_text(f"<PubmedArticleSet>{body}</PubmedArticleSet>", "utf-8")
    with pytest.raises(ValueError, match="90000099"):
        Corpus(read_folder(tmp_path))


def test_lazy_corpus__is_read_once_by_many_threads(folder: Path) -> None:
    library = LazyCorpus(folder)
    seen: list[Corpus] = []
    threads = [threading.Thread(target=lambda: seen.append(library.load())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert {id(found) for found in seen} == {id(library.load())}
