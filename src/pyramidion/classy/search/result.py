"""The table of an exhaustive search, and what is best in it."""

from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.classy.fits import FitMethod
from pyramidion.classy.search.criteria import Criterion, SelectionLevel
from pyramidion.classy.search.subsets import Masks, Subsets
from pyramidion.errors import InputError

__all__ = ["Selection", "SubsetSearch"]

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

        Examples
        --------
        >>> table = SubsetSearch(
        ...     Subsets.of(1, None), ("canon",), np.array([[[np.nan]]]), np.zeros((1, 1), int),
        ...     "pearson", "summary",
        ... )
        >>> table.best("canon", 0)
        Traceback (most recent call last):
        pyramidion.errors.InputError: no subset has a score for method canon and target 0; ...
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
