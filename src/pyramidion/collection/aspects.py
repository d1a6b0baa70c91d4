"""TAC's categories of topics, their aspects, and summaries annotated with them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pyramidion.errors import FormatError, InputError, Where

__all__ = ["TAC_CATEGORIES", "Aspect", "AspectSpan", "Category", "mark_aspects", "parse_aspects"]


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing a summary of a topic in a category should tell.

    Examples
    --------
    >>> Aspect("4.3", "THREATS", "threats to the resource").id
    '4.3'
    """

    id: str
    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of topic, with the aspects its summaries should cover.

    Examples
    --------
    >>> [aspect.name for aspect in TAC_CATEGORIES[3].aspects]
    ['WHAT', 'IMPORTANCE', 'THREATS', 'COUNTERMEASURES']
    """

    id: str
    title: str
    aspects: tuple[Aspect, ...] = ()


def _category(id: str, title: str, *aspects: tuple[str, str]) -> Category:
    numbered = (Aspect(f"{id}.{n}", *aspect) for n, aspect in enumerate(aspects, start=1))
    return Category(id, title, tuple(numbered))


_WHEN = ("WHEN", "date, time, other marks of time")
_WHERE = ("WHERE", "place")

#: The five categories of TAC 2010 and 2011 with the aspects and numbers of 2011.
TAC_CATEGORIES: tuple[Category, ...] = (
    _category(
        "1",
        "Accidents and Natural Disasters",
        ("WHAT", "what happened"),
        _WHEN,
        _WHERE,
        ("WHY", "reasons"),
        ("WHO_AFFECTED", "casualties and others affected"),
        ("DAMAGES", "damage done"),
        ("COUNTERMEASURES", "rescue, prevention, other reactions"),
    ),
    _category(
        "2",
        "Attacks",
        ("WHAT", "what happened"),
        _WHEN,
        _WHERE,
        ("PERPETRATORS", "who did it"),
        ("WHY", "reasons"),
        ("WHO_AFFECTED", "casualties and others affected"),
        ("DAMAGES", "damage done"),
        ("COUNTERMEASURES", "rescue, prevention, investigation, other reactions"),
    ),
    _category(
        "3",
        "Health and Safety",
        ("WHAT", "the issue"),
        ("WHO_AFFECTED", "who is affected"),
        ("HOW", "how they are affected"),
        ("WHY", "why it happens"),
        ("COUNTERMEASURES", "countermeasures, prevention"),
    ),
    _category(
        "4",
        "Endangered Resources",
        ("WHAT", "the resource"),
        ("IMPORTANCE", "why it matters"),
        ("THREATS", "threats to the resource"),
        ("COUNTERMEASURES", "countermeasures, prevention"),
    ),
    _category(
        "5",
        "Investigations and Trials",
        ("WHO", "defendant or subject of the investigation"),
        ("WHO_INV", "who investigates, prosecutes or judges"),
        ("WHY", "general reasons"),
        ("CHARGES", "specific charges"),
        ("PLEAD", "reaction to the charges"),
        ("SENTENCE", "sentence or other consequences"),
    ),
)


@dataclass(frozen=True, slots=True, order=True)
class AspectSpan:
    """A stretch of a summary that tells an aspect.

    Parameters
    ----------
    start, end
        Character offsets in the summary's text, the end exclusive.
    aspect
        The aspect's number, such as ``4.1``.

    Examples
    --------
    >>> AspectSpan(0, 3, "4.1").aspect
    '4.1'
    """

    start: int
    end: int
    aspect: str


# TAC's annotators wrote <aid="4.1">Ice</aid="4.1">, the number in both marks.
_MARK = re.compile(r'<(/?)aid\s*=\s*"([^"<>]+)"\s*>')
_LIKE_A_MARK = re.compile(r"</?aid\b[^>]{0,20}>?")


def parse_aspects(marked: str, where: Where | None = None) -> tuple[str, tuple[AspectSpan, ...]]:
    """Take TAC's aspect marks out of a summary.

    Parameters
    ----------
    marked
        Text with marks such as ``<aid="4.1">Ice</aid="4.1">``; marks may be nested.
    where
        The place, for messages.

    Returns
    -------
    tuple
        The plain text, and the spans in the order of their starts.

    Examples
    --------
    >>> parse_aspects('<aid="4.1">Ice</aid="4.1"> melts.')
    ('Ice melts.', (AspectSpan(start=0, end=3, aspect='4.1'),))
    """
    plain: list[str] = []
    length = position = 0
    opened: list[tuple[str, int]] = []
    spans: list[AspectSpan] = []
    for mark in _MARK.finditer(marked):
        plain.append(marked[position : mark.start()])
        length += mark.start() - position
        position = mark.end()
        closing, aspect = mark.groups()
        if closing:
            spans.append(AspectSpan(_start_of(aspect, opened, length, where), length, aspect))
        else:
            opened.append((aspect, length))
    if opened:
        raise FormatError(
            f"aspect {opened[0][0]} is not closed",
            where=where,
            hint=f'add </aid="{opened[0][0]}"> where it ends',
        )
    plain.append(marked[position:])
    text = "".join(plain)
    damaged = _LIKE_A_MARK.search(text)
    if damaged:
        raise FormatError(
            f"{damaged.group()!r} is not an aspect's mark",
            where=where,
            hint='write <aid="4.1">...</aid="4.1">',
        )
    return text, tuple(sorted(spans))


def _start_of(aspect: str, opened: list[tuple[str, int]], end: int, where: Where | None) -> int:
    """Find where the mark that is closed here was opened: the last one of its aspect."""
    for index in reversed(range(len(opened))):
        if opened[index][0] == aspect:
            start = opened.pop(index)[1]
            if start < end:
                return start
            raise FormatError(
                f"aspect {aspect} marks no text", where=where, hint="take both marks out"
            )
    raise FormatError(
        f"aspect {aspect} is closed but not open",
        where=where,
        hint=f'add <aid="{aspect}"> where it begins',
    )


def mark_aspects(text: str, spans: Iterable[AspectSpan]) -> str:
    """Put TAC's aspect marks into a summary, the inverse of `parse_aspects`.

    Examples
    --------
    >>> mark_aspects("Ice melts.", [AspectSpan(0, 3, "4.1")])
    '<aid="4.1">Ice</aid="4.1"> melts.'
    """
    outer_first = sorted(spans, key=lambda span: (span.start, -span.end, span.aspect))
    marks: list[tuple[int, int, int, str]] = []
    for number, span in enumerate(outer_first):
        # At one offset: first close (the inner mark first), then open (the outer mark first).
        marks.append((span.start, 1, number, f'<aid="{span.aspect}">'))
        marks.append((span.end, 0, -number, f'</aid="{span.aspect}">'))
    result: list[str] = []
    position = 0
    for offset, _, _, mark in sorted(marks):
        result += (text[position:offset], mark)
        position = offset
    marked = "".join((*result, text[position:]))
    _require_readable(marked, text, outer_first)
    return marked


def _require_readable(marked: str, text: str, spans: list[AspectSpan]) -> None:
    """Refuse what the marks cannot say, such as two crossing spans of one aspect."""
    try:
        readable = parse_aspects(marked) == (text, tuple(sorted(spans)))
    except FormatError:
        readable = False
    if not readable:
        raise InputError(
            f"the spans of {text[:40]!r} cannot be written as marks",
            hint="spans lie inside the text, are not empty and do not cross one of their aspect",
        )
