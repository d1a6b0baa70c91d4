"""Rewriting of noun phrases, in the manner of the examples of Nenkova (2006), section 4.3."""

from types import SimpleNamespace

import pytest

from pyramidion.errors import InputError
from pyramidion.rewriting import NounPhraseRewriter
from pyramidion.summarizers import Limit, Source, edited, parse_summarizer
from pyramidion.text import words
from rewriting.trees import articles

STOP = ":PUNCT:%d:punctuation"
SHORT = (
    "The:DET:2:determiner arrest:NOUN:3:subject caused:VERB:0:root a:DET:6:determiner "
    "wide:ADJ:6:modifier controversy:NOUN:3:object _.:PUNCT:3:punctuation"
)
LONG = (
    "The:DET:2:determiner arrest:NOUN:9:subject of:ADP:6:case former:ADJ:6:modifier "
    "premier:NOUN:6:title Augusto:PROPN:2:modifier:person Pinochet:PROPN:6:name:person "
    "was:AUX:9:auxiliary discussed:VERB:0:root widely:ADV:9:modifier _.:PUNCT:9:punctuation"
)


class Session:
    """Chooses sentences of articles one by one; a word weighs 1 until it is said, then nothing."""

    def __init__(self, parsed, **options):
        self.texts = [sentence.text for sentence in parsed]
        self.said = set()
        source = SimpleNamespace(texts=self.texts, homes=(), documents=())
        self.session = NounPhraseRewriter(parsed, **options).begin(source)

    def weigh(self, text):
        return [float(word not in self.said) for word in content(text)]

    def choose(self, number, room=100):
        rewritten = self.session.rewrite(number, self.weigh, room)
        assert rewritten.text == edited(self.texts[number], rewritten.replacements)
        self.said |= set(content(rewritten.text))
        return rewritten


def content(text):
    return words(text, stem=True, stop_words=True)


def test_the_heaviest_phrase_with_the_same_head_is_taken():
    parsed = articles([SHORT], [LONG])
    rewritten = Session(parsed).choose(0)
    assert rewritten.text.startswith("The arrest of former premier Augusto Pinochet caused")
    # Weights fall after the whole sentence only: the fault that the thesis describes.
    twice = (
        "Before:ADP:3:case the:DET:3:determiner arrest:NOUN:6:modifier the:DET:5:determiner "
        "arrest:NOUN:6:subject failed:VERB:0:root _.:PUNCT:6:punctuation"
    )
    rewritten = Session(articles([twice], [LONG])).choose(0)
    assert rewritten.text.count("Pinochet") == 2


@pytest.mark.parametrize("method", ["sum-avr", "sum-avr(low=0.01)", "sumbasic"])
def test_a_phrase_that_was_said_is_not_inserted_again(method):
    """The Pinochet example of section 4.3: a first mention is described, a later one is short."""
    described = (
        "The:DET:2:determiner arrest:NOUN:11:subject in:ADP:4:case London:PROPN:2:modifier:place "
        "of:ADP:8:case former:ADJ:8:modifier dictator:NOUN:8:title "
        "Augusto:PROPN:2:modifier:person Pinochet:PROPN:8:name:person was:AUX:11:auxiliary "
        "discussed:VERB:0:root widely:ADV:11:modifier _.:PUNCT:11:punctuation"
    )
    parsed = articles([SHORT], [described])
    source = Source.of_texts([sentence.text for sentence in parsed])
    extract = parse_summarizer(method).summarize(
        source, Limit(100), rewriter=NounPhraseRewriter(parsed)
    )
    assert [sentence.text for sentence in extract.sentences] == [
        "The arrest in London of former dictator Augusto Pinochet caused a wide controversy.",
        "The arrest was discussed widely.",
    ]


def test_the_shorter_of_equally_heavy_phrases_is_taken():
    parsed = articles([LONG], [SHORT])
    session = Session(parsed)
    session.said |= set(content(parsed.sentences[0].text))
    assert session.choose(0).text == "The arrest was discussed widely."


def test_grammar_is_not_checked():
    plural = (
        "Three:NUM:2:modifier arrest:NOUN:3:subject followed:VERB:0:root _.:PUNCT:3:punctuation"
    )
    parsed = articles([plural], [LONG])
    assert "The arrest of" in Session(parsed).choose(0).text


def test_other_articles_than_those_summarized_are_refused():
    source = SimpleNamespace(texts=["Rain fell."], homes=(0,), documents=())
    with pytest.raises(InputError, match="the parsed sentences"):
        NounPhraseRewriter(articles([SHORT])).begin(source)


def test_bad_options_are_refused():
    with pytest.raises(InputError, match="'mean'"):
        NounPhraseRewriter(articles([SHORT]), "mean")
