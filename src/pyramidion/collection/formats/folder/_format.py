"""The collection's own form: a folder, readable and writable by hand.

::

    collection.toml       name, tasks with their word limits, scales, measures, categories
    topics.jsonl          id, title, narrative, category, documents
    summaries.jsonl       task, topic, system, kind, role, text
    scores.csv            task, topic, system, kind, measure, assessor, value
    pyramids/*.pyr        <topic>-<task>.pyr, DUCView's XML
    peers/*.pan           <topic>-<task>-<system>.pan, DUCView's XML
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from pyramidion.collection.collection import Collection
from pyramidion.collection.files import write_text, writing_folder
from pyramidion.collection.formats.base import Format
from pyramidion.collection.formats.ducview import (
    read_peer_annotation,
    read_pyramid,
    write_peer_annotation,
    write_pyramid,
)
from pyramidion.collection.formats.ducview.names import file_names, peer_key, pyramid_key
from pyramidion.collection.formats.ducview.sharing import SharedPyramids
from pyramidion.collection.formats.folder import settings
from pyramidion.collection.formats.scores import read_table, write_scores
from pyramidion.collection.formats.summaries import read_summaries, write_summaries
from pyramidion.collection.pyramids import PeerAnnotation, Pyramid
from pyramidion.collection.records import read_records
from pyramidion.collection.scores import Scores
from pyramidion.collection.topics import Topic
from pyramidion.errors import FormatError, InputError, NotFoundError, Where

__all__ = ["FORMAT"]

_SETTINGS = "collection.toml"
_SCORES = ("scores.csv", "scores.tsv", "scores.jsonl", "scores.parquet")
_FOLDERS = {"pyramids": ".pyr", "peers": ".pan"}
_KNOWN = {_SETTINGS, "topics.jsonl", "summaries.jsonl", *_SCORES, *_FOLDERS}

Key = TypeVar("Key", bound=tuple[str, ...])
Annotation = TypeVar("Annotation", Pyramid, PeerAnnotation)


def _matches(path: Path) -> bool:
    return (path / _SETTINGS).is_file()


def _read(path: Path) -> Collection:
    if not _matches(path):
        raise NotFoundError(f"there is no {_SETTINGS}", where=Where(path), hint="add one")
    head = settings.read_settings(path / _SETTINGS)
    scores, unknown_columns = _read_scores(path)
    topics = _read_topics(path)
    ids = {topic.id for topic in topics}
    shared = SharedPyramids()
    pyramids = _read_each(
        path / "pyramids", lambda file: pyramid_key(file, ids), partial(read_pyramid, shared=shared)
    )
    peers = _read_each(path / "peers", peer_key, partial(read_peer_annotation, shared=shared))
    notes = (*_notes("pyramids", pyramids.values()), *_notes("peers", peers.values()))
    return Collection(
        name=head.name,
        description=head.description,
        notice=head.notice,
        tasks=head.tasks,
        scales=head.scales,
        measures=head.measures,
        categories=head.categories,
        topics=topics,
        summaries=read_summaries(file) if (file := path / "summaries.jsonl").exists() else (),
        scores=scores,
        pyramids={key: pyramid for key, (_, pyramid) in pyramids.items()},
        peer_annotations={key: peer for key, (_, peer) in peers.items()},
        left_out=(*unknown_columns, *notes, *_described_strangers(path)),
    )


def _read_topics(path: Path) -> tuple[Topic, ...]:
    file = path / "topics.jsonl"
    return tuple(map(Topic.from_record, read_records(file))) if file.exists() else ()


def _read_scores(path: Path) -> tuple[Scores, list[str]]:
    tables = {name: read_table(path / name) for name in _SCORES if (path / name).exists()}
    left_out = [f"{name}: {line}" for name, (_, _, lines) in tables.items() for line in lines]
    return Scores.concatenate(scores for scores, _, _ in tables.values()), left_out


def _read_each(
    folder: Path, key_of: Callable[[Path], Key], read: Callable[[Path], Annotation]
) -> dict[Key, tuple[str, Annotation]]:
    """Read a folder's files by key, each with its name."""
    found: dict[Key, tuple[str, Annotation]] = {}
    for file in sorted(folder.glob(f"*{_FOLDERS[folder.name]}")):
        key = key_of(file)
        if key in found:
            raise FormatError(
                f"{found[key][0]} has the same topic, task and system",
                where=Where(file),
                hint="keep one of them",
            )
        found[key] = (file.name, read(file))
    return found


def _notes(folder: str, found: Iterable[tuple[str, Pyramid | PeerAnnotation]]) -> Iterator[str]:
    for name, annotation in found:
        yield from (f"{folder}/{name}: {note}" for note in annotation.notes)


def _strangers(path: Path) -> list[Path]:
    """List the files and folders the format does not know."""
    found = [item for item in path.iterdir() if item.name not in _KNOWN]
    for name, suffix in _FOLDERS.items():
        inside = path / name
        if inside.is_dir():
            found += [item for item in inside.iterdir() if item.suffix != suffix]
        elif inside.exists():
            found.append(inside)
    return sorted(found)


def _described_strangers(path: Path) -> Iterator[str]:
    names = [item.relative_to(path).as_posix() for item in _strangers(path)]
    if names:
        shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        things = "file or folder that is" if len(names) == 1 else "files or folders that are"
        yield f"{len(names)} {things} no part of a collection: {shown}"


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    replaces = replace and path.is_dir() and any(path.iterdir())
    if replaces and not _matches(path):
        raise InputError(
            "this folder is no collection, so it is not replaced",
            where=Where(path),
            hint="name another or remove it yourself",
        )
    with writing_folder(path, replace=replace) as folder:
        _fill(collection, folder)
        # A reader's notes beside the collection are not ours to remove.
        for stranger in _strangers(path) if replaces else ():
            _copy(stranger, folder / stranger.relative_to(path))
    return ()


def _fill(collection: Collection, folder: Path) -> None:
    settings.write_settings(collection, folder / _SETTINGS)
    if collection.topics:
        write_text(folder / "topics.jsonl", "".join(t.to_line() for t in collection.topics))
    if collection.summaries:
        write_summaries(collection.summaries, folder / "summaries.jsonl")
    if len(collection.scores):
        write_scores(collection.scores, folder / "scores.csv")
    ids = {topic.id for topic in collection.topics}
    _write_each(
        folder / "pyramids",
        collection.pyramids,
        lambda file: pyramid_key(file, ids),
        write_pyramid,
    )
    _write_each(folder / "peers", collection.peer_annotations, peer_key, write_peer_annotation)


def _write_each(
    folder: Path,
    annotations: Mapping[Key, Annotation],
    key_of: Callable[[Path], Key],
    write: Callable[[Annotation, Path], None],
) -> None:
    if annotations:
        folder.mkdir()
    for key, name in file_names(annotations, key_of, _FOLDERS[folder.name]).items():
        write(annotations[key], folder / name)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(exist_ok=True)
    if source.is_dir() and not source.is_symlink():
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copy2(source, target, follow_symlinks=False)


FORMAT = Format(
    name="collection",
    title="a folder with collection.toml, topics, summaries, scores and pyramids",
    matches=_matches,
    read=_read,
    write=_write,
)
