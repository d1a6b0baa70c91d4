"""Which model of the input's words foretells better what people write (thesis, section 6.1)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.evaluation.study._places import TopicWords, column_means
from pyramidion.evaluation.study.lognormal import LognormalFit, fit_lognormal

__all__ = ["ABSENT", "ModelledTopic", "compare_models", "relative_log_probabilities"]

#: Occurrences that are added to every word, lest one that the input lacks be impossible.
ABSENT = 0.0005


@dataclass(frozen=True, slots=True, eq=False)
class ModelledTopic:
    """The words of an input, two models of them, and how well they foretell references.

    Parameters
    ----------
    name
        The topic.
    spectrum
        How many words of the input occur once, twice, ...
    fit
        The lognormal model.
    relative, lognormal
        The mean log-probability of a word of a reference by relative frequencies and by the
        lognormal model; the mean over references.
    relative_seen, lognormal_seen
        The same for words that the input has; NaN where no reference has one.
    absent
        The share of a reference's words that the input does not have.

    Examples
    --------
    >>> topic = TopicWords(["ice", "sea", "sun"], np.array([5, 1, 0]), np.array([[1, 0, 1]]),
    ...                    np.zeros((0, 3), dtype=int), ("A",), ())
    >>> [found], _ = compare_models([("T1", topic)])
    >>> found.spectrum.tolist(), found.absent, found.lognormal > found.relative
    ([1, 0, 0, 0, 1], 0.5, True)
    """

    name: str
    spectrum: Ints
    fit: LognormalFit
    relative: float
    lognormal: float
    relative_seen: float
    lognormal_seen: float
    absent: float


def compare_models(
    topics: Iterable[tuple[str, TopicWords]], *, absent: float = ABSENT
) -> tuple[list[ModelledTopic], list[str]]:
    """Fit a lognormal model to each input, and hold it against relative frequencies.

    Parameters
    ----------
    topics
        Names of topics and their words.
    absent
        Occurrences that are added to every word for relative frequencies.

    Returns
    -------
    tuple
        What was found, and what was left out, one line each.

    Examples
    --------
    >>> topic = TopicWords(["ice", "sea"], np.array([5, 1]), np.array([[1, 1]]),
    ...                    np.zeros((0, 2), dtype=int), ("A",), ())
    >>> len(compare_models([("T1", topic)])[0])
    1
    """
    if not absent > 0:
        raise InputError(f"{absent} occurrences of a word that is absent", hint="give more than 0")
    found, left_out = [], []
    for name, topic in topics:
        if len(np.unique(topic.input[topic.input > 0])) < 2:
            left_out.append(f"{name}: all words of the input are equally frequent")
        elif not topic.references.any():
            left_out.append(f"{name}: no reference has a word that counts")
        else:
            found.append(_modelled(name, topic, absent))
    if not found:
        raise InputError(
            f"no topic has frequencies to model: {left_out[0]}", hint="give longer documents"
        )
    return found, left_out


def relative_log_probabilities(own: Ints, counts: Ints, absent: float = ABSENT) -> Floats:
    r"""Give the log-probabilities of words by their relative frequencies in the input.

    :math:`(c + \delta) / (N + \delta (V + V_0))`, where V words are in the input and :math:`V_0`
    in the summary alone, as in the metric ``multinomial-input``.

    Parameters
    ----------
    own, counts
        How often the summary and the input have each word.
    absent
        :math:`\delta`.

    Examples
    --------
    >>> logs = relative_log_probabilities(np.array([1, 0]), np.array([0, 4]), 1.0)
    >>> np.exp(logs).round(3).tolist()
    [0.167, 0.833]
    """
    words = np.count_nonzero((own > 0) | (counts > 0))
    logs: Floats = np.log((counts + absent) / (counts.sum() + absent * words))
    return logs


def _modelled(name: str, topic: TopicWords, absent: float) -> ModelledTopic:
    fit = fit_lognormal(topic.input)
    means = column_means(np.array(list(_of_references(topic, fit, absent))))
    spectrum = np.bincount(topic.input[topic.input > 0])[1:]
    return ModelledTopic(name, spectrum, fit, *means.tolist())


def _of_references(topic: TopicWords, fit: LognormalFit, absent: float) -> Iterator[list[float]]:
    """Give both models' mean log-probabilities for each reference, of all and of seen words."""
    by_lognormal = fit.log_probabilities(topic.input)
    seen = topic.input > 0
    for own in topic.references:
        if own.any():
            by_relative = relative_log_probabilities(own, topic.input, absent)
            yield [
                _mean(own, by_relative),
                _mean(own, by_lognormal),
                _mean(own * seen, by_relative),
                _mean(own * seen, by_lognormal),
                float((own * ~seen).sum() / own.sum()),
            ]


def _mean(own: Ints, logs: Floats) -> float:
    total = int(own.sum())
    return float(own @ logs) / total if total else float("nan")
