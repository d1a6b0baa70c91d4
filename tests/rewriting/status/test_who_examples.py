"""Small examples of `pyramidion.rewriting._status.who`, worked by hand."""

from pyramidion.rewriting._people.chains import people_in
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._status.who import (
    Statement,
    a_or_an,
    is_dead,
    named_in,
    spelled_premodifier,
    with_article,
)
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord


def test_a_or_an():
    assert [
        a_or_an(word) for word in ("astronomer", "U.S. senator", "unionist", "FBI agent", "heir")
    ] == ["an", "a", "a", "an", "an"]


def test_with_article():
    assert (
        with_article("Italian prime minister", "minister", of_something=True)
        == "the Italian prime minister"
    )
    assert with_article("senator", "senator", of_something=False) == "a senator"


def test_spelled_premodifier():
    words = (
        ParsedWord("Gov.", "gov.", "PROPN", 1, "title", 0),
        ParsedWord("Ode", "Ode", "PROPN", 1, "root", 5),
    )
    assert spelled_premodifier(
        Mention(ParsedSentence("Gov. Ode", words), 1, 1, "last", titles=1)
    ) == ("a governor", "governor")


def test_statement():
    assert (
        repr(Statement("an astronomer", "astronomer", "copula", "d1", 3).content)
        == "frozenset({'astronomer'})"
    )


def test_is_dead():
    people = people_in("Ada Holm died on Monday. Tom Vale said so.", "light")
    assert [is_dead(person) for person in people] == [True, False]


def test_named_in():
    names = [("Ada Ode", "Ode"), ("Tom Ode", "Ode"), ("Al Lee", "Lee")]
    people = [Person(name, last, ()) for name, last in names]
    assert [person.name for person in named_in(people, ["Tom Ode met Lee, but Ode left."])] == [
        "Tom Ode",
        "Al Lee",
    ]
