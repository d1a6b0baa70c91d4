"""How important units, words and sentences are: a question and its figure."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.collection import Collection, Pyramid
from pyramidion.collection._ids import grouped
from pyramidion.collection._options import option
from pyramidion.collection._questions import Options, question
from pyramidion.errors import InputError
from pyramidion.pyramid._cases import TOLD_ELSEWHERE, PyramidSource, source_notes
from pyramidion.pyramid._importance_classes import (
    ImportanceClasses,
    ZipfFit,
    sentence_classes,
    unit_classes,
    word_classes,
)
from pyramidion.pyramid._topics import TopicSummaries, gather_topics
from pyramidion.report.charts.curves import Panel, Series, panels_figure
from pyramidion.report.charts.layout import PAD, Space
from pyramidion.report.charts.style import BLUE, GRAY, GREEN, VERMILLION
from pyramidion.report.labels import counted
from pyramidion.report.result import Chart, Result, signed
from pyramidion.report.table import Table
from pyramidion.report.view import Column, View, data, shown
from pyramidion.text import Tokenizer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL = (2.35, 2.35)

#: Where the scale of classes begins, and how far beyond the last class it goes.
_MARGINS = (0.87, 1.15)

_SIZES: dict[str, Any] = {
    "color": BLUE, "linestyle": "none", "marker": "o", "markersize": 5.5, "label": "size of a class"
}  # fmt: skip
_LINE: dict[str, Any] = {"color": VERMILLION, "linewidth": 1.2, "label": "least squares"}
_LAW: dict[str, Any] = {
    "color": GREEN, "linewidth": 1.2, "linestyle": "--", "label": "maximum likelihood"
}  # fmt: skip
_NAMES = {"content units": "references that express it", "words": "references that use it"}


def importance_figure(classes: Sequence[ImportanceClasses], *, note: str = "") -> "Figure":
    """Draw the sizes of importance classes and both laws, a panel for each kind of unit."""
    return panels_figure(
        list(map(_panel, classes)),
        title="Importance classes and Zipf's law",
        note=note,
        side=_PANEL,
        gap=(0.62, 0),
        most=len(classes),
        space=Space(left=PAD + 0.6, right=PAD + 0.1, above=0.52),
        legend=(_SIZES, _LINE, _LAW),
        ylabel="how many",
    )


def _verdict(fit: ZipfFit) -> str:
    if math.isnan(fit.slope):
        return fit.undefined
    law = "" if math.isnan(fit.exponent) else f", likelihood {fit.exponent:.2f}"
    r_squared = "" if math.isnan(fit.r_squared) else f" (R² {fit.r_squared:.2f})"
    return f"slope {fit.slope:.2f}{r_squared}{law}"


def _panel(item: ImportanceClasses) -> Panel:
    places, there, fit = np.arange(1, len(item.sizes) + 1), item.sizes > 0, item.fit()
    lines = []
    if not math.isnan(fit.slope):
        lines.append(Series(places, fit.scale * places**-fit.slope, _LINE))
    if not math.isnan(fit.exponent):
        lines.append(Series(places, fit.expected(), _LAW))
    return Panel(
        [*lines, Series(places[there], item.sizes[there], _SIZES)],
        scale={
            "xscale": "log", "yscale": "log",
            "xlabel": _NAMES.get(item.granularity, "how useful it was judged"),
        },
        more=partial(_finish, item=item),
    )  # fmt: skip


def _finish(axes: "Axes", item: ImportanceClasses) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    above: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    heading = f"{item.granularity} ({int(item.sizes.sum()):,})"
    axes.annotate(heading, (0, 1), xytext=(0, 17), size=9, **above)
    axes.annotate(_verdict(item.fit()), (0, 1), xytext=(0, 6), size=8, color=GRAY, **above)
    labels = [label.replace("below ", "<") for label in item.labels]
    shown = _legible(labels)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(shown, [labels[place - 1] for place in shown])
    # Of all that is drawn, laws included.
    drawn = np.concatenate([np.zeros(0), *(np.asarray(line.get_ydata()) for line in axes.lines)])
    smallest, largest = (drawn.min(), drawn.max()) if len(drawn) else (1.0, 1.0)
    axes.set(
        xlim=(_MARGINS[0], len(item.sizes) * _MARGINS[1]), ylim=(smallest / 1.5, largest * 1.5)
    )
    # Few decades need marks between the powers of ten.
    between = (1.0,) if largest / smallest > 30 else (1.0, 2.0, 5.0)
    axes.yaxis.set_major_locator(LogLocator(subs=between))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _legible(labels: Sequence[str]) -> list[int]:
    """Choose classes, the last among them, whose labels do not touch on a logarithmic scale."""
    inches = _PANEL[0] / math.log(len(labels) * _MARGINS[1] / _MARGINS[0])

    def apart(one: int, other: int) -> bool:
        # A letter takes 0.085 inches, and half of either label is between two marks.
        wide = 0.05 + 0.0425 * (len(labels[one - 1]) + len(labels[other - 1]))
        return inches * math.log(other / one) >= wide

    last = len(labels)
    shown: list[int] = []
    for place in range(1, last):
        if apart(place, last) and (not shown or apart(shown[-1], place)):
            shown.append(place)
    return [*shown, last]


_UTILITY = "relative-utility"

_NOTE = (
    "Sets: pyramids, or topics with judged sentences. Class w has about C w^-s units. Slope and "
    "R²: least squares on logarithms; a high R² alone proves no law. Exponent: maximum likelihood, "
    "with its standard error; p: a chi-square test that the sizes follow the law with it."
)


@dataclass(frozen=True, slots=True)
class WordOptions(Options):
    """Which words are counted."""

    all_words: bool = option(
        False, "Count stop words as well, as the table of the thesis does.", flags=("--all-words",)
    )
    stem: bool = option(False, "Count all forms of a word as one word.", flags=("--stem",))
    tokenizer: Tokenizer = option(
        "unicode", "Tokenizer: unicode (any script) or rouge (as ROUGE-1.5.5)."
    )

    @property
    def label(self) -> str:
        """The words by name."""
        return f"{'all' if self.all_words else 'content'} words{', stem' if self.stem else ''}"

    def count(self, pyramids: Sequence[Pyramid]) -> ImportanceClasses:
        """Count the words that so many references contain."""
        sifted = not self.all_words
        return word_classes(pyramids, sifted=sifted, stem=self.stem, tokenizer=self.tokenizer)


@dataclass(frozen=True, slots=True)
class Importance:
    """Classes, and how many references the pyramids have; None for sentences."""

    references: int | None
    classes: ImportanceClasses

    @property
    def of(self) -> str:
        """Say of how many references."""
        return "" if self.references is None else f" of {counted(self.references, 'reference')}"

    @property
    def where(self) -> str:
        """Say what was counted in: topics of judged sentences, or pyramids."""
        sets = "topic" if self.references is None else "pyramid"
        return f"{counted(self.classes.topics, sets)}{self.of}"


LAW: View[Importance] = View(
    "law",
    (
        Column("granularity", "of", lambda one: one.classes.granularity),
        Column("references", "references"),
        Column("topics", "sets", lambda one: one.classes.topics),
        data("labels", lambda one: list(one.classes.labels)),
        data("sizes", lambda one: one.classes.sizes.tolist()),
        shown("units", lambda one: int(one.classes.sizes.sum())),
        Column("mean_weight", "mean weight", lambda one: one.classes.mean_weight),
        data("fit", lambda one: asdict(one.classes.fit())),
        shown("slope", lambda one: one.classes.fit().slope),
        shown("R²", lambda one: one.classes.fit().r_squared),
        shown("exponent", lambda one: one.classes.fit().exponent),
        shown("±", lambda one: one.classes.fit().error),
        shown("p", lambda one: one.classes.fit().p),
    ),
    digits=3,
)


@question
def importance(source: PyramidSource, words: WordOptions) -> Result[Importance]:
    """Count how many people chose each content unit, word and sentence; fit Zipf's law.

    Content units and words are counted by how many references have them, sentences of the input by
    how useful they were judged (relative-utility).

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> [(one.classes.granularity, one.classes.sizes.tolist()) for one in importance(pyramid)]
    [('content units', [1, 1]), ('words', [0, 2])]
    """
    collection = source.read()
    places = gather_topics(collection, topics=source.topic, tasks=source.task)
    found = [*_of_pyramids(places, words), *_of_sentences(collection, places)]
    numbers = sorted({one.references for one in found if one.references}, reverse=True)
    return Result(
        command="pyramid importance",
        signature=signed(
            f"pyramid-importance({words.label})", collection.data_hash, tok=words.tokenizer
        ),
        values=found,
        record=LAW.record,
        tables=(*map(_class_table, found), LAW.table(found, "Zipf's law", _NOTE)),
        left_out=(*source_notes(collection, but=TOLD_ELSEWHERE), *_left_out(places, found)),
        charts=[
            Chart("importance", partial(_figure, found, number), about=(f"{number}-references",))
            for number in numbers
        ],
    )


def _of_pyramids(places: Sequence[TopicSummaries], words: WordOptions) -> Iterator[Importance]:
    known = (place.pyramid for place in places if place.pyramid.membership.any())
    by_references = grouped((len(pyramid.references), pyramid) for pyramid in known)
    if not by_references:
        hint = "annotate the references first"
        raise InputError("no pyramid has a content unit that a reference expresses", hint=hint)
    for references, pyramids in sorted(by_references.items()):
        yield Importance(references, unit_classes(pyramids))
        yield Importance(references, words.count(pyramids))


def _of_sentences(collection: Collection, places: Sequence[TopicSummaries]) -> Iterator[Importance]:
    topics = {place.topic for place in places}
    scores = collection.scores.select(measure=_UTILITY)
    both = zip(scores.columns["topic"], scores.columns["unit"], strict=True)
    judged = [row for row, (topic, unit) in enumerate(both) if unit and topic in topics]
    if judged:
        yield Importance(None, sentence_classes(scores.rows(np.array(judged)), measure=_UTILITY))


def _left_out(places: Sequence[TopicSummaries], found: Sequence[Importance]) -> Iterator[str]:
    for place in places:
        loose = int((place.pyramid.weights == 0).sum())
        if not place.pyramid.membership.any():
            yield f"{place.name}: the pyramid has no content unit that a reference expresses"
        elif loose:
            yield f"{place.name}: content units that no reference expresses: {loose}"
    if all(one.references is not None for one in found):
        yield f"sentences: none of these topics has judgments of {_UTILITY}"
    for one in found:
        if undefined := one.classes.fit().undefined:
            yield f"{one.classes.granularity}{one.of}: no law: {undefined}"


def _class_table(one: Importance) -> Table:
    classes, total = one.classes, max(1, int(one.classes.sizes.sum()))
    rows = tuple(
        (label, int(size), float(100 * size / total))
        for label, size in zip(classes.labels, classes.sizes, strict=True)
    )
    by = "judgment" if one.references is None else "weight"
    title = f"{f'{classes.granularity}, {one.where}'.capitalize()}, by {by}"
    references = "" if one.references is None else str(one.references)
    key = (("granularity", classes.granularity), ("references", references))
    return Table(("class", "units", "percent"), rows, title, digits=1, key=key, name="classes")


def _figure(found: Sequence[Importance], references: int) -> "Figure":
    """Draw pyramids of so many references, and sentences."""
    drawn = [one for one in found if one.references in (references, None)]
    wheres = (f"{'sentences of ' * (one.references is None)}{one.where}" for one in drawn)
    note = "; ".join(dict.fromkeys(wheres))
    return importance_figure([one.classes for one in drawn], note=note)
