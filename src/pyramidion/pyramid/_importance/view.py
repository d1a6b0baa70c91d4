"""How importance is distributed: the question and its tables."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.collection import Collection, Pyramid
from pyramidion.collection.questions import Options, option, question
from pyramidion.errors import InputError
from pyramidion.pyramid._importance.classes import (
    ImportanceClasses,
    WordChoice,
    sentence_classes,
    unit_classes,
    word_classes,
)
from pyramidion.pyramid._source import PyramidSource, source_notes
from pyramidion.pyramid._topics import TopicSummaries, gather_topics
from pyramidion.report.labels import counted
from pyramidion.report.result import Chart, Result, signed
from pyramidion.report.table import Table
from pyramidion.report.view import Column, View, data, shown
from pyramidion.text import Tokenizer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
        False, "Count stop words, too, as the thesis' table does.", flags=("--all-words",)
    )
    stem: bool = option(False, "Count forms of a word as one.", flags=("--stem",))
    tokenizer: Tokenizer = option(
        "unicode", "What a word is: unicode for any script, or as ROUGE has it (rouge)."
    )

    @property
    def label(self) -> str:
        """The words by name."""
        return f"{'all' if self.all_words else 'content'} words{', stem' if self.stem else ''}"

    def count(self, pyramids: Sequence[Pyramid]) -> ImportanceClasses:
        """Count the words that so many references contain."""
        choose: WordChoice = "all" if self.all_words else "content"
        return word_classes(pyramids, choose=choose, stem=self.stem, tokenizer=self.tokenizer)


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
        left_out=(
            *source_notes(collection, but=("other pyramid", "empty pyramid")),
            *_left_out(places, found),
        ),
        charts=[
            Chart("importance", partial(_figure, found, number), about=(f"{number}-references",))
            for number in numbers
        ],
    )


def _of_pyramids(places: Sequence[TopicSummaries], words: WordOptions) -> Iterator[Importance]:
    by_references: dict[int, list[Pyramid]] = {}
    for place in places:
        if place.pyramid.membership.any():
            by_references.setdefault(len(place.pyramid.references), []).append(place.pyramid)
    if not by_references:
        raise InputError(
            "no pyramid has a content unit that a reference expresses",
            hint="annotate the references first",
        )
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
    from pyramidion.pyramid._importance.chart import importance_figure

    drawn = [one for one in found if one.references in (references, None)]
    wheres = (f"{'sentences of ' * (one.references is None)}{one.where}" for one in drawn)
    note = "; ".join(dict.fromkeys(wheres))
    return importance_figure([one.classes for one in drawn], note=note)
