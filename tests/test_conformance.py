"""Generated requests, good and bad, against the document: no undocumented status, no answer off its schema."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from support.validating import build_settings

from pubmed_api.app import create_app

OPERATIONS = [
    "pubmed_search_articles",
    "pubmed_fetch_articles",
    "pubmed_spell_check",
    "pubmed_convert_ids",
    "pubmed_database_info",
]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    return schemathesis.openapi.from_wsgi("/openapi.json", create_app(build_settings(tmp_path_factory.mktemp("data"))))


def test_operations__all_of_them(service):
    found = {result.ok().definition.raw["operationId"] for result in service.get_all_operations()}
    assert found == set(OPERATIONS)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_operation__answers_as_documented(service, operation_id, mode):
    operation = service.find_operation_by_id(operation_id)

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=60, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def check(case):
        # A request that fits its schema may still hold no term; one that does not may be a slip that is put right.
        case.call_and_validate(excluded_checks=[positive_data_acceptance, negative_data_rejection])

    check()
