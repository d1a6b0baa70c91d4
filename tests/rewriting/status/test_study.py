"""Examples from a collection, and Tables 5.2 to 5.5 on invented articles."""

import math

import numpy as np
import pytest

from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.errors import InputError
from pyramidion.rewriting import STATUS_FEATURES, Articles, Status, default_model, statuses_of
from pyramidion.studies._status_training import (
    LEARNERS,
    Example,
    FirstMention,
    Labels,
    Recipe,
    TrainingSet,
    collection_examples,
    cross_validate,
    examples_of,
    judge_affiliation,
    judge_postmodification,
    judge_status,
    recall_by_agreement,
    recipes_for,
    select_features,
    train_model,
    training_set,
    with_statuses,
)
from pyramidion.text.parsing import load_parser
from rewriting.status.people import mention, person, sentence

ARTICLES = {
    "d1": "President Maria Lindqvist signed the treaty on Monday. Lindqvist said it was overdue. "
    "Tom Barker, a farmer, watched the ceremony.",
    "d2": "President Maria Lindqvist will travel to the coast. Lindqvist has not named a date.",
}
REFERENCES = {
    "A": ["President Lindqvist signed a treaty."],
    "B": ["President Lindqvist signed a treaty."],
    "C": ["Maria Lindqvist signed a treaty."],
    "D": ["A treaty was signed."],
}


@pytest.fixture(scope="module")
def parser():
    return load_parser("light")


def labelled(parser):
    documents = Articles.of_texts(ARTICLES, parser)
    summaries = Articles.of_sentences(REFERENCES.items(), parser)
    return {
        example.person.name: example for example in examples_of(documents, summaries, topic="T1")
    }


def test_people_are_put_together_across_documents_and_summaries(parser):
    examples = labelled(parser)
    president, farmer = examples["Maria Lindqvist"], examples["Tom Barker"]
    assert president.labels.named == 3
    assert president.labels.summaries == 4
    assert president.labels.hearer_old is True
    assert len(president.person.mentions) == 4
    assert president.person.documents == ("d1", "d2")
    assert [first.summary for first in president.firsts] == ["A", "B", "C"]
    assert (farmer.labels.major, farmer.labels.hearer_old, farmer.firsts) == (False, None, ())


def test_people_that_only_summaries_name_are_left_out(parser):
    documents = Articles.of_texts({"d1": "Tom Barker spoke."}, parser)
    summaries = Articles.of_sentences([("A", ["Maria Lindqvist signed a treaty."])], parser)
    assert [example.person.name for example in examples_of(documents, summaries, topic="T1")] == [
        "Tom Barker"
    ]


def collection(**fields):
    documents = tuple(Document(id, text) for id, text in ARTICLES.items())
    references = tuple(
        Summary("T1", id, " ".join(text), kind="human") for id, text in REFERENCES.items()
    )
    content = {"topics": (Topic("T1", documents=documents),), "summaries": references} | fields
    return Collection("mine", **content)


def test_a_collection(parser):
    examples, left_out = collection_examples(collection(), parser)
    assert {(example.topic, example.person.name, example.labels.named) for example in examples} == {
        ("T1", "Maria Lindqvist", 3),
        ("T1", "Tom Barker", 0),
    }
    assert left_out == []


def test_what_a_collection_lacks_is_said(parser):
    examples, left_out = collection_examples(collection(topics=()), parser)
    assert (examples, left_out) == ([], ["topic T1: no documents"])
    topics = (*collection().topics, Topic("T2", documents=(Document("d", "Tom Barker spoke."),)))
    assert collection_examples(collection(topics=topics), parser)[1] == ["topic T2: no references"]


# Judging


def make_example(named, old_forms=0, *, name="Ada Ode", somebody=None, topic="T1"):
    subject = somebody or person(name, [mention(sentence(f"{name} spoke"), name)])
    return Example(topic, "", subject, Labels(4, named=named, old_forms=old_forms))


def status(major, old=False):
    return Status(major=major, hearer_old=old)


def test_who_is_known_is_judged_for_those_who_are_named():
    examples = [make_example(0), make_example(2, 2), make_example(4, 1)]
    judged = judge_status(examples, [status(True), status(True, True), status(False, True)])
    assert (judged["major"].number, judged["major"].right) == (3, 1)
    assert (judged["hearer_old"].number, judged["hearer_old"].right) == (2, 1)


def test_recall_by_agreement():
    examples = [make_example(0), make_example(1), make_example(1), make_example(4), make_example(4)]
    rows = recall_by_agreement(examples, [True, False, True, True, True])
    assert [(row.named, row.examples, row.recalled, row.recall) for row in rows] == [
        (1, 2, 1, 0.5),
        (4, 2, 2, 1.0),
    ]


def first_mention(text, name, **fields):
    parsed = sentence(text, "A", 1, bodies=fields.pop("bodies", ()))
    before = sentence("Corvane rose", "A", 0, bodies=["Corvane"])
    return FirstMention("A", mention(parsed, name, **fields), (before, parsed))


def test_affiliation_next_to_summaries():
    """A writer drops the affiliation that is most salient, and tells another one."""
    parsed = sentence("Corvane President Ada Ode spoke", bodies=["Corvane"])
    ode = person("Ada Ode", [mention(parsed, "Ada Ode", titles=1, external=1)])
    other = sentence("Soviet envoy Bo Bell spoke")
    bell = person("Bo Bell", [mention(other, "Bo Bell", external=2)])
    dropped = first_mention("President Ode left", "Ode", titles=1)
    included = first_mention("Soviet envoy Bo Bell left", "Bo Bell", external=2)
    nothing = person("Cy Cole", [mention(sentence("Cy Cole spoke"), "Cy Cole")])
    examples = [
        Example("T1", "", ode, Labels(1, named=1), (dropped,)),
        Example("T1", "", bell, Labels(1, named=1), (included,)),
        Example("T1", "", nothing, Labels(1, named=1), (included,)),
    ]
    judged = judge_affiliation(examples, [status(True)] * 3)
    assert {rule: (result.right, result.number) for rule, result in judged.items()} == {
        "never": (1, 2),
        "status": (1, 2),
        "salience": (2, 2),
        1: (2, 2),
        2: (2, 2),
    }


def test_postmodification_next_to_summaries():
    parsed = sentence("Ada Ode, an envoy, spoke")
    ode = person("Ada Ode", [mention(parsed, "Ada Ode", post="apposition", after="an envoy")])
    examples = [
        Example("T1", "", ode, Labels(4, named=2, described=1)),
        Example("T1", "", ode, Labels(4, named=2)),
        Example("T1", "", ode, Labels(4)),
        make_example(2),
    ]
    judged = judge_postmodification(examples, [status(True)] * 4)
    assert (judged.number, judged.hits, judged.false_alarms) == (2, 1, 1)


# Training on a collection's own people


def crowd(number=40):
    """People named again and again, whom summaries name, and others."""
    examples = []
    for index in range(number):
        often = index % 2 == 0
        mentions = [
            mention(sentence("Ada Ode spoke", "d1", at), "Ada Ode")
            for at in range(6 if often else 1)
        ]
        topic = f"T{index // 8}"
        examples.append(make_example(2 * often, somebody=person("Ada Ode", mentions), topic=topic))
    return examples


def validate(question, *, grouped, learner=None, normalized=False):
    data = training_set(crowd(), question, default_model().descriptions)
    recipe = recipes_for(learner, normalized=normalized)[question]
    groups = data.topics if grouped else None
    return cross_validate(
        data.table, data.truth, recipe.learner, features=recipe.features, groups=groups
    )


@pytest.mark.parametrize("learner", [None, *LEARNERS])
@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_who_matters_can_be_learned(grouped, normalized, learner):
    validated = validate("major", grouped=grouped, learner=learner, normalized=normalized)
    assert validated.judged.accuracy == 1
    assert validated.folds == (5 if grouped else 20)


def test_who_is_known_cannot_where_all_are_new():
    with pytest.raises(InputError, match="0 of the rarer answer"):
        validate("hearer_old", grouped=True)
    with pytest.raises(InputError, match="20 examples have one answer"):
        train_model(crowd(), default_model().descriptions, data="mine")


def test_a_trained_model():
    people = [
        *crowd(),
        *(make_example(2, 2, somebody=person("Bo Bell", [bell], ())) for bell in _presidents(10)),
    ]
    recipes = {"major": Recipe("tree", (0,)), "hearer_old": Recipe("tree", (14,))}
    model = train_model(people, default_model().descriptions, data="mine", recipes=recipes)
    statuses = statuses_of((example.person for example in people), model)
    assert [status.hearer_old for status in statuses] == [False] * 40 + [True] * 10
    assert model.card["people_major"] == 50
    assert model.card["people_hearer_old"] == 30
    assert model.majority == {"major": 0.6, "hearer_old": pytest.approx(1 / 3, abs=1e-6)}


def test_features_are_selected_by_their_merit():
    """Correlations with the answer are 1 and, for the others, 0.577; the constant is skipped."""
    table = np.array([[0, 1, 1, 7, 0], [0, 0, 0, 7, 0], [1, 1, 1, 7, 0], [1, 1, 1, 7, 3.0]])
    data = TrainingSet(table, [False, False, True, True], ["T"] * 4)
    [best] = select_features(data, "major", (0, 1, 2, 3, 4))
    assert (best.feature, best.correlation, best.published) == ("references", 1.0, False)
    # Two copies of a feature have the merit of one, 2r / sqrt(4); the last correlates less.
    chosen = select_features(data, "major", (1, 2, 4))
    assert [feature.feature for feature in chosen] == [
        "references per document", "relative clauses",
    ]  # fmt: skip
    assert chosen[0].correlation == pytest.approx(1 / math.sqrt(3))
    assert chosen[0].published is chosen[1].published is True
    normalized = select_features(data._replace(table=np.tile(table, 6)), "major", (20,))
    assert normalized[0].published is None
    assert select_features(data._replace(truth=[True] * 4), "major", (0, 1)) == []


def test_postmodification_is_learned_with_both_statuses():
    parsed = sentence("Ada Ode, an envoy, spoke")
    described = person("Ada Ode", [mention(parsed, "Ada Ode", post="apposition", after="an envoy")])
    people = [make_example(2, 2, somebody=described), make_example(0), make_example(1, 0)]
    data = with_statuses(
        people, default_model(), {"major": [True, False, False], "hearer_old": [False, True]}
    )
    # Only the first is named and described in the input.
    assert data.table.shape == (1, len(STATUS_FEATURES) + 2)
    assert data.table[0, -2:].tolist() == [1.0, 0.0]
    with pytest.raises(InputError, match="hearer-old could not be predicted"):
        with_statuses(people, default_model(), {"major": [True, False, False]})


def _presidents(number):
    return [
        mention(sentence("President Bell spoke", "d1", at), "Bell", titles=1)
        for at in range(number)
    ]
