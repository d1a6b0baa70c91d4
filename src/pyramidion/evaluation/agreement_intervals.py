"""How sure an agreement on significance is, given which systems happened to take part."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pyramidion.evaluation.significance import MeasureVerdicts, SignificanceStudy
from pyramidion.stats.bootstrap_intervals import percentile_interval
from pyramidion.stats.inputs import Interval

__all__ = ["agreement_intervals"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

# Draws x systems that are worked on together.
_BLOCK = 4_000_000


def agreement_intervals(
    studies: Sequence[SignificanceStudy],
    metric: str,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> dict[str, Interval]:
    """Give percentile intervals of the ratios of an agreement, over draws of systems.

    Pairs that share a system are not independent, so systems are drawn with replacement, not
    pairs: a pair counts as often as its first system times its second. Two draws of one system
    are no pair. Verdicts stay as they are, so that the intervals say nothing of the topics.

    Parameters
    ----------
    studies
        Of one or several tasks and years; systems are drawn in each, and counts added up.
    metric
        Which of the studies' metrics; studies without it do not count.
    confidence_level
        Of the intervals.
    n_resamples, seed
        How many draws, and where chance begins. All metrics get the same draws.

    Returns
    -------
    dict
        An interval for each ratio; draws in which it is undefined do not count.

    Examples
    --------
    >>> from pyramidion.evaluation.meta.tables import MetaTables
    >>> from pyramidion.evaluation.significance import study_significance
    >>> rng = np.random.default_rng(0)
    >>> manual = rng.normal(size=(20, 10)) + np.arange(10) / 4
    >>> tables = MetaTables("pyramid", "", tuple(map(str, range(20))), tuple("abcdefghij"),
    ...                     np.zeros(10, bool), manual, {"m": manual + rng.normal(size=(20, 10))})
    >>> study = study_significance(tables)
    >>> found = agreement_intervals([study], "m")["accuracy"]
    >>> found.low <= study.agreements["m"].accuracy <= found.high
    True
    """
    counts = np.zeros((6, n_resamples))
    for number, study in enumerate(studies):
        if metric in study.metrics:
            counts += _drawn_counts(study, metric, n_resamples, [seed, number])
    return {
        name: percentile_interval(values, confidence_level=confidence_level)
        for name, values in _ratios(*counts)
    }


def _drawn_counts(
    study: SignificanceStudy, metric: str, n_resamples: int, seed: list[int]
) -> Floats:
    """Count tp, fp, fn, tn, ordered pairs and rightly ordered ones in each draw."""
    systems = len(study.chosen.systems)
    marks = [
        _square(mark, study.chosen.pairs, systems)
        for mark in _marks(study.manual, study.metrics[metric])
    ]
    rng = np.random.default_rng(seed)
    counts = np.empty((len(marks), n_resamples))
    step = max(1, _BLOCK // systems)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        drawn = rng.multinomial(systems, np.full(systems, 1 / systems), size).astype(np.float64)
        for row, square in enumerate(marks):
            counts[row, start : start + size] = np.einsum("bi,bi->b", drawn @ square, drawn)
    return counts


def _marks(manual: MeasureVerdicts, metric: MeasureVerdicts) -> Iterator[Bools]:
    """Mark the pairs of each kind."""
    known = manual.verdicts.known & metric.verdicts.known
    truth, guess = manual.verdicts.signs != 0, metric.verdicts.signs != 0
    yield known & truth & guess
    yield known & ~truth & guess
    yield known & truth & ~guess
    yield known & ~truth & ~guess
    ordered = manual.ordered & metric.ordered & (manual.order != 0)
    yield ordered
    yield ordered & (manual.order == metric.order)


def _square(mark: Bools, pairs: npt.NDArray[np.intp], systems: int) -> Floats:
    square = np.zeros((systems, systems))
    square[pairs[mark, 0], pairs[mark, 1]] = 1.0
    return square


def _ratios(
    tp: Floats, fp: Floats, fn: Floats, tn: Floats, ordered: Floats, right: Floats
) -> Iterator[tuple[str, Floats]]:
    precision, recall = _ratio(tp, tp + fp), _ratio(tp, tp + fn)
    yield "accuracy", _ratio(tp + tn, tp + fp + fn + tn)
    yield "precision", precision
    yield "recall", recall
    yield "balanced_accuracy", (recall + _ratio(tn, tn + fp)) / 2
    yield "mean_predictive_value", (precision + _ratio(tn, tn + fn)) / 2
    yield "order_accuracy", _ratio(right, ordered)


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)
