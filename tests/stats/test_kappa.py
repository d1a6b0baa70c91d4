"""Cohen's kappa, Scott's pi and percent agreement against R (psych)."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._agreement import cohen_kappa, percent_agreement, scott_pi
from support import GOLD

# R 4.2.2, psych 2.2.9 cohen.kappa; Scott's pi by its formula.
CASES = json.loads((GOLD / "stats" / "kappa.json").read_text(encoding="utf-8"))["cases"]

labels = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=30)


@pytest.mark.parametrize("name", CASES)
def test_gold(name):
    first, second = CASES[name]["inputs"]["rater1"], CASES[name]["inputs"]["rater2"]
    found = {
        "percent_agreement": percent_agreement(first, second),
        "cohen_kappa": cohen_kappa(first, second).value,
        "cohen_kappa_quadratic": cohen_kappa(first, second, weights="quadratic").value,
        "scott_pi": scott_pi(first, second).value,
    }
    assert found == pytest.approx(CASES[name]["outputs"], rel=1e-9)


@given(labels, st.sampled_from(("none", "linear", "quadratic")))
def test_definition(both, weights):
    first, second = zip(*both, strict=True)
    order = sorted({*first, *second})
    k, n = len(order), len(both)

    def credit(a, b):
        if weights == "none":
            return float(a == b)
        distance = abs(order.index(a) - order.index(b)) / max(1, k - 1)
        return 1 - distance ** (1 if weights == "linear" else 2)

    observed = sum(credit(a, b) for a, b in both) / n
    by_chance = sum(credit(a, b) for a in first for b in second) / n**2
    pooled = [*first, *second]
    from_pool = sum(credit(a, b) for a in pooled for b in pooled) / (4 * n**2)
    for function, expected in ((cohen_kappa, by_chance), (scott_pi, from_pool)):
        result = function(first, second, weights=weights)
        assert (result.observed, result.expected) == pytest.approx((observed, expected))
        if k > 1:
            assert result.value == pytest.approx((observed - expected) / (1 - expected))
        else:
            assert (result.value, result.unanimous) == (1.0, True)


@given(labels, st.randoms(use_true_random=False))
def test_order_names_and_raters_do_not_matter(both, random):
    first, second = np.array(both).T
    order = list(range(len(both)))
    random.shuffle(order)
    for function in (cohen_kappa, scott_pi):
        value = pytest.approx(function(first, second).value)
        assert function(second, first).value == value
        assert function(first[order], second[order]).value == value
        words = np.array(["-", "poor", "barely", "good", "best"])
        assert function(words[first], words[second]).value == value
        assert function(words[first].astype(object), words[second]).value == value


def test_bad_input():
    with pytest.raises(ShapeError, match="`first` has 2 labels and `second` 1"):
        cohen_kappa([1, 2], [1])
    with pytest.raises(ShapeError, match="shape"):
        scott_pi([], [])
    with pytest.raises(ShapeError, match="shape"):
        percent_agreement([[1, 2]], [[1, 2]])
    with pytest.raises(InputError, match="`second` has no label at position 1"):
        percent_agreement([1, 2], [1, math.nan])
    with pytest.raises(InputError, match="`first` has no label at position 0"):
        cohen_kappa([None, "a"], ["a", "b"])
    with pytest.raises(InputError, match="both words and numbers"):
        cohen_kappa([1, 2], ["1", "2"])
    with pytest.raises(InputError, match="both words and numbers"):
        cohen_kappa(["a", 1], ["a", 1])
    with pytest.raises(InputError, match="`weights` is 'cubic'"):
        cohen_kappa([1, 2], [1, 2], weights="cubic")
