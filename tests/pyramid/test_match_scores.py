"""Automatic beside manual scores, and what a collection has to annotate."""

from dataclasses import replace

import pytest

from pyramidion.collection import (
    SCU,
    Collection,
    Contributor,
    Judgment,
    Part,
    PeerAnnotation,
    Pyramid,
    Scores,
    Summary,
    Topic,
)
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid import (
    MatchRules,
    match_topic,
    mean_differences,
    score_peer,
    score_reference,
)
from pyramidion.pyramid.topics import gather_topics, topic_assessors

PYRAMID = Pyramid.from_references(
    {"A": "Ice melts fast. It is old.", "B": "The ice melts. Rain fell. It is old."},
    [
        ("Ice melts", {"A": ["Ice melts"], "B": ["ice melts"]}),
        ("The ice is old", {"A": ["It is old"], "B": ["It is old"]}),
        ("Rain fell", {"B": ["Rain fell"]}),
    ],
)


def peer(text: str, **quotations: str) -> PeerAnnotation:
    """Annotate a peer by hand: quotations by content unit."""
    units = []
    for scu in PYRAMID.scus:
        quoted = quotations.get(f"u{scu.uid}")
        start = text.index(quoted) if quoted else 0
        part = Part(start, start + len(quoted or ""), quoted or "")
        units.append(replace(scu, contributors=(Contributor((part,)),) if quoted else ()))
    return PeerAnnotation(PYRAMID, text, tuple(units))


def by_system(summaries):
    return {(item.system, item.role): item for item in summaries}


def test_what_an_annotator_missed_makes_the_automatic_score_higher():
    """Peer 1's "snow melted too" was not marked in peer 2, which says it as well."""
    peers = {
        "1": peer("Snow melted too. Ice melts.", u2="Snow melted too", u1="Ice melts"),
        "2": peer("Snow melted too. Wet.", u3="Wet"),
    }
    matched = by_system(match_topic(PYRAMID, peers))
    assert matched["1", "peer"].manual == score_peer(peers["1"])
    # Max of 2.5 units, rounded half up to 3, is 5.
    assert matched["1", "peer"].manual.modified == pytest.approx(4 / 5)
    assert matched["1", "peer"].automatic.modified == pytest.approx(2 / 5)
    assert matched["2", "peer"].manual.modified == pytest.approx(1 / 5)
    assert matched["2", "peer"].automatic.modified == pytest.approx(2 / 5)
    assert matched["2", "peer"].difference == pytest.approx(-1 / 5)


def test_a_reference_is_scored_by_the_others():
    matched = by_system(match_topic(PYRAMID))
    for name in "AB":
        assert matched[name, "reference"].manual == score_reference(PYRAMID, name)
    assert matched["A", "reference"].automatic.modified == pytest.approx(2 / 3)
    assert matched["B", "reference"].automatic.modified == 1.0


def test_a_reference_writer_among_the_peers_does_not_help_himself():
    text = PYRAMID.text[slice(*(getattr(PYRAMID.references[1], n) for n in ("start", "end")))]
    (alone,) = [f for f in match_topic(PYRAMID, summaries={"B": text}) if f.role == "peer"]
    assert alone.automatic.max == 2, "two units of A"
    assert [scu.uid for scu in alone.annotation.scus if scu.contributors] == ["1", "2"]
    only = Pyramid.from_references({"A": "Ice."}, [("Ice", {"A": ["Ice"]})])
    assert match_topic(only, summaries={"A": "Ice."}) == []


def test_summaries_without_annotation_have_no_manual_score():
    matched = by_system(match_topic(PYRAMID, summaries={"7": "RAIN FELL", "8": ""}))
    assert matched["7", "peer"].manual is None
    assert matched["7", "peer"].automatic.weight == 1
    assert matched["8", "peer"].automatic.modified == 0
    assert mean_differences([matched["7", "peer"], matched["8", "peer"]]) is None


def test_means_of_topics_weigh_alike():
    """Not the number of summaries, but topics are averaged over, as in the paper."""
    peers = {"1": peer("Ice melts.", u1="Ice melts"), "2": peer("Rain.", u3="Rain")}
    topics = [mean_differences(match_topic(PYRAMID, some)) for some in (None, peers)]
    assert [topic.n for topic in topics] == [2, 4]
    mean = mean_differences(topics)
    assert mean.n == 2
    for name in ("manual", "automatic", "difference"):
        assert getattr(mean, name) == pytest.approx(sum(getattr(t, name) for t in topics) / 2)
    assert mean.difference != 0
    assert mean_differences([]) is None


def test_differences_average_to_the_difference_of_averages():
    for pyramid in load_demo().pyramids.values():
        mean = mean_differences(match_topic(pyramid, rules=MatchRules(skip=1)))
        assert mean.n == 4
        assert mean.difference == pytest.approx(mean.manual - mean.automatic)


# What there is in a collection


def collection(**more) -> Collection:
    annotated = peer("Ice melts. Wet.", u1="Ice melts")
    return Collection(
        "mine",
        summaries=(
            Summary("T1", "A", "Ice melts fast. It is old.", kind="human"),
            Summary("T1", "1", "Ice melts. Wet."),
            Summary("T1", "7", "Rain fell."),
            Summary("T1", "8", " "),
            Summary("T1", "C", "Rain fell.", kind="human"),
            Summary("T2", "7", "No pyramid."),
        ),
        pyramids={("", "T1"): PYRAMID},
        peer_annotations={("", "T1", "1"): annotated},
        **more,
    )


def test_gathering():
    (topic,) = gather_topics(collection())
    assert list(topic.peers) == ["1"]
    assert list(topic.texts) == ["7", "8", "C"], "A wrote a reference of the pyramid"
    assert topic.left_out == ("T1, 8: the summary has no words, so nothing is found in it",)


def test_a_peer_of_another_pyramid_is_left_out_by_name():
    strange = PeerAnnotation(PYRAMID, "Ice.", (SCU("9", "", (Contributor((Part(0, 3, "Ice"),)),)),))
    mine = replace(collection(), peer_annotations={("", "T1", "1"): strange})
    (topic,) = gather_topics(mine)
    assert not topic.peers
    assert "1" not in topic.texts
    assert topic.left_out[0] == "T1, 1: annotated with another pyramid; this one has no SCU 9"


def test_a_unit_that_nobody_marked_may_be_of_another_pyramid():
    unmarked = PeerAnnotation(PYRAMID, "Ice.", (SCU("9", "", ()), *peer("Ice.", u1="Ice").scus))
    mine = replace(collection(), peer_annotations={("", "T1", "1"): unmarked})
    (topic,) = gather_topics(mine)
    assert list(topic.peers) == ["1"]


def test_a_peer_whose_pyramid_means_something_else_by_a_uid_is_left_out():
    """The uids are the same, but unit 1 is another one: nothing else would tell."""
    units = (replace(PYRAMID.scus[2], uid="1"), PYRAMID.scus[1], replace(PYRAMID.scus[0], uid="3"))
    other = replace(peer("Ice melts. Wet.", u1="Wet"), pyramid=replace(PYRAMID, scus=units))
    mine = replace(collection(), peer_annotations={("", "T1", "1"): other})
    (topic,) = gather_topics(mine)
    assert not topic.peers
    assert topic.left_out[0] == ("T1, 1: annotated with another pyramid; SCU 1 differs in this one")


def test_a_peer_whose_pyramid_was_repaired_since_is_kept_and_reported():
    reworded = (replace(PYRAMID.scus[0], label="Ice is melting"), *PYRAMID.scus[1:])
    older = replace(peer("Ice melts. Wet.", u1="Ice"), pyramid=replace(PYRAMID, scus=reworded))
    mine = replace(collection(), peer_annotations={("", "T1", "1"): older})
    (topic,) = gather_topics(mine)
    assert list(topic.peers) == ["1"]
    assert topic.left_out[0] == "T1, 1: its own pyramid differs in SCU 1; the topic's is used"


def test_a_pyramid_that_only_an_annotation_has():
    annotated = peer("Ice melts.", u1="Ice melts")
    (topic,) = gather_topics(Collection("c", peer_annotations={("A", "T1", "1"): annotated}))
    assert topic.name == "T1, task A"
    assert topic.pyramid is PYRAMID


def test_an_empty_pyramid_is_reported():
    (topic,) = gather_topics(Collection("c", pyramids={("", "T1"): Pyramid("")}))
    assert topic.left_out == ("T1: the pyramid has no content unit that a reference expresses",)


def test_what_is_not_there():
    with pytest.raises(InputError, match=r"there are no pyramids in empty; add \.pyr files"):
        gather_topics(Collection("empty"))
    with pytest.raises(NotFoundError, match="no pyramid of topic 'T9'; available: T1"):
        gather_topics(collection(), topics=["T9"])
    with pytest.raises(NotFoundError, match="no pyramid of task 'A'; available: none"):
        gather_topics(collection(), tasks=["A"])


def test_the_assessor_is_the_topics_or_the_only_judge():
    def judged(topic: str, assessor: str) -> Judgment:
        return Judgment(topic, "7", "responsiveness", 4.0, assessor=assessor)

    rows = [judged("T1", "K"), judged("T1", ""), judged("T2", "K"), judged("T2", "L")]
    mine = collection(scores=Scores.from_judgments(rows))
    assert topic_assessors(mine) == {("", "T1"): "K"}
    named = replace(mine, topics=(Topic("T1", assessor="M"), Topic("T2")))
    assert topic_assessors(named) == {("", "T1"): "M"}
