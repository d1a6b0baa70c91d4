"""Words that several people have, and how the vocabulary grows: Tables 2.5, 2.6, Figure 2.1."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, Signature
from pyramidion.errors import InputError
from pyramidion.evaluation.study import FrequencyClasses, frequency_classes
from pyramidion.evaluation.study._places import commonest
from pyramidion.evaluation.study.vocabulary import ClassComparison, compare_classes
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.pyramid_figure_files import require_figure_file
from pyramidion.report.study_source import StudyRequest, TextSource, read_texts, words_named
from pyramidion.report.table import Cell, Table

__all__ = ["Group", "vocabulary_answer"]

_CLASSES_NOTE = "C_n: words that exactly n texts of the set have."
_PROBABILITY_NOTE = (
    "Probability of a class: its size over the words of all texts, each counted once a text; the "
    "mean over sets."
)
_GROWTH_NOTE = "Different words in so many texts, the mean over sets and over all orders of texts."


@dataclass(frozen=True, slots=True)
class Group:
    """Sets of texts that belong together, under a name.

    Parameters
    ----------
    name
        What the group is called.
    classes
        The classes of its sets.

    Examples
    --------
    >>> import numpy as np
    >>> Group("summaries", FrequencyClasses(np.array([[5, 1]]), ("T1",))).classes.texts
    2
    """

    name: str
    classes: FrequencyClasses


def vocabulary_answer(
    sources: Sequence[str | Path] | Collection,
    request: StudyRequest | None = None,
    *,
    against: Sequence[str | Path] = (),
    texts: int | None = None,
    figure: str | Path | None = None,
) -> Answer:
    """Count the words that one, two, ... all texts of a set have.

    Parameters
    ----------
    sources, against
        Sets of texts, and others to compare them with; see `read_texts`.
    request
        Which words; they are not stemmed unless it says so.
    texts
        Take the first so many texts of each set; as many as most sets have if not given.
    figure
        A file for a figure.

    Examples
    --------
    >>> from pyramidion.collection import Summary
    >>> three = [Summary("T1", name, text, kind="human")
    ...          for name, text in (("A", "Ice melts."), ("B", "Blue ice."), ("C", "Snow."))]
    >>> answer = vocabulary_answer(Collection("mine", summaries=three))
    >>> answer.results[0]["sets"][0]["sizes"].tolist()
    [3, 1, 0]
    """
    asked = request or StudyRequest(stem=False)
    if figure is not None:
        require_figure_file(figure)
    given = [read_texts(sources, asked)]
    if against:
        given.append(read_texts(against, replace(asked, topics=(), tasks=())))
    number = _number_of_texts(given, texts)
    kept = [_first(source, number) for source in given]
    groups = [
        Group(name, frequency_classes(source.sets, reading=asked.reading))
        for name, source in zip(_names(given), kept, strict=True)
    ]
    compared = compare_classes(*(g.classes for g in groups)) if len(groups) == 2 else []
    if figure is not None:
        _draw(groups, figure)
    return Answer(
        command="study vocabulary",
        signature=Signature(
            f"study-vocabulary({words_named(asked)})",
            data=_data_hash(kept),
            details=(("texts", str(number)), ("tok", asked.tokenizer)),
        ),
        results=[_record(groups, compared)],
        tables=(*map(_sizes_table, groups), _class_table(groups, compared), _growth_table(groups)),
        left_out=tuple(line for source in kept for line in source.left_out),
    )


def _number_of_texts(given: Sequence[TextSource], wanted: int | None) -> int:
    if wanted is not None and wanted < 2:
        raise InputError(f"sets of {wanted} texts", hint="classes are counted over two or more")
    return wanted or min(commonest(len(own.texts) for own in s.sets) for s in given)


def _first(source: TextSource, number: int) -> TextSource:
    """Take the first texts of each set; say which sets have too few, and which have more."""
    kept = tuple(
        replace(own, texts=own.texts[:number]) for own in source.sets if len(own.texts) >= number
    )
    if not kept:
        most = max(len(own.texts) for own in source.sets)
        raise InputError(
            f"no set of {source.name} has {number} texts", hint=f"the largest has {most}"
        )
    return TextSource(source.name, kept, (*source.left_out, *_unused(source, number)))


def _unused(source: TextSource, number: int) -> Iterator[str]:
    for own in source.sets:
        texts = len(own.texts)
        if texts < number:
            yield f"{own.name}: it has {counted(texts, 'text')}, the others have {number}"
        elif texts > number:
            yield f"{own.name}: {counted(texts - number, 'text')} beyond the first {number}"


def _names(given: Sequence[TextSource]) -> list[str]:
    names = [source.name for source in given]
    return names if len(set(names)) == len(names) else ["first", "second"]


def _data_hash(given: Sequence[TextSource]) -> str:
    texts = (
        text
        for group, source in enumerate(given)
        for own in source.sets
        for text in (str(group), own.name, *own.texts)
    )
    return sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _sizes_table(group: Group) -> Table:
    """Write the sizes as Tables 2.5 and 2.6 do: what all texts have comes first."""
    classes = group.classes
    rows: list[tuple[Cell, ...]] = [
        (name, *sizes[::-1], sum(sizes))
        for name, sizes in zip(classes.names, classes.sizes.tolist(), strict=True)
    ]
    columns = ("set", *(f"C{n}" for n in range(classes.texts, 0, -1)), "words")
    sets = f"{counted(len(rows), 'set')} of {classes.texts} texts"
    return Table(
        columns,
        tuple(rows),
        title=f"Classes of words, {group.name}: {sets}",
        note=_CLASSES_NOTE,
        key=(("group", group.name),),
    )


def _class_table(groups: Sequence[Group], compared: Sequence[ClassComparison]) -> Table:
    names = tuple(f"P, {group.name}" for group in groups) if compared else ("probability",)
    means = [group.classes.probabilities.mean(axis=0) for group in groups]
    rows: list[tuple[Cell, ...]] = [
        (f"C{place + 1}", *(float(mean[place]) for mean in means))
        for place in reversed(range(groups[0].classes.texts))
    ]
    if not compared:
        note = _PROBABILITY_NOTE
        return Table(("class", *names), tuple(rows), title="Probability of a class", note=note)
    tests = [_test_cells(found) for found in reversed(compared)]
    tested = tuple((*row, *cells) for row, cells in zip(rows, tests, strict=True))
    lacking = any(found.test is None for found in compared)
    note = _PROBABILITY_NOTE + (
        " A test needs two sets or more on either side." if lacking else " Test: Welch's t."
    )
    title = "Probability of a class"
    return Table(("class", *names, "t", "df", "p"), tested, title=title, note=note)


def _test_cells(found: ClassComparison) -> tuple[Cell, ...]:
    if found.test is None:
        return None, None, None
    return found.test.statistic, found.test.df, found.test.p


def _growth_table(groups: Sequence[Group]) -> Table:
    grown = [group.classes.growth.mean(axis=0) for group in groups]
    rows: list[tuple[Cell, ...]] = [
        (place + 1, *(float(own[place]) for own in grown))
        for place in range(groups[0].classes.texts)
    ]
    columns = ("texts", *(group.name if len(groups) > 1 else "words" for group in groups))
    title = "Growth of the vocabulary"
    return Table(columns, tuple(rows), title=title, note=_GROWTH_NOTE, digits=1)


def _record(groups: Sequence[Group], compared: Sequence[ClassComparison]) -> dict[str, Any]:
    first = groups[0].classes
    sets = [record for group in groups for record in _set_records(group)]
    tests = [
        {
            "class": found.texts,
            "first": found.first,
            "second": found.second,
            "t": None if found.test is None else found.test.statistic,
            "df": None if found.test is None else found.test.df,
            "p": None if found.test is None else found.test.p,
        }
        for found in compared
    ]
    return {
        "study": "vocabulary",
        "texts": first.texts,
        "groups": [
            {
                "group": group.name,
                "sets": len(group.classes.names),
                "probabilities": group.classes.probabilities.mean(axis=0),
                "growth": group.classes.growth.mean(axis=0),
            }
            for group in groups
        ],
        "tests": tests,
        "sets": sets,
    }


def _set_records(group: Group) -> Iterator[dict[str, Any]]:
    classes = group.classes
    for row, name in enumerate(classes.names):
        yield {
            "group": group.name,
            "set": name,
            "sizes": classes.sizes[row],
            "probabilities": classes.probabilities[row],
            "growth": classes.growth[row],
            "growth_in_order": None if classes.in_order is None else classes.in_order[row],
        }


def _draw(groups: Sequence[Group], file: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.study_growth import growth_figure

    save(growth_figure([(group.name, group.classes) for group in groups]), file)
