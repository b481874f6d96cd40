# One word for each task; CI runs the same words. `make` alone lists them.
# Everything lives in .venv. What the tests need of the system is installed if nobody must be asked
# (tools/programs.py). Else the tests that need it are left out, and the run says so.

VENV := .venv
PY := $(VENV)/bin/python

# Python keeps what it has compiled, also where the environment says that it must not: tests and
# benchmarks start many servers, and each would compile some six hundred modules anew.
unexport PYTHONDONTWRITEBYTECODE

# The first of these that is 3.11 or newer, and that its makers have optimized, makes .venv: the suite takes
# a sixth less with it. If none is, as where pyenv has built them all, the first that is new enough.
# `make run PYTHON=/path/to/python` chooses another.
PYTHON := python3 python3.14 python3.13 python3.12 python3.11 python /usr/bin/python3
IS_NEW_ENOUGH := 'import sys; sys.exit(sys.version_info < (3, 11))'
# Debian optimizes without that word, and empties the other.
IS_FAST := 'import ensurepip, sys, sysconfig; told = sysconfig.get_config_var; sys.exit(sys.version_info < (3, 11) \
	or "--enable-optimizations" not in (told("CONFIG_ARGS") or "") and bool(told("PGO_PROF_USE_FLAG")))'
ENVIRONMENT = @for is_right in $(IS_FAST) $(IS_NEW_ENOUGH); do \
	for python in $(PYTHON) none; do $$python -c "$$is_right" >/dev/null 2>&1 && break 2; done; done; \
	test $$python != none || { echo "Python 3.11 or newer is needed; none of these is: $(PYTHON)"; exit 1; }; \
	$$python tools/environment.py

CORE := mha_core tests/core
BESIDE_THE_CORE := ui attention_explorer tools tests --ignore=tests/core
# A share of the tests for each processor. Of those that wait for a server, two have room on one, and of
# those that wait for a browser, three on two.
SIDE_BY_SIDE := -n auto --maxprocesses 4 --dist worksteal
TWO_ON_EACH := -n 4 --dist worksteal
THREE_ON_TWO := -n 3 --dist worksteal
SLOWEST := --durations=10
# Two threads of one product wait in circles where their cores are busy: thirty times the work.
quick suite unit core browser busy: export OPENBLAS_NUM_THREADS := 1
quick suite unit core browser busy: export OMP_NUM_THREADS := 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run serve site wheel test quick lint types bundle words contracts unit browser busy pictures guide-pictures bench bench-app bench-page bench-load bench-heavy mutation fuzz lock audit sbom \
        lowest format clean app checks auditors oldest chromium programs javascript suite core

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

run: app ## Open the app in a browser
	@echo "· Opening the app; Ctrl+C ends it"
	@EXPLORER_OWN_MACHINE=1 $(PY) -m streamlit run app.py

PORT := 8501
REPLICAS :=
ADDRESS :=
serve: app ## Serve the app to many: nginx and a process for each core (PORT=8600 REPLICAS=4 ADDRESS=127.0.0.1)
	@$(PY) -m tools.serve --port "$(PORT)" $(if $(REPLICAS),--replicas "$(REPLICAS)") $(if $(ADDRESS),--address "$(ADDRESS)")

OUT := site
site: checks ## Write the pages that need no server into a folder for any static host (OUT=elsewhere)
	@$(PY) -m tools.site "$(OUT)"

DIST := dist
wheel: checks ## Build the package that `pip install` takes (DIST=elsewhere)
	@$(PY) -m pip wheel --quiet --no-deps --wheel-dir "$(DIST)" .
	@echo "· $$(ls -t "$(DIST)"/*.whl | head -1)"

# Meanwhile programs are installed, and what the tests import is compiled, once: else each process that
# runs tests would do it. If something is wrong with either, the suite says so.
test: checks javascript ## Run every check, as CI does
	@{ $(PY) -m tools.programs; $(PY) -m pytest --collect-only --quiet >/dev/null 2>&1; } & \
		$(MAKE) --no-print-directory lint types contracts; told=$$?; wait; exit $$told
	@$(MAKE) --no-print-directory suite

# For daily work: the tests without a browser, a server, a whole page, LaTeX or a second pytest, with
# fewer random draws.
WHOLE := browser pages package running hosting security fuzz benchmarks tools core/io/latex/test_compiling.py
quick: checks ## Run the quick tests: no browser, no server, no whole page
	@HYPOTHESIS_PROFILE=quick $(PY) -m pytest $(SIDE_BY_SIDE) $(SLOWEST) $(WHOLE:%=--ignore=tests/%)

lint: checks javascript ## Check style and formatting
	@echo "· ruff: style and formatting"
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@echo "· ESLint: JavaScript"
	@$(PY) -m tools.javascript lint

types: checks javascript ## Check the types
	@echo "· mypy: types"
	@$(PY) -m mypy
	@echo "· TypeScript: the types of JavaScript, in its comments"
	@$(PY) -m tools.javascript types

bundle: checks javascript ## Build what browsers are sent, after a change in ui/plot/js or its styles
	@$(PY) -m tools.javascript bundle

LANGUAGE :=
words: checks ## Write all words for translators; LANGUAGE=de makes that language's file, or brings it up to date
	@$(PY) -m tools.words $(LANGUAGE)

contracts: checks ## Check who imports whom
	@echo "· contracts: who imports whom"
	@$(PY) -m tools.check_imports

suite: unit browser

unit: checks programs core ## Run the tests that need no browser
	@echo "· pytest: all that needs no browser"
	@$(PY) -m pytest $(TWO_ON_EACH) $(SLOWEST) --ignore=tests/browser $(BESIDE_THE_CORE)

# Only these count the lines that they cover: all of the core must be covered.
core: checks programs
	@echo "· pytest: the core, every branch"
	@$(PY) -m pytest -p tests.covered $(SIDE_BY_SIDE) $(SLOWEST) $(CORE)

browser: checks programs ## Run the tests in a browser
	@echo "· pytest: in a browser"
	@$(PY) -m pytest $(THREE_ON_TWO) $(SLOWEST) tests/browser

RUNS := 5
busy: checks programs ## Run every test 5 times while all cores are busy (RUNS=2: twice)
	@$(PY) -m tools.busy --runs $(RUNS) $(SIDE_BY_SIDE)

pictures: checks chromium ## Take the reference pictures anew
	@echo "· Taking the reference pictures anew; look at each that changes"
	@$(PY) -m pytest tests/browser/test_pictures.py --renew-pictures

NAMES :=
guide-pictures: checks chromium ## Take the pictures of the guide and the README anew (NAMES="share first-minute": only these)
	@echo "· Taking the pictures of the guide anew; look at each that changes"
	@$(PY) -m tests.browser.guide_pictures $(NAMES)

bench: checks ## Measure speed and memory against PyTorch
	@$(PY) -m benchmarks

BEFORE :=
bench-app: checks chromium ## Measure the page's speed in a browser (BEFORE=../old: beside an older checkout)
	@$(PY) -m benchmarks.app $(if $(BEFORE),--before $(BEFORE))

PACKAGES :=
bench-page: checks chromium ## Measure a page in one file beside those of other tools that are installed
	@$(PY) -m benchmarks.page $(if $(PACKAGES),--packages "$(PACKAGES)")

VISITORS := 1 10 50
FRONT :=
bench-load: checks ## Measure how many visitors one server carries (VISITORS="1 300"; BEFORE=../old; FRONT="1 2": behind nginx)
	@$(PY) -m benchmarks.load --visitors $(VISITORS) $(if $(BEFORE),--before $(BEFORE)) $(if $(FRONT),--front $(FRONT))

HEAVY := 10
bench-heavy: checks ## Measure what small examples notice of heavy visitors (HEAVY=50: so many; BEFORE=../old)
	@$(PY) -m benchmarks.load.heavy --visitors $(HEAVY) $(if $(BEFORE),--before $(BEFORE))

mutation: checks ## Change the arithmetic on purpose and see the tests notice (slow)
	@$(PY) -m mutmut run

MINUTES := 10
fuzz: checks ## Give what reads links, texts and files hostile input, 10 minutes each (MINUTES=1)
	@$(PY) -m tests.fuzz --minutes $(MINUTES)

# What the hosted image installs. Its Python is 3.13.
LOCK := hosting/requirements.lock
NOT_AUDITED := Either a package has a known hole, or pypi.org, which knows them, is out of reach: then nothing was checked.
lock: auditors ## Choose the packages of the hosted image anew, with their hashes
	@$(VENV)-audit/bin/uv pip compile requirements.txt --upgrade --universal --python-version 3.13 \
		--generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links --quiet \
		--custom-compile-command "make lock" --output-file $(LOCK)

audit: auditors ## Ask pypi.org for known holes in the packages of the hosted image
	@$(VENV)-audit/bin/pip-audit --strict --disable-pip --require-hashes --requirement $(LOCK) \
		|| { echo "$(NOT_AUDITED)"; exit 1; }

sbom: auditors ## Write what the hosted image is made of to test-results/sbom.json (CycloneDX)
	@mkdir -p test-results
	@$(VENV)-audit/bin/cyclonedx-py requirements $(LOCK) --output-reproducible --output-file test-results/sbom.json
	@echo "· test-results/sbom.json"

lowest: oldest ## Run the tests with the oldest packages that the requirements allow
	@$(VENV)-lowest/bin/python -m pytest --ignore=tests/browser

format: checks ## Rewrite the code in the one format
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

clean: ## Remove everything these commands made
	rm -rf .venv .venv-lowest .venv-audit .hypothesis .mypy_cache .pytest_cache .ruff_cache mutants test-results \
		node_modules site build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# What the words above need.

app:
	$(ENVIRONMENT) app

checks:
	$(ENVIRONMENT) checks

oldest:
	$(ENVIRONMENT) lowest

auditors:
	$(ENVIRONMENT) audit

chromium: checks javascript
	@$(PY) -m tools.find_browser

programs: checks javascript
	@$(PY) -m tools.programs

# If npm's registry is out of reach, checks that need its packages are left out, and the run says so.
javascript: checks
	@$(PY) -m tools.javascript install || true
