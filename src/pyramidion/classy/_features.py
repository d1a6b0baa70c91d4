"""Features of summaries: CLASSY's 13, those of other fitted metrics, the whole family."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Collection, Summary
from pyramidion.errors import InputError, NotFoundError
from pyramidion.metrics import Metric, parse_metric, score_collection
from pyramidion.metrics._registry import BUILT_IN
from pyramidion.metrics._rouge import RougeMeasure

# The 13 features of CLASSY, and tables of them.

#: Whose summaries: everybody's, or machines' only.
Peers = Literal["all", "no-models"]

# Name, row of the tables of models, metric; the order is that of the tables.
_CONTENT = (
    ("r2", "R2", "rouge-2-r(stem{})"),
    ("su4", "SU4", "rouge-su4-r(stem{})"),
    ("coverage", "Coverage", "bigram-coverage({})"),
    ("bigrams", "Bigrams", "bigram-unnormalized({})"),
    ("bigrams-p2p", "Bigrams P2P", "bigram-p2p({})"),
    ("coverage-p2p", "Coverage P2P", "bigram-coverage-p2p({})"),
)
_PRINTED = {"r2": "rouge-max-2({})", "su4": "rouge-max-su4({})"}
_LINGUISTIC = (
    ("term-overlap", "log2(1+Term Overlap)", "term-overlap"),
    ("norm-term-overlap", "Norm Term Overlap", "term-overlap-normalized"),
    ("redundant-1", "Redundant 1", "redundancy-1"),
    ("redundant-2", "Redundant 2", "redundancy-2"),
    ("term-entropy", "Term Entropy", "term-entropy"),
    ("log-sentences", "-log2(sent length)", "neg-log-sentences"),
    ("neg-sentence-entropy", "Neg Sent Entropy", "neg-sentence-entropy"),
)


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """A feature: one metric, or two that enter a model together."""

    name: str
    title: str
    metrics: tuple[Metric, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The metrics, as they are typed."""
        return tuple(map(str, self.metrics))


def feature_groups(update: bool, *, exact: bool = False) -> tuple[FeatureGroup, ...]:
    """Give the 13 features, in the order of the papers' tables of models."""
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
    """Features of summaries."""

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
        """Take some summaries."""
        numbers = np.arange(len(self.summaries))[rows]
        summaries = tuple(self.summaries[number] for number in numbers)
        return replace(self, summaries=summaries, values=self.values[numbers])


def feature_table(
    collection: Collection,
    *,
    task: str | None = None,
    peers: Peers = "all",
    groups: Sequence[FeatureGroup] | None = None,
    **scoring: Any,
) -> FeatureTable:
    """Compute the features of a task's summaries, with further options of `score_collection`.

    Whether content is compared with earlier references, too, follows from the task: it is, if
    the task is an update.
    """
    task = _only_task(collection) if task is None else task
    if groups is None:
        groups = feature_groups(collection.task(task).is_update)
    metrics = [metric for group in groups for metric in group.metrics]
    narrowed = _narrowed(collection, task, peers, metrics)
    scored = score_collection(narrowed, metrics, jackknife=peers == "all", **scoring)
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


# Which features a model may have: CLASSY's, those of two other fitted metrics, or the family.

FeatureSet = Literal["classy", "nouveau", "rose", "family"]

FEATURE_SETS: tuple[FeatureSet, ...] = get_args(FeatureSet)

_NOUVEAU = (("nouveau-2", "rouge-2-r"), ("nouveau-su4", "rouge-su4-r"))
_ROSE = ("1", "2", "3", "4", "l", "w-1.2", "s4", "su4")

# ROUGE in the family: variants that differ in what they see, not in all their options.
_ROUGE = (
    *(f"rouge-{variant}-{part}" for variant in ("1", "2", "l", "su4") for part in "rpf"),
    *(f"rouge-{variant}-{part}(stem)" for variant in ("1", "2", "l", "su4") for part in "rf"),
    *("rouge-3-r", "rouge-3-f", "rouge-w-1.2-f(stem)"),
    *(f"rouge-1-{part}(stem,stop_words)" for part in "rf"),
    *(f"rouge-2-{part}(stem,stop_words)" for part in "rf"),
    *(f"rouge-{variant}-r(stem,models=best)" for variant in ("1", "2", "l")),
    *(f"rouge-{variant}-f(stem,models=best)" for variant in ("1", "2")),
)


# Metrics that were themselves fitted to open sets, on which models of the family are judged.
_LEARNED = frozenset({"auto-pyramid"})


def feature_set(
    name: str, *, update: bool = False, documents: bool = False, exact: bool = False
) -> tuple[FeatureGroup, ...]:
    """Give the features of a set.

    Nouveau-ROUGE: Conroy, Schlesinger and O'Leary (2011), Computational Linguistics 37(1). ROSE:
    Conroy and Dang (2008), Mind the gap, COLING.
    """
    if name not in FEATURE_SETS:
        raise NotFoundError(
            f"there are no features {name!r}", hint=f"use {', '.join(FEATURE_SETS)}"
        )
    if name == "classy":
        return feature_groups(update, exact=exact)
    if name == "nouveau":
        return tuple(
            _group(own, f"{of}(stem,against=earlier)", f"{of}(stem)") for own, of in _NOUVEAU
        )
    if name == "rose":
        return tuple(_group(f"rouge-{variant}", f"rouge-{variant}-r(stem)") for variant in _ROSE)
    return tuple(_group(str(metric), str(metric)) for metric in _family(update, documents))


def _group(name: str, *metrics: str) -> FeatureGroup:
    return FeatureGroup(name, name, tuple(map(parse_metric, metrics)))


def _family(update: bool, documents: bool) -> Iterator[Metric]:
    yield from map(parse_metric, _ROUGE)
    if update:
        yield from (parse_metric(f"{of}(stem,against=earlier)") for _, of in _NOUVEAU)
    unwanted = {"parser", *(() if documents else ("documents",))}
    for kind in (own for own in BUILT_IN if own.name not in _LEARNED):
        # What describes a summary without judging it would be learned for its set alone.
        if kind is not RougeMeasure and not (kind.descriptive or kind.extra):
            found = map(parse_metric, kind.names())
            yield from (metric for metric in found if not metric.requirements & unwanted)
