"""Basic elements, with a parser that knows a few sentences by heart."""

import sys

import numpy as np
import pytest

from pyramidion.errors import InputError, MissingExtraError
from pyramidion.metrics import ScoringBatch, parse_metric, score_collection
from pyramidion.metrics._basic_elements import BasicElements, basic_elements, parse_elements
from pyramidion.text.parsing import ParsedWord

# Words as text/lemma/tag/head/relation.
KNOWN = {
    "Police arrested Ann Lee.": (
        "Police/police/NOUN/1/subject arrested/arrest/VERB/1/root "
        "Ann/ann/PROPN/1/object Lee/lee/PROPN/2/name"
    ),
    "Lee was arrested.": "Lee/lee/PROPN/2/object was/be/AUX/2/aux arrested/arrest/VERB/2/root",
    "The arrest shocked Ardel.": (
        "The/the/DET/1/det arrest/arrest/NOUN/2/subject shocked/shock/VERB/2/root "
        "Ardel/ardel/PROPN/2/object"
    ),
}


class ByHeart:
    name = "by-heart"

    def parse(self, sentences):
        return [[_word(text) for text in KNOWN[sentence].split()] for sentence in sentences]


def _word(text):
    word, lemma, tag, head, relation = text.split("/")
    return ParsedWord(word, lemma, tag, int(head), relation)


def score(metric, peer, references):
    cases = ScoringBatch.of_texts([peer], [references])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pyramidion.metrics._basic_elements.parser_for", lambda *_: ByHeart())
        return metric.score(metric.statistics(cases))[0]


def test_elements_are_content_words_and_their_modifiers():
    [words] = ByHeart().parse(["Police arrested Ann Lee."])
    observed = [(e.head, e.modifier, e.relation) for e in basic_elements(words)]
    assert observed == [
        ("arrest", "police", "subject"),
        ("police", "nil", "nil"),
        ("arrest", "nil", "nil"),
        ("arrest", "ann", "object"),
        ("ann", "nil", "nil"),
        ("ann", "lee", "name"),
        ("lee", "nil", "nil"),
    ]


def test_recall_of_the_references_elements():
    # Of the reference's 7 elements the summary has "arrest" and "lee".
    assert score(BasicElements(), "Lee was arrested.", ["Police arrested Ann Lee."]) == 2 / 7
    # Of the 3 of "Lee was arrested." the summary has the single words, not arrest + lee.
    assert score(BasicElements(), "Police arrested Ann Lee.", ["Lee was arrested."]) == 2 / 3
    both = ["Police arrested Ann Lee.", "Lee was arrested."]
    assert score(BasicElements(), "Lee was arrested.", both) == 5 / 10


def test_options():
    peer, references = "The arrest shocked Ardel.", ["The arrest shocked Ardel."]
    assert score(BasicElements(), peer, references) == 1
    assert score(BasicElements(relations=True, single=False), peer, references) == 1
    pairs = BasicElements(single=False)
    assert score(pairs, "Lee was arrested.", ["Police arrested Ann Lee."]) == 0
    assert np.isnan(score(pairs, "Lee was arrested.", []))


def test_without_a_parser_there_is_one_clear_line(monkeypatch):
    from pyramidion.demo import load_demo

    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"pyramidion\[nlp\]"):
        parse_metric("basic-elements").require_installed()
    with pytest.raises((MissingExtraError, InputError), match="nlp"):
        score_collection(load_demo(), [parse_metric("basic-elements")])
    parse_metric("basic-elements(pipeline=light)").require_installed()


def test_each_text_is_parsed_once():
    asked = []

    class Counted(ByHeart):
        def parse(self, sentences):
            asked.extend(sentences)
            return super().parse(sentences)

    both = ["Police arrested Ann Lee.", "Lee was arrested."]
    cases = ScoringBatch.of_texts(both, [both, both])
    first, second = (parse_elements(cases, Counted()) for _ in range(2))
    assert sorted(asked) == sorted(both)
    assert first == second


def test_with_the_shipped_parser():
    pytest.importorskip("spacy", reason="the extra nlp is not installed")
    metric = BasicElements()
    cases = ScoringBatch.of_texts(
        ["The mayor was arrested.", "Snow fell."], [["Police arrested the mayor on Tuesday."]] * 2
    )
    scores = metric.score(metric.statistics(cases))
    # Of police, arrest, mayor, Tuesday and three pairs: arrest, mayor and arrest + mayor.
    assert scores.tolist() == [3 / 7, 0]
