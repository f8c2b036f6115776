import pytest

from pubmed_api.parsers.pubmed.abstract import parse_abstract


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("<AbstractText>One <i>two</i> 1.73 m<sup>2</sup>.</AbstractText>", "One two 1.73 m²."),
        (
            '<AbstractText Label=" AIM " NlmCategory="OBJECTIVE"> To see. </AbstractText>'
            "<AbstractText>Plain.</AbstractText>"
            '<AbstractText Label="RESULTS">Seen.</AbstractText>',
            "AIM: To see.\n\nPlain.\n\nRESULTS: Seen.",
        ),
        ('<AbstractText Label="AIM"/><AbstractText>Only.</AbstractText>', "Only."),
        ('<AbstractText Label="">Bare.</AbstractText>', "Bare."),
        ("<AbstractText>Yes.</AbstractText><CopyrightInformation>Us.</CopyrightInformation>", "Yes."),
        ("<AbstractText>One\n\t two</AbstractText>", "One two"),
        ("<AbstractText/>", None),
        ("", None),
    ],
)
def test_abstract(node, inner, text):
    assert parse_abstract(node(f"<Abstract>{inner}</Abstract>")) == text


def test_abstract__none():
    assert parse_abstract(None) is None
