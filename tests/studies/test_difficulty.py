"""How difficult inputs are."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from pyramidion.collection import ScoreMatrix
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.stats import pearson, two_way_anova
from pyramidion.studies._difficulty import (
    FEATURES,
    DifficultyOptions,
    features_of,
    input_features,
    loo_predictions,
    measure_difficulty,
)
from pyramidion.text import words
from support import shared_collection

TEXTS = [
    "Heavy rain fell in the north. Rivers rose, and roads were closed. Rain fell again.",
    "Roads in the north were closed by rain. Schools stayed open.",
    "The team won the final by two goals.",
]


def vector(tokens, vocabulary):
    counts = Counter(tokens)
    return np.array([counts[word] for word in vocabulary], dtype=float)


def cosine(a, b):
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_features_by_hand():
    found = input_features(TEXTS)
    plain = [word for text in TEXTS for word in words(text)]
    counts = Counter(plain)
    shares = np.array(list(counts.values())) / len(plain)
    assert list(found) == list(FEATURES)
    assert found["documents"] == 3
    assert found["sentences"] == 6
    assert found["words"] == len(plain)
    assert found["sentence-length"] == len(plain) / 6
    assert found["vocabulary"] == len(counts)
    assert found["type-token"] == pytest.approx(len(counts) / len(plain))
    once = sum(count == 1 for count in counts.values())
    assert found["used-once"] == pytest.approx(once / len(counts))
    assert found["entropy"] == pytest.approx(-np.sum(shares * np.log2(shares)))


def test_similarities_by_hand():
    found = input_features(TEXTS)
    content = [words(text, stem=True, stop_words=True) for text in TEXTS]
    vocabulary = sorted({word for text in content for word in text})
    vectors = [vector(text, vocabulary) for text in content]
    pairs = [cosine(vectors[a], vectors[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert found["similarity"] == pytest.approx(np.mean(pairs))
    assert found["least-similarity"] == pytest.approx(min(pairs))
    pool = np.sum(vectors, axis=0)
    divergences = [jensenshannon(own, pool, base=2) ** 2 for own in vectors]
    assert found["divergence"] == pytest.approx(np.mean(divergences))
    sentences = [
        "Heavy rain fell in the north.", "Rivers rose, and roads were closed.", "Rain fell again.",
        "Roads in the north were closed by rain.", "Schools stayed open.", TEXTS[2],
    ]  # fmt: skip
    own = [vector(words(text, stem=True, stop_words=True), vocabulary) for text in sentences]
    best = [max(cosine(a, b) for b in own if b is not a) for a in own]
    assert found["redundancy"] == pytest.approx(np.mean(best))


def test_inputs_that_lack_something():
    one = input_features(["Rain fell."])
    assert math.isnan(one["similarity"])
    assert math.isnan(one["redundancy"])
    nothing = input_features(["", "…"])
    assert nothing["words"] == 0
    assert math.isnan(nothing["entropy"])
    stop = input_features(["The and of.", "It is."])
    assert math.isnan(stop["signature"])
    twice = input_features([TEXTS[0], TEXTS[0]])
    assert twice["similarity"] == pytest.approx(1)
    assert twice["divergence"] == pytest.approx(0, abs=1e-9)
    assert twice["redundancy"] == pytest.approx(1)


def inputs(count=12, seed=0):
    """Make topics whose scores fall with their words, and a feature that says nothing."""
    rng = np.random.default_rng(seed)
    lengths = rng.uniform(100, 900, count)
    features = {
        f"T{i}": {"words": lengths[i], "noise": rng.normal(), "same": 4.0} for i in range(count)
    }
    values = (5 - lengths / 300)[:, None] + rng.normal(0, 0.1, (count, 6))
    systems = [f"s{i}" for i in range(6)]
    return ScoreMatrix(values, list(features), systems, measure="m", task="A"), features


QUICK = DifficultyOptions(n_resamples=200)


def test_correlations_and_the_hardest_topics():
    matrix, features = inputs()
    found = measure_difficulty(matrix, features, options=QUICK)
    by_name = {(one.coefficient, one.feature): one for one in found.correlations}
    lengths = [features[topic]["words"] for topic in matrix.topics]
    expected = pearson(lengths, matrix.values.mean(axis=1))
    own = by_name["pearson", "words"]
    assert (own.value, own.p) == pytest.approx((expected.value, expected.p))
    assert own.low <= own.value <= own.high < -0.9
    # Holm over two features: the third is the same for all topics.
    assert own.p_adjusted == pytest.approx(min(1, 2 * own.p))
    assert by_name["spearman", "same"].undefined == "all values of the feature are equal"
    scores = [topic.score for topic in found.topics]
    assert scores == sorted(scores)
    assert found.topics[0].score == pytest.approx(matrix.values.mean(axis=1).min())
    assert found.left_out == (
        "m, task A: features that are the same for all topics or missing: same",
    )


def test_predictions_tell_signal_from_noise():
    found = measure_difficulty(*inputs(30), options=QUICK)
    explained = {one.by: one.explained for one in found.predictions}
    assert explained["mean"] == 0
    assert explained["words"] > 0.95
    assert explained["noise"] < 0.2
    assert explained["all features"] > 0.95
    errors = [topic.score - topic.predicted for topic in found.topics]
    everything = found.predictions[-1]
    assert everything.error == pytest.approx(np.sqrt(np.mean(np.square(errors))))


def test_prediction_by_hand():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(9, 1)), rng.normal(size=9)
    _, found = loo_predictions(x, y, ["x"])
    guesses = []
    for item in range(9):
        rest = np.arange(9) != item
        slope, intercept = np.polyfit(x[rest, 0], y[rest], 1)
        guesses.append(intercept + slope * x[item, 0])
    means = (y.sum() - y) / 8
    assert found[1].error == pytest.approx(np.sqrt(np.mean((y - guesses) ** 2)))
    expected = 1 - np.sum((y - guesses) ** 2) / np.sum((y - means) ** 2)
    assert found[1].explained == pytest.approx(expected)
    assert found[0].error == pytest.approx(np.sqrt(np.mean((y - means) ** 2)))


def test_ridge_by_hand():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(10, 4)) * [1, 5, 0.1, 2] + 3
    y = x[:, 0] + rng.normal(size=10)
    guesses, _ = loo_predictions(x, y, list("abcd"))
    for item in range(10):
        rest = np.arange(10) != item
        centre, spread = x[rest].mean(axis=0), x[rest].std(axis=0)
        z, new = (x[rest] - centre) / spread, (x[item] - centre) / spread
        own = y[rest] - y[rest].mean()
        best = (np.inf, 0.0)
        for penalty in 9 * 10.0 ** np.arange(-4, 4.25, 0.25):
            hat = z @ np.linalg.solve(z.T @ z + penalty * np.eye(4), z.T)
            error = np.sum((own - hat @ own) ** 2) / (9 - 1 - np.trace(hat)) ** 2
            guess = new @ np.linalg.solve(z.T @ z + penalty * np.eye(4), z.T @ own)
            best = min(best, (error, guess + y[rest].mean()))
        assert guesses[item] == pytest.approx(best[1])


def test_missing_systems_do_not_make_a_topic_hard():
    matrix, features = inputs()
    values = matrix.values + np.arange(6) * 2
    values[:6, 5] = np.nan
    gaps = ScoreMatrix(values, matrix.topics, matrix.systems, measure="m", task="A")
    found = measure_difficulty(gaps, features, options=QUICK)
    expected = dict(zip(matrix.topics, two_way_anova(values).second.means, strict=True))
    for topic in found.topics:
        assert topic.score == pytest.approx(expected[topic.topic])
        assert topic.n == (5 if int(topic.topic[1:]) < 6 else 6)
    values[:6, 3:] = np.nan
    values[6:, :3] = np.nan
    apart = measure_difficulty(
        ScoreMatrix(values, matrix.topics, matrix.systems, measure="m"), features, options=QUICK
    )
    assert apart.left_out[0].endswith("share no topics, so that topics have plain means")


def test_order_changes_nothing():
    matrix, features = inputs()
    shuffled = matrix.take(topics=matrix.topics[::-1], systems=matrix.systems[::-1])
    first, again = (measure_difficulty(m, features, options=QUICK) for m in (matrix, shuffled))
    assert [t.topic for t in first.topics] == [t.topic for t in again.topics]
    for one, other in zip(first.predictions, again.predictions, strict=True):
        assert other.error == pytest.approx(one.error)
    for one, other in zip(first.correlations, again.correlations, strict=True):
        assert other.value == pytest.approx(one.value, nan_ok=True)  # type: ignore[attr-defined]


def test_bad_input():
    matrix, features = inputs()
    few = dict(list(features.items())[:3])
    with pytest.raises(InputError, match="m, task A: 3 topics have scores and documents"):
        measure_difficulty(matrix, few)
    with pytest.raises(InputError, match="m has no scores"):
        measure_difficulty(ScoreMatrix([[np.nan]], ["T1"], ["x"], measure="m"), features)
    with pytest.raises(InputError, match="coefficient is 'tau'"):
        DifficultyOptions(coefficients=("tau",))
    some = {topic: own for topic, own in features.items() if topic != "T3"}
    left_out = measure_difficulty(matrix, some, options=QUICK).left_out
    assert "m, task A: 1 topics without documents, such as T3" in left_out
    constant = ScoreMatrix(np.ones((12, 2)), matrix.topics, ["x", "y"], measure="m")
    found = measure_difficulty(constant, features, options=QUICK)
    assert found.correlations[0].undefined == "all values of the score are equal"
    assert math.isnan(found.predictions[0].explained)


def test_demo_features():
    collection = load_demo()
    first, later = (features_of(collection, task) for task in "AB")
    assert set(first) == set(later) == {topic.id for topic in collection.topics}
    assert all(own["documents"] == 4 for own in first.values())
    assert first["P01"] != later["P01"]


def test_opinions():
    """On SummEval-OP's 32 products nothing about the input tells how relevant summaries are."""
    source = shared_collection("data/summeval_op.jsonl.gz")
    features = features_of(source, "multi-doc-reviews")
    assert len(features) == 32
    assert {own["documents"] for own in features.values()} == {8.0}
    matrix = ScoreMatrix.from_scores(source.scores, "relevance")
    found = measure_difficulty(matrix, features, options=QUICK)
    assert len(found.topics) == 32
    assert all(one.p_adjusted > 0.05 for one in found.correlations if not one.undefined)
    assert found.predictions[-1].explained < 0
