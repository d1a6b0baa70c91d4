"""Where parts of contributors stand: quotations and offsets in JSON, and back."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyramidion.collection.formats.ducview.text import AnnotatedText
from pyramidion.collection.pyramids import Pyramid
from pyramidion.collection.records import Record
from pyramidion.collection.scus import Contributor, Part
from pyramidion.errors import FormatError

__all__ = ["Window", "read_contributor", "reference_windows", "written_contributor"]


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text in which parts are quoted, and from where their offsets count.

    Parameters
    ----------
    text
        The whole text.
    start, end
        The stretch.
    name
        The reference it is; nothing for a whole text.

    Examples
    --------
    >>> Window("A: Ice melts.", 3, 13, "A").written(Part(7, 12, "melts"))
    'melts'
    """

    text: str
    start: int
    end: int
    name: str = ""

    def written(self, part: Part) -> str | dict[str, Any]:
        """Write a part: as a quotation where that says its place, else with its offsets."""
        span = self.text[part.start : part.end] if 0 <= part.start <= part.end else None
        quoted = span == part.label and span != ""
        if quoted and self.text.find(part.label, self.start, self.end) == part.start:
            return part.label
        place: dict[str, Any] = {"start": part.start - self.start, "end": part.end - self.start}
        return place if span == part.label else {**place, "label": part.label}

    def holds(self, contributor: Contributor) -> bool:
        """Tell whether all parts of a contributor lie in the stretch."""
        places = [(part.start, part.end) for part in contributor.parts]
        return bool(places) and all(self.start <= a <= b <= self.end for a, b in places)


def reference_windows(pyramid: Pyramid) -> dict[str, Window]:
    """Give the text of each reference, as `joined_references` wrote it under its header.

    Examples
    --------
    >>> windows = reference_windows(Pyramid.from_references({"A": "Ice melts."}, []))
    >>> windows["A"].text[windows["A"].start : windows["A"].end]
    'Ice melts.'
    """
    return {
        reference.name: Window(
            pyramid.text, reference.start + 1, _end(pyramid, number), reference.name
        )
        for number, reference in enumerate(pyramid.references)
    }


def _end(pyramid: Pyramid, number: int) -> int:
    """Find where a reference's own text ends: before an empty line, or the last line's end."""
    last = number == len(pyramid.references) - 1
    return pyramid.references[number].end - (1 if last else 2)


def read_contributor(
    record: Record, whole: Window, windows: dict[str, Window], uid: str, notes: list[str]
) -> Contributor:
    """Read a contributor; what had to be mended is noted.

    Parameters
    ----------
    record
        ``parts``, and perhaps ``reference``, ``label`` and ``comment``.
    whole, windows
        The text, and the references in it.
    uid
        The content unit, for messages.
    notes
        Where lines about mended offsets are added.

    Examples
    --------
    >>> from pyramidion.errors import Where
    >>> record = Record({"parts": ["Ice", {"start": 4, "end": 9}]}, Where("a.jsonl", line=1))
    >>> read_contributor(record, Window("Ice melts.", 0, 10), {}, "1", []).label
    'Ice...melts'
    """
    name = record.text("reference", "")
    if name and name not in windows:
        raise record.error(
            f"SCU {uid}: there is no reference {name!r}",
            f"there are: {', '.join(windows) or 'none'}",
        )
    window = windows[name] if name else whole
    parts = tuple(_parts(record, window, uid, notes))
    contributor = Contributor(parts, record.text("label", ""), record.text("comment", ""))
    notes.extend(f"SCU {uid}: `{name}` of a contributor is not kept" for name in record.rest())
    return contributor


def _parts(record: Record, window: Window, uid: str, notes: list[str]) -> Iterator[Part]:
    items = record.take("parts") or []
    if not isinstance(items, list):
        raise record.error(f"SCU {uid}: `parts` is not a list", "write a list of quotations")
    text = AnnotatedText(window.text)
    for item in items:
        if isinstance(item, str):
            yield _quoted(record, window, uid, item)
        elif isinstance(item, dict):
            part, note = text.place(_offsets(record, window, uid, item), uid)
            notes.extend([note] if note else [])
            yield part
        else:
            raise record.error(
                f"SCU {uid}: a part is {item!r}", 'write a quotation, or {"start": 0, "end": 3}'
            )


def _quoted(record: Record, window: Window, uid: str, quotation: str) -> Part:
    begin = window.text.find(quotation, window.start, window.end)
    if begin < 0 or not quotation:
        where = f"reference {window.name}" if window.name else "the text"
        raise record.error(f"SCU {uid}: {quotation!r} is not in {where}", "quote it to the letter")
    return Part(begin, begin + len(quotation), quotation)


def _offsets(record: Record, window: Window, uid: str, item: dict[str, Any]) -> Part:
    start, end = (_offset(record, uid, item, name) + window.start for name in ("start", "end"))
    label = item.get("label", window.text[max(start, 0) : max(end, 0)])
    if not isinstance(label, str):
        raise record.error(f"SCU {uid}: the label of a part is {label!r}", "write it as text")
    return Part(start, end, label)


def _offset(record: Record, uid: str, item: dict[str, Any], name: str) -> int:
    value = item.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        error: FormatError = record.error(
            f"SCU {uid}: `{name}` of a part is {value!r}", "write the offset of a character"
        )
        raise error
    return value


def written_contributor(
    contributor: Contributor, whole: Window, windows: dict[str, Window]
) -> dict[str, Any]:
    """Write a contributor, under the name of the reference that has all its parts.

    Examples
    --------
    >>> written_contributor(Contributor((Part(0, 3, "Ice"),)), Window("Ice.", 0, 4), {})
    {'parts': ['Ice']}
    """
    window = next((w for w in windows.values() if w.holds(contributor)), whole)
    fields: dict[str, Any] = {"reference": window.name} if window.name else {}
    fields["parts"] = [window.written(part) for part in contributor.parts]
    if contributor.label != Contributor(contributor.parts).label:
        fields["label"] = contributor.label
    return {**fields, **({"comment": contributor.comment} if contributor.comment else {})}
