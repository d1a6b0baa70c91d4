"""CLASSY trained with and without the worst assessors' topics, as a part of an answer."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.collection import Collection
from pyramidion.collection.formats import read_collection
from pyramidion.errors import InputError
from pyramidion.evaluation.assessors.impact_classy import ClassyImpact, classy_impact
from pyramidion.evaluation.assessors.study import AssessorStudy
from pyramidion.evaluation.assessors.worst import (
    WorstFirst,
    worst_by_alpha,
    worst_by_difference,
    worst_of_years,
)
from pyramidion.report.table import Cell, Table

if TYPE_CHECKING:
    from pyramidion.classy.recipe import Recipe

__all__ = ["ClassyRequest", "ClassyTrial", "try_classy"]


@dataclass(frozen=True, slots=True)
class ClassyRequest:
    """What to train, and to try on what.

    Parameters
    ----------
    later
        The year to predict.
    versions, targets
        See `TrainRequest`.
    tasks
        Which tasks; all that the years have if none is named.
    number
        How many of the worst assessors to leave out.
    recipe
        How to train; as usual if it is not given.

    Examples
    --------
    >>> ClassyRequest(Path("2011")).require([])
    Traceback (most recent call last):
    pyramidion.errors.InputError: 0 years to learn from; name the two years before the one ...
    """

    later: Path
    versions: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    number: int = 1
    recipe: "Recipe | None" = None

    def require(self, years: Sequence[Collection]) -> None:
        """Refuse, before any work, other than two years.

        Parameters
        ----------
        years
            What to learn from.
        """
        if len(years) != 2:
            raise InputError(
                f"{len(years)} years to learn from", hint="name the two years before the one to try"
            )


@dataclass(frozen=True, slots=True)
class ClassyTrial:
    """What came of it.

    Parameters
    ----------
    found
        Models with what they predict.
    later
        The year they were tried on.
    left_out
        What could not be trained or tried.

    Examples
    --------
    >>> list(ClassyTrial().tables())
    []
    """

    found: tuple[ClassyImpact, ...] = ()
    later: tuple[Collection, ...] = ()
    left_out: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """Give the models as data."""
        return [{"classy": own.version, "later": self.later[0].name} | asdict(own)
                for own in self.found]  # fmt: skip

    def tables(self) -> Iterator[Table]:
        """Lay out correlations before and after, one model a row."""
        if not self.found:
            return
        rows: list[tuple[Cell, ...]] = []
        for own in self.found:
            before = next(o for o in self.found if o.criterion is None and _key(o) == _key(own))
            rows.append(
                (own.measure, own.version, own.task, own.peers, own.criterion or "–",
                 ", ".join(own.left_out) or "nobody", own.method, own.systems, own.pearson,
                 own.spearman, _change(own, before))
            )  # fmt: skip
        columns = (
            *("measure", "version", "task", "peers", "worst by", "without", "method"),
            *("systems", "Pearson", "Spearman", "change"),
        )
        note = (
            "Correlations of systems' means with people's. Change: of Pearson's correlation, from "
            "the model that learned from all topics."
        )
        title = f"CLASSY trained without the worst assessors, tried on {self.later[0].name}"
        yield Table(columns, tuple(rows), title=title, note=note, digits=3)


def _key(own: ClassyImpact) -> tuple[str, ...]:
    return own.version, own.measure, own.task, own.peers


def _change(own: ClassyImpact, before: ClassyImpact) -> float:
    return math.nan if own.criterion is None else own.pearson - before.pearson


def try_classy(
    study: AssessorStudy,
    years: Sequence[Collection],
    request: ClassyRequest,
    *,
    format: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ClassyTrial:
    """Train models on two years with and without the worst assessors' topics, and try them.

    Parameters
    ----------
    study
        What was found out about the assessors of the two years.
    years
        The two years.
    request
        What to train.
    format
        The format of the later year; guessed if it is not given.
    progress
        Is told how much is done, and of how much.
    """
    from pyramidion.report.classy_training import TrainRequest

    request.require(years)
    later = read_collection(request.later, format=format)
    wanted = TrainRequest(versions=request.versions, targets=request.targets).wanted
    found, left_out = classy_impact(
        (years[0], years[1]),
        later,
        _worst(study),
        versions=wanted,
        tasks=request.tasks,
        number=request.number,
        recipe=request.recipe,
        progress=progress,
    )
    if not found:
        raise InputError(
            f"nothing could be trained: {left_out[0] if left_out else 'no models were asked for'}",
            hint="name --versions or --targets that all three years judge",
        )
    return ClassyTrial(tuple(found), (later,), tuple(left_out))


def _worst(study: AssessorStudy) -> Mapping[str, list[WorstFirst]]:
    """Order the assessors of each measure over both years, by each criterion."""
    orders: dict[str, list[WorstFirst]] = {}
    spans = study.panel.spans()
    for measure in study.panel.measures:
        if study.panel.same_scale(measure):
            own = [worst_by_alpha(study.consistency, spans[-1], measure)]
        else:
            years = [worst_by_alpha(study.consistency, year, measure) for year in spans[:-1]]
            own = [worst_of_years(years)]
        if measure == study.manual:
            own.append(worst_by_difference(study.differences, spans[-1]))
        orders[measure] = own
    return orders
