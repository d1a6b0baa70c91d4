"""BLEU, VERT-F, n-gram graphs, LSA and central words against plain-Python twins."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.scored import WORDS, score, scores
from pyramidion.demo import load_demo
from pyramidion.metrics import ScoringBatch, parse_metric, parse_metrics, score_collection

prose = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
references = st.lists(prose, min_size=1, max_size=4)


def grams(text, n):
    words = text.split()
    return Counter(tuple(words[k : k + n]) for k in range(len(words) - n + 1))


def plain_bleu(summary, others, longest, smooth):
    own = len(summary.split())
    if not own:
        return 0.0
    nearest = min((abs(len(o.split()) - own), len(o.split())) for o in others)[1]
    logs = []
    for n in range(1, longest + 1):
        counts = grams(summary, n)
        most = Counter()
        for other in others:
            most |= grams(other, n)
        matches, total = (counts & most).total(), counts.total()
        if smooth and n > 1:
            matches, total = matches + 1, total + 1
        if not matches:
            return 0.0
        logs.append(math.log(matches / total))
    return math.exp(sum(logs) / longest + min(0, 1 - nearest / own))


@given(prose, references, st.integers(1, 4), st.booleans())
def test_bleu_equals_its_definition(summary, others, n, smooth):
    typed = f"bleu(n={n}{'' if smooth else ',smooth=off'})"
    expected = plain_bleu(summary, others, n, smooth)
    assert score(typed, summary, others) == pytest.approx(expected, abs=1e-12)


def test_bleu_of_a_whole_set_follows_from_sums():
    peers, models = ["kab lom rix tev", "zun kab"], [["kab lom rix tev"], ["zun lom"]]
    metric = parse_metric("bleu(n=1)")
    rows = metric.statistics(ScoringBatch.of_texts(peers, models))
    # 5 of 6 words match, and the lengths are equal.
    assert metric.score(rows.sum(axis=0)) == pytest.approx(5 / 6)


def plain_chi(a, b):
    """One minus chi-square of the table of two texts' bigrams over its total."""
    size_a, size_b = a.total(), b.total()
    if not size_a or not size_b:
        return 0.0
    total = size_a + size_b
    chi = 0.0
    for gram in set(a) | set(b):
        column = a[gram] + b[gram]
        for count, size in ((a[gram], size_a), (b[gram], size_b)):
            expected = column * size / total
            chi += (count - expected) ** 2 / expected
    return 1 - chi / total


@given(prose, references)
def test_vert_equals_its_definition(summary, others):
    own = grams(summary, 2)
    parts = []
    for other in others:
        theirs = grams(other, 2)
        hits = (own & theirs).total()
        precision = hits / own.total() if own else 0.0
        recall = hits / theirs.total() if theirs else 0.0
        parts.append([plain_chi(own, theirs), precision, recall, math.sqrt(precision * recall)])
    means = np.mean(parts, axis=0)
    for name, mean in zip(("chi", "precision", "recall", "f"), means, strict=True):
        assert score(f"vert-f(part={name})", summary, others) == pytest.approx(mean, abs=1e-9)
    assert score("vert-f", summary, others) == pytest.approx(means.mean(), abs=1e-9)


def plain_graph(text, n, window):
    clean = " ".join(text.split())
    nodes = [clean[k : k + n] for k in range(len(clean) - n + 1)]
    edges = Counter()
    for first in range(len(nodes)):
        for second in range(first + 1, min(first + window + 1, len(nodes))):
            edges[tuple(sorted((nodes[first], nodes[second])))] += 1
    return edges


def plain_similarity(one, other):
    size = max(len(one), len(other))
    shared = set(one) & set(other)
    total = sum(min(one[e], other[e]) / max(one[e], other[e]) for e in shared)
    return total / size if size else math.nan


@given(prose, references, st.integers(1, 4), st.integers(1, 4))
def test_autosummeng_equals_its_definition(summary, others, n, window):
    own = plain_graph(summary, n, window)
    values = [plain_similarity(own, plain_graph(other, n, window)) for other in others]
    observed = score(f"autosummeng(n={n},window={window})", summary, others)
    assert observed == pytest.approx(np.mean(values), abs=1e-12, nan_ok=True)


@given(prose, references)
def test_memog_equals_its_definition(summary, others):
    merged = Counter()
    for other in others:
        merged.update(plain_graph(other, 3, 3))
    means = {edge: weight / len(others) for edge, weight in merged.items()}
    expected = plain_similarity(plain_graph(summary, 3, 3), means)
    assert score("memog", summary, others) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("metric", ["autosummeng", "memog", "vert-f", "bleu"])
def test_identical_texts_give_1_and_disjoint_texts_0(metric):
    text = "Rain flooded the valley, and roads were closed for 3 days."
    assert score(metric, text, [text]) == pytest.approx(1)
    assert score(metric, "xyz vwxyz", ["kab lom rix tev"]) == pytest.approx(0, abs=0.05)
    if metric != "bleu":  # smoothing leaves BLEU a little
        assert score(metric, "xyz vwxyz", ["kab lom rix tev"]) == 0


def test_graphs_of_thousands_of_letters():
    """More pairs of letters than a table of all numbers may have."""
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 2200)))
    assert score("autosummeng", text, [text]) == pytest.approx(1)
    assert score("autosummeng", text, [text[::-1]]) == 0


def test_graphs_of_the_demo_have_not_moved():
    # Printed by these metrics when they were written; another number means other scores.
    observed = score_collection(load_demo(), parse_metrics("autosummeng,memog"))
    np.testing.assert_allclose(observed.values.mean(axis=0), DEMO_MEANS, rtol=1e-9)
    np.testing.assert_allclose(observed.values[0], DEMO_FIRST, rtol=1e-9)


DEMO_MEANS = (0.21018816613805688, 0.09283930296817772)
DEMO_FIRST = (0.2280462982835879, 0.09906006404973079)


def plain_topics(sentences):
    """Terms, and the left singular vectors times the singular values, by NumPy's own SVD."""
    terms = sorted({word for sentence in sentences for word in sentence.split()})
    table = np.array([[s.split().count(term) for s in sentences] for term in terms], dtype=float)
    left, values, _ = np.linalg.svd(table, full_matrices=False)
    return terms, left * values, values


def plain_significance(sentences):
    terms, topics, values = plain_topics(sentences)
    strong = values >= values[0] / 2 - 1e-12
    lengths = np.sqrt((topics[:, strong] ** 2).sum(axis=1))
    return dict(zip(terms, lengths / np.linalg.norm(lengths), strict=True))


def test_lsa_equals_singular_vectors():
    summary = ("kab lom lom", "rix kab", "tev")
    reference = ("lom kab", "zun rix rix", "kab tev tev")
    ours, theirs = plain_topics(summary), plain_topics(reference)
    main = [
        dict(zip(terms, np.abs(topics[:, 0]) / values[0], strict=True))
        for terms, topics, values in (ours, theirs)
    ]
    expected = sum(main[0][term] * main[1].get(term, 0) for term in main[0])
    assert score("lsa-main-topic", summary, [reference]) == pytest.approx(expected)
    weights = [plain_significance(text) for text in (summary, reference)]
    expected = sum(weights[0][term] * weights[1].get(term, 0) for term in weights[0])
    assert score("lsa-terms", summary, [reference]) == pytest.approx(expected)


def test_lsa_can_look_at_the_input():
    assert score("lsa-terms(against=input)", "kab lom", documents=["kab lom"]) == pytest.approx(1)
    assert np.isnan(score("lsa-terms", "...", ["kab lom"]))


def plain_closeness(sentences):
    words = sorted({word for sentence in sentences for word in sentence.split()})
    near = {word: set() for word in words}
    for sentence in sentences:
        for one, other in combinations(set(sentence.split()), 2):
            near[one].add(other)
            near[other].add(one)
    closeness = {}
    for word in words:
        distances, queue = {word: 0}, [word]
        for reached in queue:
            for following in near[reached]:
                if following not in distances:
                    distances[following] = distances[reached] + 1
                    queue.append(following)
        others = len(distances) - 1
        total = sum(distances.values())
        closeness[word] = others**2 / (total * (len(words) - 1)) if total else 0.0
    return closeness


@given(prose, st.lists(prose.filter(bool), min_size=1, max_size=5))
def test_central_words_equal_a_plain_search(summary, sentences):
    closeness = plain_closeness(sentences)
    total = sum(closeness.values())
    observed = score("central-words", summary, [tuple(sentences)])
    if not total:
        assert np.isnan(observed)
        return
    shared = sum(closeness.get(word, 0) for word in set(summary.split()))
    assert observed == pytest.approx(shared / total)


@pytest.mark.parametrize(
    "metric", ["bleu", "vert-f", "autosummeng", "memog", "lsa-terms", "central-words"]
)
def test_the_order_of_references_and_summaries_does_not_matter(metric):
    peers = ["kab lom rix", "tev zun", "lom lom kab tev"]
    models = ["kab rix lom", "zun tev kab", "lom"]
    straight = scores(metric, ScoringBatch.of_texts(peers, [models] * 3))
    turned = scores(metric, ScoringBatch.of_texts(peers[::-1], [models[::-1]] * 3))
    np.testing.assert_allclose(turned[::-1], straight, rtol=1e-12)
