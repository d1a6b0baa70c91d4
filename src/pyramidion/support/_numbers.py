"""Numbers, weekdays and months of a text, and whether the source has them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from pyramidion.support._words import Word, read_toml

_WORD_LISTS: Final = read_toml("numbers.toml")


def _numbered_words(key: str, start: int = 0, step: int = 1) -> dict[str, float]:
    return {
        word: float(step * number)
        for number, word in enumerate(_WORD_LISTS[key].split(), start=start)
    }


_UNIT_VALUES: Final = _numbered_words("units") | _numbered_words("tens", 2, 10)
_ORDINAL_VALUES: Final = _numbered_words("ordinals", 1)
_SCALE_NAMES: Final[dict[str, float]] = _WORD_LISTS["scales"]
#: Words with one value or several, any of which the source may have.
_VALUES_BY_WORD: Final = {
    word: tuple(map(float, values)) for word, values in _WORD_LISTS["words"].items()
}
#: Words of the source that support a number but are not checked in summaries.
_VALUES_BY_HINT: Final = {
    word: tuple(map(float, values)) for word, values in _WORD_LISTS["hints"].items()
}
_DAYS, _MONTHS = _WORD_LISTS["days"].split(), _WORD_LISTS["months"].split()
_CALENDAR_NAMES: Final = (
    {name: name for name in (*_DAYS, *_MONTHS)}
    | {name + "s": name for name in _DAYS}
    | {name[:3]: name for name in (*_DAYS, *_MONTHS)}
    | {"tues": "tuesday", "thur": "thursday", "thurs": "thursday", "sept": "september"}
)
_AMBIGUOUS_MONTHS, _WORDS_BEFORE_MONTHS = (
    set(_WORD_LISTS["unsure"].split()),
    set(_WORD_LISTS["before_months"].split()),
)
_NUMBER_PATTERN: Final = re.compile(r"(\d+(?:\.\d+)*)(?::(\d\d))?(?::\d\d)*([a-z]*)")

#: How far below and above a value the source's may be, by the words before the number.
_TOLERANCES: Final = {
    tuple(words.split()): (float(low), float(high))
    for low, high, phrases in (
        line.split(" ", 2) for line in _WORD_LISTS["hedges"].strip().split("\n")
    )
    for words in phrases.split(",")
}
#: *Fiscal '26* and *FY 26*.
_SHORT_YEAR: Final = re.compile(r"(?:(?<!\w)'|\bFY )(\d\d)\b")
_LINKING_WORDS: Final = frozenset({"to", "and", "or"})


@dataclass(frozen=True, slots=True)
class Number:
    """A number, weekday or month: its words, its possible values, and its tolerance."""

    first: int
    end: int
    values: tuple[float, ...] = ()
    name: str = ""
    #: Factors of the smallest and largest value that supports it.
    tolerance: tuple[float, float] = (1.0, 1.0)
    #: Whether it is checked in a summary.
    is_checked: bool = True


def is_calendar_or_number(key: str) -> bool:
    """Return whether a word in capitals is a weekday, a month or a number rather than a name."""
    is_word = (
        key in _UNIT_VALUES
        or key in _ORDINAL_VALUES
        or key in _SCALE_NAMES
        or key in _VALUES_BY_WORD
    )
    return is_word or key in _CALENDAR_NAMES or key[0].isdigit()


def numbers_in(text: str, words: Sequence[Word]) -> Iterator[Number]:
    """Find the numbers of a normalized text."""
    index = 0
    while index < len(words):
        number = _read_calendar_name(text, words, index) or _read_number(text, words, index)
        if number is None:
            index += 1
        else:
            yield number
            index = number.end


def _read_calendar_name(text: str, words: Sequence[Word], index: int) -> Number | None:
    word = words[index]
    name = _CALENDAR_NAMES.get(word.key)
    # Whole names are recognized in lower case, too.
    is_sure = word.key.startswith(name or "-") and word.key not in _AMBIGUOUS_MONTHS
    if name is None or not (is_sure or text[word.start].isupper()):
        return None
    if word.key in _AMBIGUOUS_MONTHS:
        neighbors = [*words[max(index - 1, 0) : index], *words[index + 1 : index + 2]]
        previous_key = neighbors[0].key if index else ""
        has_date = any(neighbor.key[0].isdigit() for neighbor in neighbors)
        if not has_date and (word.key not in _MONTHS or previous_key not in _WORDS_BEFORE_MONTHS):
            return None
    return Number(index, index + 1, name=name)


def _read_number(text: str, words: Sequence[Word], index: int) -> Number | None:
    word = words[index]
    if word.key in _VALUES_BY_HINT:
        if word.key == "quarter" and (not index or words[index - 1].key not in ("a", "one")):
            return None  # of a year
        return Number(index, index + 1, _VALUES_BY_HINT[word.key], is_checked=False)
    end, values = index + 1, _VALUES_BY_WORD.get(word.key, ())
    if word.key == "half" and index and words[index - 1].key in _ORDINAL_VALUES:
        return None  # a part: the first half
    if word.key[0].isdigit():
        values = _digit_values(word.key)
    elif word.key in _UNIT_VALUES or word.key in _ORDINAL_VALUES or _opens_scale(words, index):
        end, value = _read_number_words(text, words, index)
        values = (value,)
    if not values:
        return None
    end, scale = _read_scale(text, words, end)
    if scale > 1:
        # *Half a million*; the others are alternatives of the plain number only.
        values = (values[0] * scale,)
    tolerance = next(
        (factors for phrase, factors in _TOLERANCES.items() if _precedes(words, index, phrase)),
        (1.0, 1.0),
    )
    return Number(index, end, values, tolerance=tolerance)


def _digit_values(key: str) -> tuple[float, ...]:
    match = _NUMBER_PATTERN.match(key)
    if match is None:
        return ()
    digits, minutes, suffix = match.groups()
    if digits.count(".") > 1:
        # A date or a version: its parts count.
        return tuple(map(float, digits.split(".")))
    value = float(digits) + (int(minutes) / 60 if minutes else 0)
    scale = _SCALE_NAMES.get(suffix, 1.0)
    return (value * scale, value) if suffix == "m" else (value * scale,)  # meters


def _opens_scale(words: Sequence[Word], index: int) -> bool:
    """Return whether this is the *million* of *a million*."""
    is_scale = words[index].key in _SCALE_NAMES and len(words[index].key) > 3
    return is_scale and index > 0 and words[index - 1].key in ("a", "an", "the", "per", "half")


def _read_number_words(text: str, words: Sequence[Word], index: int) -> tuple[int, float]:
    """Read number words, such as *two hundred and five*; return where they end, and the value."""
    total, current_value, first = 0.0, 0.0, index
    while index < len(words):
        key = words[index].key
        if key in _UNIT_VALUES or key in _ORDINAL_VALUES:
            value = _UNIT_VALUES.get(key, _ORDINAL_VALUES.get(key, 0.0))
            # *Two three* are two numbers, *twenty three* is one.
            if index > first and (current_value % 100 if value >= 10 else current_value % 10):
                break
            if index > first and value < 10 and 10 <= current_value % 100 < 20:
                break
            current_value += value
        elif key in _SCALE_NAMES and len(key) > 3:
            current_value = max(current_value, 1.0) * _SCALE_NAMES[key]
            if key != "hundred":
                total, current_value = total + current_value, 0.0
        elif not (key == "and" and _continues_after_and(words, index)):
            break
        index += 1
        if index < len(words) and not _are_adjacent(text, words, index):
            break
    return index, total + current_value


def _continues_after_and(words: Sequence[Word], index: int) -> bool:
    follows_hundred = words[index - 1].key in ("hundred", "thousand")
    return follows_hundred and index + 1 < len(words) and words[index + 1].key in _UNIT_VALUES


def _are_adjacent(text: str, words: Sequence[Word], index: int) -> bool:
    return text[words[index - 1].end : words[index].start] in (" ", "-")


def _read_scale(text: str, words: Sequence[Word], end: int) -> tuple[int, float]:
    """Read *million*, *a million* or *dozen* after a number."""
    scale_index = end + (end < len(words) and words[end].key == "a")
    if scale_index >= len(words) or not _are_adjacent(text, words, scale_index):
        return end, 1.0
    key = words[scale_index].key
    if key == "dozen":
        return scale_index + 1, 12.0
    if key in _SCALE_NAMES and (len(key) > 1 or key in "bk"):
        return scale_index + 1, _SCALE_NAMES[key]
    return end, 1.0


def _precedes(words: Sequence[Word], index: int, phrase: tuple[str, ...]) -> bool:
    keys = tuple(word.key for word in words[max(index - len(phrase), 0) : index])
    return keys == phrase


#: A relative error that floating point may cause.
_RELATIVE_TOLERANCE: Final = 1e-6
#: A round number of at least this size is supported by values that differ by at most this share.
_MIN_ROUND_NUMBER, _MAX_ROUNDING_SHARE = 100, 0.06


class NumberSet:
    """The numbers of a source."""

    def __init__(self) -> None:
        self._values: set[float] = {0.0, 1.0}
        self._sorted: list[float] = []
        self._names: set[str] = set()

    def add(self, text: str, words: Sequence[Word]) -> None:
        """Add the numbers of a normalized text."""
        numbers = list(numbers_in(text, words))
        self._sorted = []
        self._values.update(2000.0 + int(digits) for digits in _SHORT_YEAR.findall(text))
        for number, next_number in zip_longest(numbers, numbers[1:]):
            self._values.update(map(_round_value, number.values))
            if number.name:
                self._names.add(number.name)
            if next_number and next_number.values and number.values:
                self._add_range(words, number, next_number)

    def _add_range(self, words: Sequence[Word], number: Number, next_number: Number) -> None:
        """Add the 10 million of *10 to 12 million*."""
        words_between = words[number.end : next_number.first]
        if len(words_between) > 1 or any(word.key not in _LINKING_WORDS for word in words_between):
            return
        for scale in (1e3, 1e6, 1e9, 1e12):
            if number.values[0] < 1e3 <= scale <= next_number.values[0]:
                self._values.add(_round_value(number.values[0] * scale))

    def supports(self, number: Number) -> bool:
        """Return whether a number of a summary is in the source, or as close to one as stated."""
        if number.name:
            return number.name in self._names
        return not number.is_checked or any(
            self._has_value(value, number) for value in number.values
        )

    def _has_value(self, value: float, number: Number) -> bool:
        if _round_value(value) in self._values:
            return True
        low, high = number.tolerance
        if value >= _MIN_ROUND_NUMBER and _significant_digits(value) <= 2:
            low, high = min(low, 1 - _MAX_ROUNDING_SHARE), max(high, 1 + _MAX_ROUNDING_SHARE)
        return (low, high) != (1.0, 1.0) and self._has_value_between(value * low, value * high)

    def _has_value_between(self, low: float, high: float) -> bool:
        if not self._sorted:
            self._sorted = sorted(self._values)
        position = bisect_left(self._sorted, low * (1 - _RELATIVE_TOLERANCE))
        return position < bisect_right(self._sorted, high * (1 + _RELATIVE_TOLERANCE))


def _round_value(value: float) -> float:
    return float(f"{value:.9g}")


def _significant_digits(value: float) -> int:
    return len(f"{value:.9g}".split("e")[0].replace(".", "").strip("0")) if value else 1
