"""The question `reproduce`: printed numbers, ours next to them, and a verdict."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pyramidion.collection.files import write_text
from pyramidion.errors import InputError, NotFoundError, did_you_mean
from pyramidion.questions import Options, argument, option, question
from pyramidion.rendering.charts.bars import BarPart, bars_picture
from pyramidion.rendering.charts.picture import Picture
from pyramidion.rendering.labels import counted
from pyramidion.rendering.page import Section, chart_blocks, paragraph, render_page, table_block
from pyramidion.rendering.result import Chart, Result, signed
from pyramidion.rendering.saving import FIGURE_FOLDER, Savable
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import View, columns, data
from pyramidion.studies._reproduce import from_documents, from_scores
from pyramidion.studies._reproduce.data_folder import DataFolder
from pyramidion.studies._reproduce.printed import (
    COMPUTATIONS,
    NOTHING,
    Basis,
    Computed,
    Match,
    Printed,
    documents,
    match,
    printed_number,
)

Status = Literal["exact", "off", "fitted", "needs"]
# An entry that agrees with other printed numbers was not computed again from data.
_STATUSES: dict[tuple[Status, Basis], str] = {
    ("exact", "data"): "computed from data, as printed",
    ("off", "data"): "computed from data, differs",
    ("exact", "documents"): "agrees with other printed numbers",
    ("off", "documents"): "differs from other printed numbers",
    ("fitted", "fitted"): "only checked for consistency",
    ("needs", "documents"): "not computed",
}
# Without them, there is nothing to compute.
_MODULES = (from_documents, from_scores)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """An entry with what was computed for it; `reason` says what is missing if nothing was."""

    printed: Printed
    computed: Computed | None = None
    reason: str = ""

    @property
    def id(self) -> str:
        """The name of the entry."""
        return self.printed.id

    @property
    def matches(self) -> dict[tuple[int, int], Match]:
        """How each computed value compares with the printed one."""
        if self.computed is None:
            return {}
        texts = dict(self.printed.positions)
        return {
            at: match(texts[at], value, self.printed.rows[at[0]])
            for at, value in self.computed.values.items()
            if at in texts
        }

    @property
    def basis(self) -> Basis:
        """What the values were computed from."""
        return self.computed.basis if self.computed and self.matches else "documents"

    @property
    def status(self) -> Status:
        """Whether all computed values are as printed."""
        if not self.matches:
            return "needs"
        if self.basis == "fitted":
            return "fitted"
        return "exact" if set(self.matches.values()) == {"exact"} else "off"

    @property
    def counts(self) -> dict[str, int]:
        """The printed values: computed as printed, computed and different, and not computed."""
        results = list(self.matches.values())
        exact = results.count("exact")
        total = sum(text.count(" / ") + 1 for _, text in self.printed.positions)
        off = len(results) - exact
        if self.basis == "fitted":
            exact = off = 0
        return {"values": total, "exact": exact, "off": off, "open": total - exact - off}

    @property
    def verdict(self) -> str:
        """The conclusion in words."""
        counts, computed = self.counts, self.computed
        if computed is None or not self.matches:
            return self.reason
        how = f" ({computed.how})"
        rest = ""
        if self.status == "fitted":
            agreeing = list(self.matches.values()).count("exact")
            shares = f"{agreeing} of {counts['values']} printed values fit together"
            return f"not computed again; {shares}{how}" + f". {computed.why}" * bool(computed.why)
        if counts["open"]:
            lacking = computed.missing or self.reason or "cannot be derived"
            rest = f"; {counted(counts['open'], 'other value')}: {lacking}"
        if self.status == "exact":
            return f"exact: {counts['exact']} of {counts['values']} values{how}{rest}"
        results = list(self.matches.values())
        parts = [f"off: {counts['off']} of {len(results)} values differ, by up to {self._largest}"]
        if cut := results.count("cut off"):
            parts.append(f"{cut} of them cut off in print instead of rounded")
        why = computed.why or " ".join(self.printed.misprints)
        if why and computed.basis == "data":  # other data may differ for other reasons
            why = f"With the papers' own data, a known reason is: {why}"
        return f"{', '.join(parts)}{how}{rest}" + f". {why}" * bool(why)

    @property
    def _largest(self) -> str:
        """The largest difference from print."""
        assert self.computed is not None
        texts, sizes = dict(self.printed.positions), []
        for at, result in self.matches.items():
            value, number = self.computed.values[at], printed_number(texts[at])
            if result != "exact" and number is not None and not isinstance(value, str):
                sizes.append(abs(value - number))
        return f"{max(sizes):.3g}" if sizes else "a word"

    def table(self) -> Table:
        """Show each printed value, ours and the difference."""
        values = self.computed.values if self.computed else {}
        rows: list[tuple[Cell, ...]] = []
        for at, text in self.printed.positions:
            value, number = values.get(at), printed_number(text)
            both = number is not None and isinstance(value, float | int)
            difference = float(value) - number if both else None  # type: ignore[arg-type, operator]
            ours = value if isinstance(value, str) or value is None else f"{value:.6g}"
            name, heading = self.printed.rows[at[0]], self.printed.columns[at[1]]
            rows.append((name, heading, text, ours, difference, self.matches.get(at, "")))
        title = f"{self.id}: {self.printed.caption} ({self.printed.source})"
        note = "\n".join(filter(None, (f"Verdict: {self.verdict}", *self._remarks())))
        heads = ("row", "column", "printed", "ours", "difference", "match")
        return Table(heads, tuple(rows), title, note, 4, (("entry", self.id),), "values")

    def _remarks(self) -> Iterator[str]:
        if self.printed.needs:
            yield f"Needs: {', '.join(self.printed.needs)}."
        if self.printed.same_as:
            yield f"The same as {self.printed.same_as}."
        yield from (f"Misprint: {line}" for line in self.printed.misprints)
        if self.printed.readings:
            yield f"Readings: {', '.join(map(str, self.printed.readings))} (docs/readings.md)."


def _cells(row: Reproduction) -> list[dict[str, Any]]:
    values = row.computed.values if row.computed else {}
    return [
        {
            "row": row.printed.rows[at[0]], "column": row.printed.columns[at[1]], "printed": text,
            "ours": values.get(at), "match": row.matches.get(at),
        }
        for at, text in row.printed.positions
    ]  # fmt: skip


LIST: View[Reproduction] = View(
    "entries",
    (
        *columns("id"),
        *columns(of="printed", caption="title"),
        data("kind", lambda row: row.printed.kind),
        data("source", lambda row: row.printed.source),
        data("needs", lambda row: row.printed.needs),
        *columns("status", "basis", "verdict"),
        data("counts"),
        data("misprints", lambda row: row.printed.misprints),
        data("same_as", lambda row: row.printed.same_as),
        data("cells", _cells),
    ),
)


@dataclass(frozen=True, slots=True)
class ReproduceOptions(Options):
    """Which entries are computed, and from what data."""

    names: tuple[str, ...] = argument(
        "Tables, figures and results, such as rankel-4.1.", default=(), multiple=True
    )
    data: Path | None = option(
        None, "Folder with score tables (tac2008.csv, tac2009.csv, ...) or releases of NIST "
        "(tac2008, ...); without it, entries are computed from the documents alone.",
        metavar="FOLDER",
    )  # fmt: skip
    every: bool = option(False, "Show all entries.", flags=("--all",))
    listed: bool = option(False, "List the entries with one line each.", flags=("--list",))
    as_printed: bool = option(
        True, "Use the switches that only the papers need; with --no-as-printed, systems are "
        "compared with the defaults of Pyramidion.", flags=("--as-printed/--no-as-printed",),
    )  # fmt: skip


def _page_writer(result: Any) -> Any:
    return partial(write_text, text=result.to_page())


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReproduceResult(Result[Reproduction]):
    """The entries, ours next to the printed numbers."""

    saves = (
        FIGURE_FOLDER,
        Savable(
            "output", "Write the answer to this file; .html is a page with tables and figures.",
            _page_writer, flags=("--output", "-o"), metavar="FILE",
            instead_of_answer=lambda name: name.endswith((".html", ".htm")),
        ),
    )  # fmt: skip


@question
def reproduce(options: ReproduceOptions) -> ReproduceResult:
    """Show the papers' tables and results next to ours: exact, off and why, or what is needed.

    Every table, figure and printed result of Rankel's dissertation, three papers and Nenkova's
    thesis has a name. Some follow from other printed numbers; others need data of NIST.

    Examples
    --------
    >>> result = reproduce("nenkova-5.4")
    >>> print(result[0].verdict.partition(",")[0])
    off: 1 of 4 values differ
    >>> result[0].printed.value("1 out of 4", "found"), result[0].computed.values[(0, 2)]
    (15.0, 25.423728813559322)
    """
    folder = DataFolder(options.data, as_printed=options.as_printed)
    folder.check()
    rows = [reproduced(printed, folder) for printed in _chosen(options)]
    brief = options.listed or not (options.names or options.every)
    result = ReproduceResult(
        command="reproduce",
        signature=signed("reproduce", entries=len(rows), data_sets=folder.summary or "none"),
        values=rows,
        record=LIST.record,
        tables=[_summary(rows), *([_list(rows)] if brief else [row.table() for row in rows])],
        charts=[Chart("values", partial(_picture, rows), "Printed values by document.")],
        left_out=folder.left_out,
    )
    object.__setattr__(result, "page", partial(_page, result))
    return result


def _chosen(options: ReproduceOptions) -> list[Printed]:
    """Return the named entries, or all."""
    entries = documents().entries
    for name in options.names:
        if name not in entries:
            hint = f"{did_you_mean(name, entries)}`pyramidion reproduce --list` lists all"
            raise InputError(f"there is no entry {name!r}", hint=hint)
    return [entries[name] for name in dict.fromkeys(options.names)] or list(entries.values())


def reproduced(printed: Printed, folder: DataFolder) -> Reproduction:
    """Compute an entry; entries that repeat another one share its computation."""
    original = documents()[printed.same_as] if printed.same_as else printed
    if original.id in NOTHING:
        return Reproduction(printed, None, f"nothing to compute: {NOTHING[original.id]}")
    lacking = folder.missing(original.needs)
    reason = f"needs {_needed(lacking)}" if lacking else ""
    compute = COMPUTATIONS.get(original.id)
    if compute is None:
        return Reproduction(printed, None, reason or _not_automatic(original))
    try:
        return Reproduction(printed, _moved(compute(original, folder), original, printed), reason)
    except NotFoundError as error:
        return Reproduction(printed, None, reason or f"needs {error}")


def _moved(computed: Computed, original: Printed, printed: Printed) -> Computed:
    """Return what was computed for rows that another document prints as well."""
    values = {
        (printed.rows.index(original.rows[row]), column): value
        for (row, column), value in computed.values.items()
        if original.rows[row] in printed.rows
    }
    return computed if printed is original else replace(computed, values=values)


def _not_automatic(printed: Printed) -> str:
    """Say what an entry without a computation is about."""
    return f"needs work by hand on {_needed(printed.needs)}" if printed.needs else "needs nothing"


def _needed(names: Sequence[str]) -> str:
    """Describe data sets: a score table and what it must hold, or a release."""
    sets = documents().data_sets
    return "; ".join(f"{name} ({sets[name]})" for name in names)


def _summary(rows: Sequence[Reproduction]) -> Table:
    """Count entries and values by status."""
    body: list[tuple[Cell, ...]] = []
    for key, title in _STATUSES.items():
        chosen = [row for row in rows if (row.status, row.basis) == key]
        sums = [sum(row.counts[name] for row in chosen) for name in ("exact", "off", "open")]
        body.append((title, len(chosen), *sums))
    totals = zip(*(row[1:] for row in body), strict=True)
    body.append(("all", *(sum(map(int, column)) for column in totals)))
    heads = ("entries", "number", "values as printed", "values that differ", "values not computed")
    return Table(heads, tuple(body), "Printed results", name="summary")


def _list(rows: Sequence[Reproduction]) -> Table:
    return LIST.table(rows, "Entries")


_PARTS = (
    BarPart("as printed", "h2", "on"),
    BarPart("differs", "l2", "on"),
    BarPart("not computed", "u", "ink"),
)


def _picture(rows: Sequence[Reproduction]) -> Picture:
    """Draw how many printed values of each document were computed."""
    names = list(dict.fromkeys(row.printed.document for row in rows))
    counts = np.array([
        [
            sum(row.counts[key] for row in rows if row.printed.document == name)
            for key in ("exact", "off", "open")
        ]
        for name in names
    ])  # fmt: skip
    return bars_picture(
        names, counts, _PARTS, title="Printed values and ours", label="printed values",
        note=counted(len(rows), "entry", "entries"),
    )  # fmt: skip


def _page(result: ReproduceResult) -> str:
    """Write all entries as one page, by document."""
    rows, names = list(result), dict.fromkeys(row.printed.document for row in result)
    sections = [
        Section("Overview", (table_block(_summary(rows)), *chart_blocks(result.charts))),
        *(
            Section(name, tuple(_blocks([r for r in rows if r.printed.document == name])))
            for name in names
        ),
    ]
    lead = "Printed numbers of the papers, what Pyramidion computes, and why they differ."
    return render_page(
        "The papers, reproduced", sections, lead=lead, signature=str(result.signature)
    )


def _blocks(rows: Sequence[Reproduction]) -> Iterator[str]:
    for row in rows:
        if row.matches:
            yield table_block(row.table())
        else:
            yield paragraph(f"{row.id}: {row.printed.caption}. {row.verdict}")
