"""What is doubtful in data: the question `check`, its tables, its page, and the repaired copy."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.checks import find_problems
from pyramidion.collection import Collection, Finding, Repairs, ScoreMatrix, find_measure
from pyramidion.collection.findings import Repair, address_name
from pyramidion.collection.formats import write_collection
from pyramidion.collection.ids import brief_list, grouped
from pyramidion.collection.sources import ScoreReading, Source, choices_option
from pyramidion.errors import InputError, Where
from pyramidion.files.writing import write_text
from pyramidion.questions import argument, option, question
from pyramidion.rendering.charts import Picture
from pyramidion.rendering.charts.bars import BarPart, bars_picture
from pyramidion.rendering.labels import counted, escape
from pyramidion.rendering.page import (
    Section,
    folded_block,
    paragraph,
    picture_block,
    render_page,
    table_block,
)
from pyramidion.rendering.result import Chart, Result, signed
from pyramidion.rendering.saving import FIGURE_FOLDER, PAGE_FILE
from pyramidion.rendering.table import Cell, Table

#: Affected rows that a page lists.
_MAX_LISTED_ROWS = 200

#: Findings of one kind that a terminal shows one by one.
_MAX_PER_KIND = 5

#: A system or judge is left out of the repaired copy if this share of its rows is affected.
_NEARLY_ALL_SHARE = 0.9

#: Bars of a histogram.
_N_BINS = 12

_HISTOGRAM_PARTS = (BarPart("other scores", "u", "ink"), BarPart("affected", "l2", "on"))
_SEVERITY_TITLES = {
    "fatal": "cannot be used",
    "severe": "probably wrong",
    "warning": "may be wrong",
    "note": "worth knowing",
}


@dataclass(frozen=True, slots=True)
class CheckInput(ScoreReading):
    """The data to check."""

    source: Source | Sequence[Source] = argument(
        "Collection, table of scores, judgments or preferences, or scoring stream; several are "
        "joined.", multiple=True,
    )  # fmt: skip
    choices: tuple[str, ...] = choices_option()
    fix: bool = option(
        False, "Write a repaired copy (to NAME-repaired unless --repaired names it) and a log of "
        "the changes; the source is never changed.", flags=("--fix",),
    )  # fmt: skip
    repaired: Path | None = option(
        None, "New file or folder for the repaired copy.", metavar="DESTINATION"
    )

    @property
    def sources(self) -> tuple[Any, ...]:
        """The sources one by one."""
        paths = self.source if isinstance(self.source, list | tuple) else (self.source,)
        return tuple(paths)

    def destination(self, collection: Collection) -> Path:
        """Return where the repaired copy goes; refuse a source, and anything that exists."""
        path = self.repaired
        if path is None:
            first_source = self.sources[0]
            name = (
                Path(first_source).name.split(".")[0]
                if isinstance(first_source, str | Path)
                else ""
            )
            ending = "" if collection.summaries else ".csv"
            ending = ".preferences.csv" if len(collection.preferences) else ending
            path = Path(f"{name or collection.name or 'data'}-repaired{ending}")
        if path.exists() or path.with_name(f"{path.name}.log").exists():
            hint = "name a new one with --repaired"
            raise InputError("the repaired copy would replace this file", hint, where=Where(path))
        return path


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CheckResult(Result[Finding]):
    """The findings about the data, the most severe first."""

    saves = (PAGE_FILE, FIGURE_FOLDER)


@question
def check(data: CheckInput) -> CheckResult:
    """List suspicious data, with the effect on results and the option that fixes the problem.

    Texts, scores, judges, preferences and columns are checked; the exit code is 1 if anything may
    make an answer wrong. --fix writes a repaired copy and a log of the changes.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = check(load_demo())
    >>> result.ok, len(result)
    (True, 0)
    """
    collection = data.read_source(data.source, strict=False)
    findings = [_with_effect(collection, finding) for finding in find_problems(collection)]
    findings += _find_hidden_problems(collection, findings)
    changes: tuple[str, ...] = ()
    if data.fix or data.repaired is not None:
        changes = _write_repaired(collection, findings, data)
    return CheckResult(
        command="check",
        signature=signed("check", collection.data_hash),
        values=findings,
        record=partial(_record, collection),
        tables=[_overview(findings), *_tables(findings)],
        left_out=collection.left_out,
        mended=(*collection.repaired, *changes),
        charts=[
            chart for number, f in enumerate(findings) for chart in _chart(collection, f, number)
        ],
        page=partial(_page, collection, findings, data),
        ok=all(finding.severity == "note" for finding in findings),
    )


def _find_hidden_problems(collection: Collection, findings: Sequence[Finding]) -> list[Finding]:
    """Find problems that only appear after a repair, as in a reversed judge with a -999."""
    # A judge may only seem reversed after another one has been reversed.
    repairs = [
        r for r in _applicable_repairs(collection, findings) if r.option in ("missing", "exclude")
    ]
    if not repairs:
        return []
    listed_findings = {(finding.kind, finding.subject) for finding in findings}
    return [
        replace(f, rows=None, summaries=(), message=f"once the rest is fixed: {f.message}")
        for f in find_problems(_apply_repairs(collection, repairs))
        if f.repairs and (f.kind, f.subject) not in listed_findings and f.severity != "note"
    ]


def _record(collection: Collection, finding: Finding) -> dict[str, Any]:
    """Return a finding for JSON, with the ids of everything affected."""
    return {**finding.to_dict(), "affected": _name_affected(collection, finding)}


def _name_affected(collection: Collection, finding: Finding, limit: int | None = None) -> list[str]:
    """Name the affected summaries, scores or preferences."""
    if finding.summaries:
        return [address_name(*key) for key in finding.summaries[:limit]]
    rows = [] if finding.rows is None else np.asarray(finding.rows).tolist()[:limit]
    if rows and finding.of_preferences:
        columns = collection.preferences.columns
        parts = ("topic", "first", "second", "assessor")
        return [", ".join(filter(None, (columns[name][row] for name in parts))) for row in rows]
    columns = collection.scores.columns
    names = ("task", "topic", "system", "assessor", "measure")
    cells = (tuple(columns[name][row] for name in names) for row in rows)
    return [f"{address_name(*address)}, {measure}" for *address, measure in cells]


def _number_affected(finding: Finding) -> int | None:
    rows = 0 if finding.rows is None else len(finding.rows)
    return len(finding.summaries) or rows or None


def _overview(findings: Sequence[Finding]) -> Table:
    levels = ["fatal" if finding.fatal else finding.severity for finding in findings]
    rows = tuple((meaning, levels.count(level)) for level, meaning in _SEVERITY_TITLES.items())
    verdict = "Nothing doubtful was found." if not findings else ""
    return Table(("", "findings"), rows, title="Checked", note=verdict, name="overview")


def _tables(findings: Sequence[Finding]) -> Iterator[Table]:
    """List the findings, several of one kind together, most severe first."""
    rows: list[tuple[Cell, ...]] = []
    for group in grouped((finding.kind, finding) for finding in findings).values():
        for finding in group[:_MAX_PER_KIND]:
            level = "fatal" if finding.fatal else finding.severity
            effect = finding.effect or None
            rows.append(
                (level, finding.kind, finding.subject, finding.message, _number_affected(finding),
                 effect, finding.fix or None)
            )  # fmt: skip
        if len(group) > _MAX_PER_KIND:
            subjects_text = brief_list([finding.subject for finding in group[_MAX_PER_KIND:]])
            rows.append(("", group[0].kind, subjects_text, "the same", None, None, None))
    if rows:
        columns = ("severity", "finding", "where", "what", "affected", "effect", "fix")
        note = "--html writes a page with pictures and the affected rows; JSON lists them all."
        yield Table(columns, tuple(rows), title="Findings", note=note, name="findings")


# The effect on an answer


def _with_effect(collection: Collection, finding: Finding) -> Finding:
    """Add whether the repair would change which system leads."""
    measures = _measures_of(collection, finding)
    repairs = _applicable_repairs(collection, [finding])
    if not repairs or finding.severity == "note" or len(measures) != 1:
        return finding
    leader_before = _leader(collection, measures[0])
    leader_after = _leader(_apply_repairs(collection, repairs), measures[0])
    if not leader_before or not leader_after:
        return finding
    if leader_before != leader_after:
        change = (
            f"{leader_after} leads by {measures[0]} instead of {leader_before} once it is fixed"
        )
        return replace(finding, effect="; ".join(filter(None, (finding.effect, change))))
    return (
        finding if finding.effect else replace(finding, effect=f"{leader_before} leads either way")
    )


def _measures_of(collection: Collection, finding: Finding) -> list[str]:
    if finding.rows is None or finding.of_preferences or not len(finding.rows):
        return []
    return list(dict.fromkeys(collection.scores.columns["measure"][finding.rows]))


def _leader(collection: Collection, measure: str) -> str:
    """Return the machine with the best mean, over all tasks; empty if there is none."""
    rows = collection.scores.select(measure=measure).select(kind="machine")
    if not len(rows):
        return ""
    means_by_system: dict[str, list[float]] = {}
    for task in rows.distinct("task"):
        matrix = ScoreMatrix.from_scores(rows, measure, task=task)
        for system, mean in zip(matrix.systems, matrix.means().tolist(), strict=True):
            means_by_system.setdefault(system, []).append(mean)
    definition = find_measure(measure, collection.measures)
    sign = -1 if definition and definition.lower_is_better else 1
    means = {system: sign * float(np.nanmean(values)) for system, values in means_by_system.items()}
    return max(sorted(means), key=means.__getitem__)


# The repaired copy


def _applicable_repairs(collection: Collection, findings: Sequence[Finding]) -> list[Repair]:
    """Return the repairs that can be applied to a copy of the data, each once.

    A system, judge or measure is left out only if nearly all of its rows are affected.
    """
    applicable = {"exclude", "reverse", "missing", "lower-is-better", "higher-is-better"}
    repairs = (
        repair
        for finding in findings
        for repair in finding.repairs
        if finding.severity != "note" and repair.option in applicable
        if repair.option != "exclude" or _is_all(collection, finding, repair.value)
    )
    return list(dict.fromkeys(repairs))


def _is_all(collection: Collection, finding: Finding, name: str) -> bool:
    """Return whether a finding affects nearly all summaries or scores with a name."""
    if finding.summaries:
        number = sum(summary.system == name for summary in collection.summaries)
        return len(finding.summaries) >= _NEARLY_ALL_SHARE * number
    if finding.rows is None or finding.of_preferences:
        return False
    columns = collection.scores.columns
    kinds = ("system", "topic", "assessor", "measure")
    number = max(int((columns[kind] == name).sum()) for kind in kinds)
    return len(finding.rows) >= _NEARLY_ALL_SHARE * number > 0


def _apply_repairs(collection: Collection, repairs: Sequence[Repair]) -> Collection:
    """Apply repairs one after the other; one that an earlier one made unnecessary is skipped."""
    for repair in repairs:
        name = repair.option.replace("-", "_")
        with suppress(InputError):
            collection = Repairs(**{name: (repair.value,)}).apply(collection)
    return collection


def _write_repaired(
    collection: Collection, findings: Sequence[Finding], data: CheckInput
) -> tuple[str, ...]:
    """Write the repaired copy and the log; return what was changed."""
    repairs = _applicable_repairs(collection, findings)
    destination = data.destination(collection)
    if not repairs:
        return ("nothing can be repaired by --fix; no copy was written",)
    copy = _apply_repairs(collection, repairs)
    not_written = write_collection(copy, destination)
    lines = [
        f"source: {', '.join(map(str, data.sources))} (data {collection.data_hash})",
        f"copy: {destination} (data {copy.data_hash})",
        *(f"changed: {line}" for line in _changes(collection, copy, findings, repairs)),
        *(f"not in the copy: {line}" for line in not_written),
        *(f"not repaired: {f.kind}: {f.subject}: {f.message}" for f in findings
          if f.severity != "note" and not set(f.repairs) & set(repairs)),
    ]  # fmt: skip
    log = destination.with_name(f"{destination.name}.log")
    write_text(log, "\n".join(lines) + "\n")
    return (f"{destination} contains the repaired data, and {log.name} the changes",)


def _changes(
    before: Collection, after: Collection, findings: Sequence[Finding], repairs: Sequence[Repair]
) -> Iterator[str]:
    for finding in findings:
        for repair in finding.repairs:
            if repair in repairs and finding.severity != "note":
                yield f"{repair.flag} ({finding.kind}: {finding.subject})"
    yield from after.repaired[len(before.repaired) :]
    for name, old_count, new_count in (
        ("scores", len(before.scores), len(after.scores)),
        ("summaries", len(before.summaries), len(after.summaries)),
        ("preferences", len(before.preferences), len(after.preferences)),
    ):
        if old_count != new_count:
            yield f"{old_count - new_count:,} of {old_count:,} {name} were left out"


# Pictures and the page


def _chart(collection: Collection, finding: Finding, number: int) -> Iterator[Chart]:
    """Draw what a finding is about: its bars, or all scores with the affected ones marked."""
    measures = _measures_of(collection, finding)
    if finding.bars or len(measures) == 1:
        draw = partial(_picture, collection, finding)
        caption = f"{finding.subject}: {finding.kind}"
        yield Chart("finding", draw, caption=caption, name=f"{number + 1}-{finding.code}")


def _picture(collection: Collection, finding: Finding) -> Picture:
    if finding.bars:
        names = [name for name, _ in finding.bars]
        amounts = np.array([[value] for _, value in finding.bars])
        part = BarPart(finding.bars_title, "h2", "on")
        note = finding.message
        return bars_picture(
            names, np.maximum(amounts, 0), [part], title=finding.kind, note=note,
            label=finding.bars_title, number_format=".2f",
        )  # fmt: skip
    measure = _measures_of(collection, finding)[0]
    of_measure = collection.scores.columns["measure"] == measure
    is_affected = np.zeros(len(collection.scores), dtype=bool)
    is_affected[finding.rows] = True
    values = collection.scores.value
    steps = np.unique(values[of_measure])
    if len(steps) <= _N_BINS:
        edges, names = np.append(steps, np.inf), [f"{step:g}" for step in steps]
    else:
        edges = np.linspace(steps[0], steps[-1], _N_BINS + 1)
        names = [f"{low:.3g} to {high:.3g}" for low, high in pairwise(edges)]
    bins = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(names) - 1)
    amounts = np.column_stack([
        np.bincount(bins[of_measure & (is_affected == is_marked)], minlength=len(names))
        for is_marked in (False, True)
    ])  # fmt: skip
    return bars_picture(
        names, amounts, _HISTOGRAM_PARTS, title=f"{measure}: {finding.subject}",
        note=finding.message,
        label="number of scores",
    )  # fmt: skip


def _page(collection: Collection, findings: Sequence[Finding], data: CheckInput) -> str:
    """Make the page: one section per finding, with its picture and the affected rows."""
    sections = [
        Section(f"{finding.subject}: {finding.kind}", tuple(_blocks(collection, finding)))
        for finding in findings
    ]
    tables = (replace(table.take([0, 1, 2, 4, 6]), note="") for table in _tables(findings))
    overview = Section("Overview", tuple(map(table_block, tables)))
    name = collection.name or ", ".join(map(str, data.sources))
    n_doubtful = sum(finding.severity != "note" for finding in findings)
    lead = f"{counted(n_doubtful, 'finding')} in {name}." if n_doubtful else "Nothing is doubtful."
    left_out = (paragraph(f"Left out: {line}.", soft=True) for line in collection.left_out)
    closing = Section("What was not checked", tuple(left_out))
    parts = [overview, *sections, *([closing] if closing.blocks else [])]
    signature = str(signed("check", collection.data_hash))
    return render_page(f"Check of {name}", parts, lead=lead, signature=signature)


def _blocks(collection: Collection, finding: Finding) -> Iterator[str]:
    yield paragraph(f"{finding.message[0].upper()}{finding.message[1:]}.")
    if finding.effect:
        yield paragraph(f"Effect: {finding.effect}.")
    if finding.fix:
        yield f"<p>Fix: <code>{escape(finding.fix)}</code></p>"
    for chart in _chart(collection, finding, 0):
        yield picture_block(_picture(collection, finding), chart.caption)
    if number := _number_affected(finding):
        shown_rows = _name_affected(collection, finding, _MAX_LISTED_ROWS)
        suffix = f" and {number - len(shown_rows):,} more" if number > len(shown_rows) else ""
        yield folded_block(
            f"{counted(number, 'row')} affected", paragraph("; ".join(shown_rows) + suffix)
        )
