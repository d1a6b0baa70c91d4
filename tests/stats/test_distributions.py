"""Blends, conditional distributions and frequencies of scores."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._power import blend, frequencies, given_document
from support import GOLD

# R 4.2.2, base functions.
CASE = json.loads((GOLD / "stats" / "power.json").read_text("utf-8"))["cases"]["small"]
INPUTS, EXPECTED = CASE["inputs"], CASE["outputs"]["deterministic"]

weights = st.lists(st.integers(1, 50), min_size=4, max_size=4).map(lambda w: np.array(w) / sum(w))


@pytest.mark.parametrize(("row", "t"), list(enumerate([0, 0.05, 0.3, 0.8, 1])))
def test_gold_of_blends(row, t):
    found = blend(INPUTS["p_M"], INPUTS["p_H"], t)
    assert found == pytest.approx(EXPECTED["p_t"][row], rel=1e-9)


@pytest.mark.parametrize("document", range(3))
def test_gold_of_conditional_distributions(document):
    p_d = INPUTS["p_d"][document]
    assert given_document(INPUTS["p_M"], p_d) == pytest.approx(EXPECTED["p_Md"][document], rel=1e-9)
    blended = blend(INPUTS["p_M"], INPUTS["p_H"], 0.3)
    assert given_document(blended, p_d) == pytest.approx(EXPECTED["p_td_t03"][document], rel=1e-9)


def test_example_of_section_3_7():
    found = given_document([0.1, 0.3, 0.3, 0.2, 0.1], [0, 0, 0, 0.5, 0.5])
    assert found == pytest.approx(EXPECTED["seed_example"], rel=1e-9)


@given(machine=weights, human=weights, document=weights, t=st.floats(0, 1))
def test_they_are_distributions(machine, human, document, t):
    blended = blend(machine, human, t)
    conditional = given_document(blended, document)
    assert blended.sum() == pytest.approx(1)
    assert conditional.sum() == pytest.approx(1)
    assert (conditional >= 0).all()
    # Twice as likely under both is four times as likely given both.
    odds = conditional / conditional[0]
    assert odds == pytest.approx(blended / blended[0] * document / document[0])


def test_undefined():
    with pytest.raises(InputError, match=r"p_M \. p_d = 0"):
        given_document([0.5, 0.5, 0], [0, 0, 1])
    with pytest.raises(ShapeError):
        given_document([0.5, 0.5], [0.2, 0.3, 0.5])


def test_frequencies():
    assert frequencies([[1, 2, 2], [np.nan, 5, 5]], range(1, 6)) == pytest.approx(
        [0.2, 0.4, 0, 0, 0.4]
    )
    for scores, message in (([1, 7], "has 7"), ([np.nan], "no value"), (["x"], "not a number")):
        with pytest.raises(InputError, match=message):
            frequencies(scores, [1, 2, 3])


def test_the_dissertations_example_of_a_document():
    # Printed in section 3.7 of the dissertation; values by arithmetic from it.
    text = (GOLD / "stats" / "seed_values.json").read_text(encoding="utf-8")
    case = json.loads(text)["cases"]["p_Md_example"]
    found = given_document(case["inputs"]["p_M"], case["inputs"]["p_d"])
    assert found == pytest.approx(case["outputs"]["p_Md"], rel=1e-9)
