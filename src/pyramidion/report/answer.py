"""What a command answers, and how it is written down."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any, Literal, TypeVar, get_args, overload

from pyramidion.collection.signature import Signature
from pyramidion.report.table import Table

__all__ = ["FORMS", "Answer", "Form", "Later"]

Form = Literal["table", "json", "csv", "latex"]

#: The forms an answer can be written in.
FORMS: tuple[Form, ...] = get_args(Form)


Item = TypeVar("Item")


class Later(Sequence[Item]):
    """Parts of an answer that are made when they are asked for, since few forms show them all.

    Parameters
    ----------
    makers
        A function for each part.

    Examples
    --------
    >>> Later([lambda: "one", lambda: "two"])[1]
    'two'
    """

    def __init__(self, makers: Iterable[Callable[[], Item]]) -> None:
        self._makers = tuple(makers)

    def __len__(self) -> int:
        return len(self._makers)

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> "Later[Item]": ...
    def __getitem__(self, place: int | slice) -> "Item | Later[Item]":
        if isinstance(place, slice):
            return Later(self._makers[place])
        return self._makers[place]()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a command.

    Parameters
    ----------
    command
        Which command.
    signature
        What one must know to get the same answer again.
    results
        The answer as data, for JSON.
    tables
        The answer for people, and for CSV and LaTeX.
    left_out
        What was not considered, counted, one line each.
    yes
        False if the command ran and the answer is no (exit code 1).

    Examples
    --------
    >>> answer = Answer("describe", Signature("describe"), [{"topics": 1}],
    ...                 (Table(("topics",), ((1,),)),))
    >>> print(answer.written("json"))
    {
      "command": "describe",
      "signature": "describe|v...",
      "results": [
        {
          "topics": 1
        }
      ],
      "left_out": []
    }
    <BLANKLINE>
    """

    command: str
    signature: Signature
    results: Sequence[Mapping[str, Any]]
    tables: Sequence[Table]
    left_out: tuple[str, ...] = ()
    yes: bool = True

    def written(self, form: Form, *, width: int | None = None, styled: bool = False) -> str:
        """Write the answer in one of the forms.

        Parameters
        ----------
        form
            ``table``, ``json``, ``csv`` or ``latex``.
        width, styled
            See `Table.to_text`.
        """
        return "".join(self.pieces(form, width=width, styled=styled))

    def pieces(
        self, form: Form, *, width: int | None = None, styled: bool = False
    ) -> Iterator[str]:
        """Write the answer piece by piece, so that a reader need not wait for a long table."""
        if form == "json":
            yield self._as_json()
        elif form == "latex":
            yield f"% {self.signature}\n"
            yield from _with_gaps(table.to_latex() for table in self.tables)
        elif form == "csv":
            yield from _with_gaps(_joined_csv(self.tables))
        else:
            shown = (table.to_text(width=width, styled=styled) for table in self.tables)
            yield from _with_gaps(chain(shown, [f"{self.signature}\n"]))

    def _as_json(self) -> str:
        content = {
            "command": self.command,
            "signature": str(self.signature),
            "results": [_plain(result) for result in self.results],
            "left_out": list(self.left_out),
        }
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _joined_csv(tables: Iterable[Table]) -> Iterator[str]:
    """Write tables with the same columns under one header."""
    for _, alike in groupby(sorted(tables, key=_header), key=_header):
        first, *others = (table.to_csv() for table in alike)
        yield first + "".join(text.split("\n", 1)[1] for text in others)


def _header(table: Table) -> tuple[str, ...]:
    return (*(name for name, _ in table.key), *table.columns)


def _with_gaps(pieces: Iterable[str]) -> Iterator[str]:
    for number, piece in enumerate(pieces):
        yield f"\n{piece}" if number else piece


def _plain(value: Any) -> Any:
    """Turn mappings, sequences and NumPy's numbers into what JSON knows; NaN becomes null."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
