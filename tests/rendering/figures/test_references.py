"""The figure of references to people: it shows the numbers."""

import numpy as np

from pyramidion.rewriting import printed_limit
from pyramidion.studies._references.measure import (
    PeopleFound,
    ReferenceOptions,
    study_references,
)
from pyramidion.studies._references.view import references_figure
from rewriting.people.sequences.reference_samples import person, simulated

FOUND = {
    "much": lambda: simulated(30),
    "one": lambda: PeopleFound((person({"d1": "f0"}),), ("d1",)),
    "no heads": lambda: PeopleFound((person({"d1": "l0- l0"}),), ("d1",)),
}


def study_of(name):
    return study_references(FOUND[name](), ReferenceOptions(n_resamples=100))


FIGURES = {name: lambda name=name: references_figure(study_of(name)) for name in FOUND}


def test_tiles_and_lines_are_the_numbers():
    study = study_of("much")
    axes = references_figure(study).axes
    chain = study.features[1].chain
    tiles = axes[1].collections[0].get_array()
    np.testing.assert_allclose(tiles[0], chain.initial)
    np.testing.assert_allclose(tiles[1:-1], chain.transitions)
    np.testing.assert_allclose(tiles[-1], chain.limit().probabilities)
    shown = [text.get_text() for text in axes[1].texts]
    assert shown[-5::2] == [f"{value:.2f}" for value in printed_limit().values()]
    names = axes[6].lines
    for place, line in enumerate(names[::2]):
        np.testing.assert_allclose(
            line.get_ydata(), study.features[1].stratified.probabilities[:, place]
        )
    assert [line.get_linestyle() for line in names] == ["-", ":"] * 3
