r"""Linear models of many metrics, held back: from a single metric to ridge regression.

All are fitted to features and targets without their topics' means. With standardised columns Z
and target y, ridge regression minimises

.. math:: |y - Z w|^2 / n + \lambda |w|^2

for a strength :math:`\lambda`; the non-negative one first turns each column so that it rises
with the target in the training data, and allows no negative weight. Small sets grow by the
column that lowers the sum of squares most.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy.fits import LinearFit
from pyramidion.classy.learners.within_topics import TopicRows, one_target
from pyramidion.classy.search.criteria import Agreement, Criterion, SelectionLevel
from pyramidion.classy.training import TrainingData

__all__ = ["SET_SIZES", "STRENGTHS", "regularised_fits"]

#: Of ridge regression, strongest first.
STRENGTHS = (3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003)

#: How many metrics small sets have.
SET_SIZES = (2, 3, 4, 6, 8, 12)

# So little that it only keeps copies of a column apart.
_IN_SETS = 0.01


def regularised_fits(
    data: TrainingData,
    target: int = 0,
    *,
    criterion: Criterion = "kendall",
    level: SelectionLevel = "input",
) -> dict[str, LinearFit]:
    """Fit all models of the family, the simplest first.

    Parameters
    ----------
    data
        With topics.
    target
        The number of the target.
    criterion, level
        By which the single best metric is found.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> quality = rng.normal(size=60)
    >>> features = quality[:, None] + rng.normal(size=(60, 3))
    >>> fits = regularised_fits(TrainingData(features, quality, topics=np.arange(60) // 6))
    >>> list(fits)[:3], len(fits)
    (['one metric', '2 metrics', '3 metrics'], 17)
    >>> bool((np.abs(fits["ridge 3"].coefficients) < np.abs(fits["ridge 0.03"].coefficients)).all())
    True
    """
    rows = TopicRows.of(data, target)
    products = rows.features.T @ rows.features / len(rows.target)
    slopes = rows.features.T @ rows.target / len(rows.target)
    agreement = Agreement(one_target(data, target), criterion, level)
    fits = {"one metric": rows.calibrated(_single(agreement, rows))}
    weighted = chain(
        _small_sets(products, slopes),
        ((f"non-negative {s:g}", _non_negative(products, slopes, s)) for s in STRENGTHS),
        zip((f"ridge {s:g}" for s in STRENGTHS), _ridge(products, slopes, STRENGTHS), strict=True),
    )
    return fits | {name: rows.fit(weights) for name, weights in weighted}


def _single(agreement: Agreement, rows: TopicRows) -> Floats:
    """Give 1 or -1 to the metric that agrees best with the target, 0 to the others."""
    each = np.eye(rows.features.shape[1])
    scores = agreement.scores(each, np.zeros(len(each)), [0])[:, 0]
    scores = np.where(np.isnan(scores) | np.isinf(rows.spreads), 0.0, scores)
    best = int(np.argmax(np.abs(scores)))
    weights: Floats = each[best] * (np.sign(scores[best]) or 1.0)
    return weights


def _ridge(products: Floats, slopes: Floats, strengths: Sequence[float]) -> Iterator[Floats]:
    values, directions = np.linalg.eigh(products)
    along = directions.T @ slopes
    for strength in strengths:
        yield directions @ (along / (np.maximum(values, 0.0) + strength))


def _non_negative(products: Floats, slopes: Floats, strength: float) -> Floats:
    from scipy.optimize import nnls

    signs = np.where(slopes < 0, -1.0, 1.0)
    turned = products * signs * signs[:, None] + strength * np.eye(len(slopes))
    # |y - Z w|^2 differs from |b - R w|^2 by a constant if R'R = Z'Z and R'b = Z'y.
    root = np.linalg.cholesky(turned).T
    weights: Floats = signs * nnls(root, np.linalg.solve(root.T, signs * slopes))[0]
    return weights


def _small_sets(products: Floats, slopes: Floats) -> Iterator[tuple[str, Floats]]:
    products = products + _IN_SETS * np.eye(len(slopes))
    chosen: list[int] = []
    for size in range(1, min(max(SET_SIZES), len(slopes)) + 1):
        chosen.append(_next(products, slopes, chosen))
        if size in SET_SIZES:
            weights = np.zeros(len(slopes))
            weights[chosen] = np.linalg.solve(products[np.ix_(chosen, chosen)], slopes[chosen])
            yield f"{size} metrics", weights


def _next(products: Floats, slopes: Floats, chosen: list[int]) -> int:
    """Find the column that lowers the sum of squares most beside those chosen."""
    rest, left = slopes, np.diag(products)
    if chosen:
        shares = np.linalg.solve(products[np.ix_(chosen, chosen)], products[chosen])
        rest = slopes - slopes[chosen] @ shares
        left = left - np.einsum("ij,ij->j", products[chosen], shares)
    gains = rest**2 / np.maximum(left, 1e-12)
    gains[chosen] = -1.0
    return int(np.argmax(gains))
