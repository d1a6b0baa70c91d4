"""Small examples of `pyramidion.rewriting._people.published_sequences`, worked by hand."""

from pyramidion.errors import Where
from pyramidion.rewriting._people.published_sequences import (
    chain_of_record,
    chain_record,
    drawing_limit,
)
from pyramidion.rewriting.markov import MarkovChain, round_to_sum
from pyramidion.studies._references.counting import published_stratified


def test_round_to_sum():
    assert round_to_sum([0.24, 0.75]).round(4).tolist() == [0.245, 0.755]


def test_chain_record():
    chain = MarkovChain.of_counts("x", ("a", "b"), [1, 1], [[0, 2], [0, 0]])
    assert chain_record(chain)["transitions"] == [[0.0, 1.0], None]


def test_chain_of_record():
    record = {
        "feature": "x",
        "states": ["a", "b"],
        "initial": [1, 0],
        "transitions": [[0.44, 0.56], [0.24, 0.75]],
    }
    assert chain_of_record(record, Where("x.json")).transitions.round(3).tolist() == [
        [0.44, 0.56],
        [0.245, 0.755],
    ]


def test_published_stratified():
    models = published_stratified()
    assert (list(models), models["name form"].probabilities[1].tolist()) == (
        ["modification", "premodification", "name form"],
        [0.13, 0.81, 0.05],
    )


def test_drawing_limit():
    counts = [[2, 6, 1], [1, 9, 1], [1, 2, 3]]
    chain = MarkovChain.of_counts("name form", ("full", "last", "nickname"), [9, 1, 1], counts)
    assert round(drawing_limit(chain)["last"], 2) == 0.72
