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
    best_in_windows,
    stem_text,
)
from pyramidion.text import split_sentences

_Parameters = np.ndarray[tuple[int], np.dtype[np.float64]]
_LOGISTIC_FACTORS = ("intercept", "anywhere", "near", "crowding")

# Strength of the penalty, in cases; small compared with thousands of them.
_PENALTY_CASES = 10.0
# Number of parts of the topics for cross-validation.
_MAX_FOLDS = 5


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
    wordings_by_id = {id(example.wordings): example.wordings for example in judged_examples}
    finders = {
        wordings_id: WordFinder(wordings, likeness=model.likeness)
        for wordings_id, wordings in wordings_by_id.items()
    }
    judged_examples += [
        part
        for index, example in enumerate(judged_examples)
        for part in parts_of_example(example, index, finders[id(example.wordings)], model)
    ]
    hits = [
        finders[id(example.wordings)].hits(stem_text(example.text)) for example in judged_examples
    ]
    penalties = [_PENALTY_CASES if start else 0.0] * len(_LOGISTIC_FACTORS) + [
        _PENALTY_CASES
    ] * len(FACTORS)
    prior = _parameters(model), np.array(penalties)
    for _ in range(rounds):
        model = _fit_factors(_choose_wordings(judged_examples, hits, model), model, prior)
    return replace(model, card=dict(card or {}))


def parts_of_example(
    example: SimilarityExample, example_number: int, finder: WordFinder, model: SimilarityModel
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
        columns, hits = finder.find(stem_text(sentence))
        evidence = model.evidence(hits, shares[:, columns])
        np.maximum.at(shares_found[:, column], example.wordings.unit, evidence.anywhere)
    best_sentences = shares_found.argmax(axis=1)
    half_sentences, single_sentence = (
        np.arange(example_number % 2, len(sentences), 2),
        np.array([example_number % len(sentences)]),
    )
    for sentence_indices in (
        (half_sentences, single_sentence) if len(sentences) > 2 else (single_sentence,)
    ):
        text = " ".join(sentences[index] for index in sentence_indices)
        yield replace(
            example, text=text, answers=example.answers * np.isin(best_sentences, sentence_indices)
        )


def _parameters(model: SimilarityModel) -> _Parameters:
    return np.array([getattr(model, name) for name in (*_LOGISTIC_FACTORS, *FACTORS)])


def _choose_wordings(
    examples: Sequence[SimilarityExample], hits: Sequence[Floats], model: SimilarityModel
) -> _Rows:
    """Choose the best wording and stretch for each unit and text."""
    factors, shares_anywhere, shares_near, n_stems, cases = [], [], [], [], []
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
            best_in_windows(example_hits, model.window),
        )
        for row in wordings.best(odds).tolist():
            answer = example.answers[wordings.unit[row]]
            # If no stem is found, the probability is 0 and there is nothing to fit.
            if odds[row] > -np.inf and not np.isnan(answer):
                stems = wordings.uses[row]
                factors.append(wordings.factors[stems])
                shares_anywhere.append(best_hits[stems])
                shares_near.append(stretches[stems, evidence.position[row]])
                n_stems.append(int(stems.sum()))
                cases.append((crowding, answer, example.weight))
    if not n_stems:
        raise InputError("no text has a word of its units", hint="check that they belong together")
    ends = np.cumsum(n_stems, dtype=np.int64)
    stem_factors, stacked_anywhere, stacked_near = map(
        np.concatenate, (factors, shares_anywhere, shares_near)
    )
    columns = ends - np.array(n_stems), *np.array(cases, dtype=np.float64).T
    return _Rows(stem_factors, stacked_anywhere, stacked_near, *columns)


def _fit_factors(
    rows: _Rows, model: SimilarityModel, prior: tuple[_Parameters, Floats]
) -> SimilarityModel:
    from scipy.optimize import minimize

    options: Any = {"jac": True, "method": "L-BFGS-B", "options": {"maxiter": 200}}
    optimum = minimize(_loss, _parameters(model), args=(rows, *prior), **options)
    # Nothing else bounds the numbers if the answers can be separated. Further digits depend on the
    # machine, and the signature has a hash of the numbers.
    best_parameters = np.clip(optimum.x, -MAX_COEFFICIENT, MAX_COEFFICIENT).round(6)
    new_parameters: Any = dict(
        zip((*_LOGISTIC_FACTORS, *FACTORS), best_parameters.tolist(), strict=True)
    )
    return replace(model, **new_parameters)


def _loss(
    parameters: _Parameters, rows: _Rows, center: _Parameters, penalties: Floats
) -> tuple[float, _Parameters]:
    """Return the negative log-likelihood and its gradient."""
    logistic_coefficients, stem_coefficients = (
        parameters[: len(_LOGISTIC_FACTORS)],
        parameters[len(_LOGISTIC_FACTORS) :],
    )
    weights = np.exp(rows.factors @ stem_coefficients)
    weight_sums = np.add.reduceat(weights, rows.starts)
    weighted_factors = weights[:, None] * rows.factors
    factor_sums = np.add.reduceat(weighted_factors, rows.starts)
    columns, slopes = [np.ones(len(weight_sums))], []
    for hits in (rows.anywhere, rows.near):
        share = np.add.reduceat(weights * hits, rows.starts) / weight_sums
        columns.append(share)
        hit_sums = np.add.reduceat(weighted_factors * hits[:, None], rows.starts)
        slopes.append((hit_sums - share[:, None] * factor_sums) / weight_sums[:, None])
    design = np.column_stack([*columns, rows.crowding])
    odds = design @ logistic_coefficients
    errors = rows.weights * (1 / (1 + np.exp(-odds)) - rows.answers)
    deviations = parameters - center
    losses = rows.weights * (np.logaddexp(0, odds) - rows.answers * odds)
    loss = losses.sum() + (penalties * deviations**2).sum()
    stem_gradient = sum(
        coefficient * (errors @ share_slopes)
        for coefficient, share_slopes in zip(logistic_coefficients[1:3], slopes, strict=True)
    )
    gradient = np.concatenate([errors @ design, stem_gradient]) + 2 * penalties * deviations
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
            units = finders[id(wordings)].find(stem_text(example.text))
            pairs.append((units.probable, example.answers))
        all_answers = cls.joined(pairs)
        has_answer = ~np.isnan(all_answers.answers)
        return cls(all_answers.probable[has_answer], all_answers.answers[has_answer])

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


def cross_fit(
    examples: Mapping[str, Sequence[SimilarityExample]], start: SimilarityModel
) -> Calibration:
    """Return the calibration of models on topics that they were not fitted on."""
    calibrations = []
    topics = sorted(examples)
    for fold in range(min(_MAX_FOLDS, len(topics))):
        held_out = topics[fold::_MAX_FOLDS]
        training = (
            example for topic in topics if topic not in held_out for example in examples[topic]
        )
        model = fit_similarity(training, start=start)
        calibration = Calibration.of(
            (example for topic in held_out for example in examples[topic]), model
        )
        calibrations.append((calibration.probable, calibration.answers))
    return Calibration.joined(calibrations)


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
                pyramid,
                {other_reference.name for other_reference in pyramid.references} - {reference.name},
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
    by_person = grouped((case.key[:3], case) for case in answered_units(collection, workers="each"))
    # Without names of people, use the final answers.
    by_majority = grouped(
        (case.key[:3], case) for case in answered_units(collection, workers="majority")
    )
    undisputed_cases = {key: cases for key, cases in by_majority.items() if key not in by_person}
    for key, cases in (by_person | undisputed_cases).items():
        task, topic = cases[0].task, cases[0].topic
        if (task, topic) not in wordings:
            references = [reference.plain for reference in collection.references(topic, task)]
            wordings[task, topic] = Wordings.of_list(cases[0].units, references)
        if key in texts:
            share = np.mean([case.content.counts.astype(np.float64) for case in cases], axis=0)
            yield topic, SimilarityExample(wordings[task, topic], texts[key], share, task=task)
