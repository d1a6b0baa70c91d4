"""Write a collection as a DUC or TAC folder.

Ids must fit the file names: topics of letters, digits and underscores, empty tasks or one capital
letter, people with one capital letter, other machines without a dot, documents that are valid file
names. Other collections are refused.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from pyramidion.collection import Collection, Document, Topic
from pyramidion.collection.formats import write_peer_annotation, write_pyramid, write_scores
from pyramidion.collection.formats.base import nonzero_counts
from pyramidion.collection.formats.nist_names import SummaryName, parse_summary_name
from pyramidion.datasets._duc.names import (
    docset_letter,
    format_summary,
    is_letter_assessor,
    kind_of_writer,
    parse_docset,
    unify_topics,
)
from pyramidion.datasets._duc.statements import (
    format_document,
    format_statements,
    letter_set,
    set_letter,
)
from pyramidion.errors import InputError
from pyramidion.files.writing import write_text

Key = TypeVar("Key", bound=tuple[str, ...])

_DOCUMENT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,199}", re.ASCII)


def write_duc_files(collection: Collection, folder: Path) -> None:
    """Write a collection into a folder; refuse ids that do not fit."""
    files = _files(collection)
    _require_fitting(collection, files)
    for name, text in files:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        # A file with a zero byte would not be recognized as text.
        write_text(file, text.replace("\0", " "))
    if len(collection.scores):
        write_scores(collection.scores, folder / "scores.tsv")
    for (task, topic, version), pyramid in collection.named_pyramids.items():
        (folder / "pyramids").mkdir(exist_ok=True)
        name = _with_ids(_docset(topic, task), version)
        write_pyramid(pyramid, folder / "pyramids" / f"{name}.pyr")
    for (task, topic, system, *assessor_and_occasion), peer in collection.peer_annotations.items():
        (folder / "annotations").mkdir(exist_ok=True)
        name = _with_ids(str(SummaryName(topic, task, system)), *assessor_and_occasion)
        write_peer_annotation(peer, folder / "annotations" / f"{name}.pan")


def _with_ids(name: str, *ids: str) -> str:
    """Write a version, or an assessor and an occasion, after tildes."""
    return "~".join((name, *(quote(id, safe="").replace("~", "%7E") for id in ids))).rstrip("~")


def _files(collection: Collection) -> list[tuple[str, str]]:
    """List the names and texts of the files for summaries, articles and topics."""
    topics = {topic.id: topic for topic in collection.topics}
    limits = {task.id: task.word_limit or 0 for task in collection.tasks}
    files = []
    for summary in collection.summaries:
        topic = topics.get(summary.topic, Topic(summary.topic))
        assessor = topic.assessor if is_letter_assessor(topic.id) else ""
        letter = str(topic.extra.get("selector") or assessor or docset_letter(topic.id))
        selector = letter if re.fullmatch("[A-Z]", letter) else "0"
        limit = limits.get(summary.task, 0)
        name = SummaryName(summary.topic, summary.task, summary.system, limit, selector)
        folder = "models" if summary.kind == "human" else "peers"
        files.append((f"{folder}/{name}", format_summary(summary)))
    for topic in collection.topics:
        for document in topic.documents:
            folder = f"docs/{topic.id}/{_docset(topic.id, set_letter(document))}"
            files.append((f"{folder}/{document.id}", format_document(document)))
    if collection.topics:
        files.append(("topics.sgml", format_statements(collection.topics)))
    return files


def _docset(topic: str, task: str) -> str:
    return SummaryName(topic, task, "").docset


def _require_fitting(collection: Collection, files: Iterable[tuple[str, str]]) -> None:
    misfits = [*_misfit_ids(collection)]
    counts = Counter(name for name, _ in files)
    misfits += [f"{name}, which is ambiguous," for name, count in counts.items() if count > 1]
    if misfits:
        suffix = f" (and {len(misfits) - 1} more)" if len(misfits) > 1 else ""
        raise InputError(
            f"{misfits[0]} does not fit the names of a DUC folder{suffix}",
            "topics are named D0901, tasks A or B, people A, machines 17; rename, or choose"
            " another format",
        )


def _misfit_ids(collection: Collection) -> Iterator[str]:
    """Return the ids that cannot be written, or would be read back differently."""
    keys = [summary.key for summary in collection.summaries]
    keys += [(task, topic, system) for task, topic, system, *_ in collection.peer_annotations]
    topics = {topic.id for topic in collection.topics} | {topic for _, topic, _ in keys}
    topics |= {topic for _, topic in collection.pyramids}
    tasks = {task for task, _, _ in keys} | {task for task, _ in collection.pyramids}
    yield from (f"topic {id!r}" for id in sorted(topics) if parse_docset(id) != (id, ""))
    yield from (f"task {id!r}" for id in sorted(tasks) if not re.fullmatch("[A-Z]?", id))
    kinds = {(summary.system, str(summary.kind)) for summary in collection.summaries}
    kinds |= {(system, kind_of_writer(system)) for _, _, system in keys}
    for system, kind in sorted(kinds):
        name = SummaryName("D0901", "A", system)
        if parse_summary_name(str(name)) != name or kind_of_writer(system) != kind:
            yield f"the {'person' if kind == 'human' else 'machine'} {system!r}"
    all_topics = topics | set(collection.scores.columns["topic"])
    for long_name, short_name in unify_topics(all_topics).items():
        yield f"topic {long_name!r} together with {short_name!r}"
    for topic in collection.topics:
        for document in topic.documents:
            if not _is_document(document):
                yield f"document {document.id!r}"


def _is_document(document: Document) -> bool:
    letter = set_letter(document)
    return (
        _DOCUMENT_NAME.fullmatch(document.id) is not None
        and parse_summary_name(document.id) is None
        and re.fullmatch("[A-Z]", letter) is not None
        and letter_set(letter) == document.set
    )


def count_differences(collection: Collection, reread: Collection) -> tuple[str, ...]:
    """Count what a folder cannot store, and what is read back differently."""
    summaries = {summary.key: summary for summary in reread.summaries}
    topics = {topic.id: topic for topic in reread.topics}
    documents = {
        (topic.id, document.set, document.id): document
        for topic in reread.topics
        for document in topic.documents
    }
    scores = Counter(collection.scores) - Counter(reread.scores)
    differing_counts = {
        "summaries": sum(summary != summaries.get(summary.key) for summary in collection.summaries),
        "topics": sum(
            _without_documents(topic) != _without_documents(topics.get(topic.id))
            for topic in collection.topics
        ),
        "documents": sum(
            document != documents.get((topic.id, document.set, document.id))
            for topic in collection.topics
            for document in topic.documents
        ),
        "scores": scores.total(),
        "tasks": len(set(collection.tasks) - set(reread.tasks)),
        "scales": len(collection.scales.items() - reread.scales.items()),
        "pyramids": _count_differing_items(collection.named_pyramids, reread.named_pyramids),
        "annotated peers": _count_differing_items(
            collection.peer_annotations, reread.peer_annotations
        ),
    }
    missing_parts = {
        "description": int(bool(collection.description)),
        "notice": int(bool(collection.notice)),
        "categories": len(collection.categories),
        "declared measures": len(collection.measures),
    }
    changed_counts = {
        f"{description} that are read back differently": count
        for description, count in differing_counts.items()
    }
    return nonzero_counts({**changed_counts, **missing_parts})


def _without_documents(topic: Topic | None) -> tuple[Topic, list[str]] | None:
    """Return a topic without its documents, and their order."""
    if topic is None:
        return None
    return replace(topic, documents=()), [document.id for document in topic.documents]


def _count_differing_items(items: Mapping[Key, object], reread_items: Mapping[Key, object]) -> int:
    return sum(value != reread_items.get(key) for key, value in items.items())
