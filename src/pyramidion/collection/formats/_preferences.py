"""Preferences as CSV, TSV, JSONL and Parquet: choices between two, or best-worst tuples."""

import json
import math
import re
import shlex
import warnings
from collections.abc import Iterable, Mapping, Sequence
from operator import or_
from pathlib import Path
from typing import Any

from pyramidion.collection._collection import Collection
from pyramidion.collection._preferences import CHOICES, COLUMNS, TEXT_COLUMNS, Preferences
from pyramidion.collection._raw import RawTable, convert_each, id_text
from pyramidion.collection.formats import _table
from pyramidion.collection.formats._table import parse_pairs
from pyramidion.collection.formats._unread import LIKELY_NAMES, likely_columns
from pyramidion.collection.formats.base import (
    Format,
    first_record,
    nonzero_counts,
    part_sizes,
    require_part,
)
from pyramidion.collection.formats.table_files import (
    column_names,
    read_raw,
    table_beginning,
    table_text,
)
from pyramidion.errors import DataNote, InputError, known_names
from pyramidion.files.inputs import is_readable
from pyramidion.files.writing import write_text

#: The parts that a column can hold, and the usual names of such columns.
PARTS: Mapping[str, tuple[str, ...]] = {
    **{name: _table.PARTS[name] for name in ("task", "time")},
    **{name: (*_table.PARTS[name], *LIKELY_NAMES[name]) for name in ("topic", "assessor")},
    "measure": (*_table.PARTS["measure"], "name"),
    "first": ("first", "system_a", "model_a", "system_1", "model_1", "summary_a", "item_a", "left"),
    "second": (
        "second", "system_b", "model_b", "system_2", "model_2", "summary_b", "item_b", "right",
    ),
    "choice": (
        "choice", "winner", "preference", "preferred", "better", "vote", "label", "pick", "picked",
        "chosen", "selected", "verdict", "decision",
    ),
    "strength": ("strength", "degree"),
    "sides": ("sides",),
    "items": ("items", "tuple", "options"),
    "best": ("best", "most"),
    "worst": ("worst", "least"),
}  # fmt: skip
# Columns of battles and of annotation tools, which have readers of their own.
_OTHER_FORMAT_COLUMNS = ({"anony"}, {"annotation_id", "annotator"})
_PAIR_COLUMNS, _TUPLE_COLUMNS = ("first", "second", "choice"), ("items", "best", "worst")
# Synonyms of the choices.
_CHOICE_OF_WORD = {
    **dict.fromkeys(("a", "1", "left", "model_a", "system_a"), "first"),
    **dict.fromkeys(("b", "2", "right", "model_b", "system_b"), "second"),
    **dict.fromkeys(("neither", "equal", "both", "same", "draw", "tie (bothbad)"), "tie"),
}
# Outcomes for the first of the two; without -1, the numbers may be indices.
_CHOICE_OF_OUTCOME = {"1": "first", "0": "tie", "-1": "second"}
_TIE_WORDS = frozenset(word for word, choice in _CHOICE_OF_WORD.items() if choice == "tie") | {
    "tie"
}


def find_preference_columns(
    names: Iterable[str], columns: Iterable[str] | Mapping[str, Any] = ()
) -> dict[str, str]:
    """Map parts to the requested columns, or to usual names; empty if a part is missing."""
    parts = _recognized_parts(names, columns)
    return (
        parts
        if any({*needed_parts} <= parts.keys() for needed_parts in (_PAIR_COLUMNS, _TUPLE_COLUMNS))
        else {}
    )


def missing_part(names: Iterable[str]) -> str:
    """Name the only column that a table of choices lacks; empty if it is something else."""
    missing_columns = {*_PAIR_COLUMNS} - _recognized_parts(names).keys()
    return (
        missing_columns.pop()
        if len(missing_columns) == 1 and "choice" not in missing_columns
        else ""
    )


def _recognized_parts(
    names: Iterable[str], columns: Iterable[str] | Mapping[str, Any] = ()
) -> dict[str, str]:
    unused_names, parts = list(names), dict[str, str]()
    for part, column in parse_pairs(columns, "--columns"):
        if part not in PARTS:
            raise InputError(f"there is no part {part!r}", f"use one of: {', '.join(PARTS)}")
        if column not in unused_names:
            raise InputError(f"there is no column {column!r}", known_names(column, unused_names))
        parts[part] = column
    for part, usual_names in PARTS.items():
        candidates = {
            _table.plain_name(unused_name): unused_name
            for unused_name in reversed(unused_names)
            if unused_name not in parts.values()
        }
        name = next(
            (candidates[candidate] for candidate in usual_names if candidate in candidates), None
        )
        if part not in parts and name is not None:
            parts[part] = name
    return parts


def asks_for_preferences(columns: Iterable[str] | Mapping[str, Any]) -> bool:
    """Return whether requested columns hold preferences."""
    preference_parts = PARTS.keys() - _table.PARTS.keys()
    return any(part in preference_parts for part, _ in parse_pairs(columns, "--columns"))


def preferences_of(
    raw_table: RawTable, columns: Mapping[str, str], coding: Mapping[str, str] | None = None
) -> Preferences:
    """Create preferences from rows; a best-worst tuple yields one for each pair it orders.

    `coding` says what the words or numbers in the column of choices mean.
    """
    text_columns = {
        part: name for part, name in columns.items() if part not in ("items", "strength")
    }
    texts = {
        part: convert_each(raw_table.columns[name], id_text) for part, name in text_columns.items()
    }
    rows: Sequence[int] = range(len(raw_table.row_numbers))
    strength = None
    if "strength" in columns:
        strengths = raw_table.numbers(columns["strength"])
        if None in strengths:
            raise raw_table.row_error(
                strengths.index(None), "`strength` is not a number", "give one above 0"
            )
        strength = [1.0 if value is None or math.isnan(value) else value for value in strengths]
    if {*_PAIR_COLUMNS} <= columns.keys():
        texts["choice"] = _read_choices(texts, raw_table, coding or {})
    else:
        texts, rows = _pairs_from_tuples(texts, raw_table, columns["items"])
        strength = None if strength is None else [strength[row] for row in rows]
    texts.setdefault("topic", ["1"] * len(rows))
    table_columns = {name: texts[name] for name in TEXT_COLUMNS if name in texts}
    return Preferences(
        table_columns, strength, fail=lambda row, *error: raw_table.row_error(rows[row], *error)
    )


def _read_choices(
    texts: Mapping[str, list[str]], raw_table: RawTable, coding: Mapping[str, str]
) -> list[str]:
    """Read the choice: a word, a number whose meaning is clear, or the name of the system."""
    cells = texts["choice"], texts["first"], texts["second"]
    is_name = [text in pair for text, *pair in zip(*cells, strict=True)]
    is_tie = [text.lower() in _TIE_WORDS for text in texts["choice"]]
    unmatched_rows = [row for row, is_valid in enumerate(map(or_, is_name, is_tie)) if not is_valid]
    if not coding and 0 < len(unmatched_rows) < sum(is_name):
        text, *pair = (column[unmatched_rows[0]] for column in cells)
        message = f"`choice` is {text!r}, which is neither {pair[0]} nor {pair[1]}"
        raise raw_table.row_error(unmatched_rows[0], message, "name one of the two, or write tie")
    if not coding and not unmatched_rows:
        sides = ("first", "second")
        rows = zip(*cells, strict=True)
        return [sides[pair.index(text)] if text in pair else "tie" for text, *pair in rows]
    choice_of_word = {**_CHOICE_OF_WORD, **_numbered_choices({*texts["choice"]}, raw_table, coding)}
    choices = convert_each(
        texts["choice"], lambda text: choice_of_word.get(text.lower(), text.lower())
    )
    for row, text in enumerate(choices):
        if text in CHOICES:
            continue
        message = f"`choice` is {texts['choice'][row]!r}"
        if text in (texts["first"][row].lower(), texts["second"][row].lower()):
            raise raw_table.row_error(
                row, f"{message}, spelled differently in the pair", "use one spelling"
            )
        hint = "write first, second or tie, or the name of one of the two; or say what it means: "
        raise raw_table.row_error(row, message, f"{hint}--choices {texts['choice'][row]}=first,...")
    return choices


def _numbered_choices(
    texts: Iterable[str], raw_table: RawTable, coding: Mapping[str, str]
) -> Mapping[str, str]:
    """Return what numbers mean as choices; refuse a coding that may mean several things."""
    uncoded_texts = {text for text in texts if text.lower() not in coding}
    if "0" in uncoded_texts and uncoded_texts <= {"0", "1", "2"}:
        choices_text = ", ".join(sorted(uncoded_texts))
        problem = f"the choices {choices_text} may mean the first, the second or a tie"
        hint = "say which: --choices 0=first,1=second"
        if "2" in uncoded_texts:
            hint = "say which: --choices 0=tie,1=first,2=second"
        raise raw_table.table_error(problem, hint)
    if "-1" in uncoded_texts and uncoded_texts <= _CHOICE_OF_OUTCOME.keys():
        message = f"{raw_table.where or 'preferences'}: choices read as 1=first, 0=tie, -1=second; "
        message += "--choices changes this"
        warnings.warn(message, DataNote, stacklevel=2)
        return {**_CHOICE_OF_OUTCOME, **coding}
    return coding


def _pairs_from_tuples(
    texts: Mapping[str, list[str]], raw_table: RawTable, column: str
) -> tuple[dict[str, list[str]], list[int]]:
    """Turn best-worst tuples into pairs: the best item beats all others, which beat the worst."""
    columns: dict[str, list[str]] = {
        name: [] for name in (*texts, "first", "second", "choice", "sides")
    }
    rows: list[int] = []
    for row, (cell, best_item, worst_item) in enumerate(
        zip(raw_table.columns[column], texts["best"], texts["worst"], strict=True)
    ):
        items = _split_items(cell)
        if (
            best_item == worst_item
            or not {best_item, worst_item} <= {*items}
            or len({*items}) < len(items)
        ):
            message = (
                f"the best is {best_item!r} and the worst {worst_item!r} of {', '.join(items)}"
            )
            raise raw_table.row_error(row, message, "name two of the items, which must not repeat")
        pairs = [(best_item, other) for other in items if other != best_item]
        pairs += [(other, worst_item) for other in items if other not in (best_item, worst_item)]
        rows += [row] * len(pairs)
        for name in texts:
            columns[name] += [texts[name][row]] * len(pairs)
        for first, second in pairs:
            columns["first"].append(first)
            columns["second"].append(second)
    columns["choice"], columns["sides"] = ["first"] * len(rows), ["unknown"] * len(rows)
    return columns, rows


def _split_items(cell: Any) -> list[str]:
    if isinstance(cell, str):
        cell = json.loads(cell) if cell.startswith("[") else re.split(r"\s*[|;,]\s*", cell.strip())
    return [id_text(item) for item in cell]


def read_preferences_as(
    path: Path,
    requested_columns: Iterable[str] | Mapping[str, Any] = (),
    coding: Mapping[str, str] | None = None,
) -> tuple[Collection, dict[str, str]]:
    """Read a file by its columns; return the collection and the mapping used."""
    raw_table = read_raw(path)
    columns = find_preference_columns(raw_table.columns, requested_columns)
    if not columns:
        listing = f"the columns are: {', '.join(raw_table.columns)}"
        hint = f"{listing}; name them: --columns topic=...,first=...,second=...,choice=..."
        raise raw_table.table_error("no columns of preferences were recognized", hint)
    for part in ("topic", "assessor"):
        unused_names = [name for name in raw_table.columns if name not in columns.values()]
        plain_names = {name: _table.plain_name(name) for name in unused_names}
        if part not in columns and (likely_names := likely_columns(raw_table, part, plain_names)):
            columns[part] = likely_names[0]
    return collection_of_preferences(raw_table, columns, coding), columns


def collection_of_preferences(
    raw_table: RawTable, columns: Mapping[str, str], coding: Mapping[str, str] | None = None
) -> Collection:
    """Create a collection that has only preferences."""
    table = preferences_of(raw_table, columns, coding)
    unused_names = [name for name in raw_table.columns if name not in columns.values()]
    left_out = [f"columns not used: {', '.join(unused_names)}"] * bool(unused_names)
    if table.repeated:
        left_out.append(
            f"{table.repeated} preferences that repeat an earlier one by the same assessor"
        )
    return Collection(raw_table.name, preferences=table, left_out=tuple(left_out))


def preference_flags(columns: Mapping[str, str]) -> str:
    """Write the option for a mapping."""
    return f"--columns {shlex.quote(','.join(f'{part}={name}' for part, name in columns.items()))}"


def _read(path: Path) -> Collection:
    collection, columns = read_preferences_as(path)
    if any(part != name for part, name in columns.items()):
        flags = preference_flags(columns)
        warnings.warn(f"{path}: preferences read as {flags}", DataNote, stacklevel=2)
    return collection


def _matches(path: Path) -> bool:
    if not is_readable(path):
        return False
    names = first_record(path).keys() or column_names(path, table_beginning(path))
    if any(format_columns <= {*names} for format_columns in _OTHER_FORMAT_COLUMNS):
        return False
    return bool(find_preference_columns(sorted(names)))


def write_preferences(table: Preferences, path: Path) -> None:
    """Write preferences in the format of the file name.

    Examples
    --------
    >>> import tempfile
    >>> table = Preferences({name: [name[0]] for name in ("topic", "first", "second")}
    ...                     | {"choice": ["tie"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_preferences(table, Path(folder) / "mine.csv")
    ...     (Path(folder) / "mine.csv").read_text().splitlines()
    ['topic,first,second,choice', 't,f,s,tie']
    """
    columns = {**table.columns, "strength": table.strength.tolist()}
    write_text(path, table_text({name: columns[name] for name in table.used_columns}, path.suffix))


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    require_part(collection, "preferences")
    write_preferences(collection.preferences, path)
    return nonzero_counts(part_sizes(collection, "topics", "summaries", "scores", "pyramids"))


FORMAT = Format(
    name="preferences",
    title=f"preferences: CSV, TSV or JSONL ({', '.join(COLUMNS)}), or best-worst tuples",
    matches=_matches,
    read=_read,
    write=_write,
    suffixes=("preferences.csv", "preferences.tsv", "preferences.jsonl"),
)
