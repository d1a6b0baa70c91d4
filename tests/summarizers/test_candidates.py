"""Which sentences may be chosen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError
from pyramidion.summarizers.sentences import CandidateRules, word_counts
from pyramidion.text import count_words

GOOD = "Heavy rain fell on Ardel today."


@given(st.lists(st.text(alphabet=" \t\n\r\f\v\x1c\x85\xa0abé　😀.\ud800")))
def test_words_are_counted_as_everywhere(texts):
    assert word_counts(texts).tolist() == [count_words(text) for text in texts]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Four words are few.", "1 sentence under 5 words"),
        ("Who knew that the rain fell?", "1 question"),
        ('Who asked, "Did the rain fall?"', "1 question"),
        ("为什么 昨天 在 阿德尔 下雨 了？", "1 question"),
        ("Γιατί έβρεξε χθες στο Άρδελ;", "1 question"),
        ("Γιατί έβρεξε χθες στο Άρδελ\u037e", "1 question"),
        ("« Pourquoi a-t-il plu hier ?\u00a0»", "1 question"),
        ('"We have never seen such rain."', "1 bare quotation"),
        ("“We have never seen such rain.”", "1 bare quotation"),
        ("``We have never seen such rain.''", "1 bare quotation"),
        ('"We have never seen such rain". ', "1 bare quotation"),
        ('"We have never seen such rain, he said.', "1 bare quotation"),
        ('And we have never seen it."', "1 bare quotation"),
        ("“We have never seen such rain here.", "1 bare quotation"),
        ("« Nous n'avons jamais vu cela, dit-il.", "1 bare quotation"),
        ("Et nous n'avons jamais vu cela. »", "1 bare quotation"),
        ("„Es hat die ganze Nacht geregnet.“", "1 bare quotation"),
        ("„Es hat die ganze Nacht geregnet, sagte sie.", "1 bare quotation"),
        ("``We have never seen such rain, he said.", "1 bare quotation"),
    ],
)
def test_what_reads_badly_is_left_out(sentence, reason):
    kept, left_out = CandidateRules().apply([sentence, GOOD])
    assert kept.tolist() == [False, True]
    assert left_out == (reason,)


@pytest.mark.parametrize(
    "sentence",
    [
        "Five words are just enough.",
        '"We have never seen such rain," she said.',
        'She asked "why" and nobody knew.',
        'The 7" screen is bright and large.',
        "„Es hat geregnet“ sagte sie dann.",
        '„Es hat die ganze Nacht geregnet", sagte sie.',
        "She asked whether (why?) it rained.",
        "« Il a plu toute la nuit », dit-elle.",
        "»Es hat die ganze Nacht geregnet«, sagte sie.",
        "It closed roads, bridges and schools;",
    ],
)
def test_what_reads_well_stays(sentence):
    assert CandidateRules().apply([sentence, GOOD])[0].tolist() == [True, True]


def test_repeats_are_left_out_but_for_the_first():
    kept, left_out = CandidateRules().apply([GOOD, GOOD + " It was bad.", GOOD, GOOD])
    assert kept.tolist() == [True, True, False, False]
    assert left_out == ("2 repeated sentences",)
    assert CandidateRules(repeats=True).apply([GOOD, GOOD])[0].all()


def test_a_rule_that_would_leave_nothing_is_not_applied():
    kept, left_out = CandidateRules().apply(["Who?", "Why did it rain today?"])
    assert kept.tolist() == [False, True]
    assert left_out == ("1 sentence under 5 words",)


def test_rules_can_be_switched_off():
    rules = CandidateRules(least_words=0, questions=True, quotations=True)
    assert rules.apply(["Who?", '"No."', GOOD])[0].all()


def test_fewer_than_no_words_are_refused():
    with pytest.raises(InputError, match="least_words is -1; use 0 or more"):
        CandidateRules(least_words=-1)


def test_headlines_in_capitals_are_left_out_unless_all_is_in_capitals():
    kept, left_out = CandidateRules().apply([GOOD, "SPACEWALK CUT SHORT AFTER A LEAK"])
    assert kept.tolist() == [True, False]
    assert left_out == ("1 headline",)
    capitals = [GOOD.upper(), "SPACEWALK CUT SHORT AFTER A LEAK"]
    assert CandidateRules().apply(capitals)[0].all()
    assert CandidateRules(headlines=True).apply([GOOD, capitals[1]])[0].all()
