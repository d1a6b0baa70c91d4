"""How likely summaries are under a multinomial model of the input's words (Table 4.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Summary
from pyramidion.collection._ids import natural_order
from pyramidion.collection._options import option
from pyramidion.collection._questions import Options, question
from pyramidion.errors import InputError
from pyramidion.evaluation._shared import places_of
from pyramidion.evaluation.study._source import (
    AbsentWords,
    CountedWords,
    SourceAndPeers,
    TopicTask,
)
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._word_distributions import (
    MultinomialLikelihood,
    UnigramLikelihood,
    word_counts,
)
from pyramidion.report.charts.rows import MarkedRow, marked_rows_figure
from pyramidion.report.labels import counted
from pyramidion.report.result import Chart, Result
from pyramidion.report.view import Column, View, columns, data
from pyramidion.stats._anova import linked_rows, two_way_anova
from pyramidion.text._encoding import Reading

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
        How many summaries were averaged, one a topic and task.
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
    explained: "Explained"
    metric: MultinomialLikelihood
    limit: int
    short: int
    undefined: int


def study_likelihood(
    places: Sequence[TopicTask], *, limit: int = 80, metric: MultinomialLikelihood | None = None
) -> LikelihoodStudy:
    """Return the mean log-likelihood of each person's and each machine's summaries."""
    metric = metric or MultinomialLikelihood()
    written = ((*place.references, *place.machines) for place in places)
    summaries = [(row, summary) for row, own in enumerate(written) for summary in own]
    if not summaries:
        raise InputError("there is no summary", hint="add some")
    cut = [(row, s.truncated(limit) if limit else s) for row, s in summaries]
    values = _values(places, cut, metric)
    there = ~np.isnan(values[:, 0])
    if not there.any():
        hint = "this likelihood knows words in Latin letters only"
        raise InputError("no summary has a word that counts", hint=hint)
    kept = [item for item, good in zip(cut, there, strict=True) if good]
    found = _by_summarizer(kept, values[there], len(places))
    short = sum(s.words < limit for _, s in summaries)
    explained = Explained.of(values[there])
    return LikelihoodStudy(found, explained, metric, limit, short, int((~there).sum()))


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
    absent = [c.sums(c.own * (c.other == 0)) for c in word_counts(cases, "input", reading)]
    mean = per_word.score(per_word.statistics(cases))
    return np.column_stack([metric.statistics(cases), mean, np.concatenate(absent)])


def _by_summarizer(
    summaries: Sequence[tuple[int, Summary]], values: Floats, places: int
) -> tuple[SummarizerLikelihood, ...]:
    kinds = {summary.system: summary.kind for _, summary in summaries}
    systems = sorted(kinds, key=natural_order)
    columns = places_of((summary.system for _, summary in summaries), systems)
    rows = np.array([row for row, _ in summaries])
    adjusted = _adjusted(rows, columns, values[:, 0], (places, len(systems))).tolist()
    found = []
    for column, system in enumerate(systems):
        own = values[columns == column]
        mean, *words = own.mean(axis=0).tolist()
        numbers = (len(own), mean, adjusted[column], *words)
        found.append(SummarizerLikelihood(system, kinds[system], *numbers))
    return tuple(sorted(found, key=lambda row: -row.mean))


def _adjusted(rows: Ints, columns: Ints, values: Floats, shape: tuple[int, int]) -> Floats:
    """Return least-squares means, or nothing where summarizers cannot be compared."""
    counts = np.zeros(shape, dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    counts = counts[counts.any(axis=1)]
    if min(counts.shape) < 2 or not linked_rows(counts.T).all():
        return np.full(shape[1], np.nan)
    fit = two_way_anova(values, columns.tolist(), rows.tolist())
    return fit.first.means[places_of(range(shape[1]), fit.first.levels)]


_SUMMARIZER: View[SummarizerLikelihood] = View(
    "summarizers",
    (
        data("study", lambda _: "likelihood"),
        *columns("summarizer", "kind", "topics"),
        Column("log_likelihood", "log-likelihood", lambda row: row.mean),
        *columns("adjusted", "words", "per_word", "absent"),
    ),
    digits=2,
)
_KINDS = {"human": "people", "machine": "machines"}
# So many summaries can tell two slopes.
_FEW = 6
_TITLE = "Log-likelihood of summaries under their input"


@question
def likelihood(
    source: SourceAndPeers, cut: CutSummaries, absent: AbsentWords, words: CountedWords
) -> Result[SummarizerLikelihood]:
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
    return Result(
        command="study likelihood",
        signature=source.sign(
            f"likelihood({metric})", collection, ("words", cut.words), ("tok", "rouge")
        ),
        values=study.summarizers,
        record=_SUMMARIZER.record,
        tables=[_SUMMARIZER.table(study.summarizers, _TITLE, _note(study))],
        left_out=(*collection.left_out, *left_out, *_warnings(study)),
        charts=[Chart("likelihood", partial(_figure, study, len(places)))],
    )


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
    """Say how little the likelihood tells beside lengths and absent words."""
    fit = study.explained
    if np.isnan(fit.share) or fit.summaries < _FEW:
        return "Absent words and length often dominate the likelihood."
    rule = "dominate: they explain" if fit.share >= 0.5 else "explain"
    told = (
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
    return f"{told} On average: {'; '.join(means)}."


def _figure(study: LikelihoodStudy, topics: int) -> "Figure":
    cut = f"; summaries cut to {study.limit} words" if study.limit else ""
    return marked_rows_figure(
        [MarkedRow(row.summarizer, row.kind, (row.mean,)) for row in study.summarizers],
        title=_TITLE,
        note=f"multinomial model, mean over each one's topics ({topics} in all){cut}",
        label="log-likelihood",
    )
