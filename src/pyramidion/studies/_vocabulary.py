r"""Words shared by one, two, ... all texts of a set, and the growth of the vocabulary.

A *set* is several summaries of one input, or several translations of one text. Class
:math:`C_n` holds the words that exactly n of its texts have (thesis, section 2.4).
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Collection
from pyramidion.collection.findings import address_name
from pyramidion.collection.formats import all_formats, read_collection
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.collection.sources import Source, read_source
from pyramidion.errors import InputError, NotFoundError, ShapeError, Where
from pyramidion.files.inputs import is_readable
from pyramidion.files.reading import read_text
from pyramidion.questions import Options, argument, option, question
from pyramidion.rendering.charts.curves import Panel, Series, panels_figure
from pyramidion.rendering.charts.layout import PAD, Space
from pyramidion.rendering.charts.style import BLUE, VERMILLION
from pyramidion.rendering.labels import counted, short_name
from pyramidion.rendering.result import Chart, signed
from pyramidion.rendering.table import Cell, Table
from pyramidion.stats import TTest, unpaired_t
from pyramidion.studies._source import (
    StudyPart,
    StudyResult,
    UnstemmedWords,
    most_common,
)
from pyramidion.text.encoding import Reading, encode

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class TextSet:
    """Summaries of one input, or translations of one text."""

    name: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FrequencyClasses:
    """The number of words in each class, set by set.

    Examples
    --------
    >>> classes = FrequencyClasses(np.array([[5, 1]]), ("T1",))
    >>> classes.probabilities.round(3).tolist(), classes.growth.tolist()
    ([[0.714, 0.143]], [[3.5, 6.0]])
    """

    sizes: Ints  #: sets x classes: words in 1, 2, ... all texts
    names: tuple[str, ...]
    in_order: Ints | None = None  #: sets x texts: different words in the first 1, 2, ... texts

    def __post_init__(self) -> None:
        if self.sizes.ndim != 2 or len(self.names) != len(self.sizes):
            message = f"class sizes of shape {self.sizes.shape} for {len(self.names)} sets"
            raise ShapeError(message, hint="rows are sets, columns are classes")
        for row in np.flatnonzero(self.sizes.sum(axis=1) == 0):
            raise InputError(f"{self.names[row]} has no words", hint="remove the set")

    @property
    def texts(self) -> int:
        """The number of texts of each set."""
        return int(self.sizes.shape[1])

    @property
    def probabilities(self) -> Floats:
        r"""The probability of each class in each set: :math:`|C_n| / \sum_i i |C_i|`."""
        return self.sizes / (self.sizes @ np.arange(1, self.texts + 1))[:, None]

    @property
    def growth(self) -> Floats:
        r"""The vocabulary of 1, 2, ... texts of each set, the mean over all orders of the texts.

        A word that n of N texts have is among k texts with probability
        :math:`1 - \binom{N-n}{k} / \binom{N}{k}`, so the classes alone determine it.
        """
        return self.sizes @ _inclusion_probabilities(self.texts)


@dataclass(frozen=True, slots=True)
class ClassComparison:
    """One class in two groups of sets."""

    texts: int
    first: float
    second: float
    test: TTest | None


def frequency_classes(sets: Sequence[TextSet], reading: Reading) -> FrequencyClasses:
    """Count the words that one, two, ... all texts of each set have; sets are equally large."""
    n_texts = len(sets[0].texts)
    if n_texts < 2:
        hint = "classes are counted over two or more"
        raise InputError(f"{sets[0].name} has one text only", hint=hint)
    tables = [_word_presence(text_set, reading) for text_set in sets]
    sizes = [np.bincount(table.sum(axis=0), minlength=n_texts + 1)[1:] for table in tables]
    growth_curves = [np.logical_or.accumulate(table).sum(axis=1) for table in tables]
    names = tuple(text_set.name for text_set in sets)
    return FrequencyClasses(np.array(sizes), names, np.array(growth_curves))


def compare_classes(first: FrequencyClasses, second: FrequencyClasses) -> list[ClassComparison]:
    """Compare the probabilities of classes in two groups, such as summaries and translations."""
    pairs = zip(first.probabilities.T, second.probabilities.T, strict=True)
    has_several = min(len(first.sizes), len(second.sizes)) > 1
    return [
        ClassComparison(
            texts, float(x.mean()), float(y.mean()),
            unpaired_t(x, y, variance="welch") if has_several else None,
        )
        for texts, (x, y) in enumerate(pairs, start=1)
    ]  # fmt: skip


def _reference_sets(
    collection: Collection, part: StudyPart
) -> tuple[list[TextSet], tuple[str, ...]]:
    """Return the references of each topic and task as a set, and notes on what was left out."""
    part.require_in(collection)
    groups = grouped(
        (address_name(summary.task, summary.topic), summary.plain)
        for summary in collection.summaries
        if summary.is_reference and summary.plain.strip()
        if part.includes(summary.task, summary.topic)
    )
    if not groups:
        hint = "add summaries by people, or give text files"
        raise InputError(f"there are no references in {collection.name}", hint=hint)
    return [TextSet(name, tuple(texts)) for name, texts in groups.items()], collection.left_out


def _word_presence(text_set: TextSet, reading: Reading) -> Bools:
    """Return which text (row) has which word (column)."""
    encoded_texts = encode(text_set.texts, **asdict(reading))
    table = np.zeros((len(encoded_texts), len(encoded_texts.words)), dtype=np.bool_)
    table[np.repeat(np.arange(len(encoded_texts)), encoded_texts.lengths), encoded_texts.ids] = True
    return table


def _inclusion_probabilities(texts: int) -> Floats:
    """Return the probability that a word of class n (row) is among k texts (column)."""
    from scipy.special import gammaln

    counts = np.arange(1, texts + 1)
    n_absent = np.maximum(texts - counts[:, None] - counts, 0)
    # In logarithms, since binomials of a thousand texts overflow.
    log_remaining = gammaln(texts - counts + 1)
    p_missed = np.exp(
        log_remaining[:, None] + log_remaining - gammaln(n_absent + 1) - gammaln(texts + 1)
    )
    return np.where(counts[:, None] + counts > texts, 1.0, 1 - p_missed)


#: The name of a source, its sets of texts, and what the reader left out.
TextSource = tuple[str, list[TextSet], tuple[str, ...]]


def read_texts(sources: Sequence[Source], part: StudyPart) -> TextSource:
    """Read sets of texts: summaries of one input, or translations of one text."""
    if len(sources) == 1 and not isinstance(sources[0], str | Path):
        collection = read_source(sources[0])
        return collection.name, *_reference_sets(collection, part)
    paths = [Path(source) for source in sources if isinstance(source, str | Path)]
    if len(paths) < len(sources):
        raise InputError("collections and paths are mixed", hint="give one collection, or paths")
    for path in paths:
        if not path.exists():
            hint = "check the path"
            raise NotFoundError("there is no such file or folder", where=Where(path), hint=hint)
    name = paths[0].resolve().name
    is_recognized = part.source_format or any(
        file_format.matches(paths[0]) for file_format in all_formats()
    )
    if len(paths) == 1 and is_recognized:
        return name, *_reference_sets(read_collection(paths[0], format=part.source_format), part)
    if files := [path for path in paths if is_readable(path)]:
        for folder in (path for path in paths if path.is_dir()):
            hint = "give files or folders"
            raise InputError("folders and files are mixed", where=Where(folder), hint=hint)
        folders = {file.resolve().parent for file in files}
        name = folders.pop().name if len(folders) == 1 else "texts"
        return name, [_text_set(name, files)], ()
    return name, [text_set for folder in paths for text_set in _folder_sets(folder)], ()


def _folder_sets(folder: Path) -> Iterator[TextSet]:
    paths = sorted(folder.iterdir(), key=lambda path: natural_order(path.name))
    visible_paths = [path for path in paths if not path.name.startswith(".")]
    folders = [path for path in visible_paths if path.is_dir()]
    if files := [path for path in visible_paths if path.is_file()]:
        yield _text_set(folder.name or str(folder), files)
    elif not folders:
        raise InputError("the folder is empty", where=Where(folder), hint="add text files")
    else:
        for subfolder in folders:
            yield from _folder_sets(subfolder)


def _text_set(name: str, files: Sequence[Path]) -> TextSet:
    texts = tuple(read_text(file) for file in files)
    for file, text in zip(files, texts, strict=True):
        if not text.strip():
            raise InputError("the file has no text", where=Where(file), hint="remove it")
    return TextSet(name, texts)


@dataclass(frozen=True, slots=True)
class VocabularySets(Options):
    """Sets of texts, and sets to compare them with."""

    sources: tuple[Source, ...] = argument(
        "A collection, in which each topic's references are a set; text files, which are one "
        "set; or folders of text files (one set each), or of such folders.", metavar="SRC",
    )  # fmt: skip
    against: tuple[Source, ...] = option(
        (), "Set of texts to compare with, such as translations; can be repeated.", metavar="SRC"
    )
    texts: int | None = option(
        None, "Number of texts to use from each set (the first ones); by default, as many as "
        "most sets have.", metavar="N", min=2,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TextSetGroup:
    """A named group of sets of texts."""

    name: str
    classes: FrequencyClasses


@dataclass(frozen=True, slots=True)
class VocabularyStudy:
    """The classes of one or two groups of sets, and their comparison."""

    groups: tuple[TextSetGroup, ...]
    comparisons: tuple[ClassComparison, ...]

    @property
    def texts(self) -> int:
        """The number of texts of each set."""
        return self.groups[0].classes.texts


@question
def vocabulary(
    options: VocabularySets, words: UnstemmedWords, part: StudyPart
) -> StudyResult[VocabularyStudy]:
    """Count the words that one, two, ... all texts of a set share, and the vocabulary's growth.

    Summaries of one input share fewer words than translations of one text: people choose different
    content, not only different words (Tables 2.5 and 2.6, Figure 2.1). The tables of the thesis
    count stop words: --all-words.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Summary
    >>> three = [Summary("T1", name, text, kind="human")
    ...          for name, text in (("A", "Ice melts."), ("B", "Blue ice."), ("C", "Snow."))]
    >>> [study] = vocabulary(Collection("mine", summaries=three))
    >>> study.groups[0].classes.sizes.tolist()
    [[3, 1, 0]]
    """
    text_groups = [read_texts(options.sources, part)]
    if options.against:
        text_groups.append(read_texts(options.against, StudyPart(source_format=part.source_format)))
    sizes = ([len(text_set.texts) for text_set in sets] for _, sets, _ in text_groups)
    n_texts = options.texts or min(map(most_common, sizes))
    names = [name for name, *_ in text_groups]
    used_sets, left_out = [], []
    for name, sets, skipped_notes in text_groups:
        limited_sets, unused_notes = _limit_texts(name, sets, n_texts)
        used_sets.append(limited_sets)
        left_out += [*skipped_notes, *unused_notes]
    groups = tuple(
        TextSetGroup(name, frequency_classes(sets, words.reading))
        for name, sets in zip(
            names if len(set(names)) == len(names) else ("first", "second"), used_sets, strict=True
        )
    )
    class_comparisons = compare_classes(*(g.classes for g in groups)) if len(groups) == 2 else []
    study = VocabularyStudy(groups, tuple(class_comparisons))
    texts = (
        text
        for group, sets in enumerate(used_sets)
        for text_set in sets
        for text in (str(group), text_set.name, *text_set.texts)
    )
    digest = sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    subject = f"study-vocabulary({words.name})"
    return StudyResult(
        command="study vocabulary",
        signature=signed(subject, digest, texts=n_texts, tok=words.tokenizer),
        values=[study],
        record=_record,
        tables=[*map(_sizes_table, groups), _class_table(study), _growth_table(groups)],
        left_out=tuple(left_out),
        charts=[Chart("growth", partial(growth_figure, groups))],
    )


def _limit_texts(
    name: str, sets: Sequence[TextSet], number: int
) -> tuple[list[TextSet], list[str]]:
    """Return the first texts of each set; report sets with too few or more texts."""
    limited_sets, unused_notes = [], []
    for text_set in sets:
        set_size = len(text_set.texts)
        if set_size < number:
            size = counted(set_size, "text")
            unused_notes.append(f"{text_set.name}: it has {size}, the others have {number}")
            continue
        limited_sets.append(replace(text_set, texts=text_set.texts[:number]))
        if set_size > number:
            more_text = counted(set_size - number, "text")
            unused_notes.append(f"{text_set.name}: {more_text} beyond the first {number}")
    if not limited_sets:
        hint = f"the largest has {max(len(text_set.texts) for text_set in sets)}"
        raise InputError(f"no set of {name} has {number} texts", hint=hint)
    return limited_sets, unused_notes


def _sizes_table(group: TextSetGroup) -> Table:
    """Return the sizes as in Tables 2.5 and 2.6, the words of all texts first."""
    classes = group.classes
    named_sizes = zip(classes.names, classes.sizes.tolist(), strict=True)
    rows: list[tuple[Cell, ...]] = [(name, *sizes[::-1], sum(sizes)) for name, sizes in named_sizes]
    columns = ("set", *(f"C{n}" for n in range(classes.texts, 0, -1)), "words")
    title = f"Classes of words, {group.name}: {counted(len(rows), 'set')} of {classes.texts} texts"
    note, key = "C_n: words that exactly n texts of the set have.", (("group", group.name),)
    return Table(columns, tuple(rows), title, note, key=key, name="sets")


def _class_table(study: VocabularyStudy) -> Table:
    groups, class_comparisons = study.groups, study.comparisons
    means = [group.classes.probabilities.mean(axis=0) for group in groups]
    tests = [tuple(_test_fields(comparison).values()) for comparison in class_comparisons] or [
        ()
    ] * study.texts
    rows: list[tuple[Cell, ...]] = [
        (f"C{index + 1}", *(float(mean[index]) for mean in means), *tests[index])
        for index in reversed(range(study.texts))
    ]
    note = (
        "Probability of a class: its size divided by the words of all texts, each counted once per "
        "text; mean over sets."
    )
    columns: tuple[str, ...] = ("class", "probability")
    if class_comparisons:
        columns = ("class", *(f"P, {group.name}" for group in groups), "t", "df", "p")
        is_untested = any(comparison.test is None for comparison in class_comparisons)
        test_note = (
            "A test needs two or more sets per group." if is_untested else "Test: Welch's t."
        )
        note = f"{note} {test_note}"
    return Table(columns, tuple(rows), "Probability of a class", note, name="classes")


def _test_fields(comparison: ClassComparison) -> dict[str, float | None]:
    fields = {"t": "statistic", "df": "df", "p": "p"}
    return {name: getattr(comparison.test, field, None) for name, field in fields.items()}


def _growth_table(groups: Sequence[TextSetGroup]) -> Table:
    growth_means = [group.classes.growth.mean(axis=0).tolist() for group in groups]
    rows = tuple(
        (number, *words) for number, words in enumerate(zip(*growth_means, strict=True), start=1)
    )
    columns = ("texts", *(group.name if len(groups) > 1 else "words" for group in groups))
    note = "Different words in this many texts, the mean over sets and over all orders of texts."
    return Table(columns, rows, "Growth of the vocabulary", note, digits=1, name="growth")


def _record(study: VocabularyStudy) -> dict[str, Any]:
    return {
        "study": "vocabulary",
        "texts": study.texts,
        "groups": [
            {
                "group": group.name,
                "sets": len(group.classes.names),
                "probabilities": group.classes.probabilities.mean(axis=0),
                "growth": group.classes.growth.mean(axis=0),
            }
            for group in study.groups
        ],
        "tests": [
            {"class": row.texts, "first": row.first, "second": row.second, **_test_fields(row)}
            for row in study.comparisons
        ],
        "sets": [record for group in study.groups for record in _set_records(group)],
    }


def _set_records(group: TextSetGroup) -> Iterator[dict[str, Any]]:
    classes = group.classes
    arrays = {name: getattr(classes, name) for name in ("sizes", "probabilities", "growth")}
    arrays["growth_in_order"] = classes.in_order
    for row, name in enumerate(classes.names):
        values = {key: None if array is None else array[row] for key, array in arrays.items()}
        yield {"group": group.name, "set": name, **values}


_GROUP_STYLES: tuple[dict[str, Any], ...] = (
    {"color": VERMILLION, "linestyle": "-", "marker": "o"},
    {"color": BLUE, "linestyle": "--", "marker": "s"},
)


def growth_figure(groups: Sequence[TextSetGroup]) -> "Figure":
    """Draw the different words of 1, 2, ... texts: thin for a set, thick for a group's mean."""
    lines, legend = [], []
    for group, style in zip(groups, _GROUP_STYLES, strict=False):
        growth, sets = group.classes.growth, counted(len(group.classes.names), "set")
        thick_style = {**style, "linewidth": 2.0, "markersize": 5}
        legend.append({**thick_style, "label": f"{short_name(group.name)} ({sets})"})
        x = np.arange(1, group.classes.texts + 1)
        if len(growth) > 1:
            line_style = {**legend[-1], "marker": "", "linewidth": 0.8, "alpha": 0.4}
            lines.append(Series(x, growth.T, line_style))
        lines.append(Series(x, growth.mean(axis=0), legend[-1]))
    explanation = "; thin: a set, thick: the mean" if len(lines) > len(legend) else ""
    panel = Panel(
        lines,
        scale={"xlabel": "texts", "ylabel": "different words", "ylim": (0, None)},
        ticks={"axis": "x", "integer": True},
        grid="y",
    )
    return panels_figure(
        [panel],
        title="Growth of the vocabulary",
        note=f"different words in this many texts, the mean over all orders of texts{explanation}",
        side=(4.6, 3.4),
        space=Space(left=PAD + 0.62, right=PAD + 0.1),
        legend=legend,
    )
