"""Training: fit on one year, choose on the next, refit on it, predict the one after."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pyramidion.classy.features import Peers
from pyramidion.classy.fits import METHODS, FitMethod
from pyramidion.classy.lessons import Lessons, Syllabus
from pyramidion.classy.making import learned_model, search_table, searched_model
from pyramidion.classy.recipe import Recipe, TrainedModel, Training
from pyramidion.classy.search import SubsetSearch
from pyramidion.classy.versions import VERSIONS, Version
from pyramidion.classy.years import Year
from pyramidion.collection import Collection
from pyramidion.errors import InputError, NotFoundError, PyramidionError

__all__ = ["PEERS", "train"]

#: Everybody, and machines only.
PEERS: tuple[Peers, ...] = ("all", "no-models")

# A search is this many steps of progress; a column of features is one.
_SEARCH_STEPS = 40


def train(
    first: Collection,
    second: Collection,
    *,
    versions: Sequence[Version] = VERSIONS,
    tasks: Sequence[str] = (),
    peers: Sequence[Peers] = PEERS,
    recipe: Recipe | None = None,
    names: tuple[str, str] | None = None,
    skip: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Training:
    """Train a model for each version, task and set of peers.

    With the papers' methods every subset of the features is fitted on the first year by each of
    the version's methods, the one that predicts the second year best is chosen, and refitted on
    the second year (chapter 5.5). The learners choose by topics left out, and learn from both.

    Parameters
    ----------
    first, second
        Two years with judgments.
    versions
        What to train; the papers' four by default.
    tasks
        Which tasks; all that both years have by default.
    peers
        For everybody's summaries, for machines' only, or both.
    recipe
        How to train.
    names
        What the years are called; the collections' names by default.
    skip
        Leave out what the years do not have everything for, and say so, instead of refusing it.
    progress
        Is told how much is done, and of how much.

    Returns
    -------
    Training
        The models. With the defaults, tasks A and B and all judgments there are sixteen.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> from pyramidion.classy.years import topic_parts
    >>> one, two = topic_parts(load_demo(), 2)
    >>> training = train(one, two, versions=VERSIONS[3:], tasks=["A"], peers=["all"],
    ...                  recipe=Recipe(features="rose"))
    >>> model = training.models[0].model
    >>> model.name, model.method, model.target
    ('rose/6/A/all', 'nonneg', 'responsiveness')
    """
    recipe = recipe or Recipe()
    years = _years(first, second, recipe, names)
    plan = _plan(years, versions, _tasks(years, tasks), peers, recipe, skip=skip)
    counter = _Progress(progress, _steps(plan))
    models: list[TrainedModel] = []
    left_out = list(plan.problems)
    for syllabus, chosen in plan.jobs:
        lessons = syllabus.computed(counter.step)
        left_out += lessons.without
        left_out += [line for v in chosen for line in lessons.left_out(v.target)]
        models += _trained(lessons, chosen, counter)
    return Training(tuple(models), tuple(dict.fromkeys(left_out)))


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


@dataclass(frozen=True, slots=True)
class _Plan:
    jobs: list[tuple[Syllabus, list[Version]]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def _plan(
    years: tuple[Year, Year],
    versions: Sequence[Version],
    tasks: Sequence[str],
    peers: Sequence[Peers],
    recipe: Recipe,
    *,
    skip: bool,
) -> _Plan:
    """Find out what can be trained, before any long work starts."""
    plan, last = _Plan(), None
    for syllabus in (Syllabus(years, task, own, recipe) for task in tasks for own in peers):
        possible = []
        for version in versions:
            try:
                syllabus.require(version.target)
                possible.append(version)
            except PyramidionError as problem:
                if not skip:
                    raise
                last = problem
                plan.problems.append(f"version {version.label}, {syllabus.said()}: {problem.what}")
        if possible:
            plan.jobs.append((syllabus, possible))
    if not plan.jobs:
        raise last or InputError("nothing is to be trained", hint="name versions and peers")
    return plan


def _steps(plan: _Plan) -> int:
    return sum(
        2 * syllabus.columns + _SEARCH_STEPS * len({version.target for version in versions})
        for syllabus, versions in plan.jobs
    )


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
