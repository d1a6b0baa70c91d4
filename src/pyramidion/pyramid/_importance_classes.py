"""Importance classes: how many content units, words and sentences so many people chose (3.3.1).

Class w holds what exactly w of the references express. Few units are in the high classes and
many in the low ones, whether they are content units, words or judged sentences (Figure 3.3).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyramidion._types import Floats
from pyramidion.collection._ids import grouped
from pyramidion.collection._pyramids import Pyramid
from pyramidion.collection._scores import Scores
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._inputs import vector
from pyramidion.text import Tokenizer, words

Granularity = Literal["content units", "words", "sentences"]

#: Sentences judged below this are one class in Figure 3.3.
_COLLAPSED = 7


@dataclass(frozen=True, slots=True)
class ZipfFit:
    r"""A law :math:`C w^{-s}` for the size of class w.

    Parameters
    ----------
    classes
        How many classes there are, weights 1 to this.
    units
        How many units are in them.
    slope
        s by least squares on logarithms, as one reads it off a log-log plot.
    scale
        C by least squares: the size the line gives class 1.
    r_squared
        How much of the variance of the logarithms it explains.
    empty
        Classes without a unit, which have no logarithm and are left out of that line.
    exponent
        s by maximum likelihood, with weights from 1 to `classes`.
    error
        Its standard error.
    chi_square, p
        Pearson's test of the law with that exponent, `classes` - 2 degrees of freedom: a small
        p means that the sizes do not follow it.
    undefined
        What could not be fitted, and why; empty if nothing.

    Examples
    --------
    >>> fit_zipf([600, 300, 200]).undefined
    ''
    """

    classes: int
    units: int
    slope: float
    scale: float
    r_squared: float
    empty: int
    exponent: float
    error: float
    chi_square: float
    p: float
    undefined: str = ""

    def expected(self) -> Floats:
        """Return the size of each class by the law of maximum likelihood."""
        return self.units * _shares(self.exponent, self.classes)


@dataclass(frozen=True, slots=True, eq=False)
class ImportanceClasses:
    """The sizes of importance classes.

    Parameters
    ----------
    granularity
        What is counted.
    sizes
        How many units are in each class, the least important first.
    labels
        What the classes are called: how many references express their units, or how sentences
        were judged.
    topics
        How many topics were added up.

    Examples
    --------
    >>> classes = ImportanceClasses("words", np.array([6, 3, 2]), ("1", "2", "3"), topics=1)
    >>> round(classes.fit().slope, 6), round(classes.mean_weight, 2)
    (1.0, 1.64)
    """

    granularity: Granularity
    sizes: NDArray[np.int64]
    labels: tuple[str, ...]
    topics: int

    @property
    def mean_weight(self) -> float:
        """The mean class of a unit, counted from 1."""
        total = int(self.sizes.sum())
        places = np.arange(1, len(self.sizes) + 1)
        return float(self.sizes @ places) / total if total else float("nan")

    def fit(self) -> ZipfFit:
        """Fit Zipf's law, the classes numbered from 1."""
        return fit_zipf(self.sizes)


def unit_classes(pyramids: Iterable[Pyramid]) -> ImportanceClasses:
    """Count the content units of each weight, over pyramids of as many references."""
    every = list(pyramids)
    references = _common_references(every)
    weights = np.concatenate([pyramid.membership.sum(axis=1) for pyramid in every])
    return _of_weights("content units", weights, references, len(every))


def word_classes(
    pyramids: Iterable[Pyramid],
    *,
    sifted: bool = True,
    stem: bool = False,
    tokenizer: Tokenizer = "unicode",
) -> ImportanceClasses:
    """Count the words (but stop words if `sifted`) that so many references contain."""
    every = list(pyramids)
    references = _common_references(every)
    weights: list[int] = []
    for pyramid in every:
        used: Counter[str] = Counter()
        for reference in pyramid.references:
            text = pyramid.text[reference.start : reference.end]
            used.update(set(words(text, tokenizer=tokenizer, stem=stem, stop_words=sifted)))
        weights.extend(used.values())
    return _of_weights("words", np.array(weights, dtype=np.int64), references, len(every))


def sentence_classes(scores: Scores, *, measure: str = "relative-utility") -> ImportanceClasses:
    """Count sentences of the input by how useful people judged them for a summary.

    The judgments from 0 to 10 of a sentence are averaged and rounded (half up); what is below 7
    is one class, the first, and 7 to 10 are the next four.
    """
    judged = scores.select(measure=measure)
    addresses = zip(*(judged.columns[n] for n in ("collection", "topic", "unit")), strict=True)
    cells = zip(addresses, judged.value, strict=True)
    groups = grouped((address, value) for address, value in cells if address[-1])
    if not groups:
        raise InputError(
            f"no sentence has a judgment of {measure}", hint="judge sentences of the input"
        )
    means = np.array([float(np.mean(values)) for values in groups.values()])
    if means.min() < 0 or means.max() > 10:
        raise InputError(f"{measure} is not judged from 0 to 10", hint="rescale the judgments")
    places = np.maximum(np.floor(means + 0.5).astype(np.int64) - _COLLAPSED + 1, 0)
    sizes = np.bincount(places, minlength=12 - _COLLAPSED)
    labels = (f"below {_COLLAPSED}", *map(str, range(_COLLAPSED, 11)))
    return ImportanceClasses("sentences", sizes, labels, len({own[:2] for own in groups}))


def _common_references(pyramids: list[Pyramid]) -> int:
    counts = sorted({len(pyramid.references) for pyramid in pyramids})
    if not counts:
        raise InputError("there is no pyramid to count in", hint="give one or more")
    if len(counts) > 1:
        what = f"pyramids of {', '.join(map(str, counts))} references have different classes"
        raise ShapeError(what, hint="count in pyramids of as many references")
    return counts[0]


def _of_weights(
    granularity: Granularity, weights: NDArray[np.int64], references: int, topics: int
) -> ImportanceClasses:
    sizes = np.bincount(weights, minlength=references + 1)[1:]
    labels = tuple(str(weight) for weight in range(1, references + 1))
    return ImportanceClasses(granularity, sizes, labels, topics)


def fit_zipf(sizes: ArrayLike) -> ZipfFit:
    r"""Fit Zipf's law to the sizes of classes.

    By least squares on logarithms, which is what a straight line in a log-log plot is, and by
    maximum likelihood: each unit's weight is a draw from :math:`P(w) \propto w^{-s}` for w
    from 1 to the number of classes. The first weighs small classes as much as large ones, and
    its :math:`R^2` is high for anything that falls; the second has a standard error and a test.

    Parameters
    ----------
    sizes
        How many units are in each class, weight 1 first.

    References
    ----------
    M. L. Goldstein, S. A. Morris, G. G. Yen. Problems with fitting to the power-law
    distribution. European Physical Journal B 41, 2004.

    Examples
    --------
    >>> fit = fit_zipf([600, 300, 200, 150])
    >>> round(fit.slope, 6), round(fit.scale, 6), round(fit.r_squared, 6), round(fit.exponent, 6)
    (1.0, 600.0, 1.0, 1.0)
    >>> fit_zipf([30, 0, 0]).undefined
    'all units are in class 1, which leaves no exponent'
    """
    counts = vector(sizes, "sizes")
    if (counts < 0).any() or (counts != np.round(counts)).any():
        raise InputError("`sizes` contains a number that is not a count", hint="give whole numbers")
    undefined = _obstacle(counts)
    empty = int(np.count_nonzero(counts == 0))
    exponent, error = (np.nan, np.nan) if undefined else _most_likely(counts)
    by_logs, by_likelihood = _least_squares(counts), _goodness(counts, exponent)
    of = len(counts), int(counts.sum())
    return ZipfFit(*of, *by_logs, empty, exponent, error, *by_likelihood, undefined)


def _obstacle(counts: Floats) -> str:
    if not counts.any():
        return "there is nothing to fit"
    if len(counts) < 2:
        return "there is one class only"
    if np.count_nonzero(counts) == 1:
        return f"all units are in class {int(np.argmax(counts)) + 1}, which leaves no exponent"
    return ""


def _least_squares(counts: Floats) -> tuple[float, float, float]:
    there = counts > 0
    if np.count_nonzero(there) < 2:
        return np.nan, np.nan, np.nan
    x, y = np.log(np.flatnonzero(there) + 1), np.log(counts[there])
    dx, dy = x - x.mean(), y - y.mean()
    slope = float(dx @ dy / (dx @ dx))
    scale = float(np.exp(y.mean() - slope * x.mean()))
    total = float(dy @ dy)
    rest = dy - slope * dx
    r_squared = 1 - float(rest @ rest) / total if total > 0 else np.nan
    return 0.0 - slope, scale, r_squared


def _most_likely(counts: Floats) -> tuple[float, float]:
    """Find the exponent at which the mean logarithm of the weight is the one observed."""
    from scipy.optimize import brentq

    logs = np.log(np.arange(1, len(counts) + 1))
    observed = float(counts @ logs / counts.sum())

    def surplus(exponent: float) -> float:
        return float(_shares(exponent, len(counts)) @ logs) - observed

    far = 4.0
    while surplus(-far) < 0 or surplus(far) > 0:
        far *= 2
    exponent = float(brentq(surplus, -far, far, xtol=1e-12))
    shares = _shares(exponent, len(counts))
    variance = float(shares @ logs**2) - float(shares @ logs) ** 2
    return exponent, float(1 / np.sqrt(counts.sum() * variance))


def _shares(exponent: float, classes: int) -> Floats:
    logs = -exponent * np.log(np.arange(1, classes + 1))
    powers: Floats = np.exp(logs - logs.max())
    powers /= powers.sum()
    return powers


def _goodness(counts: Floats, exponent: float) -> tuple[float, float]:
    if np.isnan(exponent) or len(counts) < 3:
        return np.nan, np.nan
    from scipy.special import chdtrc

    expected = counts.sum() * _shares(exponent, len(counts))
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    return chi_square, float(chdtrc(len(counts) - 2, chi_square))
