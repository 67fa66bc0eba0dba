# castlelab. Two commands do everything: `make run` and `make test`.
# They need Python 3.11 or newer, pip and make; everything else goes into .venv.

PYTHON  ?= python3
VENV    ?= .venv
WORKERS ?= 2
ARGS    ?=

BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet
PYTEST := $(BIN)/python -m pytest
# Cells of one notebook share a kernel, so a file stays with one worker.
SPREAD := -n $(WORKERS) --dist loadfile
# The pages that browser tests open are no notebooks to learn from.
NBVAL  := --nbval --nbval-cell-timeout=120 --ignore=tests/browser/pages

.DEFAULT_GOAL := help
.PHONY: help run lab test lint format types unit notebooks browser chromium bench wheel clean
.DELETE_ON_ERROR:

help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: $(VENV)/.installed ## Serve the pages and open them in a browser
	@$(BIN)/castlelab serve $(ARGS)

lab: $(VENV)/.installed ## Open the notebooks in JupyterLab
	@$(BIN)/castlelab lab $(ARGS)

# The browser comes last and alone: a page needs both cores for its server, kernel and browser.
test: lint types chromium ## Run every check: style, types, tests, notebooks, browser
	$(PYTEST) $(SPREAD) $(NBVAL) -m "not browser" tests castlelab notebooks $(ARGS)
	$(PYTEST) -m browser tests/browser $(ARGS)

lint: $(VENV)/.tested ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.tested ## Put style and formatting right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.tested ## Check types
	$(BIN)/mypy

unit: $(VENV)/.tested ## Run the quick tests: no browser, no servers, no notebooks
	$(PYTEST) $(SPREAD) -m "not browser and not slow" tests castlelab $(ARGS)

notebooks: $(VENV)/.tested ## Run the notebooks and compare their stored results
	$(PYTEST) $(SPREAD) $(NBVAL) notebooks $(ARGS)

browser: $(VENV)/.tested chromium ## Run the tests that need a browser
	$(PYTEST) -m browser tests/browser $(ARGS)

chromium: ## Find Chromium, or get it from the system's packages
	@sh tools/chromium

bench: $(VENV)/.benched ## Measure, side by side with peers
	$(BIN)/python -m benchmarks $(ARGS)

wheel: $(VENV)/.tested ## Build the wheel into dist/
	$(BIN)/python -m build --wheel

clean: ## Remove everything that was made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# The stamps are older than pyproject.toml exactly when something may need installing.
$(VENV)/.made: tools/make_venv.py
	@command -v $(PYTHON) >/dev/null || \
		{ echo "castlelab needs Python 3.11 or newer, and there is no $(PYTHON)" >&2; exit 1; }
	@$(PYTHON) tools/make_venv.py $(VENV)
	@touch $@

$(VENV)/.installed: pyproject.toml $(VENV)/.made
	@echo "Installing castlelab into $(VENV)"
	@$(PIP) --editable .
	@touch $@

$(VENV)/.tested: pyproject.toml $(VENV)/.made
	@echo "Installing castlelab and what its tests need into $(VENV)"
	@$(PIP) --editable '.[test]'
	@touch $@ $(VENV)/.installed

$(VENV)/.benched: pyproject.toml $(VENV)/.made
	@echo "Installing castlelab and what its benchmarks need into $(VENV)"
	@$(PIP) --editable '.[bench]'
	@touch $@ $(VENV)/.installed
