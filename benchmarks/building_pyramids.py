"""Pyramids built from references alone, compared with those built by people.

Part of ``make bench AREA=pyramids``. The threshold is chosen on REALSumm, where people looked in
four summaries for the content units of a reference, and looked at on SummHay, where bullets of
several summaries express the same insight or not. Then pyramids are looked at that had no part in
it: those of the demo, and crypto, whose units PyrEval made of five references. Contributors in them
are given the built unit that has most of their characters; then pairs of contributors of different
references are either in one unit or not. Where contributors are whole sentences (crypto) this asks
for the same granularity, too; `sharing` asks only for a unit that has a quarter of both. `ceiling`
is what statements could reach at best, each in the given unit that has most of it, and `given
contributors` what grouping makes of contributors that need not be found.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.collection import Collection
from pyramidion.collection.pyramids import SCU, Contributor, Pyramid
from pyramidion.demo import load_demo
from pyramidion.pyramid import build_pyramid, score_reference
from pyramidion.pyramid._auto.build import (
    MIN_SIMILARITY,
    Segmentation,
    group_segments,
    segment_references,
    segment_similarity,
)
from pyramidion.pyramid.content_units import listed_units
from pyramidion.pyramid.similarity import Wordings, default_similarity, stem_text
from pyramidion.stats import kendall, pearson

THRESHOLDS = (0.06, 0.09, 0.12, 0.15, 0.18, 0.21, 0.24, 0.3)
#: Number of REALSumm's 25 systems that are used: parsing takes time.
SYSTEMS = 4
#: Number of SummHay's summaries used per topic.
SUMMARIES = 7
Counts = np.ndarray[Any, Any]


def references_of(pyramid: Pyramid) -> dict[str, str]:
    return {ref.name: pyramid.text[ref.start : ref.end].strip() for ref in pyramid.references}


def characters(contributor: Contributor, pyramid: Pyramid) -> set[tuple[str, int]]:
    """Name characters by their place in their reference, whatever headers precede it."""
    return {
        (ref.name, position - ref.start - leading)
        for part in contributor.parts
        for ref in pyramid.references
        if ref.start <= part.start < ref.end
        for leading in [_leading(pyramid.text[ref.start : ref.end])]
        for position in range(part.start, part.end)
    }


def _leading(text: str) -> int:
    return len(text) - len(text.lstrip())


def units_of(scus: tuple[SCU, ...], pyramid: Pyramid) -> dict[tuple[str, int], list[int]]:
    units_at: dict[tuple[str, int], list[int]] = {}
    for number, scu in enumerate(scus):
        for contributor in scu.contributors:
            for character in characters(contributor, pyramid):
                units_at.setdefault(character, []).append(number)
    return units_at


def most_common_unit(
    positions: set[tuple[str, int]], units: dict[tuple[str, int], list[int]]
) -> int:
    seen = Counter(unit for character in sorted(positions) for unit in units.get(character, ()))
    return seen.most_common(1)[0][0] if seen else -1


def pairs_alike(hand: Pyramid, groups: dict[tuple[str, int], list[int]]) -> Counts:
    """Count pairs: together in both, as built only, by hand only, in neither."""
    return _pairs(hand, lambda positions, number: {most_common_unit(positions, groups)})


def pairs_sharing(hand: Pyramid, groups: dict[tuple[str, int], list[int]]) -> Counts:
    """Count the same where contributors are together that share a unit with a quarter of both."""

    def units(positions: set[tuple[str, int]], number: int) -> set[int]:
        seen = Counter(unit for character in positions for unit in groups.get(character, ()))
        return {u for u, n in seen.items() if 4 * n >= len(positions)} or {-1 - number}

    return _pairs(hand, units)


def _pairs(hand: Pyramid, units: Callable[[set[tuple[str, int]], int], set[int]]) -> Counts:
    contributors = [(unit, c) for unit, scu in enumerate(hand.scus) for c in scu.contributors]
    placed = [
        (unit, hand.reference_of(c), units(characters(c, hand), number))
        for number, (unit, c) in enumerate(contributors)
    ]
    return counted(
        (a == b, bool(x & y))
        for (a, first_owner, x), (b, other, y) in combinations(placed, 2)
        if first_owner != other
    )


def counted(pairs: Iterable[tuple[bool, bool]]) -> Counts:
    """Count pairs of (by hand, as built): in both, as built only, by hand only, in neither."""
    counts = np.zeros(4, dtype=int)
    for hand, built in pairs:
        counts[(0 if built else 2) if hand else (1 if built else 3)] += 1
    return counts


def at_best(hand: Pyramid, built: Pyramid) -> dict[tuple[str, int], list[int]]:
    """Put each statement into the unit made by hand that has most of it."""
    by_hand = units_of(hand.scus, hand)
    statements = [c for scu in built.scus for c in scu.contributors]
    statement_positions = [characters(statement, built) for statement in statements]
    units = [most_common_unit(of_one, by_hand) for of_one in statement_positions]
    return {
        character: [unit if unit >= 0 else -2 - number]
        for number, (of_one, unit) in enumerate(zip(statement_positions, units, strict=True))
        for character in of_one
    }


def rates(counts: Counts) -> tuple[float, float, float, float]:
    both, built, hand, neither = counts.tolist()
    precision, recall = both / max(both + built, 1), both / max(both + hand, 1)
    f = 2 * precision * recall / max(precision + recall, 1e-9)
    return precision, recall, f, (both + neither) / counts.sum()


def building(console: Console, lists: Collection, real: Pyramid, data: Path) -> None:
    """Choose the threshold on what people found, and look at other pyramids with it."""
    topics = {"SummHay": list(bullets(data)), "REALSumm": list(listed(lists))}
    choose_threshold(console, topics)
    demo = {key[::-1]: pyramid for key, pyramid in sorted(load_demo().pyramids.items())}
    for name, hand in (("crypto", {("", "crypto"): real}), ("demo", demo)):
        heads = ("precision", "recall", "F", "alike", "F, sharing")
        table = Table("", *heads, title=f"{name}: pairs of contributors")
        built_pyramids: dict[Any, Pyramid] = {}
        for threshold in (0.09, 0.12, MIN_SIMILARITY, 0.18, 0.21):
            built = {
                k: build_pyramid(references_of(p), threshold=threshold) for k, p in hand.items()
            }
            built_pyramids |= built if threshold == MIN_SIMILARITY else {}
            units = {k: units_of(built[k].scus, built[k]) for k in hand}
            shown = _shown([pairs_alike(hand[k], units[k]) for k in hand])
            sharing = _shown([pairs_sharing(hand[k], units[k]) for k in hand])[2]
            table.add_row(f"threshold {threshold}", *shown, sharing)
        best = [pairs_alike(hand[k], at_best(hand[k], built_pyramids[k])) for k in hand]
        table.add_row("ceiling of statements", *_shown(best))
        table.add_row("given contributors", *_shown([given_contributors(p) for p in hand.values()]))
        table.add_row(
            "each statement alone",
            *_shown([counts_alone(hand[k], built_pyramids[k]) for k in hand]),
        )
        console.print(table)
        tiers_and_scores(console, name, hand, built_pyramids)


def _shown(counts: list[Counts]) -> list[str]:
    return [f"{rate:.3f}" for rate in rates(np.sum(counts, axis=0))]


def given_contributors(hand: Pyramid) -> Counts:
    """Group contributors that people marked, by their own words alone."""
    marked = [(unit, c) for unit, scu in enumerate(hand.scus) for c in scu.contributors]
    wordings = Wordings.of([[" ".join(part.label for part in c.parts)] for _, c in marked])
    names = [ref.name for ref in hand.references]
    owners = np.array(
        [names.index(hand.reference_of(marked[u][1]) or names[0]) for u in wordings.unit]
    )
    alike = segment_similarity(wordings, default_similarity())
    groups = group_segments(alike, owners, threshold=MIN_SIMILARITY)
    every = [(marked[u][0], o, g) for u, o, g in zip(wordings.unit, owners, groups, strict=True)]
    return counted((a == b, x == y) for (a, first_owner, x), (b, other, y) in combinations(every, 2)
                   if first_owner != other)  # fmt: skip


class Found(NamedTuple):
    """Texts of a topic taken apart, and a count of what is together at a threshold."""

    apart: Segmentation
    pairs: Callable[[Any], Counts]

    def at(self, threshold: float) -> Counts:
        """Count with a threshold."""
        return self.pairs(
            group_segments(self.apart.similarity, self.apart.references, threshold=threshold)
        )


def bullets(data: Path) -> Iterator[Found]:
    """Take SummHay's bullets: which two share an insight that people found, and which a unit."""
    topics: dict[str, list[Any]] = {}
    with gzip.open(data / "summhay.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            topics.setdefault(row["topic"], []).append(row)
    for rows in topics.values():
        texts, marked = {}, []
        for number, row in enumerate(rows[:SUMMARIES]):
            sentences = [re.sub(r"\s*\[[\d\]\[, ]+\]", "", b).strip("- ") for b in row["sentences"]]
            texts[str(number)] = "\n".join(sentences)
            insights: dict[int, set[int]] = {}
            for unit, (share, match) in enumerate(
                zip(row["scu_coverage"], row["scu_sentence"], strict=True)
            ):
                if share and match is not None and match < len(sentences):
                    insights.setdefault(match, set()).add(unit)
            for match, units in insights.items():
                start = sum(len(b) + 1 for b in sentences[:match])
                marked.append((units, number, range(start, start + len(sentences[match]))))
        yield _found(segment_references(texts, model=default_similarity()), marked)


def _found(apart: Segmentation, marked: list[tuple[set[int], int, range]]) -> Found:
    starts = [ref.start for ref in apart.pyramid.references]
    inside = [
        {
            segment_index
            for segment_index, segment in enumerate(apart.segments)
            if segment.reference == number
            and segment.contributor.parts[-1].start - starts[number] in positions
        }
        for _, number, positions in marked
    ]

    def count(groups: Any) -> Counts:
        built = [set(groups[sorted(segment_indices)].tolist()) for segment_indices in inside]
        return counted(
            (bool(a & b), bool(x & y))
            for ((a, first_owner, _), x), ((b, other, _), y) in combinations(
                zip(marked, built, strict=True), 2
            )
            if first_owner != other
        )

    return Found(apart, count)


def listed(lists: Collection) -> Iterator[Found]:
    """Take REALSumm's units: which summaries people found them in, and which share their unit."""
    answers = lists.scores.select(measure="scu")
    for number, topic in enumerate(sorted(lists.topic_ids)):
        peers = sorted((s for s in lists.summaries if s.topic == topic and s.is_peer),
                       key=lambda s: s.system)  # fmt: skip
        step = len(peers) // SYSTEMS
        chosen = peers[number % step :: step][:SYSTEMS]
        [reference] = lists.references(topic, chosen[0].task)
        texts = {s.system: " ".join(s.plain.split()) for s in (reference, *chosen)}
        apart = segment_references(texts, model=default_similarity())
        statements = [
            set(stem_text(" ".join(p.label for p in s.contributor.parts))) for s in apart.segments
        ]
        statement_segments = [
            index for index, segment in enumerate(apart.segments) if segment.reference == 0
        ]
        labels = [set(stem_text(u)) for u in listed_units(lists, chosen[0].task, topic).labels]
        at = [
            max(
                statement_segments,
                key=lambda p: len(unit & statements[p]) - 0.01 * len(statements[p]),
            )
            for unit in labels
        ]
        of_topic = answers.columns["topic"] == topic
        truth = [
            answers.value[of_topic & (answers.columns["system"] == s.system)] > 0.5 for s in chosen
        ]

        def count(groups: Any, apart: Any = apart, at: Any = at, truth: Any = truth) -> Counts:
            having = [set(apart.owners[groups == groups[index]].tolist()) for index in at]
            return counted(
                (bool(answer[unit]), system in of_unit)
                for system, answer in enumerate(truth, start=1)
                for unit, of_unit in enumerate(having)
            )

        yield Found(apart, count)


def choose_threshold(console: Console, topics: dict[str, list[Found]]) -> None:
    """Print F by threshold; REALSumm, whose units people took from references, chooses.

    Shipped is the smallest threshold that is worse than the best by a standard error at most:
    texts of programs that copy one source are more alike than independent references.
    """
    counts = {
        name: np.array([[topic_counts.at(t) for t in THRESHOLDS] for topic_counts in topics])
        for name, topics in topics.items()
    }
    table = Table("threshold", *counts, title="what people found in several texts: F")
    every = {name: _f(topic_counts.sum(axis=0)) for name, topic_counts in counts.items()}
    for column, threshold in enumerate(THRESHOLDS):
        table.add_row(str(threshold), *(f"{scores[column]:.3f}" for scores in every.values()))
    choosing, rng = counts["REALSumm"], np.random.default_rng(0)
    table.add_row("chosen on its other topics", *(f"{_left_out(c):.3f}" for c in counts.values()))
    console.print(table)
    resampled = np.array([
        _f(choosing[rng.integers(len(choosing), size=len(choosing))].sum(axis=0))
        for _ in range(500)
    ])  # fmt: skip
    f = every["REALSumm"]
    error = (resampled[:, [f.argmax()]] - resampled).std(axis=0)
    near = np.array(THRESHOLDS)[f >= f.max() - error]
    console.print(
        f"best on REALSumm {THRESHOLDS[f.argmax()]}, smallest within a standard error "
        f"{near.min()}; shipped {MIN_SIMILARITY}"
    )


def _left_out(counts: Counts) -> float:
    chosen = []
    for topic, topic_counts in enumerate(counts):
        other_topics = _f(np.delete(counts, topic, axis=0).sum(axis=0))
        chosen.append(topic_counts[int(other_topics.argmax())])
    return float(_f(np.sum(chosen, axis=0)))


def _f(counts: Counts) -> Any:
    both, built, hand, _ = np.moveaxis(counts, -1, 0)
    return 2 * both / np.maximum(2 * both + built + hand, 1)


def counts_alone(hand: Pyramid, built: Pyramid) -> Counts:
    every = [c for scu in built.scus for c in scu.contributors]
    alone = tuple(SCU(str(number), "", (contributor,)) for number, contributor in enumerate(every))
    return pairs_alike(hand, units_of(alone, built))


def tiers_and_scores(
    console: Console, name: str, hand: dict[Any, Pyramid], built: dict[Any, Pyramid]
) -> None:
    table = Table("weight", "by hand", "built", title=f"{name}: content units")
    tiers = [Counter(w for p in of.values() for w in p.weights.tolist()) for of in (hand, built)]
    for weight in sorted(set().union(*tiers), reverse=True):
        table.add_row(str(weight), *(str(of[weight]) for of in tiers))
    console.print(table)
    if len(hand) == 1:
        return
    names = [(key, ref.name) for key, pyramid in hand.items() for ref in pyramid.references]
    scores = [
        np.array([score_reference(of[key], name).modified for key, name in names])
        for of in (hand, built)
    ]
    within = [values - np.repeat(values.reshape(-1, 4).mean(axis=1), 4) for values in scores]
    console.print(
        f"scores of the {len(names)} references by built and hand-made pyramids: Pearson "
        f"{pearson(*scores).value:.3f}, Kendall {kendall(*scores).value:.3f}; within pyramids "
        f"Pearson {pearson(*within).value:.3f}"
    )
