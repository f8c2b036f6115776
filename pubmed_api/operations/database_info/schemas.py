"""What a description of the database holds."""

from pubmed_api.schemas.fields import Items, Record, Text
from pubmed_api.web import Schema


class DatabaseFieldSchema(Schema):
    """One search field."""

    name = Text("The field's tag, as it stands in brackets behind a term.", required=True, example="TIAB")
    full_name = Text("The field's name in words.", example="Title/Abstract")
    description = Text("What the field covers.")


class DatabaseInfoResponse(Schema):
    """The database and its search fields."""

    db_name = Text("The database's name at NCBI.", required=True, example="pubmed")
    description = Text("What the database is, in NCBI's words.")
    count = Text("How many records it holds: a string of digits, as NCBI gives it.", example="39730388")
    last_update = Text("When NCBI last updated it, as NCBI writes it.", example="2025/11/27 06:33")
    notice = Text("What to know about this answer: that it is an old one, because NCBI failed.")
    # marshmallow takes declared fields off the class, so this one does not hide its own ``fields``.
    fields = Items(  # type: ignore[assignment]
        Record(DatabaseFieldSchema, "One search field."), "The fields a query can name, hidden ones included."
    )
