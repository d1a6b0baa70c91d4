"""DUCView's files: a ``.pyr``, a ``.pan``, or a folder of them, as a collection.

Names tell what a file is about: ``<topic>-<task>.pyr`` and ``<topic>-<task>-<system>.pan``, or as
in DUC and TAC ``D0901-A.M.100.A.17.pan``. After a tilde follow a pyramid's version, an annotation's
assessor and after another one its occasion. Inside an id ``%2D`` is a hyphen, ``%2E`` a full stop.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from pyramidion.collection._collection import Collection
from pyramidion.collection._files import writing_folder
from pyramidion.collection._ids import brief_list, natural_order
from pyramidion.collection._pyramids import PeerAnnotation, Pyramid
from pyramidion.collection._summaries import Kind, Role, Summary
from pyramidion.collection.formats._base import Format, counted, first_bytes
from pyramidion.collection.formats._duc.names import parse_summary_name
from pyramidion.collection.formats._ducview_files import (
    SharedPyramids,
    read_ducview,
    write_peer_annotation,
    write_pyramid,
)
from pyramidion.errors import FormatError, InputError, NotFoundError, Where

# Letters and digits of any script are safe, and so is the little punctuation listed here.
#: How to mend two files that have one name to this package.
KEEP_ONE = "keep one, or add ~<version> to a pyramid's name, ~<assessor> to an annotation's"

_UNSAFE = re.compile(r"[^\w ,+=@]")
_ANY = re.compile(r".", re.DOTALL)

Key = TypeVar("Key", bound=tuple[str, ...])


def file_names(keys: Iterable[Key], key_of: Callable[[Path], Key], suffix: str) -> dict[Key, str]:
    """Name a file for each key, so that `key_of` its path gives the key again."""
    names: dict[Key, str] = {}
    taken: set[str] = set()
    for key in keys:
        if not key[1] or (len(key) > 3 and not key[2]):
            raise InputError(f"an annotation of {key} has no address", "name its topic")
        name = _joined(key, _UNSAFE) + suffix
        # Some file systems take T1 and t1 for the same name.
        if name.casefold() in taken or key_of(Path(name)) != key:
            name = _joined(key, _ANY) + suffix
        taken.add(name.casefold())
        names[key] = name
    return names


def _joined(key: tuple[str, ...], unsafe: re.Pattern[str]) -> str:
    ids, more = (key[:2], key[2:]) if len(key) == 3 else (key[:3], key[3:])
    task, topic, *system = ids
    address = "-".join(unsafe.sub(_escaped, id) for id in (topic, task, *system) if id)
    return "~".join((address, *(unsafe.sub(_escaped, id) for id in more))).rstrip("~")


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())


def pyramid_key(file: Path, topics: set[str]) -> tuple[str, str, str]:
    """Give (task, topic, version) of a file named ``<topic>-<task>~<version>.pyr``, or shorter."""
    name, _, version = file.stem.partition("~")
    topic, joint, task = name.rpartition("-")
    if not joint or ("%" not in name and topic not in topics and name in topics):
        return "", unquote(name), unquote(version)
    if not topic:
        raise _nameless(file, "<topic>-<task>.pyr")
    return unquote(task), unquote(topic), unquote(version)


def peer_key(file: Path) -> tuple[str, ...]:
    """Give task, topic, system, assessor and occasion of ``<topic>-<task>-<system>.pan``.

    The last two follow the system after tildes, where there are any.
    """
    name, _, more = file.stem.partition("~")
    assessor, _, occasion = map(unquote, more.partition("~"))
    nist = parse_summary_name(name)
    if nist:
        return nist.task, nist.topic, nist.system, assessor, occasion
    parts = [unquote(part) for part in name.split("-")]
    if len(parts) not in (2, 3) or not (parts[0] and parts[-1]):
        raise _nameless(file, "<topic>-<task>-<system>.pan")
    return parts[1] if len(parts) == 3 else "", parts[0], parts[-1], assessor, occasion


def by_version(
    named: Mapping[tuple[str, str, str], Pyramid],
) -> tuple[dict[tuple[str, str], Pyramid], dict[tuple[str, str, str], Pyramid]]:
    """Tell the pyramids in force, which have no version, from the others."""
    current = {(task, topic): own for (task, topic, version), own in named.items() if not version}
    return current, {key: own for key, own in named.items() if key[2]}


def writer_of(reference: str) -> str:
    """Give the system that wrote a reference, by the name its header gives it."""
    nist = parse_summary_name(reference)
    return nist.system if nist else reference


def _nameless(file: Path, form: str) -> FormatError:
    return Where(file).error(
        "the name does not say whose annotation it is",
        f"name it {form} and write a hyphen inside an id as %2D",
    )


_SUFFIXES = (".pyr", ".pan")
_ROOT = re.compile(rb"<(?:pyramid|peerAnnotation)\b")


def _matches(path: Path) -> bool:
    if path.is_dir():
        return any(_is_ducview(file) for file in path.iterdir())
    return _is_ducview(path) or _ROOT.search(first_bytes(path)) is not None


def _is_ducview(path: Path) -> bool:
    return path.suffix.lower() in _SUFFIXES


def _read(path: Path) -> Collection:
    contents = _Contents()
    # Pyramids first: those of annotations that are equal to them are the same object.
    found = path.iterdir() if path.is_dir() else [path]
    files = sorted(found, key=lambda f: (f.suffix.lower() == ".pan", natural_order(f.name)))
    for file in files:
        if file == path or _is_ducview(file):
            contents.add(file)
    if not (contents.pyramids or contents.peers):
        raise NotFoundError("there is no .pyr or .pan file", "add one", where=Where(path))
    pyramids, versions = contents.all_pyramids()
    return Collection(
        name=path.resolve().name.removesuffix(".pyr").removesuffix(".pan"),
        summaries=tuple(annotated_summaries(pyramids, contents.peers)),
        pyramids=pyramids,
        peer_annotations=contents.peers,
        versions=versions,
        left_out=(*contents.notes, *_strangers(path, files)),
    )


def _strangers(path: Path, files: list[Path]) -> Iterator[str]:
    names = [file.name for file in files if file != path and not _is_ducview(file)]
    if names:
        yield f"{len(names)} files that are neither .pyr nor .pan: {brief_list(names)}"


@dataclass(frozen=True, slots=True)
class _Contents:
    """What was found in the files so far."""

    pyramids: dict[tuple[str, str, str], Pyramid] = field(default_factory=dict)
    peers: dict[tuple[str, ...], PeerAnnotation] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    shared: SharedPyramids = field(default_factory=SharedPyramids)

    def add(self, file: Path) -> None:
        found = read_ducview(file, shared=self.shared)
        named = file if _is_ducview(file) else Path(f"{file.name}.pyr")
        if isinstance(found, Pyramid):
            address = pyramid_key(named, set())
            self._require_new(address in self.pyramids, file)
            self.pyramids[address] = found
        else:
            key = peer_key(named)
            self._require_new(key in self.peers, file)
            self.peers[key] = found
        self.notes.extend(f"{file.name}: {note}" for note in found.notes)

    def _require_new(self, known: bool, file: Path) -> None:
        if known:
            raise Where(file).error("another file has the same topic, task and system", KEEP_ONE)

    def all_pyramids(
        self,
    ) -> tuple[dict[tuple[str, str], Pyramid], dict[tuple[str, str, str], Pyramid]]:
        """Add pyramids that only annotations have; the first of a topic is taken."""
        every, versions = by_version(self.pyramids)
        for (task, topic, *_), peer in self.peers.items():
            every.setdefault((task, topic), peer.pyramid)
        return every, versions


def annotated_summaries(
    pyramids: Mapping[tuple[str, str], Pyramid],
    peers: Mapping[tuple[str, ...], PeerAnnotation],
) -> Iterator[Summary]:
    """Give the pyramids' references, and the annotated peers that are not among them."""
    written = set()
    texts: dict[tuple[str, ...], str] = {}
    for key, peer in peers.items():
        texts.setdefault(key[:3], peer.text.strip())
    for (task, topic), pyramid in pyramids.items():
        for reference in pyramid.references:
            text = pyramid.text[reference.start : reference.end].strip()
            writer = writer_of(reference.name)
            role: Role = "both" if (task, topic, writer) in texts else "reference"
            written.add((task, topic, writer))
            yield Summary(topic, writer, text, task, "human", role)
    people = {writer for _, _, writer in written}
    for (task, topic, system), text in texts.items():
        if (task, topic, system) not in written:
            kind: Kind = "human" if system in people else "machine"
            yield Summary(topic, system, text, task, kind, "peer")


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    if not (collection.pyramids or collection.peer_annotations):
        raise InputError("the collection has no pyramids", "choose another format")
    with writing_folder(path, replace=replace) as folder:
        every = collection.named_pyramids
        names = file_names(every, lambda file: pyramid_key(file, set()), ".pyr")
        for address, pyramid in every.items():
            write_pyramid(pyramid, folder / names[address])
        peers = file_names(collection.peer_annotations, peer_key, ".pan")
        for key, peer in collection.peer_annotations.items():
            write_peer_annotation(peer, folder / peers[key])
    inside = {
        s.key: s for s in annotated_summaries(collection.pyramids, collection.peer_annotations)
    }
    return counted(
        topics=len(collection.topics),
        scores=len(collection.scores),
        **{
            "summaries that are in no pyramid": sum(
                summary.key not in inside for summary in collection.summaries
            ),
            "roles, kinds or aspects of summaries": sum(
                summary.key in inside and inside[summary.key] != summary
                for summary in collection.summaries
            ),
        },
    )


FORMAT = Format(
    name="ducview",
    title="DUCView's pyramids (.pyr) and annotated peers (.pan), one file or a folder of them",
    matches=_matches,
    read=_read,
    write=_write,
)
