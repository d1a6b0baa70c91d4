r"""Relative utility: how useful people find single sentences for a summary (Table 2.7).

Judges mark each sentence of the input from 0 (never) to 10 (by all means). A sentence's mark is the
mean of the judges', rounded half up. An *extract* of e sentences is scored by its utility, as a
share of the utility of the e most useful sentences:

.. math:: S = \frac{\sum_{j \in extract} \sum_i u_{ij}}{\sum_{j \in best} \sum_i u_{ij}}, \qquad
          D = \frac{S - R}{J - R}

R is the mean score of e random sentences, and J the agreement of judges: each judge's best e
sentences, scored by the marks of each other judge. Ties for the last places share them.

Sentences are numbered as in `pyramidion.summarizers.Source`, from 1: datelines are removed, and
bylines, cues and contacts are not sentences.

References
----------
D. Radev, H. Jing, M. Budzikowska. Centroid-based summarization of multiple documents. 2000.
D. Radev, D. Tam. Summarization evaluation using relative utility. CIKM 2003.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, permutations, zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, Document, Scores, Summary
from pyramidion.collection.findings import address_name
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
from pyramidion.studies._source import (
    EVERYTHING,
    SourceAndPeers,
    StudyPart,
    StudyResult,
    top_weights,
)
from pyramidion.summarizers._selection import by_date
from pyramidion.summarizers.sentences import sentences_of
from pyramidion.text import split_sentences, tokenize
from pyramidion.text.encoding import as_sentences

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The name of the measure, and the number of marks.
UTILITY_MEASURE, N_MARKS = "relative-utility", 11

Words = tuple[str, ...]

# A truncated sentence is recognized by at least this many words.
_MIN_TRUNCATED_WORDS = 5


@dataclass(frozen=True, slots=True)
class UtilityOptions(Options):
    """Which judgments are used, and which extracts are scored."""

    measure: str = option(UTILITY_MEASURE, "Measure with the judgments of sentences.")
    extract: tuple[str, ...] = option(
        (), "Extract to score as well: its sentences as document/number, comma-separated.",
        metavar="SENTENCES",
    )  # fmt: skip
    sentences: int = option(
        5, "Number of sentences of the baseline extract, taken from the beginnings of the "
        "documents in turn.", metavar="N", min=1,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExtractScore:
    """The relative utility of an extract."""

    sentences: int
    score: float  #: S, as a share of the utility of the same number of best sentences
    random: float  #: R, the same for random sentences
    judges: float  #: J, the agreement of judges; NaN unless two marked all sentences
    normalized: float  #: D, 0 for random extracts and 1 for judges


@dataclass(frozen=True, slots=True, eq=False)
class JudgedSentences:
    """The sentences of a topic's input, and the marks that judges gave them.

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
    units: tuple[str, ...]  #: the sentences as ``document/number``, from 1
    judges: tuple[str, ...]
    marks: Floats  #: sentences x judges, NaN for a missing mark

    @property
    def name(self) -> str:
        """The topic and task, for messages."""
        return address_name(self.task, self.topic)

    @property
    def means(self) -> Floats:
        """The mean mark of each sentence."""
        return np.asarray(np.nanmean(self.marks, axis=1))

    @property
    def rounded(self) -> Ints:
        """The mean mark of each sentence, rounded half up."""
        # The margin absorbs rounding noise in means that are halves.
        return np.floor(self.means + 0.5 + 1e-9).astype(np.int64)

    @property
    def counts(self) -> Ints:
        """The number of sentences with each mark, 0 to 10."""
        return np.bincount(self.rounded, minlength=N_MARKS)

    def score(self, units: Sequence[str]) -> ExtractScore:
        """Score an extract by its sentences, each once."""
        is_selected = np.zeros(len(self.units))
        for unit, index in zip(units, places_of(units, self.units), strict=True):
            if index < 0:
                hint = f"judged sentences: {', '.join(self.units[:3])}, ..."
                raise NotFoundError(f"{self.name} has no judged sentence {unit!r}", hint=hint)
            if is_selected[index]:
                raise InputError(f"{unit} is in the extract twice", hint="list it once")
            is_selected[index] = 1
        if not is_selected.any():
            raise InputError("the extract has no sentence", hint="list one or more")
        n_sentences, means = int(is_selected.sum()), self.means
        score = _share(means, is_selected, n_sentences)
        random_score = _share(means, np.full(len(means), n_sentences / len(means)), n_sentences)
        judges = self.agreement(n_sentences)
        advantage = judges - random_score
        normalized_score = (score - random_score) / advantage if advantage > 1e-12 else float("nan")
        return ExtractScore(n_sentences, score, random_score, judges, normalized_score)

    def agreement(self, number: int) -> float:
        """Return J for extracts of `number` sentences, the mean over ordered pairs of judges."""
        complete_marks = self.marks[:, ~np.isnan(self.marks).any(axis=0)]
        n_judges = complete_marks.shape[1]
        if n_judges < 2:
            return float("nan")
        # Adding 1 lets sentences marked 0 be among a judge's best.
        top_by_judge = [top_weights(column + 1, number) for column in complete_marks.T]
        pairs = permutations(range(n_judges), 2)
        return float(
            np.mean([_share(complete_marks[:, b], top_by_judge[a], number) for a, b in pairs])
        )


def gather_utility(
    scores: Scores, part: StudyPart = EVERYTHING, *, measure: str = UTILITY_MEASURE
) -> list[JudgedSentences]:
    """Collect the marks of sentences (scores with a `unit`) by topic."""
    unit_scores = scores.select(measure=measure)
    has_several_collections = len(unit_scores.distinct("collection")) > 1
    rows = rows_of(unit_scores, "collection", "task", "topic", "unit", "assessor")
    groups = grouped(
        ((task, f"{year}/{topic}" if has_several_collections else topic), ((unit, judge), value))
        for (year, task, topic, unit, judge), value in zip(rows, unit_scores.value, strict=True)
        if unit and part.includes(task, topic)
    )
    if not groups:
        hint = "judge sentences of the input from 0 to 10, with `unit` as document/number"
        raise InputError(f"no sentence has a judgment of {measure}", hint=hint)
    addresses = sorted(groups, key=lambda address: natural_orders(address[::-1]))
    return [_judged_sentences(address, grouped(groups[address])) for address in addresses]


def _judged_sentences(
    address: tuple[str, str], marked_values: dict[tuple[str, str], list[float]]
) -> JudgedSentences:
    units, judges = (
        tuple(sorted({*ids}, key=natural_order)) for ids in zip(*marked_values, strict=True)
    )
    row_by_unit, column_by_judge = numbered(units), numbered(judges)
    marks = np.full((len(units), len(judges)), np.nan)
    for (unit, judge), values in marked_values.items():
        if min(values) < 0 or max(values) > N_MARKS - 1:
            message = f"sentence {unit} of topic {address[1]} is marked {max(values, key=abs):g}"
            raise InputError(message, hint="marks go from 0 to 10")
        # Repeated marks by one judge are averaged.
        marks[row_by_unit[unit], column_by_judge[judge]] = float(np.mean(values))
    return JudgedSentences(*address, units, judges, marks)


def _share(utility: Floats, is_selected: Floats, number: int) -> float:
    """Return the utility of an extract, as a share of that of the best `number` sentences."""
    best_utility = float(np.sort(utility)[::-1][:number].sum())
    return float(is_selected @ utility) / best_utility if best_utility else float("nan")


class SentenceFinder:
    """Finds the sentences of documents in summaries, ignoring case and punctuation.

    If a sentence is in several documents, the first counts. A summary's sentence may
    have the dateline of its document, and the last one may be truncated; bylines are not sentences.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.units: dict[Words, str] = {}
        for unit, sentence in numbered_sentences(documents):
            self.units.setdefault(_words(sentence), unit)

    def find(self, summary: Summary) -> tuple[tuple[str, ...], int]:
        """Return the input's sentences in a summary, and the number of its other sentences."""
        worded_sentences = [words for words in self._sentences(summary) if words]
        units = [self.units.get(words) for words in worded_sentences]
        if units and units[-1] is None and len(worded_sentences[-1]) >= _MIN_TRUNCATED_WORDS:
            cut_words, n_cut_words = worded_sentences[-1], len(worded_sentences[-1])
            units[-1] = next(
                (u for words, u in self.units.items() if words[:n_cut_words] == cut_words), None
            )
        return tuple(dict.fromkeys(unit for unit in units if unit)), units.count(None)

    def _sentences(self, summary: Summary) -> Iterator[Words]:
        """Return the sentences; a line that is not a sentence of the input may hold several."""
        text = summary.text
        for line in text if isinstance(text, tuple) else as_sentences(text):
            for sentence in [line] if _words(line) in self.units else split_sentences(line):
                # A dateline is removed unless the input has the sentence with it.
                is_in_input = _words(sentence) in self.units
                yield from map(_words, [sentence] if is_in_input else sentences_of(sentence))


def first_sentences(documents: Sequence[Document], number: int) -> tuple[str, ...]:
    """Take the first sentence of each document in turn, the earliest document first, and so on."""
    dated_documents = (documents[index] for index in by_date(documents))
    columns = [[unit for unit, _ in numbered_sentences([document])] for document in dated_documents]
    units_in_turn = chain.from_iterable(zip_longest(*columns))
    return tuple(unit for unit in units_in_turn if unit)[:number]


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
    "Score S: the utility of the sentences, as a share of that of the same number of best ones. "
    "Random R: the mean score of that number of random sentences. Judges J: the score of each "
    "judge's best "
    "sentences by the other judges. Normalized: (S - R) / (J - R)."
)


@dataclass(frozen=True, slots=True, eq=False)
class SentenceMarks:
    """How often each mark, 0 to 10, was given to sentences of all topics."""

    topics: tuple[JudgedSentences, ...]

    @property
    def counts(self) -> Ints:
        """The number of sentences with each mark."""
        return np.asarray(np.sum([topic.counts for topic in self.topics], axis=0))

    @property
    def shares(self) -> Floats:
        """The share of all sentences with each mark."""
        return np.asarray(self.counts / self.counts.sum())

    @property
    def mean_shares(self) -> Floats:
        """The mean of the topics' shares."""
        counts = np.array([topic.counts for topic in self.topics])
        return np.asarray((counts / counts.sum(axis=1, keepdims=True)).mean(axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class ScoredExtract:
    """An extract of a topic, and its score."""

    topic: JudgedSentences
    name: str
    kind: str
    score: ExtractScore


_EXTRACT_VIEW: View[ScoredExtract] = View(
    "extracts",
    (
        *columns(task="", of="topic"),
        Column("topic", "topic", lambda row: row.topic.topic, lambda row: row.topic.name),
        Column("extract", "extract", lambda row: row.name),
        data("kind", lambda row: row.kind or None),
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
    extract_scores, left_out = [], []
    if options.extract:
        extract_scores.append(_score_extract(topics, options.extract))
    for topic in topics:
        extracts, unscored_notes = _score_topic_extracts(collection, topic, options.sentences)
        extract_scores += extracts
        left_out += unscored_notes
    tables = [_marks_table(marks)]
    if extract_scores:
        tables.append(_EXTRACT_VIEW.table(extract_scores, "Scores of extracts", _EXTRACTS_NOTE))
    sentences = counted(int(marks.counts.sum()), "sentence")
    note = f"mean mark of each sentence, rounded; {sentences} of {_describe_judgments(marks)}"
    return source.result(
        "utility", collection, [marks, *extract_scores], _record, tables,
        [Chart("utility", partial(utility_figure, marks.shares, note=note))],
        scope=options.measure,
        details=[("sentences", options.sentences), *options.changed("extract")],
        left_out=left_out,
    )  # fmt: skip


def _score_extract(topics: Sequence[JudgedSentences], extract: Sequence[str]) -> ScoredExtract:
    """Score the extract of the options in the topic that has its first sentence."""
    for topic in topics:
        if extract[0] in topic.units:
            return ScoredExtract(topic, "as given", "", topic.score(extract))
    hint = f"judged sentences: {', '.join(topics[0].units[:3])}, ..."
    raise InputError(f"no topic has a judged sentence {extract[0]!r}", hint=hint)


def _score_topic_extracts(
    collection: Collection, topic: JudgedSentences, sentences: int
) -> tuple[list[ScoredExtract], list[str]]:
    if not (documents := collection.documents(topic.topic, topic.task)):
        return [], [f"{topic.name}: it has no documents, so extracts cannot be found"]
    extract_scores, left_out = [], []
    numbered_units = {unit for unit, _ in numbered_sentences(documents)}
    if unjudged_units := [unit for unit in topic.units if unit not in numbered_units]:
        message = counted(len(unjudged_units), "judged sentence is", "judged sentences are")
        reason = "datelines, bylines and cues are not sentences here"
        left_out.append(
            f"{topic.name}: {message} not in the documents ({unjudged_units[0]}); {reason}"
        )
    if first_units := [u for u in first_sentences(documents, len(topic.units)) if u in topic.units]:
        first_score = topic.score(first_units[:sentences])
        extract_scores.append(ScoredExtract(topic, "first sentences", "baseline", first_score))
    finder = SentenceFinder(documents)
    for peer in collection.peers(topic.topic, topic.task):
        if peer.kind == "machine":
            units, n_foreign = finder.find(peer)
            known_units = [unit for unit in units if unit in topic.units]
            n_unjudged = n_foreign + len(units) - len(known_units)
            if n_unjudged or not known_units:
                plural = "sentences are not judged sentences"
                message = counted(n_unjudged, "sentence is not a judged sentence", plural)
                left_out.append(f"{topic.name}, {peer.system}: {message} of the input")
            else:
                extract_scores.append(
                    ScoredExtract(topic, peer.system, "machine", topic.score(known_units))
                )
    return extract_scores, left_out


def _record(value: SentenceMarks | ScoredExtract) -> dict[str, Any]:
    if isinstance(value, ScoredExtract):
        return _EXTRACT_VIEW.record(value)
    return {
        "topics": len(value.topics),
        "sentences": int(value.counts.sum()),
        "counts": value.counts.tolist(),
        "shares": value.shares,
        "mean_shares": value.mean_shares,
    }


def _marks_table(marks: SentenceMarks) -> Table:
    columns = ("mark", "sentences", "percent", "mean over topics")
    columns_of_values = (marks.counts, 100 * marks.shares, 100 * marks.mean_shares)
    rows = tuple(
        zip(range(N_MARKS), *(column.tolist() for column in columns_of_values), strict=True)
    )
    title = f"Sentences by how useful they were judged: {_describe_judgments(marks)}"
    return Table(columns, rows[::-1], title, _MARKS_NOTE, digits=2, name="marks")


def _describe_judgments(marks: SentenceMarks) -> str:
    judges = sorted({len(topic.judges) for topic in marks.topics})
    judge_count = f"{judges[0]}" if len(judges) == 1 else f"{judges[0]} to {judges[-1]}"
    judge_noun = "judge" if judges == [1] else "judges"
    return f"{counted(len(marks.topics), 'topic')}, {judge_count} {judge_noun}"


_PLOT_SIZE = (4.6, 2.8)

#: The lowest marks of sentences that may, and that should, be in a summary.
_MIN_POSSIBLE_MARK, _MIN_NEEDED_MARK = 5, 9
_MARK_STYLES = (
    ("below 5: not for a summary", GRAY),
    ("5 to 8: possible", SKY),
    ("9 and 10: most important", VERMILLION),
)


@in_style
def utility_figure(shares: Floats, *, note: str = "") -> "Figure":
    """Draw the share of sentences with each mark."""
    page = Page(
        "How useful sentences are for a summary",
        note,
        plot=_PLOT_SIZE,
        space=Space(left=PAD + 0.55, right=PAD + 0.1),
        legend=[{"facecolor": color, "label": name} for name, color in _MARK_STYLES],
    )
    axes = page.axes(page.left, page.bottom, *_PLOT_SIZE)
    marks = range(len(shares))
    colors = [
        _MARK_STYLES[(mark >= _MIN_POSSIBLE_MARK) + (mark >= _MIN_NEEDED_MARK)][1] for mark in marks
    ]
    bars = axes.bar(marks, 100 * shares, 0.8, color=colors)
    axes.bar_label(bars, fmt="{:.1f}", size=7, padding=2, color=BLUE)
    axes.set(xlabel="mark, 10 being the most useful", ylabel="percent of the sentences")
    axes.set_xticks(marks)
    axes.margins(y=0.1)
    axes.grid(axis="y")
    return page.figure
