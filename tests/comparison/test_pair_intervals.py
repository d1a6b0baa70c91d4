"""Every pair has an interval that agrees with its test and the correction."""

import itertools
import json

import numpy as np
import pytest

from pyramidion import compare
from pyramidion.collection import Scale, ScoreMatrix

RNG = np.random.default_rng(8)
TOPICS = [f"T{number}" for number in range(24)]
SYSTEMS = list("abcde")
VALUES = RNG.normal(size=(24, 1)) + 0.6 * RNG.normal(size=(24, 5)) + [0, 0.1, 0.4, 0.7, 1.0]
CLUSTERS = [str(number // 3) for number in range(24)]


def matrix(values=VALUES, **more):
    return ScoreMatrix(values, TOPICS, SYSTEMS, measure="m", **more)


def excludes(pair):
    return pair.low > 0 or pair.high < 0


TESTS = [
    ("permutation", "w"), ("paired-t", "w"), ("wilcoxon", "w"), ("mc", "w"), ("mc", "t"),
    ("mc", "t-unpaired"), ("hb", "w"), ("hb", "t"), ("unpaired-t", "w"), ("welch", "w"),
]  # fmt: skip
SCORES = {
    "continuous": VALUES, "binary": (VALUES > 0.5).astype(float), "five points":
    np.clip(np.rint(VALUES + 2), 1, 5), "missing": np.where(RNG.random(VALUES.shape) < 0.1, np.nan,
                                                            VALUES),
}  # fmt: skip


CASES = [
    *((*test, "continuous", correction) for test in TESTS for correction in ("maxt-single", "bh")),
    *((*TESTS[0], scores, "maxt-single") for scores in SCORES),
    *((*TESTS[2], scores, "maxt") for scores in SCORES),
    *((*TESTS[0], "continuous", correction) for correction in ("maxt", "holm", "none")),
]


@pytest.mark.parametrize(("test", "statistic", "scores", "correction"), dict.fromkeys(CASES))
def test_an_interval_excludes_0_exactly_for_significant_pairs(test, statistic, scores, correction):
    result = compare(
        matrix(SCORES[scores]), test=test, statistic=statistic, correction=correction,
        n_resamples=199,
    )  # fmt: skip
    stepwise = result.correction in ("maxt", "holm")
    for pair in result.comparisons:
        if np.isnan(pair.low):
            # Differences of 0 and 1 are mostly 0, so their ranks have no interval.
            assert scores == "binary"
            assert statistic == "w"
            continue
        assert pair.low < pair.high
        assert excludes(pair) <= result.only.significant(pair)
        if not stepwise:
            assert excludes(pair) == result.only.significant(pair)
    hidden = sum(
        result.only.significant(pair) and not excludes(pair) for pair in result.comparisons
    )
    assert any("includes 0" in note for note in result.notes) == bool(hidden)


NEAR_END = np.full((24, 5), 5.0)
NEAR_END[:6, 1], NEAR_END[[3, 8], 2], NEAR_END[:9, 4] = [4, 4, 3, 4, 4, 4], [1, 3], 3


@pytest.mark.parametrize("correction", ["maxt", "maxt-single", "holm", "bh", "none"])
def test_ratings_near_the_end_of_a_scale_have_wider_intervals_that_agree_with_the_test(correction):
    found = compare(matrix(NEAR_END), correction=correction, n_resamples=999)
    # Means of two half points are not known to be ratings.
    plain = compare(matrix(NEAR_END / 2 + 10.25), correction=correction, n_resamples=999)
    for pair, narrow in zip(found.comparisons, plain.comparisons, strict=True):
        assert (pair.p, pair.p_adjusted) == (narrow.p, narrow.p_adjusted)
        assert excludes(pair) <= found.only.significant(pair)
        # Stepwise corrections may find what no interval shows, but no more than before.
        assert excludes(pair) >= excludes(narrow)
        assert not pair.high - pair.low < 2 * (narrow.high - narrow.low)
        if correction in ("maxt-single", "bh", "none"):
            assert excludes(pair) == found.only.significant(pair)
    assert any(excludes(pair) for pair in found.comparisons)
    equal = next(pair for pair in found.comparisons if {pair.a, pair.b} == {"a", "d"})
    assert -2 < equal.low == pytest.approx(-equal.high)
    assert -2 < equal.low < -0.2


def test_shares_and_declared_scales_of_many_steps_have_the_intervals_of_the_test():
    scores = NEAR_END / 5
    declared = matrix(scores, scale=Scale(0, 1)), matrix(100 * scores, scale=Scale(0, 100))
    for one, factor in zip(declared, (1, 100), strict=True):
        for pair, unscaled in zip(
            compare(one).comparisons, compare(matrix(scores + 7.05)).comparisons, strict=True
        ):
            assert pair.low == pytest.approx(factor * unscaled.low, nan_ok=True)
    rated, unknown = (
        compare(matrix(NEAR_END - 0.5, **more)).comparisons for more in ({"scale": Scale(0, 5)}, {})
    )
    # Halves are not ratings by themselves, but on a declared scale of few steps they are.
    assert not any(np.isnan(pair.low) for pair in rated)
    assert sum(np.isnan(pair.low) for pair in unknown) == 1
    wider = [a.low < b.low for a, b in zip(rated, unknown, strict=True) if not np.isnan(b.low)]
    assert sum(wider) > 5


@pytest.mark.parametrize("test", ["permutation", "paired-t", "wilcoxon", "mc", "hb"])
@pytest.mark.parametrize("correction", ["maxt-single", "none"])
def test_intervals_with_clusters_agree_with_the_test(test, correction):
    result = compare(
        matrix(clusters=CLUSTERS), test=test, correction=correction, n_resamples=199
    )  # fmt: skip
    for pair in result.comparisons:
        assert excludes(pair) == result.only.significant(pair)


def test_corrected_intervals_contain_uncorrected_ones():
    alone, together = (
        compare(matrix(), correction=how).comparisons for how in ("none", "maxt-single")
    )
    for single, pair in zip(alone, together, strict=True):
        assert pair.low < single.low < single.high < pair.high


@pytest.mark.parametrize("model", ["lmm", "ordinal"])
@pytest.mark.parametrize("correction", ["maxt", "none"])
def test_intervals_of_models_agree_with_their_tests(model, correction):
    scores = matrix(SCORES["five points"])
    result = compare(scores, model=model, correction=correction)
    for pair in result.comparisons:
        assert excludes(pair) == result.only.significant(pair)
        assert pair.low < pair.difference < pair.high
    # One interval of several is wider than an interval alone.
    ends = np.array([(pair.low, pair.high) for pair in result.comparisons])
    single = np.array(result.only.model.pair_intervals)
    wider = np.ptp(ends, axis=1) / np.ptp(single, axis=1)
    expected = {"maxt": wider > 1.1, "none": np.isclose(wider, 1)}
    assert expected[correction].all()


@pytest.mark.parametrize(
    "how", [{"correction": "maxt-single", "n_resamples": 199}, {"model": "lmm"}]
)
def test_a_family_of_measures_has_wider_intervals(how):
    rows = [
        {"topic": topic, "system": system, "measure": name, "value": value}
        for name, values in (("m", VALUES), ("n", VALUES[::-1] ** 3))
        for topic, row in zip(TOPICS, values, strict=True)
        for system, value in zip(SYSTEMS, row.tolist(), strict=True)
    ]
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rows)
    how = {"correction": "maxt-single", "n_resamples": 499}
    for alone, family in zip(
        compare(frame, **how), compare(frame, family="measures", **how), strict=True
    ):
        for single, pair in zip(alone.comparisons, family.comparisons, strict=True):
            # Models are corrected by Holm's procedure, which is stepwise.
            assert excludes(pair) <= family.significant(pair)
            assert "model" in how or excludes(pair) == family.significant(pair)
            assert pair.high - pair.low > single.high - single.low


def test_a_test_without_units_has_no_interval_and_says_so():
    result = compare(matrix(), test="kruskal")
    assert all(np.isnan(pair.low) for pair in result.comparisons)
    assert (
        "Pairs have no intervals: kruskal does not estimate a difference in units of the score."
    ) in result.notes
    assert "low" not in result.to_frame("pairs").columns


def test_signed_ranks_have_intervals_of_the_pseudomedian():
    result = compare(VALUES[:, 0], VALUES[:, 4], test="wilcoxon")
    z = VALUES[:, 0] - VALUES[:, 4]
    means = np.sort([(a + b) / 2 for a, b in itertools.combinations_with_replacement(z, 2)])
    # R 4.3, qsignrank(0.025, 24) is 82; the normal approximation has 81.04.
    assert result.interval == pytest.approx((means[81], means[-82]))
    assert "pseudomedian" in str(result)


def test_intervals_are_in_every_form(tmp_path):
    result = compare(matrix(), margin=0.5)
    record = json.loads(result.to_json())["results"][0]["comparisons"][0]
    pair = result.comparisons[0]
    assert (record["low"], record["high"]) == (pair.low, pair.high)
    # The 90% interval, of two one-sided tests, lies within the 95% interval.
    assert pair.low < record["margin_low"] < record["margin_high"] < pair.high
    assert result.to_frame("pairs")["low"].tolist() == [c.low for c in result.comparisons]
    assert "a,b,n,difference,low,high,statistic" in result.to_csv()
    drawing = result.plot("differences").to_svg()
    assert "simultaneous 95% intervals" in drawing
    without = json.loads(compare(matrix()).to_json())["results"][0]["comparisons"][0]
    assert "margin_low" not in without


@pytest.mark.parametrize("correction", ["maxt", "none", "bh"])
def test_intervals_by_people_and_judge_agree_with_their_tests(correction):
    rng, rows = np.random.default_rng(8), []
    for topic, system in itertools.product(range(60), "xyz"):
        truth = {"x": 0.9, "y": 0.2, "z": 0.0}[system] + rng.normal()
        rows.append((f"T{topic}", system, "judge", truth + rng.normal()))
        rows += [(f"T{topic}", system, "people", truth)] * (topic < 25)
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rows, columns=["topic", "system", "measure", "value"])
    result = compare(frame, human="people", judge="judge", correction=correction)
    assert {excludes(pair) for pair in result.comparisons} == {True, False}
    for pair in result.comparisons:
        assert excludes(pair) == result.only.significant(pair)
        assert pair.low < pair.difference < pair.high


@pytest.mark.parametrize("how", [{}, {"test": "paired-t"}, {"model": "lmm"}])
@pytest.mark.parametrize("correction", ["none", "bh", "holm"])
def test_pairs_are_equivalent_if_their_intervals_lie_within_the_margin(how, correction):
    # Skewed differences, for which the test of equivalence is stricter than t.
    values = VALUES.copy()
    values[:3, 1] += 1.5
    result = compare(matrix(values), margin=0.6, correction=correction, **how)
    verdicts = {pair.verdict for pair in result.comparisons}
    assert "equivalent" in verdicts
    assert len(verdicts) > 1
    for pair in result.comparisons:
        inside = pair.margin_low > -0.6 and pair.margin_high < 0.6
        assert inside <= (pair.verdict == "equivalent")
        if correction != "holm":
            assert inside == (pair.verdict == "equivalent")
