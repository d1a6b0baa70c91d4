"""Optimal summaries, missed units and vectors of hits."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramid.score_samples import PYRAMID, peer, tables
from pyramidion.collection import Collection, Pyramid
from pyramidion.errors import InputError
from pyramidion.pyramid._diagnosis import missed_units, optimal_summaries
from pyramidion.pyramid.cases import gather_cases, hits_of
from pyramidion.pyramid.content_units import Case, Content, TopicUnits, Weighing

NAN = float("nan")


def cases(pyramids=None, **peers):
    return gather_cases(
        Collection(
            "mine",
            pyramids=pyramids or {("", "T1"): PYRAMID},
            peer_annotations={("", "T1", name): counts for name, counts in peers.items()},
        )
    ).cases


class TestOptimal:
    def test_the_thesis_example(self):
        """Two units on top and four below: six optimal summaries of four units (Figure 3.1)."""
        found = optimal_summaries(Weighing(np.array([3, 3, 2, 2, 2, 2]), 3), 4)
        assert (found.count, found.max, found.tier, found.chosen) == (6, 10, 2, 2)
        assert found.examples(99) == [(0, 1, *pair) for pair in combinations((2, 3, 4, 5), 2)]

    @given(tables(), st.integers(0, 14))
    def test_they_are_all_and_only_the_best(self, table, size):
        weighing = Weighing.of(table)
        found = optimal_summaries(weighing, size)
        weights = weighing.weights
        rows = np.flatnonzero(weights).tolist()
        best = [
            chosen
            for chosen in combinations(rows, min(size, len(rows)))
            if weights[list(chosen)].sum() == weighing.most(size)
        ]
        assert found.count == len(best)
        assert {tuple(sorted(e)) for e in found.examples(found.count)} == set(best)

    def test_the_size_of_a_reference_unless_another_is_asked_for(self):
        assert optimal_summaries(Weighing.of(PYRAMID.membership)).size == 3

    def test_more_than_there_are(self):
        found = optimal_summaries(Weighing(np.array([2, 1, 0]), 2), 9)
        assert (found.count, found.max, found.examples(3)) == (1, 3, [(0, 1)])

    def test_examples_are_spread(self):
        found = optimal_summaries(Weighing(np.ones(40, dtype=int), 1), 20)
        assert found.count == comb(40, 20)
        first, second, third = found.examples(3)
        assert len({first, second, third}) == 3
        assert all(len(example) == 20 == len(set(example)) for example in (first, second, third))
        assert (first[0], third[0]) == (0, 1)

    def test_refusals(self):
        with pytest.raises(InputError, match="cannot have -1 content units"):
            optimal_summaries(Weighing(np.array([1]), 1), -1)
        with pytest.raises(InputError, match="no content unit that a reference expresses"):
            optimal_summaries(Weighing(np.array([0]), 1), 1)


class TestMissed:
    def test_a_peer(self):
        """Three units: every optimal summary has those of weight 3 and 2."""
        (case, *_) = cases(x=peer([0, 1, 2, 0, 1], outside=4))
        found = missed_units(case)
        assert (found.least, found.heavy) == (2, 2)
        assert (found.missed, found.light) == ((0,), (2, 4))
        scores = case.scores()
        assert (scores.outside, scores.repeated) == (4, 1)

    def test_another_threshold(self):
        (case, *_) = cases(x=peer([0, 1, 0, 0, 1]))
        assert missed_units(case, least=3).missed == (0,)
        assert missed_units(case, least=3).light == (1, 4)
        assert missed_units(case, least=1).missed == (0, 2, 3)

    def test_own_units_of_a_reference_are_outside(self):
        a = next(case for case in cases() if case.system == "A")
        found = missed_units(a)
        # By B and C both weigh 2; "Bears swim" weighs 1, and A has two units of its own.
        assert (found.least, found.missed, found.light) == (1, (1, 4), ())
        assert a.scores().outside == 2

    @given(st.lists(st.integers(0, 2), min_size=5, max_size=5), st.integers(1, 4))
    def test_every_unit_is_somewhere(self, counts, least):
        (case, *_) = cases(x=peer(counts))
        found = missed_units(case, least=least)
        heavy = {row for row in range(5) if PYRAMID.weights[row] >= least}
        said = {row for row in range(5) if counts[row]}
        assert set(found.missed) == heavy - said
        assert set(found.light) == said - heavy
        weights = PYRAMID.weights[list(found.missed)]
        assert (np.diff(weights) <= 0).all()


class TestHits:
    def test_by_hand(self):
        hits = hits_of(cases(**{"7": peer([1, 0, 0, 2, 0]), "10": peer([0, 1, 0, 0, 0])}))
        assert hits.systems == ("7", "10", "A", "B", "C")
        assert hits.human.tolist() == [False, False, True, True, True]
        assert hits.uids == ("1", "2", "3", "4", "5")
        np.testing.assert_array_equal(
            hits.values,
            [
                [1, 0, 1, 1, 1],
                [0, 1, 0, 1, 1],
                [0, 0, NAN, 0, 0],
                [1, 0, NAN, 0, 0],
                [0, 0, 0, 0, NAN],
            ],
        )

    def test_weights_are_the_whole_pyramids(self):
        weighted = hits_of(cases(x=peer([1, 1, 1, 1, 1])), weighted=True)
        plain = hits_of(cases(x=peer([1, 1, 1, 1, 1])))
        np.testing.assert_array_equal(weighted.values, plain.values * [[3], [2], [1], [1], [1]])

    def test_topics_are_put_under_each_other(self):
        pyramids = {("", "T1"): PYRAMID, ("", "T2"): PYRAMID}
        hits = hits_of(cases(pyramids, x=peer([1, 0, 0, 0, 0])))
        assert hits.topics == ("T1",) * 5 + ("T2",) * 5
        assert np.isnan(hits.values[5:, 0]).all()
        topics, means = hits.by_topic()
        assert topics == ("T1", "T2")
        # A has 1 of the 3 units that others have too.
        np.testing.assert_allclose(means[:, :2], [[1 / 5, 1 / 3], [NAN, 1 / 3]])

    def test_units_of_another_pyramid_are_other_units(self):
        other = Pyramid.from_references({"Z": "Seas rise."}, [("Seas rise", {"Z": ["Seas"]})])
        hits = hits_of(cases(x=peer([1, 0, 0, 0, 0]), y=peer([1], 0, other)))
        assert list(zip(hits.uids, hits.labels, strict=True))[-1] == ("1", "Seas rise")
        column = hits.systems.index("y")
        np.testing.assert_array_equal(hits.values[:, column], [NAN] * 5 + [1])

    def test_nothing(self):
        assert hits_of([]).values.shape == (0, 0)


def test_optimal_summaries():
    found = optimal_summaries(Weighing(np.array([3, 3, 2, 2, 2, 2]), order=3), 4)
    assert (found.count, found.max, found.examples(2)) == (6, 10, [(0, 1, 2, 3), (0, 1, 3, 4)])


def test_optimal_summaries_again():
    assert optimal_summaries(Weighing(np.array([3, 3, 2, 2, 2, 2]), order=3), 1).free == (0, 1)


def test_missed():
    texts = {"A": "Ice melts.", "B": "Ice melts.", "C": "It is old."}
    pyramid = Pyramid.from_references(
        texts,
        [
            ("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
            ("It is old", {"C": ["It is old"]}),
        ],
    )
    cases = gather_cases(Collection("", pyramids={("", "T1"): pyramid})).cases
    found, scores = missed_units(cases[2]), cases[2].scores()
    assert (found.least, found.heavy, found.missed, found.light) == (2, 1, (0,), ())
    assert (scores.outside, scores.repeated) == (1, 0)


def test_missed_units():
    units = TopicUnits(("1", "2"), ("Ice melts", "It is old"), Weighing(np.array([1, 2]), 2))
    assert missed_units(
        Case("", "T1", "7", "machine", units, Content(np.array([1, 0])))
    ).missed == (1,)
