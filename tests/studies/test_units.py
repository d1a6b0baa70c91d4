"""Content units in the input and in references: Figure 4.1."""

from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats as scipy_stats

from pyramid.reliability_samples import peer_of, pyramid_of
from pyramidion.collection import Collection, Document, Pyramid, Summary, Topic
from pyramidion.collection.formats import read_collection
from pyramidion.errors import InputError, NotFoundError
from pyramidion.studies._content_units import (
    UnitTopic,
    content_units,
    gather_units,
    study_units,
)
from pyramidion.studies._source import StudyPart

#: Two references; the third unit is in the documents only.
MEMBERSHIP = [[1, 1], [1, 0], [0, 0]]


def unit_topic(counts, weights, references=4, how="annotated", name="T1"):
    return UnitTopic(name, np.array(counts), np.array(weights), references, how)


@given(
    arrays(np.int64, st.integers(3, 25), elements=st.integers(0, 9)),
    st.integers(0, 10**6),
)
def test_classes_and_correlation_are_those_of_numpy(counts, seed):
    weights = np.random.default_rng(seed).integers(0, 5, len(counts))
    study = study_units([unit_topic(counts, weights)])
    for own in study.classes:
        there = counts[weights == own.references]
        assert own.size == len(there)
        if len(there):
            assert own.mean == pytest.approx(there.mean())
            assert own.median == pytest.approx(np.median(there))
    assert sum(own.size for own in study.classes) == len(counts)
    if np.ptp(counts) and np.ptp(weights):
        found = scipy_stats.pearsonr(counts, weights)
        assert study.correlation.value == pytest.approx(found.statistic)
        assert study.correlation.p == pytest.approx(found.pvalue, abs=1e-6)


def test_most_frequent_units_of_the_input():
    """Thesis, page 74: 96, 92 and 85 % of the 5, 8 and 12 most frequent units."""
    first = unit_topic([9, 8, 7, 1], [4, 0, 1, 0])
    second = unit_topic([3, 3, 1], [1, 0, 2])
    study = study_units([first, second], tops=(1, 2, 3))
    assert study.shares == pytest.approx(((1 + 0.5) / 2, (0.5 + 0.5) / 2, (2 / 3 + 2 / 3) / 2))


def test_summaries_are_weighed_by_references_and_by_the_input():
    """References weigh the units 2, 1, 0, the input 1, 0, 4; a reference has 1.5 units, so 2."""
    topic = unit_topic([1, 0, 4], [2, 1, 0], references=2)
    assert topic.scores(np.array([True, False, True])) == (2 / 3, 5 / 5)
    assert topic.scores(np.array([False, True, False])) == (1 / 3, 0)


def test_annotated_machines_are_scored_by_both_pyramids():
    """Three summaries say the first unit, both others, and all."""
    pyramid = pyramid_of(MEMBERSHIP)
    said = {"documents": [0, 2, 2, 2, 2], "X": [0], "Y": [1, 2], "Z": [0, 1, 2]}
    mine = Collection(
        "c",
        topics=(Topic("T1", documents=(Document("d1", "Unit 0. Unit 1. Unit 2."),)),),
        summaries=tuple(Summary("T1", name, "u.") for name in "XYZ"),
        pyramids={("", "T1"): pyramid},
        peer_annotations={("", "T1", name): peer_of(pyramid, own) for name, own in said.items()},
    )
    [study] = content_units(mine)
    *machines, every = study.pyramids
    assert [(own.people, own.documents) for own in machines] == [
        (2 / 3, 1 / 5), (1 / 3, 4 / 5), (1, 1)
    ]  # fmt: skip
    x, y = (2 / 3, 1 / 3, 1), (1 / 5, 4 / 5, 1)
    assert every.pearson.value == pytest.approx(scipy_stats.pearsonr(x, y).statistic)
    assert (every.summaries, every.spearman.value) == (3, pytest.approx(0.5))
    assert machines[0].pearson.undefined == "fewer than three summaries"
    # Where nobody annotated the documents, summaries keep what was annotated by hand.
    hands = {key: own for key, own in mine.peer_annotations.items() if key[2] != "documents"}
    [study] = content_units(replace(mine, peer_annotations=hands))
    assert study.how == "similarity"
    assert [own.people for own in study.pyramids[:3]] == [2 / 3, 1 / 3, 1]


def test_without_units_of_the_input_alone_nothing_is_said_of_the_most_frequent():
    study = study_units([unit_topic([3, 1], [2, 1])])
    assert all(isnan(share) for share in study.shares)
    assert [own.references for own in study.classes] == [1, 2, 3, 4]
    assert isnan(study.classes[-1].mean)
    assert study_units([unit_topic([1], [1])]).correlation.undefined == "one content unit only"


def documents(*texts):
    return tuple(Document(f"d{n}", text) for n, text in enumerate(texts, start=1))


def test_an_annotated_peer_called_documents(tmp_path):
    """It is counted how often the documents express a unit; a file keeps all that."""
    pyramid = pyramid_of(MEMBERSHIP, ["A", "B"])
    collection = Collection(
        "c",
        topics=(Topic("T1", documents=documents("u0.")), Topic("T2", documents=documents("u0."))),
        pyramids={("", "T1"): pyramid, ("", "T2"): pyramid},
        peer_annotations={("", "T1", "documents"): peer_of(pyramid, [0, 0, 0, 2])},
    )
    collection.save(tmp_path / "c")
    for source in (collection, read_collection(tmp_path / "c")):
        [found], left_out = gather_units(source)
        assert (found.name, found.how, found.references) == ("T1", "annotated", 2)
        assert found.input.tolist() == [3, 0, 1]
        assert found.weights.tolist() == [2, 1, 0]
        assert left_out == ["T2: its input is not annotated"]


def test_documents_among_the_texts_of_a_pyramid():
    pyramid = pyramid_of([[1, 1, 1, 1], [1, 0, 0, 1], [0, 0, 1, 0]], ["A", "B", "d1", "d2"])
    topic = Topic("T1", documents=documents("u0. u2.", "u0. u1."))
    [found], _ = gather_units(Collection("c", topics=(topic,), pyramids={("", "T1"): pyramid}))
    assert found.input.tolist() == [2, 1, 1]
    assert found.weights.tolist() == [2, 1, 0]
    assert (found.how, found.references) == ("annotated", 2)


WORDED = Pyramid.from_references(
    {
        "A": "The ferry burned near Port Lisle and ten people died.",
        "B": "Ten passengers were killed. A truck started the fire.",
    },
    [
        ("Ten people died", {"A": ["ten people died"], "B": ["Ten passengers were killed"]}),
        ("The ferry burned", {"A": ["The ferry burned"]}),
        ("A truck started the fire", {"B": ["A truck started the fire"]}),
    ],
)


def test_without_annotation_documents_are_annotated_by_similarity():
    texts = documents("Ten people died when the ferry burned.", "Ten people died.", "Rain fell.")
    collection = Collection(
        "c",
        topics=(Topic("T1", documents=texts), Topic("T2")),
        pyramids={("", "T1"): WORDED, ("", "T2"): WORDED, ("", "T3"): Pyramid("")},
    )
    [found], left_out = gather_units(collection)
    assert found.how == "similarity"
    assert found.input.tolist() == [2, 1, 0]
    assert found.weights.tolist() == [2, 1, 1]
    assert left_out == ["T2: it has no documents", "T3: it has no documents"]


def test_many_wordings_do_not_make_a_unit_easier_to_find():
    """Only the label is looked for: what four people word differently is no more frequent."""
    texts = documents("The boat caught fire.")
    wordings = {"A": "The boat caught fire.", "B": "Flames on board.", "C": "It burned."}
    quoted = {name: [text] for name, text in wordings.items()}
    counts = []
    for of_references in (quoted, {"C": ["It burned."]}):
        pyramid = Pyramid.from_references(wordings, [("The ferry burned", of_references)])
        topic = Topic("T1", documents=texts)
        [found], _ = gather_units(Collection("c", topics=(topic,), pyramids={("", "T1"): pyramid}))
        counts.append(found.input.tolist())
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("collection", "message"),
    [
        (Collection("c"), "there are no pyramids in c"),
        (Collection("c", pyramids={("", "T1"): WORDED}), "both a pyramid and documents"),
    ],
)
def test_nothing_to_study_is_said(collection, message):
    with pytest.raises(InputError, match=message):
        gather_units(collection)


def test_unknown_topics_are_refused():
    with pytest.raises(NotFoundError, match="there is no topic 'T9'"):
        gather_units(Collection("c", pyramids={("", "T1"): WORDED}), StudyPart(topic=("T9",)))
