"""Small examples of `pyramidion.rewriting._noun_phrases.coreference`, worked by hand."""

from pyramidion.rewriting._noun_phrases.coreference import (
    BareDefinites,
    Coreference,
    Groups,
    aliases,
    corefer,
    is_acronym,
    names_a_person,
)


def test_is_acronym():
    assert is_acronym("ECB", ["European", "Central", "Bank"])
    assert (is_acronym("U.N", ["United", "Nations"]), is_acronym("Bank", ["European", "Bank"])) == (
        True,
        False,
    )


def test_aliases():
    assert aliases([]) == []


def test_names_a_person():
    assert not (names_a_person([]))


def test_groups():
    groups = Groups(3)
    groups.join([2, 1])
    assert [groups.root(one) for one in range(3)] == [0, 1, 1]


def test_bare_definites():
    assert BareDefinites((), Groups(0), ()).kinds == {}


def test_coreference():
    assert Coreference((), ()).members == {}


def test_corefer():
    assert corefer([]).classes == ()
