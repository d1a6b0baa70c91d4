"""Several kinds of units at once, compiled and in Python."""

from contextlib import suppress
from threading import Thread
from time import sleep
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from kernels.strategies import all_pairs, summaries, summaries_of
from pyramidion.kernels import units

ALL = [("n", 1), ("n", 2), ("n", 4), ("n", 9), ("s", 0), ("su", 3), ("su", -1), ("l", 0)]


def assert_same(native, texts, asked):
    peers, models = all_pairs(len(texts.texts) - 1)
    expected = units.shared_units(texts, peers, models, asked)
    for found, specified in zip(
        native.shared_units(texts, peers, models, asked, 2), expected, strict=True
    ):
        assert found.dtype == specified.dtype
        assert found.tobytes() == specified.tobytes()


@given(summaries())
def test_native_equals_python(native, texts):
    assert_same(native, texts, [*ALL, ("w", 1.2)])


@pytest.mark.parametrize("words", [3, 12])
@pytest.mark.parametrize(
    "sentences",
    [(9, 14, 11), (62, 1, 63), (64, 0, 63, 1, 127), (255,), (31, 32, 33, 60, 0, 61), (300,)],
)
def test_texts_that_fill_the_rows_of_bits(native, sentences, words):
    """Texts of up to 255 words, with or without sentences of over 63, and longer ones differ."""
    rng = np.random.default_rng(len(sentences) * words)
    made = [[rng.integers(words, size=size).tolist() for size in sentences] for _ in range(3)]
    assert_same(native, summaries_of([*made, [[0, 1, 2]], []]), [*ALL, ("w", 0.5)])


def test_what_is_asked_for(kernel):
    texts = summaries_of([[[1, 2]], [[2, 1]]])
    first, second = np.array([0]), np.array([1])
    assert kernel.shared_units(texts, first, second, []) == []
    for asked, said in (
        ([("x", 1)], "a family of units must be one of n, s, su, l, w, not 'x'"),
        ([("w", 1), ("w", 2)], "units of the family w can be requested only once at a time"),
        ([("n", 0)], "n must be at least 1, not 0"),
        ([("w", 0)], "weight must be positive and finite"),
    ):
        with pytest.raises(ValueError, match=said):
            kernel.shared_units(texts, first, second, asked)


def test_arrays_that_change_meanwhile_do_no_harm(native):
    texts = summaries_of([[[1, 2, 3] * 4] * 4] * 9)
    pairs = all_pairs(9)
    done = []

    def spoil():
        while not done:
            for array in (texts.ids, texts.starts, texts.sentences, texts.texts, *pairs):
                array[:] = np.iinfo(array.dtype).max
                sleep(0.0002)  # lets the kernel go on
                array[:] = 0

    spoiler = Thread(target=spoil)
    spoiler.start()
    try:
        for _ in range(5):
            with suppress(ValueError):
                native.shared_units(texts, *pairs, [("n", 2), ("l", 0), ("w", 1.2)], 2)
    finally:
        done.append(True)
        spoiler.join()


def test_texts_are_held_whatever_becomes_of_their_lists(native):
    if not hasattr(native, "GivenTexts"):
        pytest.skip("compiled before texts were compared while they are read")
    peers = [f"rain fell {n}\nroads closed" for n in range(40)]
    references: list[list[Any]] = [
        [[f"rain {n}", "closed roads"], peer.upper()] for n, peer in enumerate(peers)
    ]
    units = [("n", 1), ("su", 4), ("l", 0), ("w", 1.2)]
    vocabularies = [native.Vocabulary(native.Lexicon({}, [])) for _ in range(2)]
    kept, lost = (native.GivenTexts.of(peers, references) for _ in range(2))
    expected = kept.units(vocabularies[:1], units)
    for own in references:
        own[0].clear()
        own.clear()
    peers.clear()
    references.clear()
    assert lost.units(vocabularies, units).tolist() == expected.tolist()
    assert expected[:4].tolist() == [4, 5, 4, 5]  # words of the first references


def test_whoever_splits_prose_may_fail(native):
    if not hasattr(getattr(native, "GivenTexts", None), "splits"):
        pytest.skip("compiled before prose was split while it is read")
    given = native.GivenTexts.of(["Rain fell. Roads closed."] * 40, ["Did it rain? Yes."] * 40)
    vocabularies = [native.Vocabulary(native.Lexicon({}, [])) for _ in range(2)]
    asked = vocabularies, [("w", 2.0)], False, native.Stops({}, ".?")
    found = given.units(*asked, lambda text: lambda begin, place, end: place + 1)
    assert found[:1].tolist() == [3.0**2 + 1]  # words in a row of each sentence
    with pytest.raises(AttributeError, match="nothing"):
        given.units(*asked, lambda text: text.nothing)
