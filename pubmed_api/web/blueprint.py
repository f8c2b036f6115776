"""Our blueprint: one decorator says all that a route is, to Flask and to the document."""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import flask_smorest
from flask import Response, jsonify, request

from pubmed_api.errors import FAILURES, HTTP_REASONS, NCBI_REASONS
from pubmed_api.exceptions import InvalidArguments
from pubmed_api.models.call import current_call
from pubmed_api.web import ncbi_key
from pubmed_api.web.error_schema import ErrorSchema, error_example
from pubmed_api.web.headers import ANSWER_HEADERS
from pubmed_api.web.parser import ArgumentsParser
from pubmed_api.web.schema import ArgsSchema, Schema
from pubmed_api.web.staleness import add_stale_notice

View = Callable[..., Any]


class Blueprint(flask_smorest.Blueprint):
    """A blueprint whose name is the OpenAPI tag of its operations."""

    ARGUMENTS_PARSER = ArgumentsParser()

    def __init__(self, name: str, *, description: str):
        super().__init__(name, __name__, description=description)
        self._prepare_doc_cbks.append(_document_key)

    def operation(
        self,
        method: str,
        rule: str,
        operation_id: str,
        *,
        response: Schema,
        args: type[ArgsSchema] | None = None,
        reasons: Sequence[str] = (),
        example: dict[str, Any] | None = None,
    ) -> Callable[[View], View]:
        """Register a view as an operation of the contract.

        ``args`` is its JSON body; a request without one may carry no argument at all. ``reasons`` are the errors it
        declares beyond those of HTTP and NCBI. The view returns an object, which ``response`` dumps by attribute;
        it needs a ``notice``, in which every answer may say that it is stale. The endpoint has the operation's name.
        """

        def decorate(view: View) -> View:
            view = _rendered(view, response)
            view = self._with_errors(view, (*HTTP_REASONS, *NCBI_REASONS, *reasons))
            view = self.response(200, response, headers=ANSWER_HEADERS)(view)
            view = _without_query(view)
            if args is not None:
                view = self.arguments(args(), location="json", example=example)(view)
            view = self.doc(operationId=operation_id, **{"x-mcp": True})(view)
            return self.route(rule, methods=[method], endpoint=operation_id)(view)

        return decorate

    def _with_errors(self, view: View, reasons: Iterable[str]) -> View:
        by_status: dict[int, list[str]] = {}
        for reason in reasons:
            by_status.setdefault(FAILURES[reason].status, []).append(reason)
        for status, names in sorted(by_status.items(), reverse=True):
            view = self.alt_response(
                status,
                schema=ErrorSchema,
                description="Reasons: " + ", ".join(f"`{name}`" for name in names) + ".",
                examples={name: {"value": error_example(name)} for name in names},
            )(view)
        return view


def _document_key(doc: dict[str, Any], _: Any, **__: Any) -> dict[str, Any]:
    """The header that every operation reads, beside whatever parameters it has of its own."""
    doc.setdefault("parameters", []).append(dict(ncbi_key.PARAMETER))
    return doc


def _rendered(view: View, schema: Schema) -> View:
    """The view's object as a JSON answer, with the seconds it takes to make one."""

    @functools.wraps(view)
    def rendered(*args: Any, **kwargs: Any) -> Response:
        result = view(*args, **kwargs)
        call = current_call()
        with call.spending("render"):
            return jsonify(add_stale_notice(schema.dump(result), call))

    return rendered


def _without_query(view: View) -> View:
    """Refuse arguments in the query string: the operation would not read them, and a caller would not notice."""

    @functools.wraps(view)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if request.args:
            raise InvalidArguments(
                [{"path": name, "message": "this operation reads no query parameter"} for name in request.args],
                hint="Send the arguments as a JSON body." if request.method == "POST" else None,
            )
        return view(*args, **kwargs)

    return checked
