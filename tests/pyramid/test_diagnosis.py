"""Optimal summaries, missed units and vectors of hits."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramid.reliability_samples import pyramid_of
from pyramid.score_samples import PYRAMID, peer, tables
from pyramidion.collection import Collection, Pyramid
from pyramidion.errors import InputError
from pyramidion.pyramid import Weighing, missed, optimal
from pyramidion.pyramid.cases import gather_cases, stack_hits

NAN = float("nan")


def collection(pyramids=None, **peers):
    return Collection(
        "mine",
        pyramids=pyramids or {("", "T1"): PYRAMID},
        peer_annotations={("", "T1", name): counts for name, counts in peers.items()},
    )


def cases(pyramids=None, **peers):
    return gather_cases(collection(pyramids, **peers)).cases


def weighing(*weights):
    """Return a pyramid whose units have these weights."""
    references = max(weights)
    return pyramid_of([[column < weight for column in range(references)] for weight in weights])


def best(pyramid, size=None):
    [topic] = optimal(pyramid, size=size, examples=1)
    return topic.best


class TestOptimal:
    def test_the_thesis_example(self):
        """Two units on top and four below: six optimal summaries of four units (Figure 3.1)."""
        four = best(weighing(3, 3, 2, 2, 2, 2), 4)
        assert (four.count, four.max, four.tier, four.n_chosen) == (6, 10, 2, 2)
        assert four.examples(99) == [(0, 1, *pair) for pair in combinations((2, 3, 4, 5), 2)]
        assert four.examples(2) == [(0, 1, 2, 3), (0, 1, 3, 4)]
        assert best(weighing(3, 3, 2, 2, 2, 2), 1).free_rows == (0, 1)

    @given(tables(), st.integers(0, 14))
    def test_they_are_all_and_only_the_best(self, table, size):
        weights = Weighing.of(table).weights
        summaries = best(pyramid_of(table), size)
        rows = np.flatnonzero(weights).tolist()
        possible = list(combinations(rows, min(size, len(rows))))
        totals = [int(weights[list(chosen)].sum()) for chosen in possible]
        expected = {c for c, total in zip(possible, totals, strict=True) if total == max(totals)}
        assert (summaries.count, summaries.max) == (len(expected), max(totals))
        assert {tuple(sorted(e)) for e in summaries.examples(summaries.count)} == expected

    def test_the_size_of_a_reference_unless_another_is_asked_for(self):
        assert best(PYRAMID).size == 3

    def test_more_than_there_are(self):
        [topic] = optimal(pyramid_of([[1, 1], [1, 0], [0, 0]]), size=9, examples=3)
        assert (topic.best.count, topic.best.max, topic.examples) == (1, 3, ((0, 1),))
        assert topic.choice == "all 2: the pyramid has no more"

    def test_examples_are_spread(self):
        summaries = best(weighing(*[1] * 40), 20)
        assert summaries.count == comb(40, 20)
        first, second, third = summaries.examples(3)
        assert len({first, second, third}) == 3
        assert all(len(example) == 20 == len(set(example)) for example in (first, second, third))
        assert (first[0], third[0]) == (0, 1)

    def test_refusals(self):
        with pytest.raises(InputError, match="size is -1; give a whole number of at least 0"):
            optimal(PYRAMID, size=-1)
        with pytest.raises(InputError, match="pyramid of pyramid is empty"):
            optimal(pyramid_of([[0]]), size=1)


class TestMissed:
    def test_a_peer(self):
        """Three units: every optimal summary has those of weight 3 and 2."""
        [diagnosis] = missed(collection(x=peer([0, 1, 2, 0, 1], outside=4)), system="x")
        assert (diagnosis.least, diagnosis.heavy) == (2, 2)
        assert (diagnosis.missed, diagnosis.light) == ((0,), (2, 4))
        scores = diagnosis.case.scores()
        assert (scores.outside, scores.repeated) == (4, 1)

    def test_another_threshold(self):
        source = collection(x=peer([0, 1, 0, 0, 1]))
        [three], [least] = (missed(source, system="x", min_weight=weight) for weight in (3, 1))
        assert (three.missed, three.light) == ((0,), (1, 4))
        assert least.missed == (0, 2, 3)

    def test_own_units_of_a_reference_are_outside(self):
        [diagnosis] = missed(PYRAMID, system="A")
        # By B and C both weigh 2; "Bears swim" weighs 1, and A has two units of its own.
        assert (diagnosis.least, diagnosis.missed, diagnosis.light) == (1, (1, 4), ())
        assert diagnosis.case.scores().outside == 2

    @given(st.lists(st.integers(0, 2), min_size=5, max_size=5), st.integers(1, 4))
    def test_every_unit_is_somewhere(self, counts, least):
        [diagnosis] = missed(collection(x=peer(counts)), system="x", min_weight=least)
        heavy = {row for row in range(5) if PYRAMID.weights[row] >= least}
        expressed = {row for row in range(5) if counts[row]}
        assert set(diagnosis.missed) == heavy - expressed
        assert set(diagnosis.light) == expressed - heavy
        weights = PYRAMID.weights[list(diagnosis.missed)]
        assert (np.diff(weights) <= 0).all()

    def test_what_only_the_others_say(self):
        texts = {"A": "Ice melts.", "B": "Ice melts.", "C": "It is old."}
        units = [("Ice", {"A": ["Ice"], "B": ["Ice"]}), ("It is old", {"C": ["It is old"]})]
        [diagnosis] = missed(Pyramid.from_references(texts, units), system="C")
        assert (diagnosis.least, diagnosis.heavy) == (2, 1)
        assert (diagnosis.missed, diagnosis.light) == ((0,), ())


class TestHits:
    def test_by_hand(self):
        hits = stack_hits(cases(**{"7": peer([1, 0, 0, 2, 0]), "10": peer([0, 1, 0, 0, 0])}))
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
        weighted = stack_hits(cases(x=peer([1, 1, 1, 1, 1])), by_weight=True)
        plain = stack_hits(cases(x=peer([1, 1, 1, 1, 1])))
        np.testing.assert_array_equal(weighted.values, plain.values * [[3], [2], [1], [1], [1]])

    def test_topics_are_put_under_each_other(self):
        pyramids = {("", "T1"): PYRAMID, ("", "T2"): PYRAMID}
        hits = stack_hits(cases(pyramids, x=peer([1, 0, 0, 0, 0])))
        assert hits.topics == ("T1",) * 5 + ("T2",) * 5
        assert np.isnan(hits.values[5:, 0]).all()
        topics, means = hits.by_topic()
        assert topics == ("T1", "T2")
        # A has 1 of the 3 units that others have too.
        np.testing.assert_allclose(means[:, :2], [[1 / 5, 1 / 3], [NAN, 1 / 3]])

    def test_units_of_another_pyramid_are_other_units(self):
        other = Pyramid.from_references({"Z": "Seas rise."}, [("Seas rise", {"Z": ["Seas"]})])
        hits = stack_hits(cases(x=peer([1, 0, 0, 0, 0]), y=peer([1], 0, other)))
        assert list(zip(hits.uids, hits.labels, strict=True))[-1] == ("1", "Seas rise")
        column = hits.systems.index("y")
        np.testing.assert_array_equal(hits.values[:, column], [NAN] * 5 + [1])

    def test_nothing(self):
        assert stack_hits([]).values.shape == (0, 0)
