"""Exhaustive search over feature subsets, fitted on some years and scored on the next."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.classy._fits import METHODS, FitMethod
from pyramidion.classy._subset_fits import (
    Fits,
    Groups,
    LongRows,
    Masks,
    Subsets,
    fit_canonical,
    fit_nonnegative,
    fit_robust,
    has_full_rank,
    judge_subsets,
)
from pyramidion.classy._table import Labels, TrainingData, varies
from pyramidion.errors import InputError
from pyramidion.stats.correlation import root_ratio
from pyramidion.stats.inputs import check_choice
from pyramidion.stats.pairs import NOISE, dense_ranks, midranks, multiply
from pyramidion.stats.regression import RobustScale

# Rank correlations of many predictions with one target.


@dataclass(frozen=True, slots=True, eq=False)
class SortedRows:
    """Rows of predictions, sorted."""

    order: npt.NDArray[np.intp]
    groups: Ints

    @classmethod
    def of(cls, rows: Floats) -> "SortedRows":
        """Sort rows."""
        order = np.argsort(rows, axis=1)
        steps = np.diff(np.take_along_axis(rows, order, axis=1), axis=1)
        groups = np.zeros(rows.shape, dtype=np.int64)
        noise = NOISE * np.abs(rows).max(axis=1, keepdims=True)
        np.cumsum(steps > noise, axis=1, out=groups[:, 1:])
        return cls(order, groups)

    def spearman(self, target: Floats) -> Floats:
        """Return Spearman's correlation of each row with the target; NaN if a row is constant."""
        length = self.groups.shape[1]
        ranks = np.tile(np.arange(length) - (length - 1) / 2, (len(self.groups), 1))
        has_ties = self.groups[:, -1] < length - 1
        if has_ties.any():
            ranks[has_ties] = _mean_positions(self.groups[has_ties]) - (length - 1) / 2
        target_ranks = midranks(dense_ranks(target))
        target_ranks -= target_ranks.mean()
        products = np.einsum("bn,bn->b", ranks, target_ranks[self.order])
        return root_ratio(
            products, np.einsum("bn,bn->b", ranks, ranks), target_ranks @ target_ranks
        )

    def kendall(self, target: Floats) -> Floats:
        """Return tau-b of each row with the target; NaN if a row is constant."""
        target_ranks = dense_ranks(target).astype(np.int64)
        ranks, has_ties = target_ranks[self.order], self.groups[:, -1] < self.groups.shape[1] - 1
        n_tied_rows, n_tied_both = np.zeros((2, len(ranks)))
        if has_ties.any():
            # Tied predictions are ordered by target, so that none of their pairs is discordant.
            n_distinct = int(target_ranks.max()) + 1
            keys = np.sort(self.groups[has_ties] * n_distinct + ranks[has_ties], axis=1)
            ranks[has_ties] = keys % n_distinct
            n_tied_rows[has_ties], n_tied_both[has_ties] = (
                _count_tied_pairs(self.groups[has_ties]),
                _count_tied_pairs(keys),
            )
        ascending_ranks = np.sort(target_ranks)[None]
        n_discordant = _count_inversions(ranks) - _count_inversions(ascending_ranks)
        n_pairs, n_tied_target = (
            len(target_ranks) * (len(target_ranks) - 1) / 2,
            _count_tied_pairs(ascending_ranks),
        )
        difference = n_pairs - n_tied_rows - n_tied_target + n_tied_both - 2 * n_discordant
        return root_ratio(difference, n_pairs - n_tied_rows, n_pairs - n_tied_target)


def _mean_positions(groups: Ints) -> Floats:
    """Return the mean position of the group of each value in sorted rows."""
    positions = np.arange(groups.shape[1], dtype=np.float64)
    is_group_start = np.diff(groups, axis=1, prepend=-1) > 0
    is_group_end = np.diff(groups, axis=1, append=groups[:, -1:] + 1) > 0
    tie_starts = np.maximum.accumulate(np.where(is_group_start, positions, 0.0), axis=1)
    tie_ends = np.where(is_group_end, positions, positions[-1])[:, ::-1]
    return (tie_starts + np.minimum.accumulate(tie_ends, axis=1)[:, ::-1]) / 2


def _count_tied_pairs(sorted_scores: Ints) -> Floats:
    """Count the pairs of equal values in each sorted row."""
    is_group_start = np.diff(sorted_scores, axis=1, prepend=-1) > 0
    positions = np.arange(sorted_scores.shape[1])
    tie_starts = np.maximum.accumulate(np.where(is_group_start, positions, 0), axis=1)
    # Each value is tied with all before it in its group.
    n_pairs: Floats = (positions - tie_starts).sum(axis=1, dtype=np.float64)
    return n_pairs


def _count_inversions(ranks: Ints) -> Floats:
    """Count the inversions of each row, up to a constant that does not depend on their order.

    For each bit from the highest, values that agree in all higher bits are adjacent, and among
    them the ones before each zero are counted. Ones of earlier groups are counted as well; their
    number is the same in any order of the same values.
    """
    # 16-bit integers are sorted much faster than wider ones.
    values: npt.NDArray[Any] = ranks.astype(np.uint16) if ranks.max() < 1 << 16 else ranks
    inversions = np.zeros(len(values))
    for bit in range(int(values.max()).bit_length() - 1, -1, -1):
        order = np.argsort(values >> (bit + 1), axis=1, kind="stable")
        values = np.take_along_axis(values, order, axis=1)
        bit_values = (values >> bit) & 1
        ones_before = np.cumsum(bit_values, axis=1, dtype=np.int32)
        inversions += np.where(bit_values, 0, ones_before).sum(axis=1)
    return inversions


# How well predictions of another year agree with human judgments: a coefficient at a level.

Criterion = Literal["pearson", "spearman", "kendall"]
SelectionLevel = Literal["summary", "system", "input"]

# Number of predictions ranked at once.
_MAX_BLOCK_VALUES = 1 << 19


class TargetAgreement:
    """Scores coefficients by the correlation of their predictions with the targets."""

    def __init__(self, data: TrainingData, criterion: Criterion, level: SelectionLevel) -> None:
        samples = [
            (features, targets)
            for features, targets in _samples(data, level)
            if len(features) > 1 and varies(targets).any()
        ]
        is_defined = np.zeros(data.targets.shape[1], dtype=np.bool_)
        for _, targets in samples:
            is_defined |= varies(targets)
        for target in np.flatnonzero(~is_defined):
            raise InputError(
                f"{data.name}: target {data.target_names[target]} {_CONSTANT_TARGET[level]}",
                hint="it cannot be used for selection; remove it or use another level",
            )
        self._by_ranks = criterion != "pearson"
        kind = _Ranks if self._by_ranks else _Moments
        self._samples = [kind(features, targets, criterion) for features, targets in samples]

    def scores(self, coefficients: Floats, intercepts: Floats, targets: Ints) -> Floats:
        """Return the score of each row of coefficients with each of the targets."""
        if self._by_ranks:
            # Sorting is slow, and many subsets have the same non-negative fit.
            fits = np.column_stack([coefficients, intercepts])
            fits, inverse = np.unique(fits, axis=0, return_inverse=True)
            return self._mean_scores(fits[:, :-1], fits[:, -1], targets)[inverse.ravel()]
        return self._mean_scores(coefficients, intercepts, targets)

    def _mean_scores(self, coefficients: Floats, intercepts: Floats, targets: Ints) -> Floats:
        totals = np.zeros((len(coefficients), len(targets)))
        n_defined = np.zeros_like(totals)
        for sample in self._samples:
            scores = sample.scores(coefficients, intercepts, targets)
            is_defined = ~np.isnan(scores)
            totals += np.where(is_defined, scores, 0.0)
            n_defined += is_defined
        return totals / np.where(n_defined > 0, n_defined, np.nan)


_CONSTANT_TARGET = {
    "summary": "has the same value in all rows",
    "system": "has the same mean for all systems",
    "input": "has the same value in all rows of each topic",
}


def _samples(data: TrainingData, level: SelectionLevel) -> Iterator[tuple[Floats, Floats]]:
    if level == "summary":
        yield data.features, data.targets
    elif level == "system":
        systems = _indicator(data.systems, data.name, "systems", level)
        # Predictions are linear: their means are the predictions from mean features.
        shares = systems / systems.sum(axis=1, keepdims=True)
        yield shares @ data.features, shares @ data.targets
    else:
        for rows in _indicator(data.topics, data.name, "topics", level) > 0:
            yield data.features[rows], data.targets[rows]


def _indicator(labels: Labels, name: str, label_name: str, level: SelectionLevel) -> Floats:
    if not len(labels):
        raise InputError(
            f"{name}: level {level} needs the {label_name} of the rows", hint=f"pass `{label_name}`"
        )
    _, codes = np.unique(labels, return_inverse=True)
    indicator: Floats = (codes == np.arange(codes.max() + 1)[:, None]).astype(np.float64)
    return indicator


class _Moments:
    """Pearson's r, computed from a QR decomposition with only as many rows as columns."""

    def __init__(self, features: Floats, targets: Floats, _: Criterion) -> None:
        self._max_values = np.abs(features).max(axis=0)
        self._noise = NOISE * np.sqrt(len(features))
        basis, self._projected_features = np.linalg.qr(features - features.mean(axis=0))
        centered_targets = targets - targets.mean(axis=0)
        norms = np.where(varies(targets), np.linalg.norm(centered_targets, axis=0), np.nan)
        self._projected_targets = basis.T @ (centered_targets / norms)

    def scores(self, coefficients: Floats, intercepts: Floats, targets: Ints) -> Floats:
        predicted_values = multiply(self._projected_features, coefficients.T)
        norms = np.linalg.norm(predicted_values, axis=0)
        scales = np.abs(coefficients) @ self._max_values + np.abs(intercepts)
        norms = np.where(norms > self._noise * scales, norms, np.nan)
        products = self._projected_targets[:, targets].T @ predicted_values
        scores: Floats = np.clip(products / norms, -1.0, 1.0).T
        return scores


class _Ranks:
    """Rank correlations, computed in blocks of fits."""

    def __init__(self, features: Floats, targets: Floats, criterion: Criterion) -> None:
        self._length = len(features)
        self._step = max(1, _MAX_BLOCK_VALUES // self._length)
        self._features = LongRows(features.T, columns=self._step)
        self._targets, self._varies = targets.T, varies(targets)
        self._correlate = SortedRows.spearman if criterion == "spearman" else SortedRows.kendall

    def scores(self, coefficients: Floats, intercepts: Floats, targets: Ints) -> Floats:
        scores = np.full((len(coefficients), len(targets)), np.nan)
        fitted_rows = np.flatnonzero(~np.isnan(coefficients).any(axis=1))
        for start in range(0, len(fitted_rows), self._step):
            rows = fitted_rows[start : start + self._step]
            agreement = np.empty((len(rows), self._length))
            predicted_values = self._features.combine(coefficients[rows], agreement)
            sorted_rows = SortedRows.of(predicted_values + intercepts[rows, None])
            for column, target in enumerate(targets):
                if self._varies[target]:
                    scores[rows, column] = self._correlate(sorted_rows, self._targets[target])
        return scores


# The table of an exhaustive search, and its best entries.

# Scores that differ by no more than this are tied.
_TIE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Selection:
    """A subset of the feature groups with the method that fitted it.

    Attributes
    ----------
    method, target
        How it was fitted, and to which of the targets.
    mask
        The subset as a bit mask: bit g is set if group g is included.
    groups, columns
        Indices of its groups, and of their columns in ascending order.
    value
        Its score on the selection year. Since the best was selected by it, it is optimistic:
        only another year can show how good the model is.

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
        Methods x subsets x targets: scores on the selection year; NaN where undefined.
    iterations
        Subsets x targets: iterations of each robust fit; 50 if it did not converge, 0 if there is
        none or the method was not tried. For fits without residuals, rounding errors decide when
        they converge.
    criterion, level
        The correlation coefficient and the level of the scores.

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
        """The subsets as bit masks, in the order of the table."""
        return self.subsets.masks

    @property
    def sizes(self) -> Ints:
        """The number of groups in each subset."""
        return self.subsets.sizes(self.masks)

    @property
    def undefined(self) -> Ints:
        """Methods x targets: the number of subsets without a score.

        Their features are linearly dependent, or all their predictions are equal: robust regression
        treats a nearly constant target as constant, and a non-negative fit may use no feature.
        """
        counts: Ints = np.isnan(self.values).sum(axis=1)
        return counts

    def best(self, method: FitMethod, target: int) -> Selection:
        """Find the best subset for a method and a target.

        Scores that differ by less than 1e-9 are tied. The subset with fewer groups wins, then the
        one with the lower number.
        """
        if method not in self.methods:
            raise InputError(f"method {method} was not tried", hint="include it in `methods`")
        values = self.values[self.methods.index(method), :, target]
        if np.isnan(values).all():
            raise InputError(
                f"no subset has a score for method {method} and target {target}",
                hint="predictions are constant or features are dependent; use another method",
            )
        tied_rows = np.flatnonzero(values >= np.nanmax(values) - _TIE_TOLERANCE)
        row = tied_rows[np.argmin(self.sizes[tied_rows])]
        mask = self.masks[row : row + 1]
        return Selection(
            method=method,
            target=target,
            mask=int(mask[0]),
            groups=tuple(
                group for group in range(len(self.subsets.groups)) if int(mask[0]) >> group & 1
            ),
            columns=tuple(np.flatnonzero(self.subsets.members(mask)[0]).tolist()),
            value=float(values[row]),
        )

    def winner(self, target: int) -> Selection:
        """Find the best subset and method for a target; ties go to the method named first."""
        selections = [
            self.best(method, target)
            for number, method in enumerate(self.methods)
            if not np.isnan(self.values[number, :, target]).all()
        ]
        if not selections:
            return self.best(self.methods[0], target)
        highest_value = max(selection.value for selection in selections)
        tied_selections = [
            selection
            for selection in selections
            if selection.value >= highest_value - _TIE_TOLERANCE
        ]
        return min(tied_selections, key=lambda selection: len(selection.groups))


# The search itself.

#: Receives the number of fits done, and their total.
Progress = Callable[[int, int], None]
# A function that returns which subsets can be fitted in blocks, and which only one at a time.
_JudgeSubsets = Callable[[], tuple[Bools, Masks]]


def search_subsets(
    train: TrainingData,
    select: TrainingData,
    *,
    groups: Groups | None = None,
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

    The best of thousands does better on the second year than on others: refit it on the second
    year and evaluate it on a third.

    Parameters
    ----------
    train, select
        The two years, with the same features and targets in the same order.
    groups
        The columns of each feature: content features of update summaries have two. By default
        each column is a separate feature.
    methods
        Some of ``robust``, ``nonneg`` and ``canon``, in the order in which they win ties.
    criterion
        ``pearson``, ``spearman`` or ``kendall`` (tau-b).
    level
        ``summary``: over all rows at once. ``system``: over the means of the systems. ``input``:
        within each topic, averaged over the topics where it is defined.
    scale
        How robust regression measures the spread of residuals.
    progress
        Called from time to time with the number of fits done and their total.

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
    >>> result = search_subsets(year(80), year(60))
    >>> result.values.shape, result.undefined.tolist()
    ((3, 7, 1), [[0], [0], [0]])
    >>> result.winner(0).method, result.winner(0).groups
    ('canon', (0, 1))
    """
    report = progress or (lambda n_done, total: None)
    subsets = _check_input(train, select, groups, methods)
    check_choice(criterion, "criterion", Criterion)
    check_choice(level, "level", SelectionLevel)
    check_choice(scale, "scale", RobustScale)
    agreement = TargetAgreement(select, criterion, level)
    judge_once = cache(partial(judge_subsets, train, subsets))
    # Row 0 is the empty subset.
    values = np.full((len(methods), 1 << len(subsets.groups), train.targets.shape[1]), np.nan)
    iterations = np.zeros(values.shape[1:], dtype=np.int64)
    n_values = values[0, 1:].size
    for method_index, method in enumerate(methods):
        n_done = 0
        for fits in _fit_blocks(method, train, subsets, scale, judge_once):
            scores = agreement.scores(fits.coefficients, fits.intercepts, fits.targets)
            cells = np.ix_(fits.masks, fits.targets)
            values[method_index][cells] = fits.directions * scores
            iterations[cells] += np.reshape(fits.iterations, (-1, 1))
            n_done += scores.size
            report(method_index * n_values + min(n_done, n_values), len(methods) * n_values)
        report((method_index + 1) * n_values, len(methods) * n_values)
    return SubsetSearch(subsets, tuple(methods), values[:, 1:], iterations[1:], criterion, level)


def _fit_blocks(
    method: FitMethod,
    data: TrainingData,
    subsets: Subsets,
    scale: RobustScale,
    judge_once: _JudgeSubsets,
) -> Iterator[Fits]:
    """Fit every subset to every target, some at a time."""
    if method == "nonneg":
        for target, coefficients in enumerate(fit_nonnegative(data, subsets)):
            masks = np.arange(len(coefficients))
            yield Fits(np.array([target]), masks, coefficients, np.zeros(len(coefficients)))
    elif method == "canon":
        yield from fit_canonical(data, subsets, *judge_once())
    else:
        yield from fit_robust(data, subsets, *judge_once(), scale)


def _check_input(
    train: TrainingData, select: TrainingData, groups: Groups | None, methods: Sequence[FitMethod]
) -> Subsets:
    """Check the input before any long work starts."""
    for method in methods:
        check_choice(method, "methods", FitMethod)
    if not methods or len(set(methods)) < len(methods):
        raise InputError("`methods` is empty or names one twice", hint="name each method once")
    train.require_same_columns(select)
    train.require_fit_for_training()
    if "canon" in methods and not has_full_rank(train.targets):
        hint = "remove one, or search without method canon"
        raise InputError(f"{train.name}: the targets are linearly dependent", hint=hint)
    return Subsets.of(train.features.shape[1], groups)
