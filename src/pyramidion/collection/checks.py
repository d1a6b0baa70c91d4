"""What is missing or inconsistent in a collection."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from pyramidion.collection.aspects import TAC_CATEGORIES
from pyramidion.collection.collection import Collection
from pyramidion.collection.ids import natural_order
from pyramidion.collection.pyramids import NOT_IN_PYRAMID, PeerAnnotation, Pyramid
from pyramidion.collection.summaries import Summary
from pyramidion.errors import ShapeError, Where

__all__ = ["Problem", "find_problems", "require_consistent"]

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something missing or inconsistent.

    Parameters
    ----------
    kind
        A short name that groups problems of one sort.
    subject
        The id that is wrong.
    message
        What is wrong and how to mend it.
    fatal
        Whether the collection cannot be used at all: an address stands for two things.

    Examples
    --------
    >>> Problem("no references", "T1, task A", "add references").kind
    'no references'
    """

    kind: str
    subject: str
    message: str
    fatal: bool = False


def find_problems(collection: Collection) -> list[Problem]:
    """List everything that is missing or inconsistent.

    Examples
    --------
    >>> lonely = Collection("mine", summaries=(Summary("T1", "7", "It rained."),))
    >>> [problem.kind for problem in find_problems(lonely)]
    ['no references']
    """
    checks = (
        *_FATAL_CHECKS,
        _unknown_topics,
        _topics_without_summaries,
        _documents,
        _categories,
        _references,
        _empty_summaries,
        _over_limit,
        _missing_peers,
        _off_scale,
    )
    return [problem for check in checks for problem in check(collection)]


def require_consistent(collection: Collection, where: Where | None = None) -> None:
    """Refuse a collection in which an address stands for two things.

    Parameters
    ----------
    collection
        What to check.
    where
        Where it was read, for the message.

    Examples
    --------
    >>> require_consistent(Collection("empty"))
    """
    found = (problem for check in _FATAL_CHECKS for problem in check(collection))
    fatal = [problem for problem in found if problem.fatal]
    if fatal:
        more = f" (and {len(fatal) - 1} more such problems)" if len(fatal) > 1 else ""
        raise ShapeError(
            f"{fatal[0].kind}: {fatal[0].subject}{more}",
            where=where,
            hint=f"{fatal[0].message}; `pyramidion describe` lists all",
        )


def _repeated(
    kind: str, keys: Iterable[Key], message: str, name: Callable[[Key], str] = str
) -> Iterator[Problem]:
    for key, count in Counter(keys).items():
        if count > 1:
            yield Problem(kind, name(key), f"it stands there {count} times; {message}", fatal=True)


def _address(task: str, topic: str, system: str | None = None) -> str:
    parts = [topic, *([f"task {task}"] if task else []), *([system] if system is not None else [])]
    return ", ".join(parts)


def _address_order(address: tuple[str, str]) -> tuple[object, ...]:
    return tuple(map(natural_order, address))


def _repeated_settings(collection: Collection) -> Iterator[Problem]:
    tasks = (task.id for task in collection.tasks)
    yield from _repeated("duplicated task", tasks, "rename one")
    categories = (category.id for category in collection.categories)
    yield from _repeated("duplicated category", categories, "rename one")
    aspects = (aspect.id for category in collection.categories for aspect in category.aspects)
    yield from _repeated("duplicated aspect", aspects, "rename one")


def _repeated_topics(collection: Collection) -> Iterator[Problem]:
    yield from _repeated("duplicated topic", (t.id for t in collection.topics), "rename one")
    for topic in collection.topics:
        names = (f"{topic.id}, document {document.id}" for document in topic.documents)
        yield from _repeated("duplicated document", names, "rename one")


def _repeated_summaries(collection: Collection) -> Iterator[Problem]:
    keys = (summary.key for summary in collection.summaries)
    message = "keep one for each task, topic and system"
    yield from _repeated("duplicated summary", keys, message, lambda key: _address(*key))


def _repeated_scores(collection: Collection) -> Iterator[Problem]:
    columns = collection.scores.columns
    for _, row in collection.scores.repeated_keys():
        address = _address(columns["task"][row], columns["topic"][row], columns["system"][row])
        yield Problem(
            "repeated score",
            f"{address}, {columns['measure'][row]}",
            "keep one, or tell them apart by assessor or occasion",
            fatal=True,
        )


def _incomplete_scores(collection: Collection) -> Iterator[Problem]:
    for row, column in collection.scores.incomplete_rows():
        yield Problem("incomplete score", f"row {row + 1} of the scores", f"add its {column}")


def _kinds(collection: Collection) -> Iterator[Problem]:
    seen: dict[str, set[str]] = {}
    for summary in collection.summaries:
        seen.setdefault(summary.system, set()).add(summary.kind)
    columns = collection.scores.columns
    for system, kind in set(zip(columns["system"], columns["kind"], strict=True)):
        seen.setdefault(system, set()).add(kind)
    mixed = (name for name, kinds in seen.items() if len(kinds) > 1)
    for system in sorted(mixed, key=natural_order):
        yield Problem(
            "conflicting kinds", system, "it is human here and a machine there", fatal=True
        )


def _unknown_topics(collection: Collection) -> Iterator[Problem]:
    if not collection.topics:
        return
    known = {topic.id for topic in collection.topics}
    for topic in (id for id in collection.topic_ids if id not in known):
        yield Problem("unknown topic", topic, "add it to the topics, or mend the id")


def _topics_without_summaries(collection: Collection) -> Iterator[Problem]:
    there = {(summary.task, summary.topic) for summary in collection.summaries}
    tasks = {task for task, _ in there}
    for topic in dict.fromkeys(topic.id for topic in collection.topics):
        for task in sorted(task for task in tasks if (task, topic) not in there):
            name = _address(task, topic)
            yield Problem("topic without summaries", name, "add some, or take the topic out")


def _documents(collection: Collection) -> Iterator[Problem]:
    if not any(topic.documents for topic in collection.topics):
        return
    for topic in collection.topics:
        if not topic.documents:
            yield Problem("topic without documents", topic.id, "add its documents")
        for document in topic.documents:
            if not document.text.strip():
                name = f"{topic.id}, document {document.id}"
                yield Problem("empty document", name, "add its text, or take it out")


def _categories(collection: Collection) -> Iterator[Problem]:
    categories = {category.id: category for category in (*TAC_CATEGORIES, *collection.categories)}
    for topic in collection.topics:
        if topic.category and topic.category not in categories:
            yield Problem("unknown category", topic.id, f"declare category {topic.category}")
    known = {aspect.id for category in categories.values() for aspect in category.aspects}
    for summary in collection.summaries:
        for aspect in sorted({span.aspect for span in summary.aspects} - known):
            yield Problem("unknown aspect", f"{_address(*summary.key)}: {aspect}", "declare it")


def _references(collection: Collection) -> Iterator[Problem]:
    addresses = {(summary.task, summary.topic) for summary in collection.summaries}
    for task, topic in sorted(addresses, key=_address_order):
        if not collection.references(topic, task):
            yield Problem("no references", _address(task, topic), "add reference summaries")


def _empty_summaries(collection: Collection) -> Iterator[Problem]:
    for summary in collection.summaries:
        if not summary.plain.strip():
            yield Problem("empty summary", _address(*summary.key), "it scores 0; is it meant?")


def _over_limit(collection: Collection) -> Iterator[Problem]:
    limits = {task.id: task.word_limit for task in collection.tasks}
    for summary in collection.summaries:
        limit = limits.get(summary.task)
        if limit is not None and summary.words > limit:
            message = f"{summary.words} words, the limit is {limit}: NIST would judge it cut"
            yield Problem("summary over the limit", _address(*summary.key), message)


def _missing_peers(collection: Collection) -> Iterator[Problem]:
    """Find machines that lack a topic others have; people write only some topics by design."""
    machines = [s for s in collection.summaries if s.kind == "machine" and s.is_peer]
    topics: dict[str, set[str]] = {}
    for summary in machines:
        topics.setdefault(summary.task, set()).add(summary.topic)
    there = {summary.key for summary in machines}
    pairs = {(summary.task, summary.system) for summary in machines}
    for task, system in sorted(pairs, key=_address_order):
        absent = (topic for topic in topics[task] if (task, topic, system) not in there)
        lacking = sorted(absent, key=natural_order)
        if lacking:
            shown = ", ".join(lacking[:3]) + (", ..." if len(lacking) > 3 else "")
            subject = f"{system}, task {task}" if task else system
            topic_word = "topic" if len(lacking) == 1 else "topics"
            message = f"{len(lacking)} {topic_word} that other systems have ({shown})"
            yield Problem("missing summaries", subject, message)


def _off_scale(collection: Collection) -> Iterator[Problem]:
    for measure, scale in collection.scales.items():
        rows = collection.scores.select(measure=measure)
        wrong = [value for value in np.unique(rows.value) if not scale.allows(value)]
        allowed = f"{scale.low:g} to {scale.high:g}"
        allowed += f" in steps of {scale.step:g}" if scale.step else ""
        for row in rows.rows(np.isin(rows.value, wrong)):
            address = _address(row.task, row.topic, row.system)
            message = f"{row.value:g} is not on the scale from {allowed}"
            yield Problem("score off its scale", f"{address}, {measure}", message)


def _pyramids(collection: Collection) -> Iterator[Problem]:
    for (task, topic), pyramid in collection.pyramids.items():
        address = f"pyramid of {_address(task, topic)}"
        yield from _pyramid_problems(address, pyramid)
        yield from _unknown_writers(address, pyramid, collection.references(topic, task))
    for (task, topic, system), peer in collection.peer_annotations.items():
        address = f"peer annotation of {_address(task, topic, system)}"
        yield from _peer_problems(address, peer, collection.pyramids.get((task, topic)))


def _pyramid_problems(address: str, pyramid: Pyramid) -> Iterator[Problem]:
    uids = (f"{address}, SCU {scu.uid}" for scu in pyramid.scus)
    yield from _repeated("duplicated SCU", uids, "give it another uid")
    for scu in pyramid.scus:
        subject = f"{address}, SCU {scu.uid}"
        owners = [pyramid.reference_of(contributor) for contributor in scu.contributors]
        if None in owners:
            yield Problem("contributor in no reference", subject, "check its offsets")
        for owner, count in Counter(owner for owner in owners if owner).items():
            if count > 1:
                message = f"{count} contributors in {owner} count once"
                yield Problem("SCU twice in one reference", subject, message)


def _unknown_writers(
    address: str, pyramid: Pyramid, references: tuple[Summary, ...]
) -> Iterator[Problem]:
    """Compare the pyramid's references with the collection's, where it has any."""
    if references and len(references) != len(pyramid.references):
        message = f"{len(pyramid.references)} references, the collection has {len(references)}"
        yield Problem("pyramid of other references", address, message)


def _peer_problems(
    address: str, peer: PeerAnnotation, pyramid: Pyramid | None
) -> Iterator[Problem]:
    known = {scu.uid for scu in peer.pyramid.scus} | {NOT_IN_PYRAMID}
    for scu in peer.scus:
        if scu.uid not in known:
            yield Problem("unknown SCU", f"{address}, SCU {scu.uid}", "it is not in the pyramid")
    if pyramid is not None and pyramid.scus != peer.pyramid.scus:
        yield Problem("other pyramid", address, "the annotation was made with a different pyramid")


# Those that can find an address that stands for two things.
_FATAL_CHECKS = (
    _repeated_settings,
    _repeated_topics,
    _repeated_summaries,
    _repeated_scores,
    _incomplete_scores,
    _kinds,
    _pyramids,
)
