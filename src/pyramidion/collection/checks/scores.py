"""Scores that are implausible."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection._collection import Collection
from pyramidion.collection.checks.finding import Finding, Repair
from pyramidion.collection.checks.measured import Coded, Measured
from pyramidion.collection.ids import brief_list, grouped, natural_order
from pyramidion.collection.measures import Scale, assumed_direction, find_measure

# Common placeholders for missing scores.
_SENTINELS = (-9999, -999, -99, -9, 999, 9999)
_ADDRESS = ("task", "topic", "system")
_ENOUGH = 10


def score_findings(
    measured: Measured, collection: Collection, people: set[str]
) -> Iterator[Finding]:
    """Find implausible scores of a measure."""
    yield from _off_range(measured, collection)
    yield from _percentages(measured)
    yield from _other_marks(measured)
    yield from _missing(measured, people)
    yield from _unclaimed(measured, collection)


def name_findings(collection: Collection, coded: Coded) -> Iterator[Finding]:
    """Find names that differ only in case, spacing and the like."""
    for kind in ("measure", "system", "topic", "assessor"):
        names = set(coded[kind][0])
        names |= {getattr(summary, kind) for summary in collection.summaries if kind in _ADDRESS}
        yield from spelled_twice(kind, names, collection.systems if kind == "system" else {})


def spelled_twice(kind: str, names: Iterable[str], kinds: Mapping[str, str]) -> Iterator[Finding]:
    """Find names of a kind that differ only in case, spacing and the like."""
    ordered = sorted(names, key=natural_order)
    # The writer of a reference may have the letter of a system.
    keys = ((_plain(name), kinds.get(name)) for name in ordered)
    for same in grouped(zip(keys, ordered, strict=True)).values():
        if len(same) > 1:
            alike = len({unicodedata.normalize("NFC", name) for name in same}) < len(same)
            shown = " and ".join(map(ascii if alike else repr, same[:3]))
            message = "they are treated as different; use one spelling"
            yield Finding("spelled in two ways", f"{kind} {shown}", message)


def _plain(name: str) -> str:
    """Normalize case, white space, forms of characters and leading zeros."""
    plain = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    return plain.lstrip("0") if plain.isdecimal() else plain


def direction_findings(collection: Collection) -> Iterator[Finding]:
    """Note which values are taken to be better if only the name of a measure says so."""
    pairs = ((assumed_direction(m, collection.measures), m) for m in collection.scores.measures)
    reasons = {"lower": "judging by the name", "higher": "since nothing says otherwise"}
    opposite = {"lower": "higher-is-better", "higher": "lower-is-better"}
    for direction, names in grouped(pairs).items():
        if direction is not None:
            repair = Repair(opposite[direction], ",".join(names[:3]))
            message = f"{direction} is taken to be better, {reasons[direction]}; "
            message += f"{repair.flag} changes this"
            subject = brief_list(names)
            yield Finding("assumed direction", subject, message, severity="note", repairs=(repair,))


def _off_range(measured: Measured, collection: Collection) -> Iterator[Finding]:
    """Find scores outside the scale of a measure, or far from all others."""
    if measured.measure in collection.scales:
        return  # Scores off a declared scale are reported as such.
    measure = find_measure(measured.measure, collection.measures)
    value = measured.value
    # Human judgments were on 1 to 10 in some years, so their scale must be declared.
    if measure and measure.scale and not measure.human:
        outside = (value < measure.scale.low) | (value > measure.scale.high)
        if outside.any():
            yield _outside(measured, measure.scale, value[outside])
        return
    if measured.is_large:
        message = f"{value[np.argmax(np.abs(value))]:g} is too large to compute with"
        yield Finding("score too large", measured.title, message)
        return
    sentinels = np.isin(value, _SENTINELS)
    plain = value[~sentinels]
    if sentinels.any() and len(plain):
        low, high = plain.min(), plain.max()
        room = max(high - low, 1.0)
        below = value < (0 if low >= 0 else low - room)
        far = np.unique(value[sentinels & (below | (value > high + room))])
        if len(far):
            message = f"{far[0]:g} among scores from {low:g} to {high:g}; is it a placeholder?"
            yield Finding("score far from all others", measured.title, message)
            return
    yield from _off_steps(measured)


def _outside(measured: Measured, scale: Scale, values: Floats) -> Finding:
    worst = values[np.argmax(np.abs(values))]
    message = f"{worst:g} is not between {scale.low:g} and {scale.high:g}"
    if scale.high == 1 and (measured.value > 1).mean() > 0.5 and measured.value.max() <= 100:
        message += "; are these percentages? Divide them by 100"
    return Finding("score outside its range", measured.title, message)


def _off_steps(measured: Measured) -> Iterator[Finding]:
    """Find a score far from a scale of few steps that nearly all scores are on."""
    value, count = np.unique(measured.value, return_counts=True)
    usual = value[count >= max(2, 0.01 * count.sum())]
    if not 2 <= len(usual) <= 11 or count[np.isin(value, usual)].sum() < 0.9 * count.sum():
        return
    low, high = usual.min(), usual.max()
    # Halved, since the range of the largest numbers overflows.
    if high / 2 - low / 2 != (len(usual) - 1) / 2 or not np.equal(usual, np.round(usual)).all():
        return
    far = value[(value < low - (high - low)) | (value > high + (high - low))]
    if len(far):
        message = f"{far[np.argmax(np.abs(far))]:g} among scores from {low:g} to {high:g}"
        yield Finding("score far from all others", measured.title, f"{message}; is it a typo?")


def _percentages(measured: Measured) -> Iterator[Finding]:
    """Find systems whose scores are percentages while those of others are fractions."""
    systems = measured.by("system")
    fractions = [values for _, values in systems if values.min() >= 0 and values.max() <= 1]
    if not fractions or len(fractions) == len(systems):
        return
    usual = np.concatenate(fractions)
    if not ((usual > 0) & (usual < 1)).any():
        return  # Yes and no are not fractions.
    median = float(np.median(usual))
    for name, values in systems:
        if 1 < values.max() <= 100 and values.min() >= 0 and np.median(values) > 20 * median:
            message = f"its {measured.title} is up to {values.max():g}, others up to "
            message += f"{usual.max():g}; is it a percentage?"
            yield Finding("percentages among fractions", f"system {name}", message)


def _other_marks(measured: Measured) -> Iterator[Finding]:
    """Find a system with scores up to 100 if all others have marks up to 10."""
    systems = measured.by("system")
    if len(systems) < 3:
        return
    ends = np.array([(values.min(), values.max()) for _, values in systems])
    for index, (name, values) in enumerate(systems):
        rest = np.delete(ends, index, axis=0)
        marks = rest.min() >= 0 and 1 < rest.max() <= 10
        if marks and values.max() <= 100 and np.median(values) > 3 * rest.max():
            message = f"its {measured.title} is from {values.min():g} to {values.max():g}, others "
            message += f"from {rest.min():g} to {rest.max():g}; are the scales the same?"
            yield Finding("system on another scale", f"system {name}", message)


def _missing(measured: Measured, people: set[str]) -> Iterator[Finding]:
    """Find machines without scores on topics that other machines have."""
    codes, names = measured.codes, measured.names
    machine = np.array([name not in people for name in names["system"]], dtype=bool)
    rows = machine[codes["system"]]
    scored = np.zeros((len(names["system"]), len(names["topic"])), dtype=bool)
    scored[codes["system"][rows], codes["topic"][rows]] = True
    topics = scored.any(axis=0)
    some = np.flatnonzero(scored.any(axis=1) & ~scored[:, topics].all(axis=1)).tolist()
    lacking = {names["system"][system]: int((topics & ~scored[system]).sum()) for system in some}
    if lacking:
        shown = brief_list([f"{name} lacks {n}" for name, n in lacking.items()])
        message = f"{shown} of {int(topics.sum())} topics that others have"
        yield Finding("missing scores", measured.title, message)


def _unclaimed(measured: Measured, collection: Collection) -> Iterator[Finding]:
    """Find marks on a scale that look like human judgments but are not declared as such."""
    name = measured.measure
    measure = find_measure(name, collection.measures) or find_measure(_plain(name))
    steps = np.unique(measured.value)
    if measure or measured.judges or len(measured.value) < _ENOUGH:
        return
    marks = steps[0] in (0, 1) and 3 <= steps[-1] <= 10
    if marks and np.array_equal(steps, np.arange(steps[0], steps[-1] + 1)):
        message = f"marks from {steps[0]:g} to {steps[-1]:g} without assessors are treated as a "
        message += "metric; if people gave them, name them (--columns assessor=...) or declare "
        message += "human = true in collection.toml"
        yield Finding("human measure taken for a metric", measured.title, message)
