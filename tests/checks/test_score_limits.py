"""Doubtful scores at the limits of their checks: a little less, and nothing is said."""

import numpy as np
import pytest

from pyramidion.checks import find_problems
from pyramidion.collection import Collection, Scores

FAR = "score far from all others"
MARKS = [1.0, 2.0, 3.0, 4.0, 5.0] * 8
FROM_ZERO = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] * 7
FRACTIONS = [round(0.1 + 0.02 * n, 2) for n in range(40)]
#: Twenty numbers from 10 to 12.
NARROW = [round(10 + 2 * n / 19, 3) for n in range(20)]
#: Means of two marks from 1 to 5, of which half are no marks.
MEANS = [1.5, 2.0, 2.5, 3.0, 3.5, 4.0] * 5
#: Around 50 with a median deviation of 4.
FIFTY = [42.0, 46.0, 50.0, 54.0, 58.0] * 6


def found(values, kind=FAR):
    """Return the findings of a kind in scores of two systems for a measure nobody knows."""
    number = len(values)
    columns = {
        "topic": [f"T{n // 2}" for n in range(number)],
        "system": ["xy"[n % 2] for n in range(number)],
        "measure": ["zork"] * number,
        "kind": ["machine"] * number,
    }
    problems = find_problems(Collection("c", scores=Scores(columns, list(map(float, values)))))
    return [finding for finding in problems if finding.kind == kind]


@pytest.mark.parametrize(
    ("sound", "doubtful", "number"),
    [
        # 9 is a placeholder beside at least twenty marks from 1 to 5, and twice beside others.
        ([*MARKS[:18], 9], [*MARKS[:19], 9], 9),
        ([*FROM_ZERO, 9], [*FROM_ZERO, 9, 9], 9),
        ([*MARKS, 6], [*MARKS, 99], 99),
        # At most three tenths are placeholders.
        ([*MARKS[:29], *[99] * 13], [*MARKS[:28], *[99] * 12], 99),
        # -1 is one beside fractions, not beside yes and no.
        ([0, 1] * 20 + [-1], [*FRACTIONS, -1], -1),
        # Any number that is repeated three times, and twice the range away from all others.
        ([*NARROW, 16, 16, 16], [*NARROW, 16.01, 16.01, 16.01], 16.01),
        ([*NARROW, 17, 17], [*NARROW, 17, 17, 17], 17),
        ([*NARROW, 6, 6, 6], [*NARROW, 5.99, 5.99, 5.99], 5.99),
        ([*NARROW[:19], 17, 17, 17], [*NARROW, 17, 17, 17], 17),
        # Zeros far below everything: three, and a median four times the spread.
        ([*FIFTY, 0, 0], [*FIFTY, 0, 0, 0], 0),
        ([*(2.1 * v - 55 for v in FIFTY), 0, 0, 0], [*(2 * v - 50 for v in FIFTY), 0, 0, 0], 0),
        # Zeros or nines beside means of marks.
        ([*MEANS, 0, 0], [*MEANS, 0, 0, 0], 0),
        # One score ten times the range away.
        ([*np.linspace(20, 21, 30), 31], [*np.linspace(20, 21, 30), 31.01], 31.01),
        ([*np.linspace(20, 21, 30), 10], [*np.linspace(20, 21, 30), 9.99], 9.99),
        ([*np.linspace(20, 21, 18), 40], [*np.linspace(20, 21, 19), 40], 40),
        # A typing error beside marks is more than their range away.
        ([*MARKS, *MARKS, 9.5 - 0.5], [*MARKS, *MARKS, 45], 45),
    ],
)
def test_a_number_far_from_all_others(sound, doubtful, number):
    assert [f.message for f in found(sound) if f" {number:g} among" in f" {f.message}"] == []
    [finding] = found(doubtful)
    assert finding.message.startswith(f"{number:g} among scores from ")
    assert len(finding.rows) == doubtful.count(number)


def scored(systems, *, measure="zork", assessor=""):
    """Return the findings about scores of systems, in the order of their topics."""
    rows = [
        (f"T{topic}", system, value)
        for system, values in systems.items()
        for topic, value in enumerate(values)
        if not np.isnan(value)
    ]
    columns = {
        "topic": [row[0] for row in rows],
        "system": [row[1] for row in rows],
        "measure": [measure] * len(rows),
        "kind": ["machine"] * len(rows),
        "assessor": [assessor] * len(rows),
    }
    scores = Scores(columns, [float(row[2]) for row in rows])
    return {finding.kind: finding for finding in find_problems(Collection("c", scores=scores))}


def noise(seed, topics=24):
    return np.random.default_rng(seed).normal(5, 1, topics).round(3)


def three(**more):
    return {"x": noise(1), "y": noise(2), "z": noise(3)} | more


SORTED = np.arange(24) / 10 + 4.001


@pytest.mark.parametrize(
    ("kind", "sound", "doubtful"),
    [
        # Ten topics with the same score, of which others have none.
        (
            "system with the same score throughout",
            three(w=[5.5] * 9),
            three(w=[5.5] * 10),
        ),
        ("system with the lowest score throughout", three(w=[1.5] * 9), three(w=[1.5] * 10)),
        # Ten steps upwards; a system that rises among few does not stand out.
        ("system with sorted scores", three(w=SORTED[:10]), three(w=SORTED[:11])),
        ("system with sorted scores", three(w=-SORTED[:10]), three(w=-SORTED[:11])),
        (
            "system with sorted scores",
            {"x": noise(1), "y": SORTED, "z": SORTED[::-1], "w": noise(4)},
            {"x": noise(1), "y": noise(2), "z": SORTED[::-1], "w": noise(4)},
        ),
        # The best of three others on ten topics.
        (
            "best of all systems as a system",
            {s: v[:9] for s, v in three(w=np.max([*three().values()], axis=0)).items()},
            {s: v[:10] for s, v in three(w=np.max([*three().values()], axis=0)).items()},
        ),
        # Twins on ten topics; the same marks may occur by chance.
        (
            "systems with identical scores",
            {"x": noise(1, 9), "y": noise(2, 9), "z": noise(1, 9)},
            {"x": noise(1, 10), "y": noise(2, 10), "z": noise(1, 10)},
        ),
        (
            "systems with identical scores",
            {"x": noise(1, 10).round(), "y": noise(2, 10).round(), "z": noise(1, 10).round()},
            {"x": noise(1, 20).round(), "y": noise(2, 20).round(), "z": noise(1, 20).round()},
        ),
        # One decimal beside three, not beside two.
        (
            "scores rounded differently",
            {"x": noise(1).round(2), "y": noise(2).round(2), "z": noise(3).round(1)},
            {"x": noise(1), "y": noise(2), "z": noise(3).round(1)},
        ),
        ("one score for each system", {"x": [1] * 4, "y": [2] * 4, "z": [3] * 4},
         {"x": [1] * 5, "y": [2] * 5, "z": [3] * 5}),
        ("one score for each topic", {s: noise(1, 4) for s in "xyz"},
         {s: noise(1, 5) for s in "xyz"}),
        ("measure that never varies", {s: [3] * 4 for s in "xyz"}, {s: [3] * 5 for s in "xyz"}),
        # Nine topics of one system each, or ten.
        (
            "topics of one system each",
            {"x": [1.5, 2.5, 3.7] + [np.nan] * 6, "y": [np.nan] * 3 + [3.5, 4.5, 1.1, 2, 5, 4.2]},
            {"x": [1.5, 2.5, 3.7] + [np.nan] * 7,
             "y": [np.nan] * 3 + [3.5, 4.5, 1.1, 2, 5, 4.2, 3.3]},
        ),
        # z-scores of three in ten, among fractions.
        (
            "system on another scale",
            {"x": np.linspace(0.1, 0.8, 10), "y": np.linspace(0.3, 0.9, 10),
             "z": [-0.5, -0.4, 0.2, 0.3, 0.1, 0.4, 0.5, 0.3, 0.2, 0.6]},
            {"x": np.linspace(0.1, 0.8, 10), "y": np.linspace(0.3, 0.9, 10),
             "z": [-0.5, -0.4, -0.2, 0.3, 0.1, 0.4, 0.5, 0.3, 0.2, 0.6]},
        ),
    ],
)  # fmt: skip
def test_a_system_unlike_the_others(kind, sound, doubtful):
    assert kind not in scored(sound)
    assert kind in scored(doubtful)


@pytest.mark.parametrize(("topics", "severity"), [((0, 2), "warning"), ((0, 3), "note")])
def test_topics_that_were_shared_out_are_a_note(topics, severity):
    """Systems have eight of ten topics, or at most seven."""
    number = 10
    systems = {}
    for index, first in enumerate(topics):
        last = first + (8 if severity == "warning" else 7)
        values = np.full(number, np.nan)
        values[first:last] = noise(index, last - first)
        systems[f"s{index}"] = values
        systems[f"t{index}"] = np.where(np.isnan(values), np.nan, values + 0.1)
    assert scored(systems)["missing scores"].severity == severity


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ([7, 3, 5, 4, 9, 6, 8, 2, 1, 1], ""),
        (range(3, 12), ""),
        (range(3, 13), "row numbers or ids"),
        ([1949, *range(2000, 1990, -1)], "ids"),
        ([1950, *range(2000, 1990, -1)], "years"),
        ([2101, *range(2000, 1990, -1)], "ids"),
        ([2100, *range(2000, 1990, -1)], "years"),
        ([10**9, *(1_700_000_000 - 7 * n for n in range(10))], "ids"),
        ([10**9 + 1, *(1_700_000_000 - 7 * n for n in range(10))], "times in seconds since 1970"),
        ([20240101 - 100 * n for n in range(10)], "dates"),
        ([20240132, *(20230101 - 100 * n for n in range(9))], "ids"),
        ([999, *(5000 - n for n in range(10))], ""),
        ([1000, *(5000 - n for n in range(10))], "ids"),
    ],
)
def test_columns_that_are_no_scores(values, what):
    problems = found([*values], "measure that is no score")
    assert [f.message.partition("seem to be ")[2].partition(",")[0] for f in problems] == [
        what
    ] * bool(what)
