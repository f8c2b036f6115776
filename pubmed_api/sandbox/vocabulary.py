"""The little of MeSH that searches here know: what stands below a heading, and other words for it."""

_NARROWER = {
    "adult": ("aged", "middle aged", "young adult"),
    "animals": ("humans", "mice"),
    "cardiovascular diseases": ("heart failure", "hypertension", "myocardial infarction", "stroke"),
    "child": ("child preschool",),
    "clinical study": ("clinical trial", "observational study"),
    "clinical trial": (
        "adaptive clinical trial",
        "clinical trial phase i",
        "clinical trial phase ii",
        "clinical trial phase iii",
        "clinical trial phase iv",
        "controlled clinical trial",
        "pragmatic clinical trial",
    ),
    "controlled clinical trial": ("randomized controlled trial",),
    "diabetes mellitus": ("diabetes mellitus type 1", "diabetes mellitus type 2"),
    "guideline": ("practice guideline",),
    "mice": ("mice inbred c57bl",),
    "neoplasms": ("hodgkin disease", "lung neoplasms"),
    "randomized controlled trial": ("equivalence trial",),
    "review": ("systematic review",),
}
_ENTRY_TERMS = {
    "bronchial asthma": "asthma",
    "cancer": "neoplasms",
    "diabetes": "diabetes mellitus",
    "e coli": "escherichia coli",
    "heart attack": "myocardial infarction",
    "high blood pressure": "hypertension",
    "lung cancer": "lung neoplasms",
    "tumors": "neoplasms",
    "type 2 diabetes": "diabetes mellitus type 2",
}


def with_narrower(name: str) -> frozenset[str]:
    """A normalized heading or publication type with everything below it."""
    found = {name}
    for narrower in _NARROWER.get(name, ()):
        found |= with_narrower(narrower)
    return frozenset(found)


def heading_for(name: str) -> str:
    """The heading that a normalized entry term stands for; any other name is given back."""
    return _ENTRY_TERMS.get(name, name)


def is_entry_term(name: str) -> bool:
    """Whether a normalized name is another word for a heading."""
    return name in _ENTRY_TERMS
