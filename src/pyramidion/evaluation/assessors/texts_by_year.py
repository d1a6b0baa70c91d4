"""Summaries by year: which topics belong to which, and which summaries are identical."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pyramidion.collection import Collection, Summary
from pyramidion.collection.ids import natural_order
from pyramidion.evaluation.assessors.identical import IdenticalPair, identical_pairs, word_sequence

__all__ = ["compared_by_year", "pairs_by_year", "wordless", "years_of_topics"]

#: The years of each topic.
Years = Mapping[str, tuple[str, ...]]


def years_of_topics(collection: Collection) -> dict[str, tuple[str, ...]]:
    """Tell in which years a topic has scores, as summaries and pyramids do not name theirs.

    Examples
    --------
    >>> from pyramidion.collection import Scores
    >>> scores = Scores({"topic": ["T1", "T2"], "collection": ["2011", ""]}, [1, 2])
    >>> sorted(years_of_topics(Collection("mine", scores=scores)).items())
    [('T1', ('2011',)), ('T2', ('mine',))]
    """
    years: dict[str, set[str]] = {}
    columns = (collection.scores.columns[name] for name in ("topic", "collection"))
    for topic, year in set(zip(*columns, strict=True)):
        years.setdefault(topic, set()).update({year} - {""})
    return {
        topic: tuple(sorted(found or {collection.name}, key=natural_order))
        for topic, found in years.items()
    }


def pairs_by_year(
    summaries: Sequence[Summary], places: Years, name: str
) -> dict[str, tuple[IdenticalPair, ...]]:
    """Find identical summaries, and give them to the years of their topics.

    Parameters
    ----------
    summaries
        Summaries of one collection.
    places
        The years of topics.
    name
        The year of topics that have none.

    Examples
    --------
    >>> texts = [Summary("T1", system, "Rain.") for system in "78"]
    >>> {year: len(pairs) for year, pairs in pairs_by_year(texts, {}, "2011").items()}
    {'2011': 1}
    """
    found: dict[str, list[IdenticalPair]] = {}
    for pair in identical_pairs(summaries):
        for year in places.get(pair.topic, (name,)):
            found.setdefault(year, []).append(pair)
    return {year: tuple(own) for year, own in found.items()}


def compared_by_year(summaries: Sequence[Summary], places: Years, name: str) -> dict[str, int]:
    """Count the summaries that are compared, by year.

    Parameters
    ----------
    summaries, places, name
        As for `pairs_by_year`.

    Examples
    --------
    >>> compared_by_year([Summary("T1", "7", "Rain."), Summary("T1", "8", "...")], {}, "2011")
    {'2011': 1}
    """
    counts: Counter[str] = Counter()
    for summary in summaries:
        if summary.is_peer and word_sequence(summary.plain):
            counts.update(places.get(summary.topic, (name,)))
    return dict(counts)


def wordless(summaries: Sequence[Summary], name: str) -> Iterator[str]:
    """Say how many summaries have no word, if any.

    Parameters
    ----------
    summaries
        Summaries of one collection.
    name
        The collection's.

    Examples
    --------
    >>> list(wordless([Summary("T1", "7", "...")], "2011"))
    ['2011: 1 summaries without a word, which are not compared']
    """
    count = sum(summary.is_peer and not word_sequence(summary.plain) for summary in summaries)
    if count:
        yield f"{name}: {count} summaries without a word, which are not compared"
