"""Names taken apart, and told apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.rewriting import find_people, word_list
from pyramidion.rewriting._people.names import could_be_same_person, gender_of, read_name
from pyramidion.rewriting._word_lists import _file
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord


@pytest.mark.parametrize(
    ("text", "first", "middle", "last", "suffix"),
    [
        ("Linnea Castellan", "Linnea", "", "Castellan", ""),
        ("Linnea Maude Castellan", "Linnea", "Maude", "Castellan", ""),
        ("Andrei D. Sakharov", "Andrei", "D.", "Sakharov", ""),
        ("J. R. R. Tolkien", "J.", "R. R.", "Tolkien", ""),
        ("Warrick Boyle Jr.", "Warrick", "", "Boyle", "Jr."),
        ("Warrick Boyle, Jr.", "Warrick", "", "Boyle", "Jr."),
        ("Yvonne van Gennip", "Yvonne", "", "van Gennip", ""),
        ("Rosa de la Cruz", "Rosa", "", "de la Cruz", ""),
        ("Kevin De Bruyne", "Kevin", "", "De Bruyne", ""),
        ("Gregory Van Der Wiel", "Gregory", "", "Van Der Wiel", ""),
        ("Van Morrison", "Van", "", "Morrison", ""),
        ("Jean-Claude Baptiste", "Jean-Claude", "", "Baptiste", ""),
        ("Castellan", "", "", "Castellan", ""),
        ("van Gennip", "", "", "van Gennip", ""),
    ],
)
def test_parts_of_names(text, first, middle, last, suffix):
    name = read_name(text)
    assert (name.first, name.middle, name.last, name.suffix) == (first, middle, last, suffix)


@pytest.mark.parametrize("text", ["Kim Jong-un", "Park Sung-ho", "Xi Jinping", "Ho Chi Minh"])
def test_family_names_that_come_first_stay_there(text):
    name = read_name(text)
    assert name.family_first
    assert name.last == text.split()[0]


@pytest.mark.parametrize("text", ["Kim Davis", "Bruce Lee", "Jet Li", "Lee Iacocca"])
def test_family_names_that_come_last(text):
    assert read_name(text).last == text.split()[1]


def test_a_nickname_within():
    name = read_name('Earvin "Magic" Johnson')
    assert (name.first, name.nickname, name.last) == ("Earvin", "Magic", "Johnson")


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("Bill Clark", "William Clark", True),
        ("W. Clark", "William Clark", True),
        ("Linnea Castellan", "Linnea Maude Castellan", True),
        ("Linnea Castellan", "Jonas Castellan", False),
        ("John A. Clark", "John B. Clark", False),
        ("Warrick Boyle Jr.", "Warrick Boyle Sr.", False),
        ("Warrick Boyle Jr.", "Warrick Boyle", True),
        ("Maria Clark", "Marie Clark", False),
    ],
)
def test_who_may_be_one(name, other, same):
    assert could_be_same_person(read_name(name), read_name(other)) is same
    assert could_be_same_person(read_name(other), read_name(name)) is same


def test_gender_is_inferred_only_where_it_is_clear():
    assert gender_of("Mary") == "female"
    assert gender_of("John") == "male"
    assert gender_of("Robin") == gender_of("Xyzzy") == ""


@pytest.mark.parametrize("name", _file("people.toml"))
def test_lists_have_words(name):
    assert len(word_list(name)) > 5


@given(st.text(alphabet="ABab-. '\"(),", max_size=30))
def test_anything_is_read(text):
    name = read_name(text)
    assert isinstance(name.last, str)
    assert bool(name.first and name.last) is name.full


def test_half_of_a_name_marked_by_the_parser_is_enough():
    texts, entities = ("Zorvan", "Qeltik", "said", "so"), ("person", "", "", "")
    starts = (0, 7, 14, 19)
    words = tuple(
        ParsedWord(text, text, "PROPN" if text.istitle() else "X", 0, "dep", start, "", entity)
        for text, entity, start in zip(texts, entities, starts, strict=True)
    )
    [person] = find_people([ParsedSentence("Zorvan Qeltik said so", words)])
    assert person.name == "Zorvan Qeltik"
