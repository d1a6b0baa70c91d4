import tomllib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from collection.refusals import refusal
from collection.strategies import collections, few_examples
from pyramidion.collection import Category, Collection, Measure, Scale, Task
from pyramidion.collection.formats import read_collection, write_collection
from pyramidion.collection.summaries import Aspect
from pyramidion.errors import FormatError, InputError


@pytest.fixture
def file(tmp_path):
    return tmp_path / "collection.toml"


def read_from(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_collection(path.parent)


FIELDS = ("name", "description", "notice", "tasks", "scales", "measures", "categories")


@few_examples
@given(collections())
def test_what_is_written_is_read(tmp_path_factory, collection):
    folder = tmp_path_factory.mktemp("settings")
    settings = Collection(**{field: getattr(collection, field) for field in FIELDS})
    write_collection(settings, folder)
    again = read_collection(folder, strict=False)
    for field in FIELDS:
        assert getattr(again, field) == getattr(collection, field)


@pytest.mark.parametrize(
    "text", ["".join(map(chr, range(0x100))), '"\'\'\'\\u0041 """ \\', "a\r\nb", "\u2028\ufeff"]
)
def test_odd_characters(file, text):
    write_collection(Collection(text, description=text, tasks=(Task(text, text),)), file.parent)
    again = read_collection(file.parent)
    assert (again.name, again.description, again.tasks) == (text, text, (Task(text, text),))


def test_as_written(file):
    collection = Collection(
        "mine",
        notice="made up",
        tasks=(Task("A", "initial", "base", 100), Task("")),
        scales={"responsiveness": Scale(1, 5, 1), "m": Scale(np.float64(0), np.float64(0.5))},
        measures={
            "errors per page": Measure(lower_is_better=True),
            "liked": Measure(scale=Scale(0, 2, 1), human=True),
        },
        categories=(Category("9", "People", (Aspect("9.1", "WHO", "who it is"),)),),
    )
    write_collection(collection, file.parent)
    assert (
        file.read_text()
        == """format = 1
name = "mine"
notice = "made up"

[[tasks]]
id = "A"
title = "initial"
documents = "base"
word_limit = 100

[[tasks]]
id = ""
documents = "all"

[[scales]]
measure = "responsiveness"
low = 1.0
high = 5.0
step = 1.0

[[scales]]
measure = "m"
low = 0.0
high = 0.5
step = 0.0

[measures."errors per page"]
lower_is_better = true
human = false

[measures."liked"]
lower_is_better = false
human = true
low = 0.0
high = 2.0
step = 1.0

[[categories]]
id = "9"
title = "People"

[[categories.aspects]]
id = "9.1"
name = "WHO"
description = "who it is"
"""
    )
    assert replace(collection, name=read_collection(file.parent).name) == collection


def test_by_hand(file):
    settings = read_from(
        file,
        """
        name = "mine"  # the only thing that must be there
        tasks = [{id = "A", word_limit = 100}, {id = 2, documents = "update"}]
        scales = [{measure = "pyramid", low = 0, high = 1}]
        [measures.errors]
        lower_is_better = true
        [measures.pyramid]
        human = true
        """,
    )
    assert settings == Collection(
        "mine",
        tasks=(Task("A", word_limit=100), Task("2", documents="update")),
        scales={"pyramid": Scale(0, 1)},
        measures={
            "errors": Measure(lower_is_better=True),
            "pyramid": Measure(scale=Scale(0, 1), human=True),
        },
    )
    assert read_from(file, b'\xef\xbb\xbfname = "mine"\r\n') == Collection("mine")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ": `name` is missing; add it as text"),
        ("name = 3", ": `name` is 3, not text; write it as text"),
        ('nmae = "x"', ": `name` is missing; add it as text"),
        (
            'name = "x"\nworld_limit = 100',
            ": unknown key `world_limit`; check its spelling, or remove it",
        ),
        (
            'name = "x"\n[[tasks]]\nid = "A"\nwordlimit = 100',
            ", tasks no. 1: unknown key `wordlimit`; check its spelling, or remove it",
        ),
        (
            'name = "x"\n[[task]]\nid = "A"',
            ": unknown key `task`; check its spelling, or remove it",
        ),
        (
            'name = "x"\n[[categories]]\nid = "9"\n[[categories.aspects]]\nid = "9.1"\nnam = "W"',
            ", aspects no. 1: unknown key `nam`; check its spelling, or remove it",
        ),
        (
            'name = "x"\n[measures.m]\nlower = true',
            ", measures.m: unknown key `lower`; check its spelling, or remove it",
        ),
        (
            'name = "x"\n[measures.m]\nlower_is_better = "yes"',
            ", measures.m: `lower_is_better` is text, not true or false; write it as true or false",
        ),
        (
            'name = "x"\n[measures.m]\nhuman = 1',
            ", measures.m: `human` is 1, not true or false; write it as true or false",
        ),
        (
            'name = "x"\n[measures.m]\nlow = 1',
            ", measures.m: `high` is missing; add it as a number",
        ),
        (
            'name = "x"\n[measures.m]\nlow = 5\nhigh = 1',
            ", measures.m: a scale from 5.0 to 1.0 is empty; low must be below high",
        ),
        (
            'name = "x"\n[measures]\nm = 3',
            ": `measures` is an object, not an object of objects; write it as an object of objects",
        ),
        (
            'name = "x"\nscales = [{measure = "m", low = 1, high = 5}]\n'
            "[measures.m]\nlow = 1\nhigh = 5",
            ": measure `m` has two scales; keep one",
        ),
        (
            'name = "x"\n[tasks]\nid = "A"',
            ": `tasks` is an object, not a list of objects; write it as a list of objects",
        ),
        (
            'name = "x"\n[[tasks]]\nid = "A"\ndocuments = "update"\nknown = "update"',
            ", tasks no. 1: task A summarizes documents that its reader knows: update; "
            "list a set either under `documents` or under `known`",
        ),
        (
            'name = "x"\n[[tasks]]\nid = "A"\nword_limit = -1',
            ", tasks no. 1: `word_limit` is -1, not a whole number; write it as a whole number",
        ),
        (
            'name = "x"\n[[tasks]]\nid = "A"\nword_limit = 99.5',
            ", tasks no. 1: `word_limit` is 99.5, not a whole number; write it as a whole number",
        ),
        (
            'name = "x"\n[[scales]]\nmeasure = "m"\nlow = 5\nhigh = 1',
            ", scales no. 1: a scale from 5.0 to 1.0 is empty; low must be below high",
        ),
        (
            'name = "x"\n[[scales]]\nmeasure = "m"\nlow = 1\nhigh = nan',
            ", scales no. 1: `high` is nan; leave out records without a value",
        ),
        (
            'name = "x"\n[[scales]]\nmeasure = "m"\nlow = 1',
            ", scales no. 1: `high` is missing; add it as a number",
        ),
        (
            'name = "x"' + '\n[[scales]]\nmeasure = "m"\nlow = 1\nhigh = 5' * 2,
            ": measure `m` has two scales; keep one",
        ),
        ('name = "x"\nformat = 2', ": `format` is 2; this release reads format 1"),
        (
            'name = "x',
            ": this is not TOML (Illegal character '\\n' (at line 1, column 10)); fix it",
        ),
        (
            'name = "x"\nname = "y"',
            ": this is not TOML (Cannot overwrite a value (at line 2, column 11)); fix it",
        ),
        (
            b'name = "x"\n# caf\xe9',
            ", line 2: byte 0xe9 is not UTF-8; "
            "save the file as UTF-8 (it may be Latin-1 or Windows-1252)",
        ),
        (
            'name = "x"'.encode("utf-16"),
            ": the text is UTF-16, not UTF-8; save it as UTF-8",
        ),
    ],
)
def test_bad_files(file, content, message):
    try:
        tomllib.loads(content)
    except (TypeError, tomllib.TOMLDecodeError) as error:
        # What Python says of bad TOML differs from release to release.
        if "this is not TOML" in message:
            message = f": this is not TOML ({error}); fix it"
    assert refusal(FormatError, read_from, file, content) == f"{file}{message}"


@pytest.mark.parametrize("content", ["name = " + "[" * 5000, "name = " + "9" * 5000])
def test_what_overstrains_the_reader(file, content):
    message = refusal(FormatError, read_from, file, content)
    assert message.startswith(f"{file}: this is not TOML (")


def test_half_a_surrogate_pair(file):
    assert "half of a surrogate pair" in refusal(
        InputError, write_collection, Collection("\ud83d"), file.parent
    )
    assert not file.exists()
