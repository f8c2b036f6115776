"""The source line of a citation: journal, date, volume, pages, DOI."""

from pubmed_api.sandbox.dates import citation_day
from pubmed_api.sandbox.record import Record


def source_text(record: Record) -> str:
    """The line as PubMed prints it; empty for books, which have none.

    A journal that publishes on the web first leads with that date and names the printed one at the end.
    """
    if not record.source:
        return ""
    printed = record.print_date.text if record.print_date else ""
    electronic = citation_day(record.electronic_day) if record.electronic_day else ""
    model = record.article.get("PubModel", "")
    web_first = model.startswith("Electronic") and bool(electronic)
    place = _place(record)
    parts = [
        f"{record.source.rstrip('.')}. {electronic if web_first else printed}{place}.",
        f"doi: {record.doi}." if record.doi else "",
        _other_date(model, printed, electronic) if place.startswith(";") else "",
    ]
    return " ".join(part for part in parts if part)


def _place(record: Record) -> str:
    volume = record.text("Journal/JournalIssue/Volume")
    issue = record.text("Journal/JournalIssue/Issue")
    pii = next((value for kind, value in record.locations if kind == "pii"), "")
    pages = record.pages or pii
    number = volume + (f"({issue})" if issue else "")
    return (f";{number}" if number else "") + (f":{pages}" if pages else "")


def _other_date(model: str, printed: str, electronic: str) -> str:
    if not electronic or not printed:
        return ""
    return {
        "Print-Electronic": f"Epub {electronic}.",
        "Electronic-Print": f"Print {printed}.",
        "Electronic-eCollection": f"eCollection {printed}.",
    }.get(model, "")
