"""Fixtures for everybody.

``settings``   settings for tests: sandbox, a data directory of the test's own, no waiting for an allowance
``app``        the application over the sandbox, shared by a module
``client``     its test client; every answer is validated against the OpenAPI document
"""

import pytest


@pytest.fixture
def settings(tmp_path):
    from support.validating import build_settings

    return build_settings(tmp_path)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    from support.validating import ValidatingClient, build_settings

    from pubmed_api.app import create_app

    app = create_app(build_settings(tmp_path_factory.mktemp("data")))
    app.test_client_class = ValidatingClient
    return app


@pytest.fixture
def client(app):
    return app.test_client()
