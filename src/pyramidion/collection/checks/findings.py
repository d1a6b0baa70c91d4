"""Everything doubtful in a collection, and the warnings about it."""

import warnings
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from pyramidion.collection._collection import Collection
from pyramidion.collection.checks import thresholds as limits
from pyramidion.collection.checks.choices import choice_findings
from pyramidion.collection.checks.columns import (
    cluster_findings,
    column_findings,
    repeated_topics,
    task_findings,
    unmeasured_systems,
)
from pyramidion.collection.checks.finding import Finding, Repair
from pyramidion.collection.checks.judges import (
    DISAGREEING,
    judge_findings,
    random_throughout,
    same_measures,
)
from pyramidion.collection.checks.measured import code_names, measured_parts, measured_units
from pyramidion.collection.checks.scores import (
    direction_findings,
    flat_systems,
    missing_findings,
    name_findings,
    score_findings,
)
from pyramidion.collection.checks.structure import doubtful, structure_findings
from pyramidion.collection.checks.texts import text_findings
from pyramidion.collection.ids import brief_list, grouped
from pyramidion.collection.measures import full_measure_name
from pyramidion.errors import DataWarning, OffScaleWarning, Where
from pyramidion.questions import report_findings


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
    samples = parts if thorough else [m.sampled(limits.SAMPLED_SCORES) for m in parts]
    of_judges: list[Finding] = []
    for part, sample in zip(parts, samples, strict=True):
        name = (part.measure,)
        for finding in score_findings(part, collection, people):
            yield replace(finding, measures=name)
        of_judges += (replace(f, measures=name) for f in judge_findings(sample, people, models))
    yield from _by_measure(collection, of_judges)
    computable = [part for part in parts if not part.is_large]
    yield from same_measures(parts)
    flagged = {f.subject.removeprefix("assessor ") for f in of_judges if f.kind in DISAGREEING}
    yield from random_throughout([m for m in samples if not m.is_large], flagged)
    yield from repeated_topics(computable)
    for part in measured_units(collection, coded_names):
        yield from missing_findings(part, people)
        yield from flat_systems(part)
        yield from judge_findings(part, people, models)
    yield from unmeasured_systems(collection, coded_names)
    yield from column_findings(collection, coded_names, computable)
    yield from task_findings(computable)
    yield from cluster_findings(collection, computable)
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
        narrowed = Repair("reverse", f"{judge}={columns['measure'][finding.rows[0]]}")
        message = finding.message.replace(f"--reverse {judge}", narrowed.flag)
        yield replace(finding, message=message, repairs=(narrowed,))


def _reversal(finding: Finding) -> str:
    """Return the judge that the repair of a finding reverses, if there is one."""
    names = (repair.value for repair in finding.repairs if repair.option == "reverse")
    return next(names, "")


def checked(
    collection: Collection,
    where: Where | None = None,
    *,
    warn: bool = True,
    measures: Iterable[str] = (),
    cluster: str | None = None,
) -> Collection:
    """Add what is doubtful to a collection, and warn about it, unless that was done before.

    Findings that are only about other `measures`, or suggest this `cluster`, are left out.
    """
    available = set(collection.scores.measures)
    parts = (part.strip() for name in measures for part in (name, *name.split("+")))
    checked_measures = {full_measure_name(part, available) for part in parts} & available

    def is_used(finding: Finding) -> bool:
        if cluster and Repair("cluster", cluster) in finding.repairs:
            return False
        return not (checked_measures and finding.measures) or not checked_measures.isdisjoint(
            finding.measures
        )

    if collection.findings is not None:
        report_findings(filter(is_used, collection.findings))
        return collection
    every = (*doubtful(collection), *implausible(collection, measures=checked_measures))
    findings = tuple(filter(is_used, every))
    if warn:
        warn_findings(findings, where)
    else:
        report_findings(findings)
    return replace(collection, findings=tuple(sorted(findings, key=lambda f: f.order)))


def warn_findings(findings: Iterable[Finding], where: Where | None = None) -> None:
    """Warn once about each kind of finding, and add all to the result of the running question."""
    all_findings = tuple(findings)
    report_findings(all_findings)
    # The command line prints notes; programs read them in the result.
    kinds = grouped((f.kind, f) for f in all_findings if f.severity != "note")
    if "missing scores" in kinds:
        kinds.pop("missing summaries", None)  # implied by missing scores
    prefix = f"{where}: " if where else ""
    for kind, (first_finding, *similar) in kinds.items():
        names = [
            name
            for name in dict.fromkeys(f.subject for f in similar)
            if name != first_finding.subject
        ]
        suffix = f" (also {brief_list(names)}; `pyramidion check` lists all)" if names else ""
        category = OffScaleWarning if kind == "score off its scale" else DataWarning
        text = f"{prefix}{kind}: {first_finding.subject}: {first_finding.message}{suffix}"
        warnings.warn(text, category, stacklevel=4)
