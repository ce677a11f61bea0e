# `make run` and `make test` need Python 3.11 or newer and nothing else.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: run test test-all check bench report lock clean

run: $(READY)
	mkdir -p out
	$(BIN)/twinproof solve sprinklers scarecrow --engine both --picture out/scarecrow.png --record out/scarecrow.json
	@echo "picture: out/scarecrow.png   record: out/scarecrow.json"

test: $(READY)
	$(BIN)/pytest

test-all: $(READY)
	$(BIN)/pytest -m "slow or not slow"

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python -m compare.benchmark

lock: $(READY)
	$(BIN)/pip install uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra dev --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
	    --output-file requirements.lock pyproject.toml

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "twinproof needs Python 3.11 or newer; try make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	touch $(READY)

clean:
	rm -rf .venv out build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
