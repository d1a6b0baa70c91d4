"""Read any source as a collection: a path, a data frame, scores, a matrix."""

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from pyramidion.collection._collection import Collection
from pyramidion.collection._preferences import Preferences
from pyramidion.collection._repairs import Repairs, parse_choices
from pyramidion.collection._scores import Scores, scores_from_frame
from pyramidion.collection.checking import require_consistent, with_findings
from pyramidion.collection.findings import Finding, Severity
from pyramidion.collection.ids import brief_list
from pyramidion.collection.matrix import ScoreMatrix
from pyramidion.errors import DataNote, FormatError, InputError, Where
from pyramidion.questions import Options, option
from pyramidion.questions.common import source_format_option

if TYPE_CHECKING:
    from pyramidion.collection.formats.base import LogSettings

T = TypeVar("T")

# The heading of the options that say how data are read.
_HELP_PANEL = "Reading the data"


class Frame(Protocol):
    """A data frame of pandas, polars or another library that narwhals supports."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""


class HasScores(Protocol):
    """A result with scores, such as that of `score`."""

    @property
    def scores(self) -> Scores | None:
        """One row per score; None if they were not kept."""


class Array(Protocol):
    """An array, or a Series of pandas or polars."""

    def __array__(self) -> Any:
        """Return it as an array of NumPy."""


#: Sources that questions accept; signatures show this alias instead of the union.
Source: TypeAlias = Annotated[
    Collection
    | ScoreMatrix
    | Scores
    | Preferences
    | Frame
    | Mapping[str, Sequence[Any]]
    | HasScores
    | str
    | Path,
    "pyramidion.collection:Source",
]

#: The scores of one system, one per topic.
Values: TypeAlias = Annotated[Sequence[float | None] | Array, "pyramidion.collection:Values"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReading(Options):
    """How data are read."""

    source_format: str | None = source_format_option("source", panel=_HELP_PANEL)
    columns: tuple[str, ...] = option(
        (), "Columns of your own table, as part=column: topic=id,system=model,assessor=who. "
        "Parts: topic, task, system, kind, role, text, reference, document, assessor, occasion, "
        "run, unit, time, measure, value; for preferences first, second, choice, sides, "
        "strength, items, best, worst. Columns with common names are recognized.",
        metavar="PART=COLUMN",
        panel=_HELP_PANEL,
    )  # fmt: skip
    errors: Literal["missing", "zero"] = option(
        "missing", "How to count items of a log on which the run failed: as missing scores, or "
        "as scores of 0.",
        panel=_HELP_PANEL,
    )  # fmt: skip
    partial: bool = option(
        False, "Also read logs of evaluations that did not succeed.", flags=("--partial",),
        panel=_HELP_PANEL,
    )  # fmt: skip
    shared: bool = option(
        False, "Use the items that all logs share, even if these are fewer than half of the "
        "items.",
        flags=("--shared",), panel=_HELP_PANEL,
    )  # fmt: skip
    grades: tuple[str, ...] = option(
        (), "Numbers for textual grades in logs, such as good=1,bad=0.",
        metavar="GRADE=NUMBER", panel=_HELP_PANEL,
    )  # fmt: skip
    exclude: tuple[str, ...] = option(
        (), "Systems to leave out, comma-separated; also topics, assessors or measures.",
        metavar="NAMES", panel=_HELP_PANEL,
    )  # fmt: skip

    @property
    def repairs(self) -> Repairs:
        """What to change in the data."""
        return Repairs(exclude=self.exclude)

    @property
    def log_settings(self) -> "LogSettings":
        """How logs of other tools are read."""
        from pyramidion.collection.formats.base import LogSettings

        directed_measures = (
            *getattr(self, "lower_is_better", ()),
            *getattr(self, "higher_is_better", ()),
        )
        return LogSettings(self.errors, self.partial, self.shared, self.grades, directed_measures)

    def read_source(
        self, source: Any, *, strict: bool = True, measures: Sequence[str] = ()
    ) -> Collection:
        """Read any source with these options."""
        return read_source(
            source, format=self.source_format, strict=strict, columns=self.columns,
            choices=getattr(self, "choices", ()), repairs=self.repairs,
            logs=self.log_settings, measures=measures, cluster=getattr(self, "cluster", None),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReading(SourceReading):
    """How scores are read."""

    reverse: tuple[str, ...] = option(
        (),
        "Assessors, measures or systems whose scale is reversed, comma-separated; NAME=MEASURE for "
        "one measure.",
        metavar="NAMES",
        panel=_HELP_PANEL,
    )
    missing: tuple[str, ...] = option(
        (), "Values that mark a missing score, such as -999, or fluency=9 for one measure.",
        metavar="VALUES", panel=_HELP_PANEL,
    )  # fmt: skip
    lower_is_better: tuple[str, ...] = option(
        (),
        "Further measures for which lower is better, comma-separated.",
        metavar="MEASURES",
        panel=_HELP_PANEL,
    )
    higher_is_better: tuple[str, ...] = option(
        (), "Measures for which higher is better despite their names, comma-separated.",
        metavar="MEASURES", panel=_HELP_PANEL,
    )  # fmt: skip

    @property
    def repairs(self) -> Repairs:
        """What to change in the data."""
        return Repairs(
            self.exclude, self.reverse, self.missing, self.lower_is_better, self.higher_is_better
        )


def choices_option() -> Any:
    """Declare ``--choices``: what the values in a column of choices mean."""
    help = "What the values in the column of choices mean, such as 0=first,1=second,2=tie."
    return option((), help, metavar="VALUE=CHOICE", panel=_HELP_PANEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceReading(SourceReading):
    """How preferences are read."""

    choices: tuple[str, ...] = choices_option()
    reverse: tuple[str, ...] = option(
        (),
        "Assessors whose choices are reversed, comma-separated.",
        metavar="NAMES",
        panel=_HELP_PANEL,
    )

    @property
    def repairs(self) -> Repairs:
        """What to change in the data."""
        return Repairs(self.exclude, self.reverse)


def read_source(
    source: Any,
    *,
    format: str | None = None,
    strict: bool = True,
    columns: Sequence[str] = (),
    choices: Sequence[str] = (),
    repairs: Repairs | None = None,
    logs: "LogSettings | None" = None,
    measures: Sequence[str] = (),
    cluster: str | None = None,
) -> Collection:
    """Read any source as a collection; several are joined. The data are repaired and checked.

    Findings that are only about other `measures`, or suggest this `cluster`, are left out.
    """
    if isinstance(source, list | tuple) and len(source) == 1:
        source = source[0]
    where = Where(source) if isinstance(source, str | Path) else None
    parts = source if isinstance(source, list | tuple) and source else [source]
    options: Any = {"format": format, "columns": columns, "choices": choices}
    sources = parts if columns or choices else _read_together(parts, format, logs)
    collections = [_read_unchecked(part, strict=strict, **options) for part in sources]
    collection = collections[0] if len(collections) == 1 else _join_parts(collections)
    if not collection.source_systems:
        systems = tuple(chain.from_iterable(map(_systems_by_source, collections)))
        collection = replace(collection, source_systems=systems)
    already_repaired = collection.repaired
    if repairs is not None and repairs != Repairs():
        collection = replace(repairs.apply(collection), findings=None)
    if strict:
        # Objects that a program made are checked, too, but only the result reports what was found.
        kinds = (Collection, Scores, ScoreMatrix, Preferences)
        is_from_program = all(isinstance(part, kinds) for part in parts)
        collection = with_findings(
            collection, where, warn=not is_from_program, measures=measures, cluster=cluster
        )
        if where is not None or collection.repaired != already_repaired:
            _warn_repaired(collection, where)
    return collection


def _read_together(
    parts: Sequence[Any], format: str | None, logs: "LogSettings | None"
) -> Sequence[Any]:
    """Replace the paths of logs, whose items have to be matched, by one collection."""
    from pyramidion.collection.formats import detect, format_named
    from pyramidion.collection.formats.base import LogSettings

    paths_by_reader: dict[Any, list[Path]] = {}
    sources: list[Any] = []
    for part in parts:
        is_path = isinstance(part, str | Path) and Path(part).exists()
        file_format = (format_named(format) if format else detect(part)) if is_path else None
        reader = file_format.read_together if file_format is not None else None
        if reader is None:
            sources.append(part)
        else:
            # They are read together, at the position of the first.
            sources += [reader] * (reader not in paths_by_reader)
            paths_by_reader.setdefault(reader, []).append(Path(part))
    settings = logs or LogSettings()
    return [
        part(paths_by_reader[part], settings)
        if callable(part) and part in paths_by_reader
        else part
        for part in sources
    ]


def _systems_by_source(collection: Collection) -> tuple[tuple[str, ...], ...]:
    """Return the systems of each source that a collection was read from, in their order."""
    systems = tuple(dict.fromkeys(collection.scores.columns["system"].tolist()))
    return collection.source_systems or (systems,)


def _read_unchecked(
    source: Any,
    *,
    format: str | None,
    strict: bool,
    columns: Sequence[str],
    choices: Sequence[str],
) -> Collection:
    """Read one source without checking it."""
    if isinstance(source, Collection):
        return source
    if isinstance(source, ScoreMatrix):
        return Collection("", scores=source.to_scores())
    if isinstance(source, Scores):
        return Collection("", scores=source)
    if isinstance(source, Preferences):
        return Collection("", preferences=source)
    coding = parse_choices(choices)
    if isinstance(source, str | Path):
        if columns or coding:
            from pyramidion.collection.formats.reading import read_as

            reading = read_as(
                Path(source), format=format, requested_columns=columns, choices=coding
            )
            return reading.collection
        from pyramidion.collection.formats import read_collection

        return read_collection(source, format=format, strict=strict)
    if (preferences := _read_preferences_in(source, columns, coding)) is not None:
        return preferences
    scores = getattr(source, "scores", None)
    if isinstance(scores, Scores):
        collection = Collection("", scores=scores)
    else:
        collection = _from_frame(source, columns)
    require_consistent(collection)
    return collection


def _from_frame(frame: Any, columns: Sequence[str]) -> Collection:
    """Read a data frame or a dictionary of lists: scores, or summaries with or without scores."""
    from pyramidion.collection._raw import table_from_frame
    from pyramidion.collection.formats._table import collection_of, find_columns

    raw_table = table_from_frame(frame)
    if not columns and {"topic", "system", "value"} <= raw_table.columns.keys():
        return Collection("", scores=scores_from_frame(frame))
    try:
        return collection_of(raw_table, find_columns(raw_table, columns))
    except FormatError as error:
        raise InputError(error.what, error.hint) from None


def _read_preferences_in(
    frame: Any, requested_columns: Sequence[str], coding: Mapping[str, str]
) -> Collection | None:
    """Read a data frame with columns of preferences; None if it has none."""
    from pyramidion.collection._raw import table_from_frame
    from pyramidion.collection.formats import _preferences as formats

    # Asking a lazy frame for its columns would compute it.
    has_columns = hasattr(type(frame), "columns") and not hasattr(frame, "collect")
    if isinstance(frame, Mapping):
        names = list(frame)
    else:
        names = list(frame.columns) if has_columns else []
    text_names = [name for name in names if isinstance(name, str)]
    preference_columns = (
        requested_columns if formats.asks_for_preferences(requested_columns) else ()
    )
    columns = formats.find_preference_columns(text_names, preference_columns)
    return (
        formats.collection_of_preferences(table_from_frame(frame), columns, coding)
        if columns
        else None
    )


def _warn_repaired(collection: Collection, where: Where | None) -> None:
    """Report in one line what was repaired."""
    if collection.repaired:
        first_repair, *other_repairs = collection.repaired
        suffix = (
            f" (and {len(other_repairs)} more, which `pyramidion describe` lists)"
            if other_repairs
            else ""
        )
        prefix = f"{where}: " if where else ""
        warnings.warn(f"{prefix}repaired: {first_repair}{suffix}", DataNote, stacklevel=3)


_COMPARED_COLUMNS = ("measure", "system", "topic")


def _join_parts(parts: Sequence[Collection]) -> Collection:
    """Join the parts of an evaluation; equal entries are kept once."""
    field_names = ("tasks", "categories", "topics", "summaries", "left_out", "repaired", "doubts")
    joined_fields: dict[str, Any] = {
        name: _distinct_items(value for part in parts for value in getattr(part, name))
        for name in field_names
    }
    for name in ("scales", "measures", "pyramids", "peer_annotations", "versions", "pairing"):
        tables = (getattr(part, name).items() for part in reversed(parts))
        joined_fields[name] = dict(chain.from_iterable(tables))
    every_score = Scores.concatenate([part.scores for part in parts])
    joined_fields["scores"] = _distinct_scores(every_score)
    joined_fields["preferences"] = Preferences.concatenate(part.preferences for part in parts)
    joined_fields["source_systems"] = tuple(chain.from_iterable(map(_systems_by_source, parts)))
    combined_collection = replace(parts[0], **joined_fields)
    require_consistent(combined_collection)
    return replace(
        combined_collection,
        doubts=(
            *combined_collection.doubts,
            *_without_common_topics(parts),
            *_repeated_sources(parts, len(every_score) - len(combined_collection.scores)),
        ),
    )


def _repeated_sources(parts: Sequence[Collection], n_repeated: int) -> Iterator[Finding]:
    """Find sources that repeat scores of others."""
    if n_repeated:
        names = brief_list([part.name for part in parts if part.name])
        message = f"{n_repeated} scores are in several of them, with the same values, and count "
        message += "once; is one a copy of another?"
        yield Finding("scores in several sources", f"sources {names}", message, severity="note")


def _without_common_topics(parts: Sequence[Collection]) -> Iterator[Finding]:
    """Find two sources with different measures of the same systems, but of other topics."""
    names_by_part = [
        {name: {*part.scores.columns[name]} for name in _COMPARED_COLUMNS} for part in parts
    ]
    for first, second in combinations(names_by_part, 2):
        shared_names = {name: first[name] & second[name] for name in _COMPARED_COLUMNS}
        if shared_names["measure"]:
            continue
        for kind, other_kind in (("topic", "system"), ("system", "topic")):
            if (
                not shared_names[other_kind]
                or shared_names[kind]
                or not (first[kind] and second[kind])
            ):
                continue
            example_names = " and ".join(repr(min(part[kind])) for part in (first, second))
            examples = brief_list(sorted(shared_names[other_kind]))
            message = f"sources with different measures of {examples} "
            message += f"have no {kind} in common, such as {example_names}; are the names "
            message += "spelled the same way?"
            # Different measures may be of different sets of topics on purpose.
            digits = [{re.sub(r"\D", "", name).lstrip("0") for name in part[kind]} - {""}
                       for part in (first, second)]  # fmt: skip
            is_comparable = kind == "system" or digits[0] & digits[1]
            severity: Severity = "severe" if is_comparable else "note"
            yield Finding(f"sources of different {kind}s", f"{kind}s", message, severity=severity,
                          effect="no summary has measures from both sources")  # fmt: skip
        topic_numbers = [{int(name) for name in part["topic"] if name.isdecimal()}
                  for part in (first, second)]  # fmt: skip
        for lower, higher in permutations(topic_numbers):
            if len(lower) == len(first["topic"]) > 4 and higher == {number + 1 for number in lower}:
                message = f"they are numbered from {min(lower)} in one source and from "
                message += f"{min(higher)} in the other; number them alike, or scores of different "
                message += "topics are joined"
                yield Finding("topics numbered differently", "topics", message,
                              severity="severe", effect="scores of different topics are joined",
                              )  # fmt: skip


def _distinct_items(items: Iterable[T]) -> tuple[T, ...]:
    """Drop repeated items, compared by `repr`, since summaries and topics cannot be hashed."""
    unique_items: dict[str, T] = {}
    for item in items:
        unique_items.setdefault(repr(item), item)
    return tuple(unique_items.values())


def _distinct_scores(scores: Scores) -> Scores:
    """Drop scores that another source repeats; contradictions are refused later."""
    pairs = scores.repeated_keys()
    repeated_rows = [
        row for earlier_row, row in pairs if scores.value[earlier_row] == scores.value[row]
    ]
    return (
        scores.rows(np.delete(np.arange(len(scores)), repeated_rows)) if repeated_rows else scores
    )


def read_with_scores(source: Any, *, format: str | None = None) -> Collection:
    """Read a source that has scores as a collection."""
    collection = read_source(source, format=format)
    require_scores(collection, source)
    return collection


def require_numbers(source: Any, measures: Iterable[str]) -> None:
    """Refuse measures that are columns of texts in tables, and say what to write there."""
    from pyramidion.collection.formats._table import why_no_measure

    paths = source if isinstance(source, list | tuple) else [source]
    for path in (Path(p) for p in paths if isinstance(p, str | Path) and Path(p).is_file()):
        for name in measures:
            if reason := why_no_measure(path, name):
                raise InputError(f"column {name} was not read as a measure: {reason}")


def require_scores(collection: Collection, source: Any) -> None:
    """Refuse a collection without scores."""
    if not len(collection.scores):
        where = Where(source) if isinstance(source, str | Path) else None
        hint = "compute some with -m, or add a table of scores"
        raise InputError("there are no scores in it", hint, where=where)
