"""Bradley-Terry models: strengths of systems from pairwise choices."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.pairs import merge_rounding_ties

# Larger log odds amount to probabilities of 0 and 1.
_MAX_LOG_ODDS = 30.0
# With more clusters, leaving one out barely changes the information.
_MAX_JACKKNIFED_CLUSTERS = 400
_MAX_CONDITION = 1e8
# The accuracy of the strengths.
_TOLERANCE = 1e-9
# The minimum number of judgments for which an assessor's effects are modeled.
_MIN_JUDGMENTS = 10


@dataclass(frozen=True, slots=True, eq=False)
class BradleyTerry:
    """Strengths of systems on the scale of log odds, centered in each part.

    Parameters
    ----------
    strengths, covariance
        The strengths of the systems, and the covariance of these estimates. Ignoring ties, i beats
        j with probability 1 / (1 + exp(s_j - s_i)).
    parts
        Systems in different parts cannot be compared: nothing links them, or one part won all
        comparisons with the other. The largest part is 1.
    position, position_error
        The advantage, in log odds, of being shown first; NaN if it is not in the model.
    tie, tie_error
        The logarithm of Davidson's parameter: for two equal systems, a tie is exp(tie) times as
        likely as a win of either; NaN if there are no ties.
    assessors
        The effects of each assessor on position and ties, NaN where they are not modeled.
    log_likelihood
        The log-likelihood of the choices within parts.
    df
        Degrees of freedom of the errors: clusters minus one, infinite without clusters.
    notes
        Caveats to report.
    """

    strengths: Floats
    covariance: Floats
    parts: Ints
    position: float
    position_error: float
    tie: float
    tie_error: float
    assessors: Floats
    log_likelihood: float
    df: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Counts of equal choices: wins of the first, ties, wins of the second."""

    first: Ints
    second: Ints
    side: Ints
    assessor: Ints
    counts: Floats

    @classmethod
    def of(cls, columns: Sequence[Ints], outcome: Ints, weights: Floats) -> "tuple[_Cells, Ints]":
        """Count choices by first, second, side and assessor; also return the cell of each."""
        key, sizes = np.zeros(len(outcome), np.int64), [int(c.max(initial=0)) + 1 for c in columns]
        for column, size in zip(columns, sizes, strict=True):
            key = key * size + column
        keys, cell = np.unique(key, return_inverse=True)
        counts: Any = np.bincount(cell * 3 + (1 - outcome), weights, 3 * len(keys))
        codes = np.unravel_index(keys, sizes)
        first, second, side, assessor = codes
        return cls(first, second, side, assessor, counts.reshape(-1, 3)), cell


class _ChoiceDesign:
    """The parameters each cell depends on: systems, position, ties, and assessors' effects."""

    def __init__(
        self, cells: _Cells, systems: int, has_position: bool, has_ties: bool, assessors: int
    ) -> None:
        n = len(cells.first)
        self.systems, self.cells = systems, cells
        n_shared = systems + has_position + has_ties
        self.size = n_shared + assessors * (has_position + has_ties)
        self.position = systems if has_position else -1
        self.tie = systems + has_position if has_ties else -1
        indices, unit_weights = np.arange(n), np.ones(n)
        assessor_cells = np.flatnonzero(cells.assessor > 0) if assessors else indices[:0]
        assessor_indices, side = cells.assessor[assessor_cells] - 1, cells.side.astype(float)
        # Entries of the two matrices: rows, columns and values.
        eta = [(indices, cells.first, unit_weights), (indices, cells.second, -unit_weights)]
        tau = [(indices[:0], indices[:0], unit_weights[:0])]
        if has_position:
            eta += [
                (indices, np.full(n, self.position), side),
                (assessor_cells, n_shared + assessor_indices, side[assessor_cells]),
            ]
        if has_ties:
            tie_columns = n_shared + assessors * has_position + assessor_indices
            tau += [
                (indices, np.full(n, self.tie), unit_weights),
                (assessor_cells, tie_columns, unit_weights[assessor_cells]),
            ]
        self.eta, self.tau = (self._sparse(entries) for entries in (eta, tau))

    def _sparse(self, entries: list[tuple[Ints, Ints, Floats]]) -> Any:
        from scipy.sparse import csr_array

        rows, columns, values = (np.concatenate(part) for part in zip(*entries, strict=True))
        return csr_array((values, (rows, columns)), (len(self.cells.first), self.size))

    def chances(self, beta: Floats) -> Floats:
        """Return the probabilities of the three outcomes of each cell."""
        from scipy.special import softmax

        eta = self.eta @ beta
        tie = self.tau @ beta if self.tie >= 0 else np.full(len(eta), -np.inf)
        return np.asarray(softmax(np.column_stack([eta / 2, tie, -eta / 2]), axis=1))

    def slopes(self, chances: Floats) -> tuple[Floats, Floats]:
        """Return the derivatives of log-probabilities with respect to log odds and tie."""
        half_difference = (chances[:, :1] - chances[:, 2:]) / 2
        return np.array([0.5, 0, -0.5]) - half_difference, np.array([0, 1, 0]) - chances[:, 1:2]

    def information(self, chances: Floats, totals: Floats) -> Floats:
        """Return the expected information for the number of choices of each cell."""
        from scipy.sparse import diags_array

        occupied_cells = np.flatnonzero(totals)
        eta, tau, chances, totals = (
            self.eta[occupied_cells],
            self.tau[occupied_cells],
            chances[occupied_cells],
            totals[occupied_cells],
        )
        half_difference = (chances[:, 0] - chances[:, 2]) / 2
        tie = chances[:, 1]
        terms = (
            (eta, eta, (1 - tie) / 4 - half_difference**2),
            (eta, tau, -tie * half_difference),
            (tau, eta, -tie * half_difference),
            (tau, tau, tie * (1 - tie)),
        )
        total: Any = sum(a.T @ (diags_array(weight * totals) @ b) for a, b, weight in terms)
        return np.asarray(total.toarray())


def bradley_terry(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    outcome: npt.ArrayLike,
    *,
    side: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    clusters: Sequence[npt.ArrayLike] = (),
    assessors: npt.ArrayLike | None = None,
    position: bool = True,
) -> BradleyTerry:
    r"""Fit strengths to choices between two systems.

    With log odds :math:`\eta = s_i - s_j + \delta`, where δ is the advantage of being shown first,
    the first wins, ties and loses in proportion to :math:`e^{\eta/2}, \nu, e^{-\eta/2}`
    (Davidson's model); without ties it is Bradley and Terry's. Errors are those of the model or,
    with clusters, of a one-step jackknife over clusters.

    Parameters
    ----------
    first, second
        The systems shown first and second, as whole numbers from 0.
    outcome
        1 if the first is better, -1 if the second is, 0 for a tie.
    side
        1 if the order is known (the default), 0 if not.
    weights
        The weight of each choice, 1 by default.
    clusters
        Columns of whole numbers from 0: choices in the same cluster are dependent. With two
        columns, such as topics and assessors, choices that share either are. A single cluster is
        ignored.
    assessors
        Whole numbers from 0: each assessor has random effects on position and ties.
    position
        Whether to model the advantage of being shown first.

    References
    ----------
    .. [1] R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika
       39, 1952.
    .. [2] R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired
       comparison experiments", JASA 65, 1970.

    Examples
    --------
    >>> fit = bradley_terry([0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 1, -1], position=False)
    >>> float(fit.strengths[0] - fit.strengths[1]).__round__(4), float(np.log(3).round(4))
    (1.0986, 1.0986)
    """
    i, j, outcomes = (np.asarray(v, dtype=np.int64) for v in (first, second, outcome))
    order_known = np.ones(len(i), np.int64) if side is None else np.asarray(side, dtype=np.int64)
    choice_weights = np.ones(len(i)) if weights is None else np.asarray(weights, dtype=np.float64)
    if not len(i) == len(j) == len(outcomes) == len(order_known) == len(choice_weights):
        raise ShapeError("the columns of choices are of different lengths")
    systems = int(max(i.max(initial=0), j.max(initial=0))) + 1
    assessor_codes = np.zeros(len(i), np.int64)
    if assessors is not None:
        assessor_codes = _code_assessors(np.asarray(assessors, dtype=np.int64))
    n_assessors = int(assessor_codes.max(initial=0))
    # A system that tied but never lost has no finite strength unless other choices show how rare
    # ties are.
    for ties_link, allows_position in product((True, False), (position, False)):
        parts = comparable_parts(i, j, outcomes, systems, ties_link=ties_link)
        is_in_same_part = parts[i] == parts[j]
        columns = [c[is_in_same_part] for c in (i, j, order_known, assessor_codes)]
        cells, cell_of_choice = _Cells.of(
            columns, outcomes[is_in_same_part], choice_weights[is_in_same_part]
        )
        notes = list[str]()
        fits_position = allows_position and _can_estimate_position(cells, systems, notes)
        has_ties = bool(cells.counts[:, 1].any())
        design = _ChoiceDesign(cells, systems, fits_position, has_ties, n_assessors)
        beta, penalties = _fit_with_variances(design, parts, n_assessors)
        if np.isfinite(beta).all():
            break
    else:
        raise InputError("the strengths do not converge", "leave out effects of assessors")
    if position and not allows_position:
        notes.append("the effect of position has no finite estimate and is left out")
    chances = design.chances(beta)
    information = design.information(chances, cells.counts.sum(axis=1)) + np.diag(penalties)
    gauge = _part_penalty(parts, design.size)
    inverse = np.linalg.inv(information + gauge)
    model_covariance = inverse - gauge
    covariance, df = model_covariance, math.inf
    codes = [np.asarray(c, dtype=np.int64)[is_in_same_part] for c in clusters]
    if codes and min(np.ptp(c) if len(c) else 0 for c in codes) > 0:
        choices = cell_of_choice, outcomes[is_in_same_part], choice_weights[is_in_same_part]
        covariance, df = _cluster_covariance(design, chances, choices, information + gauge, codes)
        is_single = np.zeros(design.size, bool)
        is_single[:systems] = _in_one_cluster(
            i[is_in_same_part], j[is_in_same_part], codes, systems
        )
        # At the best fit, a system's only cluster has no influence; its error is not 0, though.
        covariance = covariance + np.where(np.outer(is_single, is_single), model_covariance, 0.0)
        if is_single.any():
            subject = "1 system" if is_single.sum() == 1 else f"{is_single.sum()} systems"
            note = f"all choices of {subject} come from one cluster (such as a topic)"
            notes.append(f"{note}: their errors assume independent choices")
    with np.errstate(divide="ignore"):
        log_likelihood = float(np.sum(cells.counts * np.where(cells.counts, np.log(chances), 0)))
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    effects_by_kind = beta[systems + fits_position + has_ties :].reshape(
        fits_position + has_ties, n_assessors
    )
    effects = np.full((n_assessors, 2), np.nan)
    effects[:, [0] * fits_position + [1] * has_ties] = effects_by_kind.T

    def value_at(index: int, values: Floats) -> float:
        return float(values[index]) if index >= 0 else math.nan

    return BradleyTerry(
        merge_rounding_ties(beta[:systems], _TOLERANCE), covariance[:systems, :systems], parts,
        value_at(design.position, beta), value_at(design.position, errors),
        value_at(design.tie, beta), value_at(design.tie, errors),
        effects, log_likelihood, float(df), tuple(notes),
    )  # fmt: skip


def comparable_parts(
    first: Ints, second: Ints, outcome: Ints, systems: int, *, ties_link: bool = True
) -> Ints:
    """Find the parts with finite strengths: each system beats each other, perhaps indirectly."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    min_wins = 0 if ties_link else 1
    beats = np.concatenate([outcome >= min_wins, outcome <= -min_wins])
    rows, columns = np.concatenate([first, second]), np.concatenate([second, first])
    graph = csr_array((np.ones(beats.sum()), (rows[beats], columns[beats])), (systems, systems))
    labels = connected_components(graph, directed=True, connection="strong")[1]
    sizes = np.bincount(labels)
    order = np.argsort(-sizes, kind="stable")
    return (np.argsort(order, kind="stable") + 1)[labels]


def _in_one_cluster(first: Ints, second: Ints, columns: Sequence[Ints], systems: int) -> Bools:
    """Find the systems whose choices all come from one cluster of any of the columns."""
    is_in_cluster = np.zeros(systems, bool)
    for codes in columns:
        size = int(codes.max()) + 1
        system_clusters = np.unique(np.concatenate([first * size + codes, second * size + codes]))
        is_in_cluster |= np.bincount(system_clusters // size, minlength=systems) == 1
    return is_in_cluster


def _code_assessors(assessors: Ints) -> Ints:
    """Code the assessors with enough judgments as 1, 2, ..., and the others as 0."""
    has_enough = np.bincount(assessors) >= _MIN_JUDGMENTS
    return np.where(has_enough, np.cumsum(has_enough), 0)[assessors]


def _can_estimate_position(cells: _Cells, systems: int, notes: list[str]) -> bool:
    """Return whether an effect of position can be estimated; if not, note why."""
    has_known_order = cells.side > 0
    if not has_known_order.any():
        return False
    shown_pairs = set(
        (cells.first[has_known_order] * systems + cells.second[has_known_order]).tolist()
    )
    swapped_pairs = set(
        (cells.second[has_known_order] * systems + cells.first[has_known_order]).tolist()
    )
    first_wins, second_wins = cells.counts[has_known_order][:, [0, 2]].sum(axis=0)
    if not shown_pairs & swapped_pairs:
        reason = "no two systems were shown in both orders"
    elif not (first_wins and second_wins):
        reason = "the summary shown first always or never won"
    else:
        return True
    notes.append(f"the effect of position cannot be estimated: {reason}")
    return False


def _part_penalty(parts: Ints, size: int) -> Floats:
    """Return a penalty that fixes the mean of each part, which choices do not determine."""
    part_means = (parts[:, None] == parts) / np.bincount(parts)[parts]
    penalty = np.zeros((size, size))
    penalty[: len(parts), : len(parts)] = part_means
    return penalty


def _fit_with_variances(
    design: _ChoiceDesign, parts: Ints, assessors: int
) -> tuple[Floats, Floats]:
    """Fit the parameters and any variances of assessors' effects.

    Return the parameters and their penalties: one over the variance.
    """
    gauge, penalties = _part_penalty(parts, design.size), np.zeros(design.size)
    beta = np.zeros(design.size)
    n_random = design.size - (design.position >= 0) - (design.tie >= 0) - design.systems
    if not n_random:
        return _newton(design, beta, gauge, penalties), penalties
    blocks = np.split(np.arange(design.size - n_random, design.size), n_random // assessors)
    penalties[design.size - n_random :] = 1.0
    for _ in range(50):
        beta = _newton(design, beta, gauge, penalties)
        if np.isnan(beta).any():
            break
        totals = design.cells.counts.sum(axis=1)
        information = design.information(design.chances(beta), totals) + np.diag(penalties) + gauge
        variances = np.diag(np.linalg.inv(information))
        old_penalties = penalties.copy()
        for block in blocks:
            penalties[block] = 1 / max(float(np.mean(beta[block] ** 2 + variances[block])), 1e-6)
        if np.allclose(old_penalties, penalties, rtol=1e-4):
            break
    return beta, penalties


def _newton(design: _ChoiceDesign, beta: Floats, gauge: Floats, penalties: Floats) -> Floats:
    """Find the parameters by Newton's method; NaN if they do not converge."""
    counts = design.cells.counts
    totals = counts.sum(axis=1)

    def penalized_likelihood(point: Floats) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(counts > 0, counts * np.log(design.chances(point)), 0.0)
        return float(logs.sum() - (penalties * point**2).sum() / 2)

    best_likelihood = penalized_likelihood(beta)
    for _ in range(100):
        chances = design.chances(beta)
        eta, tie = (np.sum(counts * slope, axis=1) for slope in design.slopes(chances))
        gradient = design.eta.T @ eta + design.tau.T @ tie - penalties * beta
        information = design.information(chances, totals) + np.diag(penalties) + gauge
        if np.linalg.cond(information) > 1e4 * _MAX_CONDITION:
            break
        step = np.linalg.solve(information, gradient)
        step_size = 1.0
        while (
            likelihood := penalized_likelihood(beta + step_size * step)
        ) < best_likelihood - 1e-9 * abs(best_likelihood) and step_size > 1e-6:
            step_size /= 2
        beta, best_likelihood = beta + step_size * step, likelihood
        if np.abs(beta).max() > _MAX_LOG_ODDS:
            break
        if np.abs(step).max() < _TOLERANCE / 10:
            return beta
    return np.full_like(beta, np.nan)


def _cluster_covariance(
    design: _ChoiceDesign,
    chances: Floats,
    choices: tuple[Ints, Ints, Floats],
    information: Floats,
    columns: Sequence[Ints],
) -> tuple[Floats, float]:
    """Return the jackknife covariance of the parameters over clusters, and its df.

    `choices` are the cell, outcome and weight of each choice.
    """
    from scipy.sparse import csr_array

    cell, outcome, weights = choices
    slopes = [s[cell, 1 - outcome] * weights for s in design.slopes(chances)]

    def covariance_by(codes: Ints) -> tuple[Floats, int]:
        clusters, code = np.unique(codes, return_inverse=True)
        n_clusters = len(clusters)
        # One row per cluster: the contribution of its choices to the derivatives of each cell.
        shape = (n_clusters, len(design.cells.first))
        eta, tie, totals = (csr_array((v, (code, cell)), shape) for v in (*slopes, weights))
        gradients: Floats = (eta @ design.eta + tie @ design.tau).toarray()
        if n_clusters > _MAX_JACKKNIFED_CLUSTERS:
            influences = np.linalg.solve(information, gradients.T).T
        else:
            influences = np.empty_like(gradients)
            for cluster, gradient in enumerate(gradients):
                remaining_information = information - design.information(
                    chances, totals[[cluster]].toarray()[0]
                )
                # Leaving out all choices of a system would make the information singular.
                remaining_information = (
                    remaining_information
                    if np.linalg.cond(remaining_information) < _MAX_CONDITION
                    else information
                )
                influences[cluster] = np.linalg.solve(remaining_information, gradient)
        return (n_clusters - 1) / n_clusters * influences.T @ influences, n_clusters

    covariance, df = np.zeros_like(information), math.inf
    for codes in columns:
        between_clusters, clusters = covariance_by(codes)
        covariance, df = covariance + between_clusters, min(df, clusters - 1)
    if len(columns) == 2:
        covariance -= covariance_by(columns[0] * (int(columns[1].max()) + 1) + columns[1])[0]
        eigenvalues, eigenvectors = np.linalg.eigh(covariance)
        covariance = eigenvectors * np.maximum(eigenvalues, 0.0) @ eigenvectors.T
    return covariance, df
