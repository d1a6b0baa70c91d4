"""Read articles to summarize: texts, web pages, NIST's SGML, JSONL, folders, or a collection."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, TypeAlias

from pyramidion.collection import Collection, Task
from pyramidion.collection.checking import require_consistent
from pyramidion.collection.formats import all_formats
from pyramidion.collection.formats.base import first_bytes, first_record
from pyramidion.collection.formats.table_files import column_names, parquet_records
from pyramidion.collection.ids import natural_order
from pyramidion.collection.sources import read_source
from pyramidion.collection.summaries import Document, Topic, documents_of
from pyramidion.errors import InputError, MissingExtraError, NotFoundError, Where
from pyramidion.files.reading import Record, decode, read_beginning, read_bytes, read_records
from pyramidion.summarizers.sgml import looks_like_documents, parse_documents

#: Files and folders of articles, or a collection.
ArticleSource: TypeAlias = Collection | str | Path

_ARTICLES_FOLDER = "articles"
_UPDATE_FOLDER = "update"

#: The id of the topic of documents that do not name one.
_LOOSE_TOPIC = "\0"

#: The limit of the text that is summarized at once, about ten million words.
MAX_TEXT_BYTES = 64 * 2**20

_EXAMINED_BYTES = 16_384
_TEXT_SUFFIX = re.compile(r"(\.(txt|text|md|x?html?|sgml?|jsonl?))?(\.gz)?$", re.IGNORECASE)
_MARKUP_START = re.compile(rb"\s*<(\?xml|!--|!doctype|[a-z][a-z0-9]*[\s>/])", re.IGNORECASE)
_HTML_START = re.compile(rb"<(!doctype html|html|head|body|article)\b", re.IGNORECASE)

#: The first bytes of files that are often mistaken for texts.
_OTHER_FILE_TYPES = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a zipped document",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    b"{\\rtf": "an RTF document",
}


@dataclass(frozen=True, slots=True)
class _FileGroup:
    """The files of a topic."""

    name: str
    files: tuple[str | Path, ...]
    left_out: tuple[str, ...] = ()


def read_articles(
    sources: Sequence[ArticleSource],
    *,
    known_sources: Sequence[ArticleSource] = (),
    format: str | None = None,
) -> Collection:
    """Read documents to summarize, and those the reader knows, as topics.

    Several files become one topic, and so does a folder of files; in a folder of folders, each
    folder is a topic. ``-`` is standard input.
    """
    collections = [s for s in (*sources, *known_sources) if format or _is_collection(s)]
    if not collections:
        collection = _collection_of_files(_paths(sources), _paths(known_sources))
    elif len(sources) == 1 and not known_sources:
        collection = read_source(sources[0], format=format)
    else:
        collection_path = collections[0]
        message = "this is a collection, but other sources are given as well"
        hint = "summarize it alone; its tasks declare what the reader knows"
        raise InputError(
            message,
            hint,
            where=None if isinstance(collection_path, Collection) else Where(collection_path),
        )
    require_consistent(collection)
    for topic in collection.topics:
        _require_size(sum(len(document.text) for document in topic.documents), topic.id)
    return collection


def _paths(sources: Sequence[ArticleSource]) -> list[str | Path]:
    return [source for source in sources if not isinstance(source, Collection)]


def _is_collection(source: ArticleSource) -> bool:
    """Check whether a source is a collection rather than articles."""
    if isinstance(source, Collection) or str(source) == "-":
        return isinstance(source, Collection)
    path = Path(source)
    if not os.path.exists(path):  # noqa: PTH110 - false if a text is too long for a name
        raise NotFoundError("there is no such file or folder", "check the path", where=Where(path))
    fields = {*first_record(path)}
    is_articles = "text" in fields and not {"system", "scus"} & fields
    if _is_parquet(path):
        fields = column_names(path, first_bytes(path, 4))
        is_articles = {"topic", "documents"} <= fields and not {
            "system",
            "summary",
            "peer",
        } & fields
    if is_articles or looks_like_documents(first_bytes(path)):
        return False
    return any(format.matches(path) for format in all_formats())


def _collection_of_files(
    paths: Sequence[str | Path], known_paths: Sequence[str | Path]
) -> Collection:
    """Create a collection from files and folders."""
    topics, left_out = _read_topics(paths)
    name = topics[0].id if len(topics) == 1 else _ARTICLES_FOLDER
    if not known_paths:
        return Collection(name, topics=tuple(topics), left_out=tuple(left_out))
    known_topics, known_left_out = _read_topics(known_paths)
    if len(topics) > 1 or len(known_topics) > 1:
        raise InputError("an update has one topic", "name the articles of one topic only")
    sets = (("base", known_topics[0]), ("update", topics[0]))
    documents = [
        replace(document, set=name) for name, topic in sets for document in topic.documents
    ]
    task = Task(_UPDATE_FOLDER, "update summary", documents="update")
    # A known document is renamed if a new one has the same name.
    new_ids = {document.id for document in topics[0].documents}
    renamed_topics = tuple(
        replace(document, id=f"{document.id} (known)")
        if document.set == "base" and document.id in new_ids
        else document
        for document in documents
    )
    topic = replace(topics[0], documents=renamed_topics)
    return Collection(name, tasks=(task,), topics=(topic,), left_out=(*left_out, *known_left_out))


def _read_topics(paths: Sequence[str | Path]) -> tuple[list[Topic], list[str]]:
    """Read topics, and list the files that were left out."""
    for path, times in Counter(map(str, paths)).items():
        if times > 1:
            raise InputError("this is named twice", "name it once", where=Where(path))
    groups = [group for path in paths for group in _find_groups(path)]
    left_out = [line for group in groups for line in group.left_out]
    if len(paths) > 1:
        groups = [
            _FileGroup(_ARTICLES_FOLDER, tuple(file for group in groups for file in group.files))
        ]
    return [topic for group in groups for topic in _read_group(group)], left_out


def _find_groups(path: str | Path) -> list[_FileGroup]:
    """Find the files of a path: itself, a folder's, or those of each folder in it."""
    if str(path) == "-" or not Path(path).is_dir():
        return [_FileGroup(_document_name(path), (path,))]
    folder = Path(path)
    groups = [_list_folder(folder)]
    if not groups[0].files:
        folders = (
            (subfolder, subfolder.relative_to(folder).as_posix())
            for subfolder in _inner_folders(folder)
        )
        groups = [
            group for subfolder, name in folders if (group := _list_folder(subfolder, name)).files
        ]
    if not groups:
        hint = "name a folder of texts, or of folders of texts"
        raise InputError("there are no texts in this folder", hint, where=Where(folder))
    return groups


def _inner_folders(folder: Path) -> Iterator[Path]:
    """Walk through the folders in a folder, in natural order, except hidden ones."""
    for subfolder in sorted(folder.iterdir(), key=lambda path: natural_order(path.name)):
        if _is_open_folder(subfolder):
            yield subfolder
            yield from _inner_folders(subfolder)


def _is_open_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not path.name.startswith(".")


def _list_folder(folder: Path, name: str = "") -> _FileGroup:
    """List a folder's texts in natural order; hidden files are skipped."""
    entries = sorted(folder.iterdir(), key=lambda path: natural_order(path.name))
    files = [path for path in entries if path.is_file() and not path.name.startswith(".")]
    binary_names = [
        path.name for path in files if _is_binary(read_beginning(path, _EXAMINED_BYTES))
    ]
    texts = tuple(path for path in files if path.name not in binary_names)
    inner_names = [path.name for path in entries if _is_open_folder(path)]
    skipped_notes = (f"{folder / name}: not a text file" for name in binary_names)
    folder_notes = (
        f"{folder / inner_name}/: a folder among text files" for inner_name in inner_names if texts
    )
    return _FileGroup(name or folder.resolve().name, texts, (*skipped_notes, *folder_notes))


def _read_group(group: _FileGroup) -> list[Topic]:
    """Read the files of a group; documents that do not name a topic become one of its name."""
    stems = Counter(map(_document_name, group.files))
    names = (
        (file, _document_name(file) if stems[_document_name(file)] == 1 else str(file))
        for file in group.files
    )
    read_topics = [topic for file, name in names for topic in read_file(file, name)]
    without_topic = tuple(
        document
        for topic in read_topics
        if topic.id == _LOOSE_TOPIC
        for document in topic.documents
    )
    topics = [topic for topic in read_topics if topic.id != _LOOSE_TOPIC]
    return [*([Topic(group.name, documents=without_topic)] if without_topic else []), *topics]


def _document_name(path: str | Path) -> str:
    """Name a file without the endings of texts."""
    name = Path(path).name
    return "stdin" if str(path) == "-" else _TEXT_SUFFIX.sub("", name) or name


def _is_binary(head: bytes) -> bool:
    """Check by its first bytes whether a file is not text."""
    is_utf16 = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return head.startswith(tuple(_OTHER_FILE_TYPES)) or (b"\0" in head and not is_utf16)


def read_file(path: str | Path, id: str) -> list[Topic]:
    """Read the documents of a file."""
    head = read_beginning(path, _EXAMINED_BYTES)
    where = Where("<stdin>" if str(path) == "-" else path)
    if _is_parquet(path):
        return _json_topics(path, id)
    if _is_binary(head):
        _refuse_binary(head, where)
    is_json = Path(path).name.removesuffix(".gz").endswith((".jsonl", ".json"))
    if is_json or head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return _json_topics(path, id)
    is_sgml = looks_like_documents(head)
    if _MARKUP_START.match(head.removeprefix(b"\xef\xbb\xbf")) and not is_sgml:
        if not _HTML_START.search(head):
            raise where.error("this is XML", "remove the tags first")
        text = _main_text(read_bytes(path, limit=MAX_TEXT_BYTES), where)
        return [Topic(_LOOSE_TOPIC, documents=(Document(id, text),))]
    text = decode(read_bytes(path, limit=MAX_TEXT_BYTES), where).replace("\r\n", "\n")
    if is_sgml:
        return [Topic(_LOOSE_TOPIC, documents=tuple(parse_documents(text, where, default_id=id)))]
    if "\0" in text:
        _refuse_binary(head, where)
    return [Topic(_LOOSE_TOPIC, documents=(Document(id, text.replace("\r", "\n")),))]


def _main_text(page: bytes, where: Where) -> str:
    """Return the article on a web page, without menus, notices and comments."""
    try:
        from trafilatura import extract
    except ImportError:
        raise MissingExtraError(f"{where}: reading HTML", extra="html") from None
    text = extract(page, include_comments=False, include_tables=False, favor_precision=True)
    if not text:
        raise where.error("there is no article on this page", "save its text as plain text")
    # Each line is a paragraph.
    return text.replace("\n", "\n\n")


def _is_parquet(path: str | Path) -> bool:
    return Path(path).suffix == ".parquet" and Path(path).is_file()


def _refuse_binary(head: bytes, where: Where) -> NoReturn:
    for mark, name in _OTHER_FILE_TYPES.items():
        if head.startswith(mark):
            raise where.error(f"this is {name}", "save it as plain text first")
    raise where.error("this is not text", "name a text file, UTF-8")


def _json_topics(path: str | Path, id: str) -> list[Topic]:
    """Read lines that are topics with `documents`, or documents with a `text`."""
    topics: list[Topic] = []
    without_topic: dict[str, list[Document]] = {}
    size = 0
    records = parquet_records(Path(path)) if _is_parquet(path) else read_records(path)
    for number, record in enumerate(records, start=1):
        if "documents" in record.data:
            id = record.identifier("id", "") or record.identifier("topic")
            topics.append(Topic.from_record(record, id, documents_of(record)))
        elif "text" in record.data:
            topic = record.identifier("topic", _LOOSE_TOPIC)
            without_topic.setdefault(topic, []).append(_read_document(record, f"{id}-{number}"))
            size += len(without_topic[topic][-1].text)
            _require_size(size if topic == _LOOSE_TOPIC else 0, path)
        else:
            hint = "a line contains a document with its `text`, or a topic with its `documents`"
            raise record.error("there is neither `text` nor `documents`", hint)
    return topics + [Topic(name, documents=tuple(texts)) for name, texts in without_topic.items()]


def _read_document(record: Record, id: str) -> Document:
    """Read a document; its text may be a list of sentences."""
    text = record.take("text")
    if isinstance(text, list):
        text = "\n\n".join(record.texts("text"))
    data = {"id": id, **{name: value for name, value in record.data.items() if name != "topic"}}
    return Document.from_record(Record({**data, "text": text}, record.where))


def _require_size(size: int, path: str | Path) -> None:
    """Refuse more text than can be summarized at once."""
    if size > MAX_TEXT_BYTES:
        raise InputError(
            f"there are more than {MAX_TEXT_BYTES // 2**20} MiB of text to summarize at once",
            "summarize parts of it, and then their summaries",
            where=Where(path),
        )
