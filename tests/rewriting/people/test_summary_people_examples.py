"""Small examples of `pyramidion.rewriting._people.summary_people`, worked by hand."""

from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._people.summary_people import PeopleRegister


def test_people_register():
    assert PeopleRegister(Articles(()), []).people == []
