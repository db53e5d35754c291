# Everything runs from .venv, which these targets make themselves: a fresh machine needs Python 3.11 or
# newer, git and make.

PYTHON ?= python3
ROUNDS ?= 200
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
unexport PYTHONDONTWRITEBYTECODE  # compiling every module in every process takes half of the tests' time
export XDG_RUNTIME_DIR ?= $(shell mkdir -p .venv/runtime && chmod 700 .venv/runtime && cd .venv/runtime && pwd)

check test: export TMPDIR ?= $(shell sh scripts/quick-folder.sh)

.PHONY: demo check lint test soak bench docs site screenshots clean

demo: .venv/demo-installed  ## the example studies with demo items in the browser
	$(BIN)/rubrica demo $(ARGS)

check: .venv/test-installed lint  ## lint, types, layers and unit tests: under a minute
	$(BIN)/python -m pytest -q -n 2 -m "not browser and not postgres and not slow"

lint: .venv/test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: .venv/test-installed .venv/browser-found lint  ## everything
	$(BIN)/python -m pytest -n 2 --dist loadgroup

soak: .venv/test-installed  ## the long form of the tests that crash and fuzz: ROUNDS=200 faults, one after the other
	RUBRICA_SOAK=$(ROUNDS) $(BIN)/python -m pytest -q -s tests/faults tests/storage/test_store_crashes.py tests/study/test_fuzz.py

bench: .venv/test-installed .venv/browser-found  ## speeds, as ratios measured in one run
	for b in benchmarks/[a-z]*.py; do echo "== $$b"; $(BIN)/python $$b; done

docs: .venv/test-installed  ## reference pages, from the code they describe
	$(BIN)/python scripts/reference.py

site: docs  ## all documentation as a site in build/site, without network
	$(BIN)/python -m sphinx --fail-on-warning --quiet -b html docs build/site
	@echo "open build/site/index.html"

screenshots: .venv/test-installed .venv/browser-found
	$(BIN)/python scripts/screenshots.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .hypothesis

.venv/made:
	$(PYTHON) -c "import sys; assert sys.version_info >= (3, 11), 'Python 3.11 or newer is needed'"
	$(PYTHON) -m venv .venv
	touch $@

.venv/demo-installed: .venv/made pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable ".[figures,parquet]"
	touch $@

.venv/test-installed: .venv/demo-installed
	$(PIP) install --quiet --constraint constraints.txt --editable ".[figures,parquet,test,docs]"
	touch $@

.venv/browser-found: .venv/test-installed scripts/find-browser.sh
	sh scripts/find-browser.sh
	touch $@
