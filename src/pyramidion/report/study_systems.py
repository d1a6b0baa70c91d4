"""What systems and inputs do to a score, and which systems differ: Tables 2.1 and 2.2."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.errors import InputError, NotFoundError
from pyramidion.evaluation.study import linked_blocks, study_systems
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.signing import Details, named
from pyramidion.report.study_answer import begin_study, study_answer
from pyramidion.report.study_source import Source, StudyRequest, chosen_scores
from pyramidion.report.study_systems_tables import AnalysedBlock

__all__ = ["SystemsRequest", "systems_answer"]


@dataclass(frozen=True, slots=True)
class SystemsRequest:
    """What to analyse.

    Parameters
    ----------
    measures
        Which measures; all if none is named.
    baseline
        List the pairs with this system only; the intervals hold for all pairs anyhow.
    confidence_level
        Of all intervals together.
    draws, seed
        Of the simulation.

    Examples
    --------
    >>> SystemsRequest().draws
    100000
    """

    measures: tuple[str, ...] = ()
    baseline: str | None = None
    confidence_level: float = 0.95
    draws: int = 100_000
    seed: int = 0

    @property
    def details(self) -> Details:
        """What a signature says."""
        return (
            ("level", f"{self.confidence_level:g}"),
            ("draws", str(self.draws)),
            *named("measures", self.measures),
            *named("baseline", () if self.baseline is None else (self.baseline,)),
        )


def systems_answer(
    source: Source,
    request: StudyRequest | None = None,
    wanted: SystemsRequest | None = None,
    *,
    figure: str | Path | None = None,
) -> Answer:
    """Fit systems and inputs as factors of each measure, and compare all pairs of systems.

    Parameters
    ----------
    source
        A table of scores, or a collection with scores, or where it is.
    request
        Which topics and tasks.
    wanted
        What to analyse.
    figure
        A file for a figure of the first measure's intervals.

    Examples
    --------
    >>> from pyramidion.collection import Collection
    >>> scores = ScoreMatrix([[1, 2], [2, 4], [4, 4]], ["T1", "T2", "T3"], ["7", "8"], measure="m")
    >>> mine = Collection("mine", scores=scores.to_scores())
    >>> [found] = systems_answer(mine, wanted=SystemsRequest(draws=1000)).results
    >>> round(found["systems"]["f"], 2), [pair["a"] for pair in found["comparisons"]]
    (3.0, ['7'])
    """
    wanted = wanted or SystemsRequest()
    asked, collection = begin_study(source, request, figure)
    blocks, left_out = _blocks(chosen_scores(collection, asked), wanted.measures)
    _require_baseline(blocks, wanted.baseline)
    found = [_analysed(number, block, wanted) for number, block in blocks]
    if figure is not None:
        left_out += _draw(found, wanted.baseline, figure)
    return study_answer(
        "systems",
        collection,
        asked,
        details=wanted.details,
        seed=wanted.seed,
        results=[own.record(wanted.baseline) for own in found],
        tables=tuple(table for own in found for table in own.tables(wanted.baseline)),
        left_out=left_out,
    )


def _analysed(number: int, block: ScoreMatrix, wanted: SystemsRequest) -> AnalysedBlock:
    study = study_systems(
        block,
        confidence_level=wanted.confidence_level,
        draws=wanted.draws,
        seed=wanted.seed,
    )
    return AnalysedBlock(number, study)


def _blocks(
    scores: Scores, measures: Sequence[str]
) -> tuple[list[tuple[int, ScoreMatrix]], list[str]]:
    """Give the blocks of each measure and task that can be analysed; 0 where there is one."""
    whole = scores.select(unit="")
    for measure in measures:
        whole.require("measure", measure)
    blocks, left_out = [], []
    for measure in measures or whole.measures:
        chosen = whole.select(measure=measure)
        for task in chosen.distinct("task"):
            linked = linked_blocks(ScoreMatrix.from_scores(chosen, measure, task=task))
            for number, block in enumerate(linked, start=len(linked) > 1):
                lacking = _lacking(block)
                if lacking:
                    left_out.append(f"{_name(block)}: {lacking}")
                else:
                    blocks.append((number, block))
    if not blocks:
        why = f": {left_out[0]}" if left_out else ""
        raise InputError(
            f"no measure has two systems that share two topics{why}", hint="add scores"
        )
    return blocks, left_out


def _lacking(block: ScoreMatrix) -> str:
    systems, topics = len(block.systems), len(block.topics)
    if systems < 2 or topics < 2:
        return (
            f"{counted(systems, 'system')} and {counted(topics, 'topic')}, two of each are needed"
        )
    values = block.values[~np.isnan(block.values)]
    if len(values) <= systems + topics - 1:
        return "so few scores that nothing is left to compare the effects with"
    return "" if np.ptp(values) else "all scores are equal"


def _name(block: ScoreMatrix) -> str:
    task = f", task {block.task}" if block.task else ""
    return f"{block.measure}{task}, {', '.join(block.systems[:4])}" + (
        ", ..." if len(block.systems) > 4 else ""
    )


def _require_baseline(blocks: Sequence[tuple[int, ScoreMatrix]], baseline: str | None) -> None:
    if baseline is not None and not any(baseline in block.systems for _, block in blocks):
        there = ", ".join(dict.fromkeys(name for _, block in blocks for name in block.systems))
        raise NotFoundError(f"there is no system {baseline!r}", hint=f"there are: {there}")


def _draw(found: Sequence[AnalysedBlock], baseline: str | None, file: str | Path) -> list[str]:
    """Draw the first study, or the first with the baseline; say what is not drawn."""
    from pyramidion.evaluation._tukey_chart import tukey_figure
    from pyramidion.report.charts.style import save

    studies = [own.study for own in found]
    shown = next(own for own in studies if baseline in (None, *own.matrix.systems))
    figure = tukey_figure(
        shown.comparisons,
        shown.matrix.systems,
        chosen=baseline,
        measure=shown.matrix.measure,
        task=shown.matrix.task,
        estimate="least-squares mean",
        test="two-way analysis of variance, simulated",
    )
    save(figure, file)
    if len(found) == 1:
        return []
    name = _name(shown.matrix)
    return [f"the figure: all analyses but {name}; choose one with --measures, --task, --topic"]
