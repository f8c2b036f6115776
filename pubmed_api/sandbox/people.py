"""People and groups of a record: authors, editors, investigators."""

from collections.abc import Iterable
from dataclasses import dataclass

from lxml.etree import _Element

from pubmed_api.sandbox.text import plain_text


@dataclass(frozen=True, slots=True)
class Person:
    """A person, or a group where ``collective`` is set; parts that are not given are empty."""

    last: str = ""
    fore: str = ""
    initials: str = ""
    suffix: str = ""
    collective: str = ""
    affiliations: tuple[str, ...] = ()
    identifiers: tuple[tuple[str, str], ...] = ()

    @property
    def short_name(self) -> str:
        """``Smith JA Jr``, or the name of the group."""
        return self.collective or " ".join(part for part in (self.last, self.initials, self.suffix) if part)

    @property
    def full_name(self) -> str:
        """``Smith, Jane A Jr``, or the name of the group."""
        given = " ".join(part for part in (self.fore, self.suffix) if part)
        return self.collective or ", ".join(part for part in (self.last, given) if part)


def read_person(node: _Element) -> Person:
    """Read an ``Author``, ``Investigator`` or ``PersonalNameSubject``."""
    texts = {
        name: plain_text(node.find(tag))
        for name, tag in (
            ("last", "LastName"),
            ("fore", "ForeName"),
            ("initials", "Initials"),
            ("suffix", "Suffix"),
            ("collective", "CollectiveName"),
        )
    }
    return Person(
        **texts,
        affiliations=tuple(plain_text(found) for found in node.findall("AffiliationInfo/Affiliation")),
        identifiers=tuple((found.get("Source", ""), plain_text(found)) for found in node.findall("Identifier")),
    )


def read_people(lists: Iterable[_Element]) -> tuple[Person, ...]:
    """Read lists of people in order; entries marked invalid are left out."""
    return tuple(
        read_person(node)
        for people in lists
        for node in people.iterchildren("Author", "Investigator", "PersonalNameSubject")
        if node.get("ValidYN") != "N"
    )
