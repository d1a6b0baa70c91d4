"""Pyramids built from references alone beside a real one and those of the demo collection.

Part of ``make bench-pyramids``. Contributors marked by hand are given the built unit that has most
of their characters; then pairs of contributors of different references are either in one unit or
not, by hand and as built. `ceiling` is what statements could reach at best: each in the unit, of
those made by hand, that has most of it. How unit lists and pyramids would choose
the threshold is shown beside each other.
"""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.collection import Collection
from pyramidion.collection._pyramids import SCU, Contributor, Pyramid
from pyramidion.demo import load_demo
from pyramidion.pyramid import build_pyramid, score_reference
from pyramidion.pyramid._auto.build import THRESHOLD, segment_similarity
from pyramidion.pyramid._auto.model import Wordings, default_model
from pyramidion.pyramid._auto.statements import statements_of
from pyramidion.pyramid._units import listed_units
from pyramidion.stats import kendall, pearson
from pyramidion.text import load_parser

THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
SHIPPED = THRESHOLD
#: So many summaries are read of which one is looked at: parsing takes time.
EVERY = 7
Counts = np.ndarray[Any, Any]


def references_of(pyramid: Pyramid) -> dict[str, str]:
    return {ref.name: pyramid.text[ref.start : ref.end].strip() for ref in pyramid.references}


def characters(contributor: Contributor, pyramid: Pyramid) -> set[tuple[str, int]]:
    """Name characters by their place in their reference, whatever headers precede it."""
    return {
        (ref.name, place - ref.start - leading)
        for part in contributor.parts
        for ref in pyramid.references
        if ref.start <= part.start < ref.end
        for leading in [_leading(pyramid.text[ref.start : ref.end])]
        for place in range(part.start, part.end)
    }


def _leading(text: str) -> int:
    return len(text) - len(text.lstrip())


def units_of(scus: tuple[SCU, ...], pyramid: Pyramid) -> dict[tuple[str, int], list[int]]:
    found: dict[tuple[str, int], list[int]] = {}
    for number, scu in enumerate(scus):
        for contributor in scu.contributors:
            for character in characters(contributor, pyramid):
                found.setdefault(character, []).append(number)
    return found


def most_common_unit(own: set[tuple[str, int]], units: dict[tuple[str, int], list[int]]) -> int:
    seen = Counter(unit for character in sorted(own) for unit in units.get(character, ()))
    return seen.most_common(1)[0][0] if seen else -1


def pairs_alike(hand: Pyramid, groups: dict[tuple[str, int], list[int]]) -> Counts:
    """Count pairs: together in both, as built only, by hand only, in neither."""
    placed = [
        (
            unit,
            hand.reference_of(contributor),
            most_common_unit(characters(contributor, hand), groups),
        )
        for unit, scu in enumerate(hand.scus)
        for contributor in scu.contributors
    ]
    counts = np.zeros(4, dtype=int)
    for (a, one, x), (b, other, y) in combinations(placed, 2):
        if one != other:
            counts[(0 if x == y else 2) if a == b else (1 if x == y else 3)] += 1
    return counts


def at_best(hand: Pyramid, built: Pyramid) -> dict[tuple[str, int], list[int]]:
    """Put each statement into the unit made by hand that has most of it."""
    by_hand = units_of(hand.scus, hand)
    statements = [c for scu in built.scus for c in scu.contributors]
    own = [characters(statement, built) for statement in statements]
    units = [most_common_unit(of_one, by_hand) for of_one in own]
    return {
        character: [unit if unit >= 0 else -2 - number]
        for number, (of_one, unit) in enumerate(zip(own, units, strict=True))
        for character in of_one
    }


def rates(counts: Counts) -> tuple[float, float, float, float]:
    both, built, hand, neither = counts.tolist()
    precision, recall = both / max(both + built, 1), both / max(both + hand, 1)
    f = 2 * precision * recall / max(precision + recall, 1e-9)
    return precision, recall, f, (both + neither) / counts.sum()


def building(console: Console, lists: Collection, real: Pyramid) -> None:
    """Choose the threshold on unit lists, and look at pyramids made by hand with it."""
    choose_threshold(console, lists)
    demo = {key[::-1]: pyramid for key, pyramid in sorted(load_demo().pyramids.items())}
    for name, hand in (("crypto", {("", "crypto"): real}), ("demo", demo)):
        built = {
            (key, threshold): build_pyramid(references_of(pyramid), threshold=threshold)
            for key, pyramid in hand.items()
            for threshold in THRESHOLDS
        }
        table = Table(
            "", "precision", "recall", "F", "alike", title=f"{name}: pairs of contributors"
        )
        for threshold in THRESHOLDS:
            counts = [
                pairs_alike(hand[k], units_of(built[k, threshold].scus, built[k, threshold]))
                for k in hand
            ]
            table.add_row(f"threshold {threshold}", *_shown(counts))
        own = {key: built[key, SHIPPED] for key in hand}
        best = [pairs_alike(hand[k], at_best(hand[k], own[k])) for k in hand]
        table.add_row("ceiling of statements", *_shown(best))
        table.add_row(
            "each statement alone", *_shown([counts_alone(hand[k], own[k]) for k in hand])
        )
        console.print(table)
        tiers_and_scores(console, name, hand, own)


def _shown(counts: list[Counts]) -> list[str]:
    return [f"{rate:.3f}" for rate in rates(np.sum(counts, axis=0))]


def choose_threshold(console: Console, lists: Collection) -> None:
    """Tell a unit's own statement from others: which are alike enough to be one unit.

    A unit that people found in a summary should be as similar to one of its statements as the
    threshold asks; one that they did not find should not.
    """
    parser = load_parser("light")
    topics = sorted(lists.topic_ids)
    peers = [summary for summary in lists.summaries if summary.is_peer][::EVERY]
    answers = lists.scores.select(measure="scu")
    alike: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for summary in peers:
        own = (answers.columns["topic"] == summary.topic) & (
            answers.columns["system"] == summary.system
        )
        found = answers.value[own]
        labels = list(listed_units(lists, summary.task, summary.topic).labels)
        said = [
            " ".join(summary.plain[start:end] for start, end in statement.parts)
            for statement in statements_of(summary.plain, parser)
        ]
        wordings = Wordings.of([[text] for text in (*labels, *said)])
        table = segment_similarity(wordings, default_model())
        units, others = wordings.unit < len(labels), wordings.unit >= len(labels)
        best = table[np.ix_(units, others)].max(axis=1, initial=0)
        chosen = topics.index(summary.topic) % 2 == 0
        alike[chosen] += list(zip(best, found[wordings.unit[units]], strict=True))
    table_of = Table(
        "threshold", "F, half to choose on", "F, the other half", title="unit lists of REALSumm"
    )
    for threshold in THRESHOLDS:
        table_of.add_row(
            str(threshold), *(f"{_f(alike[half], threshold):.3f}" for half in (True, False))
        )
    console.print(table_of)


def _f(pairs: list[tuple[float, float]], threshold: float) -> float:
    similar, found = np.array(pairs).T
    both = ((similar > threshold) & (found > 0.5)).sum()
    return float(2 * both / ((similar > threshold).sum() + (found > 0.5).sum()))


def counts_alone(hand: Pyramid, built: Pyramid) -> Counts:
    every = [c for scu in built.scus for c in scu.contributors]
    alone = tuple(SCU(str(number), "", (one,)) for number, one in enumerate(every))
    return pairs_alike(hand, units_of(alone, built))


def tiers_and_scores(
    console: Console, name: str, hand: dict[Any, Pyramid], own: dict[Any, Pyramid]
) -> None:
    table = Table("weight", "by hand", "built", title=f"{name}: content units")
    tiers = [Counter(w for p in of.values() for w in p.weights.tolist()) for of in (hand, own)]
    for weight in sorted(set().union(*tiers), reverse=True):
        table.add_row(str(weight), *(str(of[weight]) for of in tiers))
    console.print(table)
    if len(hand) == 1:
        return
    names = [(key, ref.name) for key, pyramid in hand.items() for ref in pyramid.references]
    scores = [
        np.array([score_reference(of[key], name).modified for key, name in names])
        for of in (hand, own)
    ]
    within = [values - np.repeat(values.reshape(-1, 4).mean(axis=1), 4) for values in scores]
    console.print(
        f"scores of the {len(names)} references by built and hand-made pyramids: Pearson "
        f"{pearson(*scores).value:.3f}, Kendall {kendall(*scores).value:.3f}; within pyramids "
        f"Pearson {pearson(*within).value:.3f}"
    )
