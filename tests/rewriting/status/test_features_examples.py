"""Small examples of `pyramidion.rewriting._status.features`, worked by hand."""

from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._status.features import (
    STATUS_FEATURES,
    DescriptionModel,
    description_words,
    frequent_descriptors,
    people_features,
    person_features,
    short_form,
)
from pyramidion.studies._status_training import Labels, gum_labels, summary_labels
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord


def test_description_words():
    words = [
        ParsedWord("U.S.", "U.S.", "PROPN", 1, "modifier", 0),
        ParsedWord("Sen.", "Sen.", "PROPN", 2, "title", 5),
        ParsedWord("Ode", "Ode", "PROPN", 2, "root", 10),
    ]
    sentence = ParsedSentence("U.S. Sen. Ode", tuple(words))
    assert description_words(Mention(sentence, 2, 2, "last", titles=1, external=1)) == ["us", "sen"]


def test_frequent_descriptors():
    assert sorted(frequent_descriptors(["former", "senator", "flutist"])) == ["former", "sen"]


def test_description_model():
    model = DescriptionModel.of_descriptions([["prime", "minister"], ["minister"], []])
    assert model.log10(["minister"]) > model.log10(["flutist"])


def test_labels():
    labels = Labels(4, named=3, old_forms=2)
    assert (labels.major, labels.hearer_old) == (True, True)


def test_short_form():
    words = (
        ParsedWord("President", "president", "PROPN", 1, "title", 0),
        ParsedWord("Ode", "Ode", "PROPN", 1, "root", 10),
    )
    sentence = ParsedSentence("President Ode", words)
    assert short_form(Mention(sentence, 1, 1, "last", titles=1))
    assert not (short_form(Mention(sentence, 1, 1, "last")))


def test_summary_labels():
    assert not (summary_labels(Person("Ode", "Ode", ()), ["A", "B"]).major)


def test_gum_labels():
    labels = gum_labels("ssnnn", "new")
    assert (labels.major, labels.named, labels.hearer_old) == (True, 2, False)


def test_person_features():
    word = ParsedWord("Ode", "Ode", "PROPN", 0, "root")
    texts = [ParsedSentence("Ode", (word,), name, 0) for name in ("d1", "d2")]
    ode = Person("Ode", "Ode", tuple(Mention(text, 0, 0, "last") for text in texts))
    found = dict(zip(STATUS_FEATURES, person_features(ode).tolist(), strict=True))
    assert (found["references"], found["references per document"], found["documents"]) == (
        2.0,
        1.0,
        2.0,
    )


def test_feature_table():
    assert people_features([]).shape == (0, 20)


def test_described_by():
    assert Person("Ode", "Ode", ()).described_by("copula") == []
