r"""Relative utility: how useful people find single sentences for a summary (Table 2.7).

Judges mark each sentence of the input from 0 (never) to 10 (by all means). A sentence's own mark
is the mean of the judges', rounded half up.

An *extract* of e sentences is scored by what its sentences are worth, as a share of what the e
most useful ones are worth; a judge who marks sentences that others do not is worth less to them:

.. math:: S = \frac{\sum_{j \in extract} \sum_i u_{ij}}{\sum_{j \in best} \sum_i u_{ij}}, \qquad
          D = \frac{S - R}{J - R}

R is the score that e sentences taken at random get on average, and J is what the judges get from
each other: each judge's own best e sentences, scored by the marks of each other judge. Where
marks tie for the last places, they share them.

Sentences are numbered as `pyramidion.summarizers.Source` numbers them: datelines are cut off, and
bylines, cues and contacts are no sentences. The number of a summarizer's sentence is its `index`
and 1.

References
----------
D. Radev, H. Jing, M. Budzikowska. Centroid-based summarization of multiple documents. 2000.
D. Radev, D. Tam. Summarization evaluation using relative utility. CIKM 2003.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, Document, Scores, Summary
from pyramidion.collection.checks import address_name
from pyramidion.collection.ids import grouped, natural_order, natural_orders
from pyramidion.comparison.common import numbered, places_of, rows_of
from pyramidion.errors import InputError, NotFoundError
from pyramidion.questions import Options, option, question
from pyramidion.rendering.charts.layout import PAD, Page, Space
from pyramidion.rendering.charts.style import BLUE, GRAY, SKY, VERMILLION, in_style
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, data
from pyramidion.studies._source import ALL, SourceAndPeers, StudyPart, StudyResult, top_weights
from pyramidion.summarizers._selection import by_date
from pyramidion.summarizers.sentences import sentences_of
from pyramidion.text import split_sentences, tokenize
from pyramidion.text.encoding import as_sentences

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The measure's name, and how many marks there are.
UTILITY, MARKS = "relative-utility", 11

Words = tuple[str, ...]

# A sentence that was cut at a word limit is known by so many words at least.
_LEAST = 5


@dataclass(frozen=True, slots=True)
class UtilityOptions(Options):
    """Which judgments are taken, and which extracts are scored."""

    measure: str = option(UTILITY, "Measure that holds the judgments of sentences.")
    extract: tuple[str, ...] = option(
        (), "Extract to score as well: its sentences as document/number, comma-separated.",
        metavar="SENTENCES",
    )  # fmt: skip
    sentences: int = option(
        5, "Number of sentences of the baseline extract, taken from the tops of the documents in "
        "turn.", metavar="N", min=1,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExtractScore:
    """What an extract is worth.

    Parameters
    ----------
    sentences
        How many sentences it has.
    score
        S, the share of what the best so many sentences are worth.
    random
        R, the same for sentences taken at random.
    judges
        J, what judges get from each other; NaN with one judge, or where none marked all sentences.
    normalized
        D, 0 for random extracts and 1 for judges; NaN where J is.

    Examples
    --------
    >>> from pyramidion.studies import ExtractScore
    >>> ExtractScore(5, 0.8, 0.6, 0.9, 2 / 3).score
    0.8
    """

    sentences: int
    score: float
    random: float
    judges: float
    normalized: float


@dataclass(frozen=True, slots=True, eq=False)
class JudgedSentences:
    """The sentences of a topic's input, and the marks that judges gave them.

    Parameters
    ----------
    task, topic
        Their address.
    units
        The sentences, ``document/number`` with the first as 1.
    judges
        Who marked them.
    marks
        Sentences x judges, NaN where a judge gave none.

    Examples
    --------
    >>> import numpy as np
    >>> from pyramidion.studies import JudgedSentences
    >>> marks = np.array([[9, 10], [3, 4], [6, 6]])
    >>> judged = JudgedSentences("", "T1", ("d/1", "d/2", "d/3"), ("K", "L"), marks)
    >>> judged.rounded.tolist(), judged.counts[10]
    ([10, 4, 6], np.int64(1))
    >>> round(judged.score(["d/2", "d/3"]).score, 3)
    0.613
    """

    task: str
    topic: str
    units: tuple[str, ...]
    judges: tuple[str, ...]
    marks: Floats

    @property
    def name(self) -> str:
        """The topic and task in words, for messages."""
        return address_name(self.task, self.topic)

    @property
    def means(self) -> Floats:
        """The mean mark of each sentence."""
        return np.asarray(np.nanmean(self.marks, axis=1))

    @property
    def rounded(self) -> Ints:
        """The mean mark of each sentence, rounded half up."""
        # Means of whole marks that are halves are exact, or off by rounding noise.
        return np.floor(self.means + 0.5 + 1e-9).astype(np.int64)

    @property
    def counts(self) -> Ints:
        """How many sentences have each mark, 0 to 10."""
        return np.bincount(self.rounded, minlength=MARKS)

    def score(self, units: Sequence[str]) -> ExtractScore:
        """Score an extract by its sentences, each once."""
        chosen = np.zeros(len(self.units))
        for unit, place in zip(units, places_of(units, self.units), strict=True):
            if place < 0:
                hint = f"there are: {', '.join(self.units[:3])}, ..."
                raise NotFoundError(f"{self.name} has no judged sentence {unit!r}", hint=hint)
            if chosen[place]:
                raise InputError(f"{unit} is in the extract twice", hint="name it once")
            chosen[place] = 1
        if not chosen.any():
            raise InputError("the extract has no sentence", hint="name one or more")
        number, means = int(chosen.sum()), self.means
        score = _share(means, chosen, number)
        random = _share(means, np.full(len(means), number / len(means)), number)
        judges = self.agreement(number)
        above = judges - random
        normalized = (score - random) / above if above > 1e-12 else float("nan")
        return ExtractScore(number, score, random, judges, normalized)

    def agreement(self, number: int) -> float:
        """Return J for extracts of so many sentences, the mean over ordered pairs of judges."""
        whole = self.marks[:, ~np.isnan(self.marks).any(axis=0)]
        judges = whole.shape[1]
        if judges < 2:
            return float("nan")
        # With 1 more each, sentences marked 0 can be among a judge's best as well.
        best = [top_weights(column + 1, number) for column in whole.T]
        pairs = permutations(range(judges), 2)
        return float(np.mean([_share(whole[:, b], best[a], number) for a, b in pairs]))


def gather_utility(
    scores: Scores, part: StudyPart = ALL, *, measure: str = UTILITY
) -> list[JudgedSentences]:
    """Collect the marks of sentences (a `unit` is named), topic by topic."""
    judged = scores.select(measure=measure)
    several = len(judged.distinct("collection")) > 1
    rows = rows_of(judged, "collection", "task", "topic", "unit", "assessor")
    groups = grouped(
        ((task, f"{year}/{topic}" if several else topic), ((unit, judge), value))
        for (year, task, topic, unit, judge), value in zip(rows, judged.value, strict=True)
        if unit and part.wants(task, topic)
    )
    if not groups:
        hint = "judge sentences of the input from 0 to 10, with `unit` as document/number"
        raise InputError(f"no sentence has a judgment of {measure}", hint=hint)
    addresses = sorted(groups, key=lambda address: natural_orders(address[::-1]))
    return [_judged(address, grouped(groups[address])) for address in addresses]


def _judged(address: tuple[str, str], found: dict[tuple[str, str], list[float]]) -> JudgedSentences:
    units, judges = (tuple(sorted(set(own), key=natural_order)) for own in zip(*found, strict=True))
    row, column = numbered(units), numbered(judges)
    marks = np.full((len(units), len(judges)), np.nan)
    for (unit, judge), values in found.items():
        if min(values) < 0 or max(values) > MARKS - 1:
            what = f"sentence {unit} of topic {address[1]} is marked {max(values, key=abs):g}"
            raise InputError(what, hint="marks go from 0 to 10")
        # The same judge on several occasions is one judge.
        marks[row[unit], column[judge]] = float(np.mean(values))
    return JudgedSentences(*address, units, judges, marks)


def _share(utility: Floats, chosen: Floats, number: int) -> float:
    """Return what an extract is worth, as a share of the best one of so many sentences."""
    best = float(np.sort(utility)[::-1][:number].sum())
    return float(chosen @ utility) / best if best else float("nan")


class SentenceFinder:
    """The sentences of documents, to be found again in summaries.

    Words are compared, whatever case and punctuation they have. Of sentences that are in several
    documents the first is meant. A summary's sentence may have the dateline that it had in its
    document, and the last one may be cut; a byline is no sentence.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.units: dict[Words, str] = {}
        for unit, sentence in numbered_sentences(documents):
            self.units.setdefault(_words(sentence), unit)

    def find(self, summary: Summary) -> tuple[tuple[str, ...], int]:
        """Return the sentences of the input in a summary, and how many others it has."""
        worded = [words for words in self._sentences(summary) if words]
        found = [self.units.get(words) for words in worded]
        if found and found[-1] is None and len(worded[-1]) >= _LEAST:
            cut, size = worded[-1], len(worded[-1])
            found[-1] = next((u for own, u in self.units.items() if own[:size] == cut), None)
        known = tuple(dict.fromkeys(unit for unit in found if unit is not None))
        return known, found.count(None)

    def _sentences(self, summary: Summary) -> Iterator[Words]:
        """Return the sentences; a line that is none of the input's may hold several."""
        given = summary.text
        for line in given if isinstance(given, tuple) else as_sentences(given):
            for sentence in [line] if _words(line) in self.units else split_sentences(line):
                # Without its dateline, where it is none of the input's with it.
                known = _words(sentence) in self.units
                yield from map(_words, [sentence] if known else sentences_of(sentence))


def first_sentences(documents: Sequence[Document], number: int) -> tuple[str, ...]:
    """Take the first sentence of each document in turn, then the second ones, and so on.

    The earliest document comes first, as in the method ``first``.
    """
    ordered = [documents[place] for place in by_date(documents)]
    numbered = [list(numbered_sentences([document])) for document in ordered]
    longest = max(map(len, numbered), default=0)
    turns = (own[turn][0] for turn in range(longest) for own in numbered if turn < len(own))
    return tuple(turns)[:number]


def numbered_sentences(documents: Iterable[Document]) -> Iterator[tuple[str, str]]:
    """Return the sentences of documents with their numbers, ``document/number``."""
    for document in documents:
        for number, sentence in enumerate(sentences_of(document.text), start=1):
            yield f"{document.id}/{number}", sentence


def _words(sentence: str) -> Words:
    return tuple(tokenize(sentence, "unicode"))


_MARKS_NOTE = (
    "A sentence's mark is the mean of its judges', rounded half up. Percent: of all sentences, "
    "and the mean over topics."
)
_EXTRACTS_NOTE = (
    "Score S: what the sentences are worth, as a share of what as many of the best are worth. "
    "Random R: the mean score of as many random sentences. Judges J: what each judge's own best "
    "ones are worth "
    "to the others. Normalized: (S - R) / (J - R)."
)


@dataclass(frozen=True, slots=True, eq=False)
class SentenceMarks:
    """How many sentences of all topics have which mark, 0 to 10."""

    topics: tuple[JudgedSentences, ...]

    @property
    def counts(self) -> Ints:
        """How many sentences have each mark."""
        return np.asarray(np.sum([topic.counts for topic in self.topics], axis=0))

    @property
    def shares(self) -> Floats:
        """Which share of all sentences has each mark."""
        return np.asarray(self.counts / self.counts.sum())

    @property
    def mean_shares(self) -> Floats:
        """The mean of the topics' shares."""
        counts = np.array([topic.counts for topic in self.topics])
        return np.asarray((counts / counts.sum(axis=1, keepdims=True)).mean(axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class ScoredExtract:
    """An extract of a topic, and what it is worth."""

    topic: JudgedSentences
    name: str
    kind: str
    score: ExtractScore


_EXTRACT: View[ScoredExtract] = View(
    "extracts",
    (
        *columns(task="", of="topic"),
        Column("topic", "topic", lambda own: own.topic.topic, lambda own: own.topic.name),
        Column("extract", "extract", lambda own: own.name),
        data("kind", lambda own: own.kind or None),
        *columns("sentences", "score", "random", "judges", "normalized", of="score"),
    ),
    digits=3,
)


@question
def utility(
    source: SourceAndPeers, options: UtilityOptions
) -> StudyResult[SentenceMarks | ScoredExtract]:
    """Measure relative utility: how useful sentences and extracts are (Table 2.7).

    A sentence's mark, 0 to 10, is the rounded mean of its judges'. Machines' summaries that consist
    of judged sentences are scored as extracts.

    Examples
    --------
    >>> from pyramidion.collection import Scores
    >>> from pyramidion.studies import utility
    >>> table = Scores({"topic": ["T1"] * 3, "measure": ["relative-utility"] * 3, "system":
    ...                 ["input"] * 3, "unit": ["d/1", "d/2", "d/3"]}, [9, 3, 6])
    >>> marks, extract = utility(table, extract=["d/1", "d/2"])
    >>> marks.counts.tolist(), extract.score.score
    ([0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0], 0.8)
    """
    collection = source.read()
    source.require_in(collection)
    topics = gather_utility(collection.scores, source, measure=options.measure)
    marks = SentenceMarks(tuple(topics))
    scored, left_out = [], []
    if options.extract:
        scored.append(_given(topics, options.extract))
    for topic in topics:
        own, lacking = _of_topic(collection, topic, options.sentences)
        scored += own
        left_out += lacking
    tables = [_marks_table(marks)]
    if scored:
        tables.append(_EXTRACT.table(scored, "What extracts are worth", _EXTRACTS_NOTE))
    sentences = counted(int(marks.counts.sum()), "sentence")
    note = f"mean mark of each sentence, rounded; {sentences} of {_where(marks)}"
    return source.result(
        "utility", collection, [marks, *scored], _record, tables,
        [Chart("utility", partial(utility_figure, marks.shares, note=note))],
        about=options.measure,
        details=[("sentences", options.sentences), *options.changed("extract")],
        left_out=left_out,
    )  # fmt: skip


def _given(topics: Sequence[JudgedSentences], extract: Sequence[str]) -> ScoredExtract:
    """Score the given extract in the topic that has its first sentence."""
    for topic in topics:
        if extract[0] in topic.units:
            return ScoredExtract(topic, "as given", "", topic.score(extract))
    hint = f"there are: {', '.join(topics[0].units[:3])}, ..."
    raise InputError(f"no topic has a judged sentence {extract[0]!r}", hint=hint)


def _of_topic(
    collection: Collection, topic: JudgedSentences, sentences: int
) -> tuple[list[ScoredExtract], list[str]]:
    if not (documents := collection.documents(topic.topic, topic.task)):
        return [], [f"{topic.name}: it has no documents to find extracts in"]
    scored, left_out = [], []
    known = {unit for unit, _ in numbered_sentences(documents)}
    if unknown := [unit for unit in topic.units if unit not in known]:
        what = counted(len(unknown), "judged sentence is", "judged sentences are")
        why = "datelines, bylines and cues are not sentences here"
        left_out.append(f"{topic.name}: {what} not in the documents ({unknown[0]}); {why}")
    if first := [u for u in first_sentences(documents, len(topic.units)) if u in topic.units]:
        taken = topic.score(first[:sentences])
        scored.append(ScoredExtract(topic, "first sentences", "baseline", taken))
    finder = SentenceFinder(documents)
    for peer in collection.peers(topic.topic, topic.task):
        if peer.kind == "machine":
            units, foreign = finder.find(peer)
            judged = [unit for unit in units if unit in topic.units]
            lacking = foreign + len(units) - len(judged)
            if lacking or not judged:
                several = "sentences are not judged ones"
                what = counted(lacking, "sentence is not a judged one", several)
                left_out.append(f"{topic.name}, {peer.system}: {what} of the input")
            else:
                scored.append(ScoredExtract(topic, peer.system, "machine", topic.score(judged)))
    return scored, left_out


def _record(own: SentenceMarks | ScoredExtract) -> dict[str, Any]:
    if isinstance(own, ScoredExtract):
        return _EXTRACT.record(own)
    return {
        "topics": len(own.topics),
        "sentences": int(own.counts.sum()),
        "counts": own.counts.tolist(),
        "shares": own.shares,
        "mean_shares": own.mean_shares,
    }


def _marks_table(marks: SentenceMarks) -> Table:
    columns = ("mark", "sentences", "percent", "mean over topics")
    numbers = (marks.counts, 100 * marks.shares, 100 * marks.mean_shares)
    rows = tuple(zip(range(MARKS), *(own.tolist() for own in numbers), strict=True))
    title = f"Sentences by how useful they were judged: {_where(marks)}"
    return Table(columns, rows[::-1], title, _MARKS_NOTE, digits=2, name="marks")


def _where(marks: SentenceMarks) -> str:
    judges = sorted({len(topic.judges) for topic in marks.topics})
    number = f"{judges[0]}" if len(judges) == 1 else f"{judges[0]} to {judges[-1]}"
    word = "judge" if judges == [1] else "judges"
    return f"{counted(len(marks.topics), 'topic')}, {number} {word}"


_PLOT = (4.6, 2.8)

#: From which mark on a sentence may be in a summary, and from which on it should be.
_POSSIBLE, _NEEDED = 5, 9
_LOOKS = (
    ("below 5: not for a summary", GRAY),
    ("5 to 8: possible", SKY),
    ("9 and 10: most important", VERMILLION),
)


@in_style
def utility_figure(shares: Floats, *, note: str = "") -> "Figure":
    """Draw the share of sentences that have each mark, 0 first."""
    page = Page(
        "How useful sentences are for a summary",
        note,
        plot=_PLOT,
        space=Space(left=PAD + 0.55, right=PAD + 0.1),
        legend=[{"facecolor": color, "label": name} for name, color in _LOOKS],
    )
    axes = page.axes(page.left, page.bottom, *_PLOT)
    marks = range(len(shares))
    colors = [_LOOKS[(mark >= _POSSIBLE) + (mark >= _NEEDED)][1] for mark in marks]
    bars = axes.bar(marks, 100 * shares, 0.8, color=colors)
    axes.bar_label(bars, fmt="{:.1f}", size=7, padding=2, color=BLUE)
    axes.set(xlabel="mark, 10 being the most useful", ylabel="percent of the sentences")
    axes.set_xticks(marks)
    axes.margins(y=0.1)
    axes.grid(axis="y")
    return page.figure
