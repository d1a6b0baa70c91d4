"""The question `reproduce`: printed numbers, ours next to them, and a verdict."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Any, Literal

from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError, did_you_mean
from pyramidion.files.writing import write_text
from pyramidion.questions import Options, argument, option, question
from pyramidion.rendering.charts import Picture
from pyramidion.rendering.labels import counted
from pyramidion.rendering.page import (
    Section,
    folded_block,
    picture_block,
    render_page,
    table_block,
)
from pyramidion.rendering.result import Chart, Result, signed
from pyramidion.rendering.saving import FIGURE_FOLDER, Savable
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import View, columns, data, shown
from pyramidion.studies._reproduce import from_scores, from_texts
from pyramidion.studies._reproduce.data_folder import DataFolder
from pyramidion.studies._reproduce.from_documents import NOT_COMPUTED, WITHOUT_DATA_SET
from pyramidion.studies._reproduce.pictures import counts_picture, power_picture, values_picture
from pyramidion.studies._reproduce.printed import (
    FROM_DATA,
    FROM_DOCUMENTS,
    Basis,
    ComputedEntry,
    Match,
    Position,
    PrintedEntry,
    compare_with_print,
    count_decimals,
    documents,
    place_values,
    printed_number,
)

Status = Literal["exact", "off", "fitted", "needs", "nothing"]
# An entry that agrees with other printed numbers was not computed again from data.
_STATUSES: dict[tuple[Status, Basis], str] = {
    ("exact", "data"): "computed from data, as printed",
    ("off", "data"): "computed from data, differs",
    ("exact", "documents"): "agrees with other printed numbers",
    ("off", "documents"): "differs from other printed numbers",
    ("fitted", "fitted"): "only checked for consistency",
    ("needs", "other"): "shown on other data",
    ("needs", "documents"): "not computed",
    ("nothing", "documents"): "nothing to compute",
}
#: Entries whose numbers were searched for to fit the entry itself, which reproduces nothing.
_FITTED_IDS = ("rankel-7.5", "nenkova-s3.4-inventories")
_DOCUMENT_TITLES = {
    "rankel": "Rankel's dissertation", "emnlp": "EMNLP 2011", "algorithms": "Algorithms 2012",
    "acl": "ACL 2012", "nenkova": "Nenkova's thesis",
}  # fmt: skip
# Importing these modules registers the computations from data.
_MODULES = (from_scores, from_texts)
_MATCH_SIGNS = {"exact": "=", "cut off": "≈", "off": "≠"}


@dataclass(frozen=True, slots=True)
class Reproduction:
    """An entry with what was computed for it; `reason` says what is missing if nothing was."""

    printed: PrintedEntry
    computed: ComputedEntry | None = None
    reason: str = ""
    lacking: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The name of the entry."""
        return self.printed.id

    @property
    def matches(self) -> dict[Position, Match]:
        """How each computed value compares with the printed one; other data do not compare."""
        if self.computed is None or self.computed.basis == "other":
            return {}
        texts = dict(self.printed.positions)
        return {
            position: compare_with_print(texts[position], value, self.printed.rows[position[0]])
            for position, value in self.computed.values.items()
            if position in texts
        }

    @property
    def basis(self) -> Basis:
        """What the values were computed from."""
        is_other = self.computed is not None and self.computed.basis == "other"
        return self.computed.basis if self.computed and (self.matches or is_other) else "documents"

    @property
    def status(self) -> Status:
        """Whether all computed values are as printed."""
        if not self.matches:
            return "nothing" if self.reason.startswith("nothing") else "needs"
        if self.basis == "fitted":
            return "fitted"
        return "exact" if set(self.matches.values()) == {"exact"} else "off"

    @property
    def counts(self) -> dict[str, int]:
        """The printed values: computed as printed, computed and different, and not computed."""
        # A cell may hold two values.
        sizes = {position: text.count(" / ") + 1 for position, text in self.printed.positions}
        is_fitted = self.basis == "fitted"
        n_exact, n_off = (
            sum(
                sizes[position]
                for position, result in self.matches.items()
                if (result == "exact") == is_exact
            )
            for is_exact in (not is_fitted, is_fitted)
        )
        n_exact, n_off = (0, 0) if is_fitted else (n_exact, n_off)
        total = sum(sizes.values())
        return {"values": total, "exact": n_exact, "off": n_off, "open": total - n_exact - n_off}

    @property
    def short(self) -> str:
        """The verdict in a few words."""
        counts = self.counts
        if self.status == "exact":
            return f"exact: {counts['exact']} of {counts['values']}"
        if self.status == "off":
            return f"off: {counts['off']} of {counts['exact'] + counts['off']}"
        if self.status == "fitted":
            return "fitted"
        if self.status == "nothing":
            return "nothing to compute"
        texts = "texts of figures" if self.id in WITHOUT_DATA_SET else "more data"
        return f"needs {_brief_needs(self.lacking) or texts}"

    @property
    def verdict(self) -> str:
        """The conclusion in words."""
        counts, computed_entry = self.counts, self.computed
        if computed_entry is None or not (self.matches or self.basis == "other"):
            return self.reason or "the printed value cannot be read"
        if computed_entry.basis == "other":
            return f"{self.reason}. Ours, on other data ({computed_entry.how}), are not comparable"
        manner_text, open_text, results = (
            f" ({computed_entry.how})",
            "",
            list(self.matches.values()),
        )
        if self.status == "fitted":
            shares = f"{results.count('exact')} of {counts['values']} printed values fit together"
            return f"not computed again; {shares}{manner_text}{_added_sentence(computed_entry.why)}"
        if counts["open"]:
            underived_text = (
                "not in the data" if computed_entry.basis == "data" else "cannot be derived"
            )
            missing_text = computed_entry.missing or self.reason or underived_text
            open_text = f"; {counted(counts['open'], 'other value')}: {missing_text}"
        if self.status == "exact":
            values = counted(counts["values"], "value")
            return f"exact: {counts['exact']} of {values}{manner_text}{open_text}"
        n_computed = counts["exact"] + counts["off"]
        difference_text = (
            f"{counts['off']} of {n_computed} values differ"
            if n_computed > 1
            else "the value differs"
        )
        differences = [f"off: {difference_text}{self._largest_difference}"]
        if n_cut := results.count("cut off"):
            differences.append(f"{n_cut} of them truncated in print instead of rounded")
        explanation = computed_entry.why
        if computed_entry.basis == "data":  # the data may differ from those of the paper
            unknown_reason = "No reason is known; check that these are the data of the paper"
            explanation = (
                f"Known reason on the paper's own data: {explanation}"
                if explanation
                else unknown_reason
            )
        explanation = explanation or " ".join(self.printed.misprints)
        return f"{', '.join(differences)}{manner_text}{open_text}{_added_sentence(explanation)}"

    @property
    def numbers(self) -> dict[Position, tuple[float, float]]:
        """The printed and the computed numbers, where both are numbers."""
        values = self.computed.values if self.computed else {}
        texts = {position: printed_number(text) for position, text in self.printed.positions}
        return {
            position: (number, float(values[position]))
            for position, number in texts.items()
            if number is not None and position in values and not isinstance(values[position], str)
        }

    @property
    def _largest_difference(self) -> str:
        """The largest difference from print; empty if only words differ."""
        sizes = [
            abs(b - a)
            for position, (a, b) in self.numbers.items()
            if self.matches[position] != "exact"
        ]
        return f", by {'up to ' * (len(sizes) > 1)}{max(sizes):.4g}" if sizes else ""

    def _format_ours(self, position: Position, text: str) -> str | None:
        """Format a computed value with two more digits than print has."""
        value = self.computed.values.get(position) if self.computed else None
        if value is None or isinstance(value, str):
            return value
        if 0 < abs(value) < 1e-4 or "e" in text:
            return f"{value:.2g}"
        digits = count_decimals(text) + 2
        return f"{value:.{digits}f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"

    def _format_cell(self, position: Position, text: str) -> str:
        """Show a printed value and ours: ``9550 ≠ 9450``; in parentheses on other data."""
        our_cell = self._format_ours(position, text)
        if our_cell is None:
            return text
        sign = _MATCH_SIGNS.get(self.matches.get(position, ""))
        return f"{text} {sign} {our_cell}" if sign else f"{text} ({our_cell})"

    def table(self) -> Table:
        """Show the entry as printed, next to the computed values; a list if it has one column."""
        entry, texts, matches = self.printed, dict(self.printed.positions), self.matches
        # With a longer title, the columns would not fit on a line of a terminal.
        title = shorten(f"{self.id}: {entry.caption}", 78, placeholder=" …")
        heading = f"{entry.source[0].upper()}{entry.source[1:]}: {entry.caption}."
        note_lines = (heading, self._legend, f"Verdict: {self.verdict}.", *self._remarks())
        note = "\n".join(filter(None, note_lines))
        settings: Any = {
            "title": title,
            "note": note,
            "key": (("entry", self.id),),
            "name": "values",
        }
        if 1 in (len(entry.rows), len(entry.columns)):
            names = entry.rows if len(entry.columns) == 1 else entry.columns
            rows: list[tuple[Cell, ...]] = [
                (
                    names[max(position)],
                    text,
                    self._format_ours(position, text),
                    _MATCH_SIGNS.get(matches.get(position, ""), ""),
                )
                for position, text in texts.items()
            ]
            table = Table(("", "printed", "ours", "match"), tuple(rows), **settings)
        else:
            rows = [
                (name, *(self._format_cell((i, j), texts[i, j]) if (i, j) in texts else "" for j in
                         range(len(entry.columns))))
                for i, name in enumerate(entry.rows)
            ]  # fmt: skip
            table = Table(("", *entry.columns), tuple(rows), **settings)
        return table.with_variants(numbers=self._long_table(), heads=1)

    def _long_table(self) -> Table:
        """List all values, for programs."""
        values = self.computed.values if self.computed else {}
        numbers, matches = self.numbers, self.matches
        rows = tuple(
            (
                self.printed.rows[position[0]], self.printed.columns[position[1]], text,
                values.get(position),
                numbers[position][1] - numbers[position][0] if position in numbers else None,
                matches.get(position, ""),
            )
            for position, text in self.printed.positions
        )  # fmt: skip
        column_names = ("row", "column", "printed", "ours", "difference", "match")
        return Table(column_names, rows, key=(("entry", self.id),), name="values")

    @property
    def _legend(self) -> str:
        if self.basis == "other" or not self.matches:
            return "In parentheses: ours, on other data." if self.basis == "other" else ""
        return "Printed = ours, ≈ truncated in print, ≠ different."

    def _remarks(self) -> Iterator[str]:
        needs_text, verdict = _describe_needs(self.printed.needs), self.verdict
        if needs_text and needs_text not in verdict:
            yield f"Needs: {needs_text}."
        if self.printed.same_as:
            yield f"The same as {self.printed.same_as}."
        misprints = (
            line for line in self.printed.misprints if line.removesuffix(".") not in verdict
        )
        yield from (f"Misprint: {line}" for line in misprints)
        if self.printed.readings:
            yield f"Readings: {', '.join(map(str, self.printed.readings))} (docs/readings.md)."

    def picture(self) -> Picture | None:
        """Draw printed and computed numbers, unless they repeat the print or use other data."""
        if self.basis != "data" and self.status != "off":
            return None
        rows, columns = self.printed.rows, self.printed.columns
        is_single = len(columns) == 1
        pairs = {
            rows[i] if is_single else f"{rows[i]}, {columns[j]}": pair
            for (i, j), pair in self.numbers.items()
        }
        return values_picture(f"{self.id}: printed and ours", pairs)


def _added_sentence(explanation: str) -> str:
    """Format a sentence, without its full stop, to follow a verdict."""
    return f". {explanation.removesuffix('.')}" if explanation else ""


def _brief_needs(needs: Sequence[str]) -> str:
    """Name data sets briefly: TAC 2008-2010."""
    names = dict.fromkeys(need.partition(".")[0] for need in needs)
    years_by_series = grouped(
        (name[:3].upper(), name[3:]) for name in names if name[3:7].isdecimal()
    )
    joined_years = [f"{series} {_format_years(group)}" for series, group in years_by_series.items()]
    return ", ".join([*joined_years, *(name for name in names if not name[3:7].isdecimal())])


def _format_years(years: Sequence[str]) -> str:
    single_years = sorted(int(year) for year in years if year.isdecimal())
    is_consecutive = (
        len(years) == len(single_years) == single_years[-1] - single_years[0] + 1
        if single_years
        else False
    )
    return (
        f"{single_years[0]}-{single_years[-1]}"
        if is_consecutive and len(single_years) > 1
        else ", ".join(years)
    )


def _describe_needs(needs: Sequence[str]) -> str:
    """Describe data sets, the same of several years once."""
    needs_with_names = ((need, documents().data_sets[need].partition(": ")) for need in needs)
    needs_by_text = grouped((text[2] or text[0], need) for need, text in needs_with_names)
    names = {text: _brief_needs(group) for text, group in needs_by_text.items()}
    return "; ".join(f"{name} ({text})" for text, name in names.items())


def _cell_records(row: Reproduction) -> list[dict[str, Any]]:
    names = ("row", "column", "printed", "ours", "match")
    return [{name: record[name] for name in names} for record in row.table().to_records()]


LIST_VIEW: View[Reproduction] = View(
    "entries",
    (
        *columns("id"),
        shown("title", lambda row: shorten(row.printed.caption, 36, placeholder=" …")),
        data("title", lambda row: row.printed.caption),
        data("kind", lambda row: row.printed.kind),
        data("source", lambda row: row.printed.source),
        data("needs", lambda row: row.printed.needs),
        *columns(status="", basis="", verdict=""),
        *columns(short="verdict"),
        data("counts"),
        data("misprints", lambda row: row.printed.misprints),
        data("same_as", lambda row: row.printed.same_as),
        data("cells", _cell_records),
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
        "(tac2008, duc2005, ...). With any other collection, or the word demo, the computed "
        "values are shown but not compared. Without data, entries are computed from the "
        "documents alone.",
        metavar="FOLDER",
    )  # fmt: skip
    every: bool = option(False, "Show all entries.", flags=("--all",))
    listed: bool = option(False, "List the entries with one line each.", flags=("--list",))
    as_printed: bool = option(
        True, "Use options that only the papers need: the continuity correction, exactly 30 "
        "systems, excluded baselines, and alpha at the interval level. --no-as-printed uses "
        "Pyramidion's defaults.",
        flags=("--as-printed/--no-as-printed",),
    )  # fmt: skip


def _page_writer(result: Any) -> Any:
    return partial(write_text, text=result.to_page())


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReproduceResult(Result[Reproduction]):
    """The entries, with computed values next to the printed ones."""

    saves = (
        FIGURE_FOLDER,
        Savable(
            "output", "Write the output to this file (.html for a page with tables and figures).",
            _page_writer, flags=("--output", "-o"), metavar="FILE",
            instead_of_answer=lambda name: name.endswith((".html", ".htm")),
        ),
    )  # fmt: skip


@question
def reproduce(options: ReproduceOptions) -> ReproduceResult:
    """Compare the papers' tables and results with computed ones: exact, different, or data missing.

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
    reproductions = [reproduce_entry(entry, folder) for entry in _chosen_entries(options)]
    shows_list = options.listed or not (options.names or options.every)
    summary = [_summary_table(reproductions)] if len(reproductions) > 1 else []
    result = ReproduceResult(
        command="reproduce",
        signature=signed(
            "reproduce", entries=len(reproductions), data_sets=folder.summary or "none",
            switches="" if options.as_printed else "defaults",
        ),
        values=reproductions,
        record=LIST_VIEW.record,
        tables=[*summary, *([LIST_VIEW.table(reproductions,
            "Entries")] if shows_list else [r.table() for r in reproductions])],
        charts=list(_charts(reproductions, folder)),
        left_out=tuple(folder.left_out),
    )  # fmt: skip
    return replace(result, page=partial(_render_page, result))


def _chosen_entries(options: ReproduceOptions) -> list[PrintedEntry]:
    """Return the named entries, or all."""
    entries = documents().entries
    for name in options.names:
        if name not in entries:
            hint = f"{did_you_mean(name, entries)}`pyramidion reproduce --list` lists all"
            raise InputError(f"there is no entry {name!r}", hint=hint)
    return [entries[name] for name in dict.fromkeys(options.names)] or list(entries.values())


def reproduce_entry(entry: PrintedEntry, folder: DataFolder) -> Reproduction:
    """Compute an entry; entries that repeat another one share its computation."""
    original_entry = documents()[entry.same_as] if entry.same_as else entry
    if original_entry.id in WITHOUT_DATA_SET:
        return Reproduction(entry, None, f"needs {WITHOUT_DATA_SET[original_entry.id]}")
    if original_entry.id in NOT_COMPUTED:
        return Reproduction(entry, None, f"nothing to compute: {NOT_COMPUTED[original_entry.id]}")
    missing_needs = folder.missing(original_entry.needs)
    computed_entry = _compute_from_data(
        original_entry, folder, len(missing_needs) < len(original_entry.needs)
    )
    reason = _missing_reason(missing_needs, folder.lacking)
    rule = FROM_DOCUMENTS.get(original_entry.id)
    if rule and (computed_entry is None or computed_entry.basis == "other"):
        basis: Basis = "fitted" if original_entry.id in _FITTED_IDS else "documents"
        values = place_values(original_entry, rule.compute(original_entry))
        computed_entry = ComputedEntry(
            values, f"from {rule.describe(folder)}", rule.explain(values), basis=basis
        )
    if computed_entry is None:
        manual_reason = f"needs work by hand on {_describe_needs(original_entry.needs)}"
        return Reproduction(entry, None, reason or manual_reason, tuple(missing_needs))
    return Reproduction(
        entry, _reorder_rows(computed_entry, original_entry, entry), reason, tuple(missing_needs)
    )


def _missing_reason(missing_needs: Sequence[str], problems: Iterable[str]) -> str:
    """Say which data sets are needed, and what the available ones lack."""
    names = {f"{need.partition('.')[0]}.csv" for need in missing_needs}
    unexplained_text = "; ".join(text for text in problems if text.partition(",")[0] not in names)
    parts = (
        _describe_needs(missing_needs),
        f"more data: {unexplained_text}" if unexplained_text else "",
    )
    return f"needs {'; '.join(filter(None, parts))}" if missing_needs or unexplained_text else ""


def _compute_from_data(
    entry: PrintedEntry, folder: DataFolder, has_some: bool
) -> ComputedEntry | None:
    """Compute an entry from the data of the paper, or from other data; None if it cannot be."""
    folder.lacking.clear()
    folder.substitutes.clear()
    rule = FROM_DATA.get(entry.id)
    if rule is None or not (has_some or folder.other):
        return None
    for grid in folder.when_available(rule.compute, entry, folder):
        if values := place_values(entry, grid):
            if folder.other:
                substitutions = [
                    f"{new_name} as {old_name}" for old_name, new_name in folder.substitutes.items()
                ]
                source_text = "; ".join((folder.other_name, rule.describe(folder), *substitutions))
                return ComputedEntry(values, source_text, basis="other")
            requirement = f"needs more data: {'; '.join(folder.lacking)}" if folder.lacking else ""
            reason = rule.explain(values)
            return ComputedEntry(values, rule.describe(folder), reason, requirement, basis="data")
    return None


def _reorder_rows(
    computed_entry: ComputedEntry, original_entry: PrintedEntry, entry: PrintedEntry
) -> ComputedEntry:
    """Return what was computed for rows that another document prints as well."""
    values = {
        (entry.rows.index(original_entry.rows[row]), column): value
        for (row, column), value in computed_entry.values.items()
        if original_entry.rows[row] in entry.rows
    }
    return computed_entry if entry is original_entry else replace(computed_entry, values=values)


def _summary_table(rows: Sequence[Reproduction]) -> Table:
    """Count entries and values by status."""
    body: list[tuple[Cell, ...]] = []
    for key, title in _STATUSES.items():
        matching_rows = [row for row in rows if (row.status, row.basis) == key]
        counts = [
            sum(row.counts[name] for row in matching_rows) for name in ("exact", "off", "open")
        ]
        body += [(title, len(matching_rows), *counts)] if matching_rows else []
    totals = zip(*(row[1:] for row in body), strict=True)
    body.append(("all", *(sum(map(int, column)) for column in totals)))
    column_names = ("entries", "number", "as printed", "different", "not computed")
    note = "The last three columns count printed values."
    return Table(column_names, tuple(body), "Printed results", note, name="summary")


def _charts(rows: Sequence[Reproduction], folder: DataFolder) -> Iterator[Chart]:
    names = list(dict.fromkeys(row.printed.document for row in rows))
    counts = [
        [sum(r.counts[key] for r in rows if r.printed.document == name) for key in
         ("exact", "off", "open")]
        for name in names
    ]  # fmt: skip
    yield Chart("values", partial(counts_picture, names, counts), "Printed values by document.")
    for row in rows:
        if (picture := row.picture()) is not None:
            yield Chart("entry", partial(replace, picture), "", (row.id,))
        if row.id == "rankel-s3.7.1-settings":
            for picture in folder.when_available(_draw_power, folder):
                yield Chart("entry", partial(replace, picture), "", (row.id,))


def _draw_power(folder: DataFolder) -> Picture:
    """Draw Figure 3.3 with the scores of the folder."""
    matrix = folder.matrix("tac2011", "responsiveness")
    if not 0 < matrix.human.sum() < len(matrix.systems):
        raise InputError("power needs scores of people and machines")
    note = f"Cutoffs are calibrated at 0, samples of 60. {folder.other_name or 'TAC 2011'}."
    return power_picture(matrix, note)


def _render_page(result: ReproduceResult) -> str:
    """Write all entries as one page, by document."""
    rows, names = list(result), dict.fromkeys(row.printed.document for row in result)
    pictures = {chart.about[0]: chart for chart in result.charts if chart.about}
    overview_chart: Any = result.charts[0].draw()
    overview = (
        table_block(_summary_table(rows)),
        picture_block(overview_chart, result.charts[0].caption),
    )
    sections = [
        Section("Overview", overview),
        *(
            Section(
                _DOCUMENT_TITLES.get(name, name),
                tuple(_page_blocks([r for r in rows if r.printed.document == name], pictures)),
            )
            for name in names
        ),
    ]
    introduction = "Printed numbers of the papers, what Pyramidion computes, and why they differ."
    return render_page(
        "The papers, reproduced", sections, lead=introduction, signature=str(result.signature)
    )


def _page_blocks(rows: Sequence[Reproduction], pictures: dict[str, Chart]) -> Iterator[str]:
    for row in rows:
        if row.computed is not None:
            yield table_block(row.table())
        else:
            yield folded_block(
                f"{row.id}: {row.printed.caption} ({row.short})", table_block(row.table())
            )
        if row.id in pictures:
            drawn_picture: Any = pictures[row.id].draw()
            yield picture_block(
                drawn_picture, f"{drawn_picture.title}. {drawn_picture.note}".strip()
            )
