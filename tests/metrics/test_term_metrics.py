"""Redundancy, entropies, flow and number of sentences: what looks at terms of sentences alone."""

from collections import Counter
from itertools import pairwise
from math import log2, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.scored import STOP_WORDS, score, scores, text, texts
from pyramidion.metrics import ScoringBatch

FREE_OF_ORDER = (
    "redundancy-1",
    "redundancy-2",
    "term-entropy",
    "neg-sentence-entropy",
    "neg-log-sentences",
)
FLOW = ("term-overlap", "term-overlap-normalized", "neighbor-cosine")

# Terms by sentence: {kab, lom, rix}, {rix, lom twice}, none, {tev, kab}. The overlap matrix of
# the three that have any is 3 2 1 / 2 2 0 / 1 0 2, with the characteristic polynomial
# (2 - x)(x^2 - 5x + 1).
WORKED = ("kab lom rix", "rix lom lom", "it was", "tev kab")
SMALLEST = (5 - sqrt(21)) / 2


@pytest.mark.parametrize(
    ("metric", "by_hand"),
    [
        ("neg-log-sentences", -2),
        ("redundancy-1", 2**2 + SMALLEST**2),
        ("redundancy-2", SMALLEST**2),
        # Of 8 terms 2 are kab, 3 lom, 2 rix, 1 tev.
        ("term-entropy", 2 * 1 / 4 * log2(4) + 3 / 8 * log2(8 / 3) + 1 / 8 * log2(8)),
        ("neg-sentence-entropy", -(2 * 3 / 8 * log2(8 / 3) + 1 / 4 * log2(4))),
        ("neg-sentence-entropy(stop_words=off)", -(0.6 * log2(10 / 3) + 0.4 * log2(5))),
        ("term-overlap", log2(1 + 2)),
        ("term-overlap-normalized", 2 / sqrt(3 * 2)),
        ("neighbor-cosine", 3 / sqrt(3 * 5) / 3),
        ("term-overlap(stop_words=off)", log2(1 + 2)),
    ],
)
def test_worked_example(metric, by_hand):
    assert score(metric, WORKED) == pytest.approx(by_hand, abs=1e-12)


def test_words_are_stemmed_by_default():
    rain = ("raining closed roads", "rain closes road")
    assert score("term-overlap", rain) == pytest.approx(2)
    assert score("term-overlap(stem=off)", rain) == 0


def test_all_sentences_of_the_same_words_have_no_redundancy_score():
    same = ("kab lom rix", "rix lom kab", "lom kab rix rix")
    assert score("redundancy-1", same) == pytest.approx(0, abs=1e-12)
    assert score("redundancy-2", same) == pytest.approx(0, abs=1e-12)
    assert score("term-overlap-normalized", same) == pytest.approx(2)
    assert score("neighbor-cosine", same) == pytest.approx((1 + 4 / sqrt(3 * 6)) / 2)


def test_sentences_without_a_common_term_have_their_sizes_as_singular_values():
    apart = ("kab lom rix", "tev zun", "mip")
    assert score("redundancy-1", apart) == pytest.approx(2**2 + 1)
    assert score("redundancy-2", apart) == pytest.approx(1)
    assert score("neg-sentence-entropy", ("kab lom", "rix tev")) == pytest.approx(-1)


@pytest.mark.parametrize("metric", [*FREE_OF_ORDER, *FLOW])
@pytest.mark.parametrize("nothing", ["", "...", (), ("", "-")])
def test_a_text_without_words_has_no_score(metric, nothing):
    assert np.isnan(score(metric, nothing))


@pytest.mark.parametrize("metric", [*FREE_OF_ORDER, "term-overlap", "term-overlap-normalized"])
def test_one_sentence_and_stop_words_have_defined_scores(metric):
    one = score(metric, "kab lom rix")
    assert one == {"term-entropy": pytest.approx(log2(3))}.get(metric, 0)
    stop_words = score(metric, ("it was", "was it"))
    assert stop_words == {"neg-log-sentences": -1}.get(metric, 0)
    assert not np.signbit(score(metric, "kab"))


def test_one_sentence_has_no_neighbour():
    assert np.isnan(score("neighbor-cosine", "kab lom"))
    assert score("neighbor-cosine", ("it", "was")) == 0


def test_empty_lines_are_no_sentences():
    with_gaps = ("", WORKED[0], "", "--", *WORKED[1:], "")
    for metric in (*FREE_OF_ORDER, *FLOW):
        assert score(metric, with_gaps) == pytest.approx(score(metric, WORKED)), metric


def test_order_matters_to_flow():
    apart = (WORKED[0], WORKED[3], WORKED[1])
    together = (WORKED[0], WORKED[1], WORKED[3])
    for metric in FLOW:
        assert score(metric, apart) != pytest.approx(score(metric, together)), metric
    # They are 1 (kab) + 0 against 2 (lom, rix) + 0.
    assert score("term-overlap", apart) == 1


@given(text, st.randoms())
def test_order_of_sentences_does_not_matter_to_the_rest(sentences, random):
    mixed = random.sample(sentences, len(sentences))
    for metric in FREE_OF_ORDER:
        expected = score(metric, sentences)
        assert score(metric, tuple(mixed)) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(text)
def test_turning_a_text_round_does_not_matter_to_flow(sentences):
    for metric in FLOW:
        expected = score(metric, sentences)
        assert score(metric, sentences[::-1]) == pytest.approx(expected, nan_ok=True)


@given(texts)
def test_brute_force(peers):
    cases = ScoringBatch.of_texts(peers)
    for metric, plain in PLAIN.items():
        expected = [plain(terms_of(peer)) for peer in peers]
        assert scores(metric, cases) == pytest.approx(expected, abs=1e-9, nan_ok=True), metric


@given(texts)
def test_bounds(peers):
    cases = ScoringBatch.of_texts(peers)
    entropy, cosine = scores("neg-sentence-entropy", cases), scores("neighbor-cosine", cases)
    spoken = ~np.isnan(entropy)
    assert (entropy[spoken] >= scores("neg-log-sentences", cases)[spoken] - 1e-12).all()
    assert (entropy[spoken] <= 0).all()
    redundancy = scores("redundancy-1", cases) - scores("redundancy-2", cases)
    assert (redundancy[spoken] >= 0).all()
    assert ((cosine >= 0) & (cosine <= 1 + 1e-12))[~np.isnan(cosine)].all()


def terms_of(sentences):
    """Count the terms of each sentence that has words."""
    spoken = [sentence.split() for sentence in sentences if sentence]
    return [Counter(word for word in words if word not in STOP_WORDS) for words in spoken]


def overlap(terms):
    return np.array([[len(one.keys() & other.keys()) for other in terms] for one in terms])


def squares_after(number, terms):
    if not terms:
        return np.nan
    values = np.linalg.svd(overlap(terms).astype(float), compute_uv=False)
    return sum(sorted(values, reverse=True)[i] ** 2 for i in range(number, len(values)))


def entropy(counts, terms):
    if not terms:
        return np.nan
    shares = [count / sum(counts) for count in counts if count]
    return -sum(share * log2(share) for share in shares)


def neighbours(of_pair, terms):
    return [of_pair(one, other) for one, other in pairwise(terms)]


def shared(one, other):
    return len(one.keys() & other.keys())


def normalised(one, other):
    return shared(one, other) / (sqrt(len(one) or 1) * sqrt(len(other) or 1))


def cosine(one, other):
    lengths = [sqrt(sum(count**2 for count in each.values())) for each in (one, other)]
    return sum(one[word] * other[word] for word in one) / (lengths[0] * lengths[1] or 1)


PLAIN = {
    "neg-log-sentences": lambda terms: -log2(len(terms)) if terms else np.nan,
    "redundancy-1": lambda terms: squares_after(1, terms),
    "redundancy-2": lambda terms: squares_after(2, terms),
    "term-entropy": lambda terms: entropy(list(sum(terms, Counter()).values()), terms),
    "neg-sentence-entropy": lambda terms: -entropy([each.total() for each in terms], terms),
    "term-overlap": lambda t: log2(1 + sum(neighbours(shared, t))) if t else np.nan,
    "term-overlap-normalized": lambda t: sum(neighbours(normalised, t)) if t else np.nan,
    "neighbor-cosine": lambda t: np.mean(neighbours(cosine, t)) if len(t) > 1 else np.nan,
}
