"""ROUGE-1.5.5 configurations: an XML file that names the files of peers and models.

A written folder holds ``rouge.xml``, ``peers/`` and ``models/``. An EVAL becomes a topic, its
peers machines and its models people; a file that is listed as both was written by a person.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Literal, cast
from urllib.parse import quote
from xml.etree.ElementTree import Element

from pyramidion.collection._collection import Collection
from pyramidion.collection._files import (
    MAX_XML_BYTES,
    decode,
    read_bytes,
    read_lines,
    write_bytes,
    write_text,
    writing_folder,
)
from pyramidion.collection._ids import brief_list, grouped, natural_order
from pyramidion.collection._summaries import Kind, Role, Summary
from pyramidion.collection.formats._base import Format, counted, counted_parts, first_bytes
from pyramidion.collection.formats._xml import escape_attribute, escape_text, read_xml
from pyramidion.errors import FormatError, InputError, NotFoundError, Where

SentenceFormat = Literal["SPL", "SEE", "ISI"]

_SEE_LINE = re.compile(
    rb'<a (?:size="\d+" )?name="\d+">\[\d+\]</a>\s+<a href="#\d+" id=\d+>([^<]+)'
)
_ISI_LINE = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


#: The formats of summaries, as a configuration's INPUT-FORMAT names them.
SENTENCE_FORMATS: tuple[SentenceFormat, ...] = ("SPL", "SEE", "ISI")


def parse_sentences(data: bytes, format: SentenceFormat) -> list[bytes]:
    """Take the sentences out of a file's bytes."""
    if format == "SPL":
        return [line for line in data.split(b"\n") if line]
    mark = _SEE_LINE if format == "SEE" else _ISI_LINE
    # The line end belongs to a sentence that no tag closes: the script matches whole lines.
    lines = re.findall(rb"[^\n]*\n|[^\n]+", data)
    return [cast("bytes", found[1]) for line in lines if (found := mark.match(line))]


InputFormat = Literal["SPL", "SEE", "ISI", "SIMPLE"]

#: Three forms of summaries (see `parse_sentences`), and basic elements.
INPUT_FORMATS: tuple[InputFormat, ...] = (*SENTENCE_FORMATS, "SIMPLE")

_PARTS = ("PEER-ROOT", "MODEL-ROOT", "INPUT-FORMAT", "PEERS", "MODELS")


@dataclass(frozen=True, slots=True)
class RougeFile:
    """A peer or model: its id and its file, which need not exist."""

    id: str
    path: Path

    @property
    def exists(self) -> bool:
        """Whether the file is there."""
        return self.is_there and self.path.is_file()

    @property
    def is_there(self) -> bool:
        """Whether there is a file or a folder of this name."""
        try:
            return self.path.exists()
        except OSError:  # a name longer than the system allows
            return False


@dataclass(frozen=True, slots=True)
class RougeEvaluation:
    """Peers that are compared with the same models (an EVAL)."""

    id: str
    peers: tuple[RougeFile, ...]
    models: tuple[RougeFile, ...]
    input_format: InputFormat = "SPL"


@dataclass(frozen=True, slots=True)
class RougeConfig:
    """All evaluations of one run of ROUGE, in the order of the file."""

    path: Path
    evaluations: tuple[RougeEvaluation, ...]


def read_rouge_config(path: str | Path, *, own_folder_first: bool = False) -> RougeConfig:
    """Read a ROUGE-1.5.5 configuration."""
    config = Path(path)
    folders = (config.parent, Path()) if own_folder_first else (Path(), config.parent)
    found = enumerate(_evals(config), start=1)
    evaluations = tuple(_Eval(own, n, parts, config, folders).read() for n, (own, parts) in found)
    if not evaluations:
        raise Where(path).error("there is no EVAL", "add one for each topic")
    return RougeConfig(config, evaluations)


_Parts = dict[str, list[Element]]


def _evals(config: Path) -> list[tuple[Element, _Parts]]:
    """Find every EVAL and its parts, at whatever depth, their names in whatever case.

    So does the Perl script, which looks at no other element, the root included.
    """
    found: list[tuple[Element, _Parts]] = []
    waiting: list[tuple[Element, _Parts | None]] = [(read_xml(config, comments=True), None)]
    while waiting:
        element, parts = waiting.pop()
        tag = _tag(element)
        if tag == "EVAL":
            parts = {}
            found.append((element, parts))
        elif tag in _PARTS:
            if parts is None:
                hint = "put it into the EVAL it belongs to"
                raise Where(config).error(f"<{tag}> is outside every EVAL", hint)
            parts.setdefault(tag, []).append(element)
        waiting += [(child, parts) for child in reversed(element)]
    return found


def _tag(element: Element) -> str:
    """Return an element's name in capitals; a comment has none."""
    return element.tag.upper() if isinstance(element.tag, str) else ""


@dataclass(frozen=True, slots=True)
class _Eval:
    """An EVAL element, and what one must know to read it."""

    element: Element
    number: int
    parts: _Parts
    config: Path
    folders: tuple[Path, Path]

    def read(self) -> RougeEvaluation:
        return RougeEvaluation(
            id=self._id(self.element),
            peers=self._files("PEERS", "P", "PEER-ROOT"),
            models=self._files("MODELS", "M", "MODEL-ROOT"),
            input_format=self._input_format(),
        )

    def _error(self, what: str, hint: str) -> FormatError:
        name = self.element.get("ID") or f"no. {self.number}"
        return Where(self.config, element=f"EVAL {name}").error(what, hint)

    def _id(self, element: Element) -> str:
        id = element.get("ID")
        if not id:
            raise self._error(f"<{element.tag}> has no ID", "give each EVAL, P and M an ID")
        return id

    def _part(self, tag: str) -> Element:
        if tag not in self.parts:
            raise self._error(f"<{tag}> is missing", "add it")
        return self.parts[tag][0]

    def _input_format(self) -> InputFormat:
        typed = self._part("INPUT-FORMAT").get("TYPE", "").strip()
        format = input_format(typed)
        if format is None:
            names = ", ".join(INPUT_FORMATS)
            raise self._error(f"the TYPE of INPUT-FORMAT is {typed!r}", f"write one of {names}")
        return format

    def _files(self, group: str, tag: str, root_tag: str) -> tuple[RougeFile, ...]:
        groups = self.parts.get(group, [])
        entries = [entry for own in groups for entry in own if _tag(entry) == tag]
        root = _last_text(self._part(root_tag)) if entries else ""
        return tuple(
            _found(self._id(entry), root, self._name(entry), self.folders) for entry in entries
        )

    def _name(self, entry: Element) -> str:
        name = _last_text(entry)
        if not name:
            raise self._error(f"<{entry.tag}> {entry.get('ID')} names no file", "name one")
        return name


def _last_text(element: Element) -> str:
    """Return what counts of an element's text: of pieces with comments between, the last."""
    pieces = [element.text, *(child.tail for child in element)]
    return next((piece.strip() for piece in reversed(pieces) if piece and piece.strip()), "")


def input_format(name: str) -> InputFormat | None:
    """Find a format by its name in whatever case."""
    return next((format for format in INPUT_FORMATS if format == name.upper()), None)


def _found(id: str, root: str, name: str, folders: tuple[Path, Path]) -> RougeFile:
    candidates = [RougeFile(id, folder / root / name) for folder in folders]
    return next((file for file in candidates if file.is_there), candidates[0])


def read_rouge_list(
    path: str | Path, input_format: InputFormat = "SPL", *, peer: str = "X"
) -> RougeConfig:
    """Read a list for ``-z``: on each line, but for comments, a peer's file, then its models'."""
    folders = (Path(), Path(path).parent)
    lines = [line for _, line in read_lines(path) if not line.startswith("#")]
    rows = [names for line in lines if (names := re.findall(r"\S+", line, re.ASCII))]
    evaluations = []
    for number, names in enumerate(rows, start=1):
        ids = [peer, *map(str, range(1, len(names)))]
        first, *models = (_found(i, "", name, folders) for i, name in zip(ids, names, strict=True))
        evaluations.append(RougeEvaluation(str(number), (first,), tuple(models), input_format))
    return RougeConfig(Path(path), tuple(evaluations))


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    """Write a folder from which ROUGE-1.5.5 can be run: ``rouge.xml``, ``peers``, ``models``."""
    if not collection.summaries:
        raise InputError("the collection has no summaries", "choose another format")
    with writing_folder(path, replace=replace) as folder:
        (folder / "peers").mkdir()
        (folder / "models").mkdir()
        writer = _Writer(folder)
        groups = grouped(((s.task, s.topic), s) for s in collection.summaries)
        body = "".join(writer.evaluation(*place, own) for place, own in groups.items())
        write_text(folder / "rouge.xml", f'<ROUGE-EVAL version="1.0">\n{body}</ROUGE-EVAL>\n')
    return _lost(collection)


@dataclass(frozen=True, slots=True)
class _Writer:
    """A folder that is being filled, with the ids and file names that are taken."""

    folder: Path
    ids: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)

    def evaluation(self, task: str, topic: str, summaries: list[Summary]) -> str:
        id = _unused(f"{topic}-{task}" if task else topic, self.ids)
        peers = [self._entry("P", "peers", id, s) for s in summaries if s.role == "peer"]
        models = [self._entry("M", "models", id, s) for s in summaries if s.role != "peer"]
        return (
            f'<EVAL ID="{escape_attribute(id)}">\n'
            "<PEER-ROOT>peers</PEER-ROOT>\n<MODEL-ROOT>models</MODEL-ROOT>\n"
            '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>\n'
            f"<PEERS>\n{''.join(peers)}</PEERS>\n<MODELS>\n{''.join(models)}</MODELS>\n</EVAL>\n"
        )

    def _entry(self, tag: str, folder: str, evaluation: str, summary: Summary) -> str:
        stem = f"{_safe(evaluation)}.{_safe(summary.system)}"
        # On many machines `a` and `A` name the same file.
        name = f"{_unused(stem, self.files, same=str.casefold)}.spl"
        data = b"".join(sentence + b"\n" for sentence in _sentences(summary))
        write_bytes(self.folder / folder / name, data)
        return f'<{tag} ID="{escape_attribute(summary.system)}">{escape_text(name)}</{tag}>\n'


def _unused(name: str, taken: set[str], *, same: Callable[[str], str] = str) -> str:
    """Take a name, with a number if it is taken already."""
    names = chain([name], (f"{name}~{number}" for number in count(2)))
    chosen = next(own for own in names if same(own) not in taken)
    taken.add(same(chosen))
    return chosen


def _safe(id: str) -> str:
    return quote(id, safe="", errors="replace")[:100]


def _sentences(summary: Summary) -> Iterator[bytes]:
    """Return the sentences without line ends, for which the files have no place."""
    from pyramidion.text._sentences import split_sentences

    text = summary.text
    for sentence in split_sentences(text) if isinstance(text, str) else text:
        line = re.sub(r"[\r\n]+", " ", sentence)
        try:
            encoded = line.encode()
        except UnicodeEncodeError:
            what = f"{summary.name} holds half a surrogate pair"
            raise InputError(what, "take it out of the text") from None
        if encoded:
            yield encoded


def _lost(collection: Collection) -> tuple[str, ...]:
    summaries = collection.summaries
    roles = Counter((s.kind, s.role) for s in summaries)
    parts = counted_parts(collection, "scores", "pyramids", "annotated peers")
    numbers = {
        "summaries' aspects": sum(bool(s.aspects) for s in summaries),
        "tasks (written into the EVALs' ids)": len({s.task for s in summaries if s.task}),
        "people among the peers, not distinguished from machines": roles["human", "peer"],
        "machines among the references, not distinguished from people": roles["machine", "both"]
        + roles["machine", "reference"],
        "summaries that are peer and reference (written as models)": roles["human", "both"]
        + roles["machine", "both"],
    }
    statements = counted(**{"topics' statements and documents": len(collection.topics)})
    return (*statements, *parts, *counted(**numbers))


_NAME = "rouge.xml"
_ROOT = re.compile(rb"<ROUGE[-_]EVAL\b")


def _matches(path: Path) -> bool:
    return _ROOT.search(first_bytes(path / _NAME if path.is_dir() else path)) is not None


def _read(path: Path) -> Collection:
    # A collection is what its path says, wherever one stands; so its own folder comes first.
    config = read_rouge_config(path / _NAME if path.is_dir() else path, own_folder_first=True)
    return collection_from_rouge(config, path.resolve().name.removesuffix(".xml"))


def collection_from_rouge(config: RougeConfig, name: str) -> Collection:
    """Read the files of a configuration into a collection."""
    people = {_place(model) for e in config.evaluations for model in e.models}
    peers = [peer for e in config.evaluations for peer in e.peers]
    machines = {peer.id for peer in peers if _place(peer) not in people}
    taken = [e for e in config.evaluations if e.input_format in SENTENCE_FORMATS]
    readers = [_Reader(config.path, evaluation, people, machines) for evaluation in taken]
    summaries = tuple(summary for reader in readers for summary in reader.summaries())
    left_out = (*_without_text(config), *_renamed(config, machines))
    return Collection(name, summaries=summaries, left_out=left_out)


def _place(file: RougeFile) -> str:
    return os.path.normpath(file.path)


def _without_text(config: RougeConfig) -> Iterator[str]:
    names = [e.id for e in config.evaluations if e.input_format not in SENTENCE_FORMATS]
    if names:
        yield f"{len(names)} evaluations of basic elements (SIMPLE): {brief_list(names)}"


def _renamed(config: RougeConfig, machines: set[str]) -> Iterator[str]:
    ids = {model.id for e in config.evaluations for model in e.models} & machines
    if ids:
        names = [f"{id} (now {_writer(id, machines)})" for id in sorted(ids, key=natural_order)]
        yield f"{len(names)} ids of models that are also ids of peers: {brief_list(names)}"


def _writer(id: str, machines: set[str]) -> str:
    """Name a model's writer; where ids only count models, number 1 is not the machine 1."""
    while id in machines:
        id = f"ref{id}"
    return id


@dataclass(frozen=True, slots=True)
class _Reader:
    """An evaluation, and what one must know to read its summaries."""

    config: Path
    evaluation: RougeEvaluation
    people: set[str]
    machines: set[str]

    def summaries(self) -> Iterator[Summary]:
        both = set(self.evaluation.peers) & set(self.evaluation.models)
        for peer in self.evaluation.peers:
            if peer not in both:
                kind: Kind = "human" if _place(peer) in self.people else "machine"
                yield self._summary(peer, peer.id, kind, "peer")
        for model in self.evaluation.models:
            role: Role = "both" if model in both else "reference"
            yield self._summary(model, _writer(model.id, self.machines), "human", role)

    def _summary(self, file: RougeFile, system: str, kind: Kind, role: Role) -> Summary:
        return Summary(self.evaluation.id, system, self._sentences(file), kind=kind, role=role)

    def _sentences(self, file: RougeFile) -> tuple[str, ...]:
        if not file.exists:
            raise NotFoundError(
                f"the file of {file.id} is not there: {file.path}",
                "relative paths count from the configuration's folder or from where you are",
                where=Where(self.config, element=f"EVAL {self.evaluation.id}"),
            )
        data = read_bytes(file.path, limit=MAX_XML_BYTES)
        text = decode(data, Where(file.path))
        format = next(name for name in SENTENCE_FORMATS if name == self.evaluation.input_format)
        found = (s.decode().rstrip("\r\n") for s in parse_sentences(text.encode(), format))
        return tuple(sentence for sentence in found if sentence)


FORMAT = Format(
    name="rouge",
    title="a ROUGE-1.5.5 configuration (XML) with SPL, SEE or ISI files",
    matches=_matches,
    read=_read,
    write=_write,
)
