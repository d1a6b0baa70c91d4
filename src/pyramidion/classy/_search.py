"""Every subset of the feature groups, fitted on one year and judged on the next."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.classy._criteria import Agreement, Criterion, SelectionLevel
from pyramidion.classy._fits import METHODS, FitMethod, TrainingData
from pyramidion.classy._robust_fits import fit_robust
from pyramidion.classy._subset_fits import (
    Fits,
    Masks,
    Subsets,
    fit_canonical,
    fit_nonnegative,
    has_full_rank,
    judge_subsets,
)
from pyramidion.errors import InputError
from pyramidion.stats._inputs import choice
from pyramidion.stats._regression import RobustScale

# The table of an exhaustive search, and what is best in it.

# Scores that differ by no more than this are tied.
_TIED = 1e-9


@dataclass(frozen=True, slots=True)
class Selection:
    """A subset of the feature groups, and the method that goes with it.

    Attributes
    ----------
    method, target
        How it was fitted, and to which of the targets.
    mask
        The subset as a number: bit g tells whether group g is in.
    groups, columns
        The numbers of its groups, and of their columns in rising order.
    value
        Its score on the year of selection. Chosen for being the best it is too good to be true:
        only a further year can tell how good the model is.

    Examples
    --------
    >>> Selection("canon", 0, 5, (0, 2), (0, 2), 0.75).groups
    (0, 2)
    """

    method: FitMethod
    target: int
    mask: int
    groups: tuple[int, ...]
    columns: tuple[int, ...]
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class SubsetSearch:
    """Scores of all subsets, methods and targets.

    Attributes
    ----------
    subsets
        The groups of columns; `subsets.masks` are the rows of the table.
    methods
        The columns of the table.
    values
        Methods x subsets x targets: scores on the year of selection; NaN where undefined.
    iterations
        Subsets x targets: how often each robust fit was repeated; 0 where there is none, 50
        where it did not settle. Without the method all are 0. In fits that have nothing left to
        explain, rounding errors decide when they settle.
    criterion, level
        What the scores are.

    Examples
    --------
    >>> values = np.array([[[0.5], [0.7], [0.7]]])
    >>> table = SubsetSearch(
    ...     Subsets.of(2, None), ("canon",), values, np.zeros((3, 1), int), "pearson", "summary"
    ... )
    >>> table.winner(0)
    Selection(method='canon', target=0, mask=2, groups=(1,), columns=(1,), value=0.7)
    """

    subsets: Subsets
    methods: tuple[FitMethod, ...]
    values: Floats
    iterations: Ints
    criterion: Criterion
    level: SelectionLevel

    @property
    def masks(self) -> Masks:
        """The subsets, in the order of the table, as numbers."""
        return self.subsets.masks

    @property
    def sizes(self) -> Ints:
        """How many groups each subset has."""
        return self.subsets.sizes(self.masks)

    @property
    def undefined(self) -> Ints:
        """Methods x targets: how many subsets have no score.

        Their features depend on each other, or all their predictions are equal: robust regression
        takes a target that is nearly always the same for constant, and a non-negative fit may
        need none of the features.
        """
        counts: Ints = np.isnan(self.values).sum(axis=1)
        return counts

    def best(self, method: FitMethod, target: int) -> Selection:
        """Find the best subset for a method and a target.

        Scores that differ by less than 1e-9 are tied. The subset with fewer groups wins, then the
        one with the lower number.
        """
        if method not in self.methods:
            raise InputError(f"method {method} was not tried", hint="search with it")
        values = self.values[self.methods.index(method), :, target]
        if np.isnan(values).all():
            raise InputError(
                f"no subset has a score for method {method} and target {target}",
                hint="predictions are all equal or features depend on others; use another method",
            )
        tied = np.flatnonzero(values >= np.nanmax(values) - _TIED)
        row = tied[np.argmin(self.sizes[tied])]
        mask = self.masks[row : row + 1]
        return Selection(
            method=method,
            target=target,
            mask=int(mask[0]),
            groups=tuple(g for g in range(len(self.subsets.groups)) if int(mask[0]) >> g & 1),
            columns=tuple(np.flatnonzero(self.subsets.members(mask)[0]).tolist()),
            value=float(values[row]),
        )

    def winner(self, target: int) -> Selection:
        """Find the best subset and method for a target; of tied methods the one named first."""
        defined = [
            self.best(method, target)
            for number, method in enumerate(self.methods)
            if not np.isnan(self.values[number, :, target]).all()
        ]
        if not defined:
            return self.best(self.methods[0], target)
        highest = max(selection.value for selection in defined)
        tied = [selection for selection in defined if selection.value >= highest - _TIED]
        return min(tied, key=lambda selection: len(selection.groups))


# Every subset of the feature groups, fitted on one year and judged on the next.

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

    1. Fit on the first year, as :func:`~pyramidion.classy._fits.fit_linear` does.
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
    choice(criterion, "criterion", Criterion)
    choice(level, "level", SelectionLevel)
    choice(scale, "scale", RobustScale)
    agreement = Agreement(select, criterion, level)
    judged = cache(partial(judge_subsets, train, subsets))
    # The first subset is the empty one.
    values = np.full((len(methods), 1 << len(subsets.groups), train.targets.shape[1]), np.nan)
    iterations = np.zeros(values.shape[1:], dtype=np.int64)
    each = values[0, 1:].size
    for number, method in enumerate(methods):
        done = 0
        for fits in _fits(method, train, subsets, scale, judged):
            scores = agreement.scores(fits.coefficients, fits.intercepts, fits.targets)
            filled = np.ix_(fits.masks, fits.targets)
            values[number][filled] = fits.directions * scores
            iterations[filled] += np.reshape(fits.iterations, (-1, 1))
            done += scores.size
            if progress is not None:
                progress(number * each + min(done, each), len(methods) * each)
        if progress is not None:
            progress((number + 1) * each, len(methods) * each)
    return SubsetSearch(subsets, tuple(methods), values[:, 1:], iterations[1:], criterion, level)


def _fits(
    method: FitMethod,
    data: TrainingData,
    subsets: Subsets,
    scale: RobustScale,
    judged: Callable[[], tuple[Bools, Masks]],
) -> Iterator[Fits]:
    """Fit every subset to every target, some at a time."""
    if method == "nonneg":
        for target, coefficients in enumerate(fit_nonnegative(data, subsets)):
            masks = np.arange(len(coefficients))
            yield Fits(np.array([target]), masks, coefficients, np.zeros(len(coefficients)))
    elif method == "canon":
        yield from fit_canonical(data, subsets, *judged())
    else:
        yield from fit_robust(data, subsets, *judged(), scale)


def _checked(
    train: TrainingData,
    select: TrainingData,
    groups: Sequence[Sequence[int]] | None,
    methods: Sequence[FitMethod],
) -> Subsets:
    """Refuse what cannot be searched before any long work starts."""
    for method in methods:
        choice(method, "methods", FitMethod)
    if not methods or len(set(methods)) < len(methods):
        raise InputError("`methods` is empty or names one twice", hint="name each method once")
    train.require_same_columns(select)
    train.require_fit_for_training()
    if "canon" in methods and not has_full_rank(train.targets):
        raise InputError(
            f"{train.name}: the targets depend on each other",
            hint="take one out, or search without method canon",
        )
    return Subsets.of(train.features.shape[1], groups)
