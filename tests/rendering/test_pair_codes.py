"""Colors of pairs of systems by their p-values: at a level, and just above it."""

import numpy as np
import pytest

from pyramidion.rendering.charts.tiles import PAIR_COLORS, PairArrays, pair_codes

NAN = float("nan")


@pytest.mark.parametrize(
    ("p", "direction", "equivalent", "color"),
    [
        (0.0501, 1, False, "h0"),
        (0.05, 1, False, "h1"),
        (0.01, 1, False, "h2"),
        (0.001, 1, False, "h3"),
        (0.0501, -1, False, "l0"),
        (0.0101, -1, False, "l1"),
        (0.0011, -1, False, "l2"),
        (0.0, -1, False, "l3"),
        (1.0, 0, False, "u"),
        (NAN, 1, False, "q"),
        (0.001, 1, True, "e"),
    ],
)
def test_a_pair_has_the_color_of_its_level(p, direction, equivalent, color):
    compared = np.array([[False, True], [True, False]])
    pairs = PairArrays(
        compared, np.full((2, 2), p), np.array([[0, direction], [-direction, 0]], np.int8),
        compared & (p <= 0.05), compared & equivalent,
    )  # fmt: skip
    codes = pair_codes(pairs, 0.05)
    assert PAIR_COLORS[codes[0, 1]] == color
    # A system is not compared with itself.
    assert np.diag(codes).tolist() == [-1, -1]
