"""Methods that compare sentences: LexRank, clusters, MMR, the centroid."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from pyramidion.summarizers import Limit, Source, parse_summarizer
from pyramidion.text.encoding import default_background
from summarizers import plain
from summarizers.inputs import TEXTS, UNIQUE_TEXTS, source_of


def method(text) -> Any:
    """Return a method whose class has more than all have in common."""
    return parse_summarizer(text)


def vectors(texts):
    """Words times log(1 + n / n_w), of length 1, in plain Python."""
    read = [Counter(plain.content(text)) for text in texts]
    held = Counter(word for own in read for word in own)
    weighed = [{w: k * math.log1p(len(texts) / held[w]) for w, k in own.items()} for own in read]
    lengths = [math.sqrt(sum(value**2 for value in own.values())) for own in weighed]
    return [
        {word: value / length for word, value in own.items()}
        for own, length in zip(weighed, lengths, strict=True)
    ]


def cosine(a, b):
    return sum(value * b.get(word, 0.0) for word, value in a.items())


def centrality(texts):
    """Return the cosine of each sentence with all of them together."""
    read = [Counter(plain.content(text)) for text in texts]
    held = Counter(word for counts in read for word in counts)
    whole = {w: k * math.log1p(len(texts) / held[w]) for w, k in sum(read, Counter()).items()}
    length = math.sqrt(sum(value**2 for value in whole.values()))
    return np.array([cosine(vector, whole) / length for vector in vectors(texts)])


def cosines(texts):
    weighted = vectors(texts)
    return np.array([[cosine(a, b) for b in weighted] for a in weighted])


def stationary(matrix, given_, damping):
    """Solve p = given + damping B' p, then let the sum be 1."""
    p = np.linalg.solve(np.eye(len(matrix)) - damping * matrix.T, given_)
    return p / p.sum()


@given(TEXTS)
def test_lexrank_against_a_linear_system(texts):
    near = (cosines(texts) > 0.1).astype(float)
    matrix = near / np.maximum(near.sum(axis=1, keepdims=True), 1)
    expected = stationary(matrix, np.full(len(texts), 0.15 / len(texts)), 0.85)
    assume((near.sum(axis=1) > 0).all())
    assert method("lexrank").ranks(source_of(*texts)) == pytest.approx(expected, abs=1e-6)


@given(TEXTS)
def test_continuous_lexrank_against_a_linear_system(texts):
    near = cosines(texts)
    assume((near.sum(axis=1) > 0).all())
    matrix = near / near.sum(axis=1, keepdims=True)
    expected = stationary(matrix, np.full(len(texts), 0.15 / len(texts)), 0.85)
    assert method("lexrank(continuous)").ranks(source_of(*texts)) == pytest.approx(
        expected, abs=1e-6
    )


def test_a_query_draws_importance():
    texts = ("Rain fell on roads.", "Rain closed roads.", "Roads had rain.", "Goats were sold.")
    with_query = source_of(*texts, query="goats")
    assert method("lexrank").ranks(source_of(*texts)).argmax() != 3
    ranks = method("lexrank(query=0.6)").ranks(with_query)
    assert ranks.argmax() == 3
    near = (cosines(texts) > 0.1).astype(float)
    matrix = near / near.sum(axis=1, keepdims=True)
    expected = stationary(matrix, np.array([0.0, 0, 0, 0.6]), 0.4)
    assert ranks == pytest.approx(expected, abs=1e-6)


def test_lexrank_passes_over_what_is_said_or_known():
    texts = ("Rain closed roads in Ardel.", "Roads in Ardel rain closed.", "Goats sold in Ardel.")
    chosen = parse_summarizer("lexrank").choose(source_of(*texts), Limit(100)).numbers
    assert len(chosen) == 2
    update = source_of(*texts, known=["In Ardel roads closed in the rain."])
    assert parse_summarizer("lexrank").choose(update, Limit(100)).numbers == (2,)
    every = parse_summarizer("lexrank(similar=1)").choose(source_of(*texts), Limit(100))
    assert len(every.numbers) == 3


def test_two_thousand_sentences_are_compared_in_blocks():
    words = [f"word{k}" for k in range(50)]
    texts = [f"{words[k % 50]} {words[k * 7 % 50]} {words[k * 11 % 50]}." for k in range(2500)]
    ranks = method("lexrank").ranks(source_of(*texts))
    assert ranks.sum() == pytest.approx(1)
    # Sentences that are the same stand 50 places apart: all blocks see them.
    assert ranks.reshape(50, 50) == pytest.approx(np.tile(ranks[:50], (50, 1)))


@given(UNIQUE_TEXTS)
def test_mmr_against_plain_python(texts):
    weighted = vectors(texts)
    total = Counter()
    for text in texts:
        total.update(plain.content(text))
    held = Counter(word for text in texts for word in set(plain.content(text)))
    whole = {w: k * math.log1p(len(texts) / held[w]) for w, k in total.items()}
    length = math.sqrt(sum(value**2 for value in whole.values())) or 1.0
    taken = []

    def weigh(number):
        if not weighted[number]:
            return None
        near = max((cosine(weighted[number], weighted[other]) for other in taken), default=0.0)
        return 0.7 * cosine(weighted[number], whole) / length - 0.3 * near

    expected = plain.greedy(texts, 15, weigh, taken.append)
    assert list(parse_summarizer("mmr").choose(source_of(*texts), Limit(15)).numbers) == expected


def test_mmr_knows_the_query_and_what_is_known():
    texts = ("Rain fell on roads.", "Rain closed roads.", "Goats were sold.")
    with_query = source_of(*texts, query="goats")
    assert parse_summarizer("mmr(query=0.9)").choose(with_query, Limit(4)).numbers == (2,)
    update = source_of(*texts, known=["Rain fell on roads.", "Rain closed roads."])
    assert parse_summarizer("mmr").choose(update, Limit(4)).numbers == (2,)
    assert parse_summarizer("mmr").choose(source_of(*texts), Limit(4)).numbers != (2,)


def test_clusters_are_stars():
    texts = (
        "Rain closed roads in Ardel.",
        "Ardel rain closed roads again on Monday.",
        "Roads closed on Monday.",
        "Goats were sold.",
    )
    method = parse_summarizer("clusters(threshold=0.3)")
    # The second is near the first and the third, which are no neighbors of each other's stars.
    assert method.clusters(source_of(*texts)).tolist() == [0, 0, 0, 1]  # type: ignore[attr-defined]
    chosen = method.choose(source_of(*texts), Limit(100))
    assert {int(method.clusters(source_of(*texts))[k]) for k in chosen.numbers} == {0, 1}  # type: ignore[attr-defined]
    sizes = parse_summarizer("clusters(threshold=0.3,weight=size)")
    assert sizes.choose(source_of(*texts), Limit(100)).scores == (3.0, 1.0)


def test_the_sentence_nearest_to_all_of_a_cluster_is_taken():
    texts = (
        "Rain closed bridges, schools and shops.",
        "Rain closed roads.",
        "Rain closed roads in Ardel.",
        "Roads closed in Ardel again.",
    )
    source = source_of(*texts)
    method = parse_summarizer("clusters(threshold=0.05)")
    assert method.clusters(source).tolist() == [0, 0, 0, 0]  # type: ignore[attr-defined]
    weighted = vectors(texts)
    total = Counter()
    for vector in weighted:
        total.update(vector)
    nearest = max(range(4), key=lambda number: cosine(weighted[number], total))
    # Neither the first in the text nor the first in the alphabet.
    assert nearest == 2
    assert method.choose(source, Limit(100)).numbers == (nearest,)


def test_a_cluster_is_worth_its_words_or_its_size():
    rain = ("Rain closed roads in Ardel.", "Rain closed Ardel roads.")
    # Three sentences that share one word, which nothing else has, and little with the input.
    odd = ("Yes indeed, goats.", "Perhaps goats.", "Goats, naturally.")
    source = source_of(*rain, "Ardel rain closed roads, roads, roads and roads.", *rain, *odd)
    words, sizes = (
        parse_summarizer(f"clusters(threshold=0.05,weight={weight})")
        for weight in ("words", "size")
    )
    assert sizes.clusters(source).tolist() == [0, 0, 0, 0, 0, 1, 1, 1]  # type: ignore[attr-defined]
    assert sizes.choose(source, Limit(100)).scores == (5.0, 3.0)
    weighted = vectors(source.texts)
    whole = Counter()
    for text in source.texts:
        whole.update(plain.content(text))
    held = Counter(word for text in source.texts for word in set(plain.content(text)))
    whole = {w: k * math.log1p(len(source) / held[w]) for w, k in whole.items()}
    length = math.sqrt(sum(value**2 for value in whole.values()))
    near = [cosine(vector, whole) / length for vector in weighted]
    scores = words.choose(source, Limit(100)).scores
    assert scores == pytest.approx((sum(near[:5]), sum(near[5:])))


def test_words_and_sizes_rank_clusters_differently():
    source = source_of(
        "Rain closed roads in Ardel, roads and roads.",
        "Roads, rain and Ardel.",
        "Perhaps goats.",
        "Goats indeed.",
        "Goats, naturally.",
    )
    firsts = [
        parse_summarizer(f"clusters(threshold=0.05,weight={weight})").choose(source, Limit(100))
        for weight in ("words", "size")
    ]
    assert [choice.numbers[0] in (0, 1) for choice in firsts] == [True, False]


def test_another_sentence_of_a_cluster_is_taken_where_the_best_does_not_fit():
    texts = ("Rain closed many roads in Ardel.", "Rain closed Ardel roads.", "Goats were sold.")
    method = parse_summarizer("clusters(threshold=0.3)")
    first = method.choose(source_of(*texts), Limit(100)).numbers[0]
    assert method.choose(source_of(*texts), Limit(4)).numbers[0] == 1
    assert first in (0, 1)


def test_the_centroid_by_hand():
    source = source_of("Rain fell on Ardel. Rain fell. Goats.")
    background = default_background(stem=True)
    counts = {"rain": 2, "fall": 2, "ardel": 1, "goat": 1}
    idf = dict(zip(counts, background.idf(list(counts)), strict=True))
    worth = {word: number * idf[word] for word, number in counts.items()}
    method = parse_summarizer("centroid(threshold=0)")
    assert dict(method.weights(source)) == pytest.approx(worth)
    choice = method.choose(source, Limit(100))
    best = worth["rain"] + worth["fall"] + worth["ardel"]
    assert choice.scores[:2] == pytest.approx((1.0, worth["goat"] / best))
    early = parse_summarizer("centroid(threshold=0,position=100)").choose(source, Limit(100))
    assert early.scores[0] == pytest.approx(101)


def test_words_below_the_threshold_are_not_in_the_centroid():
    source = source_of("Rain rain rain rain on Ardel. Rain, rain and rain. Goats were sold.")
    every = dict(parse_summarizer("centroid(threshold=0)").weights(source))
    some = dict(parse_summarizer("centroid(threshold=0.5)").weights(source))
    assert set(every) == {"rain", "ardel", "goat", "sell"}
    assert some == {word: worth for word, worth in every.items() if worth > every["rain"] / 2}
    assert set(some) == {"rain"}
    # A sentence without any of them is not taken.
    assert len(parse_summarizer("centroid(threshold=0.5)").choose(source, Limit(99)).numbers) == 1


def test_update_sources_split_what_is_known():
    source = Source.of_texts(["Rain fell all day."], known=["Mud came. Goats were sold."])
    assert source.known_texts == ("Mud came.", "Goats were sold.")


def test_a_determinant_grows_by_the_reported_amount():
    """The logarithms add up to that of the determinant of the sentences that were taken."""
    source = source_of("Rain fell on Ardel. Rain fell on goats. Goats were sold on Monday.")
    choice = parse_summarizer("dpp(quality=1)").choose(source, Limit(20))
    near = cosines(source.texts)[np.ix_(choice.numbers, choice.numbers)]
    quality = np.exp(centrality(source.texts)[list(choice.numbers)])
    kernel = quality[:, None] * near * quality
    assert sum(choice.scores) == pytest.approx(np.linalg.slogdet(kernel)[1])


def test_a_submodular_extract_is_worth_what_its_sentences_add():
    source = source_of("Rain fell on Ardel. Rain fell on goats. Goats were sold on Monday.")
    submodular = parse_summarizer("submodular(saturation=1)")
    choice = submodular.choose(source, Limit(20))
    near = cosines(source.texts)
    caps, rewards = near.sum(axis=1) / 3, near.sum(axis=1) / 3
    of = method("clusters").clusters(source)
    # All sentences cover and vary as much as available: 1 and 1.
    assert len(choice.numbers) == 3
    assert sum(choice.scores) == pytest.approx(2)
    first = choice.numbers[0]
    coverage = np.minimum(near[first], caps).sum() / caps.sum()
    diversity = np.sqrt(rewards[first]) / np.sqrt(np.bincount(of, rewards)).sum()
    assert dict(submodular.explain(source, first)) == pytest.approx(
        {"coverage": coverage, "diversity": diversity}
    )


def test_one_sentence_may_be_worth_more_than_greed():
    text = "Goats. Rain fell on Ardel roads. Rain fell on Ardel roads today."
    greedy = parse_summarizer("submodular(power=3)").choose(source_of(text), Limit(5))
    assert greedy.numbers == (1,)
