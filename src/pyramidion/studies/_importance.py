"""Importance of units, words and sentences: classes of equal importance, and Zipf's law (3.3.1).

Class w contains what exactly w references express. Few units are in high classes and many in low
ones, whether they are content units, words or judged sentences (Figure 3.3).
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, Pyramid, Scores
from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError
from pyramidion.pyramid.cases import REPORTED_ELSEWHERE, PyramidSource, source_notes
from pyramidion.pyramid.content_units import NO_UNITS
from pyramidion.pyramid.topics import TopicSummaries, gather_topics
from pyramidion.questions import Options, option, question
from pyramidion.rendering.charts.curves import Panel, Series, panels_figure
from pyramidion.rendering.charts.layout import PAD, Space
from pyramidion.rendering.charts.style import BLUE, GRAY, GREEN, VERMILLION
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart, Result, signed
from pyramidion.rendering.saving import FIGURE_FILE
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, data, shown
from pyramidion.stats.inputs import vector
from pyramidion.studies._unit_sentences import SENTENCE_FILE, UnitSentence, unit_sentences
from pyramidion.text import Tokenizer, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Granularity = Literal["content units", "words", "sentences"]

_UTILITY_MEASURE = "relative-utility"

#: Sentences judged below this are the first class (Figure 3.3).
_MIN_SEPARATE_MARK = 7


@dataclass(frozen=True, slots=True)
class ZipfFit:
    r"""A law :math:`C w^{-s}` for the size of class w.

    Parameters
    ----------
    classes, units
        Number of classes, with weights from 1 on, and of units in them.
    slope, scale, r_squared
        s and C by least squares on logarithms, and the share of variance explained.
    empty
        Number of classes without a unit, which that line leaves out.
    exponent, error
        s by maximum likelihood, with weights from 1 to `classes`, and its standard error.
    chi_square, p
        Pearson's test of the law with that exponent, `classes` - 2 degrees of freedom: a small
        p means that the sizes do not follow it.
    undefined
        Why nothing could be fitted; empty if it could.

    Examples
    --------
    >>> fit_zipf([600, 300, 200]).undefined
    ''
    """

    classes: int
    units: int
    slope: float = np.nan
    scale: float = np.nan
    r_squared: float = np.nan
    empty: int = 0
    exponent: float = np.nan
    error: float = np.nan
    chi_square: float = np.nan
    p: float = np.nan
    undefined: str = ""

    def expected(self) -> Floats:
        """Return the size of each class by maximum likelihood."""
        return self.units * _shares(self.exponent, self.classes)


@dataclass(frozen=True, slots=True, eq=False)
class ImportanceClasses:
    """The sizes of importance classes.

    Parameters
    ----------
    granularity
        What is counted.
    sizes
        Number of units in each class, the least important first.
    labels
        Names of the classes: the number of references, or how sentences were judged.
    topics
        Number of topics.

    Examples
    --------
    >>> classes = ImportanceClasses("words", np.array([6, 3, 2]), ("1", "2", "3"), topics=1)
    >>> round(classes.fit().slope, 6), round(classes.mean_weight, 2)
    (1.0, 1.64)
    """

    granularity: Granularity
    sizes: Ints
    labels: tuple[str, ...]
    topics: int

    @property
    def mean_weight(self) -> float:
        """The mean class of a unit, counted from 1."""
        total = int(self.sizes.sum())
        weights = np.arange(1, len(self.sizes) + 1)
        return float(self.sizes @ weights) / total if total else float("nan")

    def fit(self) -> ZipfFit:
        """Fit Zipf's law, the classes numbered from 1."""
        return fit_zipf(self.sizes)


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


def unit_classes(pyramids: Sequence[Pyramid]) -> ImportanceClasses:
    """Count the content units of each weight in pyramids with the same number of references."""
    weights = [pyramid.membership.sum(axis=1) for pyramid in pyramids]
    return _classes_by_weight("content units", weights, pyramids)


def classes_of_words(pyramids: Sequence[Pyramid], options: WordOptions) -> ImportanceClasses:
    """Count the words that one reference contains, two references contain, and so on."""
    settings: Any = {
        "tokenizer": options.tokenizer, "stem": options.stem, "stop_words": not options.all_words
    }  # fmt: skip
    weights = []
    for pyramid in pyramids:
        reference_counts: Counter[str] = Counter()
        for reference in pyramid.references:
            text = pyramid.text[reference.start : reference.end]
            reference_counts.update(set(words(text, **settings)))
        weights.append(np.array(list(reference_counts.values()), dtype=np.int64))
    return _classes_by_weight("words", weights, pyramids)


def _classes_by_weight(
    granularity: Granularity, weights: Sequence[Ints], pyramids: Sequence[Pyramid]
) -> ImportanceClasses:
    references = len(pyramids[0].references)
    sizes = np.bincount(np.concatenate(weights), minlength=references + 1)[1:]
    labels = tuple(str(weight) for weight in range(1, references + 1))
    return ImportanceClasses(granularity, sizes, labels, len(pyramids))


def sentence_classes(scores: Scores) -> ImportanceClasses:
    """Count sentences of the input by how useful people judged them for a summary.

    The judgments of a sentence, from 0 to 10, are averaged and rounded half up; those below 7 are
    the first class, and 7 to 10 are the next four.
    """
    addresses = zip(*(scores.columns[n] for n in ("collection", "topic", "unit")), strict=True)
    sentences = grouped(zip(addresses, scores.value, strict=True))
    means = np.array([float(np.mean(values)) for values in sentences.values()])
    if means.min() < 0 or means.max() > 10:
        raise InputError(f"{_UTILITY_MEASURE} is not judged from 0 to 10", "rescale the judgments")
    classes = np.maximum(np.floor(means + 0.5).astype(np.int64) - _MIN_SEPARATE_MARK + 1, 0)
    sizes = np.bincount(classes, minlength=12 - _MIN_SEPARATE_MARK)
    labels = (f"below {_MIN_SEPARATE_MARK}", *map(str, range(_MIN_SEPARATE_MARK, 11)))
    return ImportanceClasses("sentences", sizes, labels, len({key[:2] for key in sentences}))


def fit_zipf(sizes: ArrayLike) -> ZipfFit:
    r"""Fit Zipf's law to the sizes of classes, weight 1 first.

    By least squares on logarithms, a straight line in a log-log plot, and by maximum likelihood:
    each unit's weight is a draw from :math:`P(w) \propto w^{-s}` for w from 1 to the number of
    classes. The first weighs small classes as much as large ones, and its :math:`R^2` is high for
    anything that falls; the second has a standard error and a test.

    References
    ----------
    M. L. Goldstein, S. A. Morris, G. G. Yen. Problems with fitting to the power-law
    distribution. European Physical Journal B 41, 2004.

    Examples
    --------
    >>> fit = fit_zipf([600, 300, 200, 150])
    >>> round(fit.slope, 6), round(fit.scale, 6), round(fit.r_squared, 6), round(fit.exponent, 6)
    (1.0, 600.0, 1.0, 1.0)
    >>> fit_zipf([30, 0, 0]).undefined
    'all units are in class 1, which leaves no exponent'
    """
    counts = vector(sizes, "sizes")
    if (counts < 0).any() or (counts != np.round(counts)).any():
        raise InputError("`sizes` contains a number that is not a count", hint="give whole numbers")
    filled_weights = np.flatnonzero(counts)
    fit = ZipfFit(len(counts), int(counts.sum()), empty=len(counts) - len(filled_weights))
    if not len(filled_weights):
        return replace(fit, undefined="there is nothing to fit")
    if len(counts) < 2:
        return replace(fit, undefined="there is one class only")
    if len(filled_weights) == 1:
        reason = f"all units are in class {filled_weights[0] + 1}, which leaves no exponent"
        return replace(fit, undefined=reason)
    slope, scale, r_squared = _least_squares(
        np.log(filled_weights + 1), np.log(counts[filled_weights])
    )
    exponent, error = _fit_exponent(counts)
    fit = replace(
        fit, slope=slope, scale=scale, r_squared=r_squared, exponent=exponent, error=error
    )
    if len(counts) < 3:
        return fit
    from scipy.special import chdtrc

    expected_counts = fit.expected()
    chi_square = float(((counts - expected_counts) ** 2 / expected_counts).sum())
    return replace(fit, chi_square=chi_square, p=float(chdtrc(len(counts) - 2, chi_square)))


def _least_squares(x: Floats, y: Floats) -> tuple[float, float, float]:
    dx, dy = x - x.mean(), y - y.mean()
    slope = float(dx @ dy / (dx @ dx))
    scale = float(np.exp(y.mean() - slope * x.mean()))
    total = float(dy @ dy)
    residual = dy - slope * dx
    r_squared = 1 - float(residual @ residual) / total if total > 0 else np.nan
    return 0.0 - slope, scale, r_squared


def _fit_exponent(counts: Floats) -> tuple[float, float]:
    """Find the exponent at which the expected mean logarithm of the weight is as observed."""
    from scipy.optimize import brentq

    log_weights = np.log(np.arange(1, len(counts) + 1))
    observed = float(counts @ log_weights / counts.sum())

    def excess_mean(exponent: float) -> float:
        return float(_shares(exponent, len(counts)) @ log_weights) - observed

    upper_bound = 4.0
    while excess_mean(-upper_bound) < 0 or excess_mean(upper_bound) > 0:
        upper_bound *= 2
    exponent = float(brentq(excess_mean, -upper_bound, upper_bound, xtol=1e-12))
    shares = _shares(exponent, len(counts))
    variance = float(shares @ log_weights**2) - float(shares @ log_weights) ** 2
    return exponent, float(1 / np.sqrt(counts.sum() * variance))


def _shares(exponent: float, classes: int) -> Floats:
    log_powers = -exponent * np.log(np.arange(1, classes + 1))
    powers: Floats = np.exp(log_powers - log_powers.max())
    powers /= powers.sum()
    return powers


_PANEL_SIZE = (2.35, 2.35)

#: Limits of the scale of classes: its beginning, and its end relative to the last class.
_MARGINS = (0.87, 1.15)

_SIZES_STYLE: dict[str, Any] = {
    "color": BLUE, "linestyle": "none", "marker": "o", "markersize": 5.5, "label": "size of a class"
}  # fmt: skip
_LINE_STYLE: dict[str, Any] = {"color": VERMILLION, "linewidth": 1.2, "label": "least squares"}
_LAW_STYLE: dict[str, Any] = {
    "color": GREEN, "linewidth": 1.2, "linestyle": "--", "label": "maximum likelihood"
}  # fmt: skip
_WEIGHT_NAMES = {"content units": "references that express it", "words": "references that use it"}


def importance_figure(classes: Sequence[ImportanceClasses], *, note: str = "") -> "Figure":
    """Draw the sizes of importance classes and both fits, a panel for each kind of unit."""
    return panels_figure(
        list(map(_panel, classes)),
        title="Importance classes and Zipf's law",
        note=note,
        side=_PANEL_SIZE,
        gap=(0.62, 0),
        max_columns=len(classes),
        space=Space(left=PAD + 0.6, right=PAD + 0.1, above=0.52),
        legend=(_SIZES_STYLE, _LINE_STYLE, _LAW_STYLE),
        ylabel="how many",
    )


def _panel(classes: ImportanceClasses) -> Panel:
    weights, is_filled, fit = np.arange(1, len(classes.sizes) + 1), classes.sizes > 0, classes.fit()
    lines, verdict = [], fit.undefined
    if not fit.undefined:
        lines.append(Series(weights, fit.scale * weights**-fit.slope, _LINE_STYLE))
        lines.append(Series(weights, fit.expected(), _LAW_STYLE))
        r_squared = "" if math.isnan(fit.r_squared) else f" (R² {fit.r_squared:.2f})"
        verdict = f"slope {fit.slope:.2f}{r_squared}, likelihood {fit.exponent:.2f}"
    xlabel = _WEIGHT_NAMES.get(classes.granularity, "how useful it was judged")
    return Panel(
        [*lines, Series(weights[is_filled], classes.sizes[is_filled], _SIZES_STYLE)],
        scale={"xscale": "log", "yscale": "log", "xlabel": xlabel},
        more=partial(_annotate_panel, classes=classes, verdict=verdict),
    )


def _annotate_panel(axes: "Axes", classes: ImportanceClasses, verdict: str) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    annotation_style: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    heading = f"{classes.granularity} ({int(classes.sizes.sum()):,})"
    axes.annotate(heading, (0, 1), xytext=(0, 17), size=9, **annotation_style)
    axes.annotate(verdict, (0, 1), xytext=(0, 6), size=8, color=GRAY, **annotation_style)
    labels = [label.replace("below ", "<") for label in classes.labels]
    ticks = _legible_classes(labels)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(ticks, [labels[weight - 1] for weight in ticks])
    heights = np.concatenate([np.asarray(line.get_ydata()) for line in axes.lines])
    min_height, max_height = (heights.min(), heights.max()) if len(heights) else (1.0, 1.0)
    xlim = (_MARGINS[0], len(classes.sizes) * _MARGINS[1])
    axes.set(xlim=xlim, ylim=(min_height / 1.5, max_height * 1.5))
    # Few decades need marks between the powers of ten.
    minor_ticks = (1.0,) if max_height / min_height > 30 else (1.0, 2.0, 5.0)
    axes.yaxis.set_major_locator(LogLocator(subs=minor_ticks))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _legible_classes(labels: Sequence[str]) -> list[int]:
    """Choose classes, including the last, whose labels do not touch on a logarithmic scale."""
    inches = _PANEL_SIZE[0] / math.log(len(labels) * _MARGINS[1] / _MARGINS[0])

    def are_apart(first: int, second: int) -> bool:
        # A letter is 0.085 inches wide, and half of each label is between two marks.
        min_distance = 0.05 + 0.0425 * (len(labels[first - 1]) + len(labels[second - 1]))
        return inches * math.log(second / first) >= min_distance

    last_weight = len(labels)
    legible_weights: list[int] = []
    for weight in range(1, last_weight):
        if are_apart(weight, last_weight) and (
            not legible_weights or are_apart(legible_weights[-1], weight)
        ):
            legible_weights.append(weight)
    return [*legible_weights, last_weight]


_NOTE = (
    "Sets: pyramids, or topics with judged sentences. Class w has about C w^-s units. Slope and "
    "R²: least squares on logarithms; a high R² alone does not prove the law. Exponent: maximum "
    "likelihood, "
    "with its standard error; p: a chi-square test that the sizes follow the law with it."
)


@dataclass(frozen=True, slots=True)
class Importance:
    """Classes, and the number of references of the pyramids; None for sentences."""

    references: int | None
    classes: ImportanceClasses

    @property
    def of(self) -> str:
        """The number of references, in words."""
        return "" if self.references is None else f" of {counted(self.references, 'reference')}"

    @property
    def where(self) -> str:
        """The topics or pyramids, in words."""
        sets = "topic" if self.references is None else "pyramid"
        return f"{counted(self.classes.topics, sets)}{self.of}"


LAW_VIEW: View[Importance] = View(
    "law",
    (
        Column("granularity", "of", lambda row: row.classes.granularity),
        Column("references", "references"),
        Column("topics", "sets", lambda row: row.classes.topics),
        data("labels", lambda row: list(row.classes.labels)),
        data("sizes", lambda row: row.classes.sizes.tolist()),
        shown("units", lambda row: int(row.classes.sizes.sum())),
        Column("mean_weight", "mean weight", lambda row: row.classes.mean_weight),
        data("fit", lambda row: asdict(row.classes.fit())),
        shown("slope", lambda row: row.classes.fit().slope),
        shown("R²", lambda row: row.classes.fit().r_squared),
        shown("exponent", lambda row: row.classes.fit().exponent),
        shown("±", lambda row: row.classes.fit().error),
        shown("p", lambda row: row.classes.fit().p),
    ),
    digits=3,
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ImportanceResult(Result[Importance]):
    """Importance classes, and the sentences of annotated summaries with their weights."""

    saves = (FIGURE_FILE, SENTENCE_FILE)

    sentences: tuple[UnitSentence, ...] = ()


@question
def importance(source: PyramidSource, words: WordOptions) -> ImportanceResult:
    """Count how many people chose each content unit, word and sentence; fit Zipf's law.

    Content units and words are counted by the number of references that have them, sentences of
    the input by how useful they were judged (relative-utility).

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> [(row.classes.granularity, row.classes.sizes.tolist()) for row in importance(pyramid)]
    [('content units', [1, 1]), ('words', [0, 2])]
    """
    collection = source.read()
    topics = gather_topics(collection, topics=source.topic, tasks=source.task)
    distributions = [*_pyramid_importance(topics, words), *_sentence_importance(collection, topics)]
    reference_counts = sorted(
        {row.references for row in distributions if row.references}, reverse=True
    )
    smaller_counts_text = ", ".join(map(str, reference_counts[:0:-1]))
    counted_words = f"{'all' if words.all_words else 'content'} words{', stem' * words.stem}"
    return ImportanceResult(
        sentences=tuple(row for topic in topics for row in unit_sentences(topic, collection)),
        command="pyramid importance",
        signature=signed(
            f"pyramid-importance({counted_words})", collection.data_hash, tok=words.tokenizer
        ),
        values=distributions,
        record=LAW_VIEW.record,
        tables=(
            *map(_class_table, distributions),
            LAW_VIEW.table(distributions, "Zipf's law", _NOTE),
        ),
        left_out=(
            *source_notes(collection, exclude=REPORTED_ELSEWHERE),
            *_left_out_notes(topics, distributions),
        ),
        charts=[
            Chart(
                "importance",
                partial(_figure, distributions, n_references),
                about=(f"{n_references}-references",),
                left_out=(f"the figure: pyramids of {smaller_counts_text} references",)
                if smaller_counts_text
                else (),
            )
            for n_references in reference_counts
        ],
    )


def _pyramid_importance(
    topics: Sequence[TopicSummaries], words: WordOptions
) -> Iterator[Importance]:
    pyramids = (topic.pyramid for topic in topics if topic.pyramid.membership.any())
    pyramids_by_size = grouped((len(pyramid.references), pyramid) for pyramid in pyramids)
    if not pyramids_by_size:
        message = "no pyramid has a content unit that a reference expresses"
        raise InputError(message, "annotate the references first")
    for references, same_size_pyramids in sorted(pyramids_by_size.items()):
        yield Importance(references, unit_classes(same_size_pyramids))
        yield Importance(references, classes_of_words(same_size_pyramids, words))


def _sentence_importance(
    collection: Collection, topics: Sequence[TopicSummaries]
) -> Iterator[Importance]:
    names = {topic.topic for topic in topics}
    scores = collection.scores.select(measure=_UTILITY_MEASURE)
    addresses = zip(scores.columns["topic"], scores.columns["unit"], strict=True)
    unit_rows = [row for row, (topic, unit) in enumerate(addresses) if unit and topic in names]
    if unit_rows:
        yield Importance(None, sentence_classes(scores.rows(np.array(unit_rows))))


def _left_out_notes(
    topics: Sequence[TopicSummaries], distributions: Sequence[Importance]
) -> Iterator[str]:
    for topic in topics:
        n_unexpressed = int((topic.pyramid.weights == 0).sum())
        if not topic.pyramid.membership.any():
            yield f"{topic.name}: {NO_UNITS}"
        elif n_unexpressed:
            yield f"{topic.name}: content units that no reference expresses: {n_unexpressed}"
    if all(row.references is not None for row in distributions):
        yield f"sentences: none of these topics has judgments of {_UTILITY_MEASURE}"
    for row in distributions:
        if undefined_reason := row.classes.fit().undefined:
            yield f"{row.classes.granularity}{row.of}: no law: {undefined_reason}"


def _class_table(row: Importance) -> Table:
    classes, total = row.classes, max(1, int(row.classes.sizes.sum()))
    rows = tuple(
        (label, int(size), float(100 * size / total))
        for label, size in zip(classes.labels, classes.sizes, strict=True)
    )
    kind = "judgment" if row.references is None else "weight"
    title = f"{f'{classes.granularity}, {row.where}'.capitalize()}, by {kind}"
    references = "" if row.references is None else str(row.references)
    key = (("granularity", classes.granularity), ("references", references))
    return Table(("class", "units", "percent"), rows, title, digits=1, key=key, name="classes")


def _figure(distributions: Sequence[Importance], references: int) -> "Figure":
    """Draw the pyramids of this number of references, and sentences."""
    drawn_rows = [row for row in distributions if row.references in (references, None)]
    counted_in = (f"{'sentences of ' * (row.references is None)}{row.where}" for row in drawn_rows)
    note = "; ".join(dict.fromkeys(counted_in))
    return importance_figure([row.classes for row in drawn_rows], note=note)
