"""Everything doubtful in a collection, and the warnings about it."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from pyramidion.checks import _thresholds as limits
from pyramidion.checks._choices import choice_findings
from pyramidion.checks._columns import (
    cluster_findings,
    column_findings,
    repeated_topics,
    split_findings,
    task_findings,
    unmeasured_systems,
)
from pyramidion.checks._judges import (
    DISAGREEING_KINDS,
    exchanged_measures,
    judge_findings,
    random_throughout,
    same_measures,
    shifted_throughout,
)
from pyramidion.checks._measured import code_names, measured_parts, measured_units
from pyramidion.checks._scores import (
    direction_findings,
    flat_systems,
    missing_findings,
    name_findings,
    score_findings,
    unrelated_systems,
)
from pyramidion.checks._texts import text_findings
from pyramidion.checks.structure import doubtful, structure_findings
from pyramidion.collection import Collection
from pyramidion.collection.findings import Finding, Repair


def find_problems(collection: Collection) -> list[Finding]:
    """List everything that is missing, inconsistent or implausible, the most severe first.

    Examples
    --------
    >>> from pyramidion.collection.summaries import Summary
    >>> lonely = Collection("mine", summaries=(Summary("T1", "7", "It rained."),))
    >>> [finding.kind for finding in find_problems(lonely)]
    ['no references']
    """
    implausible_scores = implausible(collection, thorough=True)
    findings = (*structure_findings(collection), *doubtful(collection), *implausible_scores)
    return sorted(findings, key=lambda finding: finding.order)


def implausible(
    collection: Collection, *, thorough: bool = False, measures: Set[str] = frozenset()
) -> Iterator[Finding]:
    """List implausible data; unless `thorough`, read only some texts and topics of large ones."""
    yield from collection.doubts
    yield from direction_findings(collection, measures)
    coded_names = code_names(collection)
    yield from name_findings(collection, coded_names)
    people = {name for name, kind in collection.systems.items() if kind == "human"}
    models = {*collection.scores.columns["assessor"][collection.scores.by_model]}
    parts = list(measured_parts(collection, coded_names))
    samples = parts if thorough else [m.sampled(limits.MAX_SAMPLED_SCORES) for m in parts]
    of_judges: list[Finding] = []
    for part, sample in zip(parts, samples, strict=True):
        name = (part.measure,)
        for finding in score_findings(part, collection, people):
            yield replace(finding, measures=name)
        of_judges += (replace(f, measures=name) for f in judge_findings(sample, people, models))
    yield from _by_measure(collection, of_judges)
    small_parts = [part for part in parts if not part.is_large]
    yield from same_measures(parts)
    flagged_judges = {
        f.subject.removeprefix("assessor ") for f in of_judges if f.kind in DISAGREEING_KINDS
    }
    yield from random_throughout([part for part in samples if not part.is_large], flagged_judges)
    small_samples = [part for part in samples if not part.is_large]
    yield from exchanged_measures(small_samples, flagged_judges)
    yield from shifted_throughout(small_samples, flagged_judges)
    yield from repeated_topics(small_parts)
    for part in measured_units(collection, coded_names):
        yield from missing_findings(part, people)
        yield from flat_systems(part)
        yield from unrelated_systems(part)
        yield from judge_findings(part, people, models)
    yield from unmeasured_systems(collection, coded_names)
    yield from split_findings(collection)
    yield from column_findings(collection, coded_names, small_parts)
    yield from task_findings(small_parts)
    yield from cluster_findings(collection, small_parts)
    yield from text_findings(collection, thorough=thorough)
    yield from choice_findings(collection.preferences)


def _by_measure(collection: Collection, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Name the measure in the repair of a judge who reversed some measures, but not all."""
    columns = collection.scores.columns
    measures: dict[str, set[str]] = {}
    for finding in findings:
        if (repair := _reversal(finding)) and finding.rows is not None:
            measures.setdefault(repair, set()).add(columns["measure"][finding.rows[0]])
    for finding in findings:
        judge = _reversal(finding)
        judge_measures = {*columns["measure"][columns["assessor"] == judge]} if judge else set()
        if not judge_measures - measures.get(judge, judge_measures) or finding.rows is None:
            yield finding
            continue
        narrowed_repair = Repair("reverse", f"{judge}={columns['measure'][finding.rows[0]]}")
        message = finding.message.replace(f"--reverse {judge}", narrowed_repair.flag)
        yield replace(finding, message=message, repairs=(narrowed_repair,))


def _reversal(finding: Finding) -> str:
    """Return the judge that the repair of a finding reverses, if there is one."""
    names = (repair.value for repair in finding.repairs if repair.option == "reverse")
    return next(names, "")
