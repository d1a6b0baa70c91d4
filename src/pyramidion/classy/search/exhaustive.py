"""Every subset of the feature groups, fitted on one year and judged on the next."""

from collections.abc import Callable, Sequence

import numpy as np

from pyramidion.classy.fits import METHODS, FitMethod
from pyramidion.classy.search.canonical import fit_canonical
from pyramidion.classy.search.careful import Soundness, fit_with_care, judge_subsets
from pyramidion.classy.search.criteria import Agreement, Criterion, SelectionLevel
from pyramidion.classy.search.nonnegative import fit_nonnegative
from pyramidion.classy.search.result import SubsetSearch
from pyramidion.classy.search.robust import fit_robust
from pyramidion.classy.search.scaled import Scaled
from pyramidion.classy.search.subsets import Masks, Subsets
from pyramidion.classy.training import TrainingData
from pyramidion.errors import InputError
from pyramidion.stats.inputs import Floats, choice
from pyramidion.stats.robust import RobustScale

__all__ = ["Progress", "search_subsets"]

#: Told how many fits are done, and of how many.
Progress = Callable[[int, int], None]


def search_subsets(
    train: TrainingData,
    select: TrainingData,
    *,
    groups: Sequence[Sequence[int]] | None = None,
    methods: Sequence[FitMethod] = METHODS,
    criterion: Criterion = "pearson",
    level: SelectionLevel = "summary",
    scale: RobustScale = "matlab",
    progress: Progress | None = None,
) -> SubsetSearch:
    """Fit every non-empty subset of the feature groups by every method to every target.

    1. Fit on the first year, as :func:`~pyramidion.classy.fits.fit_linear` does.
    2. Predict the second year.
    3. Score by the correlation of the predictions with the target (reading 22).

    The best of thousands is better on the second year than it will be on others: refit it on the
    second year and judge it on a third.

    Parameters
    ----------
    train, select
        The two years, with the same features and targets in the same order.
    groups
        The columns of each feature: content features of update summaries have two. Without
        groups each column is a feature of its own.
    methods
        Some of ``robust``, ``nonneg`` and ``canon``, in the order in which they win ties.
    criterion
        ``pearson``, ``spearman`` or ``kendall`` (tau-b).
    level
        ``summary``: over all rows at once. ``system``: over the means of the systems. ``input``:
        within each topic, averaged over the topics in which it is defined.
    scale
        How robust regression measures the spread of residuals.
    progress
        Called now and then with the number of fits done and their total.

    Returns
    -------
    SubsetSearch
        All scores, the best subset of each method, and the winner for each target.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> def year(rows):
    ...     quality, noise = rng.normal(size=(2, rows))
    ...     features = np.column_stack([quality + noise / 2, noise, rng.normal(size=rows)])
    ...     return TrainingData(features, quality + rng.normal(size=rows) / 2)
    >>> found = search_subsets(year(80), year(60))
    >>> found.values.shape, found.undefined.tolist()
    ((3, 7, 1), [[0], [0], [0]])
    >>> found.winner(0).method, found.winner(0).groups
    ('canon', (0, 1))
    """
    subsets = _checked(train, select, groups, methods)
    agreement = Agreement(select, _word(criterion, Criterion), _word(level, SelectionLevel))
    choice(scale, "scale", RobustScale)
    count = _Count(len(methods) * len(subsets.masks) * train.targets.shape[1], progress)
    search = _Search(train, subsets, agreement, scale, count)
    values = np.stack([search.scores(method)[1:] for method in methods])
    return SubsetSearch(
        subsets, tuple(methods), values, search.iterations[1:], criterion, level
    )
