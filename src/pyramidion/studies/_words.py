"""Which words of the input people and machines use: frequent ones, and those people agree on."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.comparison.common import known_mean, known_means, ratios
from pyramidion.errors import InputError
from pyramidion.questions import option, question
from pyramidion.rendering.charts.curves import Panel, Series, Span, panels_figure
from pyramidion.rendering.charts.layout import PAD, Space
from pyramidion.rendering.charts.rows import MarkedRow, marked_rows_picture
from pyramidion.rendering.charts.style import (
    BLUE,
    GRAY,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
)
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, data, shown
from pyramidion.stats import spearman
from pyramidion.stats.correlation import Correlation
from pyramidion.studies._source import (
    MostFrequent,
    SourceAndPeers,
    StudyResult,
    StudyWords,
    TopicWords,
    commonest,
    correlation_of,
    count_words_of,
    only_number,
    top_weights,
)
from pyramidion.text.encoding import Reading, encode

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pyramidion.rendering.charts import Picture

_COLORS = (INK, GRAY, VERMILLION, BLUE, GREEN, ORANGE, PURPLE, SKY)
_MEAN: dict[str, Any] = {"color": VERMILLION, "marker": "o", "markersize": 6, "label": "mean"}
_MEDIAN: dict[str, Any] = {
    "color": BLUE, "marker": "s", "markersize": 5, "linestyle": "--", "label": "median"
}  # fmt: skip


_BAR: dict[str, Any] = {"color": GRAY, "linewidth": 5, "alpha": 0.35}
_TALL = Space(left=PAD + 0.55, right=PAD + 0.1, below=0.62)


@dataclass(frozen=True, slots=True)
class AgreedClass:
    """Words or content units that so many references have, and their frequency in the input.

    A mean size need not be whole; `low` and `high` are the ends of a bar; a median that is NaN is
    not drawn.
    """

    references: int
    size: float
    mean: float
    median: float
    low: float
    high: float


def agreed_figure(
    classes: Sequence[AgreedClass], *, title: str, note: str, label: str, bars: str
) -> "Figure":
    """Draw the frequency in the input over the number of references; `bars` names the bars."""
    drawn = [own for own in classes if not math.isnan(own.mean)]
    x, low, high = ([getattr(own, end) for own in drawn] for end in ("references", "low", "high"))
    lines = [Series(x, [own.mean for own in drawn], _MEAN)]
    if not all(math.isnan(own.median) for own in drawn):
        lines.append(Series(x, [own.median for own in drawn], _MEDIAN))
    sizes = [f"{own.size:,.{0 if own.size >= 10 or own.size % 1 == 0 else 1}f}" for own in classes]
    return panels_figure(
        [
            Panel(
                [Span(x, low, high, _BAR, bars=True), *lines],
                scale={
                    "xticks": [own.references for own in classes],
                    "xticklabels": [
                        f"{own.references}\n({size})"
                        for own, size in zip(classes, sizes, strict=True)
                    ],
                    "xlabel": "references that have it (how many there are)",
                    "ylabel": label,
                    "ylim": (0, None),
                },
                margins={"x": 0.12},
                grid="y",
            )
        ],
        title=title,
        note=note,
        space=_TALL,
        legend=[*(line.look for line in lines), {**_BAR, "label": bars}],
    )


_NOTE = (
    "Percentage of this many most frequent words of the input that a summary has, the mean over "
    "topics. People together: that at least one reference has. Words that tie for the last places "
    "share them."
)

_BRACKETS_NOTE = (
    "Each number is the rank of the word in the input. Lacks: how many of these words a summary "
    "does not have. In Figures 4.2 and 4.3 of the thesis, of 20: 5 for its machine, 6 to 9 for "
    "four people."
)
# What a person takes for a word.
_WORD = re.compile(r"\w+(?:['’]\w+)*")

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
    by_rank
        One for the most frequent word, the second, ..., if that was asked for.
    """

    summarizer: str
    kind: str
    topics: int
    shares: tuple[float, ...]
    by_rank: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class BracketedSummary:
    """A summary with the input's most frequent words in brackets, each with its rank.

    Parameters
    ----------
    place, summarizer, kind
        Which summary.
    text
        The summary.
    lacking
        Words of these that it does not have, the most frequent first.
    """

    place: str
    summarizer: str
    kind: str
    text: str
    lacking: tuple[str, ...]


def frequent_shares(
    topics: Iterable[TopicWords], tops: Sequence[int], ranks: int = 0
) -> list[FrequentShares]:
    """Return the share of the most frequent words that people and each machine use."""
    found = grouped(share for topic in topics for share in _shares(topic, tops, ranks))
    order = sorted(found, key=lambda key: (key[0], key[1] == ALONE, natural_order(key[1])))
    means = ((key, known_means(np.array(found[key])).tolist()) for key in order)
    return [
        FrequentShares(
            name, kind, len(found[kind, name]), tuple(own[: len(tops)]), tuple(own[len(tops) :])
        )
        for (kind, name), own in means
    ]


def _shares(
    topic: TopicWords, tops: Sequence[int], ranks: int
) -> Iterator[tuple[tuple[str, str], Floats]]:
    weights = np.stack([top_weights(topic.input, top) for top in tops])
    weights /= weights.sum(axis=1, keepdims=True)
    # A rank that no word has says nothing.
    single = np.full((ranks, weights.shape[1]), np.nan)
    for rank, word in enumerate(topic.ranked(ranks)):
        single[rank] = np.arange(weights.shape[1]) == word
    weights = np.concatenate([weights, single])
    people = topic.references > 0
    yield ("human", TOGETHER), weights @ people.any(axis=0)
    yield ("human", ALONE), weights @ people.mean(axis=0)
    for summary, row in zip(topic.place.machines, topic.machines > 0, strict=True):
        yield ("machine", summary.system), weights @ row


@dataclass(frozen=True, slots=True)
class BracketedWords(MostFrequent):
    """How many most frequent words are counted, and how many are shown in summaries."""

    brackets: int = option(
        0, "Also show the summaries with so many most frequent words in brackets, and how often "
        "words of each rank are used.", metavar="N", min=0,
    )  # fmt: skip


@question
def frequent_words(
    source: SourceAndPeers, options: BracketedWords, words: StudyWords
) -> StudyResult[FrequentShares | BracketedSummary]:
    """Count the input's most frequent words in summaries (Tables 4.1, 4.4, Figures 4.2, 4.3).

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
    rows = frequent_shares(topics, tops, options.brackets)
    marked = [own for topic in topics for own in bracketed(topic, words.reading, options.brackets)]
    view: View[FrequentShares] = View(
        "shares",
        (
            *columns("summarizer", "kind", "topics"),
            data("shares", lambda row: dict(zip(tops, row.shares, strict=True))),
            data("by_rank"),
            *(shown(f"{top} most frequent", _percent(place)) for place, top in enumerate(tops)),
        ),
        digits=2,
    )
    title = "The most frequent words of the input in summaries, percent"
    tables, charts = [view.table(rows, title, _NOTE)], []
    if marked:
        title = "Summaries with the most frequent words in brackets"
        tables += [_ranks_table(rows), _BRACKETS.table(marked, title, _BRACKETS_NOTE)]
        charts.append(Chart("ranks", partial(_ranks_figure, rows, len(topics))))
    charts.append(Chart("shares", partial(_figure, rows, tops, len(topics))))
    few = len([topic for topic in topics if np.count_nonzero(topic.input) < max(tops)])
    short = [f"{counted(few, 'topic')} with fewer than {max(tops)} words: all are taken"]

    def record(own: FrequentShares | BracketedSummary) -> dict[str, Any]:
        return _BRACKETS.record(own) if isinstance(own, BracketedSummary) else view.record(own)

    return source.result(
        "frequent-words", collection, [*rows, *marked], record, tables, charts,
        about=words.name,
        details=[*options.changed("top", "brackets"), ("tok", words.tokenizer)],
        left_out=(*left_out, *wordless, *(short if few else ())),
    )  # fmt: skip


def bracketed(topic: TopicWords, reading: Reading, ranks: int) -> Iterator[BracketedSummary]:
    """Put the most frequent words of the input into brackets, as Figures 4.2 and 4.3 do."""
    ranked = {topic.words[word]: rank for rank, word in enumerate(topic.ranked(ranks), start=1)}
    for summary in topic.place.summaries if ranked else ():
        found = list(_WORD.finditer(summary.plain))
        encoded = encode([own[0] for own in found], **asdict(reading))
        texts: list[str] = []
        at, used = 0, set[str]()
        for number, own in enumerate(found):
            if frequent := {encoded.words[word] for word in encoded.text(number)} & ranked.keys():
                numbers = ",".join(map(str, sorted(ranked[word] for word in frequent)))
                texts += [summary.plain[at : own.start()], f"[{own[0]}]{numbers}"]
                at, used = own.end(), used | frequent
        text = "".join([*texts, summary.plain[at:]])
        lacking = tuple(word for word in ranked if word not in used)
        yield BracketedSummary(topic.place.name, summary.system, summary.kind, text, lacking)


_BRACKETS: View[BracketedSummary] = View(
    "brackets",
    (
        *columns(place="topic", summarizer="summarizer", kind="kind"),
        Column("lacking", "lacks", show=lambda own: len(own.lacking)),
        *columns(text="summary"),
    ),
)


def _ranks_table(rows: Sequence[FrequentShares]) -> Table:
    """Return how often words of each rank are used."""
    ranks = zip(*(row.by_rank for row in rows), strict=True)
    cells = ((rank, *(100 * own for own in used)) for rank, used in enumerate(ranks, start=1))
    heads = ("rank", *(row.summarizer for row in rows))
    title = "The most frequent words of the input in summaries by rank, percent"
    note = "Words that are as frequent keep the order in which the input has them."
    return Table(heads, tuple(cells), title, note, digits=1, name="ranks")


def _ranks_figure(rows: Sequence[FrequentShares], topics: int) -> "Figure":
    looks = [
        {"color": color, "marker": "o", "markersize": 4, "label": row.summarizer}
        for row, color in zip(rows, cycle(_COLORS), strict=False)
    ]
    drawn = [
        Series(range(1, len(row.by_rank) + 1), [100 * own for own in row.by_rank], look)
        for row, look in zip(rows, looks, strict=True)
    ]
    scale = {"xlabel": "rank of the word in the input", "ylim": (0, 103), "ylabel": "percent"}
    return panels_figure(
        [Panel(drawn, scale=scale, ticks={"axis": "x", "integer": True})],
        title="Frequent words of the input in summaries",
        note=f"share of {counted(topics, 'topic')} in whose summaries the word of each rank is",
        space=_TALL,
        legend=looks,
    )


def _percent(number: int) -> Callable[[Any], float]:
    return lambda row: 100 * row.shares[number]


def _figure(rows: Sequence[FrequentShares], tops: Sequence[int], topics: int) -> "Picture":
    return marked_rows_picture(
        [MarkedRow(row.summarizer, row.kind, row.shares) for row in rows],
        title="The most frequent words of the input in summaries",
        note=f"mean over {counted(topics, 'topic')}; together: words that at least one person has",
        label="share of the most frequent words that a summary has",
        series=[f"{top} most frequent" for top in tops],
        percent=True,
    )


_CLASSES_NOTE = (
    "C_n: words of the input that exactly n references have. Size and frequency are means over "
    "topics; pooled: over all words of the class. Not in the input: words that n references have "
    "and no document."
)
_MACHINES_NOTE = (
    "Percentage of the words of each class that a summary has, the mean over topics; own words: "
    "how many of its words no reference has."
)


@dataclass(frozen=True, slots=True)
class MachineClasses:
    """How much of each class of words a machine's summaries have."""

    system: str
    topics: int
    shares: tuple[float, ...]
    own: float


@dataclass(frozen=True, slots=True, eq=False)
class InputClasses:
    """The words of inputs by how many references have them.

    Parameters
    ----------
    sizes
        Topics x classes: how many words of the input 0, 1, ... all references have.
    totals
        Topics x classes: how often the input has them, added up.
    absent
        Topics x classes: how many words only the references have (class 0 is empty).
    correlations
        Spearman's correlation of a word's frequency and its class, topic by topic.
    machines
        What machines have of the classes.
    """

    sizes: Ints
    totals: Ints
    absent: Ints
    correlations: tuple[Correlation, ...]
    machines: tuple[MachineClasses, ...] = ()

    @property
    def references(self) -> int:
        """How many references each topic has."""
        return int(self.sizes.shape[1]) - 1

    @property
    def spearman(self) -> float:
        """The mean of the correlations that are defined."""
        return known_mean(own.value for own in self.correlations)

    @property
    def frequencies(self) -> Floats:
        """The mean frequency of a word of each class in each topic; NaN for an empty class."""
        return ratios(self.totals, self.sizes)

    @property
    def mean_sizes(self) -> Floats:
        """The mean size of each class over topics."""
        return np.asarray(self.sizes.mean(axis=0))

    @property
    def mean_frequencies(self) -> Floats:
        """The mean over topics of each class's mean frequency, empty classes left out."""
        return known_means(self.frequencies)

    @property
    def pooled_frequencies(self) -> Floats:
        """The mean frequency over all words of a class, whatever their topic."""
        return ratios(self.totals.sum(axis=0), self.sizes.sum(axis=0))


def input_classes(topics: Iterable[TopicWords]) -> InputClasses:
    """Sort the words of each input by how many references have them."""
    if not (every := list(topics)):
        raise InputError("there is no topic", hint="give one or more")
    hint = "take topics with as many references"
    size = 1 + only_number((len(t.references) for t in every), "topics with {} references", hint)
    sizes, totals, absent, correlations, by_machine = [], [], [], [], []
    for topic in every:
        weights: Ints = (topic.references > 0).sum(axis=0)
        in_input = topic.input > 0
        sizes.append(np.bincount(weights[in_input], minlength=size))
        totals.append(np.bincount(weights, topic.input, size).astype(np.int64))
        absent.append(np.bincount(weights[~in_input & (weights > 0)], minlength=size))
        pair = topic.input[in_input], weights[in_input]
        correlations.append(correlation_of(spearman, *pair, 3, "fewer than three words"))
        for summary, row in zip(topic.place.machines, topic.machines > 0, strict=True):
            used = np.bincount(weights[in_input & row], minlength=size)
            foreign = int((row & (weights == 0)).sum())
            by_machine.append((summary.system, (*ratios(used, sizes[-1]), foreign)))
    groups = sorted(grouped(by_machine).items(), key=lambda item: natural_order(item[0]))
    machines = []
    for system, rows in groups:
        *shares, own = known_means(np.array(rows)).tolist()
        machines.append(MachineClasses(system, len(rows), tuple(shares), own))
    tables = np.array(sizes), np.array(totals), np.array(absent)
    return InputClasses(*tables, tuple(correlations), tuple(machines))


#: A class: its number, its mean size, frequency and pooled frequency, words the input lacks.
_CLASS = ("class", "size", "frequency", "pooled_frequency", "absent")


@question
def word_classes(source: SourceAndPeers, words: StudyWords) -> StudyResult[InputClasses]:
    """Show how frequent the words that people agree on are in the input (Table 4.2).

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d", "Ice, ice and snow. Snow, rain."),))
    >>> person = Summary("T1", "A", "Ice.", kind="human")
    >>> mine = Collection("c", topics=(topic,), summaries=(person,))
    >>> word_classes(mine)[0].mean_frequencies.tolist()
    [1.5, 2.0]
    """
    collection = source.read()
    places, left_out = source.places(collection)
    number = commonest(len(place.references) for place in places)
    left_out += [
        f"{place.name}: {counted(len(place.references), 'reference')}, most topics have {number}"
        for place in places
        if len(place.references) != number
    ]
    alike = [place for place in places if len(place.references) == number]
    topics, wordless = count_words_of(alike, words.reading)
    found = input_classes(topics)
    tables = [_classes_table(found)]
    if found.machines:
        title = "What machines have of the words people agree on, percent"
        view = _machines_view(found.references)
        tables.append(view.table(found.machines, title, _MACHINES_NOTE))
    return source.result(
        "word-classes", collection, [found], _record, tables,
        [Chart("classes", partial(_classes_figure, found))],
        about=words.name, details=[("tok", words.tokenizer)], left_out=(*left_out, *wordless),
    )  # fmt: skip


def _classes_of(found: InputClasses) -> list[tuple[int, float, float, float, float]]:
    absent, means = found.absent.mean(axis=0), (found.mean_sizes, found.mean_frequencies)
    columns = (own.tolist() for own in (*means, found.pooled_frequencies, absent))
    return list(zip(range(found.references + 1), *columns, strict=True))


def _classes_table(found: InputClasses) -> Table:
    title = f"Frequency in the input of what people agree on: {counted(len(found.sizes), 'topic')}"
    what, mean = "Spearman's correlation of a word's frequency and its class", found.spearman
    more = "" if math.isnan(mean) else f" {what}: {mean:.2f}, mean over topics."
    rows = tuple(
        (f"C{number}", *numbers, absent if number else None)
        for number, *numbers, absent in reversed(_classes_of(found))
    )
    heads = ("class", "size", "frequency", "pooled", "not in the input")
    return Table(heads, rows, title, f"{_CLASSES_NOTE}{more}", digits=2, name="classes")


def _machines_view(references: int) -> View[MachineClasses]:
    return View(
        "machines",
        (
            *columns(system="system", topics="topics", shares=""),
            *(shown(f"C{n}", _percent(n)) for n in range(references, -1, -1)),
            Column("own", "own words"),
        ),
        digits=1,
    )


def _record(found: InputClasses) -> dict[str, Any]:
    return {
        "topics": len(found.sizes),
        "references": found.references,
        "classes": [dict(zip(_CLASS, own, strict=True)) for own in _classes_of(found)],
        "spearman": found.spearman,
        "machines": _machines_view(found.references).records(found.machines),
    }


def _classes_figure(found: InputClasses) -> "Figure":
    classes = []
    for (number, size, mean, *_), own in zip(_classes_of(found), found.frequencies.T, strict=True):
        there = own[~np.isnan(own)]
        ends = (float(there.min()), float(there.max())) if len(there) else (np.nan, np.nan)
        classes.append(AgreedClass(number, size, mean, np.nan, *ends))
    return agreed_figure(
        classes,
        title="How frequent the words are that people agree on",
        note=f"mean over {counted(len(found.sizes), 'topic')} of a word's frequency in the input",
        label="frequency in the input",
        bars="from the topic with the least mean to that with the greatest",
    )
