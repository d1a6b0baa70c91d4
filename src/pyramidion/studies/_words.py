"""Words of the input in summaries: the most frequent ones, and those that people agree on."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import cycle
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.comparison.common import known_mean, known_means, ratios
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
    correlation_of,
    count_words_of,
    most_common,
    top_weights,
)
from pyramidion.text.encoding import Reading, encode

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pyramidion.rendering.charts import Picture

_COLORS = (INK, GRAY, VERMILLION, BLUE, GREEN, ORANGE, PURPLE, SKY)
_MEAN_STYLE: dict[str, Any] = {"color": VERMILLION, "marker": "o", "markersize": 6, "label": "mean"}
_MEDIAN_STYLE: dict[str, Any] = {
    "color": BLUE, "marker": "s", "markersize": 5, "linestyle": "--", "label": "median"
}  # fmt: skip
_BAR_STYLE: dict[str, Any] = {"color": GRAY, "linewidth": 5, "alpha": 0.35}
_TALL_SPACE = Space(left=PAD + 0.55, right=PAD + 0.1, below=0.62)


@dataclass(frozen=True, slots=True)
class AgreedClass:
    """Words or content units that a number of references have, and their frequency in the input."""

    references: int
    size: float  # a mean over topics need not be whole
    mean: float
    median: float  # not drawn if NaN
    low: float  # the ends of a bar
    high: float


def agreement_figure(
    classes: Sequence[AgreedClass], *, title: str, note: str, label: str, bars: str
) -> "Figure":
    """Draw the frequency in the input by the number of references; `bars` labels the bars."""
    class_values = attrgetter("references", "mean", "median", "low", "high")
    rows = [
        class_values(agreed_class) for agreed_class in classes if not math.isnan(agreed_class.mean)
    ]
    x, means, medians, low, high = zip(*rows, strict=True)
    lines = [Series(x, means, _MEAN_STYLE)]
    if not all(map(math.isnan, medians)):
        lines.append(Series(x, medians, _MEDIAN_STYLE))
    ticks, sizes = [row.references for row in classes], [row.size for row in classes]
    size_labels = [f"{n:,.{0 if n >= 10 or n % 1 == 0 else 1}f}" for n in sizes]
    return panels_figure(
        [
            Panel(
                [Span(x, low, high, _BAR_STYLE, bars=True), *lines],
                scale={
                    "xticks": ticks,
                    "xticklabels": [f"{n}\n({s})" for n, s in zip(ticks, size_labels, strict=True)],
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
        space=_TALL_SPACE,
        legend=[*(line.look for line in lines), {**_BAR_STYLE, "label": bars}],
    )


_NOTE = (
    "Percentage of these words that a summary contains; means over topics. People together: that "
    "at least one reference contains. Words that are tied for the last places share them."
)

_BRACKETS_NOTE = (
    "Each number is the rank of the word in the input. Lacks: how many of these words a summary "
    "does not have. In Figures 4.2 and 4.3 of the thesis, of 20: 5 for its machine, 6 to 9 for "
    "four people."
)
# Words as readers see them, regardless of the tokenizer.
_WORD_PATTERN = re.compile(r"\w+(?:['’]\w+)*")

#: The rows for all people taken together, and for the mean of single people.
TOGETHER_LABEL, ALONE_LABEL = "people together", "one person"


@dataclass(frozen=True, slots=True)
class FrequentShares:
    """The share of the most frequent words that a summarizer uses, the mean over topics.

    The summarizer is a system; ``people together``, if one reference with the word is enough; or
    ``one person``, for the mean of the references.
    """

    summarizer: str
    kind: str
    topics: int
    shares: tuple[float, ...]  #: one for each number of most frequent words
    by_rank: tuple[float, ...] = ()  #: one for each of the most frequent words


@dataclass(frozen=True, slots=True)
class BracketedSummary:
    """A summary with the input's most frequent words in brackets, each with its rank.

    `lacking` are the words it does not have, most frequent first.
    """

    topic: str
    summarizer: str
    kind: str
    text: str
    lacking: tuple[str, ...]


def frequent_shares(
    topics: Iterable[TopicWords], tops: Sequence[int], ranks: int = 0
) -> list[FrequentShares]:
    """Return the share of the most frequent words that people and each machine use."""
    shares_by_summarizer = grouped(
        share for topic in topics for share in _topic_shares(topic, tops, ranks)
    )
    order = sorted(
        shares_by_summarizer, key=lambda key: (key[0], key[1] == ALONE_LABEL, natural_order(key[1]))
    )
    rows = []
    for kind, name in order:
        shares = shares_by_summarizer[kind, name]
        means = tuple(known_means(np.array(shares)).tolist())
        rows.append(FrequentShares(name, kind, len(shares), means[: len(tops)], means[len(tops) :]))
    return rows


def _topic_shares(
    topic: TopicWords, top_sizes: Sequence[int], ranks: int
) -> Iterator[tuple[tuple[str, str], Floats]]:
    weights = np.stack([top_weights(topic.input, n_top) for n_top in top_sizes])
    weights /= weights.sum(axis=1, keepdims=True)
    # Ranks beyond the vocabulary are undefined.
    single_shares = np.full((ranks, weights.shape[1]), np.nan)
    for rank, word in enumerate(topic.ranked(ranks)):
        single_shares[rank] = np.arange(weights.shape[1]) == word
    weights = np.concatenate([weights, single_shares])
    has_word = topic.references > 0
    yield ("human", TOGETHER_LABEL), weights @ has_word.any(axis=0)
    yield ("human", ALONE_LABEL), weights @ has_word.mean(axis=0)
    for summary, is_used in zip(topic.texts.machines, topic.machines > 0, strict=True):
        yield ("machine", summary.system), weights @ is_used


@dataclass(frozen=True, slots=True)
class BracketedWords(MostFrequent):
    """How many of the most frequent words are counted, and how many are marked in summaries."""

    brackets: int = option(
        0, "Also show the summaries with this many of the most frequent words in brackets, and how "
        "often words of each rank are used.", metavar="N", min=0,
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
    collection, top_sizes = source.read(), options.top
    texts, left_out = source.topics_of(collection)
    topics, wordless_topics = count_words_of(texts, words.reading)
    rows = frequent_shares(topics, top_sizes, options.brackets)
    bracket = partial(bracket_frequent_words, reading=words.reading, ranks=options.brackets)
    marked_summaries = [summary for topic in topics for summary in bracket(topic)]
    view: View[FrequentShares] = View(
        "shares",
        (
            *columns("summarizer", "kind", "topics"),
            data("shares", lambda row: dict(zip(top_sizes, row.shares, strict=True))),
            data("by_rank"),
            *(
                shown(f"{n_top} most frequent", _percent(column))
                for column, n_top in enumerate(top_sizes)
            ),
        ),
        digits=2,
    )
    title = "The most frequent words of the input in summaries, percent"
    tables, charts = [view.table(rows, title, _NOTE)], []
    if marked_summaries:
        title = "Summaries with the most frequent words in brackets"
        tables += [
            _ranks_table(rows),
            _BRACKETS_VIEW.table(marked_summaries, title, _BRACKETS_NOTE),
        ]
        charts.append(Chart("ranks", partial(_ranks_figure, rows, len(topics))))
    charts.append(Chart("shares", partial(_figure, rows, top_sizes, len(topics))))
    n_few = len([topic for topic in topics if np.count_nonzero(topic.input) < max(top_sizes)])
    note = [f"{counted(n_few, 'topic')} with fewer than {max(top_sizes)} words: all are taken"]

    def record(row: FrequentShares | BracketedSummary) -> dict[str, Any]:
        return _BRACKETS_VIEW.record(row) if isinstance(row, BracketedSummary) else view.record(row)

    return source.result(
        "frequent-words", collection, [*rows, *marked_summaries], record, tables, charts,
        scope=words.name,
        details=[*options.changed("top", "brackets"), ("tok", words.tokenizer)],
        left_out=(*left_out, *wordless_topics, *(note if n_few else ())),
    )  # fmt: skip


def bracket_frequent_words(
    topic: TopicWords, reading: Reading, ranks: int
) -> Iterator[BracketedSummary]:
    """Put the most frequent words of the input in brackets, as in Figures 4.2 and 4.3."""
    word_ranks = {topic.words[word]: rank for rank, word in enumerate(topic.ranked(ranks), start=1)}
    for summary in topic.texts.summaries if word_ranks else ():
        word_matches = list(_WORD_PATTERN.finditer(summary.plain))
        encoded_texts = encode([word_match[0] for word_match in word_matches], **asdict(reading))
        texts: list[str] = []
        end, bracketed_words = 0, set[str]()
        for index, word_match in enumerate(word_matches):
            if (
                matched_words := {encoded_texts.words[word] for word in encoded_texts.text(index)}
                & word_ranks.keys()
            ):
                ranks_text = ",".join(map(str, sorted(word_ranks[word] for word in matched_words)))
                texts += [summary.plain[end : word_match.start()], f"[{word_match[0]}]{ranks_text}"]
                end, bracketed_words = word_match.end(), bracketed_words | matched_words
        text = "".join([*texts, summary.plain[end:]])
        missing_words = tuple(word for word in word_ranks if word not in bracketed_words)
        yield BracketedSummary(topic.texts.name, summary.system, summary.kind, text, missing_words)


_BRACKETS_VIEW: View[BracketedSummary] = View(
    "brackets",
    (
        Column("place", "topic", attrgetter("topic")),
        *columns("summarizer", "kind"),
        Column("lacking", "lacks", show=lambda summary: len(summary.lacking)),
        *columns(text="summary"),
    ),
)


def _ranks_table(rows: Sequence[FrequentShares]) -> Table:
    """Return how often words of each rank are used."""
    shares_by_rank = zip(*(row.by_rank for row in rows), strict=True)
    table_rows = (
        (rank, *(100 * share for share in rank_shares))
        for rank, rank_shares in enumerate(shares_by_rank, start=1)
    )
    column_names = ("rank", *(row.summarizer for row in rows))
    title = "The most frequent words of the input in summaries by rank, percent"
    note = "Equally frequent words are in the order of their first occurrence in the input."
    return Table(column_names, tuple(table_rows), title, note, digits=1, name="ranks")


def _ranks_figure(rows: Sequence[FrequentShares], topics: int) -> "Figure":
    styles = [
        {"color": color, "marker": "o", "markersize": 4, "label": row.summarizer}
        for row, color in zip(rows, cycle(_COLORS), strict=False)
    ]
    lines = [
        Series(range(1, len(row.by_rank) + 1), [100 * share for share in row.by_rank], style)
        for row, style in zip(rows, styles, strict=True)
    ]
    scale = {"xlabel": "rank of the word in the input", "ylim": (0, 103), "ylabel": "percent"}
    return panels_figure(
        [Panel(lines, scale=scale, ticks={"axis": "x", "integer": True})],
        title="Frequent words of the input in summaries",
        note=f"share of {counted(topics, 'topic')} in whose summaries the word of each rank is",
        space=_TALL_SPACE,
        legend=styles,
    )


def _percent(index: int) -> Callable[[Any], float]:
    return lambda row: 100 * row.shares[index]


def _figure(rows: Sequence[FrequentShares], top_sizes: Sequence[int], topics: int) -> "Picture":
    return marked_rows_picture(
        [MarkedRow(row.summarizer, row.kind, row.shares) for row in rows],
        title="The most frequent words of the input in summaries",
        note=f"mean over {counted(topics, 'topic')}; together: words that at least one person has",
        label="share of the most frequent words that a summary has",
        series=[f"{n_top} most frequent" for n_top in top_sizes],
        percent=True,
    )


_CLASSES_NOTE = (
    "C_n: words of the input that exactly n references have. Size and frequency are means over "
    "topics; pooled: over all words of the class. Not in the input: words that n references have "
    "and no document."
)
_MACHINES_NOTE = (
    "Percentage of the words of each class that a summary contains; means over topics; own "
    "words: how many of its words no reference has."
)


@dataclass(frozen=True, slots=True)
class MachineClasses:
    """The share of each class of words in a machine's summaries."""

    system: str
    topics: int
    shares: tuple[float, ...]
    unshared: float  # words that no reference has


@dataclass(frozen=True, slots=True, eq=False)
class InputClasses:
    """The words of inputs by how many references have them, as tables of topics x classes."""

    sizes: Ints  #: words of the input that 0, 1, ... all references have
    totals: Ints  #: how often they occur in the input
    absent: Ints  #: words that only references have
    correlations: tuple[Correlation, ...]  #: Spearman's, of a word's frequency and its class
    machines: tuple[MachineClasses, ...] = ()

    @property
    def references(self) -> int:
        """Number of references of each topic."""
        return int(self.sizes.shape[1]) - 1

    @property
    def spearman(self) -> float:
        """The mean of the defined correlations."""
        return known_mean(correlation.value for correlation in self.correlations)

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
        """The mean over topics of each class's mean frequency, without empty classes."""
        return known_means(self.frequencies)

    @property
    def pooled_frequencies(self) -> Floats:
        """The mean frequency over all words of a class in all topics."""
        return ratios(self.totals.sum(axis=0), self.sizes.sum(axis=0))


def input_classes(topics: Sequence[TopicWords]) -> InputClasses:
    """Sort the words of each input by how many references have them, equally many per topic."""
    n_classes = 1 + len(topics[0].references)
    sizes, totals, absent_sizes, correlations, machine_shares = [], [], [], [], []
    for topic in topics:
        weights: Ints = (topic.references > 0).sum(axis=0)
        is_in_input = topic.input > 0
        sizes.append(np.bincount(weights[is_in_input], minlength=n_classes))
        totals.append(np.bincount(weights, topic.input, n_classes).astype(np.int64))
        absent_sizes.append(np.bincount(weights[~is_in_input & (weights > 0)], minlength=n_classes))
        pair = topic.input[is_in_input], weights[is_in_input]
        correlations.append(correlation_of(spearman, *pair, 3, "fewer than three words"))
        for summary, is_used in zip(topic.texts.machines, topic.machines > 0, strict=True):
            used_sizes = np.bincount(weights[is_in_input & is_used], minlength=n_classes)
            n_foreign = int((is_used & (weights == 0)).sum())
            machine_shares.append((summary.system, (*ratios(used_sizes, sizes[-1]), n_foreign)))
    groups = sorted(grouped(machine_shares).items(), key=lambda item: natural_order(item[0]))
    machines = []
    for system, rows in groups:
        *shares, unshared_mean = known_means(np.array(rows)).tolist()
        machines.append(MachineClasses(system, len(rows), tuple(shares), unshared_mean))
    tables = np.array(sizes), np.array(totals), np.array(absent_sizes)
    return InputClasses(*tables, tuple(correlations), tuple(machines))


_CLASS_FIELDS = ("class", "size", "frequency", "pooled_frequency", "absent")


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
    topics, left_out = source.topics_of(collection)
    n_references = most_common(len(topic.references) for topic in topics)
    left_out += [
        f"{topic.name}: {counted(len(topic.references), 'reference')}, most topics have "
        f"{n_references}"
        for topic in topics
        if len(topic.references) != n_references
    ]
    same_size = [topic for topic in topics if len(topic.references) == n_references]
    topic_words, wordless = count_words_of(same_size, words.reading)
    classes = input_classes(topic_words)
    tables = [_classes_table(classes)]
    if classes.machines:
        title = "Words people agree on that machines use, percent"
        view = _machines_view(classes.references)
        tables.append(view.table(classes.machines, title, _MACHINES_NOTE))
    return source.result(
        "word-classes", collection, [classes], _record, tables,
        [Chart("classes", partial(_classes_figure, classes))],
        scope=words.name, details=[("tok", words.tokenizer)], left_out=(*left_out, *wordless),
    )  # fmt: skip


def _class_rows(classes: InputClasses) -> list[tuple[int, float, float, float, float]]:
    absent_mean, means = classes.absent.mean(axis=0), (classes.mean_sizes, classes.mean_frequencies)
    columns = (column.tolist() for column in (*means, classes.pooled_frequencies, absent_mean))
    return list(zip(range(classes.references + 1), *columns, strict=True))


def _classes_table(classes: InputClasses) -> Table:
    topics = counted(len(classes.sizes), "topic")
    title = f"Frequency in the input of what people agree on: {topics}"
    heading, mean = "Spearman's correlation of a word's frequency and its class", classes.spearman
    correlation = "" if math.isnan(mean) else f" {heading}: {mean:.2f}, mean over topics."
    rows = tuple(
        (f"C{class_number}", *values, absent_mean if class_number else None)
        for class_number, *values, absent_mean in reversed(_class_rows(classes))
    )
    column_names = ("class", "size", "frequency", "pooled", "not in the input")
    return Table(
        column_names, rows, title, f"{_CLASSES_NOTE}{correlation}", digits=2, name="classes"
    )


def _machines_view(references: int) -> View[MachineClasses]:
    return View(
        "machines",
        (
            *columns(system="system", topics="topics", shares=""),
            *(shown(f"C{n}", _percent(n)) for n in range(references, -1, -1)),
            Column("own", "own words", attrgetter("unshared")),
        ),
        digits=1,
    )


def _record(classes: InputClasses) -> dict[str, Any]:
    return {
        "topics": len(classes.sizes),
        "references": classes.references,
        "classes": [dict(zip(_CLASS_FIELDS, row, strict=True)) for row in _class_rows(classes)],
        "spearman": classes.spearman,
        "machines": _machines_view(classes.references).records(classes.machines),
    }


def _classes_figure(classes: InputClasses) -> "Figure":
    agreed_classes = []
    for row, column in zip(_class_rows(classes), classes.frequencies.T, strict=True):
        known_frequencies = column[~np.isnan(column)]
        ends = (
            (float(known_frequencies.min()), float(known_frequencies.max()))
            if len(known_frequencies)
            else (np.nan, np.nan)
        )
        agreed_classes.append(AgreedClass(*row[:3], np.nan, *ends))
    return agreement_figure(
        agreed_classes,
        title="Frequency of the words that people agree on",
        note=f"mean over {counted(len(classes.sizes), 'topic')} of a word's frequency in the input",
        label="frequency in the input",
        bars="from the topic with the lowest mean to the one with the highest",
    )
