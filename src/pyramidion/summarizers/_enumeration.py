"""Find the best extract of a small input by enumeration, several times as fast as HiGHS."""

import numpy as np

from pyramidion._types import Floats, Ints

#: If there are more nodes or fewer units, HiGHS is about as fast.
_MAX_NODES, _MIN_UNITS = 4_000, 12
#: The largest relative difference of values that count as equal, and the largest number of ties.
_TIE_TOLERANCE, _MAX_TIES = 1e-9, 10


class Enumeration:
    r"""A depth-first search for the sentences that cover the most weight.

    With prices :math:`0 \le \pi_u \le w_u` of units and :math:`\lambda \ge 0` of a word, sentences
    s that join others add at most
    :math:`\sum_u (w_u - \pi_u) + \lambda R + \sum_s \max(0, \sum_{u \in s} \pi_u - \lambda l_s)`,
    where only uncovered units u count and R is the remaining room. The prices are the dual values
    of the linear relaxation, with which this bound is lowest at the beginning.

    Parameters
    ----------
    presence
        Which sentences (rows) have which units: 1 or 0.
    weights, lengths, limit
        The weights of units, the lengths of sentences and the maximum sum of lengths.
    """

    def __init__(self, presence: Floats, weights: Floats, lengths: Ints, limit: int) -> None:
        self._presence, self._weights = presence, weights
        self._lengths, self._limit = lengths, limit
        self._best: tuple[int, ...] = ()
        self._value, self._n_nodes, self._n_ties = 0.0, 0, 0

    def best(self, start: tuple[int, ...]) -> Ints | None:
        """Return the best sentences, or None if others are as good or the search takes long.

        The closer the value of `start` to the best, the faster.
        """
        if len(self._weights) < _MIN_UNITS:
            return None
        self._compare(start, float(self._weights @ self._presence[[*start]].max(axis=0)))
        self._word_price, prices = self._find_prices()
        self._prices_by_unit, self._weights_above_prices = (
            self._presence * prices,
            self._weights - prices,
        )
        self._gains = self._presence * self._weights
        uncovered_weights = np.ones(len(self._weights))
        self._visit((), np.arange(len(self._lengths)), uncovered_weights, 0.0, self._limit)
        is_certain = not self._n_ties and self._n_nodes <= _MAX_NODES
        return np.array(self._best, dtype=np.int64) if is_certain else None

    def _find_prices(self) -> tuple[float, Floats]:
        """Return the prices of a word and of each unit."""
        from scipy.optimize import linprog

        n_units = len(self._weights)
        words = np.concatenate([self._lengths, np.zeros(n_units)])
        rows = np.vstack([words, np.hstack([-self._presence.T, np.eye(n_units)])])
        limits = np.concatenate([[float(self._limit)], np.zeros(n_units)])
        costs = np.concatenate([np.zeros(len(self._lengths)), -self._weights])
        solution = linprog(costs, rows, limits, bounds=(0, 1), method="highs-ds")
        prices = -solution.ineqlin.marginals
        return max(float(prices[0]), 0.0), np.clip(prices[1:], 0.0, self._weights)

    @property
    def _min_value(self) -> float:
        """The minimum value of an extract that is not worse than the best."""
        return self._value * (1 - _TIE_TOLERANCE)

    def _visit(
        self,
        taken: tuple[int, ...],
        options: Ints,
        uncovered_weights: Floats,
        value: float,
        room: int,
    ) -> None:
        """Search the extracts that consist of the sentences taken and some of the options."""
        self._n_nodes += 1
        options = options[self._lengths[options] <= room]
        surplus = (
            self._prices_by_unit[options] @ uncovered_weights
            - self._word_price * self._lengths[options]
        )
        positive_surplus = np.maximum(surplus, 0.0)
        bound = (
            value
            + self._weights_above_prices @ uncovered_weights
            + self._word_price * room
            + positive_surplus.sum()
        )
        negative_surplus = surplus - positive_surplus
        promising_options = np.flatnonzero(bound + negative_surplus >= self._min_value)
        if not len(promising_options):
            return
        order = promising_options[np.argsort(-surplus[promising_options], kind="stable")]
        options, positive_surplus, negative_surplus = (
            options[order],
            positive_surplus[order],
            negative_surplus[order],
        )
        lengths, gains = self._lengths[options], self._gains[options] @ uncovered_weights
        if len(options) < 3 or np.partition(lengths, 2)[:3].sum() > room:
            self._compare_pairs(taken, options, uncovered_weights, gains, value, room)
            return
        # Extracts that also have an earlier option were searched together with that option.
        bounds = bound - (np.cumsum(positive_surplus) - positive_surplus) + negative_surplus
        for index in np.flatnonzero(gains > _TIE_TOLERANCE * self._value).tolist():
            is_over = self._n_ties > _MAX_TIES or self._n_nodes > _MAX_NODES
            if is_over or bounds[index] < self._min_value:
                return
            extract, total = (*taken, int(options[index])), value + float(gains[index])
            self._compare(extract, total)
            still_uncovered = uncovered_weights * (1 - self._presence[options[index]])
            self._visit(
                extract, options[index + 1 :], still_uncovered, total, room - int(lengths[index])
            )

    def _compare_pairs(
        self,
        taken: tuple[int, ...],
        options: Ints,
        uncovered_weights: Floats,
        gains: Floats,
        value: float,
        room: int,
    ) -> None:
        """Compare all extracts with one or two of the options."""
        presence, lengths = self._presence[options], self._lengths[options]
        pair_gains = (
            gains[:, None] + gains - (self._gains[options] * uncovered_weights) @ presence.T
        )
        pair_gains[lengths[:, None] + lengths > room] = 0.0
        # The diagonal has the gains of single sentences.
        pair_gains.flat[:: len(gains) + 1] = gains
        if value + pair_gains.max() < self._min_value:
            return
        is_good = (pair_gains > 0) & (value + pair_gains >= self._min_value)
        for first, second in np.argwhere(np.triu(is_good)).tolist():
            gain, single_gain = float(pair_gains[first, second]), max(gains[first], gains[second])
            if first == second or gain > single_gain * (1 + _TIE_TOLERANCE):
                new_numbers = {int(options[first]), int(options[second])}
                self._compare((*taken, *new_numbers), value + gain)

    def _compare(self, extract: tuple[int, ...], value: float) -> None:
        """Remember an extract if it is better than the best."""
        numbers = tuple(sorted(extract))
        if value > self._value * (1 + _TIE_TOLERANCE):
            self._best, self._value, self._n_ties = numbers, value, 0
        elif value >= self._min_value and numbers != self._best:
            self._n_ties += 1
