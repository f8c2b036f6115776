"""Authors and investigators, with the affiliations they share."""

import re

from pubmed_api.models.article import Author
from pubmed_api.parsers.markup import display_text
from pubmed_api.parsers.xml import Element, attribute, every, first, text_of

_ORCID = re.compile(
    r"(?<![0-9])([0-9]{4})\W?([0-9]{4})\W?([0-9]{4})\W?([0-9]{3}[0-9Xx])/?\Z",
)


class Affiliations:
    """The affiliations of a record, each text once, in order of first use.

    One list serves authors and then investigators, so that no author's index ever changes.
    """

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def texts(self, start: int = 0) -> tuple[str, ...]:
        """The texts from place ``start`` on."""
        return tuple(self._places)[start:]

    def indices_of(self, person: Element) -> tuple[int, ...]:
        """The 0-based places of a person's affiliations, new ones added at the end; each place once."""
        texts = (display_text(node) for node in every(person, "AffiliationInfo/Affiliation"))
        places = (self._places.setdefault(text, len(self._places)) for text in texts if text is not None)
        return tuple(dict.fromkeys(places))


def parse_authors(article: Element | None, affiliations: Affiliations) -> tuple[Author, ...]:
    """The authors of an ``<Article>``, persons and groups in one order; fills ``affiliations`` with theirs."""
    lists = (node for node in every(article, "AuthorList") if attribute(node, "Type") != "editors")
    return _people([author for node in lists for author in every(node, "Author")], affiliations)


def parse_investigators(citation: Element | None, affiliations: Affiliations) -> tuple[Author, ...]:
    """The members of a group author: every ``<InvestigatorList>`` of a ``<MedlineCitation>``, uncapped."""
    return _people(every(citation, "InvestigatorList/Investigator"), affiliations)


def _people(nodes: list[Element], affiliations: Affiliations) -> tuple[Author, ...]:
    """Those with a name. ``ValidYN="N"`` is NLM's mark of a form of a name that a later one supersedes."""
    valid = (node for node in nodes if attribute(node, "ValidYN") != "N")
    people = (parse_author(node, affiliations) for node in valid)
    return tuple(person for person in people if person is not None)


def parse_author(node: Element, affiliations: Affiliations) -> Author | None:
    """A group with its whole name, or a person with the name parts there are; ``None`` when nobody is named."""
    group = display_text(first(node, "CollectiveName"))
    if group is not None:
        return Author(collective_name=group, orcid=parse_orcid(node), affiliation_indices=affiliations.indices_of(node))
    names = ("LastName", "ForeName", "Initials", "Suffix")
    last_name, first_name, initials, suffix = (display_text(first(node, name)) for name in names)
    if last_name is None and first_name is None and initials is None:
        return None
    return Author(
        last_name=last_name,
        first_name=first_name,
        initials=initials,
        suffix=suffix,
        orcid=parse_orcid(node),
        affiliation_indices=affiliations.indices_of(node),
    )


def parse_orcid(node: Element) -> str | None:
    """The first ORCID of a person, as ``dddd-dddd-dddd-dddX``.

    Publishers deposit it bare, as an address, without hyphens or with typographic ones, and with a small ``x``.
    What holds no ORCID is left out.
    """
    for identifier in every(node, "Identifier"):
        if (attribute(identifier, "Source") or "").upper() == "ORCID":
            match = _ORCID.search(text_of(identifier) or "")
            if match is not None:
                return "-".join(match.groups()).upper()
    return None
