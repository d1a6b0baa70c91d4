"""How many of the most frequent words of the input people and machines use (Tables 4.1, 4.4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.ids import natural_order
from pyramidion.collection.questions import question
from pyramidion.evaluation.study._places import TopicWords, count_words_of, top_weights
from pyramidion.evaluation.study._source import MostFrequent, SourceAndPeers, StudyWords
from pyramidion.report.charts.marked_rows import MarkedRow, rows_figure
from pyramidion.report.labels import counted
from pyramidion.report.result import Chart, Result
from pyramidion.report.view import Column, View, data, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NOTE = (
    "Percentage of the so many most frequent words of the input that a summary has, the mean over "
    "topics. People together: that at least one reference has. Words that tie for the last places "
    "share them."
)

#: What people are called who are taken together, and one at a time.
TOGETHER, ALONE = "people together", "one person"


@dataclass(frozen=True, slots=True)
class FrequentShares:
    """The share of the most frequent words that a summarizer uses, the mean over topics.

    Parameters
    ----------
    summarizer
        A system; ``people together`` where it is enough that one reference has a word, ``one
        person`` for the mean of the references.
    kind
        ``human`` or ``machine``.
    topics
        How many topics were averaged.
    shares
        One for each number of most frequent words.
    """

    summarizer: str
    kind: str
    topics: int
    shares: tuple[float, ...]


def frequent_shares(topics: Iterable[TopicWords], tops: Sequence[int]) -> list[FrequentShares]:
    """Give the share of the most frequent words that people and each machine use."""
    found: dict[tuple[str, str], list[Floats]] = {}
    for topic in topics:
        weights = np.stack([top_weights(topic.input, top) for top in tops])
        weights /= weights.sum(axis=1, keepdims=True)
        people = topic.references > 0
        found.setdefault(("human", TOGETHER), []).append(weights @ people.any(axis=0))
        found.setdefault(("human", ALONE), []).append(weights @ people.mean(axis=0))
        for system, row in zip(topic.systems, topic.machines > 0, strict=True):
            found.setdefault(("machine", system), []).append(weights @ row)
    order = sorted(found, key=lambda key: (key[0], key[1] == ALONE, natural_order(key[1])))
    return [
        FrequentShares(name, kind, len(rows), tuple(np.mean(rows, axis=0).tolist()))
        for kind, name in order
        for rows in [found[kind, name]]
    ]


@question
def frequent_words(
    source: SourceAndPeers, options: MostFrequent, words: StudyWords
) -> Result[FrequentShares]:
    """Count the input's most frequent words that people and machines use (Tables 4.1, 4.4).

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d", "Ice, ice and snow. Snow, rain."),))
    >>> person = Summary("T1", "A", "Ice.", kind="human")
    >>> mine = Collection("c", topics=(topic,), summaries=(person,))
    >>> frequent_words(mine, top=2)[0].shares
    (0.5,)
    """
    collection, tops = source.read(), options.top
    places, left_out = source.places(collection)
    topics, wordless = count_words_of(places, words.reading)
    rows = frequent_shares(topics, tops)
    few = len([1 for topic in topics if np.count_nonzero(topic.input) < max(tops)])
    short = [f"{counted(few, 'topic')} with fewer than {max(tops)} words: all are taken"]
    title = "The most frequent words of the input in summaries, per cent"
    view = _view(tops)
    return Result(
        command="study frequent-words",
        signature=source.sign(
            f"frequent-words({words.name})", collection,
            *options.changed("top"), ("tok", words.tokenizer),
        ),
        values=rows,
        record=view.record,
        tables=[view.table(rows, title, _NOTE)],
        left_out=(*collection.left_out, *left_out, *wordless, *(short if few else ())),
        charts=[Chart("shares", partial(_figure, rows, tops, len(topics)))],
    )  # fmt: skip


def _view(tops: Sequence[int]) -> View[FrequentShares]:
    return View(
        "shares",
        (
            data("study", lambda _: "frequent-words"),
            Column("summarizer", "summarizer"),
            Column("kind", "kind"),
            Column("topics", "topics"),
            data("shares", lambda row: dict(zip(tops, row.shares, strict=True))),
            *(shown(f"{top} most frequent", partial(_per_cent, n)) for n, top in enumerate(tops)),
        ),
        digits=2,
    )


def _per_cent(number: int, row: FrequentShares) -> float:
    return 100 * row.shares[number]


def _figure(rows: Sequence[FrequentShares], tops: Sequence[int], topics: int) -> "Figure":
    return rows_figure(
        [MarkedRow(row.summarizer, row.kind, row.shares) for row in rows],
        title="The most frequent words of the input in summaries",
        note=f"mean over {counted(topics, 'topic')}; together: words that at least one person has",
        label="share of the most frequent words that a summary has",
        series=[f"{top} most frequent" for top in tops],
        percent=True,
    )
