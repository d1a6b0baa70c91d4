"""What becomes of summaries when word weights are multiplied, averaged or added: Tables 4.5-4.7."""

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
from pyramidion.studies._source import SourceAndPeers, StudyResult, TopicTask, sentences_of
from pyramidion.summarizers import summarize_collection

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture

#: The thesis' summarizers, in its order, and the one that others are tested against.
METHODS = ("sum-prod", "sum-avr", "sum-avr(context=off)", "sum-sum")
BASE = METHODS[1]

#: What is measured: its name for people, and what the thesis printed for each of the methods.
_MEASURES: dict[str, tuple[str, tuple[float, ...]]] = {
    "sentences": ("Sentences per summary (Table 4.5)", (5.58, 4.48, np.nan, 2.36)),
    "rouge-1-r": ("ROUGE-1 without stop words (Table 4.6)", (0.305, 0.301, 0.296, 0.237)),
    "rouge-2-r": ("ROUGE-2 (Table 4.6)", (0.122, 0.110, 0.121, 0.070)),
    "rouge-su4-r": ("ROUGE-SU4 (Table 4.6)", (0.159, 0.146, 0.159, 0.111)),
    "original": ("Original pyramid score (Table 4.7)", (0.4063, 0.4039, 0.3811, 0.2614)),
    "modified": ("Modified pyramid score (Table 4.7)", (0.3392, 0.3364, 0.3212, 0.1862)),
    "repeated": ("Repeated content units (Table 4.7)", (1.16, 0.84, 2.12, 0.24)),
}
_PYRAMID = ("original", "modified", "repeated")
_DRAWN = ("rouge-1-r", "rouge-2-r", "rouge-su4-r", "modified")
_ROUGE = (
    Rouge(n=(1,), l=False, stem=True, stop_words=True),
    Rouge(n=(2,), l=False, su=4, stem=True),
)
_NOTE = (
    "Means over topics with 95% bootstrap intervals; p: permutation test of the topics that both "
    "have, against sum-avr. Thesis: 50 topics of DUC 2004, 100 words."
)
_UNITS_NOTE = {
    "annotated": "Content units were annotated by hand.",
    "similarity": "Nobody annotated the summaries: content units were found by similarity.",
    "built": "There are no pyramids: they were built from the references, and content units were "
    "found in summaries, by similarity. Repeated: units found in several sentences.",
}


@dataclass(frozen=True, slots=True)
class SummaryWords(Options):
    """How long summaries are."""

    words: int = option(
        100, "Number of words of a summary; the last sentence is cut off.", metavar="N", min=1
    )


@dataclass(frozen=True, slots=True)
class ComposedScore:
    """What a summarizer reaches in a measure.

    Parameters
    ----------
    measure
        ``sentences``, a recall of ROUGE, ``original`` or ``modified`` pyramid score, or
        ``repeated`` content units.
    summarizer
        One of the thesis' methods, or another machine of the collection.
    topics
        How many topics were averaged.
    mean, low, high
        The mean with its interval.
    p
        Of the difference from sum-avr; NaN for that itself.
    thesis
        What the thesis printed; NaN where it did not.
    """

    measure: str
    summarizer: str
    topics: int
    mean: float
    low: float
    high: float
    p: float
    thesis: float


_VIEW: View[ComposedScore] = View(
    "scores", field_columns(ComposedScore, measure=""), key=("measure",)
)


@question
def composition(source: SourceAndPeers, length: SummaryWords) -> StudyResult[ComposedScore]:
    """Compare summarizers that multiply, average or add word probabilities (Tables 4.5-4.7).

    The thesis' methods summarize the documents, and are compared with the collection's machines.
    A topic with two references and no pyramid gets one that is built by similarity.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> scores = composition(load_demo(), topic="P01", task="A", words=50)
    >>> [(one.summarizer, one.mean) for one in scores if one.measure == "sentences"][:2]
    [('sum-prod', 6.0), ('sum-avr', 4.0)]
    """
    collection = source.read()
    places, left_out = source.places(collection)
    made = _summaries(collection, places, length.words)
    values, how = _measured(collection, places, made)
    rows = [row for measure in _MEASURES for row in _rows(measure, made, values[measure])]
    no_pyramid = "no topic has a pyramid, or two references to build one from"
    why = {"original": "no summary was annotated by hand"}
    measured = {row.measure for row in rows}
    left_out += [
        f"{title}: {why.get(measure, no_pyramid)}"
        for measure, (title, _) in _MEASURES.items()
        if measure not in measured
    ]
    notes = {"sentences": _NOTE, "modified": _UNITS_NOTE[how]}
    tables = [
        _VIEW.table(own, _MEASURES[measure][0], notes.get(measure, ""))
        for measure, own in grouped((row.measure, row) for row in rows).items()
    ]
    charts = [Chart("composition", partial(_figure, rows, len(places)))]
    return source.result(
        "composition", collection, rows, _VIEW.record, tables, charts,
        details=[*length.changed("words"), ("units", how)], seed=0, left_out=left_out,
    )  # fmt: skip


def _summaries(
    collection: Collection, places: Sequence[TopicTask], words: int
) -> list[tuple[int, Summary]]:
    """Return the summaries of the thesis' methods and of other machines, by place.

    As in the thesis, sentences need not be readable without those before them.
    """
    rows = {(place.task, place.topic): row for row, place in enumerate(places)}
    tasks, topics = ({key[part]: 0 for key in rows} for part in (0, 1))
    made = summarize_collection(
        collection, method=METHODS, words=words, fit="truncate", focus="generic",
        topic=tuple(topics), task=tuple(tasks), dangling=True,
    )  # fmt: skip
    keys = ((one, (one.task, one.topic.id)) for one in made)
    own = [(rows[key], one.peer) for one, key in keys if key in rows]
    others = [(row, s) for row, place in enumerate(places) for s in place.machines]
    return own + [(row, s) for row, s in others if s.system not in METHODS]


def _measured(
    collection: Collection, places: Sequence[TopicTask], made: Sequence[tuple[int, Summary]]
) -> tuple[dict[str, Sequence[float]], str]:
    """Return each measure of each summary, and how content units were found."""
    references = [[sentences_of(own) for own in place.references] for place in places]
    texts = [sentences_of(summary) for _, summary in made]
    values: dict[str, Sequence[float]] = {"sentences": [float(len(own)) for own in texts]}
    for rouge in _ROUGE:
        scores = rouge.score(texts, [references[row] for row, _ in made])
        values |= {name: scores[name].tolist() for name in _MEASURES if name in rouge.measures}
    pyramids = [collection.pyramids.get((place.task, place.topic)) for place in places]
    how = "similarity" if any(pyramids) else "built"
    for row, place in enumerate(places):
        if pyramids[row] is None and len(place.references) > 1:
            pyramids[row] = build_pyramid({own.system: own.plain for own in place.references})
    annotators = [None if pyramid is None else Annotator(pyramid) for pyramid in pyramids]
    scored = []
    for row, summary in made:
        if hand := collection.annotation(*summary.key):
            how = "annotated"
            scored.append(attrgetter(*_PYRAMID)(score_peer(hand)))
        else:
            scored.append(_by_similarity(pyramids[row], annotators[row], summary))
    return values | dict(zip(_PYRAMID, zip(*scored, strict=True), strict=True)), how


def _by_similarity(
    pyramid: Pyramid | None, annotator: Annotator | None, summary: Summary
) -> tuple[float, float, float]:
    if pyramid is None or annotator is None:
        return np.nan, np.nan, np.nan
    content = content_of_peer(annotator.annotate(summary.plain).annotation)
    # Nobody counts units that are not in the pyramid, so that there is no original score.
    scores = score_weighed(replace(content, complete=False), TopicUnits.of(pyramid).weighing)
    expressed = np.array([annotator.probabilities(own) > 0.5 for own in sentences_of(summary)])
    repeated = np.maximum(expressed.sum(axis=0) - 1, 0).sum()
    return scores.original, scores.modified, float(repeated)


def _rows(
    measure: str, made: Sequence[tuple[int, Summary]], values: Sequence[float]
) -> Iterator[ComposedScore]:
    by_system: dict[str, dict[int, float]] = {}
    for (row, summary), value in zip(made, values, strict=True):
        if not np.isnan(value):
            by_system.setdefault(summary.system, {})[row] = value
    others = sorted(by_system.keys() - set(METHODS), key=natural_order)
    thesis = dict(zip(METHODS, _MEASURES[measure][1], strict=True))
    base = by_system.get(BASE, {})
    for system in (*(name for name in METHODS if name in by_system), *others):
        own = by_system[system]
        both = np.array([(own[row], base[row]) for row in own if row in base])
        tested = len(both) and system != BASE
        p = permutation_test(*both.T, rng=0).p if tested else np.nan
        mean = sample_means(np.array([*own.values()])[:, None])[0]
        numbers = (mean.n, mean.mean, mean.low, mean.high, p, thesis.get(system, np.nan))
        yield ComposedScore(measure, system, *numbers)


def _figure(rows: Sequence[ComposedScore], topics: int) -> "Picture":
    drawn = grouped(
        (own.measure, PanelRow(own.summarizer, own.mean, own.low, own.high, points=(own.thesis,)))
        for own in rows
    )
    panels = [RowPanel(_MEASURES[n][0], tuple(drawn[n])) for n in _DRAWN if n in drawn]
    return row_panels_picture(
        panels,
        title="Word probabilities multiplied, averaged and added",
        note=f"means over {counted(topics, 'topic')}; points below: the thesis, on DUC 2004",
        label="score",
        form="points",
    )
