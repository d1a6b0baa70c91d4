"""Figures of pyramids' reliability: they show the numbers."""

from types import SimpleNamespace

import numpy as np
import pytest

from pyramid.reliability_samples import peer_of, pyramid_of, random_membership
from pyramidion.errors import NotFoundError
from pyramidion.pyramid._agreement.peers import AnnotatedTwice
from pyramidion.pyramid._agreement.question import annotators_figure
from pyramidion.studies import ImportanceClasses
from pyramidion.studies._importance import importance_figure
from pyramidion.studies._stability.charts import (
    MAX_SHOWN_PEERS,
    growing_pair_figure,
    growing_scores_figure,
    stability_figure,
)
from pyramidion.studies._stability.ranking import OrderCorrelation, OrderErrors
from pyramidion.studies._stability.study import StabilitySettings, study_stability

NAN = float("nan")


def study(references=6, peers=2, **options):
    rng = np.random.default_rng(1)
    pyramid = pyramid_of(random_membership(rng, 20, references))
    annotated = {
        f"system-{number}": peer_of(pyramid, np.flatnonzero(rng.random(20) < 0.4), outside=2)
        for number in range(peers)
    }
    return study_stability(pyramid, annotated, settings=StabilitySettings(**options))


def classes(granularity="words", sizes=(7206, 2030, 962, 560, 328, 252, 287), topics=20):
    labels = tuple(str(size) for size in range(1, len(sizes) + 1))
    if granularity == "sentences":
        labels = ("below 7", "7", "8", "9", "10")
    return ImportanceClasses(granularity, np.array(sizes), labels, topics)


def pairs():
    rng = np.random.default_rng(2)
    pyramid = pyramid_of(random_membership(rng, 20, 4))
    expressed = [np.flatnonzero(rng.random(20) < 0.4) for _ in range(6)]
    peers = [peer_of(pyramid, rows, outside=1) for rows in expressed]
    return [AnnotatedTwice(a, b) for a, b in zip(peers[:3], peers[3:], strict=True)]


def rows_to_draw(errors, correlations):
    return SimpleNamespace(errors=errors, correlations=correlations, resampled=())


def errors_figure(stability):
    return stability_figure(stability, note="a note")


FIGURES = {
    "errors": lambda: errors_figure(study()),
    "errors-repetition": lambda: errors_figure(study(repetition=10)),
    "errors-none": lambda: stability_figure(rows_to_draw([], [])),
    "errors-many": lambda: errors_figure(study(30, max_pyramids=20, splits=5)),
    "errors-undefined": lambda: stability_figure(
        rows_to_draw([OrderErrors(1, 0, 2, 0, 1, 1)], [OrderCorrelation(1, NAN, 0, 2)])
    ),
    "scores": lambda: growing_scores_figure(study(10, 3), title="D31041, task A", note="more"),
    "scores-few": lambda: growing_scores_figure(study(3, 0)),
    "scores-many": lambda: growing_scores_figure(study(4, 60), title="T1"),
    "pair": lambda: growing_pair_figure(study(10), "R0", "system-1", title="T1", note="more"),
    "pair-mixed": lambda: growing_pair_figure(study(10, 0), "R0", "R1"),
    "annotators": lambda: annotators_figure(pairs()),
    "annotators-none": lambda: annotators_figure([]),
    "importance": lambda: importance_figure(
        [
            classes("content units", (1700, 700, 300, 200, 90, 60, 40)),
            classes(),
            classes("sentences", (50_490, 26_930, 17_900, 4_680, 140)),
        ],
        note="20 pyramids of 7 references",
    ),
    "importance-one": lambda: importance_figure([classes(sizes=(12,))]),
    "importance-many": lambda: importance_figure([classes(sizes=range(60, 1, -1))]),
    "importance-nothing": lambda: importance_figure([classes(sizes=(0, 0, 0))]),
}


def test_errors_and_correlations_are_drawn():
    stability = study()
    errors, ranks = errors_figure(stability).axes
    lines = {line.get_label(): line for line in errors.lines}
    for part, label in (("p1", "E1: equal seem different"), ("p", "any error")):
        shown = lines[label].get_ydata().tolist()
        assert shown == [getattr(row, part) for row in stability.errors]
    assert lines["any error"].get_xdata().tolist() == [row.order for row in stability.errors]
    assert ranks.lines[0].get_ydata().tolist() == [row.mean for row in stability.correlations]
    assert all(value <= errors.get_ylim()[1] for value in lines["any error"].get_ydata())


def test_panels_show_the_spread_best_first():
    stability = study()
    figure = growing_scores_figure(stability)
    names = [axes.get_title(loc="left") for axes in figure.axes]
    full = dict(zip(stability.scores.names, stability.scores.full, strict=True))
    assert names == sorted(names, key=lambda name: -full[name])
    column = stability.scores.names.index(names[0])
    counted = stability.spread.count[:, column] > 0
    shown = figure.axes[0].lines[0].get_ydata()
    np.testing.assert_array_equal(shown, stability.spread.mean[counted, column])
    weights = {axes.get_title(loc="left"): axes._left_title.get_weight() for axes in figure.axes}  # type: ignore[attr-defined]
    assert weights["R0"] == "bold"
    assert weights["system-0"] == "normal"


def test_too_many_panels_are_reported():
    figure = growing_scores_figure(study(4, 60))
    assert len(figure.axes) == MAX_SHOWN_PEERS
    assert any("the best 40 of 64 summaries" in text.get_text() for text in figure.texts)


def test_a_pair_shows_where_it_diverges():
    stability = study(10, 0)
    [pair, *_] = [p for p in stability.diverging if p.stable]
    axes = growing_pair_figure(stability, pair.worse, pair.better).axes[0]
    column = stability.scores.names.index(pair.better)
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), stability.spread.low[:9, column])
    assert list(axes.lines[-1].get_xdata()) == [pair.order] * 2
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels[0] == "1\n(9)"
    assert labels[3] == "4\n(126)"
    with pytest.raises(NotFoundError, match="there is no summary 'Z'; available: R0, R1"):
        growing_pair_figure(stability, "R0", "Z")


def test_every_peer_is_a_point():
    scored = pairs()
    for axes, measure in zip(annotators_figure(scored).axes, ("original", "modified"), strict=True):
        points = axes.lines[-1]
        assert points.get_xdata().tolist() == [getattr(s.scores[0], measure) for s in scored]
        assert points.get_ydata().tolist() == [getattr(s.scores[1], measure) for s in scored]


def test_classes_and_both_laws_are_drawn():
    words = classes()
    line, law, sizes = importance_figure([words]).axes[0].lines
    assert sizes.get_ydata().tolist() == words.sizes.tolist()
    np.testing.assert_allclose(law.get_ydata(), words.fit().expected())
    fit = words.fit()
    np.testing.assert_allclose(line.get_ydata()[[0, 1]], [fit.scale, fit.scale / 2**fit.slope])
