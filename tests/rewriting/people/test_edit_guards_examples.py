"""Small examples of `pyramidion.rewriting._people.edit_guards`, worked by hand."""

from pyramidion.rewriting._articles import ParsedSentence
from pyramidion.rewriting._people.chains import people_in
from pyramidion.rewriting._people.edit_guards import (
    has_room_for_description,
    in_list,
    is_cut_off,
    is_predicate,
    is_sound,
    is_styled,
    may_be_changed,
    shares_title,
    unreadable,
)


def test_is_sound():
    assert (
        is_sound("Ann Orr, 54, won.", "Orr won."),
        is_sound("Ann Orr, 54, won.", "Orr,, won."),
    ) == (True, False)


def test_unreadable():
    assert (
        unreadable(ParsedSentence('He said "no.', ()))
        == "quotation marks or brackets do not balance"
    )


def test_may_be_changed():
    texts = ["Judge Rosa Vale left.", '"Judge Rosa Vale left," he said.']
    assert [may_be_changed(people_in(text, "light")[0].mentions[0]) for text in texts] == [
        True,
        False,
    ]


def test_is_styled():
    texts = ["Lord Ashe left.", "Sir Hugh Ashe left."]
    assert [is_styled(people_in(text, "light")[0].mentions[0]) for text in texts] == [True, False]


def test_is_cut_off():
    text = "Health and Welfare Secretary Rosa Vale left."
    assert is_cut_off(people_in(text, "light")[0].mentions[0])


def test_in_list():
    assert in_list(people_in("Judge Rosa Vale and others left.", "light")[0].mentions[0])


def test_shares_title():
    assert shares_title(people_in("Sens. Rosa Vale and Tom Orr left.", "light")[0].mentions[0])


def test_has_room_for_description():
    texts = ["Rosa Vale said no.", "Rosa Vale is a nurse."]
    assert [
        has_room_for_description(people_in(text, "light")[0].mentions[0]) for text in texts
    ] == [True, False]


def test_is_predicate():
    assert is_predicate(people_in("The winner is Rosa Vale.", "light")[0].mentions[0])
