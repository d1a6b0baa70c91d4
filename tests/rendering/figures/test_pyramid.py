"""The drawing of a pyramid."""

import numpy as np
import pytest

from pyramidion.pyramid._tiers import pyramid_figure
from pyramidion.pyramid.content_units import TopicUnits, Weighing
from pyramidion.rendering.charts.style import render


def units(*counts, label="Content unit {}"):
    """Make units, so many of each weight, the heaviest first."""
    weights = np.repeat(np.arange(len(counts), 0, -1), counts)
    names = tuple(str(number) for number in range(len(weights)))
    labels = tuple(label.format(name) for name in names)
    return TopicUnits(names, labels, Weighing(weights, len(counts)))


def bars(figure):
    """Return where each tier begins and how wide it is, from the top."""
    found = sorted(figure.axes[0].patches, key=lambda bar: bar.get_y())
    return [(bar.get_x(), bar.get_width()) for bar in found]


def texts(figure):
    return [text.get_text() for text in (*figure.texts, *figure.axes[0].texts)]


def test_tiers_are_centered_and_as_wide_as_they_are_large():
    assert bars(pyramid_figure(units(1, 4, 8))) == [(-0.5, 1), (-2, 4), (-4, 8)]


def test_numbers_weights_and_labels():
    figure = pyramid_figure(units(1, 2), topic="T1", task="A")
    assert {"1", "2", "weight 2", "weight 1"} <= set(texts(figure))
    assert {"Content unit 0", "Content unit 1", "Content unit 2"} <= set(texts(figure))
    assert figure.get_label() == "Pyramid of T1, task A"
    assert "2 references, 3 content units, 2.0 a reference; labels are examples" in texts(figure)


def test_an_empty_tier_is_a_line():
    figure = pyramid_figure(units(1, 0, 8))
    assert len(bars(figure)) == 2
    assert len(figure.axes[0].lines) == 1


@pytest.mark.parametrize("tiers", [1, 4, 9, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("label", ["Short {}", "A long label that goes on and on " * 9 + "{}"])
def test_no_text_covers_another(tiers, label):
    figure = pyramid_figure(units(*range(1, tiers + 1), label=label))
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    everything = [*figure.texts, *figure.axes[0].texts]
    boxes = [text.get_window_extent(renderer).padded(-2) for text in everything]
    width, height = figure.get_size_inches() * figure.dpi
    for place, box in enumerate(boxes):
        assert box.x0 > 0
        assert box.x1 < width
        assert box.y0 > 0
        assert box.y1 < height
        assert not any(box.overlaps(other) for other in boxes[:place])


def test_the_same_figure_gives_the_same_bytes():
    assert render(pyramid_figure(units(1, 2)), "svg") == render(pyramid_figure(units(1, 2)), "svg")


def test_units_without_labels_are_named_by_their_ids():
    assert "0" in texts(pyramid_figure(units(1, label="")))
