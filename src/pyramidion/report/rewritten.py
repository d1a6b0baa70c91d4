"""A summary before and after rewriting, to read and as data."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pyramidion.collection import Summary
from pyramidion.report.replacements import replacements_table
from pyramidion.report.rewrite_request import RewriteRequest
from pyramidion.report.summary_text import SummaryTable
from pyramidion.report.table import Table
from pyramidion.report.who_is_who import who_record, who_table
from pyramidion.rewriting.status.who import WhoIs
from pyramidion.summarizers import RewrittenSummary

__all__ = ["MadeRewrite", "SpacedTable", "respaced"]


@dataclass(frozen=True, slots=True)
class MadeRewrite:
    """A summary before and after.

    Parameters
    ----------
    summary
        Before.
    made
        After.
    who
        Who people in it are.

    Examples
    --------
    >>> from pyramidion.rewriting import Rewritten
    >>> made = RewrittenSummary(("Rain fell.",), (Rewritten("Rain fell."),))
    >>> MadeRewrite(Summary("T1", "mine", "Rain fell."), made).text
    'Rain fell.'
    """

    summary: Summary
    made: RewrittenSummary
    who: tuple[WhoIs, ...] = ()

    @property
    def text(self) -> str:
        """The summary, with the white space it had between sentences."""
        sentences = [own.text for own in self.made.sentences]
        if not isinstance(self.summary.text, str):
            return "\n".join(sentences)
        return respaced(self.summary.text, self.made.before, sentences)

    @property
    def peer(self) -> Summary:
        """The summary as a collection has it: a text stays a text."""
        if isinstance(self.summary.text, str):
            return replace(self.summary, text=self.text)
        return replace(self.summary, text=tuple(own.text for own in self.made.sentences))

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """Task, topic and system."""
        own = self.summary
        return (("task", own.task), ("topic", own.topic), ("system", own.system))

    @property
    def record(self) -> dict[str, Any]:
        """The summary as JSON has it."""
        pairs = zip(self.made.before, self.made.sentences, strict=True)
        sentences = [
            {
                "text": own.text,
                "before": before,
                "rewritten": own.text != before,
                "replacements": [asdict(change) for change in own.replacements],
            }
            for before, own in pairs
        ]
        return {
            **dict(self.key),
            "changed": self.made.changed,
            "sentences": sentences,
            "text": self.text,
            "people": [who_record(own) for own in self.who],
            "notes": list(self.made.notes),
        }

    def remarks(self, request: RewriteRequest) -> Iterator[str]:
        """Say what a person should know."""
        yield from self.made.notes
        if not self.made.changed:
            yield "nothing was replaced"
        if request.who and not self.who:
            yield "nobody in the summary matters to the story and is new to readers"

    def tables(self, request: RewriteRequest, title: str) -> Iterator[Table]:
        """Show the summary and what was asked about it."""
        rows = tuple(
            (place, "yes" if own.text != before else "no", own.text)
            for place, (before, own) in enumerate(
                zip(self.made.before, self.made.sentences, strict=True), start=1
            )
        )
        alone = not (request.explain or request.who)
        key = self.key if alone else (("table", "summary"), *self.key)
        columns = ("sentence", "rewritten", "text")
        yield SpacedTable(columns, rows, title=title, key=key, whole=self.text)
        changes = [
            (place, change)
            for place, own in enumerate(self.made.sentences, start=1)
            for change in own.replacements
        ]
        if request.explain and changes:
            own_key = (("table", "rewritten"), *self.key)
            yield replacements_table(changes, title=title, key=own_key)
        if request.who and self.who:
            yield who_table(self.who, title=title, key=(("table", "who"), *self.key))


@dataclass(frozen=True, slots=True)
class SpacedTable(SummaryTable):
    """Sentences that people see with the white space that stood between them.

    Examples
    --------
    >>> table = SpacedTable(("text",), (("Rain fell.",),), whole="Rain fell. ")
    >>> print(table.to_text(), end="")
    Rain fell.
    """

    whole: str = ""

    def to_text(self, *, width: int | None = None, styled: bool = False) -> str:
        """Write the text as it was laid out, or as a paragraph where there is a terminal."""
        if width is not None and "\n" not in self.whole.strip():
            return SummaryTable.to_text(self, width=width, styled=styled)
        head = f"{self.title}\n\n" if self.title else ""
        return f"{head}{self.whole.strip()}\n"


def respaced(text: str, before: Sequence[str], after: Sequence[str]) -> str:
    """Put sentences into the places of others in a text.

    Parameters
    ----------
    text
        A text.
    before
        Its sentences.
    after
        What takes their places.

    Examples
    --------
    >>> respaced("Rain fell.  It was cold.", ["Rain fell.", "It was cold."], ["Snow fell.", "Brr!"])
    'Snow fell.  Brr!'
    """
    pieces, done = [], 0
    for old, new in zip(before, after, strict=True):
        start = text.find(old, done)
        if start < 0:
            # Lines that were joined are not in the text as they are.
            return "\n".join(after)
        pieces += [text[done:start], new]
        done = start + len(old)
    return "".join([*pieces, text[done:]])
