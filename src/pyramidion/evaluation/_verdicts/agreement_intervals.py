"""How sure an agreement on significance is, given which systems happened to take part."""

from collections.abc import Iterator, Sequence

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.evaluation._verdicts.study import MeasureVerdicts, SignificanceStudy
from pyramidion.stats.bootstrap_intervals import percentile_interval
from pyramidion.stats.inputs import Interval
from pyramidion.stats.pairs import multiply

__all__ = ["agreement_intervals"]

# Draws x pairs that are worked on together.
_BLOCK = 2_000_000


def agreement_intervals(
    studies: Sequence[SignificanceStudy],
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> dict[str, dict[str, Interval]]:
    """Give percentile intervals of the ratios of agreements, over draws of systems.

    Pairs that share a system are not independent, so systems are drawn with replacement, not
    pairs: a pair counts as often as its first system times its second. Two draws of one system
    are no pair. Verdicts stay as they are, so that the intervals say nothing of the topics.

    Parameters
    ----------
    studies
        Of one or several tasks and years; systems are drawn in each, and counts added up.
    confidence_level
        Of the intervals.
    n_resamples, seed
        How many draws, and where chance begins. All metrics get the same draws.

    Returns
    -------
    dict
        For each metric an interval of each ratio; draws in which it is undefined do not count.

    Examples
    --------
    >>> from pyramidion.evaluation._judged import MetaTables
    >>> from pyramidion.evaluation._verdicts.study import study_significance
    >>> rng = np.random.default_rng(0)
    >>> manual = rng.normal(size=(20, 10)) + np.arange(10) / 4
    >>> tables = MetaTables("pyramid", "", tuple(map(str, range(20))), tuple("abcdefghij"),
    ...                     np.zeros(10, bool), manual, {"m": manual + rng.normal(size=(20, 10))})
    >>> study = study_significance(tables)
    >>> found = agreement_intervals([study])["m"]["accuracy"]
    >>> found.low <= study.agreements["m"].accuracy <= found.high
    True
    """
    counts: dict[str, Floats] = {}
    for number, study in enumerate(studies):
        for metric, drawn in _drawn_counts(study, n_resamples, [seed, number]):
            counts[metric] = counts.get(metric, 0.0) + drawn
    return {
        metric: {
            name: percentile_interval(values, confidence_level=confidence_level)
            for name, values in _ratios(*rows)
        }
        for metric, rows in counts.items()
    }


def _drawn_counts(
    study: SignificanceStudy, n_resamples: int, seed: list[int]
) -> Iterator[tuple[str, Floats]]:
    """Count tp, fp, fn, tn, ordered pairs and rightly ordered ones of each metric and draw."""
    if not study.metrics:
        return
    systems = len(study.chosen.systems)
    first, second = study.chosen.pairs.T
    marks = np.stack([mark for own in study.metrics.values() for mark in _marks(study.manual, own)])
    kinds = marks.astype(np.float32)
    rng = np.random.default_rng(seed)
    counts = np.empty((len(marks), n_resamples))
    step = max(1, _BLOCK // len(first))
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        times = rng.multinomial(systems, np.full(systems, 1 / systems), size).astype(np.float32).T
        # Counts of pairs are whole numbers far below what this type holds exactly.
        counts[:, start : start + size] = multiply(kinds, times[first] * times[second])
    each = np.split(counts, len(study.metrics))
    yield from zip(study.metrics, each, strict=True)


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
