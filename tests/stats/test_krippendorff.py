"""Krippendorff's alpha against R (irr), the definition, and its properties."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._agreement import krippendorff_alpha
from support import GOLD

# R 4.2.2, irr::kripp.alpha; "complete_3_coders" is the direct double sum of the definition, as
# irr leaves out the weight 1/(m - 1) there. "coders_missing" is Krippendorff's published example.
CASES = json.loads((GOLD / "stats" / "krippendorff.json").read_text(encoding="utf-8"))["cases"]
LEVELS = ("nominal", "ordinal", "interval", "ratio")

cells = st.one_of(st.integers(0, 5).map(float), st.just(math.nan))
tables = st.tuples(st.integers(2, 4), st.integers(1, 8)).flatmap(
    lambda shape: st.lists(
        st.lists(cells, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
    ).map(np.array)
)


@pytest.mark.parametrize("name", CASES)
def test_gold(name):
    ratings = np.array(CASES[name]["inputs"]["coders_by_units"], dtype=float)
    found = {level: krippendorff_alpha(ratings, level=level).value for level in LEVELS}
    assert found == pytest.approx(CASES[name]["outputs"], rel=1e-9)


def difference(a, b, level, values):
    if level == "nominal":
        return float(a != b)
    if level == "interval":
        return (a - b) ** 2
    if level == "ratio":
        return ((a - b) / (a + b)) ** 2 if a + b else 0.0
    low, high = min(a, b), max(a, b)
    between = sum(low <= v <= high for v in values)
    return (between - (values.count(low) + values.count(high)) / 2) ** 2 if a != b else 0.0


def by_definition(ratings, level):
    units = [[v for v in column if not math.isnan(v)] for column in ratings.T.tolist()]
    units = [unit for unit in units if len(unit) > 1]
    values = [v for unit in units for v in unit]
    n = len(values)
    observed = sum(
        difference(unit[i], unit[j], level, values) / (len(unit) - 1)
        for unit in units
        for i in range(len(unit))
        for j in range(len(unit))
        if i != j
    )
    expected = sum(difference(a, b, level, values) for a in values for b in values)
    return 1 - (observed / n) / (expected / (n * (n - 1))) if expected else None


@given(tables, st.sampled_from(LEVELS))
def test_definition(ratings, level):
    result = krippendorff_alpha(ratings, level=level)
    paired = (~np.isnan(ratings)).sum(axis=0)
    assert result.units == (paired >= 2).sum()
    assert result.values + result.left_out == paired.sum()
    if not result.units:
        assert math.isnan(result.value)
    elif (expected := by_definition(ratings, level)) is None:
        assert result.unanimous
        assert result.value == 1.0
    else:
        assert result.value == pytest.approx(expected, abs=1e-9)


@given(tables, st.sampled_from(LEVELS), st.randoms(use_true_random=False))
def test_order_of_coders_and_units_does_not_matter(ratings, level, random):
    coders, units = list(range(len(ratings))), list(range(ratings.shape[1]))
    random.shuffle(coders)
    random.shuffle(units)
    moved = krippendorff_alpha(ratings[coders][:, units], level=level).value
    assert moved == pytest.approx(
        krippendorff_alpha(ratings, level=level).value, abs=1e-9, nan_ok=True
    )


@given(tables)
def test_what_each_level_ignores(ratings):
    def alpha(values, level):
        return krippendorff_alpha(values, level=level).value

    same = {"abs": 1e-9, "nan_ok": True}
    assert alpha(2 * ratings + 3, "interval") == pytest.approx(alpha(ratings, "interval"), **same)
    assert alpha(np.exp(ratings), "ordinal") == pytest.approx(alpha(ratings, "ordinal"), **same)
    assert alpha(5 - ratings, "nominal") == pytest.approx(alpha(ratings, "nominal"), **same)
    assert alpha(7 * ratings, "ratio") == pytest.approx(alpha(ratings, "ratio"), **same)


@pytest.mark.parametrize("level", LEVELS)
def test_unanimous_is_one(level):
    result = krippendorff_alpha([[3, 3, math.nan], [3, 3, 3]], level=level)
    assert (result.value, result.unanimous, result.left_out) == (1.0, True, 1)


@pytest.mark.parametrize("level", LEVELS)
def test_rounding_noise_is_not_a_disagreement(level):
    result = krippendorff_alpha([[0.3, 0.7], [0.1 + 0.2, 0.7]], level=level)
    assert result.value == pytest.approx(1.0, abs=1e-9)


def test_many_distinct_values():
    ratings = np.random.default_rng(0).normal(size=(2, 1500))
    assert abs(krippendorff_alpha(ratings, level="interval").value) < 0.1


def test_bad_input():
    with pytest.raises(TypeError, match="level"):
        krippendorff_alpha([[1, 2], [1, 2]])  # type: ignore[call-arg]
    with pytest.raises(InputError, match="`level` is 'likert'"):
        krippendorff_alpha([[1, 2], [1, 2]], level="likert")
    with pytest.raises(InputError, match="`ratings` has -1; a ratio scale starts at 0"):
        krippendorff_alpha([[1, -1], [1, 2]], level="ratio")
    with pytest.raises(ShapeError, match="1 dimensions"):
        krippendorff_alpha([1, 2], level="nominal")
    with pytest.raises(InputError, match="infinite"):
        krippendorff_alpha([[1, math.inf], [1, 2]], level="nominal")
