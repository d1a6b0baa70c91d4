"""Tiers of pyramids: the content units of each weight."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.collection.findings import address_name
from pyramidion.errors import InputError
from pyramidion.pyramid.cases import AddressedUnits, PyramidSource, source_notes
from pyramidion.pyramid.content_units import TopicUnits
from pyramidion.questions import Options, Signature, option, question
from pyramidion.rendering.charts.layout import PAD, Page, Space, text_width, wrap_text
from pyramidion.rendering.charts.style import BLUE, GRAY, INK, in_style
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart, Result
from pyramidion.rendering.saving import FIGURE_FILE
from pyramidion.rendering.table import Table, WideTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MAX_BAR_CHARACTERS = 40
_MAX_LABEL_LENGTH, _MIN_LABEL_LENGTH = 60, 15

# The minimum width of a terminal.
_MIN_TABLE_WIDTH = 80


@dataclass(frozen=True, slots=True)
class TierOptions(Options):
    """How many content units of a tier are shown."""

    examples: int = option(
        2, "Number of content units shown per tier; --format json lists all.", min=0
    )


def _draw_pyramid(result: "TierResult") -> Callable[[Path], object]:
    if len(result) > 1:
        names = "; ".join(address_name(*address) for address, _ in result.values[:3])
        message = f"only one pyramid can be drawn at a time, but {len(result)} are chosen"
        raise InputError(f"{message} ({names}, ...)", hint="choose one with --topic and --task")
    return FIGURE_FILE.writer(result)


class TierResult(Result[AddressedUnits]):
    """The tiers of pyramids."""

    saves = (replace(FIGURE_FILE, writer=_draw_pyramid),)


@question
def tiers(source: PyramidSource, options: TierOptions) -> TierResult:
    """Show the tiers of a pyramid: how many content units have each weight, and which.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts."}, [("Ice", {"A": ["Ice"], "B": ["Ice"]})])
    >>> [((task, topic), units)] = tiers(pyramid)
    >>> {weight: len(rows) for weight, rows in units.tiers().items()}
    {2: 1, 1: 0}
    """
    collection, pyramids = source.read_units()
    return TierResult(
        command="pyramid tiers",
        signature=Signature("pyramid-tiers", data=collection.data_hash, details=source.details),
        values=pyramids,
        record=_record,
        tables=[_table(pyramid, options.examples) for pyramid in pyramids],
        left_out=source_notes(collection),
        charts=[
            Chart(
                "tiers", partial(pyramid_figure, units, topic=topic, task=task), about=(task, topic)
            )
            for (task, topic), units in pyramids
        ],
    )


def _record(pyramid: AddressedUnits) -> dict[str, Any]:
    (task, topic), units = pyramid
    total = units.weighing.units
    return {
        "task": task,
        "topic": topic,
        "references": units.weighing.order,
        "scus": total,
        "average_scus": units.weighing.average,
        "tiers": [
            {
                "weight": tier,
                "count": len(rows),
                "share": len(rows) / total,
                "scus": [{"uid": units.uids[row], "label": units.labels[row]} for row in rows],
            }
            for tier, rows in units.tiers().items()
        ],
    }


def _table(pyramid: AddressedUnits, examples: int) -> Table:
    address, units = pyramid
    title = f"Tiers of {address_name(*address)}: {_describe_units(units, 'SCU')}"
    unit_rows = tuple(
        (tier, units.uids[row], units.labels[row])
        for tier, rows in units.tiers().items()
        for row in rows
    )
    key = tuple(zip(("task", "topic"), address, strict=True))
    full_table = Table(("weight", "uid", "label"), unit_rows, key=key)
    terminal_table, narrow_table = (
        _terminal_table(units, title, examples),
        _narrow_table(units, title, min(examples, 1)),
    )
    return _TiersTable(
        terminal_table.columns,
        terminal_table.rows,
        title=title,
        name="tiers",
        numbers=full_table,
        narrow=narrow_table,
    )


def _describe_units(units: TopicUnits, unit: str) -> str:
    weighing = units.weighing
    return (
        f"{counted(weighing.order, 'reference')}, {counted(weighing.units, unit)}, "
        f"{weighing.average:.1f} a reference"
    )


def _terminal_table(
    units: TopicUnits, title: str, examples: int, width: int = _MAX_LABEL_LENGTH
) -> Table:
    tiers = units.tiers()
    max_units = max(map(len, tiers.values()))
    rows = tuple(
        (tier, len(rows), _bar(len(rows), max_units), _examples(units, rows, examples, width))
        for tier, rows in tiers.items()
    )
    return Table(("weight", "SCUs", "pyramid", "such as"), rows, title=title)


def _narrow_table(units: TopicUnits, title: str, examples: int) -> Table:
    """Show one label per tier, shortened to fit a narrow terminal."""
    wide_table = _terminal_table(units, title, examples)
    bar_width = max(
        len(str(cell)) for cell in (wide_table.columns[2], *(row[2] for row in wide_table.rows))
    )
    width = _MIN_TABLE_WIDTH - sum(map(len, wide_table.columns[:2])) - bar_width - 12
    if width < _MIN_LABEL_LENGTH or not examples:
        return replace(
            wide_table,
            columns=wide_table.columns[:3],
            rows=tuple(row[:3] for row in wide_table.rows),
        )
    return _terminal_table(units, title, examples, width)


class _TiersTable(WideTable):
    """Tiers with bars, which are for terminals only."""

    def to_latex(self) -> str:
        rows = tuple((*row[:2], row[3]) for row in self.rows)
        return Table(("weight", "SCUs", "such as"), rows, title=self.title).to_latex()


def _bar(count: int, max_units: int) -> str:
    """Draw a tier as a centered bar, at least one character wide if it has units."""
    scale = min(1.0, _MAX_BAR_CHARACTERS / max_units)
    width = max(1, round(count * scale)) if count else 0
    return ("█" * width).center(round(max_units * scale)).rstrip()


def _examples(units: TopicUnits, rows: tuple[int, ...], examples: int, max_length: int) -> str:
    labels = [" ".join((units.labels[row] or units.uids[row]).split()) for row in rows[:examples]]
    ellipsis = "; …" if len(rows) > examples and labels else ""
    label_length = max_length - len(ellipsis) if max_length < _MAX_LABEL_LENGTH else max_length
    short_labels = (
        line if len(line) <= label_length else f"{line[: max(label_length - 1, 0)]}…"
        for line in labels
    )
    return "; ".join(short_labels) + ellipsis


# The drawing, in inches

_TIERS_WIDTH, _GAP_WIDTH, _LABELS_WIDTH = 3.4, 0.2, 3.6
_TIER_HEIGHT, _LOWEST_TIER_HEIGHT, _MAX_HEIGHT = 0.52, 0.3, 9.0
_LABEL_SIZE, _SMALL_LABEL_SIZE, _LINE_HEIGHT, _LABEL_SPACE = 9.0, 7.5, 0.135, 0.15


@in_style
def pyramid_figure(units: TopicUnits, *, topic: str = "", task: str = "") -> "Figure":
    """Draw tiers as centered bars, the heaviest on top, with some of their labels."""
    tiers = units.tiers()
    tier_height = max(_LOWEST_TIER_HEIGHT, min(_TIER_HEIGHT, _MAX_HEIGHT / len(tiers)))
    height = tier_height * len(tiers)
    name = ", ".join(part for part in (topic, f"task {task}" if task else "") if part)
    label_width = text_width([f"weight {max(tiers)}"], size=_LABEL_SIZE)
    page = Page(
        f"Pyramid of {name}" if name else "Pyramid",
        f"{_describe_units(units, 'content unit')}; labels are examples",
        plot=(_TIERS_WIDTH + _GAP_WIDTH + _LABELS_WIDTH, height),
        space=Space(left=PAD + label_width + _LABEL_SPACE, below=0.08, above=0.14),
    )
    axes = page.axes(page.left, page.bottom, _TIERS_WIDTH, height)
    max_units = max(map(len, tiers.values()))
    axes.set(xlim=(-max_units / 2, max_units / 2), ylim=(len(tiers), 0))
    axes.axis("off")
    for level, (tier, rows) in enumerate(tiers.items()):
        _draw_tier(axes, level, len(rows), max_units, tier / max(tiers))
        center_y = page.bottom + tier_height * (len(tiers) - level - 0.5)
        position = (page.left - _LABEL_SPACE, center_y)
        page.write(f"weight {tier}", position, ha="right", va="center", size=_LABEL_SIZE)
        _write_labels(
            page, [units.labels[row] or units.uids[row] for row in rows], center_y, tier_height
        )
    return page.figure


def _draw_tier(
    axes: "Axes", level: int, count: int, max_units: int, relative_weight: float
) -> None:
    if not count:
        axes.plot([-0.25, 0.25], [level + 0.5] * 2, color=GRAY, linewidth=0.8)
        return
    style: dict[str, Any] = {"color": BLUE, "alpha": 0.25 + 0.75 * relative_weight, "linewidth": 0}
    axes.bar(0, 0.88, width=count, bottom=level + 0.06, **style)
    fits_in_bar = count >= max_units * 0.12
    axes.text(
        0 if fits_in_bar else count / 2 + max_units * 0.015,
        level + 0.5,
        str(count),
        ha="center" if fits_in_bar else "left",
        va="center",
        size=_LABEL_SIZE,
        weight="bold",
        color="white" if fits_in_bar and relative_weight > 0.7 else INK,
    )


def _write_labels(page: Page, labels: list[str], center_y: float, tier_height: float) -> None:
    """Write as many labels as fit next to a tier."""
    max_lines = max(1, int((tier_height - 0.06) / _LINE_HEIGHT))
    lines: list[str] = []
    for label in labels:
        wrapped_label = wrap_text(label, _LABELS_WIDTH, size=_SMALL_LABEL_SIZE)
        if len(lines) + len(wrapped_label) > max_lines:
            break
        lines += wrapped_label
    if not lines and labels:
        lines = wrap_text(labels[0], _LABELS_WIDTH - 0.15, size=_SMALL_LABEL_SIZE)[:max_lines]
        lines[-1] += " …"
    top_y = center_y + _LINE_HEIGHT * (len(lines) - 1) / 2
    left = page.left + _TIERS_WIDTH + _GAP_WIDTH
    for number, line in enumerate(lines):
        page.write(
            line,
            (left, top_y - number * _LINE_HEIGHT),
            va="center",
            size=_SMALL_LABEL_SIZE,
            color=GRAY,
        )
