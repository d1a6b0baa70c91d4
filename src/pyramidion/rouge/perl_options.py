"""ROUGE-1.5.5.pl's command line."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from getopt import GetoptError, getopt
from pathlib import Path
from typing import Literal, cast

from pyramidion.collection.formats.rouge.config import INPUT_FORMATS, InputFormat
from pyramidion.errors import InputError
from pyramidion.rouge.limits import Limit
from pyramidion.rouge.scoring import ModelRule
from pyramidion.rouge.variants import BE_MODES, Variant

__all__ = ["PerlOptions", "parse_perl_options"]

# Letters as Getopt::Std knows them, a colon after those with a value.
_LONGEST = 1000
_LETTERS = "ac:de:f:hHl:b:mMn:p:sr:t:2:3:uUvw:xz:"

_COUNTING: Mapping[str, Literal[1, 2]] = {"1": 1, "2": 2}


@dataclass(frozen=True, slots=True)
class PerlOptions:
    """What the command line asks for.

    Examples
    --------
    >>> options = parse_perl_options(["-n", "2", "-m", "-a", "rouge.xml"])
    >>> [variant.perl_name for variant in options.variants], options.stem
    (['ROUGE-1', 'ROUGE-2', 'ROUGE-L'], True)
    """

    config: Path
    variants: tuple[Variant, ...]
    peer: str | None
    all_peers: bool
    details: bool
    stem: bool
    stem_models_only: bool
    stop_words: bool
    exceptions: bool
    limit: Limit | None
    rule: ModelRule
    alpha: float
    counting: Literal[0, 1, 2]
    resamples: int
    confidence: str
    list_format: InputFormat | None


def parse_perl_options(arguments: list[str]) -> PerlOptions:
    """Read ROUGE-1.5.5.pl's own command line, and ``--exceptions on|off``.

    Parameters
    ----------
    arguments
        What stands after the program's name.

    Examples
    --------
    >>> parse_perl_options(["-a"])
    Traceback (most recent call last):
    pyramidion.errors.InputError: no configuration is named; add ...
    """
    try:
        pairs, rest = getopt(arguments, _LETTERS, ["exceptions=", "help"])
    except GetoptError as error:
        raise InputError(error.msg, hint="the options are those of ROUGE-1.5.5.pl") from None
    given = {name.lstrip("-"): value for name, value in pairs}
    if "m" in given and "M" in given:
        raise InputError(
            "-m and -M together", hint="keep one: ROUGE-1.5.5 forgets -m after the first peer"
        )
    if not rest:
        raise InputError("no configuration is named", hint="add the XML file (or the list for -z)")
    if len(rest) < 2 and "a" not in given and "z" not in given:
        raise InputError("no peer is named", hint="add its id after the configuration, or -a")
    return PerlOptions(
        config=Path(rest[0]),
        variants=tuple(_variants(given)),
        peer=rest[1] if len(rest) > 1 else None,
        all_peers="a" in given and "z" not in given,
        details="d" in given,
        stem="m" in given,
        stem_models_only="M" in given,
        stop_words="s" in given,
        exceptions=_choice(given, "exceptions", ("on", "off")) != "off",
        limit=_limit(given),
        # The script takes everything but B as A.
        rule="best" if given.get("f") == "B" else "average",
        alpha=_share(given, "p", 0.5, most=1),
        # And everything but 1 and 2 as 0.
        counting=_COUNTING.get(given.get("t", ""), 0),
        resamples=_whole(given, "r", 1000, least=1),
        confidence=_confidence(given),
        list_format=_list_format(given),
    )


def _variants(given: dict[str, str]) -> list[Variant]:
    longest = _whole(given, "n", 0)
    if longest > _LONGEST:
        raise InputError(f"-n {longest}", hint=f"n-grams of {_LONGEST} words are the longest")
    found = [Variant("n", str(n)) for n in range(1, longest + 1)]
    if "x" not in given and "3" not in given:
        found.append(Variant("l"))
    if "w" in given:
        if _number(given, "w", 1.0) <= 0:
            raise InputError(f"-w {given['w']}: a number above 0 is meant")
        found.append(Variant("w", given["w"]))
    if "2" in given:
        _number(given, "2", 0)
        if "u" not in given or "U" in given:
            found.append(Variant("s", given["2"]))
        if "u" in given or "U" in given:
            found.append(Variant("su", given["2"]))
    if "3" in given:
        found.append(Variant("be", _choice(given, "3", BE_MODES)))
    return found


def _limit(given: dict[str, str]) -> Limit | None:
    words, size = _whole(given, "l", 0), _whole(given, "b", 0)
    if words and size:
        raise InputError("-l and -b exclude each other", hint="keep one")
    if words:
        return Limit(words, "words")
    return Limit(size, "bytes") if size else None


def _list_format(given: dict[str, str]) -> InputFormat | None:
    if "z" not in given:
        return None
    return cast("InputFormat", _choice(given, "z", INPUT_FORMATS))


def _confidence(given: dict[str, str]) -> str:
    _share(given, "c", 95, most=100)
    return given.get("c", "95")


def _share(given: dict[str, str], name: str, default: float, *, most: int) -> float:
    number = _number(given, name, default)
    if not 0 <= number <= most:
        raise InputError(f"-{name} {given[name]}: a number from 0 to {most} is meant")
    return number


def _choice(given: dict[str, str], name: str, allowed: tuple[str, ...]) -> str:
    value = given.get(name, allowed[0])
    if value not in allowed:
        dashes = "-" if len(name) == 1 else "--"
        raise InputError(f"{dashes}{name} {value}", hint=f"it is one of {', '.join(allowed)}")
    return value


def _number(given: dict[str, str], name: str, default: float) -> float:
    try:
        number = float(given.get(name, default))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"-{name} {given[name]}: a number is meant")
    return number


def _whole(given: dict[str, str], name: str, default: int, *, least: int = 0) -> int:
    number = _number(given, name, default)
    if number < least or not number.is_integer():
        raise InputError(f"-{name} {given[name]}: a whole number from {least} on is meant")
    return int(number)
