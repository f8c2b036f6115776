"""Identifiers that could not be looked up, in an answer that holds others."""

from pubmed_api.schemas import fields
from pubmed_api.web import Schema


class FailedIdSchema(Schema):
    """An identifier whose upstream call failed: nothing is known of it."""

    id = fields.Text("The identifier, as it was sent.", required=True)
    reason = fields.Text("Why, as one of the reasons an error can have.", required=True)
    retryable = fields.Boolean("Whether asking again may help.", required=True)


def failed_ids(doc: str) -> fields.Items:
    """The ``failed`` list of an answer; ``doc`` says whose call failed and where else these ids are, or are not."""
    return fields.Items(fields.Record(FailedIdSchema, "One identifier whose upstream call failed."), doc)
