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
    KINDS,
    AbsentWordOptions,
    CountedWords,
    SourceAndPeers,
    StudyResult,
    TopicTexts,
)
from pyramidion.text.encoding import Reading

if TYPE_CHECKING:
    from pyramidion.rendering.charts import Picture


@dataclass(frozen=True, slots=True)
class CutSummaries(Options):
    """How long summaries are."""

    words: int = option(
        80, "Truncate summaries to this many words, so that their lengths do not matter; 0 leaves "
        "them whole.", metavar="N", min=0,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SummarizerLikelihood:
    """The mean log-likelihood of a summarizer's summaries."""

    summarizer: str
    kind: str
    topics: int
    mean: float
    adjusted: float  #: least-squares mean, as if everybody had summarized every topic
    words: float  #: mean number of words that count
    per_word: float  #: mean log-probability of a word, which does not depend on the length
    absent: float  #: mean number of words that the input lacks


@dataclass(frozen=True, slots=True)
class LikelihoodFit:
    """A linear fit of log-likelihoods: the cost of a word, and the extra cost of an absent one."""

    share: float
    per_word: float
    per_absent: float
    summaries: int

    @classmethod
    def of(cls, values: Floats) -> "LikelihoodFit":
        """Fit log-likelihoods by the numbers of words and of absent words."""
        design = np.column_stack([np.ones(len(values)), values[:, 1], values[:, 3]])
        fit = np.linalg.lstsq(design, values[:, 0])[0]
        total_sum = ((values[:, 0] - values[:, 0].mean()) ** 2).sum()
        residual_sum = ((values[:, 0] - design @ fit) ** 2).sum()
        share = 1 - residual_sum / total_sum if total_sum > 0 else np.nan
        return cls(float(share), float(fit[1]), float(fit[2]), len(values))


@dataclass(frozen=True, slots=True)
class LikelihoodStudy:
    """Summarizers by the likelihood of their summaries, the highest first."""

    summarizers: tuple[SummarizerLikelihood, ...]
    explained: LikelihoodFit
    metric: MultinomialLikelihood
    limit: int
    short: int
    undefined: int


def study_likelihood(
    topics: Sequence[TopicTexts], limit: int, metric: MultinomialLikelihood
) -> LikelihoodStudy:
    """Return the mean log-likelihood of each person's and each machine's summaries."""
    summaries = [(row, summary) for row, topic in enumerate(topics) for summary in topic.summaries]
    cut_summaries = [
        (row, summary.truncated(limit) if limit else summary) for row, summary in summaries
    ]
    values = _likelihood_values(topics, cut_summaries, metric)
    is_defined = ~np.isnan(values[:, 0])
    if not is_defined.any():
        hint = "only words in Latin letters count here"
        raise InputError("no summary has a word that counts", hint=hint)
    summarizers = _summarizer_likelihoods(
        [*compress(cut_summaries, is_defined)], values[is_defined], len(topics)
    )
    n_short = sum(summary.words < limit for _, summary in summaries)
    n_undefined = int((~is_defined).sum())
    return LikelihoodStudy(
        summarizers, LikelihoodFit.of(values[is_defined]), metric, limit, n_short, n_undefined
    )


def _likelihood_values(
    topics: Sequence[TopicTexts],
    summaries: Sequence[tuple[int, Summary]],
    metric: MultinomialLikelihood,
) -> Floats:
    """Return columns: log-likelihood, number of words, log-probability per word, absent words."""
    documents = [topics[row].documents for row, _ in summaries]
    cases = ScoringBatch.of_texts([summary.plain for _, summary in summaries], documents=documents)
    likelihood_per_word = UnigramLikelihood(metric.absent, metric.stem, metric.stop_words)
    reading = Reading(metric.stem, metric.stop_words)
    absent_counts = [c.sums(c.peer * (c.other == 0)) for c in word_counts(cases, "input", reading)]
    means_per_word = likelihood_per_word.score(likelihood_per_word.statistics(cases))
    return np.column_stack(
        [metric.statistics(cases), means_per_word, np.concatenate(absent_counts)]
    )


def _summarizer_likelihoods(
    summaries: Sequence[tuple[int, Summary]], values: Floats, topics: int
) -> tuple[SummarizerLikelihood, ...]:
    kinds = {summary.system: summary.kind for _, summary in summaries}
    systems = sorted(kinds, key=natural_order)
    columns = places_of((summary.system for _, summary in summaries), systems)
    rows = np.array([row for row, _ in summaries])
    counts = np.zeros((topics, len(systems)), dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    counts = counts[counts.any(axis=1)]
    adjusted_means = np.full(len(systems), np.nan)
    if min(counts.shape) > 1 and linked_rows(counts.T).all():
        fit = two_way_anova(values[:, 0], columns.tolist(), rows.tolist())
        adjusted_means = fit.first.means[places_of(range(len(systems)), fit.first.levels)]
    summarizers = []
    for column, system in enumerate(systems):
        system_values = values[columns == column]
        mean, *other_means = system_values.mean(axis=0).tolist()
        fields = (len(system_values), mean, float(adjusted_means[column]), *other_means)
        summarizers.append(SummarizerLikelihood(system, kinds[system], *fields))
    return tuple(sorted(summarizers, key=lambda row: -row.mean))


_SUMMARIZER_VIEW: View[SummarizerLikelihood] = View(
    "summarizers",
    (
        *columns("summarizer", "kind", "topics"),
        Column("log_likelihood", "log-likelihood", lambda row: row.mean),
        *columns("adjusted", "words", "per_word", "absent"),
    ),
    digits=2,
)
# Two slopes need this many summaries.
_MIN_SUMMARIES = 6
_TITLE = "Log-likelihood of summaries under their input"


@question
def likelihood(
    source: SourceAndPeers, cut: CutSummaries, absent: AbsentWordOptions, words: CountedWords
) -> StudyResult[SummarizerLikelihood]:
    """Compare the likelihood of human and machine summaries given their input (Table 4.3).

    The log-probability of a summary's words if they were drawn from the input: the metric
    multinomial-input, on summaries of equal length.

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
    topics, left_out = source.topics_of(collection)
    study = study_likelihood(topics, cut.words, metric)
    tables = [_SUMMARIZER_VIEW.table(study.summarizers, _TITLE, _note(study))]
    charts = [Chart("likelihood", partial(_figure, study, len(topics)))]
    return source.result(
        "likelihood", collection, study.summarizers, _SUMMARIZER_VIEW.record, tables, charts,
        scope=metric, details=[("words", cut.words), ("tok", "rouge")],
        left_out=(*left_out, *_warnings(study)),
    )  # fmt: skip


def _warnings(study: LikelihoodStudy) -> Iterator[str]:
    if study.undefined:
        yield f"{counted(study.undefined, 'summary', 'summaries')} without a word that counts"
    if any(np.isnan(row.adjusted) for row in study.summarizers) and len(study.summarizers) > 1:
        yield "adjusted means: some summarizers share no topics with the rest, even indirectly"


def _note(study: LikelihoodStudy) -> str:
    short_text = counted(study.short, "summary has", "summaries have")
    suffix = f" ({short_text} fewer, which makes them likelier)" if study.short else ""
    cut_note = f"Summaries were cut to {study.limit} words{suffix}. " if study.limit else ""
    return (
        f"{cut_note}Means over topics. Adjusted: as if everybody had summarized every topic. "
        "Words: number of words that count. Per word: mean log-probability. Absent: words that the "
        f"input lacks, which count as {study.metric.absent:g} occurrences. {_explanation(study)}"
    )


def _explanation(study: LikelihoodStudy) -> str:
    """Report how much of the likelihood is explained by length and absent words."""
    fit = study.explained
    if np.isnan(fit.share) or fit.summaries < _MIN_SUMMARIES:
        return "Absent words and length often dominate the likelihood."
    verb = "dominate: they explain" if fit.share >= 0.5 else "explain"
    explained_text = (
        f"Absent words and length {verb} {100 * fit.share:.0f}% of the variance among "
        f"{fit.summaries} summaries. A word costs {-fit.per_word:.1f}, an absent one "
        f"{-fit.per_absent:.1f} more."
    )
    kinds = ((name, [r for r in study.summarizers if r.kind == k]) for k, name in KINDS.items())
    means = (
        f"{name} {np.mean([r.mean for r in rows]):.1f} with "
        f"{np.mean([r.absent for r in rows]):.1f} absent words"
        for name, rows in kinds
        if rows
    )
    return f"{explained_text} On average: {'; '.join(means)}."


def _figure(study: LikelihoodStudy, topics: int) -> "Picture":
    cut_note = f"; summaries cut to {study.limit} words" if study.limit else ""
    return marked_rows_picture(
        [MarkedRow(row.summarizer, row.kind, (row.mean,)) for row in study.summarizers],
        title=_TITLE,
        note=f"multinomial model, mean over the topics of each ({topics} in all){cut_note}",
        label="log-likelihood",
    )
