"""Correlations of system means, observed and without noise, and metrics in topics of people."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.ids import brief_list, grouped
from pyramidion.comparison.common import places_of
from pyramidion.comparison.measure_tables import MetaTables, Peers
from pyramidion.meta_evaluation._result import (
    PEER_NAMES,
    MetaEvaluation,
    MetaPart,
    human_name,
    named_metric,
    shown_peers,
)
from pyramidion.rendering.view import Column, View, columns, shown
from pyramidion.stats import corrected_correlation, person_topics


@dataclass(frozen=True, slots=True)
class SystemMeans:
    """A metric's Pearson correlation with people over system means, observed and corrected."""

    metric: str
    name: str
    peers: Peers
    observed: float
    low: float
    high: float
    corrected: float
    corrected_low: float
    corrected_high: float
    reliability_metric: float
    reliability_human: float
    undefined: str
    person_topics: float
    metric_correlation: float
    person_correlation: float
    people: int

    @property
    def as_person(self) -> str:
        """At how many topics one person's means correlate as well, in words."""
        if math.isnan(self.person_topics):
            return ""
        is_infinite = math.isinf(self.person_topics)
        return "more than any" if is_infinite else f"{self.person_topics:.1f}"


def _format_interval(value: float, low: float, high: float) -> str:
    interval = "" if math.isnan(low) else f" [{low:.3f}, {high:.3f}]"
    return "cannot be estimated" if math.isnan(value) else f"{value:.3f}{interval}"


SYSTEM_MEANS: View[SystemMeans] = View(
    "system means",
    (
        shown("metric", lambda row: row.name),
        Column("peers", "peers", show=lambda row: PEER_NAMES[row.peers]),
        *columns(observed="", low="", high="", corrected="", corrected_low="", corrected_high=""),
        shown("observed means", lambda row: _format_interval(row.observed, row.low, row.high)),
        shown(
            "corrected for noise",
            lambda row: _format_interval(row.corrected, row.corrected_low, row.corrected_high),
        ),
        *columns(reliability_metric="reliability: metric", reliability_human="people"),
        *columns(undefined="", metric_correlation="", person_correlation="", people=""),
        Column("person_topics", "topics of a person", show=lambda row: row.as_person),
    ),
    digits=3,
)


def noise_part(result: MetaEvaluation) -> MetaPart:
    """Correlate system means, with and without the noise of topics, and compare with one person."""
    if result.options.control:
        return MetaPart({})
    rows = list(_system_means(result))
    has_several, has_no_person = (
        len({row.peers for row in rows}) > 1,
        not any(r.as_person for r in rows),
    )
    hidden_columns = (("peers", not has_several), ("topics of a person", has_no_person))
    hidden_titles = [title for title, is_hidden in hidden_columns if is_hidden]
    title = f"Pearson's r of system means with {human_name(result)}"
    records = {
        name: {"system_means": SYSTEM_MEANS.records(row for row in rows if row.metric == name)}
        for name in result.tables.metrics
    }
    table = SYSTEM_MEANS.table(
        rows, title, " ".join(_table_notes(result, rows)), exclude=hidden_titles
    )
    metrics_by_reason = grouped(
        ((f" ({PEER_NAMES[row.peers]})" if has_several else "", row.undefined), row.metric)
        for row in rows
        if row.undefined
    )
    left_out = tuple(
        f"{brief_list(metrics)}, corrected for noise{peers}: {reason}"
        for (peers, reason), metrics in metrics_by_reason.items()
    )
    return MetaPart(records, tables=(table,), left_out=left_out)


def _system_means(result: MetaEvaluation) -> Iterator[SystemMeans]:
    level = result.options.confidence_level
    for peers in shown_peers(result):
        tables = result.tables.peers(peers)
        judgments = _tables_by_assessor(tables)
        for metric, _ in result.ranked(level="system", coefficient="pearson", peers=peers):
            scores = tables.metrics[metric]
            row = result.correlation(metric, level="system", coefficient="pearson", peers=peers)
            if row.n < 2:
                continue
            corrected_result = corrected_correlation(scores, tables.truth, confidence_level=level)
            person_result = person_topics(judgments, scores)
            yield SystemMeans(
                metric, named_metric(metric, tables.negated), peers, row.value, row.low, row.high,
                corrected_result.value, corrected_result.interval.low,
                    corrected_result.interval.high,
                corrected_result.reliability_metric, corrected_result.reliability_human,
                    corrected_result.undefined,
                person_result.topics, person_result.metric, person_result.person,
                    person_result.people,
            )  # fmt: skip


def _tables_by_assessor(tables: MetaTables) -> dict[str, Floats]:
    """Return a table of scores for each person who judged the human measure."""
    if tables.judged is None:
        return {}
    human_scores = tables.judged.rows(tables.judged.columns["assessor_kind"] != "model")
    sign = -1.0 if tables.human in tables.negated else 1.0
    topics = places_of(human_scores.columns["topic"], tables.topics)
    systems = places_of(human_scores.columns["system"], tables.systems)
    assessors = human_scores.columns["assessor"]
    table_by_assessor = {}
    for name in dict.fromkeys(filter(None, assessors.tolist())):
        rows = np.flatnonzero((assessors == name) & (topics >= 0) & (systems >= 0))
        sums, counts = np.zeros((2, *tables.truth.shape))
        np.add.at(sums, (topics[rows], systems[rows]), human_scores.value[rows])
        np.add.at(counts, (topics[rows], systems[rows]), 1.0)
        table_by_assessor[name] = sign * np.divide(
            sums, counts, out=sums * np.nan, where=counts > 0
        )
    return table_by_assessor


def _table_notes(result: MetaEvaluation, rows: list[SystemMeans]) -> Iterator[str]:
    yield (
        f"Observed: of the means over these {len(result.tables.topics)} topics. Corrected: an "
        "estimate for means over all topics of the kind, from the reliabilities and the noise that "
        "metric and people share on the same summaries; estimates beyond 1 are shown as 1."
    )
    if comparable_rows := [row for row in rows if row.as_person]:
        best_row = max(comparable_rows, key=lambda row: row.person_correlation)
        yield (
            f"Topics of a person: with this many topics, the means of one of {best_row.people} "
            "people correlate with the others' as well as the metric's means do; with all topics "
            f"{best_row.person_correlation:.3f}."
        )
