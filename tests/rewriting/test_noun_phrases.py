"""Rewriting of noun phrases, in the manner of the examples of Nenkova (2006), section 4.3."""

from types import SimpleNamespace

import pytest

from pyramidion.errors import InputError
from pyramidion.rewriting._noun_phrases.rewrite import NounPhraseRewriter
from pyramidion.rewriting._rewriter import edited
from pyramidion.text import count_words, words
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
BOARD = (
    "The:DET:4:determiner Maritime:PROPN:4:modifier Safety:PROPN:4:modifier "
    "Board:PROPN:5:subject:organization met:VERB:0:root on:ADP:7:case Friday:PROPN:5:modifier "
    "_.:PUNCT:5:punctuation"
)
THE_BOARD = (
    "The:DET:2:determiner board:NOUN:3:subject blamed:VERB:0:root the:DET:5:determiner "
    "valve:NOUN:3:object _.:PUNCT:3:punctuation"
)
KORDA = (
    "Ilse:PROPN:9:subject:person Korda:PROPN:1:name:person _,:PUNCT:5:punctuation "
    "the:DET:5:determiner auditor:NOUN:1:apposition of:ADP:7:case Tessaly:PROPN:5:modifier "
    "_,:PUNCT:5:punctuation testified:VERB:0:root _.:PUNCT:9:punctuation"
)
KORDA_SHORT = "Korda:PROPN:2:subject:person resigned:VERB:0:root _.:PUNCT:2:punctuation"


class Session:
    """Chooses sentences of articles one by one; a word weighs 1 until it is said, then nothing."""

    def __init__(self, found, *, order="chosen", **options):
        self.texts = [sentence.text for sentence in found]
        self.said = set()
        source = SimpleNamespace(texts=self.texts, homes=(), documents=())
        before = {"chosen": lambda one, other: True, "source": lambda one, other: one < other}
        rewriter = NounPhraseRewriter(found, **options)
        self.session = rewriter.begin(source, self.weigh, before[order])

    def weigh(self, text):
        return [float(word not in self.said) for word in content(text)]

    def choose(self, number, room=100):
        made = self.session.rewrite(number, self.weigh, room)
        assert made.text == edited(self.texts[number], made.replacements)
        self.said |= set(content(made.text))
        return made


def content(text):
    return words(text, stem=True, stop_words=True)


def test_a_sentence_that_comes_first_says_more():
    found = articles([LONG, SHORT])
    made = Session(found).choose(1)
    assert made.text == ("The arrest of former premier Augusto Pinochet caused a wide controversy.")
    [change] = made.replacements
    assert (change.before, change.kind, change.reason) == ("The arrest", "noun phrase", "says more")
    assert (change.document, change.index) == ("d1", 0)


def test_only_the_own_article_tells_what_a_thing_is():
    found = articles([LONG], [SHORT])
    assert Session(found).choose(1).replacements == ()


def test_nothing_is_said_that_the_article_says_later():
    assert Session(articles([SHORT, LONG])).choose(0).replacements == ()


def test_two_things_of_one_noun_are_left_alone():
    another = LONG.replace("premier:NOUN", "general:NOUN").replace("Augusto", "Ann")
    assert Session(articles([LONG, another, SHORT])).choose(2).replacements == ()


def test_what_was_said_is_not_said_again():
    session = Session(articles([LONG, SHORT]))
    assert session.choose(1).replacements
    made = session.choose(0)
    assert made.text == "The arrest was discussed widely."
    assert made.replacements[0].reason == "said before"


def test_nothing_is_shortened_that_is_read_before_it_was_said():
    # The long sentence is chosen first, but read after the other.
    session = Session(articles([LONG, SHORT]), order="source")
    session.choose(1)
    assert session.choose(0).text.startswith("The arrest of former premier")


def test_people_are_left_to_their_own_rewriter():
    assert Session(articles([KORDA, KORDA_SHORT])).choose(1).replacements == ()


def test_room_is_kept():
    found = articles([LONG, SHORT])
    before = count_words(found.sentences[1].text)
    assert not Session(found).choose(1, before + 4).replacements
    assert Session(found).choose(1, before + 5).replacements


def test_raw_is_the_algorithm_as_printed():
    found = articles([SHORT], [LONG])
    made = Session(found, guarded=False).choose(0)
    assert made.text.startswith("The arrest of former premier Augusto Pinochet caused")
    # Weights fall after the whole sentence only: the fault that the thesis describes.
    twice = (
        "Before:ADP:3:case the:DET:3:determiner arrest:NOUN:6:modifier the:DET:5:determiner "
        "arrest:NOUN:6:subject failed:VERB:0:root _.:PUNCT:6:punctuation"
    )
    made = Session(articles([twice], [LONG]), guarded=False).choose(0)
    assert made.text.count("Pinochet") == 2
    made = Session(articles([twice], [LONG])).choose(0)
    assert made.text.count("Pinochet") <= 1


def test_raw_takes_the_shorter_of_equally_heavy_phrases():
    found = articles([LONG], [SHORT])
    session = Session(found, guarded=False)
    session.said |= set(content(found.sentences[0].text))
    assert session.choose(0).text == "The arrest was discussed widely."


def test_raw_breaks_grammar_where_guards_do_not():
    plural = (
        "Three:NUM:2:modifier arrest:NOUN:3:subject followed:VERB:0:root _.:PUNCT:3:punctuation"
    )
    found = articles([plural], [LONG])
    assert "The arrest of" in Session(found, guarded=False).choose(0).text
    assert Session(found).choose(0).replacements == ()


REJECTED = {
    "quoted": '":PUNCT:3:punctuation _The:DET:3:determiner arrest:NOUN:4:subject '
    'failed:VERB:0:root _,:PUNCT:4:punctuation _":PUNCT:4:punctuation he:PRON:8:subject '
    "said:VERB:4:clause",
    "indefinite": "An:DET:2:determiner arrest:NOUN:3:subject failed:VERB:0:root",
    "possessive": "his:PRON:2:modifier arrest:NOUN:3:subject failed:VERB:0:root",
    "coordinated": "The:DET:2:determiner arrest:NOUN:6:subject and:CCONJ:5:coordinator "
    "the:DET:5:determiner trial:NOUN:2:conjunct failed:VERB:0:root",
    "said elsewhere": "The:DET:2:determiner arrest:NOUN:3:subject shook:VERB:0:root "
    "Pinochet:PROPN:3:object",
    "predicate": "It:PRON:4:subject is:AUX:4:copula the:DET:4:determiner arrest:NOUN:0:root",
    "of a copula": "The:DET:2:determiner arrest:NOUN:5:subject is:AUX:5:copula a:DET:5:determiner "
    "disgrace:NOUN:0:root",
    "followed by a name": "The:DET:2:determiner arrest:NOUN:4:subject Pinochet:PROPN:4:subject "
    "failed:VERB:0:root",
    "followed by of": "The:DET:2:determiner arrest:NOUN:3:subject of:ADP:3:case failed:VERB:0:root",
    "followed by a comma": "The:DET:2:determiner arrest:NOUN:4:subject _,:PUNCT:4:punctuation "
    "failed:VERB:0:root",
    "in capitals": "THE:DET:2:determiner arrest:NOUN:3:subject FAILED:VERB:0:root",
    "unbalanced": '":PUNCT:3:punctuation The:DET:3:determiner arrest:NOUN:4:subject '
    "failed:VERB:0:root",
}


@pytest.mark.parametrize("case", REJECTED)
def test_guards_leave_a_phrase_alone(case):
    made = Session(articles([LONG, REJECTED[case]])).choose(1)
    assert made.replacements == ()
    assert made.text == articles([REJECTED[case]]).sentences[0].text


def test_words_that_point_stay_where_they_are():
    pointing = LONG.replace("former:ADJ", "yesterday:ADJ")
    assert Session(articles([pointing, SHORT])).choose(1).replacements == ()


def test_a_long_sentence_is_left_alone():
    long = " ".join(["The:DET:2:determiner arrest:NOUN:3:subject failed:VERB:0:root"] * 167)
    made = Session(articles([LONG, long])).choose(1)
    assert made.replacements == ()


def test_other_articles_than_those_summarized_are_refused():
    source = SimpleNamespace(texts=["Rain fell."], homes=(0,), documents=())
    with pytest.raises(InputError, match="other sentences"):
        NounPhraseRewriter(articles([SHORT])).begin(source, lambda text: [], lambda a, b: True)


def test_bad_options_are_refused():
    with pytest.raises(InputError, match="'mean'"):
        NounPhraseRewriter(articles([SHORT]), "mean")
