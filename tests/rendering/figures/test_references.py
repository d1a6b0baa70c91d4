"""The figure of references to people: it shows the numbers."""

from functools import cache

import numpy as np

from pyramidion.collection import Collection, Document, Topic
from pyramidion.demo import load_demo
from pyramidion.rewriting import printed_limit
from pyramidion.studies import references


def article(text):
    return Collection("c", topics=(Topic("T1", documents=(Document("d1", text),)),))


COLLECTIONS = {
    "much": load_demo,
    "one": lambda: article("Rain fell in Oslo. Sen. Mary Landrieu saw it."),
    "no heads": lambda: article("Mary Landrieu's dog saw the rain. It fell on Landrieu's house."),
}


@cache
def study_of(name):
    return references(COLLECTIONS[name](), pipeline="light", n_resamples=100)


FIGURES = {name: lambda name=name: study_of(name).plot() for name in COLLECTIONS}


def test_tiles_and_lines_are_the_numbers():
    result = study_of("much")
    figure = result.plot()
    study, axes = result.study, figure.axes
    titles = [text.get_text() for text in figure.texts if text.get_weight() == "bold"]
    assert titles[1:5] == ["Modification", "Name", "Postmodification", "Number of premodifiers"]
    chain = study.features[1].chain
    tiles = axes[1].collections[0].get_array()
    np.testing.assert_allclose(tiles[0], chain.initial)
    np.testing.assert_allclose(tiles[1:-1], chain.transitions)
    np.testing.assert_allclose(tiles[-1], chain.limit().probabilities)
    shown = [text.get_text() for text in axes[1].texts]
    assert shown[-5::2] == [f"{value:.2f}" for value in printed_limit().values()]
    names = axes[6].lines
    for state, line in enumerate(names[::2]):
        np.testing.assert_allclose(
            line.get_ydata(), study.features[1].stratified.probabilities[:, state]
        )
    assert [line.get_linestyle() for line in names] == ["-", ":"] * 3
