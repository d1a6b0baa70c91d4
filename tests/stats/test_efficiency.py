"""The efficiency of W beside T for densities whose efficiency is known."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pyramidion.errors import InputError
from pyramidion.stats._effects import wilcoxon_efficiency

# Randles and Wolfe (1979), table 5.4.7, in closed form.
KNOWN = {
    "normal": (stats.norm.pdf, math.inf, 3 / math.pi),
    "wide normal": (stats.norm(scale=3).pdf, math.inf, 3 / math.pi),
    "uniform": (stats.uniform(-1, 2).pdf, 1, 1.0),
    "logistic": (stats.logistic.pdf, math.inf, math.pi**2 / 9),
    "double exponential": (stats.laplace.pdf, math.inf, 1.5),
    "parabola": (lambda z: 0.75 * (1 - z * z), 1, 108 / 125),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_efficiencies(name):
    density, reach, expected = KNOWN[name]
    assert wilcoxon_efficiency(density, reach=reach) == pytest.approx(expected, rel=1e-6)


def test_the_dissertations_numbers():
    # Section 4.3: 0.95 for the normal density, never under 0.864.
    assert int(100 * wilcoxon_efficiency(stats.norm.pdf)) == 95
    # The bound is reached by the density 3(1 - z²)/4 on (-1, 1).
    assert wilcoxon_efficiency(lambda z: 0.75 * (1 - z * z), reach=1) == pytest.approx(0.864)


@given(st.floats(0.2, 8), st.floats(0.3, 5))
def test_never_below_the_bound(shape, width):
    # The symmetric beta densities on (-width, width).
    density = stats.beta(1 + shape, 1 + shape, loc=-width, scale=2 * width).pdf
    assert wilcoxon_efficiency(density, reach=width) >= 0.864 - 1e-9


@pytest.mark.parametrize(
    ("density", "reach", "message"),
    [
        (stats.cauchy.pdf, math.inf, "variance of the density has no finite integral"),
        (stats.norm(loc=1).pdf, math.inf, "symmetric about 0"),
        (stats.expon.pdf, math.inf, "symmetric about 0"),
        (lambda z: 1.0, 1, "integrates to 2 instead of 1"),
        (stats.norm.pdf, 0, "`reach` is 0"),
    ],
)
def test_bad_input(density, reach, message):
    with pytest.raises(InputError, match=message):
        wilcoxon_efficiency(density, reach=reach)
