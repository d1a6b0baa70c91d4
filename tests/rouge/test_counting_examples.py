"""Small examples of `pyramidion.rouge.counting`."""

import numpy as np

from pyramidion import kernels
from pyramidion.rouge.counting import (
    Counts,
    Pairs,
    RougeReading,
    Scored,
    Variant,
    count_all,
    f_measure,
    item_counts,
    powers_of,
    ratios,
    score_counts,
    sums,
    weight_text,
)


def test_weight_text():
    assert (weight_text(1.0), weight_text(1.25), weight_text(1e-7)) == ("1", "1.25", "0.0000001")


def test_reading():
    vocabulary = kernels.Vocabulary(kernels.Lexicon({}, []))
    assert RougeReading.of(
        *vocabulary.encode(["Rain fell.", "It rained."])
    ).flat_lengths.tolist() == [
        2,
        2,
    ]


def test_pairs():
    assert Pairs(np.array([0, 0]), np.array([1, 2]), np.array([0, 0])).number_of_items == 1


def test_counts():
    assert Counts(np.array([4.0]), np.array([5.0]), np.array([2.0])).hits.tolist() == [2.0]


def test_count_all():
    vocabulary = kernels.Vocabulary(kernels.Lexicon({}, []))
    reading = RougeReading.of(*vocabulary.encode(["rain fell today", "today rain fell"]))
    pairs = Pairs(np.array([0]), np.array([1]), np.array([0]))
    variant = Variant("n", "2")
    counts = count_all(reading, pairs, (variant,))[variant]
    assert (counts.model.tolist(), counts.peer.tolist(), counts.hits.tolist()) == (
        [2.0],
        [2.0],
        [1.0],
    )


def test_powers_of():
    assert powers_of(np.array([0, 1, 4]), 0.5).tolist() == [0.0, 1.0, 2.0]


def test_sums():
    assert sums(np.array([0, 1, 1]), np.array([1.0, 2.0, 3.0]), 3).tolist() == [1.0, 5.0, 0.0]


def test_scored():
    assert Scored(np.array([0.5]), np.array([0.5]), np.array([0.5])).f.tolist() == [0.5]


def test_item_counts():
    pairs = Pairs(np.array([0, 0]), np.array([1, 2]), np.array([0, 0]))
    counts = Counts(np.array([4.0, 2.0]), np.array([3.0, 3.0]), np.array([1.0, 2.0]))
    assert (
        item_counts(counts, pairs).hits.tolist(),
        item_counts(counts, pairs, "best").hits.tolist(),
    ) == ([3.0], [2.0])


def test_ratios():
    assert ratios(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist() == [0.25, 0.0]


def test_f_measure():
    assert f_measure(np.array([0.5, 0.0]), np.array([1.0, 0.0])).round(3).tolist() == [0.667, 0.0]


def test_score():
    assert score_counts(
        Counts(np.array([4.0]), np.array([2.0]), np.array([2.0]))
    ).recall.tolist() == [0.5]
