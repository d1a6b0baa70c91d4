"""Topics that people should judge, chosen by a judge's scores, with known probabilities."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import INCLUSION, Collection, ScoreMatrix
from pyramidion.comparison.measure_tables import scope_name, spread_over, topic_labels
from pyramidion.errors import InputError
from pyramidion.rendering.labels import counted
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import View, columns, shown
from pyramidion.stats import inclusion_probabilities, spread_sample

#: How topics are chosen: spread over the judge's scores with equal probabilities, the same with
#: probabilities that grow with the judge's spread between systems, or at random.
ChoiceMethod = Literal["balanced", "spread", "random"]


@dataclass(frozen=True, slots=True)
class ChosenTopic:
    """A topic that people should judge, with all of its systems."""

    collection: str
    task: str
    topic: str
    systems: tuple[str, ...]
    spread: float
    inclusion: float


_CHOSEN_VIEW: View[ChosenTopic] = View(
    "chosen",
    (
        *columns("collection", "task", "topic"),
        shown("systems", lambda topic_choice: len(topic_choice.systems)),
        *columns("spread", inclusion="probability"),
    ),
    digits=3,
)


def topic_profiles(tables: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return each topic's scores relative to systems' means, and the spread of its systems.

    Both are in standard deviations of the measure; a missing score is taken as the mean.
    """
    profiles, squares = [], []
    for table in tables:
        is_present = ~np.isnan(table)
        scale = float(np.nanstd(table)) or 1.0
        topic_means, system_means = (
            np.where(is_present, table, 0).sum(axis=axis, keepdims=True)
            / np.maximum(is_present.sum(axis=axis, keepdims=True), 1)
            for axis in (1, 0)
        )
        profiles.append(np.where(is_present, table - system_means, 0.0) / scale)
        deviations = np.where(is_present, table - topic_means, 0.0) / scale
        squares.append((deviations**2).sum(axis=1) / np.maximum(is_present.sum(axis=1), 1))
    return np.hstack(profiles), np.sqrt(np.mean(squares, axis=0))


def topic_probabilities(spreads: Floats, n_chosen: int, method: ChoiceMethod) -> Floats:
    """Return each topic's probability of being chosen, at least half of the equal probability.

    With `spread`, half of the probability is equal and half is in proportion to the spreads.
    """
    mean = float(spreads.mean())
    sizes = 0.5 + 0.5 * spreads / mean if method == "spread" and mean else np.ones(len(spreads))
    return inclusion_probabilities(sizes, n_chosen)


def choose_topics(
    matrices: Sequence[ScoreMatrix],
    n: int,
    method: ChoiceMethod = "balanced",
    *,
    seed: int = 0,
    exclude: Container[str] = (),
    collection: str = "",
) -> list[ChosenTopic]:
    """Choose n topics by a judge's scores of all their systems, on one or several measures.

    Topics in `exclude` have labels already.
    """
    names = dict.fromkeys(topic for matrix in matrices for topic in matrix.topics)
    topics = [topic for topic in names if topic not in exclude]
    if n > len(topics):
        message = f"cannot choose {n} of {counted(len(topics), 'topic')} without labels"
        raise InputError(scope_name(message, matrices[0].task, collection), hint="choose fewer")
    tables = [spread_over(matrix, topics, matrix.systems) for matrix in matrices]
    profiles, spreads = topic_profiles(tables)
    probabilities = topic_probabilities(spreads, n, method)
    coordinates = profiles[:, :0] if method == "random" else profiles
    topic_choices = []
    for row in spread_sample(probabilities, coordinates, seed).tolist():
        system_names = (
            np.array(matrix.systems)[~np.isnan(table[row])].tolist()
            for matrix, table in zip(matrices, tables, strict=True)
        )
        systems = tuple(dict.fromkeys(chain.from_iterable(system_names)))
        spread, probability = float(spreads[row]), float(probabilities[row])
        topic_choices.append(
            ChosenTopic(collection, matrices[0].task, topics[row], systems, spread, probability)
        )
    return topic_choices


def unequal_probabilities(matrix: ScoreMatrix) -> dict[str, float]:
    """Return the probabilities with which topics were chosen; empty if unknown or equal."""
    rows = matrix.rows
    if rows is None or not any(rows.extra.get(INCLUSION, ())):
        return {}
    texts = topic_labels(Collection("", scores=rows), INCLUSION)
    probabilities = {
        topic: _read_probability(topic, texts[topic]) for topic in matrix.topics if texts[topic]
    }
    if len({*probabilities.values()}) < 2:
        return {}
    for topic in matrix.topics:
        if topic not in probabilities:
            hint = "fill it in, as topics were chosen with different probabilities"
            raise InputError(f"topic {topic} has no {INCLUSION}", hint=hint)
    return probabilities


def _read_probability(topic: str, text: str) -> float:
    try:
        probability = float(text)
    except ValueError:
        probability = 0.0
    if not 0 < probability <= 1:
        hint = "write the probability that it was chosen, above 0 and at most 1"
        raise InputError(f"the {INCLUSION} of topic {topic} is {text!r}", hint=hint)
    return probability


def chosen_table(topic_choices: Sequence[ChosenTopic], note: str) -> Table:
    """Show chosen topics."""
    empty_columns = [
        name for name in ("collection", "task") if not any(getattr(c, name) for c in topic_choices)
    ]
    title = "Topics for people to judge, with all their systems"
    return _CHOSEN_VIEW.table(topic_choices, title, note, exclude=empty_columns)
