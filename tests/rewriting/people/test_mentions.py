"""Mentions found and typed, after the examples of Figure 5.2 of the thesis."""

import pytest

from rewriting.people.parsed import PARSERS, only_mention, people_in

pytestmark = pytest.mark.parametrize("parser", PARSERS)

# name, form, middle, titles, external, post, head, possessive
TYPED = [
    (
        "Anders Holm, a former rail official who now prints a newsletter, spoke on Monday.",
        ("Anders Holm", "full", False, 0, 0, "apposition", True, False),
    ),
    (
        "Chief Petty Officer Luis Ortega of the Ardel Coast Guard led the search.",
        ("Luis Ortega", "full", False, 3, 0, "prepositional", True, False),
    ),
    (
        "Dutch speed skater Yvonne van Holten won twice.",
        ("Yvonne van Holten", "full", True, 0, 3, "none", True, False),
    ),
    (
        "Soviet pianist Vladimir Orlov, who arrived in August, played on Friday.",
        ("Vladimir Orlov", "full", False, 0, 2, "relative clause", True, False),
    ),
    (
        "On Monday the 21-year-old pianist Vladimir Orlov played.",
        ("Vladimir Orlov", "full", False, 0, 6, "none", True, False),
    ),
    (
        "Sen. Olga Reith, R-Maine, opposed the plan.",
        ("Olga Reith", "full", False, 1, 0, "apposition", True, False),
    ),
    *(
        (f"They met Olga Reith, {after}", ("Olga Reith", "full", False, 0, 0, post, True, False))
        for after, post in (
            ("D-Calif., and left.", "apposition"),
            ("R-Maine", "apposition"),
            ("R-", "none"),
        )
    ),
    (
        "Police said Viktor Orlov, 41, was arrested.",
        ("Viktor Orlov", "full", False, 0, 0, "apposition", True, False),
    ),
    (
        "Former Treasury Secretary Robert Vale told senators about it.",
        ("Robert Vale", "full", False, 1, 2, "none", True, False),
    ),
    (
        "Secretary of State Colin Marsh arrived on Sunday.",
        ("Colin Marsh", "full", False, 3, 0, "none", True, False),
    ),
    (
        "She told the police Viktor Orlov was at home.",
        ("Viktor Orlov", "full", False, 0, 0, "none", True, False),
    ),
    (
        "Dr. Susan K. Wong warned that the vaccine might not help.",
        ("Susan K. Wong", "full", True, 1, 0, "none", True, False),
    ),
    (
        "Mr. Boyle lost the vote.",
        ("Boyle", "last", False, 1, 0, "none", True, False),
    ),
    (
        "Gov. Adela Prow's lawyer declined to comment.",
        ("Adela Prow", "full", False, 1, 0, "none", True, True),
    ),
    (
        "The inquiry cleared Maria Prow of corruption.",
        ("Maria Prow", "full", False, 0, 0, "none", True, False),
    ),
]


@pytest.mark.parametrize(("sentence", "typed"), TYPED, ids=[sentence[:30] for sentence, _ in TYPED])
def test_typed_mentions(parser, sentence, typed):
    mention = only_mention(sentence, parser)
    parts = (
        mention.name,
        mention.form,
        mention.middle,
        mention.titles,
        mention.external,
        mention.post,
        mention.head,
    )
    assert (*parts, mention.possessive) == typed


def test_names_that_are_not_heads(parser):
    texts = ["Gov. Warrick Boyle spoke.", "The Boyle campaign and the Boyle administration failed."]
    mentions = people_in({"d1": texts}, parser)["Warrick Boyle"].mentions
    assert [mention.head for mention in mentions] == [True, False, False]


@pytest.mark.parametrize(
    "other",
    [
        "It stands on Castellan Street.",
        "The Castellan Foundation paid.",
        "Castellan & Pike Inc. paid.",
        "Lake Castellan is dry.",
        "The Castellan-Oyelaran comet is bright.",
        "An anti-Castellan crowd marched.",
        "The Castellan Prize went to nobody.",
    ],
)
def test_things_named_after_people_are_no_mentions(parser, other):
    people = people_in({"d1": ["Dr. Linnea Castellan won.", other]}, parser)
    assert [len(person.mentions) for person in people.values()] == [1]


def test_an_apposition_is_not_a_new_clause(parser):
    sentence = "After meeting Sen. Olga Reith, the governor left the hall."
    assert only_mention(sentence, parser).post == "none"


def test_stacked_appositions_are_one(parser):
    sentence = "Radek Tolm, 41, a former mining engineer, did not resist."
    assert only_mention(sentence, parser).postmodifier == "41, a former mining engineer"


def test_an_age_after_an_apposition_belongs_to_it(parser):
    sentence = "Radek Tolm, a former mining engineer, 41, did not resist."
    assert only_mention(sentence, parser).postmodifier == "a former mining engineer, 41"


def test_a_determiner_opens_but_does_not_describe(parser):
    mention = only_mention("The Rev. Agatha Holloway had 9 percent.", parser)
    assert (mention.opening, mention.titles, mention.external, mention.premodifier) == (
        1,
        1,
        0,
        "Rev.",
    )


def test_capitals_give_nobody(parser):
    assert people_in({"d1": ["GOV. LINNEA CASTELLAN RESIGNED ON TUESDAY."]}, parser) == {}


def test_a_ship_is_nobody(parser):
    texts = [
        "The Maren Star burned in the Ardel Strait.",
        "The Maren Star was towed to Gull Point.",
    ]
    assert people_in({"d1": texts}, parser) == {}
