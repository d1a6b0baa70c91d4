"""How much of a summary is copied, new or repeated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.metrics import ScoringBatch, parse_metric

WORDS = st.lists(st.sampled_from("abcd"), max_size=12).map(" ".join)


def scores(name, cases):
    metric = parse_metric(name)
    return metric.score(metric.statistics(cases))


def fragments(summary, article):
    """Find fragments as Figure 3 of Grusky et al. (2018) does."""
    found, i = [], 0
    while i < len(summary):
        longest, j = [], 0
        while j < len(article):
            if summary[i] != article[j]:
                j += 1
                continue
            length = 0
            while (
                i + length < len(summary)
                and j + length < len(article)
                and summary[i + length] == article[j + length]
            ):
                length += 1
            longest = max(longest, summary[i : i + length], key=len)
            j += length
        i += max(len(longest), 1)
        found += [len(longest)] if longest else []
    return found


@given(summary=WORDS.filter(bool), article=WORDS.filter(bool))
def test_fragments_are_those_of_the_paper(summary, article):
    cases = ScoringBatch.of_texts([summary], documents=[[article]])
    words = summary.split()
    lengths = fragments(words, article.split())
    assert scores("extractive-coverage", cases) == pytest.approx(sum(lengths) / len(words))
    density = sum(length**2 for length in lengths) / len(words)
    assert scores("extractive-density", cases) == pytest.approx(density)


def test_no_fragment_reaches_into_the_next_document():
    cases = ScoringBatch.of_texts(["a b c d"] * 2, documents=[["a b", "c d"], ["a b c d"]])
    assert scores("extractive-density", cases).tolist() == [2, 4]
    assert scores("copied-2", cases).tolist() == [2 / 3, 1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("length", [5, 0, 1]),
        ("compression", [1.2, np.nan, np.nan]),
        ("copied-1", [0.8, np.nan, np.nan]),
        ("copied-3", [1 / 3, np.nan, np.nan]),
        ("novelty-3", [2 / 3, np.nan, np.nan]),
        ("repetition-1", [0.2, np.nan, 0]),
        ("repetition-2", [0, np.nan, np.nan]),
        ("extractive-coverage", [0.8, np.nan, np.nan]),
        ("extractive-density", [2, np.nan, np.nan]),
    ],
)
def test_shares_counted_by_hand(name, expected):
    """Empty texts and inputs without words have no score."""
    documents = [["a b c b", "x y"], ["a"], ["", "!"]]
    cases = ScoringBatch.of_texts(["a b c z a", "", "b"], documents=documents)
    np.testing.assert_array_equal(scores(name, cases), expected)


def test_folds_of_other_references_change_nothing():
    """What was found for whole sets of references is kept; folds have sets of other numbers."""
    documents = [["a b c"], ["d"], ["a b c"]]
    references = [["a", "b"], ["c"], ["d", "a"]]
    cases = ScoringBatch.of_texts(["a b", "b c", "c a"], references, documents=documents)
    whole = scores("extractive-density", cases)
    folds = cases.jackknifed(np.ones(3, dtype=bool))
    np.testing.assert_array_equal(scores("extractive-density", folds), whole[folds.owners])
