"""Who is X: sentences put together from what the input says."""

import pytest

from pyramidion.rewriting import (
    Articles,
    RewriteOptions,
    SummaryRewriter,
    find_people,
    people_in,
    who_is,
)
from pyramidion.summarizers import Source
from pyramidion.text.parsing import load_parser
from pyramidion.text.quotations import Quotations

NAME = "Linnea Castellan"


def description(*documents):
    """Return who she is by documents of one sentence each."""
    texts = {str(number): text for number, text in enumerate(documents)}
    articles = Articles.of_texts(texts, load_parser("light"))
    [castellan] = (person for person in find_people(articles) if person.name == NAME)
    answer = who_is(castellan, quotations=Quotations(articles))
    return answer and answer.text.removeprefix(f"{NAME} is ").removesuffix(".")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("Sen.", "a senator"),
        ("Judge", "a judge"),
        ("Soviet Prime Minister", "the Soviet prime minister"),
        ("U.S. Sen.", "a U.S. senator"),
        ("Astronomer", "an astronomer"),
        ("Health Minister", "the health minister"),
        ("Tessaly Bank Chairman", "the Tessaly Bank chairman"),
        ("Ardel Gov.", "the Ardel governor"),
        ("UN envoy", "a UN envoy"),
        ("American singer", "an American singer"),
        ("European envoy", "a European envoy"),
        ("Asian envoy", "an Asian envoy"),
        ("Treasury Secretary", "the Treasury secretary"),
        ("UN Secretary General", "the UN secretary general"),
        ("UN Secretary-General", "the UN secretary-general"),
        ("U.S. Attorney General", "the U.S. attorney general"),
        ("Major General", "a major general"),
        ("U. S. Sen.", "a U. S. senator"),
        ("This time referee", None),
        ("Duke law professor", "a Duke law professor"),
        ("Crown spokesman", "the Crown spokesman"),
    ],
)
def test_words_before_the_name(before, expected):
    assert description(f"{before} {NAME} said so on Monday.") == expected


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("a teacher from Tamsin", "a teacher from Tamsin"),
        ("the mayor of Tamsin", "the mayor of Tamsin"),
        ("58", None),
        ("his lawyer", None),
        ("the winner on Monday", None),
        ("the man here", None),
        ("the city's mayor", None),
        ("a traitor", None),
        ("a reputed gangster", None),
        ("an accused killer", None),
        ("a teacher of this school", None),
        ("a teacher who said no", None),
    ],
)
def test_what_follows_the_name(after, expected):
    assert description(f"{NAME}, {after}, said so.") == expected


@pytest.mark.parametrize(
    "text",
    [
        f"Mr. {NAME} said so.",
        f"Mayor {NAME} said so.",
        f"Former President {NAME} said so.",
        f"Alleged spy {NAME} said so.",
        f"Convicted banker {NAME} said so.",
        f"Self-proclaimed general {NAME} said so.",
        f'"Sen. {NAME} is here," he said.',
        f"``Sen. {NAME} is here,'' he said.",
        f"If Sen. {NAME} won, all would be lost.",
        f"The guests were Tom Orr, Sen. {NAME} and Ann Vale.",
        f"Sen. {NAME} And Her Friends Leave The Old Capital",
        f"{NAME} said so.",
        f"Study co-author {NAME} said so.",
        f"They hired former lawyer {NAME}.",
        f"In 1955, Senator {NAME} said so.",
        f"Three years later, the crowd met Senator {NAME}.",
        f"Committee Chairman Sen. {NAME} said so.",
        f"Navy Chief Admiral {NAME} said so.",
        f"Earl {NAME} said so.",
        f"U.S. Sen. {NAME} won. Then {NAME}, a former senator, said so.",
    ],
)
def test_what_is_not_said(text):
    assert description(text, f"{NAME} left.") is None


def test_what_most_documents_say():
    two = (f"Sen. {NAME} won.", f"U.S. Sen. {NAME} left.")
    assert description(f"Singer {NAME} said so.", *two) == "a U.S. senator"


def test_nothing_where_each_document_says_something_else():
    assert description(f"Singer {NAME} said so.", f"Sen. {NAME} left.") is None


def test_nothing_where_documents_name_different_things():
    assert description(f"Ardel Sen. {NAME} won.", f"Tessaly Sen. {NAME} won.") is None
    assert description(f"Ardel Sen. {NAME} won.", f"Sen. {NAME} won.") == "an Ardel senator"
    ranks = f"Commander {NAME} said so.", f"Commodore {NAME} said so.", f"Commodore {NAME} won."
    assert description(*ranks) is None


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ("Bank Chairman {} resigned on Monday.", "a former bank chairman"),
        ("Ardel Chairman {} spoke.|{} has stepped down as chairman.", "a former Ardel chairman"),
        ("Ardel Chairman {} spoke.|{} has stepped down.", None),
        ("Ardel Chairman {} spoke.|{} will resign as chairman.", "the Ardel chairman"),
    ],
)
def test_an_office_that_was_left(texts, expected):
    assert description(*texts.replace("{}", NAME).split("|")) == expected


DEATHS = [
    ("Sen. Ada Holm died on Monday.", "was"),
    ("Sen. Ada Holm, 54, was killed on Monday.", "was"),
    ("Gunmen killed Sen. Ada Holm on Monday.", "was"),
    ("Sen. Ada Holm spoke. The late Ada Holm was honored.", "was"),
    ("Sen. Ada Holm spoke. Holm's widow wept.", "was"),
    ("The death of Sen. Ada Holm was told on Monday.", "was"),
    ("The attempted murder of Sen. Ada Holm was told on Monday.", "is"),
    ("Sen. Ada Holm spoke. She died at home.", "is"),
    ("Sen. Ada Holm spoke. Tom Vale wept. He died at home.", "is"),
    ("Sen. Ada Holm was wounded. Tom Vale died.", "is"),
    ("Sen. Ada Holm spoke of the dead.", "is"),
    ("Sen. Ada Holm spoke. The husband of Ada Holm died.", "is"),
]


@pytest.mark.parametrize(("text", "verb"), DEATHS, ids=[text for text, _ in DEATHS])
def test_the_dead_are_spoken_of_in_the_past(text, verb):
    (holm,) = (person for person in people_in(text, "light") if person.name == "Ada Holm")
    assert who_is(holm).text == f"Ada Holm {verb} a senator."


def names_in(summary, *documents):
    """Return the people of a summary whom it can be said of who they are."""
    options = RewriteOptions(("people",), pipeline="light")
    return [
        answer.name for answer in SummaryRewriter(Source.of_texts(documents), options).who(summary)
    ]


DOCUMENTS = (
    "Sen. Ada Ode won on Monday. Ode was glad.",
    "Astronomer João Vale left on Monday. Vale was glad.",
    "Singer Carl Reed came on Monday. Reed was glad.",
)


@pytest.mark.parametrize(
    ("summary", "names"),
    [
        ("Ode left. Reed came, too.", ["Ada Ode", "Carl Reed"]),
        ("Ada Ode left and wept.", ["Ada Ode"]),
        ("Joao Vale left.", ["João Vale"]),
        ("Vale left.", ["João Vale"]),
        ("Reeder won.", []),
    ],
)
def test_who_is_named_in_a_summary(summary, names):
    assert names_in(summary, *DOCUMENTS) == names


def test_doubt_says_nothing():
    shared = ("Sen. Ada Holm won. Holm was glad.", "Singer Tom Holm left. Sen. Al Vale left.")
    assert names_in("Ada Holm met Tom Holm and Al Vale.", *shared) == []


def test_corroboration_is_enough():
    texts = ("Sen. Ada Holm won. Holm was glad.", "Tom Vale left.")
    assert names_in("Ada Holm met Tom Vale.", *texts) == ["Ada Holm"]
