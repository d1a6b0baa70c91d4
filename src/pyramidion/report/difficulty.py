"""How difficult inputs are, from a collection with documents and scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, ScoreMatrix, Signature
from pyramidion.collection.files import writing_folder
from pyramidion.collection.sources import read_scored
from pyramidion.errors import InputError, Where
from pyramidion.evaluation._difficulty.features import FEATURES, input_features
from pyramidion.evaluation._difficulty.measure import difficulty
from pyramidion.evaluation._difficulty.result import Difficulty, DifficultyOptions
from pyramidion.evaluation._judged import Peers, place_name
from pyramidion.evaluation._matrices import read_matrices
from pyramidion.report.answer import Answer
from pyramidion.report.labels import figure_stem
from pyramidion.report.old_figures import require_figures
from pyramidion.report.table import Cell, Table
from pyramidion.stats.inputs import choice

__all__ = ["DifficultyRequest", "difficulty_answer", "features_of"]


@dataclass(frozen=True, slots=True)
class DifficultyRequest:
    """Whose scores tell how difficult inputs are.

    Parameters
    ----------
    measures, tasks
        Which; all by default.
    peers
        ``machines``, or ``all`` with people.
    options
        Coefficients and intervals.

    Examples
    --------
    >>> DifficultyRequest().peers
    'all'
    """

    measures: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    peers: Peers = "all"
    options: DifficultyOptions = field(default_factory=DifficultyOptions)

    def __post_init__(self) -> None:
        choice(self.peers, "peers", Peers)


def features_of(collection: Collection, task: str) -> dict[str, dict[str, float]]:
    """Measure the input of each topic that has documents for a task.

    Parameters
    ----------
    collection
        With documents.
    task
        Which documents: those that it asks to summarize.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> len(features_of(load_demo(), "A"))
    6
    """
    texts = {
        topic.id: [document.text for document in collection.documents(topic.id, task)]
        for topic in collection.topics
    }
    return {topic: input_features(own) for topic, own in texts.items() if any(own)}


def difficulty_answer(
    source: str | Path,
    request: DifficultyRequest,
    *,
    source_format: str | None = None,
    figures: str | Path | None = None,
    figure_form: str = "svg",
) -> Answer:
    """Tell how difficult inputs are, and how well that can be told from the inputs alone.

    Parameters
    ----------
    source
        A collection with documents and scores.
    request
        Whose scores.
    source_format
        The source's format; guessed if it is not given.
    figures, figure_form
        A folder to draw into, and the files' form: svg, pdf or png.
    """
    if figures is not None:
        require_figures(figures, figure_form)
    collection = read_scored(source, format=source_format)
    if not any(topic.documents for topic in collection.topics):
        raise InputError(
            "there are no documents in it",
            where=Where(source),
            hint="difficulty is predicted from a collection's documents",
        )
    matrices, skipped = read_matrices(collection, request.measures, request.tasks)
    chosen = [m.machines() if request.peers == "machines" else m for m in matrices]
    empty = [m.measure for m in chosen if not m.systems]
    if empty:
        raise InputError(f"{empty[0]} has no machines", hint="let people in (peers: all)")
    features = {task: features_of(collection, task) for task in {m.task for m in chosen}}
    found = [
        difficulty(matrix, features[matrix.task], options=request.options) for matrix in chosen
    ]
    if figures is not None:
        _write_figures(found, figures, figure_form)
    return Answer(
        command="difficulty",
        signature=_signature(chosen, request, collection.data_hash),
        results=[_record(one) for one in found],
        tables=[table for one in found for table in _tables(one)],
        left_out=(
            *collection.left_out,
            *skipped,
            *(line for one in found for line in one.left_out),
        ),
    )


def _signature(matrices: Sequence[ScoreMatrix], request: DifficultyRequest, data: str) -> Signature:
    options = request.options
    details = {
        "measure": "+".join(dict.fromkeys(matrix.measure for matrix in matrices)),
        "peers": request.peers,
        "features": str(len(FEATURES)),
        "interval": f"{options.method}-{options.confidence_level:g}",
        "n": str(options.n_resamples),
    }
    return Signature("difficulty", data=data, seed=options.seed, details=tuple(details.items()))


def _tables(one: Difficulty) -> Iterator[Table]:
    where = place_name(one.measure, one.task, one.collection)
    key = (("measure", one.measure), ("task", one.task))
    yield _correlation_table(one, where, key)
    yield _prediction_table(one, where, key)
    yield _topic_table(one, where, key)


Key = tuple[tuple[str, str], ...]
_COUNTS = ("documents", "sentences", "words", "vocabulary")


def _correlation_table(one: Difficulty, where: str, key: Key) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            found.coefficient,
            found.feature,
            FEATURES.get(found.feature, ""),
            found.value,
            found.low,
            found.high,
            found.p,
            found.p_adjusted,
            found.n,
        )
        for found in one.correlations
    )
    columns = (
        "coefficient", "feature", "which is", "value", "low", "high", "p", "p (Holm)", "topics",
    )  # fmt: skip
    level = f"{one.options.confidence_level:.0%} intervals over draws of topics"
    note = f"Positive: more of it goes with higher scores, that is easier inputs; {level}."
    return Table(columns, rows, title=f"Inputs and {where}", note=note, digits=3, key=key)


def _prediction_table(one: Difficulty, where: str, key: Key) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (found.by, found.error, found.explained) for found in one.predictions
    )
    note = (
        "Each topic is predicted from the others: by their mean, by a feature alone (least "
        "squares), by all (ridge regression). Explained: how much smaller the squared error is "
        "than with the mean; below 0 the feature is worse than nothing."
    )
    columns = ("by", "error", "explained")
    return Table(columns, rows, title=f"Predicting {where}", note=note, digits=3, key=key)


def _topic_table(one: Difficulty, where: str, key: Key) -> Table:
    names = list(one.topics[0].features)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            found.topic,
            found.n,
            found.score,
            found.predicted,
            *(_cell(name, found.features[name]) for name in names),
        )
        for found in one.topics
    )
    columns = ("topic", "systems", "score", "predicted", *names)
    note = "The hardest first; scores as if no system were missing."
    return Table(columns, rows, title=f"Topics by {where}", note=note, digits=3, key=key)


def _cell(feature: str, value: float) -> Cell:
    return int(value) if feature in _COUNTS else value


def _record(one: Difficulty) -> dict[str, Any]:
    return {
        "measure": one.measure,
        "task": one.task,
        "collection": one.collection,
        "systems": one.systems,
        "correlations": [asdict(found) for found in one.correlations],
        "predictions": [asdict(found) for found in one.predictions],
        "topics": [_topic_record(found.features, found) for found in one.topics],
    }


def _topic_record(features: Mapping[str, float], found: Any) -> dict[str, Any]:
    return {
        "topic": found.topic,
        "n": found.n,
        "score": found.score,
        "predicted": found.predicted,
        "features": dict(features),
    }


def _write_figures(found: Sequence[Difficulty], folder: str | Path, form: str) -> None:
    from pyramidion.report.figures import save
    from pyramidion.report.figures.difficulty import difficulty_figure

    with writing_folder(folder) as new:
        for one in found:
            stem = figure_stem(one.measure, one.collection, one.task, "difficulty")
            save(difficulty_figure(one), new / f"{stem}.{form}")
