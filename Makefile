# One entry per habit; `make` lists them. uv is brought along where it is missing.
.DEFAULT_GOAL := help
UV := $(shell command -v uv || echo .tools/bin/uv)
RUN := $(UV) run --frozen --all-extras

help: ## list the habits
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

.tools/bin/uv:
	python3 -m venv .tools
	.tools/bin/pip install --quiet uv

ready: $(filter .tools%,$(UV))
	@$(UV) sync --frozen --all-extras --quiet

demo: ready ## run the samples through the gate and show where table and report are
	$(RUN) sluis run customers customers_update

test: ready ## all tests but the slow ones, on classic Spark and, where they may differ, on Spark Connect
	$(RUN) pytest -n 2

slow: ready ## soak, kill loops, large files, and what only classic Spark ran
	$(RUN) pytest --engine both -m "slow or alike"

lint: ready ## style and import directions
	$(RUN) ruff check src tests
	$(RUN) ruff format --check src tests
	$(RUN) lint-imports

types: ready ## strict types
	$(RUN) mypy

lock: $(filter .tools%,$(UV)) ## is uv.lock what pyproject.toml asks for?
	$(UV) lock --check

fresh: ready ## is gx/ what the contracts compile to?
	$(RUN) sluis generate --check

contracts: ready ## do contracts, entities and environments hold no problem?
	$(RUN) sluis lint

golden: ready ## write the golden files anew, to be reviewed as a diff
	SLUIS_UPDATE_GOLDEN=1 $(RUN) pytest tests/golden

bench: ready ## measure against a plain copy
	$(RUN) python tests/bench/bench.py
	$(RUN) python tests/bench/report_scale.py

.PHONY: help ready demo test slow lint types lock fresh contracts golden bench
