"""What is to be summarized: files and folders of articles, or a collection."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pyramidion.collection import Collection, Document, Task, Topic
from pyramidion.collection.checks import require_consistent
from pyramidion.collection.formats import FORMATS, read_collection
from pyramidion.collection.formats.base import first_bytes, first_record
from pyramidion.collection.formats.duc.sgml_documents import looks_like_documents
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.report.article_files import (
    LOOSE,
    beginning,
    is_binary,
    read_file,
    require_size,
    stem,
)

__all__ = ["read_articles"]

_ARTICLES = "articles"
_UPDATE = "update"


@dataclass(frozen=True, slots=True)
class _Group:
    """Files that make a topic together."""

    name: str
    files: tuple[str | Path, ...]
    left_out: tuple[str, ...] = ()


def read_articles(
    paths: Sequence[str | Path],
    *,
    known: Sequence[str | Path] = (),
    format: str | None = None,
) -> Collection:
    """Read what is to be summarized as a collection of topics with documents.

    Files that are named together make one topic, and so does a folder of files; where a folder
    holds nothing but folders, each of them is a topic.

    Parameters
    ----------
    paths
        Texts, SGML, JSONL or folders of them, ``-`` for standard input; or one collection in
        any format.
    known
        The same for what the reader knows already, so that an update is asked for.
    format
        A collection's format; guessed if it is not given.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "a.txt").write_text("Rain fell.")
    ...     _ = (Path(folder) / "b.txt").write_text("Roads were flooded.")
    ...     [topic] = read_articles([folder]).topics
    >>> [document.id for document in topic.documents]
    ['a', 'b']
    """
    collections = [path for path in (*paths, *known) if format or _is_collection(path)]
    collection = _whole(collections, paths, format) if collections else _collected(paths, known)
    require_consistent(collection)
    for topic in collection.topics:
        require_size(sum(len(document.text) for document in topic.documents), topic.id)
    return collection


def _whole(
    collections: Sequence[str | Path], paths: Sequence[str | Path], format: str | None
) -> Collection:
    if list(paths) == list(collections) and len(paths) == 1:
        return read_collection(paths[0], format=format)
    raise InputError(
        "this is a collection and stands beside something else",
        where=Where(collections[0]),
        hint="summarize it alone; it says itself what is known before an update",
    )


def _is_collection(path: str | Path) -> bool:
    """Tell a collection from articles."""
    if str(path) == "-":
        return False
    path = Path(path)
    if not path.exists():
        hint = "check the path"
        raise NotFoundError("there is no such file or folder", where=Where(path), hint=hint)
    if path.is_file() and (looks_like_documents(first_bytes(path)) or _holds_articles(path)):
        return False
    return any(format.matches(path) for format in FORMATS)


def _holds_articles(path: Path) -> bool:
    keys = first_record(path).keys()
    return "text" in keys and not {"system", "scus"} & keys


def _collected(paths: Sequence[str | Path], known: Sequence[str | Path]) -> Collection:
    """Make a collection of files and folders."""
    topics, left_out = _topics(paths)
    name = topics[0].id if len(topics) == 1 else _ARTICLES
    if not known:
        return Collection(name, topics=tuple(topics), left_out=tuple(left_out))
    before, more_left_out = _topics(known)
    if len(topics) > 1 or len(before) > 1:
        raise InputError("an update is of one topic", hint="name the articles of one topic only")
    documents = (*_as(before[0].documents, "base"), *_as(topics[0].documents, "update"))
    task = Task(_UPDATE, "update summary", documents="update")
    topic = replace(topics[0], documents=_told_apart(documents))
    return Collection(name, tasks=(task,), topics=(topic,), left_out=(*left_out, *more_left_out))


def _as(documents: Iterable[Document], set: Literal["base", "update"]) -> list[Document]:
    return [replace(document, set=set) for document in documents]


def _told_apart(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Rename what is known where the news has a document of the same name."""
    names = {document.id for document in documents if document.set == "update"}
    return tuple(
        replace(document, id=f"{document.id} (known)")
        if document.set == "base" and document.id in names
        else document
        for document in documents
    )


def _topics(paths: Sequence[str | Path]) -> tuple[list[Topic], list[str]]:
    """Read topics, and tell what was left out."""
    for path, times in Counter(map(str, paths)).items():
        if times > 1:
            raise InputError("this is named twice", where=Where(path), hint="name it once")
    groups = [group for path in paths for group in _groups(path)]
    left_out = [line for group in groups for line in group.left_out]
    if len(paths) > 1:
        groups = [_Group(_ARTICLES, tuple(file for group in groups for file in group.files))]
    return [topic for group in groups for topic in _read_group(group)], left_out


def _groups(path: str | Path) -> list[_Group]:
    """Find the files of a path: itself, a folder's, or those of each folder in it."""
    if str(path) == "-" or not Path(path).is_dir():
        return [_Group(stem(path), (path,))]
    folder = Path(path)
    groups = [_group(folder)]
    if not groups[0].files:
        named = ((inner, inner.relative_to(folder).as_posix()) for inner in _inner_folders(folder))
        groups = [group for inner, name in named if (group := _group(inner, name)).files]
    if not groups:
        hint = "name a folder of texts, or of folders of texts"
        raise InputError("there are no texts in this folder", where=Where(folder), hint=hint)
    return groups


def _inner_folders(folder: Path) -> Iterator[Path]:
    """Walk through the folders in a folder, in natural order; hidden ones are passed over."""
    for inner in sorted(folder.iterdir(), key=lambda path: natural_order(path.name)):
        if _is_open_folder(inner):
            yield inner
            yield from _inner_folders(inner)


def _is_open_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not path.name.startswith(".")


def _group(folder: Path, name: str = "") -> _Group:
    """List a folder's texts in natural order; hidden files are nobody's texts."""
    there = sorted(folder.iterdir(), key=lambda path: natural_order(path.name))
    files = [path for path in there if path.is_file() and not path.name.startswith(".")]
    strangers = [path.name for path in files if is_binary(beginning(path))]
    texts = tuple(path for path in files if path.name not in strangers)
    inner_names = [path.name for path in there if _is_open_folder(path)]
    told = (f"{folder / stranger}: no text" for stranger in strangers)
    deeper = (f"{folder / inner}/: a folder beside texts" for inner in inner_names if texts)
    return _Group(name or folder.resolve().name, texts, (*told, *deeper))


def _read_group(group: _Group) -> list[Topic]:
    """Read the files of a group: what belongs to no other topic makes one of its name."""
    names = Counter(map(stem, group.files))
    read = [
        topic
        for file in group.files
        for topic in read_file(file, stem(file) if names[stem(file)] == 1 else str(file))
    ]
    loose = tuple(document for topic in read if topic.id == LOOSE for document in topic.documents)
    topics = [topic for topic in read if topic.id != LOOSE]
    return [*([Topic(group.name, documents=loose)] if loose else []), *topics]
