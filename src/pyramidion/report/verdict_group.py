"""Verdicts of one manual measure on one choice of systems, over tasks and years."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyramidion.evaluation._judged import place_name
from pyramidion.evaluation._verdicts.agreement import Agreement, pooled
from pyramidion.evaluation._verdicts.combinations import Combination
from pyramidion.evaluation._verdicts.study import SignificanceStudy
from pyramidion.stats.inputs import Interval

__all__ = ["VerdictGroup", "pooled_agreements"]


def pooled_agreements(studies: tuple[SignificanceStudy, ...]) -> dict[str, Agreement]:
    """Add up each metric's counts over tasks and years.

    Parameters
    ----------
    studies
        Of one manual measure and choice of systems; a metric may be in some of them only.

    Examples
    --------
    >>> pooled_agreements(())
    {}
    """
    parts: dict[str, list[Agreement]] = {}
    for study in studies:
        for metric, agreement in study.agreements.items():
            parts.setdefault(metric, []).append(agreement)
    return {metric: pooled(found) for metric, found in parts.items()}


@dataclass(frozen=True, slots=True, eq=False)
class VerdictGroup:
    """What is shown together.

    Parameters
    ----------
    human
        The manual measure.
    top
        How many systems were asked for; None for all.
    studies
        One for each task and year.
    combined
        Combinations of metrics that must all agree.
    intervals
        Of each metric's ratios.
    """

    human: str
    top: int | None
    studies: tuple[SignificanceStudy, ...]
    combined: tuple[Combination, ...] = ()
    intervals: Mapping[str, Mapping[str, Interval]] = field(default_factory=dict)

    @property
    def agreements(self) -> dict[str, Agreement]:
        """Each metric's agreement over all tasks and years."""
        return pooled_agreements(self.studies)

    @property
    def part(self) -> str:
        """Which pairs are counted: the choice of systems, and the task if there is one only."""
        rules = list(dict.fromkeys(study.chosen.rule for study in self.studies))
        if len(self.studies) > 1:
            chosen = rules[0] if len(rules) == 1 else f"{rules[0]} and the like"
            return f"{len(self.studies)} tasks together, {chosen}"
        (study,) = self.studies
        where = place_name("", study.task, study.collection)
        return ", ".join(part for part in (where, *rules) if part)
