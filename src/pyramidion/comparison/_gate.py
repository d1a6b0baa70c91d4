"""Decide whether a change may be merged: the last system against the first, on every measure."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.collection.formats.base import ERRORS_DIFFER
from pyramidion.collection.measures import lacks_direction
from pyramidion.comparison._compare import CompareOptions
from pyramidion.comparison._result import ComparisonResult, Family
from pyramidion.errors import InputError
from pyramidion.questions import Options, option
from pyramidion.rendering.labels import with_arrow
from pyramidion.rendering.table import Cell, Table

#: What is known about a measure: with a margin, `no worse` is enough to pass.
Decision = Literal["better", "no worse", "undecided", "worse"]

# Half-widths of intervals are multiplied by this to plan for a power of 0.8 at the level 0.05.
_POWER_FACTOR = 1.43

# Intervals of fewer items are rough.
_MIN_ITEMS = 15

# How many items with losses, and with gains, are listed for each measure.
_MAX_CHANGED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOptions(Options):
    """Whether the comparison decides about a change."""

    gate: bool = option(
        False, "Decide whether the system of the last source may replace that of the first: the "
        "exit code is 1 if any measure is worse or, with --margin, not shown to be better or no "
        "worse by more than the margin.", flags=("--gate",),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class GatedMeasure:
    """The decision on one measure.

    Parameters
    ----------
    measure, task, direction
        What was compared, and whether higher or lower values are better.
    n
        The number of items that both systems have.
    baseline, candidate
        The means of the two systems on these items.
    difference, low, high
        The mean improvement, positive if the candidate is better, and its interval, which is
        simultaneous for all measures.
    decision
        What the interval shows.
    items
        How many items would probably decide (power 0.8), if it is undecided; NaN otherwise.
    changed
        The items with the largest losses, then gains: name, score before, score after.
    """

    measure: str
    task: str
    direction: str
    n: int
    baseline: float
    candidate: float
    difference: float
    low: float
    high: float
    decision: Decision
    items: float
    changed: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class Gate:
    """The decision on all measures.

    Parameters
    ----------
    baseline, candidate
        The systems.
    margin
        How much worse is acceptable; None if only a measurable loss fails.
    measures
        The decision on each measure.
    with_errors
        The same decisions with errors counted as 0, if runs failed on items; both must pass.
    """

    baseline: str
    candidate: str
    margin: float | None
    measures: tuple[GatedMeasure, ...]
    with_errors: "Gate | None" = None

    @property
    def passed(self) -> bool:
        """Whether the candidate may replace the baseline."""
        if self.with_errors is not None and not self.with_errors.passed:
            return False
        return self._passes

    @property
    def _passes(self) -> bool:
        if self.margin is None:
            return all(gated.decision != "worse" for gated in self.measures)
        return all(gated.decision in ("better", "no worse") for gated in self.measures)

    @property
    def conclusion(self) -> str:
        """The decision in words."""
        verb = "passes" if self.passed else "does not pass"
        clauses = [
            f"{name} on {len(names)} ({', '.join(names)})"
            for name in ("worse", "undecided", "no worse", "better")
            if (names := [g.measure for g in self.measures if g.decision == name])
        ]
        text = f"{self.candidate} {verb}: compared with {self.baseline}, it is "
        text += f"{'; '.join(clauses)}."
        if self.margin is None and any(g.decision == "undecided" for g in self.measures):
            text += " Undecided does not mean equal; --margin requires evidence."
        if self.with_errors is not None:
            text += " Runs failed on some items, which are left out above."
            if self._passes and not self.with_errors.passed:
                text += f" With these as 0: {self.with_errors.conclusion}"
        return text


@dataclass(frozen=True, slots=True)
class GatedSystems:
    """The systems of each source, of which the gate compares the first with the last.

    Parameters
    ----------
    by_source
        The systems of each source, in their order.
    lacking
        Measures of the first source's system that the last one's does not have.
    has_errors
        Whether runs failed on items, and not equally often.
    without_direction
        Measures that do not decide, as neither more nor less of them is better.
    """

    by_source: tuple[tuple[str, ...], ...] = ()
    lacking: tuple[str, ...] = ()
    has_errors: bool = False
    without_direction: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, collection: Collection, measures: Sequence[str], directed: Sequence[str] = ()
    ) -> "GatedSystems":
        """Return the systems of a collection, and what would make a gate unsound.

        Measures that were named explicitly decide, as do those with a direction.
        """
        by_source = tuple(filter(None, collection.source_systems))
        columns, missing_names = collection.scores.columns, list[str]()
        if by_source:
            baseline_measures, candidate_measures = (
                {*columns["measure"][columns["system"] == system]}
                for system in (by_source[0][0], by_source[-1][-1])
            )
            missing_names = sorted(
                baseline_measures - candidate_measures
                if not measures
                else (baseline_measures - candidate_measures) & {*measures}
            )
        has_errors = any(finding.kind == ERRORS_DIFFER for finding in collection.doubts)
        undirected_measures = [
            name for name in collection.scores.measures
            if not measures and name not in directed and lacks_direction(name, collection.measures)
        ]  # fmt: skip
        missing_names = [name for name in missing_names if name not in undirected_measures]
        return cls(
            collection.source_systems, tuple(missing_names), has_errors, tuple(undirected_measures)
        )

    @property
    def ends(self) -> tuple[str, str]:
        """The baseline and the candidate; an error says which source is not one system."""
        if len(self.by_source) == 1 and len(self.by_source[0]) == 2:
            return self.by_source[0][0], self.by_source[0][1]
        if len(self.by_source) < 2:
            hint = "name two sources with one system each, the baseline first"
            raise InputError("--gate compares two systems", hint=hint)
        for name, systems in (("first", self.by_source[0]), ("last", self.by_source[-1])):
            if len(systems) != 1:
                systems_text = ", ".join(systems[:4]) or "no scores"
                hint = "name a source with one system, or leave out the others with --exclude"
                raise InputError(
                    f"the {name} source has {systems_text}; --gate needs one system", hint
                )
        baseline, candidate = self.by_source[0][0], self.by_source[-1][0]
        if baseline == candidate:
            raise InputError(f"both sources have the system {baseline}", "name another run")
        return baseline, candidate

    @property
    def left_out(self) -> tuple[str, ...]:
        """The measures that the decision ignores, and why."""
        hint = "name it with -m if more is better, or with --lower-is-better"
        return tuple(
            f"{name}: more of it is neither better nor worse, so the gate leaves it out; {hint}"
            for name in self.without_direction
        )

    def prepare(
        self, matrices: Sequence[ScoreMatrix], options: CompareOptions
    ) -> tuple[list[ScoreMatrix], CompareOptions]:
        """Reduce each matrix to the two systems, and compare all measures as one family."""
        baseline, candidate = self.ends
        if options.baseline not in (None, baseline):
            raise InputError(f"the baseline of the gate is {baseline}", "leave out --baseline")
        if self.lacking:
            problem = (
                f"{candidate} lacks the scores of {', '.join(self.lacking[:4])} that {baseline} has"
            )
            raise InputError(problem, "score both in the same way, or choose measures with -m")
        pairs = [m for m in matrices if {baseline, candidate} <= {*m.systems}]
        if pairs and {m.measure for m in pairs} <= {*self.without_direction}:
            problem = f"more {pairs[0].measure} is neither better nor worse"
            raise InputError(problem, hint=f"add -m {pairs[0].measure} if more of it is better")
        pairs = [m for m in pairs if m.measure not in self.without_direction]
        if not pairs:
            problem = f"no measure has scores of both {baseline} and {candidate}"
            raise InputError(problem, hint="compare runs that were scored in the same way")
        if options.correction == "none" and len(pairs) > 1:
            raise InputError("--gate corrects for the number of measures", "leave out --correction")
        family: Family = "measures" if len(pairs) > 1 else "pairs"
        options = replace(options, test=options.test[:1], family=family, baseline=baseline)
        return [matrix.take(systems=[baseline, candidate]) for matrix in pairs], options


def decide(
    measure_results: Sequence[tuple[ComparisonResult, ScoreMatrix]],
    ends: tuple[str, str],
    options: CompareOptions,
) -> Gate:
    """Decide on each measure by the interval of the difference."""
    measures = [
        _decide_measure(result, matrix, ends, options) for result, matrix in measure_results
    ]
    return Gate(*ends, options.margin, tuple(measures))


def _decide_measure(
    result: ComparisonResult, matrix: ScoreMatrix, ends: tuple[str, str], options: CompareOptions
) -> GatedMeasure:
    """Decide on a measure."""
    margin = options.margin
    values = matrix.values[:, [matrix.systems.index(system) for system in ends]]
    rows = np.flatnonzero(~np.isnan(values).any(axis=1))
    scores, pair = values[rows], result.comparisons[0]
    direction = -1 if matrix.direction == "lower" else 1
    gains = direction * (scores[:, 1] - scores[:, 0])
    # The interval is of a minus b; improvements are positive.
    sign = direction if pair.a == ends[1] else -direction
    low, high = sorted((sign * pair.low, sign * pair.high))
    has_enough_items = len(gains) > 1 and 2.0 ** (1 - len(gains)) <= options.alpha
    if math.isnan(low) and has_enough_items:
        if np.ptp(gains) > 0:
            hint = "use another --test, such as permutation"
            raise InputError(f"{result.test} gives no interval for a difference of means", hint)
        low = high = float(gains[0])  # every item changed by the same amount
    decision, difference = _decision(low, high, margin), sign * pair.difference
    is_undecided = decision == "undecided"
    before, after = scores.mean(axis=0).tolist()
    return GatedMeasure(
        measure=matrix.measure,
        task=matrix.task,
        direction=matrix.direction,
        n=pair.n,
        baseline=before,
        candidate=after,
        difference=difference,
        low=low,
        high=high,
        decision=decision,
        items=_items_needed(pair.n, difference, low, high, margin) if is_undecided else math.nan,
        changed=tuple(
            (matrix.topics[rows[index]], *scores[index].tolist()) for index in _changed_items(gains)
        ),
    )


def _changed_items(gains: Floats) -> list[int]:
    """Return the items with the largest losses, then those with the largest gains."""
    order = np.argsort(gains, kind="stable")
    lost_items = [index for index in order.tolist() if gains[index] < 0][:_MAX_CHANGED]
    gained_items = [index for index in order[::-1].tolist() if gains[index] > 0][:_MAX_CHANGED]
    return [*lost_items, *gained_items]


def _decision(low: float, high: float, margin: float | None) -> Decision:
    """Return what an interval of the improvement shows."""
    if low > 0:
        return "better"
    if high < 0 and (margin is None or low <= -margin):
        return "worse"
    if margin is not None and low > -margin:
        return "no worse"
    return "undecided"


def _items_needed(
    n: int, difference: float, low: float, high: float, margin: float | None
) -> float:
    """Return how many items would probably be enough to decide, if differences stay the same."""
    distances = [abs(difference)]
    if margin is not None and difference > -margin:
        distances.append(difference + margin)
    half_width, distance = _POWER_FACTOR * (high - low) / 2, max(distances)
    if math.isnan(half_width) or distance <= 0:
        return math.inf
    return max(n + 1.0, math.ceil(n * (half_width / distance) ** 2))


def gate_tables(gate: Gate) -> Iterator[Table]:
    """Show the decisions, and the items that changed most."""
    rows: list[tuple[Cell, ...]] = [
        (
            g.task or "–", with_arrow(g.measure, g.direction), g.n, g.baseline, g.candidate,
            g.difference, g.low, g.high, g.decision, _format_items(g.items),
        )
        for g in gate.measures
    ]  # fmt: skip
    columns = (
        "task", "measure", "n", gate.baseline, gate.candidate, "improvement", "low", "high",
        "decision", "items to decide",
    )  # fmt: skip
    if gate.margin is None:
        margin_note = "It fails only if a measure is worse."
    else:
        margin_note = f"It passes only if no measure can be worse by {gate.margin:g} or more."
    explanation = "Intervals hold for all measures together; items to decide: for a power of 0.8."
    fewest_items = min(g.n for g in gate.measures)
    few_items_note = (
        f"\nOnly {fewest_items} items: intervals of fewer than {_MIN_ITEMS} are rough, and "
    )
    few_items_note += "only large differences can be shown."
    note = f"{gate.conclusion}\n{margin_note} {explanation}"
    note += few_items_note * (fewest_items < _MIN_ITEMS)
    yield Table(
        columns, tuple(rows), f"Gate: {gate.candidate} against {gate.baseline}", note, name="gate"
    )
    changed_rows: list[tuple[Cell, ...]] = [
        (g.measure, name, before, after, after - before)
        for g in gate.measures
        for name, before, after in g.changed
    ]
    if changed_rows:
        yield Table(
            ("measure", "item", gate.baseline, gate.candidate, "change"), tuple(changed_rows),
            "Items that changed most",
            f"Up to {_MAX_CHANGED} losses and {_MAX_CHANGED} gains per measure.",
            name="changed",
        )  # fmt: skip


def _format_items(items: float) -> str:
    if math.isnan(items):
        return ""
    return f"{items:,.0f}" if items < 1e6 else "over a million"
