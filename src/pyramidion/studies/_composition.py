"""Summarizers that multiply, average or add word probabilities: Tables 4.5-4.7."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.collection import Collection, Pyramid, Summary
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.pyramid import Annotator, build_pyramid, score_peer
from pyramidion.pyramid.content_units import TopicUnits, content_of_peer, score_weighed
from pyramidion.questions import Options, option, question
from pyramidion.rendering.charts.rows import PanelRow, RowPanel, row_panels_picture
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart
from pyramidion.rendering.view import View, field_columns
from pyramidion.rouge import Rouge
from pyramidion.rouge.results import sample_means
from pyramidion.stats import permutation_test
from pyramidion.studies._source import SourceAndPeers, StudyResult, TopicTexts, sentences_of
from pyramidion.summarizers import summarize_collection

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture

#: The thesis's summarizers, in its order; the others are compared with `BASE_METHOD`.
METHODS = ("sum-prod", "sum-avr", "sum-avr(context=off)", "sum-sum")
BASE_METHOD = METHODS[1]

#: Marks the same methods without our rules: any sentence may be chosen, as in the thesis.
_UNFILTERED_LABEL = "all sentences"

#: The measures: title, and the thesis's values for each of the methods.
_MEASURES: dict[str, tuple[str, tuple[float, ...]]] = {
    "sentences": ("Sentences per summary (Table 4.5)", (5.58, 4.48, np.nan, 2.36)),
    "rouge-1-r": ("ROUGE-1 without stop words (Table 4.6)", (0.305, 0.301, 0.296, 0.237)),
    "rouge-2-r": ("ROUGE-2 (Table 4.6)", (0.122, 0.110, 0.121, 0.070)),
    "rouge-su4-r": ("ROUGE-SU4 (Table 4.6)", (0.159, 0.146, 0.159, 0.111)),
    "original": ("Original pyramid score (Table 4.7)", (0.4063, 0.4039, 0.3811, 0.2614)),
    "modified": ("Modified pyramid score (Table 4.7)", (0.3392, 0.3364, 0.3212, 0.1862)),
    "repeated": ("Repeated content units (Table 4.7)", (1.16, 0.84, 2.12, 0.24)),
}
_PYRAMID_SCORES = ("original", "modified", "repeated")
_FIGURE_MEASURES = ("rouge-1-r", "rouge-2-r", "rouge-su4-r", "modified")
_ROUGE_VARIANTS = (
    Rouge(n=(1,), l=False, stem=True, stop_words=True),
    Rouge(n=(2,), l=False, su=4, stem=True),
)
_NOTE = (
    "Means over topics with 95% bootstrap intervals; p: permutation test against sum-avr (that on "
    "all sentences for methods on all sentences), on the topics that both have. All sentences: as "
    "in the thesis, short or repeated sentences, questions, headlines and near duplicates may be "
    "chosen as well. "
    "Thesis: 50 topics of DUC 2004, 100 words."
)
_UNITS_NOTE = {
    "annotated": "Content units were annotated by hand.",
    "similarity": "The summaries are not annotated: content units were found by similarity.",
    "built": "There are no pyramids: they were built from the references by similarity, which also "
    "found content units in summaries. Repeated: units found in several sentences.",
}


@dataclass(frozen=True, slots=True)
class SummaryWords(Options):
    """How long summaries are."""

    words: int = option(
        100, "Number of words of a summary; the last sentence is cut off.", metavar="N", min=1
    )


@dataclass(frozen=True, slots=True)
class ComposedScore:
    """The mean of a measure over a summarizer's topics, with its interval."""

    measure: str  # sentences, a recall of ROUGE, original, modified or repeated
    summarizer: str  # one of the thesis's methods, or another machine of the collection
    topics: int
    mean: float
    low: float
    high: float
    p: float  # of the difference from sum-avr, or sum-avr on all sentences
    thesis: float  # NaN if not in the thesis


_VIEW: View[ComposedScore] = View(
    "scores", field_columns(ComposedScore, measure=""), key=("measure",)
)


@question
def composition(source: SourceAndPeers, length: SummaryWords) -> StudyResult[ComposedScore]:
    """Compare summarizers that multiply, average or add word probabilities (Tables 4.5-4.7).

    The thesis's methods summarize the documents, and are compared with the collection's machines.
    For a topic with two references and no pyramid, one is built by similarity.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> scores = composition(load_demo(), topic="P01", task="A", words=50)
    >>> [(row.summarizer, row.mean) for row in scores if row.measure == "sentences"][:2]
    [('sum-prod', 6.0), ('sum-avr', 4.0)]
    """
    collection = source.read()
    topics, left_out = source.topics_of(collection)
    summaries = _summaries(collection, topics, length.words)
    values, method = _measure_summaries(collection, topics, summaries)
    rows = [
        row
        for measure in _MEASURES
        for row in _composed_scores(measure, summaries, values[measure])
    ]
    no_pyramid_reason = "no topic has a pyramid, or two references to build one from"
    reasons = {"original": "no summary was annotated by hand"}
    measures_in_rows = {row.measure for row in rows}
    left_out += [
        f"{title}: {reasons.get(measure, no_pyramid_reason)}"
        for measure, (title, _) in _MEASURES.items()
        if measure not in measures_in_rows
    ]
    notes = {"sentences": _NOTE, "modified": _UNITS_NOTE[method]}
    tables = [
        _VIEW.table(scores, _MEASURES[measure][0], notes.get(measure, ""))
        for measure, scores in grouped((row.measure, row) for row in rows).items()
    ]
    charts = [Chart("composition", partial(_figure, rows, len(topics)))]
    return source.result(
        "composition", collection, rows, _VIEW.record, tables, charts,
        details=[*length.changed("words"), ("units", method)], seed=0, left_out=left_out,
    )  # fmt: skip


def _summaries(
    collection: Collection, topics: Sequence[TopicTexts], words: int
) -> list[tuple[int, Summary]]:
    """Return summaries by the thesis's methods and other machines, with their topic's row."""
    rows = {(topic.task, topic.topic): row for row, topic in enumerate(topics)}
    task_ids, topic_ids = (tuple(dict.fromkeys(ids)) for ids in zip(*rows, strict=True))
    summarize = partial(
        summarize_collection, collection, method=METHODS, words=words, fit="truncate",
        focus="generic", topic=topic_ids, task=task_ids,
    )  # fmt: skip
    summaries_by_method = [
        (rows[key], replace(result.peer, system=f"{result.peer.system}{suffix}"))
        for suffix, results in (
            ("", summarize(dangling=True)),
            (f", {_UNFILTERED_LABEL}", summarize(all_sentences=True)),
        )
        for result in results
        if (key := (result.task, result.topic.id)) in rows
    ]
    machine_summaries = [(row, s) for row, topic in enumerate(topics) for s in topic.machines]
    return summaries_by_method + [
        (row, s) for row, s in machine_summaries if s.system not in METHODS
    ]


def _measure_summaries(
    collection: Collection, topics: Sequence[TopicTexts], summaries: Sequence[tuple[int, Summary]]
) -> tuple[dict[str, Sequence[float]], str]:
    """Return each measure of each summary, and how content units were found."""
    references = [[*map(sentences_of, topic.references)] for topic in topics]
    texts = [sentences_of(summary) for _, summary in summaries]
    values: dict[str, Sequence[float]] = {"sentences": [float(len(text)) for text in texts]}
    for rouge in _ROUGE_VARIANTS:
        scores = rouge.score(texts, [references[row] for row, _ in summaries])
        values |= {name: scores[name].tolist() for name in _MEASURES if name in rouge.measures}
    pyramids = [collection.pyramids.get((topic.task, topic.topic)) for topic in topics]
    method = "similarity" if any(pyramids) else "built"
    for row, topic in enumerate(topics):
        if pyramids[row] is None and len(topic.references) > 1:
            pyramids[row] = build_pyramid({r.system: r.plain for r in topic.references})
    annotators = [None if pyramid is None else Annotator(pyramid) for pyramid in pyramids]
    score_rows = []
    for row, summary in summaries:
        if annotation := collection.annotation(*summary.key):
            method = "annotated"
            score_rows.append(attrgetter(*_PYRAMID_SCORES)(score_peer(annotation)))
        else:
            score_rows.append(_scores_by_similarity(pyramids[row], annotators[row], summary))
    return values | dict(zip(_PYRAMID_SCORES, zip(*score_rows, strict=True), strict=True)), method


def _scores_by_similarity(
    pyramid: Pyramid | None, annotator: Annotator | None, summary: Summary
) -> tuple[float, float, float]:
    if pyramid is None or annotator is None:
        return np.nan, np.nan, np.nan
    content = content_of_peer(annotator.annotate(summary.plain).annotation)
    # Units outside the pyramid are unknown, so there is no original score.
    scores = score_weighed(replace(content, complete=False), TopicUnits.of(pyramid).weighing)
    probabilities = np.array([*map(annotator.probabilities, sentences_of(summary))])
    n_repeated = np.maximum((probabilities > 0.5).sum(axis=0) - 1, 0).sum()
    return scores.original, scores.modified, float(n_repeated)


def _composed_scores(
    measure: str, summaries: Sequence[tuple[int, Summary]], values: Sequence[float]
) -> Iterator[ComposedScore]:
    values_by_system: dict[str, dict[int, float]] = {}
    for (row, summary), value in zip(summaries, values, strict=True):
        if not np.isnan(value):
            values_by_system.setdefault(summary.system, {})[row] = value
    unfiltered_names = [f"{name}, {_UNFILTERED_LABEL}" for name in METHODS]
    shown_methods = [name for name in (*METHODS, *unfiltered_names) if name in values_by_system]
    machines = sorted(values_by_system.keys() - set(shown_methods), key=natural_order)
    printed_values = _MEASURES[measure][1]
    thesis_values = dict(
        zip((*METHODS, *unfiltered_names), (*printed_values, *printed_values), strict=True)
    )
    for system in (*shown_methods, *machines):
        base_name = (
            f"{BASE_METHOD}, {_UNFILTERED_LABEL}" if system in unfiltered_names else BASE_METHOD
        )
        system_values, base_values = values_by_system[system], values_by_system.get(base_name, {})
        paired_values = np.array(
            [(system_values[row], base_values[row]) for row in system_values if row in base_values]
        )
        is_testable = len(paired_values) and system != base_name
        p = permutation_test(*paired_values.T, rng=0).p if is_testable else np.nan
        mean = sample_means(np.array([*system_values.values()])[:, None])[0]
        fields = (mean.n, mean.mean, mean.low, mean.high, p, thesis_values.get(system, np.nan))
        yield ComposedScore(measure, system, *fields)


def _figure(rows: Sequence[ComposedScore], topics: int) -> "Picture":
    panel_rows = grouped(
        (row.measure, PanelRow(row.summarizer, row.mean, row.low, row.high, points=(row.thesis,)))
        for row in rows
    )
    panels = [
        RowPanel(_MEASURES[n][0], tuple(panel_rows[n])) for n in _FIGURE_MEASURES if n in panel_rows
    ]
    return row_panels_picture(
        panels,
        title="Word probabilities multiplied, averaged and added",
        note=f"means over {counted(topics, 'topic')}; points below: the thesis, on DUC 2004",
        label="score",
        mark_kind="points",
    )
