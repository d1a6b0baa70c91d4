"""How difficult inputs are: the question and its tables."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.collection.questions import argument, question
from pyramidion.collection.sources import Source
from pyramidion.errors import InputError, Where
from pyramidion.evaluation._difficulty.features import FEATURES, features_of
from pyramidion.evaluation._difficulty.measure import (
    Difficulty,
    DifficultyOptions,
    FeatureCorrelation,
    Prediction,
    measure_difficulty,
)
from pyramidion.evaluation._judged import place_name
from pyramidion.evaluation._matrices import Measured
from pyramidion.report.result import Chart, Result, signed
from pyramidion.report.table import Cell, Table
from pyramidion.report.view import Column, View, shown

_COUNTS = ("documents", "sentences", "words", "vocabulary")

CORRELATIONS: View[FeatureCorrelation] = View(
    "correlations",
    (
        Column("coefficient", "coefficient"),
        Column("feature", "feature"),
        shown("which is", lambda found: FEATURES.get(found.feature, "")),
        Column("value", "value"),
        Column("low", "low"),
        Column("high", "high"),
        Column("p", "p"),
        Column("p_adjusted", "p (Holm)"),
        Column("n", "topics"),
    ),
    digits=3,
)
PREDICTIONS: View[Prediction] = View(
    "predictions",
    (Column("by", "by"), Column("error", "error"), Column("explained", "explained")),
    digits=3,
)


@dataclass(frozen=True, slots=True)
class Inputs(Measured):
    """Which scores of which inputs are looked at."""

    source: Source = argument("A collection with documents and scores.")

    def read_inputs(self) -> tuple[Collection, list[ScoreMatrix], tuple[str, ...]]:
        """Give the collection, matrices and what was left out, and refuse one without documents."""
        collection, matrices, left_out = self.read()
        if not any(topic.documents for topic in collection.topics):
            raise InputError(
                "there are no documents in it",
                where=Where(self.source) if isinstance(self.source, str | Path) else None,
                hint="difficulty is predicted from a collection's documents",
            )
        return collection, matrices, left_out


@question
def difficulty(source: Inputs, options: DifficultyOptions) -> Result[Difficulty]:
    """Measure how difficult each input is, and how well the input alone predicts it.

    Length, vocabulary, redundancy and the similarity of an input's documents are held against
    its mean scores, and each topic is predicted from the others.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = difficulty(load_demo(), measures="responsiveness", tasks="A", n_resamples=99)
    >>> [topic.topic for topic in result[0].topics][:2], result.table_names
    (['P01', 'P03'], ('correlations', 'predictions', 'topics'))
    """
    collection, matrices, left_out = source.read_inputs()
    chosen = [m.machines() if options.peers == "machines" else m for m in matrices]
    empty = [m.measure for m in chosen if not m.systems]
    if empty:
        raise InputError(f"{empty[0]} has no machines", hint="let people in (peers: all)")
    features = {task: features_of(collection, task) for task in {m.task for m in chosen}}
    found = [measure_difficulty(m, features[m.task], options=options) for m in chosen]
    signature = signed(
        "difficulty", collection.data_hash, options.seed,
        measure="+".join(dict.fromkeys(matrix.measure for matrix in chosen)),
        peers=options.peers, features=len(FEATURES),
        interval=f"{options.method}-{options.confidence_level:g}", n=options.n_resamples,
    )  # fmt: skip
    return Result(
        command="difficulty",
        signature=signature,
        values=found,
        record=_record,
        tables=[table for one in found for table in _tables(one)],
        left_out=(*left_out, *(line for one in found for line in one.left_out)),
        charts=[_chart(one) for one in found],
    )


def _tables(one: Difficulty) -> Iterator[Table]:
    where = place_name(one.measure, one.task, one.collection)
    key = (("measure", one.measure), ("task", one.task))
    level = f"{one.options.confidence_level:.0%} intervals over draws of topics"
    note = f"Positive: more of it goes with higher scores, that is easier inputs; {level}."
    yield CORRELATIONS.table(one.correlations, f"Inputs and {where}", note, key=key)
    note = (
        "Each topic is predicted from the others: by their mean, by a feature alone (least "
        "squares), by all (ridge regression). Explained: how much smaller the squared error is "
        "than with the mean; below 0 the feature is worse than nothing."
    )
    yield PREDICTIONS.table(one.predictions, f"Predicting {where}", note, key=key)
    names = list(one.topics[0].features)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (own.topic, own.n, own.score, own.predicted, *(_cell(n, own.features[n]) for n in names))
        for own in one.topics
    )
    columns = ("topic", "systems", "score", "predicted", *names)
    note = "The hardest first; scores as if no system were missing."
    yield Table(columns, rows, f"Topics by {where}", note, digits=3, key=key, name="topics")


def _cell(feature: str, value: float) -> Cell:
    return int(value) if feature in _COUNTS else value


def _record(one: Difficulty) -> dict[str, Any]:
    topic = ("topic", "n", "score", "predicted", "features")
    return {
        **{name: getattr(one, name) for name in ("measure", "task", "collection", "systems")},
        "correlations": [asdict(found) for found in one.correlations],
        "predictions": [asdict(found) for found in one.predictions],
        "topics": [{name: getattr(own, name) for name in topic} for own in one.topics],
    }


def _chart(one: Difficulty) -> Chart:
    from pyramidion.evaluation._difficulty.chart import difficulty_figure

    caption = "Correlations of features with scores, and predictions from the other topics."
    about = (one.measure, one.collection, one.task)
    return Chart("difficulty", partial(difficulty_figure, one), caption, about)
