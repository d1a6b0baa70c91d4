"""Small examples of `pyramidion.rewriting._noun_phrases.phrases`, worked by hand."""

from pyramidion.rewriting._noun_phrases.phrases import NounTree, maximum_phrases
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord


def test_noun_tree():
    roof = ParsedWord("Roofs", "roof", "NOUN", 0, "root", 0)
    of = ParsedWord("of", "of", "ADP", 2, "case", 6)
    tin = ParsedWord("tin", "tin", "NOUN", 0, "modifier", 9)
    assert list(NounTree((roof, of, tin)).heads()) == [(0, False), (2, True)]


def test_noun_phrase():
    the = ParsedWord("The", "the", "DET", 1, "determiner", 0)
    ferry = ParsedWord("ferry", "ferry", "NOUN", 2, "subject", 4)
    sank = ParsedWord("sank", "sink", "VERB", 2, "root", 10)
    [phrase] = maximum_phrases(ParsedSentence("The ferry sank", (the, ferry, sank)))
    assert phrase.text == "The ferry"


def test_maximum_phrases():
    boat = ParsedWord("boats", "boat", "NOUN", 1, "subject", 0)
    rescued = ParsedWord("saved", "save", "VERB", 1, "root", 6)
    crew = ParsedWord("crews", "crew", "NOUN", 1, "object", 12)
    sentence = ParsedSentence("boats saved crews", (boat, rescued, crew))
    assert [phrase.text for phrase in maximum_phrases(sentence)] == ["boats", "crews"]
