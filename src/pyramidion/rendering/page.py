"""Self-contained HTML pages, which fetch nothing."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pyramidion.collection import Finding
from pyramidion.collection.ids import brief_list, grouped
from pyramidion.files.writing import write_text
from pyramidion.rendering.assets import read_page_file
from pyramidion.rendering.labels import escape
from pyramidion.rendering.saving import Savable, require_page_file
from pyramidion.rendering.table import Cell, Table

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture
    from pyramidion.rendering.result import Chart, Result


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page under a heading; it may be folded, or not listed at the top."""

    title: str
    blocks: tuple[str, ...]
    folded: bool = False
    listed: bool = True


def paragraph(text: str, *, soft: bool = False) -> str:
    """Create a paragraph of plain text."""
    return f"<p{' class=soft' if soft else ''}>{escape(text)}</p>"


def folded_block(title: str, *blocks: str) -> str:
    """Fold blocks under a line that opens them."""
    return f"<details><summary>{escape(title)}</summary>{''.join(blocks)}</details>"


def table_block(
    table: Table, *, drawings: Mapping[str, Sequence[str]] | None = None, n_leading_columns: int = 0
) -> str:
    """Create a table with sortable columns, and its LaTeX folded below it.

    Columns of pictures, by their headings, come after the first `n_leading_columns` columns.
    """
    headings = [_heading_cell(table, index) for index in range(len(table.columns))]
    headings[n_leading_columns:n_leading_columns] = [
        f"<th scope=col class=drawn>{escape(name)}" for name in drawings or {}
    ]
    rows = [[_data_cell(table, cell) for cell in row] for row in table.rows]
    for row, pictures in zip(rows, zip(*(drawings or {}).values(), strict=True), strict=False):
        row[n_leading_columns:n_leading_columns] = [f"<td>{picture}" for picture in pictures]
    # Optional end tags are omitted: they would be a tenth of a long table.
    head, body = "".join(headings), "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    note = "".join(paragraph(line, soft=True) for line in table.note.splitlines())
    latex = f"<summary>LaTeX</summary><pre>{escape(table.to_latex())}</pre>"
    return (
        f"<div class=scroll tabindex=0><table class=sortable>{caption}"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{note}"
        f"<details class=latex>{latex}</details>"
    )


def glance_block(table: Table, rows: int) -> str:
    """Create a small table without script or style, for notebooks."""
    short_table = table.head(rows)
    heading_cells = "".join(f"<th>{escape(name)}</th>" for name in short_table.columns)
    body = "".join(
        "<tr>" + "".join(_data_cell(short_table, cell) for cell in row) + "</tr>"
        for row in short_table.rows
    )
    caption = f"<caption>{escape(short_table.title)}</caption>" if short_table.title else ""
    note = f"<p>{escape(short_table.note)}</p>" if short_table.note else ""
    head = f"<thead><tr>{heading_cells}</tr></thead>"
    return f"<table>{caption}{head}<tbody>{body}</tbody></table>{note}"


def _heading_cell(table: Table, index: int) -> str:
    number = " class=number" if table.is_number_column(index) else ""
    title = escape(table.columns[index])
    unnamed = "" if title else ' aria-label="remark"'
    return f"<th scope=col{number}><button{unnamed}>{title}</button>"


def _data_cell(table: Table, cell: Cell) -> str:
    if isinstance(cell, str):
        return f"<td>{escape(cell)}"
    display = table.shown_cell(cell)
    # Sorting uses more digits than are shown.
    sort_key = "" if display == "" else f"{cell:.7g}"
    return f'<td data-key="{sort_key}">{display or "–"}'


def figure_block(svg: str, caption: str) -> str:
    """Embed an SVG figure with its caption."""
    picture = svg[svg.index("<svg") :].strip()
    return f"<figure><div>{picture}</div><figcaption>{escape(caption)}</figcaption></figure>"


def picture_block(picture: "Picture", caption: str) -> str:
    """Embed a picture with its caption and key."""
    return figure_block(picture.to_inline(), caption) + picture.key_block()


def chart_blocks(charts: "Iterable[Chart]") -> Iterator[str]:
    """Embed charts, one after the other."""
    from pyramidion.rendering.charts import Picture, render

    for chart in charts:
        drawn_chart = chart.draw()
        if isinstance(drawn_chart, Picture):
            description = ": ".join(filter(None, (drawn_chart.title, drawn_chart.note)))
            yield picture_block(drawn_chart, chart.caption) + paragraph(description, soft=True)
        else:
            svg = render(drawn_chart, "svg", outlines=False).decode()
            yield figure_block(_compact_svg(svg), chart.caption)


def closing_section(title: str, result: "Result[Any]", *blocks: str) -> Section:
    """Create the last section: how the page was made, what was left out, and the signature."""
    left_out = (paragraph(f"Left out: {line}.", soft=True) for line in result.left_out)
    signature = paragraph(f"Signature: {result.signature}", soft=True)
    return Section(title, (*blocks, *left_out, signature))


def _compact_svg(svg: str) -> str:
    """Remove from a matplotlib figure what a page does not need or allow."""
    for pattern in (r"<metadata>.*?</metadata>", r"<style.*?</style>", r"<!--.*?-->"):
        svg = re.sub(pattern, "", svg, flags=re.DOTALL)
    return re.sub(r"\s*(<[^>]*>)\s*", lambda tag: _compact_tag(tag[1]), svg)


def _compact_tag(tag: str) -> str:
    """Write styles as attributes, numbers with two decimals, and no unused ids."""
    tag = re.sub(r' id="[\w.]+?_\d+"', "", tag)
    if style := re.search(r' style="([^"]*)"', tag):
        pairs = (part.split(":", 1) for part in style[1].split(";") if ":" in part)
        attributes = "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)
        tag = tag.replace(style[0], attributes)
    tag = re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", tag)
    return re.sub(r"\s+", " ", tag)


#: Where a page shows what is doubtful in the data.
FINDINGS_MARK = "<!--findings-->"


def with_findings(page: str, findings: Sequence[Finding]) -> str:
    """Fill in the box about the data at the top of a page."""
    return page.replace(FINDINGS_MARK, findings_block(findings), 1)


def findings_block(findings: Sequence[Finding]) -> str:
    """Create the box "Before you believe this"; nothing if there is nothing to report."""
    findings_by_kind = grouped(
        (finding.kind, finding) for finding in findings if finding.severity != "note"
    )
    items = []
    for kind, (first_finding, *similar_findings) in findings_by_kind.items():
        other_subjects = (
            f" (also {brief_list([finding.subject for finding in similar_findings])})"
            if similar_findings
            else ""
        )
        end = "" if (message := f"{first_finding.message}{other_subjects}").endswith("?") else "."
        text = f"<b>{escape(f'{first_finding.subject}: {kind}')}</b> {escape(message)}{end}"
        effect = (
            f" {escape(first_finding.effect[0].upper() + first_finding.effect[1:])}."
            if first_finding.effect
            else ""
        )
        fix = f" <code>{escape(first_finding.fix)}</code>" if first_finding.fix else ""
        mark = "fatal" if first_finding.fatal else first_finding.severity
        items.append(f"<li class={mark}>{text}{effect}{fix}")
    if not items:
        return ""
    return f"<div class=findings><h2>Before you believe this</h2><ul>{''.join(items)}</ul></div>"


def render_page(
    title: str, sections: Sequence[Section], *, lead: str, signature: str, opening: str = ""
) -> str:
    """Assemble a page, which may use only its own script and style.

    At the top are the title, the lead and the `opening`, such as a conclusion; the signature at
    the end lists what is needed to reproduce the numbers.
    """
    links = "".join(
        f'<a href="#s{number}">{escape(section.title)}</a>'
        for number, section in enumerate(sections)
        if section.listed
    )
    body = "".join(_section_html(number, section) for number, section in enumerate(sections))
    style, script = (
        read_page_file("style.css") + read_page_file("blocks.css"),
        read_page_file("script.js"),
    )
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>"
        f"<header><h1>{escape(title)}</h1>{paragraph(lead, soft=True)}{FINDINGS_MARK}{opening}"
        f"<nav>{links}</nav>"
        f"</header><main>{body}</main>"
        f"<footer>Signature: <code>{escape(signature)}</code></footer>"
        f"<script>{script}</script></body></html>\n"
    )


def _section_html(number: int, section: Section) -> str:
    heading, content = f"<h2>{escape(section.title)}</h2>", "".join(section.blocks)
    if section.folded:
        return f'<details class=part id="s{number}"><summary>{heading}</summary>{content}</details>'
    return f'<section id="s{number}">{heading}{content}</section>'


def _hash(text: str) -> str:
    """Return the hash of a style or script for the Content Security Policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A self-contained page; see `render_page`."""

    saves: ClassVar[tuple[Savable, ...]] = (
        Savable(
            "output", "HTML file to write.", lambda page: page.save, require_page_file,
            flags=("--output", "-o"), metavar="FILE", default=Path("report.html"),
        ),
    )  # fmt: skip

    title: str
    sections: tuple[Section, ...]
    lead: str = ""
    signature: str = ""
    opening: str = ""
    findings: tuple[Finding, ...] = ()

    def to_html(self) -> str:
        """Write the page."""
        page = render_page(
            self.title,
            self.sections,
            lead=self.lead,
            signature=self.signature,
            opening=self.opening,
        )
        return with_findings(page, self.findings)

    def save(self, path: str | Path) -> Path:
        """Write the page to a file, completely or not at all."""
        require_page_file(Path(path))
        write_text(path, self.to_html())
        return Path(path)

    def __repr__(self) -> str:
        return f"<HtmlPage {self.title!r}: {len(self.sections)} sections>"
