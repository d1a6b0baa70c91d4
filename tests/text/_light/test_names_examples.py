"""Small examples of `pyramidion.text._light.names` and its model, worked by hand."""

import numpy as np
import pytest

from pyramidion.text._light.name_model import (
    TextEvidence,
    candidates,
    load_names,
    log_probabilities,
    runs_of,
    with_capitals,
    without_accents,
)
from pyramidion.text._light.name_words import name_words
from pyramidion.text._light.names import NameFinder, Roles
from pyramidion.text._tagging import TagPair, Token, grammar_tokens, load_tagger


def tagged(*sentences):
    words = [[token.text for token in grammar_tokens(sentence)] for sentence in sentences]
    tags = [[pair.fine for pair in pairs] for pairs in load_tagger().tag(words)]
    return list(zip(words, tags, strict=True))


def named(*sentences):
    text = tagged(*sentences)
    spans = load_names().find(text)
    return [
        [(" ".join(words[first : last + 1]), kind) for first, last, kind in names]
        for (words, _), names in zip(text, spans, strict=True)
    ]


def test_name_words():
    assert ("Sen." in name_words()["titles"], "Ada" in name_words()["given"]) == (True, True)


def test_roles():
    roles = Roles()
    assert (roles.is_role("co-founder"), roles.is_title("Judge"), roles.is_title("Snow")) == (
        True,
        True,
        False,
    )


@pytest.mark.parametrize(
    ("before", "title_first"),
    [("Sen.", 0), ("Former Vice President", 0), ("Secretary of State", 0), ("a bank clerk", 1)],
)
def test_name_finder(before, title_first):
    tokens = grammar_tokens(f"{before} Ada Lee resigned.")
    pairs = load_tagger().tag([[token.text for token in tokens]])
    ((name,),) = NameFinder(Roles()).find([tokens], pairs)
    first = len(before.split())
    assert (name.first, name.last, name.kind) == (first, first + 1, "person")
    assert (name.title_last, name.title_first) == (first - 1, title_first)


def test_no_names():
    tokens, pairs = [Token("rain", 0)], [TagPair("NN", "NOUN")]
    assert NameFinder(Roles()).find([tokens, []], [pairs, []]) == [[], []]


def test_candidates_and_runs():
    text = "the Bank of New York and Jean - Luc de la Tour met Cheng Chung - tai 7"
    words = text.split()
    assert [words[index] for index in candidates(words)] == words[1:12] + words[13:]
    general = ["Gen.", "Ann", "van", "Lee"]
    assert list(runs_of(general)) == [(0, 1, 3)]
    assert with_capitals(["ADA", "LEFT"]) == ["Ada", "Left"]
    assert without_accents("Évariste") == "evariste"


def test_text_evidence():
    text = TextEvidence(tagged("Sen. Ada Lee spoke in Ur.", "Lee said rain fell."))
    assert text.flags["Lee"] >= {"T", "S", "G1l"}
    assert "I" in text.flags["Ur"]
    assert text.name_counts["Lee"] == 2
    assert text.columns("Nobody") == ("-",) * 10


def test_names_of_the_day():
    people = [name for name, kind in named("Elon Musk met Angela Merkel.")[0] if kind == "person"]
    assert people == ["Elon Musk", "Angela Merkel"]
    for sentence in (
        "Morgan Stanley cut its outlook for the bank.",
        "Shares of Morgan Stanley rose.",
        "Tesla said it would cut prices.",
        "The company, Wells Fargo & Co., declined to comment.",
    ):
        assert not [name for name in named(sentence)[0] if name[1] == "person"], sentence


def test_a_word_is_of_one_kind_in_a_text():
    text = named("Police questioned Dr. Ruth Quandel, 41, on Monday.", "Quandel left at noon.")
    assert ("Quandel", "person") in text[1]


def test_log_probabilities_of_any_size():
    """Of scores whose exponentials no number can hold, too."""
    logs = log_probabilities([[800.0, 0.0], [-800.0, -800.0], [np.log(3), 0.0]])
    expected = [[0, -800], [-np.log(2)] * 2, [np.log(0.75), np.log(0.25)]]
    assert logs == pytest.approx(np.array(expected))
