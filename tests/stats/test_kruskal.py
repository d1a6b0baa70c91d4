"""Kruskal-Wallis against R's kruskal.test, and its properties."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._kruskal import kruskal_wallis, rank_groups
from support import GOLD, shared_file

# R 4.2.2, stats::kruskal.test.
CASES = json.loads((GOLD / "stats" / "kruskal_multcompare.json").read_text(encoding="utf-8"))[
    "cases"
]

groups_of_scores = st.lists(
    st.lists(st.integers(1, 5).map(float), min_size=1, max_size=8), min_size=2, max_size=6
)


def groups_of(case):
    table = np.array(case["inputs"]["matrix"], dtype=float)
    return table.T if case["inputs"]["groups"] == "systems" else table


@pytest.mark.parametrize("name", CASES)
def test_gold(name):
    found = kruskal_wallis(groups_of(CASES[name]))
    mine = {
        "H_uncorrected": found.uncorrected,
        "H_tie_corrected": found.statistic,
        "df": found.df,
        "p": found.p,
        "N": found.ranks.total,
        "mean_ranks": found.ranks.mean_ranks.tolist(),
        "n": found.ranks.n.tolist(),
        "sum_t3_minus_t": found.ranks.tie_term,
        "pooled_rank_variance": found.ranks.variance,
    }
    for key, value in mine.items():
        assert value == pytest.approx(CASES[name]["outputs"][key], rel=1e-9), key
    missing = np.isnan(groups_of(CASES[name])).sum()
    assert found.ranks.missing == missing


@pytest.mark.parametrize("name", ["kruskalwallis_pyr_systems", "kruskalwallis_pyr_topics"])
def test_gold_of_octave(name):
    # GNU Octave 7.3.0, statistics 1.5.3, kruskalwallis; its chi-square has fewer digits.
    path = GOLD / "stats" / "regression_octave.json"
    path = path if path.exists() else shared_file("gold/stats/regression_octave.json")
    case = json.loads(path.read_text(encoding="utf-8"))["cases"][name]
    found, expected = kruskal_wallis(np.array(case["inputs"]["matrix"]).T), case["outputs"]
    assert found.statistic == pytest.approx(expected["H"], rel=1e-9)
    assert found.p == pytest.approx(expected["p"], rel=1e-6)
    assert found.ranks.mean_ranks == pytest.approx(expected["meanranks"], rel=1e-9)
    assert found.ranks.tie_term == expected["sumt"]


@given(groups_of_scores, st.randoms(use_true_random=False))
def test_order_of_groups_and_values_does_not_matter(groups, random):
    found = kruskal_wallis(groups)
    for group in groups:
        random.shuffle(group)
    random.shuffle(groups)
    again = kruskal_wallis(groups)
    assert again.statistic == pytest.approx(found.statistic, rel=1e-9, abs=1e-12)


@given(groups_of_scores, st.integers(-30, 30))
def test_only_the_order_of_values_counts(groups, shift):
    found = kruskal_wallis(groups)
    moved = [[np.exp(value / 2) + shift / 10 for value in group] for group in groups]
    assert kruskal_wallis(moved).statistic == pytest.approx(found.statistic, rel=1e-9, abs=1e-12)


@given(groups_of_scores)
def test_p_is_a_probability(groups):
    found = kruskal_wallis(groups)
    assert 0 <= found.p <= 1
    assert found.statistic >= 0


def test_all_values_tied():
    found = kruskal_wallis([[3, 3], [3, 3, 3]])
    assert (found.statistic, found.p) == (0, 1)
    assert found.ranks.variance == 0


def test_noise_makes_no_ranks():
    assert kruskal_wallis([[0.3, 0.1 + 0.2], [0.3]]).p == 1


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        ([], InputError, "two or more groups, not 0"),
        ([[1, 2]], InputError, "two or more groups, not 1"),
        ([[1, 2], []], InputError, r"groups\[1\]` has 0 values"),
        ([[1, 2], [np.nan]], InputError, r"groups\[1\]` has no value"),
        ([[1, 2], [np.inf]], InputError, r"groups\[1\]` has an infinite value"),
        ([[1, 2], ["a"]], InputError, "not a number"),
        ([[1, 2], 3], ShapeError, "0 dimensions"),
    ],
)
def test_bad_input(groups, error, message):
    with pytest.raises(error, match=message):
        rank_groups(groups)
