"""Small parts of charts, worked by hand."""

import numpy as np
import pytest

from pyramidion.rendering.charts.layout import (
    Page,
    Panels,
    Space,
    label_size,
    label_step,
    row_pitch,
    text_width,
    wrap_text,
)
from pyramidion.rendering.charts.picture import row_names
from pyramidion.rendering.charts.style import style_context
from pyramidion.rendering.charts.tiles import draw_tiles


def test_space():
    assert Space(left=1.0).right == 0.12


def test_page():
    with style_context():
        page = Page("Power", "60 topics", plot=(4, 3), space=Space(left=1))
    assert page.figure.get_label() == "Power"


def test_panels():
    assert Panels(5, side=(2, 1), gap=(0.5, 0.25), max_across=3).plot_size == (7.0, 2.25)


def test_fitting_pitch():
    assert (row_pitch(3), row_pitch(66)) == (0.3, 0.165)


def test_text_width():
    assert text_width(["mm"], size=9) > text_width(["m", "i"], size=9) > text_width([], size=9)


def test_wrapped():
    assert wrap_text("one two", 0.4, size=9) == ["one", "two"]


def test_label_size():
    assert round(label_size(0.165), 1) == 7.4


def test_label_step():
    assert (label_step(0.3), label_step(0.06)) == (1, 2)


def test_row_names():
    names = row_names(["7", "A"], 1, 0, 0.3, [False, True])
    assert [(name.text, name.bold, name.y) for name in names] == [
        ("7", False, 0.15),
        ("A", True, pytest.approx(0.45)),
    ]


def test_draw_tiles():
    with style_context():
        axes = Page("", "", plot=(1, 1), space=Space()).axes(0, 0, 1, 1)
        draw_tiles(axes, np.array([[1, 2, 3], [4, 5, 6]]))
    assert axes.get_children()[0].get_array().shape == (2, 3)  # type: ignore[attr-defined]
