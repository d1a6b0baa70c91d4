"""Bars, scatters and matrices of judged metrics."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.evaluation._judged import MetaTables
from pyramidion.evaluation._meta.charts import (
    metric_bars_figure,
    metric_matrix_figure,
    metric_scatter_figure,
)
from pyramidion.evaluation._meta.result import MetaOptions
from pyramidion.evaluation._meta.view import judge_tables

PEOPLE = np.array([False] * 7 + [True] * 2)


def judged(metrics=("good", "fair", "poor"), *, people=PEOPLE, turned=(), **options):
    rng = np.random.default_rng(1)
    truth = np.linspace(0, 3, 9) + rng.normal(size=(12, 9))
    tables = {
        name: truth + noise * rng.normal(size=truth.shape)
        for noise, name in enumerate(metrics, start=1)
    }
    return judge_tables(
        MetaTables(
            "responsiveness",
            "A",
            tuple(f"T{i}" for i in range(12)),
            tuple(map(str, range(9))),
            people,
            truth,
            tables,
            turned,
        ),
        MetaOptions(**{"n_resamples": 39, "levels": ("system",), **options}),
    )


def labels(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def note(figure):
    return " ".join(text.get_text() for text in figure.texts[1:])


def test_bars_have_a_panel_for_each_peer_set_in_its_own_order():
    result = judged()
    figure = metric_bars_figure(result, level="system", coefficient="kendall")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["all peers", "machines only"]
    for axes, peers in zip(figure.axes, ("all", "machines"), strict=True):
        ranked = result.ranked(level="system", coefficient="kendall", peers=peers)
        assert labels(axes) == [name for name, _ in ranked]
        widths = [bar.get_width() for bar in axes.patches]  # type: ignore[attr-defined]
        assert widths == [row.value for _, row in ranked]
        (lines,) = axes.collections
        drawn = [segment[:, 0].tolist() for segment in lines.get_segments()]  # type: ignore[attr-defined]
        assert drawn == [[row.low, row.high] for _, row in ranked]
    groups = {rank.metric: rank.group for rank in result.matrices[0].metrics}
    letters = [text.get_text() for text in figure.axes[0].texts]
    assert letters == [groups[name] for name in labels(figure.axes[0])]


def test_without_people_there_is_one_panel():
    figure = metric_bars_figure(
        judged(people=PEOPLE & False, test=()), level="input", coefficient="pearson"
    )
    assert len(figure.axes) == 1
    assert "letter" not in note(figure)
    scatter = metric_scatter_figure(judged(people=PEOPLE & False))
    assert scatter.axes[0].get_title(loc="left").startswith("Pearson 0.")
    assert not scatter.legends


def test_only_the_best_are_drawn_and_it_is_told():
    figure = metric_bars_figure(judged(), level="system", coefficient="kendall", best=2)
    assert len(labels(figure.axes[0])) == 2
    assert note(figure).startswith("the 2 best of 3 metrics; 95% intervals")


def test_a_turned_metric_is_marked():
    figure = metric_bars_figure(judged(turned=("fair",)), level="system", coefficient="kendall")
    assert "fair ↓" in labels(figure.axes[0])
    assert "sign reversed" in note(figure)
    assert "sign reversed" not in note(metric_scatter_figure(judged()))


def test_an_undefined_correlation_is_written_out():
    result = judged(("good",), peers=("all",))
    constant = {"constant": np.ones_like(result.tables.truth), **result.tables.metrics}
    tables = MetaTables("r", "", result.tables.topics, result.tables.systems, PEOPLE,
                        result.tables.truth, constant)  # fmt: skip
    options = MetaOptions(n_resamples=39, levels=("system",))
    figure = metric_bars_figure(
        judge_tables(tables, options), level="system", coefficient="kendall"
    )
    assert labels(figure.axes[0]) == ["good", "constant"]
    assert " undefined" in [text.get_text() for text in figure.axes[0].texts]


def test_scatter_draws_every_system_once_and_marks_people():
    result = judged()
    figure = metric_scatter_figure(result)
    names = [axes.get_xlabel() for axes in figure.axes]
    assert names == [n for n, _ in result.ranked(level="system", coefficient="pearson")]
    for axes in figure.axes:
        machines, people = axes.lines
        assert (len(machines.get_xdata()), len(people.get_xdata())) == (7, 2)
        table = result.tables.metrics[axes.get_xlabel()]
        assert people.get_xdata() == pytest.approx(table[:, PEOPLE].mean(axis=0))
        assert people.get_ydata() == pytest.approx(result.tables.truth[:, PEOPLE].mean(axis=0))
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["machine", "person"]


def test_matrix_is_in_the_order_of_the_ranking():
    result = judged()
    matrix = result.matrices[0]
    figure = metric_matrix_figure(result, matrix)
    assert labels(figure.axes[0]) == [rank.metric for rank in matrix.metrics]
    # Every pair twice.
    assert len(figure.axes[0].texts) == 6
    found = sum(map(matrix.significant, matrix.pairs))
    assert f"{found} of 3 pairs significantly different; permutation test" in note(figure)


def test_nothing_to_draw():
    result = judged(())
    for draw in (
        lambda: metric_bars_figure(result, level="system", coefficient="kendall"),
        lambda: metric_scatter_figure(result),
    ):
        with pytest.raises(InputError, match="there are no metrics to draw"):
            draw()
