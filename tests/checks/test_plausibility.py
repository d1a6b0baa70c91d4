"""Mistakes that are plausible, each with the line that names it; and data without any."""

import re
import warnings

import numpy as np
import pytest

from pyramidion import compare, describe
from pyramidion.checks.plausibility import implausible
from pyramidion.cli.runtime import run
from pyramidion.collection import Collection, Measure, Scale, Scores, Summary
from pyramidion.collection.checking import with_findings
from pyramidion.collection.formats import write_scores
from pyramidion.errors import DataWarning

RNG = np.random.default_rng(0)
SYSTEMS = ("x", "y", "z")


def rows(value, *, topics=12, systems=SYSTEMS, assessors=("",), measure="coherence"):
    """Make rows (topic, system, assessor, measure, value)."""
    return [
        (f"T{topic}", system, assessor, measure, value(topic, system, assessor))
        for topic in range(topics)
        for system in systems
        for assessor in assessors
    ]


def collection(rows, **parts):
    names = ("topic", "system", "assessor", "measure")
    columns = {name: [row[index] for row in rows] for index, name in enumerate(names)}
    columns["kind"] = ["machine"] * len(rows)
    return Collection("c", scores=Scores(columns, [row[-1] for row in rows]), **parts)


def fraction(*_):
    return round(float(RNG.uniform(0.2, 0.6)), 3)


def mark(*_):
    return float(RNG.integers(1, 6))


def renamed(rows, column, old, new, every=2):
    """Spell a name another way in some rows."""
    changed = []
    for number, row in enumerate(rows):
        wrong = row[column] == old and number % every == 0
        changed.append((*row[:column], new, *row[column + 1 :]) if wrong else row)
    return changed


def texts(system, words, topics=5):
    return [Summary(f"T{n}", system, f"{words} {n}") for n in range(topics)]


def of_summaries(*groups):
    return Collection("c", summaries=tuple(summary for group in groups for summary in group))


def changed(rows, index, value):
    return [(*row[:-1], value) if number == index else row for number, row in enumerate(rows)]


MISTAKES = {
    "one system in per cent": (
        lambda: collection(
            rows(lambda t, s, a: fraction() * (100 if s == "y" else 1), measure="chrf")
        ),
        r"percentages among fractions: system y: its chrf is up to [0-9.]+, others up to "
        r"0\.[0-9]+; is it a percentage\?",
    ),
    "a system on another scale": (
        lambda: collection(rows(lambda t, s, a: (20 if s == "y" else 1) * (1 + t % 5))),
        "system on another scale: system y: its coherence is from 20 to 100, others from 1 "
        "to 5; are the scales the same?",
    ),
    "a number for nothing among large ones": (
        lambda: collection(changed(rows(lambda t, s, a: 201.0 * t + ord(s) - 119), 5, -999.0)),
        "score far from all others: coherence: -999 among scores from 1 to 2214; is it a "
        "placeholder? Then add --missing coherence=-999",
    ),
    "a slip of the hand": (
        lambda: collection(changed(rows(mark), 5, 44.0)),
        "score far from all others: coherence: 44 among scores from 1 to 5; is it a typo? (T1, z)",
    ),
    "a number for nothing": (
        lambda: collection(changed(rows(fraction), 5, -999.0)),
        r"score far from all others: coherence: -999 among scores from 0\.[0-9]+ to "
        r"0\.[0-9]+; is it a placeholder\? Then add --missing coherence=-999",
    ),
    "off a declared scale": (
        lambda: collection(changed(rows(mark), 5, 44.0), scales={"coherence": Scale(1, 5, 1)}),
        "score off its scale: T1, z, coherence: 44 is not on the scale from 1 to 5 in steps of 1",
    ),
    "judges on different scales": (
        lambda: collection(
            rows(lambda t, s, a: mark() * (2 if a == "p" else 1) + (4 if a == "p" else 0),
                 assessors=("p", "q", "r"))
        ),
        "judges on different scales: assessor p: scores coherence from 6 to 14, the others from 1 "
        "to 5; are the scales the same?",
    ),
    "one judge for one system": (
        lambda: collection([
            row for row in rows(mark, assessors=("p", "q")) if row[1] != "z" or row[2] == "p"
        ]),
        "system with one judge: system z: only p judged its coherence, others had up to 2 judges; "
        "a severe judge would look like a bad system",
    ),
    "a judge copied": (
        lambda: collection(
            rows(lambda t, s, a: 1 + (7 * t + ord(s) + (t if a == "r" else 0)) % 5,
                 assessors=("p", "q", "r"))
        ),
        "judges with identical scores: assessors p and q: their coherence is the same on all 36 "
        "summaries both judged; was one copied?",
    ),
    "a measure with a capital": (
        lambda: collection(renamed(rows(mark, measure="focus"), 3, "focus", "Focus ")),
        "spelled in two ways: measure 'Focus ' and 'focus': they are treated as different; "
        "use one spelling",
    ),
    "a topic with a zero": (
        lambda: collection(renamed([(r[0][1:], *r[1:]) for r in rows(mark)], 0, "1", "01")),
        "spelled in two ways: topic '01' and '1': they are treated as different; "
        "use one spelling",
    ),
    "a system in another normal form": (
        lambda: collection(renamed(rows(mark, systems=("é", "y")), 1, "é", "e\u0301", 4)),
        "spelled in two ways: system 'e\\u0301' and '\\xe9': they are treated as different; "
        "use one spelling",
    ),
    "two spellings of a system on all topics": (
        lambda: collection(rows(mark, systems=("BART", "bart", "y"))),
        "spelled in two ways: system 'BART' and 'bart': they are treated as different; "
        "use one spelling",
    ),
    "a topic missing": (
        lambda: collection([row for row in rows(mark) if row[:2] != ("T3", "y")]),
        "missing scores: coherence: y lacks 1 of 12 topics that others have",
    ),
    "an empty summary": (
        lambda: of_summaries(texts("x", "a"), texts("y", "b", 4), [Summary("T4", "y", " ")]),
        "empty summary: T4, y: it scores 0; is that intended?",
    ),
    "one system twice": (
        lambda: of_summaries(texts("x", "a b"), texts("y", "a b"), texts("z", "b")),
        "identical systems: systems x and y: the same summaries on 5 of 5 topics; is it one "
        "system?",
    ),
    "judgments nobody signed": (
        lambda: collection(rows(mark, measure="my-quality")),
        "human measure mistaken for a metric: my-quality: marks from 1 to 5 without assessors are "
        "treated as a metric; if people gave them, name them (--columns assessor=...) or declare "
        "human = true in collection.toml",
    ),
    "a reference as a system": (
        lambda: of_summaries(
            texts("x", "a b"),
            [Summary(f"T{n}", "R", f"a b {n}", kind="human", role="reference") for n in range(5)],
        ),
        "system equal to a reference: system x: its summaries are references on 5 of 5 topics",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_plausible_mistake_is_named_in_one_line(name):
    build, message = MISTAKES[name]
    data = build()
    with pytest.warns(DataWarning) as warned:
        with_findings(data)
    lines = [str(warning.message) for warning in warned]
    # What is spelled in two ways is missing under each spelling, too.
    kinds = {line.partition(":")[0] for line in lines}
    assert kinds <= {message.partition(":")[0], "missing scores"}
    pattern = message if "[0-9" in message else re.escape(message)
    assert [line for line in lines if re.fullmatch(pattern, line)], lines
    assert not describe(data).ok


SOUND = {
    "fractions": lambda: rows(fraction),
    "marks": lambda: rows(mark),
    "marks of several judges": lambda: rows(mark, assessors=("p", "q")),
    "yes and no beside marks": lambda: rows(lambda t, s, a: float((t + ord(s)) % 2)),
    "a system that is bad": lambda: rows(lambda t, s, a: fraction() * (0.01 if s == "y" else 1)),
    "judgments that are signed": lambda: rows(mark, measure="my-quality", assessors=("p",)),
    "a lenient judge": lambda: rows(
        lambda t, s, a: 5.0 - ((t + ord(s)) % 4 == 1) if a == "p" else mark(),
        assessors=("p", "q", "r"),
    ),
    "counts": lambda: rows(lambda *_: float(RNG.integers(0, 400))),
}


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_said_of_sound_data(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with_findings(collection(SOUND[name]()))


def test_a_few_equal_summaries_are_normal():
    mixed = [Summary(f"T{n}", "y", f"{'a' if n < 3 else 'b'} {n}") for n in range(5)]
    assert list(implausible(of_summaries(texts("x", "a"), mixed))) == []


@pytest.fixture
def slipped(tmp_path):
    file = tmp_path / "scores.csv"
    write_scores(collection(changed(rows(mark), 5, 44.0)).scores, file)
    return file


def test_every_command_says_it_once_and_strict_refuses(slipped, capsys):
    assert run(["compare", str(slipped)]) == 0
    line = f"warning: {slipped}: score far from all others: coherence: 44 among"
    assert capsys.readouterr().err.count(line) == 1
    assert run(["compare", str(slipped), "--strict"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"pyramidion: {slipped}: score far from all others")
    assert run(["describe", str(slipped)]) == 1
    with pytest.warns(DataWarning, match="44 among"):
        compare(slipped)


def test_scores_off_a_declared_scale_are_refused_unless_accepted(tmp_path, capsys):
    declared = collection(
        changed(rows(mark), 5, 44.0), measures={"coherence": Measure(scale=Scale(1, 5, 1))}
    )
    declared.save(tmp_path / "c")
    assert run(["compare", str(tmp_path / "c")]) == 2
    assert "--accept-out-of-range" in capsys.readouterr().err
    assert run(["compare", str(tmp_path / "c"), "--accept-out-of-range"]) == 0
    assert "warning: " in capsys.readouterr().err
