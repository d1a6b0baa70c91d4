"""Means and intervals, and counts from which they can be computed again."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from pyramidion import Rouge
from pyramidion.cli.runtime import run
from pyramidion.errors import InputError
from pyramidion.rouge import Mean
from pyramidion.rouge.counting import Pairs
from pyramidion.rouge.items import Items
from pyramidion.rouge.results import count_pairs, perl_means, sample_means
from rendering.figures.reading import texts


def sample_mean(values, **options):
    return sample_means(values[:, None], **options)[0]


def perl_mean(values, **options):
    return perl_means(values[:, None], **options)[0]


shares = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)


@given(shares)
def test_the_interval_holds_the_mean_and_stays_within_the_values(values):
    for mean in (sample_mean(values, n_resamples=200), perl_mean(values, n_resamples=200)):
        if np.isnan(mean.low):
            assert values.min() == values.max()
            assert np.isnan(mean.high)
        else:
            assert mean.low <= mean.high
            assert values.min() - 1e-9 <= mean.low
            assert mean.high <= values.max() + 1e-9
        assert mean.n == len(values)
    assert sample_mean(values, n_resamples=50).mean == values.mean()


@given(shares)
def test_measures_are_resampled_together(values):
    both = np.stack([values, 1 - values], axis=1)
    for average in (sample_means, perl_means):
        first, other = average(both, n_resamples=100)
        assert repr(first) == repr(average(values[:, None], n_resamples=100)[0])
        assert first.mean + other.mean == pytest.approx(1)
        if average is sample_means and values.min() < values.max():
            assert first.low + other.high == pytest.approx(1)


def test_one_value_has_an_interval_only_in_the_script():
    assert perl_mean(np.array([0.25])) == Mean(0.25, 0.25, 0.25, 1)
    for values in ([0.25], [0.25, 0.25]):
        mean = sample_mean(np.array(values))
        assert mean.mean == 0.25
        assert np.isnan([mean.low, mean.high]).all()


def test_wider_confidence_gives_a_wider_interval():
    values = np.linspace(0, 1, 50) ** 2
    narrow, wide = sample_mean(values, confidence_level=0.5), sample_mean(values)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_the_bootstrap_is_near_the_normal_interval():
    values = np.random.default_rng(5).beta(2, 5, 2_000)
    mean = sample_mean(values)
    half = 1.959964 * values.std() / math.sqrt(len(values))
    assert mean.low == pytest.approx(values.mean() - half, abs=half / 20)
    assert mean.high == pytest.approx(values.mean() + half, abs=half / 20)


def test_many_values_take_the_normal_interval():
    values = np.random.default_rng(5).beta(2, 5, 10_001)
    mean = sample_mean(values, rng=1)
    assert mean == sample_mean(values, rng=2)
    assert (mean.high - mean.low) / 2 == pytest.approx(1.959964 * values.std() / 10_001**0.5)


@pytest.mark.parametrize("average", [sample_mean, perl_mean])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence_level": 95}, "`confidence_level` is 95; give a number between 0 and 1"),
        ({"confidence_level": 0}, "`confidence_level` is 0"),
        ({"confidence_level": math.nan}, "`confidence_level` is nan"),
        ({"n_resamples": 0}, "`n_resamples` is 0; give a whole number of 1 or more"),
    ],
)
def test_parameters_of_a_mean(average, options, message):
    assert refusal(InputError, average, np.array([0.5]), **options).startswith(message)


def test_percentages_are_taken_as_they_are_typed(tmp_path, capsys):
    """100 * 0.55 is more than 55 in floating point, which would move an end of the interval."""
    references = [["a " * (row % 13 + 1) + "b " * (row % 17)] for row in range(100)]
    rows = enumerate(references, start=1)
    items = [{"topic": str(n), "system": "7", "peer": "a " * 100, "references": t} for n, t in rows]
    stream = tmp_path / "a.jsonl"
    stream.write_text("".join(json.dumps(item) + "\n" for item in items))
    assert run(["rouge", "-n1", "-x", "-a", "-c", "55", str(stream)]) == 0
    scores = Rouge(n=1, l=False, exact=True).score(["a " * 100] * 100, references)
    mean = scores.mean("rouge-1-r", confidence_level=0.55)
    interval = f"{mean.mean:.5f} (55%-conf.int. {mean.low:.5f} - {mean.high:.5f})"
    assert f"7 ROUGE-1 Average_R: {interval}\n" in capsys.readouterr().out


def test_means_of_three_values():
    values = np.array([[0.25], [0.5], [0.75]])
    assert round(perl_means(values)[0].mean, 5) == 0.49983
    assert sample_means(values)[0].mean == 0.5


def test_statistics_are_sufficient():
    """Leaving a reference out, and other groupings, need no text again."""
    references = ["rain fell", "roads closed today", "rain closed roads"]
    items = Items()
    items.add("rain closed the road", references, "T1")
    rouge = Rouge(w=1.2, su=4, stem=True)
    counts = count_pairs(rouge, items)
    for left_out in range(3):
        rows = np.array([row for row in range(3) if row != left_out])
        pairs = counts.pairs
        fold = Pairs(pairs.peers[rows], pairs.models[rows], np.zeros(2, np.int64))
        remaining = [text for row, text in enumerate(references) if row != left_out]
        direct = rouge.score(["rain closed the road"], [remaining]).statistics
        for measure, mean in counts.of_items(fold, rows).items():
            for ours, theirs in zip(mean.parts, direct[measure].parts, strict=True):
                assert ours.tolist() == theirs.tolist()


def test_texts_are_kept_once():
    items = Items()
    for system in range(5):
        items.add(f"text {system}", ["one", "two", ("one",)], f"T1/{system}")
    items.add("text 0", ["text 0"], "T2/0")
    assert len(items.texts) == 5 + 3 + 1
    assert len(items) == 6
    assert len(items.pairs().items) == 16


def test_scores_can_be_held(tmp_path):
    scores = Rouge(n=1, l=False).score(["a b", "c d"], ["a b", "c e"])
    assert str(scores).splitlines()[0] == "Means with 95% intervals"
    assert repr(scores) == "<RougeScores of 2 items: rouge-1-f 0.7500>"
    assert scores.means() == {name: scores.mean(name) for name in scores.rouge.measures}
    assert scores.to_frame()["rouge-1-f"].tolist() == [1.0, 0.5]
    assert scores.to_frame("means", library="polars")["mean"].to_list() == [0.75] * 3
    assert scores.to_dict()["results"][0]["mean"] == 0.75
    assert scores.to_csv().startswith("measure,mean,low,high,n\n")
    assert "toprule" in scores.to_latex()
    assert "<table" in scores.to_html()
    assert "<table" in scores._repr_html_()
    assert str(scores.signature).startswith("rouge-1|tok:rouge|")
    assert scores.left_out == ()
    assert "mean" in texts(scores.plot())


def test_one_summary_needs_no_list():
    scores = Rouge(n=1, l=False).score("a b", ["a c", "a b"])
    assert scores.as_dict() == {0: {"rouge-1-r": 0.75, "rouge-1-p": 0.75, "rouge-1-f": 0.75}}
    assert scores.to_frame("means")["low"].isna().all()
