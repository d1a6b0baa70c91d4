"""How difficult inputs are."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from pyramidion.collection import Collection, Document, ScoreMatrix, Topic
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.stats import adjust_p, correlation_interval, pearson, spearman, two_way_anova
from pyramidion.studies import difficulty
from pyramidion.text import words
from support import shared_collection

TEXTS = [
    "Heavy rain fell in the north. Rivers rose, and roads were closed. Rain fell again.",
    "Roads in the north were closed by rain. Schools stayed open.",
    "The team won the final by two goals.",
]
FEATURES = (
    "documents", "sentences", "words", "sentence-length", "vocabulary", "type-token", "used-once",
    "entropy", "redundancy", "similarity", "least-similarity", "divergence", "signature",
)  # fmt: skip


def collection(inputs, values=None, systems=3, task=""):
    """Make a collection with documents and scores of topics T0, T1, ..."""
    topics = [
        Topic(f"T{n}", documents=tuple(Document(f"d{i}", text) for i, text in enumerate(texts)))
        for n, texts in enumerate(inputs)
    ]
    if values is None:
        values = np.random.default_rng(0).normal(size=(len(inputs), systems))
    names = [f"s{i}" for i in range(values.shape[1])]
    ids = [f"T{n}" for n in range(len(values))]
    matrix = ScoreMatrix(values, ids, names, measure="m", task=task)
    return Collection("c", topics=tuple(topics), scores=matrix.to_scores())


def study_of(source, **options):
    [study] = difficulty(source, **{"n_resamples": 200, **options})
    return study


def features_of(texts):
    """Return the features of an input; three others are added, since four topics are needed."""
    study = study_of(collection([texts, *([text] for text in TEXTS)]))
    return next(topic.features for topic in study.topics if topic.topic == "T0")


def vector(tokens, vocabulary):
    counts = Counter(tokens)
    return np.array([counts[word] for word in vocabulary], dtype=float)


def cosine(a, b):
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_features_by_hand():
    features = features_of(TEXTS)
    plain = [word for text in TEXTS for word in words(text)]
    counts = Counter(plain)
    shares = np.array(list(counts.values())) / len(plain)
    assert tuple(features) == FEATURES
    assert features["documents"] == 3
    assert features["sentences"] == 6
    assert features["words"] == len(plain)
    assert features["sentence-length"] == len(plain) / 6
    assert features["vocabulary"] == len(counts)
    assert features["type-token"] == pytest.approx(len(counts) / len(plain))
    once = sum(count == 1 for count in counts.values())
    assert features["used-once"] == pytest.approx(once / len(counts))
    assert features["entropy"] == pytest.approx(-np.sum(shares * np.log2(shares)))


def test_similarities_by_hand():
    features = features_of(TEXTS)
    content = [words(text, stem=True, stop_words=True) for text in TEXTS]
    vocabulary = sorted({word for text in content for word in text})
    vectors = [vector(text, vocabulary) for text in content]
    pairs = [cosine(vectors[a], vectors[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert features["similarity"] == pytest.approx(np.mean(pairs))
    assert features["least-similarity"] == pytest.approx(min(pairs))
    pool = np.sum(vectors, axis=0)
    divergences = [jensenshannon(counts, pool, base=2) ** 2 for counts in vectors]
    assert features["divergence"] == pytest.approx(np.mean(divergences))
    sentences = [
        "Heavy rain fell in the north.", "Rivers rose, and roads were closed.", "Rain fell again.",
        "Roads in the north were closed by rain.", "Schools stayed open.", TEXTS[2],
    ]  # fmt: skip
    rows = [vector(words(text, stem=True, stop_words=True), vocabulary) for text in sentences]
    best = [max(cosine(a, b) for b in rows if b is not a) for a in rows]
    assert features["redundancy"] == pytest.approx(np.mean(best))


def test_inputs_that_lack_something():
    single = features_of(["Rain fell."])
    assert math.isnan(single["similarity"])
    assert math.isnan(single["redundancy"])
    empty = features_of(["", "…"])
    assert empty["words"] == 0
    assert math.isnan(empty["entropy"])
    assert math.isnan(features_of(["The and of.", "It is."])["signature"])
    twice = features_of([TEXTS[0], TEXTS[0]])
    assert twice["similarity"] == pytest.approx(1)
    assert twice["divergence"] == pytest.approx(0, abs=1e-9)
    assert twice["redundancy"] == pytest.approx(1)


def test_signature_words_are_frequent_words_of_the_topic():
    """A word that everything repeats is a signature word; common words are not."""
    assert features_of(["Glacier. Glacier. Glacier. Glacier."])["signature"] == 1
    assert (
        0 < features_of(["Glacier. Glacier. Glacier. Glacier. People said today."])["signature"] < 1
    )


def inputs(count=12, seed=0):
    """Return inputs of growing length in random order, and scores that fall with the length."""
    rng = np.random.default_rng(seed)
    vocabulary = ["rain", "snow", "roads", "harbor", "glacier", "storm", "town", "flood"]
    lengths = rng.permutation(np.arange(10, 10 + 4 * count, 4))
    texts = [" ".join(rng.choice(vocabulary, length)) + "." for length in lengths]
    values = (5 - lengths / 30)[:, None] + rng.normal(0, 0.1, (count, 6))
    return [[text] for text in texts], values


def test_correlations_and_the_hardest_topics():
    texts, values = inputs()
    study = study_of(collection(texts, values, task="A"))
    rows = {(row.coefficient, row.feature): row for row in study.correlations}
    lengths, means = [len(text.split()) for [text] in texts], values.mean(axis=1)
    for coefficient, correlate in (("pearson", pearson), ("spearman", spearman)):
        expected, row = correlate(lengths, means), rows[coefficient, "words"]
        assert (row.value, row.p, row.n) == pytest.approx((expected.value, expected.p, 12))
        same = {"coefficient": coefficient, "method": "percentile", "rng": 0}
        interval = correlation_interval(lengths, means, n_resamples=200, **same).interval
        assert (row.low, row.high) == (interval.low, interval.high)
        defined = [row for row in study.correlations if row.coefficient == coefficient]
        adjusted = adjust_p([row.p for row in defined], method="holm")
        assert [row.p_adjusted for row in defined] == pytest.approx(adjusted, nan_ok=True)
    assert rows["pearson", "words"].high < -0.9
    assert rows["spearman", "documents"].undefined == "all values of the feature are equal"
    assert rows["pearson", "similarity"].undefined == "fewer than four topics have it"
    scores = [topic.score for topic in study.topics]
    assert scores == pytest.approx(sorted(means))
    assert [study.topics[0].n, study.systems] == [6, 6]
    assert study.left_out == (
        "m, task A: features that are the same for all topics or missing: documents, sentences, "
        "redundancy, similarity, least-similarity, divergence",
    )


def test_for_a_measure_of_errors_high_scores_are_hard():
    texts, values = inputs()
    study = study_of(collection(texts, values), lower_is_better="m")
    scores = [topic.score for topic in study.topics]
    assert scores == sorted(scores, reverse=True)


def test_predictions_tell_signal_from_noise():
    study = study_of(collection(*inputs(30)))
    explained = {row.by: row.explained for row in study.predictions}
    assert explained["mean"] == 0
    assert explained["words"] > 0.95
    assert explained["type-token"] < explained["words"]
    assert explained["all features"] > 0.95
    errors = [topic.score - topic.predicted for topic in study.topics]
    everything = study.predictions[-1]
    assert everything.error == pytest.approx(np.sqrt(np.mean(np.square(errors))))


def design_of(study):
    """Return the features used for predictions, their table and the scores."""
    names = [row.by for row in study.predictions[1:-1]]
    table = np.array([[topic.features[name] for name in names] for topic in study.topics])
    return names, table, np.array([topic.score for topic in study.topics])


def test_predictions_by_a_feature_by_hand():
    rng = np.random.default_rng(2)
    texts, _ = inputs(9)
    study = study_of(collection(texts, rng.normal(size=(9, 4))))
    names, table, y = design_of(study)
    assert "words" in names
    means = (y.sum() - y) / 8
    assert study.predictions[0].error == pytest.approx(np.sqrt(np.mean((y - means) ** 2)))
    for x, row in zip(table.T, study.predictions[1:-1], strict=True):
        guesses = []
        for index in range(9):
            training = np.arange(9) != index
            slope, intercept = np.polyfit(x[training], y[training], 1)
            guesses.append(intercept + slope * x[index])
        assert row.error == pytest.approx(np.sqrt(np.mean((y - guesses) ** 2)))
        expected = 1 - np.sum((y - guesses) ** 2) / np.sum((y - means) ** 2)
        assert row.explained == pytest.approx(expected)


def test_ridge_regression_by_hand():
    texts, values = inputs(10, seed=3)
    study = study_of(collection(texts, values + np.random.default_rng(3).normal(size=(10, 1))))
    names, x, y = design_of(study)
    size = len(names)
    for index, topic in enumerate(study.topics):
        training = np.arange(10) != index
        center, spread = x[training].mean(axis=0), x[training].std(axis=0)
        # A feature that is constant without this topic predicts nothing.
        spread = np.where(spread > 1e-9, spread, np.inf)
        z, new = (x[training] - center) / spread, (x[index] - center) / spread
        target = y[training] - y[training].mean()
        best = (np.inf, 0.0)
        for penalty in 9 * 10.0 ** np.arange(-4, 4.25, 0.25):
            hat = z @ np.linalg.solve(z.T @ z + penalty * np.eye(size), z.T)
            error = np.sum((target - hat @ target) ** 2) / (9 - 1 - np.trace(hat)) ** 2
            guess = new @ np.linalg.solve(z.T @ z + penalty * np.eye(size), z.T @ target)
            best = min(best, (error, guess + y[training].mean()))
        assert topic.predicted == pytest.approx(best[1])


def test_missing_systems_do_not_make_a_topic_hard():
    texts, values = inputs()
    values = values + np.arange(6) * 2
    values[:6, 5] = np.nan
    study = study_of(collection(texts, values))
    expected = two_way_anova(values).second.means
    for topic in study.topics:
        number = int(topic.topic[1:])
        assert topic.score == pytest.approx(expected[number])
        assert topic.n == (5 if number < 6 else 6)
    values[:6, 3:] = np.nan
    values[6:, :3] = np.nan
    apart = study_of(collection(texts, values))
    assert apart.left_out[0].endswith("share no topics, so that topics have plain means")
    assert apart.topics[0].score == pytest.approx(min(np.nanmean(values, axis=1)))


def test_order_changes_nothing():
    texts, values = inputs()
    first, again = study_of(collection(texts, values)), study_of(collection(texts, values[:, ::-1]))
    assert [topic.topic for topic in first.topics] == [topic.topic for topic in again.topics]
    for row, shuffled in zip(first.predictions, again.predictions, strict=True):
        assert shuffled.error == pytest.approx(row.error)


def test_only_machines():
    with pytest.raises(InputError, match="responsiveness has no machines"):
        study_of(load_demo(), measures="responsiveness", peers="machines")


def test_bad_input():
    texts, values = inputs()
    with pytest.raises(InputError, match="m: 3 topics have scores and documents; at least four"):
        study_of(collection(texts[:3], values))
    with pytest.raises(InputError, match="coefficient is 'tau'"):
        study_of(collection(texts, values), coefficients="tau")
    with pytest.raises(InputError, match="no coefficient was given"):
        study_of(collection(texts, values), coefficients=())
    with pytest.raises(InputError, match="there are no documents in it"):
        study_of(collection([[]] * 4))
    left_out = study_of(collection(texts[:-1], values)).left_out
    assert "m: 1 topics without documents, such as T11" in left_out
    constant = study_of(collection(texts, np.ones((12, 2))))
    assert constant.correlations[2].undefined == "all values of the score are equal"
    assert math.isnan(constant.predictions[0].explained)


def test_features_of_the_demo_depend_on_the_task():
    first, later = difficulty(load_demo(), measures="responsiveness", n_resamples=99)
    assert (first.task, later.task) == ("A", "B")
    features = [{topic.topic: topic.features for topic in study.topics} for study in (first, later)]
    assert set(features[0]) == set(features[1]) == {topic.id for topic in load_demo().topics}
    assert all(row["documents"] == 4 for row in features[0].values())
    assert features[0]["P01"] != features[1]["P01"]


def test_opinions():
    """On SummEval-OP's 32 products nothing about the input tells how relevant summaries are."""
    source = shared_collection("data/summeval_op.jsonl.gz")
    study = study_of(source, measures="relevance")
    assert len(study.topics) == 32
    assert {topic.features["documents"] for topic in study.topics} == {8.0}
    assert all(row.p_adjusted > 0.05 for row in study.correlations if not row.undefined)
    assert study.predictions[-1].explained < 0
