"""Different, equivalent within a margin, or undecided."""

import numpy as np
import pytest
from scipy import stats

from pyramidion import compare
from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import report
from pyramidion.errors import InputError

#: R 4.2.2, t.test at both margins: mixed_models.json, case `tost`, of the shared gold.
DIFFERENCES = [
    0.0374, -0.014, 0.0602, -0.0492, 0.0269, -0.0095, 0.1274, -0.1081, 0.0895, -0.0031, 0.101,
    0.0109, -0.0494, -0.0001, 0.0441, -0.0254, 0.0421, -0.0206, -0.0875, -0.0729, 0.0261, 0.1424,
    -0.128, -0.1609, -0.0013, -0.0269, 0.142, 0.1721, -0.0083, -0.0488,
]  # fmt: skip
ZEROS = [0.0] * len(DIFFERENCES)
P = {0.05: 0.00338133371665742, 0.1: 3.47885865687363e-07}
INTERVAL = (-0.0181502073644233, 0.0320235406977566)

RNG = np.random.default_rng(61)
TOPICS = RNG.normal(size=(40, 1))
NOISE = RNG.normal(size=(40, 4))
NOISE -= NOISE.mean(axis=0)
VALUES = TOPICS + 0.1 * NOISE + [1.0, 0.0, 0.02, 0.0]
OF_MEANS = ("permutation", "paired-t", "mc", "hb")


def matrix(values=VALUES, **more):
    topics = [f"T{row}" for row in range(len(values))]
    return ScoreMatrix(values, topics, list("wxyz")[: values.shape[1]], measure="m", **more)


@pytest.mark.parametrize("margin", P)
def test_two_one_sided_t_tests_are_those_of_r(margin):
    result = compare(DIFFERENCES, ZEROS, test="paired-t", margin=margin)
    assert result.pair.p_equivalence == pytest.approx(P[margin], rel=1e-9)
    assert result.verdict == "equivalent"
    assert f"equivalent within {margin:g}" in result.only.conclusion


def test_the_90_percent_interval_says_the_same():
    result = compare(DIFFERENCES, ZEROS, test="paired-t", alpha=0.1)
    assert result.interval == pytest.approx(INTERVAL, rel=1e-9)
    assert result.verdict == ""
    for margin, verdict in ((0.0321, "equivalent"), (0.032, "undecided")):
        within = compare(DIFFERENCES, ZEROS, test="paired-t", margin=margin)
        assert within.verdict == verdict
        assert (within.pair.margin_low, within.pair.margin_high) == pytest.approx(
            INTERVAL, rel=1e-9
        )


def test_permutations_of_shifted_differences():
    z = np.array([0.1, -0.2, 0.3, 0.05, -0.1, 0.15, 0.0])
    signs = 1 - 2 * ((np.arange(128)[:, None] >> np.arange(7)) & 1)
    # By hand: the share of all signs with which the shifted sum is as far inside.
    sides = [np.mean(signs @ (0.4 + s * z) >= (0.4 + s * z).sum() - 1e-9) for s in (1, -1)]
    result = compare(z, np.zeros(7), margin=0.4)
    assert result.pair.p_equivalence == pytest.approx(max(sides), rel=1e-9)


@pytest.mark.parametrize("test", OF_MEANS)
@pytest.mark.parametrize("correction", ["maxt", "holm", "bh", "none"])
def test_every_paired_test_of_means_finds_the_three_verdicts(test, correction):
    values = VALUES.copy()
    values[:, 3] += 10 * NOISE[:, 0]
    how = {"test": test, "statistic": "t", "correction": correction}
    result = compare(matrix(values), **how, margin=0.2, n_resamples=999)
    verdicts = {frozenset((c.a, c.b)): c.verdict for c in result.comparisons}
    assert verdicts[frozenset("wx")] == verdicts[frozenset("wy")] == "different"
    assert verdicts[frozenset("xy")] == "equivalent"
    assert verdicts[frozenset("xz")] == verdicts[frozenset("yz")] == "undecided"
    for pair in result.comparisons:
        assert 0 < pair.p_equivalence <= pair.p_equivalence_adjusted <= 1


def test_the_margin_is_corrected_by_holm():
    result = compare(matrix(), margin=0.2, test="paired-t")
    raw = np.array([c.p_equivalence for c in result.comparisons])
    order, expected, most = np.argsort(raw), np.empty(6), 0.0
    for step, index in enumerate(order):
        expected[index] = most = max(most, min(1.0, (6 - step) * raw[index]))
    assert [c.p_equivalence_adjusted for c in result.comparisons] == pytest.approx(expected)


def test_a_real_difference_may_be_within_the_margin():
    result = compare(matrix(VALUES[:, :2]), margin=2.0)
    assert result.verdict == "equivalent"
    assert result.pair.note == "different, by less than the margin"
    text = "w and x are equivalent within 2 (p < .001), though significantly different (p < .001)"
    assert text in result.only.conclusion


def test_words_and_verdicts_of_pairs_that_differ_within_the_margin_agree():
    noise = NOISE / NOISE.std(axis=0)
    # w is far ahead; x differs from y and z by less than the margin, and these do not differ.
    values = TOPICS + 0.01 * noise + [1.0, 0.1, 0.0, 0.0]
    result = compare(matrix(values), margin=0.2)
    verdicts = [row[-2] for row in result.tables[-1].rows]
    assert sum(verdict.startswith("equivalent") for verdict in verdicts) == 3
    assert verdicts.count("equivalent within 0.2, though different") == 2
    assert [pair.note for pair in result.comparisons].count(
        "different, by less than the margin"
    ) == 2
    assert result.conclusion.startswith("w leads; it beats x, ")
    assert (
        "3 of 6 pairs are equivalent within 0.2 (p < .001), 2 of them though significantly "
        "different; 3 more differ significantly." in result.conclusion
    )
    lower = compare(matrix(values[:, 1:]), margin=0.2).conclusion
    assert lower.startswith("w has the best mean, but every significant difference is within 0.2.")
    assert "3 of 3 pairs are equivalent within 0.2 (p < .001), 2 of them though" in lower
    assert "beats" not in lower


def test_who_is_within_the_margin_of_a_leader_is_not_beaten():
    noise = NOISE / NOISE.std(axis=0)
    values = TOPICS + 0.01 * noise + [0.1, 0.0, -1.0, -3.0]
    text = compare(matrix(values), margin=0.2).conclusion
    assert text.startswith("w and x lead; both are equivalent within 0.2 (p < .001); both beat y")
    against = compare(matrix(values), margin=0.2, baseline="x").conclusion
    assert "; w is equivalent to it within 0.2 (p < .001)." in against
    assert against.startswith("y and z are worse")
    values[:, 2] = values[:, 0] - 0.15 + 0.6 * noise[:, 2]
    mixed = compare(matrix(values), margin=0.2).conclusion
    assert mixed.startswith("w, x and y lead; x is equivalent to w within 0.2 (p < .001), and y is")


def test_clusters_and_models_know_margins():
    clusters = [f"c{row // 5}" for row in range(40)]
    result = compare(matrix(clusters=clusters), test="paired-t", margin=0.3)
    means = VALUES.reshape(8, 5, 4).mean(axis=1)
    pair = next(c for c in result.comparisons if {c.a, c.b} == set("xy"))
    z = means[:, "wxyz".index(pair.a)] - means[:, "wxyz".index(pair.b)]
    sides = [stats.ttest_1samp(z, s * 0.3, alternative=how).pvalue
             for s, how in ((-1, "greater"), (1, "less"))]  # fmt: skip
    assert pair.p_equivalence == pytest.approx(max(sides), rel=1e-9)
    model = compare(matrix(), model="lmm", margin=0.2)
    plain = compare(matrix(), test="paired-t", margin=0.2)
    assert [c.verdict for c in model.comparisons] == [c.verdict for c in plain.comparisons]


def test_the_level_decides_how_many_resamples_a_margin_takes():
    values = RNG.normal(size=(40, 1)) + 0.1 * RNG.normal(size=(40, 6))
    topics = [f"T{row}" for row in range(40)]
    many = ScoreMatrix(values, topics, list("uvwxyz"), measure="m")
    result = compare(many, margin=1.0, alpha=0.0005)
    # With 9,999 resamples no pair of 15 could be: 15 / 2 / 10,000 > 0.0005.
    assert {pair.verdict for pair in result.comparisons} == {"equivalent"}


@pytest.mark.parametrize("clusters", [(), [f"c{row // 5}" for row in range(40)]])
@pytest.mark.parametrize("shift", [0.0, 0.25])
@pytest.mark.parametrize("test", ["permutation", "paired-t", "mc", "hb"])
def test_differences_that_never_vary_are_not_shown_to_be_equivalent(test, shift, clusters):
    values = np.column_stack([np.arange(40) + shift, np.arange(40)])
    result = compare(matrix(values, clusters=clusters), test=test, statistic="t", margin=0.5)
    assert np.isnan(result.pair.p_equivalence)
    # A shift that never varies is no chance to a permutation, and t knows none.
    assert result.verdict in (("undecided", "different") if shift else ("undecided",))
    assert result.pair.note
    assert "equivalent" not in result.conclusion


@pytest.mark.parametrize("test", ["unpaired-t", "welch"])
def test_unpaired_scores_may_vary_where_differences_do_not(test):
    assert compare(matrix(VALUES[:, [0, 0]]), test=test, margin=5.0).verdict == "equivalent"
    zeros = compare(matrix(np.zeros((40, 2))), test=test, margin=5.0)
    assert (zeros.verdict, bool(zeros.pair.note)) == ("undecided", True)


@pytest.mark.parametrize("family", ["pairs", "measures"])
def test_scores_that_are_all_the_same_leave_every_pair_undecided(family):
    result = compare(matrix(np.zeros((40, 3))), margin=0.1, family=family)
    assert {pair.verdict for pair in result.comparisons} == {"undecided"}
    assert {pair.note for pair in result.comparisons} == {
        "nothing varies, so no margin can be tested"
    }


def test_what_is_shown():
    result = compare(matrix(), margin=0.2)
    assert "equivalent within 0.2" in str(result)
    assert "3 of 6 pairs differ significantly; 3 are equivalent within 0.2" in result.conclusion
    frame = result.to_frame("pairs")
    assert {"verdict", "p_equivalent"} <= set(frame.columns)
    record = result.to_dict()
    comparison = record["results"][0] if "results" in record else record
    assert comparison["margin"] == 0.2
    assert {"verdict", "p_equivalence", "p_equivalence_adjusted"} <= set(
        comparison["comparisons"][0]
    )
    assert "Schuirmann" in report(matrix(), margin=0.2).to_html()
    assert "margin:0.2" in str(result.signature)


def test_nothing_is_said_of_equivalence_without_a_margin():
    result = compare(matrix())
    assert "equivalent" not in str(result).replace("--margin", "")
    assert "not significantly different" not in str(result)
    assert "verdict" not in str(result.to_dict())


@pytest.mark.parametrize("margin", [0, -1, float("nan"), float("inf")])
def test_margins_are_above_zero(margin):
    with pytest.raises(InputError, match=r"margin is .+; give a number"):
        compare(matrix(), margin=margin)


@pytest.mark.parametrize("test", ["kruskal", "wilcoxon", "mc", "hb"])
def test_ranks_have_no_margin(test):
    refusal = rf"{test}( of w)? has no margin; .*use --test permutation or paired-t"
    with pytest.raises(InputError, match=refusal):
        compare(matrix(), test=["permutation", test], margin=0.1)


def test_too_few_topics_for_a_margin_are_reported():
    result = compare(matrix(VALUES[:6]), margin=3.0)
    assert (
        "6 topics are too few to show by permutation that one of 6 pairs is equivalent"
        in " ".join(result.notes)
    )
    assert {pair.verdict for pair in result.comparisons} <= {"different", "undecided"}
    assert not any("too few" in note for note in compare(matrix(VALUES[:7]), margin=3.0).notes)


def test_letters_and_wins_follow_the_verdicts():
    # y is above x and z by .02, which is significant and less than the margin.
    scores = matrix(TOPICS + 0.01 * NOISE + [1.0, 0.0, 0.02, 0.0])
    sure = compare(scores, margin=0.1)
    (pair,) = (p for p in sure.comparisons if {p.a, p.b} == {"y", "z"})
    assert sure.only.significant(pair)
    assert pair.verdict == "equivalent"
    assert {s.system: s.group for s in sure.systems} == {"w": "a", "y": "b", "x": "b", "z": "b"}
    assert [s.cluster for s in sure.systems] == [1, 2, 2, 2]
    page = report(scores, margin=0.1).to_html()
    assert page.count("beats 3, equivalent 0, undecided 0, loses to 0, p undefined 0") == 1
    assert page.count("beats 0, equivalent 2, undecided 0, loses to 1, p undefined 0") == 3
