"""A metric is a value: its parameters are its fields, and its text reads back."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from pyramidion.errors import InputError, MissingExtraError
from pyramidion.metrics.options import option, read_option, split_name, wanted, written

if TYPE_CHECKING:
    from pyramidion.metrics.cases import Cases

__all__ = ["NEEDS", "Metric", "Need", "option", "share", "split_name"]

Floats = npt.NDArray[np.float64]

#: What a metric may need beside the summary itself.
Need = Literal["references", "documents", "earlier references", "parser"]

#: In the order in which they are told.
NEEDS: tuple[Need, ...] = get_args(Need)


@dataclass(frozen=True, slots=True)
class Metric(ABC):
    """What scores summaries; a subclass is one metric, or one family of them.

    A subclass is a frozen dataclass whose fields are made with `option`, has the class
    attributes below, and computes `statistics`: for every case one row of numbers from which
    `score` follows, and follows for sums of rows too where the metric allows it.

    Examples
    --------
    >>> from pyramidion.metrics import Cases, parse_metric
    >>> metric = parse_metric("bleu(n=2)")
    >>> str(metric), metric.needs
    ('bleu(n=2)', frozenset({'references'}))
    >>> cases = Cases.of_texts(["Rain fell today."], [["Rain fell today."]])
    >>> metric.score(metric.statistics(cases)).tolist()
    [1.0]
    """

    #: As it is typed and stands in tables.
    name: ClassVar[str]
    #: As people call it.
    title: ClassVar[str]
    #: What it measures, in a line.
    summary: ClassVar[str]
    #: Who described it.
    citation: ClassVar[str] = ""
    #: Whether a better summary has a greater score.
    higher_is_better: ClassVar[bool] = True
    #: What it needs beside the summary.
    needs: ClassVar[frozenset[Need]] = frozenset()
    #: The names to list, if it is a family; its own name otherwise.
    members: ClassVar[tuple[str, ...]] = ()
    #: Whether a summary's score is the same whatever other summaries are scored with it.
    per_case: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            problem = wanted(value, parameter)
            if problem:
                raise InputError(
                    f"{self.name}: {parameter.name} is {value!r}", hint=f"give {problem}"
                )

    @abstractmethod
    def statistics(self, cases: "Cases") -> Floats:
        """Give a row of numbers for each case.

        Parameters
        ----------
        cases
            Summaries with what they are scored against.
        """

    def score(self, statistics: Floats) -> Floats:
        """Give the score that follows from statistics; NaN where it is undefined.

        Parameters
        ----------
        statistics
            Rows of `statistics`, or sums of them.
        """
        return statistics[..., 0]

    @property
    def requirements(self) -> frozenset[Need]:
        """What this very metric needs, where that depends on its options."""
        return self.needs

    def require_installed(self) -> None:
        """Refuse to begin where an optional dependency is missing."""
        if "parser" in self.requirements and find_spec("spacy") is None:
            raise MissingExtraError(str(self), extra="nlp")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Give the names under which it is listed."""
        return cls.members or (cls.name,)

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Give the fields that a name stands for; `None` if it is no name of this metric."""
        return {} if name == cls.name else None

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read a metric of this class; `None` if the name is another's."""
        name, options = split_name(text)
        found = cls.read(name)
        if found is None:
            return None
        known = {own.name: own for own in fields(cls) if own.name not in found}
        given = dict(read_option(name, known, word) for word in options)
        if len(given) < len(options):
            raise InputError(f"{text!r} gives an option twice", hint="keep one")
        return cls(**{**found, **given})

    def __str__(self) -> str:
        return self.spelled()

    def spelled(self, always: Collection[str] = ()) -> str:
        """Write it as it is typed.

        Parameters
        ----------
        always
            Options to write even where they have their defaults.
        """
        options = ",".join(self._options(always))
        return f"{self._call()}({options})" if options else self._call()

    def _call(self) -> str:
        """Give the name with the parameters that are part of it."""
        return self.name

    def _options(self, always: Collection[str]) -> Iterator[str]:
        in_name = self.read(self._call()) or {}
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            said = value != parameter.default or parameter.name in always
            if said and parameter.name not in in_name:
                yield written(parameter.name, value)


def share(part: Floats, whole: Floats) -> Floats:
    """Divide; NaN where there is nothing to divide by.

    Examples
    --------
    >>> share(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist()
    [0.25, nan]
    """
    shares: Floats = np.full(whole.shape, np.nan)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares
