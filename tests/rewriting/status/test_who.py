"""Who is X: sentences put together from what the input says."""

import pytest

from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._people.chains import people_in
from pyramidion.rewriting._people.mention import Person
from pyramidion.rewriting._people.table import PeopleTable
from pyramidion.rewriting._status.who import (
    a_or_an,
    named_in,
    who_is,
    who_is_who,
    with_article,
)
from pyramidion.text.parsing import load_parser

NAME = "Linnea Castellan"


def told(*documents):
    """Return who she is by documents of one sentence each."""
    texts = {str(number): text for number, text in enumerate(documents)}
    table = PeopleTable(Articles.of_texts(texts, load_parser("light")))
    (own,) = (one for one in table.people if one.name == NAME)
    found = who_is(own, quotations=table.quotations)
    return found and found.text.removeprefix(f"{NAME} is ").removesuffix(".")


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("Sen.", "a senator"),
        ("Judge", "a judge"),
        ("Soviet Prime Minister", "the Soviet prime minister"),
        ("U.S. Sen.", "a U.S. senator"),
        ("Astronomer", "an astronomer"),
        ("Health Minister", "the health minister"),
        ("Tessaly Bank Chairman", "the Tessaly Bank chairman"),
    ],
)
def test_words_before_the_name(before, said):
    assert told(f"{before} {NAME} said so on Monday.") == said


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("a teacher from Tamsin", "a teacher from Tamsin"),
        ("the mayor of Tamsin", "the mayor of Tamsin"),
        ("58", None),
        ("his lawyer", None),
        ("the winner on Monday", None),
        ("the man here", None),
        ("the city's mayor", None),
        ("a traitor", None),
        ("a reputed gangster", None),
        ("an accused killer", None),
        ("a teacher of this school", None),
        ("a teacher who said no", None),
    ],
)
def test_what_follows_the_name(after, said):
    assert told(f"{NAME}, {after}, said so.") == said


@pytest.mark.parametrize(
    "text",
    [
        f"Mr. {NAME} said so.",
        f"Mayor {NAME} said so.",
        f"Former President {NAME} said so.",
        f"Alleged spy {NAME} said so.",
        f"Convicted banker {NAME} said so.",
        f"Self-proclaimed general {NAME} said so.",
        f'"Sen. {NAME} is here," he said.',
        f"``Sen. {NAME} is here,'' he said.",
        f"If Sen. {NAME} won, all would be lost.",
        f"The guests were Tom Orr, Sen. {NAME} and Ann Vale.",
        f"Sen. {NAME} And Her Friends Leave The Old Capital",
        f"{NAME} said so.",
        f"Study co-author {NAME} said so.",
        f"U.S. Sen. {NAME} won. Then {NAME}, a former senator, said so.",
    ],
)
def test_what_is_not_said(text):
    assert told(text, f"{NAME} left.") is None


def test_what_most_documents_say():
    two = (f"Sen. {NAME} won.", f"U.S. Sen. {NAME} left.")
    assert told(f"Singer {NAME} said so.", *two) == "a U.S. senator"


def test_nothing_where_each_document_says_something_else():
    assert told(f"Singer {NAME} said so.", f"Sen. {NAME} left.") is None


DEATHS = [
    ("Sen. Ada Holm died on Monday.", "was"),
    ("Sen. Ada Holm, 54, was killed on Monday.", "was"),
    ("Gunmen killed Sen. Ada Holm on Monday.", "was"),
    ("Sen. Ada Holm spoke. The late Ada Holm was honored.", "was"),
    ("Sen. Ada Holm spoke. Holm's widow wept.", "was"),
    ("The death of Sen. Ada Holm was told on Monday.", "was"),
    ("The attempted murder of Sen. Ada Holm was told on Monday.", "is"),
    ("Sen. Ada Holm spoke. She died at home.", "was"),
    ("Sen. Ada Holm was wounded. Tom Vale died.", "is"),
    ("Sen. Ada Holm spoke of the dead.", "is"),
]


@pytest.mark.parametrize(("text", "verb"), DEATHS, ids=[text for text, _ in DEATHS])
def test_the_dead_are_spoken_of_in_the_past(text, verb):
    (own,) = (one for one in people_in(text, "light") if one.name == "Ada Holm")
    assert who_is(own).text == f"Ada Holm {verb} a senator."


def test_who_is_named_in_a_text():
    names = [("Ada Ode", "Ode"), ("Tom Ode", "Ode"), ("João Vale", "Vale"), ("Al Lee", "Lee")]
    people = [Person(name, last, ()) for name, last in names]

    def named(*sentences):
        return [one.name for one in named_in(people, sentences)]

    assert named("Ode left.", "Lee came, too.") == ["Al Lee"]
    assert named("Tom Ode left and Ode wept.") == ["Tom Ode"]
    assert named("Joao Vale left.") == named("Vale left.") == ["João Vale"]
    assert named("Leeds won.") == []


def test_doubt_says_nothing():
    texts = {
        "1": "Sen. Ada Holm won. Holm was glad.",
        "2": "Singer Tom Holm left. Sen. Al Vale left.",
    }
    table = PeopleTable(Articles.of_texts(texts, load_parser("light")))
    assert len(who_is_who(table.people)) > len(who_is_who(table.people, table)) == 0


def test_corroboration_is_enough():
    texts = {"1": "Sen. Ada Holm won. Holm was glad.", "2": "Tom Vale left."}
    table = PeopleTable(Articles.of_texts(texts, load_parser("light")))
    assert [own.text for own in who_is_who(table.people, table)] == ["Ada Holm is a senator."]


def test_articles():
    assert [a_or_an(word) for word in ("hour", "European", "MP", "UN envoy", "one-armed", "")] == [
        "an", "a", "an", "a", "a", "a",
    ]  # fmt: skip
    assert with_article("Treasury secretary", "secretary", of_something=True).startswith("the ")
    assert with_article("ex-president", "president", of_something=True).startswith("an ")
