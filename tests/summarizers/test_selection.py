"""Limits, ties, and the order of choosing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError
from pyramidion.summarizers import Limit, choose_greedily, choose_ranked
from summarizers.inputs import preset, source_of

# 3, 5, 2 and 4 words.
SOURCE = source_of("One two three. One two three four five. One two. One two three four.")
SCORES = np.array([4.0, 3.0, 2.0, 1.0])


@pytest.mark.parametrize(
    ("words", "fit", "chosen"),
    [
        (5, "fill", (0, 2)),
        (5, "stop", (0,)),
        (5, "truncate", (0, 1)),
        (9, "fill", (0, 1)),
        (14, "stop", (0, 1, 2, 3)),
        (2, "fill", (2,)),
        (2, "stop", ()),
        (2, "truncate", (0,)),
        (1, "fill", ()),
        (3, "truncate", (0,)),
    ],
)
def test_limits(words, fit, chosen):
    limit = Limit(words, fit)
    assert choose_ranked(SOURCE, limit, SCORES).numbers == chosen
    assert choose_greedily(SOURCE, limit, lambda: SCORES).numbers == chosen


@given(st.integers(1, 20), st.sampled_from(["fill", "stop", "truncate"]), st.permutations(range(4)))
def test_no_limit_is_passed(words, fit, order):
    scores = SCORES[list(order)]
    for choice in (
        choose_ranked(SOURCE, Limit(words, fit), scores),
        choose_greedily(SOURCE, Limit(words, fit), lambda: scores),
    ):
        extract = preset(choice.numbers).summarize(SOURCE, Limit(words, fit), order="chosen")
        assert extract.words <= words
        assert not any(sentence.rewritten for sentence in extract.sentences[:-1])


def test_what_is_worth_minus_infinity_is_never_taken():
    scores = np.array([1.0, -np.inf, -np.inf, 0.5])
    assert choose_ranked(SOURCE, Limit(100), scores).numbers == (0, 3)
    assert choose_greedily(SOURCE, Limit(100), lambda: scores).numbers == (0, 3)


def test_ties_go_to_the_earlier_in_a_document_then_by_alphabet():
    source = source_of("Zebra. Apple.", "Mango. Cherry.")
    even = np.zeros(4)
    assert choose_ranked(source, Limit(9), even).numbers == (2, 0, 1, 3)
    assert choose_greedily(source, Limit(9), lambda: even).numbers == (2, 0, 1, 3)
    almost = np.array([0.3, 0.2, 0.1 + 0.2, 0.1])
    assert choose_ranked(source, Limit(1), almost).numbers == (2,)
    assert choose_greedily(source, Limit(1), lambda: almost).numbers == (2,)


def test_an_unacceptable_sentence_neither_fills_nor_stops():
    def not_the_second(number, taken):
        return number != 1

    choice = choose_ranked(SOURCE, Limit(9, "stop"), SCORES, not_the_second)
    assert choice.numbers == (0, 2, 3)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"words": 0}, "the limit is 0 words; use 1 or more"),
        ({"fit": "squeeze"}, "fit is 'squeeze'; use fill, stop or truncate"),
    ],
)
def test_bad_limits_are_refused(given, problem):
    with pytest.raises(InputError) as caught:
        Limit(**given)
    assert str(caught.value) == problem


def test_the_last_sentence_is_cut_off():
    source = source_of("Heavy rain fell all day. Roads were flooded by it.")
    extract = preset((1, 0)).summarize(source, Limit(8, "truncate"), order="chosen")
    assert extract.text == "Roads were flooded by it.\nHeavy rain fell"
    assert [sentence.cut for sentence in extract.sentences] == [False, True]
