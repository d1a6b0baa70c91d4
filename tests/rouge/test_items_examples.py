"""Small examples of `pyramidion.rouge.items`."""

import re

import pytest

from pyramidion.errors import ShapeError
from pyramidion.rouge._rouge import Rouge
from pyramidion.rouge.items import (
    Items,
    aligned_items,
    as_bytes,
    matched,
    read_items,
    require_shape,
)


def test_items():
    items = Items()
    items.add("It rained.", ["Rain fell.", "It rained."], "T1/7")
    assert (len(items), len(items.texts), items.is_peer) == (1, 3, [True, False, False])


def test_matched():
    assert matched({"T2": "", "T1": "It rained."}, {"T1": "Rain fell.", "T2": "-"}) == [
        "-",
        "Rain fell.",
    ]


def test_aligned_items():
    items = aligned_items(["a", "b"], ["x", ["y", "z"]], ["T1", "T2"])
    assert (items.names, items.pairs().models.tolist()) == (["T1", "T2"], [1, 3, 4])


def test_require_shape():
    with pytest.raises(ShapeError, match=re.escape("3 peers, but 2 lists of 3 references each;")):
        require_shape(["a", "b", "c"], [["x", "y", "z"], ["u", "v", "w"]])


def test_read_items():
    items = Items()
    items.add("It rained.", ["Rain fell."], "T1")
    assert read_items(Rouge(), items).flat_lengths.tolist() == [2, 2]


def test_as_bytes():
    assert as_bytes(["It rained.", "Roads closed."]) == b"It rained.\nRoads closed."
