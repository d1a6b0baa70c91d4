"""Small examples of `pyramidion.rewriting._people.rewrite`, worked by hand."""

from pyramidion.rewriting._articles import Articles, ParsedSentence
from pyramidion.rewriting._people.chains import people_in
from pyramidion.rewriting._people.first_mentions import Change
from pyramidion.rewriting._people.rewrite import (
    Progress,
    about_documents,
    growth_of,
    replacement_of,
    shared_last_names,
)
from pyramidion.rewriting._people.summary_people import Named, PeopleRegister


def test_progress():
    progress = Progress()
    progress.notes["left as it is"] += 2
    assert list(progress.remarks()) == ["left as it is (2)"]


def test_about_documents():
    assert list(about_documents(Articles(()), PeopleRegister(Articles(()), []))) == []


def test_growth_of():
    person = people_in("Rosa Vale left.", "light")[0]
    assert growth_of(Named(person.mentions[0], person), Change(0, 9, "Vale", "later mention")) == -1


def test_replacement_of():
    change = Change(0, 3, "Ann Orr", "first mention")
    own = replacement_of(ParsedSentence("Orr won.", ()), change)
    assert (own.before, own.after) == ("Orr", "Ann Orr")


def test_shared_last_names():
    assert repr(shared_last_names(PeopleRegister(Articles(()), []), [])) == "frozenset()"
