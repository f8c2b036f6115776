import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from pubmed_api.parsers.markup import display_text
from pubmed_api.parsers.xml import parse_xml

MATHML = 'xmlns:m="http://www.w3.org/1998/Math/MathML"'


def shown(inner: str) -> str | None:
    return display_text(parse_xml(f"<t {MATHML}>{inner}</t>".encode()))


def math(inner: str) -> str | None:
    """The text of a formula; element names come without their prefix."""
    return shown("<m:math>" + re.sub(r"<(/?)(?=\w)", r"<\1m:", inner) + "</m:math>")


def test_display_text__no_node():
    assert display_text(None) is None


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("Bald eagle (<i>Haliaeetus leucocephalus</i>) survey.", "Bald eagle (Haliaeetus leucocephalus) survey."),
        ("<i>TERT</i> promoter", "TERT promoter"),
        ("<b>a</b><u>b</u><sc>c</sc>d<em>e</em>", "abcde"),
        ("<b>a <i>b <u>c</u> d</i> e</b>", "a b c d e"),
        ("P&lt;0.001 and n&gt;5", "P<0.001 and n>5"),
        ("&amp;lt;i&amp;gt;", "&lt;i&gt;"),
    ],
)
def test_display_text__emphasis(inner, text):
    assert shown(inner) == text


@pytest.mark.parametrize("inner", ["", " \n ", "<i> </i>", "<sup/>", "<sub><i/></sub>", "<m:math/>"])
def test_display_text__blank(inner):
    assert shown(inner) is None


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("1.73 m<sup>2</sup>", "1.73 m²"),
        ("kg m<sup>−2</sup>, m<sup>-2</sup>", "kg m⁻², m⁻²"),
        ("GeneReviews<sup>&#xae;</sup> X<sup>™</sup>", "GeneReviews® X™"),
        ("x<sup>0123456789+=(n)i</sup>", "x⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁼⁽ⁿ⁾ⁱ"),
        ("x<sub>0123456789+-−=()</sub>", "x₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"),
        ("H<inf>2</inf>O, V<inf>max</inf>", "H₂O, V_max"),
        ("V<sub>max</sub> x<sub>n</sub>", "V_max x_n"),
        ("0.108<sup>a</sup> y<sup>2,3</sup>", "0.108^a y^2,3"),
        ("Ca<sup>2+</sup>/<sup>13</sup>C", "Ca²⁺/¹³C"),
    ],
)
def test_display_text__scripts(inner, text):
    assert shown(inner) == text


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("a<sup><b>n</b><i>2</i></sup>", "aⁿ²"),
        ("a<i>b<sub>2</sub></i>", "ab₂"),
        ("x<sup>-/<i>y</i></sup>", "x^-/y"),
        ("a<sup>2<sub>1</sub></sup>", "a^2₁"),
        ("a<sub>x<sup>2</sup>y</sub>z", "a_x²yz"),
        ("a<sup><sup><sup>2</sup></sup></sup>", "a^^²"),
        ("a<sup><i>b<sub>1</sub></i></sup>", "a^b₁"),
    ],
)
def test_display_text__nested_scripts(inner, text):
    assert shown(inner) == text


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("fast-acting &#946;\n\t\t<sub>2</sub>-agonist", "fast-acting β ₂-agonist"),
        ("<i>in vitro</i> and\n <i>in vivo</i> <b>x</b>", "in vitro and in vivo x"),
        ("m<sup>\n\t2\n</sup>s", "m ² s"),
        ("x <i>\n y</i>", "x y"),
        ("10&#x2009;000&#xa0;mg <b>\u3000x</b>", "10 000 mg x"),
        ("peri&#xad;pro<i>&#xad;sthetic</i>", "periprosthetic"),
    ],
)
def test_display_text__white_space_and_soft_hyphens(inner, text):
    assert shown(inner) == text


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("<mi>a</mi>\n\t<mo>=</mo>\n <mn>1</mn>", "a=1"),
        ("<msub> <mi>Cu</mi> <mn>2</mn> </msub><mi>O</mi>", "Cu₂O"),
        ("<msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup>", "xⁿ⁺¹"),
        ("<msubsup><mi>η</mi><mi>p</mi><mn>2</mn></msubsup>", "η_p²"),
        ("<msup><mi/><mn>13</mn></msup><mtext>C</mtext>", "¹³C"),
        ("<msub><mi>V</mi><msub><mi>O</mi><mn>2</mn></msub></msub>", "V_O₂"),
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", "a/b"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>", "(a+1)/b"),
        ("<mfrac><mi>a</mi><mfrac><mi>b</mi><mi>c</mi></mfrac></mfrac>", "a/(b/c)"),
        ("<msqrt><mi>n</mi></msqrt>", "√n"),
        ("<msqrt><mi>x</mi><mo>-</mo><mi>y</mi></msqrt>", "√(x-y)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "³√x"),
        ("<mi>f</mi><mfenced><mi>x</mi><mi>y</mi></mfenced>", "f(x,y)"),
        ('<mfenced open="|" close="|"><mi>x</mi></mfenced>', "|x|"),
        ("<mi>a</mi><mtext> </mtext><mi>b</mi>", "a b"),
        ("<mover><mi>V</mi><mo>.</mo></mover>", "V."),
    ],
)
def test_display_text__mathml(inner, text):
    assert math(inner) == text


@pytest.mark.parametrize(
    ("scripts", "text"),
    [
        ("<mi>He</mi><mprescripts/><none/><mn>3</mn>", "³He"),
        ("<mi>C</mi><mn>2</mn><none/><mprescripts/><mn>6</mn><mn>13</mn>", "₆¹³C₂"),
    ],
)
def test_display_text__multiscripts(scripts, text):
    assert math(f"<mmultiscripts>{scripts}</mmultiscripts>") == text


def test_display_text__formula_in_other_words_is_said_once():
    tex = '<annotation encoding="application/x-tex">\\alpha</annotation>'
    assert math(f"<semantics><mi>α</mi>{tex}</semantics>") == "α"


def test_display_text__formula_in_a_sentence():
    inner = "of <DispFormula><m:math>\n<m:mi>x</m:mi>\n</m:math></DispFormula> and <m:math><m:mi>y</m:mi></m:math>."
    assert shown(inner) == "of x and y."


def test_display_text__formula_in_script_makes_it_nested():
    assert shown("x<sup>a<m:math><m:msub><m:mi>b</m:mi><m:mn>1</m:mn></m:msub></m:math></sup>") == "x^ab₁"


def test_display_text__default_namespace_and_undeclared_prefix():
    sub = "<{0}msub><{0}mi>x</{0}mi><{0}mn>2</{0}mn></{0}msub>"
    default = '<math xmlns="http://www.w3.org/1998/Math/MathML">' + sub.format("") + "</math>"
    assert shown(default) == "x₂"
    assert shown("<mml:math>" + sub.format("mml:") + "</mml:math>") == "x₂"


@pytest.mark.parametrize("tag", ["i", "sup", "sub"])
def test_display_text__any_depth(tag):
    """Deeper than any parser allows, so the tree is built by hand; a recursive reader would give up."""
    root = node = etree.Element("t")
    for _ in range(20_000):
        node.text = "a"
        node = etree.SubElement(node, tag)
    node.text = "2"
    text = display_text(root)
    assert text.count("a") == 20_000
    assert text[-1] == {"i": "2", "sup": "²", "sub": "₂"}[tag]


WORDS = st.text(alphabet="abcßé βn i2+-\n", max_size=6)
TREES = st.recursive(
    WORDS,
    lambda inner: st.tuples(st.sampled_from(["i", "b", "u", "sc", "sup", "sub", "inf"]), st.lists(inner, max_size=4)),
    max_leaves=25,
)
SCRIPTS_BACK = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-ni0123456789+-")


def written(tree) -> str:
    if isinstance(tree, str):
        return tree
    tag, parts = tree
    return f"<{tag}>{''.join(map(written, parts))}</{tag}>"


@settings(deadline=None)
@given(st.lists(TREES, max_size=6))
def test_display_text__never_drops_a_character(trees):
    source = "".join(map(written, trees))
    plain = re.sub(r"<[^>]*>|\s", "", source)
    back = (shown(source) or "").translate(SCRIPTS_BACK)
    assert re.sub(r"[\s^_]", "", back) == plain
