# The only entry points; continuous integration calls the same targets.
# Every target creates the environment in .venv when it is missing.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SOURCES := $(wildcard src/pyramidion/kernels/native/*)

# Tests start many processes: what is compiled once is kept. Not in a folder of its own, since
# the installed packages, which are compiled already, would be compiled once more for it.
test test-long: export PYTHONDONTWRITEBYTECODE :=

# Two processes share the cores: threads of NumPy and Polars would only wait for each other.
test test-long: export OMP_NUM_THREADS := 1
test test-long: export POLARS_MAX_THREADS := 1

.PHONY: help demo test test-long lint format docs bench train snapshots size tool browser clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "make: Python 3.11 or later is needed, $$($(PYTHON) --version) found: try make PYTHON=python3.12" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml english/pyproject.toml CMakeLists.txt $(SOURCES) | $(BIN)/python
	@# Dependency groups need pip 25.1.
	$(PIP) --upgrade 'pip>=25.1'
	$(if $(LOCKED),$(PIP) --require-hashes --no-deps --requirement .ci/requirements.txt)
	$(PIP) --editable ./english $(if $(LOCKED),--no-deps --editable .,--editable '.[all]' --group dev)
	@touch $@

$(VENV)/.docs $(VENV)/.bench: $(VENV)/.%: $(VENV)/.installed
	$(PIP) --group $*
	@touch $@

demo: $(VENV)/.installed ## The story of an evaluation, command by command, on built-in data
	$(BIN)/pyramidion demo

test: $(VENV)/.installed ## All tests except the long ones; COVERAGE=1 lists the lines that none reaches
	@$(BIN)/python -m compileall -q -j 2 src tests
	@# Rewriting assertions to explain themselves slows down every process; only failures run again that way.
	$(BIN)/pytest -n 2 --dist worksteal --assert=plain $(if $(COVERAGE),--cov=pyramidion --cov-report=term-missing:skip-covered) || \
		($(BIN)/pytest --last-failed; exit 1)

test-long: $(VENV)/.installed ## All tests, then a sample of mutants
	$(BIN)/pytest -n 2 --dist worksteal -m '' --hypothesis-profile=long
	$(BIN)/python tools/mutants.py --count 20

lint: $(VENV)/.installed ## ruff (rules and format), mypy (strict for src), and both type checkers on sample calls
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q -m long tests/typing
	$(BIN)/mypy --config-file tests/mypy.ini tests
	@# Separately, because some of their modules are named like folders of tests; star arguments confuse mypy.
	MYPYPATH=benchmarks $(BIN)/mypy --config-file tests/mypy.ini --disable-error-code call-arg benchmarks
	$(BIN)/mypy --config-file tests/mypy.ini --disable-error-code call-arg tools

format: $(VENV)/.installed ## Fix what ruff can fix, and write the signatures of package fronts
	$(BIN)/python tools/stubs.py
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.docs ## The documentation, as pages in docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

# The scripts of each benchmark, and the areas that need other packages to compare with.
BENCH_checks := checks.py
BENCH_classy := classy.py
BENCH_formats := importing.py ducview.py
BENCH_growth := growth.py
BENCH_judges := judges.py
BENCH_matching := matching.py
BENCH_meta := meta.py
BENCH_metrics := metrics.py confounding.py
BENCH_names := recognizing_names.py
BENCH_parsing := parsing.py
BENCH_prediction := prediction.py
BENCH_pyramids := pyramid_scores.py pyramid_stability.py pyramids.py
BENCH_readability := readability.py
BENCH_readings := readings.py
BENCH_rewriting := rewriting_changes.py
BENCH_rouge := rouge.py
BENCH_scale := scale.py
BENCH_sentences := sentences.py tokens.py
BENCH_stories := stories.py
BENCH_stats := stats.py stats_errors.py stats_correlations.py stats_power.py stats_models.py preferences.py prediction_powered.py label_choice.py stats_sequential.py
BENCH_status := status.py
BENCH_summarizer-choice := summarizer_choice.py
BENCH_summarizers := summarizers.py
BENCH_support := support.py
BENCH_tagging := tagging.py
BENCH_studio := studio_load.py
BENCH_summarizer-context := summarizer_context.py
BENCH_summarizer-changes := summarizer_changes.py
BENCH_traps := traps.py traps_second.py traps_third.py traps_fourth.py traps_fifth.py \
    traps_sixth.py traps_seventh.py traps_eighth.py traps_ninth.py
BENCH_web-pages := web_pages.py
BENCH_writer := writer.py
WITH_PEERS := matching meta readability rouge sentences summarizer-choice summarizers
AREAS := $(sort $(patsubst BENCH_%,%,$(filter BENCH_%,$(.VARIABLES))))

bench: $(VENV)/$(if $(filter $(AREA),$(WITH_PEERS)),.bench,.installed) ## Benchmarks: AREA=rouge OPTIONS="--long"; without AREA, all published ones, written to docs/benchmarks.md
	@$(if $(AREA),$(if $(BENCH_$(AREA)),,echo "make: no area '$(AREA)'; areas: $(AREAS)" >&2; exit 2))
	$(if $(AREA),@set -e; for script in $(BENCH_$(AREA)); do OMP_NUM_THREADS=1 $(BIN)/python benchmarks/$$script $(OPTIONS); done,$(BIN)/python benchmarks/publish.py $(OPTIONS))

# The scripts that train each model that is part of the package, or compile its lists.
TRAIN_background := background.py
TRAIN_english := model/train.py
TRAIN_hmm := hmm.py
TRAIN_name-lists := name_lists.py
TRAIN_names := train_names.py
TRAIN_similarity := similarity.py
TRAIN_status := status.py
TRAIN_tagger := tagger.py light_parser.py
MODELS := $(sort $(patsubst TRAIN_%,%,$(filter TRAIN_%,$(.VARIABLES))))

train: $(VENV)/.installed ## Train a model that the package ships: MODEL=names OPTIONS="folder of treebanks"
	@$(if $(TRAIN_$(MODEL)),,echo "make: no model '$(MODEL)'; models: $(MODELS)" >&2; exit 2)
	@set -e; for script in $(TRAIN_$(MODEL)); do OMP_NUM_THREADS=1 $(BIN)/python tools/$$script $(OPTIONS); done

snapshots: $(VENV)/.installed ## Record the output of every command and show what changed: CASES="gap meta"; SHOW=gap prints one
	@$(if $(SHOW),gzip -dc tests/snapshots/recorded/$(SHOW).txt.gz,$(BIN)/python tests/snapshots/update.py $(CASES))

# The scripts for occasional work; the others there train models.
TOOLS := demo_evaluation fuzz lock mutants review screens

tool: $(VENV)/.installed ## An occasional tool, such as NAME=fuzz OPTIONS="--seconds 600"
	@$(if $(filter $(NAME),$(TOOLS)),,echo "make: no tool '$(NAME)'; tools: $(TOOLS)" >&2; exit 2)
	@$(BIN)/python tools/$(NAME).py $(OPTIONS)

size: ## Files, lines, code and docstrings, by package
	@$(PYTHON) tools/size.py

browser: ## Install Chromium for the tests of the studio where it is missing (Debian, as root or with sudo)
	@command -v chromium || command -v google-chrome || { \
		root=$$([ "$$(id -u)" = 0 ] || echo sudo); $$root apt-get update -qq && \
		$$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; }

clean: ## Remove everything that was built
	rm -rf $(VENV) build dist docs/_build pyramidion-demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
