"""Small examples of `pyramidion.rewriting._people.sequences`, worked by hand."""

import re

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.rewriting._people.sequences import feature
from pyramidion.rewriting.markov import limiting_distribution, long_run, require_addition, shares
from pyramidion.studies._references.counting import (
    SequenceCounts,
    document_draws,
    sequence_intervals,
)


def test_limiting_distribution():
    assert (
        limiting_distribution(["a", "b"], np.array([[0.0, 1], [1, 0]])).problem
        == "each state returns only after a multiple of 2 mentions: "
        "shares in the long run, no limit"
    )
    assert (
        limiting_distribution(["a", "b"], np.eye(2)).problem
        == "it falls apart: a mention stays among a or among b for ever"
    )
    assert limiting_distribution(["a", "b"], np.array([[0.5, 0.5], [0, 1]])).left == ("a",)


def test_long_run():
    assert (
        repr(long_run(np.array([[[0.0, 1], [1, 0]], [[1, 0], [0, 1]]])).tolist())
        == "[[0.5, 0.5], [nan, nan]]"
    )


def test_shares():
    assert repr(shares(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()) == "[[0.25, 0.75], [nan, nan]]"


def test_require_addition():
    with pytest.raises(InputError, match=re.escape("-1 is added to each count; give 0 or more")):
        require_addition(-1)


def test_feature():
    assert feature("premodifiers").states == ("0", "1", "2", "3", "4", "5", "6+")


def test_document_draws():
    [draws] = document_draws(3, 2, 0)
    assert draws.sum(axis=1).tolist() == [3.0, 3.0]


def test_sequence_intervals():
    initial = np.array([[1.0, 0], [1, 0], [0, 1]])
    counts = SequenceCounts("x", ("a", "b"), ("1", "2", "3"), initial, np.zeros((3, 5, 2, 2)))
    assert sequence_intervals(counts).initial.round(2).tolist() == [[0.0, 0.0], [1.0, 1.0]]


def test_stratified_model():
    steps = np.array([[[[1, 3], [0, 0]], *np.zeros((4, 2, 2))]])
    counts = SequenceCounts("x", ("a", "b"), ("d1",), np.array([[4.0, 0]]), steps)
    assert counts.stratified().probabilities[:2].tolist() == [[1.0, 0.0], [0.25, 0.75]]


def test_sequence_counts():
    steps = np.array([[[[0, 1], [0, 0]], *np.zeros((4, 2, 2))]])
    counts = SequenceCounts("x", ("a", "b"), ("d1",), np.array([[2.0, 0]]), steps)
    assert counts.chain().transitions[0].tolist() == [0.0, 1.0]
    assert counts.positions[0, :2].tolist() == [[2.0, 0.0], [0.0, 1.0]]
