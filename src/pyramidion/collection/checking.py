"""Checks of data that were read: ambiguous data are refused, doubtful data are reported."""

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from pyramidion.collection._collection import Collection
from pyramidion.collection.findings import Finding, Repair, address_name, find_repeated
from pyramidion.collection.ids import brief_list, grouped, natural_order
from pyramidion.collection.measures import full_measure_name
from pyramidion.collection.pyramids import Pyramid
from pyramidion.errors import DataWarning, OffScaleWarning, ShapeError, Where
from pyramidion.questions import report_findings


def require_consistent(collection: Collection, where: Where | None = None) -> None:
    """Refuse a collection with ambiguous addresses."""
    fatal_problems = [f for f in ambiguous_addresses(collection) if f.fatal]
    if fatal_problems:
        suffix = (
            f" (and {len(fatal_problems) - 1} more such problems)"
            if len(fatal_problems) > 1
            else ""
        )
        hint = f"{fatal_problems[0].message}; `pyramidion check` lists all"
        raise ShapeError(
            f"{fatal_problems[0].kind}: {fatal_problems[0].subject}{suffix}", hint, where=where
        )


def ambiguous_addresses(collection: Collection) -> Iterator[Finding]:
    """List repeated and incomplete addresses, nearly all of which are fatal."""
    for check in (_repeated_settings, _repeated_addresses, _kind_conflicts, repeated_units):
        yield from check(collection)


def _repeated_settings(collection: Collection) -> Iterator[Finding]:
    yield from find_repeated(
        "duplicated task", (task.id for task in collection.tasks), "rename one"
    )
    categories = [category.id for category in collection.categories]
    yield from find_repeated("duplicated category", categories, "rename one")
    aspects = (aspect.id for category in collection.categories for aspect in category.aspects)
    yield from find_repeated("duplicated aspect", aspects, "rename one")
    yield from find_repeated("duplicated topic", (t.id for t in collection.topics), "rename one")
    for topic in collection.topics:
        topic_documents = (f"{topic.id}, document {document.id}" for document in topic.documents)
        yield from find_repeated("duplicated document", topic_documents, "rename one")


def _repeated_addresses(collection: Collection) -> Iterator[Finding]:
    keys = (summary.key for summary in collection.summaries)
    message = "keep one for each task, topic and system"
    yield from find_repeated("duplicated summary", keys, message, lambda key: address_name(*key))
    message = "keep one, or distinguish them by assessor, run or occasion"
    repeated_rows = [row for _, row in collection.scores.repeated_keys()]
    for score in collection.scores.rows(np.array(repeated_rows, np.int64)):
        subject = f"{address_name(score.task, score.topic, score.system)}, {score.measure}"
        yield Finding("repeated score", subject, message, fatal=True)
    for row, column in collection.scores.incomplete_rows():
        yield Finding("incomplete score", f"row {row + 1} of the scores", f"add its {column}")


def _kind_conflicts(collection: Collection) -> Iterator[Finding]:
    columns = collection.scores.columns
    pairs = {*zip(columns["system"], columns["kind"], strict=True)}
    pairs |= {(summary.system, summary.kind) for summary in collection.summaries}
    yield from conflicting_kinds(pairs)


def conflicting_kinds(pairs: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Find systems that have two kinds, which is fatal."""
    kinds = Counter(system for system, _ in {*pairs})
    message = "it is human in some places and a machine in others"
    for system in sorted((name for name, count in kinds.items() if count > 1), key=natural_order):
        yield Finding("conflicting kinds", system, message, fatal=True)


def repeated_units(collection: Collection) -> Iterator[Finding]:
    """Find repeated uids in a pyramid, which is fatal."""
    seen_pyramids: set[int] = set()
    for address, pyramid in _all_pyramids(collection):
        if id(pyramid) not in seen_pyramids:
            seen_pyramids.add(id(pyramid))
            uids = (f"{address}, SCU {scu.uid}" for scu in pyramid.scus)
            yield from find_repeated("duplicated SCU", uids, "give it another uid")


def _all_pyramids(collection: Collection) -> Iterator[tuple[str, Pyramid]]:
    for (task, topic, version), pyramid in collection.named_pyramids.items():
        yield pyramid_name(task, topic, version), pyramid
    for key, peer in collection.peer_annotations.items():
        if peer.pyramid != collection.pyramids.get((key[0], key[1])):
            yield f"peer annotation of {address_name(*key)}", peer.pyramid


def pyramid_name(task: str, topic: str, version: str) -> str:
    """Write the address of a pyramid in words."""
    return f"pyramid of {address_name(task, topic)}" + (f", version {version}" if version else "")


def with_findings(
    collection: Collection,
    where: Where | None = None,
    *,
    warn: bool = True,
    measures: Iterable[str] = (),
    cluster: str | None = None,
) -> Collection:
    """Add findings about doubtful data to a collection and warn about them, unless it has findings.

    Findings that are only about other `measures`, or suggest this `cluster`, are left out.
    """
    available_measures = set(collection.scores.measures)
    parts = (part.strip() for name in measures for part in (name, *name.split("+")))
    checked_measures = {
        full_measure_name(part, available_measures) for part in parts
    } & available_measures

    def is_used(finding: Finding) -> bool:
        if cluster and Repair("cluster", cluster) in finding.repairs:
            return False
        return not (checked_measures and finding.measures) or not checked_measures.isdisjoint(
            finding.measures
        )

    if collection.findings is not None:
        report_findings(filter(is_used, collection.findings))
        return collection
    # Data are checked when they are read, but the checks are built on this package.
    from pyramidion.checks.plausibility import implausible_data
    from pyramidion.checks.structure import doubtful_data

    all_findings = (
        *doubtful_data(collection),
        *implausible_data(collection, measures=checked_measures),
    )
    findings = tuple(filter(is_used, all_findings))
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
    findings_by_kind = grouped((f.kind, f) for f in all_findings if f.severity != "note")
    if "missing scores" in findings_by_kind:
        findings_by_kind.pop("missing summaries", None)  # implied by missing scores
    prefix = f"{where}: " if where else ""
    for kind, (first_finding, *similar_findings) in findings_by_kind.items():
        names = [
            name
            for name in dict.fromkeys(f.subject for f in similar_findings)
            if name != first_finding.subject
        ]
        suffix = f" (also {brief_list(names)}; `pyramidion check` lists all)" if names else ""
        category = OffScaleWarning if kind == "score off its scale" else DataWarning
        message = f"{prefix}{kind}: {first_finding.subject}: {first_finding.message}{suffix}"
        warnings.warn(message, category, stacklevel=4)
