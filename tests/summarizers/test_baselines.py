"""Baselines."""

import pytest

from pyramidion.summarizers import Limit, Source, parse_summarizer
from summarizers.inputs import ANY, documents, source_of

DATED = documents(
    ("2031-04-13", "Middle one. Middle two."),
    ("2031-04-14", "Last one. Last two."),
    ("2031-04-12", "First one. First two. First three."),
)


def texts(name, words, given=DATED):
    source = Source.of_documents(given, rules=ANY)
    choice = parse_summarizer(name).choose(source, Limit(words))
    return [source.texts[number] for number in choice.numbers]


def test_the_latest_article_leads_and_the_one_before_goes_on():
    assert texts("lead", 6) == ["Last one.", "Last two.", "Middle one."]


def test_first_sentences_in_turn():
    assert texts("first", 8) == ["First one.", "Middle one.", "Last one.", "First two."]


def test_without_dates_the_order_given_decides():
    undated = documents(("", "A one. A two."), ("", "B one."))
    assert texts("lead", 4, undated) == ["B one.", "A one."]
    assert texts("first", 6, undated) == ["A one.", "B one.", "A two."]


def test_chance_is_repeatable_and_fair():
    source = source_of("One. Two. Three. Four.")
    firsts = {
        parse_summarizer(f"random(seed={seed})").choose(source, Limit(1)).numbers
        for seed in range(40)
    }
    assert firsts == {(0,), (1,), (2,), (3,)}
    again = [parse_summarizer("random(seed=3)").choose(source, Limit(4)) for _ in range(2)]
    assert again[0] == again[1]


@pytest.mark.parametrize("name", ["lead", "first", "random"])
def test_scores_fall_from_one(name):
    source = Source.of_documents(DATED, rules=ANY)
    scores = parse_summarizer(name).choose(source, Limit(100)).scores
    assert scores[0] == 1
    assert list(scores) == sorted(scores, reverse=True)
    assert len(scores) == len(source)


def test_the_lead_ends_before_the_first_sentence_that_does_not_fit():
    text = "Rain fell on Ardel. Roads in the hills of Ardel were closed for a week. Goats left it."
    source = Source.of_texts([text], rules=ANY)
    assert parse_summarizer("lead").summarize(source, Limit(10)).text == "Rain fell on Ardel."
