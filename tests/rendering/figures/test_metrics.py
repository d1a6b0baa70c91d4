"""Bars, scatters and matrices of judged metrics."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pyramidion.comparison.measure_tables import MetaTables
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._charts import (
    metric_bars_picture,
    metric_matrix_picture,
    metric_scatter_figure,
)
from pyramidion.meta_evaluation._result import MetaOptions
from pyramidion.meta_evaluation._view import judge_tables
from pyramidion.rendering.charts.picture import Line, Text
from rendering.figures.reading import bars, blocks, columns, intervals, names, of, texts, tile_texts

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


def panels_of(picture):
    """Take panels beside each other apart."""
    # Names of rows end at the left of each panel.
    starts = sorted({mark.x for mark in of(picture, Text) if mark.anchor == "end"})
    limits = [*starts[1:], math.inf]
    return [
        replace(picture, marks=[mark for mark in picture.marks if start <= mark.x < end])
        for start, end in zip(starts, limits, strict=True)
    ]


def test_bars_have_a_panel_for_each_peer_set_in_its_own_order():
    result = judged()
    picture = metric_bars_picture(result, level="system", coefficient="kendall")
    panels = panels_of(picture)
    groups = {rank.metric: rank.group for rank in result.matrices[0].metrics}
    heads = ("all peers", "machines only")
    for panel, head, peers in zip(panels, heads, ("all", "machines"), strict=True):
        ranked = result.ranked(level="system", coefficient="kendall", peers=peers)
        assert head in texts(panel)
        assert names(panel) == [name for name, _ in ranked]
        for name, row in ranked:
            ((start, width),) = bars(panel, gap=0)[name].values()
            assert start + (width if row.value >= 0 else 0) == pytest.approx(
                max(row.value, 0), abs=2e-6
            )
            assert width == pytest.approx(abs(row.value), abs=2e-6)
            assert intervals(panel)[name][:2] == pytest.approx((row.low, row.high))
    right = max(line.x + line.across for line in of(panels[0], Line))
    letters = [mark for mark in of(panels[0], Text) if mark.anchor == "start" and mark.x > right]
    assert [mark.text for mark in letters] == [groups[name] for name in names(panels[0])]


def test_without_people_there_is_one_panel():
    figure = metric_bars_picture(
        judged(people=PEOPLE & False, test=()), level="input", coefficient="pearson"
    )
    assert len(panels_of(figure)) == 1
    assert "letter" not in figure.note
    scatter = metric_scatter_figure(judged(people=PEOPLE & False))
    assert scatter.axes[0].get_title(loc="left").startswith("Pearson 0.")
    assert not scatter.legends


def test_only_the_best_are_drawn_and_it_is_told():
    figure = metric_bars_picture(judged(), level="system", coefficient="kendall", best=2)
    assert [len(names(panel)) for panel in panels_of(figure)] == [2, 2]
    assert figure.note.startswith("the 2 best of 3 metrics; 95% intervals")


def test_a_turned_metric_is_marked():
    figure = metric_bars_picture(judged(turned=("fair",)), level="system", coefficient="kendall")
    assert "fair ↓" in names(figure)
    assert "sign reversed" in figure.note
    assert "sign reversed" not in note(metric_scatter_figure(judged()))


def test_an_undefined_correlation_is_written_out():
    result = judged(("good",), peers=("all",))
    constant = {"constant": np.ones_like(result.tables.truth), **result.tables.metrics}
    tables = MetaTables("r", "", result.tables.topics, result.tables.systems, PEOPLE,
                        result.tables.truth, constant)  # fmt: skip
    options = MetaOptions(n_resamples=39, levels=("system",))
    figure = metric_bars_picture(
        judge_tables(tables, options), level="system", coefficient="kendall"
    )
    assert names(panels_of(figure)[0]) == ["good", "constant"]
    assert "undefined" in texts(figure)


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
    picture = metric_matrix_picture(result, matrix)
    (tiles,) = blocks(picture)
    assert names(picture) == columns(picture, tiles) == [rank.metric for rank in matrix.metrics]
    # Every pair twice.
    assert len(tile_texts(picture, tiles)) == 6
    found = sum(map(matrix.significant, matrix.pairs))
    assert f"{found} of 3 pairs significantly different; permutation test" in picture.note


def test_nothing_to_draw():
    result = judged(())
    for draw in (
        lambda: metric_bars_picture(result, level="system", coefficient="kendall"),
        lambda: metric_scatter_figure(result),
    ):
        with pytest.raises(InputError, match="there are no metrics to draw"):
            draw()
