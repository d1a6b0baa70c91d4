"""Small examples of `pyramidion.rewriting._noun_phrases.rewrite`, worked by hand."""

from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._noun_phrases.rewrite import (
    NounPhraseSession,
    PhraseClasses,
    composed,
)
from pyramidion.text import ParsedSentence


def test_composed():
    assert composed([0.2, 0.4], "sum") > composed([0.2, 0.4], "average")
    assert composed([], "average") == 0.0


def test_sentences_without_phrases_stay():
    classes = PhraseClasses(Articles((ParsedSentence("Go!", ()),)))
    assert NounPhraseSession(classes).rewrite(0, lambda text: [], 100).text == "Go!"
