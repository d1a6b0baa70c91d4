"""How sure the probabilities of a corpus are: documents are drawn anew."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats
from pyramidion.rewriting.people.sequences.chain import shares
from pyramidion.rewriting.people.sequences.counting import SequenceCounts
from pyramidion.rewriting.people.sequences.limits import long_run
from pyramidion.stats._inputs import Rng, generator, share

__all__ = ["SequenceIntervals", "document_draws", "sequence_intervals"]

# Draws x documents at a time.
_MOST_NUMBERS = 4_000_000

_NO_WIDTH = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class SequenceIntervals:
    """Bootstrap intervals of all probabilities; the first axis is low and high, NaN for unknown.

    Parameters
    ----------
    initial, transitions, limit
        Of the Markov chain.
    positions
        Of the stratified model.
    confidence_level
        How often such intervals hold.

    Examples
    --------
    >>> nothing = np.full((2, 2), np.nan)
    >>> SequenceIntervals(nothing, nothing, nothing, nothing, 0.95).confidence_level
    0.95
    """

    initial: Floats
    transitions: Floats
    limit: Floats
    positions: Floats
    confidence_level: float


def document_draws(documents: int, n_resamples: int, rng: Rng | None = None) -> Iterator[Floats]:
    """Draw documents with replacement: how often each is there, some resamples at a time.

    Parameters
    ----------
    documents
        How many there are.
    n_resamples
        How many times to draw as many.
    rng
        Generator or seed.

    Examples
    --------
    >>> [draws] = document_draws(3, 2, 0)
    >>> draws.sum(axis=1).tolist()
    [3.0, 3.0]
    """
    chance = generator(rng)
    batch = max(1, _MOST_NUMBERS // max(documents, 1))
    for start in range(0, n_resamples, batch):
        size = min(batch, n_resamples - start)
        drawn = chance.multinomial(documents, np.full(documents, 1 / documents), size=size)
        yield drawn.astype(np.float64)


def sequence_intervals(
    counts: SequenceCounts,
    *,
    add: float = 0.0,
    n_resamples: int = 1999,
    confidence_level: float = 0.95,
    rng: Rng | None = None,
) -> SequenceIntervals:
    """Bootstrap the probabilities of a corpus over its documents.

    A row that a resample lacks is left out of that resample, and one that a single document has
    gets no interval. Drawing anew can never show a state that was not seen in a row (or another
    than the only one that was): such an interval ends where the n mentions of the row, were they
    independent, would still not show it in 2.5% of all cases. A limit that no resample
    changes gets no interval.

    Parameters
    ----------
    counts
        What was counted.
    add
        As in `MarkovChain.of_counts`.
    n_resamples, confidence_level, rng
        Of the bootstrap; a percentile interval.

    Examples
    --------
    >>> initial = np.array([[1.0, 0], [1, 0], [0, 1]])
    >>> counts = SequenceCounts("x", ("a", "b"), ("1", "2", "3"), initial, np.zeros((3, 5, 2, 2)))
    >>> sequence_intervals(counts).initial.round(2).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    level = share(confidence_level, "confidence_level")
    tables = (counts.initial, counts.transitions, counts.positions)
    drawn: list[list[Floats]] = [[], [], [], []]
    for draws in document_draws(len(counts.documents), n_resamples, rng):
        initial, transitions, positions = (
            shares(np.tensordot(draws, table, axes=1), add) for table in tables
        )
        parts = (initial, transitions, long_run(transitions), positions)
        for own, part in zip(drawn, parts, strict=True):
            own.append(part)
    ends = [_between(np.concatenate(own), level) if own else np.empty(0) for own in drawn]
    initial, transitions, positions = (
        _widened(end, table, level)
        for end, table in zip((ends[0], ends[1], ends[3]), tables, strict=True)
    )
    return SequenceIntervals(initial, transitions, _of_several(ends[2], counts), positions, level)


def _between(samples: Floats, level: float) -> Floats:
    """Take percentiles of the samples that are defined; nothing if less than half are."""
    defined = ~np.isnan(samples)
    enough = defined.mean(axis=0) >= 0.5
    safe = np.where(enough & ~defined, np.nan, np.where(enough, samples, 0))
    tail = (1 - level) / 2
    ends: Floats = np.nanquantile(safe, (tail, 1 - tail), axis=0)
    return np.where(enough, ends, np.nan)


def _of_several(ends: Floats, counts: SequenceCounts) -> Floats:
    """Drop what rests on a single document, and what no resample changes: it is not certain."""
    several = np.count_nonzero(counts.steps.any(axis=(1, 2, 3))) > 1
    return np.where(several & (ends[1] - ends[0] > _NO_WIDTH), ends, np.nan)


def _widened(ends: Floats, table: Floats, level: float) -> Floats:
    """Open intervals at states never seen, or only; drop those of rows of a single document."""
    by_document = table.sum(axis=-1, keepdims=True)
    seen, mentions = table.sum(axis=0), by_document.sum(axis=0)
    reach = ((1 - level) / 2) ** (1 / np.maximum(mentions, 1))
    low = np.where(seen == mentions, np.minimum(ends[0], reach), ends[0])
    high = np.where(seen == 0, np.maximum(ends[1], 1 - reach), ends[1])
    several = np.count_nonzero(by_document, axis=0) > 1
    known = several & ~np.isnan(ends).any(axis=0)
    return np.where(known, np.stack([low, high]), np.nan)
