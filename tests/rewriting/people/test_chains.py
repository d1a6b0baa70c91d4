"""People across documents: chains, namesakes, pronouns and what is said about them."""

import pytest

from pyramidion.rewriting import find_people
from rewriting.people.parsed import PARSERS, articles_of, people_in

pytestmark = pytest.mark.parametrize("parser", PARSERS)


def test_a_chain_across_documents(parser):
    texts = {
        "d1": ["Sen. Mary Lockwood won.", "Lockwood said she was glad."],
        "d2": ["Mary J. Lockwood leads the party.", "Sen. Lockwood spoke."],
    }
    people = people_in(texts, parser)
    lockwood = people["Mary Lockwood"] if "Mary Lockwood" in people else people["Mary J. Lockwood"]
    assert len(people) == 1
    assert [mention.form for mention in lockwood.mentions] == ["full", "last", "full", "last"]
    assert lockwood.documents == ("d1", "d2")
    assert [mention.name for mention in lockwood.initial()] == ["Mary Lockwood", "Mary J. Lockwood"]


def test_namesakes_are_kept_apart(parser):
    texts = {
        "d1": ["Sen. Mary Clark met Gov. Tom Clark.", "Clark said it went well."],
        "d2": ["Mary Clark spoke.", "Clark was loud."],
    }
    people = people_in(texts, parser)
    assert set(people) == {"Mary Clark", "Tom Clark", "Clark"}
    assert people["Clark"].unsure == "Clark may be Mary Clark or Tom Clark"
    assert len(people["Mary Clark"].in_document("d2")) == 2


def test_a_name_that_nobody_bears_for_certain_is_said_to_be_unsure(parser):
    texts = {
        "d1": ["Mary Clark spoke."],
        "d2": ["Tom Clark spoke."],
        "d3": ["Clark resigned on Monday."],
    }
    people = people_in(texts, parser)
    assert people["Clark"].unsure == "Clark may be Mary Clark or Tom Clark"
    assert people["Mary Clark"].unsure == ""


def test_father_and_son(parser):
    people = people_in({"d1": ["Warrick Boyle Sr. met Warrick Boyle Jr. at home."]}, parser)
    assert set(people) == {"Warrick Boyle Sr.", "Warrick Boyle Jr."}


def test_two_first_names_share_a_last_name(parser):
    people = people_in({"d1": ["Police arrested Josef and Adrian Kell on Monday."]}, parser)
    assert {"Josef Kell", "Adrian Kell"} <= set(people)


def test_a_first_name_joins_only_if_it_is_the_only_one(parser):
    texts = {
        "d1": ["Anna Holm met Peter Marsh.", "Anna smiled at him."],
        "d2": ["Anna Holm met Anna Vey.", "Anna smiled."],
    }
    people = people_in(texts, parser)
    assert [mention.form for mention in people["Anna Holm"].mentions] == [
        "full",
        "nickname",
        "full",
    ]


def test_a_last_name_of_several_words(parser):
    texts = ["Gabriel García Márquez wrote it.", "García Márquez said so.", "García Márquez left."]
    people = people_in({"d1": texts}, parser)
    assert people["Gabriel García Márquez"].last_name == "García Márquez"


def test_pronouns_agree(parser):
    texts = ["Sen. Mary Lockwood met Gov. Tom Boyle.", "She said he was late."]
    people = people_in({"d1": texts}, parser)
    pronouns = {
        name: [
            description.text for description in person.descriptions if description.kind == "pronoun"
        ]
        for name, person in people.items()
    }
    assert pronouns == {"Mary Lockwood": ["She"], "Tom Boyle": ["he"]}


def test_pronouns_do_not_reach_into_another_document(parser):
    texts = {"d1": ["Sen. Mary Lockwood won."], "d2": ["She said nothing."]}
    assert people_in(texts, parser)["Mary Lockwood"].descriptions == ()


def test_no_people(parser):
    assert find_people(articles_of({"d1": ["Rain fell on the roads."]}, parser)) == []


def test_a_short_first_name_says_more_than_an_initial(parser):
    texts = ["Sen. E. Reed spoke.", "Sen. Ed Reed left.", "Voters said Ed was glad."]
    [reed] = people_in({"d1": texts}, parser).values()
    assert [mention.form for mention in reed.mentions] == ["full", "full", "nickname"]
