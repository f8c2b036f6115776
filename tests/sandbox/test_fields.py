"""Search fields and their tags."""

import pytest

from pubmed_api.sandbox.fields import FIELDS, field_named, find_field, is_reported_unknown


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("ti", "TITL"),
        ("Title/Abstract", "TIAB"),
        ("tw", "WORD"),
        ("all", "ALL"),
        ("1AU", "FAUT"),
        ("Author - First", "FAUT"),
        ("jour", "JOUR"),
        (" MeSH  Terms ", "MESH"),
        ("mesh", "MESH"),
        ("dp", "PDAT"),
        ("Date - Entry", "EDAT"),
        ("pmid", "UID"),
        ("doi", "PID"),
        ("lang", "LANG"),
        ("sb", "FILT"),
        ("Grant Number", "GRNT"),
    ],
)
def test_find_field__short_and_long_tags(tag: str, name: str) -> None:
    use = find_field(tag)
    assert use is not None
    assert use.field.name == name


def test_find_field__modes() -> None:
    closed, near = find_field("mh:noexp"), find_field("tiab:~2")
    assert closed is not None
    assert not closed.explode
    assert near is not None
    assert near.distance == 2


@pytest.mark.parametrize("tag", ["foo", "tiabb", "mh:~3", "au:noexp", "18F", ""])
def test_find_field__unknown(tag: str) -> None:
    assert find_field(tag) is None


@pytest.mark.parametrize(
    ("tag", "reported"), [("Titel", True), ("jungle", True), ("foo", False), ("tiabb", False), ("mh:~3", False)]
)
def test_is_reported_unknown__words_but_not_slips(tag: str, *, reported: bool) -> None:
    assert is_reported_unknown(tag) is reported


def test_fields__are_the_50_of_pubmed_each_once() -> None:
    names = [field.name for field in FIELDS]
    assert len(names) == len(set(names)) == 50
    assert field_named("tiab").full_name == "Title/Abstract"
