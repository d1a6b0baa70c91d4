"""Scales of judged measures: read as people write them, and inferred from imported scores."""

import math
import re
from dataclasses import dataclass

from pyramidion.collection import MEASURES, Collection, Measure, Scale, find_measure
from pyramidion.errors import InputError

#: A scale with more points has a number field instead of buttons.
MAX_BUTTONS = 21

#: Scales that forms suggest.
SUGGESTED = ("1 to 5", "1 to 10", "0 to 2", "0 to 100", "yes/no", "1 to 3: bad, fair, good")

_LARGEST = 1_000_000
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_RANGE = re.compile(
    rf"{_NUMBER}\s*(?:to|-|–)\s*{_NUMBER}"
    rf"(?:\s*,?\s*(?:(?:in\s+)?steps?(?:\s+of)?\s+(\d+(?:\.\d+)?)|(any\s+value)))?"
    rf"(?:\s*:\s*(.+))?",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"yes\s*[/,]\s*no|no\s*[/,]\s*yes", re.IGNORECASE)
_HINT = "write, for example, 1 to 5; 0 to 1 step 0.1; yes/no; bad, fair, good; categories: a, b, c"
# Computed from annotations, given for units or sentences, or means: not judged directly.
_COMPUTED = (
    "pyramid", "scu", "litepyramid", "unit-share", "nugget-", "coverage", "relative-utility",
    "published",
)  # fmt: skip
# Guidelines with these names have another purpose.
_RESERVED = ("categories", "pyramid", "annotation")
_MAX_DEFAULTS = 8
_USUAL_ENDS = (5, 7, 10, 100)


@dataclass(frozen=True)
class JudgedMeasure:
    """A measure that assessors judge; with a step of 0, any value between the ends."""

    name: str
    low: float
    high: float
    step: float = 1
    #: A label for each point, from the lowest; points may have none.
    labels: tuple[str, ...] = ()
    #: Whether a higher point is more of the same; categories have no order.
    ordered: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        if not 1 <= len(self.name) <= 200:
            raise InputError("the name of a measure needs 1 to 200 characters", hint="shorten it")
        if not -_LARGEST <= self.low < self.high <= _LARGEST:
            limits = f"from {plain(self.low)} to {plain(self.high)}"
            raise InputError(f"the scale of {self.name} cannot go {limits}", hint=_HINT)
        if not self.scale.allows(self.high):
            message = f"steps of {plain(self.step)} do not lead to {plain(self.high)}"
            raise InputError(f"{self.name}: {message}", hint="choose another step")
        if self.labels and len(self.labels) != len(self.points):
            message = f"{self.name} has {len(self.points)} points and {len(self.labels)} labels"
            raise InputError(message, hint="give one label per point")

    @property
    def scale(self) -> Scale:
        """The values it may take."""
        return Scale(self.low, self.high, self.step)

    @property
    def title(self) -> str:
        """The name as a heading."""
        return self.name[:1].upper() + self.name[1:].replace("-", " ")

    @property
    def points(self) -> tuple[float, ...]:
        """The values from the lowest; empty if there are too many for buttons."""
        number = round((self.high - self.low) / self.step) + 1 if self.step else 0
        if number > MAX_BUTTONS:
            return ()
        return tuple(plain(self.low + index * self.step) for index in range(number))

    @property
    def text(self) -> str:
        """The scale as `parse_measure` reads it."""
        labels = ", ".join(self.labels)
        if not self.ordered:
            return f"categories: {labels}"
        if self == JudgedMeasure(self.name, 0, 1, labels=("no", "yes")):
            return "yes/no"
        step = f" step {plain(self.step)}" if self.step else " any value"
        ends = f"{plain(self.low)} to {plain(self.high)}{step if self.step != 1 else ''}"
        return f"{ends}: {labels}" if labels else ends

    def label(self, value: float) -> str:
        """Return the label of a point, or its number."""
        return self.labels[self.points.index(value)] if self.labels else str(plain(value))


def plain(value: float) -> float:
    """Return a whole number as an integer, and others without rounding errors."""
    return int(value) if float(value).is_integer() else round(value, 9)


def parse_measure(name: str, text: str) -> JudgedMeasure:
    """Read a scale such as ``1 to 5``, ``yes/no`` or ``bad, fair, good``."""
    text = " ".join(text.split())
    if _YES_NO.fullmatch(text):
        return JudgedMeasure(name, 0, 1, labels=("no", "yes"))
    if match := _RANGE.fullmatch(text):
        low, high, step, any_value, labels = match.groups()
        size = 0.0 if any_value else float(step or 1)
        ends = (plain(float(low)), plain(float(high)))
        return JudgedMeasure(name, *ends, plain(size), _labels(labels or ""))
    kind, separator, labels_text = text.partition(":")
    is_categories = bool(separator) and kind.strip().lower() == "categories"
    labels_given = _labels(labels_text if is_categories else text)
    if not 2 <= len(labels_given) <= MAX_BUTTONS:
        raise InputError(f"{text[:60]!r} is not a scale for {name}", hint=_HINT)
    return JudgedMeasure(name, 1, len(labels_given), 1, labels_given, ordered=not is_categories)


def _labels(text: str) -> tuple[str, ...]:
    labels = tuple(label for label in (part.strip() for part in re.split("[,/]", text)) if label)
    if len(set(labels)) < len(labels) or any(len(label) > 60 for label in labels):
        raise InputError("labels must differ and have at most 60 characters", hint="change them")
    return labels


def parse_measures(text: str) -> tuple[JudgedMeasure, ...]:
    """Read one measure per line, such as ``overall: 0 to 2``."""
    measures: dict[str, JudgedMeasure] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, separator, scale = line.partition(":")
        if not separator or name.strip() in (*measures, *_RESERVED, ""):
            message = f"{line[:60]!r} does not name a measure and its scale"
            raise InputError(message, hint="write one per line, such as overall: 0 to 2")
        measures[name.strip()] = parse_measure(name.strip(), scale)
    return tuple(measures.values())


def own_measures(collection: Collection) -> tuple[JudgedMeasure, ...]:
    """Return the measures that people judged in a collection, or that it declares for them."""
    human_names = (name for name, measure in collection.measures.items() if measure.human)
    names = dict.fromkeys([*collection.human_measures, *collection.scales, *human_names])
    measure_names = [
        name for name in names
        if name not in _RESERVED and not name.startswith(_COMPUTED) and len(name) <= 200
    ]  # fmt: skip
    order = {name: index for index, name in enumerate(MEASURES)}  # known ones in the usual order
    measure_names.sort(key=lambda name: order.get(name, len(order)))
    return tuple(_fitting(collection, name) for name in measure_names[:_MAX_DEFAULTS])


def imported_values(collection: Collection, name: str) -> set[float]:
    """Return the different imported values of a measure."""
    return set(collection.scores.select(measure=name).value.tolist())


def _fitting(collection: Collection, name: str) -> JudgedMeasure:
    """Return a measure with its declared scale, or with one that covers its scores."""
    values = imported_values(collection, name)
    usual_measure = find_measure(name, collection.measures) or Measure()
    for scale in (collection.scales.get(name), usual_measure.scale):
        if scale and all(scale.low <= value <= scale.high for value in values):
            return _with_points(name, scale.low, scale.high, scale.step)
    if values <= {0, 1} and values:
        return JudgedMeasure(name, 0, 1, labels=("no", "yes"))
    low, high = min(values, default=1), max(values, default=5)
    if low >= 1 and high <= _USUAL_ENDS[-1]:
        return _with_points(name, 1, next(end for end in _USUAL_ENDS if end >= high))
    start = math.floor(low)
    return _with_points(name, start, max(start + 1, math.ceil(high)))


def _with_points(name: str, low: float, high: float, step: float = 0) -> JudgedMeasure:
    """Judge whole points where a scale has several; imported means may lie between them."""
    is_whole = float(low).is_integer() and float(high).is_integer()
    step = step or (1 if is_whole and 2 <= high - low < MAX_BUTTONS else 0)
    return JudgedMeasure(name, plain(low), plain(high), plain(step))
