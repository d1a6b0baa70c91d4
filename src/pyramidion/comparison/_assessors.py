"""Means adjusted for assessors, where the mix of assessors differs between systems."""

from dataclasses import dataclass, replace

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.collection.matrix import Adjustment, topic_indices
from pyramidion.comparison.common import places_of
from pyramidion.errors import InputError
from pyramidion.stats.anova import linked_parts
from pyramidion.stats.pairs import multiply

# A larger table of topics by assessors needs too much memory, and more assessors too much time.
_MAX_TABLE_CELLS, _MAX_ASSESSORS = 20_000_000, 2000
# Adjusting for more assessors per degree of freedom costs more precision than it gains.
_MAX_EFFECTS_PER_DF = 0.25
_MIN_EIGENVALUE = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class _AssessorShares:
    """The mean score by each assessor in each cell of a matrix.

    Cells are in the order of topics and systems. The shares of a cell sum to 1; weighted by them,
    the means have the value of the cell.
    """

    topic_rows: Ints
    system_columns: Ints
    assessor_codes: Ints
    shares: Floats
    means: Floats
    names: tuple[str, ...]

    def differs(self, shape: tuple[int, int]) -> bool:
        """Return whether the shares of assessors differ between the systems of a topic."""
        pair_codes = self.topic_rows * len(self.names) + self.assessor_codes
        is_new_cell = np.diff(self.topic_rows * shape[1] + self.system_columns, prepend=-1) > 0
        systems_by_topic = np.bincount(self.topic_rows[is_new_cell])
        sums, squares = (np.bincount(pair_codes, self.shares**power) for power in (1, 2))
        used_pairs = np.flatnonzero(sums)
        share_variation = (
            squares[used_pairs] * systems_by_topic[used_pairs // len(self.names)]
            - sums[used_pairs] ** 2
        )
        return bool((share_variation > _MIN_EIGENVALUE).any())

    def table(self, rows: Ints, size: int, weights: Floats) -> Floats:
        """Sum weights by row and assessor."""
        n_assessors = len(self.names)
        sums = np.bincount(rows * n_assessors + self.assessor_codes, weights, size * n_assessors)
        return np.asarray(sums, np.float64).reshape(size, n_assessors)


def _read_assessor_shares(matrix: ScoreMatrix, scores: Scores) -> _AssessorShares | None:
    """Read who judged what; None if not every judgment has an assessor."""
    names, judge_codes = scores.coded("assessor")
    if len(names) < 2:
        return None
    topic = topic_indices(scores, matrix.topics)
    systems, codes = scores.coded("system")
    system = places_of(systems, matrix.systems)[codes]
    rows = np.flatnonzero((topic >= 0) & (system >= 0))
    has_judgments = np.bincount(judge_codes[rows]) > 0
    assessor = (np.cumsum(has_judgments) - 1)[judge_codes[rows]]
    names = [names[code] for code in np.flatnonzero(has_judgments).tolist()]
    if "" in names or not 1 < len(names) <= _MAX_ASSESSORS:
        return None
    if len(names) * len(matrix.topics) > _MAX_TABLE_CELLS:
        return None
    cell_codes = topic[rows] * len(matrix.systems) + system[rows]
    pair_codes = cell_codes * len(names) + assessor
    value, weight = scores.value[rows], np.ones(len(rows))
    if any(scores.coded("occasion")[0]) and not any(scores.coded("unit")[0]):
        # An assessor who judged a summary on several occasions counts once.
        run_names, runs = scores.coded("run")
        run_codes = pair_codes * len(run_names) + runs[rows]
        _, indices, count = np.unique(run_codes, return_inverse=True, return_counts=True)
        weight = 1 / count[indices]
    weight = weight / np.bincount(cell_codes, weight)[cell_codes]
    pairs, indices = np.unique(pair_codes, return_inverse=True)
    share: Floats = np.bincount(indices, weight).astype(np.float64)
    mean = np.bincount(indices, weight * value) / share
    cells, assessor = pairs // len(names), pairs % len(names)
    topic, system = cells // len(matrix.systems), cells % len(matrix.systems)
    return _AssessorShares(topic, system, assessor, share, mean, tuple(names))


def adjusted_for_assessors(matrix: ScoreMatrix, *, widened: bool = True) -> ScoreMatrix:
    r"""Adjust the values by least squares of system + topic + assessor if assessors differ.

    The mean of a system is then its least-squares mean. So that tests and intervals account for
    the error of the assessors' effects, deviations from system + topic are `widened`: multiplied by
    :math:`\sqrt{f/(f-q)\,(1+r)}`, with f degrees of freedom, q effects of assessors, and r the
    largest variance that these add to a difference of the system, relative to the rest.
    """
    scores = matrix.rows
    if scores is None or matrix.adjustment is not None or not len(scores):
        return matrix
    assessor_shares = _read_assessor_shares(matrix, scores)
    if assessor_shares is None or not assessor_shares.differs(matrix.values.shape):
        return matrix
    topics, systems = matrix.values.shape
    is_present = (~np.isnan(matrix.values)).astype(np.float64)
    topic_shares = assessor_shares.table(assessor_shares.topic_rows, topics, assessor_shares.shares)
    system_shares = assessor_shares.table(
        assessor_shares.system_columns, systems, assessor_shares.shares
    )
    sizes = np.maximum(is_present.sum(axis=1), 1)[:, None]
    # Remove topics, then systems, from the equations of the assessors.
    equations = np.diag(is_present.sum(axis=0)) - multiply(is_present.T, is_present / sizes)
    residuals = system_shares - multiply(is_present.T, topic_shares / sizes)
    system_effects = np.linalg.pinv(equations, rcond=_MIN_EIGENVALUE, hermitian=True) @ residuals
    information = (
        np.diag(system_shares.sum(axis=0))
        - multiply(topic_shares.T, topic_shares / sizes)
        - residuals.T @ system_effects
    )
    eigenvalues, eigenvectors = np.linalg.eigh(information)
    is_nonzero = eigenvalues > _MIN_EIGENVALUE * max(eigenvalues[-1], 1.0)
    system_parts = linked_parts(is_present.T)
    df = is_present.sum() - systems - np.count_nonzero(is_present.sum(axis=1)) + system_parts.max()
    n_effects = int(is_nonzero.sum())
    if n_effects > _MAX_EFFECTS_PER_DF * df:
        return replace(matrix, adjustment=Adjustment(matrix.values, too_many=True))
    inverse = (eigenvectors[:, is_nonzero] / eigenvalues[is_nonzero]) @ eigenvectors[
        :, is_nonzero
    ].T
    center = float(np.nanmean(matrix.values))
    deviation_sums = assessor_shares.table(
        assessor_shares.topic_rows,
        topics,
        assessor_shares.shares * (assessor_shares.means - center),
    )
    centered_values = np.nan_to_num(matrix.values - center) * is_present
    adjusted_sums = deviation_sums.sum(axis=0) - topic_shares.T @ (
        centered_values.sum(axis=1) / sizes[:, 0]
    )
    adjusted_sums -= system_effects.T @ (
        centered_values - (centered_values.sum(axis=1) / sizes[:, 0])[:, None] * is_present
    ).sum(axis=0)
    effects = inverse @ adjusted_sums
    effects -= system_shares.sum(axis=0) @ effects / system_shares.sum()
    cells = assessor_shares.topic_rows * systems + assessor_shares.system_columns
    cell_effects = np.bincount(
        cells, assessor_shares.shares * effects[assessor_shares.assessor_codes], topics * systems
    )
    adjusted_values = matrix.values - cell_effects.reshape(topics, systems)
    shares = system_shares / system_shares.sum(axis=1, keepdims=True)
    confounded = _confounded_parts(shares, eigenvectors[:, ~is_nonzero])
    if not widened:
        return replace(
            matrix, values=adjusted_values, adjustment=Adjustment(matrix.values, confounded)
        )
    # The variance of a difference that is due to the effects, relative to the rest.
    effect_covariance = shares @ inverse @ shares.T
    effect_variances, mean_variances = (
        np.diag(effect_covariance),
        1 / np.maximum(is_present.sum(axis=0), 1),
    )
    variance_ratios = np.maximum(
        effect_variances[:, None] + effect_variances - 2 * effect_covariance, 0.0
    ) / (mean_variances[:, None] + mean_variances)
    variance_ratios[confounded[:, None] != confounded] = 0.0
    factors = (
        np.sqrt(df / (df - n_effects) * (1 + variance_ratios.max(axis=1))) if n_effects else 1.0
    )
    means, topic_effects = _fit_additive_model(adjusted_values, is_present)
    expected = means + topic_effects[:, None]
    adjusted_values = expected + factors * (adjusted_values - expected)
    return replace(matrix, values=adjusted_values, adjustment=Adjustment(matrix.values, confounded))


def _fit_additive_model(values: Floats, is_present: Floats) -> tuple[Floats, Floats]:
    """Fit the effects of columns and rows by least squares."""
    zero_filled = np.where(is_present > 0, values, 0.0)
    sizes = np.maximum(is_present.sum(axis=1), 1)
    equations = np.diag(is_present.sum(axis=0)) - multiply(
        is_present.T, is_present / sizes[:, None]
    )
    residuals = zero_filled.sum(axis=0) - is_present.T @ (zero_filled.sum(axis=1) / sizes)
    means = np.linalg.pinv(equations, rcond=_MIN_EIGENVALUE, hermitian=True) @ residuals
    return means, (zero_filled.sum(axis=1) - is_present @ means) / sizes


def _confounded_parts(shares: Floats, null_vectors: Floats) -> Ints:
    """Return the part of each system; assessors do not explain differences within parts."""
    directions = np.round(shares @ null_vectors, 6) + 0.0
    return np.asarray(np.unique(directions, axis=0, return_inverse=True)[1].ravel() + 1)


def require_comparable_assessors(matrix: ScoreMatrix) -> None:
    """Raise an error if every pair of systems was judged by different assessors."""
    if matrix.adjustment is None or matrix.rows is None or not matrix.adjustment.none_comparable:
        return
    pairs = set(zip(*(matrix.rows.columns[name] for name in ("system", "assessor")), strict=True))
    is_single = all(sum(s == name for s, _ in pairs) == 1 for name in matrix.systems)
    assessors = "one assessor each" if is_single else "different assessors"
    names = " and ".join(matrix.systems[:2])
    hint = "have assessors judge several systems; --model lmm --random topic compares them anyway"
    message = f"{names} were judged by {assessors}, so systems and assessors are confounded"
    raise InputError(message, hint=hint)


def assessor_note(adjustment: Adjustment) -> str:
    """Return how means were adjusted, or why they were not."""
    if adjustment.too_many:
        return (
            "The assessors differ between systems, and each judged too few summaries to adjust "
            "for. "
            "The model lmm treats them as a sample."
        )
    return (
        "The mix of assessors differs between systems: means, intervals and tests are adjusted "
        "for assessors (least squares of system + topic + assessor)."
    )
