"""How scores settle as pyramids grow: everything beside plain loops over combinations."""

from itertools import combinations
from math import comb, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramid.reliability_samples import peer_of, pyramid_of, random_membership
from pyramidion.collection.pyramids import Pyramid
from pyramidion.errors import InputError
from pyramidion.pyramid.content_units import Content, score_content
from pyramidion.stats import spearman
from pyramidion.studies import stability
from pyramidion.studies._stability.growth import (
    GrowingScores,
    full_scores,
    gather_contenders,
    score_growth,
    score_sub_pyramids,
    spread_by_order,
    sub_pyramids,
    subsets,
)
from pyramidion.studies._stability.ranking import (
    OrderCorrelation,
    OrderErrors,
    divergence_points,
    make_splits,
    pooled_correlations,
    pooled_errors,
    rank_correlations,
    ranking_errors,
    reliable_order,
    resampled_correlations,
    standard_ranks,
)
from pyramidion.studies._stability.study import StabilitySettings, study_stability

SCORES = ("original", "modified")

#: Thesis, Table 3.1: n, p1, p2, p3, p.
TABLE_3_1 = (
    (1, 0.41, 0.23, 0.08, 0.35),
    (2, 0.27, 0.23, 0.03, 0.26),
    (3, 0.16, 0.19, 0.01, 0.18),
    (4, 0.09, 0.17, 0.00, 0.14),
    (5, 0.05, 0.14, 0.00, 0.10),
    (6, 0.02, 0.10, 0.00, 0.06),
    (7, 0.01, 0.06, 0.00, 0.04),
    (8, 0.00, 0.01, 0.00, 0.01),
)


def contenders_of(seed=0, *, references=5, units=14, peers=2, which="all"):
    rng = np.random.default_rng(seed)
    pyramid = pyramid_of(random_membership(rng, units, references))
    annotated = {
        f"peer{number}": peer_of(
            pyramid, np.flatnonzero(rng.random(units) < 0.4), outside=int(rng.integers(4))
        )
        for number in range(peers)
    }
    return gather_contenders(pyramid, annotated, which=which)


def one_score(contenders, column, models, score):
    """Score by `score_content`, as one would by hand."""
    table = contenders.counted[:, list(models)]
    if not table.any():
        return float("nan")
    return getattr(score_content(contenders.contents[column], table), score)


def outside(contenders, column):
    """Return the references that are not the summary itself."""
    return [r for r in range(contenders.references) if r != contenders.reference[column]]


def scores_by_hand(contenders, column, order, score):
    return [
        one_score(contenders, column, models, score)
        for models in combinations(outside(contenders, column), order)
    ]


def full_by_hand(contenders, score):
    return [
        one_score(contenders, column, outside(contenders, column), score)
        for column in range(len(contenders.names))
    ]


# Sub-pyramids


def test_ten_references_have_1023_sub_pyramids():
    every = sub_pyramids(10)
    assert len(every) == 1023
    assert len(np.unique(every, axis=0)) == 1023
    assert np.bincount(every.sum(axis=1))[1:].tolist() == [comb(10, n) for n in range(1, 11)]


@pytest.mark.parametrize(("of", "size", "most"), [(12, 6, 300), (30, 15, 40), (16, 8, 5000)])
def test_a_sample_of_subsets_is_distinct_and_seeded(of, size, most):
    some = subsets(of, size, limit=most, rng=3)
    assert some.shape == (most, of)
    assert set(some.sum(axis=1)) == {size}
    assert len(np.unique(some, axis=0)) == most
    np.testing.assert_array_equal(some, subsets(of, size, limit=most, rng=3))
    assert (some != subsets(of, size, limit=most, rng=4)).any()


def test_only_large_orders_are_sampled():
    some = sub_pyramids(16, limit=5000)
    assert np.bincount(some.sum(axis=1))[[2, 6, 8, 15]].tolist() == [120, 5000, 5000, 16]


@pytest.mark.parametrize("score", SCORES)
def test_scores_are_those_of_score_content(score):
    contenders = contenders_of(1)
    grown = score_growth(contenders, score=score)
    for row, drawn in zip(grown.values, grown.included, strict=True):
        models = np.flatnonzero(drawn)
        for column, found in enumerate(row):
            if contenders.reference[column] in models:
                assert isnan(found)
            else:
                assert found == one_score(contenders, column, models, score)


def test_scores_in_blocks_are_the_same(monkeypatch):
    contenders = contenders_of(2, references=7)
    whole = score_growth(contenders).values
    monkeypatch.setattr("pyramidion.studies._stability.growth._CELLS", 100)
    np.testing.assert_array_equal(score_growth(contenders).values, whole)


def test_a_model_drawn_twice_weighs_twice():
    """By hand: weights 2, 1, 0; two units weigh 3 at the most; the summary has 2 of them."""
    said = [Content(np.array([1, 0, 1]))]
    table = [[1, 0], [0, 1], [0, 0]]
    assert score_sub_pyramids([[2, 1]], table, said, score="weight").tolist() == [[2.0]]
    assert score_sub_pyramids([[2, 1]], table, said).tolist() == [[2 / 3]]
    # On average a model has one unit (two times one of 2, one of 1), which weighs 2 at most.
    assert score_sub_pyramids([[2, 1]], table, said, score="modified").tolist() == [[1.0]]


def test_empty_summaries_score_nothing_and_empty_models_give_no_score():
    pyramid = pyramid_of([[1, 0, 1], [1, 0, 1]])
    contenders = gather_contenders(pyramid, {"mute": peer_of(pyramid, [])})
    grown = score_growth(contenders)
    # Sub-pyramids of order 1: R0, R1 (empty), R2; summaries R0, R1, R2, mute.
    np.testing.assert_array_equal(
        grown.values[:3],
        [[np.nan, 0, 1, 0], [np.nan, np.nan, np.nan, np.nan], [1, 0, np.nan, 0]],
    )
    assert grown.undefined == 3
    notes = study_stability(pyramid).notes
    assert "undefined scores, as models have no content units: 2" in notes


# Scores by order


@pytest.mark.parametrize("score", SCORES)
def test_spread_is_that_of_all_combinations(score):
    contenders = contenders_of(3)
    spread = spread_by_order(score_growth(contenders, score=score))
    for column in range(len(contenders.names)):
        for row, order in enumerate(spread.orders):
            by_hand = scores_by_hand(contenders, column, order, score)
            assert spread.count[row, column] == len(by_hand)
            if by_hand:
                assert spread.low[row, column] == min(by_hand)
                assert spread.high[row, column] == max(by_hand)
                assert spread.mean[row, column] == pytest.approx(np.mean(by_hand))
            else:
                assert isnan(spread.mean[row, column])


def test_figure_3_2_counts_the_pyramids_of_nine_models():
    """Thesis, 3.1.1: the numbers in brackets are pyramids of nine available models."""
    spread = spread_by_order(score_growth(contenders_of(4, references=10, peers=0)))
    assert spread.count[:9, 0].tolist() == [comb(9, n) for n in range(1, 10)]
    assert spread.count[9].tolist() == [0] * 10


@pytest.mark.parametrize("score", SCORES)
def test_divergence_is_where_no_pyramid_confuses_two(score):
    contenders = contenders_of(5, references=6)
    grown = score_growth(contenders, score=score)
    full = full_by_hand(contenders, score)
    np.testing.assert_array_equal(grown.full, full)
    found = {(p.better, p.worse): p for p in divergence_points(grown, apart=0.1)}
    apart = 0
    for a, b in combinations(range(len(full)), 2):
        better, worse = (a, b) if full[a] > full[b] else (b, a)
        if full[better] - full[worse] <= 0.1:
            continue
        apart += 1
        pair = found[contenders.names[better], contenders.names[worse]]
        assert pair.difference == full[better] - full[worse]
        parted = [
            min(first) > max(second)
            for order in range(1, contenders.references + 1)
            if (first := scores_by_hand(contenders, better, order, score))
            and (second := scores_by_hand(contenders, worse, order, score))
        ]
        assert pair.order == (parted.index(True) + 1 if any(parted) else None)
        assert pair.stable == (any(parted) and all(parted[parted.index(True) :]))
    assert apart == len(found) > 5


def test_references_apart_diverge_at_the_highest_order_at_the_latest():
    for seed in range(5):
        grown = score_growth(contenders_of(seed, references=5, peers=0))
        for pair in divergence_points(grown):
            assert pair.order is not None
            assert pair.order <= 4
            assert pair.stable or pair.order < 4


def test_a_relapse_is_told():
    """By hand: apart at order 1, mixed at 2, apart at 3."""
    values = np.array([[0.9, 0.5], [0.8, 0.4], [0.7, 0.3], *[[0.5, 0.5]] * 3, [0.9, 0.1]])
    grown = GrowingScores(("7", "8"), np.array([-1, -1]), sub_pyramids(3), values, values[-1])
    [pair] = divergence_points(grown)
    assert (pair.order, pair.stable) == (1, False)


def test_the_limits_are_limits_in_spite_of_rounding():
    """0.56 - 0.5 and 0.6 - 0.5 are a little more than 0.06 and less than 0.1 in binary."""
    values = np.array([[0.56, 0.5], [0.6, 0.5], [0.56, 0.5]])
    grown = GrowingScores(("7", "8"), np.array([-1, -1]), sub_pyramids(2), values, values[2])
    [errors] = ranking_errors(grown)
    assert (errors.equal, errors.e1) == (2, 1)
    at_limit = GrowingScores(
        ("7", "8"), np.array([-1, -1]), sub_pyramids(2), values, np.array([0.9, 0.8])
    )
    assert divergence_points(at_limit) == ()


# Errors


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("which", ["all", "references", "peers"])
def test_errors_are_those_of_plain_loops(score, which):
    contenders = contenders_of(6, references=6, peers=6, which=which)
    full = full_by_hand(contenders, score)
    expected = {}
    for a, b in combinations(range(len(full)), 2):
        others = [r for r in outside(contenders, a) if r in outside(contenders, b)]
        for order in range(1, contenders.references):
            for models in combinations(others, order):
                one, two = (one_score(contenders, c, models, score) for c in (a, b))
                counts = expected.setdefault(order, [0] * 5)
                truth = 0 if abs(full[a] - full[b]) <= 0.06 + 1e-9 else np.sign(full[a] - full[b])
                seen = 0 if abs(one - two) <= 0.06 + 1e-9 else np.sign(one - two)
                counts[0] += truth == 0
                counts[1] += truth != 0
                counts[2] += truth == 0 and seen != 0
                counts[3] += truth != 0 and seen == 0
                counts[4] += truth != 0 and seen == -truth
    found = ranking_errors(score_growth(contenders, score=score))
    assert {e.order: [e.equal, e.different, e.e1, e.e2, e.e3] for e in found} == expected
    assert any(e.e1 + e.e2 + e.e3 for e in found)


def test_errors_in_blocks_are_the_same(monkeypatch):
    grown = score_growth(contenders_of(7, references=7))
    whole = ranking_errors(grown)
    monkeypatch.setattr("pyramidion.studies._stability.ranking._CELLS", 50)
    assert ranking_errors(grown) == whole


def test_three_sets_of_ten_have_the_data_points_of_table_3_1():
    """Thesis, Table 3.1, last column; 9550 in it is a slip for 135 C(8, 4) = 9450."""
    sets = [score_growth(contenders_of(seed, references=10, peers=0)) for seed in range(3)]
    pooled = pooled_errors(ranking_errors(grown) for grown in sets)
    points = [errors.points for errors in pooled]
    assert points == [1080, 3780, 7560, 9450, 7560, 3780, 1080, 135]
    assert points == [135 * comb(8, n) for n in range(1, 9)]


def test_table_3_1_adds_up_as_the_total_does_here():
    """p = p1 P(equal) + (p2 + p3) (1 - P(equal)) for one number of equal pairs in all rows."""

    def fits(equal):
        share = equal / 135
        for _, p1, p2, p3, p in TABLE_3_1:
            middle = p1 * share + (p2 + p3) * (1 - share)
            # Each printed number is within half a hundredth.
            if abs(middle - p) > 0.005 * (1 + share + 2 * (1 - share)):
                return False
        return True

    possible = [equal for equal in range(136) if fits(equal)]
    # 67 or 68 of the 135 pairs are more than 0.1 apart, so at most 68 can be equal.
    assert possible
    assert possible[0] <= 68


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5))
def test_the_total_probability_is_the_thesis_formula(counts):
    equal, e1, e2, e3, rest = counts
    errors = OrderErrors(1, equal + e1, e2 + e3 + rest, e1, e2, e3)
    if not (errors.equal and errors.different):
        return
    share = errors.equal / errors.points
    assert errors.p == pytest.approx(errors.p1 * share + (errors.p2 + errors.p3) * (1 - share))


def test_shares_of_nothing_are_undefined():
    assert isnan(OrderErrors(1, 0, 5, 0, 1, 0).p1)
    assert isnan(OrderErrors(1, 5, 0, 1, 0, 0).p2)


def test_the_six_systems_of_section_3_4():
    """Thesis, 3.4: scores turned round within 0.06 are no errors, but a correlation of -1."""
    one = np.array([0.69, 0.68, 0.67, 0.66, 0.65, 0.64])
    names = tuple(f"sys{number}" for number in range(1, 7))
    values = np.array([one, one, one[::-1]])
    grown = GrowingScores(names, np.full(6, -1), sub_pyramids(2), values, one[::-1])
    [errors] = ranking_errors(grown)
    assert (errors.points, errors.p) == (30, 0.0)
    ranks = standard_ranks(np.array([one, one[::-1]]))
    assert float(ranks[0] @ ranks[1]) == pytest.approx(-1)


# Rankings


@pytest.mark.parametrize("which", ["all", "references", "peers"])
def test_correlations_are_those_of_plain_loops(which):
    contenders = contenders_of(8, references=5, peers=3, which=which)
    full = full_by_hand(contenders, "original")
    peers = [c for c in range(len(full)) if contenders.reference[c] < 0]
    everybody = range(contenders.references)
    held = combinations(everybody, 2) if contenders.are_references else [()]
    expected = {}
    for ranked in held:
        models = [r for r in everybody if r not in ranked]
        columns = [*ranked, *peers]
        orders = range(1, len(models) + (1 if ranked else 0))
        for order in orders:
            for chosen in combinations(models, order):
                scores = [one_score(contenders, c, chosen, "original") for c in columns]
                found = spearman(scores, [full[c] for c in columns]).value
                expected.setdefault(order, []).append(found)
    rows = rank_correlations(contenders)
    assert [row.order for row in rows] == list(expected)
    for row in rows:
        known = [value for value in expected[row.order] if not isnan(value)]
        assert row.count == len(known)
        assert row.undefined == len(expected[row.order]) - len(known)
        assert row.mean == pytest.approx(np.mean(known))


def test_one_split_of_three_sets_has_the_pyramids_of_table_3_2():
    """Thesis, Table 3.2, last column."""
    sets = [contenders_of(seed, references=10, units=30, peers=0) for seed in range(3)]
    pooled = pooled_correlations(rank_correlations(c, splits=1, rng=1) for c in sets)
    assert [row.count + row.undefined for row in pooled] == [15, 30, 30, 15, 3]


def test_all_252_splits_of_ten_are_tried():
    splits = make_splits(contenders_of(9, references=10, peers=1))
    assert splits.models.shape == (252, 5)
    assert splits.ranked.shape == (252, 6)
    for models, ranked in zip(splits.models, splits.ranked, strict=True):
        assert sorted([*models, *ranked]) == list(range(11))
    some = make_splits(contenders_of(9, references=10, peers=0), held_out=3, splits=7)
    assert (some.models.shape, some.ranked.shape) == ((7, 7), (7, 3))


def test_standard_ranks_give_spearman():
    rng = np.random.default_rng(10)
    for _ in range(20):
        first, second = rng.integers(0, 4, size=(2, 7)).astype(float)
        found = float(standard_ranks(first) @ standard_ranks(second))
        known = spearman(first, second).value
        assert found == pytest.approx(known, nan_ok=True)


def test_rankings_with_repetition_are_those_of_plain_loops():
    contenders = contenders_of(11, references=5, peers=1)
    rows = resampled_correlations(contenders, samples=6, largest=4, rng=5)
    rng = np.random.default_rng(5)
    splits = make_splits(contenders)
    for row in rows:
        drawn = rng.multinomial(row.order, np.full(3, 1 / 3), size=(len(splits.models), 6))
        found = []
        for models, ranked, draws in zip(splits.models, splits.ranked, drawn, strict=True):
            rankings = []
            for draw in draws:
                weights = contenders.counted[:, models] @ draw
                rankings.append(
                    [int(weights[contenders.contents[c].expressed].sum()) for c in ranked]
                )
            found += [spearman(a, b).value for a, b in combinations(rankings, 2)]
        known = [value for value in found if not isnan(value)]
        assert (row.count, row.undefined) == (len(known), len(found) - len(known))
        assert row.mean == pytest.approx(np.mean(known))


def test_more_models_make_rankings_more_alike():
    contenders = contenders_of(12, references=10, units=60, peers=10, which="peers")
    rows = resampled_correlations(contenders, samples=200, largest=30)
    assert rows[0].mean < rows[4].mean < rows[29].mean
    assert reliable_order(rows, above=rows[29].mean) is None
    assert reliable_order(rows, above=-1) == 1


# Properties


@st.composite
def memberships(draw):
    units, references = draw(st.integers(2, 8)), draw(st.integers(3, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    return random_membership(rng, units, references), rng


@given(memberships(), st.sampled_from(SCORES))
def test_the_order_of_references_and_peers_does_not_matter(drawn, score):
    table, rng = drawn
    names = [f"R{column}" for column in range(table.shape[1])]
    said = {f"p{number}": np.flatnonzero(rng.random(len(table)) < 0.5) for number in range(3)}
    studies = []
    for order, peers in ((range(len(names)), said), (rng.permutation(len(names)), None)):
        pyramid = pyramid_of(table[:, list(order)], [names[column] for column in order])
        turned = peers or dict(reversed(said.items()))
        annotated = {name: peer_of(pyramid, rows, outside=1) for name, rows in turned.items()}
        asked = StabilitySettings(score=score)
        studies.append(study_stability(pyramid, annotated, settings=asked))
    one, two = studies
    assert one.errors == two.errors
    assert {tuple(sorted((p.better, p.worse))): p.order for p in one.diverging} == {
        tuple(sorted((p.better, p.worse))): p.order for p in two.diverging
    }
    columns = [two.scores.names.index(name) for name in one.scores.names]
    for part in ("low", "mean", "high"):
        first, second = getattr(one.spread, part), getattr(two.spread, part)[:, columns]
        np.testing.assert_allclose(first, second, rtol=1e-12)
    for first, second in zip(one.correlations, two.correlations, strict=True):
        assert (first.order, first.count, first.undefined) == (
            second.order, second.count, second.undefined,
        )  # fmt: skip
        assert first.mean == pytest.approx(second.mean, nan_ok=True)


@given(memberships(), st.sampled_from(SCORES))
def test_the_highest_order_is_the_full_score(drawn, score):
    table, rng = drawn
    pyramid = pyramid_of(table)
    peer = peer_of(pyramid, np.flatnonzero(rng.random(len(table)) < 0.5), outside=2)
    contenders = gather_contenders(pyramid, {"peer": peer})
    grown = score_growth(contenders, score=score)
    spread = spread_by_order(grown)
    full = full_scores(contenders, score=score)
    np.testing.assert_array_equal(spread.mean[-1, -1:], full[-1:])
    np.testing.assert_array_equal(spread.low[-2, :-1], full[:-1])
    np.testing.assert_array_equal(spread.high[-2, :-1], full[:-1])
    np.testing.assert_array_equal(full, full_by_hand(contenders, score))


# Samples of many references


def test_a_sampled_study_is_inside_the_whole_and_says_so():
    table = random_membership(np.random.default_rng(13), 25, 9)
    whole = study_stability(pyramid_of(table))
    some = study_stability(pyramid_of(table), settings=StabilitySettings(max_pyramids=30, seed=2))
    assert some.notes[0] == "sub-pyramids of the orders 2 to 7 are a random sample"
    assert "sample" not in "".join(whole.notes)
    there = some.spread.count > 0
    assert (some.spread.low >= whole.spread.low)[there].all()
    assert (some.spread.high <= whole.spread.high)[there].all()
    np.testing.assert_array_equal(some.scores.full, whole.scores.full)
    again = study_stability(pyramid_of(table), settings=StabilitySettings(max_pyramids=30, seed=2))
    assert again.errors == some.errors
    assert again.correlations == some.correlations


def test_thirty_references_can_be_studied():
    table = random_membership(np.random.default_rng(14), 40, 30)
    asked = StabilitySettings(max_pyramids=60, splits=10, repetition=10)
    study = study_stability(pyramid_of(table), settings=asked)
    assert study.spread.orders[-1] == 30
    assert study.correlations[-1].order == 15
    assert study.resampled[-1].order == 30


# Bad input


def test_a_pyramid_of_two_says_what_it_cannot_tell():
    study = study_stability(pyramid_of([[1, 1], [1, 0]]))
    assert study.errors == study.correlations == ()
    assert study.notes == (
        "no errors: every sub-pyramid contains one of each pair of summaries",
        "no rank correlations: no two summaries and a reference that is neither of them",
    )
    assert study.spread.mean[0].tolist() == [1.0, 1.0]


def test_one_peer_alone_has_neither_errors_nor_rankings():
    pyramid = pyramid_of([[1, 1], [1, 0]])
    asked = StabilitySettings(which="peers", repetition=5)
    study = study_stability(pyramid, {"7": peer_of(pyramid, [0])}, settings=asked)
    assert study.errors == study.correlations == study.resampled == ()
    assert study.notes[0] == "no errors: there is one summary"


def test_a_pyramid_of_weight_one_is_studied():
    """No reference shares a unit: all scores are 0, all pairs equal, no ranking is defined."""
    study = study_stability(pyramid_of(np.eye(4)))
    assert {errors.p for errors in study.errors} == {0.0}
    assert study.diverging == ()
    assert all(row.count == 0 and isnan(row.mean) for row in study.correlations)
    assert study.notes == ("rankings without a correlation, as all scores are the same: 18",)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"score": "weight"}, "score is 'weight'"),
        ({"which": "nobody"}, "of is 'nobody'"),
        ({"equal_within": -1}, "equal is -1"),
        ({"equal_within": float("nan")}, "equal is nan"),
        ({"apart": -0.1}, "apart is -0.1"),
        ({"repetition": 1}, "`repetition` is 1"),
        ({"max_pyramids": 0}, "max-pyramids is 0"),
        ({"splits": 0}, "splits is 0"),
        ({"held_out": 4}, "there are 0 references to make pyramids of"),
        ({"held_out": 1}, "1 summaries to rank"),
    ],
)
def test_bad_settings_are_refused(options, said):
    with pytest.raises(InputError, match=said):
        study_stability(pyramid_of(np.ones((3, 4))), settings=StabilitySettings(**options))


def test_peers_of_another_pyramid_are_refused():
    pyramid, other = pyramid_of(np.ones((3, 2))), pyramid_of(np.ones((4, 2)))
    with pytest.raises(InputError, match="7 was annotated with another pyramid"):
        study_stability(pyramid, {"7": peer_of(other, [3])})
    for which in ("all", "peers"):
        with pytest.raises(InputError, match="R0 is a reference of the pyramid and cannot be its"):
            gather_contenders(pyramid, {"R0": peer_of(pyramid, [1])}, which=which)


def test_pooled_correlations_of_nothing_are_undefined():
    [row] = pooled_correlations([[OrderCorrelation(1, float("nan"), 0, 3)]])
    assert isnan(row.mean)
    assert (row.count, row.undefined) == (0, 3)


def test_two_peers_and_two_references_worked_by_hand():
    """Two references make three sub-pyramids; the last is the whole one."""
    peers = (("7", "8"), np.array([-1, -1]), sub_pyramids(2))
    apart = np.array([[0.5, 0.25], [0.75, 0.5], [0.75, 0.25]])
    [pair] = divergence_points(GrowingScores(*peers, apart, apart[2]))
    assert (pair.better, pair.worse, pair.difference) == ("7", "8", 0.5)
    assert (pair.order, pair.stable) == (2, True)
    turned = np.array([[0.5, 0.75], [0.75, 0.7], [0.75, 0.5]])
    [errors] = ranking_errors(GrowingScores(*peers, turned, turned[2]))
    assert errors == OrderErrors(order=1, equal=0, different=2, e1=0, e2=1, e3=1)
    assert (errors.points, errors.p2, errors.p3, errors.p) == (2, 0.5, 0.5, 1.0)


def test_sub_pyramids_score_as_worked_by_hand():
    said = [Content(np.array([1, 0, 1])), Content(np.array([1, 1, 0]), outside=2)]
    found = score_sub_pyramids([[1, 0], [1, 1]], [[1, 1], [1, 0], [0, 0]], said)
    assert found.tolist() == [[0.5, 1.0], [2 / 3, 1.0]]


def test_stability():
    pyramid = Pyramid.from_references(
        {"A": "Ice.", "B": "Ice."}, [("Ice", {"A": ["Ice"], "B": ["Ice"]})]
    )
    assert (
        study_stability(pyramid).notes[0]
        == "no errors: every sub-pyramid contains one of each pair of summaries"
    )


def test_study_stability():
    pyramid = Pyramid.from_references(
        {"A": "Ice.", "B": "Ice.", "C": "Ice. Sea."},
        [("Ice", {"A": ["Ice"], "B": ["Ice"], "C": ["Ice"]}), ("Sea", {"C": ["Sea"]})],
    )
    assert (
        repr(study_stability(pyramid).spread.mean.round(2).tolist())
        == "[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [nan, nan, nan]]"
    )


def test_pooled_errors():
    one = (OrderErrors(1, 2, 3, 1, 1, 0),)
    assert (
        repr(pooled_errors([one, one]))
        == "(OrderErrors(order=1, equal=4, different=6, e1=2, e2=2, e3=0),)"
    )


def test_pooled_correlations():
    assert (
        repr(
            pooled_correlations([[OrderCorrelation(1, 0.5, 30)], [OrderCorrelation(1, 0.8, 10, 2)]])
        )
        == "(OrderCorrelation(order=1, mean=0.575, count=40, undefined=2),)"
    )


@pytest.mark.parametrize(
    ("membership", "said"),
    [
        ([[1]], "the pyramid has 1 reference"),
        ([[0, 0]], "the pyramid has no content unit that a reference expresses"),
    ],
)
def test_pyramids_that_cannot_grow_are_refused(membership, said):
    with pytest.raises(InputError, match="no pyramid can be studied") as error:
        stability(pyramid_of(membership))
    assert said in str(error.value)
