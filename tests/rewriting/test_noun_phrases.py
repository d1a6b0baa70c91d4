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
    "The:DET:2:determiner arrest:NOUN:11:subject in:ADP:4:case London:PROPN:2:modifier:place "
    "of:ADP:8:case former:ADJ:8:modifier dictator:NOUN:8:title Augusto:PROPN:2:modifier:person "
    "Pinochet:PROPN:8:name:person was:AUX:11:auxiliary discussed:VERB:0:root "
    "widely:ADV:11:modifier _.:PUNCT:11:punctuation"
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
    found = articles([SHORT], [LONG])
    made = Session(found).choose(0)
    assert made.text == (
        "The arrest in London of former dictator Augusto Pinochet caused a wide controversy."
    )
    [change] = made.replacements
    assert (change.before, change.kind, change.reason) == ("The arrest", "noun phrase", "says more")
    assert (change.document, change.index) == ("d2", 0)


def test_what_was_said_is_not_said_again():
    session = Session(articles([SHORT], [LONG]))
    assert session.choose(0).replacements
    made = session.choose(1)
    assert made.text == "The arrest was discussed widely."
    assert made.replacements[0].reason == "said before"


def test_nothing_is_shortened_that_is_read_before_it_was_said():
    # The long sentence is chosen first, but read after the other.
    session = Session(articles([LONG], [SHORT]), order="source")
    session.choose(1)
    assert session.choose(0).text.startswith("The arrest in London of former dictator")


def test_the_only_description_of_a_person_stays():
    found = articles([KORDA], [KORDA_SHORT])
    for composition in ("sum", "average"):
        session = Session(found, composition=composition)
        session.said |= {"tessaly"}
        assert session.choose(0).replacements == ()


def test_an_apposition_gets_its_commas():
    made = Session(articles([KORDA], [KORDA_SHORT])).choose(1)
    # Across documents people are not described after their names, only named in full.
    assert made.text == "Ilse Korda resigned."
    made = Session(articles([KORDA, KORDA_SHORT])).choose(1)
    assert made.text == "Ilse Korda, the auditor of Tessaly, resigned."


def test_people_are_left_to_their_own_rewriter():
    found = articles([KORDA, KORDA_SHORT])
    assert Session(found, people=False).choose(1).replacements == ()


def test_a_name_takes_the_place_of_its_kind_and_back():
    found = articles([BOARD, THE_BOARD])
    assert Session(found).choose(1).text == "The Maritime Safety Board blamed the valve."
    session = Session(found)
    session.choose(1)
    assert session.choose(0).text == "The board met on Friday."


def test_capitals_follow_the_place_in_the_sentence():
    asked = (
        "Vond:PROPN:2:subject:person asked:VERB:0:root the:DET:4:determiner board:NOUN:2:object "
        "_.:PUNCT:2:punctuation"
    )
    made = Session(articles([BOARD, asked])).choose(1)
    assert made.text == "Vond asked the Maritime Safety Board."


def test_room_is_kept():
    found = articles([SHORT], [LONG])
    before = count_words(found.sentences[0].text)
    for room in range(before, before + 8):
        made = Session(found).choose(0, room)
        assert count_words(made.text) <= room
    assert not Session(found).choose(0, before).replacements
    assert Session(found).choose(0, before + 7).replacements


def test_raw_is_the_algorithm_as_printed():
    found = articles([SHORT], [LONG])
    made = Session(found, guarded=False).choose(0)
    assert made.text.startswith("The arrest in London of former dictator Augusto Pinochet caused")
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
    assert "The arrest in London" in Session(found, guarded=False).choose(0).text
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
    "London:PROPN:3:object",
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
    made = Session(articles([REJECTED[case]], [LONG])).choose(0)
    assert made.replacements == ()
    assert made.text == articles([REJECTED[case]]).sentences[0].text


def test_words_that_point_stay_where_they_are():
    pointing = LONG.replace("former:ADJ", "yesterday:ADJ")
    assert Session(articles([SHORT], [pointing])).choose(0).replacements == ()


def test_numbers_stay_in_their_own_article():
    killing = (
        "The:DET:2:determiner blast:NOUN:7:subject that:PRON:4:subject "
        "killed:VERB:2:relative_clause seven:NUM:6:modifier workers:NOUN:4:object "
        "woke:VERB:0:root Ardel:PROPN:7:object:place _.:PUNCT:7:punctuation"
    )
    blast = "The:DET:2:determiner blast:NOUN:3:subject stopped:VERB:0:root trains:NOUN:3:object"
    assert Session(articles([blast], [killing])).choose(0).replacements == ()
    made = Session(articles([killing, blast])).choose(1)
    assert made.text == "The blast that killed seven workers stopped trains"


def test_what_was_introduced_with_an_article_is_known_from_then_on():
    a_report = (
        "A:DET:4:determiner long:ADJ:4:modifier angry:ADJ:4:modifier report:NOUN:5:subject "
        "appeared:VERB:0:root _.:PUNCT:5:punctuation"
    )
    the_report = (
        "The:DET:2:determiner report:NOUN:3:subject blamed:VERB:0:root trains:NOUN:3:object "
        "_.:PUNCT:3:punctuation"
    )
    made = Session(articles([a_report, the_report])).choose(1)
    assert made.text == "The long angry report blamed trains."


def test_a_former_director_does_not_become_one():
    former = (
        "Former:ADJ:3:modifier Director:PROPN:3:title Ilse:PROPN:5:subject:person "
        "Korda:PROPN:3:name:person testified:VERB:0:root _.:PUNCT:5:punctuation"
    )
    now = former.replace("Former:ADJ:3:modifier ", "").replace(":3:", ":2:").replace(":5:", ":4:")
    session = Session(articles([now], [former]))
    assert session.choose(0).text == "Director Ilse Korda testified."
    assert session.choose(1).text == "Former Director Ilse Korda testified."
    named = KORDA_SHORT.replace("resigned", "left")
    # Whether she still is one by then cannot be told.
    assert Session(articles([now], [former], [named])).choose(2).text == "Korda left."


def test_names_keep_their_article():
    bare = THE_BOARD.replace("The:DET:2:determiner board", "Maritime:PROPN:2:modifier Board")
    found = articles([BOARD], [bare])
    session = Session(found, composition="average")
    session.choose(0)
    assert session.choose(1).replacements == ()
    assert Session(found).choose(0).replacements == ()


def test_a_list_is_not_taken_for_an_apposition():
    added = KORDA.replace("the:DET:5:determiner auditor", "not:PART:5:modifier auditor")
    session = Session(articles([added], [KORDA_SHORT]), composition="average")
    assert session.choose(0).replacements == ()


def test_a_long_sentence_is_left_alone():
    long = " ".join(["The:DET:2:determiner arrest:NOUN:3:subject failed:VERB:0:root"] * 167)
    made = Session(articles([long], [LONG])).choose(0)
    assert made.replacements == ()


def test_other_articles_than_those_summarized_are_refused():
    source = SimpleNamespace(texts=["Rain fell."], homes=(0,), documents=())
    with pytest.raises(InputError, match="other sentences"):
        NounPhraseRewriter(articles([SHORT])).begin(source, lambda text: [], lambda a, b: True)


def test_bad_options_are_refused():
    with pytest.raises(InputError, match="'mean'"):
        NounPhraseRewriter(articles([SHORT]), "mean")
    with pytest.raises(InputError, match="'nouns'"):
        NounPhraseRewriter(articles([SHORT]), coref="nouns")
