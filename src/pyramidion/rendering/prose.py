"""Running text for people, tables of sentences for programs."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from pyramidion.errors import visible
from pyramidion.rendering.result import Form, Result
from pyramidion.rendering.table import Table, markdown_text

#: Longer lines are hard to read, however wide the terminal.
_MAX_WIDTH = 100

#: The width of a terminal that does not report it.
_DEFAULT_WIDTH = 80

T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ProseResult(Result[T]):
    """A result that is a running text, with tables about it."""

    def iter_render(
        self, form: Form, *, width: int | None = None, styled: bool = False
    ) -> Iterator[str]:
        """Write it piece by piece; running text has no signature."""
        if form != "table":
            yield from Result.iter_render(self, form, width=width, styled=styled)
            return
        for number, table in enumerate(self.tables):
            yield "\n" * bool(number) + table.to_text(width=width, styled=styled)


@dataclass(frozen=True, slots=True)
class Prose(Table):
    """Sentences, in the last column, shown to people as running text.

    Parameters
    ----------
    whole
        The text with the white space between its sentences, if that matters.
    closing
        A line below the text.
    """

    whole: str = ""
    closing: str = ""

    def to_markdown(self) -> str:
        """Write the text under its title."""
        title = f"## {markdown_text(self.title)}\n\n" if self.title else ""
        sentences = " ".join(" ".join(str(row[-1]).split()) for row in self.rows)
        closing = f"\n{markdown_text(self.closing)}\n" if self.closing else ""
        return f"{title}{markdown_text(self.whole.strip() or sentences)}\n{closing}"

    def to_text(self, *, width: int | None = None, styled: bool = False) -> str:
        """Write the text with its own layout, one sentence per line, or as a paragraph."""
        text_with_layout = visible(self.whole.strip(), keep="\n\t")
        sentences = [visible(str(row[-1]), keep="\n\t") for row in self.rows]
        title = visible(self.title)
        if width is None or "\n" in text_with_layout:
            text = text_with_layout or "\n".join(sentences)
            parts = filter(None, (title, text, visible(self.closing)))
            return "\n\n".join(parts) + "\n"
        max_width = min(width or _DEFAULT_WIDTH, _MAX_WIDTH)
        text = _paragraph(title, " ".join(sentences), max_width, styled=styled)
        closing = _paragraph("", visible(self.closing), max_width, styled=styled)
        return f"{text}\n{closing}" if self.closing else text


def _paragraph(title: str, text: str, width: int, *, styled: bool) -> str:
    from rich.console import Console
    from rich.text import Text

    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=styled, highlight=False)
    if title:
        console.print(Text(title, style="bold"))
        console.print()
    console.print(Text(text))
    lines = stream.getvalue().rstrip("\n").split("\n")
    return "\n".join(line.rstrip() for line in lines) + "\n"
