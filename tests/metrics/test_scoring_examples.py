"""Small examples of `pyramidion.metrics._scoring`."""

import re

import numpy as np
import pytest

from pyramidion.collection import Summary
from pyramidion.collection.stream import StreamItem
from pyramidion.errors import InputError
from pyramidion.metrics import parse_metric, parse_metrics
from pyramidion.metrics._scoring import UNDEFINED, Undefined, require_streamable, score_items


def test_undefined():
    undefined = Undefined()
    for measure in ("bleu", "rouge-2-f"):
        undefined.add(measure, [Summary("T1", "7", "")], np.array([True]), UNDEFINED)
    assert list(undefined.lines()) == [
        "bleu, rouge-2-f of 1 summary for which it is undefined: T1, 7"
    ]


def test_require_streamable():
    with pytest.raises(
        InputError, match=re.escape("r needs earlier references, and a stream has none; score")
    ):
        require_streamable("r", parse_metric("rouge-2(against=earlier)"))


def test_score_items():
    items = [StreamItem("", "T1", "7", "machine", "It rained.", ("It rained",))]
    assert [
        batch.values.tolist() for batch in score_items(items, parse_metrics("rouge-1,bleu"))
    ] == [[[1.0, 1.0]]]
