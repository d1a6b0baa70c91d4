"""rouge-score's names and numbers; gold: rouge_score 0.1.2, see tests/gold/rouge_score."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyramidion.compat.rouge_scorer import BootstrapAggregator, RougeScorer, Score

GOLD = Path(__file__).parents[1] / "gold" / "rouge_score"


def gold(name: str) -> Any:
    return json.loads(gzip.decompress((GOLD / f"{name}.json.gz").read_bytes()))


@pytest.fixture(scope="module")
def items():
    return gold("items")["items"]


def expected(item: dict[str, Any], stemmed: str, how: str) -> dict[str, Score]:
    return {name: Score(*numbers) for name, numbers in item[stemmed][how].items()}


@pytest.mark.parametrize("stemmed", ["unstemmed", "stemmed"])
def test_scores_are_those_of_rouge_score_to_the_last_bit(items, stemmed):
    types = gold("items")["types"]
    scorer = RougeScorer(types, use_stemmer=stemmed == "stemmed")
    batch = scorer.score_batch(
        [item["references"] for item in items], [item["prediction"] for item in items], threads=2
    )
    for item, scored in zip(items, batch, strict=True):
        references, prediction = item["references"], item["prediction"]
        assert scorer.score(references[0], prediction) == expected(item, stemmed, "single")
        assert scorer.score_multi(references, prediction) == expected(item, stemmed, "multi")
        assert scored == expected(item, stemmed, "multi")


@pytest.mark.parametrize("run", gold("aggregates"), ids=lambda run: f"seed {run['seed']}")
def test_bootstrap_averages_are_those_of_rouge_score(items, run, monkeypatch):
    scorer = RougeScorer(run["types"], use_stemmer=run["stemmed"])
    aggregator = BootstrapAggregator(run["confidence_interval"], run["n_samples"])
    for item in items[: run["items"]]:
        targets = item["references"] if run["how"] == "multi" else item["references"][:1]
        aggregator.add_scores(scorer.score_multi(targets, item["prediction"]))
    monkeypatch.setattr(np.random, "randint", np.random.RandomState(run["seed"]).randint)
    aggregated = aggregator.aggregate()
    for name, bounds in run["result"].items():
        for end, numbers in bounds.items():
            assert getattr(aggregated[name], end) == pytest.approx(Score(*numbers), abs=1e-12)


class Letters:
    """A tokenizer of single characters, numbered: tokens need not be text."""

    def tokenize(self, text: str) -> list[int]:
        return [ord(letter) for letter in text]


def test_a_tokenizer_of_ones_own_sees_the_text_as_it_is():
    scorer = RougeScorer(["rouge1", "rougeLsum"], use_stemmer=True, tokenizer=Letters())
    # By hand: of "Ab" and "A\nb" the A and the b are shared, the line feed is a token.
    assert scorer.score("Ab", "A\nb")["rouge1"] == Score(2 / 3, 1.0, 0.8)
    # Lines end where the tokenizer does not see them.
    assert scorer.score("Ab", "A\nb")["rougeLsum"] == Score(1.0, 1.0, 1.0)


def test_sentences_are_found_if_asked_for():
    reference, prediction = "Rain fell. Roads were closed.", "Roads were closed. Rain fell."
    by_line = RougeScorer(["rougeL", "rougeLsum"]).score(reference, prediction)
    assert by_line["rougeLsum"] == by_line["rougeL"] == Score(0.6, 0.6, 0.6)
    for split in (True, lambda text: text.split(". ")):
        scorer = RougeScorer(["rougeL", "rougeLsum"], split_summaries=split)
        scores = scorer.score(reference, prediction)
        assert (scores["rougeL"].recall, scores["rougeLsum"].recall) == (0.6, 1.0)


def test_letters_beyond_ascii_are_lowered_first():
    # U+212A is the Kelvin sign, which lower-cases to k; a dotted capital I gives an i and a mark.
    scorer = RougeScorer(["rouge1"])
    assert scorer.score("k i stanbul", "\u212a \u0130stanbul")["rouge1"].fmeasure == 1.0
    assert scorer.score(b"Rain fell", b"rain")["rouge1"] == Score(1.0, 0.5, 2 / 3)


@pytest.mark.parametrize("name", ["rouge0", "rouge10", "rougex", "rouge", "ROUGE1"])
def test_unknown_types_are_refused_when_scoring(name):
    scorer = RougeScorer([name])
    with pytest.raises(ValueError, match=f"Invalid rouge type: {name}"):
        scorer.score("a", "b")


def test_what_does_not_fit_is_refused():
    scorer = RougeScorer(["rouge1"])
    with pytest.raises(ValueError, match="no target"):
        scorer.score_multi([], "rain")
    with pytest.raises(
        ValueError, match=r"the numbers differ: references \(1\) and predictions \(2\)"
    ):
        scorer.score_batch(["rain"], ["rain", "snow"])
    with pytest.raises(ValueError, match="predictions is a single text"):
        scorer.score_batch(["rain"] * 4, "snow")
    assert scorer.score_batch([], []) == []
    for arguments in ((1.5, 10), (0.95, 0)):
        with pytest.raises(ValueError, match="must be"):
            BootstrapAggregator(*arguments)


@pytest.mark.parametrize(
    ("targets", "predictions", "message"),
    [
        (["rain", "snow"], ["rain", None], "prediction 1 .* is None, not a text"),
        (["rain", float("nan")], ["rain", "snow"], "reference 1 .* is nan, not a text"),
        (["rain", ["snow", None]], ["rain", "snow"], "reference 1 .* is None, not a text"),
    ],
)
def test_a_missing_text_is_named(targets, predictions, message):
    with pytest.raises(TypeError, match=message):
        RougeScorer(["rouge1"]).score_batch(targets, predictions)


def test_any_text_scores_as_rouge_score_does():
    peer = pytest.importorskip("rouge_score.rouge_scorer", reason="needs rouge-score")
    from hypothesis import given
    from hypothesis import strategies as st

    texts = st.text(st.sampled_from("ab s\n.,éÉ\u212a\u0130日ying1\r\t"), max_size=40)
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]

    @given(st.lists(texts, min_size=1, max_size=3), texts, st.booleans())
    def check(targets: list[str], prediction: str, stem: bool) -> None:
        scorer, other = RougeScorer(types, stem), peer.RougeScorer(types, stem)
        assert scorer.score_multi(targets, prediction) == other.score_multi(targets, prediction)

    check()


def test_the_aggregators_numbers_are_rouge_scores():
    """Defaults and bounds of rouge_score 0.1.2: 0.95 and 1,000; from 0 to 1, and at least 1."""

    def bounds(*options: Any) -> Any:
        aggregator = BootstrapAggregator(*options, seed=3)
        for f in np.sqrt([0.01, 0.1, 0.15, 0.2, 0.3, 0.47, 0.7, 0.9]):
            aggregator.add_scores({"rouge1": Score(f, f, f)})
        return aggregator.aggregate()["rouge1"]

    assert bounds() == bounds(0.95, 1000) != bounds(0.95, 1001)
    none = bounds(0)
    assert none.low == none.mid == none.high
    means = bounds(1)
    assert means.low.fmeasure < bounds(0.95).low.fmeasure < means.mid.fmeasure
    single = bounds(0.95, 1)
    assert single.low == single.high
    for wrong in ((-0.01,), (1.01,), (0.95, 0)):
        with pytest.raises(ValueError, match="must be"):
            bounds(*wrong)
