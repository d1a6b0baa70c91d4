"""Doubtful scores at the limits of their checks: a little less, and nothing is said."""

import numpy as np
import pytest

from pyramidion.collection import Collection, Scores, find_problems

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
