"""One table for a paper: systems by measures, with letters, in LaTeX or Markdown."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pyramidion.comparison._result import ComparisonResult, SystemResult, short_letters
from pyramidion.errors import InputError, Where, visible
from pyramidion.files.writing import write_text
from pyramidion.questions import Options, option
from pyramidion.rendering.labels import counted, with_arrow
from pyramidion.rendering.saving import Savable
from pyramidion.rendering.table import CELL_ENTITIES, latex_row, latex_text, markdown_text

if TYPE_CHECKING:
    from pyramidion.comparison._view import Comparisons

_LABEL_PATTERN = re.compile(r"[\w:.+/-]*")


@dataclass(frozen=True, slots=True)
class PaperSettings(Options):
    """What the table for a paper contains."""

    intervals: bool = option(
        False, "With --table: add the intervals of means.", flags=("--intervals",)
    )
    caption: str = option(
        "", "With --table: caption, as plain text; by default, it describes the comparison."
    )
    label: str = option("", "With --table: label for references to it, such as tab:main.")


class _Cell(NamedTuple):
    """A number, perhaps bold, and the letters after it."""

    text: str = "–"
    bold: bool = False
    mark: str = ""


class _Column(NamedTuple):
    """A part of a measure's columns, in the order of the rows."""

    head: str
    cells: list[_Cell]


class _Measure(NamedTuple):
    """The columns of a measure; the first one has its means."""

    head: str
    columns: list[_Column]


@dataclass(frozen=True, slots=True, eq=False)
class PaperTable:
    """Systems down, measures across; machines come before people."""

    systems: Sequence[str]
    machines: int
    measures: Sequence[_Measure]
    caption: str
    label: str
    note: str
    signature: str

    def to_latex(self) -> str:
        """Write a table environment for the package booktabs."""
        # Numbers end at the same place whether or not letters follow.
        column_spec = "l" + "".join("r@{}l" + "c" * (len(m.columns) - 1) for m in self.measures)
        rows = [latex_row([latex_text(name), *cells]) for name, cells in self._rows(_latex_cells)]
        people_rows = [r"\midrule", *rows[self.machines :]] if 0 < self.machines < len(rows) else []
        label_lines = [rf"\label{{{self.label}}}"] if self.label else []
        lines = [
            f"% {visible(self.signature)}", r"\begin{table}[t]", r"\centering",
            rf"\caption{{{latex_text(self.caption)}}}", *label_lines,
                rf"\begin{{tabular}}{{{column_spec}}}",
            r"\toprule", *self._latex_head_rows(), r"\midrule", *rows[: self.machines or None],
                *people_rows,
            r"\bottomrule", r"\end{tabular}",
            rf"\par\smallskip\parbox{{\linewidth}}{{\footnotesize {latex_text(self.note)}}}",
            r"\end{table}",
        ]  # fmt: skip
        return "\n".join(lines) + "\n"

    def _latex_head_rows(self) -> Iterator[str]:
        """Write the measures, and below them what their columns are, if there are several."""
        widths = [len(measure.columns) + 1 for measure in self.measures]
        widths_and_measures = zip(widths, self.measures, strict=True)
        yield latex_row(
            [
                "System",
                *(
                    rf"\multicolumn{{{w}}}{{c}}{{{latex_text(m.head)}}}"
                    for w, m in widths_and_measures
                ),
            ]
        )
        if max(widths) > 2:
            start, rules = 2, []
            for width in widths:
                rules.append(rf"\cmidrule(lr){{{start}-{start + width - 1}}}")
                start += width
            yield " ".join(rules)
            subheads = [
                rf"\multicolumn{{2}}{{c}}{{{head}}}" if not index else head
                for measure in self.measures
                for index, head in enumerate(latex_text(c.head) for c in measure.columns)
            ]
            yield latex_row(["", *subheads])

    def to_markdown(self) -> str:
        """Write a table of GitHub's Markdown."""
        heads = ["System"]
        for measure in self.measures:
            heads += [measure.head, *(f"{measure.head}: {c.head}" for c in measure.columns[1:])]
        rows = [
            [markdown_text(name, CELL_ENTITIES), *cells]
            for name, cells in self._rows(_markdown_cells)
        ]
        escaped_rows = [
            [markdown_text(head, CELL_ENTITIES) for head in heads],
            ["---", *["---:"] * (len(heads) - 1)], *rows,
        ]  # fmt: skip
        lines = (f"| {' | '.join(row)} |" for row in escaped_rows)
        anchor = f'<a id="{self.label}"></a>' if self.label else ""
        signature = f"`{markdown_text(self.signature)}`"
        caption = f"{anchor}**{markdown_text(self.caption)}**"
        note = markdown_text(self.note)
        return "\n\n".join((caption, "\n".join(lines), note, signature)) + "\n"

    def _rows(
        self, format_cells: Callable[[_Measure, int], Iterator[str]]
    ) -> Iterator[tuple[str, list[str]]]:
        for row, name in enumerate(self.systems):
            yield name, [cell for measure in self.measures for cell in format_cells(measure, row)]


def _latex_cells(measure: _Measure, row: int) -> Iterator[str]:
    main_cell, *other_cells = (column.cells[row] for column in measure.columns)
    text = latex_text(main_cell.text)
    yield rf"\textbf{{{text}}}" if main_cell.bold else text
    yield rf"\textsuperscript{{{latex_text(main_cell.mark)}}}" if main_cell.mark else ""
    yield from (latex_text(cell.text) for cell in other_cells)


def _markdown_cells(measure: _Measure, row: int) -> Iterator[str]:
    main_cell, *other_cells = (column.cells[row] for column in measure.columns)
    mark = f"<sup>{main_cell.mark}</sup>".replace("*", "&#42;") if main_cell.mark else ""
    yield (f"**{main_cell.text}**" if main_cell.bold else main_cell.text) + mark
    yield from (cell.text for cell in other_cells)


def paper_table(
    comparisons: "Comparisons", *, intervals: bool = False, caption: str = "", label: str = ""
) -> PaperTable:
    """Arrange the means of all comparisons; the systems are in the order of the first one."""
    from pyramidion.comparison._page import page_title

    results, kinds = comparisons.values, dict[str, str]()
    for result in results:
        for system in result.systems:
            kinds.setdefault(system.system, system.kind)
    systems = sorted(kinds, key=lambda name: kinds[name] == "human")
    machines = sum(kind != "human" for kind in kinds.values())
    measures = [_measure_columns(result, results, systems, intervals) for result in results]
    return PaperTable(
        systems, machines, measures, caption or f"{page_title('', results)}.", label,
        " ".join(_table_notes(results, 0 < machines < len(systems), intervals)),
        str(comparisons.signature),
    )  # fmt: skip


def _measure_columns(
    result: ComparisonResult,
    results: Sequence[ComparisonResult],
    systems: Sequence[str],
    intervals: bool,
) -> _Measure:
    """Return the columns of a comparison."""
    system_by_name = {system.system: system for system in result.systems}
    is_varied = [len({getattr(r, name) for r in results}) > 1 for name in ("task", "test")]
    test_details = [
        detail
        for detail, varies in zip((result.task, result.test), is_varied, strict=True)
        if varies
    ]
    head = with_arrow(result.measure, result.direction) + f" ({', '.join(test_details)})" * bool(
        test_details
    )
    digits = _choose_decimals([abs(system.adjusted) for system in result.systems])
    best_systems, marks = _best_systems(result.systems), _system_marks(result)

    def make_column(head: str, cell_of: Callable[[SystemResult], _Cell]) -> _Column:
        return _Column(
            head, [cell_of(system_by_name[n]) if n in system_by_name else _Cell() for n in systems]
        )

    def mean_cell(system: SystemResult) -> _Cell:
        name = system.system
        return _Cell(f"{system.adjusted:z.{digits}f}", name in best_systems, marks.get(name, ""))

    def interval_cell(system: SystemResult) -> _Cell:
        interval_text = f"[{system.low:z.{digits}f}, {system.high:z.{digits}f}]"
        return _Cell() if math.isnan(system.low) else _Cell(interval_text)

    def number_cell(name: str, digits: int, system: SystemResult) -> _Cell:
        value: float = getattr(system, name)
        return _Cell() if math.isnan(value) else _Cell(f"{value:.{digits}f}")

    columns = [make_column("mean", mean_cell)]
    if intervals:
        columns.append(make_column(f"{result.confidence_level:.0%} interval", interval_cell))
    for name, subhead, decimals in (("p_best", "P(best)", 2), ("run_sd", "SD of runs", digits)):
        if any(not math.isnan(getattr(system, name)) for system in result.systems):
            columns.append(make_column(subhead, partial(number_cell, name, decimals)))
    return _Measure(head, columns)


def _choose_decimals(values: Sequence[float]) -> int:
    """Return the decimals to show: three of numbers below 1, one of hundreds."""
    largest_value = max((value for value in values if not math.isnan(value)), default=0.0)
    return 3 if largest_value <= 1 else 2 if largest_value < 100 else 1


def _best_systems(systems: Sequence[SystemResult]) -> set[str]:
    """Return the best machine, or person without machines; none if systems form separate parts."""
    machines = [system for system in systems if system.kind != "human"] or list(systems)
    best_rank = min(system.rank for system in machines)
    is_ranked = len({system.part for system in systems}) == 1
    return {system.system for system in machines if is_ranked and system.rank == best_rank}


def _system_marks(result: ComparisonResult) -> dict[str, str]:
    """Return the letters of systems, or stars where they differ from the baseline."""
    if result.baseline is None:
        return {system.system: short_letters(system.group) for system in result.systems}
    pairs = filter(result.decided, result.comparisons)
    return {name: "*" for pair in pairs for name in (pair.a, pair.b) if name != result.baseline}


def _table_notes(
    results: Sequence[ComparisonResult], has_people_and_machines: bool, intervals: bool
) -> Iterator[str]:
    """Explain the table."""
    from pyramidion.comparison._charts import method_note

    first_result, topics = results[0], max(s.n for result in results for s in result.systems)
    is_adjusted = any(s.adjusted != s.mean for result in results for s in result.systems)
    adjusted_note = (
        " (least-squares means, as scores are missing or assessors differ)" * is_adjusted
    )
    yield (
        f"Means over {counted(topics, 'topic')}{adjusted_note}; the "
        f"best{' machine' * has_people_and_machines} in bold."
    )
    marks_text = "no difference was shown between systems that share a letter"
    if first_result.margin is not None:
        equivalence = f"are equivalent within {first_result.margin:g}"
        marks_text = f"systems that share a letter {equivalence}, or {marks_text}"
    if first_result.baseline is not None:
        marks_text = f"* differs significantly from {first_result.baseline}"
    methods = "; ".join(dict.fromkeys(map(method_note, results)))
    yield f"{marks_text[0].upper()}{marks_text[1:]} ({methods})."
    if intervals:
        yield f"Brackets: {first_result.confidence_level:.0%} intervals of means."
    for start in ("P(best):", "SD of runs:"):
        lines = (line for result in results for line in result.notes if line.startswith(start))
        yield from dict.fromkeys(lines)
    if any(result.direction == "lower" for result in results):
        yield "↓: lower is better."


def _require_paper_file(path: Path | None, label: str = "", **settings: object) -> None:
    """Reject, before any work, a table that cannot be written."""
    if path is None:
        raise InputError("--intervals, --caption and --label need --table", "add --table FILE")
    if path.suffix.lower() not in _WRITERS:
        hint = "end the name in .tex or .md"
        raise InputError(
            f"tables cannot be written as {path.suffix!r}", where=Where(path), hint=hint
        )
    if not _LABEL_PATTERN.fullmatch(label):
        raise InputError(f"{label!r} is not a label", hint="use letters, digits and : . _ + / -")


_WRITERS = {".tex": PaperTable.to_latex, ".md": PaperTable.to_markdown}


def _paper_writer(comparisons: "Comparisons", **settings: object) -> Callable[[Path], None]:
    table = paper_table(comparisons, **settings)  # type: ignore[arg-type]
    return lambda path: write_text(path, _WRITERS[path.suffix.lower()](table))


#: One table of all measures, for a paper.
PAPER_TABLE = Savable(
    "table", "Also write one table for a paper to this file (.tex for LaTeX with booktabs, or "
    ".md): systems by measures, with letters, the best in bold.", _paper_writer,
        _require_paper_file,
    settings=PaperSettings, metavar="FILE",
)  # fmt: skip
