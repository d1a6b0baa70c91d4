"""Systems and inputs as factors of a score: analysis of variance (Tables 2.1, 2.2).

People often share no topic with each other, and without machines, who have all, nothing links
them: such scores fall into *blocks* that can only be analysed apart.
"""

from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.stats.anova import TwoWayAnova, two_way_anova
from pyramidion.stats.comparisons import Comparisons
from pyramidion.stats.layout import linked_rows
from pyramidion.stats.simultaneous import simultaneous_intervals

__all__ = ["SystemsStudy", "linked_blocks", "study_systems"]


@dataclass(frozen=True, slots=True, eq=False)
class SystemsStudy:
    """The effects of systems and inputs on one measure.

    Parameters
    ----------
    matrix
        The scores, topics x systems.
    anova
        The model: `first` is the systems, `second` the inputs.
    comparisons
        Intervals for the differences of all pairs, which hold all at once.

    Examples
    --------
    >>> scores = ScoreMatrix([[1, 2], [2, 4], [4, 4]], ["T1", "T2", "T3"], ["7", "8"])
    >>> round(study_systems(scores, draws=100).anova.first.f, 2)
    3.0
    """

    matrix: ScoreMatrix
    anova: TwoWayAnova
    comparisons: Comparisons

    def mean_of(self, human: bool) -> float:
        """Give the mean of people's (or machines') means, each summarizer counting once.

        Examples
        --------
        >>> scores = ScoreMatrix([[1, 2], [3, 4]], ["T1", "T2"], ["7", "A"], [False, True])
        >>> study_systems(scores, draws=100).mean_of(human=True)
        3.0
        """
        means: Floats = self.matrix.means()[self.matrix.human == human]
        return float(means.mean()) if len(means) else float("nan")


def linked_blocks(matrix: ScoreMatrix) -> list[ScoreMatrix]:
    """Split scores into blocks of systems that share topics, directly or through others.

    Parameters
    ----------
    matrix
        Scores, topics x systems; a topic or system without any score is in no block.

    Examples
    --------
    >>> nan = float("nan")
    >>> scores = ScoreMatrix([[1, 2, nan], [nan, nan, 3]], ["T1", "T2"], ["A", "B", "C"])
    >>> [block.systems for block in linked_blocks(scores)]
    [('A', 'B'), ('C',)]
    """
    there = ~np.isnan(matrix.values)
    left: Bools = np.asarray(there.any(axis=0))
    blocks = []
    while left.any():
        first = int(np.argmax(left))
        # The first one is put in front, since links are followed from there.
        order = np.concatenate([[first], np.flatnonzero(left & (np.arange(len(left)) != first))])
        linked = order[linked_rows(there[:, order].T)]
        topics: Bools = np.asarray(there[:, linked].any(axis=1))
        blocks.append(
            matrix.take(
                topics=[t for t, own in zip(matrix.topics, topics, strict=True) if own],
                systems=[matrix.systems[column] for column in sorted(linked)],
            )
        )
        left[linked] = False
    return blocks


def study_systems(
    matrix: ScoreMatrix,
    *,
    confidence_level: float = 0.95,
    draws: int = 100_000,
    seed: int = 0,
) -> SystemsStudy:
    """Fit systems and inputs as main effects, and compare all pairs of systems.

    The intervals rest on the simulated distribution of the largest of all differences, whether or
    not a complete layout would allow an exact one, as in the thesis (12,616 draws there).

    Parameters
    ----------
    matrix
        Linked scores, see `linked_blocks`.
    confidence_level
        Of all intervals together.
    draws, seed
        Of the simulation.

    Examples
    --------
    >>> scores = ScoreMatrix([[1, 2], [2, 4], [4, 4]], ["T1", "T2", "T3"], ["7", "8"])
    >>> study_systems(scores, draws=1000).comparisons.differences.round(6).tolist()
    [-1.0]
    """
    if len(matrix.systems) < 2 or len(matrix.topics) < 2:
        raise InputError(
            f"{matrix.measure or 'the measure'} has {len(matrix.systems)} systems and "
            f"{len(matrix.topics)} topics",
            hint="an analysis of variance needs two of each",
        )
    comparisons = simultaneous_intervals(
        matrix.values,
        confidence_level=confidence_level,
        method="simulate",
        draws=draws,
        rng=seed,
    )
    return SystemsStudy(matrix, two_way_anova(matrix.values), comparisons)
