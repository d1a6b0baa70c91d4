"""Scores of 0 and 1, skewed differences, and what the output says about them."""

import numpy as np
import pytest
from scipy import stats

from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import compare
from pyramidion.errors import InputError


def binary(better: int, worse: int, topics: int) -> tuple[np.ndarray, np.ndarray]:
    """Two systems that differ on some topics."""
    first, second = np.ones((2, topics))
    second[:better] = 0
    first[better : better + worse] = 0
    return first, second


def test_scores_of_0_and_1_have_mid_p_values() -> None:
    first, second = binary(8, 2, 20)
    # P(X <= 2) + P(X < 2) of ten tosses of a coin: (56 + 11) / 1024.
    result = compare(first, second)
    assert result.p == pytest.approx(67 / 1024)
    assert result.pair.p_adjusted == result.p
    assert "mid-p values of McNemar's test" in " ".join(result.notes)
    exact = compare(first, second, exact=True)
    assert exact.p == pytest.approx(stats.binomtest(2, 10).pvalue)
    assert "exact values of McNemar's test" in " ".join(exact.notes)
    # As often better as worse: half of the probability of 5 of 10 counts.
    assert compare(*binary(5, 5, 20)).p == pytest.approx(1 - stats.binom.pmf(5, 10, 0.5) / 2)


def test_if_systems_differ_on_nearly_all_topics_p_values_are_exact() -> None:
    assert compare(*binary(8, 2, 13)).p == pytest.approx(stats.binomtest(2, 10).pvalue)
    assert compare(*binary(8, 2, 14)).p == pytest.approx(67 / 1024)


def test_equal_systems_and_other_tests_have_no_mid_p_values() -> None:
    first, _ = binary(3, 0, 12)
    same = compare(np.arange(12) % 2.0, np.arange(12) % 2.0)
    assert same.p == 1
    by_t = compare(*binary(8, 2, 20), test="paired-t")
    assert by_t.p == pytest.approx(stats.ttest_rel(*binary(8, 2, 20)).pvalue)
    assert not any("McNemar" in note for note in by_t.notes)
    with pytest.raises(InputError, match="only permutation has mid-p values"):
        compare(first, first, test="wilcoxon", exact=True)


def test_missing_scores_of_0_and_1() -> None:
    values = np.column_stack([*binary(8, 2, 22), np.ones(22)])
    values[20:, 0] = np.nan
    names = [f"T{row}" for row in range(22)]
    result = compare(ScoreMatrix(values, names, list("xyz"), measure="m"), correction="none")
    pair = next(pair for pair in result.comparisons if {pair.a, pair.b} == {"x", "y"})
    assert (pair.n, pair.p) == (20, pytest.approx(67 / 1024))


def test_skewed_differences_are_not_equivalent_too_easily() -> None:
    rng = np.random.default_rng(6)
    z = rng.exponential(size=20) - 1 + 0.3
    margin, n = 1.0, 20
    result = compare(z, np.zeros(n), margin=margin)
    # Hall's transformation of both one-sided t statistics, with SciPy's skewness.
    g, sides = stats.skew(z, bias=False), []
    for sign in (-1, 1):
        t = (z.mean() - sign * margin) / stats.sem(z)
        t += g * t**2 / (3 * n**0.5) + g**2 * t**3 / (27 * n) + g / (6 * n**0.5)
        sides.append(stats.t.cdf(sign * t, n - 1))
    plain = compare(z, np.zeros(n), margin=margin, test="paired-t")
    assert result.pair.p_equivalence >= max(sides) - 1e-12
    assert max(sides) > plain.pair.p_equivalence
    t = [stats.ttest_1samp(z, s * margin, alternative=how).pvalue
         for s, how in ((-1, "greater"), (1, "less"))]  # fmt: skip
    assert plain.pair.p_equivalence == pytest.approx(max(t))


def table(kind: str, seed: int) -> ScoreMatrix:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(25, 1)) + rng.normal(size=(25, 6))
    if kind == "lognormal":
        values[:, 2] += 3 * (rng.lognormal(size=25) - np.exp(0.5))
    topics = [f"T{row}" for row in range(25)]
    return ScoreMatrix(values, topics, list("uvwxyz"), measure="m")


def test_a_system_with_skewed_differences_is_named() -> None:
    noted = {
        kind: [
            [note for note in compare(table(kind, seed), n_resamples=99).notes if "skewed" in note]
            for seed in range(20)
        ]
        for kind in ("normal", "lognormal")
    }
    # By the benchmark, some .9 of the tables with and at most .08 of those without such a system.
    assert sum(map(bool, noted["lognormal"])) >= 15
    assert sum(map(bool, noted["normal"])) <= 4
    assert (
        "The differences of w from the other systems" in next(filter(None, noted["lognormal"]))[0]
    )
