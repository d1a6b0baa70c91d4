"""Small examples of `pyramidion.text._light.trees`, worked by hand."""

import numpy as np

from pyramidion.text._light.trees import (
    LEFT_MOVE,
    SHIFT_MOVE,
    LightTree,
    States,
    load_tree_model,
    rows_of,
)
from pyramidion.text._tagging import TagPair, Token


def test_rows_of():
    rows = rows_of([["Go"], ["Rain", "fell"]], [[TagPair("VB", "VERB")], [("NN", "NOUN")] * 2])
    assert (
        rows.first_rows.tolist(),
        rows.lengths.tolist(),
        rows.order.tolist(),
        len(rows.words),
    ) == (
        [1, 4],
        [2, 1],
        [1, 0],
        6,
    )


def test_states():
    states = States(rows_of([["Rain", "fell"]], [[("NN", "NOUN"), ("VBD", "VERB")]]))
    for move in (SHIFT_MOVE, LEFT_MOVE, SHIFT_MOVE, LEFT_MOVE):
        states.move(np.array([move]))
    assert states.heads.tolist() == [0, 2, 3, 0]


def test_light_tree():
    tokens = [Token("Sen.", 0), Token("Ada", 5), Token("Lee", 9), Token("left", 13)]
    tree = LightTree([2, 2, 3, 3], ["compound", "compound", "nsubj", "root"], tokens, [])
    tree.gather([1, 2], 1)
    assert (tree.heads, tree.labels[1]) == ([1, 3, 1, 3], "nsubj")


def test_load_tree_model():
    tokens = [Token("Rain", 0), Token("fell", 5)]
    pairs = [TagPair("NN", "NOUN"), TagPair("VBD", "VERB")]
    tree = load_tree_model().trees([tokens], [pairs])[0]
    assert (tree.heads, tree.labels) == ([1, 1], ["nsubj", "root"])
