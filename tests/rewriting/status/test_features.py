"""The 19 features of Table 5.1, counted by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError
from pyramidion.rewriting import (
    NORMALIZED_FEATURES,
    STATUS_FEATURES,
    THESIS_FEATURES,
    DescriptionModel,
    people_features,
    person_features,
    word_list,
)
from rewriting.status.people import description, mention, person, sentence


def sakharov():
    """Figure 5.12 in small: two documents, an apposition, a relative clause, a copula."""
    first = sentence("laureate Andrei Sakharov spoke", "d1", 0)
    second = sentence("Sakharov, who acted as an envoy, left. He slept", "d1", 1)
    third = sentence("Andrei Sakharov, 68, a Nobel winner, came", "d2", 0)
    fourth = sentence("Sakharov is a physicist", "d2", 1)
    clause = "who acted as an envoy"
    return person(
        "Andrei Sakharov",
        [
            mention(first, "Andrei Sakharov", external=1),
            mention(second, "Sakharov", post="relative clause", after=clause),
            mention(third, "Andrei Sakharov", post="apposition", after="68, a Nobel winner"),
            mention(fourth, "Sakharov"),
        ],
        [
            description("relative clause", second, clause),
            description("pronoun", second, "He"),
            description("copula", fourth, "a physicist"),
        ],
    )


def named(somebody, model=None, documents=0):
    features = person_features(somebody, model, documents).tolist()
    return dict(zip(STATUS_FEATURES, features, strict=True))


def test_the_names_are_those_of_table_5_1():
    assert len(THESIS_FEATURES) == 19
    assert len(STATUS_FEATURES) == 29
    assert STATUS_FEATURES[16] == "documents"
    assert STATUS_FEATURES[6] == "later names"
    assert STATUS_FEATURES[14] == "frequent descriptors"


def test_by_hand():
    features = named(sakharov())
    assert features["references"] == 5  # four names and a pronoun
    assert features["references per document"] == 2.5
    assert features["appositions"] == 1  # known from the mention alone
    assert features["relative clauses"] == 1  # in a mention and a description, counted once
    assert features["copulas"] == 1
    assert features["descriptions"] == 3
    assert features["descriptions per document"] == 1.5
    assert features["later names"] == 2
    assert features["documents"] == 2
    assert features["full first names"] == 1
    assert features["described first names"] == 1
    assert features["described first names per document"] == 0.5
    assert features["frequent descriptors"] == 0
    assert features["short first names"] == 0


def test_counts_are_divided_by_the_size_of_the_input():
    features = named(sakharov(), documents=8)
    assert features["references / input"] == 5 / 8
    assert features["later names / input"] == 2 / 8
    assert features["documents / input"] == 2 / 8
    assert named(sakharov())["documents / input"] == 1
    assert people_features([sakharov()] * 2, documents=[4, 8])[:, 20].tolist() == [5 / 4, 5 / 8]
    added = {*NORMALIZED_FEATURES} - {*THESIS_FEATURES}
    assert {STATUS_FEATURES[index].endswith(" / input") for index in added} == {True}
    assert len(added) == 9


def test_bigram_probabilities_of_first_mentions():
    model = DescriptionModel.of_descriptions([["laureate"], [], []])
    features = named(sakharov(), model)
    described, bare = model.log10(["laureate"]), model.log10([])
    assert features["mean bigram probability"] == pytest.approx((described + bare) / 2)
    assert features["greatest bigram probability"] == max(described, bare)
    assert features["least bigram probability"] == min(described, bare)


def test_descriptors_of_first_mentions_only():
    first = sentence("former U.S. President Ada Ode spoke", "d1", 0)
    later = sentence("Judge Ode left", "d1", 1)
    ode = person(
        "Ada Ode",
        [mention(first, "Ada Ode", titles=1, external=2), mention(later, "Ode", titles=1)],
    )
    assert named(ode)["frequent descriptors"] == 3


def test_nobody_mentioned():
    assert person_features(person("Ada Ode")).tolist() == [0.0] * 29
    assert people_features([]).shape == (0, 29)
    assert people_features([sakharov()] * 3).shape == (3, 29)


def test_descriptions_are_distinguished():
    assert [description.text for description in sakharov().described_by("apposition")] == [
        "68, a Nobel winner"
    ]
    assert [description.text for description in sakharov().described_by("copula")] == [
        "a physicist"
    ]


def test_twenty_descriptors():
    # Thesis, section 5.2.4.
    assert len(word_list("frequent_descriptors", "status_words.toml")) == 20


def test_spellings_of_a_descriptor_are_counted_once():
    mentions = [
        mention(sentence(f"{title} Ada Ode spoke", f"d{number}"), "Ada Ode", titles=1)
        for number, title in enumerate(("Senator", "Sen.", "Reverend", "Flutist"))
    ]
    assert named(person("Ada Ode", mentions))["frequent descriptors"] == 2


def test_a_bigram_by_hand():
    model = DescriptionModel.of_descriptions([["chief"], ["chief"], []])
    # Seconds of pairs: chief 2, the name 3; after the start 3 pairs, after "chief" 2.
    chief, name = 3 / 8, 4 / 8
    expected = np.log10((2 + chief) / 4) + np.log10((2 + name) / 3)
    assert model.log10(["chief"]) == pytest.approx(expected)


words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=4)


@given(st.lists(words, max_size=6), words)
def test_a_probability_is_one(descriptions, description):
    assert DescriptionModel.of_descriptions(descriptions).log10(description) <= 0


@given(st.lists(words, min_size=1, max_size=6))
def test_what_was_seen_is_likelier_than_what_was_not(descriptions):
    model = DescriptionModel.of_descriptions(descriptions)
    seen = descriptions[0]
    assert model.log10(seen) > model.log10(["unseen"] * max(len(seen), 1))


@pytest.mark.parametrize("pairs", [{"one": 1}, {"a b": 0}, {"a b": "many"}])
def test_counts_that_are_none(pairs):
    with pytest.raises(InputError, match="not a count"):
        DescriptionModel(pairs)
