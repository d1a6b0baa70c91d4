"""Training: fit on one year, choose on the next, refit on it, predict the one after."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

import pyramidion
from pyramidion.classy._features import Peers
from pyramidion.classy._fits import METHODS, FitMethod, LinearFit, TrainingData, fit_linear, varies
from pyramidion.classy._learners import (
    Learner,
    choose_by_topics,
    joined,
    ranking_fits,
    regularized_fits,
)
from pyramidion.classy._models import LinearModel
from pyramidion.classy._search import SubsetSearch, search_subsets
from pyramidion.classy._training_set import Lessons, Recipe, Syllabus, TrainedModel, Training
from pyramidion.classy._years import VERSIONS, Version, Year
from pyramidion.collection import Collection
from pyramidion.errors import InputError, NotFoundError, PyramidionError

# Models from what there is to learn from: by the search of the papers, or by a learner.

_FOLDS = 10


def search_table(
    lessons: Lessons,
    target: str,
    methods: Sequence[FitMethod],
    *,
    others: Sequence[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> SubsetSearch:
    """Try every subset of the features, and give the table for one target."""
    criterion, level = lessons.syllabus.recipe.selection
    parts: list[SubsetSearch] = []
    for method in methods:
        first, second = lessons.data(target, others if method == "canon" else ())
        for year in (first, second):
            _require_varying(lessons, year)
            year.require_fit_for_training()
        parts.append(
            search_subsets(
                first,
                second,
                groups=_group_columns(lessons),
                methods=[method],
                criterion=criterion,
                level=level,
                scale=lessons.syllabus.recipe.scale,
                progress=_share(progress, len(parts), len(methods)),
            )
        )
    return replace(
        parts[0],
        methods=tuple(methods),
        values=np.concatenate([part.values[:, :, :1] for part in parts]),
        iterations=np.max([part.iterations[:, :1] for part in parts], axis=0),
    )


def _require_varying(lessons: Lessons, year: TrainingData) -> None:
    """Refuse a feature that is the same everywhere, by the name it is left out by."""
    table = lessons.tables[0]
    for column in np.flatnonzero(~varies(year.features)):
        feature = table.groups[table.group_of[column]].name
        raise InputError(
            f"{year.name}: {table.columns[column]} has the same value in all "
            f"{len(year.features)} summaries",
            hint=f"leave the feature {feature} out",
        )


def _share(told: Callable[[int, int], None], part: int, parts: int) -> Callable[[int, int], None]:
    return lambda done, total: told(part * total + done, parts * total)


def _group_columns(lessons: Lessons) -> list[list[int]]:
    table = lessons.tables[0]
    return [np.flatnonzero(table.group_of == g).tolist() for g in range(len(table.groups))]


def searched_model(
    lessons: Lessons,
    version: Version,
    methods: Sequence[FitMethod],
    table: SubsetSearch,
    *,
    others: Sequence[str] = (),
) -> TrainedModel:
    """Take the best of a table, and refit it on the second year."""
    own = _narrowed(table, methods)
    best = own.winner(0)
    first, second = lessons.data(version.target, others if best.method == "canon" else ())
    fit = fit_linear(
        best.method,
        second.features[:, best.columns],
        second.targets,
        scale=lessons.syllabus.recipe.scale,
    )
    groups = lessons.tables[0].groups
    chosen = {
        "subset": [groups[number].name for number in best.groups],
        "tried": int(own.values.size),
        "criterion": table.criterion,
        "level": table.level,
        "value": best.value,
        "value_is": "on the second year, by which it was chosen: optimistic",
        "judged_together": list(second.target_names),
    }
    columns = [second.feature_names[column] for column in best.columns]
    model = _model(lessons, version, best.method, (columns, fit), (first, second), chosen)
    return TrainedModel(model, groups, search=own)


def _narrowed(table: SubsetSearch, methods: Sequence[FitMethod]) -> SubsetSearch:
    places = [table.methods.index(method) for method in methods]
    return replace(table, methods=tuple(methods), values=table.values[places])


def learned_model(lessons: Lessons, version: Version) -> TrainedModel:
    """Let a learner choose by topics left out, and learn from both years."""
    recipe = lessons.syllabus.recipe
    criterion, level = recipe.selection
    years = lessons.data(version.target)
    learner: Learner = ranking_fits
    if recipe.method == "regularized":
        learner = partial(regularized_fits, criterion=criterion, level=level)
    choice = choose_by_topics(
        learner, joined(years), criterion=criterion, level=level, folds=_FOLDS, rng=recipe.seed
    )
    used = np.flatnonzero(choice.fit.coefficients)
    columns = [years[0].feature_names[column] for column in used]
    fit = LinearFit(choice.fit.coefficients[used], choice.fit.intercept)
    chosen = {
        "chosen": choice.name,
        "tried": len(choice.values),
        "criterion": criterion,
        "level": level,
        "value": choice.value,
        "value_is": "on topics left out in turn; the best of those tried: a little optimistic",
    }
    model = _model(lessons, version, str(recipe.method), (columns, fit), years, chosen)
    return TrainedModel(model, lessons.tables[0].groups, choice=choice)


def _model(
    lessons: Lessons,
    version: Version,
    method: str,
    fitted: tuple[Sequence[str], LinearFit],
    years: Sequence[TrainingData],
    chosen: dict[str, Any],
) -> LinearModel:
    columns, fit = fitted
    syllabus = lessons.syllabus
    recipe = syllabus.recipe
    kind = method if recipe.learns else recipe.feature_set
    hashes = [year.collection.data_hash for year in syllabus.years]
    return LinearModel(
        name="/".join(filter(None, (kind, version.label, syllabus.task, syllabus.peers))),
        columns=tuple(columns),
        coefficients=tuple(fit.coefficients.tolist()),
        constant=float(fit.intercept),
        target=years[1].target_names[0],
        method=method,
        task=syllabus.task,
        peers=syllabus.peers,
        training={
            "pyramidion": pyramidion.__version__,
            "years": [_described(*year) for year in zip(years, hashes, strict=True)],
            "features": recipe.feature_set,
            **chosen,
            **_unusual(recipe),
            "seed": recipe.seed,
        },
    )


def _described(data: TrainingData, data_hash: str) -> dict[str, Any]:
    return {
        "name": data.name,
        "data": data_hash,
        "measure": data.target_names[0],
        "rows": len(data.features),
        "topics": _count(data.topics),
        "systems": _count(data.systems),
    }


def _count(labels: Iterable[str]) -> int:
    return len(set(labels))


def _unusual(recipe: Recipe) -> dict[str, Any]:
    """Give the options that are not what they usually are."""
    options = {
        "exact": recipe.exact,
        "scale": "" if recipe.scale == "matlab" else recipe.scale,
        "without_features": list(recipe.without_features),
        "without_assessors": list(recipe.without_assessors),
    }
    return {name: value for name, value in options.items() if value}


# Training: fit on one year, choose on the next, refit on it, predict the one after.

#: Everybody, and machines only.
PEERS: tuple[Peers, ...] = ("all", "no-models")

# A search is this many steps of progress; a column of features is one.
_SEARCH_STEPS = 40


def train_models(
    first: Collection,
    second: Collection,
    *,
    versions: Sequence[Version] = VERSIONS,
    tasks: Sequence[str] = (),
    peers: Sequence[Peers] = PEERS,
    recipe: Recipe | None = None,
    names: tuple[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Training:
    """Train a model for each version, task and set of peers.

    With the papers' methods every subset of the features is fitted on the first year by each of
    the version's methods, the one that predicts the second year best is chosen, and refitted on
    the second year (chapter 5.5). The learners choose by topics left out, and learn from both.
    """
    plan = plan_training(
        first, second, versions=versions, tasks=tasks, peers=peers, recipe=recipe, names=names
    )
    return plan.run(progress)


def plan_training(
    first: Collection,
    second: Collection,
    *,
    versions: Sequence[Version] = VERSIONS,
    tasks: Sequence[str] = (),
    peers: Sequence[Peers] = PEERS,
    recipe: Recipe | None = None,
    names: tuple[str, str] | None = None,
) -> "TrainingPlan":
    """Find out what can be trained, before any long work starts."""
    recipe = recipe or Recipe()
    years = _years(first, second, recipe, names)
    jobs: list[tuple[Syllabus, tuple[Version, ...]]] = []
    problems: dict[str, PyramidionError] = {}
    for task in _tasks(years, tasks):
        for own in peers:
            syllabus, possible = Syllabus(years, task, own, recipe), []
            for version in versions:
                try:
                    syllabus.require(version.target)
                    possible.append(version)
                except PyramidionError as problem:
                    said = f"version {version.label}, {syllabus.said()}: {problem.what}"
                    problems[said] = problem
            if possible:
                jobs.append((syllabus, tuple(possible)))
    if not jobs:
        nothing = InputError("nothing is to be trained", hint="name versions and peers")
        raise next(iter(problems.values()), nothing)
    return TrainingPlan(tuple(jobs), tuple(problems))


@dataclass(frozen=True, slots=True, eq=False)
class TrainingPlan:
    """What can be trained."""

    jobs: tuple[tuple[Syllabus, tuple[Version, ...]], ...]
    problems: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many models will come out."""
        return sum(len(versions) for _, versions in self.jobs)

    def run(self, progress: Callable[[int, int], None] | None = None) -> Training:
        """Train them all."""
        counter = _Progress(progress, sum(_steps(*job) for job in self.jobs))
        models: list[TrainedModel] = []
        left_out = list(self.problems)
        for syllabus, versions in self.jobs:
            lessons = syllabus.computed(counter.step)
            left_out += lessons.without
            left_out += [line for own in versions for line in lessons.left_out(own.target)]
            models += _trained(lessons, versions, counter)
        left_out += [line for trained in models for line in _undefined(trained)]
        return Training(tuple(models), tuple(dict.fromkeys(left_out)))


def _undefined(trained: TrainedModel) -> Iterator[str]:
    """Name the methods that no subset has a score by: of most rows' equal targets, for example."""
    if trained.search is not None:
        for method, undefined in zip(trained.search.methods, trained.search.undefined, strict=True):
            if undefined[0] == len(trained.search.masks):
                yield f"{trained.model.name}: method {method}, by which no subset has a score"


def _steps(syllabus: Syllabus, versions: Sequence[Version]) -> int:
    learned = len(versions) if syllabus.recipe.learns else len({own.target for own in versions})
    return 2 * syllabus.columns + _SEARCH_STEPS * learned


def _years(
    first: Collection, second: Collection, recipe: Recipe, names: tuple[str, str] | None
) -> tuple[Year, Year]:
    if first.data_hash == second.data_hash:
        raise InputError(
            "both years are the same data, on which nothing can be chosen honestly",
            hint="give two years, or two parts with different topics",
        )
    called = names or (first.name, second.name)
    if called[0] == called[1]:
        called = (f"{called[0]} (year 1)", f"{called[1]} (year 2)")
    one, two = (
        Year(name, own, recipe.measures, recipe.without_assessors)
        for name, own in zip(called, (first, second), strict=True)
    )
    for assessor in recipe.without_assessors:
        if assessor not in one.assessors | two.assessors:
            there = ", ".join(sorted(one.assessors | two.assessors)) or "none"
            raise NotFoundError(f"there is no assessor {assessor!r}", hint=f"there are: {there}")
    return one, two


def _tasks(years: tuple[Year, Year], asked: Sequence[str]) -> tuple[str, ...]:
    one, two = years
    both = tuple(task for task in one.tasks if task in two.tasks)
    for task in asked:
        if task not in both:
            raise NotFoundError(
                f"no summaries of task {task!r} in both years",
                hint=f"there are: {', '.join(map(repr, both)) or 'none'}",
            )
    if not both:
        raise InputError(
            f"{one.name} and {two.name} have no task in common",
            hint="add summaries to score, and give tasks the same names",
        )
    return tuple(asked) or both


class _Progress:
    """Counts steps."""

    def __init__(self, told: Callable[[int, int], None] | None, total: int) -> None:
        self._told, self._total, self._done = told, total, 0

    def step(self, steps: int = 1) -> None:
        self._done += steps
        if self._told is not None:
            self._told(min(self._done, self._total), self._total)

    def search(self, steps: int) -> Callable[[int, int], None]:
        """Give what a search is to tell."""
        start = self._done

        def told(done: int, total: int) -> None:
            self.step(start + steps * done // total - self._done)

        return told


def _trained(
    lessons: Lessons, versions: Sequence[Version], counter: _Progress
) -> Iterator[TrainedModel]:
    if lessons.syllabus.recipe.learns:
        for version in versions:
            yield learned_model(lessons, version)
            counter.step(_SEARCH_STEPS)
        return
    together = _judged_together(versions, lessons.syllabus.recipe)
    tables: dict[str, SubsetSearch] = {}
    for version in versions:
        target = version.target
        if target not in tables:
            alike = [own for own in versions if own.target == target]
            tables[target] = search_table(
                lessons,
                target,
                _methods(lessons.syllabus.recipe, alike),
                others=together,
                progress=counter.search(_SEARCH_STEPS),
            )
        methods = _methods(lessons.syllabus.recipe, [version])
        yield searched_model(lessons, version, methods, tables[target], others=together)


def _methods(recipe: Recipe, versions: Sequence[Version]) -> tuple[FitMethod, ...]:
    wanted = {method for version in versions for method in version.methods}
    if recipe.method is not None:
        wanted = {recipe.method}
    return tuple(method for method in METHODS if method in wanted)


def _judged_together(versions: Sequence[Version], recipe: Recipe) -> tuple[str, ...]:
    """Name the human measures that canonical correlation sees together."""
    targets = dict.fromkeys(version.target for version in versions)
    usual = recipe.measures if targets.keys() & recipe.measures.keys() else {}
    return tuple(dict.fromkeys([*usual, *targets]))
