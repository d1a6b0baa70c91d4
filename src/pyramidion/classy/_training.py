"""Training: fit on one year, select on the next, refit on it, predict the one after."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, Literal

import numpy as np

import pyramidion
from pyramidion.classy._fits import METHODS, FitMethod, LinearFit, fit_linear
from pyramidion.classy._learners import SubsetChoice, choose_by_topics, learner_of
from pyramidion.classy._models import LinearModel
from pyramidion.classy._search import Criterion, SelectionLevel, SubsetSearch, search_subsets
from pyramidion.classy._table import (
    FeatureGroup,
    FeatureSet,
    Peers,
    TrainingData,
    feature_set,
    feature_table,
    join_tables,
    varies,
    within_topics,
)
from pyramidion.collection import Collection, Summary
from pyramidion.errors import InputError, NotFoundError, PyramidionError
from pyramidion.metrics._cases import other_references
from pyramidion.questions import Options, Progress, option
from pyramidion.stats.regression import RobustScale

# The four versions of the papers, and their targets.

#: Possible measures of each target, in order of preference.
HUMAN_MEASURES: Mapping[str, tuple[str, ...]] = {
    "pyramid": ("pyramid-modified", "pyramid"),
    "responsiveness": ("responsiveness",),
    "readability": ("readability",),
}


@dataclass(frozen=True, slots=True)
class Version:
    """A model to train: its target, and the methods to try."""

    label: str
    target: str
    methods: tuple[str, ...] = METHODS


#: The papers' versions, in the order of Tables 5.2 and 5.3.
VERSIONS: tuple[Version, ...] = (
    Version("8", "pyramid"),
    Version("25", "responsiveness"),
    Version("23", "readability"),
    Version("6", "responsiveness", ("nonneg",)),
)


def parse_targets(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Parse targets and their possible measures: ``content=relevance``, ``recall``, ...

    Measures after a name with ``=`` belong to it; before the first one, each is its own target.
    """
    targets: dict[str, tuple[str, ...]] = {}
    target = ""
    for text in texts:
        name, separator, measure = (part.strip() for part in text.partition("="))
        if not name or (separator and not measure):
            raise InputError(f"{text!r} names no target", hint="write content=relevance,recall")
        target = name if separator else target
        targets[target or name] = (*targets.get(target, ()), measure if separator else name)
    return targets


def choose_versions(labels: Sequence[str], targets: Sequence[str] = ()) -> tuple[Version, ...]:
    """Return versions by label, or one per target; without either, or with ``all``, all four."""
    if targets and labels:
        raise InputError("versions and targets cannot be combined", hint="pass one of them")
    if targets:
        return tuple(Version(target, target) for target in parse_targets(targets))
    if not labels or "all" in labels:
        return VERSIONS
    version_of_label = {version.label: version for version in VERSIONS}
    for label in labels:
        if label not in version_of_label:
            hint = f"use {', '.join(version_of_label)} or all"
            raise NotFoundError(f"there is no version {label!r}", hint=hint)
    return tuple(version for label, version in version_of_label.items() if label in labels)


def parse_human_measures(definitions: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Parse names of a collection's measures, such as ``pyramid=scu-recall``."""
    measures = dict(HUMAN_MEASURES)
    for text in definitions:
        predicted_measure, _, measure = (part.strip() for part in text.partition("="))
        if predicted_measure not in HUMAN_MEASURES or not measure:
            hint = f"write one of {', '.join(HUMAN_MEASURES)}, then = and the measure's name"
            raise InputError(f"{text!r} names no human measure", hint=hint)
        measures[predicted_measure] = (measure,)
    return measures


# How models are trained, and the result.

Method = Literal["robust", "nonneg", "canon", "regularized", "ranking"]

#: Methods that train on all topics of all years instead of searching subsets.
LEARNING_METHODS: tuple[Method, ...] = ("regularized", "ranking")


@dataclass(frozen=True, slots=True)
class Recipe(Options):
    """How to train.

    By default, a search uses Pearson's correlation over all summaries, and a learner Kendall's
    within topics.
    """

    features: FeatureSet | None = option(
        None, "Features to learn from: classy (the 13 of CLASSY), classy-2011 (the same, as the "
        "published models define them), nouveau (Nouveau-ROUGE), rose (ROSE) or family (all "
        "metrics, for the methods regularized and ranking).",
    )  # fmt: skip
    method: Method | None = option(
        None, "Learning method: robust, nonneg or canon, with a search for features (by default "
        "the best of the version's methods); or regularized or ranking, without a search.",
    )  # fmt: skip
    criterion: Criterion | None = option(
        None, "Correlation to maximize: pearson (the default), spearman or kendall (the default "
        "of regularized and ranking).",
    )  # fmt: skip
    level: SelectionLevel | None = option(
        None, "Level of the correlation: summary (over all summaries, the default), system (over "
        "systems' means) or input (within topics, the default of regularized and ranking).",
    )  # fmt: skip
    human: tuple[str, ...] = option(
        (),
        "Measures in the data that stand for the human measures, comma-separated, as "
        "NAME=MEASURE; for example, pyramid=scu-recall.",
    )
    without_features: tuple[str, ...] = option((), "Features to leave out, comma-separated.")
    without_assessors: tuple[str, ...] = option(
        (), "Assessors whose topics are left out, comma-separated."
    )
    exact: bool = option(
        False,
        "Compute ROUGE-2 and ROUGE-SU4 by the papers' formula, against the best reference.",
        flags=("--exact",),
    )
    scale: RobustScale = option(
        "matlab",
        "Residual scale of robust regression: matlab (as MATLAB computes it) or text (as the "
        "dissertation describes it).",
    )
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    targets: tuple[str, ...] = option((), "Targets with their measures.", on_command_line=False)

    def check(self) -> None:
        """Refuse unknown human measures, and a search over too many features."""
        parse_human_measures(self.human)
        if self.features == "family" and not self.learns:
            hint = "use the method regularized or ranking"
            raise InputError("the family has too many features to try every subset", hint=hint)

    @property
    def measures(self) -> Mapping[str, tuple[str, ...]]:
        """Possible measures of each target."""
        return {**parse_human_measures(self.human), **parse_targets(self.targets)}

    def measure(self, collection: Collection, target: str, task: str, name: str = "") -> str:
        """Find a collection's measure of a target."""
        names = self.measures.get(target, (target,))
        available_measures = collection.scores.select(task=task).measures
        for measure in names:
            if measure in available_measures:
                return measure
        suggestion = f"name yours with {target}=NAME; " if target in HUMAN_MEASURES else ""
        message = f"{name or collection.name} has no {' or '.join(names)}{_of_task(task)}"
        raise NotFoundError(
            message, hint=f"{suggestion}available: {', '.join(available_measures) or 'no scores'}"
        )

    @property
    def learns(self) -> bool:
        """Whether a learner is used instead of the search."""
        return self.method in LEARNING_METHODS

    @property
    def feature_set(self) -> FeatureSet:
        """The feature set, with the default resolved."""
        return self.features or ("family" if self.learns else "classy")

    @property
    def selection(self) -> tuple[Criterion, SelectionLevel]:
        """The criterion and the level, with defaults resolved."""
        if self.learns:
            return self.criterion or "kendall", self.level or "input"
        return self.criterion or "pearson", self.level or "summary"


@dataclass(frozen=True, slots=True, eq=False)
class TrainedModel:
    """A model, and the search or choice it was selected from."""

    model: LinearModel
    groups: tuple[FeatureGroup, ...]
    search: SubsetSearch | None = None
    choice: SubsetChoice | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """All trained models."""

    models: tuple[TrainedModel, ...]
    left_out: tuple[str, ...] = ()


# Training tables: features and judgments of each year.

# Metrics of the family that are undefined for a larger share of a year's summaries are left out.
_MAX_UNDEFINED = 0.01


def _of_task(task: str) -> str:
    """Name a task in messages; empty if it has no name."""
    return f" for task {task}" if task else ""


@dataclass(frozen=True, eq=False)
class TrainingJob:
    """The years of one task and set of peers, and the versions to train on them."""

    years: Mapping[str, Collection]
    task: str
    peers: Peers
    recipe: Recipe
    groups: tuple[FeatureGroup, ...] = ()
    versions: tuple[Version, ...] = ()

    @property
    def width(self) -> int:
        """The number of feature columns."""
        return sum(len(group.metrics) for group in self.groups)

    def label(self, *prefixes: str) -> str:
        """Return a label for messages."""
        return ", ".join((*prefixes, *([f"task {self.task}"] if self.task else []), self.peers))

    def measures(self, target: str) -> list[str]:
        """Return the measure of a target in each year."""
        return [
            self.recipe.measure(year, target, self.task, name) for name, year in self.years.items()
        ]

    @cached_property
    def together(self) -> tuple[str, ...]:
        """The human measures that canonical correlation uses together."""
        targets = dict.fromkeys(version.target for version in self.versions)
        measures = self.recipe.measures if targets.keys() & self.recipe.measures.keys() else {}
        return tuple(dict.fromkeys([*measures, *targets]))

    def require(self, target: str) -> None:
        """Refuse a target that cannot be learned."""
        for name, year in self.years.items():
            summaries = self._learnable(name, year)
            measure = self.recipe.measure(year, target, self.task, name)
            table = TrainingData.of(summaries, name)
            table = table.judged(year, self.task, [measure], self.recipe.without_assessors)
            known_values = table.targets[~np.isnan(table.targets)]
            min_rows = 3 if self.recipe.learns else self.width + 2
            if len(known_values) < min_rows:
                raise InputError(
                    f"{name}: {len(known_values)} of {len(summaries)} summaries have {measure}, "
                    f"too few for {self.width} columns of features",
                    hint=f"give at least {min_rows}, or leave out features",
                )
            if not varies(known_values[:, None])[0]:
                message = (
                    f"{name}: {measure} has the same value in all {len(known_values)} summaries"
                )
                raise InputError(
                    message, hint="nothing can be learned from it; choose another target"
                )

    def _learnable(self, name: str, year: Collection) -> list[Summary]:
        """Return the summaries of a year to train on; refuse a year without what they need."""
        machines_only, task_suffix = self.peers == "no-models", _of_task(self.task)
        peers = [
            summary for summary in year.summaries if summary.is_peer and summary.task == self.task
        ]
        learnable_summaries = [
            summary for summary in peers if summary.kind == "machine" or not machines_only
        ]
        if not learnable_summaries:
            qualifier = "by a machine " if machines_only else ""
            hint = "add summaries, or train for other peers or tasks"
            raise InputError(
                f"{name} has no summary {qualifier}to learn from{task_suffix}", hint=hint
            )
        if not machines_only and not any(
            summary.kind == "human" for summary in learnable_summaries
        ):
            message = f"{name} has no summary by a person to learn from{task_suffix}"
            raise InputError(message, hint="train with the peers no-models")
        needs = {
            need
            for group in self.groups
            for metric in group.metrics
            for need in metric.requirements
        }
        has_references = any(other_references(year, summary) for summary in learnable_summaries)
        if "references" in needs and not has_references:
            message = f"{name} has no references to compare with{task_suffix}"
            raise InputError(
                message, hint="add references (role reference or both) to its summaries"
            )
        topics = dict.fromkeys(summary.topic for summary in learnable_summaries)
        if "earlier references" in needs and not any(
            year.earlier_references(topic, self.task) for topic in topics
        ):
            hint = "declare a task with documents = base before the one with update, and add "
            hint += "its references"
            raise InputError(
                f"{name} has no earlier references to compare with{task_suffix}", hint=hint
            )
        return learnable_summaries

    def tables(self, step: Callable[[], None]) -> Iterator[TrainingData]:
        """Compute the features, and add human judgments."""
        for name, year in self.years.items():
            table = feature_table(
                year, task=self.task, peers=self.peers, groups=self.groups, name=name,
                progress=lambda metric, column, n_remaining: step(),
            )  # fmt: skip
            measures: dict[str, None] = {}
            for target in self.together:
                with suppress(NotFoundError):
                    measures[self.recipe.measure(year, target, self.task, name)] = None
            yield table.judged(year, self.task, [*measures], self.recipe.without_assessors)

    def left_out(self, tables: Sequence[TrainingData], target: str) -> Iterator[str]:
        """Count the summaries that cannot be used for training."""
        for table, measure in zip(tables, self.measures(target), strict=True):
            has_value = ~np.isnan(table.target(measure))
            n_undefined, n_missing = (
                int((has_value & ~table.complete).sum()),
                int((~has_value).sum()),
            )
            if n_undefined:
                yield f"{self.label(table.name)}: {n_undefined} summaries with an undefined feature"
            if n_missing:
                yield f"{self.label(table.name)}: {n_missing} summaries without {target}"

    def learned(
        self, tables: Sequence[TrainingData], target: str, other_targets: Sequence[str] = ()
    ) -> list[TrainingData]:
        """Return the rows that have a target, with the further targets that all years have.

        If the years use different measures, judgments are standardized within topics.
        """
        columns = [self.measures(target)]
        for other_target in (name for name in other_targets if name != target):
            with suppress(NotFoundError):
                measure_pairs = [columns[0], self.measures(other_target)]
                if all(map(_both_vary, tables, zip(*measure_pairs, strict=True))):
                    columns.append(measure_pairs[1])
        pairs = zip(tables, zip(*columns, strict=True), strict=True)
        learned_tables = [table.learned(measures) for table, measures in pairs]
        if len({data.target_names[0] for data in learned_tables}) > 1:
            learned_tables = [
                replace(data, targets=within_topics(data.targets, data.topics))
                for data in learned_tables
            ]
        return learned_tables


def _both_vary(table: TrainingData, measures: Sequence[str]) -> bool:
    """Return whether the second measure varies and is defined wherever the first one is."""
    values = table.rows(table.complete & ~np.isnan(table.target(measures[0]))).target(measures[1])
    return not np.isnan(values).any() and bool(varies(values[:, None])[0])


def drop_undefined_features(tables: Sequence[TrainingData]) -> tuple[list[TrainingData], list[str]]:
    """Drop metrics that are undefined for many summaries, and list them."""
    undefined_shares = np.max(
        [(~np.isfinite(table.features)).mean(axis=0) for table in tables], axis=0
    )
    is_mostly_defined = undefined_shares <= _MAX_UNDEFINED
    dropped_notes = [
        f"{tables[0].feature_names[column]} as a feature, undefined for "
        f"{undefined_shares[column]:.1%} of the summaries"
        for column in np.flatnonzero(~is_mostly_defined)
    ]
    groups = tuple(
        group for group, is_kept in zip(tables[0].groups, is_mostly_defined, strict=True) if is_kept
    )
    names = tuple(column for group in groups for column in group.columns)
    return [
        replace(
            table, features=table.features[:, is_mostly_defined], groups=groups, feature_names=names
        )
        for table in tables
    ], dropped_notes


def drop_constant_features(
    tables: Sequence[TrainingData],
) -> tuple[list[TrainingData], list[str]]:
    """Drop features with a column that is constant where models are fitted or selected."""
    first_table, dropped_groups, notes = tables[0], set[int](), []
    for tables_of_part in (tables[:-1], tables[-1:]):
        rows = np.concatenate([table.features[table.complete] for table in tables_of_part])
        for column in np.flatnonzero(~varies(rows)).tolist() if len(rows) else ():
            group = int(first_table.group_of[column])
            dropped_groups.add(group)
            notes.append(
                f"feature {first_table.groups[group].name}: {first_table.feature_names[column]} "
                f"has the same value in all {len(rows)} summaries of "
                f"{' and '.join(t.name for t in tables_of_part)}"
            )
    if len(dropped_groups) == len(first_table.groups):
        raise InputError(f"{notes[0]}, and no feature is left", hint="use other features")
    groups = tuple(
        group for number, group in enumerate(first_table.groups) if number not in dropped_groups
    )
    kept_columns = np.flatnonzero(~np.isin(first_table.group_of, [*dropped_groups]))
    names = tuple(first_table.feature_names[column] for column in kept_columns)
    return [
        replace(table, features=table.features[:, kept_columns], groups=groups, feature_names=names)
        for table in tables
    ], notes


# Models trained on the tables: by the search of the papers, or by a learner.

_MAX_FOLDS = 10


def search_for_target(
    job: TrainingJob,
    tables: Sequence[TrainingData],
    target: str,
    methods: Sequence[FitMethod],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> SubsetSearch:
    """Try every subset of the features for one target."""
    (criterion, level), first_table = job.recipe.selection, tables[0]
    columns = [
        np.flatnonzero(first_table.group_of == group).tolist()
        for group in range(len(first_table.groups))
    ]
    searches: list[SubsetSearch] = []
    overall_progress = Progress(progress)
    for index, method in enumerate(methods):
        *fitting_tables, last_table = job.learned(
            tables, target, job.together if method == "canon" else ()
        )
        training_and_selection = join_tables(fitting_tables), last_table
        for data in training_and_selection:
            for column in np.flatnonzero(~varies(data.features)):
                # The message names the feature as the option for leaving it out does.
                feature, rows = data.groups[data.group_of[column]].name, len(data.features)
                message = f"{data.feature_names[column]} has the same value in all {rows} summaries"
                raise InputError(f"{data.name}: {message}", hint=f"leave the feature {feature} out")
            data.require_fit_for_training()
        searches.append(
            search_subsets(
                *training_and_selection, groups=columns, methods=[method], criterion=criterion,
                level=level, scale=job.recipe.scale,
                progress=overall_progress.part(index, len(methods)).advance,
            )
        )  # fmt: skip
    return replace(
        searches[0],
        methods=tuple(methods),
        values=np.concatenate([index.values[:, :, :1] for index in searches]),
        iterations=np.max([index.iterations[:, :1] for index in searches], axis=0),
    )


def select_from_search(
    job: TrainingJob,
    tables: Sequence[TrainingData],
    version: Version,
    methods: Sequence[FitMethod],
    table: SubsetSearch,
) -> TrainedModel:
    """Select the best candidate of a search, and refit it on all years but the first."""
    method_rows = [table.methods.index(method) for method in methods]
    search = replace(table, methods=tuple(methods), values=table.values[method_rows])
    best = search.winner(0)
    data = job.learned(tables, version.target, job.together if best.method == "canon" else ())
    training = join_tables(data[1:])
    columns = training.features[:, best.columns]
    fit = fit_linear(best.method, columns, training.targets, scale=job.recipe.scale)
    groups = tables[0].groups
    fit_record = {
        "subset": [groups[number].name for number in best.groups],
        "tried": int(search.values.size),
        "criterion": table.criterion,
        "level": table.level,
        "value": best.value,
        "value_is": f"on the {'second year' if len(tables) == 2 else 'last set'}, by which it was "
        "selected: optimistic",
        "judged_together": list(data[-1].target_names),
    }
    model = _model(job, version, best.method, best.columns, fit, data, fit_record)
    return TrainedModel(model, groups, search=search)


def train_learner(
    job: TrainingJob, tables: Sequence[TrainingData], version: Version
) -> TrainedModel:
    """Let a learner select by cross-validation over topics, and train on all years."""
    recipe = job.recipe
    criterion, level = recipe.selection
    data = job.learned(tables, version.target)
    learner = learner_of(str(recipe.method), criterion, level)
    choice = choose_by_topics(
        learner,
        join_tables(data),
        criterion=criterion,
        level=level,
        folds=_MAX_FOLDS,
        rng=recipe.seed,
    )
    predictors = np.flatnonzero(choice.fit.coefficients).tolist()
    fit = LinearFit(choice.fit.coefficients[predictors], choice.fit.intercept)
    fit_record = {
        "chosen": choice.name,
        "tried": len(choice.values),
        "criterion": criterion,
        "level": level,
        "value": choice.value,
        "value_is": "on topics left out in turn; the best of those tried: a little optimistic",
    }
    model = _model(job, version, str(recipe.method), predictors, fit, data, fit_record)
    return TrainedModel(model, tables[0].groups, choice=choice)


def _model(
    job: TrainingJob,
    version: Version,
    method: str,
    columns: Sequence[int],
    fit: LinearFit,
    data: Sequence[TrainingData],
    fit_record: dict[str, Any],
) -> LinearModel:
    """Name a fit, and record everything needed to train it again."""
    recipe = job.recipe
    prefix = method if recipe.learns else recipe.feature_set
    changed_options = {
        "exact": recipe.exact,
        "scale": "" if recipe.scale == "matlab" else recipe.scale,
        "without_features": list(recipe.without_features),
        "without_assessors": list(recipe.without_assessors),
    }
    year_records = [
        {
            "name": table.name,
            "data": year.data_hash,
            "measure": table.target_names[0],
            "rows": len(table.features),
            "topics": len(set(table.topics)),
            "systems": len(set(table.systems)),
        }
        for table, year in zip(data, job.years.values(), strict=True)
    ]
    return LinearModel(
        name="/".join(filter(None, (prefix, version.label, job.task, job.peers))),
        columns=tuple(data[-1].feature_names[table] for table in columns),
        coefficients=tuple(fit.coefficients.tolist()),
        constant=float(fit.intercept),
        target=data[-1].target_names[0],
        method=method,
        task=job.task,
        peers=job.peers,
        training={
            "pyramidion": pyramidion.__version__,
            "years": year_records,
            "features": recipe.feature_set,
            **fit_record,
            **{name: value for name, value in changed_options.items() if value},
            "seed": recipe.seed,
        },
    )


# Training on several years: a model for each version, task and set of peers.

#: All peers, and machines only.
PEERS: tuple[Peers, ...] = ("all", "no-models")

# Steps of progress per search; a column of features is one step.
_SEARCH_STEPS = 40


def plan_training(
    *collections: Collection,
    versions: Sequence[Version] = VERSIONS,
    tasks: Sequence[str] = (),
    peers: Sequence[Peers] = PEERS,
    recipe: Recipe | None = None,
    names: Sequence[str] | None = None,
) -> "TrainingPlan":
    """Determine what can be trained, before any long work starts."""
    recipe = recipe or Recipe()
    year_names = _names(collections, recipe, names)
    years = dict(zip(year_names, collections, strict=True))
    jobs: list[TrainingJob] = []
    problems: dict[str, PyramidionError] = {}
    for task, peer_set in product(_tasks(collections, year_names, tasks), peers):
        job = TrainingJob(years, task, peer_set, recipe)
        possible_versions = []
        for version in versions:
            try:
                job = replace(job, groups=job.groups or _features(collections, task, recipe))
                job.require(version.target)
                possible_versions.append(version)
            except PyramidionError as problem:
                problems[f"version {version.label}, {job.label()}: {problem.what}"] = problem
        if possible_versions:
            jobs.append(replace(job, versions=tuple(possible_versions)))
    if not jobs:
        nothing_to_train = InputError("there is nothing to train", hint="choose versions and peers")
        raise next(iter(problems.values()), nothing_to_train)
    return TrainingPlan(tuple(jobs), tuple(problems))


def _names(
    collections: Sequence[Collection], recipe: Recipe, names: Sequence[str] | None
) -> tuple[str, ...]:
    """Name the years; refuse repeated years, too few, and unknown assessors."""
    if len(collections) < (1 if recipe.learns else 2):
        hint = "pass two or more; the methods regularized and ranking need only one"
        raise InputError(f"{len(collections)} years are too few", hint=hint)
    if len({year.data_hash for year in collections}) < len(collections):
        quantity = "both" if len(collections) == 2 else "two"
        message = f"{quantity} years are the same data, so selection would be biased"
        raise InputError(message, hint="pass different years, or parts with different topics")
    assessors = {topic.assessor for year in collections for topic in year.topics}
    assessors |= {assessor for year in collections for assessor in year.scores.distinct("assessor")}
    for assessor in recipe.without_assessors:
        if assessor not in assessors - {""}:
            listing = ", ".join(sorted(assessors - {""})) or "none"
            raise NotFoundError(f"there is no assessor {assessor!r}", hint=f"available: {listing}")
    year_names = tuple(names or (year.name for year in collections))
    if len(set(year_names)) < len(year_names):
        return tuple(f"{name} (year {number})" for number, name in enumerate(year_names, start=1))
    return year_names


def _tasks(
    collections: Sequence[Collection], names: Sequence[str], requested_tasks: Sequence[str]
) -> tuple[str, ...]:
    task_sets = [
        {summary.task for summary in year.summaries if summary.is_peer} for year in collections
    ]
    shared_tasks = tuple(
        task for task in collections[0].task_ids if task in set.intersection(*task_sets)
    )
    scope = "both years" if len(collections) == 2 else "every year"
    for task in requested_tasks:
        if task not in shared_tasks:
            hint = f"available: {', '.join(map(repr, shared_tasks)) or 'none'}"
            raise NotFoundError(f"no summaries of task {task!r} in {scope}", hint=hint)
    if not shared_tasks:
        hint = "add summaries to score, and give tasks the same names"
        raise InputError(f"{' and '.join(names)} have no task in common", hint=hint)
    return tuple(requested_tasks) or shared_tasks


def _features(years: Sequence[Collection], task: str, recipe: Recipe) -> tuple[FeatureGroup, ...]:
    """Return the features to use."""
    groups = feature_set(
        recipe.feature_set,
        update=all(year.task(task).is_update for year in years),
        documents=all(
            any(year.documents(topic.id, task) for topic in year.topics) for year in years
        ),
        exact=recipe.exact,
    )
    names = [group.name for group in groups]
    for name in recipe.without_features:
        if name not in names:
            hint = f"available: {', '.join(names)}"
            raise NotFoundError(f"there is no feature {name!r}", hint=hint)
    kept_groups = tuple(group for group in groups if group.name not in recipe.without_features)
    if not kept_groups:
        raise InputError("no feature is left", hint="leave out fewer")
    return kept_groups


@dataclass(frozen=True, slots=True, eq=False)
class TrainingPlan:
    """The models that can be trained, by task and peers.

    The papers' methods fit every subset of the features on all years but the last with each of the
    version's methods, select the one that predicts the last year best, and refit it on all but the
    first: of two years, the second (chapter 5.5). The learners select by cross-validation over
    topics, and train on all years.
    """

    jobs: tuple[TrainingJob, ...]
    problems: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """The number of models."""
        return sum(len(job.versions) for job in self.jobs)

    def run(self, progress: Callable[[int, int], None] = lambda done, total: None) -> Training:
        """Train all models."""
        counter = _Progress(progress, sum(map(_count_steps, self.jobs)))
        models: list[TrainedModel] = []
        left_out = dict.fromkeys(self.problems)
        for job in self.jobs:
            tables = list(job.tables(counter.step))
            if job.recipe.feature_set == "family":
                tables, dropped_notes = drop_undefined_features(tables)
                left_out |= dict.fromkeys(f"{job.label()}: {line}" for line in dropped_notes)
            if not job.recipe.learns:
                tables, dropped_notes = drop_constant_features(tables)
                left_out |= dict.fromkeys(f"{job.label()}: {line}" for line in dropped_notes)
            for version in job.versions:
                left_out |= dict.fromkeys(job.left_out(tables, version.target))
            models += _train_versions(job, tables, counter)
        for trained_model in models:
            if (search := trained_model.search) is None:
                continue
            for method, n_undefined in zip(search.methods, search.undefined, strict=True):
                # This happens, for example, if the targets of most rows are equal.
                if n_undefined[0] == len(search.masks):
                    line = (
                        f"{trained_model.model.name}: method {method}, for which no subset has "
                        "a score"
                    )
                    left_out[line] = None
        return Training(tuple(models), tuple(left_out))


def _count_steps(job: TrainingJob) -> int:
    distinct_targets = {version.target for version in job.versions}
    n_learned = len(job.versions) if job.recipe.learns else len(distinct_targets)
    return len(job.years) * job.width + _SEARCH_STEPS * n_learned


class _Progress:
    """Counts steps."""

    def __init__(self, report: Callable[[int, int], None], total: int) -> None:
        self._report, self._total, self._n_done = report, total, 0

    def step(self, steps: int = 1) -> None:
        self._n_done += steps
        self._report(min(self._n_done, self._total), self._total)

    def search(self, steps: int) -> Callable[[int, int], None]:
        """Return a progress callback for a search that takes this many steps."""
        start = self._n_done
        return lambda n_done, total: self.step(start + steps * n_done // total - self._n_done)


def _train_versions(
    job: TrainingJob, tables: Sequence[TrainingData], counter: _Progress
) -> Iterator[TrainedModel]:
    searches: dict[str, SubsetSearch] = {}
    for version in job.versions:
        if job.recipe.learns:
            yield train_learner(job, tables, version)
            counter.step(_SEARCH_STEPS)
            continue
        target = version.target
        if target not in searches:
            methods = _methods(
                job.recipe, [version for version in job.versions if version.target == target]
            )
            report = counter.search(_SEARCH_STEPS)
            searches[target] = search_for_target(job, tables, target, methods, report)
        methods = _methods(job.recipe, [version])
        yield select_from_search(job, tables, version, methods, searches[target])


def _methods(recipe: Recipe, versions: Sequence[Version]) -> tuple[FitMethod, ...]:
    needed_methods = {method for version in versions for method in version.methods}
    if recipe.method is not None:
        needed_methods = {recipe.method}
    return tuple(method for method in METHODS if method in needed_methods)


def topic_parts(collection: Collection, parts: int, *, seed: int = 0) -> Iterator[Collection]:
    """Split a collection into parts with disjoint topics, to simulate several years.

    Parameters
    ----------
    collection
        The collection to split.
    parts
        Number of parts.
    seed
        Random seed for shuffling the topics.

    Examples
    --------
    >>> summaries = tuple(Summary(f"T{number}", "7", "Rain.") for number in range(5))
    >>> [len(part.summaries) for part in topic_parts(Collection("mine", summaries=summaries), 2)]
    [3, 2]
    """
    topics = collection.topic_ids
    if not 1 <= parts <= len(topics):
        message = f"{len(topics)} topics cannot be split into {parts} parts"
        raise InputError(message, hint="choose fewer parts")
    shuffled_indices = np.random.default_rng(seed).permutation(len(topics))
    for number, topic_indices in enumerate(np.array_split(shuffled_indices, parts), start=1):
        part_topics = {topics[index] for index in topic_indices.tolist()}
        is_in_part = [topic in part_topics for topic in collection.scores.columns["topic"]]
        yield replace(
            collection,
            name=f"{collection.name}, part {number}",
            topics=tuple(topic for topic in collection.topics if topic.id in part_topics),
            summaries=tuple(
                summary for summary in collection.summaries if summary.topic in part_topics
            ),
            scores=collection.scores.rows(np.array(is_in_part, dtype=bool)),
            pyramids={
                key: pyramid
                for key, pyramid in collection.pyramids.items()
                if key[1] in part_topics
            },
            peer_annotations={
                key: annotation
                for key, annotation in collection.peer_annotations.items()
                if key[1] in part_topics
            },
        )
