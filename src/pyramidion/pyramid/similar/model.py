"""The model that says how probable it is that a text expresses a content unit.

The weight of a stem in a wording is the exponential of a sum over what is known of it
(`FACTORS`); what is found of the wording (:mod:`pyramidion.pyramid.similar.evidence`) and its
size go into a logistic function. A unit is as probable as its most probable wording. Where
nothing at all of a wording is found, the probability is 0.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection.files import read_text, write_text
from pyramidion.errors import FormatError, InputError, Where
from pyramidion.pyramid.similar.evidence import Evidence, evidence_in
from pyramidion.pyramid.similar.wordings import FACTORS, Floats, Wordings

__all__ = ["LARGEST", "SimilarityModel", "default_model"]

#: What is fitted is small; larger numbers would have no exponential.
LARGEST = 50.0

_SHIPPED = Path(__file__).parent / "data" / "similarity.json"


@dataclass(frozen=True, slots=True)
class SimilarityModel:
    """The numbers of the model.

    Parameters
    ----------
    rarity, spread, number, quoted
        What the four things known of a stem add to the logarithm of its weight.
    intercept, anywhere, near, size
        The logistic function: what it adds to for the two shares that are found, and for the
        logarithm of the number of stems.
    window
        How many words a stretch has.
    likeness
        How much two words must resemble each other to be found in part.
    card
        Where the numbers come from.

    Examples
    --------
    >>> model = SimilarityModel(intercept=-2.0, anywhere=4.0)
    >>> wordings = Wordings.of([["Ice melts"]])
    >>> model.shares(wordings).round(2).tolist()
    [[0.49, 0.51]]
    """

    rarity: float = 1.0
    spread: float = -1.0
    number: float = 0.0
    quoted: float = 0.0
    intercept: float = -2.0
    anywhere: float = 2.0
    near: float = 2.0
    size: float = 0.0
    window: int = 15
    likeness: float = 0.6
    card: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in (*FACTORS, "intercept", "anywhere", "near", "size"):
            _require_number(getattr(self, name), name, -LARGEST, LARGEST)
        _require_number(self.likeness, "likeness", 0, 1)
        _require_number(self.window, "window", 1, 1000)
        if not isinstance(self.window, int):
            raise InputError(f"`window` is {self.window!r}", hint="give a whole number of words")

    @property
    def of_stems(self) -> Floats:
        """The numbers for `FACTORS`."""
        return np.array([getattr(self, name) for name in FACTORS])

    def shares(self, wordings: Wordings) -> Floats:
        """Give the share of each stem (column) in the weight of each wording (row)."""
        weights = np.where(wordings.uses, np.exp(wordings.factors @ self.of_stems), 0.0)
        shares: Floats = weights / weights.sum(axis=1, keepdims=True)
        return shares

    def evidence(self, hits: Floats, shares: Floats) -> Evidence:
        """Weigh what was found of wordings whose stems have these shares."""
        return evidence_in(hits, shares, window=self.window)

    def log_odds(self, found: Evidence, sizes: NDArray[np.int64]) -> Floats:
        """Give the log-odds of wordings of so many stems."""
        given = self.intercept + self.anywhere * found.anywhere + self.near * found.near
        odds: Floats = given + self.size * np.log(sizes)
        return np.where(found.anywhere > 0, odds, -np.inf)

    @classmethod
    def load(cls, path: str | Path) -> "SimilarityModel":
        """Read a model from JSON.

        Parameters
        ----------
        path
            A file that `save` wrote.

        Raises
        ------
        FormatError
            The file is no model.
        """
        hint = "write one with `SimilarityModel.save`"
        text = read_text(path)
        try:
            return cls(**json.loads(text))
        except InputError as error:
            raise FormatError(error.what, where=Where(path), hint=error.hint) from None
        except ValueError as error:
            raise FormatError(f"this is no JSON ({error})", where=Where(path), hint=hint) from None
        except TypeError:
            names = ", ".join(known.name for known in fields(cls))
            what = f"this is no model of similarity: it has other fields than {names}"
            raise FormatError(what, where=Where(path), hint=hint) from None

    def save(self, path: str | Path) -> None:
        """Write the model as JSON, whole or not at all."""
        rounded = {
            name: round(value, 6) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }
        text = json.dumps(rounded, indent=2, ensure_ascii=False)
        write_text(path, f"{text}\n")


def _require_number(value: object, name: str, least: float, most: float) -> None:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    if not (known and least <= cast("float", value) <= most):
        raise InputError(f"`{name}` is {value!r}", hint=f"give a number from {least:g} to {most:g}")


@cache
def default_model() -> SimilarityModel:
    """Read the model that comes with the package, fitted on REALSumm's SCU labels.

    Examples
    --------
    >>> default_model().card["licence"]
    'CC BY 4.0'
    """
    return SimilarityModel.load(_SHIPPED)
