"""The one shape of every error answer, as a schema and as an example."""

from typing import Any

import marshmallow
from marshmallow import fields

from pubmed_api.errors import FAILURES
from pubmed_api.web.schema import Schema


class ProblemSchema(Schema):
    """One thing wrong with the arguments."""

    path = fields.String(
        required=True,
        metadata={"description": "Where it is, as a dotted path such as `pmids.3`; empty for the body itself."},
    )
    message = fields.String(required=True, metadata={"description": "What is wrong there."})
    value = fields.Raw(metadata={"description": "The value sent, where it is short and harmless to repeat."})


class RecoverySchema(Schema):
    """What to do next."""

    hint = fields.String(required=True, metadata={"description": "What to do next, in a sentence or two."})


class ErrorDataSchema(Schema):
    """Details of an error; some reasons add members of their own."""

    reason = fields.String(required=True, metadata={"description": "What went wrong, as a stable name for programs."})
    retryable = fields.Boolean(required=True, metadata={"description": "Whether the same request may succeed later."})
    recovery = fields.Nested(RecoverySchema, required=True, metadata={"description": "The way out."})
    request_id = fields.String(
        required=True, metadata={"description": "The id of this request, as in X-Request-Id; quote it in reports."}
    )
    retry_after = fields.Float(metadata={"description": "Seconds to wait before trying again, where known."})
    problems = fields.List(
        fields.Nested(ProblemSchema), metadata={"description": "Every problem of the arguments at once."}
    )

    class Meta(Schema.Meta):
        """Reasons add members of their own."""

        unknown = marshmallow.INCLUDE


class ErrorBodySchema(Schema):
    """The error itself."""

    code = fields.Integer(required=True, metadata={"description": "The JSON-RPC error code of this failure."})
    message = fields.String(required=True, metadata={"description": "What is wrong with this request."})
    data = fields.Nested(ErrorDataSchema, required=True, metadata={"description": "Details for programs."})


class ErrorSchema(Schema):
    """Every error answer of every route."""

    error = fields.Nested(ErrorBodySchema, required=True, metadata={"description": "Why there is no answer."})


def error_example(reason: str) -> dict[str, Any]:
    """An error answer of this reason, for the document."""
    failure = FAILURES[reason]
    data: dict[str, Any] = {
        "reason": reason,
        "retryable": failure.retryable,
        "recovery": {"hint": failure.hint},
        "requestId": "4f1c2a9e",
    }
    if reason == "invalid_arguments":
        data["problems"] = [{"path": "pmids.3", "message": "must be a PubMed ID", "value": "42.9"}]
    return {"error": {"code": failure.code, "message": f"({reason.replace('_', ' ')})", "data": data}}
