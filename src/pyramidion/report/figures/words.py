"""What figures say about the measure, the task, the test and the correction."""

import math
from collections.abc import Sequence

from pyramidion.evaluation.comparison import (
    ComparisonResult,
    SystemResult,
)
from pyramidion.evaluation.procedures import CORRECTION_TEXTS, STATISTIC_NAMES, TEST_TEXTS

__all__ = ["counted", "headed", "method_note", "people_note", "shown_p"]


def headed(what: str, measure: str, task: str) -> str:
    """Write a title: what is shown, of which measure, for which task.

    Examples
    --------
    >>> headed("Ranking", "rouge-2-r", "A"), headed("Ranking", "", "")
    ('Ranking: rouge-2-r, task A', 'Ranking')
    """
    about = ", ".join(part for part in (measure, f"task {task}" if task else "") if part)
    return f"{what}: {about}" if about else what


def method_note(result: ComparisonResult) -> str:
    """Write how the pairs were compared.

    Examples
    --------
    >>> from pyramidion.evaluation.comparison import PairCounts
    >>> none = PairCounts(0, 0, 0)
    >>> method_note(ComparisonResult("m", "", "hb", 0.05, "holm", "w", 2000, none, none, (), ()))
    'bootstrap test of |W|, 2,000 resamples, Holm correction, α = 0.05'
    """
    test = TEST_TEXTS[result.test].name
    if result.statistic is not None:
        test += f" of {STATISTIC_NAMES[result.statistic]}"
    drawn = f"{result.n_resamples:,} resamples" if result.n_resamples else ""
    parts = (test, drawn, CORRECTION_TEXTS[result.correction].name, f"α = {result.alpha:g}")
    return ", ".join(part for part in parts if part)


def people_note(systems: Sequence[SystemResult]) -> str:
    """Say how people are marked, if there are any.

    Examples
    --------
    >>> people_note([SystemResult("A", "human", 1, 1, 1, 1, 1, "a")])
    '; people in bold'
    """
    return "; people in bold" if any(s.kind == "human" for s in systems) else ""


def counted(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> counted(1, "topic"), counted(2, "person", "people")
    ('1 topic', '2 people')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def shown_p(p: float) -> str:
    """Write a p-value in little room.

    Examples
    --------
    >>> [shown_p(p) for p in (0.0123, 0.0004, 1.0, math.nan)]
    ['.012', '<.001', '1', '?']
    """
    if math.isnan(p):
        return "?"
    if p < 0.001:
        return "<.001"
    return "1" if p > 0.9995 else f"{p:.3f}".lstrip("0")
