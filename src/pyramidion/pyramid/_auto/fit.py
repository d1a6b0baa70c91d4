"""Fitting the similarity model to human answers, and its calibration."""

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
    MAX_COEFFICIENT,
    SimilarityModel,
    UnitFinder,
    WordFinder,
    Wordings,
    stems_of,
    within,
)
from pyramidion.text import split_sentences

_Numbers = np.ndarray[tuple[int], np.dtype[np.float64]]
_LOGISTIC_FACTORS = ("intercept", "anywhere", "near", "crowding")

# Strength of the penalty, in cases: small compared with thousands of them.
_PENALTY = 10.0
# Number of parts of the topics for cross-validation.
_FOLDS = 5


@dataclass(frozen=True, slots=True)
class SimilarityExample:
    """A text, and which units people found in it; `weight` is that of each answer."""

    wordings: Wordings
    text: str
    answers: Floats
    weight: float = 1.0
    task: str = ""


class _Rows(NamedTuple):
    """The stems of the chosen wordings, stacked."""

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
    """Fit the similarity model.

    Parts of summaries are used as further examples, so that the model learns how little a short
    text says.

    Parameters
    ----------
    examples
        Annotated summaries.
    start
        The starting point, toward which the numbers are shrunk; its `window` and `likeness` stay.
        Without it, only the numbers of stems are shrunk, toward the defaults.
    rounds
        Number of times that wordings and stretches are chosen.
    card
        Where the examples come from, saved with the model.

    Examples
    --------
    >>> wordings = Wordings.of([["Ice melts"], ["Ships sink"]])
    >>> texts = {"The ice melts.": [1, 0], "Ships sink.": [0, 1], "The ice ships.": [0, 0]}
    >>> model = fit_similarity(
    ...     SimilarityExample(wordings, text, np.array(answers, float))
    ...     for text, answers in texts.items())
    >>> model.anywhere + model.near > 0
    True
    """
    model = start or SimilarityModel()
    judged_examples = [example for example in examples if not np.isnan(example.answers).all()]
    if not judged_examples:
        raise InputError("there are no examples to fit to", hint="give annotated summaries")
    by_id = {id(example.wordings): example.wordings for example in judged_examples}
    finders = {
        key: WordFinder(wordings, likeness=model.likeness) for key, wordings in by_id.items()
    }
    judged_examples += [
        part
        for number, example in enumerate(judged_examples)
        for part in part_of(example, number, finders[id(example.wordings)], model)
    ]
    hits = [
        finders[id(example.wordings)].hits(stems_of(example.text)) for example in judged_examples
    ]
    penalties = [_PENALTY if start else 0.0] * len(_LOGISTIC_FACTORS) + [_PENALTY] * len(FACTORS)
    prior = _numbers(model), np.array(penalties)
    for _ in range(rounds):
        model = _fit_factors(_choose_wordings(judged_examples, hits, model), model, prior)
    return replace(model, card=dict(card or {}))


def part_of(
    example: SimilarityExample, number: int, finder: WordFinder, model: SimilarityModel
) -> Iterator[SimilarityExample]:
    """Yield an example with half of a summary's sentences, and one with a single sentence.

    A unit that people found counts as found in the sentence that has most of it.
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
    stretch_indices = shares_found.argmax(axis=1)
    half_sentences, single_part = (
        np.arange(number % 2, len(sentences), 2),
        np.array([number % len(sentences)]),
    )
    for sentence_indices in (half_sentences, single_part) if len(sentences) > 2 else (single_part,):
        text = " ".join(sentences[index] for index in sentence_indices)
        yield replace(
            example, text=text, answers=example.answers * np.isin(stretch_indices, sentence_indices)
        )


def _numbers(model: SimilarityModel) -> _Numbers:
    return np.array([getattr(model, name) for name in (*_LOGISTIC_FACTORS, *FACTORS)])


def _choose_wordings(
    examples: Sequence[SimilarityExample], hits: Sequence[Floats], model: SimilarityModel
) -> _Rows:
    """Choose the best wording and stretch for each unit and text."""
    factors, shares_anywhere, shares_near, sizes, cases = [], [], [], [], []
    shares: dict[int, Floats] = {}
    for example, example_hits in zip(examples, hits, strict=True):
        wordings = example.wordings
        if id(wordings) not in shares:
            shares[id(wordings)] = model.shares(wordings)
        evidence = model.evidence(example_hits, shares[id(wordings)])
        crowding = wordings.crowding(example_hits.shape[1])
        odds = model.log_odds(evidence, wordings.uses.sum(axis=1), crowding)
        best_hits, stretches = (
            example_hits.max(axis=1, initial=0.0),
            within(example_hits, model.window),
        )
        for row in wordings.best(odds).tolist():
            answer = example.answers[wordings.unit[row]]
            # If no stem is found, the probability is 0 and there is nothing to fit.
            if odds[row] > -np.inf and not np.isnan(answer):
                stems = wordings.uses[row]
                factors.append(wordings.factors[stems])
                shares_anywhere.append(best_hits[stems])
                shares_near.append(stretches[stems, evidence.position[row]])
                sizes.append(int(stems.sum()))
                cases.append((crowding, answer, example.weight))
    if not sizes:
        raise InputError("no text has a word of its units", hint="check that they belong together")
    ends = np.cumsum(sizes, dtype=np.int64)
    stem_factors, hits_anywhere, hits_near = map(
        np.concatenate, (factors, shares_anywhere, shares_near)
    )
    columns = ends - np.array(sizes), *np.array(cases, dtype=np.float64).T
    return _Rows(stem_factors, hits_anywhere, hits_near, *columns)


def _fit_factors(
    rows: _Rows, model: SimilarityModel, prior: tuple[_Numbers, Floats]
) -> SimilarityModel:
    from scipy.optimize import minimize

    options: Any = {"jac": True, "method": "L-BFGS-B", "options": {"maxiter": 200}}
    optimum = minimize(_loss, _numbers(model), args=(rows, *prior), **options)
    # Nothing else bounds the numbers if the answers can be separated. Further digits depend on the
    # machine, and the signature has a hash of the numbers.
    best_parameters = np.clip(optimum.x, -MAX_COEFFICIENT, MAX_COEFFICIENT).round(6)
    numbers: Any = dict(zip((*_LOGISTIC_FACTORS, *FACTORS), best_parameters.tolist(), strict=True))
    return replace(model, **numbers)


def _loss(
    numbers: _Numbers, rows: _Rows, center: _Numbers, penalties: Floats
) -> tuple[float, _Numbers]:
    """Return the negative log-likelihood and its gradient."""
    logistic, stem_coefficients = (
        numbers[: len(_LOGISTIC_FACTORS)],
        numbers[len(_LOGISTIC_FACTORS) :],
    )
    weights = np.exp(rows.factors @ stem_coefficients)
    total = np.add.reduceat(weights, rows.starts)
    weighted_factors = weights[:, None] * rows.factors
    slope = np.add.reduceat(weighted_factors, rows.starts)
    inputs, slopes = [np.ones(len(total))], []
    for hits in (rows.anywhere, rows.near):
        share = np.add.reduceat(weights * hits, rows.starts) / total
        inputs.append(share)
        weighted_sums = np.add.reduceat(weighted_factors * hits[:, None], rows.starts)
        slopes.append((weighted_sums - share[:, None] * slope) / total[:, None])
    design = np.column_stack([*inputs, rows.crowding])
    odds = design @ logistic
    error = rows.weights * (1 / (1 + np.exp(-odds)) - rows.answers)
    deviations = numbers - center
    losses = rows.weights * (np.logaddexp(0, odds) - rows.answers * odds)
    loss = losses.sum() + (penalties * deviations**2).sum()
    by_stems = sum(
        number * (error @ share_slopes)
        for number, share_slopes in zip(logistic[1:3], slopes, strict=True)
    )
    gradient = np.concatenate([error @ design, by_stems]) + 2 * penalties * deviations
    return float(loss), gradient


@dataclass(frozen=True, slots=True)
class Calibration:
    """Probabilities, and the answers of people."""

    probable: Floats
    answers: Floats

    @classmethod
    def of(cls, examples: Iterable[SimilarityExample], model: SimilarityModel) -> "Calibration":
        """Compute the probabilities of the units of examples."""
        finders: dict[int, UnitFinder] = {}
        pairs = []
        for example in examples:
            wordings = example.wordings
            if id(wordings) not in finders:
                finders[id(wordings)] = UnitFinder(wordings, model)
            units = finders[id(wordings)].find(stems_of(example.text))
            pairs.append((units.probable, example.answers))
        joined_pairs = cls.joined(pairs)
        has_answer = ~np.isnan(joined_pairs.answers)
        return cls(joined_pairs.probable[has_answer], joined_pairs.answers[has_answer])

    @classmethod
    def joined(cls, pairs: Iterable[tuple[Floats, Floats]]) -> "Calibration":
        """Concatenate the probabilities and answers of several texts."""
        probabilities, answers = zip(*pairs, strict=True)
        return cls(np.concatenate(probabilities), np.concatenate(answers))

    @property
    def brier(self) -> float:
        """Mean squared difference (Brier score)."""
        return float(((self.probable - self.answers) ** 2).mean())

    @property
    def base_rate(self) -> float:
        """The Brier score of always predicting the mean answer."""
        return float(self.answers.var())


def cross_fitted(
    examples: Mapping[str, Sequence[SimilarityExample]], start: SimilarityModel
) -> Calibration:
    """Return the calibration of models on topics that they were not fitted on."""
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
    """Return examples with their topics: answers to lists, annotated peers, references.

    A pyramid's reference is an example for the units of the other references.
    """
    yield from _examples_from_answers(collection)
    wordings: dict[int, Wordings] = {}
    for (task, topic, *_), peer in collection.peer_annotations.items():
        is_expressed = content_of_peer(peer).expressed.astype(np.float64)
        if id(peer.pyramid) not in wordings:
            wordings[id(peer.pyramid)] = Wordings.of_pyramid(peer.pyramid)
        peer_wordings = wordings[id(peer.pyramid)]
        yield topic, SimilarityExample(peer_wordings, peer.text, is_expressed, task=task)
    for (task, topic), pyramid in collection.pyramids.items():
        for column, reference in enumerate(pyramid.references):
            smaller_pyramid = pyramid_of(
                pyramid, {r.name for r in pyramid.references} - {reference.name}
            )
            rows = [pyramid.row(scu.uid) for scu in smaller_pyramid.scus]
            if rows:
                answers = pyramid.membership[rows, column].astype(np.float64)
                text = pyramid.text[reference.start : reference.end].strip()
                yield (
                    topic,
                    SimilarityExample(
                        Wordings.of_pyramid(smaller_pyramid), text, answers, task=task
                    ),
                )


def _examples_from_answers(collection: Collection) -> Iterator[tuple[str, SimilarityExample]]:
    texts = {summary.key: summary.plain for summary in collection.summaries}
    wordings: dict[tuple[str, str], Wordings] = {}
    by_person = grouped((c.key[:3], c) for c in answered_units(collection, workers="each"))
    # Without names of people, use the final answers.
    by_majority = grouped((c.key[:3], c) for c in answered_units(collection, workers="majority"))
    undisputed_cases = {key: cases for key, cases in by_majority.items() if key not in by_person}
    for key, cases in (by_person | undisputed_cases).items():
        task, topic = cases[0].task, cases[0].topic
        if (task, topic) not in wordings:
            references = [reference.plain for reference in collection.references(topic, task)]
            wordings[task, topic] = Wordings.of_list(cases[0].units, references)
        if key in texts:
            share = np.mean([case.content.counts.astype(np.float64) for case in cases], axis=0)
            yield topic, SimilarityExample(wordings[task, topic], texts[key], share, task=task)
