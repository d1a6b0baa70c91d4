"""Find implausible data: mistakes that would silently lead to wrong numbers."""

import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection._collection import Collection
from pyramidion.collection._scores import codes_of
from pyramidion.collection.checks import Problem, doubtful
from pyramidion.collection.ids import brief_list, grouped, natural_order
from pyramidion.collection.measures import LARGEST_SCORE, Scale, find_measure
from pyramidion.errors import DataWarning, OffScaleWarning, Where

# Common placeholders for missing scores.
_SENTINELS = (-9999, -999, -99, -9, 999, 9999)
# Two systems may have the same summaries on fewer topics by chance.
_NEARLY_ALL, _FEW = 0.9, 3
_ADDRESS = ("task", "topic", "system")
_ENOUGH = 10


@dataclass(frozen=True)
class _Measured:
    """The scores of a measure and task, with names coded as numbers."""

    task: str
    measure: str
    value: Floats
    codes: dict[str, Ints]
    names: dict[str, list[str]]

    @property
    def title(self) -> str:
        return f"{self.measure}, task {self.task}" if self.task else self.measure

    @cached_property
    def is_large(self) -> bool:
        """Whether a value is so large that medians and ranges may overflow."""
        return bool((np.abs(self.value) > LARGEST_SCORE).any())

    @cached_property
    def judges(self) -> list[tuple[str, Floats]]:
        """The scores of each named assessor."""
        return [(name, values) for name, values in self.by("assessor") if name]

    def by(self, column: str) -> list[tuple[str, Floats]]:
        """Return each name in a column with its values."""
        codes = self.codes[column]
        order = np.argsort(codes, kind="stable")
        ends = np.cumsum(np.bincount(codes, minlength=len(self.names[column])))
        parts = np.split(self.value[order], ends[:-1])
        return [pair for pair in zip(self.names[column], parts, strict=True) if len(pair[1])]


def _coded(column: Iterable[str]) -> tuple[list[str], Ints]:
    """Return the different names in a column, and the code of each row."""
    rows = list(column)
    if rows and rows.count(rows[0]) == len(rows):
        return rows[:1], np.zeros(len(rows), dtype=np.int64)
    names = list(dict.fromkeys(rows))
    return names, codes_of(rows, names)


#: The columns of scores that are names.
_NAMES = ("task", "measure", "topic", "system", "assessor", "unit")
_Coded = dict[str, tuple[list[str], Ints]]


def _measured(collection: Collection, coded: _Coded) -> Iterator[_Measured]:
    """Group the scores of whole summaries by task and measure."""
    scores = collection.scores
    tasks, measures = coded["task"][0], coded["measure"][0]
    part = coded["task"][1] * len(measures) + coded["measure"][1]
    units = np.array([bool(name) for name in coded["unit"][0]], dtype=bool)
    whole = ~units[coded["unit"][1]] if len(scores) else np.zeros(0, dtype=bool)
    for number in np.unique(part[whole]).tolist():
        rows = whole & (part == number)
        columns = ("topic", "system", "assessor")
        yield _Measured(
            tasks[number // len(measures)],
            measures[number % len(measures)],
            scores.value[rows],
            {name: coded[name][1][rows] for name in columns},
            {name: coded[name][0] for name in columns},
        )


def implausible(collection: Collection) -> Iterator[Problem]:
    """List implausible data."""
    columns = collection.scores.columns
    coded = {name: _coded(columns[name].tolist()) for name in _NAMES}
    yield from (Problem(*doubt) for doubt in collection.doubts)
    yield from _spelled_twice(collection, coded)
    people = {name for name, kind in collection.systems.items() if kind == "human"}
    for measured in _measured(collection, coded):
        yield from _off_range(measured, collection)
        yield from _percentages(measured)
        yield from _other_marks(measured)
        yield from _judges(measured, people)
        yield from _missing(measured, people)
        yield from _unclaimed(measured, collection)
    yield from _copies(collection)


def warn_implausible(collection: Collection, where: Where | None = None) -> None:
    """Warn once about each kind of problem in a collection."""
    warn_problems((*doubtful(collection), *implausible(collection)), where)


def warn_problems(problems: Iterable[Problem], where: Where | None = None) -> None:
    """Warn once about each kind of problem."""
    kinds = grouped((problem.kind, problem) for problem in problems)
    if "missing scores" in kinds:
        kinds.pop("missing summaries", None)  # implied by missing scores
    prefix = f"{where}: " if where else ""
    for kind, (first, *more) in kinds.items():
        suffix = f" ({len(more):,} more: see `pyramidion describe`)" if more else ""
        category = OffScaleWarning if kind == "score off its scale" else DataWarning
        text = f"{prefix}{kind}: {first.subject}: {first.message}{suffix}"
        warnings.warn(text, category, stacklevel=3)


def _spelled_twice(collection: Collection, coded: _Coded) -> Iterator[Problem]:
    """Find names that differ only in case, spacing and the like."""
    for kind in ("measure", "system", "topic", "assessor"):
        names = set(coded[kind][0])
        names |= {getattr(summary, kind) for summary in collection.summaries if kind in _ADDRESS}
        yield from spelled_twice(kind, names, collection.systems if kind == "system" else {})


def spelled_twice(kind: str, names: Iterable[str], kinds: Mapping[str, str]) -> Iterator[Problem]:
    """Find names of a kind that differ only in case, spacing and the like."""
    ordered = sorted(names, key=natural_order)
    # The writer of a reference may have the letter of a system.
    keys = ((_plain(name), kinds.get(name)) for name in ordered)
    for same in grouped(zip(keys, ordered, strict=True)).values():
        if len(same) > 1:
            alike = len({unicodedata.normalize("NFC", name) for name in same}) < len(same)
            shown = " and ".join(map(ascii if alike else repr, same[:3]))
            message = "they are treated as different; use one spelling"
            yield Problem("spelled in two ways", f"{kind} {shown}", message)


def _plain(name: str) -> str:
    """Normalize case, white space, forms of characters and leading zeros."""
    plain = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    return plain.lstrip("0") if plain.isdecimal() else plain


def _off_range(measured: _Measured, collection: Collection) -> Iterator[Problem]:
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
        yield Problem("score too large", measured.title, message)
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
            yield Problem("score far from all others", measured.title, message)
            return
    yield from _off_steps(measured)


def _outside(measured: _Measured, scale: Scale, values: Floats) -> Problem:
    worst = values[np.argmax(np.abs(values))]
    message = f"{worst:g} is not between {scale.low:g} and {scale.high:g}"
    if scale.high == 1 and (measured.value > 1).mean() > 0.5 and measured.value.max() <= 100:
        message += "; are these percentages? Divide them by 100"
    return Problem("score outside its range", measured.title, message)


def _off_steps(measured: _Measured) -> Iterator[Problem]:
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
        yield Problem("score far from all others", measured.title, f"{message}; is it a typo?")


def _percentages(measured: _Measured) -> Iterator[Problem]:
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
            yield Problem("percentages among fractions", f"system {name}", message)


def _other_marks(measured: _Measured) -> Iterator[Problem]:
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
            yield Problem("system on another scale", f"system {name}", message)


def _judges(measured: _Measured, people: set[str]) -> Iterator[Problem]:
    if len(measured.judges) < 2:
        return
    if not measured.is_large:
        yield from _other_scales(measured, measured.judges)
    yield from _lonely(measured, people)
    yield from _echoes(measured)


def _other_scales(measured: _Measured, judges: Sequence[tuple[str, Floats]]) -> Iterator[Problem]:
    for index, (name, values) in enumerate(judges):
        rest = np.concatenate([scores for i, (_, scores) in enumerate(judges) if i != index])
        if len(values) < 5 or len(rest) < 5:
            continue
        above = np.median(values) > rest.max() and values.max() >= 1.5 * rest.max()
        below = values.max() < np.quantile(rest, 0.05) and rest.max() >= 1.5 * values.max()
        if above or below:
            message = f"scores {measured.title} from {values.min():g} to {values.max():g}, the "
            message += f"others from {rest.min():g} to {rest.max():g}; are the scales the same?"
            yield Problem("judges on different scales", f"assessor {name}", message)


def _lonely(measured: _Measured, people: set[str]) -> Iterator[Problem]:
    """Find machines that a single assessor judged while others had several."""
    codes, names = measured.codes, measured.names
    every = np.unique(codes["system"] * len(names["assessor"]) + codes["assessor"]).tolist()
    pairs = (divmod(pair, len(names["assessor"])) for pair in every)
    named = ((names["system"][system], names["assessor"][judge]) for system, judge in pairs)
    judges = grouped((system, judge) for system, judge in named if judge)
    most = max(map(len, judges.values()))
    for name, assessors in judges.items():
        if len(assessors) == 1 < most and name not in people:
            message = f"only {assessors[0]} judged its {measured.title}, others had up to {most} "
            message += "judges; a severe judge would look like a bad system"
            yield Problem("system with one judge", f"system {name}", message)


def _echoes(measured: _Measured) -> Iterator[Problem]:
    """Find assessors who gave the same scores to everything they both judged."""
    codes = measured.codes
    item = codes["topic"] * len(measured.names["system"]) + codes["system"]
    judged: dict[int, dict[int, float]] = {}
    for judge, summary, value in zip(
        codes["assessor"].tolist(), item.tolist(), measured.value.tolist(), strict=True
    ):
        if measured.names["assessor"][judge]:
            judged.setdefault(judge, {})[summary] = value
    for first, second in combinations(judged, 2):
        a, b = judged[first], judged[second]
        shared = a.keys() & b.keys()
        if len(shared) < _ENOUGH or any(a[item] != b[item] for item in shared):
            continue
        if len({a[item] for item in shared}) > 2:
            names = measured.names["assessor"]
            subject = f"assessors {names[first]} and {names[second]}"
            message = f"their {measured.title} is the same on all {len(shared)} summaries both "
            message += "judged; was one copied?"
            yield Problem("judges with identical scores", subject, message)


def _missing(measured: _Measured, people: set[str]) -> Iterator[Problem]:
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
        yield Problem("missing scores", measured.title, message)


def _unclaimed(measured: _Measured, collection: Collection) -> Iterator[Problem]:
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
        yield Problem("human measure mistaken for a metric", measured.title, message)


def one_line(text: str) -> str:
    """Collapse white space; most texts need no change."""
    plain = text.isprintable() and "  " not in text
    return text.strip() if plain else " ".join(text.split())


def _copies(collection: Collection) -> Iterator[Problem]:
    """Find systems that copy another one, or a reference, on nearly every topic."""
    texts = ((summary, one_line(summary.plain)) for summary in collection.summaries)
    holders = grouped(((s.task, s.topic, text), s) for s, text in texts if text)
    same: Counter[tuple[str, str]] = Counter()
    references: Counter[str] = Counter()
    for summaries in (group for group in holders.values() if len(group) > 1):
        peers = {summary.system for summary in summaries if summary.is_peer}
        same.update(combinations(sorted(peers, key=natural_order), 2))
        if not all(summary.is_peer for summary in summaries):
            references.update(peers)
    topics = _topics_of({*references, *chain.from_iterable(same)}, collection)
    for (a, b), number in same.items():
        shared = len(topics[a] & topics[b])
        if number >= max(_FEW, _NEARLY_ALL * shared):
            message = f"the same summaries on {number} of {shared} topics; is it one system?"
            yield Problem("identical systems", f"systems {a} and {b}", message)
    for system, number in references.items():
        if problem := equal_to_references(system, number, len(topics[system])):
            yield problem


def equal_to_references(system: str, number: int, topics: int) -> Problem | None:
    """Describe a system whose summaries are references on nearly every topic."""
    if number < max(_FEW, _NEARLY_ALL * topics):
        return None
    message = f"its summaries are references on {number} of {topics} topics"
    return Problem("system equal to a reference", f"system {system}", message)


def _topics_of(systems: set[str], collection: Collection) -> dict[str, set[tuple[str, str]]]:
    """Return the topics of each system's non-empty summaries."""
    topics: dict[str, set[tuple[str, str]]] = {name: set() for name in systems}
    for summary in collection.summaries if systems else ():
        if summary.system in topics and summary.plain.strip():
            topics[summary.system].add((summary.task, summary.topic))
    return topics
