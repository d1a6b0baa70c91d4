"""One self-contained page: nothing is fetched, everything is inside."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.collection._files import write_text
from pyramidion.report.table import Cell, Table

if TYPE_CHECKING:
    from pyramidion.report.result import Chart

__all__ = [
    "HtmlPage",
    "Section",
    "chart_blocks",
    "figure_block",
    "glance_block",
    "paragraph",
    "render_page",
    "table_block",
]

_PAGE = Path(__file__).with_name("page")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page under a heading.

    Parameters
    ----------
    title
        The heading.
    blocks
        HTML, made by the functions of this module.

    Examples
    --------
    >>> Section("Ranking", (paragraph("Best first."),)).title
    'Ranking'
    """

    title: str
    blocks: tuple[str, ...]


def paragraph(text: str, *, soft: bool = False) -> str:
    """Make a paragraph of plain text.

    Examples
    --------
    >>> paragraph("a < b")
    '<p>a &lt; b</p>'
    """
    return f"<p{' class=soft' if soft else ''}>{escape(text)}</p>"


def table_block(table: Table) -> str:
    """Make a table whose columns sort at a click, with its LaTeX folded below it.

    Examples
    --------
    >>> "<td>T1</td>" in table_block(Table(("topic",), (("T1",),)))
    True
    """
    numbers = [table.is_number_column(index) for index in range(len(table.columns))]
    head = "".join(
        f"<th scope=col{' class=number' if number else ''}><button>{escape(name)}</button></th>"
        for name, number in zip(table.columns, numbers, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(_cell(table, cell) for cell in row) + "</tr>" for row in table.rows
    )
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    note = paragraph(table.note, soft=True) if table.note else ""
    return (
        f"<div class=scroll><table class=sortable>{caption}<thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>{note}"
        f"<details><summary>LaTeX</summary><pre>{escape(table.to_latex())}</pre></details>"
    )


def glance_block(table: Table, rows: int) -> str:
    """Make a small table without script or style, as a notebook shows it."""
    short = table.head(rows)
    head = "".join(f"<th>{escape(name)}</th>" for name in short.columns)
    body = "".join(
        "<tr>" + "".join(_cell(short, cell) for cell in row) + "</tr>" for row in short.rows
    )
    caption = f"<caption>{escape(short.title)}</caption>" if short.title else ""
    note = f"<p>{escape(short.note)}</p>" if short.note else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _cell(table: Table, cell: Cell) -> str:
    if isinstance(cell, str):
        return f"<td>{escape(cell)}</td>"
    shown = table.shown_cell(cell)
    # Sorting goes by the full number, not by the digits that are shown.
    key = "" if shown == "" else repr(cell)
    return f'<td class=number data-key="{escape(key)}">{escape(shown or "–")}</td>'


def figure_block(svg: str, caption: str) -> str:
    """Put a figure into the page.

    Parameters
    ----------
    svg
        The figure as SVG text.
    caption
        What it shows.

    Examples
    --------
    >>> figure_block("<svg></svg>", "A figure.")
    '<figure><svg></svg><figcaption>A figure.</figcaption></figure>'
    """
    start = svg.index("<svg")
    return f"<figure>{svg[start:].strip()}<figcaption>{escape(caption)}</figcaption></figure>"


def chart_blocks(charts: "Iterable[Chart]") -> Iterator[str]:
    """Draw charts into the page, one after the other."""
    from pyramidion.report.charts import render

    for chart in charts:
        yield figure_block(render(chart.draw(), "svg").decode(), chart.caption)


def render_page(title: str, sections: Sequence[Section], *, lead: str, signature: str) -> str:
    """Put a page together.

    Parameters
    ----------
    title, lead
        What stands on top.
    sections
        The parts, which are listed below the title.
    signature
        What one must know to get the same numbers again.

    Examples
    --------
    >>> page = render_page("Mine", [Section("One", ("<p>x</p>",))], lead="A try.", signature="s")
    >>> page.startswith("<!doctype html>"), "http" in page
    (True, False)
    """
    links = "".join(
        f'<a href="#s{number}">{escape(section.title)}</a>'
        for number, section in enumerate(sections)
    )
    body = "".join(
        f'<section id="s{number}"><h2>{escape(section.title)}</h2>'
        f"{''.join(section.blocks)}</section>"
        for number, section in enumerate(sections)
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_page_file('style.css')}</style></head><body>"
        f"<header><h1>{escape(title)}</h1>{paragraph(lead, soft=True)}<nav>{links}</nav></header>"
        f"<main>{body}</main><footer>Signature: <code>{escape(signature)}</code></footer>"
        f"<script>{_page_file('script.js')}</script></body></html>\n"
    )


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page that needs nothing else; see `render_page`."""

    title: str
    sections: tuple[Section, ...]
    lead: str = ""
    signature: str = ""

    def to_html(self) -> str:
        """Write the page."""
        return render_page(self.title, self.sections, lead=self.lead, signature=self.signature)

    def save(self, path: str | Path) -> Path:
        """Write the page into a file, whole or not at all."""
        write_text(path, self.to_html())
        return Path(path)

    def __repr__(self) -> str:
        return f"<HtmlPage {self.title!r}: {len(self.sections)} sections>"


def _page_file(name: str) -> str:
    return (_PAGE / name).read_text(encoding="utf-8")
