"""Judges whose scores are implausible."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.checks.finding import Finding
from pyramidion.collection.checks.measured import Measured
from pyramidion.collection.ids import grouped

_ENOUGH = 10


def judge_findings(measured: Measured, people: set[str]) -> Iterator[Finding]:
    """Find judges whose scores of a measure are implausible."""
    if len(measured.judges) < 2:
        return
    if not measured.is_large:
        yield from _other_scales(measured, measured.judges)
    yield from _lonely(measured, people)
    yield from _echoes(measured)


def _other_scales(measured: Measured, judges: Sequence[tuple[str, Floats]]) -> Iterator[Finding]:
    for index, (name, values) in enumerate(judges):
        rest = np.concatenate([scores for i, (_, scores) in enumerate(judges) if i != index])
        if len(values) < 5 or len(rest) < 5:
            continue
        above = np.median(values) > rest.max() and values.max() >= 1.5 * rest.max()
        below = values.max() < np.quantile(rest, 0.05) and rest.max() >= 1.5 * values.max()
        if above or below:
            message = f"scores {measured.title} from {values.min():g} to {values.max():g}, the "
            message += f"others from {rest.min():g} to {rest.max():g}; are the scales the same?"
            yield Finding("judges on different scales", f"assessor {name}", message)


def _lonely(measured: Measured, people: set[str]) -> Iterator[Finding]:
    """Find machines that a single assessor judged while others had several."""
    codes, names = measured.codes, measured.names
    every = np.unique(codes["system"] * len(names["assessor"]) + codes["assessor"]).tolist()
    pairs = (divmod(pair, len(names["assessor"])) for pair in every)
    named = ((names["system"][system], names["assessor"][judge]) for system, judge in pairs)
    judges = grouped((system, judge) for system, judge in named if judge)
    most = max(map(len, judges.values()))
    for name, assessors in judges.items():
        if len(assessors) == 1 < most and name not in people:
            message = f"only {assessors[0]} judged its {measured.title}, others had up to {most} "
            message += "judges; a severe judge would look like a bad system"
            yield Finding("system with one judge", f"system {name}", message)


def _echoes(measured: Measured) -> Iterator[Finding]:
    """Find assessors who gave the same scores to everything they both judged."""
    codes = measured.codes
    item = codes["topic"] * len(measured.names["system"]) + codes["system"]
    judged: dict[int, dict[int, float]] = {}
    for judge, summary, value in zip(
        codes["assessor"].tolist(), item.tolist(), measured.value.tolist(), strict=True
    ):
        if measured.names["assessor"][judge]:
            judged.setdefault(judge, {})[summary] = value
    for first, second in combinations(judged, 2):
        a, b = judged[first], judged[second]
        shared = a.keys() & b.keys()
        if len(shared) < _ENOUGH or any(a[item] != b[item] for item in shared):
            continue
        if len({a[item] for item in shared}) > 2:
            names = measured.names["assessor"]
            subject = f"assessors {names[first]} and {names[second]}"
            message = f"their {measured.title} is the same on all {len(shared)} summaries both "
            message += "judged; was one copied?"
            yield Finding("judges with identical scores", subject, message)
