"""Repairs of data that users request: what to leave out, to reverse, or to read as missing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pyramidion._types import Bools
from pyramidion.collection._collection import Collection
from pyramidion.collection._preferences import Preferences
from pyramidion.collection._scores import Scores
from pyramidion.collection.measures import Measure, find_measure, full_measure_name
from pyramidion.errors import InputError, NotFoundError, known_names
from pyramidion.questions import load_plugins

#: What can be excluded by name, in the order in which a name is looked up.
_KINDS = ("system", "topic", "assessor", "measure")


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Systems that a package leaves out on some topics, through ``pyramidion.exclusions``.

    The name of its entry point is a value of ``--exclude``.

    Parameters
    ----------
    topics
        A regular expression that the names of topics begin with.
    systems
        The systems that are left out on these topics, and on no others.

    Examples
    --------
    >>> Exclusion("D09", ("2", "3")).applies("D0901A")
    True
    """

    topics: str
    systems: tuple[str, ...]

    def applies(self, topic: str) -> bool:
        """Return whether systems are left out on a topic."""
        return re.match(self.topics, topic) is not None


def _find_exclusion(name: str) -> Exclusion | None:
    """Return the exclusion of this name that an installed package declares."""
    exclusions = (value for entry, value in load_plugins("exclusions") if entry.name == name)
    return next((value for value in exclusions if isinstance(value, Exclusion)), None)


def excluded_systems(names: Sequence[str], topics: Sequence[str]) -> list[str]:
    """Replace names of exclusions by the systems that they leave out on all of these topics.

    Examples
    --------
    >>> excluded_systems(["x", "y"], ["T1"])
    ['x', 'y']
    """
    systems: list[str] = []
    for name in names:
        exclusion = _find_exclusion(name)
        if exclusion is None:
            systems.append(name)
        elif all(map(exclusion.applies, topics)):
            systems += exclusion.systems
    return systems


@dataclass(frozen=True, slots=True)
class Repairs:
    """Changes to data, as the options of commands name them.

    Parameters
    ----------
    exclude
        Systems, topics, assessors or measures to leave out, or names of an `Exclusion`.
    reverse
        Assessors, measures or systems whose scale is reversed; ``campus2=fluency`` for one measure.
    missing
        Values that mean that there is no score: ``-999``, or ``fluency=9`` for one measure.
    lower_is_better, higher_is_better
        Measures whose direction the user states.

    Examples
    --------
    >>> columns = {"topic": ["T1"] * 3, "system": ["x"] * 3, "kind": ["machine"] * 3,
    ...            "measure": ["fluency"] * 3, "assessor": ["K", "L", "M"]}
    >>> mine = Collection("mine", scores=Scores(columns, [1, 5, 9]))
    >>> Repairs(reverse=("K",), missing=("9",)).apply(mine).scores.value.tolist()
    [5.0, 5.0]
    """

    exclude: tuple[str, ...] = ()
    reverse: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()
    higher_is_better: tuple[str, ...] = ()

    def apply(self, collection: Collection) -> Collection:
        """Return the repaired collection; it lists what was changed."""
        for name in self.exclude:
            collection = _exclude(collection, name)
        for text in self.missing:
            collection = _without_value(collection, text)
        for name in self.reverse:
            collection = _reverse_scale(collection, name)
        for name in self.lower_is_better:
            collection = _declare_direction(collection, name, lower=True)
        for name in self.higher_is_better:
            collection = _declare_direction(collection, name, lower=False)
        return collection


def _all_names(collection: Collection, kind: str) -> set[str]:
    """Return all names of systems, topics, assessors or measures."""
    preferences = collection.preferences
    names = set(collection.scores.columns[kind])
    if kind in ("system", "topic"):
        names |= {getattr(summary, kind) for summary in collection.summaries}
    if kind == "system":
        return names | set(preferences.columns["first"]) | set(preferences.columns["second"])
    return names | set(preferences.columns[kind])


def _exclude(collection: Collection, name: str) -> Collection:
    """Leave out a system, topic, assessor or measure; references stay references."""
    kind = next((kind for kind in _KINDS if name in _all_names(collection, kind)), None)
    if kind is None and (exclusion := _find_exclusion(name)):
        return _without_on_topics(collection, name, exclusion)
    if kind is None:
        hint = known_names(name, sorted(_all_names(collection, "system")))
        raise NotFoundError(f"there is no system {name!r}", hint)
    scores, preferences, summaries = collection.scores, collection.preferences, collection.summaries
    if kind == "system":
        is_kept_preference = (preferences.columns["first"] != name) & (
            preferences.columns["second"] != name
        )
        summaries = tuple(
            replace(summary, role="reference") if summary.system == name else summary
            for summary in summaries
            if summary.system != name or summary.is_reference
        )
    else:
        is_kept_preference = preferences.columns[kind] != name
        if kind == "topic":
            summaries = tuple(summary for summary in summaries if summary.topic != name)
    topics = tuple(t for t in collection.topics if kind != "topic" or t.id != name)
    is_kept_score = np.asarray(scores.columns[kind] != name, dtype=bool)
    return replace(
        collection,
        topics=topics,
        summaries=summaries,
        scores=scores if is_kept_score.all() else scores.rows(is_kept_score),
        preferences=_rows_of(preferences, np.asarray(is_kept_preference, dtype=bool)),
    )


def _without_on_topics(collection: Collection, name: str, exclusion: Exclusion) -> Collection:
    """Leave out the systems of an exclusion on its topics, and list them."""
    columns = collection.scores.columns
    is_excluded = np.isin(columns["system"], exclusion.systems)
    is_excluded &= np.array([exclusion.applies(topic) for topic in columns["topic"]], dtype=bool)
    summaries = tuple(
        summary
        for summary in collection.summaries
        if summary.system not in exclusion.systems or not exclusion.applies(summary.topic)
    )
    if not is_excluded.any() and len(summaries) == len(collection.summaries):
        return collection
    line = f"systems {' and '.join(exclusion.systems)} ({name})"
    return replace(
        collection, summaries=summaries, scores=collection.scores.rows(~is_excluded),
        left_out=(*collection.left_out, line),
    )  # fmt: skip


def _rows_of(preferences: Preferences, rows: Bools) -> Preferences:
    return preferences if rows.all() else preferences.rows(rows)


def _without_value(collection: Collection, text: str) -> Collection:
    """Read a value as a missing score."""
    measure, _, number_text = text.rpartition("=")
    try:
        value = float(number_text)
    except ValueError:
        hint = "write --missing -999, or --missing fluency=9 for one measure"
        raise InputError(f"--missing {text!r} is not a number", hint) from None
    scores = collection.scores
    is_missing = scores.value == value
    if measure:
        name = full_measure_name(measure, scores.measures)
        scores.require("measure", name)
        is_missing &= np.asarray(scores.columns["measure"] == name, dtype=bool)
    if not is_missing.any():
        hint = "name a value that occurs, or leave out --missing"
        raise InputError(f"no score{f' of {measure}' if measure else ''} is {value:g}", hint)
    line = f"{int(is_missing.sum()):,} scores of {value:g} were read as missing"
    line += f" ({measure})" if measure else ""
    repair_lines = (*collection.repaired, line)
    return replace(collection, scores=scores.rows(~is_missing), repaired=repair_lines)


def _reverse_scale(collection: Collection, name: str) -> Collection:
    """Reverse the scale of an assessor, measure or system; an assessor's choices are swapped."""
    scores, preferences = collection.scores, collection.preferences
    columns = {
        "assessor": preferences.columns["assessor"],
        "measure": preferences.columns["measure"],
    }
    columns |= {"system": np.empty(0, dtype=object)}  # A choice has two systems.
    names_by_kind = {k: {*scores.columns[k], *columns[k]} for k in columns}
    kind = next((k for k in names_by_kind if name in names_by_kind[k]), None)
    scope = ""
    if kind is None and "=" in name:
        name, _, scope = name.rpartition("=")
        scores.require("measure", scope)
        kind = next((k for k in ("assessor", "system") if name in names_by_kind[k]), None)
    if kind is None:
        names = sorted(set().union(*names_by_kind.values()) - {""})
        problem = f"there is no assessor, measure or system {name!r}"
        raise NotFoundError(problem, known_names(name, names))
    rows = np.asarray(scores.columns[kind] == name, dtype=bool)
    measures, values = scores.columns["measure"], scores.value.copy()
    if scope:
        rows &= np.asarray(measures == scope, dtype=bool)
    for measure in set(measures[rows]):
        is_of_measure = np.asarray(measures == measure, dtype=bool)
        definition = find_measure(measure, collection.measures)
        scale = collection.scales.get(measure) or (definition and definition.scale)
        bounds = (scale.low, scale.high) if scale else _range_of(scores.value[is_of_measure])
        values[rows & is_of_measure] = sum(bounds) - values[rows & is_of_measure]
    choices = np.asarray(columns[kind] == name, dtype=bool)
    line = f"the scale of {kind} {name} was reversed" + (f" for {scope}" if scope else "")
    line += f" ({int(rows.sum() or choices.sum()):,} judgments)"
    return replace(
        collection,
        scores=Scores(scores.columns, values, extra=scores.extra),
        preferences=_swap_choices(preferences, choices) if choices.any() else preferences,
        repaired=(*collection.repaired, line),
    )


def _range_of(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def _swap_choices(preferences: Preferences, rows: Bools) -> Preferences:
    """Swap the choices of some rows."""
    other_side = {"first": "second", "second": "first"}
    pairs = zip(preferences.columns["choice"], rows, strict=True)
    choices = [
        other_side.get(choice, choice) if is_swapped else choice for choice, is_swapped in pairs
    ]
    return Preferences({**preferences.columns, "choice": choices}, preferences.strength)


def _declare_direction(collection: Collection, name: str, *, lower: bool) -> Collection:
    """Declare which values of a measure are better."""
    measure = full_measure_name(name, collection.scores.measures)
    definition = find_measure(measure, collection.measures) or Measure()
    updated_definition = replace(definition, lower_is_better=lower)
    return replace(collection, measures={**collection.measures, measure: updated_definition})


def parse_choices(texts: Sequence[str]) -> Mapping[str, str]:
    """Parse ``0=first,1=second`` from options.

    Examples
    --------
    >>> parse_choices(["0=first", "1=second"])
    {'0': 'first', '1': 'second'}
    """
    pairs = dict[str, str]()
    for text in texts:
        word, _, choice = (part.strip().lower() for part in text.rpartition("="))
        if not word or choice not in ("first", "second", "tie"):
            hint = "write --choices 0=first,1=second (or =tie)"
            raise InputError(f"--choices {text!r} does not define a choice", hint)
        pairs[word] = choice
    return pairs
