"""Small examples of `pyramidion.rouge.results`."""

import numpy as np

from pyramidion.collection.stream import StreamItem
from pyramidion.rouge._rouge import Rouge
from pyramidion.rouge.counting import Variant
from pyramidion.rouge.items import Items
from pyramidion.rouge.results import (
    ScoredBatch,
    batches,
    count_pairs,
    perl_means,
    sample_means,
    score_stream,
    score_texts,
)


def test_perl_means():
    assert [round(mean.mean, 5) for mean in perl_means(np.array([[0.25], [0.5], [0.75]]))] == [
        0.49983
    ]


def test_sample_means():
    assert [mean.mean for mean in sample_means(np.array([[0.25], [0.5], [0.75]]))] == [0.5]


def test_pair_counts():
    items = Items()
    items.add("It rained.", ["Rain fell.", "It rained"], "T1")
    counts = count_pairs(Rouge(n=1, l=False), items)
    assert (counts.peer_words.tolist(), counts.of_items()["rouge-1"].hits.tolist()) == (
        [2, 2],
        [2.0],
    )


def test_count_pairs():
    items = Items()
    items.add("It rained.", ["Rain fell.", "It rained"], "T1")
    assert count_pairs(Rouge(n=1, l=False), items).counts[Variant("n", "1")].hits.tolist() == [
        0.0,
        2.0,
    ]


def test_score_texts():
    assert score_texts(Rouge(n=2), ["rain fell today"], [["today rain fell"]])[
        "rouge-2"
    ].tolist() == [0.5]


def test_stream_item():
    assert StreamItem("", "T1", "7", "machine", "It rained.", ("Rain fell.",)).system == "7"


def test_scored_batch():
    item = StreamItem("", "T1", "7", "machine", "It rained.", ("Rain fell.",))
    batch = ScoredBatch((item,), np.array([[0.0, 0.0, 0.0]]))
    assert [item.system for item in batch.items], batch.values.shape == (["7"], (1, 3))


def test_score_stream():
    items = [StreamItem("", "T1", "7", "machine", "It rained.", ("It rained",))]
    assert [batch.values.tolist() for batch in score_stream(items, Rouge(n=1, l=False))] == [
        [[1.0, 1.0, 1.0]]
    ]


def test_batches():
    item = StreamItem("", "T1", "7", "machine", "It rained.", ("It rained",))
    assert [len(batch) for batch in batches([item] * 5, 2)] == [2, 2, 1]
