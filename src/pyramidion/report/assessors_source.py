"""Years of judgments for a command, from files and folders and tables of further scores."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pyramidion.collection import Collection, Scores
from pyramidion.collection.formats import read_collection
from pyramidion.collection.sources import read_scored
from pyramidion.errors import InputError, Where

__all__ = ["read_years"]


def read_years(
    sources: Sequence[str | Path],
    *,
    format: str | None = None,
    scores: Sequence[str | Path] = (),
) -> list[Collection]:
    r"""Read one or several years, and add tables of scores to them.

    Parameters
    ----------
    sources
        Collections in any format, one a year. Years of the same name are called as their files.
    format
        The sources' format; guessed if it is not given.
    scores
        Tables of further scores, as `pyramidion score` writes them. A row belongs to the year
        that its column `collection` names, else to the year that has its topic.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("2010", "2011"):
    ...         row = f"D{name},7,machine,readability,K,4\n"
    ...         _ = Path(folder, f"{name}.csv").write_text(
    ...             f"topic,system,kind,measure,assessor,value\n{row}")
    ...     years = read_years([f"{folder}/2010.csv", f"{folder}/2011.csv"])
    >>> [year.name for year in years]
    ['2010', '2011']
    """
    if not sources:
        raise InputError("no source is named", hint="name a collection or a table of scores")
    years = [read_collection(source, format=format) for source in sources]
    names = Counter(year.name for year in years)
    years = [
        year if names[year.name] == 1 else replace(year, name=Path(source).stem)
        for year, source in zip(years, sources, strict=True)
    ]
    for path in scores:
        years = _added(years, read_scored(path).scores, Path(path))
    return years


def _added(years: Sequence[Collection], scores: Scores, path: Path) -> list[Collection]:
    """Give each row of a table to its year."""
    known = {name: place for place, year in enumerate(years) for name in _names(year)}
    topics: dict[str, set[int]] = {}
    for place, year in enumerate(years):
        for topic in year.topic_ids:
            topics.setdefault(topic, set()).add(place)
    columns = scores.columns["collection"], scores.columns["topic"]
    places = np.array(
        [
            known[name] if name in known else _place(topic, topics, len(years), path)
            for name, topic in zip(*columns, strict=True)
        ],
        dtype=np.int64,
    )
    return [_with(year, scores.rows(places == place), path) for place, year in enumerate(years)]


def _names(year: Collection) -> set[str]:
    return {year.name, *year.scores.columns["collection"]} - {""}


def _place(topic: str, topics: dict[str, set[int]], years: int, path: Path) -> int:
    found = topics.get(topic, set())
    if len(found) == 1:
        return next(iter(found))
    if years == 1:
        return 0
    where = "several years" if found else "none of the years"
    raise InputError(
        f"topic {topic} is in {where}", where=Where(path), hint="fill in the column `collection`"
    )


def _with(year: Collection, scores: Scores, path: Path) -> Collection:
    together = Scores.concatenate([year.scores, scores])
    repeated = together.repeated_keys()
    if repeated:
        row = list(together)[repeated[0][1]]
        raise InputError(
            f"{year.name} has a {row.measure} of {row.system} for topic {row.topic} already",
            where=Where(path),
            hint="take one of them out",
        )
    return replace(year, scores=together)
