"""The document: valid, up to date, everything named and described, examples that fit their schemas."""

import re
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from pubmed_api.app import build_document
from pubmed_api.cli import render_document
from pubmed_api.settings import Settings

PUBLISHED = Path(__file__).parent.parent / "openapi" / "openapi.json"


@cache
def document():
    return build_document(Settings())


def operations():
    return [(path, method, op) for path, item in document()["paths"].items() for method, op in item.items()]


def resolve(schema):
    return document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]


def test_document__up_to_date():
    assert PUBLISHED.read_text(encoding="utf-8") == render_document(), "run `make openapi`"


def test_document__valid():
    validate(document())
    assert document()["openapi"] == "3.1.1"


def test_operation_ids__short_and_unique():
    ids = [op["operationId"] for _, _, op in operations()]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-zA-Z0-9_]{1,56}", name) and "__" not in name for name in ids)


@pytest.mark.parametrize(("path", "method", "op"), operations())
def test_operation__described(path, method, op):
    assert len(op["summary"].split()) >= 2
    assert len(op["description"].split()) >= 3
    assert "---" not in op["description"]
    assert {"200", "406", "422", "500", "502", "503", "504"} <= set(op["responses"])


@pytest.mark.parametrize(("path", "method", "op"), operations())
def test_operation__may_say_that_its_answer_is_stale(path, method, op):
    answer = resolve(op["responses"]["200"]["content"]["application/json"]["schema"])
    assert answer["properties"]["notice"]["type"] == "string"
    assert "notice" not in answer.get("required", [])
    assert "Server-Timing" in op["responses"]["200"]["headers"]


@pytest.mark.parametrize(("path", "method", "op"), operations())
def test_operation__takes_the_callers_ncbi_key(path, method, op):
    (parameter,) = [p for p in op["parameters"] if p["name"] == "X-NCBI-API-Key"]
    assert (parameter["in"], parameter["required"]) == ("header", False)


def schemas_with_properties():
    return [(name, schema) for name, schema in document()["components"]["schemas"].items() if "properties" in schema]


@pytest.mark.parametrize(("name", "schema"), schemas_with_properties())
def test_property__described(name, schema):
    for key, prop in schema["properties"].items():
        nested = prop.get("allOf", [{}])[0] if "$ref" not in prop else prop
        text = prop.get("description") or nested.get("description", "")
        assert len(text.split()) >= 3, f"{name}.{key}: {text!r}"


@pytest.mark.parametrize(("name", "schema"), schemas_with_properties())
def test_object__closed(name, schema):
    assert schema["additionalProperties"] is (name == "ErrorData")


@pytest.mark.parametrize(("path", "method", "op"), operations())
def test_request_example__fits_its_schema(path, method, op):
    if method != "post":
        pytest.skip("no body")
    content = op["requestBody"]["content"]["application/json"]
    schema = {**content["schema"], "components": document()["components"]}
    Draft202012Validator(schema).validate(content["example"])


@pytest.mark.parametrize(("path", "method", "op"), operations())
def test_error_examples__fit_their_schema(path, method, op):
    for status, answer in op["responses"].items():
        if status == "200":
            continue
        content = answer["content"]["application/json"]
        schema = {**content["schema"], "components": document()["components"]}
        for example in content["examples"].values():
            Draft202012Validator(schema).validate(example["value"])


def test_document__no_secret_looking_example():
    assert not re.search(r"(?i)api[_-]?key\W+[0-9a-f]{8,}", PUBLISHED.read_text(encoding="utf-8"))
