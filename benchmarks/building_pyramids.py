"""Pyramids built from references alone beside those made by hand for the demo collection.

Part of ``make bench-pyramids``. Contributors marked by hand are given the built unit that has most
of their characters; then pairs of contributors of different references are either in one unit or
not, by hand and as built. `ceiling` is what clauses could reach at best: each in the unit, of those
made by hand, that has most of it. The threshold is chosen on the other topics.
"""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.collection._pyramids import SCU, Contributor, Pyramid
from pyramidion.demo import load_demo
from pyramidion.pyramid import build_pyramid, score_reference
from pyramidion.stats import kendall, pearson

THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
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
    """Put each clause into the unit made by hand that has most of it."""
    by_hand = units_of(hand.scus, hand)
    clauses = [c for scu in built.scus for c in scu.contributors]
    own = [characters(clause, built) for clause in clauses]
    units = [most_common_unit(of_clause, by_hand) for of_clause in own]
    return {
        character: [unit if unit >= 0 else -2 - number]
        for number, (of_clause, unit) in enumerate(zip(own, units, strict=True))
        for character in of_clause
    }


def rates(counts: Counts) -> tuple[float, float, float, float]:
    both, built, hand, neither = counts.tolist()
    precision, recall = both / max(both + built, 1), both / max(both + hand, 1)
    f = 2 * precision * recall / max(precision + recall, 1e-9)
    return precision, recall, f, (both + neither) / counts.sum()


def building(console: Console) -> None:
    demo = load_demo()
    hand = {key[::-1]: pyramid for key, pyramid in sorted(demo.pyramids.items())}
    topics = sorted({topic for topic, _ in hand})
    built = {
        (key, threshold): build_pyramid(references_of(pyramid), threshold=threshold)
        for key, pyramid in hand.items()
        for threshold in THRESHOLDS
    }
    counts = {
        (key, threshold): pairs_alike(hand[key], units_of(of.scus, of))
        for (key, threshold), of in built.items()
    }

    def f_without(topic: str, threshold: float) -> float:
        others = [counts[key, threshold] for key in hand if key[0] != topic]
        return rates(np.sum(others, axis=0))[2]

    chosen = {t: max(THRESHOLDS, key=lambda value: f_without(t, value)) for t in topics}
    own = {key: built[key, chosen[key[0]]] for key in hand}
    table = Table("", "precision", "recall", "F", "alike", title="demo: pairs of contributors")
    for name, of_pyramids in {
        "built": [counts[key, chosen[key[0]]] for key in hand],
        "ceiling of clauses": [pairs_alike(hand[k], at_best(hand[k], own[k])) for k in hand],
        "each clause alone": [counts_alone(hand[k], own[k]) for k in hand],
    }.items():
        table.add_row(name, *(f"{rate:.3f}" for rate in rates(np.sum(of_pyramids, axis=0))))
    console.print(table)
    console.print(f"thresholds chosen on the other topics: {sorted(chosen.values())}")
    tiers_and_scores(console, hand, own)


def counts_alone(hand: Pyramid, built: Pyramid) -> Counts:
    clauses = [c for scu in built.scus for c in scu.contributors]
    alone = tuple(SCU(str(number), "", (clause,)) for number, clause in enumerate(clauses))
    return pairs_alike(hand, units_of(alone, built))


def tiers_and_scores(console: Console, hand: dict[Any, Pyramid], own: dict[Any, Pyramid]) -> None:
    table = Table("weight", "by hand", "built", title="demo: content units of 12 pyramids")
    tiers = [Counter(w for p in of.values() for w in p.weights.tolist()) for of in (hand, own)]
    for weight in sorted(set().union(*tiers), reverse=True):
        table.add_row(str(weight), *(str(of[weight]) for of in tiers))
    console.print(table)
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
