"""The lists of words are found under their names."""

import pytest

from pyramidion.rewriting._word_lists import contrary, is_vague, measures, names_people, nouns_of


@pytest.mark.parametrize(
    ("table", "key", "word"),
    [
        ("vague", "times", "march"),
        ("vague", "", "percent"),
        ("organizations", "", "agency"),
        ("verbs", "with_of", "accuse"),
        ("distinguishing", "", "lower"),
        ("pointing", "", "yesterday"),
        ("names", "endings", "inc"),
        ("names", "kinds", "lake"),
        ("qualifying", "", "former"),
        ("ranks", "", "col"),
    ],
)
def test_lists(table, key, word):
    assert word in nouns_of(table, key)
    assert "ferry" not in nouns_of(table, key)


def test_one_list_is_part_of_its_table():
    assert nouns_of("vague", "times") < nouns_of("vague")


def test_modifiers_that_exclude_each_other():
    assert any({"first", "second"} <= group for group in contrary())


@pytest.mark.parametrize(
    ("judge", "yes", "no"),
    [
        (is_vague, ["percent", "march"], ["ferry"]),
        (names_people, ["governor", "crowd"], ["ferry"]),
        (measures, ["about $6.5 million", "twelve", "5%"], ["the Maren Star"]),
    ],
)
def test_judgments(judge, yes, no):
    assert all(map(judge, yes))
    assert not any(map(judge, no))
