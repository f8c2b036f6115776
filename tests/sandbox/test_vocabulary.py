"""Narrower terms and entry terms."""

from pubmed_api.sandbox.vocabulary import heading_for, is_entry_term, with_narrower


def test_with_narrower__goes_down_every_level() -> None:
    assert with_narrower("animals") >= {"animals", "humans", "mice", "mice inbred c57bl"}
    assert "randomized controlled trial" in with_narrower("clinical trial")
    assert with_narrower("asthma") == {"asthma"}


def test_heading_for__entry_term_and_heading() -> None:
    assert heading_for("heart attack") == "myocardial infarction"
    assert heading_for("asthma") == "asthma"
    assert is_entry_term("cancer")
    assert not is_entry_term("asthma")
