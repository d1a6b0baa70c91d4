"""Summaries whose texts are implausible."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations

from pyramidion.collection._collection import Collection
from pyramidion.collection.checks.finding import Finding
from pyramidion.collection.ids import grouped, natural_order

# Two systems may have the same summaries on fewer topics by chance.
_NEARLY_ALL, _FEW = 0.9, 3


def one_line(text: str) -> str:
    """Collapse white space; most texts need no change."""
    plain = text.isprintable() and "  " not in text
    return text.strip() if plain else " ".join(text.split())


def text_findings(collection: Collection) -> Iterator[Finding]:
    """Find systems that copy another one, or a reference, on nearly every topic."""
    texts = ((summary, one_line(summary.plain)) for summary in collection.summaries)
    holders = grouped(((s.task, s.topic, text), s) for s, text in texts if text)
    same: Counter[tuple[str, str]] = Counter()
    references: Counter[str] = Counter()
    for summaries in (group for group in holders.values() if len(group) > 1):
        peers = {summary.system for summary in summaries if summary.is_peer}
        same.update(combinations(sorted(peers, key=natural_order), 2))
        if not all(summary.is_peer for summary in summaries):
            references.update(peers)
    topics = _topics_of({*references, *chain.from_iterable(same)}, collection)
    for (a, b), number in same.items():
        shared = len(topics[a] & topics[b])
        if number >= max(_FEW, _NEARLY_ALL * shared):
            message = f"the same summaries on {number} of {shared} topics; is it one system?"
            yield Finding("identical systems", f"systems {a} and {b}", message)
    for system, number in references.items():
        if problem := equal_to_references(system, number, len(topics[system])):
            yield problem


def equal_to_references(system: str, number: int, topics: int) -> Finding | None:
    """Describe a system whose summaries are references on nearly every topic."""
    if number < max(_FEW, _NEARLY_ALL * topics):
        return None
    message = f"its summaries are references on {number} of {topics} topics"
    return Finding("system equal to a reference", f"system {system}", message)


def _topics_of(systems: set[str], collection: Collection) -> dict[str, set[tuple[str, str]]]:
    """Return the topics of each system's non-empty summaries."""
    topics: dict[str, set[tuple[str, str]]] = {name: set() for name in systems}
    for summary in collection.summaries if systems else ():
        if summary.system in topics and summary.plain.strip():
            topics[summary.system].add((summary.task, summary.topic))
    return topics
