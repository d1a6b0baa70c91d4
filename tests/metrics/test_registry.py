"""What holds for every metric, ours and others'."""

import random
import re
import subprocess
import sys
from dataclasses import fields, replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from pyramidion import Collection, Summary
from pyramidion.collection import Document, Task, Topic
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError, PyramidionError
from pyramidion.metrics import (
    BUILT_IN,
    Metric,
    Need,
    ScoringBatch,
    all_metrics,
    parse_metric,
    parse_metrics,
    score_collection,
)
from pyramidion.questions import _plugins

FROZEN = Path(__file__).parent / "registry_names.txt"
CLASSES = all_metrics()
NAMES = tuple(name for metric in CLASSES for name in metric.names())
#: Metrics that need texts only: neither a parser nor another package nor a model.
NO_PARSER = tuple(
    name
    for name in NAMES
    if "parser" not in parse_metric(name).requirements and not parse_metric(name).extra
)


def test_the_list_is_what_it_was():
    """A metric that goes away breaks people's scripts: change the file on purpose only."""
    assert list(NAMES) == FROZEN.read_text(encoding="utf-8").split()


def test_names_are_there_once():
    assert len(set(NAMES)) == len(NAMES)
    assert len({metric.name for metric in CLASSES}) == len(CLASSES)
    assert len(set(BUILT_IN)) == len(BUILT_IN)


@pytest.mark.parametrize("name", NAMES)
def test_names_parse_and_read_back(name):
    metric = parse_metric(name)
    assert name in type(metric).names()
    assert parse_metric(str(metric)) == metric
    assert hash(parse_metric(str(metric))) == hash(metric)
    assert metric.requirements <= {*get_args(Need)}


@pytest.mark.parametrize("metric", CLASSES, ids=lambda metric: metric.name)
def test_metrics_say_what_they_are(metric):
    assert metric.title
    assert metric.summary[0].islower() or metric.summary[0].isdigit()
    assert len(metric.summary) <= 80
    assert not metric.summary.endswith(".")
    assert metric.needs <= {*get_args(Need)}
    assert metric.name == metric.name.strip().lower()
    assert metric.citation, "name who described it"
    assert re.fullmatch(r"any number|0 to 1|from [01]|up to [01]", metric.bounds)
    assert metric.__doc__
    for parameter in fields(metric):
        assert parameter.metadata["help"], parameter.name


def values_of(parameter):
    """Draw values that a parameter allows."""
    rules, default = parameter.metadata, parameter.default
    if rules["choices"]:
        return st.sampled_from(rules["choices"])
    if isinstance(default, bool):
        return st.booleans()
    least, most = rules["min"], rules["max"]
    if isinstance(default, int) or (default is None and least is not None):
        low = int(least or 0)
        numbers = st.integers(low, low + 20 if most is None else int(most))
        return st.one_of(st.none(), numbers) if default is None else numbers
    if isinstance(default, float):
        low = least or 0.0
        return st.floats(low, low + 20 if most is None else most)
    return st.just(default)


@given(data=st.data(), name=st.sampled_from(NAMES))
def test_any_options_read_back(data, name):
    metric = parse_metric(name)
    in_name = type(metric).read(name) or {}
    drawn = {
        parameter.name: data.draw(values_of(parameter), label=parameter.name)
        for parameter in fields(metric)
        if parameter.name not in in_name
    }
    try:
        chosen = replace(metric, **drawn)
    except PyramidionError:
        # Some options exclude each other.
        return
    assert parse_metric(str(chosen)) == chosen
    assert parse_metric(chosen.to_string([field.name for field in fields(chosen)])) == chosen


@pytest.mark.parametrize("metric", CLASSES, ids=lambda metric: metric.name)
def test_wrong_values_are_refused(metric):
    made = parse_metric(metric.names()[0])
    in_name = metric.read(metric.names()[0]) or {}
    for parameter in fields(metric):
        if parameter.name in in_name:
            continue
        for wrong in (object(), float("nan"), "a,b", "(", b"x", ["x"]):
            message = refusal(InputError, replace, made, **{parameter.name: wrong})
            assert f"{parameter.name} is" in message


def test_the_room_is_entered_without_scipy():
    code = "import pyramidion.metrics, sys; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# What every metric does with texts.


@pytest.fixture(scope="module")
def demo():
    return load_demo()


@pytest.fixture(scope="module")
def demo_scores(demo):
    return score_collection(demo, [parse_metric(name) for name in NO_PARSER])


BOUNDS = {
    "any number": (-np.inf, np.inf),
    "0 to 1": (0, 1),
    "from 0": (0, np.inf),
    "from 1": (1, np.inf),
    "up to 0": (-np.inf, 0),
}


def test_every_metric_scores_the_demo(demo, demo_scores):
    """Finite, or missing for a reason that is told."""
    for column, measure in zip(demo_scores.values.T, demo_scores.measures, strict=True):
        assert np.isfinite(column).any(), measure
        assert not np.isinf(column).any(), measure
        low, high = BOUNDS[parse_metric(measure).bounds]
        # A cosine may be greater than 1 by a rounding error.
        assert low - 1e-9 <= np.nanmin(column) <= np.nanmax(column) <= high + 1e-9, measure
        if np.isnan(column).any():
            alone = score_collection(demo, [parse_metric(measure)])
            reported = [line.removeprefix(f"{measure} of ").split()[0] for line in alone.left_out]
            assert sum(map(int, reported)) == np.isnan(column).sum(), measure


def by_address(result):
    return {
        (*summary.key, measure): value
        for summary, row in zip(result.summaries, result.values.tolist(), strict=True)
        for measure, value in zip(result.measures, row, strict=True)
    }


def test_order_changes_nothing(demo, demo_scores):
    """Neither of summaries, hence of references, nor of documents, nor of topics."""
    draw = random.Random(4)
    topics = [
        replace(topic, documents=tuple(draw.sample(topic.documents, len(topic.documents))))
        for topic in draw.sample(demo.topics, len(demo.topics))
    ]
    summaries = draw.sample(demo.summaries, len(demo.summaries))
    shuffled = replace(demo, topics=tuple(topics), summaries=tuple(summaries))
    again = score_collection(shuffled, [parse_metric(name) for name in NO_PARSER], threads=2)
    expected = by_address(demo_scores)
    observed = by_address(again)
    assert observed == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)


def test_a_summary_is_scored_alike_whatever_is_next_to_it(demo, demo_scores):
    """What a stream relies on, which is scored in parts."""
    kept = [summary for summary in demo.summaries if summary.topic in ("P01", "P02")]
    metrics = [parse_metric(name) for name in NO_PARSER]
    alone = score_collection(
        replace(demo, summaries=tuple(kept)), [metric for metric in metrics if metric.per_case]
    )
    expected = by_address(demo_scores)
    for address, value in by_address(alone).items():
        assert value == pytest.approx(expected[address], rel=1e-9, abs=1e-9, nan_ok=True), address


WORDS = (
    "rain",
    "fell",
    "on",
    "the",
    "roads",
    "and",
    "they",
    "were",
    "closed",
    "waited",
    "in",
    "town",
)


def small_collection(texts=None):
    """Three writers, two machines, documents, a task and its update."""
    draw = random.Random(2)

    def text():
        return " ".join(" ".join(draw.choices(WORDS, k=6)).capitalize() + "." for _ in range(4))

    documents = tuple(
        Document(f"{part}{number}", text(), set=part)
        for part in ("base", "update")
        for number in range(2)
    )
    systems = (*(("XYZ"[n], "human") for n in range(3)), ("7", "machine"), ("8", "machine"))
    summaries = tuple(
        Summary("T", system, text(), task=task, kind=kind)
        for task in "AB"
        for system, kind in systems
    )
    given = [
        Summary("T", f"hostile{number}", text, task=task)
        for task in "AB"
        for number, text in enumerate(texts or ())
    ]
    return Collection(
        "small",
        tasks=(Task("A", documents="base"), Task("B", documents="update")),
        topics=(Topic("T", documents=documents),),
        summaries=(*summaries, *given),
    )


HOSTILE = (
    "", " ", "!", "\n\n", "rain", "rain rain rain", "Rain. Rain. Rain.", "東京の夏は暑い。",
    "x" * 3000, "a\nb\n\nc", ("", "rain fell", ""), ("",), (), "the and of", "Dr. A. B. C.",
    "rain " * 3000, "\u200b", "1 2 3 4 5",
)  # fmt: skip


def test_hostile_texts_are_scored_or_undefined():
    """No warning, no error, no infinity."""
    collection = small_collection(HOSTILE)
    result = score_collection(collection, [parse_metric(name) for name in NO_PARSER])
    for column, measure in zip(result.values.T, result.measures, strict=True):
        assert not np.isinf(column).any(), measure


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] * (name == "auto-pyramid")) for name in NO_PARSER],
)
def test_hostile_references_and_documents(name):
    metric = parse_metric(name)
    lists = [[text] for text in HOSTILE] + [list(HOSTILE), []]
    plain = [[t if isinstance(t, str) else " ".join(t) for t in texts] for texts in lists]
    cases = ScoringBatch.of_texts(
        ["Rain fell. It was cold."] * len(lists), lists, documents=plain, earlier=lists
    )
    values = metric.score(metric.statistics(cases))
    assert values.shape == (len(lists),)
    assert not np.isinf(values).any()


def test_no_cases_at_all():
    cases = ScoringBatch.of_texts([])
    for name in NO_PARSER:
        metric = parse_metric(name)
        assert metric.score(metric.statistics(cases)).shape == (0,), name


def test_statistics_are_all_a_score_needs():
    """Rows may be taken, repeated and stacked, as resampling does."""
    collection = small_collection()
    cases = ScoringBatch.of_collection(collection, collection.summaries)
    rows = np.array([[3, 0], [3, 4]])
    for name in NO_PARSER:
        metric = parse_metric(name)
        statistics = metric.statistics(cases)
        assert statistics.ndim == 2, name
        assert len(statistics) == len(cases), name
        taken = metric.score(statistics[rows])
        np.testing.assert_allclose(taken, metric.score(statistics)[rows], 1e-12, err_msg=name)


def test_jackknifed_machines_are_averaged_over_fewer_references():
    collection = small_collection()
    metrics = [parse_metric(name) for name in NO_PARSER]
    jackknifed = by_address(score_collection(collection, metrics, jackknife=True))
    folds = [
        by_address(
            score_collection(
                replace(
                    collection,
                    summaries=tuple(s for s in collection.summaries if s.system != left_out),
                ),
                metrics,
            )
        )
        for left_out in "XYZ"
    ]
    whole = by_address(score_collection(collection, metrics))
    for address, value in jackknifed.items():
        one_by_one = [fold[address] for fold in folds if address in fold]
        machine = address[2] in "78"
        expected = np.mean(one_by_one) if machine else whole[address]
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True), address


# Reading what is typed.


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("roug-2", "there is no metric 'roug-2'; did you mean rouge-2"),
        ("js", "there is no metric 'js'; did you mean js-references or js-input"),
        ("qwertz", "there is no metric 'qwertz'; `pyramidion metrics` lists them"),
    ],
)
def test_unknown_names_come_with_near_ones(text, said):
    assert refusal(NotFoundError, parse_metric, text).startswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'' cannot be read; write it like bleu(n=2)"),
        ("bleu(", "'bleu(' cannot be read"),
        ("bleu(n=2)x", "cannot be read"),
        ("bleu(n)", "bleu: n is ''; give a whole number from 1 to 9"),
        ("bleu(n=2.5)", "bleu: n is '2.5'; give a whole number from 1 to 9"),
        ("bleu(n=2,n=3)", "'bleu(n=2,n=3)' gives an option twice; keep one"),
        ("bleu(stem=yes)", "bleu: stem is 'yes'; give on or off"),
        ("rouge-2(words=0)", "rouge: words is 0; give a whole number of at least 1"),
        ("rouge-2(words=3,bytes=3)", "words and bytes cannot be combined"),
        ("rouge-2(alpha=nan)", "rouge: alpha is nan; give a number from 0 to 1"),
        ("rouge-2(models=worst)", "rouge: models is 'worst'; give average or best"),
        ("rouge-2(measure=rouge-1-f)", "rouge-2 has no option 'measure'; available: stem"),
        ("rouge-2(best=1)", "rouge-2 has no option 'best'; did you mean bytes?"),
        ("rouge-2(exact,tokenizer=unicode)", "exact mode supports only one tokenizer"),
        ("rouge-w-0.5", "with a weight w of 0.5, consecutive matches count less"),
    ],
)
def test_wrong_options_are_refused(text, said):
    assert said in refusal(InputError, parse_metric, text)


def test_blanks_and_case_do_not_matter_to_rouge():
    assert parse_metric(" ROUGE-SU04-R ( stem , words = 5 ) ") == parse_metric(
        "rouge-su4-r(words=5,stem)"
    )


def test_lists_are_split_outside_brackets():
    observed = parse_metrics("rouge-1, bleu(n=2,stem), ,rouge-1-f,")
    assert [str(metric) for metric in observed] == ["rouge-1-f", "bleu(n=2,stem)"]
    assert "no metrics were named" in refusal(InputError, parse_metrics, " , ")


# Other packages.


@pytest.fixture
def declare(monkeypatch):
    """Declare entry points as another package would."""

    def declared(*values):
        entries = [
            EntryPoint(f"plugin{number}", value, "pyramidion.metrics")
            for number, value in enumerate(values)
        ]
        monkeypatch.setattr(_plugins, "entry_points", lambda group: entries)
        all_metrics.cache_clear()

    yield declared
    monkeypatch.undo()
    all_metrics.cache_clear()


def test_metrics_of_another_package(declare):
    declare("metrics.plugin_example:BOTH")
    assert [metric.name for metric in all_metrics()[len(BUILT_IN) :]] == ["letters", "words"]
    metric = parse_metric("letters(most=5)")
    assert isinstance(metric, Metric)
    collection = Collection("x", summaries=(Summary("T", "7", "It rained."),))
    assert score_collection(collection, [metric]).values.tolist() == [[5.0]]


def test_a_single_class_will_do(declare):
    declare("metrics.plugin_example:Words")
    assert str(parse_metric("words")) == "words"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["metrics.nowhere:X"], "metrics.nowhere:X cannot be loaded (ModuleNotFoundError: "),
        (["metrics.plugin_example:NOTHING"], "3 is not a class of metrics"),
        (
            ["metrics.plugin_example:BOTH", "metrics.plugin_example:Words"],
            "there is another metric 'words'",
        ),
        (["pyramidion.metrics._translation:Bleu"], "there is another metric 'bleu'"),
    ],
)
def test_a_broken_package_is_named_and_does_not_hinder_ours(declare, values, said):
    declare(*values)
    message = refusal(InputError, all_metrics)
    assert said in message
    assert message.endswith("the package that declares it in pyramidion.metrics")
    assert str(parse_metric("bleu")) == "bleu"
