"""Models from what there is to learn from: by the search of the papers, or by a learner."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import pyramidion
from pyramidion.classy.fits import FitMethod, LinearFit, fit_linear
from pyramidion.classy.learners import choose_by_topics, ranking_fits, regularised_fits
from pyramidion.classy.learners.nested import Learner
from pyramidion.classy.learners.within_topics import joined
from pyramidion.classy.lessons import Lessons
from pyramidion.classy.model import LinearModel
from pyramidion.classy.recipe import Recipe, TrainedModel
from pyramidion.classy.search import SubsetSearch, search_subsets
from pyramidion.classy.training import TrainingData, varies
from pyramidion.classy.versions import Version
from pyramidion.errors import InputError

__all__ = ["learned_model", "search_table", "searched_model"]

_FOLDS = 10


def search_table(
    lessons: Lessons,
    target: str,
    methods: Sequence[FitMethod],
    *,
    others: Sequence[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> SubsetSearch:
    """Try every subset of the features, and give the table for one target.

    Parameters
    ----------
    lessons
        Two years.
    target
        What is judged.
    methods
        Which methods to try.
    others
        What else is judged, for canonical correlation.
    progress
        Is told how much is done, and of how much.

    Examples
    --------
    >>> from pyramidion.classy.lessons import Syllabus
    >>> from pyramidion.classy.years import Year, topic_parts
    >>> from pyramidion.demo import load_demo
    >>> years = tuple(Year(own.name, own) for own in topic_parts(load_demo(), 2))
    >>> lessons = Syllabus(years, "A", "all", Recipe(features="rose")).computed()
    >>> search_table(lessons, "responsiveness", ["nonneg", "canon"]).values.shape
    (2, 255, 1)
    """
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
    """Take the best of a table, and refit it on the second year.

    Parameters
    ----------
    lessons
        Two years.
    version
        What to train.
    methods
        Which of the table's methods it may use.
    table
        What `search_table` gave.
    others
        What else is judged, for canonical correlation.

    Examples
    --------
    >>> from pyramidion.classy.lessons import Syllabus
    >>> from pyramidion.classy.years import Year, topic_parts
    >>> from pyramidion.demo import load_demo
    >>> years = tuple(Year(own.name, own) for own in topic_parts(load_demo(), 2))
    >>> lessons = Syllabus(years, "A", "all", Recipe(features="rose")).computed()
    >>> table = search_table(lessons, "responsiveness", ["nonneg"])
    >>> version = Version("mine", "responsiveness")
    >>> searched_model(lessons, version, ["nonneg"], table).model.name
    'rose/mine/A/all'
    """
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
    """Let a learner choose by topics left out, and learn from both years.

    Parameters
    ----------
    lessons
        Two years.
    version
        What to train.

    Examples
    --------
    >>> from pyramidion.classy.lessons import Syllabus
    >>> from pyramidion.classy.years import Year, topic_parts
    >>> from pyramidion.demo import load_demo
    >>> years = tuple(Year(own.name, own) for own in topic_parts(load_demo(), 2))
    >>> recipe = Recipe(features="rose", method="ranking")
    >>> lessons = Syllabus(years, "A", "all", recipe).computed()
    >>> learned_model(lessons, Version("mine", "responsiveness")).model.name
    'ranking/mine/A/all'
    """
    recipe = lessons.syllabus.recipe
    criterion, level = recipe.selection
    years = lessons.data(version.target)
    learner: Learner = ranking_fits
    if recipe.method == "regularised":
        learner = partial(regularised_fits, criterion=criterion, level=level)
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
