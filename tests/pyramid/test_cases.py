"""Which summaries of a collection are scored, and by what."""

from dataclasses import replace

import numpy as np
import pytest

from pyramid.score_samples import PYRAMID, SAID, A, peer
from pyramidion.collection import (
    SCU,
    Collection,
    Judgment,
    PeerAnnotation,
    Pyramid,
    Scores,
    Summary,
    Topic,
)
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid.cases import gather_cases, stack_hits
from pyramidion.pyramid.content_units import (
    TopicUnits,
    all_units,
    answered_units,
    listed_units,
    reference_writers,
    score_peer,
    score_reference,
)
from pyramidion.pyramid.topics import locate_words, without_zero_uid
from support import shared_collection

MINE = Collection(
    "mine",
    pyramids={("A", "T1"): PYRAMID},
    peer_annotations={
        ("A", "T1", "10"): peer([1, 0, 0, 0, 0], 1),
        ("A", "T1", "9"): peer([0, 1, 0, 0, 2]),
    },
)
SCUS = [{"id": 1, "text": "Ice melts"}, {"id": 2, "text": "It rained"}, {"id": 3, "text": "Old"}]


def gather(collection, **options):
    return {case.system: case for case in gather_cases(collection, **options).cases}


def answers(*rows, **more):
    judgments = [
        Judgment("T1", "7", "scu-answer", value, unit=unit, assessor=who)
        for who, unit, value in rows
    ]
    return Collection("mine", scores=Scores.from_judgments(judgments), **more)


class TestPeersAndReferences:
    def test_each_is_scored_as_by_itself(self):
        cases = gather(MINE)
        assert list(cases) == ["9", "10", "A", "B", "C"]
        assert cases["9"].scores() == score_peer(MINE.peer_annotations["A", "T1", "9", "", ""])
        assert cases["A"].scores() == score_reference(PYRAMID, A)
        assert [(c.kind, c.jackknifed) for c in cases.values()] == [
            ("machine", False), ("machine", False), ("human", True), ("human", True),
            ("human", True),
        ]  # fmt: skip

    def test_peers_share_one_weighing(self):
        cases = gather(MINE)
        assert cases["9"].units is cases["10"].units

    def test_references_can_be_left_alone(self):
        assert list(gather(MINE, references=False)) == ["9", "10"]

    def test_kinds_are_the_collections(self):
        summaries = (Summary("T1", "9", "x", "A", "human", "peer"),)
        cases = gather(replace(MINE, summaries=summaries))
        assert cases["9"].kind == "human"

    def test_an_annotated_reference_is_scored_by_the_others(self):
        annotated = peer([1, 0, 1, 1, 0])
        collection = replace(MINE, peer_annotations={("A", "T1", "A"): annotated})
        case = gather(collection)["A"]
        assert case.jackknifed
        # The annotation says what the pyramid says of A, so the scores are the same.
        assert case.scores() == score_reference(PYRAMID, A)

    def test_writers_with_one_name_keep_their_whole_names(self):
        texts = {"T1.M.100.K.A": "Ice.", "T1.M.250.K.A": "Ice."}
        assert reference_writers(Pyramid.from_references(texts, [])) == tuple(texts)

    def test_an_annotation_with_a_pyramid_of_its_own(self):
        smaller = replace(PYRAMID, scus=PYRAMID.scus[:1])
        collection = replace(MINE, peer_annotations={("A", "T1", "9"): peer([1], 0, smaller)})
        assert gather(collection)["9"].scores().recall == 1

    def test_an_unknown_unit_names_the_peer(self):
        stranger = PeerAnnotation(PYRAMID, "Snow.", (SCU("77", "?", (SAID,)),))
        collection = replace(MINE, peer_annotations={("A", "T1", "9"): stranger})
        with pytest.raises(InputError, match=r"annotation of T1, task A, 9: .* content unit 77"):
            gather_cases(collection)


class TestLeftOut:
    def test_an_empty_pyramid(self):
        empty = replace(PYRAMID, scus=())
        peers = {("", "T2", "9"): PeerAnnotation(empty, "Snow.")}
        gathered = gather_cases(
            replace(
                MINE, pyramids={("A", "T1"): PYRAMID, ("", "T2"): empty}, peer_annotations=peers
            )
        )
        assert [case.topic for case in gathered.cases] == ["T1"] * 3
        assert gathered.left_out == (
            "1 summary with an empty pyramid, which cannot score anything: T2, 9",
        )

    @pytest.mark.parametrize(("systems", "names"), [("678", ""), ("6789", "; ...")])
    def test_three_are_named(self, systems, names):
        empty = replace(PYRAMID, scus=())
        peers = {("", "T2", name): PeerAnnotation(empty, "Snow.") for name in systems}
        mine = Collection("mine", pyramids={("", "T2"): empty}, peer_annotations=peers)
        (line,) = gather_cases(mine).left_out
        assert line.startswith(f"{len(systems)} summaries with an empty pyramid")
        assert line.endswith(f": T2, 6; T2, 7; T2, 8{names}")

    def test_references_nobody_shares_a_unit_with(self):
        alone = Pyramid.from_references({"A": "Ice melts."}, [("Ice", {"A": ["Ice"]})])
        gathered = gather_cases(Collection("", pyramids={("", "T1"): alone}))
        assert gathered.cases == ()
        assert gathered.left_out == ("1 summary that no other reference can measure: T1, A",)

    def test_next_to_no_units(self):
        texts = dict.fromkeys("ABCD", "Ice melts.")
        pyramid = Pyramid.from_references(texts, [("Ice", {"A": ["Ice"]})])
        gathered = gather_cases(Collection("", pyramids={("", "T1"): pyramid}))
        assert gathered.left_out == (
            "1 summary that no other reference can measure: T1, A",
            "3 summaries without a modified score: a reference has under half a unit: "
            "T1, B; T1, C; T1, D",
        )


class TestAnswers:
    def test_more_than_half_must_agree(self):
        rows = [("a", "0", 1), ("b", "0", 0), ("a", "1", 1), ("b", "1", 1), ("a", "2", 0)]
        [case] = answered_units(answers(*rows))
        assert case.content.counts.tolist() == [0, 1, 0]
        assert not case.content.complete
        assert (case.assessor, case.missing) == ("", 0)

    def test_each_by_itself(self):
        rows = [("a", "0", 1), ("b", "0", 0), ("a", "1", 1)]
        cases = {t.assessor: t for t in answered_units(answers(*rows), workers="each")}
        assert cases["a"].content.counts.tolist() == [1, 1]
        assert cases["b"].content.counts.tolist() == [0, 0]
        assert cases["b"].missing == 1

    def test_what_was_settled_goes_first(self):
        final = Judgment("T1", "7", "scu", 0, unit="0")
        single = [Judgment("T1", "7", "scu-answer", 1, unit="0", assessor=w) for w in "abc"]
        collection = Collection("", scores=Scores.from_judgments([*single, final]))
        [case] = answered_units(collection)
        assert case.content.counts.tolist() == [0]
        assert len(list(answered_units(collection, workers="each"))) == 3

    def test_the_topics_list_gives_labels_and_weights(self):
        scus = [{**scu, "weight": weight} for scu, weight in zip(SCUS, (2, 1, 1), strict=True)]
        topics = (Topic("T1", extra={"scus": scus}),)
        for units in (("1", "2"), ("0", "1")):
            rows = [("a", units[0], 1), ("a", units[1], 0)]
            [case] = answered_units(answers(*rows, topics=topics))
            assert case.units.labels == ("Ice melts", "It rained", "Old")
            assert case.content.counts.tolist() == [1, 0, 0]
            assert case.missing == 1
        # Two of 4 by two references: a mean of 2 units, of which the heaviest weigh 3.
        assert case.units.weighing.order == 2
        assert gather(answers(("a", "0", 1), topics=topics))["7"].scores().modified == 2 / 3

    def test_a_list_without_weights_is_one_references(self):
        references = tuple(Summary("T1", f"ref{n}", "x", kind="human") for n in range(4))
        topics = (Topic("T1", extra={"scus": SCUS}),)
        collection = answers(("a", "1", 1), topics=topics, summaries=references)
        scores = gather(collection)["7"].scores()
        assert scores.modified == scores.recall == pytest.approx(1 / 3)

    def test_units_of_a_pyramid(self):
        collection = answers(("a", "1", 1), pyramids={("", "T1"): PYRAMID})
        scores = gather(collection)["7"].scores()
        assert (scores.weight, scores.max) == (3, 6)
        assert np.isnan(scores.original)

    def test_an_annotation_goes_before_answers(self):
        collection = answers(
            ("a", "2", 1),
            pyramids={("", "T1"): PYRAMID},
            peer_annotations={("", "T1", "7"): peer([1, 0, 0, 0, 0])},
        )
        gathered = gather_cases(collection, references=False)
        assert [case.scores().weight for case in gathered.cases] == [3]
        assert gathered.left_out == (
            "1 summary with answers as well as an annotation, which counts: T1, 7",
        )

    def test_missing_answers_are_reported(self):
        topics = (Topic("T1", extra={"scus": SCUS}),)
        gathered = gather_cases(answers(("a", "1", 1), topics=topics))
        assert gathered.left_out == (
            "1 summary with units without an answer, which count as not found: T1, 7",
        )

    @pytest.mark.parametrize(
        ("scus", "unit", "value", "kind", "message"),
        [
            (SCUS, "9", 1, NotFoundError, "topic T1 has no content unit 9, for which there is"),
            (SCUS, "1", 3, InputError, "the answer for content unit 1 of T1, 7 is 3"),
            ([{"text": "x", "weight": 1.5}], "0", 1, InputError, "of topic T1 weighs 1.5"),
            ([{"text": "x", "weight": True}], "0", 1, InputError, "of topic T1 weighs True"),
            ("units", "0", 1, InputError, "of topic T1 are not a list of objects"),
        ],
    )
    def test_bad_answers(self, scus, unit, value, kind, message):
        topics = (Topic("T1", extra={"scus": scus}),)
        with pytest.raises(kind, match=message):
            gather_cases(answers(("a", unit, value), topics=topics))


class TestUnits:
    def test_tiers_may_be_empty(self):
        pyramid = Pyramid.from_references(
            dict.fromkeys("ABC", "Ice melts."),
            [("Ice", {"A": ["Ice"]}), ("It melts", {name: ["melts"] for name in "ABC"})],
        )
        assert TopicUnits.of(pyramid).tiers() == {3: (1,), 2: (), 1: (0,)}

    def test_all_units_of_a_collection(self):
        collection = replace(
            MINE,
            topics=(Topic("T2", extra={"scus": SCUS}), Topic("T3")),
            summaries=(Summary("T2", "7", "x", "B"), Summary("T2", "7", "x", "A")),
        )
        assert list(all_units(collection)) == [("A", "T1"), ("A", "T2"), ("B", "T2")]

    def test_units_without_ids_are_numbered(self):
        collection = Collection("", topics=(Topic("T1", extra={"scus": [{"text": "x"}] * 2}),))
        assert listed_units(collection, "", "T1").uids == ("0", "1")


def test_realsumm_gives_its_published_recall():
    """The modified score of a list is LitePyramid's recall, which the release gives."""
    collection = shared_collection("data/realsumm.jsonl.gz")
    published = collection.scores.select(measure="litepyramid-recall")
    addresses = zip(published.columns["topic"], published.columns["system"], strict=True)
    recall = dict(zip(addresses, published.value.tolist(), strict=True))
    cases = gather_cases(collection).cases
    assert len(cases) == len(recall) == 2500
    scores = np.array([case.scores().modified for case in cases])
    expected = np.array([recall[case.topic, case.system] for case in cases])
    assert np.abs(scores - expected).max() < 1e-6
    # The majority of three or four workers is what the release settled on.
    single = replace(collection, scores=collection.scores.select(measure="scu-answer"))
    again = np.array([case.scores().modified for case in gather_cases(single).cases])
    assert (again == scores).all()


def test_a_unit_called_0_is_renamed_for_annotations():
    pyramid, notes = without_zero_uid(Pyramid("", (SCU("1", "Rain"), SCU("0", "Ice melts"))))
    assert [scu.uid for scu in pyramid.scus] == ["1", "2"]
    assert notes == ["SCU 0 is called 2 in annotations, where 0 is unmatched content"]
    assert without_zero_uid(pyramid) == (pyramid, [])


def test_words_have_their_places_in_the_text():
    words = locate_words("“Ice–cold,” 3.5%")
    assert [tuple(word) for word in words] == [
        ("ice", 1, 4), ("cold", 5, 9), ("3", 12, 13), ("5", 14, 15),
    ]  # fmt: skip


def test_gather_cases():
    pyramid = Pyramid.from_references(
        {"A": "Ice melts.", "B": "Ice melts."}, [("Ice", {"A": ["Ice"], "B": ["Ice"]})]
    )
    peer = PeerAnnotation(pyramid, "Rain.")
    mine = Collection("", pyramids={("", "T1"): pyramid}, peer_annotations={("", "T1", "7"): peer})
    assert [(case.system, case.kind) for case in gather_cases(mine).cases] == [
        ("7", "machine"),
        ("A", "human"),
        ("B", "human"),
    ]


def test_hits():
    pyramid = Pyramid.from_references(
        {"A": "Ice melts.", "B": "Ice melts. It is old."},
        [
            ("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
            ("It is old", {"B": ["It is old"]}),
        ],
    )
    hits = stack_hits(gather_cases(Collection("", pyramids={("", "T1"): pyramid})).cases)
    assert repr((hits.systems, hits.values.tolist())) == "(('A', 'B'), [[1.0, 1.0], [0.0, nan]])"


def test_hits_of():
    assert stack_hits([]).systems == ()
