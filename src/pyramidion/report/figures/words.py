"""What figures say about the measure, the task, the test and the correction."""

import math
from collections.abc import Sequence

from pyramidion.evaluation.comparison import (
    ComparisonResult,
    Correction,
    StatisticName,
    SystemResult,
    TestName,
)

__all__ = ["counted", "headed", "method_note", "people_note", "shown_p"]

_TESTS: dict[TestName, str] = {
    "permutation": "sign-flip permutation test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "paired-t": "paired t test",
    "unpaired-t": "unpaired t test",
    "welch": "Welch's t test",
    "mc": "Monte Carlo resampling test",
    "hb": "bootstrap test",
}
_STATISTICS: dict[StatisticName, str] = {"w": "|W|", "t": "|T|", "t-unpaired": "unpaired |T|"}
_CORRECTIONS: dict[Correction, str] = {
    "maxt": "max-T correction",
    "holm": "Holm correction",
    "bh": "Benjamini-Hochberg correction",
    "none": "no correction",
}


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
    test = _TESTS[result.test]
    if result.statistic is not None:
        test += f" of {_STATISTICS[result.statistic]}"
    drawn = f"{result.n_resamples:,} resamples" if result.n_resamples else ""
    parts = (test, drawn, _CORRECTIONS[result.correction], f"α = {result.alpha:g}")
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
