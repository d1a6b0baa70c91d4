"""DUC's and TAC's folders: summaries, articles, topic statements, scores and pyramids.

::

    models/D0901-A.M.100.A.A          a person's summary
    peers/D0901-A.M.100.A.17          a machine's summary
    docs/D0901A/D0901A-A/<docno>      articles in SGML, -A base and -B update
    topics.sgml                       topic statements
    manual.peer.A                     NIST's table of scores
    pyramids/D0901-A.pyr              a pyramid, and annotated peers (.pan)

Folders may be nested and named otherwise: a file is known by its name or its content.
"""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pyramidion.collection.collection import Collection
from pyramidion.collection.files import MAX_XML_BYTES, decode, read_bytes, writing_folder
from pyramidion.collection.formats import scores
from pyramidion.collection.formats.base import Format, first_bytes
from pyramidion.collection.formats.duc.assembly import assemble
from pyramidion.collection.formats.duc.findings import Findings
from pyramidion.collection.formats.duc.names import parse_docset, parse_summary_name
from pyramidion.collection.formats.duc.nist_tables import NistTable, read_nist_table
from pyramidion.collection.formats.duc.sgml_documents import looks_like_documents, parse_documents
from pyramidion.collection.formats.duc.texts import parse_summary
from pyramidion.collection.formats.duc.topics import looks_like_statements, parse_statements
from pyramidion.collection.formats.duc.writer import count_differences, write_duc_files
from pyramidion.collection.formats.ducview import read_peer_annotation, read_pyramid
from pyramidion.errors import FormatError, InputError, NotFoundError, Where

__all__ = ["FORMAT"]

_MOST_FILES_LOOKED_AT = 20_000
_LARGEST_TABLE = 16 * 2**20
_HEAD_BYTES = 16_384


def _matches(path: Path) -> bool:
    if path.is_file():
        return bool(parse_summary_name(path.name)) or looks_like_documents(first_bytes(path))
    files = islice(_files(path), _MOST_FILES_LOOKED_AT)
    return any(parse_summary_name(file.name) for file in files)


def _files(path: Path) -> Iterator[Path]:
    """Walk through a folder, always in the same order."""
    for folder, folders, files in os.walk(path):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(files))


def _read(path: Path) -> Collection:
    if not path.exists():
        raise NotFoundError("there is no such folder", where=Where(path), hint="check the path")
    findings = Findings(default_topic=path.name.split(".")[0] if path.is_file() else "")
    for file in [path] if path.is_file() else _files(path):
        _take(file, path, findings)
    if findings.is_empty:
        raise FormatError(
            "nothing here is named or written as DUC and TAC do",
            where=Where(path),
            hint="summaries are named D0901-A.M.100.A.17, articles begin with <DOC>",
        )
    return assemble(findings, name=path.name)


def _take(file: Path, root: Path, findings: Findings) -> None:
    """Read a file as what it is, or count it as a stranger."""
    head = first_bytes(file, _HEAD_BYTES)
    name = parse_summary_name(file.name)
    where = Where(file)
    if looks_like_documents(head) and not name:
        articles = parse_documents(_text(file, findings), where, default_id=file.name)
        findings.documents += [(_folders(file, root), article) for article in articles]
    elif file.suffix == ".pyr" or b"<peerAnnotation" in head:
        _take_pyramid(file, findings)
    elif name:
        findings.summaries.append((name, *parse_summary(_text(file, findings), where)))
    elif looks_like_statements(head):
        findings.statements += parse_statements(_text(file, findings), where)
    elif scores.FORMAT.matches(file):
        table, _, left_out = scores.read_table(file)
        findings.tables.append(NistTable(tuple(table), left_out, has_assessors=True))
    else:
        _take_table(file, findings)


def _take_pyramid(file: Path, findings: Findings) -> None:
    docset = parse_docset(file.stem)
    name = parse_summary_name(file.name.removesuffix(".pan"))
    key = (name.task, name.topic, name.system) if name else None
    if file.suffix == ".pyr" and docset and docset[::-1] not in findings.pyramids:
        pyramid = findings.pyramids[docset[::-1]] = read_pyramid(file)
        findings.notes += [f"{file.name}: {note}" for note in pyramid.notes]
    elif file.suffix != ".pyr" and key and key not in findings.peers:
        peer = findings.peers[key] = read_peer_annotation(file)
        findings.notes += [f"{file.name}: {note}" for note in peer.notes]
    else:
        findings.strangers.append(file.name)


def _take_table(file: Path, findings: Findings) -> None:
    legacy = len(findings.legacy)
    try:
        small = file.stat().st_size <= _LARGEST_TABLE
        text = _text(file, findings) if small else ""
    except FormatError:
        text = ""
    table = read_nist_table(text, Where(file))
    if table:
        findings.tables.append(table)
    else:
        findings.strangers.append(file.name)
        del findings.legacy[legacy:]


def _folders(file: Path, root: Path) -> tuple[str, ...]:
    """Name the folders a file lies in, the nearest first."""
    inner = file.relative_to(root).parent.parts
    return (*reversed(inner), root.resolve().name) if file != root else ()


def _text(file: Path, findings: Findings) -> str:
    """Read a text as UTF-8; an old one may be in Windows-1252, which is counted."""
    data = read_bytes(file, limit=MAX_XML_BYTES)
    try:
        text = decode(data, Where(file))
    except FormatError:
        text = _decode_legacy(data)
        if not text:
            raise
        findings.legacy.append(file.name)
    if "\0" in text:
        raise FormatError("this is not a text", where=Where(file), hint="save it as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode_legacy(data: bytes) -> str:
    """Decode Windows-1252; what cannot be in it, or is marked as UTF-16, comes back empty."""
    try:
        return "" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data.decode("cp1252")
    except UnicodeDecodeError:
        return ""


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    with writing_folder(path, replace=replace) as folder:
        write_duc_files(collection, folder)
        if not any(folder.iterdir()):
            raise InputError("the collection is empty", hint="add summaries, topics or scores")
        # Reading it back is the surest way to know what such a folder has no place for.
        return count_differences(collection, _read(folder))


FORMAT = Format(
    name="duc",
    title="a DUC or TAC folder: D0901-A.M.100.A.17, articles in SGML, topics, NIST's tables",
    matches=_matches,
    read=_read,
    write=_write,
)
