"""Train metrics on sets with judgments: the question, its output files and its table."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy._fits import FitMethod
from pyramidion.classy._models import LinearModel
from pyramidion.classy._search import SubsetSearch
from pyramidion.classy._table import Peers
from pyramidion.classy._training import (
    PEERS,
    Recipe,
    TrainedModel,
    Training,
    TrainingPlan,
    Version,
    choose_versions,
    plan_training,
)
from pyramidion.collection.ids import file_stem, to_spreadsheet
from pyramidion.collection.sources import Source, read_source
from pyramidion.errors import InputError, Where
from pyramidion.files.writing import write_text, writing, writing_folder
from pyramidion.questions import Options, Progress, argument, option, question
from pyramidion.rendering.charts.curves import Panel, Series, panels_figure
from pyramidion.rendering.charts.layout import PAD, Space, Style, wrap_text
from pyramidion.rendering.charts.style import (
    BLUE,
    GREEN,
    INK,
    VERMILLION,
    require_figure_file,
    save,
)
from pyramidion.rendering.result import Chart, Result, signed
from pyramidion.rendering.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class TrainOptions(Options):
    """What to train, on which sets."""

    years: tuple[Source, ...] = argument(
        "Collections with judgments, two or more: models are fitted on all but the last, selected "
        "on the last and fitted again on all but the first.", metavar="SET...",
    )  # fmt: skip
    named: bool = option(False, "Accepted before the sets, for older scripts.", flags=("--years",))
    version: tuple[str, ...] = option(
        (), "CLASSY versions to train, comma-separated: 8 (pyramid), 25 (responsiveness), 23 "
        "(readability), 6 (responsiveness, non-negative weights), or all.", metavar="NUMBERS",
    )  # fmt: skip
    target: tuple[str, ...] = option(
        (),
        "Human measures to predict instead of those of the versions, comma-separated; or a target "
        "name and its measures in the sets: content=relevance,recall.",
        metavar="MEASURES",
    )
    task: tuple[str, ...] = option(
        (), "Tasks to train for, comma-separated; by default, all tasks that every set has."
    )
    peers: tuple[Peers, ...] = option(
        (), "Summaries to train on: all, or no-models (machine summaries only); by default a "
        "model for each.",
    )  # fmt: skip
    source_format: str | None = option(
        None, "Format of the collections; detected by default.", flags=("--from",), metavar="FORMAT"
    )
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)

    @property
    def versions(self) -> tuple[Version, ...]:
        """The versions to train."""
        return choose_versions(self.version, self.target)

    @property
    def names(self) -> list[str] | None:
        """Names of the sets, if they are paths."""
        paths = [Path(year) for year in self.years if isinstance(year, str | Path)]
        if len(paths) < len(self.years):
            return None
        short_names = [path.name.split(".")[0] or str(path) for path in paths]
        return short_names if len(set(short_names)) == len(short_names) else list(map(str, paths))


@dataclass(frozen=True, slots=True)
class TrainFiles(Options):
    """Output files for models, search table and figure."""

    output: Path | None = option(
        None, "Write the model to this .json file if there is only one, or all models to this new "
        "folder.", flags=("--output", "-o"),
    )  # fmt: skip
    search_table: Path | None = option(
        None, "Write all subsets of features and their scores to this .csv file."
    )
    figure: Path | None = option(
        None, "Draw the search for features to this file (.svg, .pdf or .png).", metavar="FILE"
    )

    def check(self) -> None:
        """Refuse file names with the wrong extension."""
        if self.figure is not None:
            require_figure_file(self.figure)
        if self.search_table is not None and self.search_table.suffix != ".csv":
            message = "the search table is written as CSV"
            raise InputError(message, where=Where(self.search_table), hint="end its name in .csv")

    def require_producible(self, recipe: Recipe, plan: TrainingPlan) -> None:
        """Refuse, before any work, output that the training will not produce."""
        if self.figure is not None and recipe.learns:
            message = f"the method {recipe.method} has no subset search to draw"
            raise InputError(message, where=Where(self.figure), hint="leave the figure out")
        if self.output is not None and self.output.suffix == ".json" and plan.count > 1:
            raise InputError(
                f"cannot write {plan.count} models to one file",
                where=Where(self.output),
                hint="name a folder, or select one with --version, --task and --peers",
            )

    def opened(self, stack: ExitStack) -> Iterator[Callable[[Training], None]]:
        """Open the files first, so that an unwritable one is reported before the work."""
        if self.output is not None and self.output.suffix == ".json":
            stream = stack.enter_context(writing(self.output))
            yield lambda training: stream.writelines([training.models[0].model.to_json().encode()])
        elif self.output is not None:
            folder = stack.enter_context(writing_folder(self.output))
            yield partial(_save, folder)
        if self.search_table is not None:
            table = stack.enter_context(writing(self.search_table))
            yield lambda training: table.writelines(
                piece.encode() for piece in search_table_csv(training.models)
            )
        if self.figure is not None:
            figure = self.figure
            yield partial(_draw, figure)


def _save(folder: Path, training: Training) -> None:
    used_names: set[str] = set()
    for trained_model in training.models:
        # Files are named without the prefix that all models share.
        name = file_stem(*trained_model.model.name.split("/")[1:], used_names=used_names)
        write_text(folder / f"{name}.json", trained_model.model.to_json())


def _draw(path: Path, training: Training) -> None:
    save(_chart(training.models).draw(), path)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TrainingResult(Result[LinearModel]):
    """The trained models, and the search behind them."""

    training: Training


@question
def train(options: TrainOptions, recipe: Recipe, files: TrainFiles) -> TrainingResult:
    """Train metrics on two or more sets: fit on all but the last, select on the last, then refit.

    The selected model is fitted again on all sets but the first. By default, the papers' four
    versions are trained for each task, for all peers and for machines only: sixteen models for
    tasks A and B.

    Examples
    --------
    >>> from pyramidion.classy import topic_parts
    >>> from pyramidion.demo import load_demo
    >>> first, second = topic_parts(load_demo(), 2)
    >>> result = train(years=(first, second), version="6", task="A", features="rose")
    >>> [model.name for model in result]
    ['rose/6/A/all']
    """
    recipe = replace(recipe, targets=options.target)
    collections = [read_source(year, format=options.source_format) for year in options.years]
    plan = plan_training(
        *collections,
        versions=options.versions,
        tasks=options.task,
        peers=tuple(dict.fromkeys(options.peers)) or PEERS,
        recipe=recipe,
        names=options.names,
    )
    files.require_producible(recipe, plan)
    with ExitStack() as stack:
        writers = list(files.opened(stack))
        training = plan.run(options.progress.advance)
        for write_page in writers:
            write_page(training)
    for path in (files.output, files.search_table, files.figure):
        if path is not None:
            options.progress.message(f"wrote {path}")
    criterion, level = recipe.selection
    return TrainingResult(
        command="classy train",
        signature=signed(
            "classy", "+".join(collection.data_hash for collection in collections), recipe.seed,
            features=recipe.feature_set, method=recipe.method or "best", criterion=criterion,
            level=level,
        ),
        values=[trained_model.model for trained_model in training.models],
        record=LinearModel.to_dict,
        tables=[_table(training.models)],
        left_out=(*(line for year in collections for line in year.left_out), *training.left_out),
        charts=[] if recipe.learns else [_chart(training.models)],
        training=training,
    )  # fmt: skip


def _table(models: Sequence[TrainedModel]) -> Table:
    rows = []
    for model in (trained_model.model for trained_model in models):
        training = model.training
        subset = training.get("chosen") or ", ".join(training["subset"])
        n_rows = (year["rows"] for year in training["years"])
        rows.append((model.name, model.target, model.method, subset, *n_rows, training["value"]))
    training = models[0].model.training
    year_headings = (f"n {year['name']}" for year in training["years"])
    columns = ("model", "predicts", "method", "chosen", *year_headings, "value")
    note = (
        f"Value: {training['criterion']} at {training['level']} level, {training['value_is']}. "
        "Judge a model on data it has not seen."
    )
    return Table(columns, tuple(rows), title="Models", note=note, digits=3, name="models")


def _chart(models: Sequence[TrainedModel]) -> Chart:
    *fitted_years, last = (year["name"] for year in models[0].model.training["years"])
    note = (
        f"Fitted on {' and '.join(fitted_years)}, scored on {last}. The best is selected by this "
        "score, which is therefore optimistic."
    )
    return Chart("search", partial(search_figure, search_panels(models), note=note), note)


# The search as a table

_HEADER = ("task", "peers", "target", "method", "size", "subset", "value", "iterations")


def search_table_csv(models: Sequence[TrainedModel]) -> Iterator[str]:
    """Yield all candidates as CSV, in chunks.

    A row is a subset (features joined by ``+``) and a method, with the score on the selection
    year, empty if undefined. Candidates of a learner have no size. A search shared by two models
    is written once.
    """
    yield _lines([_HEADER])
    written_keys: set[tuple[str, ...]] = set()
    for trained_model in models:
        model, search = trained_model.model, trained_model.search
        key = (model.task, model.peers, model.target)
        if trained_model.choice is not None:
            candidates = trained_model.choice.values.items()
            yield _lines((*key, model.method, "", name, value, "") for name, value in candidates)
        if search is None:
            continue
        names = [group.name for group in trained_model.groups]
        subsets = [
            "+".join(name for bit, name in enumerate(names) if mask >> bit & 1)
            for mask in search.masks.tolist()
        ]
        for method_index, method in enumerate(search.methods):
            if (*key, method) not in written_keys:
                written_keys.add((*key, method))
                iterations = search.iterations[:, 0] * (method == "robust")
                numbers = (
                    values.tolist() for values in (search.values[method_index, :, 0], iterations)
                )
                yield _lines(
                    (*key, method, size, subset, "" if np.isnan(value) else value, n_iterations)
                    for size, subset, value, n_iterations in zip(
                        search.sizes.tolist(), subsets, *numbers, strict=True
                    )
                )


def _lines(rows: Iterable[Sequence[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(map(to_spreadsheet, row) for row in rows)
    return stream.getvalue()


# The search as a figure: how well the best subset of each size predicts, for each method

_PANEL_SIZE = (2.9, 2.1)

_STYLES = {
    "robust": ("robust regression", BLUE, "o"),
    "nonneg": ("non-negative regression", GREEN, "s"),
    "canon": ("canonical correlation", VERMILLION, "^"),
}
_MEDIAN_STYLE: dict[str, Any] = {"linestyle": ":", "linewidth": 1.0}
_WINNER_STYLE: dict[str, Any] = {
    "marker": "o", "markersize": 9, "markerfacecolor": "none", "markeredgecolor": INK,
    "markeredgewidth": 1.3, "linestyle": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class SearchPanel:
    """A search to draw, titled by target, task and peers."""

    title: str
    search: SubsetSearch

    @property
    def sizes(self) -> list[int]:
        """The possible subset sizes."""
        return list(range(1, len(self.search.subsets.groups) + 1))

    def by_size(self, method: FitMethod, summarize: Callable[[Floats], Any] = np.max) -> Floats:
        """Return the highest value per subset size, or another statistic; NaN if undefined."""
        values = self.search.values[self.search.methods.index(method), :, 0]
        values_by_size = (
            values[(self.search.sizes == size) & ~np.isnan(values)] for size in self.sizes
        )
        return np.array(
            [float(summarize(values)) if len(values) else np.nan for values in values_by_size]
        )


def search_panels(models: Sequence[TrainedModel]) -> list[SearchPanel]:
    """Return the distinct searches that models were selected from.

    Of two searches with the same title, the one with more methods is drawn.
    """
    panels: dict[str, SearchPanel] = {}
    for trained_model in models:
        model = trained_model.model
        if trained_model.search is None:
            continue
        task = f"task {model.task}" if model.task else ""
        title = ", ".join(filter(None, (model.target, task, model.peers)))
        panel = panels.get(title)
        if panel is None or len(panel.search.methods) < len(trained_model.search.methods):
            panels[title] = SearchPanel(title, trained_model.search)
    return list(panels.values())


def search_figure(panels: Sequence[SearchPanel], *, note: str = "") -> "Figure":
    """Draw the best and the median of all subsets of each size, and mark the winner."""
    titles = ["\n".join(wrap_text(panel.title, _PANEL_SIZE[0], size=9)) for panel in panels]
    title_height = 0.15 * max(title.count("\n") for title in titles)
    search, curves_of_panels = panels[0].search, [list(_curves(panel)) for panel in panels]
    # All drawn values, with space above for the winner's label.
    values = np.concatenate([line.y for panel_lines in curves_of_panels for line in panel_lines])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    value_range = max(high - low, 0.05)
    scale = {
        "ylim": (low - 0.05 * value_range, high + 0.2 * value_range),
        "xlabel": "features in the subset",
    }  # fmt: skip
    methods = dict.fromkeys(method for panel in panels for method in panel.search.methods)
    styles = (_STYLES[method] for method in methods)
    legend: list[Style] = [
        {
            "color": color,
            "marker": marker,
            "markersize": 4,
            "linewidth": 1.2,
            "label": f"{label}: best",
        }
        for label, color, marker in styles
    ]
    legend += [
        {"color": INK, **_MEDIAN_STYLE, "label": "median"},
        {**_WINNER_STYLE, "label": "chosen"},
    ]
    return panels_figure(
        [
            Panel(
                curves, title, grid="y", more=partial(_mark_winner, panel=panel),
                scale={**scale, "xticks": panel.sizes[:: 1 + len(panel.sizes) // 8]},
            )
            for panel, curves, title in zip(panels, curves_of_panels, titles, strict=True)
        ],
        title="What the subsets of the features predict",
        note=note,
        side=_PANEL_SIZE,
        gap=(0.3, 0.75 + title_height),
        space=Space(left=PAD + 0.55, right=PAD + 0.1, above=0.34 + title_height),
        legend=legend,
        ylabel=f"{search.criterion}, {search.level} level",
        shares_scale=True,
    )  # fmt: skip


def _curves(panel: SearchPanel) -> Iterator[Series]:
    for method in panel.search.methods:
        _, color, mark = _STYLES[method]
        best_style = {"color": color, "marker": mark, "markersize": 3.5, "linewidth": 1.2}
        yield Series(panel.sizes, panel.by_size(method), best_style)
        yield Series(
            panel.sizes, panel.by_size(method, np.median), {"color": color, **_MEDIAN_STYLE}
        )


def _mark_winner(axes: "Axes", panel: SearchPanel) -> None:
    winner = panel.search.winner(0)
    size = len(winner.groups)
    axes.plot([size], [winner.value], **_WINNER_STYLE)
    is_right_half = size > (1 + len(panel.sizes)) / 2
    axes.annotate(
        f"{winner.method}, {size}: {winner.value:.3f}",
        (size, winner.value),
        xytext=(4 if is_right_half else -4, 8),
        textcoords="offset points",
        ha="right" if is_right_half else "left",
        size=8,
        color=INK,
    )
