"""Agreement on significance: whether a metric finds the differences that people find.

Chapter 7 of the dissertation: for every pair of the top systems, one test on the manual scores
and one on the metric's, and how often the two verdicts are the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Floats, Signs
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import MetaTables, Peers, place_name
from pyramidion.evaluation._pair_verdicts import PairVerdicts, VerdictOptions, judge_pairs
from pyramidion.evaluation._verdicts.agreement import Agreement
from pyramidion.evaluation._verdicts.top_systems import TopSystems, mean_order, top_systems
from pyramidion.stats.verdicts import three_way_counts

__all__ = ["MeasureVerdicts", "SignificanceStudy", "study_significance"]


@dataclass(frozen=True, slots=True, eq=False)
class MeasureVerdicts:
    """What one measure says on the pairs of a study.

    Parameters
    ----------
    measure
        Its name.
    verdicts
        By the test.
    order, ordered
        Which system of each pair has the better mean (1, -1, or 0 if they are equal), and
        whether both have one.
    """

    measure: str
    verdicts: PairVerdicts
    order: Signs
    ordered: Bools


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceStudy:
    """The verdicts of a manual measure and of metrics on the same pairs of systems.

    Parameters
    ----------
    manual
        The manual measure, which is taken for the truth.
    metrics
        The automatic ones, by name.
    task, collection
        Where the scores are from.
    chosen
        The systems, best first by the manual measure, and the rule by which they were chosen.
    options
        The test and its level.
    topics
        How many topics the manual measure has.
    left_out
        What was not considered, counted.
    """

    manual: MeasureVerdicts
    metrics: Mapping[str, MeasureVerdicts]
    task: str
    collection: str
    chosen: TopSystems
    options: VerdictOptions
    topics: int
    left_out: tuple[str, ...] = ()

    @property
    def block(self) -> str:
        """The part of the data, in few words: the collection and the task."""
        return " ".join(part for part in (self.collection, self.task) if part)

    @property
    def pairs(self) -> int:
        """How many pairs of systems there are."""
        return len(self.manual.order)

    @property
    def significant(self) -> int:
        """How many of them differ significantly by the manual measure (Table 7.1)."""
        return self.manual.verdicts.found

    @property
    def agreements(self) -> dict[str, Agreement]:
        """How far each metric agrees with the manual measure."""
        return {name: _agreement(self.manual, metric) for name, metric in self.metrics.items()}


def study_significance(
    tables: MetaTables,
    *,
    options: VerdictOptions | None = None,
    top: int | None = None,
    peers: Peers = "machines",
) -> SignificanceStudy:
    """Give the verdicts of a manual measure and of metrics on every pair of the top systems.

    Scores on topics that the manual measure has for no system do not count, and a system that a
    metric lacks has no verdict by it.

    Parameters
    ----------
    tables
        A human measure, which is taken for the truth, and metrics side by side.
    options
        The test, its level and the correction; those of chapter 7 by default.
    top
        How many systems, the best by the manual mean; all that tie with the last one are taken
        along. All systems if not given.
    peers
        Whether people are among the systems (``all``) or not (``machines``).

    Examples
    --------
    >>> manual = np.array([[1.0, 2, 4], [2, 1, 5], [1, 2, 4], [2, 2, 4], [1, 1, 5], [3, 2, 5],
    ...                    [2, 3, 5]])
    >>> tables = MetaTables("responsiveness", "", tuple("abcdefg"), ("x", "y", "z"),
    ...                     np.zeros(3, bool), manual, {"m": manual * [1, 3, 0.7]})
    >>> study = study_significance(tables)
    >>> study.chosen.systems, study.significant
    (('z', 'y', 'x'), 2)
    >>> found = study.agreements["m"]
    >>> found.tp, found.fp, found.fn, found.tn, round(found.order_accuracy, 2)
    (1, 1, 1, 0, 0.67)
    """
    options = options or VerdictOptions()
    chosen = top_systems(tables, top=top, peers=peers)
    if len(chosen.systems) < 2:
        raise _too_few(tables, peers, len(chosen.systems))
    judged = np.logical_or.reduce(~np.isnan(tables.truth), axis=1)
    part = np.ix_(judged, chosen.columns)
    manual = _verdicts(tables.human, tables.truth[part], chosen, options)
    metrics = {
        name: _verdicts(name, values[part], chosen, options)
        for name, values in tables.metrics.items()
    }
    return SignificanceStudy(
        manual,
        metrics,
        task=tables.task,
        collection=tables.collection,
        chosen=chosen,
        options=options,
        topics=int(judged.sum()),
        left_out=tuple(_left_out(tables, chosen, judged, [manual, *metrics.values()])),
    )


def _too_few(tables: MetaTables, peers: Peers, found: int) -> InputError:
    kind, hint = "system", "add systems"
    if peers == "machines":
        kind, hint = "machine", "add machines, or let people in (peers: all)"
    name = place_name(tables.human, tables.task, tables.collection)
    return InputError(f"{name}: {found} {kind}{'' if found == 1 else 's'}", hint=hint)


def _verdicts(
    measure: str, values: Floats, chosen: TopSystems, options: VerdictOptions
) -> MeasureVerdicts:
    verdicts = judge_pairs(values, chosen.pairs, options)
    return MeasureVerdicts(measure, verdicts, *mean_order(values, chosen.pairs))


def _agreement(manual: MeasureVerdicts, metric: MeasureVerdicts) -> Agreement:
    known = manual.verdicts.known & metric.verdicts.known
    ordered = manual.ordered & metric.ordered & (manual.order != 0)
    return Agreement(
        three_way_counts(manual.verdicts.signs[known], metric.verdicts.signs[known]),
        order_pairs=int(np.count_nonzero(ordered)),
        order_right=int(np.count_nonzero(manual.order[ordered] == metric.order[ordered])),
        undefined=int(np.count_nonzero(~known)),
    )


def _left_out(
    tables: MetaTables, chosen: TopSystems, judged: Bools, found: Sequence[MeasureVerdicts]
) -> Iterator[str]:
    everything = {tables.human: tables.truth, **tables.metrics}
    for own in found:
        values = everything[own.measure]
        name = place_name(own.measure, tables.task, tables.collection)
        there = ~np.isnan(values[np.ix_(judged, chosen.columns)])
        gone = np.flatnonzero(~there.any(axis=0))
        if len(gone):
            yield (
                f"{name}: {len(gone)} of {len(chosen.systems)} systems have no score, such as "
                f"{chosen.systems[gone[0]]}"
            )
        missing = int((~there).sum()) - len(gone) * len(there)
        if missing:
            yield f"{name}: {missing} missing scores; pairs use shared topics"
        unknown = int(np.count_nonzero(~own.verdicts.known))
        if unknown:
            yield f"{name}: {unknown} of {len(own.order)} pairs have no verdict"
        unjudged = int((~np.isnan(values[~judged])).any(axis=1).sum())
        if unjudged:
            yield f"{name}: {unjudged} topics without a score of {tables.human}"
