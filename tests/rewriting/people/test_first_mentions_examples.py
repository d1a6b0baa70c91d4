"""Small examples of `pyramidion.rewriting._people.first_mentions`, worked by hand."""

from pyramidion.rewriting._articles import Articles, ParsedSentence
from pyramidion.rewriting._people.chains import people_in
from pyramidion.rewriting._people.first_mentions import (
    Candidate,
    Change,
    FirstMentions,
    ReadSoFar,
    alike_in_pairs,
    apposition_of,
    appositions,
    first_name_form,
    is_explained,
    premodifier_of,
    premodifiers,
    role_words,
)
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._people.summary_people import PeopleRegister


def test_candidate():
    assert Candidate("Sen.", Mention(ParsedSentence("", ()), 0, 0, "last")).length == 1


def test_role_words():
    assert sorted(role_words("former Gov. of the states")) == ["former", "governor", "state"]


def test_premodifier_of():
    mention = people_in("Rail union leader Rosa Vale left.", "light")[0].mentions[0]
    assert premodifier_of(mention, PeopleRegister(Articles(()), [])).text == "rail union leader"


def test_apposition_of():
    mention = people_in("Rosa Vale, 54, a nurse from Tamsin, left.", "light")[0].mentions[0]
    assert apposition_of(mention, PeopleRegister(Articles(()), [])).text == "a nurse from Tamsin"


def test_premodifiers():
    assert premodifiers(Person("Ann Orr", "Orr", ()), PeopleRegister(Articles(()), []), "d1") == []


def test_appositions():
    assert appositions(Person("Ann Orr", "Orr", ()), PeopleRegister(Articles(()), []), "d1") == []


def test_first_name_form():
    person = people_in("Gov. Ann Orr left.", "light")[0]
    assert (
        first_name_form(person, PeopleRegister(Articles(()), []), person.mentions[0]).text
        == "Ann Orr"
    )


def test_read_so_far():
    assert ReadSoFar((), 0, 0).word == 0


def test_change():
    assert Change(0, 5, "Rubin", "later mention").after == "Rubin"


def test_first_mentions():
    assert FirstMentions(PeopleRegister(Articles(()), [])).describe is None


def test_is_explained():
    assert is_explained(people_in("Rosa Vale, a nurse, left.", "light")[0].mentions[0])


def test_alike_in_pairs():
    assert alike_in_pairs([], []) == []
