"""The CSV files of REALSumm's release: lists of SCUs, and workers' answers to them."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection.files import read_text
from pyramidion.errors import FormatError, Where

__all__ = ["ANSWERS_HEADER", "SCUS_HEADER", "Answers", "read_answers", "read_scu_texts"]

#: How a table of answers begins: one row for each summary and worker.
ANSWERS_HEADER = "Input.eventId,Input.summaryId"

#: How the list of SCUs begins.
SCUS_HEADER = "eventId,questionId"

# Sheets have room for 16 statements; what is not needed says so.
_BLANK = "BLANK"
_STATEMENT = re.compile(r"Input\.statement_([0-9]+)")
_MARKS = {"p": 1.0, "n": 0.0}


@dataclass(frozen=True, slots=True)
class Answers:
    """One worker's answers about one summary.

    Parameters
    ----------
    topic, system, text
        The summary.
    statements
        The SCUs the worker was asked for, in their order.
    marks
        For each SCU 1 (present) or 0.
    where
        The row, for messages.

    Examples
    --------
    >>> Answers("T1", "7", "It rained.", ("Rain fell.",), (1.0,), Where("a.csv", line=2)).marks
    (1.0,)
    """

    topic: str
    system: str
    text: str
    statements: tuple[str, ...]
    marks: tuple[float, ...]
    where: Where


def read_answers(path: Path) -> Iterator[Answers]:
    r"""Read a table of workers' answers, one row each.

    Examples
    --------
    >>> import tempfile
    >>> table = ("Input.eventId,Input.summaryId,Input.summary_text,Input.statement_1,"
    ...          "Input.statement_2,Answer.S1Answer,Answer.S2Answer\n"
    ...          "T1,7,It rained.,Rain fell.,BLANK,p,n\n")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "a.csv"
    ...     _ = file.write_text(table)
    ...     [answers.marks for answers in read_answers(file)]
    [(1.0,)]
    """
    needed = ("Input.eventId", "Input.summaryId", "Input.summary_text", "Answer.S1Answer")
    for where, row in _rows(path, needed):
        # A blank can stand between statements; the SCUs are numbered without it.
        numbers = sorted(
            int(match.group(1))
            for name, text in row.items()
            if (match := _STATEMENT.fullmatch(name)) and text != _BLANK
        )
        yield Answers(
            topic=row["Input.eventId"],
            system=row["Input.summaryId"],
            text=row["Input.summary_text"],
            statements=tuple(row[f"Input.statement_{number}"] for number in numbers),
            marks=tuple(_mark(row.get(f"Answer.S{n}Answer"), n, where) for n in numbers),
            where=where,
        )


def read_scu_texts(path: Path) -> dict[str, list[str]]:
    r"""Read the list of SCUs: their texts by topic.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "a.csv"
    ...     _ = file.write_text("eventId,questionId,questionText\nT1,0,Rain fell.\nT1,1,BLANK\n")
    ...     read_scu_texts(file)
    {'T1': ['Rain fell.']}
    """
    found: dict[str, list[str]] = {}
    for _, row in _rows(path, ("eventId", "questionText")):
        texts = found.setdefault(row["eventId"], [])
        if row["questionText"] != _BLANK:
            texts.append(row["questionText"])
    return found


def _mark(answer: str | None, number: int, where: Where) -> float:
    if answer not in _MARKS:
        raise FormatError(
            f"the answer to statement {number} is {answer!r}",
            where=where,
            hint="it is p (present) or n (not present)",
        )
    return _MARKS[answer]


def _rows(path: Path, needed: Sequence[str]) -> Iterator[tuple[Where, dict[str, str]]]:
    """Read a CSV file's rows, refuse a missing column, a row cut off and an empty field."""
    reader = csv.DictReader(io.StringIO(read_text(path)), strict=True)
    try:
        _require(needed, reader.fieldnames or (), path)
        for row in reader:
            where = Where(path, line=reader.line_num)
            if None in row or None in row.values():
                raise FormatError(
                    "the row has not as many fields as the header",
                    where=where,
                    hint="the file may be cut off",
                )
            for name in needed:
                if not row[name]:
                    raise FormatError(f"`{name}` is empty", where=where, hint="fill it in")
            yield where, row
    except csv.Error as error:
        raise FormatError(
            f"this is not readable CSV ({error})",
            where=Where(path, line=reader.line_num),
            hint="the file may be cut off",
        ) from None


def _require(needed: Sequence[str], there: Sequence[str], path: Path) -> None:
    for name in needed:
        if name not in there:
            raise FormatError(
                f"column `{name}` is missing", where=Where(path, line=1), hint="fetch it again"
            )
