# Each target does all its own set-up: `make demo` and `make test` work on a fresh machine that has
# Python 3.11 or newer, make and a C++ compiler. A second run finds everything ready.

PYTHON ?= python3
CXX ?= c++
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
READY := $(VENV)/.ready
VIDEO := $(VENV)/.video

.PHONY: demo test lint format bench validate clean

demo: $(VIDEO)
	$(BIN)/grouser demo --out demo

test: $(READY)
	$(BIN)/python -m pytest -n auto --dist loadgroup -q $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror cpp/*.cc cpp/*.h

format: $(READY)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i cpp/*.cc cpp/*.h

validate: $(READY)
	$(BIN)/python docs/validate.py

bench: $(READY)
	$(BIN)/python benchmarks/step_time.py

clean:
	rm -rf $(VENV) build dist demo

# Made anew when the plugin's sources or the project's settings change.
$(READY): pyproject.toml CMakeLists.txt $(wildcard cpp/*.cc cpp/*.h)
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) not found: install Python 3.11 or newer (Debian: apt-get install python3 python3-venv), or run: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$$($(PYTHON) --version 2>&1) is too old: Grouser needs Python 3.11 or newer; run: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing (Debian: apt-get install python3-venv)"; exit 1; }
	@command -v $(firstword $(CXX)) >/dev/null || { echo "no C++ compiler: $(CXX) not found (Debian: apt-get install g++); or run: make CXX=/path/to/compiler"; exit 1; }
	@echo "setting up $(VENV) and building the plugin (a minute or two)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --upgrade pip
	@CXX="$(CXX)" $(PIP) --editable '.[dev]'
	@touch $@

$(VIDEO): $(READY)
	@$(PIP) --editable '.[video]'
	@touch $@
