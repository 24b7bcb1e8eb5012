# Everything a fresh machine needs is set up by the target itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
# a process for each core, each with whole files of tests
PYTEST = $(BIN)/python -m pytest -n auto --dist loadfile
INSTALL = $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: help demo test test-slow lint format types interpreted bounds wheel clean

help:
	@echo 'make demo       learn Connect Four for five minutes, then judge a position (about 6 minutes after set-up)'
	@echo 'make test       the tests (ten to eighteen minutes on two cores after set-up)'
	@echo 'make test-slow  the long checks too'
	@echo 'make lint types formatting, lint and types'

$(READY): constraints.txt pyproject.toml Makefile
	@echo 'Setting up .venv with the pinned packages: one to three minutes, once.'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(INSTALL) -e '.[dev]'
	@touch $(READY)

demo: demo-says $(READY)
	@$(BIN)/python -m recipes.demo

demo-says:
	@echo 'Demo: a net learns Connect Four from nothing for five minutes, measured against perfect play.'

test: test-says $(READY)
	@$(PYTEST) -m 'not slow'

test-says:
	@echo 'Tests of everything but the long checks: ten to eighteen minutes on two cores, after set-up.'

test-slow: $(READY)
	@$(PYTEST)

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(READY)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: $(READY)
	@$(BIN)/mypy

# the fast half in the interpreter, where coverage sees inside kernels
interpreted: $(READY)
	@NUMBA_DISABLE_JIT=1 $(PYTEST) -m 'not slow and not compiled' --cov --cov-report=term:skip-covered

# every index checked, in a cache of its own
bounds: $(READY)
	@NUMBA_BOUNDSCHECK=1 SPARRING_CACHE=$(VENV)/bounds-cache $(PYTEST) -m 'not slow' tests/games tests/search tests/nets tests/learn

wheel: $(READY)
	@$(BIN)/python -m build --wheel

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache
