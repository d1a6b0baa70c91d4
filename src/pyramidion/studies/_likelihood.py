"""How likely summaries are under a multinomial model of the input's words (Table 4.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import Summary
from pyramidion.collection.ids import natural_order
from pyramidion.comparison.common import places_of
from pyramidion.errors import InputError
from pyramidion.metrics import MultinomialLikelihood, ScoringBatch, UnigramLikelihood
from pyramidion.metrics._word_distributions import word_counts
from pyramidion.questions import Options, option, question
from pyramidion.rendering.charts.rows import MarkedRow, marked_rows_picture
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart
from pyramidion.rendering.view import Column, View, columns
from pyramidion.stats import two_way_anova
from pyramidion.stats.anova import linked_rows
from pyramidion.studies._source import (
    AbsentWords,
    CountedWords,
    SourceAndPeers,
    StudyResult,
    TopicTask,
)
from pyramidion.text.encoding import Reading

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture


@dataclass(frozen=True, slots=True)
class CutSummaries(Options):
    """How summaries are made comparable."""

    words: int = option(
        80, "Truncate summaries to this many words, so that their lengths do not matter; 0 leaves "
        "them whole.", metavar="N", min=0,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SummarizerLikelihood:
    """The mean log-likelihood of a summarizer's summaries.

    Parameters
    ----------
    summarizer, kind
        Who, and whether it is ``human`` or a ``machine``.
    topics
        How many summaries were averaged, one per topic and task.
    mean
        The mean log-likelihood.
    adjusted
        What the mean would be if everybody had summarized every topic: the least-squares mean.
        NaN where topics without common summarizers leave it open.
    words
        How many words of a summary count, on average.
    per_word
        The mean log-probability of a word, which does not depend on the length.
    absent
        How many of the words the input lacks, on average.
    """

    summarizer: str
    kind: str
    topics: int
    mean: float
    adjusted: float
    words: float
    per_word: float
    absent: float


@dataclass(frozen=True, slots=True)
class Explained:
    """A linear fit of log-likelihoods: what a word costs, and one that the input lacks on top."""

    share: float
    per_word: float
    per_absent: float
    summaries: int

    @classmethod
    def of(cls, values: Floats) -> "Explained":
        """Fit the log-likelihood by the number of words and of absent words."""
        made = np.column_stack([np.ones(len(values)), values[:, 1], values[:, 3]])
        fit = np.linalg.lstsq(made, values[:, 0])[0]
        spread = ((values[:, 0] - values[:, 0].mean()) ** 2).sum()
        left = ((values[:, 0] - made @ fit) ** 2).sum()
        share = 1 - left / spread if spread > 0 else np.nan
        return cls(float(share), float(fit[1]), float(fit[2]), len(values))


@dataclass(frozen=True, slots=True)
class LikelihoodStudy:
    """Summarizers by the likelihood of what they write, the likeliest first."""

    summarizers: tuple[SummarizerLikelihood, ...]
    explained: Explained
    metric: MultinomialLikelihood
    limit: int
    short: int
    undefined: int


def study_likelihood(
    places: Sequence[TopicTask], *, limit: int = 80, metric: MultinomialLikelihood | None = None
) -> LikelihoodStudy:
    """Return the mean log-likelihood of each person's and each machine's summaries."""
    metric = metric or MultinomialLikelihood()
    summaries = [(row, own) for row, place in enumerate(places) for own in place.summaries]
    if not summaries:
        raise InputError("there is no summary", hint="add some")
    cut = [(row, own.truncated(limit) if limit else own) for row, own in summaries]
    values = _values(places, cut, metric)
    known = ~np.isnan(values[:, 0])
    if not known.any():
        hint = "this likelihood knows words in Latin letters only"
        raise InputError("no summary has a word that counts", hint=hint)
    rows = _by_summarizer([*compress(cut, known)], values[known], len(places))
    short = sum(own.words < limit for _, own in summaries)
    undefined = int((~known).sum())
    return LikelihoodStudy(rows, Explained.of(values[known]), metric, limit, short, undefined)


def _values(
    places: Sequence[TopicTask],
    summaries: Sequence[tuple[int, Summary]],
    metric: MultinomialLikelihood,
) -> Floats:
    """Return the log-likelihood, the number of words, their log-probability, and absent words."""
    documents = [places[row].documents for row, _ in summaries]
    cases = ScoringBatch.of_texts([own.plain for _, own in summaries], documents=documents)
    per_word = UnigramLikelihood(metric.absent, metric.stem, metric.stop_words)
    reading = Reading(metric.stem, metric.stop_words)
    absent = [c.sums(c.peer * (c.other == 0)) for c in word_counts(cases, "input", reading)]
    mean = per_word.score(per_word.statistics(cases))
    return np.column_stack([metric.statistics(cases), mean, np.concatenate(absent)])


def _by_summarizer(
    summaries: Sequence[tuple[int, Summary]], values: Floats, places: int
) -> tuple[SummarizerLikelihood, ...]:
    kinds = {summary.system: summary.kind for _, summary in summaries}
    systems = sorted(kinds, key=natural_order)
    columns = places_of((summary.system for _, summary in summaries), systems)
    rows = np.array([row for row, _ in summaries])
    counts = np.zeros((places, len(systems)), dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    counts = counts[counts.any(axis=1)]
    adjusted = np.full(len(systems), np.nan)
    if min(counts.shape) > 1 and linked_rows(counts.T).all():
        fit = two_way_anova(values[:, 0], columns.tolist(), rows.tolist())
        adjusted = fit.first.means[places_of(range(len(systems)), fit.first.levels)]
    found = []
    for column, system in enumerate(systems):
        own = values[columns == column]
        mean, *others = own.mean(axis=0).tolist()
        numbers = (len(own), mean, float(adjusted[column]), *others)
        found.append(SummarizerLikelihood(system, kinds[system], *numbers))
    return tuple(sorted(found, key=lambda row: -row.mean))


_SUMMARIZER: View[SummarizerLikelihood] = View(
    "summarizers",
    (
        *columns("summarizer", "kind", "topics"),
        Column("log_likelihood", "log-likelihood", lambda row: row.mean),
        *columns("adjusted", "words", "per_word", "absent"),
    ),
    digits=2,
)
_KINDS = {"human": "people", "machine": "machines"}
# Two slopes need this many summaries.
_FEW = 6
_TITLE = "Log-likelihood of summaries under their input"


@question
def likelihood(
    source: SourceAndPeers, cut: CutSummaries, absent: AbsentWords, words: CountedWords
) -> StudyResult[SummarizerLikelihood]:
    """Compare the likelihood of human and machine summaries given their input (Table 4.3).

    The logarithm of the multinomial probability of a summary's words, were they drawn from the
    input's; the metric multinomial-input on summaries of one length.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d", "Ice, ice and snow. Snow, rain."),))
    >>> person = Summary("T1", "A", "Ice.", kind="human")
    >>> mine = Collection("c", topics=(topic,), summaries=(person,))
    >>> round(likelihood(mine)[0].mean, 3)
    -0.916
    """
    collection = source.read()
    metric = MultinomialLikelihood(absent.absent, words.stem, not words.all_words)
    places, left_out = source.places(collection)
    study = study_likelihood(places, limit=cut.words, metric=metric)
    tables = [_SUMMARIZER.table(study.summarizers, _TITLE, _note(study))]
    charts = [Chart("likelihood", partial(_figure, study, len(places)))]
    return source.result(
        "likelihood", collection, study.summarizers, _SUMMARIZER.record, tables, charts,
        about=metric, details=[("words", cut.words), ("tok", "rouge")],
        left_out=(*left_out, *_warnings(study)),
    )  # fmt: skip


def _warnings(study: LikelihoodStudy) -> Iterator[str]:
    if study.undefined:
        yield f"{counted(study.undefined, 'summary', 'summaries')} without a word that counts"
    if any(np.isnan(row.adjusted) for row in study.summarizers) and len(study.summarizers) > 1:
        yield "adjusted means: some summarizers share no topic with others, not even through others"


def _note(study: LikelihoodStudy) -> str:
    short = counted(study.short, "summary has", "summaries have")
    less = f" ({short} fewer, which makes them likelier)" if study.short else ""
    cut = f"Summaries were cut to {study.limit} words{less}. " if study.limit else ""
    return (
        f"{cut}Means over topics. Adjusted: as if everybody had summarized every topic. "
        "Words: how many of a summary count. Per word: the mean log-probability. Absent: words "
        "that the input lacks; each is as likely as one that is there "
        f"{study.metric.absent:g} times. {_explained(study)}"
    )


def _explained(study: LikelihoodStudy) -> str:
    """Write how much of the likelihood is explained by lengths and absent words."""
    fit = study.explained
    if np.isnan(fit.share) or fit.summaries < _FEW:
        return "Absent words and length often dominate the likelihood."
    rule = "dominate: they explain" if fit.share >= 0.5 else "explain"
    explained = (
        f"Absent words and length {rule} {100 * fit.share:.0f}% of the variance among "
        f"{fit.summaries} summaries. A word costs {-fit.per_word:.1f}, one that is absent "
        f"{-fit.per_absent:.1f} more."
    )
    kinds = ((name, [r for r in study.summarizers if r.kind == k]) for k, name in _KINDS.items())
    means = (
        f"{name} {np.mean([r.mean for r in rows]):.1f} with "
        f"{np.mean([r.absent for r in rows]):.1f} absent words"
        for name, rows in kinds
        if rows
    )
    return f"{explained} On average: {'; '.join(means)}."


def _figure(study: LikelihoodStudy, topics: int) -> "Picture":
    cut = f"; summaries cut to {study.limit} words" if study.limit else ""
    return marked_rows_picture(
        [MarkedRow(row.summarizer, row.kind, (row.mean,)) for row in study.summarizers],
        title=_TITLE,
        note=f"multinomial model, mean over each one's topics ({topics} in all){cut}",
        label="log-likelihood",
    )
