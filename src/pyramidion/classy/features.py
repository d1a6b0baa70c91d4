"""The 13 features of CLASSY, and tables of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Collection, Summary
from pyramidion.errors import InputError, NotFoundError
from pyramidion.metrics import Metric, parse_metric, score_collection

__all__ = ["FeatureGroup", "FeatureTable", "Peers", "feature_groups", "feature_table"]

#: Whose summaries: everybody's, or machines' only.
Peers = Literal["all", "no-models"]

# Name, row of the tables of models, metric; the order is that of the tables.
_CONTENT = (
    ("r2", "R2", "rouge-2-r(stem{})"),
    ("su4", "SU4", "rouge-su4-r(stem{})"),
    ("coverage", "Coverage", "bigram-coverage({})"),
    ("bigrams", "Bigrams", "bigram-unnormalised({})"),
    ("bigrams-p2p", "Bigrams P2P", "bigram-p2p({})"),
    ("coverage-p2p", "Coverage P2P", "bigram-coverage-p2p({})"),
)
_PRINTED = {"r2": "rouge-max-2({})", "su4": "rouge-max-su4({})"}
_LINGUISTIC = (
    ("term-overlap", "log2(1+Term Overlap)", "term-overlap"),
    ("norm-term-overlap", "Norm Term Overlap", "term-overlap-normalised"),
    ("redundant-1", "Redundant 1", "redundancy-1"),
    ("redundant-2", "Redundant 2", "redundancy-2"),
    ("term-entropy", "Term Entropy", "term-entropy"),
    ("log-sentences", "-log2(sent length)", "neg-log-sentences"),
    ("neg-sentence-entropy", "Neg Sent Entropy", "neg-sentence-entropy"),
)


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """A feature: one metric, or two that enter a model together.

    Parameters
    ----------
    name
        As it is typed.
    title
        As the tables of models call it.
    metrics
        One metric; for an update's content the one against the earlier references (A) and the
        one against its own (B).

    Examples
    --------
    >>> FeatureGroup("r2", "R2", (parse_metric("rouge-2-r(stem)"),)).columns
    ('rouge-2-r(stem)',)
    """

    name: str
    title: str
    metrics: tuple[Metric, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The metrics, as they are typed."""
        return tuple(map(str, self.metrics))


def feature_groups(update: bool, *, exact: bool = False) -> tuple[FeatureGroup, ...]:
    """Give the 13 features, in the order of the papers' tables of models.

    Parameters
    ----------
    update
        For update summaries: features of content are pairs, against the earlier references and
        against their own.
    exact
        Compute R2 and SU4 by the papers' formula (see `RougeMax`) instead of ROUGE-1.5.5's.

    Examples
    --------
    >>> [group.title for group in feature_groups(False)][:4]
    ['R2', 'SU4', 'Coverage', 'Bigrams']
    >>> feature_groups(True)[2].columns
    ('bigram-coverage(against=earlier)', 'bigram-coverage')
    """
    content = ((n, t, _PRINTED.get(n, metric) if exact else metric) for n, t, metric in _CONTENT)
    return (
        *(FeatureGroup(n, t, tuple(_content_metrics(metric, update))) for n, t, metric in content),
        *(FeatureGroup(n, t, (parse_metric(metric),)) for n, t, metric in _LINGUISTIC),
    )


def _content_metrics(written: str, update: bool) -> Iterator[Metric]:
    if update:
        yield parse_metric(written.format(",against=earlier"))
    yield parse_metric(written.format(""))


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTable:
    """Features of summaries.

    Parameters
    ----------
    summaries
        One a row.
    values
        Summaries x columns, NaN where a feature is undefined.
    groups
        The features; their columns stand one after the other.
    left_out
        What is undefined, counted, in words.

    Examples
    --------
    >>> summaries = (Summary("T1", "A", "Rain.", kind="human"), Summary("T1", "7", "It rained."),
    ...              Summary("T1", "B", "It rained.", kind="human"))
    >>> table = feature_table(Collection("mine", summaries=summaries), peers="no-models")
    >>> table.values.shape, [summary.system for summary in table.summaries]
    ((1, 13), ['7'])
    >>> table.columns[:2], table.columns_of(["coverage", "r2"]).tolist()
    (('rouge-2-r(stem)', 'rouge-su4-r(stem)'), [0, 2])
    """

    summaries: tuple[Summary, ...]
    values: Floats
    groups: tuple[FeatureGroup, ...]
    left_out: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The metrics of the columns, as they are typed."""
        return tuple(column for group in self.groups for column in group.columns)

    @property
    def group_of(self) -> Ints:
        """The number of each column's group."""
        return np.repeat(np.arange(len(self.groups)), [len(g.metrics) for g in self.groups])

    @property
    def complete(self) -> Bools:
        """Which summaries have all features."""
        return np.array(np.isfinite(self.values).all(axis=1))

    def only(self, rows: Any) -> "FeatureTable":
        """Take some summaries.

        Parameters
        ----------
        rows
            Their numbers, or a mask.
        """
        numbers = np.arange(len(self.summaries))[rows]
        summaries = tuple(self.summaries[number] for number in numbers)
        return replace(self, summaries=summaries, values=self.values[numbers])

    def columns_of(self, groups: Iterable[str]) -> Ints:
        """Give the numbers of some groups' columns, ascending.

        Parameters
        ----------
        groups
            Their names.
        """
        numbers = {group.name: number for number, group in enumerate(self.groups)}
        chosen = []
        for name in groups:
            if name not in numbers:
                raise NotFoundError(
                    f"there is no feature {name!r}", hint=f"there are: {', '.join(numbers)}"
                )
            chosen.append(numbers[name])
        return np.flatnonzero(np.isin(self.group_of, chosen))


def feature_table(
    collection: Collection,
    *,
    task: str | None = None,
    peers: Peers = "all",
    jackknife: bool | None = None,
    groups: Sequence[FeatureGroup] | None = None,
    exact: bool = False,
    threads: int = 1,
    known: Mapping[str, Floats] | None = None,
    progress: Callable[[str, Floats, int], None] | None = None,
) -> FeatureTable:
    """Compute the features of a task's summaries.

    Whether content is compared with earlier references, too, follows from the task: it is, if
    the task is an update.

    Parameters
    ----------
    collection
        Summaries and references.
    task
        Which task; may be left out if there is one.
    peers
        ``all``: people's summaries, each against the other people's, and machines', averaged
        over all references but one so that both face equally many. ``no-models``: machines'
        summaries against all references.
    jackknife
        Whether machines are averaged so, if the peers are not to decide.
    groups
        Other features than the 13.
    exact, threads
        See `feature_groups` and `score_collection`.
    known, progress
        Columns that are there already, and who is told of each that is done; see
        `score_collection`.

    Examples
    --------
    >>> summaries = (Summary("T1", "A", "Rain.", kind="human"), Summary("T1", "7", "It rained."),
    ...              Summary("T1", "B", "It rained.", kind="human"))
    >>> table = feature_table(Collection("mine", summaries=summaries))
    >>> table.values[:, table.columns_of(["r2"])].ravel().tolist()
    [0.0, 0.5, 0.0]
    """
    if peers not in ("all", "no-models"):
        raise InputError(f"peers are {peers!r}", hint="use all or no-models")
    task = _only_task(collection) if task is None else task
    if groups is None:
        groups = feature_groups(collection.task(task).documents == "update", exact=exact)
    metrics = [metric for group in groups for metric in group.metrics]
    scored = score_collection(
        _narrowed(collection, task, peers, metrics),
        metrics,
        jackknife=peers == "all" if jackknife is None else jackknife,
        threads=threads,
        known=known,
        progress=progress,
    )
    return FeatureTable(scored.summaries, scored.values, tuple(groups), scored.left_out)


def _only_task(collection: Collection) -> str:
    tasks = sorted({summary.task for summary in collection.summaries if summary.is_peer})
    if len(tasks) != 1:
        raise InputError(
            f"the collection {collection.name} has summaries of {len(tasks)} tasks",
            hint=f"choose a task: {', '.join(tasks)}" if tasks else "add summaries to it",
        )
    return tasks[0]


def _narrowed(
    collection: Collection, task: str, peers: Peers, metrics: Sequence[Metric]
) -> Collection:
    """Keep the summaries to be scored, references, and documents if they are looked at."""
    summaries = tuple(_kept(collection.summaries, task, peers))
    if not any(summary.is_peer for summary in summaries):
        whose = "" if peers == "all" else " by a machine"
        called = f" for task {task}" if task else ""
        raise InputError(
            f"the collection {collection.name} has no summary{whose}{called}",
            hint=f"there are tasks: {', '.join(filter(None, collection.task_ids)) or 'none'}",
        )
    looked_at = any("documents" in metric.requirements for metric in metrics)
    return replace(collection, summaries=summaries, topics=collection.topics if looked_at else ())


def _kept(summaries: Sequence[Summary], task: str, peers: Peers) -> Iterator[Summary]:
    for summary in summaries:
        if summary.task == task and (peers == "all" or summary.kind == "machine"):
            yield summary
        elif summary.is_reference:
            yield replace(summary, role="reference")
