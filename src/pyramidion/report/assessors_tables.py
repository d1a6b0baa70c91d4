"""What was found out about assessors, for people."""

import math
from collections.abc import Iterable, Iterator, Sequence

from pyramidion.collection.ids import natural_order
from pyramidion.evaluation.assessors.consistency import Consistency
from pyramidion.evaluation.assessors.study import AssessorStudy
from pyramidion.report.table import Cell, Table

__all__ = ["ALL", "ALL_YEARS", "assessor_tables", "contingency_table", "span_name", "years_table"]

#: What stands for all assessors, and for all years.
ALL, ALL_YEARS = "all", "all years"

Row = tuple[Cell, ...]

_ALPHA_NOTE = (
    "Pairs: judgments of the same words by the same assessor. Alpha: Krippendorff's, 1 for perfect "
    "consistency, 0 for chance, with a {percent:.0%} interval over topics. |difference|: mean "
    "distance of the two values. Equal: share of pairs with equal values. Where all values are the "
    "same, alpha is 1 by definition and has no interval."
)
_SEVERITY_NOTE = (
    "Severity: the assessor's main effect on topics' means, beside {beside}; below 0 is severe. "
    "{percent:.0%} intervals, p adjusted after Holm."
)
_AGREEMENT_NOTE = (
    "Items: what two assessors or more judged. Alpha: Krippendorff's over all assessors. Equal and "
    "kappa (Cohen's, plain and with quadratic weights): means over pairs of assessors."
)
_DIFFERENCE_NOTE = (
    "Means over topics. The lower the difference, the more that was marked in other summaries of a "
    "topic is unmarked in the one scored."
)
_DRIFT_NOTE = "Slope: points of the scale in one {unit}, with a {percent:.0%} interval over topics."


def span_name(collection: str | None) -> str:
    """Name a year, or all of them.

    Examples
    --------
    >>> span_name("2011"), span_name(None)
    ('2011', 'all years')
    """
    return ALL_YEARS if collection is None else collection


def assessor_tables(study: AssessorStudy) -> Iterator[Table]:
    """Lay out all that was found, year by year.

    Parameters
    ----------
    study
        What was found out.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> from pyramidion.evaluation.assessors.study import study_assessors
    >>> [table.title.split(":")[0] for table in assessor_tables(study_assessors([load_demo()]))]
    ['Identical summaries', 'Severity', 'Agreement', 'Pairs of assessors']
    """
    yield years_table(study)
    for collection in study.panel.spans():
        key = (("collection", span_name(collection)),)
        for title, columns, rows, note in _parts(study, collection):
            if rows:
                named = f"{title}: {span_name(collection)}"
                yield Table(columns, tuple(rows), title=named, note=note, digits=3, key=key)


def years_table(study: AssessorStudy) -> Table:
    """Count identical summaries by year.

    Parameters
    ----------
    study
        What was found out.
    """
    panel = study.panel
    rows = tuple(
        (year, panel.compared.get(year, 0), len(panel.pairs.get(year, ())))
        for year in panel.collections
    )
    columns = ("collection", "summaries", "identical pairs")
    note = "Pairs of systems with the same words in the same order, on one topic and task."
    return Table(columns, rows, title="Identical summaries", note=note)


#: Title, columns, rows and note of a table.
Part = tuple[str, tuple[str, ...], list[Row], str]

_CONSISTENCY = (
    *("measure", "assessor", "pairs", "alpha", "low", "high"),
    *("level", "|difference|", "equal"),
)
_SEVERITY = ("measure", "assessor", "topics", "mean", "severity", "low", "high", "p adjusted")
_AGREEMENT = (
    *("measure", "assessors", "items", "alpha", "level"),
    *("equal", "kappa", "weighted kappa"),
)
_PAIRS = ("measure", "a", "b", "n", "equal", "kappa", "weighted kappa", "a - b", "correlation")
_DIFFERENCES = (
    *("assessor", "topics", "summaries", "manual", "automatic"),
    *("manual - automatic", "low", "high"),
)
_TOPICS = ("task", "topic", "assessor", "n", "manual", "automatic", "manual - automatic")


def _parts(study: AssessorStudy, collection: str | None) -> Iterator[Part]:
    percent = study.options.confidence_level
    found = [own for own in study.consistency if own.collection == collection]
    # Where nothing was judged twice it is said once, not assessor by assessor.
    found = found if any(own.pairs for own in found) else []
    yield "Consistency", _CONSISTENCY, _consistency_rows(found), _ALPHA_NOTE.format(percent=percent)
    yield _severity_part(study, collection)
    yield "Agreement", _AGREEMENT, _agreement_rows(study, collection), _AGREEMENT_NOTE
    yield "Pairs of assessors", _PAIRS, _pair_rows(study, collection), ""
    yield _drift_part(study, collection)
    yield from _difference_parts(study, collection)


def _consistency_rows(found: Sequence[Consistency]) -> list[Row]:
    return [
        (
            own.measure,
            ALL if own.assessor is None else own.assessor,
            own.pairs,
            own.alpha.value,
            own.alpha.low,
            own.alpha.high,
            own.level.level,
            own.mean_difference,
            own.equal,
        )
        for own in best_first(found)
    ]


def best_first(found: Iterable[Consistency]) -> list[Consistency]:
    """Order assessors by measure, the most consistent first, and all together last.

    Examples
    --------
    >>> best_first([])
    []
    """

    def place(own: Consistency) -> tuple[object, ...]:
        alpha, unknown = own.alpha.value, math.isnan(own.alpha.value)
        # The name decides last, for numbers that are no numbers have no order.
        value = 0.0 if unknown else -alpha
        name = natural_order(own.assessor or "")
        return natural_order(own.measure), own.assessor is None, unknown, value, name

    return sorted(found, key=place)


def _severity_part(study: AssessorStudy, collection: str | None) -> Part:
    models = [own for own in study.severity if own.collection == collection]
    rows: list[Row] = [
        (model.measure, own.assessor, own.topics, own.mean, own.effect, own.low, own.high,
         own.p_adjusted)
        for model in models
        for own in model.assessors
    ]  # fmt: skip
    beside = dict.fromkeys(_BESIDE[model.beside] for model in models if model.assessors)
    note = _SEVERITY_NOTE.format(beside=" or ".join(beside), percent=study.options.confidence_level)
    tests = (f"{m.measure} F({m.df}, {m.residual_df}) = {m.f:.2f}, p = {m.p:.3g}" for m in models
             if not math.isnan(m.f))  # fmt: skip
    together = "; ".join(tests)
    said = f"{note} All alike: {together}." if together else note
    if not any(own.unit for key, own in study.drift.items() if key[0] == collection):
        said = f"{said} Drift: no judgment carries a time."
    return "Severity", _SEVERITY, rows, said


_BESIDE = {"category": "categories", "topic": "topics", "nothing": "nothing else"}


def _agreement_rows(study: AssessorStudy, collection: str | None) -> list[Row]:
    return [
        (
            own.measure,
            len(study.panel.assessors(collection, own.measure)),
            own.items,
            own.alpha,
            own.level.level,
            own.mean("equal"),
            own.mean("kappa"),
            own.mean("weighted_kappa"),
        )
        for own in study.agreement
        if own.collection == collection and own.items
    ]


def _pair_rows(study: AssessorStudy, collection: str | None) -> list[Row]:
    return [
        (own.measure, pair.a, pair.b, pair.n, pair.equal, pair.kappa, pair.weighted_kappa,
         pair.difference, pair.correlation)
        for own in study.agreement
        if own.collection == collection
        for pair in own.pairs
    ]  # fmt: skip


def _drift_part(study: AssessorStudy, collection: str | None) -> Part:
    found = {key: own for key, own in study.drift.items() if key[0] == collection and own.unit}
    rows: list[Row] = [
        (measure, assessor, own.n, own.span, own.slope, own.low, own.high, own.p)
        for (_, measure, assessor), own in found.items()
    ]
    units = {own.unit for own in found.values()}
    unit = "day" if "day" in units else "unit of time"
    note = _DRIFT_NOTE.format(unit=unit, percent=study.options.confidence_level)
    span = "days" if unit == "day" else "time"
    columns = ("measure", "assessor", "judgments", span, "slope", "low", "high", "p")
    return "Drift over time", columns, rows, note


def _difference_parts(study: AssessorStudy, collection: str | None) -> Iterator[Part]:
    rows: list[Row] = [
        (own.assessor, own.topics, own.summaries, own.manual, own.automatic, own.difference,
         own.low, own.high)
        for own in study.differences
        if own.collection == collection
    ]  # fmt: skip
    yield f"Manual minus automatic {study.manual}", _DIFFERENCES, rows, _DIFFERENCE_NOTE
    topics: list[Row] = [
        (own.task, own.topic, own.assessor, own.n, own.manual, own.automatic, own.difference)
        for own in study.topics
        if own.collection == collection
    ]
    yield f"Manual minus automatic {study.manual} by topic", _TOPICS, topics, ""


def contingency_table(found: Sequence[Consistency]) -> Table:
    """List how often each two values were given to the same words.

    Parameters
    ----------
    found
        What `assessor_consistency` gives.

    Examples
    --------
    >>> contingency_table([]).columns
    ('collection', 'measure', 'assessor', 'lower', 'higher', 'pairs')
    """
    rows: list[Row] = [
        (
            span_name(own.collection),
            own.measure,
            ALL if own.assessor is None else own.assessor,
            low,
            high,
            int(own.table.counts[row, column]),
        )
        for own in found
        if own.table is not None
        for row, low in enumerate(own.table.values)
        for column, high in enumerate(own.table.values)
        if own.table.counts[row, column]
    ]
    columns = ("collection", "measure", "assessor", "lower", "higher", "pairs")
    return Table(columns, tuple(rows), title="Pairs of values given to the same words", digits=2)
