"""Training models on two years, and what the search for them found."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

from pyramidion.classy.features import Peers
from pyramidion.classy.model import LinearModel
from pyramidion.classy.recipe import Recipe, TrainedModel, Training
from pyramidion.classy.trainer import PEERS, TrainingPlan, plan_training
from pyramidion.classy.versions import Version, chosen_versions
from pyramidion.collection import Collection, Signature
from pyramidion.collection.files import write_text, writing, writing_folder
from pyramidion.collection.formats import read_collection
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.report.answer import Answer
from pyramidion.report.classy_search import search_panels, search_table_csv
from pyramidion.report.pyramid_figure_files import require_figure_file
from pyramidion.report.table import Table

__all__ = ["TrainOutputs", "TrainRequest", "train_answer"]


@dataclass(frozen=True, slots=True)
class TrainRequest:
    """What to train.

    Parameters
    ----------
    versions
        Some of 8, 25, 23 and 6; all if none is named.
    targets
        Any measures to predict, instead of the versions.
    tasks
        Which tasks; all that both years have if none is named.
    peers
        ``all``, ``no-models``; both if none is named.
    recipe
        How to train.
    source_format
        The format of both years; guessed if it is not given.

    Examples
    --------
    >>> [version.label for version in TrainRequest(targets=("expert-coherence",)).wanted]
    ['expert-coherence']
    """

    versions: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    recipe: Recipe = field(default_factory=Recipe)
    source_format: str | None = None

    @property
    def wanted(self) -> tuple[Version, ...]:
        """The models to be trained."""
        if self.targets and self.versions:
            raise InputError("versions and targets exclude each other", hint="name one of them")
        if self.targets:
            return tuple(Version(target, target) for target in dict.fromkeys(self.targets))
        return chosen_versions(self.versions)

    @property
    def whose(self) -> tuple[Peers, ...]:
        """The peers they are for."""
        for own in self.peers:
            if own not in PEERS:
                raise NotFoundError(f"there are no peers {own!r}", hint=f"use {', '.join(PEERS)}")
        return tuple(cast("Peers", own) for own in dict.fromkeys(self.peers)) or PEERS


@dataclass(frozen=True, slots=True)
class TrainOutputs:
    """Where things are written, if anywhere.

    Parameters
    ----------
    models
        A file that ends in ``.json``, for one model; or a new folder for any number.
    search_table
        A CSV file for all subsets and their scores.
    figure
        A figure of the search.

    Examples
    --------
    >>> TrainOutputs(figure=Path("search.gif")).require(Recipe())
    Traceback (most recent call last):
    pyramidion.errors.InputError: search.gif: no figure can be written as '.gif'; ...
    """

    models: Path | None = None
    search_table: Path | None = None
    figure: Path | None = None

    def require(self, recipe: Recipe) -> None:
        """Refuse, before any work, what cannot be written.

        Parameters
        ----------
        recipe
            Whether there will be a search.
        """
        if self.figure is not None:
            require_figure_file(self.figure)
            if recipe.learns:
                raise InputError(
                    f"the method {recipe.method} searches no subsets that could be drawn",
                    where=Where(self.figure),
                    hint="leave the figure out",
                )
        if self.search_table is not None and self.search_table.suffix != ".csv":
            raise InputError(
                "the table of a search is a CSV file",
                where=Where(self.search_table),
                hint="end its name in .csv",
            )

    @property
    def is_file(self) -> bool:
        """Whether one model goes into one file."""
        return self.models is not None and self.models.suffix == ".json"


def train_answer(
    years: tuple[str | Path, str | Path],
    request: TrainRequest,
    *,
    outputs: TrainOutputs | None = None,
    show: Callable[[int, int], None] | None = None,
) -> Answer:
    """Fit on the first year, choose on the second, refit on it.

    Parameters
    ----------
    years
        Two collections with judgments, in any format.
    request
        What to train.
    outputs
        Where models, table and figure are written.
    show
        Is told how much is done, and of how much.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.classy.years import topic_parts
    >>> from pyramidion.demo import load_demo
    >>> request = TrainRequest(versions=("6",), tasks=("A",), recipe=Recipe(features="rose"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, part in zip(("one", "two"), topic_parts(load_demo(), 2)):
    ...         part.save(f"{folder}/{name}")
    ...     answer = train_answer((f"{folder}/one", f"{folder}/two"), request)
    >>> [model["name"] for model in answer.results]
    ['rose/6/A/all']
    """
    outputs = outputs or TrainOutputs()
    outputs.require(request.recipe)
    versions, peers = request.wanted, request.whose
    collections = [read_collection(year, format=request.source_format) for year in years]
    plan = plan_training(
        *collections,
        versions=versions,
        tasks=request.tasks,
        peers=peers,
        recipe=request.recipe,
        names=_names(years),
    )
    if outputs.is_file and plan.count > 1:
        raise InputError(
            f"{plan.count} models come out of this, and this is one file",
            where=Where(outputs.models or ""),
            hint="name a folder, or choose with --version, --task and --peers",
        )
    training = _run(plan, outputs, show)
    return _answer(training, collections, request)


def _names(years: Sequence[str | Path]) -> tuple[str, str]:
    one, two = (Path(year).name.split(".")[0] or str(year) for year in years)
    return (one, two) if one != two else (str(years[0]), str(years[1]))


def _run(
    plan: TrainingPlan, outputs: TrainOutputs, show: Callable[[int, int], None] | None
) -> Training:
    """Train; files appear when all is done, and what could not be written is told before."""
    with ExitStack() as stack:
        folder = stream = table = None
        if outputs.is_file:
            stream = stack.enter_context(writing(outputs.models or ""))
        elif outputs.models is not None:
            folder = stack.enter_context(writing_folder(outputs.models))
        if outputs.search_table is not None:
            table = stack.enter_context(writing(outputs.search_table))
        training = plan.run(show)
        models = [trained.model for trained in training.models]
        if stream is not None:
            stream.write(models[0].to_json().encode())
        if folder is not None:
            for model in models:
                write_text(folder / _file_name(model), model.to_json())
        if table is not None:
            table.writelines(piece.encode() for piece in search_table_csv(training.models))
        if outputs.figure is not None:
            _draw(training.models, outputs.figure)
    return training


def _file_name(model: LinearModel) -> str:
    """Name a model's file: its name without what all have in common."""
    return model.name.partition("/")[2].replace("/", "-") + ".json"


def _draw(models: Sequence[TrainedModel], path: Path) -> None:
    from pyramidion.report.charts import save
    from pyramidion.report.figures.search import search_figure

    years = models[0].model.training["years"]
    note = (
        f"Fitted on {years[0]['name']}, scored on {years[1]['name']}, by which the best is chosen: "
        "its score is optimistic."
    )
    save(search_figure(search_panels(models), note=note), path)


def _answer(training: Training, collections: Sequence[Collection], request: TrainRequest) -> Answer:
    recipe = request.recipe
    criterion, level = recipe.selection
    details = (
        ("features", recipe.feature_set),
        ("method", recipe.method or "best"),
        ("criterion", criterion),
        ("level", level),
    )
    return Answer(
        command="classy train",
        signature=Signature(
            "classy",
            data="+".join(own.data_hash for own in collections),
            seed=recipe.seed,
            details=details,
        ),
        results=[asdict(trained.model) for trained in training.models],
        tables=(_models_table(training.models),),
        left_out=(*_of_readers(collections), *training.left_out),
    )


def _of_readers(collections: Sequence[Collection]) -> Iterator[str]:
    for own in collections:
        yield from own.left_out


def _models_table(models: Sequence[TrainedModel]) -> Table:
    rows = tuple(_row(trained.model) for trained in models)
    training = models[0].model.training
    one, two = (year["name"] for year in training["years"])
    columns = ("model", "predicts", "method", "chosen", f"n {one}", f"n {two}", "value")
    note = (
        f"Value: {training['criterion']} at {training['level']} level, {training['value_is']}. "
        "Judge a model on data it has not seen."
    )
    return Table(columns, rows, title="Models", note=note, digits=3)


def _row(model: LinearModel) -> tuple[Any, ...]:
    training = model.training
    one, two = (year["rows"] for year in training["years"])
    chosen = training.get("chosen") or ", ".join(training["subset"])
    return model.name, model.target, model.method, chosen, one, two, training["value"]
