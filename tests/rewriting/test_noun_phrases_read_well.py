"""What a reader would stumble over is left alone: one case for each fault that was found."""

import pytest

from rewriting.test_noun_phrases import Session
from rewriting.trees import articles

OFFICE = (
    "Water:PROPN:3:title Minister:PROPN:3:title Rauf:PROPN:9:subject:person "
    "Delmar:PROPN:3:name:person _,:PUNCT:7:punctuation who:PRON:7:subject "
    "dithered:VERB:3:relative_clause _,:PUNCT:7:punctuation resigned:VERB:0:root "
    "_.:PUNCT:9:punctuation"
)
FARMER = (
    "Ilse:PROPN:7:subject:person Korda:PROPN:1:name:person _,:PUNCT:5:punctuation "
    "a:DET:5:determiner farmer:NOUN:1:apposition _,:PUNCT:5:punctuation wept:VERB:0:root "
    "_.:PUNCT:7:punctuation"
)
AGED = (
    "Ilse:PROPN:6:subject:person Korda:PROPN:1:name:person _,:PUNCT:4:punctuation "
    "46:NUM:1:apposition _,:PUNCT:4:punctuation wept:VERB:0:root _.:PUNCT:6:punctuation"
)
KORDA = "Korda:PROPN:2:subject:person left:VERB:0:root _.:PUNCT:2:punctuation"
ILSE = (
    "Ilse:PROPN:3:subject:person Korda:PROPN:1:name:person slept:VERB:0:root _.:PUNCT:3:punctuation"
)
JUDGE = (
    "Judge:PROPN:2:title Ilse:PROPN:4:subject:person Korda:PROPN:2:name:person "
    "spoke:VERB:0:root _.:PUNCT:4:punctuation"
)


def chosen(found, *numbers, **options):
    """Choose sentences one by one, and give the last as it was rewritten."""
    session = Session(found, **options)
    return [session.choose(number) for number in numbers][-1].text


def average(found, *numbers):
    return chosen(found, *numbers, composition="average")


def test_average_drops_a_clause_where_the_office_tells_who_it_is():
    assert average(articles([OFFICE]), 0) == "Water Minister Rauf Delmar resigned."
    assert chosen(articles([OFFICE]), 0) == articles([OFFICE]).sentences[0].text


def test_average_keeps_a_description_until_the_reader_knows_it():
    found = articles([FARMER.replace("wept", "sang")], [FARMER], [ILSE])
    assert average(found, 1) == "Ilse Korda, a farmer, wept."
    assert average(found, 0, 1) == "Ilse Korda wept."
    # Who was only named before is described now.
    assert average(found, 2, 1) == "Ilse Korda, a farmer, wept."


def test_average_drops_ages():
    found = articles([AGED])
    assert average(found, 0) == "Ilse Korda wept."
    assert chosen(found, 0) == "Ilse Korda, 46, wept."


def test_a_name_that_occurs_only_there_is_not_dropped():
    named = OFFICE.replace("dithered:VERB", "left:VERB").replace(
        "_,:PUNCT:7:punctuation resigned:VERB:0:root _.:PUNCT:9",
        "Vond:PROPN:7:object:person _,:PUNCT:7:punctuation resigned:VERB:0:root _.:PUNCT:10",
    )
    named = named.replace("PROPN:9:subject", "PROPN:10:subject")
    found = articles([named])
    assert average(found, 0) == found.sentences[0].text


def test_a_title_before_a_full_name_stays():
    praised = (
        "Judge:NOUN:2:subject praised:VERB:0:root Ilse:PROPN:2:object:person "
        "Korda:PROPN:3:name:person _.:PUNCT:2:punctuation"
    )
    assert chosen(articles([praised, JUDGE]), 0, 1) == "Judge Ilse Korda spoke."
    again = articles([JUDGE, JUDGE.replace("spoke", "rose")], [KORDA])
    assert average(again, 0, 1) == "Korda rose."


def test_what_was_said_of_somebody_else_is_not_dropped_at_first_mention():
    other = JUDGE.replace("Ilse", "Adam").replace("Korda", "Vond")
    short = JUDGE.replace("Ilse:PROPN:4", "Korda:PROPN:3").replace("Korda:PROPN:2:name:person ", "")
    found = articles([other, short.replace(":4:", ":3:"), KORDA])
    assert chosen(found, 0, 1) == "Judge Korda spoke."


def test_a_first_name_that_was_not_read_is_not_dropped():
    found = articles([KORDA, ILSE])
    session = Session(found, composition="average")
    session.said |= {"ils"}
    assert session.choose(0).text == "Korda left."
    assert session.choose(1).text == "Ilse Korda slept."


def test_a_middle_name_alone_is_no_news():
    longer = ILSE.replace(
        "Korda:PROPN:1:name:person slept:VERB:0",
        "Maude:PROPN:1:name:person Korda:PROPN:1:name:person spoke:VERB:0",
    ).replace(":3:", ":4:")
    found = articles([ILSE], [longer])
    assert chosen(found, 0) == "Ilse Korda slept."


def test_a_courtesy_title_is_no_news():
    found = articles([KORDA, "Ms.:PROPN:2:title " + KORDA.replace(":2:", ":3:")])
    assert chosen(found, 0) == "Korda left."


def test_what_is_cut_out_of_a_longer_title_is_not_taken():
    leader = (
        "The:DET:2:determiner leader:NOUN:6:subject of:ADP:5:case Commons:PROPN:5:modifier "
        "Korda:PROPN:2:modifier:person spoke:VERB:0:root _.:PUNCT:6:punctuation"
    )
    assert chosen(articles([KORDA, leader]), 0) == "Korda left."


def test_several_people_share_a_plural_title():
    both = (
        "Auditors:PROPN:2:title Ilse:PROPN:7:subject:person Korda:PROPN:2:name:person "
        "and:CCONJ:5:coordinator Adam:PROPN:2:conjunct:person Vond:PROPN:5:name:person "
        "spoke:VERB:0:root _.:PUNCT:7:punctuation"
    )
    assert "Auditors" not in chosen(articles([KORDA, both]), 0)


@pytest.mark.parametrize(
    ("role", "said"),
    [
        ("Analyst:NOUN", "analyst Ilse Korda"),
        ("Seismologist:PROPN", "seismologist Ilse Korda"),
        ("Senator:PROPN", "Senator Ilse Korda"),
    ],
)
def test_roles_are_small_within_a_sentence_and_titles_are_not(role, said):
    opens = f"{role}:2:title " + ILSE.replace(":3:", ":4:").replace(":1:", ":2:")
    speaks = "Later:ADV:3:modifier " + KORDA.replace(":2:", ":3:")
    assert chosen(articles([opens, speaks]), 1) == f"Later {said} left."


def test_nothing_ends_before_a_hyphen():
    eater = (
        "Vond:PROPN:2:subject:person saw:VERB:0:root the:DET:4:determiner bone:NOUN:2:object "
        "of:ADP:10:case a:DET:10:determiner worm:NOUN:9:modifier _-:PUNCT:7:punctuation "
        "_eating:VERB:10:modifier bird:NOUN:4:modifier there:ADV:2:modifier "
        "_.:PUNCT:2:punctuation"
    )
    bone = "The:DET:2:determiner bone:NOUN:3:subject sank:VERB:0:root _.:PUNCT:3:punctuation"
    assert chosen(articles([eater, bone]), 1) == "The bone sank."


def test_the_lower_dale_is_not_the_dale():
    lower = (
        "The:DET:3:determiner lower:ADJ:3:modifier dale:NOUN:4:subject flooded:VERB:0:root "
        "_.:PUNCT:4:punctuation"
    )
    dale = lower.replace("lower:ADJ:3:modifier ", "").replace(":4:", ":3:").replace(":3:d", ":2:d")
    found = articles([lower, dale.replace("flooded", "dried")])
    assert chosen(found, 0, 1) == "The dale dried."
    assert chosen(found, 1, 0) == "The lower dale flooded."


def test_what_the_verb_needs_is_not_dropped():
    cleared = (
        "Judges:NOUN:2:subject cleared:VERB:0:root Ilse:PROPN:2:object:person "
        "Korda:PROPN:3:name:person of:ADP:6:case fraud:NOUN:3:modifier _.:PUNCT:2:punctuation"
    )
    denied = ILSE.replace("slept:VERB:0:root", "denied:VERB:0:root fraud:NOUN:3:object")
    found = articles([denied, cleared, KORDA])
    assert average(found, 0, 1) == "Judges cleared Ilse Korda of fraud."


def test_half_of_two_titles_is_not_replaced():
    both = (
        "Vond:PROPN:2:subject:person met:VERB:0:root author:NOUN:2:object "
        "and:CCONJ:5:coordinator Judge:PROPN:6:title Ilse:PROPN:2:object:person "
        "Korda:PROPN:6:name:person _.:PUNCT:2:punctuation"
    )
    found = articles([JUDGE, both], [KORDA])
    assert average(found, 0, 1) == "Vond met author and Judge Ilse Korda."


def test_an_apposition_keeps_its_commas():
    father = (
        "Her:PRON:2:modifier father:NOUN:10:subject _,:PUNCT:4:punctuation "
        "Ilse:PROPN:10:subject:person Korda:PROPN:4:name:person _,:PUNCT:8:punctuation "
        "who:PRON:8:subject farmed:VERB:4:relative_clause _,:PUNCT:8:punctuation "
        "wept:VERB:0:root _.:PUNCT:10:punctuation"
    )
    found = articles([FARMER, father, KORDA])
    assert average(found, 0, 1) == "Her father, Ilse Korda, who farmed, wept."


def test_the_comma_before_a_participle_stays():
    drawing = (
        "said:VERB:0:root Ilse:PROPN:1:subject:person Korda:PROPN:2:name:person "
        "_,:PUNCT:6:punctuation a:DET:6:determiner farmer:NOUN:2:apposition "
        "_,:PUNCT:6:punctuation drawing:VERB:1:clause laughter:NOUN:8:object "
        "_.:PUNCT:1:punctuation"
    )
    found = articles([FARMER, drawing, ILSE])
    assert average(found, 0, 1) == "said Ilse Korda, drawing laughter."


def test_a_former_office_does_not_become_a_present_one():
    left = (
        "Ilse:PROPN:8:subject:person Korda:PROPN:1:name:person _,:PUNCT:6:punctuation "
        "the:DET:6:determiner former:ADJ:6:modifier director:NOUN:1:apposition "
        "_,:PUNCT:6:punctuation left:VERB:0:root _.:PUNCT:8:punctuation"
    )
    now = JUDGE.replace("Judge", "Director")
    assert average(articles([left], [now]), 0) == "Ilse Korda, the former director, left."


def test_whose_office_it_is_stays():
    chief = (
        "Ilse:PROPN:7:subject:person Korda:PROPN:1:name:person _,:PUNCT:5:punctuation "
        "Tessaly:PROPN:5:modifier director:NOUN:1:apposition _,:PUNCT:5:punctuation "
        "left:VERB:0:root _.:PUNCT:7:punctuation"
    )
    director = JUDGE.replace("Judge:PROPN", "Bank:NOUN:3:modifier director:NOUN").replace(
        ":2:", ":3:"
    )
    director = director.replace(":4:", ":5:")
    found = articles([chief], [director])
    session = Session(found, composition="average")
    session.said |= {"tessali"}
    assert session.choose(0).text == "Ilse Korda, Tessaly director, left."


def test_a_name_does_not_take_the_place_of_what_it_names_unexplained():
    ferry = "The:DET:2:determiner ferry:NOUN:3:subject sank:VERB:0:root _.:PUNCT:3:punctuation"
    star = (
        "The:DET:3:determiner ferry:NOUN:3:modifier Maren:PROPN:5:subject Star:PROPN:3:name "
        "left:VERB:0:root _.:PUNCT:5:punctuation"
    )
    bare = star.replace("ferry:NOUN:3:modifier ", "").replace(":5:", ":4:").replace(":3:", ":2:")
    session = Session(articles([star, bare.replace("left", "came"), ferry]), composition="average")
    session.said |= {"ferri"}
    assert session.choose(2).text == "The ferry Maren Star sank."


def test_an_adverb_before_a_name_is_not_lost_with_its_description():
    again = (
        "Then:ADV:2:modifier Ilse:PROPN:8:subject:person Korda:PROPN:2:name:person "
        "_,:PUNCT:6:punctuation a:DET:6:determiner farmer:NOUN:2:apposition "
        "_,:PUNCT:6:punctuation rose:VERB:0:root _.:PUNCT:8:punctuation"
    )
    found = articles([FARMER, again, ILSE])
    assert average(found, 0, 1).startswith("Then ")
