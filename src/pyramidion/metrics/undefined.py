"""Scores that do not exist: counted, and told with their reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pyramidion._types import Bools
from pyramidion.collection.scores import Addressed

__all__ = ["UNDEFINED", "WITHOUT", "Undefined"]

#: Why a score does not exist, where something is lacking.
WITHOUT: Mapping[str, str] = {
    "references": "without any other reference",
    "documents": "without documents",
    "earlier references": "without earlier references",
}

#: Why it does not exist otherwise.
UNDEFINED = "for which it is undefined"

_SHOWN = 3


@dataclass
class Undefined:
    """Counts summaries that a measure does not score, by reason.

    Examples
    --------
    >>> from pyramidion.collection import Summary
    >>> undefined = Undefined()
    >>> for measure in ("bleu", "rouge-2-f"):
    ...     undefined.add(measure, [Summary("T1", "7", "")], np.array([True]), UNDEFINED)
    >>> list(undefined.lines())
    ['bleu, rouge-2-f of 1 summary for which it is undefined: T1, 7']
    """

    _numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    _names: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(
        self,
        measure: str,
        scored: Sequence[Addressed],
        rows: Bools,
        reason: str,
    ) -> None:
        """Count the summaries in some rows.

        Parameters
        ----------
        measure
            What they have no score of.
        scored
            All summaries, in the order of the rows.
        rows
            Which of them.
        reason
            Why.
        """
        places = np.flatnonzero(rows).tolist()
        if not places:
            return
        key = (measure, reason)
        self._numbers[key] = self._numbers.get(key, 0) + len(places)
        names = self._names.setdefault(key, [])
        names += [_name(scored[place]) for place in places[: _SHOWN - len(names)]]

    def lines(self) -> Iterator[str]:
        """Say what was not scored, measures that lack the same together."""
        alike: dict[str, list[str]] = {}
        for key, number in self._numbers.items():
            shown = "; ".join(self._names[key]) + ("; ..." if number > _SHOWN else "")
            counted = "1 summary" if number == 1 else f"{number} summaries"
            alike.setdefault(f"{counted} {key[1]}: {shown}", []).append(key[0])
        for what, measures in alike.items():
            listed = ", ".join(measures[:_SHOWN]) + (", ..." if len(measures) > _SHOWN else "")
            yield f"{listed} of {what}"


def _name(item: Addressed) -> str:
    return ", ".join(filter(None, (item.topic, item.task, item.system)))
