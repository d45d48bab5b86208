# make run · make test · make lint · make wheel-check · make screenshots · make demo · make demo-report · make lock
# and what is measured: make bench · make bench-browser · make load · make fuzz
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
UV := $(BIN)/uv pip compile requirements-hub.txt --generate-hashes --custom-compile-command 'make lock' \
	--python-version 3.11 --python-platform x86_64-manylinux_2_28
TORCH_WHEELS ?= https://download.pytorch.org/whl/cpu/torch/
TSC := npx --offline --yes --package typescript@5.9.3 tsc
export OMP_WAIT_POLICY := passive

.PHONY: run test lint bench bench-browser fuzz load screenshots demo demo-report lock wheel-check

run: $(VENV)/app
	$(BIN)/python -m streamlit run app.py

test: $(VENV)/dev
	@$(BIN)/python -m tests.browser.chromium || true
	$(BIN)/python -m pytest

lint: $(VENV)/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	@if $(TSC) --version >/dev/null 2>&1; then echo $(TSC) -p vitviz/ui/explorer; $(TSC) -p vitviz/ui/explorer; \
	else echo "The explorer's JavaScript was not type-checked: TypeScript is not in npm's cache here;" \
	"$(subst --offline ,,$(TSC)) --version puts it there."; fi

wheel-check: $(VENV)/dev
	$(BIN)/python -m tests.wheel

bench: $(VENV)/dev
	$(BIN)/python -m benchmarks

bench-browser: $(VENV)/dev
	$(BIN)/python -m benchmarks.browser

fuzz: $(VENV)/dev
	$(BIN)/python -m benchmarks.fuzz

load: $(VENV)/dev
	$(BIN)/python -m benchmarks.load

screenshots: $(VENV)/dev
	$(BIN)/python -m tests.browser.screenshots

demo: $(VENV)/app
	$(BIN)/python -m vitviz demo train
	$(BIN)/python -m vitviz demo report

demo-report: $(VENV)/app
	$(BIN)/python -m vitviz demo report

# For the servers of deploy/. A package that is locked keeps its version; `rm deploy/*.lock` takes the newest ones.
lock: | $(VENV)/python
	$(PIP) install uv==0.13.8
	$(UV) --find-links $(TORCH_WHEELS) --output-file deploy/requirements.lock
	$(UV) --output-file deploy/requirements-gpu.lock

# Each stamp says what .venv holds, so that the next `make` installs nothing twice.
$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "vitviz needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) --version 2>&1);" \
			"name another one: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/app: requirements.txt | $(VENV)/python
	$(PIP) install -r requirements.txt
	@touch $@

$(VENV)/dev: requirements-dev.txt $(VENV)/app
	$(PIP) install -r requirements-dev.txt
	@touch $@
