"""Small examples of the data model's helpers, worked by hand."""

import re
from dataclasses import dataclass
from typing import ClassVar

import pytest

from pyramidion.checks.structure import differing_units, pyramid_problems
from pyramidion.collection import Collection
from pyramidion.collection.checking import repeated_units
from pyramidion.collection.findings import address_name, find_repeated
from pyramidion.collection.ids import natural_order
from pyramidion.collection.pyramids import SCU, Pyramid, joined_references, unannotated_entries
from pyramidion.collection.summaries import default_role
from pyramidion.errors import NotFoundError, Where
from pyramidion.files.reading import Record, json_line
from pyramidion.questions import Parsable, Registry
from pyramidion.questions.options import format_option, option_name, split_name, split_names


def test_address_name():
    assert (address_name("A", "T1", "7"), address_name("", "T1")) == ("T1, task A, 7", "T1")


def test_repeated():
    assert [
        problem.subject
        for problem in find_repeated("duplicated topic", ["a", "b", "a"], "rename one")
    ] == ["a"]


def test_repeated_units():
    twice = Pyramid("Ice melts.", (SCU("1", "Ice"), SCU("1", "It melts")))
    assert [
        problem.subject for problem in repeated_units(Collection("", pyramids={("", "T"): twice}))
    ] == ["pyramid of T, SCU 1"]


def test_pyramid_problems():
    empty = Collection("mine", pyramids={("", "T1"): Pyramid("Ice melts.")})
    assert [(problem.kind, problem.subject) for problem in pyramid_problems(empty)] == [
        ("empty pyramid", "pyramid of T1")
    ]


def test_differing_units():
    assert differing_units(
        Pyramid("Ice.", (SCU("1", "Ice"),)), Pyramid("Ice.", (SCU("2", "Ice"),))
    ) == ("2", "1")


def test_record():
    record = Record({"topic": "T1", "text": "Rain fell.", "note": 1}, Where("a.jsonl", line=2))
    assert (record.text("topic"), record.text("task", "")) == ("T1", "")
    assert record.rest() == {"text": "Rain fell.", "note": 1}


def test_json_line():
    assert json_line([("topic", "T1"), ("task", "")], {"note": 1}) == '{"topic": "T1", "note": 1}\n'


def test_natural_order():
    assert sorted(["10", "B", "2", "A"], key=natural_order) == ["2", "10", "A", "B"]


def test_split_names():
    assert list(split_names("rouge-2, bleu(n=2,stem),")) == ["rouge-2", "bleu(n=2,stem)"]


def test_split_name():
    assert (split_name("bleu(n=2, smooth)"), split_name("js-input")) == (
        ("bleu", ["n=2", "smooth"]),
        ("js-input", []),
    )


def test_option_name():
    assert (option_name("n=2"), option_name("stem")) == ("n", "stem")


def test_format_option():
    assert (format_option("stem", True), format_option("stem", False)) == ("stem", "stem=off")
    assert (format_option("n", 2), format_option("words", None)) == ("n=2", "words=none")


def test_registry():
    @dataclass(frozen=True, slots=True)
    class Lead(Parsable):
        name: ClassVar[str] = "lead"

    registry = Registry(Parsable, (Lead,), noun="method", command="nothing")
    assert registry.parse("lead") == Lead()
    assert registry.all() == (Lead,)
    with pytest.raises(
        NotFoundError, match=re.escape("there is no method 'laed'; did you mean lead?")
    ):
        registry.parse("laed")


def test_unexpressed():
    assert [entry.label for entry in unannotated_entries([SCU("13", "Ice melts")], [4])] == [
        "(4) Ice melts",
        "All non-matching SCUs go here",
    ]


def test_joined_references():
    assert (
        joined_references({"A": "Ice melts."})
        == "------------------\n A\n------------------\n\nIce melts.\n"
    )


def test_default_role():
    assert default_role("human") == "both"
