# Each target does all its own set-up: `make demo` and `make test` work on a fresh machine that has
# Python 3.11 or newer, make and a C++ compiler.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint format bench validate clean check-tools

demo: $(READY)
	$(BIN)/grouser demo --out demo

test: $(READY)
	$(BIN)/python -m pytest -n auto -q $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
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

# Built anew when the plugin's sources or the project's settings change.
$(READY): pyproject.toml CMakeLists.txt $(wildcard cpp/*.cc cpp/*.h) | check-tools
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

check-tools:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) not found: install Python 3.11 or newer (Debian: apt-get install python3 python3-venv), or run: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$$($(PYTHON) --version) is too old: Grouser needs Python 3.11 or newer; run: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing (Debian: apt-get install python3-venv)"; exit 1; }
	@command -v $${CXX:-c++} >/dev/null || { echo "no C++ compiler found (Debian: apt-get install g++); set CXX if it has another name"; exit 1; }
