"""Labels from human summaries (section 5.2.3) and from GUM."""

import pytest

from pyramidion.errors import InputError
from pyramidion.rewriting import Articles, Status, short_form
from pyramidion.studies._status import noun_rates
from pyramidion.studies._status_training import (
    Labels,
    examples_of,
    gum_labels,
    summary_labels,
)
from pyramidion.text.parsing import load_parser
from rewriting.status.people import mention, person, sentence


def first(text, name, **fields):
    return mention(sentence(text, bodies=fields.pop("bodies", ())), name, **fields)


@pytest.mark.parametrize(
    ("first_mention", "expected"),
    [
        (first("President Bush spoke", "Bush", titles=1), True),
        (first("Michael Jackson sang", "Michael Jackson"), True),
        (first("President Michael Jackson sang", "Michael Jackson", titles=1), False),
        (first("the Michael Jackson sang", "Michael Jackson", opening=1), False),
        (first("Soviet President Gorbachev", "Gorbachev", titles=1, external=1), False),
        (
            first("Iraq's President Hussein", "Hussein", titles=1, opening=2, bodies=["Iraq"]),
            False,
        ),
        (first("Gorbachev spoke", "Gorbachev"), False),
        (
            first(
                "Michael Jackson, a singer, sang",
                "Michael Jackson",
                post="apposition",
                after="a singer",
            ),
            False,
        ),
        (
            first(
                "President Bush, who spoke, left",
                "Bush",
                titles=1,
                post="relative clause",
                after="who spoke",
            ),
            False,
        ),
    ],
)
def test_forms_that_take_somebody_for_known(first_mention, expected):
    assert short_form(first_mention) is expected


def named_in(*texts):
    """Somebody whom summaries A, B, ... name first in these ways; no text for one that does not."""
    mentions = []
    for id, text in zip("ABCD", texts, strict=False):
        if text:
            parsed = sentence(text, id)
            name = "Ada Ode" if "Ada" in text else "Ode"
            mentions.append(mention(parsed, name, titles="Sen." in text, external="envoy" in text))
    return person("Ada Ode", mentions)


@pytest.mark.parametrize(
    ("texts", "major", "old"),
    [
        (("", "", "", ""), False, None),
        (("Sen. Ode spoke", "", "", ""), True, True),
        (("Sen. Ode spoke", "envoy Ada Ode", "", ""), True, False),  # one of two are not most
        (("Sen. Ode spoke", "Ada Ode", "envoy Ada Ode", ""), True, True),
        (("envoy Ada Ode", "", "envoy Ada Ode", "Ada Ode"), True, False),
    ],
)
def test_most_writers(texts, major, old):
    labels = summary_labels(named_in(*texts), list("ABCD"))
    assert (labels.major, labels.hearer_old) == (major, old)
    assert labels.summaries == 4
    assert labels.named == sum(map(bool, texts))


def test_a_name_that_is_not_a_head_names_but_has_no_form():
    no_head = mention(sentence("the Ode administration fell", "A"), "Ode", head=False, opening=1)
    later = mention(sentence("Sen. Ode left", "A", 1), "Ode", titles=1)
    assert summary_labels(person("Ada Ode", [no_head]), ["A"]) == Labels(1, named=1)
    assert summary_labels(person("Ada Ode", [no_head, later]), ["A"]).old_forms == 1


def test_described_after_the_name():
    parsed = sentence("Ada Ode, an envoy, spoke", "A")
    ode = person("Ada Ode", [mention(parsed, "Ada Ode", post="apposition", after="an envoy")])
    assert summary_labels(ode, ["A", "B"]).postmodified is True
    assert summary_labels(named_in("Ada Ode"), ["A", "B"]).postmodified is False
    assert summary_labels(person("Ada Ode"), ["A", "B"]).postmodified is None


@pytest.mark.parametrize(
    ("salience", "status", "named", "old"),
    [
        ("sssss", "new", 5, False),
        ("nnnnn", "acc:com", 0, True),
        ("snnns", "acc:inf", 2, None),
        ("n____", "giv:act", 0, None),
    ],
)
def test_gum(salience, status, named, old):
    labels = gum_labels(salience, status)
    assert (labels.named, labels.hearer_old) == (named, old)
    assert labels.major is (named > 0)
    assert labels.summaries == 5


@pytest.mark.parametrize("salience", ["", "yes"])
def test_no_salience(salience):
    with pytest.raises(InputError, match="not a salience"):
        gum_labels(salience, "new")


def test_people_called_by_a_noun_only():
    """Section 5.2.5: the envoy is one person, either judge could be meant, Orr is named."""
    documents = {
        "d1": "Envoy Ada Ode left on Monday. Judge Carl Orr spoke. Mayor Ben Fry waved.",
        "d2": "Judge Eva Lund left on Tuesday.",
    }
    written = {
        "A": "The envoy left. A judge spoke. The mayor's car burned.",
        "B": "Ada Ode left. The mayor waved.",
        "C": "Envoy talks failed. Mayor Ben Fry waved.",
    }
    parser = load_parser("light")
    texts = Articles.of_texts(documents, parser), Articles.of_texts(written, parser)
    examples = examples_of(*texts, topic="T1")
    counts = {
        example.person.name: (example.labels.named, example.labels.called) for example in examples
    }
    assert counts == {"Ada Ode": (1, 1), "Carl Orr": (0, 0), "Eva Lund": (0, 0), "Ben Fry": (1, 2)}
    minor = [
        Status(major=example.person.name == "Ada Ode", hearer_old=False) for example in examples
    ]
    rates = [(rate.number, rate.of) for rate in noun_rates(examples, minor)]
    assert rates == [(2, 4), (2, 2), (1, 2), (0, 0)]
