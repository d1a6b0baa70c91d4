"""The metric `auto-pyramid`: the expected score of `pyramid auto`, whatever gives the units."""

import numpy as np
import pytest

from pyramidion.collection import Collection, Pyramid, Summary, Topic
from pyramidion.metrics import parse_metric, score_collection
from pyramidion.pyramid import auto

TEXTS = {
    "A": "Ten people died. The ferry burned.",
    "B": "A ferry burned. Ten people were killed. It rained.",
}
PYRAMID = Pyramid.from_references(
    TEXTS,
    [
        ("Ten people died", {"A": ["Ten people died"], "B": ["Ten people were killed"]}),
        ("The ferry burned", {"A": ["The ferry burned"], "B": ["A ferry burned"]}),
        ("It rained", {"B": ["It rained"]}),
    ],
)
PEERS = (Summary("T1", "7", "Ten people have died."), Summary("T1", "8", "Nothing."))
REFERENCES = tuple(Summary("T1", name, text, kind="human") for name, text in TEXTS.items())
LIST = Topic("T1", extra={"scus": [{"text": "Ten people died"}, {"text": "Rain fell"}]})


@pytest.mark.parametrize(
    "collection",
    [
        Collection("references", summaries=(*REFERENCES, *PEERS)),
        Collection("one reference", summaries=(REFERENCES[0], *PEERS)),
        Collection("list", topics=(LIST,), summaries=PEERS),
        Collection("pyramid", summaries=(*REFERENCES, *PEERS), pyramids={("", "T1"): PYRAMID}),
    ],
    ids=lambda collection: collection.name,
)
def test_is_the_expected_score_of_the_command(collection):
    metric = parse_metric("auto-pyramid")
    scored = score_collection(collection, [metric])
    observed = {row.system: row.value for row in scored.scores}
    reported = {result["system"]: result["expected"] for result in auto(collection)}
    assert {system: observed[system] for system in reported} == pytest.approx(reported)
    assert observed["7"] > observed["8"] == 0


def test_a_persons_summary_is_measured_by_the_pyramid_of_the_others():
    collection = Collection("mine", summaries=REFERENCES, pyramids={("", "T1"): PYRAMID})
    metric = parse_metric("auto-pyramid")
    by_pyramid, built = (
        score_collection(collection, [one]).values[:, 0]
        for one in (metric, parse_metric("auto-pyramid(units=references)"))
    )
    assert (by_pyramid > 0.5).all()
    assert not np.array_equal(by_pyramid, built)


def test_a_jackknifed_machine_faces_one_reference_less():
    collection = Collection(
        "mine", summaries=(*REFERENCES, PEERS[0]), pyramids={("", "T1"): PYRAMID}
    )
    metric = parse_metric("auto-pyramid")
    whole, folds = (
        score_collection(collection, [metric], jackknife=jackknife).values[-1, 0]
        for jackknife in (False, True)
    )
    alone = [
        score_collection(
            Collection("one", summaries=(reference, PEERS[0]), pyramids={}), [metric]
        ).values[-1, 0]
        for reference in REFERENCES
    ]
    assert folds != whole
    assert min(alone) - 0.1 <= folds <= max(alone) + 0.1


def test_built_units_count_by_their_words():
    # Each of the two statements has two content words; half of one is found.
    texts = {"A": "Dogs barked. Cats purred.", "7": "Dogs slept.", "8": "Cats purred, dogs barked."}
    kinds = {"A": "human"}
    summaries = tuple(Summary("T1", n, t, kind=kinds.get(n, "machine")) for n, t in texts.items())
    scored = score_collection(
        Collection("mine", summaries=summaries), [parse_metric("auto-pyramid")]
    )
    observed = {row.system: row.value for row in scored.scores}
    assert observed["8"] == pytest.approx(1)
    assert 0.15 < observed["7"] < 0.35
