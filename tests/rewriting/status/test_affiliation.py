"""Salience lists, rules 1 and 2, and the thesis's own examples of section 5.2.7."""

import pytest

from pyramidion.errors import InputError
from pyramidion.rewriting import Status, bodies_in
from pyramidion.studies import affiliations_of, include_affiliation, postmodify, salience_list
from rewriting.status.people import mention, person, sentence

OLD = Status(major=True, hearer_old=True)
NEW = Status(major=True, hearer_old=False)


def keys(parsed):
    return [body.key for body in bodies_in(parsed)]


# Names


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Italian", "italy"),
        ("Italy's", "italy"),
        ("the Netherlands", "netherlands"),
        ("Dutch", "netherlands"),
        ("U.S.", "united states"),
        ("American", "united states"),
        ("Indian", "india"),
        ("British", "united kingdom"),
        ("Burmese", "myanmar"),
        ("Indiana", "indiana"),
        ("Narrows Line Inc.", "narrows line"),
        ("the Clear Skies Party", "clear skies party"),
        ("the Board", "board"),
    ],
)
def test_one_key_for_all_names(name, key):
    pytest.importorskip("countryinfo")
    assert keys(sentence(f"Envoys met {name} officials", bodies=[name])) == [key]


def test_bodies_of_a_sentence():
    pytest.importorskip("countryinfo")
    parsed = sentence(
        "Iraqi envoys met U.S. and New Zealand officials of Narrows Line",
        bodies=["Narrows Line"],
    )
    assert keys(parsed) == ["iraq", "united states", "new zealand", "narrows line"]


def test_people_and_common_words_are_no_countries():
    parsed = sentence("Chad Jordan told us of turkey and china", persons=["Chad Jordan"])
    assert keys(parsed) == []


def test_an_organization_that_begins_with_its_kind():
    assert keys(sentence("Ode left the University of Ardel")) == ["university of ardel"]
    assert keys(sentence("Ode left the Ardel Reform Party")) == ["ardel reform party"]


def test_a_headline_in_capitals():
    assert keys(sentence("LEAVE US ALONE")) == []


def test_names_that_the_parser_marks():
    corvane = sentence("Soviet envoys of Corvane met", bodies=["Corvane"])
    assert keys(corvane) == ["soviet union", "corvane"]


# Salience


def test_the_salience_list():
    """Recent sentences first, and the left before the right within one."""
    texts = [
        sentence("Iraq and Kuwait met", index=0, bodies=["Iraq", "Kuwait"]),
        sentence("Brazil told Iraq and Chile", index=1, bodies=["Brazil", "Iraq", "Chile"]),
        sentence("Peru said Cuba", index=2, bodies=["Peru", "Cuba"]),
    ]
    before_cuba = salience_list(texts, sentence=2, word=2)
    assert before_cuba == ("peru", "brazil", "iraq", "chile", "kuwait")
    assert salience_list(texts, sentence=1, word=0) == ("iraq", "kuwait")
    assert salience_list(texts, sentence=0, word=0) == ()


# Rules


@pytest.mark.parametrize(
    ("status", "salience", "expected"),
    [
        # never, status, salience, rule 1, rule 2
        (NEW, (), "0 1 1 1 1"),
        (NEW, ("brazil",), "0 1 0 0 0"),
        (NEW, ("chile", "brazil"), "0 1 1 1 1"),
        (OLD, (), "0 0 1 0 0"),
        (OLD, ("brazil",), "0 0 0 0 0"),
        (OLD, ("chile",), "0 0 1 0 1"),
        (OLD, ("chile", "brazil"), "0 0 1 0 1"),
    ],
)
def test_the_rules(status, salience, expected):
    decisions = [
        include_affiliation(person("Ada Ode"), salience, status, rule, affiliations=["brazil"])
        for rule in ("never", "status", "salience", 1, 2)
    ]
    assert " ".join(str(int(decision)) for decision in decisions) == expected


def cardoso():
    """Section 5.2.7: the Brazilian president, new to the reader."""
    parsed = sentence("Brazilian President Fernando Cardoso spoke", bodies=["Brazilian"])
    return person("Fernando Cardoso", [mention(parsed, "Fernando Cardoso", titles=1, external=1)])


def test_the_thesis_examples():
    pytest.importorskip("countryinfo")
    brazil = [sentence("Brazil's economic woes dominated as President Cardoso spoke")]
    salience = salience_list(brazil, sentence=0, word=6)
    assert salience == ("brazil",)
    for rule in (1, 2):
        assert include_affiliation(cardoso(), (), NEW, rule)
        assert not include_affiliation(cardoso(), salience, NEW, rule)
    fleet = [sentence("A United States group moved into the Arabian Sea"), sentence("Hussein")]
    elsewhere = salience_list(fleet, sentence=1, word=0)
    assert elsewhere == ("united states",)
    assert not include_affiliation(cardoso(), elsewhere, OLD, 1)
    assert include_affiliation(cardoso(), elsewhere, OLD, 2)


def test_nobody_gets_an_affiliation_that_the_input_does_not_tell():
    ode = person("Ada Ode", [mention(sentence("President Ode spoke"), "Ode", titles=1)])
    assert affiliations_of(ode) == ()
    assert not any(
        include_affiliation(ode, (), NEW, rule) for rule in ("never", "status", "salience", 1, 2)
    )


def test_an_unknown_rule():
    with pytest.raises(InputError, match="no rule 3"):
        include_affiliation(cardoso(), (), NEW, 3)


def test_affiliations_before_and_after_the_name():
    parsed = sentence(
        "Soviet envoy Ada Ode, head of Corvane, met Narrows Line",
        bodies=["Corvane", "Narrows Line"],
    )
    first = mention(parsed, "Ada Ode", external=2, post="apposition", after="head of Corvane")
    assert affiliations_of(person("Ada Ode", [first])) == ("soviet union",)
    possessor = sentence("Corvane 's chief Ada Ode spoke", bodies=["Corvane"])
    second = mention(possessor, "Ada Ode", external=1, opening=2)
    assert affiliations_of(person("Ada Ode", [second])) == ("corvane",)
    both = person("Ada Ode", [first, second, second])
    assert affiliations_of(both) == ("corvane", "soviet union")


def test_a_relative_clause_tells_no_affiliation():
    parsed = sentence("Ada Ode, who sued Corvane, spoke", bodies=["Corvane"])
    named = mention(parsed, "Ada Ode", post="relative clause", after="who sued Corvane")
    assert affiliations_of(person("Ada Ode", [named])) == ()


# Postmodification


def described(titles=""):
    text = f"{titles}Ada Ode, an astronomer, spoke"
    parsed = sentence(text)
    return person(
        "Ada Ode",
        [
            mention(
                parsed,
                "Ada Ode",
                titles=len(titles.split()),
                post="apposition",
                after="an astronomer",
            )
        ],
    )


def test_people_who_are_known_are_never_postmodified():
    assert not postmodify(described(), OLD)
    assert postmodify(described(), NEW)


def test_a_frequent_title_says_enough():
    assert not postmodify(described("President "), NEW)
    assert postmodify(described("Flutist "), NEW)


def test_what_only_a_later_mention_has():
    first = sentence("Ada Ode spoke", index=0)
    later = sentence("Ode, an astronomer, left", index=1)
    ode = person(
        "Ada Ode",
        [
            mention(first, "Ada Ode"),
            mention(later, "Ode", post="apposition", after="an astronomer"),
        ],
    )
    assert not postmodify(ode, NEW)
