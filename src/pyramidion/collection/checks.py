"""What is missing or inconsistent in a collection."""

from collections.abc import Iterator

import numpy as np

from pyramidion.collection.aspects import TAC_CATEGORIES
from pyramidion.collection.collection import Collection
from pyramidion.collection.ids import natural_order
from pyramidion.collection.problems import Problem, address_name, repeated
from pyramidion.collection.pyramid_checks import pyramid_problems, repeated_units
from pyramidion.errors import ShapeError, Where

__all__ = ["Problem", "find_problems", "require_consistent"]


def find_problems(collection: Collection) -> list[Problem]:
    """List everything that is missing or inconsistent.

    Examples
    --------
    >>> from pyramidion.collection.summaries import Summary
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
        pyramid_problems,
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


def _address_order(address: tuple[str, str]) -> tuple[object, ...]:
    return tuple(map(natural_order, address))


def _repeated_settings(collection: Collection) -> Iterator[Problem]:
    tasks = (task.id for task in collection.tasks)
    yield from repeated("duplicated task", tasks, "rename one")
    categories = (category.id for category in collection.categories)
    yield from repeated("duplicated category", categories, "rename one")
    aspects = (aspect.id for category in collection.categories for aspect in category.aspects)
    yield from repeated("duplicated aspect", aspects, "rename one")


def _repeated_topics(collection: Collection) -> Iterator[Problem]:
    yield from repeated("duplicated topic", (t.id for t in collection.topics), "rename one")
    for topic in collection.topics:
        names = (f"{topic.id}, document {document.id}" for document in topic.documents)
        yield from repeated("duplicated document", names, "rename one")


def _repeated_summaries(collection: Collection) -> Iterator[Problem]:
    keys = (summary.key for summary in collection.summaries)
    message = "keep one for each task, topic and system"
    yield from repeated("duplicated summary", keys, message, lambda key: address_name(*key))


def _repeated_scores(collection: Collection) -> Iterator[Problem]:
    columns = collection.scores.columns
    for _, row in collection.scores.repeated_keys():
        address = address_name(columns["task"][row], columns["topic"][row], columns["system"][row])
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
            name = address_name(task, topic)
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
            yield Problem("unknown aspect", f"{address_name(*summary.key)}: {aspect}", "declare it")


def _references(collection: Collection) -> Iterator[Problem]:
    addresses = {(summary.task, summary.topic) for summary in collection.summaries}
    for task, topic in sorted(addresses, key=_address_order):
        if not collection.references(topic, task):
            yield Problem("no references", address_name(task, topic), "add reference summaries")


def _empty_summaries(collection: Collection) -> Iterator[Problem]:
    for summary in collection.summaries:
        if not summary.plain.strip():
            yield Problem("empty summary", address_name(*summary.key), "it scores 0; is it meant?")


def _over_limit(collection: Collection) -> Iterator[Problem]:
    limits = {task.id: task.word_limit for task in collection.tasks}
    for summary in collection.summaries:
        limit = limits.get(summary.task)
        if limit is not None and summary.words > limit:
            message = f"{summary.words} words, the limit is {limit}: NIST would judge it cut"
            yield Problem("summary over the limit", address_name(*summary.key), message)


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
            address = address_name(row.task, row.topic, row.system)
            message = f"{row.value:g} is not on the scale from {allowed}"
            yield Problem("score off its scale", f"{address}, {measure}", message)


# Those that can find an address that stands for two things.
_FATAL_CHECKS = (
    _repeated_settings,
    _repeated_topics,
    _repeated_summaries,
    _repeated_scores,
    _incomplete_scores,
    _kinds,
    repeated_units,
)
