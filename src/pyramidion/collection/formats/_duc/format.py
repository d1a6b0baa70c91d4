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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from string import ascii_uppercase

from pyramidion.collection._collection import Collection, Task
from pyramidion.collection._files import MAX_XML_BYTES, decode, read_bytes, writing_folder
from pyramidion.collection._ids import brief_list, natural_order
from pyramidion.collection._measures import is_human
from pyramidion.collection._pyramids import PeerAnnotation, Pyramid
from pyramidion.collection._scores import Judgment, Scores
from pyramidion.collection._summaries import AspectSpan, Document, Summary, Topic
from pyramidion.collection.formats._base import Format, counted, first_bytes
from pyramidion.collection.formats._duc.names import (
    SummaryName,
    docset_letter,
    is_letter_assessor,
    is_nist_topic,
    kind_of,
    parse_docset,
    parse_summary,
    parse_summary_name,
    unify_topics,
)
from pyramidion.collection.formats._duc.sgml import (
    Statement,
    letter_set,
    looks_like_documents,
    looks_like_statements,
    parse_documents,
    parse_statements,
)
from pyramidion.collection.formats._duc.tables import NistTable, nist_scales, read_nist_table
from pyramidion.collection.formats._duc.writer import count_differences, write_duc_files
from pyramidion.collection.formats._ducview_files import read_peer_annotation, read_pyramid
from pyramidion.collection.formats._scores import FORMAT as SCORES
from pyramidion.collection.formats._scores import read_table
from pyramidion.errors import FormatError, InputError, NotFoundError, Where


@dataclass(slots=True)
class Findings:
    """What the files of a folder hold, before it is put in order."""

    summaries: list[tuple[SummaryName, str | tuple[str, ...], tuple[AspectSpan, ...]]] = field(
        default_factory=list
    )
    documents: list[tuple[tuple[str, ...], Document]] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    tables: list[NistTable] = field(default_factory=list)
    pyramids: dict[tuple[str, str], Pyramid] = field(default_factory=dict)
    peers: dict[tuple[str, ...], PeerAnnotation] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    legacy: list[str] = field(default_factory=list)
    default_topic: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found that belongs to a collection."""
        found = (self.summaries, self.documents, self.statements, self.tables)
        return not any((*found, self.pyramids, self.peers))


def assemble(findings: Findings, *, name: str) -> Collection:
    """Put a collection together."""
    assembly = _Assembly(findings)
    topics = tuple(assembly.topics())
    summaries = tuple(assembly.summaries())
    scores = Scores.from_judgments(assembly.named_judgments({t.id: t.assessor for t in topics}))
    id = assembly.id
    return Collection(
        name=name,
        tasks=tuple(assembly.tasks()),
        scales=nist_scales(scores),
        topics=topics,
        summaries=summaries,
        scores=scores,
        pyramids={(task, id(topic)): p for (task, topic), p in findings.pyramids.items()},
        peer_annotations={(a, id(topic), *s): p for (a, topic, *s), p in findings.peers.items()},
        left_out=tuple(assembly.left_out()),
    )


def task_named(id: str, word_limit: int | None) -> Task:
    """Describe a task by the letter of its docsets."""
    if not id:
        return Task("", word_limit=word_limit)
    if id == "A":
        return Task("A", "initial", documents="base", word_limit=word_limit)
    # DUC 2007 has two updates: the readers of C know the articles of A and B.
    known = tuple(letter_set(letter) for letter in ascii_uppercase[: ascii_uppercase.index(id)])
    return Task(id, "update", letter_set(id), word_limit, known)


class _Assembly:
    """Topics as NIST names them here and there, brought under one name each."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.judgments = [j for table in findings.tables for j in table.judgments]
        self.repeated = 0
        known = {
            *(statement.topic.id for statement in findings.statements),
            *(name.topic for name, _, _ in findings.summaries),
            *(judgment.topic for judgment in self.judgments),
            *(topic for _, topic in findings.pyramids),
            *(key[1] for key in findings.peers),
        }
        self.listed = _listed(findings.statements)
        self.homes = [self._homes_of(folders, id, known) for folders, id in self._articles()]
        named = {*known, *(topic for homes in self.homes for topic, _ in homes)}
        self.renamed = unify_topics(named)
        self.ids = sorted({self.id(topic) for topic in named}, key=natural_order)

    def id(self, topic: str) -> str:
        return self.renamed.get(topic, topic)

    def _articles(self) -> Iterator[tuple[tuple[str, ...], str]]:
        return ((folders, article.id) for folders, article in self.findings.documents)

    def _homes_of(
        self, folders: tuple[str, ...], article: str, known: set[str]
    ) -> Sequence[tuple[str, str]]:
        """Find the topics and set letters of an article: its folder says it, or a statement."""
        for folder in folders:
            docset = parse_docset(folder)
            if docset and (docset[0] in known or is_nist_topic(docset[0])):
                return [docset]
        default = self.findings.default_topic
        return self.listed.get(article) or ([(default, "")] if default else [])

    def topics(self) -> Iterator[Topic]:
        documents = self._documents()
        letters = self._letters()
        statements: dict[str, list[Topic]] = {}
        for statement in self.findings.statements:
            topic = replace(statement.topic, id=self.id(statement.topic.id))
            others = statements.setdefault(topic.id, [])
            if topic not in others:
                others.append(topic)
        for id in self.ids:
            for topic in statements.get(id, [Topic(id)]):
                yield _completed(topic, letters.get(id, ""), tuple(documents.pop(id, ())))

    def _letters(self) -> dict[str, str]:
        """Give the letter of each topic's selector, the first where files disagree."""
        letters = {short: docset_letter(long) for long, short in self.renamed.items()}
        for name, _, _ in self.findings.summaries:
            if name.selector != "0":
                letters.setdefault(self.id(name.topic), name.selector)
        return letters

    def _documents(self) -> dict[str, list[Document]]:
        """Sort the articles into topics, base before update, in the order of the statements."""
        order = {
            (self.id(topic), id): position for position, (topic, id) in enumerate(self._listing())
        }
        found: dict[tuple[str, str, str], list[Document]] = {}
        for (_, article), homes in zip(self.findings.documents, self.homes, strict=True):
            for home, own_letter in homes:
                topic = self.id(home)
                letter = own_letter or self._listed_letter(article.id, topic)
                same = found.setdefault((topic, letter or "A", article.id), [])
                placed = _placed(article, letter)
                self.repeated += placed in same
                same += [placed] if placed not in same else []
        documents: dict[str, list[Document]] = {}
        for topic, letter, id in sorted(
            found, key=lambda key: (key[1], order.get((key[0], key[2]), len(order)), key[2])
        ):
            documents.setdefault(topic, []).extend(found[topic, letter, id])
        return documents

    def _listing(self) -> Iterator[tuple[str, str]]:
        for statement in self.findings.statements:
            yield from ((statement.topic.id, id) for _, id in statement.documents)

    def _listed_letter(self, article: str, topic: str) -> str:
        homes = self.listed.get(article, ())
        return next((letter for home, letter in homes if self.id(home) == topic), "")

    def summaries(self) -> Iterator[Summary]:
        """Give the summaries in order; one that occurs twice word for word is kept once."""
        found: dict[tuple[str, str, str], list[Summary]] = {}
        for name, text, aspects in self.findings.summaries:
            summary = Summary(
                topic=self.id(name.topic),
                system=name.system,
                task=name.task,
                text=text,
                kind=kind_of(name.system),
                aspects=aspects,
            )
            same = found.setdefault(summary.key, [])
            if any(other.plain.split() == summary.plain.split() for other in same):
                self.repeated += 1
            else:
                same.append(summary)
        for key in sorted(found, key=lambda key: tuple(map(natural_order, key))):
            yield from found[key]

    def tasks(self) -> Iterator[Task]:
        for task, lengths in sorted(self._lengths().items()):
            limit = lengths.pop() if len(lengths) == 1 else 0
            yield task_named(task, limit or None)

    def _lengths(self) -> dict[str, set[int]]:
        lengths: dict[str, set[int]] = {}
        for name, _, _ in self.findings.summaries:
            lengths.setdefault(name.task, set()).add(name.length)
        return lengths

    def named_judgments(self, assessors: Mapping[str, str]) -> Iterator[Judgment]:
        """Give the scores; a table without assessors was filled by those of the topics."""
        anonymous = {
            id(judgment)
            for table in self.findings.tables
            if not table.has_assessors
            for judgment in table.judgments
            if is_human(judgment.measure)
        }
        for judgment in self.judgments:
            topic = self.id(judgment.topic)
            assessor = judgment.assessor
            if id(judgment) in anonymous and is_letter_assessor(topic):
                assessor = assessors.get(topic, "")
            yield replace(judgment, topic=topic, assessor=assessor)

    def left_out(self) -> Iterator[str]:
        findings = self.findings
        present = {article for _, article in self._articles()}
        letters: dict[str, set[str]] = {}
        for name, _, _ in findings.summaries:
            letters.setdefault(self.id(name.topic), set()).add(name.selector)
        yield from (line for table in findings.tables for line in table.left_out)
        yield from findings.notes
        yield from counted(
            **{
                "documents that belong to no topic": self.homes.count([]),
                "documents that are listed but not there": len(self.listed.keys() - present),
                "files that repeat another one word for word": self.repeated,
                "topics with several selectors": sum(len(seen) > 1 for seen in letters.values()),
                "tasks with several lengths": sum(len(n) > 1 for n in self._lengths().values()),
            }
        )
        for names, what in (
            (findings.legacy, "files that were read as Windows-1252, not as UTF-8"),
            (findings.strangers, "files that were not read"),
        ):
            if names:
                yield f"{len(names)} {what}: {brief_list(names)}"


def _listed(statements: Sequence[Statement]) -> dict[str, list[tuple[str, str]]]:
    """Tell for each listed article its topics and set letters."""
    listed: dict[str, list[tuple[str, str]]] = {}
    for statement in statements:
        for letter, id in statement.documents:
            listed.setdefault(id, []).append((statement.topic.id, letter))
    return listed


def _placed(article: Document, letter: str) -> Document:
    """Put an article into its set; DUC 2007 has a third one, C."""
    return replace(article, set=letter_set(letter))


def _completed(topic: Topic, letter: str, documents: tuple[Document, ...]) -> Topic:
    """Add the documents and what the letter says: the assessor in 2010-11, else the selector."""
    own = docset_letter(topic.id)
    assessor = topic.assessor or (own or letter if is_letter_assessor(topic.id) else "")
    extra = dict(topic.extra)
    if letter not in ("", assessor, own):
        extra["selector"] = letter
    return replace(topic, assessor=assessor, documents=documents, extra=extra)


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
        raise NotFoundError("there is no such folder", "check the path", where=Where(path))
    findings = Findings(default_topic=path.name.split(".")[0] if path.is_file() else "")
    for file in [path] if path.is_file() else _files(path):
        _take(file, path, findings)
    if findings.is_empty:
        raise Where(path).error(
            "nothing here is named or written as DUC and TAC do",
            "summaries are named D0901-A.M.100.A.17, articles begin with <DOC>",
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
    elif SCORES.matches(file):
        table, _, left_out = read_table(file)
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
        raise Where(file).error("this is not a text", "save it as UTF-8")
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
            raise InputError("the collection is empty", "add summaries, topics or scores")
        # Reading it back is the surest way to know what such a folder has no place for.
        return count_differences(collection, _read(folder))


FORMAT = Format(
    name="duc",
    title="a DUC or TAC folder: D0901-A.M.100.A.17, articles in SGML, topics, NIST's tables",
    matches=_matches,
    read=_read,
    write=_write,
)
