"""The documents of one file: plain text, NIST's SGML, or JSONL of documents or topics."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from pyramidion.collection import Document, Topic
from pyramidion.collection.files import decode, read_beginning, read_bytes
from pyramidion.collection.formats.duc.sgml_documents import looks_like_documents, parse_documents
from pyramidion.collection.records import Record, read_records
from pyramidion.errors import FormatError, InputError, Where

__all__ = [
    "LOOSE",
    "MAX_TEXT_BYTES",
    "beginning",
    "is_binary",
    "read_file",
    "require_size",
    "stem",
]

#: The id of the topic of documents that belong to none in particular.
LOOSE = "\0"

#: More text is not summarized at once: it is about ten million words.
MAX_TEXT_BYTES = 64 * 2**20

_HEAD = 16_384
_ENDINGS = re.compile(r"(\.(txt|text|md|sgml?|jsonl?))?(\.gz)?$", re.IGNORECASE)
_MARKUP = re.compile(rb"\s*<(\?xml|!doctype|[a-z][a-z0-9]*[\s>/])", re.IGNORECASE)

#: Beginnings of files that people take for texts, and what they are.
_NO_TEXTS = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a zipped document",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    b"{\\rtf": "an RTF document",
}


def stem(path: str | Path) -> str:
    """Name a file without the endings of texts.

    Examples
    --------
    >>> stem("news/a.txt.gz"), stem("report.v2"), stem("-")
    ('a', 'report.v2', 'stdin')
    """
    name = Path(path).name
    return "stdin" if str(path) == "-" else _ENDINGS.sub("", name) or name


def beginning(path: str | Path) -> bytes:
    """Look at the beginning of a file, or of standard input without taking it away.

    Examples
    --------
    >>> beginning(__file__)[:3]
    b'\"\"\"'
    """
    if str(path) != "-":
        # What a pipe gives it gives once.
        return read_beginning(path, _HEAD) if Path(path).is_file() else b""
    peek = getattr(sys.stdin.buffer, "peek", None)
    return peek(_HEAD) if peek is not None else b""


def is_binary(head: bytes) -> bool:
    r"""Tell from its beginning that a file is no text.

    Examples
    --------
    >>> is_binary(b"%PDF-1.7"), is_binary(b"a\0b"), is_binary(b"Rain fell.")
    (True, True, False)
    """
    utf16 = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return head.startswith(tuple(_NO_TEXTS)) or (b"\0" in head and not utf16)


def read_file(path: str | Path, id: str) -> list[Topic]:
    """Read the documents of a file.

    Parameters
    ----------
    path
        The file; ``-`` is standard input.
    id
        The name of the document, where the file does not say another.

    Returns
    -------
    list of Topic
        The documents; those that belong to no topic in particular under the topic `LOOSE`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "a.txt"
    ...     _ = file.write_text("Rain fell.")
    ...     [topic] = read_file(file, "a")
    >>> topic.documents[0].text
    'Rain fell.'
    """
    head = beginning(path)
    where = Where("<stdin>" if str(path) == "-" else path)
    if is_binary(head):
        _refuse_binary(head, where)
    if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") or _is_named_json(path):
        return _json_topics(path, id)
    sgml = looks_like_documents(head)
    if _MARKUP.match(head) and not sgml:
        raise FormatError("this is HTML or XML", where=where, hint="take the tags out first")
    text = decode(read_bytes(path, limit=MAX_TEXT_BYTES), where).replace("\r\n", "\n")
    if sgml:
        return [Topic(LOOSE, documents=tuple(parse_documents(text, where, default_id=id)))]
    if "\0" in text:
        _refuse_binary(head, where)
    return [Topic(LOOSE, documents=(Document(id, text.replace("\r", "\n")),))]


def _is_named_json(path: str | Path) -> bool:
    return Path(path).name.removesuffix(".gz").endswith((".jsonl", ".json"))


def _refuse_binary(head: bytes, where: Where) -> NoReturn:
    for mark, name in _NO_TEXTS.items():
        if head.startswith(mark):
            raise FormatError(f"this is {name}", where=where, hint="save it as plain text first")
    raise FormatError("this is no text", where=where, hint="name a text file, UTF-8")


def _json_topics(path: str | Path, id: str) -> list[Topic]:
    """Read lines that are topics with `documents`, or documents with a `text`."""
    topics: list[Topic] = []
    loose: dict[str, list[Document]] = {}
    size = 0
    for number, record in enumerate(read_records(path), start=1):
        if "documents" in record.data:
            topics.append(_topic(record))
        elif "text" in record.data:
            topic = record.identifier("topic", LOOSE)
            loose.setdefault(topic, []).append(_document(record, f"{id}-{number}"))
            size += len(loose[topic][-1].text)
            require_size(size if topic == LOOSE else 0, path)
        else:
            raise record.error(
                "there is neither `text` nor `documents`",
                "a line holds a document with its `text`, or a topic with its `documents`",
            )
    return [*topics, *(Topic(name, documents=tuple(own)) for name, own in loose.items())]


def _topic(record: Record) -> Topic:
    id = record.identifier("id", "") or record.identifier("topic")
    return Topic(
        id,
        title=record.text("title", ""),
        narrative=record.text("narrative", ""),
        category=record.identifier("category", ""),
        documents=tuple(_documents(record)),
        extra=record.rest(),
    )


def _documents(record: Record) -> Iterator[Document]:
    """Take documents that are plain texts, named ``d1`` and so on, or objects."""
    documents = record.data["documents"]
    if isinstance(documents, list) and any(isinstance(item, dict) for item in documents):
        yield from map(Document.from_record, record.records("documents"))
    else:
        for number, text in enumerate(record.texts("documents"), start=1):
            yield Document(f"d{number}", text)


def _document(record: Record, id: str) -> Document:
    """Take a document; its text may be a list of sentences."""
    text = record.take("text")
    if isinstance(text, list):
        text = "\n\n".join(record.texts("text"))
    data = {"id": id, **{name: value for name, value in record.data.items() if name != "topic"}}
    return Document.from_record(Record({**data, "text": text}, record.where))


def require_size(size: int, what: str | Path) -> None:
    """Refuse more text than is summarized at once.

    Parameters
    ----------
    size
        How much it is, in bytes or characters.
    what
        The file or topic, for the message.

    Examples
    --------
    >>> require_size(1000, "a.txt")
    """
    if size > MAX_TEXT_BYTES:
        raise InputError(
            f"there are more than {MAX_TEXT_BYTES // 2**20} MiB of text to summarize at once",
            where=Where(what),
            hint="summarize parts of it, and then their summaries",
        )
