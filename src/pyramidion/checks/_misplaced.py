"""Systems, references and documents whose texts belong to other topics than stated."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.checks import _thresholds as limits
from pyramidion.checks._gathered import Key, TextsToCheck
from pyramidion.checks._kinds import new_finding
from pyramidion.collection.findings import Finding, Severity
from pyramidion.collection.ids import brief_list, natural_order
from pyramidion.text.nearest import Nearest, WordSets, nearest_topics

_OTHER_TOPICS_KIND, _UNRELATED_KIND = "summaries of other topics", "summaries unlike their topics"


def misplaced(texts: TextsToCheck, explained_systems: set[str]) -> Iterator[Finding]:
    """Find texts that are nearer to other topics, except of systems that are already explained."""
    systems = [name for name in texts.systems if name not in explained_systems]
    keys = [key for name in systems for key in texts.systems[name]]
    references = {} if "the references" in explained_systems else texts.references
    documents = {(*topic, "the documents"): text for topic, text in texts.documents.items()}
    every: Sequence[tuple[str, ...]] = texts.order or (
        *texts.summaries,
        *texts.references,
        *documents,
    )
    # Several tasks may have the same topics.
    order = _Order([*dict.fromkeys(key[1] for key in every)], texts.consecutive)
    if len(order.topics) < limits.MIN_TOPICS:
        return
    if not keys:
        yield from _input(texts, order, references, documents)
        return
    views: dict[str, _View] = {}
    summaries = {key: texts.summaries[key] for key in keys}
    for name, anchors in (("references", references), ("documents", documents)):
        if anchors:
            views[name] = _View.of(summaries, anchors, order, systems)
    is_doubtful = any(bool((view.ranks > limits.DOUBTFUL_RANK).any()) for view in views.values())
    if len(systems) > 1 and (is_doubtful or not views):
        views["other systems"] = _View.of(summaries, summaries, order, systems)
    if len(views) > 1 and (finding := _wrong_anchors(views, order)):
        yield finding
        views.pop(finding.subject.removeprefix("the "))
    elif "references" in views:
        yield from _wrong_references(views["references"], order)
    yield from _of_systems(views, systems, keys, order)


@dataclass(frozen=True)
class _Order:
    """The topics in the order of the data, of which the first ones may be consecutive."""

    topics: Sequence[str]
    consecutive: int | None

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each topic."""
        return {topic: number for number, topic in enumerate(self.topics)}

    @cached_property
    def orders(self) -> dict[str, Ints]:
        """The place of each topic in several orders."""
        every = range(len(self.topics))
        names = {
            "": [*every],
            "numerical": sorted(every, key=lambda n: natural_order(self.topics[n])),
            "alphabetical": sorted(every, key=lambda n: self.topics[n]),
        }
        return {name: np.argsort(np.array(order)) for name, order in names.items()}

    def explain(self, topic_rows: Ints, nearest_rows: Ints) -> tuple[str, int, int]:
        """Describe which other topics texts belong to, and how many of them do."""
        is_inside = (topic_rows < (self.consecutive or len(self.topics))) & (
            nearest_rows != topic_rows
        )
        topic_rows, nearest_rows = topic_rows[is_inside], nearest_rows[is_inside]
        best_way = "", 0, len(topic_rows)
        last_place = (self.consecutive or len(self.topics)) - 1
        for indices in self.orders.values():
            ways: Counter[str] = Counter()
            steps = indices[nearest_rows] - indices[topic_rows]
            for step, number in Counter(steps.tolist()).items():
                if abs(step) <= limits.MAX_SHIFT:
                    neighbor = f"the {'next' if step > 0 else 'previous'} topic"
                    if abs(step) > 1:
                        neighbor = f"the topic {abs(step)} {'later' if step > 0 else 'earlier'}"
                    distance = {1: "one", 2: "two", 3: "three"}.get(abs(step), str(abs(step)))
                    ways[f"{neighbor}|are the rows shifted by {distance}?"] = number
            reverse = int((indices[nearest_rows] + indices[topic_rows] == last_place).sum())
            ways["the topic at the same place from the end|is their order reversed?"] = reverse
            for name, sorting in self.orders.items():
                if name:
                    numbers = np.argsort(sorting)[indices[topic_rows]]
                    n_same = int((numbers == nearest_rows).sum())
                    words = f"the topic at the same place in {name} order|were the rows sorted?"
                    ways[words] = n_same
            way, number = ways.most_common(1)[0]
            if number > best_way[1]:
                best_way = way, number, len(topic_rows)
        return best_way


@dataclass(frozen=True)
class _View:
    """How near texts are to all topics, and which system (or other source) wrote each."""

    near: Nearest
    owners: Ints
    size: int

    @classmethod
    def of(
        cls,
        texts: Mapping[Key, str],
        anchors: Mapping[Key, str],
        order: _Order,
        systems: Sequence[str],
    ) -> "_View":
        """Compare texts with anchors, but never with themselves."""
        numbers, topic_numbers = {key: n for n, key in enumerate(anchors)}, order.numbers
        codes = {name: code for code, name in enumerate(systems)}
        nearest = nearest_topics(
            WordSets(),
            [*texts.values()],
            np.array([topic_numbers[key[1]] for key in texts], np.int64),
            [*anchors.values()],
            np.array([topic_numbers[key[1]] for key in anchors], np.int64),
            np.array([numbers.get(key, -1) for key in texts], np.int64),
            len(order.topics),
        )
        owners = np.array([codes.get(key[2], 0) for key in texts], np.int64)
        return cls(nearest, owners, len(systems))

    def mean(self, values: Floats | Bools) -> Floats:
        """Return the mean of each system over texts that can be compared."""
        is_known = self.near.is_known
        counts = np.bincount(self.owners[is_known], minlength=self.size)
        sums = np.bincount(self.owners[is_known], values[is_known], minlength=self.size)
        return sums / np.maximum(counts, 1)

    @cached_property
    def numbers(self) -> Ints:
        """How many texts of each system can be compared."""
        return np.bincount(self.owners[self.near.is_known], minlength=self.size)

    @cached_property
    def ranks(self) -> Floats:
        """For each system, the mean share of other topics that are nearer than a text's own."""
        return self.mean(self.near.rank)

    @cached_property
    def is_lost(self) -> Bools:
        """Whether another topic is much nearer, as near as a text usually is to its own."""
        nearest = self.near
        known_cosines = np.maximum(nearest.here, nearest.best)[nearest.is_known]
        min_cosine = (
            limits.STRONG_FACTOR * float(np.median(known_cosines)) if len(known_cosines) else 1.0
        )
        return (
            nearest.is_known
            & (nearest.here < limits.WEAK_FACTOR * nearest.best)
            & (nearest.best >= min_cosine)
        )


def _wrong_anchors(views: Mapping[str, _View], order: _Order) -> Finding | None:
    """Find references or documents that all summaries assign to other topics."""
    for name in ("references", "documents"):
        other_views = [view for other, view in views.items() if other != name]
        if name not in views or not other_views:
            continue
        view = views[name]
        has_topics = view.numbers >= limits.MIN_TOPICS
        # On related topics, few others are nearer.
        is_lost = view.mean(view.is_lost) >= limits.USUAL_SHARE
        is_misplaced = has_topics & ((view.ranks >= limits.MIN_SURE_RANK) | is_lost)
        is_fine = np.min([other.ranks for other in other_views], axis=0) <= limits.MAX_FINE_RANK
        if (
            is_misplaced.any()
            and (is_misplaced & is_fine).sum() >= limits.MAJORITY_SHARE * has_topics.sum()
        ):
            message = _story(view.near, view.near.is_known, order, "the summaries", name)
            return new_finding(f"{name} of other topics", f"the {name}", message)
    return None


def _wrong_references(view: _View, order: _Order) -> Iterator[Finding]:
    """Find topics on which all systems match the references of one other topic."""
    near, others = view.near, dict[str, str]()
    for topic in np.unique(near.topics[view.is_lost]).tolist():
        rows = (near.topics == topic) & near.is_known
        nearest = np.unique(near.other[rows])
        if rows.sum() >= limits.MIN_SYSTEMS and view.is_lost[rows].all() and len(nearest) == 1:
            others[order.topics[topic]] = order.topics[int(nearest[0])]
    if others:
        topic, other = next(iter(others.items()))
        message = f"on {len(others)} topics, the summaries of all systems match those of another "
        message += f"topic (those of {topic} match {other}): were references exchanged?"
        yield new_finding(
            "references of other topics", f"the references of {brief_list([*others])}", message
        )


def _of_systems(
    views: Mapping[str, _View], systems: Sequence[str], keys: Sequence[Key], order: _Order
) -> Iterator[Finding]:
    if not views:
        return
    name, view = next(iter(views.items()))
    ranks = np.min([other_view.ranks for other_view in views.values()], axis=0)
    is_lost = (
        np.all(
            [other_view.is_lost | ~other_view.near.is_known for other_view in views.values()],
            axis=0,
        )
        & view.is_lost
    )
    min_rank = limits.MIN_SURE_RANK if len(views) == 1 else limits.MIN_BAD_RANK
    shares = view.mean(view.near.matches)
    bars = tuple(zip(systems, shares.round(3).tolist(), strict=True))
    title = f"share of summaries nearest to their own {name}"
    # The share of each system's texts that have no words of any topic.
    is_comparable = view.near.is_comparable
    counts = np.bincount(view.owners[is_comparable], minlength=len(systems))
    silent_share = 1 - view.numbers / np.maximum(counts, 1)
    # If only two systems are compared with each other, it is unknown which is wrong.
    both = name == "other systems" and len(systems) == 2
    for code in sorted(range(len(systems)), key=lambda code: natural_order(systems[code])):
        of_system = (view.owners == code) & view.near.is_comparable
        number = int(of_system.sum())
        is_wordless = of_system & ~view.near.is_known
        others_silent = np.delete(silent_share, code)
        usual_share = (
            float(np.median(others_silent))
            if len(others_silent)
            else limits.USUAL_SHARE - limits.UNUSUAL_SHARE
        )
        if number >= limits.MIN_TOPICS and silent_share[code] >= limits.USUAL_SHARE + usual_share:
            message = (
                f"{int(is_wordless.sum())} of {number} share no words with any {name}; do they "
            )
            indices = np.flatnonzero(is_wordless).tolist()
            yield new_finding(
                _UNRELATED_KIND, f"system {systems[code]}", message + "belong to these data?",
                systems[code], bars=bars, bars_title=title,
                summaries=tuple(keys[i] for i in indices),
            )  # fmt: skip
            continue
        of_system &= view.near.is_known
        gone_astray = of_system & is_lost
        is_bad = ranks[code] >= min_rank
        are_few = gone_astray.sum() < max(3, limits.MIN_STRAY_SHARE * number)
        if number < limits.MIN_TOPICS or (are_few and not is_bad):
            continue
        is_affected = of_system & (~view.near.matches if is_bad else is_lost)
        message = _story(view.near, is_affected, order, "its summaries", name, number)
        kind = _OTHER_TOPICS_KIND
        if (
            is_bad
            and gone_astray.sum() < limits.USUAL_SHARE * is_affected.sum()
            and "?" not in message
        ):
            kind = _UNRELATED_KIND
            message = (
                f"{int(is_affected.sum())} of {number} are no nearer to their own {name} than "
            )
            message += "to those of other topics; do they belong to these data?"
        subject = f"system {systems[code]}"
        if both:
            subject = f"systems {systems[0]} and {systems[1]}"
            message = message.replace("its summaries match other systems", "they match each other")
        severity: Severity = "severe" if is_bad else "warning"
        yield new_finding(
            kind, subject, message, "" if both else systems[code], severity=severity,
            summaries=tuple(keys[i] for i in np.flatnonzero(is_affected).tolist()),
            bars=bars, bars_title=title,
        )  # fmt: skip
        if both:
            return


def _story(
    nearest_topics: Nearest,
    is_affected: Bools,
    order: _Order,
    whose: str,
    name: str,
    number: int | None = None,
) -> str:
    """Describe which topics the affected texts match instead of their own."""
    topic_rows, nearest_rows = nearest_topics.topics[is_affected], nearest_topics.other[is_affected]
    subject = f"the {name} of" if name != "other systems" else "other systems on"
    way, count, n_compared = order.explain(topic_rows, nearest_rows)
    if count >= max(3, limits.MAJORITY_SHARE * n_compared):
        neighbor, question = way.split("|")
        total = n_compared if number is None else number
        return f"{whose} match {subject} {neighbor} ({count} of {total}): {question}"
    worst_row = int(np.argmax(nearest_topics.best * is_affected))
    topics = (
        order.topics[nearest_topics.topics[worst_row]],
        order.topics[nearest_topics.other[worst_row]],
    )
    total = number or len(nearest_topics.topics)
    text = f"{int(is_affected.sum())} of {total} match {subject} other topics"
    return f"{text} (that of {topics[0]} matches {topics[1]}): were the rows shuffled?"


def _input(
    texts: TextsToCheck, order: _Order, references: Mapping[Key, str], documents: Mapping[Key, str]
) -> Iterator[Finding]:
    """Compare references with documents where there are no summaries."""
    if not (references and documents):
        return
    view = _View.of(references, documents, order, ["the references"])
    if view.numbers[0] >= limits.MIN_TOPICS and view.ranks[0] >= limits.MIN_SURE_RANK:
        message = _story(view.near, view.near.is_known, order, "they", "documents")
        yield new_finding("references of other topics", "the references", message)
