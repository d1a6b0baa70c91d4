"""The collection's own form: a folder, readable and writable by hand.

::

    collection.toml       name, tasks with their word limits, scales, categories
    topics.jsonl          id, title, narrative, category, documents
    summaries.jsonl       task, topic, system, kind, role, text
    scores.csv            task, topic, system, kind, measure, assessor, value
    pyramids/*.pyr        <topic>-<task>.pyr, DUCView's XML
    peers/*.pan           <topic>-<task>-<system>.pan, DUCView's XML
"""

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, unquote

from pyramidion.collection.collection import Collection
from pyramidion.collection.files import write_text, writing_folder
from pyramidion.collection.formats import settings
from pyramidion.collection.formats.base import Format
from pyramidion.collection.formats.ducview import (
    read_peer_annotation,
    read_pyramid,
    write_peer_annotation,
    write_pyramid,
)
from pyramidion.collection.formats.scores import read_table, write_scores
from pyramidion.collection.formats.summaries import read_summaries, write_summaries
from pyramidion.collection.records import read_records
from pyramidion.collection.scores import Scores
from pyramidion.collection.topics import Topic
from pyramidion.errors import FormatError, NotFoundError, Where

__all__ = ["FORMAT"]

_SETTINGS = "collection.toml"
_SCORES = ("scores.csv", "scores.tsv", "scores.jsonl", "scores.parquet")
_KNOWN = {_SETTINGS, "topics.jsonl", "summaries.jsonl", *_SCORES, "pyramids", "peers"}


def _matches(path: Path) -> bool:
    return (path / _SETTINGS).is_file()


def _read(path: Path) -> Collection:
    if not _matches(path):
        raise NotFoundError(f"there is no {_SETTINGS}", where=Where(path), hint="add one")
    head = settings.read_settings(path / _SETTINGS)
    scores, left_out = _read_scores(path)
    topics = _read_topics(path)
    pyramids = {
        _pyramid_key(file, {topic.id for topic in topics}): read_pyramid(file)
        for file in sorted((path / "pyramids").glob("*.pyr"))
    }
    peers = {
        _peer_key(file): read_peer_annotation(file)
        for file in sorted((path / "peers").glob("*.pan"))
    }
    return Collection(
        name=head.name,
        description=head.description,
        notice=head.notice,
        tasks=head.tasks,
        scales=head.scales,
        categories=head.categories,
        topics=topics,
        summaries=read_summaries(file) if (file := path / "summaries.jsonl").exists() else (),
        scores=scores,
        pyramids=pyramids,
        peer_annotations=peers,
        left_out=(*left_out, *_strangers(path)),
    )


def _read_topics(path: Path) -> tuple[Topic, ...]:
    file = path / "topics.jsonl"
    return tuple(map(Topic.from_record, read_records(file))) if file.exists() else ()


def _read_scores(path: Path) -> tuple[Scores, tuple[str, ...]]:
    tables = [read_table(path / name) for name in _SCORES if (path / name).exists()]
    left_out = tuple(line for _, _, lines in tables for line in lines)
    return Scores.concatenate(scores for scores, _, _ in tables), left_out


def _strangers(path: Path) -> Iterable[str]:
    """Count the files the format does not know."""
    names = sorted(item.name for item in path.iterdir() if item.name not in _KNOWN)
    if names:
        shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
        yield f"{len(names)} files or folders that are no part of a collection: {shown}"


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    with writing_folder(path, replace=replace) as folder:
        settings.write_settings(collection, folder / _SETTINGS)
        if collection.topics:
            write_text(folder / "topics.jsonl", "".join(t.to_line() for t in collection.topics))
        if collection.summaries:
            write_summaries(collection.summaries, folder / "summaries.jsonl")
        if len(collection.scores):
            write_scores(collection.scores, folder / "scores.csv")
        for name, count in (
            ("pyramids", len(collection.pyramids)),
            ("peers", len(collection.peer_annotations)),
        ):
            if count:
                (folder / name).mkdir()
        for (task, topic), pyramid in collection.pyramids.items():
            write_pyramid(pyramid, folder / "pyramids" / f"{_joined(topic, task)}.pyr")
        for (task, topic, system), peer in collection.peer_annotations.items():
            name = f"{_joined(topic, task, system)}.pan"
            write_peer_annotation(peer, folder / "peers" / name)
    return ()


def _joined(*ids: str) -> str:
    """Join ids with hyphens; what would confuse a file name or the joint is written as %XX."""
    return "-".join(
        quote(id, safe=" ,+=@").replace("-", "%2D").replace(".", "%2E") for id in ids if id
    )


def _pyramid_key(file: Path, topics: set[str]) -> tuple[str, str]:
    """Give (task, topic) of a file named ``<topic>-<task>.pyr`` or ``<topic>.pyr``."""
    whole = unquote(file.stem)
    if whole in topics or "-" not in file.stem:
        return "", whole
    topic, _, task = file.stem.rpartition("-")
    return unquote(task), unquote(topic)


def _peer_key(file: Path) -> tuple[str, str, str]:
    """Give (task, topic, system) of a file named ``<topic>-<task>-<system>.pan``."""
    parts = [unquote(part) for part in file.stem.split("-")]
    if len(parts) == 2:
        return "", parts[0], parts[1]
    if len(parts) != 3:
        raise FormatError(
            "the name does not say whose annotation it is",
            where=Where(file),
            hint="name it <topic>-<task>-<system>.pan and write a hyphen inside an id as %2D",
        )
    return parts[1], parts[0], parts[2]


FORMAT = Format(
    name="collection",
    title="a folder with collection.toml, topics, summaries, scores and pyramids",
    matches=_matches,
    read=_read,
    write=_write,
)
