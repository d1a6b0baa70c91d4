"""Scores of contents, peers and references, by hand and by their properties."""

import gzip
import json
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pyramid.score_samples import PYRAMID, SAID, A, B, C, measured, peer, tables
from pyramidion.collection import SCU, Collection, PeerAnnotation, Pyramid
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid.content_units import (
    Content,
    Weighing,
    content_of_peer,
    score_content,
    score_peer,
    score_reference,
    score_weighed,
)
from support import shared_file


class TestByHand:
    def test_a_peer(self):
        """D = 3 + 1; X = 3 units, one outside; a reference has 8/3 units, rounded 3."""
        scores = score_peer(peer([1, 0, 2, 0, 0], outside=1))
        assert (scores.weight, scores.scus, scores.in_pyramid, scores.outside) == (4, 3, 2, 1)
        assert scores.repeated == 1
        assert scores.average == pytest.approx(8 / 3)
        assert (scores.max_original, scores.max) == (6, 6)
        assert scores.original == scores.modified == scores.comprehensive == pytest.approx(4 / 6)
        assert (scores.precision, scores.recall) == (pytest.approx(2 / 3), 2 / 5)

    def test_quality_and_coverage_differ_with_the_size(self):
        """X = 5 of weight 3 + 2 + 1 + 1 + 1 for the original score, 3 + 2 + 1 for the modified."""
        scores = score_peer(peer([1, 1, 0, 0, 0], outside=3))
        assert (scores.original, scores.modified) == (5 / 8, 5 / 6)
        assert scores.comprehensive == pytest.approx(2 / (8 / 5 + 6 / 5))

    def test_the_thesis_optimal_summary(self):
        """Figure 3.1: two units on top, four below; four units weigh 2n + 2(n - 1) at most."""
        weighing = Weighing(np.array([3, 3, 2, 2, 2, 2]), 3)
        assert weighing.most(4) == 10
        assert score_weighed(Content(np.array([1, 1, 0, 1, 0, 1])), weighing).original == 1

    def test_jackknife(self):
        """Without A: weights 2, 2, 0, 0, 1 from two references with 2 and 3 units, mean 2.5 -> 3.

        A has the first of them and two that nobody else has.
        """
        scores = score_reference(PYRAMID, A)
        assert (scores.weight, scores.scus, scores.in_pyramid, scores.outside) == (2, 3, 1, 2)
        assert (scores.average, scores.max, scores.max_original) == (2.5, 5, 5)
        assert (scores.modified, scores.original) == (2 / 5, 2 / 5)
        assert (scores.precision, scores.recall) == (1 / 3, 1 / 3)

    @pytest.mark.parametrize("name", [A, B, C])
    def test_jackknife_is_the_score_by_the_pyramid_of_the_others(self, name):
        is_other = [reference.name != name for reference in PYRAMID.references]
        content = Content(PYRAMID.contributions[:, is_other.index(False)])
        assert score_reference(PYRAMID, name) == score_content(
            content, PYRAMID.membership[:, is_other]
        )

    def test_half_is_rounded_up(self):
        table = [[1, 1], [1, 1], [1, 0]]
        assert Weighing.of(table).average == 2.5
        assert Weighing.of(table).size == 3
        assert score_content(Content(np.array([1, 1, 0])), table).modified == 4 / 5

    def test_a_unit_twice_in_one_reference(self):
        """DUCView adds two to its weight and to the mean number of units, the thesis one.

        X = 9/3 by contributors and 8/3, rounded 3, by references: Max is 3 + 2 + 2 and 3 + 2 + 1.
        """
        twice = replace(PYRAMID.scus[2], contributors=PYRAMID.scus[2].contributors * 2)
        pyramid = replace(PYRAMID, scus=(*PYRAMID.scus[:2], twice, *PYRAMID.scus[3:]))
        annotated = peer([0, 0, 1, 0, 0], pyramid=pyramid)
        assert pyramid.weights.tolist() == [3, 2, 2, 1, 1]
        assert (score_peer(annotated).average, score_peer(annotated).modified) == (3, 2 / 7)
        assert score_peer(annotated, weights="references").modified == 1 / 6
        assert score_reference(pyramid, A) == score_reference(pyramid, A, weights="references")
        assert score_reference(pyramid, A).repeated == 1

    def test_a_peer_without_content_scores_nothing(self):
        scores = score_peer(peer([0] * 5))
        assert (scores.original, scores.modified, scores.comprehensive) == (0, 0, 0)
        assert (scores.precision, scores.recall, scores.scus) == (0, 0, 0)

    def test_what_is_unknown_is_not_a_number(self):
        scores = score_weighed(Content(np.array([1, 0]), complete=False), Weighing(np.ones(2), 1))
        assert (scores.modified, scores.recall) == (0.5, 0.5)
        assert math.isnan(scores.original)
        assert math.isnan(scores.precision)
        assert math.isnan(scores.comprehensive)

    def test_references_with_next_to_no_units_have_no_modified_score(self):
        scores = score_content(Content(np.array([1])), [[1, 0, 0]])
        assert (scores.average, scores.max) == (pytest.approx(1 / 3), 0)
        assert math.isnan(scores.modified)
        assert scores.original == 1


class TestRefusals:
    def test_an_empty_pyramid(self):
        for table in ([[0, 0]], np.zeros((0, 3)), np.zeros((2, 0))):
            with pytest.raises(InputError, match="no content unit that a reference expresses"):
                score_content(Content(np.zeros(len(table), dtype=int)), table)

    def test_a_unit_of_another_pyramid(self):
        stranger = PeerAnnotation(PYRAMID, "Snow.", (SCU("77", "?", (SAID,)),))
        with pytest.raises(NotFoundError, match="the pyramid has no content unit 77"):
            score_peer(stranger)
        # One that the peer does not express is nothing to stop for.
        assert content_of_peer(PeerAnnotation(PYRAMID, "", (SCU("77", "?"),))).units == 0

    def test_an_unknown_reference(self):
        with pytest.raises(NotFoundError, match=r"no reference X; available: T1\.M\.100\.K\.A"):
            score_reference(PYRAMID, "X")

    def test_a_negative_size(self):
        with pytest.raises(InputError, match="cannot have -1 content units"):
            Weighing(np.array([1]), 1).most(-1)


class TestProperties:
    @given(measured())
    def test_bounds(self, case):
        content, table = case
        scores = score_content(content, table)
        assert 0 <= scores.original <= 1
        assert 0 <= scores.precision <= 1
        assert 0 <= scores.recall <= 1
        most = int(np.asarray(table).sum())
        if scores.max:
            assert 0 <= scores.modified <= most / scores.max
            low, high = sorted((scores.original, scores.modified))
            assert low - 1e-9 <= scores.comprehensive <= high + 1e-9
        else:
            assert math.isnan(scores.modified)
        assert scores.in_pyramid + scores.outside == scores.scus

    @given(measured(), st.randoms())
    def test_the_order_of_units_and_of_references_is_no_matter(self, case, random):
        content, table = case
        rows, columns = (list(range(size)) for size in table.shape)
        random.shuffle(rows)
        random.shuffle(columns)
        shuffled = Content(content.counts[rows], content.outside)
        assert str(score_content(shuffled, table[rows][:, columns])) == str(
            score_content(content, table)
        )

    @given(st.permutations(range(5)), st.lists(st.integers(0, 2), min_size=5, max_size=5))
    def test_uids_are_only_names(self, order, counts):
        renamed = replace(
            PYRAMID, scus=tuple(replace(PYRAMID.scus[i], uid=f"u{order[i]}") for i in range(5))
        )
        assert score_peer(peer(counts, 2, renamed)) == score_peer(peer(counts, 2))

    @given(measured(), st.data())
    def test_one_unit_more_never_weighs_less(self, case, data):
        content, table = case
        row = data.draw(st.integers(0, len(table) - 1))
        counts = content.counts.copy()
        counts[row] += 1
        before = score_content(content, table)
        after = score_content(Content(counts, content.outside), table)
        assert after.weight >= before.weight
        assert after.recall >= before.recall
        if before.max:
            assert after.modified >= before.modified
        # What was said before is said again.
        assert (after.repeated > before.repeated) == (content.counts[row] > 0)

    @given(measured())
    def test_content_outside_only_lowers_the_original_score_and_precision(self, case):
        content, table = case
        before = score_content(content, table)
        after = score_content(Content(content.counts, content.outside + 1), table)
        assert after.original <= before.original or not before.scus
        assert after.precision <= before.precision
        assert (after.weight, after.max, after.recall) == (before.weight, before.max, before.recall)

    @given(measured())
    def test_repetitions_change_nothing_but_their_number(self, case):
        content, table = case
        once = Content(np.minimum(content.counts, 1), content.outside)
        first, again = score_content(once, table), score_content(content, table)
        assert first.repeated == 0
        assert str(replace(again, repeated=0)) == str(first)

    @given(tables(), st.integers(0, 15))
    def test_max_is_that_of_the_best_choice(self, table, size):
        """Equation 3.1, tier by tier, against the heaviest units."""
        weights = table.sum(axis=1)
        tiers = {n: int((weights == n).sum()) for n in range(table.shape[1], 0, -1)}
        expected, left = 0, size
        for weight, count in tiers.items():
            taken = min(count, left)
            expected, left = expected + weight * taken, left - taken
        assert Weighing(np.asarray(weights), 1).most(size) == expected

    @given(tables())
    def test_max_is_reached(self, table):
        assume(len(table) <= 8)
        weights = table.sum(axis=1)
        best = [0] * (len(table) + 1)
        for chosen in product((0, 1), repeat=len(table)):
            size = sum(chosen)
            best[size] = max(best[size], int(np.dot(chosen, weights)))
        assert [
            Weighing(np.asarray(weights), 1).most(size) for size in range(len(table) + 1)
        ] == best


def published():
    """Return DUCView's own figures for 37 students' summaries (PyrEval's release)."""
    with gzip.open(shared_file("data/pyreval_crypto.jsonl.gz"), "rt", encoding="utf-8") as lines:
        records = map(json.loads, lines)
        return [
            {key.removeprefix("human_pyr_"): value for key, value in record["scores"].items()}
            for record in records
            if record["scores"]
        ]


def parts(weight, units, tiers):
    """Find how many units of each tier make up a weight."""
    for numbers in product(*(range(count + 1) for count in tiers.values())):
        heavy = sum(n * w for n, w in zip(numbers, tiers, strict=True))
        if sum(numbers) == units and heavy == weight:
            return dict(zip(tiers, numbers, strict=True))
    raise AssertionError((weight, units))


def test_published_ducview_scores():
    """Reproduce quality, coverage and comprehensive scores that DUCView printed.

    The pyramid they were made with is not published (the one beside them, whose mean is 9.8 units,
    is PyrEval's own); the maxima that are printed for sizes from 6 to 21 give its tiers.
    """
    tiers = {4: 3, 3: 5, 2: 4, 1: 20}
    weighing = Weighing(np.repeat(list(tiers), list(tiers.values())), 5)
    rows = published()
    assert len(rows) == 37
    assert weighing.size == 11
    for row in rows:
        counts_by_tier = parts(row["totalWeight"], row["uniquescu"], tiers)
        counts = np.concatenate(
            [np.arange(tiers[weight]) < number for weight, number in counts_by_tier.items()]
        ).astype(int)
        scores = score_weighed(Content(counts, int(row["scusNotInPyr"])), weighing)
        assert scores.scus == row["totalscu"]
        assert scores.max_original == row["maxScoreTotalscu"]
        assert scores.max == row["maxScoreAveragescu"]
        assert scores.original == pytest.approx(row["qualityScore"], abs=5.1e-5)
        assert scores.modified == pytest.approx(row["coverageScore"], abs=5.1e-5)
        # DUCView takes the harmonic mean of the rounded scores.
        assert scores.comprehensive == pytest.approx(row["comprehensiveScore"], abs=1.1e-4)


def test_the_crypto_pyramid():
    """Tiers 1, 2, 3, 7 and 13, from the shared file; its units were counted by hand."""
    source = Collection.load(shared_file("data/pyramids/crypto_ducview.pyr"))
    (pyramid,) = source.pyramids.values()
    assert [len(scus) for scus in pyramid.tiers().values()] == [1, 2, 3, 7, 13]
    assert Weighing.of(pyramid.membership).average == 9.8


def test_no_pyramid_is_changed_by_scoring():
    before = str(PYRAMID)
    score_peer(peer([1, 1, 1, 1, 1]))
    assert str(PYRAMID) == before
    with pytest.raises(ValueError, match="read-only"):
        PYRAMID.weights[0] = 9
    assert isinstance(PYRAMID, Pyramid)


def test_weighing():
    weighing = Weighing.of([[True, True, True], [True, False, True], [False, True, False]])
    assert (weighing.weights.tolist(), weighing.average, weighing.size, weighing.most(2)) == (
        [3, 2, 1],
        2.0,
        2,
        5,
    )
