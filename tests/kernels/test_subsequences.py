"""Longest common subsequences of summaries, plain and weighted, compiled and in Python."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.strategies import SENTENCES, all_pairs, summaries, summaries_of
from pyramidion.errors import InputError
from pyramidion.kernels import checks, subsequences

WEIGHTS = st.one_of(st.sampled_from([0.5, 1, 1.0, 1.2, 2.0]), st.floats(0.01, 4))
FIRST, SECOND = np.array([0]), np.array([1])


@given(summaries())
def test_native_equals_python(native, texts):
    pairs = all_pairs(len(texts.texts) - 1)
    expected = subsequences.lcs_hits(texts, *pairs)
    found = native.lcs_hits(texts, *pairs)
    assert found.dtype == expected.dtype == np.int64
    assert found.tolist() == expected.tolist()


@given(summaries(), WEIGHTS)
def test_native_equals_python_to_the_last_bit_of_weights(native, texts, weight):
    pairs = all_pairs(len(texts.texts) - 1)
    expected = subsequences.weighted_lcs_hits(texts, *pairs, weight)  # type: ignore[call-arg]
    found = native.weighted_lcs_hits(texts, *pairs, weight)
    assert found.dtype == expected.dtype == np.float64
    assert found.tobytes() == expected.tobytes()


@given(SENTENCES, SENTENCES)
def test_two_sentences_share_a_longest_common_subsequence(kernel, model, peer):
    @cache
    def longest(i, j):
        if i == 0 or j == 0:
            return 0
        if model[i - 1] == peer[j - 1]:
            return longest(i - 1, j - 1) + 1
        return max(longest(i - 1, j), longest(i, j - 1))

    for i in range(0, len(model), 50):
        longest(i, len(peer))  # so that the recursion stays shallow
    texts = summaries_of([[peer], [model]])
    assert kernel.lcs_hits(texts, FIRST, SECOND).tolist() == [longest(len(model), len(peer))]


def test_the_union_of_the_paper(kernel):
    """Lin (2004), section 3.2: w1 w2 and w1 w3 w5 make w1 w2 w3 w5."""
    texts = summaries_of([[[1, 2, 6, 7, 8], [1, 3, 8, 9, 5]], [[1, 2, 3, 4, 5]]])
    assert kernel.lcs_hits(texts, FIRST, SECOND).tolist() == [4]


def test_the_weights_of_the_paper(kernel):
    """Lin (2004), section 3.4: A B C D in one piece weighs more than in four.

    Runs are those of the model, as in ROUGE-1.5.5.
    """
    a, b, c, d, e, f, g, h, i, k = range(10)
    texts = summaries_of(
        [[[a, b, c, d, h, i, k]], [[a, h, b, k, c, i, d]], [[a, b, c, d, e, f, g]]]
    )
    peers, models = np.array([2, 2]), np.array([0, 1])
    assert kernel.weighted_lcs_hits(texts, peers, models, 2).tolist() == [16.0, 4.0]


def test_of_two_ways_the_one_up_is_taken(kernel):
    """Behaviour specification, section 4.3: of equal ones, the model's word is dropped.

    So of the model's `0 1` the path through the peer's `1 0` marks 0, and another sentence `0`
    of the peer adds nothing, but `1` does.
    """
    texts = summaries_of([[[1, 0], [0], [1]], [[1, 0], [1], [0]], [[0, 1]], [[1, 0], [0]]])
    assert kernel.lcs_hits(texts, np.array([0, 1, 3]), np.array([2, 2, 2])).tolist() == [2, 2, 1]


def test_a_word_counts_no_more_often_than_either_text_has_it(kernel):
    texts = summaries_of([[[1, 2], [3]], [[1], [1], [2, 1]], [[1], [1]], [[1, 1], [1]]])
    peers, models = np.array([0, 2, 3]), np.array([1, 3, 1])
    # The peer's one 1 is used up by the model's first sentence, and so on.
    assert kernel.lcs_hits(texts, peers, models).tolist() == [2, 2, 3]


def test_a_run_whose_end_is_used_up_goes_on_or_is_lost(kernel):
    """Behaviour specification, section 4.4."""
    # The model's first sentence uses the peer's only 1 up. In its second, 1 is marked, no hit.
    goes_on = summaries_of([[[2, 1, 9, 3]], [[1], [2, 1, 8, 3]]])
    assert kernel.weighted_lcs_hits(goes_on, FIRST, SECOND, 2.0).tolist() == [1.0 + 2.0**2]
    lost = summaries_of([[[2, 1]], [[1], [2, 1]]])
    assert kernel.weighted_lcs_hits(lost, FIRST, SECOND, 2.0).tolist() == [1.0]


def test_counts_come_from_the_flat_reading(kernel):
    sentences = [[[5, 6]], [[5, 6]]]
    assert kernel.lcs_hits(summaries_of(sentences), FIRST, SECOND).tolist() == [2]
    for flat in ([[[5]], [[5, 6]]], [[[5, 6]], [[5]]]):
        assert kernel.lcs_hits(summaries_of(flat, sentences), FIRST, SECOND).tolist() == [1]
        found = kernel.weighted_lcs_hits(summaries_of(flat, sentences), FIRST, SECOND, 2.0)
        assert found.tolist() == [0.0]


def test_pairs_leave_nothing_behind_for_the_next(kernel):
    """What one pair has is not what the next one, which has it only in one reading, finds."""
    texts = summaries_of([[[1, 2]], [[3]]], [[[1, 2]], [[1, 2]]])
    peers, models = np.array([0, 0, 0]), np.array([0, 1, 0])
    assert kernel.lcs_hits(texts, peers, models).tolist() == [2, 0, 2]


@given(st.integers(0, 10**6))
def test_threads_change_nothing(native, seed):
    rng = np.random.default_rng(seed)
    texts = summaries_of(
        [[rng.integers(0, 15, rng.integers(0, 30)).tolist() for _ in range(4)] for _ in range(20)]
    )
    peers, models = rng.integers(0, 20, (2, 400))
    one, four = (native.lcs_hits(texts, peers, models, threads) for threads in (1, 4))
    assert one.tolist() == four.tolist()
    one, four = (native.weighted_lcs_hits(texts, peers, models, 1.2, threads) for threads in (1, 4))
    assert one.tobytes() == four.tobytes()


def test_nothing_to_compare(kernel):
    nothing = np.array([], np.int64)
    for texts in ([], [[]], [[[]], [[], []]]):
        found = summaries_of(texts)
        assert kernel.lcs_hits(found, nothing, nothing).tolist() == []
        assert kernel.weighted_lcs_hits(found, nothing, nothing, 1.2).tolist() == []
        pairs = all_pairs(len(texts))
        assert kernel.lcs_hits(found, *pairs).tolist() == [0] * len(pairs[0])
        assert kernel.weighted_lcs_hits(found, *pairs, 1.2).tolist() == [0.0] * len(pairs[0])


def test_numbers_of_words_may_be_anything(kernel):
    texts = [[[0, 1], [2, 0]], [[0, 2, 1, 0]]]
    named = [[[(-7, 2**31 - 1, 10**9)[w] for w in sentence] for sentence in text] for text in texts]
    assert kernel.lcs_hits(summaries_of(named), FIRST, SECOND).tolist() == [4]


def test_a_sentence_of_millions_of_words(native):
    rng = np.random.default_rng(0)
    peer = rng.permutation(2_000_000)
    model = np.append(peer[::50_000], [peer[0], 7_000_000])
    texts = summaries_of([[peer.tolist()], [model.tolist()]])
    assert native.lcs_hits(texts, FIRST, SECOND).tolist() == [40]
    assert native.weighted_lcs_hits(texts, FIRST, SECOND, 1.2).tolist() == [40.0**1.2]
    assert native.lcs_hits(texts, SECOND, FIRST).tolist() == [40]


def test_too_long_texts_are_refused(kernel):
    assert checks.MAX_CELLS == 65_536**2
    ids, ends = np.zeros(65_537, np.int32), np.array([0, 65_537])
    texts = summaries_of([])
    texts = type(texts)(ids, ends, ids, ends, np.array([0, 1]))
    message = (
        r"texts of 65,537 and 65,537 words are too long for longest common subsequences "
        r"\(their product exceeds 4,294,967,296\); truncate them"
    )
    with pytest.raises(InputError, match=message):
        kernel.lcs_hits(texts, FIRST, FIRST)
    with pytest.raises(InputError, match=message):
        kernel.weighted_lcs_hits(texts, FIRST, FIRST, 1.2)


@pytest.mark.parametrize(
    ("weight", "error", "message"),
    [
        (0, ValueError, "weight must be positive and finite, not 0.0"),
        (-1.2, ValueError, "weight must be positive and finite, not -1.2"),
        (float("nan"), ValueError, "weight must be positive and finite, not nan"),
        (float("inf"), ValueError, "weight must be positive and finite, not inf"),
        (1024.0, ValueError, "weight 1024.0 is too large for a sentence of 2 words"),
        ("1.2", TypeError, "weight must be a number, not str"),
        (None, TypeError, "weight must be a number, not NoneType"),
    ],
)
def test_wrong_weights_are_refused(kernel, weight, error, message):
    texts = summaries_of([[[1, 2]], [[1]]])
    with pytest.raises(error, match=message):
        kernel.weighted_lcs_hits(texts, FIRST, SECOND, weight)
