"""Reading a request's arguments: strict JSON, repairs, then the schema; every problem reported at once."""

import difflib
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NoReturn

import flask
import marshmallow
from flask import g
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import RequestEntityTooLarge

from pubmed_api.exceptions import HttpError, InvalidArguments
from pubmed_api.web.repairs import repair
from pubmed_api.web.strict_json import read_strict

_SHOWN = 100
# A body of the largest size can hold a problem for every few bytes; the answer stays readable.
_MOST_PROBLEMS = 1000
_UNKNOWN = "Unknown field."


class ArgumentsParser(FlaskParser):
    """webargs with our reading of JSON, our repairs and our error."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": marshmallow.RAISE}

    def _raw_load_json(self, req: flask.Request) -> Any:
        return read_json(req)

    def pre_load(self, location_data: Any, *, schema: Any, req: flask.Request, location: str) -> Any:
        """Repair recoverable slips; an argument list that is not an object is refused here."""
        if location != "json":
            return location_data
        if not isinstance(location_data, Mapping):
            raise InvalidArguments([{"path": "", "message": "the body must be a JSON object"}])
        repaired = repair(location_data, schema)
        g.renamed_arguments = repaired.renamed
        g.repaired_arguments = repaired.data
        return repaired.data

    def handle_error(
        self,
        error: marshmallow.ValidationError,
        req: flask.Request,
        schema: marshmallow.Schema,
        *,
        error_status_code: int | None,
        error_headers: Any,
    ) -> NoReturn:
        """Raise ``InvalidArguments`` with every problem, each with its path; the hint says so where they are cut."""
        messages = error.messages_dict
        messages = messages.get("json", messages.get("query", messages))
        data = g.get("repaired_arguments") or error.data
        problems = list(islice(_problems(messages, data, schema), _MOST_PROBLEMS + 1))
        hint = _hint(problems[:_MOST_PROBLEMS], g.get("renamed_arguments") or {})
        if len(problems) > _MOST_PROBLEMS:
            hint = f"{hint} There are more problems than the first {_MOST_PROBLEMS}, which are listed."
        raise InvalidArguments(problems[:_MOST_PROBLEMS], hint=hint)


def read_json(request: flask.Request) -> Any:
    """The request's JSON body.

    Raises ``RequestEntityTooLarge``, and ``HttpError`` (``unsupported_media_type``, ``malformed_json``) where it has
    none, holds ``NaN``, a key twice, text that is not UTF-8, or nests deeper than can be read.
    """
    body = _read_body(request)
    if body and not (request.mimetype == "application/json" or request.mimetype.endswith("+json")):
        sent = request.mimetype or "no Content-Type"
        raise HttpError(f"The body is {sent[:_SHOWN]}, not JSON.", reason="unsupported_media_type")
    try:
        return read_strict(body.decode("utf-8-sig"))
    except RecursionError:
        raise HttpError("The body nests too deeply.", reason="malformed_json") from None
    except UnicodeDecodeError:
        raise HttpError("The body is not UTF-8 text.", reason="malformed_json") from None
    except json.JSONDecodeError as error:
        text = f"The body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        raise HttpError(text if body else "The body is empty.", reason="malformed_json") from None
    except ValueError as error:
        raise HttpError(f"The body is not JSON: {error}.", reason="malformed_json") from None


def _read_body(request: flask.Request) -> bytes:
    """The whole body. Of one sent in chunks werkzeug gives the part below the limit and does not say it is a part."""
    body = request.get_data(cache=True)
    limit = request.max_content_length
    terminated = request.environ.get("wsgi.input_terminated")  # The server ends the stream: it is safe to read on.
    if terminated and limit is not None and len(body) >= limit and request.environ["wsgi.input"].read(1):
        raise RequestEntityTooLarge
    return body


def _problems(messages: Any, data: Any, schema: Any, path: tuple[Any, ...] = ()) -> Iterator[dict[str, Any]]:
    """Flatten marshmallow's nested messages to ``{path, message, value}``."""
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            yield from _problems(inner, data, schema, path if key == "_schema" else (*path, key))
        return
    for message in messages if isinstance(messages, list) else [messages]:
        problem: dict[str, Any] = {
            "path": ".".join(str(step)[:_SHOWN] for step in path),
            "message": _tidy(str(message)),
        }
        if message == _UNKNOWN:
            # The value of an unknown key is not repeated: it may be a credential put in the wrong place.
            problem["message"] = "unknown key" + _nearest(path, schema)
        else:
            value = _value_at(data, path)
            if isinstance(value, str | int | float | bool):
                problem["value"] = value[:_SHOWN] if isinstance(value, str) else value
        yield problem


def _tidy(message: str) -> str:
    return {"Missing data for required field.": "required and missing"}.get(message, message.rstrip("."))


def _value_at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _nearest(path: tuple[Any, ...], schema: Any) -> str:
    names = _known_keys(path, schema)
    by_fold = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(str(path[-1])[:_SHOWN].casefold(), by_fold, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {by_fold[close[0]]}?"
    return f"; the keys here are {', '.join(names)}" if names else "; this takes no keys"


def _known_keys(path: tuple[Any, ...], schema: Any) -> list[str]:
    for step in path[:-1]:
        if isinstance(step, int):
            continue
        field = next((f for f in schema.fields.values() if f.data_key == step), None)
        field = getattr(field, "inner", field)
        schema = getattr(field, "schema", None)
        if schema is None:
            return []
    return [f.data_key for f in schema.fields.values()]


def _hint(problems: list[dict[str, Any]], renamed: Mapping[str, str]) -> str | None:
    parts = []
    missing = [p["path"] for p in problems if p["message"] == "required and missing"]
    unknown = [p["path"] for p in problems if p["message"].startswith("unknown key")]
    if missing:
        parts.append(f"Add {', '.join(missing)}.")
    if unknown:
        parts.append(f"Leave out or rename {', '.join(unknown[:5])}{' and others' if len(unknown) > 5 else ''}.")
    if len(missing) + len(unknown) < len(problems):
        parts.append("Correct the values listed in data.problems.")
    parts += [f"({key} was read as {target}.)" for key, target in renamed.items()]
    return " ".join(parts) or None
