"""Tables of agreement on significance: those of chapter 7, and what they leave out."""

import math
from collections.abc import Mapping, Sequence

from pyramidion.evaluation._verdicts.agreement import Agreement, Costs, utility
from pyramidion.evaluation._verdicts.combinations import Combination
from pyramidion.evaluation._verdicts.study import SignificanceStudy
from pyramidion.report.table import Cell, Table, WideTable
from pyramidion.report.verdict_group import pooled_agreements
from pyramidion.stats.inputs import Interval

__all__ = [
    "ABOUT",
    "RATIOS",
    "agreement_table",
    "block_tables",
    "by_balanced_accuracy",
    "combination_table",
    "interval_table",
    "kinds_table",
    "significance_table",
]

#: What the columns of an agreement mean.
ABOUT = (
    "Without significance: how often the means agree on the better system. Balanced accuracy is "
    "(recall + specificity) / 2; the mean predictive value is what the dissertation's Tables 7.4 "
    "and 7.5 print in its place. Conflicts: significant for both in opposite directions, counted "
    "in tp, too."
)

#: The ratios of an agreement, and what they are called in tables.
RATIOS: Mapping[str, str] = {
    "accuracy": "accuracy",
    "order_accuracy": "without significance",
    "precision": "precision",
    "recall": "recall",
    "balanced_accuracy": "balanced accuracy",
    "mean_predictive_value": "mean predictive value",
}


def significance_table(studies: Sequence[SignificanceStudy]) -> Table:
    """Count the pairs that differ significantly by the manual measure, as Table 7.1 does.

    Parameters
    ----------
    studies
        One for each manual measure, collection, task and choice of systems.
    """
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            study.manual.measure,
            study.collection or "–",
            study.task or "–",
            study.chosen.rule,
            study.topics,
            study.pairs,
            study.significant,
        )
        for study in studies
    )
    columns = ("human", "collection", "task", "systems", "topics", "pairs", "significant")
    options = studies[0].options
    correction = options.effective_correction
    corrected = "uncorrected" if correction == "none" else f"corrected by {correction}"
    note = f"Pairs significantly different at {options.alpha:g} under {options.label}, {corrected}."
    return Table(columns, rows, title="Significant differences by people", note=note)


def by_balanced_accuracy(agreements: Mapping[str, Agreement]) -> dict[str, Agreement]:
    """Order agreements by balanced accuracy, the best first, undefined ones last.

    Examples
    --------
    >>> bad, good = Agreement(((0, 0, 0), (0, 1, 1), (0, 1, 1))), Agreement(((1, 0, 0), (0, 1, 0),
    ...                                                                     (0, 0, 1)))
    >>> list(by_balanced_accuracy({"x": bad, "y": good}))
    ['y', 'x']
    """

    def place(item: tuple[str, Agreement]) -> tuple[bool, float]:
        value = item[1].balanced_accuracy
        return math.isnan(value), -value

    return dict(sorted(agreements.items(), key=place))


def agreement_table(
    agreements: Mapping[str, Agreement], *, human: str, where: str = "", note: str = ""
) -> Table:
    """Show how far each metric agrees with a manual measure, as Table 7.3 does.

    Parameters
    ----------
    agreements
        By metric.
    human
        The manual measure.
    where, note
        What the pairs are of, and what else to say.

    Examples
    --------
    >>> found = Agreement(((0, 0, 0), (0, 6, 2), (1, 2, 4)), order_pairs=15, order_right=12)
    >>> agreement_table({"rouge-2-r": found}, human="pyramid").rows[0][:4]
    ('rouge-2-r', 15, 0.733..., 0.8)
    """
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            metric,
            found.n,
            *(getattr(found, name) for name in RATIOS),
            found.tp,
            found.fp,
            found.fn,
            found.tn,
            found.direction_conflicts,
        )
        for metric, found in by_balanced_accuracy(agreements).items()
    )
    columns = ("metric", "pairs", *RATIOS.values(), "tp", "fp", "fn", "tn", "conflicts")
    title = f"Agreement with {human}"
    return Table(
        columns,
        rows,
        title=f"{title}: {where}" if where else title,
        note=note,
        digits=2,
        key=(("human", human), ("part", where)),
    )


def block_tables(studies: Sequence[SignificanceStudy], *, where: str) -> list[Table]:
    """Show each ratio of every metric (rows) in every task and year (columns), as Table 7.5 does.

    Parameters
    ----------
    studies
        Of one manual measure and choice of systems, several tasks or years.
    where
        The choice of systems.
    """
    all_pooled = pooled_agreements(tuple(studies))
    found = [study.agreements for study in studies]
    names = [study.block or "–" for study in studies]
    human = studies[0].manual.measure
    tables = []
    for ratio, title in RATIOS.items():
        rows = []
        for metric in by_balanced_accuracy(all_pooled):
            cells = [_ratio(agreements.get(metric), ratio) for agreements in found]
            rows.append((metric, *cells, _mean(cells), getattr(all_pooled[metric], ratio)))
        tables.append(
            Table(
                ("metric", *names, "mean", "pooled"),
                tuple(rows),
                title=f"{title.capitalize()} with {human}: {where}",
                note="Mean: over the tasks in which it is defined. Pooled: of all pairs together.",
                digits=2,
                key=(("human", human), ("ratio", ratio)),
            )
        )
    return tables


def _ratio(agreement: Agreement | None, name: str) -> float:
    return math.nan if agreement is None else float(getattr(agreement, name))


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def kinds_table(
    agreements: Mapping[str, Agreement], costs: Costs, *, human: str, where: str = ""
) -> Table:
    """Show the kinds of verdicts, and what they are worth at the given costs.

    Parameters
    ----------
    agreements
        By metric.
    costs
        Of each kind.
    human, where
        The manual measure, and what the pairs are of.
    """
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            metric,
            found.tp - found.direction_conflicts,
            found.direction_conflicts,
            found.fn,
            found.fp,
            found.tn,
            utility(found, costs),
        )
        for metric, found in agreements.items()
    )
    rows = tuple(sorted(rows, key=lambda row: (_is_nan(row[-1]), -float(row[-1] or 0))))
    columns = ("metric", "found", "reversed", "missed", "false", "neither", "utility")
    silent = next(iter(agreements.values()))
    alone = -(costs.missed * (silent.tp + silent.fn) + costs.neither * (silent.fp + silent.tn))
    never = 0.0 + alone / silent.n if silent.n else math.nan
    title = f"Kinds of verdicts beside {human}"
    return Table(
        columns,
        rows,
        title=f"{title}: {where}" if where else title,
        note=f"Utility of a pair at costs {costs}; never finding anything has {never:.3f}.",
        digits=3,
        key=(("human", human), ("part", where)),
    )


def _is_nan(cell: Cell) -> bool:
    return isinstance(cell, float) and math.isnan(cell)


def combination_table(combinations: Sequence[Combination], *, human: str, where: str) -> Table:
    """Show combinations all of whose metrics must agree, as Table 7.4 does.

    Parameters
    ----------
    combinations
        Every subset of some metrics.
    human, where
        The manual measure, and what the pairs are of.
    """
    agreements = {one.name: one.agreement for one in combinations}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            found.n,
            *(getattr(found, ratio) for ratio in RATIOS if ratio != "order_accuracy"),
            found.direction_conflicts,
        )
        for name, found in by_balanced_accuracy(agreements).items()
    )
    titles = tuple(title for ratio, title in RATIOS.items() if ratio != "order_accuracy")
    return Table(
        ("all of", "pairs", *titles, "conflicts"),
        rows,
        title=f"Combinations of metrics that must all agree with each other, {human}: {where}",
        note="A difference counts if every metric finds it in the same direction.",
        digits=2,
        key=(("human", human), ("part", where)),
    )


def interval_table(
    intervals: Mapping[str, Mapping[str, Interval]], *, human: str, where: str
) -> Table:
    """Show intervals of the ratios, over draws of systems.

    Parameters
    ----------
    intervals
        By metric and ratio.
    human, where
        The manual measure, and what the pairs are of.
    """
    ends = tuple(f"{title} {end}" for title in RATIOS.values() for end in ("low", "high"))
    numbers: tuple[tuple[Cell, ...], ...] = tuple(
        (metric, *(end for name in RATIOS for end in (found[name].low, found[name].high)))
        for metric, found in intervals.items()
    )
    rows = tuple(
        (metric, *(_shown_interval(found[name]) for name in RATIOS))
        for metric, found in intervals.items()
    )
    level = next(iter(next(iter(intervals.values())).values())).confidence_level
    key = (("human", human), ("part", where))
    shown = Table(
        ("metric", *RATIOS.values()),
        rows,
        title=f"{level:.0%} intervals of the agreement with {human}: {where}",
        note="Over draws of systems; the topics, and so the verdicts, stay as they are.",
    )
    return WideTable(
        shown.columns,
        shown.rows,
        title=shown.title,
        note=shown.note,
        numbers=Table(("metric", *ends), numbers, key=key),
        narrow=shown,
        heads=1,
    )


def _shown_interval(interval: Interval) -> str | None:
    if math.isnan(interval.low):
        return None
    return f"[{interval.low:.2f}, {interval.high:.2f}]"
