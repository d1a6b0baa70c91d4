"""Edits of pyramids and annotated peers: what they change, what follows, and the way back."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection import PeerAnnotation, Pyramid
from pyramidion.collection.formats.ducview.files import peer_annotation_bytes, pyramid_bytes
from pyramidion.collection.pyramids import (
    NOT_IN_PYRAMID,
    SCU,
    Contributor,
    Part,
    unannotated_entries,
)
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.studio._edits import (
    AddContributor,
    AddUnit,
    Board,
    BrowserOffsets,
    Edit,
    History,
    Merge,
    MoveContributor,
    MoveUnit,
    Relabel,
    RemoveContributor,
    RemoveUnit,
    SetContributor,
    Split,
    uncovered,
)

PYRAMID = Pyramid.from_references(
    {"A": "Ice melts. The sea rises by a meter.", "B": "The ice melts and the sea rises."},
    [
        ("Ice melts", {"A": ["Ice melts"], "B": ["ice melts"]}),
        ("The sea rises", {"A": ["The sea rises"], "B": ["the sea rises"]}),
        ("By a meter", {"A": ["by a meter"]}),
    ],
)


def mark(text: str, *quotations: str) -> Contributor:
    return Contributor(tuple(Part(text.index(q), text.index(q) + len(q), q) for q in quotations))


def peer(text: str, **marks: list[Contributor]) -> PeerAnnotation:
    entries = unannotated_entries(PYRAMID.scus, PYRAMID.weights.tolist())
    marks_by_unit = {
        f"u{uid}": tuple(contributors)
        for uid, contributors in ((k[1:], v) for k, v in marks.items())
    }
    scus = (
        replace(entry, contributors=marks_by_unit.get(f"u{entry.uid}", ())) for entry in entries
    )
    return PeerAnnotation(PYRAMID, text, tuple(scus))


TEXT = "Ice melts quickly; the sea rises. Nobody cares."
BOARD = Board(
    PYRAMID,
    {
        "1": peer(
            TEXT,
            u1=[mark(TEXT, "Ice melts")],
            u2=[mark(TEXT, "the sea rises"), mark(TEXT, "Ice", "rises")],
            u0=[mark(TEXT, "Nobody cares")],
        ),
        "2": peer("Nothing."),
    },
)


def marks(board: Board) -> Counter[tuple[str, Contributor]]:
    return Counter(
        (name, contributor)
        for name, annotation in board.peers.items()
        for unit in annotation.scus
        for contributor in unit.contributors
    )


def marked(board: Board, name: str = "1") -> dict[str, list[str]]:
    return {
        unit.uid: [contributor.label for contributor in unit.contributors]
        for unit in board.peers[name].scus
        if unit.contributors
    }


def written(board: Board) -> list[bytes]:
    return [pyramid_bytes(board.pyramid), *map(peer_annotation_bytes, board.peers.values())]


def test_marks_of_a_merged_unit_go_with_it_and_weights_are_said_anew() -> None:
    after = History(BOARD).do(Merge("1", "2"))
    assert marked(after.board) == {
        "1": ["Ice melts", "the sea rises", "Ice...rises"],
        "0": ["Nobody cares"],
    }
    assert after.board.peers["2"].scus[0].label == "(4) Ice melts"
    assert after.tasks == ()


def test_marks_of_a_split_unit_follow_their_text_and_the_others_become_tasks() -> None:
    merged = History(BOARD).do(Merge("1", "2"))
    # The contributors of the second unit are the third and fourth now.
    after = merged.do(Split("1", "9", "The sea rises", (2, 3), at=0))
    assert marked(after.board) == {
        "1": ["Ice melts", "Ice...rises"],
        "9": ["the sea rises"],
        "0": ["Nobody cares"],
    }
    assert [(task.mark.label, task.uid, task.choices) for task in after.tasks] == [
        ("Ice...rises", "1", ("1", "9"))
    ]
    moved = after.do(MoveContributor("1", 1, "9", 0, sheet="1"))
    assert moved.tasks == ()
    assert [entry.uid for entry in moved.board.peers["2"].scus] == ["9", "1", "3", "0"]


def test_marks_of_a_removed_unit_are_kept_as_content_that_is_not_in_the_pyramid() -> None:
    after = History(BOARD).do(RemoveUnit("2"))
    assert marked(after.board)[NOT_IN_PYRAMID] == ["Nobody cares", "the sea rises", "Ice...rises"]
    assert [task.mark.label for task in after.tasks] == ["the sea rises", "Ice...rises"]


def test_a_peer_without_a_place_for_the_rest_gets_one() -> None:
    bare = replace(BOARD.peers["1"], scus=BOARD.peers["1"].scus[:-1])
    after = History(Board(PYRAMID, {"1": bare})).do(RemoveUnit("1"))
    assert marked(after.board)[NOT_IN_PYRAMID] == ["Ice melts"]


def test_entries_with_a_label_of_their_own_keep_it() -> None:
    entries = tuple(replace(entry, label="mine") for entry in BOARD.peers["2"].scus)
    board = Board(PYRAMID, {"2": replace(BOARD.peers["2"], scus=entries)})
    after = History(board).do(Relabel("1", "Ice is melting"))
    assert {entry.label for entry in after.board.peers["2"].scus} == {"mine"}


@st.composite
def edits(draw: st.DrawFn, board: Board) -> Edit:
    """Draw an edit that makes sense on the board, of the pyramid or of a peer."""
    sheet = draw(st.sampled_from(["", *board.peers]))
    units = board.units(sheet)
    text = board.peers[sheet].text if sheet else board.pyramid.text
    uids = [unit.uid for unit in units]
    uid = draw(st.sampled_from(uids))
    contributors = next(unit for unit in units if unit.uid == uid).contributors
    new = draw(st.sampled_from(["a", "b", "c", "d"]).filter(lambda name: name not in uids))
    rows = st.integers(0, len(units) - 1)
    reference = draw(st.sampled_from(board.pyramid.references))
    low, high = (0, len(text)) if sheet else (reference.start, reference.end)
    start = draw(st.integers(low, high - 1))
    end = draw(st.integers(start + 1, high))
    stretch = Contributor((Part(start, end, text[start:end]),))
    indexes = st.sampled_from(range(len(contributors))) if contributors else st.nothing()
    split_off = tuple(sorted(draw(st.sets(indexes))))
    choices: list[Edit] = [
        AddContributor(uid, stretch, draw(st.integers(0, len(contributors))), sheet=sheet)
    ]
    choices += [] if sheet else [
        AddUnit(new, "New", draw(rows), (stretch,), sheet=sheet),
        Relabel(uid, "Other", draw(st.sampled_from([None, "why"])), sheet=sheet),
        MoveUnit(uid, draw(rows), sheet=sheet),
        Split(uid, new, "Half", split_off, draw(rows), sheet=sheet),
    ]  # fmt: skip
    if len(units) > 1:
        other = draw(st.sampled_from([name for name in uids if name != uid]))
        choices += [] if sheet else [RemoveUnit(uid), Merge(other, uid)]
        if contributors:
            choices.append(MoveContributor(uid, 0, other, 0, sheet=sheet))
    if contributors:
        at = draw(st.integers(0, len(contributors) - 1))
        choices += [SetContributor(uid, at, stretch, sheet=sheet)]
        choices += [RemoveContributor(uid, at, sheet=sheet)]
    return draw(st.sampled_from(choices))


@given(st.data())
def test_undoing_anything_restores_the_bytes_and_no_mark_is_lost(data: st.DataObject) -> None:
    history, states = History(BOARD), [written(BOARD)]
    for _ in range(data.draw(st.integers(1, 5))):
        edit = data.draw(edits(history.board))
        assert Edit.from_json(json.loads(json.dumps(edit.to_json()))) == edit
        before = marks(history.board)
        history = history.do(edit)
        states.append(written(history.board))
        if not edit.sheet:
            assert marks(history.board) == before
    redone = history
    for state in states[-2::-1]:
        history = history.undo()
        assert written(history.board) == state
    for state in states[1:]:
        history = history.redo()
        assert written(history.board) == state
    assert history.board == redone.board


def as_peer(pyramid: Pyramid, number: int) -> PeerAnnotation:
    """Annotate a reference as if it were a peer: its contributors are the marks."""
    reference = pyramid.references[number % len(pyramid.references)]

    def moved(contributor: Contributor) -> Contributor:
        parts = (
            Part(p.start - reference.start, p.end - reference.start, p.label)
            for p in contributor.parts
        )
        return Contributor(tuple(parts), contributor.label)

    entries = unannotated_entries(pyramid.scus, pyramid.weights.tolist())
    marks = [
        tuple(
            moved(contributor)
            for contributor in unit.contributors
            if pyramid.reference_of(contributor) == reference.name
        )
        for unit in pyramid.scus
    ]
    scus = (replace(e, contributors=c) for e, c in zip(entries, (*marks, ()), strict=True))
    return PeerAnnotation(pyramid, pyramid.text[reference.start : reference.end], tuple(scus))


def test_27_annotated_peers_of_the_demo_lose_no_mark_and_come_back() -> None:
    pyramid = next(iter(load_demo().pyramids.values()))
    board = Board(pyramid, {str(number): as_peer(pyramid, number) for number in range(27)})
    first, second, third, fourth = (unit.uid for unit in pyramid.scus[:4])
    history = (
        History(board)
        .do(Merge(first, second))
        .do(RemoveUnit(third))
        .do(Split(fourth, "new", "Part of it", (0,), at=0))
    )
    assert marks(board).total() > 300
    assert marks(history.board) == marks(board)
    # Every mark has the words of a contributor, so that only those of the removed unit are left.
    assert {task.uid for task in history.tasks} == {NOT_IN_PYRAMID}
    assert written(history.undo().undo().undo().board) == written(board)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (AddUnit("1", "Again", 0), "already"),
        (RemoveUnit("7"), "no content unit 7"),
        (Merge("1", "1"), "itself"),
        (MoveUnit("1", 3), "no index 3"),
        (RemoveContributor("1", 2), "no index 2"),
        (Split("1", "9", "x", (1, 0), 0), "ascending"),
        (RemoveContributor("1", 0, sheet="nobody"), "no annotated peer"),
        (Relabel("1", "x", sheet="1"), "cannot change the peer '1'"),
        (AddContributor("1", Contributor(()), 0), "no text"),
        (AddContributor("1", Contributor((Part(0, 9999, "x"),)), 0), "not in the text"),
        (AddContributor("1", Contributor((Part(0, 3, "Ice"),)), 0), "are not 'Ice'"),
        (AddContributor("1", Contributor((Part(0, 2, "--"),)), 0), "not part of one reference"),
    ],
)
def test_what_makes_no_sense_is_refused(edit: Edit, message: str) -> None:
    with pytest.raises(InputError, match=message):
        BOARD.plan(edit)


@pytest.mark.parametrize(
    "record",
    [
        {"edit": "Explode"},
        {"edit": "Relabel", "uid": "1"},
        {"edit": "Relabel", "uid": 1, "label": "x"},
        {"edit": "Relabel", "uid": "1", "label": "x", "more": 1},
        {"edit": "MoveUnit", "uid": "1", "at": "0"},
        {"edit": "AddContributor", "uid": "1", "at": True, "contributor": {"parts": []}},
        {"edit": "AddContributor", "uid": "1", "at": 0, "contributor": {"parts": [[1, 2]]}},
    ],
)
def test_records_that_are_not_edits_are_refused(record: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Edit.from_json(record)


def test_uncovered_text_is_what_no_unit_has() -> None:
    stretches = {
        name: [PYRAMID.text[a:b] for a, b in spans] for name, spans in uncovered(PYRAMID).items()
    }
    assert stretches == {"A": [], "B": ["The", "and"]}
    everything = {name: [PYRAMID.text[a:b] for a, b in spans] for name, spans in
                  uncovered(replace(PYRAMID, scus=(SCU("1", "x"),))).items()}  # fmt: skip
    assert everything["B"] == ["The ice melts and the sea rises"]


@given(st.text(alphabet=st.sampled_from("aé\u0301😀👩\u200d🚀\n")), st.data())
def test_offsets_of_browsers_are_those_of_utf_16(text: str, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(text)))
    offsets = BrowserOffsets(text)
    offset = offsets.to_browser(position)
    assert offset == len(text[:position].encode("utf-16-le")) // 2
    assert offsets.to_characters(offset) == position


@pytest.mark.parametrize("offset", [1, 3, -1])
def test_offsets_inside_a_character_or_outside_the_text_are_refused(offset: int) -> None:
    with pytest.raises(InputError):
        BrowserOffsets("😀").to_characters(offset)


@given(st.data())
def test_lists_are_undone_one_by_one(data: st.DataObject) -> None:
    """Whoever edits the pyramid gets it back as it was, and keeps what others marked since."""
    history, pyramids = History(BOARD), [BOARD.pyramid]
    for _ in range(data.draw(st.integers(1, 8))):
        before = marks(history.board)
        action = data.draw(st.sampled_from(["do", "do", "undo", "undo peer", "redo", "redo peer"]))
        sheet = data.draw(st.sampled_from(sorted(BOARD.peers))) if "peer" in action else ""
        undone, redone = history.steps(sheet)
        if action == "do":
            edit = data.draw(edits(history.board))
            history, sheet = history.do(edit), edit.sheet
        elif "undo" in action and undone:
            try:
                history = history.undo(sheet)
            except InputError:
                assert sheet
                continue
        elif "redo" in action and redone:
            history = history.redo(sheet)
        else:
            continue
        if not sheet:
            assert marks(history.board) == before
            if "undo" in action:
                pyramids.pop()
                assert history.board.pyramid == pyramids[-1]
            else:
                pyramids.append(history.board.pyramid)
        for peer in history.board.peers.values():
            assert peer.pyramid is history.board.pyramid
            uids = [unit.uid for unit in peer.pyramid.scus]
            assert [unit.uid for unit in peer.scus if unit.uid != NOT_IN_PYRAMID] == uids


def test_a_mark_made_after_a_merge_survives_its_undoing() -> None:
    merged = History(BOARD).do(Merge("1", "2"))
    later = merged.do(AddContributor("1", mark(TEXT, "quickly"), 3, sheet="1"))
    back = later.undo("")
    assert back.board.pyramid == PYRAMID
    assert marks(back.board) == marks(later.board)
    assert [task.mark.label for task in back.tasks] == ["Ice...rises", "quickly"]
    assert back.redo("").board.pyramid == merged.board.pyramid
    # The mark is not where it was; nobody undoes it by mistake.
    with pytest.raises(InputError, match="changed since"):
        back.undo("1")
