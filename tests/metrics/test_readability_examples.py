"""Small examples of `pyramidion.metrics._readability`."""

import numpy as np

from pyramidion.metrics import parse_metric
from pyramidion.metrics._readability import count_syllables, sentences_spoken, summed_words
from pyramidion.text.encoding import encode


def test_count_syllables():
    assert [
        count_syllables(word) for word in ("time", "timed", "waited", "table", "science", "1989")
    ] == [1, 1, 2, 2, 2, 0]


def test_readability_metric():
    assert parse_metric("monosyllables").tokenizer is None  # type: ignore[attr-defined]


def test_summed_words():
    assert summed_words(encode(["It rained. It rained.", ""]), np.array([1, 10])).tolist() == [
        22,
        0,
    ]


def test_sentences_spoken():
    assert sentences_spoken(encode([["It rained.", "", "It snowed."]])).tolist() == [2]
