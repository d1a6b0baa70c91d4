"""Chains of mentions, and what is counted in them."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import NotFoundError
from pyramidion.rewriting import MENTION_FEATURES, NAME_FORM, find_people, published_chain
from pyramidion.studies._references.counting import (
    BOTH_MODIFICATIONS,
    PREMODIFICATION,
    count_sequences,
    mention_chains,
)
from pyramidion.studies._references.view import listed_references
from rewriting.people.parsed import PARSERS, articles_of
from rewriting.people.sequences.reference_samples import mention, person


@pytest.mark.parametrize(
    ("code", "states"),
    [
        ("f0", ("unmodified", "full", "none", "0", "not premodified", "not both")),
        ("f3a", ("modified", "full", "apposition", "3", "premodified", "both")),
        ("l0r", ("modified", "last", "relative clause", "0", "not premodified", "not both")),
        ("n6", ("modified", "nickname", "none", "6+", "premodified", "not both")),
        ("l9p", ("modified", "last", "prepositional", "6+", "premodified", "both")),
    ],
)
def test_states_of_a_mention(code, states):
    features = (*MENTION_FEATURES, PREMODIFICATION, BOTH_MODIFICATIONS)
    assert tuple(feature.of(mention(code)) for feature in features) == states


def test_unknown_features_are_refused():
    with pytest.raises(NotFoundError, match="modification, name form"):
        published_chain("colour")


def test_chains_are_those_of_a_document():
    chains = mention_chains([person({"d1": "f1 l0", "d2": "f0"}), person({"d2": "f0"}, "Roe")])
    assert [(chain.document, len(chain.mentions)) for chain in chains] == [
        ("d1", 2),
        ("d2", 1),
        ("d2", 1),
    ]


def test_heads_follow_heads():
    [chain] = mention_chains([person({"d1": "f2 l0- l1"})])
    counts = count_sequences([chain], MENTION_FEATURES[3])
    assert counts.transitions[0, 2, 1] == counts.transitions.sum() == 1
    assert counts.mentions == 2


def test_of_chains_that_begin_otherwise_every_mention_counts():
    [chain] = mention_chains([person({"d1": "l0- f0 n0-"})])
    assert not chain.begins_with_head
    counts = count_sequences([chain], NAME_FORM)
    assert counts.initial[0].tolist() == [0, 1, 0]
    assert np.argwhere(counts.transitions[0]).tolist() == [[0, 2], [1, 0]]


def test_mentions_after_the_fifth_are_steps_but_have_no_place():
    counts = count_sequences(mention_chains([person({"d1": "f0" + " l0" * 8})]), NAME_FORM)
    assert counts.transitions[0].tolist() == [[0, 1, 0], [0, 7, 0], [0, 0, 0]]
    assert counts.positions[0].sum(axis=1).tolist() == [1] * 5
    assert counts.stratified().probabilities[:, 1].tolist() == [0, 1, 1, 1, 1]


CODES = st.lists(
    st.tuples(st.sampled_from("fln"), st.integers(0, 8), st.sampled_from(["", "a", "r"])),
    min_size=1,
    max_size=9,
).map(lambda parts: " ".join(f"{form}{number}{post}" for form, number, post in parts))


@given(st.lists(st.tuples(st.sampled_from(["d1", "d2", "d3"]), CODES), min_size=1, max_size=6))
def test_counts_are_those_of_a_loop(chains):
    people = [person({id: codes}, str(n)) for n, (id, codes) in enumerate(chains)]
    for feature in MENTION_FEATURES:
        counts = count_sequences(
            mention_chains(people), feature, documents=["d0", "d1", "d2", "d3"]
        )
        firsts, steps, places = Counter(), Counter(), Counter()
        for id, codes in chains:
            states = [feature.number(mention(code)) for code in codes.split()]
            row = int(id[1])
            firsts[row, states[0]] += 1
            steps.update((row, before, after) for before, after in pairwise(states))
            places.update((row, position, state) for position, state in enumerate(states[:5]))
        for table, counted in (
            (counts.initial, firsts),
            (counts.transitions, steps),
            (counts.positions, places),
        ):
            assert {tuple(p): table[tuple(p)] for p in np.argwhere(table)} == dict(counted)
        assert counts.documents == ("d0", "d1", "d2", "d3")
        assert counts.mentions == sum(len(codes.split()) for _, codes in chains)


@pytest.mark.parametrize("parser", PARSERS)
def test_a_listing_as_in_figure_5_12(parser):
    texts = {
        "d1": [
            "Physicist Andrei D. Vasko spoke on Monday.",
            "Vasko said he would go.",
        ],
        "d2": [
            "Andrei Vasko, 68, a human rights activist, was there.",
            "Vasko is a physicist.",
            "Vasko, who acted as an envoy, said his work was done.",
        ],
    }
    [vasko] = find_people(articles_of(texts, parser))
    assert [" ".join(listed_references(vasko, document)) for document in vasko.documents] == [
        "[IR] Physicist Andrei D. Vasko [CO] Vasko [PR] he",
        "[IR] Andrei Vasko [AP] 68, a human rights activist [CO] Vasko [IS] a physicist "
        "[CO] Vasko [RC] who acted as an envoy [PR] his",
    ]
