"""Divergences, cosines, likelihoods and signatures against plain-Python twins."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.scored import WORDS, score, scores
from pyramidion.metrics import ScoringBatch
from pyramidion.text.encoding import (
    Background,
    default_background,
    log_likelihood_ratios,
    signature_weights,
)

prose = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
inputs = st.lists(prose, min_size=1, max_size=3)


def frequencies(text):
    words = text.split()
    return {word: count / len(words) for word, count in Counter(words).items()}


def plain_js(summary, other):
    p, q = frequencies(other), frequencies(summary)
    total = 0.0
    for word in set(p) | set(q):
        a, b = p.get(word, 0), q.get(word, 0)
        total += sum(x * math.log2(2 * x / (a + b)) for x in (a, b) if x) / 2
    return total


def plain_kl(first, second, vocabulary):
    """KL of two texts' smoothed frequencies; the vocabulary is the input's."""
    words = set(first.split()) | set(second.split())

    def smoothed(text, word):
        return (text.split().count(word) + 0.0005) / (len(text.split()) + 0.00075 * vocabulary)

    return sum(
        smoothed(first, w) * math.log2(smoothed(first, w) / smoothed(second, w)) for w in words
    )


@given(prose, inputs)
def test_jensen_shannon_equals_its_definition(summary, documents):
    joined = " ".join(documents)
    expected = pytest.approx(plain_js(summary, joined), abs=1e-12)
    assert score("js-input", summary, documents=documents) == expected
    assert score("js-references", summary, documents) == expected


@given(prose, inputs)
def test_kullback_leibler_equals_its_definition(summary, documents):
    joined = " ".join(documents)
    size = len(set(joined.split()))
    lost, gained = plain_kl(joined, summary, size), plain_kl(summary, joined, size)
    assert score("kl-input-summary", summary, documents=documents) == pytest.approx(lost, abs=1e-9)
    assert score("kl-references-summary", summary, documents) == pytest.approx(lost, abs=1e-9)
    assert score("kl-summary-input", summary, documents=documents) == pytest.approx(
        gained, abs=1e-9
    )
    assert score("kl-summary-references", summary, documents) == pytest.approx(gained, abs=1e-9)


@given(prose, inputs)
def test_cosine_equals_its_definition(summary, documents):
    own, other = Counter(summary.split()), Counter(" ".join(documents).split())
    product = sum(own[word] * other[word] for word in own)
    lengths = math.sqrt(sum(n * n for n in own.values()) * sum(n * n for n in other.values()))
    expected = pytest.approx(product / lengths, abs=1e-12)
    assert score("cosine-input(weights=tf)", summary, documents=documents) == expected
    assert score("cosine-references(weights=tf)", summary, documents) == expected


def test_cosine_weighs_rare_words_more():
    # "said" is common in general English, "glacier" is not.
    documents = ["glacier said"]
    rare = score("cosine-input(stop_words=off)", "glacier", documents=documents)
    common = score("cosine-input(stop_words=off)", "said", documents=documents)
    assert rare > common


@given(prose, inputs)
def test_likelihoods_equal_their_definition(summary, documents):
    own, other = Counter(summary.split()), Counter(" ".join(documents).split())
    total = other.total() + 0.0005 * len(set(own) | set(other))
    logs = sum(n * math.log((other[word] + 0.0005) / total) for word, n in own.items())
    coefficient = math.lgamma(own.total() + 1) - sum(math.lgamma(n + 1) for n in own.values())
    assert score("multinomial-input", summary, documents=documents) == pytest.approx(
        logs + coefficient
    )
    assert score("unigram-input", summary, documents=documents) == pytest.approx(logs / own.total())


@pytest.mark.parametrize(
    "metric",
    ["js-input", "kl-input-summary", "kl-summary-input", "cosine-input", "unigram-input"],
)
def test_a_side_without_words_leaves_the_score_undefined(metric):
    assert np.isnan(score(metric, "", documents=["kab lom"]))
    assert np.isnan(score(metric, "kab", documents=["..."]))
    assert np.isnan(score(metric, "kab", documents=[]))


@pytest.mark.parametrize("name", ["js-references", "cosine-references", "kl-summary-references"])
def test_many_cases_are_scored_like_few(name):
    peers = ["kab lom", "rix", "tev tev zun", "lom"]
    few = ScoringBatch.of_texts(peers, [["kab rix", "tev"]] * 4)
    many = ScoringBatch.of_texts(peers * 600, [["kab rix", "tev"]] * 2400)
    np.testing.assert_array_equal(scores(name, many), np.tile(scores(name, few), 600))


def test_likelihood_ratio_by_hand():
    # 10 of 100 against 10 of 1,000, with 20 of 1,100 together.
    both = 20 / 1100
    expected = 2 * (
        10 * math.log(0.1 / both)
        + 90 * math.log(0.9 / (1 - both))
        + 10 * math.log(0.01 / both)
        + 990 * math.log(0.99 / (1 - both))
    )
    observed = log_likelihood_ratios([10, 1, 0], 100, [10, 500, 3], 1000)
    assert observed[0] == pytest.approx(expected)
    assert observed[1] < 0
    assert observed[2] <= 0


@given(st.lists(st.integers(0, 30), min_size=2, max_size=6), st.integers(1, 50))
def test_equal_rates_are_no_signature(counts, times):
    total = sum(counts)
    if not total:
        return
    observed = log_likelihood_ratios(counts, total, np.array(counts) * times, total * times)
    np.testing.assert_allclose(observed, 0, atol=1e-6)


def test_signature_metrics_by_hand():
    # In this input "glacier" and "melt" are far more frequent than in general, "said" is not.
    document = "glacier melt glacier melt glacier said. " * 4
    background = default_background(stem=True)
    weights = signature_weights(["glacier", "melt", "said"], [12, 8, 4], background)
    assert (weights > 10).tolist() == [True, True, True]
    assert score("signature-coverage", "glacier", documents=[document]) == pytest.approx(0.5)
    assert score("signature-share", "glacier soup", documents=[document]) == pytest.approx(0.5)
    assert score("signature-coverage(cutoff=1e9)", "kab", documents=[document]) != score(
        "signature-coverage", "kab", documents=[document]
    )


def test_background_takes_words_of_one_stem_together():
    background = Background(Counter(rain=3, rains=2), Counter(rain=2, rains=2), documents=3)
    stemmed = background.stemmed()
    assert stemmed.counts == {"rain": 5}
    assert stemmed.document_frequencies == {"rain": 3}
    assert stemmed.total == background.total == 5


def test_the_shipped_background_is_what_its_card_says():
    # tools/background.py printed these numbers.
    background = default_background()
    assert (background.documents, background.total) == (969, 298_673)
    assert len(background.counts) == 22_280
    assert max(background.document_frequencies.values()) <= background.documents


def test_the_background_can_leave_stop_words_out():
    general, content = default_background(), default_background(stop_words=True)
    assert "the" in general.counts
    assert "the" not in content.counts
    assert content.total == sum(n for w, n in general.counts.items() if w in content.counts)
    assert default_background(stem=True, stop_words=True).total == content.total
