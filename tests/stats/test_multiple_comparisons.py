"""Tukey's comparisons against R, and their properties."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pyramidion.errors import InputError
from pyramidion.stats.multiple_comparisons import (
    all_pairs,
    blocked_tukey,
    comparison_half_widths,
    mean_rank_tukey,
)
from support import GOLD

NAN = math.nan


def cases(name):
    return json.loads((GOLD / "stats" / name).read_text(encoding="utf-8"))["cases"]


# R 4.2.2: kruskal.test, qtukey and ptukey; lm and TukeyHSD.
RANKS = cases("kruskal_multcompare.json")
BLOCKS = {name: case for name, case in cases("anova.json").items() if "matrix" in case["inputs"]}

# R's qtukey stops at about seven digits, ptukey at six: this much of a difference is R's own.
QTUKEY, PTUKEY = 1e-6, 1e-6

tables = arrays(
    float,
    st.tuples(st.integers(3, 7), st.integers(2, 5)),
    elements=st.integers(0, 40).map(lambda value: value / 10),
)


@pytest.mark.parametrize("name", RANKS)
def test_gold_of_mean_ranks(name):
    given_, expected = RANKS[name]["inputs"], RANKS[name]["outputs"]
    table = np.array(given_["matrix"], dtype=float)
    found = mean_rank_tukey(
        table.T if given_["groups"] == "systems" else table,
        confidence_level=1 - given_["alpha"],
    )
    assert (found.pairs + 1).tolist() == expected["pairs"]
    assert found.estimates == pytest.approx(expected["mean_ranks"], rel=1e-9)
    assert found.differences == pytest.approx(expected["diff"], rel=1e-9)
    assert found.standard_errors == pytest.approx(expected["se"], rel=1e-9)
    assert found.critical == pytest.approx(expected["crit_q_over_sqrt2"], rel=QTUKEY)
    assert found.p == pytest.approx(expected["p_tukey"], rel=QTUKEY, abs=PTUKEY)
    assert found.low == pytest.approx(expected["lower"], rel=QTUKEY, abs=1e-5)
    assert found.high == pytest.approx(expected["upper"], rel=QTUKEY, abs=1e-5)
    widths = expected["comparison_interval_halfwidth"]
    assert found.half_widths == pytest.approx(widths, rel=QTUKEY)
    assert found.significant.sum() == expected["significant_pairs"]
    # With R's own critical value the rest agrees to the last digits.
    reach = expected["crit_q_over_sqrt2"] * found.standard_errors
    assert found.differences - reach == pytest.approx(expected["lower"], rel=1e-9)
    assert found.differences + reach == pytest.approx(expected["upper"], rel=1e-9)
    own = comparison_half_widths(len(widths), found.pairs, reach)
    assert own == pytest.approx(widths, rel=1e-9)


@pytest.mark.parametrize(
    "name", [name for name in BLOCKS if "tukey_exact" in BLOCKS[name]["outputs"]]
)
def test_gold_of_blocks(name):
    expected = BLOCKS[name]["outputs"]["tukey_exact"]
    found = blocked_tukey(BLOCKS[name]["inputs"]["matrix"])
    # R names pairs "2-1", and subtracts the first from the second.
    assert [f"{b + 1}-{a + 1}" for a, b in found.pairs] == expected["pairs"]
    assert -found.differences == pytest.approx(expected["diff"], rel=1e-9)
    assert found.critical == pytest.approx(expected["crit"], rel=QTUKEY)
    assert -found.high == pytest.approx(expected["lower"], rel=QTUKEY)
    assert -found.low == pytest.approx(expected["upper"], rel=QTUKEY)
    assert found.p == pytest.approx(expected["p"], rel=QTUKEY, abs=1e-8)


@pytest.mark.parametrize("name", BLOCKS)
def test_gold_of_standard_errors_with_missing_values(name):
    expected = BLOCKS[name]["outputs"]["simultaneous_ci_mvt"]
    found = blocked_tukey(np.array(BLOCKS[name]["inputs"]["matrix"], dtype=float))
    assert -found.differences == pytest.approx(expected["estimate"], rel=1e-9)
    assert found.standard_errors == pytest.approx(expected["se"], rel=1e-9)


def test_ties_make_differences_sharper():
    groups = [[1, 1, 2, 2], [1, 2, 2, 2], [3, 3, 3, 2]]
    found = mean_rank_tukey(groups)
    untied = math.sqrt(12 * 13 / 12 * (1 / 4 + 1 / 4))
    assert (found.standard_errors < untied).all()


@given(tables, st.randoms(use_true_random=False))
def test_order_of_topics_and_names_of_systems_do_not_matter(table, random):
    table[0, 0] = NAN
    table += np.random.default_rng(1).normal(size=table.shape)
    rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    turned = table[np.ix_(rows, columns)]
    for test in (blocked_tukey, lambda scores: mean_rank_tukey(scores.T)):
        found, again = test(table), test(turned)
        p = {
            frozenset(pair): value
            for pair, value in zip(found.pairs.tolist(), found.p, strict=True)
        }
        for (a, b), value in zip(again.pairs, again.p, strict=True):
            same = p[frozenset((columns[a], columns[b]))]
            assert value == pytest.approx(same, rel=1e-6, abs=1e-12)


@given(tables, st.integers(-50, 50))
def test_a_constant_changes_nothing(table, shift):
    table += np.random.default_rng(1).normal(size=table.shape)
    found, moved = blocked_tukey(table), blocked_tukey(table + shift / 10)
    assert moved.p == pytest.approx(found.p, rel=1e-5, abs=1e-12)


@given(tables)
def test_intervals_and_p_values_agree(table):
    table += np.random.default_rng(1).normal(size=table.shape)
    for found in (blocked_tukey(table), mean_rank_tukey(table)):
        assert (found.significant == (found.p < 0.05)).all()


@given(tables)
def test_intervals_that_do_not_overlap_are_significant_differences(table):
    # Exact, because all groups have the same size.
    table += np.random.default_rng(1).normal(size=table.shape)
    found = mean_rank_tukey(table)
    first, second = found.pairs.T
    distances = np.abs(found.estimates[first] - found.estimates[second])
    apart = distances > found.half_widths[first] + found.half_widths[second]
    assert apart.tolist() == found.significant.tolist()


def test_a_system_and_its_copy():
    scores = np.array([[0.1, 0.1, 0.4], [0.7, 0.7, 0.5], [0.3, 0.3, 0.9]])
    assert blocked_tukey(scores).p[0] == 1
    assert mean_rank_tukey(scores.T).p[0] == 1


def test_all_scores_equal():
    found = mean_rank_tukey([[2, 2], [2, 2], [2, 2]])
    assert found.p.tolist() == [1, 1, 1]
    assert found.low.tolist() == found.high.tolist() == [0, 0, 0]
    assert not found.significant.any()


def test_where_nothing_is_left_to_compare_with():
    found = blocked_tukey([[0.1, 0.1, 0.4], [1.1, 1.1, 1.4]])
    assert found.note == "the model leaves no residuals"
    assert found.p[0] == 1
    assert np.isnan(found.p[1:]).all()
    assert np.isnan(found.low).all()
    assert not found.significant.any()
    assert blocked_tukey([[1, 2, 3]]).note.startswith("no degrees of freedom")


def test_half_widths_of_equal_reaches_are_their_halves():
    assert comparison_half_widths(4, all_pairs(4), [3.0] * 6) == pytest.approx([1.5] * 4)
    assert comparison_half_widths(2, all_pairs(2), [3.0]).tolist() == [1.5, 1.5]


def test_half_widths_are_least_squares():
    pairs, reach = all_pairs(5), np.random.default_rng(0).uniform(1, 2, 10)
    design = np.zeros((10, 5))
    np.put_along_axis(design, pairs, 1, axis=1)
    expected = np.linalg.lstsq(design, reach, rcond=None)[0]
    assert comparison_half_widths(5, pairs, reach) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: blocked_tukey([[1], [2]]), "at least two"),
        (lambda: blocked_tukey([[1, 2]], confidence_level=1), "between 0 and 1"),
        (lambda: mean_rank_tukey([[1, 2], [3]], confidence_level=0), "between 0 and 1"),
        (lambda: mean_rank_tukey([[1, 2]]), "two or more groups"),
        (lambda: blocked_tukey([[1, NAN], [NAN, 2]]), "share no level"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InputError, match=message):
        call()
