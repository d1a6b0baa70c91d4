"""Kappas and percent agreement against R (psych) and Fleiss (1971)."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._agreement import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    scott_pi,
)
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


#: Fleiss (1971), Table 1: the diagnoses, 1 to 5, that six psychiatrists gave each of 30 patients.
DIAGNOSES = (
    "444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 "
    "144444 124444 222333 144444 224445 333335 111455 111112 224444 133555 "
    "555555 244444 224555 114444 144445 222224 111155 224444 133333 555555"
)


def test_fleiss_1971():
    """He prints 0.430; R's irr gives 0.4302445."""
    ratings = np.array([list(map(int, patient)) for patient in DIAGNOSES.split()]).T
    result = fleiss_kappa(ratings)
    assert result.value == pytest.approx(0.4302445, abs=5e-8)
    # By hand: the squared counts add up to 680, the totals are 26, 26, 30, 55 and 43 of 180.
    assert result.observed == pytest.approx((680 - 180) / (30 * 6 * 5))
    assert result.expected == pytest.approx((26**2 + 26**2 + 30**2 + 55**2 + 43**2) / 180**2)
    assert (result.n, result.unanimous) == (30, False)


def test_the_agreement_of_section_5_2_6():
    """Nenkova: four people, 258 names, 54 % new and 87 % agreement give a kappa of 0.74."""
    # 258 names by the number of people to whom they were new; chosen to give both percentages.
    counts = {0: 94, 1: 3, 2: 39, 3: 12, 4: 110}
    assert sum(counts.values()) == 258
    names = [[1] * new + [0] * (4 - new) for new, times in counts.items() for _ in range(times)]
    result = fleiss_kappa(np.array(names).T)
    assert round(float(np.mean(names)), 2) == 0.54
    assert (round(result.observed, 2), round(result.value, 2)) == (0.87, 0.74)


@given(labels)
def test_two_raters_are_scotts_pi(both):
    first, second = zip(*both, strict=True)
    assert fleiss_kappa([first, second]).value == pytest.approx(scott_pi(first, second).value)


def test_fleiss_does_not_depend_on_who_labels_what():
    ratings = [[1, 2, math.nan], [1, math.nan, 3], [math.nan, 3, 3]]
    result = fleiss_kappa(ratings)
    # Two of three items agree; the labels are 1, 1, 2, 3, 3, 3.
    assert (result.observed, result.expected) == pytest.approx((2 / 3, (4 + 1 + 9) / 36))
    alpha = krippendorff_alpha(ratings, level="nominal")
    assert alpha.value > result.value


@pytest.mark.parametrize(
    ("ratings", "numbers"), [([[1, 2], [1, math.nan]], "1, 2"), ([[1, 2]], "1"), ([[], []], "no")]
)
def test_fleiss_needs_as_many_labels_for_every_item(ratings, numbers):
    with pytest.raises(InputError, match=f"items with {numbers} labels"):
        fleiss_kappa(ratings)


def test_fleiss_of_a_single_label():
    assert fleiss_kappa([[1, 1], [1, 1]]).unanimous
