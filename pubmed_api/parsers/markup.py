"""Inline markup of titles and abstracts as display text.

Emphasis vanishes. A superscript or subscript is written in Unicode's script characters where all of it can be
(``m²``), else behind ``^`` or ``_`` (``V_max``). MathML becomes one line (``a/b``, ``√x``, ``³He``). All other
text is kept in document order, with nothing put between elements. What only serves typesetting goes too: soft
hyphens, and every white space that is not the plain one (no-break, thin), so that words can be found and compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import TypeAlias

from pubmed_api.parsers.xml import Element


class _Role(Enum):
    """How a piece of content is written: a term takes brackets where it holds an operator."""

    PLAIN = ""
    SUPERSCRIPT = "^"
    SUBSCRIPT = "_"
    TERM = "("
    FENCED = "fenced"


_Step: TypeAlias = "str | tuple[Iterator[_Step], _Role]"
"""Text to write, or content that is written by its own steps and signed as a whole."""

_SCRIPT_CHARACTERS = {
    _Role.SUPERSCRIPT: str.maketrans("0123456789+-−=()ni®™", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ®™"),
    _Role.SUBSCRIPT: str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"),
}
_INLINE_ROLES = {"sup": _Role.SUPERSCRIPT, "sub": _Role.SUBSCRIPT, "inf": _Role.SUBSCRIPT}
_MATH_ROLES = {
    "msub": (_Role.PLAIN, _Role.SUBSCRIPT),
    "msup": (_Role.PLAIN, _Role.SUPERSCRIPT),
    "msubsup": (_Role.PLAIN, _Role.SUBSCRIPT, _Role.SUPERSCRIPT),
}
_MATH_TOKENS = frozenset({"mi", "mn", "mo", "ms", "mtext", "cn", "ci"})
_OPERATORS = frozenset("+-−±∓×·⋅*/÷=<>≤≥")
_SOFT_HYPHEN = "\u00ad"
_XML_SPACE = " \t\r\n"


@dataclass(slots=True)
class _Frame:
    """Content being written: it starts after place ``slot`` of the output, which is kept free for a sign."""

    steps: Iterator[_Step]
    role: _Role
    slot: int
    holds_script: bool = False
    holds_operator: bool = False


def display_text(node: Element | None) -> str | None:
    """The text of ``node`` as shown to a reader; ``None`` when it has none.

    It takes time in proportion to the text and keeps its own stack, however deep the markup goes.
    """
    if node is None:
        return None
    if len(node) == 0:
        return tidy(node.text or "")
    out = [""]
    stack = [_Frame(_steps(node), _Role.PLAIN, 0)]
    while stack:
        step = next(stack[-1].steps, None)
        if step is None:
            _close(stack, out)
        elif isinstance(step, str):
            out.append(step)
            stack[-1].holds_operator |= step.strip() in _OPERATORS
        else:
            out.append("")
            stack.append(_Frame(*step, len(out) - 1))
    return tidy("".join(out))


def tidy(text: str) -> str | None:
    """The text without soft hyphens, each run of white space as one plain space; ``None`` when none is left."""
    return " ".join(text.replace(_SOFT_HYPHEN, "").split()) or None


def _close(stack: list[_Frame], out: list[str]) -> None:
    """Sign the finished content, and tell what is around it what it held."""
    frame = stack.pop()
    is_script = frame.role in _SCRIPT_CHARACTERS
    if is_script:
        _sign_script(frame, out)
    elif frame.role is _Role.TERM and frame.holds_operator:
        out[frame.slot] = "("
        out.append(")")
    if stack:
        stack[-1].holds_script |= is_script or frame.holds_script
        stack[-1].holds_operator |= frame.holds_operator and frame.role not in (_Role.TERM, _Role.FENCED)


def _sign_script(frame: _Frame, out: list[str]) -> None:
    """Write all of it in script characters, or a sign before it; a script that holds a script takes the sign.

    Only innermost scripts are put together here, so no text is read more than twice. Outer white space
    (pretty-printing) is neither: it stays where it was.
    """
    if frame.holds_script:
        out[frame.slot] = frame.role.value
        return
    whole = "".join(out[frame.slot :])
    content = whole.strip()
    start = whole.find(content)
    characters = _SCRIPT_CHARACTERS[frame.role]
    if all(ord(character) in characters for character in content):
        written = content.translate(characters)
        frame.holds_operator = False
    else:
        written = frame.role.value + content
    out[frame.slot :] = [whole[:start], written, whole[start + len(content) :]]


def _steps(node: Element) -> Iterator[_Step]:
    return _math_steps(node) if _local_name(node) == "math" else _inline_steps(node)


def _inline_steps(node: Element) -> Iterator[_Step]:
    yield node.text or ""
    for child in node:
        yield _steps(child), _INLINE_ROLES.get(_local_name(child), _Role.PLAIN)
        yield child.tail or ""


def _math_steps(node: Element) -> Iterator[_Step]:
    """A MathML element in reading order, with the signs that its layout stands for.

    White space alone is only formatting between elements, but content in a token (``<mtext> </mtext>``).
    """
    name = _local_name(node)
    yield (node.text or "") if name in _MATH_TOKENS else _unless_blank(node.text)
    match name:
        case "mfrac":
            yield from _separated(node, "/", _Role.TERM)
        case "msqrt":
            yield "√"
            yield chain.from_iterable(_math_child(child) for child in node), _Role.TERM
        case "mroot":
            yield from _root_steps(list(node))
        case "mmultiscripts":
            yield from _multiscript_steps(list(node))
        case "mfenced":
            yield node.get("open", "(")
            yield _separated(node, node.get("separators", ",").strip()[:1], _Role.PLAIN), _Role.FENCED
            yield node.get("close", ")")
        case "semantics":
            # The further children say the same again, in TeX or in Content MathML.
            yield from chain.from_iterable(_math_child(child) for child in node[:1])
        case _:
            roles = _MATH_ROLES.get(name, ())
            for place, child in enumerate(node):
                yield from _math_child(child, roles[place] if place < len(roles) else None)


def _math_child(node: Element, role: _Role | None = None) -> Iterator[_Step]:
    yield _math_steps(node), role or _INLINE_ROLES.get(_local_name(node), _Role.PLAIN)
    yield _unless_blank(node.tail)


def _separated(node: Element, separator: str, role: _Role) -> Iterator[_Step]:
    for place, child in enumerate(node):
        if place:
            yield separator
        yield from _math_child(child, role)


def _root_steps(children: list[Element]) -> Iterator[_Step]:
    """``<mroot>`` holds what is under the root, then the degree: ``³√x``."""
    for degree in children[1:]:
        yield from _math_child(degree, _Role.SUPERSCRIPT)
    yield "√"
    for base in children[:1]:
        yield from _math_child(base, _Role.TERM)


def _multiscript_steps(children: list[Element]) -> Iterator[_Step]:
    """``<mmultiscripts>`` holds a base, scripts after it, and behind ``<mprescripts/>`` the scripts before it.

    Scripts come in pairs, the lower first; an absent one is ``<none/>``.
    """
    names = [_local_name(child) for child in children]
    end = names.index("mprescripts") if "mprescripts" in names else len(children)
    yield from _script_pairs(children[end + 1 :])
    for base in children[:1]:
        yield from _math_child(base)
    yield from _script_pairs(children[1:end])


def _script_pairs(children: list[Element]) -> Iterator[_Step]:
    for place, child in enumerate(children):
        yield from _math_child(child, _Role.SUPERSCRIPT if place % 2 else _Role.SUBSCRIPT)


def _unless_blank(text: str | None) -> str:
    return text if text and text.strip(_XML_SPACE) else ""


def _local_name(node: Element) -> str:
    """The name without namespace or prefix: an undeclared ``mml:`` stays in the tag."""
    return str(node.tag).rpartition("}")[2].rpartition(":")[2]
