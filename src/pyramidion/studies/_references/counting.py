"""Counts of sequences of mentions, and their bootstrap intervals."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from pyramidion._types import Floats
from pyramidion.comparison.common import numbered
from pyramidion.rewriting import MarkovChain, Mention, MentionFeature, Person, thesis_chains
from pyramidion.rewriting.markov import long_run, shares
from pyramidion.stats.inputs import Rng, generator, share

#: The mentions that the stratified model distinguishes.
MENTION_ORDINALS = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, slots=True, eq=False)
class StratifiedModel:
    r"""The probability of each state given the number of the mention, :math:`P(SF \mid m)`."""

    feature: str
    states: tuple[str, ...]
    probabilities: (
        Floats  # a row for each of `MENTION_ORDINALS`; NaN where there is no such mention
    )


#: Whether anything premodifies the name: Figure 5.8.
PREMODIFICATION = MentionFeature(
    "premodification",
    ("premodified", "not premodified"),
    lambda m: "premodified" if m.premodifiers else "not premodified",
)

#: Whether there is modification both before and after the name: the text below Figure 5.8.
BOTH_MODIFICATIONS = MentionFeature(
    "both",
    ("both", "not both"),
    lambda m: "both" if m.premodifiers > 0 and m.post != "none" else "not both",
)

#: Section 5.1.2: the share of first mentions that are both premodified and postmodified, although
#: the figures give 0.51 + 0.40 - 0.76 = 0.15.
FIRST_WITH_BOTH = 0.17


@cache
def published_stratified() -> dict[str, StratifiedModel]:
    """Return the stratified models of Figure 5.8, as printed, by feature."""
    printed_models = (
        StratifiedModel(row["feature"], tuple(row["states"]), np.array(row["probabilities"]))
        for row in thesis_chains()["stratified"]
    )
    return {model.feature: model for model in printed_models}


@dataclass(frozen=True, slots=True)
class MentionChain:
    """The mentions of one person in one document."""

    document: str
    mentions: tuple[Mention, ...]

    @property
    def begins_with_head(self) -> bool:
        """Whether the first mention is the head of its phrase."""
        return self.mentions[0].head

    @property
    def counted(self) -> tuple[Mention, ...]:
        """The mentions that are counted: heads only, or all if the first is not a head."""
        # For the latter only the form of the name is studied, which every mention has.
        heads = tuple(mention for mention in self.mentions if mention.head)
        return heads if self.begins_with_head else self.mentions


def mention_chains(people: Iterable[Person]) -> list[MentionChain]:
    """Return the chain of each person in each document."""
    return [
        MentionChain(document, tuple(person.in_document(document)))
        for person in people
        for document in person.documents
    ]


@dataclass(frozen=True, slots=True, eq=False)
class SequenceCounts:
    """How often the chains of each document begin in a state, and go from one to another."""

    feature: str
    states: tuple[str, ...]
    documents: tuple[str, ...]
    initial: Floats  # documents x states: first mentions
    steps: Floats  # documents x 5 x states x states: first to second, ..., later ones together

    @property
    def transitions(self) -> Floats:
        """Documents x states x states: all steps."""
        return np.asarray(self.steps.sum(axis=1))

    @property
    def positions(self) -> Floats:
        """Documents x 5 x states: the first to the fifth mention."""
        later_counts = self.steps[:, : len(MENTION_ORDINALS) - 1].sum(axis=2)
        return np.concatenate([self.initial[:, np.newaxis], later_counts], axis=1)

    @property
    def mentions(self) -> int:
        """The number of mentions counted."""
        return int(self.initial.sum() + self.steps.sum())

    def chain(self, *, add: float = 0.0) -> MarkovChain:
        """Return the Markov chain of all documents; `add` as in `MarkovChain.of_counts`."""
        initial_counts, transitions = self.initial.sum(axis=0), self.transitions.sum(axis=0)
        return MarkovChain.of_counts(
            self.feature, self.states, initial_counts, transitions, add=add
        )

    def stratified(self, *, add: float = 0.0) -> StratifiedModel:
        """Return the stratified model of all documents; `add` is added to each count."""
        return StratifiedModel(self.feature, self.states, shares(self.positions.sum(axis=0), add))


def count_sequences(
    chains: Sequence[MentionChain], feature: MentionFeature, *, documents: Sequence[str] = ()
) -> SequenceCounts:
    """Count the states of mentions, and the transitions between them."""
    ids = tuple(dict.fromkeys([*documents, *(chain.document for chain in chains)]))
    rows, n_states = numbered(ids), len(feature.states)
    initial_counts = np.zeros((len(ids), n_states))
    steps = np.zeros((len(ids), len(MENTION_ORDINALS), n_states, n_states))
    for chain in chains:
        row = rows[chain.document]
        states = [feature.number(mention) for mention in chain.counted]
        initial_counts[row, states[0]] += 1
        for step, (before, after) in enumerate(pairwise(states)):
            steps[row, min(step, len(MENTION_ORDINALS) - 1), before, after] += 1
    return SequenceCounts(feature.name, feature.states, ids, initial_counts, steps)


# Draws x documents at a time.
_MAX_BATCH_CELLS = 4_000_000
_MIN_INTERVAL_WIDTH = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class SequenceIntervals:
    """Bootstrap intervals of all probabilities, low and high along the first axis."""

    initial: Floats
    transitions: Floats
    limit: Floats
    positions: Floats
    confidence_level: float


def document_draws(documents: int, n_resamples: int, rng: Rng | None = None) -> Iterator[Floats]:
    """Draw documents with replacement: how often each was drawn, in batches of resamples."""
    random_generator = generator(rng)
    batch = max(1, _MAX_BATCH_CELLS // max(documents, 1))
    for start in range(0, n_resamples, batch):
        n_draws = min(batch, n_resamples - start)
        draw_counts = random_generator.multinomial(
            documents, np.full(documents, 1 / documents), size=n_draws
        )
        yield draw_counts.astype(np.float64)


def sequence_intervals(
    counts: SequenceCounts,
    *,
    add: float = 0.0,
    n_resamples: int = 1999,
    confidence_level: float = 0.95,
    rng: Rng | None = None,
) -> SequenceIntervals:
    """Bootstrap the probabilities of a corpus over its documents.

    Resamples that lack a row are skipped for it, and a row of a single document gets no interval.
    Resampling never shows a state that was not seen, so the interval of a state seen never (or
    always) ends where n independent mentions would still miss it in 2.5% of all cases.
    """
    level = share(confidence_level, "confidence_level")
    tables = (counts.initial, counts.transitions, counts.positions)
    resampled_chains: list[tuple[Floats, ...]] = []
    for draws in document_draws(len(counts.documents), n_resamples, rng):
        resampled_shares = [shares(np.tensordot(draws, table, axes=1), add) for table in tables]
        resampled_chains.append((*resampled_shares, long_run(resampled_shares[1])))
    samples = map(np.concatenate, zip(*resampled_chains, strict=True))
    *ends, limit = (_percentile_interval(sample, level) for sample in samples)
    initial, transitions, positions = (
        _widen_intervals(end, table, level) for end, table in zip(ends, tables, strict=True)
    )
    # A limit that rests on a single document, or that no resample changes, gets no interval.
    has_several = np.count_nonzero(counts.steps.any(axis=(1, 2, 3))) > 1
    limit = np.where(has_several & (limit[1] - limit[0] > _MIN_INTERVAL_WIDTH), limit, np.nan)
    return SequenceIntervals(initial, transitions, limit, positions, level)


def _percentile_interval(samples: Floats, level: float) -> Floats:
    """Take percentiles of the defined samples; NaN if fewer than half are defined."""
    is_finite = ~np.isnan(samples)
    is_defined = is_finite.mean(axis=0) >= 0.5
    safe_samples = np.where(is_defined & ~is_finite, np.nan, np.where(is_defined, samples, 0))
    tail = (1 - level) / 2
    ends: Floats = np.nanquantile(safe_samples, (tail, 1 - tail), axis=0)
    return np.where(is_defined, ends, np.nan)


def _widen_intervals(ends: Floats, table: Floats, level: float) -> Floats:
    """Extend intervals of states seen never or always; drop rows of a single document."""
    document_mentions = table.sum(axis=-1, keepdims=True)
    n_seen, mentions = table.sum(axis=0), document_mentions.sum(axis=0)
    unseen_share = ((1 - level) / 2) ** (1 / np.maximum(mentions, 1))
    low = np.where(n_seen == mentions, np.minimum(ends[0], unseen_share), ends[0])
    high = np.where(n_seen == 0, np.maximum(ends[1], 1 - unseen_share), ends[1])
    has_several = np.count_nonzero(document_mentions, axis=0) > 1
    is_defined = has_several & ~np.isnan(ends).any(axis=0)
    return np.where(is_defined, np.stack([low, high]), np.nan)
