"""Systems, references and documents whose texts belong to other topics than labeled."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection.checks import thresholds as limits
from pyramidion.collection.checks.finding import Finding, Repair, Severity
from pyramidion.collection.checks.gathered import Key, TextsToCheck
from pyramidion.collection.checks.matching import Nearest, WordSets, nearest_topics
from pyramidion.collection.ids import natural_order

_OTHER_TOPICS, _UNRELATED = "summaries of other topics", "summaries unlike their topics"
_WRONG_TOPIC = "each summary is judged by another topic"


def misplaced(texts: TextsToCheck, explained: set[str]) -> Iterator[Finding]:
    """Find texts that are nearer to other topics; the cause for `explained` systems is known."""
    systems = [name for name in texts.systems if name not in explained]
    keys = [key for name in systems for key in texts.systems[name]]
    references = {} if "the references" in explained else texts.references
    documents = {(*topic, "the documents"): text for topic, text in texts.documents.items()}
    text_order: Sequence[tuple[str, ...]] = texts.order or (
        *texts.summaries,
        *texts.references,
        *documents,
    )
    # Several tasks may have the same topics.
    order = _Order([*dict.fromkeys(key[1] for key in text_order)], texts.consecutive)
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
    doubtful = any(bool((view.ranks > limits.DOUBTFUL_RANK).any()) for view in views.values())
    if len(systems) > 1 and (doubtful or not views):
        views["other systems"] = _View.of(summaries, summaries, order, systems)
    if len(views) > 1 and (finding := _wrong_anchors(views, order)):
        yield finding
        views.pop(finding.subject.removeprefix("the "))
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
        all_topics = range(len(self.topics))
        names = {
            "": [*all_topics],
            "numerical": sorted(all_topics, key=lambda n: natural_order(self.topics[n])),
            "alphabetical": sorted(all_topics, key=lambda n: self.topics[n]),
        }
        return {name: np.argsort(np.array(order)) for name, order in names.items()}

    def explain(self, positions: Ints, nearest: Ints) -> tuple[str, int, int]:
        """Explain in words which other topics texts belong to; for how many, of how many."""
        is_comparable = (positions < (self.consecutive or len(self.topics))) & (
            nearest != positions
        )
        positions, nearest = positions[is_comparable], nearest[is_comparable]
        best = "", 0, len(positions)
        last = (self.consecutive or len(self.topics)) - 1
        for order in self.orders.values():
            explanations: Counter[str] = Counter()
            steps = order[nearest] - order[positions]
            for step, number in Counter(steps.tolist()).items():
                if abs(step) <= limits.FARTHEST:
                    target = f"the {'next' if step > 0 else 'previous'} topic"
                    if abs(step) > 1:
                        target = f"the topic {abs(step)} {'later' if step > 0 else 'earlier'}"
                    distance = {1: "one", 2: "two", 3: "three"}.get(abs(step), str(abs(step)))
                    explanations[f"{target}|are the rows shifted by {distance}?"] = number
            reverse = int((order[nearest] + order[positions] == last).sum())
            explanations["the topic at the same place from the end|is their order reversed?"] = (
                reverse
            )
            for name, sorting in self.orders.items():
                if name:
                    numbers = np.argsort(sorting)[order[positions]]
                    n_same = int((numbers == nearest).sum())
                    words = f"the topic at the same place in {name} order|were the rows sorted?"
                    explanations[words] = n_same
            explanation, number = explanations.most_common(1)[0]
            if number > best[1]:
                best = explanation, number, len(positions)
        return best


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
        numbers, positions = {key: n for n, key in enumerate(anchors)}, order.numbers
        codes = {name: code for code, name in enumerate(systems)}
        matches = nearest_topics(
            WordSets(),
            [*texts.values()],
            np.array([positions[key[1]] for key in texts], np.int64),
            [*anchors.values()],
            np.array([positions[key[1]] for key in anchors], np.int64),
            np.array([numbers.get(key, -1) for key in texts], np.int64),
            len(order.topics),
        )
        owners = np.array([codes.get(key[2], 0) for key in texts], np.int64)
        return cls(matches, owners, len(systems))

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
        """The mean share of other topics that are nearer than its own, of each system."""
        return self.mean(self.near.rank)

    @cached_property
    def is_lost(self) -> Bools:
        """Whether another topic is much nearer, as near as a text usually is to its own."""
        matches = self.near
        similarities = np.maximum(matches.here, matches.best)[matches.is_known]
        threshold = limits.STRONG * float(np.median(similarities)) if len(similarities) else 1.0
        return (
            matches.is_known
            & (matches.here < limits.WEAK * matches.best)
            & (matches.best >= threshold)
        )


def _wrong_anchors(views: Mapping[str, _View], order: _Order) -> Finding | None:
    """Find references or documents that belong to other topics than all summaries say."""
    for name in ("references", "documents"):
        other_views = [view for other, view in views.items() if other != name]
        if name not in views or not other_views:
            continue
        view = views[name]
        used = view.numbers >= limits.MIN_TOPICS
        bad = used & (view.ranks >= limits.SURE_RANK)
        is_fine = np.min([other.ranks for other in other_views], axis=0) <= limits.FINE_RANK
        if bad.any() and (bad & is_fine).sum() >= limits.MAJORITY * used.sum():
            message = _describe_mismatch(
                view.near, view.near.is_known, order, "the summaries", name
            )
            return Finding(
                f"{name} of other topics", f"the {name}", message, severity="severe",
                effect=_WRONG_TOPIC,
            )  # fmt: skip
    return None


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
    min_rank = limits.SURE_RANK if len(views) == 1 else limits.BAD_RANK
    shares = view.mean(view.near.matches)
    bars = tuple(zip(systems, shares.round(3).tolist(), strict=True))
    title = f"share of summaries nearest to their own {name}"
    # The share of each system's texts that have no words of any topic.
    comparable = view.near.is_comparable
    counts = np.bincount(view.owners[comparable], minlength=len(systems))
    unmatched_shares = 1 - view.numbers / np.maximum(counts, 1)
    # Of two systems that are only compared with each other, nobody knows which is wrong.
    are_two = name == "other systems" and len(systems) == 2
    for code in sorted(range(len(systems)), key=lambda code: natural_order(systems[code])):
        of_system = (view.owners == code) & view.near.is_comparable
        number = int(of_system.sum())
        wordless = of_system & ~view.near.is_known
        silent_others = np.delete(unmatched_shares, code)
        usual = (
            float(np.median(silent_others))
            if len(silent_others)
            else limits.USUAL_SHARE - limits.UNUSUAL_SHARE
        )
        if number >= limits.MIN_TOPICS and unmatched_shares[code] >= limits.USUAL_SHARE + usual:
            message = f"{int(wordless.sum())} of {number} share no words with any {name}; do they "
            indices = np.flatnonzero(wordless).tolist()
            yield Finding(
                _UNRELATED, f"system {systems[code]}", message + "belong to these data?",
                severity="severe", effect=_WRONG_TOPIC, bars=bars, bars_title=title,
                repairs=(Repair("exclude", systems[code]),),
                summaries=tuple(keys[i] for i in indices),
            )  # fmt: skip
            continue
        of_system &= view.near.is_known
        gone_astray = of_system & is_lost
        is_bad = ranks[code] >= min_rank
        is_rare = gone_astray.sum() < max(3, limits.STRAY * number)
        if number < limits.MIN_TOPICS or (is_rare and not is_bad):
            continue
        affected = of_system & (~view.near.matches if is_bad else is_lost)
        message = _describe_mismatch(view.near, affected, order, "its summaries", name, number)
        kind = _OTHER_TOPICS
        if (
            is_bad
            and gone_astray.sum() < limits.USUAL_SHARE * affected.sum()
            and "?" not in message
        ):
            kind = _UNRELATED
            message = f"{int(affected.sum())} of {number} are no nearer to their own {name} than "
            message += "to those of other topics; do they belong to these data?"
        subject = f"system {systems[code]}"
        if are_two:
            subject = f"systems {systems[0]} and {systems[1]}"
            message = message.replace("its summaries match other systems", "they match each other")
        severity: Severity = "severe" if is_bad else "warning"
        yield Finding(
            kind, subject, message, severity=severity, effect=_WRONG_TOPIC,
            repairs=() if are_two else (Repair("exclude", systems[code]),),
            summaries=tuple(keys[i] for i in np.flatnonzero(affected).tolist()),
            bars=bars, bars_title=title,
        )  # fmt: skip
        if are_two:
            return


def _describe_mismatch(
    matches: Nearest,
    affected: Bools,
    order: _Order,
    subject: str,
    name: str,
    number: int | None = None,
) -> str:
    """Describe which topics the affected texts match instead of their own."""
    positions, nearest = matches.topics[affected], matches.other[affected]
    target = f"the {name} of" if name != "other systems" else "other systems on"
    explanation, count, compared = order.explain(positions, nearest)
    if count >= max(3, limits.MAJORITY * compared):
        where, question = explanation.split("|")
        total = compared if number is None else number
        return f"{subject} match {target} {where} ({count} of {total}): {question}"
    first = int(np.argmax(matches.best * affected))
    topics = order.topics[matches.topics[first]], order.topics[matches.other[first]]
    text = f"{int(affected.sum())} of {number or len(matches.topics)} match {target} other topics"
    return f"{text} (that of {topics[0]} matches {topics[1]}): were the rows shuffled?"


def _input(
    texts: TextsToCheck, order: _Order, references: Mapping[Key, str], documents: Mapping[Key, str]
) -> Iterator[Finding]:
    """Compare references with documents where there are no summaries."""
    if not (references and documents):
        return
    view = _View.of(references, documents, order, ["the references"])
    if view.numbers[0] >= limits.MIN_TOPICS and view.ranks[0] >= limits.SURE_RANK:
        message = _describe_mismatch(view.near, view.near.is_known, order, "they", "documents")
        yield Finding(
            "references of other topics", "the references", message, severity="severe",
            effect=_WRONG_TOPIC,
        )  # fmt: skip
