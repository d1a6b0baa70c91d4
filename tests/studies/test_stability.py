"""How scores stabilize as pyramids grow: everything compared with plain loops over combinations."""

from itertools import combinations
from math import comb, isnan
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramid.reliability_samples import peer_of, pyramid_of, random_membership
from pyramidion.collection import Collection
from pyramidion.errors import InputError
from pyramidion.pyramid import Content, score_content
from pyramidion.stats import spearman
from pyramidion.studies import stability

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


class Topic(NamedTuple):
    """References (columns of a table of units) and peers, given by their units and what else."""

    table: np.ndarray
    peers: dict[str, tuple[np.ndarray, int]]

    @property
    def references(self):
        return self.table.shape[1]

    def contents(self, which="all"):
        """Return what each summary says, and which reference it is (-1 for a peer)."""
        rows = [] if which == "peers" else list(enumerate(self.table.T))
        contents = [(Content(row.astype(int)), reference) for reference, row in rows]
        for units, outside in self.peers.values() if which != "references" else ():
            contents.append((Content(np.isin(np.arange(len(self.table)), units) * 1, outside), -1))
        return contents

    def ask(self, **options):
        pyramid = pyramid_of(self.table)
        peers = {
            ("", "T1", name): peer_of(pyramid, units, outside=outside)
            for name, (units, outside) in self.peers.items()
        }
        collection = Collection("", pyramids={("", "T1"): pyramid}, peer_annotations=peers)
        return stability(collection, **options)

    def study(self, **options):
        return self.ask(**options).topics[0].study


def random_topic(seed=0, *, references=5, units=14, peers=2):
    rng = np.random.default_rng(seed)
    table = random_membership(rng, units, references)
    annotated = {
        f"peer{number}": (np.flatnonzero(rng.random(units) < 0.4), int(rng.integers(4)))
        for number in range(peers)
    }
    return Topic(table, annotated)


def score_by_hand(topic, content, models, score):
    table = topic.table[:, list(models)]
    return getattr(score_content(content, table), score) if table.any() else float("nan")


def outside(topic, reference):
    """Return the references that are not the summary itself."""
    return [other for other in range(topic.references) if other != reference]


def full_by_hand(topic, score, which="all"):
    return [
        score_by_hand(topic, content, outside(topic, reference), score)
        for content, reference in topic.contents(which)
    ]


def scores_by_hand(topic, summary, order, score):
    content, reference = summary
    models = combinations(outside(topic, reference), order)
    return [score_by_hand(topic, content, chosen, score) for chosen in models]


# Sub-pyramids


def test_ten_references_have_1023_sub_pyramids():
    every = random_topic(references=10, peers=0).study(splits=1).scores.included
    assert len(every) == len(np.unique(every, axis=0)) == 1023
    assert np.bincount(every.sum(axis=1))[1:].tolist() == [comb(10, n) for n in range(1, 11)]


@pytest.mark.parametrize(("references", "most"), [(9, 30), (9, 100), (30, 40)])
def test_a_sample_of_sub_pyramids_is_distinct_and_seeded(references, most):
    topic = random_topic(references=references, peers=1)
    first, again, other = (
        topic.study(max_pyramids=most, splits=1, seed=seed).scores.included for seed in (3, 3, 4)
    )
    counts = [min(most, comb(references, n)) for n in range(1, references + 1)]
    assert np.bincount(first.sum(axis=1))[1:].tolist() == counts
    assert len(np.unique(first, axis=0)) == len(first)
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


@pytest.mark.parametrize("score", SCORES)
def test_scores_are_those_of_score_content(score):
    topic = random_topic(1)
    scores = topic.study(score=score).scores
    for row, included in zip(scores.values, scores.included, strict=True):
        models = np.flatnonzero(included)
        for value, (content, reference) in zip(row, topic.contents(), strict=True):
            if reference in models:
                assert isnan(value)
            else:
                assert value == score_by_hand(topic, content, models, score)


def test_a_large_study_is_worked_on_in_blocks():
    """8,191 sub-pyramids of 560 units and 73 summaries: more cells than are held at once."""
    topic = random_topic(2, references=13, units=500, peers=60)
    study = topic.study(splits=1)
    contents = topic.contents()
    rng = np.random.default_rng(1)
    for row in (0, 8190, *rng.choice(8191, 20).tolist()):
        models = np.flatnonzero(study.scores.included[row])
        column = int(rng.integers(13, 73))
        expected = score_by_hand(topic, contents[column][0], models, "original")
        assert study.scores.values[row, column] == expected
    # 78 pairs of references, 780 mixed ones, 1,770 of peers.
    expected = [78 * comb(11, n) + 780 * comb(12, n) + 1770 * comb(13, n) for n in range(1, 13)]
    assert [errors.points for errors in study.errors] == expected


def test_empty_summaries_score_nothing_and_empty_models_give_no_score():
    topic = Topic(np.array([[1, 0, 1], [1, 0, 1]]), {"mute": ((), 0)})
    study = topic.study()
    # Sub-pyramids of order 1: R0, R1 (empty), R2; summaries R0, R1, R2, mute.
    np.testing.assert_array_equal(
        study.scores.values[:3],
        [[np.nan, 0, 1, 0], [np.nan, np.nan, np.nan, np.nan], [1, 0, np.nan, 0]],
    )
    assert "undefined scores, because models have no content units: 3" in study.notes


# Scores by order


@pytest.mark.parametrize("score", SCORES)
def test_spread_is_that_of_all_combinations(score):
    topic = random_topic(3)
    spread = topic.study(score=score).spread
    for column, summary in enumerate(topic.contents()):
        for row, order in enumerate(spread.orders):
            by_hand = scores_by_hand(topic, summary, order, score)
            assert spread.count[row, column] == len(by_hand)
            if by_hand:
                assert spread.low[row, column] == min(by_hand)
                assert spread.high[row, column] == max(by_hand)
                assert spread.mean[row, column] == pytest.approx(np.mean(by_hand))
            else:
                assert isnan(spread.mean[row, column])


def test_figure_3_2_counts_the_pyramids_of_nine_models():
    """Thesis, 3.1.1: the numbers in brackets are pyramids of nine available models."""
    spread = random_topic(4, references=10, peers=0).study(splits=1).spread
    assert spread.count[:9, 0].tolist() == [comb(9, n) for n in range(1, 10)]
    assert spread.count[9].tolist() == [0] * 10


@pytest.mark.parametrize("score", SCORES)
def test_divergence_is_where_no_pyramid_confuses_two(score):
    relapses = 0
    for seed in (5, 6, 7):
        topic = random_topic(seed, references=6)
        study, contents = topic.study(score=score), topic.contents()
        full = full_by_hand(topic, score)
        np.testing.assert_array_equal(study.scores.full, full)
        diverging = {(pair.better, pair.worse): pair for pair in study.diverging}
        apart = 0
        for a, b in combinations(range(len(full)), 2):
            better, worse = (a, b) if full[a] > full[b] else (b, a)
            if full[better] - full[worse] <= 0.1:
                continue
            apart += 1
            pair = diverging[study.scores.names[better], study.scores.names[worse]]
            assert pair.difference == full[better] - full[worse]
            parted = [
                min(first) > max(second)
                for order in range(1, topic.references + 1)
                if (first := scores_by_hand(topic, contents[better], order, score))
                and (second := scores_by_hand(topic, contents[worse], order, score))
            ]
            assert pair.order == (parted.index(True) + 1 if any(parted) else None)
            assert pair.stable == (any(parted) and all(parted[parted.index(True) :]))
            relapses += any(parted) and not pair.stable
        assert apart == len(diverging) > 5
    assert relapses or score == "modified"


def test_the_limits_are_limits_in_spite_of_rounding():
    """0.56 - 0.5 and 0.4 - 0.3 are a little more than 0.06 and 0.1 in binary."""
    table = np.ones((50, 2))

    def study(*shares):
        counts = enumerate(shares)
        peers = {str(number): (range(units), unmatched) for number, (units, unmatched) in counts}
        return Topic(table, peers).study(which="peers")

    near = study((14, 11), (1, 1))
    assert near.scores.full.tolist() == [0.56, 0.5]
    assert [(errors.equal, errors.different, errors.e1) for errors in near.errors] == [(2, 0, 0)]
    assert study((2, 3), (3, 7)).diverging == ()


# Errors


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("which", ["all", "references", "peers"])
def test_errors_are_those_of_plain_loops(score, which):
    topic = random_topic(6, references=6, peers=6)
    contents, full = topic.contents(which), full_by_hand(topic, score, which)
    expected = {}
    for a, b in combinations(range(len(full)), 2):
        itself = {contents[a][1], contents[b][1]}
        models = [model for model in range(topic.references) if model not in itself]
        for order in range(1, topic.references):
            for chosen in combinations(models, order):
                first, second = (
                    score_by_hand(topic, contents[c][0], chosen, score) for c in (a, b)
                )
                counts = expected.setdefault(order, [0] * 5)
                truth = 0 if abs(full[a] - full[b]) <= 0.06 + 1e-9 else np.sign(full[a] - full[b])
                seen = 0 if abs(first - second) <= 0.06 + 1e-9 else np.sign(first - second)
                counts[0] += truth == 0
                counts[1] += truth != 0
                counts[2] += truth == 0 and seen != 0
                counts[3] += truth != 0 and seen == 0
                counts[4] += truth != 0 and seen == -truth
    errors = topic.study(score=score, which=which).errors
    assert {e.order: [e.equal, e.different, e.e1, e.e2, e.e3] for e in errors} == expected
    assert any(e.e1 + e.e2 + e.e3 for e in errors)
    for row in errors:
        equal, different, e1, e2, e3 = expected[row.order]
        assert row.points == equal + different
        for share, wrong, of in ((row.p1, e1, equal), (row.p2, e2, different)):
            assert share == pytest.approx(wrong / of if of else np.nan, nan_ok=True)
        assert row.p3 == pytest.approx(e3 / different)
        assert row.p == pytest.approx((e1 + e2 + e3) / (equal + different))


def test_three_sets_of_ten_have_the_data_points_of_table_3_1():
    """Thesis, Table 3.1, last column; 9550 in it is a slip for 135 C(8, 4) = 9450.

    Table 3.2, last column, has the pyramids of one split of each set.
    """
    tables = [random_topic(seed, references=10, units=30, peers=0).table for seed in range(3)]
    pyramids = {("", f"D{number}"): pyramid_of(table) for number, table in enumerate(tables)}
    together = stability(Collection("", pyramids=pyramids), splits=1, seed=1).together
    points = [errors.points for errors in together.errors]
    assert points == [1080, 3780, 7560, 9450, 7560, 3780, 1080, 135]
    assert points == [135 * comb(8, n) for n in range(1, 9)]
    assert [row.count + row.undefined for row in together.correlations] == [15, 30, 30, 15, 3]


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


# Rankings


@pytest.mark.parametrize("which", ["all", "references", "peers"])
def test_correlations_are_those_of_plain_loops(which):
    topic = random_topic(8, references=5, peers=3)
    contents, full = topic.contents(which), full_by_hand(topic, "original", which)
    peers = [column for column, (_, reference) in enumerate(contents) if reference < 0]
    everybody = range(topic.references)
    expected = {}
    for ranked in combinations(everybody, 2) if which != "peers" else [()]:
        models = [model for model in everybody if model not in ranked]
        columns = [*ranked, *peers]
        for order in range(1, len(models) + (1 if ranked else 0)):
            for chosen in combinations(models, order):
                scores = [score_by_hand(topic, contents[c][0], chosen, "original") for c in columns]
                value = spearman(scores, [full[c] for c in columns]).value
                expected.setdefault(order, []).append(value)
    rows = topic.study(which=which).correlations
    assert [row.order for row in rows] == list(expected)
    for row in rows:
        defined = [value for value in expected[row.order] if not isnan(value)]
        assert row.count == len(defined)
        assert row.undefined == len(expected[row.order]) - len(defined)
        assert row.mean == pytest.approx(np.mean(defined))


def test_all_252_splits_of_ten_are_tried():
    topic = random_topic(9, references=10, peers=1)
    # Of each split, five models have five sub-pyramids of order 1.
    for options, splits, models in (({}, 252, 5), ({"held_out": 3, "splits": 7}, 7, 7)):
        rows = topic.study(**options).correlations
        sizes = [row.count + row.undefined for row in rows]
        assert sizes == [splits * comb(models, n) for n in range(1, models + 1)]


def test_rankings_with_repetition_are_those_of_plain_loops():
    topic = random_topic(11, references=5, peers=1)
    contents = [content for content, _ in topic.contents()]
    splits = [
        ([*ranked, 5], [model for model in range(5) if model not in ranked])
        for ranked in combinations(range(5), 2)
    ]
    rng = np.random.default_rng(5)
    rows = topic.study(repetition=6, seed=5).resampled
    assert [row.order for row in rows] == [1, 2, 3, 4, 5]
    for row in rows:
        values = []
        draws = rng.multinomial(row.order, np.full(3, 1 / 3), size=(len(splits), 6))
        for (ranked, models), of_split in zip(splits, draws, strict=True):
            weights = [topic.table[:, models] @ draw for draw in of_split]
            rankings = [[int(w[contents[c].expressed].sum()) for c in ranked] for w in weights]
            values += [spearman(a, b).value for a, b in combinations(rankings, 2)]
        defined = [value for value in values if not isnan(value)]
        assert (row.count, row.undefined) == (len(defined), len(values) - len(defined))
        assert row.mean == pytest.approx(np.mean(defined))


def test_more_models_make_rankings_more_alike():
    topic = random_topic(12, references=30, units=60, peers=10)
    result = topic.ask(which="peers", repetition=200, max_pyramids=20)
    rows = result.together.resampled
    assert rows[0].mean < rows[4].mean < rows[29].mean
    above = [row.order for row in rows if row.mean > 0.95]
    steady = [order for order in above if set(range(order, 31)) <= set(above)]
    verdict = f"from {steady[0]} models on" if steady else "for none of these numbers"
    assert verdict in str(result)


# Properties


@st.composite
def memberships(draw):
    units, references = draw(st.integers(2, 8)), draw(st.integers(3, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    return random_membership(rng, units, references), rng


@given(memberships(), st.sampled_from(SCORES))
def test_the_order_of_references_and_peers_does_not_matter(sample, score):
    table, rng = sample
    names = [f"R{column}" for column in range(table.shape[1])]
    units = {f"p{number}": np.flatnonzero(rng.random(len(table)) < 0.5) for number in range(3)}
    studies = []
    for order, peers in ((range(len(names)), units), (rng.permutation(len(names)), None)):
        pyramid = pyramid_of(table[:, list(order)], [names[column] for column in order])
        annotations = {
            ("", "T1", name): peer_of(pyramid, rows, outside=1)
            for name, rows in (peers or dict(reversed(units.items()))).items()
        }
        collection = Collection("", pyramids={("", "T1"): pyramid}, peer_annotations=annotations)
        studies.append(stability(collection, score=score).topics[0].study)
    first, second = studies
    assert first.errors == second.errors
    assert {tuple(sorted((p.better, p.worse))): p.order for p in first.diverging} == {
        tuple(sorted((p.better, p.worse))): p.order for p in second.diverging
    }
    columns = [second.scores.names.index(name) for name in first.scores.names]
    for part in ("low", "mean", "high"):
        values = getattr(second.spread, part)[:, columns]
        np.testing.assert_allclose(getattr(first.spread, part), values, rtol=1e-12)
    for row, other in zip(first.correlations, second.correlations, strict=True):
        assert (row.order, row.count, row.undefined) == (other.order, other.count, other.undefined)
        assert row.mean == pytest.approx(other.mean, nan_ok=True)


@given(memberships(), st.sampled_from(SCORES))
def test_the_highest_order_is_the_full_score(sample, score):
    table, rng = sample
    topic = Topic(table, {"peer": (np.flatnonzero(rng.random(len(table)) < 0.5), 2)})
    study = topic.study(score=score)
    spread, full = study.spread, study.scores.full
    np.testing.assert_array_equal(spread.mean[-1, -1:], full[-1:])
    np.testing.assert_array_equal(spread.low[-2, :-1], full[:-1])
    np.testing.assert_array_equal(spread.high[-2, :-1], full[:-1])
    np.testing.assert_array_equal(full, full_by_hand(topic, score))


# Samples of many references


def test_a_sampled_study_is_inside_the_whole_and_says_so():
    topic = random_topic(13, units=25, references=9, peers=0)
    whole = topic.study()
    sample, again = (topic.study(max_pyramids=30, seed=2) for _ in range(2))
    assert sample.notes[0] == "sub-pyramids of orders 2 to 7 are a random sample"
    assert "sample" not in "".join(whole.notes)
    scored = sample.spread.count > 0
    assert (sample.spread.low >= whole.spread.low)[scored].all()
    assert (sample.spread.high <= whole.spread.high)[scored].all()
    np.testing.assert_array_equal(sample.scores.full, whole.scores.full)
    assert again.errors == sample.errors
    assert again.correlations == sample.correlations


def test_thirty_references_can_be_studied():
    topic = random_topic(14, units=40, references=30, peers=0)
    study = topic.study(max_pyramids=60, splits=10, repetition=10)
    assert study.spread.orders[-1] == 30
    assert study.correlations[-1].order == 15
    assert study.resampled[-1].order == 30


# Bad input


def test_a_pyramid_of_two_says_what_it_cannot_tell():
    study = Topic(np.array([[1, 1], [1, 0]]), {}).study()
    assert study.errors == study.correlations == ()
    assert study.notes == (
        "no errors: every sub-pyramid contains one of each pair of summaries",
        "no rank correlations: two summaries and a reference that is neither are needed",
    )
    assert study.spread.mean[0].tolist() == [1.0, 1.0]


def test_one_peer_alone_has_neither_errors_nor_rankings():
    topic = Topic(np.array([[1, 1], [1, 0]]), {"7": ([0], 0)})
    study = topic.study(which="peers", repetition=5)
    assert study.errors == study.correlations == study.resampled == ()
    assert study.notes[0] == "no errors: there is one summary"


def test_a_pyramid_of_weight_one_is_studied():
    """No reference shares a unit: all scores are 0, all pairs equal, no ranking is defined."""
    topic = Topic(np.eye(4), {})
    study = topic.study()
    assert {errors.p for errors in study.errors} == {0.0}
    assert study.diverging == ()
    assert all(row.count == 0 and isnan(row.mean) for row in study.correlations)
    assert study.notes == ("rankings without a correlation, all scores being equal: 18",)
    both = {("", name): pyramid_of(topic.table) for name in ("T1", "T2")}
    together = stability(Collection("", pyramids=both)).together
    assert all(row.count == 0 and isnan(row.mean) for row in together.correlations)
    assert sum(row.undefined for row in together.correlations) == 36


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"score": "weight"}, "score is 'weight'"),
        ({"which": "nobody"}, "of is 'nobody'"),
        ({"equal_within": -1}, "equal is -1"),
        ({"equal_within": float("nan")}, "equal is nan"),
        ({"apart": -0.1}, "apart is -0.1"),
        ({"repetition": 1}, "`repetition` is 1"),
        ({"max_pyramids": 0}, "max-pyramids is 0"),
        ({"splits": 0}, "splits is 0"),
        ({"held_out": 4}, "there are 0 references to build pyramids from"),
        ({"held_out": 1}, "1 summaries to rank"),
    ],
)
def test_bad_settings_are_refused(options, reason):
    with pytest.raises(InputError, match=reason):
        stability(pyramid_of(np.ones((3, 4))), **options)


def test_peers_of_another_pyramid_are_refused():
    pyramid, smaller = pyramid_of(np.ones((4, 2))), pyramid_of(np.ones((3, 2)))
    peers = {("", "T1", "7"): peer_of(smaller, [2])}
    collection = Collection("", pyramids={("", "T1"): pyramid}, peer_annotations=peers)
    with pytest.raises(InputError, match="7 was annotated with another pyramid"):
        stability(collection)


def test_units_in_another_order_are_the_same():
    pyramid = pyramid_of([[1, 1, 0], [1, 0, 0], [0, 1, 1]])
    turned = Collection("", pyramids={("", "T1"): pyramid}, peer_annotations={
        ("", "T1", "7"): peer_of(type(pyramid)(pyramid.text, pyramid.scus[::-1]), [0, 1])
    })  # fmt: skip
    plain = Collection("", pyramids={("", "T1"): pyramid}, peer_annotations={
        ("", "T1", "7"): peer_of(pyramid, [2, 1])
    })  # fmt: skip
    first, second = (stability(source).topics[0].study.scores for source in (turned, plain))
    np.testing.assert_array_equal(first.values, second.values)


@pytest.mark.parametrize(
    ("membership", "reason"),
    [
        ([[1]], "the pyramid has 1 reference"),
        ([[0, 0]], "the pyramid has no content unit that a reference expresses"),
    ],
)
def test_pyramids_that_cannot_grow_are_refused(membership, reason):
    with pytest.raises(InputError, match="no pyramid can be studied") as error:
        stability(pyramid_of(membership))
    assert reason in str(error.value)
