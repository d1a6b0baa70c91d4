"""Metrics of one's own: found in files, called with texts, told where they fail, kept by item."""

import json
import pickle
import re

import numpy as np
import pytest

import pyramidion
from pyramidion.cli.runtime import run
from pyramidion.collection import Collection, Summary, find_measure
from pyramidion.errors import InputError, MissingExtraError, NotFoundError
from pyramidion.metrics import ScoringBatch, metric, parse_metric, score, score_cases
from pyramidion.metrics._own import MARKED_FUNCTIONS

OVERLAP = """
def overlap(summary, references):
    words = set(summary.lower().split())
    return max(len(words & set(one.lower().split())) / len(words) for one in references)

def length(summary):
    return len(summary.split())

def novelty(summary, references, documents):
    known = set(" ".join(documents).lower().split())
    words = summary.lower().split()
    return sum(word not in known for word in words) / len(words)

def wrong(text, about):
    return 0
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "my_metric.py"
    path.write_text(OVERLAP)
    return path


def small():
    summaries = [
        Summary(topic, system, f"{word} {topic}")
        for topic in ("T1", "T2")
        for system, word in (("x", "rain"), ("y", "sun"))
    ]
    references = [
        Summary(topic, "R", "rain fell", kind="human", role="reference") for topic in ("T1", "T2")
    ]
    return Collection("small", summaries=(*summaries, *references))


def test_a_function_in_a_file_is_a_metric(file):
    cases = ScoringBatch.of_texts(
        ["rain fell", "the sun"], [["rain came"], ["sun", "the sun"]], documents=[["rain"], ["sun"]]
    )
    values = [score_cases(parse_metric(f"{file}:{name}"), cases).tolist()
              for name in ("overlap", "length", "novelty")]  # fmt: skip
    assert values == [[0.5, 1.0], [2.0, 2.0], [0.5, 0.5]]  # by hand
    assert parse_metric(f"{file}:overlap").needs == {"references"}


def test_it_is_typed_after_m_and_named_by_its_function(file, tmp_path, capsys):
    small().save(tmp_path / "c")
    assert (
        run(["score", str(tmp_path / "c"), "-m", f"{file}:overlap,rouge-1-r", "--format", "json"])
        == 0
    )
    rows = json.loads(capsys.readouterr().out)["results"]
    assert {row["measure"]: row["mean"] for row in rows if row["system"] == "x"}["overlap"] == 0.5


def test_cases_are_indexed_by_case():
    cases = ScoringBatch.of_texts(["a", "b", "c"], [["r"], ["r"], ["s"]])
    assert [cases.texts.plain(cases.references[i][0]) for i in range(3)] == ["r", "r", "s"]
    assert len(cases.references) == len(cases)


def test_a_marked_function_stays_and_says_what_it_needs(monkeypatch):
    monkeypatch.setattr("pyramidion.metrics._own.MARKED_FUNCTIONS", dict(MARKED_FUNCTIONS))

    @pyramidion.metric(name="few-words", higher_is_better=False, batch=True, packages=("json",))
    def few_words(summary):
        """Count words."""
        return [len(one.split()) for one in summary]

    assert few_words(["a b"]) == [2]
    assert score(small(), metrics="few-words").scores.value.tolist() == [2.0] * 4
    assert not parse_metric("few-words").higher_is_better

    @metric(packages=("no_such_package",))
    def needy(summary):
        return 0

    with pytest.raises(MissingExtraError, match="needy"):
        score(small(), metrics="needy")


def test_functions_are_passed_themselves(monkeypatch):
    monkeypatch.setattr("pyramidion.metrics._own.MARKED_FUNCTIONS", dict(MARKED_FUNCTIONS))

    def n_letters(summary):
        return len(summary)

    by_itself = score(small(), metrics=[n_letters, "length"]).scores
    assert by_itself.measures == ("length", "n-letters")
    assert score(small(), metrics=n_letters).scores.measures == ("n-letters",)
    with pytest.raises(InputError, match="a lambda, which has no name"):
        score(small(), metrics=[lambda summary: 1])
    with pytest.raises(InputError, match="built-in function len> is not a metric; define"):
        score(small(), metrics=[len])


def test_parameters_say_what_a_function_takes(tmp_path):
    (tmp_path / "m.py").write_text(
        "def shared(a, b):\n    return len(set(a.split()) & set(b.split()))\n"
        "def each(prediction, reference):\n    return shared(prediction, reference)\n"
        "def best(summary, references):\n    return max(shared(summary, r) for r in references)\n"
        "def lists(predictions, references):\n"
        "    return [best(*pair) for pair in zip(predictions, references, strict=True)]\n"
        "def odd(predictions, reference):\n    return []\n"
    )
    cases = ScoringBatch.of_texts(["rain fell", "sun"], [["rain fell", "rain", "snow"], ["sun"]])
    scores = {
        name: score_cases(parse_metric(f"{tmp_path}/m.py:{name}"), cases).tolist()
        for name in ("each", "best", "lists")
    }
    assert scores == {"each": [1.0, 1.0], "best": [2.0, 1.0], "lists": [2.0, 1.0]}  # by hand
    with pytest.raises(
        InputError, match=r"takes \(predictions, reference\); use .*\(prediction, re"
    ):
        parse_metric(f"{tmp_path}/m.py:odd")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("return 1 / 0 if summary == 'rain T2' else 0",
         r"metric bad failed on .*T2.* by x.* \(ZeroDivisionError: division by zero\)"),
        ("return 'much'", r"metric bad returned 'much' for .*T1"),
        ("return float('inf')", "metric bad returned inf for"),
        ("return -1e308", r"returned -1e\+308 for .*; return a number up to 1e\+50, or None"),
        ("raise SystemExit", r"metric bad failed on .*T1.* \(SystemExit\); correct the metric"),
        ("raise ValueError('two\\nlines')", r"\(ValueError: two lines\); correct the metric"),
        ("pass", "no metric of the run is defined .* or use other metrics"),
    ],
)  # fmt: skip
def test_a_failure_is_one_line_with_metric_topic_and_system(tmp_path, code, message):
    path = tmp_path / "bad.py"
    path.write_text(f"def bad(summary, references):\n    {code}\n")
    with pytest.raises(InputError, match=message) as error:
        score(small(), metrics=f"{path}:bad")
    assert "\n" not in str(error.value)


def test_bad_files_and_functions_are_refused(file, tmp_path):
    with pytest.raises(NotFoundError, match="there is no such file"):
        parse_metric(f"{tmp_path}/nowhere.py:f")
    with pytest.raises(NotFoundError, match="no function 'f' in it; functions: overlap, length"):
        parse_metric(f"{file}:f")
    with pytest.raises(InputError, match=r"metric wrong takes \(text, about\); use \(summary\)"):
        parse_metric(f"{file}:wrong")
    with pytest.raises(InputError, match=r"is a file, not a metric; .* -m .*\.py:overlap"):
        parse_metric(str(file))
    broken = tmp_path / "broken.py"
    broken.write_text("import no_such_package\n")
    with pytest.raises(InputError, match=r"cannot be loaded \(ModuleNotFoundError"):
        parse_metric(f"{broken}:f")


SLOW = """
from pathlib import Path

CALLS = Path(__file__).with_name("calls")

def slow(summary):
    if CALLS.exists() and len(CALLS.read_text().split()) == {stop}:
        raise KeyboardInterrupt
    with CALLS.open("a") as stream:
        stream.write(summary.replace(" ", "-") + " ")
    return len(summary) {more}
"""


def test_finished_items_are_kept_and_an_edited_metric_begins_anew(tmp_path, capsys):
    from pyramidion.metrics import _own

    small().save(tmp_path / "c")
    file, table = tmp_path / "slow.py", tmp_path / "s.csv"
    asked = ["score", str(tmp_path / "c"), "-m", f"{file}:slow", "-o", str(table)]

    def begin(stop, more=""):
        file.write_text(SLOW.format(stop=stop, more=more))
        _own._load_file.cache_clear()
        _own._class_in_file.cache_clear()
        return run(asked)

    assert begin(2) == 130
    assert "2 scores of others saved" in capsys.readouterr().err
    # The same code goes on: nothing is computed twice.
    assert begin(2) == 130
    assert "has 2 of 4 scores of slow" in capsys.readouterr().err
    assert (tmp_path / "calls").read_text().split() == ["rain-T1", "sun-T1"]
    # Edited code begins anew.
    assert begin(99, "+ 100") == 0
    assert "scores of slow" not in capsys.readouterr().err
    assert len((tmp_path / "calls").read_text().split()) == 6
    values = [float(line.split(",")[-1]) for line in table.read_text().splitlines()[1:]]
    assert sorted(values) == [106.0, 106.0, 107.0, 107.0]  # "sun T1" has 6 letters, "rain T1" 7
    assert not (tmp_path / "s.csv.partial").exists()


def test_a_batch_must_give_one_score_for_each_summary(monkeypatch):
    monkeypatch.setattr("pyramidion.metrics._own.MARKED_FUNCTIONS", dict(MARKED_FUNCTIONS))

    @metric(batch=True)
    def short(summary):
        return [1.0]

    with pytest.raises(InputError, match="metric short returned 1 scores for 4 summaries"):
        score(small(), metrics="short")


REFUSED = r"is Python code, which is not allowed here; .* without --no-code"


@pytest.mark.parametrize("where", ["before", "behind", "variable"])
def test_code_can_be_forbidden(file, tmp_path, capsys, monkeypatch, where):
    small().save(tmp_path / "c")
    command = ["score", str(tmp_path / "c"), "-m"]
    flags = {"before": (["--no-code"], []), "behind": ([], ["--no-code"])}
    before, behind = flags.get(where, ([], []))
    if where == "variable":
        monkeypatch.setenv("PYRAMIDION_NO_CODE", "1")
    assert run([*before, *command, f"{file}:overlap", *behind]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert re.search(REFUSED, line)
    # Metrics of installed packages are no files.
    assert run([*before, *command, "classy-2011/6/A/all,rouge-1", *behind]) == 0
    # It holds for one call.
    if where != "variable":
        assert run([*command, f"{file}:overlap"]) == 0


def test_code_is_forbidden_in_python_and_in_workers(file, monkeypatch):
    loaded = parse_metric(f"{file}:overlap")
    sent = pickle.dumps(loaded)
    monkeypatch.setenv("PYRAMIDION_NO_CODE", "1")
    for use in (
        lambda: parse_metric(f"{file}:overlap"),
        lambda: pickle.loads(sent),
        lambda: pickle.dumps(loaded),
    ):
        with pytest.raises(InputError, match=REFUSED):
            use()


def test_a_file_in_a_folder_with_a_blank_in_its_name(tmp_path):
    folder = tmp_path / "my metrics"
    folder.mkdir()
    (folder / "m.py").write_text(OVERLAP)
    result = score(small(), metrics=f"{folder / 'm.py'}:length")
    assert result.scores.value.tolist() == [2.0] * 4


def test_summaries_without_references_have_no_score(file):
    cases = ScoringBatch.of_texts(["a b", "a b"], [["a"], []])
    values = score_cases(parse_metric(f"{file}:overlap"), cases)
    np.testing.assert_array_equal(values, [0.5, np.nan])


def test_the_table_of_measures_knows_the_direction(monkeypatch):
    monkeypatch.setattr("pyramidion.metrics._own.MARKED_FUNCTIONS", dict(MARKED_FUNCTIONS))

    @metric(higher_is_better=False)
    def errors(summary):
        return 0.0

    observed = find_measure("errors")
    assert observed is not None
    assert observed.lower_is_better


def test_a_file_imports_its_neighbors_first(tmp_path, monkeypatch):
    """As when Python runs it: a neighbor hides a module of the same name elsewhere."""
    for folder, value in (("elsewhere", 5.0), ("mine", 7.0)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a_neighbor.py").write_text(f"value = {value}\n")
    code = "import a_neighbor\ndef seven(summary):\n    return a_neighbor.value\n"
    (tmp_path / "mine" / "metric.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    seven = parse_metric(f"{tmp_path}/mine/metric.py:seven")
    assert score_cases(seven, ScoringBatch.of_texts(["Rain."])).tolist() == [7.0]


def test_scores_of_parts_that_are_not_defined_are_counted(tmp_path):
    """Two of six summaries, in two parts, have no score."""
    (tmp_path / "odd.py").write_text(
        "def odd(summary):\n    return None if 'Rain' in summary else 1.0\n"
    )
    (tmp_path / "in").mkdir()
    for part in "ab":
        items = (
            {
                "topic": f"{part}{text}",
                "system": "x",
                "peer": f"{text} in {part.upper()}.",
                "references": [f"There was {text} in {part.upper()}."],
            }
            for text in ("Rain", "Snow", "Sun")
        )
        lines = "".join(json.dumps(item) + "\n" for item in items)
        (tmp_path / "in" / f"{part}.jsonl").write_text(lines)
    result = score(tmp_path / "in", output=tmp_path / "out", metrics=f"{tmp_path}/odd.py:odd")
    assert any(line.startswith("odd of 2 summaries") for line in result.left_out), result.left_out
