"""Fitting the model to what people found, and telling how well calibrated it is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection
from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError
from pyramidion.pyramid.content_units import answered_units, content_of_peer, pyramid_of
from pyramidion.pyramid.similarity import (
    FACTORS,
    LARGEST,
    SimilarityModel,
    UnitFinder,
    WordFinder,
    Wordings,
    stems_of,
    within,
)
from pyramidion.text import split_sentences

_Numbers = np.ndarray[tuple[int], np.dtype[np.float64]]
_LOGISTIC = ("intercept", "anywhere", "near", "crowding")

# How firmly numbers are held, in cases: little beside thousands of them.
_HELD = 10.0
# Parts that topics are cut into, each left out in turn.
_FOLDS = 5


@dataclass(frozen=True, slots=True)
class SimilarityExample:
    """A text, and what people found in it; `weight` is what each answer counts."""

    wordings: Wordings
    text: str
    answers: Floats
    weight: float = 1.0
    task: str = ""


class _Rows(NamedTuple):
    """The stems of the chosen wordings, one below the other."""

    factors: Floats
    anywhere: Floats
    near: Floats
    starts: Ints
    crowding: Floats
    answers: Floats
    weights: Floats


def fit_similarity(
    examples: Iterable[SimilarityExample],
    *,
    start: SimilarityModel | None = None,
    rounds: int = 2,
    card: Mapping[str, Any] | None = None,
) -> SimilarityModel:
    """Fit the model.

    Each summary of several sentences is also shown in part, so that the model learns what a short
    text cannot say: `part_of`.

    Parameters
    ----------
    examples
        Annotated summaries; for an honest figure, of other topics than those it is tested on.
    start
        Where to begin, and what the numbers are drawn to; its `window` and `likeness` are kept.
        Without one only the numbers of the stems are drawn anywhere: to what frequency suggests.
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
    answered = [example for example in examples if not np.isnan(example.answers).all()]
    if not answered:
        raise InputError("there is nothing to fit to", hint="give annotated summaries")
    every = {id(example.wordings): example.wordings for example in answered}
    finders = {
        key: WordFinder(wordings, likeness=model.likeness) for key, wordings in every.items()
    }
    answered += [
        part
        for number, example in enumerate(answered)
        for part in part_of(example, number, finders[id(example.wordings)], model)
    ]
    hits = [finders[id(example.wordings)].hits(stems_of(example.text)) for example in answered]
    # What numbers are drawn to, and how firmly.
    firmness = np.array([_HELD if start else 0.0] * len(_LOGISTIC) + [_HELD] * len(FACTORS))
    held = _numbers(model), firmness
    for _ in range(rounds):
        model = _fitted(_chosen(answered, hits, model), model, held)
    return replace(model, card=dict(card or {}))


def part_of(
    example: SimilarityExample, number: int, finder: WordFinder, model: SimilarityModel
) -> Iterator[SimilarityExample]:
    """Return half of a summary's sentences, and one of them.

    A unit that people found counts as found where the sentence is that has most of it.
    """
    sentences = split_sentences(example.text)
    shares = model.shares(example.wordings)
    if len(sentences) < 2 or not len(shares):
        return
    shares_found = np.zeros((example.wordings.units, len(sentences)))
    for column, sentence in enumerate(sentences):
        columns, hits = finder.find(stems_of(sentence))
        evidence = model.evidence(hits, shares[:, columns])
        np.maximum.at(shares_found[:, column], example.wordings.unit, evidence.anywhere)
    where = shares_found.argmax(axis=1)
    half, single = np.arange(number % 2, len(sentences), 2), np.array([number % len(sentences)])
    for chosen in (half, single) if len(sentences) > 2 else (single,):
        text = " ".join(sentences[index] for index in chosen)
        yield replace(example, text=text, answers=example.answers * np.isin(where, chosen))


def _numbers(model: SimilarityModel) -> _Numbers:
    return np.array([getattr(model, name) for name in (*_LOGISTIC, *FACTORS)])


def _chosen(
    examples: Sequence[SimilarityExample], hits: Sequence[Floats], model: SimilarityModel
) -> _Rows:
    """Choose for each unit and text the wording and the stretch that count."""
    factors, anywhere, near, sizes, cases = [], [], [], [], []
    shares: dict[int, Floats] = {}
    for example, likeness in zip(examples, hits, strict=True):
        wordings = example.wordings
        if id(wordings) not in shares:
            shares[id(wordings)] = model.shares(wordings)
        evidence = model.evidence(likeness, shares[id(wordings)])
        crowding = wordings.crowding(likeness.shape[1])
        odds = model.log_odds(evidence, wordings.uses.sum(axis=1), crowding)
        best, stretches = likeness.max(axis=1, initial=0.0), within(likeness, model.window)
        for row in wordings.best(odds).tolist():
            answer = example.answers[wordings.unit[row]]
            # Where nothing is found there is nothing to fit: the probability is 0.
            if odds[row] > -np.inf and not np.isnan(answer):
                stems = wordings.uses[row]
                factors.append(wordings.factors[stems])
                anywhere.append(best[stems])
                near.append(stretches[stems, evidence.position[row]])
                sizes.append(int(stems.sum()))
                cases.append((crowding, answer, example.weight))
    if not sizes:
        raise InputError("no text has a word of its units", hint="check that they belong together")
    ends = np.cumsum(sizes, dtype=np.int64)
    of_stems, hits_anywhere, hits_near = map(np.concatenate, (factors, anywhere, near))
    rest = ends - np.array(sizes), *np.array(cases, dtype=np.float64).T
    return _Rows(of_stems, hits_anywhere, hits_near, *rest)


def _fitted(rows: _Rows, model: SimilarityModel, held: tuple[_Numbers, Floats]) -> SimilarityModel:
    from scipy.optimize import minimize

    how: Any = {"jac": True, "method": "L-BFGS-B", "options": {"maxiter": 200}}
    optimum = minimize(_loss, _numbers(model), args=(rows, *held), **how)
    # Where units are found without a fault, nothing else bounds the numbers. Further digits depend
    # on the machine, and the signature has a hash of them.
    best = np.clip(optimum.x, -LARGEST, LARGEST).round(6)
    numbers: Any = dict(zip((*_LOGISTIC, *FACTORS), best.tolist(), strict=True))
    return replace(model, **numbers)


def _loss(
    numbers: _Numbers, rows: _Rows, held_to: _Numbers, firmness: Floats
) -> tuple[float, _Numbers]:
    """Return the negative log-likelihood and its gradient."""
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
    design = np.column_stack([*inputs, rows.crowding])
    odds = design @ logistic
    error = rows.weights * (1 / (1 + np.exp(-odds)) - rows.answers)
    away = numbers - held_to
    each = rows.weights * (np.logaddexp(0, odds) - rows.answers * odds)
    loss = each.sum() + (firmness * away**2).sum()
    by_stems = sum(
        number * (error @ of_share) for number, of_share in zip(logistic[1:3], slopes, strict=True)
    )
    gradient = np.concatenate([error @ design, by_stems]) + 2 * firmness * away
    return float(loss), gradient


@dataclass(frozen=True, slots=True)
class Calibration:
    """Probabilities beside what people found."""

    probable: Floats
    answers: Floats

    @classmethod
    def of(cls, examples: Iterable[SimilarityExample], model: SimilarityModel) -> "Calibration":
        """Look for the units of examples."""
        finders: dict[int, UnitFinder] = {}
        pairs = []
        for example in examples:
            wordings = example.wordings
            if id(wordings) not in finders:
                finders[id(wordings)] = UnitFinder(wordings, model)
            units = finders[id(wordings)].find(stems_of(example.text))
            pairs.append((units.probable, example.answers))
        joined = cls.joined(pairs)
        answered = ~np.isnan(joined.answers)
        return cls(joined.probable[answered], joined.answers[answered])

    @classmethod
    def joined(cls, pairs: Iterable[tuple[Floats, Floats]]) -> "Calibration":
        """Put probabilities and findings of several texts together."""
        probable, answers = zip(*pairs, strict=True)
        return cls(np.concatenate(probable), np.concatenate(answers))

    @property
    def brier(self) -> float:
        """The mean squared distance (Brier score)."""
        return float(((self.probable - self.answers) ** 2).mean())

    @property
    def base_rate(self) -> float:
        """The same where one always says the mean of what was found."""
        return float(self.answers.var())


def cross_fitted(
    examples: Mapping[str, Sequence[SimilarityExample]], start: SimilarityModel
) -> Calibration:
    """Return how well a model does on topics that it was not fitted on."""
    parts = []
    topics = sorted(examples)
    for fold in range(min(_FOLDS, len(topics))):
        held_out = topics[fold::_FOLDS]
        training = (e for topic in topics if topic not in held_out for e in examples[topic])
        model = fit_similarity(training, start=start)
        part = Calibration.of((e for topic in held_out for e in examples[topic]), model)
        parts.append((part.probable, part.answers))
    return Calibration.joined(parts)


def similarity_examples(collection: Collection) -> Iterator[tuple[str, SimilarityExample]]:
    """Take what people found, by topic: in answers to lists of units, and in pyramids.

    A pyramid's references serve, too: each by the units of the others.
    """
    yield from _of_answers(collection)
    wordings: dict[int, Wordings] = {}
    for (task, topic, *_), peer in collection.peer_annotations.items():
        expressed = content_of_peer(peer).expressed.astype(np.float64)
        if id(peer.pyramid) not in wordings:
            wordings[id(peer.pyramid)] = Wordings.of_pyramid(peer.pyramid)
        worded = wordings[id(peer.pyramid)]
        yield topic, SimilarityExample(worded, peer.text, expressed, task=task)
    for (task, topic), pyramid in collection.pyramids.items():
        for column, reference in enumerate(pyramid.references):
            smaller = pyramid_of(pyramid, {r.name for r in pyramid.references} - {reference.name})
            rows = [pyramid.row(scu.uid) for scu in smaller.scus]
            if rows:
                answers = pyramid.membership[rows, column].astype(np.float64)
                text = pyramid.text[reference.start : reference.end].strip()
                yield (
                    topic,
                    SimilarityExample(Wordings.of_pyramid(smaller), text, answers, task=task),
                )


def _of_answers(collection: Collection) -> Iterator[tuple[str, SimilarityExample]]:
    texts = {summary.key: summary.plain for summary in collection.summaries}
    wordings: dict[tuple[str, str], Wordings] = {}
    by_person = grouped((c.key[:3], c) for c in answered_units(collection, workers="each"))
    # Where nobody says who answered, what was settled serves.
    by_majority = grouped((c.key[:3], c) for c in answered_units(collection, workers="majority"))
    rest = {key: cases for key, cases in by_majority.items() if key not in by_person}
    for key, cases in (by_person | rest).items():
        task, topic = cases[0].task, cases[0].topic
        if (task, topic) not in wordings:
            references = [reference.plain for reference in collection.references(topic, task)]
            wordings[task, topic] = Wordings.of_list(cases[0].units, references)
        if key in texts:
            share = np.mean([case.content.counts.astype(np.float64) for case in cases], axis=0)
            yield topic, SimilarityExample(wordings[task, topic], texts[key], share, task=task)
