"""Diagnosis: the heavy content units that summaries missed, and what they said instead."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyramidion.collection import Signature
from pyramidion.errors import InputError
from pyramidion.pyramid._source import Selection, read_cases, without_tasks
from pyramidion.pyramid.cases import Case
from pyramidion.pyramid.missed import Missed, missed_units
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.table import Table, WideTable

__all__ = ["pyramid_missed_answer"]


def pyramid_missed_answer(
    source: str | Path, selection: Selection, *, least: int | None = None, top: int = 10
) -> Answer:
    """Show which heavy content units each summary missed, and what it said instead.

    Parameters
    ----------
    source
        Anything with pyramids, annotated peers or answers for content units.
    selection
        Which summaries are wanted.
    least
        The weight from which a unit counts as heavy, see `missed_units`.
    top
        How many units are shown for a summary; JSON and CSV have all.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Collection, Pyramid
    >>> texts = {"A": "Ice melts.", "B": "Ice melts.", "C": "It is old."}
    >>> pyramid = Pyramid.from_references(texts, [
    ...     ("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...     ("It is old", {"C": ["It is old"]})])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("", pyramids={("", "T1"): pyramid}).save(f"{folder}/mine")
    ...     answer = pyramid_missed_answer(f"{folder}/mine", Selection())
    >>> [(result["system"], [scu["label"] for scu in result["missed"]])
    ...  for result in answer.results]
    [('A', ['It is old']), ('B', ['It is old']), ('C', ['Ice melts'])]
    """
    if least is not None and least < 1:
        raise InputError(f"every unit weighs {least} or more", hint="give 1 or more")
    read = read_cases(source, selection)
    found = [(case, missed_units(case, least=least)) for case in read.cases]
    details = (*selection.details, *([("least", str(least))] if least is not None else []))
    tables = [_table(case, missed, top) for case, missed in found]
    # What is missed most can be told where summaries of one topic are compared.
    if len({(case.task, case.topic) for case, _ in found}) < len(found):
        tables.append(_often(found, top))
    return Answer(
        command="pyramid missed",
        signature=Signature("pyramid-missed", data=read.data, details=details),
        results=[_result(case, missed) for case, missed in found],
        tables=tuple(tables),
        left_out=read.left_out,
    )


def _result(case: Case, missed: Missed) -> dict[str, Any]:
    scores = case.scores()
    return {
        "task": case.task,
        "topic": case.topic,
        "system": case.system,
        "kind": case.kind,
        "assessor": case.assessor,
        "weight": scores.weight,
        "max": scores.max,
        "modified": scores.modified,
        "least_weight": missed.least,
        "heavy": missed.heavy,
        "missed": [_unit(case, row) for row in missed.missed],
        "lighter": [_unit(case, row) for row in missed.light],
        "outside": missed.outside if case.content.complete else None,
        "repeated": missed.repeated if case.content.complete else None,
    }


def _unit(case: Case, row: int) -> dict[str, Any]:
    units = case.units
    return {
        "uid": units.uids[row],
        "weight": int(units.weighing.weights[row]),
        "label": units.labels[row],
    }


def _table(case: Case, missed: Missed, top: int) -> Table:
    rows = tuple(tuple(_unit(case, row)[name] for name in _UNIT) for row in missed.missed)
    more = len(rows) - top
    by = f", as {case.assessor} answered" if case.assessor else ""
    whose = {"task": case.task, "topic": case.topic, "system": case.system}
    table = Table(
        ("weight", "SCU", "label"),
        rows,
        title=f"{case.name}{by}: {_verdict(missed)}",
        note=(f"And {more} more. " if more > 0 else "") + _instead(case, missed, top),
        key=tuple((whose | ({"assessor": case.assessor} if by else {})).items()),
    )
    return _first_rows(table, top)


def _first_rows(table: Table, top: int) -> Table:
    """Show people the first rows; files have all."""
    shown = replace(table, rows=table.rows[:top])
    return WideTable(
        shown.columns, shown.rows, shown.title, shown.note, numbers=table, narrow=shown
    )


def _verdict(missed: Missed) -> str:
    heavy = f"of weight {missed.least} or more"
    if not missed.heavy:
        return f"the pyramid has no unit {heavy}"
    return f"missed {len(missed.missed)} of the {missed.heavy} units {heavy}"


_UNIT = ("weight", "uid", "label")


def _instead(case: Case, missed: Missed, top: int) -> str:
    """Say in a sentence what else the summary spent its units on."""
    light = [_unit(case, row) for row in missed.light]
    labels = "; ".join(f"{unit['label'] or unit['uid']} ({unit['weight']})" for unit in light[:top])
    more = "; …" if len(light) > top else ""
    parts = [f"{counted(len(light), 'lighter unit')} ({labels}{more})"] if light else []
    if missed.outside:
        parts.append(f"{missed.outside} outside the pyramid")
    if missed.repeated:
        parts.append(f"{missed.repeated} repeated")
    has = "It has instead" if missed.missed else "It also has"
    return f"{has}: {', '.join(parts)}." if parts else ""


def _often(found: Sequence[tuple[Case, Missed]], top: int) -> Table:
    """Count how many summaries missed each unit."""
    seen: Counter[tuple[str, str]] = Counter((case.task, case.topic) for case, _ in found)
    counts: Counter[tuple[str, str, str, str]] = Counter()
    weights: dict[tuple[str, str, str, str], int] = {}
    for case, missed in found:
        for row in missed.missed:
            unit = _unit(case, row)
            key = (case.task, case.topic, unit["uid"], unit["label"])
            counts[key] += 1
            weights[key] = max(weights.get(key, 0), unit["weight"])
    order = sorted(counts, key=lambda key: -weights[key] * counts[key] / seen[key[:2]])
    rows = tuple((*key[:2], weights[key], *key[2:], counts[key], seen[key[:2]]) for key in order)
    columns = ("task", "topic", "weight", "SCU", "label", "missed by", "of")
    title = "Missed most: weight times the share of summaries"
    return _first_rows(without_tasks(Table(columns, rows, title=title)), top)
