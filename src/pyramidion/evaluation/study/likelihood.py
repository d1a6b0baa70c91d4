"""How likely summaries are under a multinomial model of the input's words (Table 4.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Summary
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError
from pyramidion.evaluation.study._places import StudyPlace
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.likelihood import MultinomialLikelihood, UnigramLikelihood
from pyramidion.stats.anova import two_way_anova
from pyramidion.stats.layout import linked_rows

__all__ = ["WORDS", "LikelihoodStudy", "SummarizerLikelihood", "study_likelihood"]

#: To so many words the thesis cuts summaries, lest their lengths matter.
WORDS = 80


@dataclass(frozen=True, slots=True)
class SummarizerLikelihood:
    """The mean log-likelihood of a summarizer's summaries.

    Parameters
    ----------
    summarizer, kind
        Who, and whether it is ``human`` or a ``machine``.
    topics
        How many summaries were averaged, one a topic and task.
    mean
        The mean log-likelihood.
    adjusted
        What the mean would be if everybody had summarized every topic: the least-squares mean.
        NaN where topics without common summarizers leave it open.
    words
        How many words of a summary count, on average.
    per_word
        The mean log-probability of a word, which does not depend on the length.

    Examples
    --------
    >>> SummarizerLikelihood("A", "human", 3, -160.2, -161.0, 44.0, -6.1).mean
    -160.2
    """

    summarizer: str
    kind: str
    topics: int
    mean: float
    adjusted: float
    words: float
    per_word: float


@dataclass(frozen=True, slots=True)
class LikelihoodStudy:
    """Summarizers by the likelihood of what they write, the likeliest first.

    Parameters
    ----------
    summarizers
        One row a summarizer.
    metric
        What was computed, with its rule for words that are absent from the input.
    limit
        To how many words summaries were cut; 0 if they were not.
    short
        How many summaries have fewer words, which makes them likelier.
    undefined
        How many summaries have no word that counts, and are left out.

    Examples
    --------
    >>> LikelihoodStudy((), MultinomialLikelihood(), 80, 0, 0).limit
    80
    """

    summarizers: tuple[SummarizerLikelihood, ...]
    metric: MultinomialLikelihood
    limit: int
    short: int
    undefined: int


def study_likelihood(
    places: Sequence[StudyPlace],
    *,
    limit: int = WORDS,
    metric: MultinomialLikelihood | None = None,
) -> LikelihoodStudy:
    """Give the mean log-likelihood of each person's and each machine's summaries.

    Parameters
    ----------
    places
        Topics with documents and summaries.
    limit
        Cut summaries to so many words between blanks; 0 leaves them whole.
    metric
        The model: what words count, and what one that is absent from the input is worth.

    Examples
    --------
    >>> person, machine = Summary("T1", "A", "Rain.", kind="human"), Summary("T1", "7", "Hail.")
    >>> place = StudyPlace("", "T1", ("Rain, rain and snow.",), (person,), (machine,))
    >>> study = study_likelihood([place])
    >>> [(row.summarizer, round(row.mean, 2)) for row in study.summarizers]
    [('A', -0.41), ('7', -8.7)]
    """
    metric = metric or MultinomialLikelihood()
    summaries = [(row, s) for row, place in enumerate(places) for s in _summaries(place)]
    if not summaries:
        raise InputError("there is no summary", hint="add some")
    cut = [(row, s.truncated(limit) if limit else s) for row, s in summaries]
    values = _values(places, cut, metric)
    there = ~np.isnan(values[:, 0])
    if not there.any():
        raise InputError(
            "no summary has a word that counts",
            hint="this likelihood knows words in Latin letters only",
        )
    kept = [item for item, good in zip(cut, there, strict=True) if good]
    return LikelihoodStudy(
        _by_summarizer(kept, values[there], len(places)),
        metric,
        limit,
        sum(s.words < limit for _, s in summaries),
        int((~there).sum()),
    )


def _summaries(place: StudyPlace) -> tuple[Summary, ...]:
    return (*place.references, *place.machines)


def _values(
    places: Sequence[StudyPlace],
    summaries: Sequence[tuple[int, Summary]],
    metric: MultinomialLikelihood,
) -> Floats:
    """Give the log-likelihood, the number of words and the log-probability of a word."""
    cases = Cases.of_texts(
        [summary.plain for _, summary in summaries],
        documents=[places[row].documents for row, _ in summaries],
    )
    per_word = UnigramLikelihood(metric.absent, metric.stem, metric.stop_words)
    statistics = metric.statistics(cases)
    return np.column_stack([statistics, per_word.score(per_word.statistics(cases))])


def _by_summarizer(
    summaries: Sequence[tuple[int, Summary]], values: Floats, places: int
) -> tuple[SummarizerLikelihood, ...]:
    kinds = {summary.system: summary.kind for _, summary in summaries}
    systems = sorted(kinds, key=natural_order)
    columns = np.array([systems.index(summary.system) for _, summary in summaries])
    rows = np.array([row for row, _ in summaries])
    adjusted = _adjusted(rows, columns, values[:, 0], (places, len(systems)))
    found = []
    for column, system in enumerate(systems):
        own = values[columns == column]
        mean, words, per_word = own.mean(axis=0).tolist()
        score = float(adjusted[column])
        found.append(
            SummarizerLikelihood(system, kinds[system], len(own), mean, score, words, per_word)
        )
    return tuple(sorted(found, key=lambda row: -row.mean))


def _adjusted(
    rows: Ints,
    columns: Ints,
    values: Floats,
    shape: tuple[int, int],
) -> Floats:
    """Give least-squares means, or nothing where summarizers cannot be compared."""
    counts = np.zeros(shape, dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    counts = counts[counts.any(axis=1)]
    if min(counts.shape) < 2 or not linked_rows(counts.T).all():
        return np.full(shape[1], np.nan)
    fit = two_way_anova(values, columns.tolist(), rows.tolist())
    place = {level: number for number, level in enumerate(fit.first.levels)}
    return np.array([fit.first.means[place[column]] for column in range(shape[1])])
