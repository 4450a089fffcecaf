# Each target sets up what it needs: a fresh machine wants only Python 3.11+ and make.

PORT ?=
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed
TEST_STAMP := $(VENV)/.installed-dev

.PHONY: help setup setup-dev chromium run dev test test-clis eval fuzz lint format bench bench-peers screenshots clean

help:
	@echo "make run    build and serve the app, print its link (PORT=8123 make run picks the port)"
	@echo "make test   run all tests        make lint   ruff and pyright"
	@echo "make dev    hot reload           make bench  benchmarks"

# --- set-up ---------------------------------------------------------------------------------------------------------

setup: $(STAMP)

$(PY):
	@python=$$(for name in python3.14 python3.13 python3.12 python3.11 python3; do \
	    if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$name; break; fi; done); \
	  if [ -z "$$python" ]; then echo "A2UI App needs Python 3.11 or newer, and none was found on PATH." >&2; exit 1; fi; \
	  echo "Setting up with $$($$python --version) …" >&2; \
	  $$python -m venv $(VENV)

$(STAMP): requirements.txt | $(PY)
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

setup-dev: $(TEST_STAMP)

$(TEST_STAMP): requirements-dev.txt $(STAMP)
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# Which Chromium the tests use; written to a file so that make stops when there is none.
chromium: $(TEST_STAMP)
	@$(PY) scripts/find_chromium.py > $(VENV)/.chromium

WITH_CHROMIUM := CHROMIUM_PATH="$$(cat $(VENV)/.chromium)"

# --- use ------------------------------------------------------------------------------------------------------------

run: $(STAMP)
	@exec $(PY) -m a2ui_app serve $(if $(PORT),--port $(PORT))

dev: $(STAMP)
	@exec $(PY) -m reflex run $(if $(PORT),--frontend-port $(PORT))

# --- check ----------------------------------------------------------------------------------------------------------

test: chromium
	@$(WITH_CHROMIUM) $(PY) -m pytest

lint: $(TEST_STAMP)
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(PY) -m pyright

format: $(TEST_STAMP)
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

bench: chromium
	@$(WITH_CHROMIUM) $(PY) -m bench

bench-peers: chromium
	@$(WITH_CHROMIUM) $(PY) -m bench.peers

# The real coding-agent CLIs against a scripted model server; installs them from npm into a folder of its own.
test-clis: $(TEST_STAMP)
	@$(PY) -m tests.clis.run

# Writes anew what models are told when they call render_ui wrongly, for people to review.
eval: $(TEST_STAMP)
	@A2UI_EVAL=write $(PY) -m pytest -q tests/eval
	@echo "See tests/eval/render_ui_errors.md"

# The session's property tests, ten thousand histories long.
fuzz: $(TEST_STAMP)
	@A2UI_FUZZ_EXAMPLES=10000 $(PY) -m pytest tests/session/test_properties.py

screenshots: chromium
	@$(WITH_CHROMIUM) $(PY) scripts/screenshots.py

clean:
	rm -rf .build .web .states
