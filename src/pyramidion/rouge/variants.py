"""The family of ROUGE: what is counted."""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.errors import InputError

__all__ = ["BE_MODES", "UNLIMITED", "Family", "Variant", "parse_variant", "weight_text"]

Family = Literal["n", "l", "w", "s", "su", "be"]

#: Which parts of a basic element (head, modifier, relation) count, see `basic_elements`.
BE_MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")

#: The gap of skip-bigrams without a limit.
UNLIMITED = -1


@dataclass(frozen=True, slots=True)
class Variant:
    """One member of the family.

    Parameters
    ----------
    family
        ``n``: n-grams; ``l``: longest common subsequences; ``w``: weighted ones; ``s``:
        skip-bigrams; ``su``: skip-bigrams and single words; ``be``: basic elements.
    parameter
        The n of n-grams, the weight of ``w``, the gap of skip-bigrams (negative: no limit), the
        mode of basic elements; text, so that it prints as it was typed.

    Examples
    --------
    >>> Variant("su", "4").measure, Variant("su", "4").perl_name
    ('rouge-su4', 'ROUGE-SU4')
    >>> Variant("w", "1.2").measure
    'rouge-w-1.2'
    """

    family: Family
    parameter: str = ""

    @property
    def number(self) -> float:
        """The parameter as a number."""
        return float(self.parameter)

    @property
    def measure(self) -> str:
        """The name of the measure, without the suffix for recall, precision or F."""
        return self.perl_name.lower()

    @property
    def perl_name(self) -> str:
        """The name ROUGE-1.5.5 prints."""
        family = self.family.upper()
        match self.family:
            case "n":
                return f"ROUGE-{self.parameter}"
            case "l":
                return "ROUGE-L"
            case "s" | "su":
                return f"ROUGE-{family}{'*' if self.number < 0 else self.parameter}"
            case "w" | "be":
                return f"ROUGE-{family}-{self.parameter}"


_NAME = re.compile(
    r"(?:rouge-?)?(?:(?P<n>[1-9]\d*)|(?P<l>l)|w-?(?P<w>\d*\.?\d+)|(?P<s>su?)(?P<gap>\d+|\*)"
    r"|be-(?P<be>[a-z]+\d?))",
    re.IGNORECASE | re.ASCII,
)


def weight_text(weight: float) -> str:
    """Write a weight so that it reads back as the same number, without an exponent.

    Examples
    --------
    >>> weight_text(1.0), weight_text(1.25), weight_text(1e-7)
    ('1', '1.25', '0.0000001')
    """
    return np.format_float_positional(weight, trim="-")


def parse_variant(name: str) -> Variant:
    """Read the name of a variant, with or without ``rouge-`` before it.

    Numbers are written in one way: ``rouge-w-1.20`` is ``rouge-w-1.2``.

    Examples
    --------
    >>> parse_variant("rouge-2"), parse_variant("su4")
    (Variant(family='n', parameter='2'), Variant(family='su', parameter='4'))
    """
    found = _NAME.fullmatch(name.strip())
    if found is None:
        raise InputError(
            f"{name!r} is no variant of ROUGE",
            hint="try rouge-2, rouge-l, rouge-w-1.2 or rouge-su4",
        )
    if found["n"]:
        return Variant("n", found["n"])
    if found["l"]:
        return Variant("l")
    if found["w"]:
        return Variant("w", weight_text(float(found["w"])))
    if found["be"]:
        return _be(found["be"].upper())
    gap = str(UNLIMITED if found["gap"] == "*" else int(found["gap"]))
    return Variant("su" if len(found["s"]) == 2 else "s", gap)


def _be(mode: str) -> Variant:
    if mode not in BE_MODES:
        raise InputError(
            f"{mode!r} is no mode of basic elements", hint=f"try {', '.join(BE_MODES)}"
        )
    return Variant("be", mode)
