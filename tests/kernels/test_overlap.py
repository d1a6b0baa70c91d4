"""N-grams and skip-bigrams that texts share, compiled and in Python."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.strategies import TEXTS, all_pairs, summaries_of, words_of
from pyramidion.errors import InputError
from pyramidion.kernels import overlap

GAPS = st.one_of(st.integers(-1, 5), st.sampled_from([63, 64, 10**30, -(10**30), 2**63 - 1]))
SIZES = st.one_of(st.integers(1, 9), st.sampled_from([16, 17, 64, 129, 2**62, 2**63 - 1, 10**30]))
COLLECTIONS = st.lists(TEXTS, min_size=1, max_size=4)


def arguments(texts):
    found = summaries_of(texts)
    return found.ids, found.starts, *all_pairs(len(texts))


def ngrams_by_definition(text, n):
    return Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))


def skips_by_definition(text, gap, unigrams):
    pairs = combinations(range(len(text)), 2)
    found = Counter((text[i], text[j]) for i, j in pairs if gap < 0 or j - i - 1 <= gap)
    if unigrams:
        found.update((word,) for word in text[:-1])
    return found


def shared(texts, units):
    counted = [units(words_of(text)) for text in texts]
    return [(peer & model).total() for peer in counted for model in counted]


@given(COLLECTIONS, SIZES)
def test_ngrams_are_those_of_the_definition(kernel, texts, n):
    hits = kernel.ngram_hits(*arguments(texts), n)
    assert hits.dtype == np.int64
    assert hits.tolist() == shared(texts, lambda text: ngrams_by_definition(text, min(n, 10**9)))


@given(COLLECTIONS, GAPS, st.booleans())
def test_skip_bigrams_are_those_of_the_definition(kernel, texts, gap, unigrams):
    hits = kernel.skip_hits(*arguments(texts), gap, unigrams)
    assert hits.dtype == np.int64
    assert hits.tolist() == shared(texts, lambda text: skips_by_definition(text, gap, unigrams))


def test_worked_examples(kernel):
    """Lin (2004), section 4: police killed the gunman, and three ways to say so."""
    police, killed, the, gunman, kill = range(5)
    reference = [[police, killed, the, gunman]]
    peers = [
        [[police, kill, the, gunman]],
        [[the, gunman, kill, police]],
        [[the, gunman, police, killed]],
    ]
    found = summaries_of([reference, *peers])
    chosen = found.ids, found.starts, np.array([1, 2, 3]), np.array([0, 0, 0])
    assert kernel.skip_hits(*chosen, -1, False).tolist() == [3, 1, 2]
    assert kernel.ngram_hits(*chosen, 2).tolist() == [1, 1, 2]


def test_the_last_word_is_not_a_unigram(kernel):
    found = summaries_of([[[7]], [[7, 8]], [[8, 7]]])
    peers, models = np.array([0, 1, 1]), np.array([0, 1, 2])
    hits = kernel.skip_hits(found.ids, found.starts, peers, models, 4, True)
    assert hits.tolist() == [0, 2, 0]


@pytest.mark.parametrize("numbers", [[2**31 - 1, -(2**31), -1], [10**9, 10**9 + 1, 5]])
def test_any_numbers_may_stand_for_words(kernel, numbers):
    texts = [[[0, 1, 2, 1]], [[1, 2, 1, 0]]]
    named = [[[numbers[word] for word in sentence] for sentence in text] for text in texts]
    for n in (1, 2, 3):
        expected = kernel.ngram_hits(*arguments(texts), n)
        assert kernel.ngram_hits(*arguments(named), n).tolist() == expected.tolist()
    expected = kernel.skip_hits(*arguments(texts), 1, True)
    assert kernel.skip_hits(*arguments(named), 1, True).tolist() == expected.tolist()


@given(st.integers(0, 10**6))
def test_threads_change_nothing(native, seed):
    rng = np.random.default_rng(seed)
    starts = np.sort(rng.integers(0, 600, 30))
    ids = rng.integers(0, 20, 600, dtype=np.int32)
    peers, models = rng.integers(0, 29, (2, 500))
    for n in (1, 2, 4):
        one, four = (
            native.ngram_hits(ids, starts, peers, models, n, threads) for threads in (1, 4)
        )
        assert one.tolist() == four.tolist()
    one, four = (
        native.skip_hits(ids, starts, peers, models, 4, True, threads) for threads in (1, 4)
    )
    assert one.tolist() == four.tolist()
    assert one.tolist() == overlap.skip_hits(ids, starts, peers, models, 4, True).tolist()


def test_more_threads_than_there_can_be(native):
    pairs = np.zeros(100_000, np.int64)
    ids, starts = np.array([1, 2], np.int32), np.array([0, 2])
    assert native.ngram_hits(ids, starts, pairs, pairs, 1, 10**30).sum() == 200_000


def test_nothing_to_compare(kernel):
    nothing = np.array([], np.int64)
    for starts in (np.array([0]), np.array([0, 0, 0])):
        texts = np.array([], np.int32), starts, nothing, nothing
        assert kernel.ngram_hits(*texts, 1).tolist() == []
        assert kernel.skip_hits(*texts, -1, True).tolist() == []


def test_a_text_of_many_words(native):
    rng = np.random.default_rng(0)
    ids = rng.integers(0, 1000, 300_000, dtype=np.int32)
    starts = np.array([0, 299_900, 300_000])
    peers, models = np.array([0, 0, 1]), np.array([1, 0, 0])
    assert native.ngram_hits(ids, starts, peers, models, 2).tolist()[1] == 299_899
    # Written out, these would fill 40 gigabytes.
    assert native.ngram_hits(ids, starts, peers, models, 50_000).tolist() == [0, 249_901, 0]
    ahead, same, back = native.skip_hits(ids, starts, peers, models, 4, True).tolist()
    assert same == 5 * 299_900 - 15 + 299_899
    assert ahead == back <= 5 * 100 - 15 + 99


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("sizes", [(5000, 4097), (4097, 5000), (4096, 20), (20, 9000)])
def test_either_text_may_be_the_long_one(native, sizes, n):
    rng = np.random.default_rng(n)
    ids, starts = rng.integers(0, 30, sum(sizes), dtype=np.int32), np.cumsum([0, *sizes])
    chosen = ids, starts, np.array([0, 1, 0]), np.array([1, 0, 0])
    assert native.ngram_hits(*chosen, n).tolist() == overlap.ngram_hits(*chosen, n).tolist()
    expected = overlap.skip_hits(*chosen, n, True).tolist()
    assert native.skip_hits(*chosen, n, True).tolist() == expected


def test_one_word_over_and_over(native):
    """Counts of one pair pass 32 bits."""
    ids, starts, text = np.zeros(70_000, np.int32), np.array([0, 70_000]), np.array([0])
    assert native.skip_hits(ids, starts, text, text, -1, False).tolist() == [70_000 * 69_999 // 2]


def test_too_many_skip_bigrams_are_refused(kernel):
    ids, starts, text = np.zeros(100_000, np.int32), np.array([0, 100_000]), np.array([0])
    message = r"a text of 100,000 words has more than 4,294,967,296 skip-bigrams; use a smaller gap"
    for gap in (-1, 99_999):
        with pytest.raises(InputError, match=message):
            kernel.skip_hits(ids, starts, text, text, gap, False)
