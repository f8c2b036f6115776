"""A test client that validates every answer, and settings that keep a test to itself."""

from functools import cache

from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from pubmed_api.app import build_document
from pubmed_api.settings import Settings


@cache
def _document():
    return build_document(Settings())


@cache
def _registry():
    return Registry().with_resource("urn:openapi", Resource(contents=_document(), specification=DRAFT202012))


@cache
def _validator(path, method, status):
    answer = _document()["paths"][path][method]["responses"].get(status)
    assert answer is not None, f"{method.upper()} {path} answers an undocumented {status}"
    pointer = f"/paths/{path.replace('/', '~1')}/{method}/responses/{status}/content/application~1json/schema"
    return Draft202012Validator({"$ref": f"urn:openapi#{pointer}"}, registry=_registry())


class ValidatingClient(FlaskClient):
    """Checks every JSON answer of a documented operation against the document."""

    def open(self, *args, **kwargs):
        answer = super().open(*args, **kwargs)
        path, method = answer.request.path.rstrip("/"), answer.request.method.lower()
        if method in _document()["paths"].get(path, {}) and answer.status_code != 304:
            _validator(path, method, str(answer.status_code)).validate(answer.json)
        return answer


def build_settings(folder, **overrides):
    defaults = {
        "upstream": "sandbox",
        "data_dir": folder,
        "ncbi_requests_per_second": 1000.0,
        "ncbi_max_retries": 0,
    }
    return Settings(**{**defaults, **overrides})
