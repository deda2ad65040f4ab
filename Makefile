# Needs Python 3.11 or newer, make and git; everything else goes into .venv.
# Another interpreter: make test PYTHON=python3.12

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# The first start is as quick as the others.
COMPILE := $(BIN)/python -m compileall -q hermes_agent
INPUTS := pyproject.toml constraints.txt hermes_agent/__init__.py
PAGES = $(shell grep -rl --include='*.md' '\[\[\[cog' docs README.md)
COG := $(BIN)/cog -P -I .
# The public conversations; docs/benchmarks.md says how to make the folder.
DATA ?= ../shared/bench/data
RECALL = $(BIN)/python -m benchmarks.recall --data $(DATA) --write-docs

# What the proof tries at random is new each time; SEED=… tries again what another run tried, which docs/proof.md names.
NOW := $(shell date +%s)
SEED ?= $(NOW)

.DEFAULT_GOAL := help
.PHONY: help run test check format proof faults docs images bench recall scale transfer compaction clean

help: ## List the recipes
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: .venv/runtime ## Install and start hermes; ARGS="sessions list" passes arguments
	@$(BIN)/hermes $(ARGS)

test: .venv/dev ## Run the tests with reduced counts; ARGS="tests/store" chooses
	$(BIN)/python -m pytest -m "not proof and not alone" $(ARGS) || [ $$? -eq 5 ]
	$(BIN)/python -m pytest -n 0 -m "alone and not proof" $(ARGS) || [ $$? -eq 5 ]

check: .venv/dev ## Check style, types, layers, shape, and that the docs are fresh
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.shape
	$(COG) --check $(PAGES)
	@if command -v node >/dev/null; then node --check hermes_agent/web/static/hermes.js; fi

format: .venv/dev ## Put the code into the one format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

proof: export HERMES_PROOF = 1
proof: export HERMES_PROOF_RECORD = $(CURDIR)/.proof.jsonl
proof: export PROOF_SEED = $(SEED)
proof: .venv/dev ## Run every full count and write docs/proof.md (about an hour and a half); SEED=… tries the same again
	rm -f $$HERMES_PROOF_RECORD
	$(BIN)/python -m pytest -m "not alone" --hypothesis-seed=$$PROOF_SEED
	$(BIN)/python -m pytest -n 0 -m "alone" --hypothesis-seed=$$PROOF_SEED
	$(BIN)/python -m benchmarks.turn --write-docs
	$(BIN)/python -m benchmarks.load --write-docs
	$(BIN)/python -m benchmarks.encryption --write-docs
	$(BIN)/python -m benchmarks.extraction --write-docs
	$(BIN)/python -m benchmarks.archive --write-docs
	$(BIN)/python -m tools.proof

faults: export HERMES_PROOF = 1
faults: export HERMES_PROOF_RECORD = $(CURDIR)/.proof-faults.jsonl
faults: .venv/dev ## Disturb every command at its writes and write docs/reliability.md (half an hour)
	rm -f $$HERMES_PROOF_RECORD
	$(BIN)/python -m pytest -m "" tests/faults
	$(BIN)/python -m tools.reliability

docs: .venv/dev ## Renew the generated parts of the docs
	$(COG) -r $(PAGES)
	$(BIN)/python -m tools.schema

images: export HERMES_IMAGES = 1
images: .venv/dev ## Take the pictures of the dashboard in docs/images (needs Chromium)
	$(BIN)/python -m pytest -n 0 tests/browser

bench: .venv/dev ## Measure the archive; ARGS are passed on (python -m benchmarks.turn measures a turn)
	$(BIN)/python -m benchmarks.archive $(ARGS)

recall: export HERMES_PROOF_RECORD = $(CURDIR)/.proof-recall.jsonl
recall: .venv/dev ## Score recall on the public conversations in DATA=FOLDER (hours; for docs/proof.md)
	rm -f $$HERMES_PROOF_RECORD
	$(RECALL)
	$(RECALL) --embedder none
	$(RECALL) --embedder minilm
	$(RECALL) --ablate
	$(RECALL) --unanswerable
	$(BIN)/python -m benchmarks.talk --data $(DATA) --write-docs

scale: export HERMES_PROOF_RECORD = $(CURDIR)/.proof-scale.jsonl
scale: .venv/dev ## Measure vectors and recall up to a million episodes (hours; for docs/proof.md)
	rm -f $$HERMES_PROOF_RECORD
	$(BIN)/python -m benchmarks.vectors --vectors 100000 1000000 --write-docs
	$(BIN)/python -m benchmarks.scale --episodes 10000 100000 1000000 --write-docs $(ARGS)
	$(BIN)/python -m benchmarks.pages --write-docs

transfer: export HERMES_PROOF_RECORD = $(CURDIR)/.proof-transfer.jsonl
transfer: .venv/dev ## Export and import a million messages and measure the memory (half an hour; for docs/proof.md)
	rm -f $$HERMES_PROOF_RECORD
	$(BIN)/python -m benchmarks.transfer --write-docs

compaction: export HERMES_PROOF_RECORD = $(CURDIR)/.proof-compaction.jsonl
compaction: .venv/dev ## Compress half a year of work and the public conversations in DATA=FOLDER (for docs/proof.md)
	rm -f $$HERMES_PROOF_RECORD
	$(BIN)/python -m benchmarks.compaction --data $(DATA) --write-docs

clean: ## Remove everything that was made, .venv included
	rm -rf .venv .venv-neighbours .proof*.jsonl .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "hermes needs Python 3.11 or newer. Name one: make PYTHON=python3.11 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "This Python cannot make a virtual environment. On Debian: apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/runtime: .venv/bin/python $(INPUTS)
	$(INSTALL) -e .
	@$(COMPILE)
	@touch $@

.venv/dev: .venv/bin/python $(INPUTS)
	$(INSTALL) -e ".[dev]"
	@$(COMPILE)
	@touch $@ .venv/runtime
