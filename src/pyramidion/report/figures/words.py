"""What figures say about the measure, the task, the test and the correction."""

from collections.abc import Sequence

from pyramidion.evaluation.comparison import (
    ComparisonResult,
    SystemResult,
)
from pyramidion.evaluation.procedures import CORRECTION_TEXTS, STATISTIC_NAMES, TEST_TEXTS

__all__ = ["method_note", "people_note"]


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
