"""ROUGE-1.5.5 configurations: an XML file that lists the files of peers and models.

A folder has ``rouge.xml``, ``peers/`` and ``models/``. An EVAL becomes a topic, its peers machines
and its models people; a file that is listed as both is a person's.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast
from urllib.parse import quote
from xml.etree.ElementTree import Element

from pyramidion.collection._collection import Collection
from pyramidion.collection.formats.base import (
    Format,
    first_bytes,
    nonzero_counts,
    part_sizes,
    require_part,
)
from pyramidion.collection.formats.xml import escape_attribute, escape_text, read_xml
from pyramidion.collection.ids import brief_list, grouped, natural_order, unused_name
from pyramidion.collection.summaries import Kind, Role, Summary
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.files.inputs import is_readable
from pyramidion.files.reading import MAX_XML_BYTES, decode, read_bytes, read_lines
from pyramidion.files.writing import write_bytes, write_text, writing_folder

SentenceFormat = Literal["SPL", "SEE", "ISI"]

_SEE_LINE = re.compile(
    rb'<a (?:size="\d+" )?name="\d+">\[\d+\]</a>\s+<a href="#\d+" id=\d+>([^<]+)'
)
_ISI_LINE = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


#: The formats of summaries in a configuration's INPUT-FORMAT.
SENTENCE_FORMATS: tuple[SentenceFormat, ...] = ("SPL", "SEE", "ISI")


def parse_sentences(data: bytes, format: SentenceFormat) -> list[bytes]:
    """Return the sentences in a file's bytes."""
    if format == "SPL":
        return [line for line in data.split(b"\n") if line]
    line_pattern = _SEE_LINE if format == "SEE" else _ISI_LINE
    # Without a closing tag, the line end is part of the sentence, as in the Perl script.
    lines = re.findall(rb"[^\n]*\n|[^\n]+", data)
    return [cast("bytes", match[1]) for line in lines if (match := line_pattern.match(line))]


InputFormat = Literal["SPL", "SEE", "ISI", "SIMPLE"]

#: The formats of summaries, and basic elements.
INPUT_FORMATS: tuple[InputFormat, ...] = (*SENTENCE_FORMATS, "SIMPLE")

_PART_TAGS = ("PEER-ROOT", "MODEL-ROOT", "INPUT-FORMAT", "PEERS", "MODELS")


@dataclass(frozen=True, slots=True)
class RougeFile:
    """The id and the file of a peer or model, which may be missing."""

    id: str
    path: Path

    @property
    def exists(self) -> bool:
        """Whether the file exists."""
        return self.is_present and is_readable(self.path)

    @property
    def is_present(self) -> bool:
        """Whether a file or folder of this name exists."""
        try:
            return self.path.exists()
        except OSError:  # a name longer than the system allows
            return False


@dataclass(frozen=True, slots=True)
class RougeEvaluation:
    """Peers and the models they are compared with (an EVAL)."""

    id: str
    peers: tuple[RougeFile, ...]
    models: tuple[RougeFile, ...]
    input_format: InputFormat = "SPL"


@dataclass(frozen=True, slots=True)
class RougeConfig:
    """All evaluations of a run of ROUGE, in order."""

    path: Path
    evaluations: tuple[RougeEvaluation, ...]


def read_rouge_config(path: str | Path, *, own_folder_first: bool = False) -> RougeConfig:
    """Read a ROUGE-1.5.5 configuration."""
    config = Path(path)
    folders = (config.parent, Path()) if own_folder_first else (Path(), config.parent)
    evaluations = []
    for number, (element, parts) in enumerate(_evals(config), start=1):
        where = Where(config, element=f"EVAL {element.get('ID') or f'no. {number}'}")
        evaluations.append(_read_evaluation(element, parts, where, folders))
    if not evaluations:
        raise Where(path).error("there is no EVAL", "add one for each topic")
    return RougeConfig(config, tuple(evaluations))


_Parts = dict[str, list[Element]]


def _evals(config: Path) -> list[tuple[Element, _Parts]]:
    """Find every EVAL and its parts, at any depth and in any case, as the Perl script does."""
    evaluations: list[tuple[Element, _Parts]] = []
    pending_elements: list[tuple[Element, _Parts | None]] = [
        (read_xml(config, comments=True), None)
    ]
    while pending_elements:
        element, parts = pending_elements.pop()
        tag = _tag(element)
        if tag == "EVAL":
            parts = {}
            evaluations.append((element, parts))
        elif tag in _PART_TAGS:
            if parts is None:
                hint = "put it into the EVAL it belongs to"
                raise Where(config).error(f"<{tag}> is outside every EVAL", hint)
            parts.setdefault(tag, []).append(element)
        pending_elements += [(child, parts) for child in reversed(element)]
    return evaluations


def _tag(element: Element) -> str:
    """Return an element's name in upper case; empty for a comment."""
    return element.tag.upper() if isinstance(element.tag, str) else ""


def _read_evaluation(
    element: Element, parts: _Parts, where: Where, folders: tuple[Path, Path]
) -> RougeEvaluation:
    id = _require_id(element, where)
    peers = _read_files(parts, ("PEERS", "P", "PEER-ROOT"), where, folders)
    models = _read_files(parts, ("MODELS", "M", "MODEL-ROOT"), where, folders)
    format_name = _require_part(parts, "INPUT-FORMAT", where).get("TYPE", "").strip()
    format = input_format(format_name)
    if format is None:
        names = ", ".join(INPUT_FORMATS)
        raise where.error(f"the TYPE of INPUT-FORMAT is {format_name!r}", f"write one of {names}")
    return RougeEvaluation(id, peers, models, format)


def _require_id(element: Element, where: Where) -> str:
    id = element.get("ID")
    if not id:
        raise where.error(f"<{element.tag}> has no ID", "give each EVAL, P and M an ID")
    return id


def _require_part(parts: _Parts, tag: str, where: Where) -> Element:
    if tag not in parts:
        raise where.error(f"<{tag}> is missing", "add it")
    return parts[tag][0]


def _read_files(
    parts: _Parts, tags: tuple[str, str, str], where: Where, folders: tuple[Path, Path]
) -> tuple[RougeFile, ...]:
    """Read the files of a group; the tags are those of the group, a file and the root."""
    group_tag, file_tag, root_tag = tags
    entries = [
        entry
        for element in parts.get(group_tag, [])
        for entry in element
        if _tag(entry) == file_tag
    ]
    root = _last_text(_require_part(parts, root_tag, where)) if entries else ""
    files = []
    for entry in entries:
        id, name = _require_id(entry, where), _last_text(entry)
        if not name:
            raise where.error(f"<{entry.tag}> {id} names no file", "name one")
        files.append(_existing_file(id, root, name, folders))
    return tuple(files)


def _last_text(element: Element) -> str:
    """Return an element's text; if comments split it, the last piece."""
    pieces = [element.text, *(child.tail for child in element)]
    return next((piece.strip() for piece in reversed(pieces) if piece and piece.strip()), "")


def input_format(name: str) -> InputFormat | None:
    """Look up a format by name, in any case."""
    return next((format for format in INPUT_FORMATS if format == name.upper()), None)


def _existing_file(id: str, root: str, name: str, folders: tuple[Path, Path]) -> RougeFile:
    candidates = [RougeFile(id, folder / root / name) for folder in folders]
    return next((file for file in candidates if file.is_present), candidates[0])


def read_rouge_list(
    path: str | Path, input_format: InputFormat = "SPL", *, peer: str = "X"
) -> RougeConfig:
    """Read a list for ``-z``: a peer's file and those of its models on each line."""
    folders = (Path(), Path(path).parent)
    lines = [line for _, line in read_lines(path) if not line.startswith("#")]
    name_lists = [names for line in lines if (names := re.findall(r"\S+", line, re.ASCII))]
    evaluations = []
    for number, names in enumerate(name_lists, start=1):
        ids = [peer, *map(str, range(1, len(names)))]
        pairs = zip(ids, names, strict=True)
        peer_file, *models = (_existing_file(id, "", name, folders) for id, name in pairs)
        evaluations.append(RougeEvaluation(str(number), (peer_file,), tuple(models), input_format))
    return RougeConfig(Path(path), tuple(evaluations))


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    """Write a folder from which ROUGE-1.5.5 can be run: ``rouge.xml``, ``peers``, ``models``."""
    require_part(collection, "summaries")
    with writing_folder(path, replace=replace) as folder:
        (folder / "peers").mkdir()
        (folder / "models").mkdir()
        ids: set[str] = set()
        file_names: set[str] = set()
        groups = grouped(((s.task, s.topic), s) for s in collection.summaries)
        eval_texts = []
        for (task, topic), summaries in groups.items():
            id = unused_name(f"{topic}-{task}" if task else topic, ids, key=str)
            peers = [
                _write_entry("P", folder, id, s, file_names) for s in summaries if s.role == "peer"
            ]
            models = [
                _write_entry("M", folder, id, s, file_names) for s in summaries if s.role != "peer"
            ]
            eval_texts.append(
                f'<EVAL ID="{escape_attribute(id)}">\n'
                "<PEER-ROOT>peers</PEER-ROOT>\n<MODEL-ROOT>models</MODEL-ROOT>\n"
                '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>\n'
                f"<PEERS>\n{''.join(peers)}</PEERS>\n"
                f"<MODELS>\n{''.join(models)}</MODELS>\n</EVAL>\n"
            )
        xml = f'<ROUGE-EVAL version="1.0">\n{"".join(eval_texts)}</ROUGE-EVAL>\n'
        write_text(folder / "rouge.xml", xml)
    return _lost_contents(collection)


def _write_entry(
    tag: str, folder: Path, evaluation: str, summary: Summary, used_names: set[str]
) -> str:
    """Write the file of a summary, and return its line in the configuration."""
    ids = (quote(id, safe="", errors="replace")[:100] for id in (evaluation, summary.system))
    name = f"{unused_name('.'.join(ids), used_names)}.spl"
    data = b"".join(sentence + b"\n" for sentence in _sentences(summary))
    write_bytes(folder / ("peers" if tag == "P" else "models") / name, data)
    return f'<{tag} ID="{escape_attribute(summary.system)}">{escape_text(name)}</{tag}>\n'


def _sentences(summary: Summary) -> Iterator[bytes]:
    """Return the sentences, without line ends, which the files cannot express."""
    from pyramidion.text import split_sentences

    text = summary.text
    for sentence in split_sentences(text) if isinstance(text, str) else text:
        line = re.sub(r"[\r\n]+", " ", sentence)
        try:
            line_bytes = line.encode()
        except UnicodeEncodeError:
            message = f"{summary.name} contains half a surrogate pair"
            raise InputError(message, "remove it from the text") from None
        if line_bytes:
            yield line_bytes


def _lost_contents(collection: Collection) -> tuple[str, ...]:
    summaries = collection.summaries
    role_counts = Counter((s.kind, s.role) for s in summaries)
    n_machine_references = role_counts["machine", "both"] + role_counts["machine", "reference"]
    n_both = role_counts["human", "both"] + role_counts["machine", "both"]
    return nonzero_counts(
        {
            "topics' statements and documents": len(collection.topics),
            **part_sizes(collection, "scores", "pyramids", "annotated peers"),
            "summaries' aspects": sum(bool(s.aspects) for s in summaries),
            "tasks (written into the EVALs' ids)": len({s.task for s in summaries if s.task}),
            "people among the peers, not distinguished from machines": role_counts["human", "peer"],
            "machines among the references, not distinguished from people": n_machine_references,
            "summaries that are peer and reference (written as models)": n_both,
        }
    )


_FILE_NAME = "rouge.xml"
_ROOT_PATTERN = re.compile(rb"<ROUGE[-_]EVAL\b")


def _read(path: Path) -> Collection:
    # The configuration's folder comes first, so that the working directory does not matter.
    config = read_rouge_config(path / _FILE_NAME if path.is_dir() else path, own_folder_first=True)
    return collection_from_rouge(config, path.resolve().name.removesuffix(".xml"))


def collection_from_rouge(config: RougeConfig, name: str) -> Collection:
    """Read the files of a configuration into a collection."""
    evaluations = config.evaluations
    models = [model for e in evaluations for model in e.models]
    human_paths = {_resolve_path(model) for model in models}
    machine_ids = {
        peer.id for e in evaluations for peer in e.peers if _resolve_path(peer) not in human_paths
    }
    left_out = []
    if simple_ids := [e.id for e in evaluations if e.input_format == "SIMPLE"]:
        left_out.append(
            f"{len(simple_ids)} evaluations of basic elements (SIMPLE): {brief_list(simple_ids)}"
        )
    if ids := sorted({model.id for model in models} & machine_ids, key=natural_order):
        names = [f"{id} (now {_writer_name(id, machine_ids)})" for id in ids]
        left_out.append(f"{len(ids)} ids of models that are also ids of peers: {brief_list(names)}")
    return Collection(
        name,
        summaries=tuple(
            s for e in evaluations for s in _summaries(e, config, human_paths, machine_ids)
        ),
        left_out=tuple(left_out),
    )


def _resolve_path(file: RougeFile) -> str:
    return os.path.normpath(file.path)


def _writer_name(id: str, machine_ids: set[str]) -> str:
    """Name a model's writer; if models and machines are numbered, model 1 is not machine 1."""
    while id in machine_ids:
        id = f"ref{id}"
    return id


def _summaries(
    evaluation: RougeEvaluation, config: RougeConfig, human_paths: set[str], machine_ids: set[str]
) -> Iterator[Summary]:
    format = evaluation.input_format
    if format == "SIMPLE":
        return
    files_in_both_roles = set(evaluation.peers) & set(evaluation.models)
    entries: list[tuple[RougeFile, str, Kind, Role]] = []
    for peer in evaluation.peers:
        if peer not in files_in_both_roles:
            entries.append(
                (
                    peer,
                    peer.id,
                    "human" if _resolve_path(peer) in human_paths else "machine",
                    "peer",
                )
            )
    for model in evaluation.models:
        role: Role = "both" if model in files_in_both_roles else "reference"
        entries.append((model, _writer_name(model.id, machine_ids), "human", role))
    for file, system, kind, role in entries:
        if not file.exists:
            raise NotFoundError(
                f"the file of {file.id} is missing: {file.path}",
                "paths are relative to the configuration's folder or the working directory",
                where=Where(config.path, element=f"EVAL {evaluation.id}"),
            )
        text = decode(read_bytes(file.path, limit=MAX_XML_BYTES), Where(file.path))
        lines = (s.decode().rstrip("\r\n") for s in parse_sentences(text.encode(), format))
        yield Summary(evaluation.id, system, tuple(filter(None, lines)), kind=kind, role=role)


FORMAT = Format(
    name="rouge",
    title="a ROUGE-1.5.5 configuration (XML) with SPL, SEE or ISI files",
    matches=lambda path: (
        _ROOT_PATTERN.search(first_bytes(path / _FILE_NAME if path.is_dir() else path)) is not None
    ),
    read=_read,
    write=_write,
)
