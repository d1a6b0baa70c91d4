"""DUC's and TAC's folders: summaries, articles, topic statements, scores and pyramids.

::

    models/D0901-A.M.100.A.A          a person's summary
    peers/D0901-A.M.100.A.17          a machine's summary
    docs/D0901A/D0901A-A/<docno>      articles in SGML, -A base and -B update
    topics.sgml                       topic statements
    manual.peer.A                     NIST's table of scores
    allpyramids/D0701-AGHI.pyr        a pyramid, with its writers' letters
    allpans/100.D0601.M.250.A.1.pan   an annotated peer, with its annotator
    annotator-table.txt               who made pyramids and annotated peers
    D0601a.scu                        documents in which content units are marked

Folders may be nested and have any name: files are recognized by their names or content.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from string import ascii_uppercase

from pyramidion.collection import (
    AspectSpan,
    Collection,
    Document,
    Judgment,
    PeerAnnotation,
    Scores,
    Summary,
    Task,
    Topic,
)
from pyramidion.collection.formats.base import first_bytes, nonzero_counts
from pyramidion.collection.formats.ducview.format import Annotations, annotated_summaries
from pyramidion.collection.formats.nist_names import (
    SummaryName,
    parse_annotation_name,
    parse_summary_name,
)
from pyramidion.collection.formats.scores import FORMAT as SCORES
from pyramidion.collection.formats.scores import read_table
from pyramidion.collection.ids import brief_list, grouped, natural_order, natural_orders
from pyramidion.collection.measures import is_human
from pyramidion.collection.pyramids import DOCUMENTS
from pyramidion.collection.summaries import default_role
from pyramidion.datasets._duc.marked import MarkedCorpus, read_marked_corpus
from pyramidion.datasets._duc.names import (
    docset_letter,
    is_letter_assessor,
    is_nist_topic,
    kind_of_writer,
    parse_docset,
    parse_summary,
    unify_topics,
)
from pyramidion.datasets._duc.statements import (
    Statement,
    letter_set,
    looks_like_statements,
    parse_statements,
)
from pyramidion.datasets._duc.tables import (
    NistTable,
    nist_scales,
    read_nist_table,
    read_people,
)
from pyramidion.datasets._duc.writer import count_differences, write_duc_files
from pyramidion.errors import FormatError, InputError, NotFoundError, Where
from pyramidion.files.inputs import is_readable
from pyramidion.files.reading import MAX_XML_BYTES, decode, read_bytes
from pyramidion.files.writing import writing_folder
from pyramidion.summarizers.sgml import looks_like_documents, parse_documents


@dataclass(slots=True)
class FolderContents:
    """The contents of the files in a folder, before they are assembled."""

    summaries: list[tuple[SummaryName, str | tuple[str, ...], tuple[AspectSpan, ...]]] = field(
        default_factory=list
    )
    documents: list[tuple[tuple[str, ...], Document]] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    tables: list[NistTable] = field(default_factory=list)
    annotations: Annotations = field(default_factory=Annotations)
    marked_corpora: list[MarkedCorpus] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    unrecognized: list[str] = field(default_factory=list)
    legacy_encoded: list[str] = field(default_factory=list)
    unreadable: list[FormatError] = field(default_factory=list)
    default_topic: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether none of the files belongs to a collection."""
        contents = (
            self.summaries,
            self.documents,
            self.statements,
            self.tables,
            self.marked_corpora,
        )
        return not any((*contents, self.annotations))


def assemble_collection(contents: FolderContents, *, name: str) -> Collection:
    """Assemble a collection."""
    assembly = _Assembly(contents)
    topics = tuple(assembly.topics())
    scores = Scores.from_judgments(
        assembly.judgments_with_assessors({t.id: t.assessor for t in topics})
    )
    return Collection(
        name=name,
        tasks=tuple(assembly.tasks()),
        scales=nist_scales(scores),
        topics=topics,
        summaries=tuple(assembly.summaries()),
        scores=scores,
        pyramids=assembly.pyramids,
        peer_annotations=assembly.peers,
        versions=assembly.versions,
        left_out=tuple(assembly.left_out()),
        repaired=tuple(assembly.repaired()),
    )


def describe_task(id: str, word_limit: int | None) -> Task:
    """Describe a task by the letter of its docsets."""
    if not id:
        return Task("", word_limit=word_limit)
    if id == "A":
        return Task("A", "initial", documents="base", word_limit=word_limit)
    if not re.fullmatch("[A-Z]", id):
        return Task(id, word_limit=word_limit)
    # DUC 2007 has two updates: the readers of C know the articles of A and B.
    earlier_letters = ascii_uppercase[: ascii_uppercase.index(id)]
    return Task(id, "update", letter_set(id), word_limit, tuple(map(letter_set, earlier_letters)))


class _Assembly:
    """Assembles a collection, with one name for each topic."""

    def __init__(self, contents: FolderContents) -> None:
        self.contents = contents
        self.judgments = [judgment for table in contents.tables for judgment in table.judgments]
        self.n_repeated = 0
        self.people = [person for table in contents.tables for person in table.people]
        systems = {name.system for name, _, _ in contents.summaries} | {
            judgment.system for judgment in self.judgments
        }
        pyramids, versions = contents.annotations.pyramids()
        peers = contents.annotations.peers(systems)
        self.summary_names = [name for name, _, _ in contents.summaries]
        stems = map(parse_annotation_name, contents.annotations.stems)
        self.summary_names += [
            parsed_name[1] for parsed_name in stems if parsed_name and parsed_name[1].length
        ]
        topics = {
            *(statement.topic.id for statement in contents.statements),
            *(name.topic for name in self.summary_names),
            *(judgment.topic for judgment in self.judgments),
            *(topic for _, topic in pyramids),
            *(corpus.topic for corpus in contents.marked_corpora),
        }
        # The topics and set letters of each article in the statements.
        self.addresses_by_article = grouped(
            (id, (statement.topic.id, letter))
            for statement in contents.statements
            for letter, id in statement.documents
        )
        self.addresses = [
            self._addresses_of(path, article.id, topics) for path, article in contents.documents
        ]
        all_topics = {*topics, *(topic for addresses in self.addresses for topic, _ in addresses)}
        self.new_names = unify_topics(all_topics)
        self.ids = sorted({self.id(topic) for topic in all_topics}, key=natural_order)
        self.pyramids = {
            (task, self.id(topic)): pyramid for (task, topic), pyramid in pyramids.items()
        }
        self.versions = {
            (task, self.id(topic), version): pyramid
            for (task, topic, version), pyramid in versions.items()
        }
        self.annotators: dict[tuple[str, str, str], set[str]] = {}
        for person in self.people:
            if person.annotator:
                key = (person.task, self.id(person.topic), person.system)
                self.annotators.setdefault(key, set()).add(person.annotator)
        self.peers: dict[tuple[str, ...], PeerAnnotation] = {
            (
                task,
                self.id(topic),
                system,
                annotator or self._annotator(task, topic, system),
                time,
            ): peer
            for (task, topic, system, annotator, time), peer in peers.items()
        }
        for corpus in contents.marked_corpora:
            task, topic = corpus.task, self.id(corpus.topic)
            annotation = corpus.annotation(self.pyramids.get((task, topic)))
            self.peers[task, topic, DOCUMENTS, "", ""] = annotation

    def _annotator(self, task: str, topic: str, system: str) -> str:
        """Return who annotated a peer, if the tables name a single person."""
        for name in (system, ""):
            annotators = self.annotators.get((task, self.id(topic), name), ())
            if len(annotators) == 1:
                return next(iter(annotators))
        return ""

    def id(self, topic: str) -> str:
        return self.new_names.get(topic, topic)

    def _addresses_of(
        self, folders: tuple[str, ...], article: str, topics: set[str]
    ) -> Sequence[tuple[str, str]]:
        """Return the topics and set letters of an article, by its folder or a statement."""
        for folder in folders:
            docset = parse_docset(folder)
            if docset and (docset[0] in topics or is_nist_topic(docset[0])):
                return [docset]
        default = self.contents.default_topic
        return self.addresses_by_article.get(article) or ([(default, "")] if default else [])

    def topics(self) -> Iterator[Topic]:
        documents = self._documents()
        # The letter of each topic's selector, the first where files disagree.
        letters = {
            short_letter: docset_letter(long_letter)
            for long_letter, short_letter in self.new_names.items()
        }
        for name in self.summary_names:
            if name.selector != "0":
                letters.setdefault(self.id(name.topic), name.selector)
        topics = (statement.topic for statement in self.contents.statements)
        statements = grouped((self.id(topic.id), topic) for topic in topics)
        creators: dict[str, dict[str, str]] = {}
        for person in self.people:
            if person.creator:
                creators.setdefault(self.id(person.topic), {})[person.task] = person.creator
        for id in self.ids:
            seen_topics: list[Topic] = []
            for statement in statements.get(id, [Topic(id)]):
                topic = replace(statement, id=id)
                if topic in seen_topics:
                    continue
                seen_topics.append(topic)
                completed_topic = _complete_topic(
                    topic, letters.get(id, ""), tuple(documents.pop(id, ()))
                )
                creator_by_task = creators.get(id)
                extra_fields = (
                    {"pyramid_creator": creator_by_task.get("", creator_by_task)}
                    if creator_by_task
                    else {}
                )
                yield (
                    replace(completed_topic, extra={**completed_topic.extra, **extra_fields})
                    if extra_fields
                    else completed_topic
                )

    def _documents(self) -> dict[str, list[Document]]:
        """Group the articles by topic, base before update, in the order of the statements."""
        listing = ((s.topic.id, id) for s in self.contents.statements for _, id in s.documents)
        position_by_article = {
            (self.id(topic), id): position for position, (topic, id) in enumerate(listing)
        }
        articles: dict[tuple[str, str, str], list[Document]] = {}
        letter_by_article: dict[tuple[str, str], str] = {}
        # Articles of the main task must not become those of task A.
        default_letter = "M" if {"", "A"} <= self._lengths().keys() else "A"
        addressed_articles = [
            (self.id(topic), letter or self._listed_letter(article.id, self.id(topic)), article)
            for (_, article), addresses in zip(self.contents.documents, self.addresses, strict=True)
            for topic, letter in addresses
        ]
        for topic, letter, article in sorted(
            addressed_articles, key=lambda addressed_article: not addressed_article[1]
        ):
            # DUC 2007's main task has the articles of all updates, which name their sets.
            set_letter_of_topic = letter or letter_by_article.get(
                (topic, article.id), default_letter
            )
            letter_by_article[topic, article.id] = set_letter_of_topic
            copies = articles.setdefault((topic, set_letter_of_topic, article.id), [])
            document = replace(article, set=letter_set(set_letter_of_topic))
            self.n_repeated += document in copies
            copies += [document] * (document not in copies)
        documents: dict[str, list[Document]] = {}

        def sort_key(key: tuple[str, str, str]) -> tuple[str, int, str]:
            return (
                key[1],
                position_by_article.get((key[0], key[2]), len(position_by_article)),
                key[2],
            )

        for key in sorted(articles, key=sort_key):
            documents.setdefault(key[0], []).extend(articles[key])
        for corpus in self.contents.marked_corpora:
            topic_documents = documents.setdefault(self.id(corpus.topic), [])
            ids = {document.id for document in topic_documents}
            name, marked_documents = letter_set(corpus.task or default_letter), corpus.documents()
            topic_documents += [
                replace(document, set=name)
                for document in marked_documents
                if document.id not in ids
            ]
        return documents

    def _listed_letter(self, article: str, topic: str) -> str:
        addresses = self.addresses_by_article.get(article, ())
        return next(
            (letter for listed_topic, letter in addresses if self.id(listed_topic) == topic), ""
        )

    def summaries(self) -> Iterator[Summary]:
        """Return the summaries in order, without verbatim repetitions."""
        summaries: dict[tuple[str, str, str], list[Summary]] = {}
        for name, text, aspects in self.contents.summaries:
            fields = (
                self.id(name.topic),
                name.system,
                text,
                name.task,
                kind_of_writer(name.system),
            )
            summary = Summary(*fields, aspects=aspects)
            copies = summaries.setdefault(summary.key, [])
            if any(other.plain.split() == summary.plain.split() for other in copies):
                self.n_repeated += 1
            else:
                copies.append(summary)
        for summary in annotated_summaries(self.pyramids, self.peers):
            if summary.key not in summaries:
                kind = kind_of_writer(summary.system)
                summaries[summary.key] = [replace(summary, kind=kind, role=default_role(kind))]
        for key in sorted(summaries, key=natural_orders):
            yield from summaries[key]

    def tasks(self) -> Iterator[Task]:
        for task, lengths in sorted(self._lengths().items()):
            length = lengths.pop() if len(lengths) == 1 else 0
            yield describe_task(task, length or None)

    def _lengths(self) -> dict[str, set[int]]:
        lengths: dict[str, set[int]] = {task: set() for task, _ in self.pyramids}
        for name in self.summary_names:
            lengths.setdefault(name.task, set()).add(name.length)
        return lengths

    def judgments_with_assessors(self, assessors: Mapping[str, str]) -> Iterator[Judgment]:
        """Return the scores; in a table without assessors, those of the topics judged."""
        unnamed_tables = (table for table in self.contents.tables if not table.has_assessors)
        judgments = (judgment for table in unnamed_tables for judgment in table.judgments)
        anonymous_ids = {id(judgment) for judgment in judgments if is_human(judgment.measure)}
        table_keys = set()
        for judgment in self.judgments:
            topic, task = self.id(judgment.topic), judgment.task
            table_keys.add((task, topic, judgment.system, judgment.measure))
            assessor = judgment.assessor
            if id(judgment) in anonymous_ids and is_letter_assessor(topic):
                assessor = assessors.get(topic, "")
            elif judgment.measure.startswith("pyramid") and not assessor:
                assessor = self._annotator(task, topic, judgment.system)
            yield replace(judgment, topic=topic, assessor=assessor)
        # Tables of pyramids repeat other tables, which may be missing.
        judgments = (judgment for table in self.contents.tables for judgment in table.copies)
        copies = dict.fromkeys(
            replace(judgment, topic=self.id(judgment.topic)) for judgment in judgments
        )
        yield from (
            judgment
            for judgment in copies
            if (judgment.task, judgment.topic, judgment.system, judgment.measure) not in table_keys
        )

    def left_out(self) -> Iterator[str]:
        contents = self.contents
        present_ids = {article.id for _, article in contents.documents}
        letters: dict[str, set[str]] = {}
        for name in self.summary_names:
            letters.setdefault(self.id(name.topic), set()).add(name.selector)
        yield from (line for table in contents.tables for line in table.left_out)
        yield from contents.annotations.left_out
        for error in contents.unreadable:
            file = f"{Path(error.where.path).name}, which cannot be read: " if error.where else ""
            yield f"{file}{error.what}"
        yield from nonzero_counts(
            {
                "documents that belong to no topic": self.addresses.count([]),
                "documents that are listed but missing": len(
                    self.addresses_by_article.keys() - present_ids
                ),
                "files that repeat another one verbatim": self.n_repeated,
                "topics with several selectors": sum(
                    len(selectors) > 1 for selectors in letters.values()
                ),
                "tasks with several lengths": sum(
                    len(length_set) > 1 for length_set in self._lengths().values()
                ),
            }
        )
        if names := contents.unrecognized:
            yield f"{len(names)} files that were not read: {brief_list(names)}"

    def repaired(self) -> Iterator[str]:
        yield from (*self.contents.annotations.repaired, *self.contents.repaired)
        if names := self.contents.legacy_encoded:
            yield f"{len(names)} files were read as Windows-1252, not as UTF-8: {brief_list(names)}"


def _complete_topic(topic: Topic, letter: str, documents: tuple[Document, ...]) -> Topic:
    """Add the documents and the letter, which is the assessor in 2010-11, else the selector."""
    topic_letter = docset_letter(topic.id)
    assessor = topic.assessor or (topic_letter or letter if is_letter_assessor(topic.id) else "")
    extra_fields = dict(topic.extra)
    if letter not in ("", assessor, topic_letter):
        extra_fields["selector"] = letter
    return replace(topic, assessor=assessor, documents=documents, extra=extra_fields)


_MAX_CHECKED_FILES = 20_000
_MAX_TABLE_BYTES = 16 * 2**20
_BEGINNING_BYTES = 16_384


def is_duc(path: Path) -> bool:
    """Recognize a release by the names of its files, and articles by their first bytes."""
    if is_readable(path):
        is_summary = parse_summary_name(path.name) or path.suffix.lower() == ".scu"
        return bool(is_summary) or looks_like_documents(first_bytes(path))
    files = islice(_files(path), _MAX_CHECKED_FILES)
    suffixes = (".pyr", ".pan", ".scu")
    return any(parse_summary_name(file.name) or file.suffix.lower() in suffixes for file in files)


def _files(path: Path) -> Iterator[Path]:
    """Walk through a folder in a fixed order."""
    for folder, folders, files in os.walk(path):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(files))


def read_duc(path: Path) -> Collection:
    """Read a folder, or a single file."""
    if not path.exists():
        raise NotFoundError("there is no such folder", "check the path", where=Where(path))
    is_file = is_readable(path)
    contents = FolderContents(default_topic=path.name.split(".")[0] if is_file else "")
    files = sorted(_files(path), key=lambda file: file.suffix.lower() == ".pan")
    for file in [path] if is_file else files:
        try:
            _read_file(file, path, contents)
        except FormatError as error:
            if file == path:
                raise
            contents.unreadable.append(error)
    if contents.is_empty and contents.unreadable:
        raise contents.unreadable[0]
    if contents.is_empty:
        hint = "summaries are named D0901-A.M.100.A.17, articles begin with <DOC>"
        raise Where(path).error("there are no files of DUC or TAC here", hint)
    return assemble_collection(contents, name=path.name)


def _read_file(file: Path, root: Path, contents: FolderContents) -> None:
    """Read a file by its type, or list it as unrecognized."""
    suffix = file.suffix.lower()
    beginning = b"" if suffix in (".pyr", ".pan") else first_bytes(file, _BEGINNING_BYTES)
    name = parse_summary_name(file.name)
    where = Where(file)
    if suffix in (".pyr", ".pan") or b"<peerAnnotation" in beginning:
        contents.annotations.add(file, is_only_file=True)
    elif suffix == ".scu":
        corpus, notes = read_marked_corpus(file)
        contents.marked_corpora.append(corpus)
        contents.repaired += [f"{file.name}: {note}" for note in notes]
    elif looks_like_documents(beginning) and not name:
        articles = parse_documents(_read_file_text(file, contents), where, default_id=file.name)
        # The folders that contain the file, the innermost first.
        inner_folders = reversed(file.relative_to(root).parent.parts)
        folders = (*inner_folders, root.resolve().name) if file != root else ()
        contents.documents += [(folders, article) for article in articles]
    elif name:
        contents.summaries.append((name, *parse_summary(_read_file_text(file, contents), where)))
    elif looks_like_statements(beginning):
        contents.statements += parse_statements(_read_file_text(file, contents), where)
    elif SCORES.matches(file):
        table, _, left_out = read_table(file)
        contents.tables.append(NistTable(tuple(table), left_out, has_assessors=True))
    else:
        _read_table(file, contents)


def _read_table(file: Path, contents: FolderContents) -> None:
    n_legacy = len(contents.legacy_encoded)
    try:
        is_small = file.stat().st_size <= _MAX_TABLE_BYTES
        text = _read_file_text(file, contents) if is_small else ""
    except FormatError:
        text = ""
    table = read_nist_table(text, Where(file))
    if table is None and re.search("annotator|creator", file.name, re.IGNORECASE):
        table = read_people(text)
    if table:
        contents.tables.append(table)
    else:
        contents.unrecognized.append(file.name)
        del contents.legacy_encoded[n_legacy:]


def _read_file_text(file: Path, contents: FolderContents) -> str:
    """Read a text as UTF-8, else as Windows-1252, which is counted."""
    data = read_bytes(file, limit=MAX_XML_BYTES)
    try:
        text = decode(data, Where(file))
    except FormatError:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise
        text = data.decode("cp1252", "replace")
        if "\ufffd" in text:
            raise
        contents.legacy_encoded.append(file.name)
    if "\0" in text:
        raise Where(file).error("this is not a text", "save it as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def write_duc(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    """Write a folder, and count what it cannot store."""
    with writing_folder(path, replace=replace) as folder:
        write_duc_files(collection, folder)
        if not any(folder.iterdir()):
            raise InputError("the collection is empty", "add summaries, topics or scores")
        # Reading it back shows what such a folder cannot store.
        return count_differences(collection, read_duc(folder))
