"""DUCView's files: a ``.pyr``, a ``.pan``, or a folder of them, as a collection.

Files are named ``<topic>-<task>.pyr`` and ``<topic>-<task>-<system>.pan``, or as in DUC and TAC
``D0901-A.M.100.A.17.pan``. A tilde precedes a pyramid's version, an annotation's assessor and its
occasion. Inside an id, ``%2D`` is a hyphen and ``%2E`` a full stop.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from pyramidion.collection._collection import Collection
from pyramidion.collection.formats.base import Format, first_bytes, nonzero_counts, part_sizes
from pyramidion.collection.formats.ducview.files import (
    SharedPyramids,
    read_ducview,
    write_peer_annotation,
    write_pyramid,
)
from pyramidion.collection.formats.nist_names import (
    parse_annotation_name,
    parse_summary_name,
    without_writers,
)
from pyramidion.collection.ids import brief_list, natural_order
from pyramidion.collection.pyramids import DOCUMENTS, PeerAnnotation, Pyramid
from pyramidion.collection.summaries import Kind, Role, Summary
from pyramidion.errors import FormatError, InputError, NotFoundError, Where
from pyramidion.files.writing import writing_folder

#: How to fix two files of the same pyramid or annotation.
KEEP_ONE = "keep one, or add ~<version> to a pyramid's name, ~<assessor> to an annotation's"

# Letters, digits and some punctuation are safe in file names.
_UNSAFE_CHARACTER = re.compile(r"[^\w ,+=@]")
_ANY_CHARACTER = re.compile(r".", re.DOTALL)

Key = TypeVar("Key", bound=tuple[str, ...])


def file_names(keys: Iterable[Key], key_of: Callable[[Path], Key], suffix: str) -> dict[Key, str]:
    """Name a file for each key, so that `key_of` its path returns the key."""
    names: dict[Key, str] = {}
    used_names: set[str] = set()
    for key in keys:
        if not key[1] or (len(key) > 3 and not key[2]):
            raise InputError(f"an annotation of {key} has no address", "name its topic")
        name = _name_of_key(key, _UNSAFE_CHARACTER) + suffix
        # On some file systems, T1 and t1 are the same name.
        if name.casefold() in used_names or key_of(Path(name)) != key:
            name = _name_of_key(key, _ANY_CHARACTER) + suffix
        used_names.add(name.casefold())
        names[key] = name
    return names


def _name_of_key(key: tuple[str, ...], unsafe_pattern: re.Pattern[str]) -> str:
    address_ids, extra_ids = (key[:2], key[2:]) if len(key) == 3 else (key[:3], key[3:])
    task, topic, *system = address_ids
    address = "-".join(
        unsafe_pattern.sub(_escape_character, id) for id in (topic, task, *system) if id
    )
    return "~".join(
        (address, *(unsafe_pattern.sub(_escape_character, id) for id in extra_ids))
    ).rstrip("~")


def _escape_character(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())


def pyramid_key(file: Path, topics: set[str]) -> tuple[str, str, str]:
    """Return the task, topic and version of ``<topic>-<task>~<version>.pyr``, or a shorter name."""
    name, _, version = file.stem.partition("~")
    topic, hyphen, task = name.rpartition("-")
    if not hyphen or ("%" not in name and topic not in topics and name in topics):
        return "", unquote(name), unquote(version)
    if not topic:
        raise _name_error(file, "<topic>-<task>.pyr")
    return unquote(task), unquote(topic), unquote(version)


def peer_key(file: Path) -> tuple[str, ...]:
    """Return the task, topic, system, assessor and occasion of ``<topic>-<task>-<system>.pan``.

    The last two may follow the system after tildes; NIST writes an annotator before the topic.
    """
    name, _, suffix = file.stem.partition("~")
    assessor, _, occasion = map(unquote, suffix.partition("~"))
    if nist_name := parse_annotation_name(name):
        annotator, summary = nist_name
        return summary.task, summary.topic, summary.system, assessor or annotator, occasion
    parts = [unquote(part) for part in name.split("-")]
    if len(parts) not in (2, 3) or not (parts[0] and parts[-1]):
        raise _name_error(file, "<topic>-<task>-<system>.pan")
    return parts[1] if len(parts) == 3 else "", parts[0], parts[-1], assessor, occasion


def split_versions(
    pyramids: Mapping[tuple[str, str, str], Pyramid],
) -> tuple[dict[tuple[str, str], Pyramid], dict[tuple[str, str, str], Pyramid]]:
    """Separate the current pyramids, which have no version, from the others."""
    current_pyramids = {key[:2]: pyramid for key, pyramid in pyramids.items() if not key[2]}
    return current_pyramids, {key: pyramid for key, pyramid in pyramids.items() if key[2]}


def writer_of(reference: str) -> str:
    """Return the system that wrote a reference, by the name in its header."""
    nist_name = parse_summary_name(reference)
    return nist_name.system if nist_name else reference


def _name_error(file: Path, usual_name: str) -> FormatError:
    return Where(file).error(
        "the name does not identify the annotation",
        f"name it {usual_name} and write a hyphen inside an id as %2D",
    )


_SUFFIXES = (".pyr", ".pan")
_ROOT_PATTERN = re.compile(rb"<(?:pyramid|peerAnnotation)\b")


def _matches(path: Path) -> bool:
    if path.is_dir():
        return any(_is_ducview(file) for file in path.iterdir())
    return _is_ducview(path) or _ROOT_PATTERN.search(first_bytes(path)) is not None


def _is_ducview(path: Path) -> bool:
    return path.suffix.lower() in _SUFFIXES


def _read(path: Path) -> Collection:
    annotations = Annotations()
    # Pyramids first: annotations with an equal pyramid share its object.
    files = sorted(
        path.iterdir() if path.is_dir() else [path],
        key=lambda file: (file.suffix.lower() == ".pan", natural_order(file.name)),
    )
    for file in files:
        if file == path or _is_ducview(file):
            annotations.add(file, is_only_file=file == path)
    if not annotations and annotations.unreadable:
        raise annotations.unreadable[0]
    if not annotations:
        raise NotFoundError("there is no .pyr or .pan file", "add one", where=Where(path))
    left_out = annotations.left_out
    if names := [file.name for file in files if file != path and not _is_ducview(file)]:
        left_out.append(f"{len(names)} files that are neither .pyr nor .pan: {brief_list(names)}")
    pyramids, versions = annotations.pyramids()
    peers = annotations.peers()
    return Collection(
        name=path.resolve().name.removesuffix(".pyr").removesuffix(".pan"),
        summaries=tuple(annotated_summaries(pyramids, peers)),
        pyramids=pyramids,
        peer_annotations=peers,
        versions=versions,
        left_out=tuple(left_out),
        repaired=tuple(annotations.repaired),
    )


@dataclass(slots=True)
class Annotations:
    """Pyramids and annotated peers, collected file by file."""

    left_out: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    stems: list[str] = field(default_factory=list)
    _pyramids: list[tuple[Path, Pyramid]] = field(default_factory=list)
    _peers: dict[tuple[str, ...], PeerAnnotation] = field(default_factory=dict)
    _shared: SharedPyramids = field(default_factory=SharedPyramids)
    unreadable: list[FormatError] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self._pyramids or self._peers)

    def add(self, file: Path, *, is_only_file: bool = False) -> None:
        """Add a file; one that cannot be read is listed as left out, unless it is alone."""
        ducview_path = file if _is_ducview(file) else Path(f"{file.name}.pan")
        try:
            annotation = read_ducview(file, shared_pyramids=self._shared)
            key = () if isinstance(annotation, Pyramid) else peer_key(ducview_path)
        except FormatError as error:
            if is_only_file:
                raise
            self.unreadable.append(error)
            self.left_out.append(f"{file.name}, which cannot be read: {error.what}")
            return
        if isinstance(annotation, Pyramid):
            self._pyramids.append((file, annotation))
        else:
            self._require_same(annotation, self._peers.setdefault(key, annotation), file)
            self.stems.append(file.stem)
        add_notes(file.name, annotation.notes, self.left_out, self.repaired)

    def _require_same(self, annotation: object, earlier_annotation: object, file: Path) -> None:
        if annotation != earlier_annotation:
            raise Where(file).error("another file has the same topic, task and system", KEEP_ONE)
        if annotation is not earlier_annotation:
            self.left_out.append(f"{file.name}, which repeats another file")

    def pyramids(
        self,
    ) -> tuple[dict[tuple[str, str], Pyramid], dict[tuple[str, str, str], Pyramid]]:
        """Return the current pyramids, by default those of annotations, and other versions."""
        keys = []
        for file, pyramid in self._pyramids:
            # The letters of the writers after a name are not a task.
            stem, tilde, version = (file.stem if _is_ducview(file) else file.name).partition("~")
            writers = [writer_of(reference.name) for reference in pyramid.references]
            name = f"{without_writers(stem, writers)}{tilde}{version}.pyr"
            keys.append(pyramid_key(Path(name), set()))
        addresses: dict[int, set[tuple[str, ...]]] = {}
        for key, peer in self._peers.items():
            addresses.setdefault(id(peer.pyramid), set()).add(key[:2])
        annotated_topics = set().union(*addresses.values())
        pyramids_by_key: dict[tuple[str, str, str], Pyramid] = {}
        for (file, pyramid), (task, topic, version) in zip(self._pyramids, keys, strict=True):
            unused_addresses = addresses.get(id(pyramid), set()) - {name[:2] for name in keys}
            # A file with the pyramid of annotations belongs to them, regardless of its name.
            belongs_elsewhere = (
                len(unused_addresses) == 1 and (task, topic) not in annotated_topics and not version
            )
            address = unused_addresses.pop() if belongs_elsewhere else (task, topic)
            key = (address[0], address[1], version)
            self._require_same(pyramid, pyramids_by_key.setdefault(key, pyramid), file)
        current_pyramids, versions = split_versions(pyramids_by_key)
        for (task, topic, *_), peer in self._peers.items():
            current_pyramids.setdefault((task, topic), peer.pyramid)
        return current_pyramids, versions

    def peers(self, systems: Iterable[str] = ()) -> dict[tuple[str, ...], PeerAnnotation]:
        """Return the annotated peers; 01 is renamed to 1 if other topics have a system 1."""
        all_systems = {*systems, *(key[2] for key in self._peers)}
        padded_names = (name for name in all_systems if name[:1] == "0" and name.isdecimal())
        unpadded_names = {name: name.lstrip("0") for name in padded_names}
        renamed_peers: dict[tuple[str, ...], PeerAnnotation] = {}
        changed_systems: dict[str, set[str]] = {}
        for (task, topic, system, *annotation_key), peer in self._peers.items():
            key = task, topic, unpadded_names.get(system, ""), *annotation_key
            if key[2] in all_systems and key not in self._peers:
                changed_systems.setdefault(topic, set()).add(system)
                renamed_peers[key] = peer
            else:
                renamed_peers[task, topic, system, *annotation_key] = peer
        for topic, names in changed_systems.items():
            examples = (f"{name} = {unpadded_names[name]}" for name in sorted(names))
            self.repaired.append(f"{topic}: peers are other topics' systems: {', '.join(examples)}")
        return renamed_peers


_REPAIR_NOTE = re.compile(r"which is used$|were read as ")


def add_notes(name: str, notes: Iterable[str], left_out: list[str], repaired: list[str]) -> None:
    """Sort a file's notes into what was repaired and what was left out."""
    for note in notes:
        (repaired if _REPAIR_NOTE.search(note) else left_out).append(f"{name}: {note}")


def annotated_summaries(
    pyramids: Mapping[tuple[str, str], Pyramid], peers: Mapping[tuple[str, ...], PeerAnnotation]
) -> Iterator[Summary]:
    """Return the references of pyramids, and annotated peers that are not among them."""
    reference_keys = set()
    texts: dict[tuple[str, ...], str] = {}
    for key, peer in peers.items():
        if key[2] != DOCUMENTS:
            texts.setdefault(key[:3], peer.text.strip())
    for (task, topic), pyramid in pyramids.items():
        for reference in pyramid.references:
            text = pyramid.text[reference.start : reference.end].strip()
            writer = writer_of(reference.name)
            role: Role = "both" if (task, topic, writer) in texts else "reference"
            reference_keys.add((task, topic, writer))
            yield Summary(topic, writer, text, task, "human", role)
    people = {writer for _, _, writer in reference_keys}
    for (task, topic, system), text in texts.items():
        if (task, topic, system) not in reference_keys:
            kind: Kind = "human" if system in people else "machine"
            yield Summary(topic, system, text, task, kind, "peer")


def write_annotations(
    collection: Collection, pyramids: Path, peers: Path, topics: set[str]
) -> None:
    """Write pyramids and annotated peers into existing folders."""
    pyramids_by_version = collection.named_pyramids
    for key, name in file_names(
        pyramids_by_version, lambda file: pyramid_key(file, topics), ".pyr"
    ).items():
        write_pyramid(pyramids_by_version[key], pyramids / name)
    peer_annotations = collection.peer_annotations
    for address, name in file_names(peer_annotations, peer_key, ".pan").items():
        write_peer_annotation(peer_annotations[address], peers / name)


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    if not (collection.pyramids or collection.peer_annotations):
        raise InputError("the collection has no pyramids", "choose another format")
    with writing_folder(path, replace=replace) as folder:
        write_annotations(collection, folder, folder, set())
    summaries = annotated_summaries(collection.pyramids, collection.peer_annotations)
    summary_by_key = {summary.key: summary for summary in summaries}
    n_unannotated = sum(summary.key not in summary_by_key for summary in collection.summaries)
    n_changed = sum(summary_by_key.get(s.key, s) != s for s in collection.summaries)
    return nonzero_counts(
        {
            **part_sizes(collection, "topics", "scores"),
            "summaries that are in no pyramid": n_unannotated,
            "roles, kinds or aspects of summaries": n_changed,
        }
    )


FORMAT = Format(
    name="ducview",
    title="DUCView's pyramids (.pyr) and annotated peers (.pan), one file or a folder of them",
    matches=_matches,
    read=_read,
    write=_write,
)
