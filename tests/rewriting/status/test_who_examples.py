"""Small examples of `pyramidion.rewriting._status.who`, worked by hand."""

from pyramidion.rewriting._articles import ParsedSentence
from pyramidion.rewriting._people.chains import people_in
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._status.who import (
    Statement,
    a_or_an,
    clauses_about,
    denied,
    is_dead,
    named_in,
    phrases_about,
    plural_verb,
    says_little,
    says_who,
    spelled_premodifier,
    stands_alone,
    unfinished,
    with_article,
)
from pyramidion.text._parsing import ParsedWord


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


def test_stands_alone():
    his = [
        ParsedWord("his", "his", "PRON", 1, "modifier"),
        ParsedWord("lawyer", "lawyer", "NOUN", 1, "root"),
    ]
    assert (stands_alone(his), stands_alone(his[1:])) == (False, True)


def test_says_who():
    assert (says_who("astronomer", ["an", "astronomer"]), says_who("career", ["a", "career"])) == (
        True,
        False,
    )
    assert (
        says_who("friend", ["a", "friend"]),
        says_who("friend", ["a", "friend", "of", "Ode"]),
    ) == (False, True)


def test_says_little():
    assert (
        says_little("mayor", ["former", "mayor"]),
        says_little("mayor", ["mayor", "tamsin"]),
    ) == (True, False)
    assert not (says_little("astronomer", ["astronomer"]))


def test_plural_verb():
    who = ParsedWord("who", "who", "PRON", 1, "subject")
    assert plural_verb([who, ParsedWord("leave", "leave", "VERB", 1, "root", 0, "VBP")])


def test_unfinished():
    assert unfinished(
        [ParsedWord("head", "head", "NOUN", 0, "root"), ParsedWord("of", "of", "ADP", 0, "case")]
    )


def test_denied():
    words = (
        ParsedWord("not", "not", "PART", 1, "modifier"),
        ParsedWord("nurse", "nurse", "NOUN", 1, "root"),
    )
    assert denied(ParsedSentence("not nurse", words), 1)


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


def test_phrases_about():
    assert phrases_about(Person("Ode", "Ode", ())) == []


def test_clauses_about():
    assert clauses_about(Person("Ode", "Ode", ())) == []


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
