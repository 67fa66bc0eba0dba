# castlelab. Two commands do everything: `make run` and `make test`.
# They need Python 3.11 or newer, pip and make; everything else goes into .venv.

PYTHON  ?= python3
VENV    ?= .venv
WORKERS ?= 2
ARGS    ?=

# Windows keeps the commands of an environment elsewhere.
BIN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
# Exactly the versions that were tested, also of what builds the package (newer pips ask for those
# by the second name): a release elsewhere cannot break a clone.
TESTED := constraints/tested.txt
PIP    := PIP_CONSTRAINT=$(TESTED) PIP_BUILD_CONSTRAINT=$(TESTED) \
	$(BIN)/python -m pip --disable-pip-version-check install --quiet
PYTEST := $(BIN)/python -m pytest
# Cells of one notebook share a kernel, so a file stays with one worker.
SPREAD := -n $(WORKERS) --dist loadfile
# The pages that browser tests open are no notebooks to learn from.
NBVAL  := --nbval --nbval-cell-timeout=120 --ignore=tests/browser/pages

CHECK  := $(PYTEST) $(SPREAD) $(NBVAL) -m "not browser" tests castlelab notebooks $(ARGS)
BROWSE := $(PYTEST) -m browser tests/browser $(ARGS)
# On a busy machine a server or a page may once be slower than a test waits. A fault fails twice,
# and both tries are told.
once_more = { test $$? -eq 1 && echo "Once more what failed:" && \
	$(1) --last-failed --last-failed-no-failures=none --maxfail=1; }

.DEFAULT_GOAL := help
.PHONY: help run lab test lint format types unit notebooks browser floors chromium fonts proxy bench pictures \
	constraints wheel clean
.DELETE_ON_ERROR:

help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

run: $(VENV)/.installed ## Serve the pages and open them in a browser
	@$(BIN)/castlelab serve $(ARGS)

lab: $(VENV)/.installed ## Open the notebooks in JupyterLab
	@$(BIN)/castlelab lab $(ARGS)

# The browser comes last and alone: a page needs both cores for its server, kernel and browser.
test: lint types chromium fonts proxy ## Run every check: style, types, tests, notebooks, browser
	$(CHECK) || $(call once_more,$(CHECK))
	$(BROWSE) || $(call once_more,$(BROWSE))
	$(BIN)/python tools/try_floors.py $(VENV)/floors -n $(WORKERS)
	@$(BIN)/python -m tools.versions

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

browser: $(VENV)/.tested chromium fonts proxy ## Run the tests that need a browser
	$(BROWSE) || $(call once_more,$(BROWSE))

floors: $(VENV)/.tested chromium ## Try the lowest versions that pyproject.toml allows
	$(BIN)/python tools/try_floors.py $(VENV)/floors -n $(WORKERS) $(ARGS)

chromium: ## Find Chromium, or get it from the system's packages
	@sh tools/chromium

fonts: $(VENV)/.made ## Find a second family of fonts, or get it from the system's packages
	@sh tools/fonts $(VENV)/fonts

proxy: $(VENV)/.made ## Get the proxy of JupyterHub from npm
	@sh tools/proxy $(VENV)/proxy

bench: $(VENV)/.benched ## Measure, side by side with peers
	$(BIN)/python -m benchmarks $(ARGS)

pictures: $(VENV)/.tested chromium ## Draw the pictures of the README anew
	$(BIN)/python -m tools.pictures

constraints: $(VENV)/.tested ## Renew the versions to install and test with
	$(BIN)/python tools/constrain.py

wheel: $(VENV)/.tested ## Build the wheel into dist/
	$(BIN)/python -m build --wheel

clean: ## Remove everything that was made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# The stamps are older than these two files exactly when something may need installing.
$(VENV)/.made: tools/make_venv.py
	@command -v $(PYTHON) >/dev/null || \
		{ echo "castlelab needs Python 3.11 or newer, and there is no $(PYTHON)" >&2; exit 1; }
	@$(PYTHON) tools/make_venv.py $(VENV)
	@touch $@

$(VENV)/.installed: pyproject.toml $(TESTED) $(VENV)/.made
	@echo "Installing castlelab into $(VENV)"
	@$(PIP) --editable .
	@touch $@

$(VENV)/.tested: pyproject.toml $(TESTED) $(VENV)/.made
	@echo "Installing castlelab and what its tests need into $(VENV)"
	@$(PIP) --editable '.[test]'
	@touch $@ $(VENV)/.installed

$(VENV)/.benched: pyproject.toml $(TESTED) $(VENV)/.made
	@echo "Installing castlelab and what its benchmarks need into $(VENV)"
	@$(PIP) --editable '.[bench]'
	@touch $@ $(VENV)/.installed
