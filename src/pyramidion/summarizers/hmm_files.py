"""Models of summary sentences in files, and the one that comes with the package."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pyramidion.collection.files import read_text, write_text
from pyramidion.errors import FormatError, InputError, NotFoundError, Where
from pyramidion.summarizers.hmm import SummaryHmm

__all__ = ["HmmFile", "default_hmms"]

_SHIPPED = Path(__file__).parent / "data" / "hmm.json"


@dataclass(frozen=True, slots=True)
class HmmFile:
    """Models with different numbers of states that were fitted on the same documents.

    Parameters
    ----------
    models
        By their numbers of states.
    card
        Where the numbers come from.

    Examples
    --------
    >>> sorted(default_hmms().models)
    [3, 5, 7, 9, 11, 13]
    """

    models: Mapping[int, SummaryHmm]
    card: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @classmethod
    def load(cls, path: str | Path) -> "HmmFile":
        """Read models from JSON.

        Parameters
        ----------
        path
            A file that `save` wrote.

        Raises
        ------
        FormatError
            The file holds no models.
        """
        try:
            data = json.loads(read_text(path))
            models = (_model(own) for own in data["models"])
            return cls({model.states: model for model in models}, data["card"])
        except (AttributeError, InputError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, NotFoundError):
                raise
            raise FormatError(
                f"this holds no models of summary sentences ({error})",
                where=Where(path),
                hint="write some with `HmmFile.save`",
            ) from None

    def save(self, path: str | Path) -> None:
        """Write the models as JSON, whole or not at all.

        Parameters
        ----------
        path
            The file.
        """
        models = ",\n".join(json.dumps(_record(own)) for _, own in sorted(self.models.items()))
        card = json.dumps(dict(self.card), ensure_ascii=False, indent=1)
        write_text(path, f'{{"card": {card},\n"models": [\n{models}\n]}}\n')

    def model(self, states: int) -> SummaryHmm:
        """Give the model with so many states.

        Parameters
        ----------
        states
            The number of states.
        """
        if states not in self.models:
            there = ", ".join(map(str, sorted(self.models))) or "none"
            raise InputError(f"there is no model of {states} states", hint=f"there are: {there}")
        return self.models[states]


@cache
def default_hmms() -> HmmFile:
    """Read the models that come with the package (see ``data/hmm.md``).

    Examples
    --------
    >>> default_hmms().card["licence"]
    'CC BY 4.0'
    """
    return HmmFile.load(_SHIPPED)


def _model(data: Mapping[str, Any]) -> SummaryHmm:
    return SummaryHmm(
        tuple(map(float, data["initial"])),
        tuple(tuple(map(float, row)) for row in data["transitions"]),
        tuple(map(float, data["means"])),
        float(data["variance"]),
    )


def _record(model: SummaryHmm) -> dict[str, Any]:
    return {
        "initial": _rounded(model.initial),
        "transitions": [_rounded(row) for row in model.transitions],
        "means": _rounded(model.means),
        "variance": round(model.variance, 6),
    }


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, 6) for value in values]
