"""What is known of measures by name."""

import json
import subprocess
import sys
from importlib.metadata import EntryPoint

import numpy as np
import pytest

from pyramidion.collection import Collection, Measure, Scale, find_measure, full_measure_name
from pyramidion.collection import measures as table
from pyramidion.collection.measures import is_human, is_lower_better
from pyramidion.comparison.measure_tables import meta_tables
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.metrics import all_metrics, parse_metric, score_collection
from pyramidion.questions import plugin_entries


@pytest.mark.parametrize("metric", all_metrics(), ids=lambda metric: metric.name)
def test_the_table_says_what_the_metric_says(metric):
    for name in metric.names():
        measure = find_measure(name)
        assert measure is not None, name
        assert measure.lower_is_better is not metric.higher_is_better, name
        assert not measure.human


def test_scores_lie_on_the_scales():
    names = [name for metric in all_metrics() for name in metric.names() if name[:4] != "clas"]
    metrics = [parse_metric(name) for name in names]
    scaled = [m for m in metrics if find_measure(str(m)).scale and "parser" not in m.requirements]
    scores = score_collection(load_demo(), scaled)
    assert len(scaled) > 10
    for metric, values in zip(scaled, scores.values.T, strict=True):
        scale = find_measure(str(metric)).scale
        defined = values[~np.isnan(values)]
        assert len(defined), metric
        assert all(map(scale.allows, defined)), metric


@pytest.mark.parametrize(
    ("name", "lower"),
    [
        ("js-references", True),
        ("js-input(stem)", True),
        ("kl-summary-input", True),
        ("anaphora", True),
        ("rank", True),
        ("final position", True),
        ("rouge-su4-r", False),
        ("ROUGE-2", False),
        ("classy-2011/25/A/all", False),
        ("responsiveness", False),
        ("mine", False),
        ("my measure (old)", False),
    ],
)
def test_direction(name, lower):
    assert is_lower_better(name) is lower


def test_what_people_judge():
    for name in ("responsiveness", "coverage", "focus", "pyramid-modified", "pyramid-recall"):
        assert is_human(name), name
    for name in ("rouge-2-f", "pyramid-match", "auto-rouge", "mine"):
        assert not is_human(name), name
    assert find_measure("readability").scale == Scale(1, 5, 1)


def test_a_declaration_comes_first():
    declared = {"js-input": Measure(), "mine": Measure(lower_is_better=True, human=True)}
    assert not is_lower_better("js-input", declared)
    assert is_lower_better("mine", declared)
    assert is_human("mine", declared)
    assert is_lower_better("js-references", declared)


def test_a_bare_name_means_f_where_only_that_is_there():
    assert full_measure_name("rouge-2", {"rouge-2-f", "rouge-2-r"}) == "rouge-2-f"
    assert full_measure_name("rouge-2", {"rouge-2-f", "rouge-2"}) == "rouge-2"
    assert full_measure_name("rouge-2", {"rouge-2-r"}) == "rouge-2"


@pytest.fixture
def declare(monkeypatch):
    """Declare entry points as another package would."""

    def declared(*values):
        entries = [
            EntryPoint(str(n), value, "pyramidion.metrics") for n, value in enumerate(values)
        ]
        monkeypatch.setitem(
            plugin_entries.__globals__,
            "entry_points",
            lambda group: [entry for entry in entries if entry.group == group],
        )
        table._plugin_metrics.cache_clear()

    yield declared
    monkeypatch.undo()
    table._plugin_metrics.cache_clear()


def test_metrics_of_another_package_say_it_themselves(declare):
    declare("metrics.plugin_example:FEWER", "metrics.plugin_example:BOTH")
    assert find_measure("fewer-words(most=5)") == Measure(lower_is_better=True)
    assert find_measure("letters") == Measure()
    assert find_measure("sounds") is None


def test_a_broken_package_hinders_nobody(declare):
    declare("metrics.nowhere:X", "metrics.plugin_example:NOTHING", "metrics.plugin_example:FEWER")
    assert is_lower_better("fewer-words")
    assert find_measure("x") is None


# What a collection declares.


def test_scales_and_measures_of_a_collection_agree():
    collection = Collection(
        "x", scales={"a": Scale(1, 5), "b": Scale(0, 1)}, measures={"a": Measure(human=True)}
    )
    assert collection.measures == {"a": Measure(scale=Scale(1, 5), human=True)}
    other = Collection("x", measures={"a": Measure(scale=Scale(1, 5), human=True)})
    assert other.scales == {"a": Scale(1, 5)}
    with pytest.raises(InputError, match="measure `a` has two scales"):
        Collection("x", scales={"a": Scale(1, 7)}, measures=other.measures)


def test_a_declared_direction_is_negated():
    scores = load_demo().scores
    declared = {"readability": Measure(lower_is_better=True)}
    plain = meta_tables(scores, "responsiveness", metrics=["readability"])[0]
    negated = meta_tables(scores, "responsiveness", metrics=["readability"], declared=declared)[0]
    assert (plain.negated, negated.negated) == ((), ("readability",))
    assert np.array_equal(negated.metrics["readability"], -plain.metrics["readability"], True)


_META = """
import json, sys
from pyramidion.cli.runtime import run
call = ["meta", sys.argv[1], "--human", "h", "--resamples", "39", "--format", "json"]
assert run(call) == 0
names = ("classy.metric", "metrics", "rouge")
loaded = [name for name in names if f"pyramidion.{name}" in sys.modules]
print(json.dumps(loaded), file=sys.stderr)
"""


def test_a_table_is_judged_without_loading_a_metric(tmp_path):
    file = tmp_path / "scores.csv"
    rng = np.random.default_rng(1)
    rows = [
        f"T{topic},{system},machine,{measure},{rng.normal() + system}"
        for topic in range(5)
        for system in range(5)
        for measure in ("h", "js-input", "mine", "rouge-2-f")
    ]
    file.write_text("\n".join(["topic,system,kind,measure,value", *rows]) + "\n")
    command = [sys.executable, "-c", _META, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stderr.strip().splitlines()[-1]) == []
    assert "js-input" in done.stdout
