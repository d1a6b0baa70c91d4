"""Which model of mentions foretells others best: held-out documents under each."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.rewriting._people.sequences import PLACES, SequenceCounts, document_draws, shares
from pyramidion.stats import permutation_test
from pyramidion.stats._inputs import Interval, Rng, generator

#: The models, in the order of what they know.
MODELS = ("independent", "first and later", "stratified", "Markov")

_FOLDS = 10

# What is added to each count where nothing else is asked for: a form that the other documents
# never show would make a document impossible under one model or another.
_ADDED = 0.5


@dataclass(frozen=True, slots=True)
class ModelDifference:
    """How much better the Markov chain foretells a mention than another model does."""

    other: str
    difference: float
    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """How well each of the `MODELS` foretells the mentions of documents it did not see.

    `scores` are mean log-probabilities of a mention, of the first five of each chain.
    """

    feature: str
    documents: int
    folds: int
    mentions: int
    scores: tuple[float, ...]
    differences: tuple[ModelDifference, ...]
    added: float

    @property
    def best(self) -> str:
        """The model with the highest score."""
        return MODELS[int(np.argmax(self.scores))]


def compare_reference_models(
    counts: SequenceCounts,
    *,
    add: float = 0.0,
    n_resamples: int = 1999,
    confidence_level: float = 0.95,
    rng: Rng | None = None,
) -> ModelComparison | None:
    """Leave out a tenth of the documents at a time, and foretell it from the others.

    Mentions are foretold from nothing (independent), from whether they are the first, from their
    number, or from the form of the mention before. Those after the fifth are left out, of
    which the stratified model says nothing. Where nothing is added to counts, 0.5 is, since nothing
    may be impossible. There is no answer if fewer than two documents have a chain.
    """
    with_chains = counts.initial.any(axis=1)
    documents = int(np.count_nonzero(with_chains))
    if documents < 2:
        return None
    chance = generator(rng)
    added = add or _ADDED
    initial, steps = counts.initial[with_chains], counts.steps[with_chains, : len(PLACES) - 1]
    folds = chance.permutation(documents) % min(_FOLDS, documents)
    values = np.empty((documents, len(MODELS)))
    for fold in range(int(folds.max()) + 1):
        out = folds == fold
        values[out] = _foretold(initial, steps, out, added)
    mentions = initial.sum(axis=1) + steps.sum(axis=(1, 2, 3))
    draws = np.concatenate(list(document_draws(documents, n_resamples, chance)))
    differences = _differences(values, mentions, draws, confidence_level, chance)
    return ModelComparison(
        counts.feature,
        documents,
        int(folds.max()) + 1,
        int(mentions.sum()),
        tuple((values.sum(axis=0) / mentions.sum()).tolist()),
        tuple(differences),
        added,
    )


def _foretold(initial: Floats, steps: Floats, out: Bools, added: float) -> Floats:
    """Give the log-probability of each document that is left out, under each model."""
    known, known_steps = initial[~out].sum(axis=0), steps[~out].sum(axis=0)
    later = known_steps.sum(axis=1)
    anything = np.log(shares(known + later.sum(axis=0), added))
    first = np.log(shares(known, added))
    any_later = np.log(shares(later.sum(axis=0), added))
    by_place = np.log(shares(later, added))
    by_form = np.log(shares(known_steps.sum(axis=0), added))
    firsts, reached = initial[out], steps[out].sum(axis=2)
    forms = steps[out].sum(axis=1)
    begun = firsts @ first
    return np.column_stack(
        [
            (firsts + reached.sum(axis=1)) @ anything,
            begun + reached.sum(axis=1) @ any_later,
            begun + (reached * by_place).sum(axis=(1, 2)),
            begun + (forms * by_form).sum(axis=(1, 2)),
        ]
    )


def _differences(
    values: Floats, mentions: Floats, draws: Floats, level: float, chance: np.random.Generator
) -> Iterator[ModelDifference]:
    tail = (1 - level) / 2
    for place, other in enumerate(MODELS[:-1]):
        own = values[:, -1] - values[:, place]
        low, high = np.quantile((draws @ own) / (draws @ mentions), (tail, 1 - tail))
        test = permutation_test(values[:, -1], values[:, place], n_resamples=len(draws), rng=chance)
        mean = float(own.sum() / mentions.sum())
        yield ModelDifference(other, mean, Interval(float(low), float(high), level), test.p)
