"""One topic on which a metric prefers machines to a person (Rankel's Table 5.1, Figure 5.5)."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection import Collection
from pyramidion.comparison.common import joined, require_known
from pyramidion.comparison.measure_tables import MetaInput, MetaTables, scope_name
from pyramidion.errors import InputError
from pyramidion.questions import Options, option, question
from pyramidion.rendering.charts import Picture
from pyramidion.rendering.charts.rows import PanelRow, RowPanel, row_panels_picture
from pyramidion.rendering.result import Chart, FiguresResult, signed
from pyramidion.rendering.table import Cell, Table
from pyramidion.stats import kendall


@dataclass(frozen=True, slots=True)
class ContrastOptions(Options):
    """Which topic and systems are shown."""

    topic: str | None = option(
        None, "Topic to show; by default the one on which metric and human measure agree least.",
    )  # fmt: skip
    machines: int = option(
        5, "Number of machines to show: those that the metric ranks highest.", min=1, metavar="N"
    )


@dataclass(frozen=True, slots=True)
class ContrastedSummary:
    """A summary with its scores; the text is empty if the data have none."""

    system: str
    kind: str
    scores: Mapping[str, float]
    text: str


@dataclass(frozen=True, slots=True)
class TopicContrast:
    """The person that people prefer, and the machines that a metric prefers, on one topic.

    `agreement` is Kendall's tau of metric and human measure over the topic's systems, `preferred`
    the machine among them that people prefer.
    """

    human: str
    metric: str
    collection: str
    task: str
    topic: str
    agreement: float
    preferred: str
    summaries: tuple[ContrastedSummary, ...]


@question
def contrast(source: MetaInput, options: ContrastOptions) -> FiguresResult[TopicContrast]:
    """Show the best person and the machines that a metric prefers on one topic (Table 5.1).

    The person has the highest score of the human measure, the machines have those of the metric.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"topic": "T1", "system": ["A", "x", "y"] * 2,
    ...     "kind": ["human", "machine", "machine"] * 2,
    ...     "measure": ["overall"] * 3 + ["metric"] * 3, "value": [5, 2, 3, .1, .3, .2]})
    >>> [summary.system for summary in contrast(frame, human="overall")[0].summaries]
    ['A', 'x', 'y']
    """
    collection, tables = source.read(adjusted=False)
    if options.topic is not None:
        topics = dict.fromkeys(topic for table in tables for topic in table.topics)
        require_known("topic", options.topic, topics)
    contrasts_and_notes = [
        item for table in tables for item in _contrasts(table, collection, options)
    ]
    left_out = [line for line in contrasts_and_notes if isinstance(line, str)]
    topic_contrasts = [item for item in contrasts_and_notes if isinstance(item, TopicContrast)]
    if not topic_contrasts:
        raise InputError(left_out[0], hint="add scores of people and machines on the same topic")
    return FiguresResult(
        command="study contrast",
        signature=signed(
            "study-contrast", collection.data_hash, human=joined(c.human for c in topic_contrasts),
            metric=joined(c.metric for c in topic_contrasts), exclude=joined(source.exclude),
            tasks=joined(source.tasks), topic=options.topic or "", machines=options.machines,
        ),
        values=topic_contrasts,
        record=asdict,
        tables=[table for item in topic_contrasts for table in _tables(item)],
        charts=[
            Chart("contrast", partial(_picture, item), about=tuple(filter(None, chart_scope)))
            for item in topic_contrasts
            for chart_scope in [(item.collection, item.task, item.metric, item.topic)]
        ],
        left_out=(*collection.left_out, *left_out),
    )  # fmt: skip


def _contrasts(
    tables: MetaTables, collection: Collection, options: ContrastOptions
) -> Iterator[TopicContrast | str]:
    """Yield the contrast of each metric, or why there is none."""
    for metric, values in tables.metrics.items():
        has_both = ~np.isnan(tables.truth) & ~np.isnan(values)
        people, machines = has_both & tables.people, has_both & ~tables.people
        comparable_rows = np.flatnonzero(people.any(axis=1) & machines.any(axis=1)).tolist()
        agreements = {
            tables.topics[row]: _agreement(
                tables.truth[row, has_both[row]], values[row, has_both[row]]
            )
            for row in comparable_rows
            if options.topic in (None, tables.topics[row])
        }
        if not agreements:
            scope = scope_name(metric, tables.task, tables.collection)
            yield f"{scope}: no topic has scores of a person and of a machine"
            continue
        # Undefined agreement, as of equal scores, comes last.
        topic = min(agreements, key=lambda name: np.nan_to_num(agreements[name], nan=2.0))
        row = tables.topics.index(topic)
        peer_columns = _chosen_columns(tables, values[row], row, has_both[row], options.machines)
        preferred_column = max(peer_columns[1:], key=tables.truth[row].__getitem__)
        summaries = tuple(_summaries(tables, collection, metric, row, peer_columns))
        yield TopicContrast(
            tables.human, metric, tables.collection, tables.task, topic, agreements[topic],
            tables.systems[preferred_column], summaries,
        )  # fmt: skip


def _agreement(truth: Floats, values: Floats) -> float:
    return float(kendall(truth, values).value) if len(truth) > 1 else float("nan")


def _chosen_columns(
    tables: MetaTables, values: Floats, row: int, has_both: Bools, machines: int
) -> list[int]:
    """Return the columns of the best person and of the metric's best machines."""
    person_scores = np.where(has_both & tables.people, tables.truth[row], -np.inf)
    machine_scores = np.where(has_both & ~tables.people, values, -np.inf)
    best_machines = np.argsort(-machine_scores, kind="stable")[
        : min(machines, int(np.isfinite(machine_scores).sum()))
    ]
    return [int(person_scores.argmax()), *best_machines.tolist()]


def _summaries(
    tables: MetaTables, collection: Collection, metric: str, row: int, peer_columns: list[int]
) -> Iterator[ContrastedSummary]:
    measures = {tables.human: tables.truth, **tables.humans, metric: tables.metrics[metric]}
    topic, task = tables.topics[row], tables.task
    texts = {s.system: s.plain for s in collection.summaries if (s.topic, s.task) == (topic, task)}
    for column in peer_columns:
        scores = {
            name: float(table[row, column]) * (-1 if name in tables.negated else 1)
            for name, table in measures.items()
        }
        kind, system = "human" if tables.people[column] else "machine", tables.systems[column]
        yield ContrastedSummary(system, kind, scores, texts.get(system, ""))


def _tables(contrast: TopicContrast) -> Iterator[Table]:
    """Show the scores, then the texts of the person and of the machine that people prefer."""
    measures = tuple(contrast.summaries[0].scores)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (s.system, s.kind, *s.scores.values()) for s in contrast.summaries
    )
    title, note = _headings(contrast)
    key = (("metric", contrast.metric), ("task", contrast.task), ("topic", contrast.topic))
    yield Table(("system", "kind", *measures), rows, title, note, 4, key, "contrast")
    compared_systems = (contrast.summaries[0].system, contrast.preferred)
    texts = tuple(
        (s.system, s.text) for s in contrast.summaries if s.text and s.system in compared_systems
    )
    if texts:
        yield Table(
            ("system", "text"), texts, f"Summaries of {contrast.topic}", key=key, name="texts"
        )


def _headings(contrast: TopicContrast) -> tuple[str, str]:
    human = scope_name(contrast.human, contrast.task, contrast.collection)
    title = f"Topic {contrast.topic} by {human}: the best person, and machines by {contrast.metric}"
    note = f"Kendall's tau of both over all systems of the topic: {contrast.agreement:.2f}."
    return title, note


def _picture(contrast: TopicContrast) -> Picture:
    """Draw a panel for each measure, on its own scale, with the person first."""
    panels = [
        RowPanel(
            measure,
            tuple(
                PanelRow(s.system, s.scores[measure], mark="person" if s.kind == "human" else "")
                for s in contrast.summaries
            ),
            "l" if measure == contrast.metric else "h",
        )
        for measure in contrast.summaries[0].scores
    ]
    title, note = _headings(contrast)
    return row_panels_picture(panels, title=title, note=note, label="score", shares_scale=False)
