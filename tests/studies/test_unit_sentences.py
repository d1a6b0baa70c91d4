"""Sentences with the weights of their content units: `pyramid importance --sentences`."""

import pytest

from pyramidion.collection import (
    SCU,
    Collection,
    Contributor,
    Document,
    Part,
    PeerAnnotation,
    Pyramid,
    Topic,
)
from pyramidion.errors import InputError
from pyramidion.studies import importance

PYRAMID = Pyramid.from_references(
    {"A": "Ice melts.", "B": "Ice melts. It is old."},
    [
        ("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
        ("It is old", {"B": ["It is old"]}),
    ],
)
TEXT = "Old ice melts. Rain falls. Ice\nmelts again."


def expressed(*spans):
    return tuple(Contributor((Part(at, at + len(words), words),)) for at, words in spans)


def collection(text=TEXT):
    melts, old = PYRAMID.scus
    scus = (
        SCU(melts.uid, melts.label, expressed((4, "ice melts"), (27, "Ice\nmelts"))),
        SCU(old.uid, old.label, expressed((0, "Old"))),
        SCU("0", "rest", expressed((15, "Rain falls"))),
    )
    return Collection(
        "mine",
        topics=[Topic("T1", documents=(Document("d1", "Snow. Rain falls. Ice melts again."),))],
        pyramids={("", "T1"): PYRAMID},
        peer_annotations={("", "T1", "7", ""): PeerAnnotation(PYRAMID, text, scus)},
    )


def test_weights_of_sentences():
    """By hand: both units start in the first sentence, none in the second, one in the third."""
    rows = importance(collection()).sentences
    assert [(row.number, row.weight, len(row.units), row.document) for row in rows] == [
        (1, 3, 2, ""), (2, 0, 0, "d1"), (3, 2, 1, "d1"),
    ]  # fmt: skip
    assert [row.text for row in rows][2] == "Ice melts again."


def test_the_file(tmp_path):
    importance(collection()).save("sentences", tmp_path / "s.csv")
    first, second, *_ = (tmp_path / "s.csv").read_text(encoding="utf-8").splitlines()
    assert first == "task,topic,system,sentence,weight,units,document,text"
    assert second.startswith(",T1,7,1,3,")
    assert second.endswith(",,Old ice melts.")


def test_nothing_to_write(tmp_path):
    with pytest.raises(InputError, match="no summary of these topics is annotated"):
        importance(PYRAMID).save("sentences", tmp_path / "s.csv")
    with pytest.raises(InputError, match="written as CSV"):
        importance(collection()).save("sentences", tmp_path / "s.txt")
