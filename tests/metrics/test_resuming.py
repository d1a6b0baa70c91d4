"""A run that is interrupted goes on where it stopped."""

import json
from typing import Any

import numpy as np
import pytest

from pyramidion import Collection, Summary
from pyramidion.metrics import RougeMeasure, parse_metric, score
from pyramidion.questions import Progress

DECLARED: Any = score  # the front declares a plain function
OPTIONS = DECLARED.groups["options"]


def asked(measures, rouge=(), **more):
    return {"metrics": measures, **dict(rouge), **more}


def scored_by(source, request, **more):
    return score(source, **request, **more)


def columns_of(request):
    return tuple(OPTIONS("", **request).metrics)


NAMES = ("rouge-1", "rouge-2-r", "bleu", "js-references")
REQUEST = asked(NAMES)
SUMMARIES = (
    Summary("T1", "A", "rain fell on the road", kind="human"),
    Summary("T1", "B", "it rained", kind="human"),
    Summary("T1", "7", "rain fell"),
    Summary("T1", "8", "!"),
)


@pytest.fixture
def folder(tmp_path):
    Collection("mine", summaries=SUMMARIES).save(tmp_path / "mine")
    return tmp_path


def scored(folder, request=REQUEST, name="scores.csv"):
    """Score, and give the answer with what was said and shown."""
    messages, shown = [], []
    watcher = Progress(advance=lambda *counts: shown.append(counts), message=messages.append)
    answer = scored_by(folder / "mine", request, output=folder / name, progress=watcher)
    assert messages.pop() == f"wrote {folder / name}"
    return answer, messages, shown


def interrupted(folder, monkeypatch, request=REQUEST, error=KeyboardInterrupt):
    """Score, and be stopped in the middle of BLEU; give what was said."""

    def stop(self, cases):
        raise error

    messages = []
    with monkeypatch.context() as patch:
        patch.setattr(type(parse_metric("bleu")), "statistics", stop)
        with pytest.raises(error):
            scored_by(
                folder / "mine",
                request,
                output=folder / "scores.csv",
                progress=Progress(message=messages.append),
            )
    return messages


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def test_an_interrupted_run_goes_on(folder, monkeypatch):
    expected, _, _ = scored(folder, name="expected.csv")
    checkpoint = folder / "scores.csv.partial"
    messages = interrupted(folder, monkeypatch)
    assert messages == [f"2 of 4 metrics saved in {checkpoint} for the next run"]
    assert files(folder) == ["expected.csv", "mine", "scores.csv.partial"]
    header, *lines = map(json.loads, checkpoint.read_text().splitlines())
    assert list(header) == ["unfinished"]
    assert [line["metric"] for line in lines] == ["rouge-1-f", "rouge-2-r"]

    def computed(self, cases):
        raise AssertionError("this was finished")

    monkeypatch.setattr(RougeMeasure, "statistics", computed)
    answer, messages, shown = scored(folder)
    assert messages == [f"resuming: {checkpoint} has 2 of 4 metrics"]
    assert shown == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert files(folder) == ["expected.csv", "mine", "scores.csv"]
    assert (folder / "scores.csv").read_bytes() == (folder / "expected.csv").read_bytes()
    assert answer.render("json") == expected.render("json")


def test_it_may_be_interrupted_twice(folder, monkeypatch):
    interrupted(folder, monkeypatch)
    before = (folder / "scores.csv.partial").read_bytes()
    messages = interrupted(folder, monkeypatch)
    assert len(messages) == 2
    assert (folder / "scores.csv.partial").read_bytes() == before


def test_an_error_keeps_what_is_finished_too(folder, monkeypatch):
    """Whoever leaves the metric out that failed goes on with the others."""
    messages = interrupted(folder, monkeypatch, error=ZeroDivisionError)
    assert "2 of 4 metrics saved" in messages[0]
    _, messages, _ = scored(folder, asked(("rouge-2-r", "rouge-1", "js-references")))
    assert messages[0].endswith("has 2 of 3 metrics")
    assert files(folder) == ["mine", "scores.csv"]


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: asked(NAMES, jackknife=True),
        lambda folder: Collection("mine", summaries=SUMMARIES[:3]).save(
            folder / "mine", replace=True
        ),
    ],
    ids=["jackknife", "data"],
)
def test_another_run_is_reported_and_replaced(folder, monkeypatch, change):
    interrupted(folder, monkeypatch)
    request = change(folder) or REQUEST
    expected = scored_by(folder / "mine", request).values
    answer, messages, _ = scored(folder, request)
    checkpoint = folder / "scores.csv.partial"
    assert messages == [
        f"{checkpoint} belongs to another version, other data or options: it is not used"
    ]
    np.testing.assert_equal(answer.values, expected)
    assert files(folder) == ["mine", "scores.csv"]


def test_other_options_of_rouge_are_other_metrics(folder, monkeypatch):
    interrupted(folder, monkeypatch)
    _, messages, _ = scored(folder, asked(NAMES, {"stem": True}))
    assert messages == []


def test_another_version_is_another_run(folder, monkeypatch):
    interrupted(folder, monkeypatch)
    monkeypatch.setattr("pyramidion.__version__", "9.9.9")
    _, messages, _ = scored(folder)
    assert "belongs to another version" in messages[0]


def test_a_seed_changes_no_column(folder, monkeypatch):
    interrupted(folder, monkeypatch)
    _, messages, _ = scored(folder, asked(NAMES, seed=5))
    assert messages[0].endswith("has 2 of 4 metrics")


def test_nothing_is_kept_without_need(folder, monkeypatch):
    """Of one metric, before the first is finished, or without an output."""
    for names in (("bleu",), ("bleu", "rouge-1")):
        assert interrupted(folder, monkeypatch, asked(names)) == []
        assert files(folder) == ["mine"]
    scored_by(folder / "mine", REQUEST)
    assert files(folder) == ["mine"]


def test_somebody_elses_file_is_left_alone(folder, monkeypatch):
    other = folder / "scores.csv.partial"
    other.write_text("my notes")
    _, messages, _ = scored(folder)
    assert messages == [
        f"{other} is an unrelated file, so nothing is saved if this run is interrupted"
    ]
    assert interrupted(folder, monkeypatch) == messages
    assert other.read_text() == "my notes"


def test_a_table_that_cannot_be_written_is_reported_before_the_work(folder, monkeypatch):
    from pyramidion.errors import NotFoundError

    def computed(self, cases):
        raise AssertionError("too early")

    monkeypatch.setattr(RougeMeasure, "statistics", computed)
    with pytest.raises(NotFoundError, match="does not exist"):
        scored_by(folder / "mine", REQUEST, output=folder / "no" / "scores.csv")
