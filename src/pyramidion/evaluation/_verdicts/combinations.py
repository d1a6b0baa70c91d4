"""All must agree: a difference counts only if every metric of a combination finds it (7.4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.errors import InputError, NotFoundError
from pyramidion.evaluation._pair_verdicts import PairVerdicts
from pyramidion.evaluation._verdicts.agreement import Agreement
from pyramidion.evaluation._verdicts.study import SignificanceStudy
from pyramidion.stats.verdicts import three_way_table

__all__ = ["MOST_COMBINED", "Combination", "combine"]

#: A combination more doubles the work and the table: 65,535 are enough.
MOST_COMBINED = 16


@dataclass(frozen=True, slots=True)
class Combination:
    """Metrics all of which must find a difference, and how far they agree with people.

    Parameters
    ----------
    metrics
        In the order in which they were asked for.
    agreement
        With the manual measure, over all studies.

    Examples
    --------
    >>> Combination(("rouge-1-r", "rouge-2-r"), Agreement(((0, 0, 0), (0, 1, 0), (0, 0, 1)))).name
    'rouge-1-r + rouge-2-r'
    """

    metrics: tuple[str, ...]
    agreement: Agreement

    @property
    def name(self) -> str:
        """The metrics joined by plus signs."""
        return " + ".join(self.metrics)


def combine(
    studies: Sequence[SignificanceStudy], metrics: Sequence[str]
) -> tuple[Combination, ...]:
    """Judge every subset of a list of metrics, as the dissertation's Table 7.4 does.

    A combination finds a difference if all of its metrics find it in the same direction. That
    is an intersection-union test: it keeps the level without correction and loses power, so
    that precision tends to rise and recall to fall with each metric (reading 24).

    Each pair is one number, whose bits say which metrics find it. How many pairs all metrics of
    a subset find is then a sum over the numbers that contain the subset's bits, and all of
    these sums together take as many steps as there are subsets times metrics.

    Parameters
    ----------
    studies
        Of one or several tasks and years; counts are added up.
    metrics
        Up to 16 metrics that are in all studies.

    Returns
    -------
    tuple of Combination
        Every subset but the empty one: single metrics, then pairs, and so on. A pair of systems
        on which a metric has no verdict is undefined for its combinations.

    References
    ----------
    R. L. Berger. Multiparameter hypothesis testing and acceptance sampling. Technometrics 24(4),
    1982.

    Examples
    --------
    >>> from pyramidion.evaluation._judged import MetaTables
    >>> from pyramidion.evaluation._verdicts.study import study_significance
    >>> manual = np.array([[1.0, 2, 4], [2, 1, 5], [1, 2, 4], [2, 2, 4], [1, 1, 5], [3, 2, 5],
    ...                    [2, 3, 5]])
    >>> metrics = {"m": manual * [1, 3, 0.7], "n": manual}
    >>> tables = MetaTables("responsiveness", "", tuple("abcdefg"), ("x", "y", "z"),
    ...                     np.zeros(3, bool), manual, metrics)
    >>> for found in combine([study_significance(tables)], ["m", "n"]):
    ...     print(found.name, found.agreement.precision, found.agreement.recall)
    m 0.5 0.5
    n 1.0 1.0
    m + n 1.0 0.5
    """
    names = list(dict.fromkeys(metrics))
    _require_few(names)
    tables = np.zeros((3, 3, 1 << len(names)), dtype=np.int64)
    for study in studies:
        tables += np.stack(list(_counted(study, names)))
    _sum_supersets(tables)
    pairs = sum(study.pairs for study in studies)
    return tuple(
        Combination(tuple(names[bit] for bit in bits), _agreement(tables, bits, pairs))
        for bits in _subsets(len(names))
    )


def _require_few(names: Sequence[str]) -> None:
    if not names:
        raise InputError("no metric is named to be combined", hint="name two or more")
    if len(names) > MOST_COMBINED:
        raise InputError(
            f"{len(names)} metrics have {2 ** len(names) - 1:,} combinations",
            hint=f"name {MOST_COMBINED} metrics at most",
        )


def _counted(study: SignificanceStudy, names: Sequence[str]) -> Iterator[Ints]:
    """Count pairs by the manual verdict and the set of metrics that say up, down, anything."""
    manual = study.manual.verdicts
    unknown = [name for name in names if name not in study.metrics]
    if unknown:
        there = ", ".join(study.metrics)
        raise NotFoundError(f"there is no metric {unknown[0]!r}", hint=f"there are: {there}")
    verdicts = [study.metrics[name].verdicts for name in names]
    for marks in (
        [own.signs > 0 for own in verdicts],
        [own.signs < 0 for own in verdicts],
        [own.known for own in verdicts],
    ):
        yield _tabled(marks, manual)


def _tabled(marks: Sequence[Bools], manual: PairVerdicts) -> Ints:
    """Count pairs by the manual verdict (rows) and their marks, read as bits (columns)."""
    bits = np.zeros(len(manual.signs), dtype=np.int64)
    for place, mark in enumerate(marks):
        bits |= mark.astype(np.int64) << place
    cells = ((manual.signs.astype(np.int64) + 1) << len(marks)) | bits
    counts = np.bincount(cells[manual.known], minlength=3 << len(marks))
    return counts.reshape(3, 1 << len(marks)).astype(np.int64)


def _sum_supersets(tables: Ints) -> None:
    """Add to each set's column the columns of all sets that contain it, in place."""
    for place in range(tables.shape[-1].bit_length() - 1):
        halves = tables.reshape(9, -1, 2, 1 << place)
        halves[:, :, 0] += halves[:, :, 1]


def _subsets(size: int) -> list[tuple[int, ...]]:
    return [bits for length in range(1, size + 1) for bits in combinations(range(size), length)]


def _agreement(tables: Ints, bits: tuple[int, ...], pairs: int) -> Agreement:
    up, down, known = tables[..., sum(1 << bit for bit in bits)]
    counts = np.stack([down, known - up - down, up], axis=1)
    return Agreement(three_way_table(counts), undefined=pairs - int(known.sum()))
