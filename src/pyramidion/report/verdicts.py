"""Agreement on significance, from a file of scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyramidion.collection import Signature, full_measure_name
from pyramidion.evaluation._judged import MetaTables, Peers
from pyramidion.evaluation._pair_verdicts import VerdictOptions
from pyramidion.evaluation._verdicts.agreement import Agreement, Costs, utility
from pyramidion.evaluation._verdicts.agreement_intervals import agreement_intervals
from pyramidion.evaluation._verdicts.combinations import Combination, combine
from pyramidion.evaluation._verdicts.study import SignificanceStudy, study_significance
from pyramidion.evaluation.procedures import RESAMPLING_TESTS
from pyramidion.report.answer import Answer
from pyramidion.report.judged_tables import read_judged
from pyramidion.report.old_figures import require_figures
from pyramidion.report.table import Table
from pyramidion.report.verdict_figures import write_verdict_figures
from pyramidion.report.verdict_group import VerdictGroup
from pyramidion.report.verdict_tables import (
    ABOUT,
    agreement_table,
    block_tables,
    combination_table,
    interval_table,
    kinds_table,
    significance_table,
)
from pyramidion.stats.inputs import Interval

__all__ = ["VerdictsRequest", "verdict_groups", "verdict_tables", "verdicts_answer"]


@dataclass(frozen=True, slots=True)
class VerdictsRequest:
    """Whose verdicts to compare, and on which pairs.

    Parameters
    ----------
    humans, metrics, tasks
        Manual measures, metrics (all other measures if none is named) and tasks.
    tops
        How many of the best systems, or None for all; one or several.
    peers
        ``machines``, or ``all`` with people.
    combined
        Metrics of which every subset is judged, all of whose members must agree.
    costs
        Of each kind of verdict.
    lower_is_better
        Metrics by which lower scores are better, beside those known for it.
    options
        The test.
    n_resamples
        Draws of systems for the intervals; there are none if it is 0.

    Examples
    --------
    >>> VerdictsRequest(("pyramid",)).tops
    (30, None)
    """

    humans: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    tops: tuple[int | None, ...] = (30, None)
    peers: Peers = "machines"
    combined: tuple[str, ...] = ()
    costs: Costs = field(default_factory=Costs)
    lower_is_better: tuple[str, ...] = ()
    options: VerdictOptions = field(default_factory=VerdictOptions)
    n_resamples: int = 1000


def verdict_groups(tables: Sequence[MetaTables], request: VerdictsRequest) -> list[VerdictGroup]:
    """Judge every pair of the top systems, for each manual measure and choice of systems.

    Parameters
    ----------
    tables
        Manual measures and metrics side by side, one for each human measure, task and year.
    request
        What to judge. A choice of systems that gives the same ones as an earlier choice is not
        repeated.
    """
    groups: list[VerdictGroup] = []
    for human in dict.fromkeys(one.human for one in tables):
        own = [one for one in tables if one.human == human]
        seen: list[list[tuple[str, ...]]] = []
        for top in dict.fromkeys(request.tops):
            studies = [
                study_significance(one, options=request.options, top=top, peers=request.peers)
                for one in own
            ]
            chosen = [study.chosen.systems for study in studies]
            if chosen not in seen:
                seen.append(chosen)
                everyone = all(study.chosen.rule.startswith("all") for study in studies)
                groups.append(_group(human, None if everyone else top, studies, request))
    return groups


def _group(
    human: str, top: int | None, studies: list[SignificanceStudy], request: VerdictsRequest
) -> VerdictGroup:
    combined: tuple[Combination, ...] = ()
    if request.combined:
        there = {name for study in studies for name in study.metrics}
        full = [full_measure_name(name, there) for name in request.combined]
        combined = combine(studies, full)
    intervals: dict[str, dict[str, Interval]] = {}
    if request.n_resamples:
        intervals = agreement_intervals(
            studies, n_resamples=request.n_resamples, seed=request.options.seed
        )
    return VerdictGroup(human, top, tuple(studies), combined, intervals)


def verdicts_answer(
    source: str | Path,
    request: VerdictsRequest,
    *,
    source_format: str | None = None,
    figures: str | Path | None = None,
    figure_form: str = "svg",
) -> Answer:
    """Tell how far metrics agree with people on which systems differ.

    Parameters
    ----------
    source
        A table of scores, or a collection in any format.
    request
        What to judge.
    source_format
        The source's format; guessed if it is not given.
    figures, figure_form
        A folder to draw into, and the files' form: svg, pdf or png.
    """
    if figures is not None:
        require_figures(figures, figure_form)
    collection, tables = read_judged(
        source,
        request.humans,
        metrics=request.metrics,
        tasks=request.tasks,
        lower_is_better=request.lower_is_better,
        source_format=source_format,
    )
    groups = verdict_groups(tables, request)
    if figures is not None:
        write_verdict_figures(groups, figures, figure_form)
    return Answer(
        command="verdicts",
        signature=_signature(groups, request, collection.data_hash),
        results=[record for group in groups for record in _records(group, request)],
        tables=verdict_tables(groups, request.costs),
        left_out=(*collection.left_out, *_left_out(tables, groups)),
    )


def _left_out(tables: Sequence[MetaTables], groups: Sequence[VerdictGroup]) -> Iterator[str]:
    lines = (line for group in groups for study in group.studies for line in study.left_out)
    absent = (line for one in tables for line in one.left_out if "no scores there" in line)
    yield from dict.fromkeys((*absent, *lines))


def _signature(groups: Sequence[VerdictGroup], request: VerdictsRequest, data: str) -> Signature:
    options = request.options
    drawn = options.n_resamples if options.test in RESAMPLING_TESTS else 0
    details = {
        "human": "+".join(dict.fromkeys(group.human for group in groups)),
        "metrics": str(len({name for group in groups for name in group.agreements})),
        "top": "+".join(str(top or "all") for top in dict.fromkeys(g.top for g in groups)),
        "peers": request.peers,
        "correction": options.effective_correction,
        "alpha": f"{options.alpha:g}",
        "costs": str(request.costs),
        "n": str(drawn or ""),
        "draws": str(request.n_resamples or ""),
    }
    given = tuple((name, value) for name, value in details.items() if value)
    return Signature(f"verdicts({options.label})", data=data, seed=options.seed, details=given)


def verdict_tables(groups: Sequence[VerdictGroup], costs: Costs) -> list[Table]:
    """Show all there is to say of agreement on significance.

    Parameters
    ----------
    groups
        One for each manual measure and choice of systems.
    costs
        Of each kind of verdict.
    """
    shown = [significance_table([study for group in groups for study in group.studies])]
    for group in groups:
        human, where = group.human, group.part
        if len(group.studies) > 1:
            shown += block_tables(group.studies, where=where)
        # The columns are explained once.
        note = ABOUT if group is groups[0] else ""
        shown.append(agreement_table(group.agreements, human=human, where=where, note=note))
        shown.append(kinds_table(group.agreements, costs, human=human, where=where))
        if group.intervals:
            shown.append(interval_table(group.intervals, human=human, where=where))
        if group.combined:
            shown.append(combination_table(group.combined, human=human, where=where))
    return shown


def _records(group: VerdictGroup, request: VerdictsRequest) -> Iterator[dict[str, Any]]:
    """Give one result for each metric and task, then those of all tasks, then combinations."""
    for study in group.studies:
        for metric, agreement in study.agreements.items():
            about = {"task": study.task, "collection": study.collection, "pooled": False}
            counts = {"systems": list(study.chosen.systems), "rule": study.chosen.rule}
            yield _record(group, (metric,), agreement, request, {**about, **counts})
    together = {"task": "", "collection": "", "pooled": True, "rule": group.part}
    for metric, agreement in group.agreements.items():
        if len(group.studies) > 1:
            yield _record(group, (metric,), agreement, request, together)
    for one in group.combined:
        if len(one.metrics) > 1:
            yield _record(group, one.metrics, one.agreement, request, together)


def _record(
    group: VerdictGroup,
    metrics: tuple[str, ...],
    agreement: Agreement,
    request: VerdictsRequest,
    about: Mapping[str, Any],
) -> dict[str, Any]:
    name = " + ".join(metrics)
    whole = about["pooled"] or len(group.studies) == 1
    intervals = group.intervals.get(name, {}) if whole else {}
    return {
        "human": group.human,
        "metric": name,
        "metrics": list(metrics),
        "top": group.top,
        **about,
        "test": request.options.label,
        "correction": request.options.effective_correction,
        "alpha": request.options.alpha,
        "agreement": agreement.record(),
        "intervals": {key: [one.low, one.high] for key, one in intervals.items()},
        "utility": utility(agreement, request.costs),
    }
