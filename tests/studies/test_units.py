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
from pyramidion.studies import content_units

#: Two references; the third unit is in the documents only.
MEMBERSHIP = [[1, 1], [1, 0], [0, 0]]


def annotated(*topics, references=4):
    """Make a collection of topics from how often the input and references express each unit."""
    pyramids, peers = {}, {}
    for number, (counts, weights) in enumerate(topics, start=1):
        key = ("", f"T{number}")
        pyramids[key] = pyramid_of([np.arange(references) < weight for weight in weights])
        rows = np.repeat(np.arange(len(counts)), counts)
        peers[*key, "documents"] = peer_of(pyramids[key], rows.tolist())
    return Collection("c", pyramids=pyramids, peer_annotations=peers)


def study_units(*topics, references=4, **options):
    [study] = content_units(annotated(*topics, references=references), **options)
    return study


@given(
    arrays(np.int64, st.integers(3, 25), elements=st.integers(0, 9)),
    st.integers(0, 10**6),
)
def test_classes_and_correlation_are_those_of_numpy(counts, seed):
    weights = np.random.default_rng(seed).integers(0, 5, len(counts))
    study = study_units((counts, weights))
    for agreed in study.classes:
        members = counts[weights == agreed.references]
        assert agreed.size == len(members)
        if len(members):
            assert agreed.mean == pytest.approx(members.mean())
            quartiles = np.quantile(members, (0.25, 0.5, 0.75))
            assert (agreed.low, agreed.median, agreed.high) == pytest.approx(tuple(quartiles))
    assert sum(agreed.size for agreed in study.classes) == len(counts)
    if np.ptp(counts) and np.ptp(weights):
        expected = scipy_stats.pearsonr(counts, weights)
        assert study.correlation.value == pytest.approx(expected.statistic)
        assert study.correlation.p == pytest.approx(expected.pvalue, abs=1e-6)


def test_most_frequent_units_of_the_input():
    """Thesis, page 74: 96, 92 and 85 % of the 5, 8 and 12 most frequent units."""
    first, second = ([9, 8, 7, 1], [4, 0, 1, 0]), ([3, 3, 1], [1, 0, 2])
    study = study_units(first, second, top=(1, 2, 3))
    assert study.shares == pytest.approx(((1 + 0.5) / 2, (0.5 + 0.5) / 2, (2 / 3 + 2 / 3) / 2))


def test_summaries_are_weighed_by_references_and_by_the_input():
    """References weigh the units 2, 1, 0, the input 1, 0, 4; a reference has 1.5 units, so 2."""
    mine = annotated(([1, 0, 4], [2, 1, 0]), references=2)
    summaries = {"X": [0, 2], "Y": [1]}
    pyramid = mine.pyramids["", "T1"]
    peers = {("", "T1", name): peer_of(pyramid, rows) for name, rows in summaries.items()}
    both = replace(
        mine,
        summaries=tuple(Summary("T1", name, "u.") for name in summaries),
        peer_annotations={**mine.peer_annotations, **peers},
    )
    [study] = content_units(both)
    assert [(pair.system, pair.people, pair.documents) for pair in study.pyramids] == [
        ("X", 2 / 3, 5 / 5),
        ("Y", 1 / 3, 0),
        ("all", 1 / 2, 1 / 2),
    ]


def test_annotated_machines_are_scored_by_both_pyramids():
    """Three summaries express the first unit, both others, and all."""
    pyramid = pyramid_of(MEMBERSHIP)
    expressed = {"documents": [0, 2, 2, 2, 2], "X": [0], "Y": [1, 2], "Z": [0, 1, 2]}
    mine = Collection(
        "c",
        topics=(Topic("T1", documents=(Document("d1", "Unit 0. Unit 1. Unit 2."),)),),
        summaries=tuple(Summary("T1", name, "u.") for name in "XYZ"),
        pyramids={("", "T1"): pyramid},
        peer_annotations={
            ("", "T1", name): peer_of(pyramid, rows) for name, rows in expressed.items()
        },
    )
    [study] = content_units(mine)
    *machines, together = study.pyramids
    assert [(pair.people, pair.documents) for pair in machines] == [
        (2 / 3, 1 / 5), (1 / 3, 4 / 5), (1, 1)
    ]  # fmt: skip
    x, y = (2 / 3, 1 / 3, 1), (1 / 5, 4 / 5, 1)
    assert together.pearson.value == pytest.approx(scipy_stats.pearsonr(x, y).statistic)
    assert (together.summaries, together.spearman.value) == (3, pytest.approx(0.5))
    assert machines[0].pearson.undefined == "fewer than three summaries"
    # Without annotated documents, annotations of summaries by hand are still used.
    peers = {key: peer for key, peer in mine.peer_annotations.items() if key[2] != "documents"}
    [study] = content_units(replace(mine, peer_annotations=peers))
    assert study.how == "similarity"
    assert [pair.people for pair in study.pyramids[:3]] == [2 / 3, 1 / 3, 1]


def test_without_units_of_the_input_alone_there_is_no_share_of_the_most_frequent():
    study = study_units(([3, 1], [2, 1]))
    assert all(isnan(share) for share in study.shares)
    assert [agreed.references for agreed in study.classes] == [1, 2, 3, 4]
    assert isnan(study.classes[-1].mean)
    assert study_units(([1], [1])).correlation.undefined == "one content unit only"


def means(study):
    """Return how often the input expresses a unit, by the number of references that do."""
    return {agreed.references: agreed.mean for agreed in study.classes if agreed.size}


def documents(*texts):
    return tuple(Document(f"d{n}", text) for n, text in enumerate(texts, start=1))


def test_an_annotated_peer_called_documents(tmp_path):
    """Counts how often the documents express a unit, also after saving and reading."""
    pyramid = pyramid_of(MEMBERSHIP, ["A", "B"])
    collection = Collection(
        "c",
        topics=(Topic("T1", documents=documents("u0.")), Topic("T2", documents=documents("u0."))),
        pyramids={("", "T1"): pyramid, ("", "T2"): pyramid},
        peer_annotations={("", "T1", "documents"): peer_of(pyramid, [0, 0, 0, 2])},
    )
    collection.save(tmp_path / "c")
    for source in (collection, read_collection(tmp_path / "c")):
        result = content_units(source)
        [study] = result
        assert (study.how, study.topics) == ("annotated", 1)
        assert means(study) == {0: 1, 1: 0, 2: 3}
        assert "T2: its input is not annotated" in result.left_out


def test_documents_among_the_texts_of_a_pyramid():
    pyramid = pyramid_of([[1, 1, 1, 1], [1, 0, 0, 1], [0, 0, 1, 0]], ["A", "B", "d1", "d2"])
    topic = Topic("T1", documents=documents("u0. u2.", "u0. u1."))
    [study] = content_units(Collection("c", topics=(topic,), pyramids={("", "T1"): pyramid}))
    assert study.how == "annotated"
    assert means(study) == {0: 1, 1: 1, 2: 2}


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
    result = content_units(collection)
    [study] = result
    assert study.how == "similarity"
    # Two units of one reference: one in one document, one in none.
    assert means(study) == {1: 0.5, 2: 2}
    assert result.left_out[:2] == ("T2: it has no documents", "T3: it has no documents")


def test_many_wordings_do_not_make_a_unit_easier_to_find():
    """Only the label is looked for: what four people word differently is no more frequent."""
    texts = documents("The boat caught fire.")
    wordings = {"A": "The boat caught fire.", "B": "Flames on board.", "C": "It burned."}
    quoted = {name: [text] for name, text in wordings.items()}
    counts = []
    for of_references in (quoted, {"C": ["It burned."]}):
        pyramid = Pyramid.from_references(wordings, [("The ferry burned", of_references)])
        topic = Topic("T1", documents=texts)
        [study] = content_units(Collection("c", topics=(topic,), pyramids={("", "T1"): pyramid}))
        counts.append([agreed.mean for agreed in study.classes if agreed.size])
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("collection", "message"),
    [
        (Collection("c"), "there are no pyramids in c"),
        (Collection("c", pyramids={("", "T1"): WORDED}), "both a pyramid and documents"),
    ],
)
def test_missing_data_is_an_error(collection, message):
    with pytest.raises(InputError, match=message):
        content_units(collection)


def test_unknown_topics_are_an_error():
    with pytest.raises(NotFoundError, match="there is no topic 'T9'"):
        content_units(Collection("c", pyramids={("", "T1"): WORDED}), topic="T9")
