"""The report: people first, what a metric would have told, and no matplotlib."""

import re
import sys
from html import unescape

import numpy as np
import pytest

from pyramidion import ScoreMatrix, Scores
from pyramidion.comparison import report
from pyramidion.demo import load_evaluation

TOPICS, SYSTEMS = [f"T{n}" for n in range(16)], ["Ash", "Box", "Elm", "Fir"]


def scores(metric_means):
    """Judge Ash the best; metrics see what they are given."""
    rng = np.random.default_rng(0)
    means = {"a-metric": metric_means, "b-metric": [2, 4, 3, 1], "overall": [4, 3, 2, 1.0]}
    matrices = (
        ScoreMatrix(values + 0.1 * rng.normal(size=(16, 4)), TOPICS, SYSTEMS, measure=name)
        for name, values in ((name, np.array(values)) for name, values in means.items())
    )
    return Scores.concatenate(matrix.to_scores() for matrix in matrices)


def headline(page):
    text = re.search(r"<div class=conclusion>.*?<nav>", page, re.DOTALL)[0]
    return unescape(re.sub(r"<[^>]+>", "\n", text))


def test_people_lead_and_the_best_metric_follows():
    page = report(scores([4, 2, 3, 1.0]), human="overall").to_html()
    text = headline(page)
    assert text.index("overall") < text.index("Would a metric") < text.index("a-metric ↑")
    # a-metric swaps Box and Elm: one of six pairs is reversed, so tau is (5 - 1) / 6.
    assert "a-metric ranks systems most like people do (Kendall's tau 0.67)." in text
    assert "It puts Ash first, as people do." in text
    expected = "It finds 5 of people's 6 significant pairs, 1 the other way around, and 0 that"
    assert expected in text
    titles = re.findall(
        r"<(section|details class=part) id=\"s\d+\">(?:<summary>)?<h2>([^<]*)", page
    )
    folded = {title: tag != "section" for tag, title in titles}
    assert not folded["overall ↑"]
    assert folded["a-metric ↑"]
    assert not folded["Metrics against overall"]


def test_a_metric_may_find_another_winner_and_pairs_that_people_do_not():
    rng = np.random.default_rng(1)
    alike = rng.normal(3, 1, 16)
    people = np.column_stack([alike, alike + rng.permutation([*[0.5] * 8, *[-0.4] * 8])])
    metric = np.array([4, 3]) + 0.1 * rng.normal(size=(16, 2))
    table = Scores.concatenate(
        ScoreMatrix(values, TOPICS, ["A", "B"], measure=name).to_scores()
        for name, values in (("overall", people), ("m", metric))
    )
    text = headline(report(table, human="overall", metrics="m").to_html())
    assert "It puts A first, and people B." in text
    assert "People find no significant pair, and it finds 1." in text


def test_known_human_measures_lead_without_being_named():
    text = headline(report(load_evaluation(), measures="responsiveness@minerva,readability",
                           tasks="A").to_html())  # fmt: skip
    assert text.index("readability") < text.index("responsiveness@minerva")


def test_the_page_of_the_demo_needs_no_matplotlib(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError):
        import matplotlib.style  # noqa: F401
    page = report(load_evaluation(), measures="readability,responsiveness@minerva", tasks="A",
                  human="responsiveness", assessors=True).to_html()  # fmt: skip
    assert page.count("<figure>") > 10
    assert "Before you believe this" in page
    assert "truncated texts" in page


def test_few_rankings_are_not_counted():
    values = np.array([[4.0, 3, 2, 1]] * 16) + 0.1 * np.random.default_rng(0).normal(size=(16, 4))
    matrices = (ScoreMatrix(values, TOPICS, SYSTEMS, measure=name) for name in ("a", "b", "c"))
    scored = [matrix.to_scores() for matrix in matrices]
    counted = "Ash ranks first in all"
    assert counted not in headline(report(Scores.concatenate(scored[:2])).to_html())
    assert f"{counted} 3 comparisons" in headline(report(Scores.concatenate(scored)).to_html())
