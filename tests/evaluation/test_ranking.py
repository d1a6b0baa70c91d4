"""How systems are ranked: which way a measure gets better, and what missing scores do."""

import json

import numpy as np
import pytest

from pyramidion.collection import Collection, Measure, ScoreMatrix
from pyramidion.errors import NotFoundError
from pyramidion.evaluation import compare, report_page
from pyramidion.evaluation._compare.charts import pair_arrays

RNG = np.random.default_rng(5)
#: Three systems on 12 topics: the values of x are lowest, those of z highest, by far.
FAR = RNG.normal(size=(12, 3)) * 0.01 + np.array([0.1, 0.3, 0.5])
TOPICS = [f"T{i}" for i in range(12)]


def matrix_of(measure, **others):
    return ScoreMatrix(FAR, TOPICS, list("xyz"), measure=measure, **others)


def collection_of(measure, **others):
    return Collection("year", scores=matrix_of(measure).to_scores(), **others)


@pytest.mark.parametrize(
    ("result", "order"),
    [
        (compare(matrix_of("rouge-2-r")), "zyx"),
        (compare(matrix_of("js-input")), "xyz"),
        (compare(matrix_of("js-input(stem)").to_scores()), "xyz"),
        (compare(matrix_of("mine")), "zyx"),
        (compare(matrix_of("mine"), lower_is_better="mine"), "xyz"),
        (compare(matrix_of("mine").to_scores(), lower_is_better="mine"), "xyz"),
        (compare(matrix_of("mine", lower_is_better=True)), "xyz"),
        (compare(collection_of("mine", measures={"mine": Measure(True)})), "xyz"),
        (compare(collection_of("js-input", measures={"js-input": Measure()})), "zyx"),
    ],
)
def test_the_best_system_is_first_whichever_way_the_measure_goes(result, order):
    assert [(s.system, s.rank, s.group) for s in result.systems] == [
        (name, place, letter)
        for place, (name, letter) in enumerate(zip(order, "abc", strict=True), 1)
    ]
    assert [(c.a, c.b) for c in result.comparisons] == [
        (order[a], order[b]) for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    better = "lower" if order == "xyz" else "higher"
    # The difference stays that of the values; which one is better is another question.
    assert all((c.difference < 0) == (better == "lower") for c in result.comparisons)
    told = json.loads(result.to_json())["results"][0]["direction"]
    assert told == result.only.direction == better
    arrow = "↓" if better == "lower" else "↑"
    assert f" {arrow}: permutation" in str(result)
    assert f" {arrow}: permutation" in result.to_latex()
    assert set(result.to_frame("ranking")["better"]) == {better}
    assert pair_arrays(result.only).outcome[0].tolist() == [0, 1, 1]


def test_pictures_follow_the_direction():
    result = compare(matrix_of("js-input"))
    scores = result.plot("scores").axes[0]
    assert [label.get_text() for label in scores.get_xticklabels()] == list("xyz")
    easiest = np.argsort(FAR.mean(axis=1))
    shown = [label.get_text() for label in scores.get_yticklabels()]
    assert shown == [TOPICS[i] for i in easiest]
    wins = result.plot("wins")
    assert "significantly better" in [text.get_text() for text in wins.legends[0].get_texts()]
    assert all("js-input ↓" in result.plot(kind).texts[0].get_text() for kind in result.chart_kinds)


def test_the_page_ranks_the_best_first():
    html = report_page(collection_of("js-input"), lower_is_better=()).to_html()
    assert "Ranking by js-input ↓" in html
    ranking = html.split("Ranking by js-input ↓")[1]
    assert ranking.index("<td>x</td>") < ranking.index("<td>z</td>")


def test_a_direction_is_signed():
    assert "lower:js-input" in str(compare(matrix_of("js-input")).signature)
    assert "lower" not in str(compare(matrix_of("rouge-2-r")).signature)


@pytest.mark.parametrize("source", [matrix_of("mine"), matrix_of("mine").to_scores()])
def test_an_unknown_measure_of_which_lower_is_better_is_refused(source):
    with pytest.raises(NotFoundError, match="there is no measure 'other'"):
        compare(source, lower_is_better="other")
