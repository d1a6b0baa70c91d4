"""The figure of a pyramid."""

import pytest

from pyramidion.collection import Pyramid
from pyramidion.demo import load_demo
from pyramidion.pyramid import tiers
from pyramidion.rendering.charts.style import render


def pyramid_figure(*counts, label="Content unit {}"):
    """Draw a pyramid with these numbers of units per weight, the heaviest first."""
    weights = [len(counts) - tier for tier, count in enumerate(counts) for _ in range(count)]
    words = [f"u{number}." for number in range(len(weights))]
    texts = {
        f"R{reference}": " ".join(
            word for word, weight in zip(words, weights, strict=True) if weight > reference
        )
        or "Nothing."
        for reference in range(len(counts))
    }
    units = [
        (label.format(number), {f"R{reference}": [words[number]] for reference in range(weight)})
        for number, weight in enumerate(weights)
    ]
    return tiers(Pyramid.from_references(texts, units)).plot()


FIGURES = {"three": lambda: pyramid_figure(1, 4, 8)}


def bars(figure):
    """Return where each tier begins and how wide it is, from the top."""
    patches = sorted(figure.axes[0].patches, key=lambda bar: bar.get_y())
    return [(bar.get_x(), bar.get_width()) for bar in patches]


def texts(figure):
    return [text.get_text() for text in (*figure.texts, *figure.axes[0].texts)]


def test_tiers_are_centered_and_as_wide_as_they_are_large():
    assert bars(pyramid_figure(1, 4, 8)) == [(-0.5, 1), (-2, 4), (-4, 8)]


def test_many_tiers_are_lower_but_can_be_read():
    """Half an inch each, nine inches together at most, but no tier below 0.3 inches."""

    def height(tiers):
        figure = pyramid_figure(*[1] * tiers)
        return figure.axes[0].get_position().height * figure.get_size_inches()[1]

    assert height(4) == pytest.approx(4 * 0.52)
    assert height(20) == pytest.approx(9)
    assert height(40) == pytest.approx(40 * 0.3)


def test_numbers_weights_and_labels():
    figure = pyramid_figure(1, 2)
    assert {"1", "2", "weight 2", "weight 1"} <= set(texts(figure))
    assert {"Content unit 0", "Content unit 1", "Content unit 2"} <= set(texts(figure))
    assert "2 references, 3 content units, 2.0 a reference; labels are examples" in texts(figure)


def test_the_title_names_topic_and_task():
    figure = tiers(load_demo(), topic="P01", task="A").plot()
    assert figure.get_label() == "Pyramid of P01, task A"


def test_an_empty_tier_is_a_line():
    figure = pyramid_figure(1, 0, 8)
    assert len(bars(figure)) == 2
    assert len(figure.axes[0].lines) == 1


@pytest.mark.parametrize("count", [1, 4, 9, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("label", ["Short {}", "A long label that goes on and on " * 9 + "{}"])
def test_no_text_covers_another(count, label):
    figure = pyramid_figure(*range(1, count + 1), label=label)
    renderer = figure.canvas.get_renderer()
    everything = [*figure.texts, *figure.axes[0].texts]
    boxes = [text.get_window_extent(renderer).padded(-2) for text in everything]
    width, height = figure.get_size_inches() * figure.dpi
    for index, box in enumerate(boxes):
        assert box.x0 > 0
        assert box.x1 < width
        assert box.y0 > 0
        assert box.y1 < height
        assert not any(box.overlaps(other) for other in boxes[:index])


def test_the_same_figure_gives_the_same_bytes():
    assert render(pyramid_figure(1, 2), "svg") == render(pyramid_figure(1, 2), "svg")


def test_units_without_labels_are_named_by_their_ids():
    assert {"1", "2"} <= {*texts(pyramid_figure(2, label=""))}
