"""A summary that is read as prose by people and as a table of sentences by programs."""

import io
from collections.abc import Iterator
from dataclasses import dataclass

from pyramidion.report.answer import Answer, Form
from pyramidion.report.table import Table
from pyramidion.summarizers import Extract

__all__ = ["SummaryTable", "TextAnswer", "summary_table"]

#: Longer lines are hard to read, however wide the terminal is.
_WIDEST = 100

#: The width of a terminal that does not tell it.
_USUAL = 80

_COLUMNS = ("sentence", "document", "index", "rank", "score", "rewritten", "text")


@dataclass(frozen=True, slots=True)
class TextAnswer(Answer):
    """An answer that is a text to read, with tables about it.

    Examples
    --------
    >>> from pyramidion.collection import Signature
    >>> table = SummaryTable(("text",), (("Rain fell.",),))
    >>> print(TextAnswer("summarize", Signature("lead"), [], (table,)).written("table"), end="")
    Rain fell.
    """

    def pieces(
        self, form: Form, *, width: int | None = None, styled: bool = False
    ) -> Iterator[str]:
        """Write the answer piece by piece; a text to read ends where the text ends."""
        if form != "table":
            yield from Answer.pieces(self, form, width=width, styled=styled)
            return
        for number, table in enumerate(self.tables):
            yield "\n" * bool(number) + table.to_text(width=width, styled=styled)


@dataclass(frozen=True, slots=True)
class SummaryTable(Table):
    r"""Sentences under named columns that people see as running text.

    Examples
    --------
    >>> table = SummaryTable(("text",), (("Rain fell.",), ("Roads closed.",)), title="T1")
    >>> table.to_text(), table.to_text(width=40)
    ('T1\n\nRain fell.\nRoads closed.\n', 'T1\n\nRain fell. Roads closed.\n')
    """

    def to_text(self, *, width: int | None = None, styled: bool = False) -> str:
        """Write the sentences: one a line, or as a paragraph where there is a terminal."""
        sentences = [str(row[-1]) for row in self.rows]
        head = f"{self.title}\n\n" if self.title else ""
        if width is None:
            return head + "\n".join(sentences) + "\n"
        return _paragraph(
            self.title, " ".join(sentences), min(width or _USUAL, _WIDEST), styled=styled
        )


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


def summary_table(
    extract: Extract, key: tuple[tuple[str, str], ...] = (), title: str = ""
) -> SummaryTable:
    """Make the table of a summary.

    Parameters
    ----------
    extract
        The summary.
    key
        Task, topic and system: more columns in CSV.
    title
        What people read above it.

    Examples
    --------
    >>> from pyramidion.summarizers import ChosenSentence
    >>> extract = Extract((ChosenSentence("Rain fell.", "d1", 0, 0.5, 1),), "sum-avr")
    >>> print(summary_table(extract, (("topic", "T1"),)).to_csv(), end="")
    topic,sentence,document,index,rank,score,rewritten,text
    T1,1,d1,0,1,0.5,no,Rain fell.
    """
    rows = tuple(
        (place, s.document, s.index, s.rank, s.score, "yes" if s.rewritten else "no", s.text)
        for place, s in enumerate(extract.sentences, start=1)
    )
    return SummaryTable(_COLUMNS, rows, title=title, key=key)
