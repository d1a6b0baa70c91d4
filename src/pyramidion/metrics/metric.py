"""A metric is a value: its parameters are its fields, and its text reads back."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from pyramidion.errors import InputError

if TYPE_CHECKING:
    from pyramidion.metrics.cases import Cases

__all__ = ["NEEDS", "Metric", "Need", "option", "split_name"]

Floats = npt.NDArray[np.float64]

#: What a metric may need beside the summary itself.
Need = Literal["references", "documents", "earlier references", "parser"]

_CALL = re.compile(r"\s*([^()\s,]+)\s*(?:\((.*)\))?\s*")


def option(
    default: Any,
    help: str,
    *,
    choices: tuple[str, ...] = (),
    least: float | None = None,
    most: float | None = None,
) -> Any:
    """Declare a parameter of a metric.

    Parameters
    ----------
    default
        Its value unless it is given; its type is the parameter's type.
    help
        What it does, in a line.
    choices
        The only values, if they are words.
    least, most
        The bounds, if it is a number.
    """
    rules = {"help": help, "choices": choices, "least": least, "most": most}
    return field(default=default, metadata=rules)


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

    def __post_init__(self) -> None:
        for parameter in fields(self):
            problem = _problem(getattr(self, parameter.name), parameter)
            if problem:
                value = getattr(self, parameter.name)
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
        known = {parameter.name: parameter for parameter in fields(cls)}
        given = dict(_option(name, known, word) for word in options)
        if len(given) < len(options):
            raise InputError(f"{text!r} gives an option twice", hint="keep one")
        return cls(**{**found, **given})

    def __str__(self) -> str:
        options = ",".join(self._options())
        return f"{self._call()}({options})" if options else self._call()

    def _call(self) -> str:
        """Give the name with the parameters that are part of it."""
        return self.name

    def _options(self) -> Iterator[str]:
        in_name = self.read(self._call()) or {}
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            if parameter.name in in_name or value == parameter.default:
                continue
            yield parameter.name if value is True else f"{parameter.name}={_written(value)}"


def split_name(text: str) -> tuple[str, list[str]]:
    """Split ``name(option,option=value)``.

    Examples
    --------
    >>> split_name("bleu(n=2, smooth)"), split_name("js-input")
    (('bleu', ['n=2', 'smooth']), ('js-input', []))
    """
    found = _CALL.fullmatch(text)
    if found is None:
        raise InputError(f"{text!r} is no name of a metric", hint="write it like bleu(n=2)")
    words = (found[2] or "").split(",")
    return found[1], [word.strip() for word in words if word.strip()]


def _option(metric: str, known: Mapping[str, Any], text: str) -> tuple[str, Any]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if name not in known:
        there = ", ".join(known) or "none"
        raise InputError(f"{metric} has no option {name!r}", hint=f"there are: {there}")
    default = known[name].default
    if isinstance(default, bool):
        return name, _switch(metric, name, value if equals else "on")
    try:
        return name, (str if default is None else type(default))(value)
    except ValueError:
        kind = "whole number" if isinstance(default, int) else "number"
        raise InputError(f"{metric}: {name} is {value!r}", hint=f"give a {kind}") from None


def _switch(metric: str, name: str, value: str) -> bool:
    if value not in ("on", "off"):
        raise InputError(f"{metric}: {name} is {value!r}", hint="give on or off")
    return value == "on"


def _written(value: Any) -> str:
    return "off" if value is False else str(value)


def _problem(value: Any, parameter: Any) -> str:
    """Say what a parameter must be, if it is not."""
    choices = parameter.metadata.get("choices") or ()
    if choices and value not in choices:
        return " or ".join(choices)
    least, most = parameter.metadata.get("least"), parameter.metadata.get("most")
    if least is not None and not value >= least:
        return f"a number from {least:g} on"
    if most is not None and not value <= most:
        return f"a number up to {most:g}"
    return ""


#: In the order in which they are told.
NEEDS: tuple[Need, ...] = get_args(Need)
