# `make run` and `make test` need Python 3.11 or newer and nothing else.

PYTHON ?= python3
BIN := .venv/bin
SIDE_BY_SIDE := --numprocesses logical --maxprocesses 8 --dist worksteal
READY := .venv/.ready
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links \
    --custom-compile-command "make lock"

.PHONY: run test test-all test-installed check bench records report lock clean

run: $(READY)
	mkdir -p out
	$(BIN)/twinproof solve sprinklers scarecrow --engine both --picture out/scarecrow.png --record out/scarecrow.json
	@echo "picture: out/scarecrow.png   record: out/scarecrow.json"

# Tests run side by side; `test-all` has those that take minutes as well, and all examples of each.
test: $(READY)
	$(BIN)/pytest $(SIDE_BY_SIDE)

test-all: $(READY)
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "not installed" --hypothesis-profile full

# Builds wheel and sdist and runs them in clean environments; downloads what pip and uv have not kept.
test-installed: $(READY)
	$(BIN)/pytest -m installed tests/installed

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Seconds and memory of every engine on this machine; a quarter of an hour.
bench: $(READY)
	mkdir -p out
	$(BIN)/twinproof compare standard --results out/standard.jsonl

# The records in reports/records/, the pictures and the pages; some hours on two cores, and 16 GB for the front.
records: $(READY)
	$(BIN)/twinproof solve sprinklers scarecrow --engine both \
	    --picture reports/sprinklers-scarecrow.png --record reports/records/sprinklers-scarecrow.json
	$(BIN)/twinproof solve sprinklers scarecrow --engine both --symmetry hsym \
	    --picture reports/sprinklers-scarecrow-hsym.png --record reports/records/sprinklers-scarecrow-hsym.json
	for kind in quality iridium; do \
	    $(BIN)/twinproof solve sprinklers scarecrow --kind $$kind --engine both \
	        --record reports/records/sprinklers-scarecrow-$$kind.json; done
	for kind in basic quality iridium; do \
	    $(BIN)/twinproof solve sprinklers scarecrow --kind $$kind --nozzle --engine both \
	        --record reports/records/sprinklers-scarecrow-$$(test $$kind = basic || echo $$kind-)nozzle.json; done
	$(BIN)/twinproof count sprinklers scarecrow --record reports/records/sprinklers-scarecrow-count.json
	for field in grid:20x20 grid:24x30 deluxe grid:31x63; do \
	    $(BIN)/twinproof solve sprinklers $$field --engine band \
	        --record reports/records/sprinklers-$${field#grid:}-band.json; \
	    $(BIN)/twinproof solve sprinklers $$field --engine both --time-limit 60 \
	        --record reports/records/sprinklers-$${field#grid:}-both.json; done
	$(BIN)/twinproof solve sprinklers deluxe --engine frontier \
	    --picture reports/sprinklers-deluxe.png --record reports/records/sprinklers-deluxe-frontier.json
	-$(BIN)/twinproof solve hops scarecrow --time-limit 120 \
	    --picture reports/hops-scarecrow.png --record reports/records/hops-scarecrow.json
	$(BIN)/twinproof solve hops scarecrow --engine frontier \
	    --picture reports/hops-scarecrow-frontier.png --record reports/records/hops-scarecrow-frontier.json
	$(BIN)/twinproof certify hops scarecrow
	$(BIN)/twinproof certify hops disc:16 --by clauses
	$(BIN)/twinproof certify sprinklers grid:12x12
	$(BIN)/twinproof certify sprinklers disc:72
	$(BIN)/twinproof certify starbattle reports/instances/alberi-12x12.txt
	$(BIN)/twinproof certify lightup reports/instances/akari-7x7.txt
	$(BIN)/twinproof certify minesweeper reports/instances/board-16x16.txt --mines 44
	for file in reports/certificates/*.json; do $(BIN)/twinproof verify $$file; done
	$(BIN)/twinproof count hops scarecrow --record reports/records/hops-scarecrow-count.json
	$(BIN)/twinproof front disc:36 --record reports/records/hops-disc-36-front.json
	$(BIN)/twinproof front scarecrow --record reports/records/hops-scarecrow-front.json
	-$(BIN)/twinproof solve hops grid:9x11 --kind iridium --entrance 9,6 --dry-paths --time-limit 300 \
	    --picture reports/hops-greenhouse.png --record reports/records/hops-greenhouse.json
	$(BIN)/twinproof compare standard --results reports/records/compare.jsonl
	-$(BIN)/twinproof compare full --results reports/records/compare.jsonl
	$(BIN)/python -m twinproof.compare.benchmark.generate --record reports/records/benchmark-generate.json
	-$(BIN)/python -m twinproof.compare.benchmark.grades --record reports/records/grades.json
	$(BIN)/python -m twinproof.compare.report

# The pages in reports/, from the records there.
report: $(READY)
	$(BIN)/python -m twinproof.compare.report

lock: $(READY)
	$(LOCK) --extra dev --generate-hashes --output-file requirements.lock pyproject.toml
	printf "ipykernel\nnbclient\n" | $(LOCK) --extra dev --no-annotate --constraint requirements.lock \
	    --output-file tests/installed/constraints.txt pyproject.toml -

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "twinproof needs Python 3.11 or newer; try make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	touch $(READY)

clean:
	rm -rf .venv out build src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
