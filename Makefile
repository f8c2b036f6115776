PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PARITY := ../shared/checks/contract_parity.py
# The contract's operations built so far.
BUILT := pubmed_search_articles,pubmed_fetch_articles,pubmed_spell_check,pubmed_convert_ids,pubmed_database_info

.PHONY: help run test check format lint types imports openapi parity bench clean

help: ## list what there is
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 12

run: $(VENV)/.run ## serve the API; without internet it serves the sandbox and says so
	PUBMED_API_UPSTREAM="$${PUBMED_API_UPSTREAM:-auto}" $(BIN)/gunicorn wsgi:app

test: $(VENV)/.dev ## run the tests
	$(BIN)/pytest -n 2 -m "not processes"
	$(BIN)/pytest -m processes

check: format lint types imports test openapi-drift parity ## all that CI runs

format: $(VENV)/.dev ## is everything formatted
	$(BIN)/ruff format --check .

lint: $(VENV)/.dev ## style and likely mistakes
	$(BIN)/ruff check .

types: $(VENV)/.dev ## mypy, strict outside the web layer
	$(BIN)/mypy

imports: $(VENV)/.dev ## the import contracts
	$(BIN)/lint-imports

openapi: $(VENV)/.dev ## write openapi/openapi.json from the schemas
	$(BIN)/pubmed-api openapi --output openapi/openapi.json

.PHONY: openapi-drift
openapi-drift: $(VENV)/.dev
	$(BIN)/pubmed-api openapi | diff -u openapi/openapi.json - || (echo "run: make openapi"; exit 1)

parity: $(VENV)/.dev ## compare openapi/openapi.json with the contract, where that is at hand
	@if [ -f $(PARITY) ]; then $(BIN)/python $(PARITY) openapi/openapi.json --only $(BUILT); \
	else echo "parity: skipped, $(PARITY) is not here"; fi

bench: $(VENV)/.dev ## measurements, as ratios within one run
	$(BIN)/python -m bench

clean: ## remove what the other targets made
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache

$(VENV)/.run: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/pip install -q -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/pip install -q -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.run

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	(echo "Python 3.11 or newer is needed; say which with: make PYTHON=python3.12 ..."; exit 1)
	@$(PYTHON) -m venv $(VENV) || \
	(rm -rf $(VENV); echo "python3 -m venv failed; on Debian: apt install python3-venv"; exit 1)
