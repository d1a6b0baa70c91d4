"""Streams: the same scores as in one piece, in little memory."""

import random
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from collection.refusals import refusal
from pyramidion.collection.stream import StreamItem
from pyramidion.errors import FormatError, InputError, MissingExtraError
from pyramidion.metrics import (
    Metric,
    ScoringBatch,
    _score,
    parse_metric,
    parse_metrics,
    score_cases,
)
from pyramidion.metrics._scoring import require_streamable, score_items

WORDS = ("rain", "fell", "roads", "closed", "bridge", "the", "a", "opened")


@dataclass(frozen=True, slots=True)
class Place(Metric):
    """The number of the batch's summaries, the same for all."""

    name: ClassVar[str] = "place"
    per_case: ClassVar[bool] = True

    def statistics(self, cases):
        return np.full((len(cases), 1), float(len(cases)))


def items(number):
    draw = random.Random(1)

    def text():
        return " ".join(draw.choices(WORDS, k=9))

    return [
        StreamItem("", f"T{n}", "7", "machine", text(), (text(), (text(), text())))
        for n in range(number)
    ]


@pytest.mark.parametrize(
    "names",
    [
        "rouge-1,rouge-1-ns,rouge-l-r,rouge-w-1.2,rouge-w-3-r",
        "rouge-1,bleu,js-references",
        "rouge-w-1.2,rouge-w-3,memog",
    ],
)
def test_a_stream_is_scored_as_all_at_once(names):
    metrics = parse_metrics(names)
    given = items(2300)
    batches = list(score_items(iter(given), metrics, threads=2))
    assert [len(batch.items) for batch in batches] == [1000, 1000, 300]
    assert [item for batch in batches for item in batch.items] == given
    cases = ScoringBatch.of_texts(
        [item.peer for item in given], [item.references for item in given]
    )
    expected = np.stack([score_cases(metric, cases) for metric in metrics], axis=1)
    np.testing.assert_allclose(np.concatenate([b.values for b in batches]), expected, rtol=1e-12)


def test_batches_come_before_the_stream_ends():
    seen = []
    stream = (seen.append(item) or item for item in items(5000))
    next(score_items(stream, parse_metrics("bleu")))
    assert len(seen) == 1000


def test_a_metric_that_looks_at_all_summaries_gets_them_all(monkeypatch):
    assert [b.values[0, 0] for b in score_items(items(1200), [Place()])] == [1000, 200]
    monkeypatch.setattr(Place, "per_case", False)
    assert [b.values[0, 0] for b in score_items(items(1200), [Place()])] == [1200]


def test_what_a_stream_does_not_carry_is_refused(monkeypatch):
    for metric in parse_metrics("rouge-1,bleu"):
        require_streamable(str(metric), metric)
    for name, need in (("js-input", "documents"), ("rouge-1(against=earlier)", "earlier ref")):
        message = refusal(InputError, require_streamable, "it", parse_metric(name))
        assert message.startswith(f"it needs {need}")
        assert message.endswith("which streams do not contain; score a collection instead")
    from pyramidion.metrics import _metric as metric

    monkeypatch.setattr(metric, "find_spec", lambda name: None)
    monkeypatch.setattr(Place, "needs", frozenset({"parser"}))
    assert "place needs an optional" in refusal(MissingExtraError, require_streamable, "p", Place())


@pytest.mark.parametrize("number", [2, 3, 20])
def test_an_item_that_occurs_twice_is_refused_before_its_batch_is_scored(number, monkeypatch):
    monkeypatch.setattr(_score, "BATCH_SIZE", 3)
    once = items(number)
    assert list(_score._CheckedItems("-").all(once)) == once
    for again in once:
        through = _score._CheckedItems("-").all([*once, again])
        seen = list(zip(range(number // 3 * 3), through, strict=False))
        assert len(seen) == number // 3 * 3
        with pytest.raises(FormatError, match=f"topic {again.topic}, system 7 occurs twice"):
            list(zip(range(4), through, strict=False))
