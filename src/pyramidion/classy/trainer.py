"""Training: fit on one year, choose on the next, refit on it, predict the one after."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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

__all__ = ["PEERS", "TrainingPlan", "plan_training", "train_models"]

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
    progress
        Is told how much is done, and of how much.

    Returns
    -------
    Training
        The models. With the defaults, tasks A and B and all judgments there are sixteen. What the
        years do not have everything for is left out, and told; if it is all, it is refused.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> from pyramidion.classy.years import topic_parts
    >>> one, two = topic_parts(load_demo(), 2)
    >>> training = train_models(one, two, versions=VERSIONS[3:], tasks=["A"], peers=["all"],
    ...                  recipe=Recipe(features="rose"))
    >>> model = training.models[0].model
    >>> model.name, model.method, model.target
    ('rose/6/A/all', 'nonneg', 'responsiveness')
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
    """Find out what can be trained, before any long work starts.

    Parameters
    ----------
    first, second, versions, tasks, peers, recipe, names
        See `train`.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> from pyramidion.classy.years import topic_parts
    >>> plan = plan_training(*topic_parts(load_demo(), 2), recipe=Recipe(features="rose"))
    >>> plan.count, plan.problems[0]
    (6, 'version 8, task A, all: ..., part 1 has no pyramid-modified or pyramid for task A')
    """
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
    """What can be trained.

    Attributes
    ----------
    jobs
        What there is to learn from, and the versions to be trained on it.
    problems
        What cannot be trained, in words.

    Examples
    --------
    >>> TrainingPlan(()).count
    0
    """

    jobs: tuple[tuple[Syllabus, tuple[Version, ...]], ...]
    problems: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many models will come out."""
        return sum(len(versions) for _, versions in self.jobs)

    def run(self, progress: Callable[[int, int], None] | None = None) -> Training:
        """Train them all.

        Parameters
        ----------
        progress
            Is told how much is done, and of how much.
        """
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
