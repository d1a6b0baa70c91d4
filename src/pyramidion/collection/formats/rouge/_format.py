"""ROUGE-1.5.5 configurations: an XML file that names the files of peers and models.

A written folder holds ``rouge.xml``, ``peers/`` and ``models/``. An EVAL becomes a topic, its
peers machines and its models people; a file that is listed as both was written by a person.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection.collection import Collection
from pyramidion.collection.files import MAX_XML_BYTES, decode, read_bytes
from pyramidion.collection.formats.base import Format, first_bytes
from pyramidion.collection.formats.rouge.config import (
    RougeConfig,
    RougeEvaluation,
    RougeFile,
    read_rouge_config,
)
from pyramidion.collection.formats.rouge.files import SENTENCE_FORMATS, parse_sentences
from pyramidion.collection.formats.rouge.write import write_rouge
from pyramidion.collection.ids import natural_order
from pyramidion.collection.summaries import Kind, Role, Summary
from pyramidion.errors import NotFoundError, Where

__all__ = ["FORMAT", "collection_from_rouge", "write_rouge"]

_NAME = "rouge.xml"
_ROOT = re.compile(rb"<ROUGE[-_]EVAL\b")


def _matches(path: Path) -> bool:
    return _ROOT.search(first_bytes(path / _NAME if path.is_dir() else path)) is not None


def _read(path: Path) -> Collection:
    # A collection is what its path says, wherever one stands; so its own folder comes first.
    config = read_rouge_config(path / _NAME if path.is_dir() else path, own_folder_first=True)
    return collection_from_rouge(config, path.resolve().name.removesuffix(".xml"))


def collection_from_rouge(config: RougeConfig, name: str) -> Collection:
    """Read the files of a configuration into a collection.

    Parameters
    ----------
    config
        The configuration.
    name
        The collection's name.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "17.spl"
    ...     _ = file.write_text("Rain fell.")
    ...     evaluation = RougeEvaluation("T1", (RougeFile("17", file),), ())
    ...     mine = collection_from_rouge(RougeConfig(Path("a.xml"), (evaluation,)), "mine")
    >>> mine.summaries[0].text
    ('Rain fell.',)
    """
    people = {_place(model) for e in config.evaluations for model in e.models}
    machines = {
        peer.id for e in config.evaluations for peer in e.peers if _place(peer) not in people
    }
    taken = [e for e in config.evaluations if e.input_format in SENTENCE_FORMATS]
    readers = [_Reader(config.path, evaluation, people, machines) for evaluation in taken]
    return Collection(
        name=name,
        summaries=tuple(summary for reader in readers for summary in reader.summaries()),
        left_out=(*_without_text(config), *_renamed(config, machines)),
    )


def _place(file: RougeFile) -> str:
    return os.path.normpath(file.path)


def _without_text(config: RougeConfig) -> Iterator[str]:
    names = [e.id for e in config.evaluations if e.input_format not in SENTENCE_FORMATS]
    if names:
        yield f"{len(names)} evaluations of basic elements (SIMPLE): {_shown(names)}"


def _renamed(config: RougeConfig, machines: set[str]) -> Iterator[str]:
    ids = {model.id for e in config.evaluations for model in e.models} & machines
    if ids:
        names = [f"{id} (now {_writer(id, machines)})" for id in sorted(ids, key=natural_order)]
        yield f"{len(names)} ids of models that are also ids of peers: {_shown(names)}"


def _shown(names: list[str]) -> str:
    return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")


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
        text = self._sentences(file)
        return Summary(self.evaluation.id, system, text, kind=kind, role=role)

    def _sentences(self, file: RougeFile) -> tuple[str, ...]:
        if not file.exists:
            raise NotFoundError(
                f"the file of {file.id} is not there: {file.path}",
                where=Where(self.config, element=f"EVAL {self.evaluation.id}"),
                hint="relative paths count from the configuration's folder or from where you are",
            )
        data = read_bytes(file.path, limit=MAX_XML_BYTES)
        text = decode(data, Where(file.path))
        format = next(name for name in SENTENCE_FORMATS if name == self.evaluation.input_format)
        found = (s.decode().rstrip("\r") for s in parse_sentences(text.encode(), format))
        return tuple(sentence for sentence in found if sentence)


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    return write_rouge(collection, path, replace=replace)


FORMAT = Format(
    name="rouge",
    title="a ROUGE-1.5.5 configuration (XML) with SPL, SEE or ISI files",
    matches=_matches,
    read=_read,
    write=_write,
)
