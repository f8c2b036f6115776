"""What goes in and out of a spelling check."""

from pubmed_api.schemas import fields
from pubmed_api.web import ArgsSchema, Schema


class SpellCheckArgs(ArgsSchema):
    """The query to check."""

    aliases = {"term": "query"}

    query = fields.Text(
        "The PubMed query to check. It needs at least one visible character; white space and zero-width "
        "characters alone are refused.",
        required=True,
        min_length=2,
        max_length=100_000,
        example="asthmaa",
    )


class SpellCheckResponse(Schema):
    """The query and its suggested spelling."""

    original = fields.Text("The query as NCBI read it.", required=True)
    corrected = fields.Text(
        "The query in the spelling NCBI suggests; equal to `original` when it suggests none.", required=True
    )
    has_suggestion = fields.Boolean("Whether NCBI suggests another spelling.", required=True)
    notice = fields.Text("What to know about this answer: that it is an old one, because NCBI failed.")
