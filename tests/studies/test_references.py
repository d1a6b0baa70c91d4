"""The study of references: both models, held against each other."""

import runpy
from math import log
from pathlib import Path

import numpy as np
import pytest

from pyramidion.collection import Collection, Document, Summary, Task, Topic
from pyramidion.errors import InputError, NotFoundError
from pyramidion.rewriting import MENTION_FEATURES, NAME_FORM
from pyramidion.studies import references
from pyramidion.studies._references import measure
from pyramidion.studies._references.counting import count_sequences, mention_chains
from pyramidion.studies._references.measure import (
    MODELS,
    PeopleFound,
    ReferenceOptions,
    compare_reference_models,
    gather_people,
    study_references,
)
from pyramidion.studies._source import StudyPart
from rewriting.people.sequences.reference_samples import mention, person, simulated


def counted(people, feature=NAME_FORM):
    return count_sequences(mention_chains(people.people), feature, documents=people.documents)


# Which model predicts better


def leave_one_out(texts, added=0.5):
    """Score each document under the four models with counts of the others, in plain Python."""
    states = {
        id: [[NAME_FORM.of(mention(code)) for code in codes.split()][:5] for codes in chains]
        for id, chains in texts.items()
    }
    totals, mentions = [0.0] * len(MODELS), 0
    for id, chains in states.items():
        other_chains = [
            chain for other, chains_of in states.items() if other != id for chain in chains_of
        ]

        def score(form, seen):
            seen = list(seen)
            return log((seen.count(form) + added) / (len(seen) + 3 * added))

        for chain in chains:
            for position, form in enumerate(chain):
                mentions += 1
                first = [other[0] for other in other_chains]
                later = [other for forms in other_chains for other in forms[1:]]
                same = [other[position] for other in other_chains if len(other) > position]
                after = [
                    forms[n + 1]
                    for forms in other_chains
                    for n in range(len(forms) - 1)
                    if position and forms[n] == chain[position - 1]
                ]
                seen = (
                    [other for forms in other_chains for other in forms],
                    later if position else first,
                    same,
                    after if position else first,
                )
                for model, forms_seen in enumerate(seen):
                    totals[model] += score(form, forms_seen)
    return [total / mentions for total in totals], mentions


def test_scores_are_those_of_plain_python():
    texts = {
        "d1": ["f0 l0 l0", "f0 l0"],
        "d2": ["f0 n0 n0 n0 l0 f0 f0"],
        "d3": ["l0", "f0 f0 l0 l0"],
    }
    people = [
        person({id: codes}, f"{id}{n}")
        for id, chains in texts.items()
        for n, codes in enumerate(chains)
    ]  # fmt: skip
    comparison = compare_reference_models(counted(PeopleFound(tuple(people), tuple(texts))))
    expected, mentions = leave_one_out(texts)
    assert (comparison.documents, comparison.folds, comparison.mentions) == (3, 3, mentions)
    assert comparison.scores == pytest.approx(expected)
    for column, difference in enumerate(comparison.differences):
        assert difference.difference == pytest.approx(expected[-1] - expected[column])


def test_mentions_of_a_chain_are_predicted_by_the_chain():
    """Drawn from the thesis's chain: a nickname is followed by a nickname."""
    comparison = compare_reference_models(counted(simulated(120)))
    assert comparison.best == "Markov"
    assert comparison.folds == 10
    stratified = comparison.differences[-1]
    assert stratified.other == "stratified"
    assert stratified.interval.low > 0
    assert stratified.p < 0.01


def by_number(position, before):
    return ([1, 0, 0], [0.1, 0.9, 0], [0.9, 0.1, 0], [0, 0.1, 0.9], [0, 1, 0])[min(position, 4)]


def by_chance(position, before):
    return [0.5, 0.3, 0.2]


@pytest.mark.parametrize(
    ("steps", "best"), [(by_number, "stratified"), (by_chance, "independent")]
)  # fmt: skip
def test_other_models_predict_what_they_describe(steps, best):
    comparison = compare_reference_models(counted(simulated(120, steps=steps)))
    assert comparison.best == best
    if best == "stratified":
        assert comparison.differences[-1].interval.high < 0


def test_little_text_is_not_compared():
    only = PeopleFound((person({"d1": "f0 l0"}),), ("d1", "d2"))
    assert compare_reference_models(counted(only)) is None


# The study


def test_what_a_corpus_has():
    people = (
        person({"d1": "f2a l0 l0-", "d2": "l0- f0"}),
        person({"d1": "f1", "d2": "f0 l0"}, "Roe"),
    )
    study = study_references(PeopleFound(people, ("d1", "d2", "d3")))
    assert (study.documents, study.named, study.people, study.unsure) == (3, 2, 2, 0)
    assert (len(study.chains), study.mentions, study.heads) == (4, 8, 6)
    assert study.begin_with_head == 3
    assert [feature.counts.feature for feature in study.features] == [
        feature.name for feature in MENTION_FEATURES
    ]
    assert all(feature.counts.mentions == 5 for feature in study.features)
    assert study.not_head.counts.mentions == 2
    assert study.both.chain.initial[0] == pytest.approx(1 / 3)
    assert study.premodification.stratified.probabilities[0, 0] == pytest.approx(2 / 3)


def test_the_thesis_comes_back_from_text_that_is_like_it():
    study = study_references(simulated(200), ReferenceOptions(n_resamples=199))
    name_form = study.features[1]
    assert name_form.chain.limit().probabilities == pytest.approx([0.084, 0.864, 0.052], abs=0.02)
    assert {feature.comparison.best for feature in study.features} == {"Markov"}


def test_seeds():
    people = simulated(24)
    first, same, other = (
        study_references(people, ReferenceOptions(seed=seed, n_resamples=199)) for seed in (1, 1, 2)
    )
    for feature, again in zip(first.features, same.features, strict=True):
        np.testing.assert_array_equal(feature.intervals.transitions, again.intervals.transitions)
        assert feature.comparison == again.comparison
    assert first.features[0].comparison != other.features[0].comparison


def test_adding_makes_everything_possible():
    people = PeopleFound((person({"d1": "f0 l0"}), person({"d2": "f0 l0"})), ("d1", "d2"))
    bare, added = (study_references(people, ReferenceOptions(add=add)) for add in (0, 0.5))
    assert bare.features[1].chain.limit().problem == "no mention ever followed last"
    assert added.features[1].chain.limit().problem == ""
    assert (added.features[1].chain.transitions > 0).all()


def test_texts_without_people():
    with pytest.raises(InputError, match="no person is named in any of 2 texts"):
        study_references(PeopleFound((), ("d1", "d2")))


# Where people are looked for


class Words:
    """Takes every sentence for one word."""

    name = "words"

    def parse(self, sentences):
        return [[] for _ in sentences]


@pytest.fixture
def parsed(monkeypatch):
    """Collect what is parsed, instead of looking for people."""
    seen = []

    def find(articles):
        seen.append(articles.documents)
        return []

    monkeypatch.setattr(measure, "find_people", find)
    return seen


@pytest.fixture
def collection():
    topics = (
        Topic("T1", documents=(Document("d1", "Rain."), Document("d2", "Snow.", set="update"))),
        Topic("T2"),
    )
    summaries = (
        Summary("T1", "A", "Rain.", kind="human", task="B"),
        Summary("T1", "7", "Snow.", task="B"),
        Summary("T2", "C", "Hail.", kind="human", task="U"),
    )
    tasks = (Task("B"), Task("U", documents="update"))
    return Collection("c", topics=topics, summaries=summaries, tasks=tasks)


@pytest.mark.parametrize(
    ("options", "of", "ids", "left_out"),
    [
        ({}, "documents", [("T1/d1", "T1/d2")], ("T2: it has no documents",)),
        ({"task": ("U",)}, "documents", [("T1/d2",)], ("T2: it has no documents",)),
        ({"task": ("B", "U")}, "documents", [("T1/d1", "T1/d2")], ("T2: it has no documents",)),
        ({"topic": ("T1",)}, "documents", [("T1/d1", "T1/d2")], ()),
        ({}, "summaries", [("T1/B/A",), ("T2/U/C",)], ()),
        ({"task": ("B",)}, "summaries", [("T1/B/A",)], ("T2: it has no summaries",)),
    ],
)
def test_texts_of_a_collection(parsed, collection, options, of, ids, left_out):
    people = gather_people(collection, Words(), StudyPart(**options), of=of)
    assert parsed == ids
    assert people.documents == tuple(id for topic_ids in ids for id in topic_ids)
    assert people.left_out == left_out


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"topic": ("T9",)}, NotFoundError, "there is no topic 'T9'"),
        ({"topic": ("T2",)}, InputError, "there are no documents in c"),
        ({"task": ("Z",)}, NotFoundError, "there is no task 'Z'"),
    ],
)
def test_missing_topics_and_texts_are_errors(parsed, collection, options, error, message):
    with pytest.raises(error, match=message):
        gather_people(collection, Words(), StudyPart(**options))


def test_what_the_snippet_prints_is_on_the_page(capsys):
    docs = Path(__file__).parents[2] / "docs"
    runpy.run_path(str(docs / "snippets" / "study_references.py"))
    printed = capsys.readouterr().out
    assert printed.count("reachable: True") == len(MENTION_FEATURES)


def test_references_per_100_words_their_lengths_and_words_before_names():
    """Twenty words in four sentences; 5.0 and 5.2.7 of the thesis, counted by hand."""
    text = "Former Italian Prime Minister Romano Prodi, a professor, won. Prodi smiled. He left."
    other = "Then the loyal aide Anna Rossi spoke."
    topic = Topic("T1", documents=(Document("d1", text), Document("d2", other)))
    collection = Collection("c", topics=(topic,))
    study = references(collection, pipeline="light", n_resamples=100).study
    counts = {rate.rate: (rate.number, rate.of) for rate in study.rates}
    assert counts == {
        "names per 100 words": (3, 20),
        "names and pronouns per 100 words": (4, 20),
        # Six words and *a professor*; five words.
        "words of a first reference": (13, 2),
        "words of a first reference, up to the name": (11, 2),
        "words of a later reference": (1, 1),
        "sentences per apposition or relative clause": (4, 1),
        # Former, Prime Minister and aide; Italian; loyal.
        "before first names: title or role, percent": (4, 6),
        "before first names: affiliation, percent": (1, 6),
        "before first names: other words, percent": (1, 6),
    }
    assert study.rates[0].value == pytest.approx(100 * 3 / 20)
