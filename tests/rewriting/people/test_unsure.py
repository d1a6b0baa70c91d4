"""Whose name it is: relatives, second last names, accents, styles, things with people's names."""

import pytest

from pyramidion.rewriting import PeopleRewriter
from rewriting.people.parsed import PARSERS, articles_of, people_in, sentences_of

pytestmark = pytest.mark.parametrize("parser", PARSERS)


def rewritten(texts, places, parser, **options):
    articles = articles_of(texts, parser)
    done = PeopleRewriter(articles, **options).rewrite(sentences_of(articles, *places))
    return [sentence.text for sentence in done]


def last(texts, parser, document="d1"):
    """Return the last sentence of a document, as all its sentences are rewritten."""
    places = [(document, number) for number in range(len(texts[document]))]
    return rewritten(texts, places, parser)[-1]


SECOND = {
    "d1": ["Mayor Elena Prieto Salas was shot on Monday.", "Prieto was 47."],
    "d2": ["Mayor Elena Prieto was known for a march.", "Prieto won in 2018."],
    "d3": ["His daughter Rosa Prieto, a teacher, wept.", "Prieto was shot."],
}


def test_a_second_last_name_makes_nobody_else(parser):
    people = people_in(SECOND, parser)
    assert set(people) - {"Prieto"} == {"Elena Prieto Salas", "Rosa Prieto"}
    places = [("d1", 0), ("d2", 0)]
    assert rewritten(SECOND, places, parser)[1] == SECOND["d2"][0]


def test_a_relative_is_never_the_subject_of_a_story(parser):
    assert rewritten(SECOND, [("d3", 1)], parser) == ["Prieto was shot."]


def test_a_name_of_three_words_is_not_cut_unless_documents_do(parser):
    texts = {"d1": ["Pilot Rui Tavares Lobo spoke.", "The union thanked Rui Tavares Lobo."]}
    assert last(texts, parser) == texts["d1"][1]


@pytest.mark.parametrize("name", ["João Vale", "Viktor Orbel", "Søren Lund"])
def test_accents_make_nobody_else(parser, name):
    plain = {"João Vale": "Joao Vale", "Viktor Orbel": "Viktor Orbél", "Søren Lund": "Soren Lund"}
    texts = {"d1": [f"Prime Minister {name} spoke."], "d2": [f"{plain[name]} left on Monday."]}
    assert len(people_in(texts, parser)) == 1


STYLES = [
    ["Charles Ashe was made a peer in 2004.", "Lord Ashe said no."],
    ["Judge Brian Ashe came late.", "Mr Justice Ashe said no."],
    ["Brian Ashe came late.", "Baroness Ashe said no."],
]


@pytest.mark.parametrize("sentences", STYLES, ids=[sentences[1] for sentences in STYLES])
def test_styles_are_left_alone(parser, sentences):
    texts = {"d1": sentences}
    assert rewritten(texts, [("d1", 1)], parser) == sentences[1:]
    assert last(texts, parser) == sentences[1]


FIRST_NAMES = [
    (["Sir Hugh Marsh came.", "Sir Hugh said no."], "Sir Hugh said no."),
    (["Dame Alice Orr came.", "Dame Alice said no."], "Dame Alice said no."),
    (["Sr Agnes Quill came.", "Sr Agnes said no."], "Sr Agnes said no."),
    (["Pilot Pieter van den Hof came.", "On Monday van den Hof said no."],
     "On Monday pilot Pieter van den Hof said no."),
    (["Gen. Omar al-Bakri came.", "Bakri said no."], "Bakri said no."),
    (["Designer Ama Okoro came.", "Designer Okoro said no."], "Designer Ama Okoro said no."),
    (["Leader of Opposition Rosa Vale came.", "The crowd cheered Vale."],
     "The crowd cheered Leader of Opposition Rosa Vale."),
    (["Transport minister Asha Rao came.", "Transport minister Ms Rao said no."],
     "Transport minister Asha Rao said no."),
    (['Roy "Duke" Ellman, a drummer, came.', "Duke Ellman said no."],
     "Duke Ellman said no."),
    (["A jury convicted former Treasurer Tom Vale of theft.", "Vale said no."],
     "Former Treasurer Tom Vale said no."),
    (["United Nations envoy Rosa Vale came.", "Vale said no."],
     "Rosa Vale said no."),
    (["CEO Rosa Vale came.", "The board thanked Vale."], "The board thanked CEO Rosa Vale."),
]  # fmt: skip


@pytest.mark.parametrize(("sentences", "text"), FIRST_NAMES, ids=[text for _, text in FIRST_NAMES])
def test_first_mentions(parser, sentences, text):
    assert rewritten({"d1": sentences}, [("d1", 1)], parser) == [text]


LATER = [
    (["Rosa Vale came.", "The board ousted co-founder and CEO Rosa Vale."],
     "The board ousted co-founder and CEO Rosa Vale."),
    (["Rosa Vale came.", "The firm Baker Vale & Stone is not hers.", "Fans met Rosa Vale."],
     "Fans met Rosa Vale."),
    (["Rosa Vale came.", "Vale, a former partner at Halden Reed, slept."],
     "Vale, a former partner at Halden Reed, slept."),
    (["Governor Rosa Vale came.", "Vale, the governor, slept."], "Vale slept."),
    (["Born Rosa Vale in Tamsin, she came late.", "Born Rosa Vale in Tamsin, she came late."],
     "Born Rosa Vale in Tamsin, she came late."),
    (["Gen. Omar Vale met the king.", "Gen. Vale and Gen. Orr were allies."],
     "Gen. Vale and Gen. Orr were allies."),
    (["Skater Anna Morova came.", "Ilya Morov came.",
      "Morova's grandfather, Ilya Morov, slept."],
     "Morova's grandfather, Ilya Morov, slept."),
    (["Judge Thomas Vale came.", "His brother, Roy Vale, came.", "Roy Vale slept."],
     "Roy Vale slept."),
    (["Rosa Vale came.", "Labour MP and former judge Rosa Vale slept."],
     "Labour MP and former judge Rosa Vale slept."),
    (["Gen. Rosa Vale came.", "Lt-Gen (rtd) Rosa Vale slept."], "Lt-Gen (rtd) Rosa Vale slept."),
    (["A jury convicted former Treasurer Tom Vale of theft."] * 2,
     "A jury convicted former Treasurer Tom Vale of theft."),
]  # fmt: skip


@pytest.mark.parametrize(("sentences", "text"), LATER, ids=[text for _, text in LATER])
def test_later_mentions(parser, sentences, text):
    assert last({"d1": sentences}, parser) == text


def test_an_apposition_is_not_cut_in_its_clause(parser):
    texts = {
        "d1": [
            "Roy Ellman, the drummer whose dry, quick style was copied, came.",
            "Critics said Ellman had changed.",
        ]
    }
    assert rewritten(texts, [("d1", 1)], parser) == ["Critics said Roy Ellman had changed."]


def test_what_a_clause_says_is_not_said_before_the_name(parser):
    texts = {"d1": ["Producer Rosa Vale came.", "Vale, who produced the film, left."]}
    assert rewritten(texts, [("d1", 1)], parser) == ["Rosa Vale, who produced the film, left."]


def test_a_list_takes_titles_only(parser):
    texts = {"d1": ["Russian skater Anna Morova came.", "She coached Morova and Rosa Vale."]}
    assert rewritten(texts, [("d1", 1)], parser) == ["She coached Anna Morova and Rosa Vale."]


def test_a_description_has_no_capital_inside_a_sentence(parser):
    texts = {
        "d1": [
            "Station commander Rosa Vale came.",
            "The station was dark.",
            "They left the Space Station.",
            "The crew thanked Vale.",
        ]
    }
    assert rewritten(texts, [("d1", 3)], parser) == ["The crew thanked Rosa Vale."]


TWO = [
    ["Actor Jordan Lund, 30, left on Monday.", "Sen. Jordan Lund, 71, spoke on Monday."],
    ["Actor Jordan Lund left on Monday.", "Sen. Jordan Lund spoke on Monday."],
    ["Nurse Jordan Lund came.", "Judge Jordan Lund, no relation, spoke."],
]


@pytest.mark.parametrize("sentences", TWO, ids=[sentences[1] for sentences in TWO])
def test_two_people_of_one_name_are_left_and_said(parser, sentences):
    articles = articles_of({"d1": sentences}, parser)
    done = PeopleRewriter(articles).summary(list(articles))
    assert [sentence.text for sentence in done.sentences] == sentences
    assert done.notes == ("two people may be called Jordan Lund: left unchanged (2)",)


def test_a_year_more_is_the_same_person(parser):
    texts = {"d1": ["Jordan Lund, 30, left on Monday."], "d2": ["Jordan Lund, 31, left on Monday."]}
    assert people_in(texts, parser)["Jordan Lund"].unsure == ""


def test_somebody_else_of_that_name_is_said(parser):
    texts = {"d1": ["Mary Clark met Tom Clark.", "Tom Clark left.", "Clark spoke."]}
    articles = articles_of(texts, parser)
    done = PeopleRewriter(articles).summary(sentences_of(articles, ("d1", 2)))
    assert done.notes == ("Clark may be Mary Clark or Tom Clark: left unchanged",)


@pytest.mark.parametrize("text", ["Harlow, the company, has ten towers.", "Harlow has ten towers."])
def test_a_company_is_not_its_founder(parser, text):
    if parser == "light" and "company" not in text:
        pytest.skip("the light parser takes the company for a person")
    texts = {
        "d1": ["The company Peel Harlow lost.", "Its founder, Gerald Harlow, died in 2011."],
        "d2": ["Tenants sued Peel Harlow.", text],
    }
    assert rewritten(texts, [("d2", 1)], parser) == [text]


ROLES = [
    ("Rep. Kost left.", "Rep. Kost left."),
    ("Board president Kost left.", "Board president Kost left."),
    ("Kost left.", "Kost left."),
]


@pytest.mark.parametrize(("text", "after"), ROLES, ids=[text for text, _ in ROLES])
def test_namesakes_are_left_alone(parser, text, after):
    texts = {"d1": ["Board president Dale Kost spoke.", "Rep. Mike Kost came.", text]}
    assert rewritten(texts, [("d1", 2)], parser) == [after]


def test_a_company_is_nobody(parser):
    texts = {"d1": ["Headset maker Lumora on Monday ousted its boss.", "Lumora said so."]}
    assert "Lumora" not in people_in(texts, parser)
