"""The figure of a search for subsets of features."""

import csv
from statistics import median

import pytest

from classy.tac_years import OTHERS, tac_years
from pyramidion.classy import train
from pyramidion.rendering.charts.style import render

TARGETS = ["pyramid-modified", "responsiveness"]


@pytest.fixture(scope="module")
def searches(tmp_path_factory):
    """Return the figure, and the scores of all subsets by target, method and size."""
    path = tmp_path_factory.mktemp("search") / "search.csv"
    training = train(
        list(tac_years(2)), version=("8", "25"), task="A", peers="all", without_features=OTHERS,
        search_table=path,
    )  # fmt: skip
    scores: dict = {target: {} for target in TARGETS}
    with path.open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if row["value"]:
                by_size = scores[row["target"]].setdefault(row["method"], {})
                by_size.setdefault(int(row["size"]), []).append(float(row["value"]))
    return training.plot("search"), scores


def test_curves_are_the_best_and_the_median_of_each_size(searches):
    figure, scores = searches
    for target, axes in zip(TARGETS, figure.axes, strict=True):
        assert len(axes.lines) == 2 * len(scores[target]) + 1
        expected = [
            {size: statistic(values) for size, values in by_size.items()}
            for by_size in scores[target].values()
            for statistic in (max, median)
        ]
        curves = [dict(zip(*line.get_data(), strict=True)) for line in axes.lines[:-1]]
        assert curves == [pytest.approx(curve) for curve in expected]


def test_the_winner_is_marked(searches):
    figure, scores = searches
    for target, axes in zip(TARGETS, figure.axes, strict=True):
        value, size, method = max(
            (value, size, method)
            for method, by_size in scores[target].items()
            for size, values in by_size.items()
            for value in values
        )
        assert axes.lines[-1].get_xydata().tolist() == [[size, value]]
        assert [text.get_text() for text in axes.texts] == [f"{method}, {size}: {value:.3f}"]


def test_titles_and_note(searches):
    figure, _ = searches
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == [f"{target}, task A, all" for target in TARGETS]
    assert "optimistic" in " ".join(text.get_text() for text in figure.texts)
    assert render(figure, "svg") == render(figure, "svg")
