"""Fitting a model of similarity to annotated pyramids."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection import Collection
from pyramidion.errors import InputError
from pyramidion.pyramid._scores import content_of_peer
from pyramidion.pyramid._similar.model import (
    FACTORS,
    LARGEST,
    Floats,
    SimilarityModel,
    WordFinder,
    Wordings,
    stems_of,
    within,
)
from pyramidion.pyramid._units import answered_units

_Numbers = np.ndarray[tuple[int], np.dtype[np.float64]]
_LOGISTIC = ("intercept", "anywhere", "near", "size")

# How firmly the numbers of the stems are held, in cases: little beside thousands of them.
_HELD = 10.0


@dataclass(frozen=True, slots=True)
class SimilarityExample:
    """A text, and what people found in it."""

    wordings: Wordings
    text: str
    answers: Floats


class _Rows(NamedTuple):
    """The stems of the chosen wordings, one below the other."""

    factors: Floats
    anywhere: Floats
    near: Floats
    starts: NDArray[np.int64]
    sizes: Floats
    answers: Floats


def fit_similarity(
    examples: Iterable[SimilarityExample],
    *,
    start: SimilarityModel | None = None,
    rounds: int = 2,
    card: Mapping[str, Any] | None = None,
) -> SimilarityModel:
    """Fit the model.

    Parameters
    ----------
    examples
        Annotated summaries; for an honest figure, of other topics than those it is tested on.
    start
        Where to begin, and what the numbers of the stems are drawn to; its `window` and
        `likeness` are kept.
    rounds
        How often wordings and stretches are chosen anew.
    card
        Where the examples come from, kept with the model.

    Examples
    --------
    >>> wordings = Wordings.of([["Ice melts"], ["Ships sink"]])
    >>> texts = {"The ice melts.": [1, 0], "Ships sink.": [0, 1], "The ice ships.": [0, 0]}
    >>> model = fit_similarity(
    ...     SimilarityExample(wordings, text, np.array(found, float))
    ...     for text, found in texts.items())
    >>> model.anywhere + model.near > 0
    True
    """
    model = start or SimilarityModel()
    known = [example for example in examples if not np.isnan(example.answers).all()]
    if not known:
        raise InputError("there is nothing to fit to", hint="give annotated summaries")
    finders = {
        id(example.wordings): WordFinder(example.wordings, likeness=model.likeness)
        for example in known
    }
    hits = [finders[id(example.wordings)].hits(stems_of(example.text)) for example in known]
    held = model.of_stems
    for _ in range(rounds):
        model = _fitted(_chosen(known, hits, model), model, held)
    return replace(model, card=dict(card or {}))


def _chosen(
    examples: Sequence[SimilarityExample], hits: Sequence[Floats], model: SimilarityModel
) -> _Rows:
    """Choose for each unit and text the wording and the stretch that count."""
    factors, anywhere, near, sizes, answers = [], [], [], [], []
    shares: dict[int, Floats] = {}
    for example, found in zip(examples, hits, strict=True):
        wordings = example.wordings
        if id(wordings) not in shares:
            shares[id(wordings)] = model.shares(wordings)
        evidence = model.evidence(found, shares[id(wordings)])
        odds = model.log_odds(evidence, wordings.uses.sum(axis=1))
        best, stretches = found.max(axis=1, initial=0.0), within(found, model.window)
        for row in _best_wordings(wordings, odds):
            answer = example.answers[wordings.unit[row]]
            # Where nothing is found there is nothing to fit: the probability is 0.
            if odds[row] > -np.inf and not np.isnan(answer):
                stems = wordings.uses[row]
                factors.append(wordings.factors[stems])
                anywhere.append(best[stems])
                near.append(stretches[stems, evidence.place[row]])
                sizes.append(int(stems.sum()))
                answers.append(answer)
    if not sizes:
        raise InputError("no text has a word of its units", hint="check that they belong together")
    ends = np.cumsum(sizes, dtype=np.int64)
    return _Rows(
        np.concatenate(factors),
        np.concatenate(anywhere),
        np.concatenate(near),
        ends - np.array(sizes),
        np.log(sizes),
        np.array(answers),
    )


def _best_wordings(wordings: Wordings, odds: Floats) -> Iterable[int]:
    """Give the most probable wording of each unit that has any."""
    order = np.lexsort((-odds, wordings.unit))
    _, first = np.unique(wordings.unit[order], return_index=True)
    return [int(row) for row in order[first]]


def _fitted(rows: _Rows, model: SimilarityModel, held: Floats) -> SimilarityModel:
    from scipy.optimize import minimize

    begin = np.array([getattr(model, name) for name in (*_LOGISTIC, *FACTORS)])
    found = minimize(
        _loss, begin, args=(rows, held), jac=True, method="L-BFGS-B", options={"maxiter": 200}
    )
    # Where units are found without a fault, nothing else bounds the numbers.
    best = np.clip(found.x, -LARGEST, LARGEST)
    numbers: Any = dict(zip((*_LOGISTIC, *FACTORS), best.tolist(), strict=True))
    return replace(model, **numbers)


def _loss(numbers: _Numbers, rows: _Rows, held: Floats) -> tuple[float, _Numbers]:
    """Give the negative log-likelihood and its gradient."""
    logistic, of_stems = numbers[: len(_LOGISTIC)], numbers[len(_LOGISTIC) :]
    weights = np.exp(rows.factors @ of_stems)
    total = np.add.reduceat(weights, rows.starts)
    weighed = weights[:, None] * rows.factors
    slope = np.add.reduceat(weighed, rows.starts)
    inputs, slopes = [np.ones(len(total))], []
    for hits in (rows.anywhere, rows.near):
        share = np.add.reduceat(weights * hits, rows.starts) / total
        inputs.append(share)
        risen = np.add.reduceat(weighed * hits[:, None], rows.starts)
        slopes.append((risen - share[:, None] * slope) / total[:, None])
    design = np.column_stack([*inputs, rows.sizes])
    odds = design @ logistic
    error = 1 / (1 + np.exp(-odds)) - rows.answers
    away = of_stems - held
    loss = (np.logaddexp(0, odds) - rows.answers * odds).sum() + _HELD * (away**2).sum()
    by_stems = sum(
        number * (error @ of_share) for number, of_share in zip(logistic[1:3], slopes, strict=True)
    )
    return float(loss), np.concatenate([error @ design, by_stems + 2 * _HELD * away])


# Task, topic.
_Address = tuple[str, str]


def similarity_examples(collection: Collection) -> Iterator[tuple[str, SimilarityExample]]:
    """Take a collection's answers to lists of units and its annotated peers."""
    yield from _of_answers(collection)
    for (_, topic, *_), peer in collection.peer_annotations.items():
        expressed = content_of_peer(peer).expressed.astype(np.float64)
        yield topic, SimilarityExample(Wordings.of_pyramid(peer.pyramid), peer.text, expressed)


def _of_answers(collection: Collection) -> Iterator[tuple[str, SimilarityExample]]:
    texts = {(s.task, s.topic, s.system): s.plain for s in collection.summaries}
    found: dict[tuple[str, str, str], list[Floats]] = {}
    wordings: dict[_Address, Wordings] = {}
    for answered in answered_units(collection, workers="each"):
        address = answered.task, answered.topic
        if address not in wordings:
            references = collection.references(answered.topic, answered.task)
            wordings[address] = Wordings.of_list(answered.units, [r.plain for r in references])
        counts = answered.content.counts.astype(np.float64)
        found.setdefault((*address, answered.system), []).append(counts)
    for (task, topic, system), answers in found.items():
        if (task, topic, system) in texts:
            text = texts[task, topic, system]
            share = np.mean(answers, axis=0)
            yield topic, SimilarityExample(wordings[task, topic], text, share)
