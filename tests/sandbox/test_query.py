"""The query language."""

import pytest

from pubmed_api.sandbox.query import Boolean, DateRange, Node, Term, parse_query


def _text(node: Node | None) -> str:
    """A tree with every parenthesis written."""
    if isinstance(node, Boolean):
        return f"({_text(node.left)} {node.operator} {_text(node.right)})"
    if isinstance(node, DateRange):
        return f"{node.low}..{node.high}[{node.tag}]"
    assert isinstance(node, Term)
    quote = '"' if node.quoted else ""
    return f"{quote}{node.text}{quote}" + (f"[{node.tag}]" if node.tag else "")


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("asthma", "asthma"),
        ("mild asthma", "mild asthma"),
        ("a1 AND b1 OR c1 NOT d1", "(((a1 AND b1) OR c1) NOT d1)"),
        ("a1 AND (b1 OR c1)", "(a1 AND (b1 OR c1))"),
        ("a1 & b1 | c1", "((a1 AND b1) OR c1)"),
        ("a1 or b1", "a1 or b1"),
        ('"mild asthma"[ti] asthma', '("mild asthma"[ti] AND asthma)'),
        ("asthma [foo]", "asthma[foo]"),
        ("asthma[ti]copd", "asthma[ti]copd"),
        ("asthma[ti]AND copd", "(asthma[ti] AND copd)"),
        ("mild asthma[tiab] stories[ti]", "(mild asthma[tiab] AND stories[ti])"),
        ("“mild asthma”", '"mild asthma"'),
    ],
)
def test_parse_query__operators_tags_and_quotes(query: str, tree: str) -> None:
    assert _text(parse_query(query)) == tree


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("2020:2021[pdat]", "2020..2021[pdat]"),
        ("(2020/01[pdat] : 2021[pdat])", "2020/01..2021[pdat]"),
        ('"2020/01/01"[Date - Publication] : "3000"[Date - Publication]', "2020/01/01..3000[Date - Publication]"),
        ("asthma 2020:2021[edat]", "(asthma AND 2020..2021[edat])"),
        ("asthma 2020[dp]", "(asthma AND 2020[dp])"),
        ("ratio 2000:2001", "((ratio AND 2000) AND 2001)"),
        ("10.5555/x:y", "(10.5555/x AND y)"),
    ],
)
def test_parse_query__dates(query: str, tree: str) -> None:
    assert _text(parse_query(query)) == tree


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("benzo[a]pyrene", "benzo[a]pyrene"),
        ("[18F]FDG", "[18F]FDG"),
        ('"[18F]FDG"[tiab]', '"[18F]FDG"[tiab]'),
        ("Front Endocrinol (Lausanne)[JO]", "Front Endocrinol Lausanne[JO]"),
        ("(asthma)[tiab]", "asthma[tiab]"),
        ("(asthma OR copd)[tiab]", "(asthma OR copd)"),
    ],
)
def test_parse_query__brackets_and_parentheses_in_names(query: str, tree: str) -> None:
    assert _text(parse_query(query)) == tree


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("(asthma AND (copd", "(asthma AND copd)"),
        ("asthma) AND copd", "(asthma AND copd)"),
        ('asthma "copd', "asthma copd"),
        ("AND asthma OR", "asthma"),
        ("asthma AND AND copd", "(asthma AND copd)"),
        ("[ti] asthma", "asthma"),
        ("() asthma", "asthma"),
    ],
)
def test_parse_query__faults_are_passed_over(query: str, tree: str) -> None:
    assert _text(parse_query(query)) == tree


@pytest.mark.parametrize("query", ["", "  ", "()", "((", "[pdat]", '""', '""""', "AND", "NOT", "\u200b", "-", ":"])
def test_parse_query__nothing_to_search_for(query: str) -> None:
    assert parse_query(query) is None
