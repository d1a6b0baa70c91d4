"""Two people who annotated the same peers: Tables 3.3 and 3.4 of the thesis."""

from dataclasses import replace
from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pyramid.reliability_samples import peer_of, pyramid_of
from pyramidion.collection import SCU, Collection, Contributor, Part, PeerAnnotation, Pyramid, Topic
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.pyramid import agreement, score
from pyramidion.pyramid._agreement.peers import (
    AnnotatedTwice,
    UnitAgreement,
    agreement_of_annotations,
    agreement_on_units,
    compare_scores,
    decisions,
)
from pyramidion.pyramid._agreement.pyramids import Disagreement, PyramidAgreement
from pyramidion.pyramid._agreement.question import AllAnnotators, GroupAgreement
from pyramidion.stats import krippendorff_alpha

#: Thesis, Table 3.3: kappa and percent agreement, all content units and without weight 1.
TABLE_3_3 = {
    "324": (0.62, 0.90, 0.66, 0.90),
    "400": (0.50, 0.96, 0.65, 0.94),
    "407": (0.46, 0.95, 0.42, 0.90),
    "426": (0.60, 0.94, 0.69, 0.94),
    "633": (0.55, 0.96, 0.67, 0.96),
    "695": (0.57, 0.96, 0.71, 0.96),
}

# Weights 3, 2, 1, 1.
PYRAMID = pyramid_of([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 1]])


def twice(first, second, *, outside=(0, 0)):
    one = peer_of(PYRAMID, first, outside=outside[0])
    return AnnotatedTwice(one, peer_of(PYRAMID, second, outside=outside[1]), name="7")


def share_of_yes(percent, pi):
    """Return the share of yes that a percent agreement and a pi imply: 2p(1 - p) = 1 - p_e."""
    chance = (1 - percent) / (1 - pi)
    return (1 - sqrt(1 - 2 * chance)) / 2


# Content units


def test_coefficients_worked_by_hand():
    """20 both, 5 and 10 by one, 15 neither: Cohen 0.4, Scott (0.7 - 0.505) / 0.495."""
    found = UnitAgreement.counted(both=20, only_first=5, only_second=10, neither=15)
    assert found.decisions == 50
    assert found.percent == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    assert found.pi == pytest.approx(0.195 / 0.495)
    # Two coders, nominal: alpha = pi + (1 - pi) / (number of answers).
    assert found.alpha == pytest.approx(found.pi + (1 - found.pi) / 100)


def test_a_decision_is_a_content_unit_of_the_pyramid():
    """Repetitions and content beyond the pyramid are no part of it."""
    first, second = decisions(twice([0, 0, 2], [0, 1], outside=(5, 0)))
    assert first.tolist() == [True, False, True, False]
    assert second.tolist() == [True, True, False, False]
    first, second = decisions(twice([0, 0, 2], [0, 1]), min_weight=2)
    assert (first.tolist(), second.tolist()) == ([True, False], [True, True])


def test_the_size_of_the_thesis_pyramids_gives_its_kappa():
    """Thesis, 3.3.2: 156 SCUs a pyramid, about 10 in a peer, 162 peers, 95 % agreement, 0.57.

    Ten of 156 said yes to by each, and 5 % of all decisions different, leave pi at 0.58; with
    the printed 0.57 the share of yes is 9.7 of 156. So an item is an SCU of the pyramid in a
    peer, and its categories are present and absent.
    """
    every, yes, different = 156 * 162, 10 * 162, round(0.05 * 156 * 162)
    one = different // 2
    found = UnitAgreement.counted(
        both=yes - one, only_first=one, only_second=one, neither=every - yes - one
    )
    assert found.pi == pytest.approx(0.57, abs=0.015)
    assert found.kappa == pytest.approx(found.pi, abs=1e-9)
    assert 156 * share_of_yes(0.95, 0.57) == pytest.approx(10, abs=0.5)
    # Without weight 1, about half the units: fewer than those ten of the 78 that are left.
    assert 5 < 78 * share_of_yes(0.93, 0.65) < 10


def test_table_3_3_leaves_each_set_a_sensible_share_of_yes():
    for kappa, percent, kappa_2, percent_2 in TABLE_3_3.values():
        every, heavier = share_of_yes(percent, kappa), share_of_yes(percent_2, kappa_2)
        assert 0.03 < every < 0.17
        # Heavy units are said more often, or as often within the rounding of the table.
        assert heavier > every - 0.01


def test_agreement_is_pooled_over_peers():
    """By hand: 8 decisions, 3 and 4 of them yes, one different."""
    found = agreement_on_units([twice([0], [0, 1]), twice([0, 3], [0, 3])])
    assert (found.both, found.only_first, found.only_second, found.neither) == (3, 0, 1, 4)
    assert found.percent == 7 / 8
    yes = 7 / 16
    assert found.pi == pytest.approx(1 - (1 / 8) / (2 * yes * (1 - yes)))


def test_without_weight_one_nothing_may_be_left():
    alone = pyramid_of(np.eye(3))
    pair = AnnotatedTwice(peer_of(alone, [0]), peer_of(alone, [1]))
    found = agreement_on_units([pair], min_weight=2)
    assert found.undefined == "no content unit is left to decide on"
    assert isnan(found.pi)
    assert isnan(found.percent)
    assert agreement_on_units([pair]).percent == pytest.approx(1 / 3)


def test_unanimous_annotations_are_told():
    found = agreement_on_units([twice([], [])])
    assert found.unanimous
    assert (found.pi, found.percent) == (1.0, 1.0)


def test_units_no_reference_expresses_are_not_asked_about():
    loose = pyramid_of([[1, 1], [0, 0]])
    first, _ = decisions(AnnotatedTwice(peer_of(loose, [0]), peer_of(loose, [0])))
    assert first.tolist() == [True]


def test_order_labels_and_blanks_may_differ():
    first = peer_of(PYRAMID, [0, 3], text="A peer.")
    turned = replace(PYRAMID, scus=PYRAMID.scus[::-1])
    second = peer_of(turned, [0, 3], text="A  peer.\n")
    assert [scu.uid for scu in turned.scus] == ["4", "3", "2", "1"]
    found = agreement_on_units([AnnotatedTwice(first, second)])
    # Rows 0 and 3 of the turned pyramid are units 4 and 1.
    assert (found.both, found.only_first, found.only_second) == (2, 0, 0)


@pytest.mark.parametrize(
    "other",
    [
        pyramid_of([[1, 1, 1], [1, 1, 0], [1, 0, 0]]),
        pyramid_of([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0]]),
    ],
)
def test_annotations_by_other_pyramids_are_refused(other):
    with pytest.raises(ShapeError, match="of 7 are by different pyramids: content unit 4"):
        AnnotatedTwice(peer_of(PYRAMID, []), peer_of(other, []), name="7")
    with pytest.raises(ShapeError, match="of 7 are by different pyramids: content unit 4"):
        AnnotatedTwice(peer_of(other, []), peer_of(PYRAMID, []), name="7")


def test_annotations_of_other_texts_are_refused():
    with pytest.raises(ShapeError, match="the two annotations of 7 are of different texts"):
        AnnotatedTwice(peer_of(PYRAMID, []), peer_of(PYRAMID, [], text="Another."), name="7")
    with pytest.raises(InputError, match="`min_weight` is 0"):
        decisions(twice([], []), min_weight=0)


# Scores


def test_scores_differ_as_worked_by_hand():
    """Weights 3, 2, 1, 1 of three references: 7 in all, X = 7/3 rounded = 2, Max = 5.

    First: units 0 and 2, D = 4, original 4/5. Second: unit 0 and one outside, D = 3, 3/5.
    """
    item = twice([0, 2], [0], outside=(0, 1))
    first, second = item.scores
    assert (first.original, first.modified) == (0.8, 0.8)
    assert (second.original, second.modified) == (0.6, 0.6)
    found = agreement_of_annotations([item]).modified
    assert found.difference == pytest.approx(0.2)
    assert found.absolute == found.largest == pytest.approx(0.2)
    assert isnan(found.p_t)
    assert found.note == "one peer cannot be tested"


def test_content_beyond_the_pyramid_moves_the_original_score_only():
    """Thesis, 3.3.2: many annotators had a strategy of their own for it."""
    found = agreement_of_annotations([twice([0], [0], outside=(0, 3))])
    assert found.modified.difference == 0.0
    assert found.original.difference > 0.5
    assert found.units.percent == 1.0


def test_tests_are_those_of_scipy():
    rng = np.random.default_rng(1)
    first, second = rng.random((2, 27))
    found = compare_scores(first, second)
    assert found.p_t == pytest.approx(stats.ttest_rel(first, second).pvalue)
    exact = stats.wilcoxon(first, second, method="exact").pvalue
    assert found.p_wilcoxon == pytest.approx(exact)
    assert found.difference == pytest.approx(np.mean(first - second))
    assert found.absolute == pytest.approx(np.mean(np.abs(first - second)))


def test_large_samples_take_the_normal_approximation():
    rng = np.random.default_rng(2)
    first, second = rng.random((2, 400))
    approximate = stats.wilcoxon(first, second, method="approx", correction=False).pvalue
    assert compare_scores(first, second).p_wilcoxon == pytest.approx(approximate)


def test_differences_that_do_not_vary_are_told():
    same = compare_scores([0.5, 0.25], [0.5, 0.25])
    assert (same.p_t, same.p_wilcoxon) == (1.0, 1.0)
    shifted = compare_scores([0.75, 0.5], [0.5, 0.25])
    assert isnan(shifted.p_t)
    assert shifted.note == "no spread: every difference is the same"
    nothing = compare_scores([float("nan")], [0.5])
    assert (nothing.n, nothing.undefined, nothing.note) == (0, 1, "no peer has both scores")


# Properties


answers = st.lists(st.sets(st.integers(0, 3)), min_size=2, max_size=6)


@given(answers, answers)
def test_swapping_the_people_changes_signs_only(one, two):
    size = min(len(one), len(two))
    pairs = [twice(a, b) for a, b in zip(one[:size], two[:size], strict=True)]
    swapped = [AnnotatedTwice(pair.second, pair.first) for pair in pairs]
    here, there = (agreement_of_annotations(p) for p in (pairs, swapped))
    for part in ("pi", "kappa", "alpha", "percent"):
        assert getattr(here.units, part) == pytest.approx(getattr(there.units, part))
    assert here.units.only_first == there.units.only_second
    for measure in ("original", "modified"):
        a, b = getattr(here, measure), getattr(there, measure)
        assert a.difference == pytest.approx(-b.difference)
        assert a.absolute == pytest.approx(b.absolute)
        assert a.p_t == pytest.approx(b.p_t, nan_ok=True)
        assert abs(a.difference) <= a.absolute + 1e-12 <= a.largest + 2e-12


@given(answers)
def test_an_annotation_agrees_with_itself(said):
    found = agreement_of_annotations([twice(a, a) for a in said])
    assert found.units.percent == found.units.pi == found.units.kappa == found.units.alpha == 1.0
    assert found.original.largest == found.modified.largest == 0.0


def test_unit_agreement():
    assert UnitAgreement.counted(both=8, only_first=2, only_second=2, neither=88).percent == 0.96


def test_agreement_on_units():
    assert agreement_on_units([]).undefined == "no content unit is left to decide on"


def test_agreement_of_annotations():
    pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    peer = PeerAnnotation(pyramid, "Ice.", (SCU("1", ""),))
    found = agreement_of_annotations([AnnotatedTwice(peer, peer)])
    assert (found.units.percent, found.shared_units.undefined) == (
        1.0,
        "no content unit is left to decide on",
    )


# Several annotators, two pyramids, places

TEXTS = {"A": "Rain fell. Ships sank.", "B": "Rain fell. Bears swim."}
THREE = Pyramid.from_references(
    TEXTS,
    [
        ("Rain", {"A": ["Rain fell"], "B": ["Rain fell"]}),
        ("Ships", {"A": ["Ships sank"]}),
        ("Bears", {"B": ["Bears swim"]}),
    ],
)
# The other person takes all that A says for one unit.
TWO = Pyramid.from_references(
    {"B": TEXTS["B"], "A": TEXTS["A"]},
    [
        ("Rain", {"A": ["Rain fell. Ships sank"], "B": ["Rain fell"]}),
        ("Bears", {"B": ["Bears swim"]}),
    ],
)


def said(pyramid, text, **found):
    """Annotate a text: the words in which it expresses units, by their labels."""
    scus = [
        SCU(scu.uid, scu.label, tuple(
            Contributor((Part(text.index(words), text.index(words) + len(words), words),))
            for label, words in found.items() if label == scu.label
        ))
        for scu in pyramid.scus
    ]  # fmt: skip
    return PeerAnnotation(pyramid, text, tuple(scus))


PEERS = ("It is said rain fell on land.", "So rain fell on land.")
MANY = Collection(
    "many",
    pyramids={("", "T1"): THREE},
    peer_annotations={
        ("", "T1", "7", "anna"): said(THREE, PEERS[0], Rain="rain fell on"),
        ("", "T1", "7", "bert"): said(THREE, PEERS[0]),
        ("", "T1", "7", "anna", "2"): said(THREE, PEERS[0], Rain="rain fell", Bears="on land"),
        ("", "T1", "8", "anna"): said(THREE, PEERS[1]),
        ("", "T1", "8", "carl"): said(TWO, PEERS[1], Rain="rain fell on"),
        ("", "T1", "7", "carl"): said(TWO, PEERS[0], Rain="rain fell on"),
    },
    versions={("", "T1", "carl's"): TWO},
)


def test_any_number_of_annotators(tmp_path):
    """The three who used one pyramid: 1 0 1, 0 0 0 and 0 0 1 about its three units."""
    MANY.save(tmp_path / "many")
    for source in (MANY, tmp_path / "many"):
        result = agreement(source)
        groups = [one for one in result if isinstance(one, GroupAgreement) and one.level == "topic"]
        assert [(one.first, one.second, one.agreement.units.percent) for one in groups] == [
            ("anna", "anna (2)", 2 / 3), ("anna", "bert", 2 / 3), ("anna (2)", "bert", 1 / 3),
        ]  # fmt: skip
        [everyone] = [one for one in result if isinstance(one, AllAnnotators)]
        answers = [[1, 0, 0], [1, 0, 1], [0, 0, 0]]
        assert everyone.alpha == pytest.approx(krippendorff_alpha(answers, level="nominal").value)
        assert (everyone.summaries, everyone.decisions, len(everyone.annotators)) == (1, 3, 3)
        assert "annotated with two pyramids by anna and carl: 2 (T1, 7; T1, 8)" in result.left_out
    chosen = agreement(MANY, assessor="anna")
    assert {(one.first, one.second) for one in chosen if isinstance(one, GroupAgreement)} == {
        ("anna", "anna (2)")
    }
    with pytest.raises(NotFoundError, match="there is no annotator 'dora'; there are: anna, bert"):
        agreement(MANY, assessor="dora")


def test_two_pyramids_of_the_same_references():
    """Words a b c d and a b e f; the first joins a b with a b, the second a b c d with a b.

    Of 16 pairs in different references 4 are joined by both, 4 by the second; of 12 in one
    reference 4 by both (a b, c d; a b, e f) and 4 by the second. Cohen's kappa is 0.5 and 0.4.
    """
    [found] = [one for one in agreement(MANY) if isinstance(one, PyramidAgreement)]
    assert (found.first, found.second, found.units) == ("in force", "carl's", (3, 2))
    across = found.across
    assert (across.both, across.only_first, across.only_second, across.neither) == (4, 0, 4, 8)
    assert (found.across.precision, found.across.recall) == (0.5, 1)
    assert found.across.f == pytest.approx(2 / 3)
    assert across.kappa == pytest.approx(0.5)
    within = found.within
    assert (within.both, within.only_second, within.neither) == (4, 4, 4)
    assert within.kappa == pytest.approx(0.4)
    # Anna's first annotations score 2 of 3 and 0, Carl's both 2 of Max(1.5 -> 2) = 3.
    assert (found.peers.mean_first, found.peers.mean_second) == (1 / 3, pytest.approx(2 / 3))
    other = replace(MANY, pyramids={("", "T1"): TWO}, peer_annotations={}, versions={})
    [again] = agreement(replace(MANY, versions={}, peer_annotations={}), other)
    assert (again.across, again.first) == (found.across, "many")


def test_the_same_words_are_marked_in_one_peer_and_not_in_another():
    found = [one for one in agreement(MANY, places=True) if isinstance(one, Disagreement)]
    assert {(one.scu, one.words, one.marked, one.unmarked) for one in found} == {
        ("1", "rain fell on", "T1, 7 by anna", "T1, 7 by bert"),
        ("1", "rain fell on", "T1, 7 by anna", "T1, 8 by anna"),
    }


def test_every_annotator_has_scores(tmp_path):
    """Rain weighs 2 and the others 1; Max of a reference's two units is 3."""
    result = score(MANY, references=False)
    assert [(*one.case.key[2:], round(one.scores.modified, 2)) for one in result] == [
        ("7", "anna", "", 0.67), ("7", "anna", "2", 1.0), ("7", "bert", "", 0.0),
        ("7", "carl", "", 0.67), ("8", "anna", "", 0.0), ("8", "carl", "", 0.67),
    ]  # fmt: skip
    assert "n counts annotations" in result.tables[1].note
    columns = result.to_scores().select(measure="pyramid-modified").columns
    assert columns["occasion"].tolist() == ["", "2", "", "", "", ""]
    chosen = score(MANY, references=False, assessor="bert")
    assert len(chosen) == 1
    assert not chosen.tables[1].note


def test_given_weights():
    """Ships weighs 5; X is still 2, and Max 5 + 2."""
    listed = [{"id": "1", "weight": 2}, {"id": "2", "weight": 5}, {"id": "3", "weight": 1}]
    mine = replace(MANY, topics=(Topic("T1", extra={"scus": listed}),), versions={})
    result = score(mine, references=False, assessor="bert,anna", weights="given")
    assert (result[0].scores.weight, result[0].scores.max) == (2, 7)
    with pytest.raises(InputError, match="topic T1 gives no weights of content units"):
        score(MANY, weights="given")


def test_one_annotator_cannot_agree():
    alone = {key: peer for key, peer in MANY.peer_annotations.items() if key[3] == "bert"}
    with pytest.raises(InputError, match="no peer in it was annotated by two people"):
        agreement(replace(MANY, peer_annotations=alone, versions={}))
