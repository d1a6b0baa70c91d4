"""Who judged what: the judgments of one or several years, each with its assessor."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools
from pyramidion.collection import SCALES, Collection, Measure, Scale, Scores
from pyramidion.collection.measures import is_human
from pyramidion.collection.scores import TEXT_COLUMNS
from pyramidion.errors import InputError
from pyramidion.evaluation.assessors.identical import IdenticalPair
from pyramidion.evaluation.assessors.texts_by_year import (
    compared_by_year,
    pairs_by_year,
    wordless,
    years_of_topics,
)

__all__ = ["Panel", "gather_panel"]

Texts = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Panel:
    """Judgments and their assessors.

    Parameters
    ----------
    judgments
        Every row has an assessor and a collection.
    metrics
        The other scores, which nobody judged.
    pairs
        Identical summaries by different systems, by collection.
    compared
        How many summaries were compared, by collection; none where texts are missing.
    scales
        The scale of a measure in a collection, as far as it is known.
    categories
        The category of a topic in a collection, where it has one.
    left_out
        What was not considered, counted.
    declared
        What the collections declare of their measures.

    Examples
    --------
    >>> from pyramidion.collection import Judgment
    >>> rows = [Judgment("T1", "7", "readability", 4.0, assessor="K")]
    >>> panel = gather_panel([Collection("2011", scores=Scores.from_judgments(rows))])
    >>> panel.collections, panel.measures, panel.assessors("2011", "readability")
    (('2011',), ('readability',), ('K',))
    """

    judgments: Scores
    metrics: Scores
    pairs: Mapping[str, tuple[IdenticalPair, ...]]
    compared: Mapping[str, int]
    scales: Mapping[tuple[str, str], Scale] = field(default_factory=dict)
    categories: Mapping[tuple[str, str], str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    declared: Mapping[str, Measure] = field(default_factory=dict)

    @property
    def collections(self) -> tuple[str, ...]:
        """The years, in natural order."""
        return self.judgments.distinct("collection")

    @property
    def measures(self) -> tuple[str, ...]:
        """What was judged."""
        return self.judgments.measures

    def of(self, collection: str | None, measure: str) -> Scores:
        """Give the judgments of a measure, in one year or in all."""
        chosen = self.judgments.select(measure=measure)
        return chosen if collection is None else chosen.select(collection=collection)

    def assessors(self, collection: str | None, measure: str) -> tuple[str, ...]:
        """Name those who judged a measure."""
        return self.of(collection, measure).distinct("assessor")

    def spans(self) -> tuple[str | None, ...]:
        """Give the years, and `None` for all together where there are several."""
        return (*self.collections, None) if len(self.collections) > 1 else self.collections

    def places(self) -> Iterator[tuple[str | None, str]]:
        """Give years with the measures judged in them, then all years where they can be pooled."""
        for collection in self.spans():
            for measure in self.measures:
                if (collection or self.same_scale(measure)) and len(self.of(collection, measure)):
                    yield collection, measure

    def scale(self, collection: str | None, measure: str) -> Scale | None:
        """Give the scale of a measure; of all years together only if they have the same one."""
        years = self.collections if collection is None else (collection,)
        found = {self.scales.get((year, measure)) for year in years if self._has(year, measure)}
        return found.pop() if len(found) == 1 else None

    def same_scale(self, measure: str) -> bool:
        """Tell whether all years judge a measure on one scale, so that they can be pooled."""
        years = [year for year in self.collections if self._has(year, measure)]
        return len({self.scales.get((year, measure)) for year in years}) <= 1

    def _has(self, collection: str, measure: str) -> bool:
        return bool(len(self.of(collection, measure)))


def gather_panel(
    collections: Sequence[Collection],
    *,
    measures: Sequence[str] = (),
    tasks: Sequence[str] = (),
) -> Panel:
    """Put the judgments of one or several collections into one table, each with its assessor.

    A judgment's assessor is the one it names, else the one who judged its topic. A year is what
    the column `collection` says, else the collection's name.

    Parameters
    ----------
    collections
        The years.
    measures
        What was judged. If none is named, every measure that has assessors, that is judged on a
        known scale, or that is computed from annotated pyramids.
    tasks
        Take these tasks only.

    Examples
    --------
    >>> from pyramidion.collection import Judgment, Topic
    >>> rows = [Judgment("T1", "7", "readability", 4.0), Judgment("T1", "7", "rouge-2-r", 0.1)]
    >>> mine = Collection("2011", topics=(Topic("T1", assessor="K"),),
    ...                   scores=Scores.from_judgments(rows))
    >>> panel = gather_panel([mine])
    >>> panel.measures, panel.assessors(None, "readability"), panel.metrics.measures
    (('readability',), ('K',), ('rouge-2-r',))
    """
    _require_names(collections)
    parts = [_part(collection, measures, tasks) for collection in collections]
    panel = Panel(
        judgments=Scores.concatenate(part.judgments for part in parts),
        metrics=Scores.concatenate(part.metrics for part in parts),
        pairs={year: pairs for part in parts for year, pairs in part.pairs.items()},
        compared={year: n for part in parts for year, n in part.compared.items()},
        scales={key: scale for part in parts for key, scale in part.scales.items()},
        categories={key: name for part in parts for key, name in part.categories.items()},
        left_out=tuple(line for part in parts for line in part.left_out),
        declared={name: measure for part in parts for name, measure in part.declared.items()},
    )
    _require_judgments(panel, collections, measures, tasks)
    return panel


def _require_names(collections: Sequence[Collection]) -> None:
    for name, count in Counter(collection.name for collection in collections).items():
        if count > 1:
            raise InputError(
                f"{count} collections are called {name!r}", hint="give each year a name of its own"
            )


def _require_judgments(
    panel: Panel, collections: Sequence[Collection], measures: Sequence[str], tasks: Sequence[str]
) -> None:
    scores = Scores.concatenate(collection.scores for collection in collections)
    for column, wanted in (("measure", measures), ("task", tasks)):
        for name in wanted:
            scores.require(column, name)
    if not len(panel.judgments):
        names = ", ".join(collection.name for collection in collections)
        raise InputError(
            f"there are no judgments with an assessor in {names}",
            hint="fill in the column `assessor` of the scores, or give topics an `assessor`",
        )


def _part(collection: Collection, measures: Sequence[str], tasks: Sequence[str]) -> Panel:
    scores = collection.scores
    if tasks:
        scores = scores.rows(np.isin(scores.columns["task"], list(tasks)))
    assessors = _assessors(collection, scores)
    judged = _judged(collection, scores, measures)
    known = assessors != ""
    places = years_of_topics(collection)
    years = _years(scores, places, collection.name)
    table = _with(scores, assessor=assessors, collection=years)
    judgments, others = table.rows(judged & known), _with(table.rows(~judged), assessor=None)
    taken = {summary.task for summary in collection.summaries} if not tasks else set(tasks)
    texts = [summary for summary in collection.summaries if summary.task in taken]
    return Panel(
        judgments=judgments,
        metrics=others,
        pairs=pairs_by_year(texts, places, collection.name),
        compared=compared_by_year(texts, places, collection.name),
        scales=_scales(collection, judgments),
        categories={
            (year, topic.id): topic.category
            for topic in collection.topics
            if topic.category
            for year in places.get(topic.id, (collection.name,))
        },
        left_out=(
            *collection.left_out,
            *_unknown(table.rows(judged & ~known), collection.name),
            *wordless(texts, collection.name),
        ),
        declared=collection.measures,
    )


def _assessors(collection: Collection, scores: Scores) -> Texts:
    """Complete the assessors of rows by those of their topics."""
    named = {topic.id: topic.assessor for topic in collection.topics}
    own = scores.columns["assessor"]
    return _objects(
        assessor or named.get(topic, "")
        for assessor, topic in zip(own, scores.columns["topic"], strict=True)
    )


def _judged(collection: Collection, scores: Scores, measures: Sequence[str]) -> Bools:
    """Tell which rows are people's judgments, with or without a known assessor."""
    if measures:
        wanted = set(measures)
    else:
        column, assessor = scores.columns["measure"], scores.columns["assessor"]
        known = (name for name in scores.measures if _is_judged(collection, name))
        wanted = {*column[assessor != ""], *known}
    return np.fromiter((name in wanted for name in scores.columns["measure"]), bool, len(scores))


def _is_judged(collection: Collection, measure: str) -> bool:
    if measure in collection.measures:
        return collection.measures[measure].human
    return measure in collection.scales or is_human(measure)


def _with(scores: Scores, **columns: Texts | None) -> Scores:
    """Replace columns of a table; `None` empties one."""
    kept = {name: scores.columns[name] for name in TEXT_COLUMNS if name not in columns}
    given = {name: column for name, column in columns.items() if column is not None}
    return Scores({**kept, **given}, scores.value)


def _objects(values: Iterable[str]) -> Texts:
    listed = list(values)
    column = np.empty(len(listed), dtype=object)
    column[:] = listed
    return column


def _years(scores: Scores, places: Mapping[str, tuple[str, ...]], name: str) -> Texts:
    """Complete the years of rows by the only year of their topics, else the collection's name."""
    only = {topic: years[0] for topic, years in places.items() if len(years) == 1}
    columns = scores.columns["collection"], scores.columns["topic"]
    return _objects(year or only.get(topic, name) for year, topic in zip(*columns, strict=True))


def _scales(collection: Collection, judgments: Scores) -> dict[tuple[str, str], Scale]:
    known = {**SCALES, **collection.scales}
    return {
        (year, measure): known[measure]
        for year in judgments.distinct("collection")
        for measure in judgments.measures
        if measure in known
    }


def _unknown(rows: Scores, name: str) -> Iterator[str]:
    for measure in rows.measures:
        count = len(rows.select(measure=measure))
        yield f"{name}, {measure}: {count} judgments whose assessor is not known"
