"""Gold: evaluate 0.4.6 and torchmetrics 1.9.0, see tests/gold/rouge_score."""

import numpy as np
import pytest

from compat.test_rouge_scorer import gold
from pyramidion.compat import evaluate_rouge
from pyramidion.compat.torchmetrics_rouge import ROUGEScore, rouge_score

ITEMS = gold("items")["items"]


def texts(size):
    chosen = ITEMS[:size]
    return [item["prediction"] for item in chosen], [item["references"] for item in chosen]


@pytest.mark.parametrize("run", gold("evaluate")["runs"], ids=lambda run: f"seed {run['seed']}")
def test_evaluate(run):
    predictions, references = texts(run["items"])
    if run["references"] == "first":
        references = [targets[0] for targets in references]
    scores = evaluate_rouge.compute(
        predictions=predictions,
        references=references,
        use_stemmer=run["use_stemmer"],
        use_aggregator=run["use_aggregator"],
        seed=run["seed"],
    )
    assert list(scores) == list(run["result"])
    for name, expected in run["result"].items():
        assert scores[name] == pytest.approx(expected, abs=1e-12)


def test_evaluate_with_a_tokenizer_and_types(monkeypatch):
    generator = np.random.RandomState(3)
    monkeypatch.setattr(np.random, "randint", generator.randint)
    options = {"predictions": ["a-b c"], "references": ["a-b d"], "rouge_types": ["rouge1"]}
    assert evaluate_rouge.compute(**options, tokenizer=str.split, seed=None) == {"rouge1": 0.5}
    with pytest.raises(
        ValueError, match=r"the numbers differ: references \(2\) and predictions \(1\)"
    ):
        evaluate_rouge.compute(predictions=["a"], references=["a", "b"])
    with pytest.raises(ValueError, match="there are no predictions to score"):
        evaluate_rouge.compute(predictions=[], references=[])


@pytest.mark.parametrize(
    "run", gold("torchmetrics")["runs"], ids=lambda r: f"{r['items']} {r['accumulate']}"
)
def test_torchmetrics(run):
    predictions, references = texts(run["items"])
    options = {"use_stemmer": run["use_stemmer"], "accumulate": run["accumulate"]}
    scores = rouge_score(
        predictions, references, **options, sentences=lambda text: text.split("\n")
    )
    assert set(scores) == set(run["result"])
    # They compute in float32.
    assert scores == pytest.approx(run["result"], abs=2e-7)


def test_torchmetrics_functions_of_ones_own_and_batches():
    # By hand: the normalizer keeps the hyphen, the tokenizer splits at it, long words are stemmed.
    metric = ROUGEScore(True, str.upper, lambda text: text.split("-"), rouge_keys="rouge1")
    assert metric("Running-no-", "RUNS-NO")["rouge1_fmeasure"] == 1.0
    assert metric(["x", "y"], ["x", "z"])["rouge1_recall"] == 0.5
    assert metric.compute()["rouge1_precision"] == pytest.approx(2 / 3)
    metric.reset()
    assert metric.compute() == dict.fromkeys(
        ("rouge1_fmeasure", "rouge1_precision", "rouge1_recall"), 0.0
    )
    with pytest.raises(ValueError, match="accumulate is 'worst'"):
        ROUGEScore(accumulate="worst")


def test_a_normalizer_or_a_tokenizer_alone():
    """A tokenizer gets lower-case words; a normalizer keeps the default split at blanks."""
    letters = rouge_score("AB", "ab", tokenizer=list, rouge_keys="rouge1")
    assert letters["rouge1_precision"] == 1
    assert rouge_score("ab cd", "ab dc", tokenizer=list, rouge_keys="rouge1")["rouge1_recall"] == 1
    shouted = rouge_score("Ab", "aB", normalizer=str.upper, rouge_keys="rouge1")
    assert shouted["rouge1_fmeasure"] == 1
    hyphenated = rouge_score("a-b", "a b", normalizer=str, rouge_keys="rouge1")
    assert hyphenated["rouge1_fmeasure"] == 0


@pytest.mark.parametrize(
    ("text", "target", "f"), [("cats", "cat", 1.0), ("its", "it", 0.0), ("The", "the", 0.0)]
)
def test_words_of_four_letters_are_stemmed_and_shorter_ones_not(text, target, f):
    """As in torchmetrics, whose `_normalize_and_tokenize_text` asks for more than three letters."""
    functions = {"normalizer": str, "tokenizer": str.split}
    scores = rouge_score(text, target, use_stemmer=True, rouge_keys="rouge1", **functions)
    assert scores["rouge1_fmeasure"] == f
