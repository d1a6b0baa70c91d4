"""Tables and records of what systems and inputs do to a score."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyramidion.evaluation.study import SystemsStudy
from pyramidion.report.labels import counted, headed
from pyramidion.report.table import Cell, Table
from pyramidion.stats.anova import Factor

__all__ = ["AnalysedBlock"]

_MEANS_NOTE = (
    "Mean: over the topics a system has. Adjusted: the least-squares mean, as if everybody had "
    "every topic."
)
_BLOCKS_NOTE = "Systems of other blocks share no topic with these, not even through others."


@dataclass(frozen=True, slots=True)
class AnalysedBlock:
    """An analysis of variance, and which block of a measure's systems it is about.

    Parameters
    ----------
    number
        The block, from 1; 0 where all systems are in one.
    study
        What was found.

    Examples
    --------
    >>> from pyramidion.collection import ScoreMatrix
    >>> from pyramidion.evaluation.study import study_systems
    >>> scores = ScoreMatrix([[1, 2], [2, 4], [4, 4]], ["T1", "T2", "T3"], ["7", "8"], measure="m")
    >>> block = AnalysedBlock(2, study_systems(scores, draws=100))
    >>> block.about, block.record()["systems"]["df"]
    ('m, block 2', 1)
    >>> [table.title for table in block.tables()][1:]
    ['Systems: m, block 2', 'Pairs of systems: m, block 2']
    """

    number: int
    study: SystemsStudy

    @property
    def about(self) -> str:
        """The measure, the task and the block in words."""
        matrix = self.study.matrix
        about = headed("", matrix.measure, matrix.task).removeprefix(": ")
        return f"{about}, block {self.number}" if self.number else about

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """What all rows of its tables have in common."""
        matrix = self.study.matrix
        block = str(self.number) if self.number else ""
        return ("measure", matrix.measure), ("task", matrix.task), ("block", block)

    def tables(self, baseline: str | None = None) -> Iterator[Table]:
        """Give the effects, the systems' means and the pairs.

        Parameters
        ----------
        baseline
            List the pairs with this system only.
        """
        study = self.study
        yield Table(
            ("factor", "levels", "F", "df", "residual df", "p"),
            (
                _factor("systems", study.anova.first, study),
                _factor("inputs", study.anova.second, study),
            ),
            title=f"Effects of systems and inputs: {self.about}",
            key=self.key,
        )
        yield Table(
            ("system", "kind", "topics", "mean", "adjusted"),
            tuple(_system_rows(study)),
            title=f"Systems: {self.about}",
            note=" ".join(filter(None, _means_notes(self))),
            key=self.key,
        )
        if baseline in (None, *study.matrix.systems):
            yield _pairs_table(study, baseline, self.about, self.key)

    def record(self, baseline: str | None = None) -> dict[str, Any]:
        """Give what was found as data.

        Parameters
        ----------
        baseline
            List the pairs with this system only.
        """
        study = self.study
        return {
            "study": "systems",
            "measure": study.matrix.measure,
            "task": study.matrix.task,
            "block": self.number or None,
            "topics": len(study.matrix.topics),
            "systems": _factor_record(study.anova.first),
            "inputs": _factor_record(study.anova.second),
            "residual_df": study.anova.residual_df,
            "people_mean": study.mean_of(human=True),
            "machines_mean": study.mean_of(human=False),
            "ranking": [
                dict(zip(("system", "kind", "topics", "mean", "adjusted"), row, strict=True))
                for row in _system_rows(study)
            ],
            "critical": study.comparisons.critical,
            "monte_carlo_error": study.comparisons.monte_carlo_error,
            "comparisons": list(_pairs(study, baseline)),
        }


def _factor(name: str, factor: Factor, study: SystemsStudy) -> tuple[Cell, ...]:
    return name, len(factor.levels), factor.f, factor.df, study.anova.residual_df, factor.p


def _system_rows(study: SystemsStudy) -> Iterator[tuple[Cell, ...]]:
    matrix, adjusted = study.matrix, study.anova.first.means
    means, topics = matrix.means(), matrix.counts()
    for column in np.argsort(-adjusted, kind="stable").tolist():
        kind = "human" if matrix.human[column] else "machine"
        name = matrix.systems[column]
        yield name, kind, int(topics[column]), float(means[column]), float(adjusted[column])


def _means_notes(block: AnalysedBlock) -> tuple[str, ...]:
    return _MEANS_NOTE, _kinds_note(block.study), _BLOCKS_NOTE if block.number else ""


def _kinds_note(study: SystemsStudy) -> str:
    human = study.matrix.human
    if human.all() or not human.any():
        return ""
    people, machines = study.mean_of(human=True), study.mean_of(human=False)
    return f"Mean of people's means: {people:.3f}; of machines' means: {machines:.3f}."


def _pairs(study: SystemsStudy, baseline: str | None) -> Iterator[dict[str, Any]]:
    names, found = study.matrix.systems, study.comparisons
    for row, (a, b) in enumerate(found.pairs.tolist()):
        if baseline in (None, names[a], names[b]):
            yield {
                "a": names[a],
                "b": names[b],
                "difference": float(found.differences[row]),
                "low": float(found.low[row]),
                "high": float(found.high[row]),
                "p": float(found.p[row]),
                "significant": bool(found.significant[row]),
            }


def _pairs_table(
    study: SystemsStudy, baseline: str | None, about: str, key: tuple[tuple[str, str], ...]
) -> Table:
    pairs = list(_pairs(study, baseline))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            pair["a"],
            pair["b"],
            pair["difference"],
            pair["low"],
            pair["high"],
            pair["p"],
            "*" if pair["significant"] else "",
        )
        for pair in pairs
    )
    found = study.comparisons
    apart = sum(pair["significant"] for pair in pairs)
    level = f"{100 * found.confidence_level:g}"
    note = (
        f"{apart} of {counted(len(pairs), 'pair')} differ (*): {level} % intervals of all pairs "
        f"that hold all at once, critical value {found.critical:.3f} ± "
        f"{found.monte_carlo_error:.3f} from {found.draws:,} draws."
    )
    columns = ("a", "b", "difference", "low", "high", "p", "differ")
    return Table(columns, rows, title=f"Pairs of systems: {about}", note=note, key=key)


def _factor_record(factor: Factor) -> dict[str, Any]:
    return {"levels": len(factor.levels), "f": factor.f, "df": factor.df, "p": factor.p}
