"""Scores that do not exist are counted and told."""

import numpy as np

from pyramidion import Summary
from pyramidion.metrics._scoring import UNDEFINED, WITHOUT, Undefined

SUMMARIES = [Summary(f"T{n}", "7", "a", task="A") for n in range(6)]


def test_nothing_to_tell():
    undefined = Undefined()
    undefined.add("bleu", SUMMARIES, np.zeros(6, dtype=bool), UNDEFINED)
    assert list(undefined.lines()) == []


def test_batches_add_up_and_three_are_named():
    undefined = Undefined()
    for rows in ([0, 1, 0, 0, 0, 0], [1, 0, 1, 1, 1, 0]):
        undefined.add("bleu", SUMMARIES, np.array(rows, dtype=bool), UNDEFINED)
    assert list(undefined.lines()) == [
        "bleu of 5 summaries for which it is undefined: T1, A, 7; T0, A, 7; T2, A, 7; ..."
    ]


def test_measures_that_lack_the_same_are_told_together():
    undefined = Undefined()
    one = np.array([1, 0, 0, 0, 0, 0], dtype=bool)
    for measure in ("a", "b", "c", "d"):
        undefined.add(measure, SUMMARIES, one, WITHOUT["documents"])
    undefined.add("a", SUMMARIES, one, UNDEFINED)
    assert list(undefined.lines()) == [
        "a, b, c, ... of 1 summary without documents: T0, A, 7",
        "a of 1 summary for which it is undefined: T0, A, 7",
    ]
