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
from pyramidion.pyramid import (
    AllAnnotators,
    Disagreement,
    GroupAgreement,
    PyramidAgreement,
    agreement,
    score,
    score_peer,
)
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


def compared(*pairs, pyramid=PYRAMID):
    """Measure the agreement on peers, each given by both annotations or by their units."""
    annotations = {}
    for number, pair in enumerate(pairs):
        for who, marked in zip(("anna", "bert"), pair, strict=True):
            peer = marked if isinstance(marked, PeerAnnotation) else peer_of(pyramid, marked)
            annotations["", "T1", str(number), who] = peer
    return agreement(Collection("", peer_annotations=annotations))[0].agreement


def with_counts(both, only_first, only_second, neither):
    """Return a pyramid of so many units, and what two people found in one peer."""
    size = both + only_first + only_second + neither
    first = range(both + only_first)
    second = [*range(both), *range(both + only_first, both + only_first + only_second)]
    return compared((first, second), pyramid=pyramid_of(np.ones((size, 2)))).units


def share_of_yes(percent, pi):
    """Return the share of yes that a percent agreement and a pi imply: 2p(1 - p) = 1 - p_e."""
    chance = (1 - percent) / (1 - pi)
    return (1 - sqrt(1 - 2 * chance)) / 2


# Content units


def test_coefficients_worked_by_hand():
    """20 both, 5 and 10 by one, 15 neither: Cohen 0.4, Scott (0.7 - 0.505) / 0.495."""
    units = with_counts(both=20, only_first=5, only_second=10, neither=15)
    assert (units.both, units.only_first, units.only_second, units.neither) == (20, 5, 10, 15)
    assert units.decisions == 50
    assert units.percent == pytest.approx(0.7)
    assert units.kappa == pytest.approx(0.4)
    assert units.pi == pytest.approx(0.195 / 0.495)
    # Two coders, nominal: alpha = pi + (1 - pi) / (number of answers).
    assert units.alpha == pytest.approx(units.pi + (1 - units.pi) / 100)


def test_a_decision_is_a_content_unit_of_the_pyramid():
    """Repetitions and content beyond the pyramid are no part of it."""
    pair = (peer_of(PYRAMID, [0, 0, 2], outside=5), peer_of(PYRAMID, [0, 1]))
    units, shared = (getattr(compared(pair), name) for name in ("units", "shared_units"))
    assert (units.both, units.only_first, units.only_second, units.neither) == (1, 1, 1, 1)
    # Weights 3 and 2.
    assert (shared.both, shared.only_first, shared.only_second, shared.neither) == (1, 0, 1, 0)


def test_the_size_of_the_thesis_pyramids_gives_its_kappa():
    """Thesis, 3.3.2: 156 SCUs a pyramid, about 10 in a peer, 162 peers, 95 % agreement, 0.57.

    Ten of 156 said yes to by each, and 5 % of all decisions different, leave pi at 0.58; with
    the printed 0.57 the share of yes is 9.7 of 156. So an item is an SCU of the pyramid in a
    peer, and its categories are present and absent.
    """
    different = round(0.05 * 156 * 162) // 2
    pyramid = pyramid_of(np.ones((156, 1)))
    apart = np.diff(np.linspace(0, different, 163).round()).astype(int).tolist()
    pairs = [(range(10), [*range(count, 10), *range(20, 20 + count)]) for count in apart]
    units = compared(*pairs, pyramid=pyramid).units
    assert (units.only_first, units.only_second) == (different, different)
    assert (units.both + different, units.decisions) == (10 * 162, 156 * 162)
    assert units.pi == pytest.approx(0.57, abs=0.015)
    assert units.kappa == pytest.approx(units.pi, abs=1e-9)
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
    units = compared(([0], [0, 1]), ([0, 3], [0, 3])).units
    assert (units.both, units.only_first, units.only_second, units.neither) == (3, 0, 1, 4)
    assert units.percent == 7 / 8
    yes = 7 / 16
    assert units.pi == pytest.approx(1 - (1 / 8) / (2 * yes * (1 - yes)))


def test_without_weight_one_nothing_may_be_left():
    measured = compared(([0], [1]), pyramid=pyramid_of(np.eye(3)))
    assert measured.shared_units.undefined == "no content unit is left to decide on"
    assert isnan(measured.shared_units.pi)
    assert isnan(measured.shared_units.percent)
    assert measured.units.percent == pytest.approx(1 / 3)


def test_unanimous_annotations_are_reported():
    units = compared(([], [])).units
    assert units.unanimous
    assert (units.pi, units.percent) == (1.0, 1.0)


def test_units_no_reference_expresses_are_not_asked_about():
    units = compared(([0], [0]), pyramid=pyramid_of([[1, 1], [0, 0]])).units
    assert (units.both, units.decisions) == (1, 1)


def test_order_labels_and_blanks_may_differ():
    first = peer_of(PYRAMID, [0, 3], text="A peer.")
    turned = replace(PYRAMID, scus=PYRAMID.scus[::-1])
    second = peer_of(turned, [0, 3], text="A  peer.\n")
    assert [scu.uid for scu in turned.scus] == ["4", "3", "2", "1"]
    units = compared((first, second)).units
    # Rows 0 and 3 of the turned pyramid are units 4 and 1.
    assert (units.both, units.only_first, units.only_second) == (2, 0, 0)


@pytest.mark.parametrize(
    "other",
    [
        pyramid_of([[1, 1, 1], [1, 1, 0], [1, 0, 0]]),
        pyramid_of([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0]]),
    ],
)
def test_annotations_by_other_pyramids_are_refused(other):
    pair = (peer_of(PYRAMID, []), peer_of(other, []))
    for annotations in (pair, pair[::-1]):
        with pytest.raises(ShapeError, match="of T1, 0 use different pyramids: content unit 4"):
            compared(annotations)


def test_annotations_of_other_texts_are_refused():
    with pytest.raises(ShapeError, match="the two annotations of T1, 0 are of different texts"):
        compared((peer_of(PYRAMID, []), peer_of(PYRAMID, [], text="Another.")))


# Scores


def test_scores_differ_as_worked_by_hand():
    """Weights 3, 2, 1, 1 of three references: 7 in all, X = 7/3 rounded = 2, Max = 5.

    First: units 0 and 2, D = 4, original 4/5. Second: unit 0 and one outside, D = 3, 3/5.
    """
    measured = compared((peer_of(PYRAMID, [0, 2]), peer_of(PYRAMID, [0], outside=1)))
    for scores in (measured.original, measured.modified):
        assert (scores.mean_first, scores.mean_second) == (0.8, 0.6)
        assert scores.difference == pytest.approx(0.2)
        assert scores.absolute == scores.largest == pytest.approx(0.2)
        assert isnan(scores.p_t)
        assert scores.note == "one peer cannot be tested"


def test_content_beyond_the_pyramid_moves_the_original_score_only():
    """Thesis, 3.3.2: many annotators had a strategy of their own for it."""
    measured = compared((peer_of(PYRAMID, [0]), peer_of(PYRAMID, [0], outside=3)))
    assert measured.modified.difference == 0.0
    assert measured.original.difference > 0.5
    assert measured.units.percent == 1.0


@pytest.mark.parametrize(("peers", "method"), [(27, "exact"), (201, "approx")])
def test_tests_are_those_of_scipy(peers, method):
    """Large samples take the normal approximation."""
    rng = np.random.default_rng(1)
    pyramid = pyramid_of(rng.random((150, 5)) < 0.5)
    pairs = [
        tuple(
            peer_of(pyramid, np.flatnonzero(rng.random(150) < 0.4), outside=int(rng.integers(60)))
            for _ in range(2)
        )
        for _ in range(peers)
    ]
    scores = compared(*pairs, pyramid=pyramid).original
    first, second = np.array([[score_peer(peer).original for peer in pair] for pair in pairs]).T
    expected = stats.wilcoxon(first, second, method=method, correction=False).pvalue
    assert scores.p_wilcoxon == pytest.approx(expected)
    assert scores.p_t == pytest.approx(stats.ttest_rel(first, second).pvalue)
    assert scores.difference == pytest.approx(np.mean(first - second))
    assert scores.absolute == pytest.approx(np.mean(np.abs(first - second)))
    assert scores.largest == pytest.approx(np.max(np.abs(first - second)))
    assert scores.correlation == pytest.approx(stats.pearsonr(first, second)[0])


def test_differences_that_do_not_vary_are_reported():
    """Of four units that all references have, k make a modified score of k / 4."""
    pyramid = pyramid_of(np.ones((4, 2)))
    same = compared((range(2), range(2)), (range(1), range(1)), pyramid=pyramid).modified
    assert (same.p_t, same.p_wilcoxon) == (1.0, 1.0)
    shifted = compared((range(3), range(2)), (range(2), range(1)), pyramid=pyramid).modified
    assert isnan(shifted.p_t)
    assert shifted.note == "no spread: every difference is the same"
    # Two peers, or a person who gives one score only, have no correlation.
    assert isnan(shifted.correlation)
    constant = [(range(2), range(count)) for count in (1, 2, 3)]
    assert isnan(compared(*constant, pyramid=pyramid).modified.correlation)
    # A third of a unit in a reference is none, so that Max is 0.
    nothing = compared(([0], [0]), pyramid=pyramid_of([[1, 0, 0]])).modified
    assert (nothing.n, nothing.undefined, nothing.note) == (0, 1, "no peer has both scores")


# Properties


answers = st.lists(st.sets(st.integers(0, 3)), min_size=2, max_size=6)


@given(answers, answers)
def test_swapping_the_people_changes_signs_only(first, second):
    pairs = list(zip(first, second, strict=False))
    here, swapped = compared(*pairs), compared(*(pair[::-1] for pair in pairs))
    for part in ("pi", "kappa", "alpha", "percent"):
        assert getattr(here.units, part) == pytest.approx(getattr(swapped.units, part))
    assert here.units.only_first == swapped.units.only_second
    for measure in ("original", "modified"):
        a, b = getattr(here, measure), getattr(swapped, measure)
        assert a.difference == pytest.approx(-b.difference)
        assert a.absolute == pytest.approx(b.absolute)
        assert a.p_t == pytest.approx(b.p_t, nan_ok=True)
        assert abs(a.difference) <= a.absolute + 1e-12 <= a.largest + 2e-12


@given(answers)
def test_an_annotation_agrees_with_itself(peers):
    measured = compared(*((units, units) for units in peers))
    units = measured.units
    assert units.percent == units.pi == units.kappa == units.alpha == 1.0
    assert measured.original.largest == measured.modified.largest == 0.0


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


def annotation(pyramid, text, **marks):
    """Annotate a text: the words in which it expresses units, by their labels."""
    scus = [
        SCU(scu.uid, scu.label, tuple(
            Contributor((Part(text.index(words), text.index(words) + len(words), words),))
            for label, words in marks.items() if label == scu.label
        ))
        for scu in pyramid.scus
    ]  # fmt: skip
    return PeerAnnotation(pyramid, text, tuple(scus))


PEERS = ("It is said rain fell on land.", "So rain fell on land.")
MANY = Collection(
    "many",
    pyramids={("", "T1"): THREE},
    peer_annotations={
        ("", "T1", "7", "anna"): annotation(THREE, PEERS[0], Rain="rain fell on"),
        ("", "T1", "7", "bert"): annotation(THREE, PEERS[0]),
        ("", "T1", "7", "anna", "2"): annotation(
            THREE, PEERS[0], Rain="rain fell", Bears="on land"
        ),
        ("", "T1", "8", "anna"): annotation(THREE, PEERS[1]),
        ("", "T1", "8", "carl"): annotation(TWO, PEERS[1], Rain="rain fell on"),
        ("", "T1", "7", "carl"): annotation(TWO, PEERS[0], Rain="rain fell on"),
    },
    versions={("", "T1", "carl's"): TWO},
)


def test_any_number_of_annotators(tmp_path):
    """The three who used one pyramid: 1 0 1, 0 0 0 and 0 0 1 about its three units."""
    MANY.save(tmp_path / "many")
    for source in (MANY, tmp_path / "many"):
        result = agreement(source)
        groups = [group for group in result.of_type(GroupAgreement) if group.level == "topic"]
        assert [(g.first, g.second, g.agreement.units.percent) for g in groups] == [
            ("anna", "anna (2)", 2 / 3), ("anna", "bert", 2 / 3), ("anna (2)", "bert", 1 / 3),
        ]  # fmt: skip
        [everyone] = result.of_type(AllAnnotators)
        answers = [[1, 0, 0], [1, 0, 1], [0, 0, 0]]
        assert everyone.alpha == pytest.approx(krippendorff_alpha(answers, level="nominal").value)
        assert (everyone.summaries, everyone.decisions, len(everyone.annotators)) == (1, 3, 3)
        assert "annotated with two pyramids by anna and carl: 2 (T1, 7; T1, 8)" in result.left_out
    chosen = agreement(MANY, assessor="anna")
    pairs = {(group.first, group.second) for group in chosen.of_type(GroupAgreement)}
    assert pairs == {("anna", "anna (2)")}
    with pytest.raises(NotFoundError, match="there is no annotator 'dora'; available: anna, bert"):
        agreement(MANY, assessor="dora")


def test_two_pyramids_of_the_same_references():
    """Words a b c d and a b e f; the first joins a b with a b, the second a b c d with a b.

    Of 16 pairs in different references 4 are joined by both, 4 by the second; of 12 in one
    reference 4 by both (a b, c d; a b, e f) and 4 by the second. Cohen's kappa is 0.5 and 0.4.
    """
    [pyramids] = agreement(MANY).of_type(PyramidAgreement)
    assert (pyramids.first, pyramids.second, pyramids.units) == ("in force", "carl's", (3, 2))
    across = pyramids.across
    assert (across.both, across.only_first, across.only_second, across.neither) == (4, 0, 4, 8)
    assert (pyramids.across.precision, pyramids.across.recall) == (0.5, 1)
    assert pyramids.across.f == pytest.approx(2 / 3)
    assert across.kappa == pytest.approx(0.5)
    within = pyramids.within
    assert (within.both, within.only_second, within.neither) == (4, 4, 4)
    assert within.kappa == pytest.approx(0.4)
    # Anna's first annotations score 2 of 3 and 0, Carl's both 2 of Max(1.5 -> 2) = 3.
    assert (pyramids.peers.mean_first, pyramids.peers.mean_second) == (1 / 3, pytest.approx(2 / 3))
    other = replace(MANY, pyramids={("", "T1"): TWO}, peer_annotations={}, versions={})
    [again] = agreement(replace(MANY, versions={}, peer_annotations={}), other)
    assert (again.across, again.first) == (pyramids.across, "many")


def test_the_same_words_are_marked_in_one_peer_and_not_in_another():
    places = agreement(MANY, places=True).of_type(Disagreement)
    assert {(p.scu, p.words, p.marked, p.unmarked) for p in places} == {
        ("1", "rain fell on", "T1, 7 by anna", "T1, 7 by bert"),
        ("1", "rain fell on", "T1, 7 by anna", "T1, 8 by anna"),
    }


def test_every_annotator_has_scores(tmp_path):
    """Rain weighs 2 and the others 1; Max of a reference's two units is 3."""
    result = score(MANY, references=False)
    assert [(*row.case.key[2:], round(row.scores.modified, 2)) for row in result] == [
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
    with pytest.raises(InputError, match="topic T1 has no weights of content units"):
        score(MANY, weights="given")


def test_one_annotator_cannot_agree():
    alone = {key: peer for key, peer in MANY.peer_annotations.items() if key[3] == "bert"}
    with pytest.raises(InputError, match="no peer in it was annotated by two people"):
        agreement(replace(MANY, peer_annotations=alone, versions={}))


def test_notes_name_the_annotators_only_where_there_are_several_pairs():
    """Both marked every unit: coefficients are 1 by definition, and a note says so."""
    annotations = {("", "T1", "7", who): peer_of(PYRAMID, range(4)) for who in ("anna", "bert")}
    note = "all decisions are equal; coefficients are 1 by definition"
    pair = agreement(Collection("", peer_annotations=annotations))
    assert f"T1: {note}" in pair.left_out
    annotations["", "T1", "7", "carl"] = peer_of(PYRAMID, range(4))
    three = agreement(Collection("", peer_annotations=annotations))
    assert {f"{who}: T1: {note}" for who in ("anna and bert", "bert and carl")} < {*three.left_out}
