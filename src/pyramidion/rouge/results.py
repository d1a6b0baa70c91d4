"""What scoring gives: counts, scores of every summary, means and intervals."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from pyramidion.errors import InputError
from pyramidion.rouge import perl
from pyramidion.rouge.counting import Counts
from pyramidion.rouge.rouge import PARTS, Rouge
from pyramidion.rouge.scoring import Scored, score

__all__ = ["PERL_RESAMPLES", "RESAMPLES", "Mean", "RougeScores", "perl_mean", "sample_mean"]

Floats = npt.NDArray[np.float64]

RESAMPLES = 9999
PERL_RESAMPLES = 1000
_NORMAL_FROM = 10_000


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its confidence interval.

    Examples
    --------
    >>> Mean(0.5, 0.4, 0.6, 10).n
    10
    """

    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class RougeScores:
    """Scores of many summaries.

    Parameters
    ----------
    rouge
        What was computed.
    ids
        The items, in order; a range of numbers if they were given without ids.
    statistics
        Sufficient statistics: for each variant's measure the counts of each item.

    Examples
    --------
    >>> from pyramidion.rouge import Rouge
    >>> rouge = Rouge(n=1, l=False)
    >>> scores = rouge.score({"T1": "It rained."}, {"T1": ["Rain fell.", "It rained"]})
    >>> scores["rouge-1-r"].tolist()
    [0.5]
    >>> scores.as_dict()["T1"]["rouge-1-f"]
    0.5
    """

    rouge: Rouge
    ids: Sequence[object]
    statistics: Mapping[str, Counts]

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, measure: str) -> Floats:
        """Give one measure's scores, in the order of the ids."""
        name, _, part = measure.rpartition("-")
        if name not in self.statistics or part not in PARTS:
            # A bare name means F.
            name, part = measure, "f"
        if name not in self.statistics:
            there = ", ".join(self.rouge.measures)
            raise InputError(f"{measure!r} was not computed", hint=f"there are: {there}")
        scored = self._scored[name]
        return {"r": scored.recall, "p": scored.precision, "f": scored.f}[part]

    @cached_property
    def _scored(self) -> dict[str, Scored]:
        rule = perl.exact_scores if self.rouge.exact else score
        return {
            name: rule(counts, alpha=self.rouge.alpha) for name, counts in self.statistics.items()
        }

    def as_dict(self) -> dict[object, dict[str, float]]:
        """Give each item's scores by measure."""
        columns = {measure: self[measure].tolist() for measure in self.rouge.measures}
        return {
            id: {measure: column[row] for measure, column in columns.items()}
            for row, id in enumerate(self.ids)
        }

    def mean(
        self,
        measure: str,
        *,
        confidence_level: float = 0.95,
        n_resamples: int | None = None,
        rng: np.random.Generator | int | None = 0,
    ) -> Mean:
        """Average a measure over items, with a bootstrap interval over items.

        In exact mode this is what ROUGE-1.5.5 prints: the mean of bootstrap means drawn with
        its own generator from the items in the order of their ids as text (items without ids
        are numbered from 1, as in a list for ``-z``), and its own percentiles.

        Parameters
        ----------
        measure
            Such as ``rouge-2-r``.
        confidence_level
            Of the interval (``-c``, as a share).
        n_resamples
            9,999 if not given, in exact mode 1,000 (``-r``).
        rng
            Where chance begins; exact mode has its own generator.

        Examples
        --------
        >>> from pyramidion.rouge import Rouge
        >>> scores = Rouge(n=1).score(["a b", "c d"], [["a b"], ["c e"]])
        >>> scores.mean("rouge-1-f").mean
        0.75
        """
        values, level = self[measure], confidence_level
        if n_resamples is None:
            n_resamples = PERL_RESAMPLES if self.rouge.exact else RESAMPLES
        if self.rouge.exact:
            ordered = values[self._perl_order]
            return perl_mean(ordered, confidence_level=level, n_resamples=n_resamples)
        return sample_mean(values, confidence_level=level, n_resamples=n_resamples, rng=rng)

    @cached_property
    def _perl_order(self) -> list[int]:
        """The order of ``evaluation.peer`` as text, whatever the peer."""
        numbered = isinstance(self.ids, range)
        names = [f"{row + 1 if numbered else id}." for row, id in enumerate(self.ids)]
        return sorted(range(len(names)), key=names.__getitem__)


def perl_mean(
    values: Floats, *, confidence_level: float = 0.95, n_resamples: int = PERL_RESAMPLES
) -> Mean:
    """Average as ROUGE-1.5.5 does: the mean of bootstrap means, with its percentiles.

    Examples
    --------
    >>> round(perl_mean(np.array([0.25, 0.5, 0.75])).mean, 5)
    0.49983
    """
    _require_sense(values, confidence_level, n_resamples)
    means = perl.bootstrap_means(values[:, None], n_resamples)[:, 0]
    # A share such as 0.58 is not quite 58 hundredths, and the script cuts what it computes.
    found = perl.interval(means, round(100 * confidence_level, 9))
    return Mean(found.mean, found.low, found.high, len(values))


def sample_mean(
    values: Floats,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = RESAMPLES,
    rng: np.random.Generator | int | None = 0,
) -> Mean:
    """Average, with a percentile bootstrap interval.

    With more than 10,000 values the interval is that of the normal distribution, which the
    bootstrap has reached by then.

    Examples
    --------
    >>> sample_mean(np.array([0.25, 0.5, 0.75])).mean
    0.5
    """
    _require_sense(values, confidence_level, n_resamples)
    mean = float(values.mean())
    tail = (1 - confidence_level) / 2
    if len(values) > _NORMAL_FROM:
        half = NormalDist().inv_cdf(1 - tail) * float(values.std()) / math.sqrt(len(values))
        return Mean(mean, mean - half, mean + half, len(values))
    means = _bootstrap_means(values, n_resamples, np.random.default_rng(rng))
    low, high = np.quantile(means, [tail, 1 - tail])
    return Mean(mean, float(low), float(high), len(values))


def _require_sense(values: Floats, confidence_level: float, n_resamples: int) -> None:
    if not len(values):
        raise InputError("nothing was scored, so there is no mean", hint="add items")
    if not 0 < confidence_level < 1:
        raise InputError(f"the confidence level is {confidence_level}", hint="give 0.95 for 95%")
    if n_resamples < 1:
        raise InputError(f"{n_resamples} resamples", hint="give a number from 1 on")


def _bootstrap_means(values: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Average resampled values, in blocks so that memory stays small."""
    block = max(1, 2_000_000 // len(values))
    means = [
        values[rng.integers(len(values), size=(min(block, resamples - done), len(values)))].mean(1)
        for done in range(0, resamples, block)
    ]
    return np.concatenate(means)
