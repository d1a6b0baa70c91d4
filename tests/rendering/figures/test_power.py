"""Power curves."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.stats import power_curve
from rendering.figures.samples import draw, power


@pytest.mark.parametrize(("panel", "part"), [(0, "calibrated"), (1, "nominal")])
def test_each_panel_shows_every_test(panel, part):
    curve = power()
    axes = draw("power", curve).axes[panel]
    lines = {line.get_label(): line for line in axes.lines if len(line.get_xdata()) > 2}
    shown = {"signed-rank W": "w", "paired t": "t", "unpaired t (Welch)": "welch"}
    assert lines.keys() == shown.keys()
    for label, name in shown.items():
        np.testing.assert_array_equal(lines[label].get_xdata(), curve.t)
        np.testing.assert_array_equal(lines[label].get_ydata(), getattr(curve.tests[name], part))


def test_the_panels_are_named_and_share_their_scale():
    calibrated, nominal = draw("power", power()).axes
    assert calibrated.get_title(loc="left") == "cutoffs calibrated at t = 0"
    assert nominal.get_title(loc="left") == "nominal cutoffs"
    assert calibrated.get_ylim() == nominal.get_ylim() == (0, 1)
    assert calibrated.get_ylabel() == "power"


def test_the_level_is_drawn():
    for axes in draw("power", power(), alpha=0.01).axes:
        assert list(axes.lines[-1].get_ydata()) == [0.01, 0.01]
    with pytest.raises(InputError, match="`alpha` is 2"):
        draw("power", power(), alpha=2)


def test_curves_that_coincide_can_be_distinguished():
    lines = draw("power", power()).axes[0].lines[:3]
    assert len({line.get_color() for line in lines}) == 3
    sizes = [line.get_markersize() for line in lines]
    assert sizes == sorted(sizes, reverse=True)
    assert [line.get_markerfacecolor() for line in lines[:2]] == ["none", "none"]


def test_title_and_note_say_what_was_simulated():
    figure = draw("power", power(), measure="responsiveness", task="A")
    assert figure.texts[0].get_text() == "Power of tests: responsiveness, task A"
    note = " ".join(text.get_text() for text in figure.texts[1:])
    assert note == "60 topics; 100 samples per point, 400 at t = 0; α = 0.05"


def test_a_curve_is_drawn_from_left_to_right():
    curve = power_curve([0.5, 0.5], [0.1, 0.9], t=[0.6, 0, 0.3], n_null=100, n_resamples=50)
    line = draw("power", curve).axes[0].lines[0]
    assert line.get_xdata().tolist() == [0, 0.3, 0.6]
    assert line.get_ydata().tolist() == curve.tests["w"].calibrated[[1, 2, 0]].tolist()


def test_a_single_point_is_drawn():
    curve = power_curve([0.5, 0.5], [0.1, 0.9], t=[0.5], n_null=100, n_resamples=50)
    assert len(draw("power", curve).axes) == 2
