"""The native format: a folder that can be read and written by hand.

::

    collection.toml       name, tasks with their word limits, scales, measures, categories
    topics.jsonl          id, title, narrative, category, documents
    summaries.jsonl       task, topic, system, kind, role, text
    scores.csv            task, topic, system, kind, measure, assessor, value
    preferences.csv       task, topic, first, second, choice, assessor, sides
    pyramids/*.pyr        <topic>-<task>.pyr, DUCView's XML; <topic>-<task>~<version>.pyr
    peers/*.pan           <topic>-<task>-<system>.pan, DUCView's XML; ...~<assessor>~<occasion>.pan
"""

import json
import shutil
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pyramidion.collection._collection import BY_DOCUMENTS, Collection, Task
from pyramidion.collection._preferences import Preferences
from pyramidion.collection._scores import Scores
from pyramidion.collection.formats._preferences import read_preferences_as, write_preferences
from pyramidion.collection.formats._summaries import read_summaries
from pyramidion.collection.formats.base import Format
from pyramidion.collection.formats.ducview.files import (
    SharedPyramids,
    read_peer_annotation,
    read_pyramid,
)
from pyramidion.collection.formats.ducview.format import (
    KEEP_ONE,
    add_notes,
    peer_key,
    pyramid_key,
    split_versions,
    write_annotations,
)
from pyramidion.collection.formats.scores import read_table, write_scores
from pyramidion.collection.ids import brief_list
from pyramidion.collection.measures import Measure, Scale
from pyramidion.collection.pyramids import PeerAnnotation, Pyramid
from pyramidion.collection.summaries import Aspect, Category, Topic
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.files.reading import MAX_MODEL_BYTES, Record, read_records, read_text
from pyramidion.files.writing import write_text, writing_folder

_FORMAT_VERSION = 1

Value = TypeVar("Value")


def read_settings(path: Path) -> Collection:
    """Read ``collection.toml``; unknown keys are refused."""
    try:
        data = tomllib.loads(read_text(path, limit=MAX_MODEL_BYTES))
    except (ValueError, RecursionError) as error:
        raise Where(path).error(f"this is not TOML ({error})", "fix it") from None
    record = Record(data, Where(path))
    version = data.get("format", _FORMAT_VERSION)
    record.take("format")
    if version != _FORMAT_VERSION:
        raise record.error(
            f"`format` is {version!r}", f"this release reads format {_FORMAT_VERSION}"
        )
    scales = list(
        _read_tables(record, "scales", lambda scale: (scale.text("measure"), _scale(scale)))
    )
    measures = {
        name: _read_checked(item, _measure) for name, item in record.named_records("measures")
    }
    scaled_names = [name for name, measure in measures.items() if measure.scale]
    for name, count in Counter([*(name for name, _ in scales), *scaled_names]).items():
        if count > 1:
            raise record.error(f"measure `{name}` has two scales", "keep one")
    settings = Collection(
        name=record.text("name", "" if "name" in data else None),
        description=record.text("description", ""),
        notice=record.text("notice", ""),
        tasks=tuple(_read_tables(record, "tasks", _task)),
        scales=dict(scales),
        measures=measures,
        categories=tuple(_read_tables(record, "categories", _category)),
    )
    _require_known_keys(record)
    return settings


def _read_tables(
    record: Record, name: str, read_value: Callable[[Record], Value]
) -> Iterator[Value]:
    for item in record.records(name):
        yield _read_checked(item, read_value)


def _read_checked(item: Record, read_value: Callable[[Record], Value]) -> Value:
    value = item.convert(read_value)
    _require_known_keys(item)
    return value


def _require_known_keys(record: Record) -> None:
    unknown_keys = sorted(record.rest())
    if unknown_keys:
        raise record.error(f"unknown key `{unknown_keys[0]}`", "check its spelling, or remove it")


def _task(record: Record) -> Task:
    word_limit = record.whole_number("word_limit") if "word_limit" in record.data else None
    documents = _document_sets(record, "documents") if "documents" in record.data else "all"
    known_sets = _document_sets(record, "known") if "known" in record.data else BY_DOCUMENTS
    return Task(
        record.identifier("id", ""), record.text("title", ""), documents, word_limit, known_sets
    )


def _document_sets(record: Record, name: str) -> tuple[str, ...]:
    """Take the name of a set of documents, or a list of names."""
    value = record.data[name]
    return (record.identifier(name),) if isinstance(value, str | int) else record.texts(name)


def _scale(record: Record) -> Scale:
    step = record.number("step") if "step" in record.data else 0.0
    return Scale(record.number("low"), record.number("high"), step)


def _measure(record: Record) -> Measure:
    scale = _scale(record) if {"low", "high", "step"} & record.data.keys() else None
    return Measure(record.flag("lower_is_better"), scale, record.flag("human"))


def _category(record: Record) -> Category:
    aspects = tuple(_read_tables(record, "aspects", _aspect))
    return Category(record.identifier("id"), record.text("title", ""), aspects)


def _aspect(record: Record) -> Aspect:
    return Aspect(record.identifier("id"), record.text("name", ""), record.text("description", ""))


def write_settings(collection: Collection, path: Path) -> None:
    """Write a collection's settings as TOML."""
    lines = []
    for header, fields in _sections(collection):
        lines += ["", header] if header else []
        lines += [
            f"{name} = {_toml_value(value)}" for name, value in fields.items() if value is not None
        ]
    write_text(path, "\n".join(lines) + "\n")


def _toml_value(value: Any) -> str:
    """Write a value; JSON's values are valid in TOML, except for the delete character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _sections(collection: Collection) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the header and fields of each section; fields that are None are not written."""
    descriptions = {name: getattr(collection, name) or None for name in ("description", "notice")}
    yield "", {"format": _FORMAT_VERSION, "name": collection.name, **descriptions}
    for task in collection.tasks:
        default = Task(task.id, documents=task.documents).known
        fields = {"id": task.id, "title": task.title or None, "documents": task.documents}
        known_sets = None if task.known == default else task.known
        yield "[[tasks]]", {**fields, "known": known_sets, "word_limit": task.word_limit}
    for name, scale in collection.scales.items():
        if name not in collection.measures:
            yield "[[scales]]", {"measure": name, **_scale_fields(scale)}
    for name, measure in collection.measures.items():
        flags = {"lower_is_better": measure.lower_is_better, "human": measure.human}
        yield f"[measures.{_toml_value(name)}]", {**flags, **_scale_fields(measure.scale)}
    for category in collection.categories:
        yield "[[categories]]", {"id": category.id, "title": category.title or None}
        for aspect in category.aspects:
            texts = {"name": aspect.name or None, "description": aspect.description or None}
            yield "[[categories.aspects]]", {"id": aspect.id, **texts}


def _scale_fields(scale: Scale | None) -> dict[str, float]:
    return {name: float(end) for name, end in asdict(scale).items()} if scale else {}


_SETTINGS_FILE = "collection.toml"
_SCORE_FILES = ("scores.csv", "scores.tsv", "scores.jsonl", "scores.parquet")
_PREFERENCE_FILES = ("preferences.csv", "preferences.tsv", "preferences.jsonl")
_SUFFIX_OF_FOLDER = {"pyramids": ".pyr", "peers": ".pan"}
_KNOWN_FILES = {
    _SETTINGS_FILE,
    "topics.jsonl",
    "summaries.jsonl",
    *_SCORE_FILES,
    *_PREFERENCE_FILES,
    *_SUFFIX_OF_FOLDER,
}

Key = TypeVar("Key", bound=tuple[str, ...])
Annotation = TypeVar("Annotation", Pyramid, PeerAnnotation)


def _matches(path: Path) -> bool:
    return (path / _SETTINGS_FILE).is_file()


def _read(path: Path) -> Collection:
    if not _matches(path):
        raise NotFoundError(f"there is no {_SETTINGS_FILE}", "add one", where=Where(path))
    settings = read_settings(path / _SETTINGS_FILE)
    left_out: list[str] = []
    repair_lines: list[str] = []
    tables = {name: read_table(path / name) for name in _SCORE_FILES if (path / name).exists()}
    for name, (_, _, lines) in tables.items():
        left_out += [f"{name}: {line}" for line in lines]
    preference_tables = [
        read_preferences_as(path / file_name)[0]
        for file_name in _PREFERENCE_FILES
        if (path / file_name).exists()
    ]
    left_out += [line for table in preference_tables for line in table.left_out]
    topics, summaries = path / "topics.jsonl", path / "summaries.jsonl"
    declared_topics = (
        [Topic.from_record(r) for r in read_records(topics)] if topics.exists() else []
    )
    ids = {topic.id for topic in declared_topics}
    shared_pyramids = SharedPyramids()
    pyramids = _read_each(
        path / "pyramids",
        lambda file: pyramid_key(file, ids),
        partial(read_pyramid, shared=shared_pyramids),
    )
    peers = _read_each(
        path / "peers", peer_key, partial(read_peer_annotation, shared=shared_pyramids)
    )
    for folder, named_annotations in (("pyramids", pyramids.values()), ("peers", peers.values())):
        for name, annotation in named_annotations:
            add_notes(f"{folder}/{name}", annotation.notes, left_out, repair_lines)
    current_pyramids, versions = split_versions(
        {key: pyramid for key, (_, pyramid) in pyramids.items()}
    )
    if names := [item.relative_to(path).as_posix() for item in _unrecognized_files(path)]:
        description = "file or folder that is" if len(names) == 1 else "files or folders that are"
        left_out.append(f"{len(names)} {description} not part of a collection: {brief_list(names)}")
    return replace(
        settings,
        topics=tuple(declared_topics),
        summaries=read_summaries(summaries) if summaries.exists() else (),
        scores=Scores.concatenate(scores for scores, _, _ in tables.values()),
        pyramids=current_pyramids,
        peer_annotations={key: peer for key, (_, peer) in peers.items()},
        versions=versions,
        preferences=Preferences.concatenate(table.preferences for table in preference_tables),
        left_out=tuple(left_out),
        repaired=tuple(repair_lines),
    )


def _read_each(
    folder: Path, key_of: Callable[[Path], Key], read_value: Callable[[Path], Annotation]
) -> dict[Key, tuple[str, Annotation]]:
    """Read a folder's files by key, each with its name."""
    annotations: dict[Key, tuple[str, Annotation]] = {}
    for file in sorted(folder.glob(f"*{_SUFFIX_OF_FOLDER[folder.name]}")):
        key = key_of(file)
        if key in annotations:
            message = f"{annotations[key][0]} has the same topic, task and system"
            raise Where(file).error(message, KEEP_ONE)
        annotations[key] = (file.name, read_value(file))
    return annotations


def _unrecognized_files(path: Path) -> list[Path]:
    """List files and folders that are not part of the format."""
    paths = [item for item in path.iterdir() if item.name not in _KNOWN_FILES]
    for name, suffix in _SUFFIX_OF_FOLDER.items():
        subfolder = path / name
        if subfolder.is_dir():
            paths += [item for item in subfolder.iterdir() if item.suffix != suffix]
        elif subfolder.exists():
            paths.append(subfolder)
    return sorted(paths)


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    is_replacing = replace and path.is_dir() and any(path.iterdir())
    if is_replacing and not _matches(path):
        message = "this folder is not a collection, so it is not replaced"
        raise InputError(message, "name another or remove it yourself", where=Where(path))
    with writing_folder(path, replace=replace) as folder:
        _write_files(collection, folder)
        # Other files in the folder are kept.
        for path_to_keep in _unrecognized_files(path) if is_replacing else ():
            target = folder / path_to_keep.relative_to(path)
            target.parent.mkdir(exist_ok=True)
            if path_to_keep.is_dir() and not path_to_keep.is_symlink():
                shutil.copytree(path_to_keep, target, symlinks=True)
            else:
                shutil.copy2(path_to_keep, target, follow_symlinks=False)
    return ()


def _write_files(collection: Collection, folder: Path) -> None:
    write_settings(collection, folder / _SETTINGS_FILE)
    if collection.topics:
        write_text(folder / "topics.jsonl", "".join(t.to_line() for t in collection.topics))
    if collection.summaries:
        write_text(folder / "summaries.jsonl", "".join(collection.summary_lines))
    if len(collection.scores):
        write_scores(collection.scores, folder / "scores.csv")
    if len(collection.preferences):
        write_preferences(collection.preferences, folder / "preferences.csv")
    pyramids, peers = folder / "pyramids", folder / "peers"
    if collection.named_pyramids:
        pyramids.mkdir()
    if collection.peer_annotations:
        peers.mkdir()
    write_annotations(collection, pyramids, peers, {topic.id for topic in collection.topics})


FORMAT = Format(
    name="collection",
    title="a folder with collection.toml, topics, summaries, scores and pyramids",
    matches=_matches,
    read=_read,
    write=_write,
)
