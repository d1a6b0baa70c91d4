"""Scores that nothing can be computed from: one clear line, or a result with a note."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pyramidion.cli import runtime
from pyramidion.comparison import compare, power
from pyramidion.comparison.procedures import TESTS
from pyramidion.errors import DataWarning, PyramidionError
from pyramidion.meta_evaluation import meta_evaluate

RNG = np.random.default_rng(8)
PLAIN = RNG.normal(size=(8, 4)).round(3)

ASKED: dict[str, tuple[Any, dict[str, Any]]] = {
    "compare": (compare, {"measures": "m"}),
    "all tests": (compare, {"measures": "m", "test": TESTS, "n_resamples": 99}),
    "T": (compare, {"measures": "m", "test": "mc,hb", "statistic": "t", "n_resamples": 99}),
    "kruskal-holm": (compare, {"measures": "m", "test": "kruskal", "correction": "holm"}),
    "lmm": (compare, {"measures": "m", "model": "lmm"}),
    "ordinal": (compare, {"measures": "m", "model": "ordinal"}),
    "power": (power, {"measures": "m", "n_resamples": 50, "max_topics": 50}),
    "meta": (meta_evaluate, {"human": "h", "metrics": "m", "n_resamples": 30}),
    "meta of it": (meta_evaluate, {"human": "m", "metrics": "h", "n_resamples": 30}),
}
COMPARED, JUDGED = ("compare", "all tests", "T", "kruskal-holm"), ("meta", "meta of it")


def put(value, *places):
    values = PLAIN.copy()
    for index in places:
        values[index] = value
    return values


def shared_by_none():
    is_present = np.arange(8)[:, None] % 4 == np.arange(4)
    return np.where(is_present, PLAIN, np.nan)


def for_each(compared, planned, judged, lmm=None, ordinal=None):
    return {
        **dict.fromkeys(COMPARED, compared),
        "lmm": compared if lmm is None else lmm,
        "ordinal": compared if ordinal is None else ordinal,
        "power": planned,
        **dict.fromkeys(JUDGED, judged),
    }


CONTINUOUS = "different values, too many for a scale of judgments; use the linear model"


#: The scores, and what each question says: an error's line, or after "+" a part of the answer.
BAD = {
    "infinite": (put(np.inf, (0, 0)), for_each(*["`value` is inf"] * 3)),
    "minus infinite": (put(-np.inf, (3, 2)), for_each(*["`value` is -inf"] * 3)),
    "not a number": (
        put(np.nan, (0, 0)),
        for_each("+missing score", "+", "+1 missing score", "+", CONTINUOUS),
    ),
    "one topic": (
        PLAIN[:1],
        for_each(
            "m has only one topic, so no difference can be tested; add topics",
            "m has 1 topic and 4 systems; a pilot needs two of each",
            "+only one topic; intervals and tests do not generalize",
        ),
    ),
    "one system": (
        PLAIN[:, :1],
        for_each(
            "m has 1 system; at least two are needed",
            "m has 8 topics and 1 system; a pilot needs two of each",
            "+1 system with both scores; two are needed",
        ),
    ),
    "constant": (
        np.full((8, 4), 3.0),
        for_each(
            "+Every score is 3, so systems cannot be distinguished.",
            "m: all scores are equal, so nothing can be planned",
            "+all systems have the same mean metric or human score",
            "+Each system's scores are all equal, so nothing can be tested by the linear model",
            "all judgments are the same; an ordinal model needs two categories",
        ),
    ),
    "constant differences": (
        np.tile([1.0, 2, 3, 4], (8, 1)),
        for_each(
            "+",
            "+m: 6 pairs whose difference does not vary in the pilot",
            "+",
            "+Each system's scores are all equal, so nothing can be tested by the linear model",
            "separated perfectly, so the ordinal model has no finite estimate",
        ),
    ),
    "no shared topics": (
        shared_by_none(),
        for_each(
            "+24 missing scores",
            "m: no two systems share two topics, so nothing can be planned",
            "+no verdict",
            *["+Systems that share no topic are compared as if topics were drawn"] * 2,
        ),
    ),
    "perfectly separated": (
        np.array([[1, 2, 4, 5], [2, 1, 5, 4]] * 4),
        for_each(
            "+", "+", "+", "+",
            "s2 was never judged below 2 and s0 never above: they are separated perfectly, so the "
            "ordinal model has no finite estimate; use a permutation test (no --model), or leave "
            "one of them out (--exclude)",
        ),
    ),
    "huge": (
        put(1e308, (0, 0), (1, 1)),
        for_each(*["a score of m is too large to compute with; keep scores below 1e+50"] * 3),
    ),
    "huge and negative": (
        put(-1e308, (0, 0), (1, 1)),
        for_each(*["a score of m is too large to compute with; keep scores below 1e+50"] * 3),
    ),
    "large": (PLAIN * 1e49, for_each("+", "+", "+", "+", CONTINUOUS)),
    "small": (PLAIN * 1e-49, for_each("+", "+", "+", "+", CONTINUOUS)),
    "tiny": (
        PLAIN * 1e-308,
        for_each(*["the scores of m are too small to compute with; multiply them all by"] * 3),
    ),
}  # fmt: skip


def table(values):
    """The scores as measure m, beside plain ones of measure h; a long table keeps no gaps."""
    rows = [
        (f"T{topic}", f"s{system}", "machine", measure, value)
        for (topic, system), score in np.ndenumerate(values)
        for measure, value in (("m", score), ("h", system + topic * system % 3 + 0.1 * topic))
        if not np.isnan(score)
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "kind", "measure", "value"])


#: Every test on scores that other cases are much like.
DEAR = {(bad, "all tests") for bad in ("small", "perfectly separated", "constant differences")}


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        pytest.param(bad, name, marks=pytest.mark.long if (bad, name) in DEAR else ())
        for bad in BAD
        for name in ASKED
    ],
)
def test_bad_scores_give_one_line_or_a_note(bad, name, tmp_path, capsys):
    values, expected = BAD[bad]
    message, (question, options) = expected[name], ASKED[name]
    frame = table(values)
    path = tmp_path / "scores.csv"
    frame.to_csv(path, index=False)
    typed = [word for name, value in options.items() for word in _typed(name, value)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Implausible data may be reported, but not as NumPy warnings.
        warnings.simplefilter("ignore", DataWarning)
        code = runtime.run([question.__name__.split("_")[0], str(path), *typed])
        shown = capsys.readouterr()
        if message.startswith("+"):
            assert code == 0
            result = question(frame, **options)
            answer = f"{result} {result.left_out}"
            assert message[1:] in answer
            # Of many lines a terminal shows the first.
            assert (
                message[1:] in f"{shown.out} {shown.err}" or "more lines, all in JSON" in shown.err
            )
        else:
            assert code == 2
            assert shown.err.count("\n") == 1
            assert message.split(" is ")[0] in shown.err
            with pytest.raises(PyramidionError) as error:
                question(frame, **options)
            assert message in str(error.value)
            assert "\n" not in str(error.value)


def _typed(name, value):
    flag = {"n_resamples": "resamples", "metrics": "metric"}.get(name, name)
    return [
        f"--{flag.replace('_', '-')}",
        ",".join(value) if isinstance(value, tuple) else str(value),
    ]


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, np.inf, 3], [1, 2, 3], "a score is infinite; use NaN for a missing score"),
        ([np.nan] * 3, [1, 2, 3], "0 topics with scores of both systems"),
        ([1], [2], "1 topic with scores of both systems"),
        ([1e308, 1], [-1e308, 1], "too large to compute with"),
        ([2, 2, 2], [2, 2, 2], "+Every score is 2"),
        ([1, 2, 3], [1, 2, 3], "+A and B have the same mean on the topics they share"),
    ],
)
def test_bad_lists(a, b, message):
    if message.startswith("+"):
        assert message[1:] in str(compare(a, b))
    else:
        with pytest.raises(PyramidionError) as error:
            compare(a, b)
        assert message in str(error.value)


@pytest.mark.parametrize(
    ("group", "options", "message"),
    [
        (lambda topic: "x", {}, "all topics of m are in one cluster, x"),
        (lambda topic: "x" if topic else "", {}, "topic T0 has no group"),
        (lambda topic: topic % 4, {"test": "kruskal"}, "kruskal does not support clusters"),
        (
            lambda topic: topic % 4,
            {"test": "wilcoxon", "continuity": True},
            "signed ranks of clusters are not corrected for continuity",
        ),
        (lambda topic: topic % 2, {}, "+With 2 clusters, no p-value can be below 0.5."),
        (lambda topic: topic % 4, {"top": 2}, "+4 clusters of topics, not 8 topics"),
    ],
)
def test_bad_clusters(group, options, message):
    frame = table(PLAIN)
    frame["group"] = [str(group(int(topic[1:]))) for topic in frame["topic"]]
    if message.startswith("+"):
        assert message[1:] in str(compare(frame, measures="m", cluster="group", **options))
    else:
        with pytest.raises(PyramidionError) as error:
            compare(frame, measures="m", cluster="group", **options)
        assert message in str(error.value)
