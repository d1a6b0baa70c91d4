"""Edits of a pyramid and of its annotated peers, as values that can be stored, sent and undone.

A *board* holds a pyramid and the peers annotated with it. Both are lists of content units with
contributors, so the same edits serve both: `Edit.sheet` names the list, ``""`` for the pyramid. An
edit of the pyramid has consequences for the peers: `Board.plan` adds them as further edits, so that
undoing all of them in reverse order restores every byte.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from pyramidion.collection import SCU, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.pyramids import NOT_IN_PYRAMID, unannotated_entries
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid.topics import locate_words

Units = tuple[SCU, ...]
T = TypeVar("T")


def _row(units: Units, uid: str) -> int:
    for row, unit in enumerate(units):
        if unit.uid == uid:
            return row
    raise NotFoundError(f"there is no content unit {uid}", hint="it may have been removed since")


def _unit(units: Units, uid: str) -> SCU:
    return units[_row(units, uid)]


def _contributors(units: Units, uid: str) -> tuple[Contributor, ...]:
    return _unit(units, uid).contributors


def _with(units: Units, uid: str, **changes: Any) -> Units:
    row = _row(units, uid)
    return (*units[:row], replace(units[row], **changes), *units[row + 1 :])


def _checked_index(items: Sequence[object], index: int, *, extra: int = 0) -> int:
    """Check an index; `extra` is 1 if it may be the end."""
    if not 0 <= index < len(items) + extra:
        raise InputError(f"there is no index {index} among {len(items)}", hint="count from 0")
    return index


def _contributor_at(units: Units, uid: str, index: int) -> Contributor:
    contributors = _contributors(units, uid)
    return contributors[_checked_index(contributors, index)]


def _insert(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    index = _checked_index(items, index, extra=1)
    return (*items[:index], item, *items[index:])


def _without(items: tuple[T, ...], indices: Iterable[int]) -> tuple[T, ...]:
    removed = {_checked_index(items, index) for index in indices}
    return tuple(item for index, item in enumerate(items) if index not in removed)


_KINDS: dict[str, type["Edit"]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One small change of the pyramid's list (`sheet` is empty) or of a peer's."""

    sheet: str = ""

    def __init_subclass__(cls) -> None:
        _KINDS[cls.__name__] = cls

    def apply(self, units: Units) -> Units:
        """Return the content units after the edit."""
        raise NotImplementedError

    def inverse(self, units: Units) -> "Edit":
        """Return the edit that undoes this one, from the content units before it."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return the edit as plain values."""
        values = {item.name: _to_plain_json(getattr(self, item.name)) for item in fields(self)}
        sheet = values.pop("sheet")
        return {"edit": type(self).__name__, **({"sheet": sheet} if sheet else {}), **values}

    @staticmethod
    def from_json(record: Mapping[str, Any]) -> "Edit":
        """Read the output of `to_json`."""
        kind = _KINDS.get(str(record.get("edit")))
        if kind is None:
            raise InputError(f"there is no edit {record.get('edit')!r}", _list_names(_KINDS))
        values = {name: value for name, value in record.items() if name != "edit"}
        names = [item.name for item in fields(kind)]
        for name in values:
            if name not in names:
                raise InputError(f"{kind.__name__} has no field {name!r}", _list_names(names))
        try:
            return kind(**{name: _READ[name](value) for name, value in values.items()})
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            message = f"{kind.__name__} cannot be read: {error}"
            raise InputError(message, "compare it with Edit.to_json") from error


def _list_names(names: Iterable[str]) -> str:
    return f"available: {', '.join(sorted(names))}"


@dataclass(frozen=True, slots=True)
class AddUnit(Edit):
    """Add a content unit to the list."""

    uid: str
    label: str
    at: int
    contributors: tuple[Contributor, ...] = ()
    comment: str = ""

    def apply(self, units: Units) -> Units:
        """Insert it."""
        if any(unit.uid == self.uid for unit in units):
            raise InputError(f"there is already a content unit {self.uid}", hint="use another id")
        return _insert(units, self.at, SCU(self.uid, self.label, self.contributors, self.comment))

    def inverse(self, units: Units) -> "RemoveUnit":
        """Return the edit that removes it again."""
        return RemoveUnit(self.uid, sheet=self.sheet)


@dataclass(frozen=True, slots=True)
class RemoveUnit(Edit):
    """Remove a content unit with its contributors."""

    uid: str

    def apply(self, units: Units) -> Units:
        """Remove it."""
        return _without(units, [_row(units, self.uid)])

    def inverse(self, units: Units) -> AddUnit:
        """Add it as it was, where it was."""
        row = _row(units, self.uid)
        unit = units[row]
        return AddUnit(unit.uid, unit.label, row, unit.contributors, unit.comment, sheet=self.sheet)


@dataclass(frozen=True, slots=True)
class Relabel(Edit):
    """Change the label of a content unit, and its comment unless that is `None`."""

    uid: str
    label: str
    comment: str | None = None

    def apply(self, units: Units) -> Units:
        """Write the new label."""
        comment = _unit(units, self.uid).comment if self.comment is None else self.comment
        return _with(units, self.uid, label=self.label, comment=comment)

    def inverse(self, units: Units) -> "Relabel":
        """Write the old one."""
        unit = _unit(units, self.uid)
        comment = None if self.comment is None else unit.comment
        return Relabel(self.uid, unit.label, comment, sheet=self.sheet)


@dataclass(frozen=True, slots=True)
class MoveUnit(Edit):
    """Move a content unit within the list."""

    uid: str
    at: int

    def apply(self, units: Units) -> Units:
        """Remove it and insert it."""
        row = _row(units, self.uid)
        _checked_index(units, self.at)
        return _insert(_without(units, [row]), self.at, units[row])

    def inverse(self, units: Units) -> "MoveUnit":
        """Move it back."""
        return MoveUnit(self.uid, _row(units, self.uid), sheet=self.sheet)


@dataclass(frozen=True, slots=True)
class AddContributor(Edit):
    """Add a contributor to a content unit."""

    uid: str
    contributor: Contributor
    at: int

    def apply(self, units: Units) -> Units:
        """Insert it."""
        contributors = _insert(_contributors(units, self.uid), self.at, self.contributor)
        return _with(units, self.uid, contributors=contributors)

    def inverse(self, units: Units) -> "RemoveContributor":
        """Remove it again."""
        return RemoveContributor(self.uid, self.at, sheet=self.sheet)


@dataclass(frozen=True, slots=True)
class RemoveContributor(Edit):
    """Remove a contributor of a content unit."""

    uid: str
    at: int

    def apply(self, units: Units) -> Units:
        """Remove it."""
        contributors = _without(_contributors(units, self.uid), [self.at])
        return _with(units, self.uid, contributors=contributors)

    def inverse(self, units: Units) -> AddContributor:
        """Add it where it was."""
        removed = _contributor_at(units, self.uid, self.at)
        return AddContributor(self.uid, removed, self.at, sheet=self.sheet)


@dataclass(frozen=True, slots=True)
class SetContributor(Edit):
    """Replace a contributor."""

    uid: str
    at: int
    contributor: Contributor

    def apply(self, units: Units) -> Units:
        """Write the new one."""
        contributors = list(_contributors(units, self.uid))
        contributors[_checked_index(contributors, self.at)] = self.contributor
        return _with(units, self.uid, contributors=tuple(contributors))

    def inverse(self, units: Units) -> "SetContributor":
        """Write the old one."""
        replaced_contributor = _contributor_at(units, self.uid, self.at)
        return SetContributor(self.uid, self.at, replaced_contributor, sheet=self.sheet)


@dataclass(frozen=True, slots=True)
class MoveContributor(Edit):
    """Move a contributor to another content unit, or within its own."""

    uid: str
    at: int
    to: str
    to_at: int

    def apply(self, units: Units) -> Units:
        """Remove it and insert it."""
        moved_contributor = _contributor_at(units, self.uid, self.at)
        units = RemoveContributor(self.uid, self.at).apply(units)
        return AddContributor(self.to, moved_contributor, self.to_at).apply(units)

    def inverse(self, units: Units) -> "MoveContributor":
        """Move it back."""
        return MoveContributor(self.to, self.to_at, self.uid, self.at, sheet=self.sheet)


#: Edits of peers; their content units follow the pyramid.
_MARK_EDITS = (AddContributor, RemoveContributor, SetContributor, MoveContributor)


@dataclass(frozen=True, slots=True)
class Merge(Edit):
    """Merge the content unit `uid` into another, which takes its contributors.

    `places` are the indexes of its contributors afterwards, ascending; the end by default.
    """

    into: str
    uid: str
    places: tuple[int, ...] | None = None

    def apply(self, units: Units) -> Units:
        """Move the contributors, and remove the unit."""
        if self.into == self.uid:
            raise InputError(f"content unit {self.uid} cannot be merged into itself")
        merged_contributors = _unit(units, self.into).contributors
        moved_contributors = _contributors(units, self.uid)
        for index, contributor in zip(self._indices(units), moved_contributors, strict=True):
            merged_contributors = _insert(merged_contributors, index, contributor)
        return RemoveUnit(self.uid).apply(_with(units, self.into, contributors=merged_contributors))

    def inverse(self, units: Units) -> "Split":
        """Split it off again."""
        row = _row(units, self.uid)
        unit, indices = units[row], self._indices(units)
        split_unit = (unit.uid, unit.label, indices, row, unit.comment)
        return Split(self.into, *split_unit, sheet=self.sheet)

    def _indices(self, units: Units) -> tuple[int, ...]:
        if self.places is not None:
            return self.places
        first_index = len(_unit(units, self.into).contributors)
        return tuple(range(first_index, first_index + len(_contributors(units, self.uid))))


@dataclass(frozen=True, slots=True)
class Split(Edit):
    """Split a new content unit off another, with the contributors at `places` (ascending)."""

    uid: str
    new: str
    label: str
    places: tuple[int, ...]
    at: int
    comment: str = ""

    def apply(self, units: Units) -> Units:
        """Add the unit, and move the contributors."""
        contributors = _contributors(units, self.uid)
        if list(self.places) != sorted(set(self.places)):
            raise InputError("the indexes are not in ascending order", hint="name each once")
        moved_contributors = tuple(
            contributors[_checked_index(contributors, index)] for index in self.places
        )
        units = _with(units, self.uid, contributors=_without(contributors, self.places))
        return AddUnit(self.new, self.label, self.at, moved_contributors, self.comment).apply(units)

    def inverse(self, units: Units) -> Merge:
        """Merge it again, each contributor where it was."""
        return Merge(self.uid, self.new, self.places, sheet=self.sheet)


def _to_plain_json(value: Any) -> Any:
    """Return a value as plain JSON."""
    if isinstance(value, Contributor):
        parts = [[part.start, part.end, part.label] for part in value.parts]
        return {"parts": parts, "label": value.label, "comment": value.comment}
    return [_to_plain_json(item) for item in value] if isinstance(value, tuple) else value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _contributor(value: Any) -> Contributor:
    parts = tuple(Part(_number(a), _number(b), _text(label)) for a, b, label in value["parts"])
    return Contributor(parts, _text(value.get("label", "")), _text(value.get("comment", "")))


_READ: dict[str, Any] = {
    **dict.fromkeys(("sheet", "uid", "label", "into", "to", "new"), _text),
    **dict.fromkeys(("at", "to_at"), _number),
    "comment": lambda value: None if value is None else _text(value),
    "contributor": _contributor,
    "contributors": lambda value: tuple(map(_contributor, value)),
    "places": lambda value: None if value is None else tuple(map(_number, value)),
}


@dataclass(frozen=True, slots=True)
class MarkTask:
    """A mark of a peer that its annotator should review after a change of the pyramid.

    `uid` is its present content unit, `choices` are those it may belong to.
    """

    peer: str
    uid: str
    mark: Contributor
    choices: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of one action: edits of all lists, new tasks, and the edits that undo it.

    A change that `is_compensated` cannot be undone: a later change has reverted it.
    """

    edits: tuple[Edit, ...]
    tasks: tuple[MarkTask, ...] = ()
    back: tuple[Edit, ...] = ()
    is_compensated: bool = False
    #: Whose change it is: of a shared list, people undo only their changes.
    author: int = 0

    @property
    def touched(self) -> set[tuple[str, str]]:
        """The peers and content units whose marks it changes."""
        return {
            (edit.sheet, str(getattr(edit, name)))
            for edit in self.edits
            if edit.sheet and not isinstance(edit, (Relabel, MoveUnit))
            for name in ("uid", "into", "to", "new")
            if hasattr(edit, name)
        }


@dataclass(frozen=True)
class Board:
    """A pyramid and the peers annotated with it, by name."""

    pyramid: Pyramid
    peers: Mapping[str, PeerAnnotation] = field(default_factory=dict)

    def apply(self, edits: Iterable[Edit]) -> "Board":
        """Return the board after edits, without their consequences."""
        sheets = self._sheets()
        _run(sheets, edits)
        pyramid = replace(self.pyramid, scus=sheets[""])
        peers = {
            name: replace(peer, pyramid=pyramid, scus=sheets[name])
            for name, peer in self.peers.items()
        }
        return Board(pyramid, peers)

    def plan(self, edit: Edit) -> Change:
        """Check an edit, and add its consequences for the annotated peers.

        Marks follow their text: those of a merged unit go to the unit it is merged into; those of
        a split unit go with the contributors that have the same words. Where that does not decide,
        or where a unit is removed, marks stay (or are moved out of the pyramid), and become tasks
        for the annotator.
        """
        self._check(edit)
        units_after = edit.apply(self.units(edit.sheet))
        edits: list[Edit] = [edit]
        tasks: list[MarkTask] = []
        if not edit.sheet:
            pyramid = replace(self.pyramid, scus=units_after)
            labels = _new_labels(self.pyramid, pyramid)
            for name, peer in self.peers.items():
                propagation = _EditPropagation(self.pyramid, pyramid, name, peer.scus, labels)
                follow_ups, open_tasks = propagation.of(edit)
                edits += follow_ups
                tasks += open_tasks
        return Change(tuple(edits), tuple(tasks), tuple(_run(self._sheets(), edits)))

    def units(self, sheet: str) -> Units:
        """Return the content units of the pyramid, or of a peer."""
        return _sheet(self._sheets(), sheet)

    def _sheets(self) -> dict[str, Units]:
        return {"": self.pyramid.scus} | {name: peer.scus for name, peer in self.peers.items()}

    def _check(self, edit: Edit) -> None:
        """Refuse parts outside the text or of several references, and ids in use."""
        if edit.sheet and not isinstance(edit, _MARK_EDITS):
            message = f"{type(edit).__name__} cannot change the peer {edit.sheet!r}"
            raise InputError(message, "the content units of a peer follow its pyramid; change that")
        new_uid = (
            edit.new if isinstance(edit, Split) else edit.uid if isinstance(edit, AddUnit) else ""
        )
        for name, peer in self.peers.items():
            if any(entry.uid == new_uid for entry in peer.scus):
                message = f"the peer {name!r} already has a content unit {new_uid}"
                raise InputError(message, "use another id")
        contributors = getattr(edit, "contributors", ())
        contributors = (edit.contributor,) if hasattr(edit, "contributor") else contributors
        text = self.peers[edit.sheet].text if edit.sheet in self.peers else self.pyramid.text
        for contributor in contributors:
            _check_parts(contributor, text)
            owners = (
                all(
                    reference.start <= part.start and part.end <= reference.end
                    for part in contributor.parts
                )
                for reference in self.pyramid.references
            )
            if not (edit.sheet or any(owners)):
                message = f"{contributor.label!r} is not part of one reference"
                raise InputError(message, "make a contributor for each reference")


def _run(sheets: dict[str, Units], edits: Iterable[Edit]) -> list[Edit]:
    """Carry out edits in place; return the edits that undo them, in order."""
    inverse_edits = []
    for edit in edits:
        units = _sheet(sheets, edit.sheet)
        sheets[edit.sheet] = edit.apply(units)
        inverse_edits.append(edit.inverse(units))
    return inverse_edits[::-1]


def _sheet(sheets: Mapping[str, Units], sheet: str) -> Units:
    if sheet not in sheets:
        raise NotFoundError(f"there is no annotated peer {sheet!r}", _list_names(sheets))
    return sheets[sheet]


def _check_parts(contributor: Contributor, text: str) -> None:
    if not contributor.parts:
        raise InputError("a contributor has no text", hint="select some")
    for part in contributor.parts:
        if not 0 <= part.start < part.end <= len(text):
            message = f"characters {part.start} to {part.end} are not in the text"
            raise InputError(message, hint=f"it has {len(text)} characters")
        if part.label != text[part.start : part.end]:
            message = f"characters {part.start} to {part.end} are not {part.label!r}"
            hint = "the text may have changed, or the offsets do not count characters"
            raise InputError(message, hint)


@dataclass
class _EditPropagation:
    """Applies an edit of the pyramid to one annotated peer."""

    before: Pyramid
    after: Pyramid
    name: str
    entries: Units
    labels: Mapping[str, tuple[str, str]]
    edits: list[Edit] = field(default_factory=list)
    tasks: list[MarkTask] = field(default_factory=list)

    def of(self, edit: Edit) -> tuple[list[Edit], list[MarkTask]]:
        """Return the edits of the peer, and its tasks."""
        match edit:
            case AddUnit():
                self._add(edit.uid)
            case RemoveUnit() if self._has(edit.uid):
                self._remove(edit.uid)
            case MoveUnit() if self._has(edit.uid):
                self._do(MoveUnit(edit.uid, self._row_for(edit.uid), sheet=self.name))
            case Merge() if self._has(edit.uid):
                if not self._has(edit.into):
                    self._add(edit.into)
                self._do(Merge(edit.into, edit.uid, sheet=self.name))
            case Split():
                self._split(edit)
        self._relabel()
        return self.edits, self.tasks

    def _do(self, edit: Edit) -> None:
        self.entries = edit.apply(self.entries)
        self.edits.append(edit)

    def _has(self, uid: str) -> bool:
        return any(entry.uid == uid for entry in self.entries)

    def _row_for(self, uid: str) -> int:
        """Return the row of a unit's entry: before the next unit, or before the rest."""
        other_uids = [entry.uid for entry in self.entries if entry.uid != uid]
        following_uids = [unit.uid for unit in self.after.scus[self.after.row(uid) + 1 :]]
        rows = (
            other_uids.index(next_uid)
            for next_uid in (*following_uids, NOT_IN_PYRAMID)
            if next_uid in other_uids
        )
        return next(rows, len(other_uids))

    def _add(self, uid: str) -> None:
        self._do(AddUnit(uid, _entry_label(self.after, uid), self._row_for(uid), sheet=self.name))

    def _remove(self, uid: str) -> None:
        label = _unit(self.before.scus, uid).label
        marks = _unit(self.entries, uid).contributors
        if marks and not self._has(NOT_IN_PYRAMID):
            unit = unannotated_entries((), ())[0]
            self._do(AddUnit(unit.uid, unit.label, len(self.entries), sheet=self.name))
        for mark in marks:
            end = len(_unit(self.entries, NOT_IN_PYRAMID).contributors)
            self._do(MoveContributor(uid, 0, NOT_IN_PYRAMID, end, sheet=self.name))
            reason = f"content unit {uid} ({label}) was removed"
            self.tasks.append(MarkTask(self.name, NOT_IN_PYRAMID, mark, (), reason))
        self._do(RemoveUnit(uid, sheet=self.name))

    def _split(self, edit: Split) -> None:
        if not self._has(edit.uid):
            self._add(edit.new)
            return
        contributors = _unit(self.before.scus, edit.uid).contributors
        leaving_words = {_words(contributors[index]) for index in edit.places}
        staying_words = {
            _words(contributor)
            for index, contributor in enumerate(contributors)
            if index not in edit.places
        }
        marks = _unit(self.entries, edit.uid).contributors
        leaving_contributors = [
            position
            for position, mark in enumerate(marks)
            if _words(mark) in leaving_words - staying_words
        ]
        label, row = _entry_label(self.after, edit.new), self._row_for(edit.new)
        self._do(
            Split(edit.uid, edit.new, label, tuple(leaving_contributors), row, sheet=self.name)
        )
        reason = f"content unit {edit.uid} was split"
        self.tasks += (
            MarkTask(self.name, edit.uid, mark, (edit.uid, edit.new), reason)
            for mark in marks
            if _words(mark) not in leaving_words ^ staying_words
        )

    def _relabel(self) -> None:
        """Update entries that show the old weights and labels."""
        for entry in self.entries:
            old_label, new_label = self.labels.get(entry.uid, ("", ""))
            if old_label and entry.label == old_label:
                self._do(Relabel(entry.uid, new_label, sheet=self.name))


def _new_labels(before: Pyramid, after: Pyramid) -> dict[str, tuple[str, str]]:
    """Return the old and new labels of entries that change."""
    common_uids = {unit.uid for unit in before.scus} & {unit.uid for unit in after.scus}
    labels_by_uid = {
        uid: (_entry_label(before, uid), _entry_label(after, uid)) for uid in common_uids
    }
    return {uid: labels for uid, labels in labels_by_uid.items() if labels[0] != labels[1]}


def _entry_label(pyramid: Pyramid, uid: str) -> str:
    """Return the label that DUCView writes in an annotated peer."""
    row = pyramid.row(uid)
    return f"({pyramid.weights[row]}) {pyramid.scus[row].label}"


def _words(contributor: Contributor) -> tuple[str, ...]:
    return tuple(w.text for part in contributor.parts for w in locate_words(part.label))


@dataclass(frozen=True)
class History:
    """A board with its changes, which can be undone and redone without limit.

    `done` are the changes that led to it, `undone` those undone since, latest last.
    """

    board: Board
    done: tuple[Change, ...] = ()
    undone: tuple[Change, ...] = ()

    def do(self, edit: Edit, author: int = 0) -> "History":
        """Carry out an edit with its consequences."""
        change = replace(self.board.plan(edit), author=author)
        # Indexes in a peer may have shifted after a change of its pyramid.
        undone = tuple(
            old_change
            for old_change in self.undone
            if edit.sheet not in ("", old_change.edits[0].sheet)
        )
        return self._next(change.edits, (*self.done, change), undone)

    def undo(self, sheet: str | None = None, author: int | None = None) -> "History":
        """Undo the last change to one list or to any, by one person or by anybody.

        Marks made after a change to the pyramid are kept: only the pyramid is restored, and the
        consequences for the peer are computed again.
        """
        index = _last(self.done, sheet, "undo", author)
        change, later_changes = self.done[index], self.done[index + 1 :]
        # Those of others, if people undo only their changes.
        same_list = [
            other
            for other in later_changes
            if other.edits[0].sheet == change.edits[0].sheet and not other.is_compensated
        ]
        aspects = touched(change.edits[0])
        if any(aspects & touched(other.edits[0]) for other in same_list):
            message = "somebody else has since changed the same unit, so this cannot be undone"
            raise InputError(message, hint="change the unit itself")
        if not same_list and not any(change.touched & other.touched for other in later_changes):
            changes = (*self.done[:index], *later_changes)
            return self._next(change.back, changes, (*self._redoable(change, sheet), change))
        if sheet and not same_list:
            message = "the pyramid has been changed since, so this cannot be undone"
            raise InputError(message, "move or remove the mark itself")
        back_edit = fitted(change.back[-1], self.board.units(change.edits[0].sheet))
        undo_plan = replace(self.board.plan(back_edit), is_compensated=True)
        changes = (
            *self.done[:index],
            replace(change, is_compensated=True),
            *later_changes,
            undo_plan,
        )
        return self._next(undo_plan.edits, changes, (*self._redoable(undo_plan, sheet), change))

    def redo(self, sheet: str | None = None, author: int | None = None) -> "History":
        """Redo the last undone change to one list or to any, by one person or by anybody."""
        index = _last(self.undone, sheet, "redo", author)
        edit, redone_author = self.undone[index].edits[0], self.undone[index].author
        change = self.board.plan(fitted(edit, self.board.units(edit.sheet)))
        change = replace(change, author=redone_author)
        history_without = replace(self, undone=(*self.undone[:index], *self.undone[index + 1 :]))
        return self._next(
            change.edits, (*self.done, change), history_without._redoable(change, sheet)
        )

    def _redoable(self, change: Change, sheet: str | None) -> tuple[Change, ...]:
        """Return the changes that can still be redone."""
        touched_sheets = change.touched if sheet == "" else set()
        return tuple(
            old_change
            for old_change in self.undone
            if not old_change.edits[0].sheet or not old_change.touched & touched_sheets
        )

    def _next(
        self,
        edits: Iterable[Edit],
        done_changes: tuple[Change, ...],
        undone_changes: tuple[Change, ...],
    ) -> "History":
        return History(self.board.apply(edits), done_changes, undone_changes)

    def steps(self, sheet: str, author: int | None = None) -> tuple[int, int]:
        """Count the changes of a list that can be undone and redone."""
        done_indexes, undone_indexes = (
            _indexes(changes, sheet, author) for changes in (self.done, self.undone)
        )
        return len(done_indexes), len(undone_indexes)

    @property
    def tasks(self) -> tuple[MarkTask, ...]:
        """Tasks whose marks have not been moved since."""
        marks = {
            (name, unit.uid): unit.contributors
            for name, peer in self.board.peers.items()
            for unit in reversed(peer.scus)
        }
        tasks = (task for change in self.done for task in change.tasks)
        return tuple(task for task in tasks if task.mark in marks.get((task.peer, task.uid), ()))


def _indexes(changes: tuple[Change, ...], sheet: str | None, author: int | None) -> list[int]:
    return [
        index
        for index, change in enumerate(changes)
        if not change.is_compensated
        and sheet in (None, change.edits[0].sheet)
        and author in (None, change.author)
    ]


def _last(changes: tuple[Change, ...], sheet: str | None, action: str, author: int | None) -> int:
    indices = _indexes(changes, sheet, author)
    if not indices:
        raise InputError(f"there is nothing to {action}")
    return indices[-1]


#: A content unit, and which part of it: its label, its contributors, or its position in the list.
Aspect = tuple[str, str]

_ASPECTS: dict[type[Edit], tuple[str, ...]] = {
    Relabel: ("label",),
    MoveUnit: ("position",),
    AddContributor: ("contributors",),
    RemoveContributor: ("contributors",),
    SetContributor: ("contributors",),
    MoveContributor: ("contributors",),
}


def touched(edit: Edit) -> set[Aspect]:
    """Return what an edit reads or changes; edits that have nothing in common can be merged."""
    aspects = _ASPECTS.get(type(edit), ("label", "contributors", "position"))
    names = ("uid", "into", "to", "new")
    uids = {str(getattr(edit, name)) for name in names if hasattr(edit, name)}
    return {(uid, aspect) for uid in uids for aspect in aspects}


def changed(before: Units, after: Units) -> set[Aspect]:
    """Return what differs between two states of a list, apart from positions."""
    unchanged_ids = {id(unit) for unit in before}
    old_units, new_units = ({u.uid: u for u in units} for units in (before, after))
    aspects: set[Aspect] = set()
    for uid in [*old_units, *(uid for uid in new_units if uid not in old_units)]:
        first, second = old_units.get(uid), new_units.get(uid)
        if first is None or second is None:
            aspects |= {(uid, "label"), (uid, "contributors"), (uid, "position")}
        elif id(second) not in unchanged_ids:
            if (first.label, first.comment) != (second.label, second.comment):
                aspects.add((uid, "label"))
            if first.contributors != second.contributors:
                aspects.add((uid, "contributors"))
    return aspects


def fitted(edit: Edit, units: Units) -> Edit:
    """Limit the position of a unit or mark to a list that has become shorter."""
    match edit:
        case AddUnit() | Split():
            return replace(edit, at=min(edit.at, len(units)))
        case MoveUnit():
            return replace(edit, at=min(edit.at, max(len(units) - 1, 0)))
    return edit


def uncovered(pyramid: Pyramid) -> dict[str, list[tuple[int, int]]]:
    """Find the text of each reference that no content unit covers."""
    covered_spans = sorted(
        (part.start, part.end)
        for unit in pyramid.scus
        for contributor in unit.contributors
        for part in contributor.parts
    )
    return {
        reference.name: list(_gaps(pyramid.text, reference.start, reference.end, covered_spans))
        for reference in pyramid.references
    }


def _gaps(
    text: str, start: int, end: int, covered_spans: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    position = start
    for first, last in (*covered_spans, (end, end)):
        words = (
            list(re.finditer(r"\w+", text[position : min(first, end)])) if first > position else []
        )
        if words:
            yield position + words[0].start(), position + words[-1].end()
        position = max(position, last)


class BrowserOffsets:
    """Converts between browser offsets (UTF-16 units) and character offsets."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        # Characters of two units.
        self._wide = [offset for offset, character in enumerate(text) if ord(character) > 0xFFFF]
        self._wide_units = [offset + before for before, offset in enumerate(self._wide)]

    def to_browser(self, offset: int) -> int:
        """Return the browser offset of a character."""
        if not 0 <= offset <= self._length:
            raise InputError(f"character {offset} is not in the text", "count from 0")
        return offset + bisect_left(self._wide, offset)

    def to_characters(self, offset: int) -> int:
        """Return the character at a browser offset."""
        n_wide = bisect_left(self._wide_units, offset)
        if n_wide and self._wide_units[n_wide - 1] == offset - 1:
            raise InputError(f"offset {offset} is inside a character", hint="select all of it")
        if not 0 <= offset - n_wide <= self._length:
            raise InputError(f"offset {offset} is not in the text", hint="count from 0")
        return offset - n_wide
