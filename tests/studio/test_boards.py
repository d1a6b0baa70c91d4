"""Boards: what is stored, who may do what, and simultaneous edits."""

import json
import re
import shutil
import threading
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import text

from pyramidion.collection import Collection, Pyramid, Summary, Topic
from pyramidion.collection.pyramids import PeerAnnotation, unannotated_entries
from pyramidion.pyramid import score_peer
from pyramidion.studio import Store, create_app
from studio.conftest import Studio

TEXTS = {"A": "😀 Ice melts. The sea rises by a meter.", "B": "The ice melts and the sea rises."}
PEER = "They say ice melts 😀 quickly; the sea rises too."
UNITS = [
    ("Ice melts", {"A": ["Ice melts"], "B": ["ice melts"]}),
    ("The sea rises", {"A": ["The sea rises"], "B": ["the sea rises"]}),
    ("By a meter", {"A": ["by a meter"]}),
]
EMPTY = Collection(
    "seas",
    topics=(Topic("T1"),),
    summaries=(
        *(
            Summary("T1", name, text, kind="human", role="reference")
            for name, text in TEXTS.items()
        ),
        Summary("T1", "secret7", PEER),
        Summary("T1", "secret8", "Nothing."),
    ),
)
PYRAMID = Pyramid.from_references(TEXTS, UNITS)
FULL = replace(EMPTY, pyramids={("", "T1"): PYRAMID})
KEYS = map("key-{:05}".format, count())


class Bench:
    """An evaluation with a board, and what people do with it."""

    def __init__(self, studio, collection=FULL):
        self.studio, self.client = studio, studio.organizer
        self.evaluation = studio.evaluation(collection)
        self.token = studio.board(self.evaluation, "T1")

    def assign(self, name, kind="annotate", system="secret7"):
        """Assign a summary or the pyramid to a person; return the token."""
        return self.studio.assign(self.evaluation, name, "T1", system, kind=kind)

    def send(self, action, *, client=None, at=None, **fields):
        """Send one event to a desk: the pyramid's, or `at` a sheet."""
        client, at = client or self.client, at or self.token
        event = {"key": next(KEYS), "action": action, **fields}
        return client.post(f"/api/desks/{at}", json={"events": [event]})

    def do(self, edit, *, client=None, at=None, version=None, key=None, **fields):
        if version is None:
            path = f"/api/desks/{at or self.token}"
            version = (client or self.client).get(path).json().get("version", 0)
        fields |= {"key": key or next(KEYS), "version": version, "edit": edit}
        return self.send("do", client=client, at=at, **fields)

    def step(self, action, *, client=None, at=None):
        return self.send(action, client=client, at=at)

    def mark(self, token, client, uid, text, peer=PEER):
        start = peer.index(text)
        start, end = (units(peer[:offset]) for offset in (start, start + len(text)))
        edit = {"edit": "AddContributor", "uid": uid, "at": 0,
                "contributor": {"parts": [[start, end]]}}  # fmt: skip
        return self.do(edit, client=client, at=token)

    @property
    def pyramid(self):
        return self.studio.collection(self.evaluation).pyramids["", "T1"]

    @property
    def peers(self):
        return self.studio.collection(self.evaluation).peer_annotations

    @property
    def labels(self):
        return [
            unit["label"] for unit in self.client.get(f"/api/desks/{self.token}").json()["units"]
        ]


def units(text):
    """Count as a browser does."""
    return len(text.encode("utf-16-le")) // 2


@pytest.fixture(scope="module")
def studio(tmp_path_factory, empty_database, portal):
    """One studio for all tests in this file; each test has its own evaluation."""
    store = Store(shutil.copy(empty_database, tmp_path_factory.mktemp("boards") / "studio.db"))
    yield Studio(store, create_app(store), portal)
    store.close()


@pytest.fixture
def bench(studio):
    return Bench(studio)


def test_offsets_go_out_and_in_as_the_browser_counts(studio):
    bench = Bench(studio, EMPTY)
    state = bench.client.get(f"/api/desks/{bench.token}").json()
    first = state["references"][0]
    assert first["text"] == TEXTS["A"]
    assert first["name"] == "Reference 1 (A)"
    start = first["start"] + units("😀 ")
    part = [start, start + len("Ice melts")]
    edit = {"edit": "AddUnit", "label": "Ice melts", "at": 0, "contributors": [{"parts": [part]}]}
    state = bench.do(edit).json()
    assert state["units"] == [
        {"uid": "1", "label": "Ice melts", "comment": "", "weight": 1,
         "contributors": [{"parts": [part], "comment": ""}]}
    ]  # fmt: skip
    assert bench.pyramid.scus[0].contributors[0].label == "Ice melts"
    assert len(state["uncovered"]) == 2
    inside = {**edit, "contributors": [{"parts": [[first["start"] + 1, part[1]]]}]}
    assert bench.do(inside).status_code == 422


def test_what_was_done_is_undone_and_done_again_without_limit(bench):
    first = bench.pyramid
    for number in range(12):
        assert bench.do({"edit": "Relabel", "uid": "1", "label": f"No. {number}"}).is_success
    states = [bench.step("undo").json() for _ in range(12)]
    assert states[-1]["undo"] == 0
    assert states[-1]["units"][0]["label"] == "Ice melts"
    assert bench.pyramid == first
    assert bench.step("undo").status_code == 422
    for _ in range(12):
        state = bench.step("redo").json()
    assert state["redo"] == 0
    assert bench.labels[0] == "No. 11"


def test_what_is_sent_twice_is_done_once(bench):
    edit = {"edit": "AddUnit", "label": "New", "at": 0}
    first = bench.do(edit, key="the-same-key", version=0)
    again = bench.do(edit, key="the-same-key", version=0)
    assert first.is_success
    assert again.is_success
    assert bench.labels.count("New") == 1
    assert again.json()["order"][0] == first.json()["order"][0] == "4"
    other = bench.do({**edit, "label": "Other"}, key="the-same-key", version=1)
    assert other.status_code == 422


def test_what_was_stored_is_answered_though_nothing_may_be_changed_since(bench):
    ann, token = bench.studio.person("Ann"), bench.assign("Ann")
    edit = {"edit": "AddContributor", "uid": "1", "at": 0, "contributor": {"parts": [[0, 3]]}}
    sent = {"client": ann, "at": token, "version": 0, "key": next(KEYS)}
    assert bench.do(edit, **sent).is_success
    assert bench.send("submit", client=ann, at=token).is_success
    assert bench.do(edit, **sent).is_success
    assert bench.do(edit, **{**sent, "key": next(KEYS), "version": 1}).status_code == 422


def test_comments_of_marks_can_be_written_into_files(bench):
    start = bench.client.get(f"/api/desks/{bench.token}").json()["references"][0]["start"]
    marked = {"parts": [[start, start + 3]], "comment": "odd\x0b\x00 sign"}
    edit = {"edit": "AddContributor", "uid": "1", "at": 0, "contributor": marked}
    assert bench.do(edit).is_success
    assert bench.pyramid.scus[0].contributors[0].comment == "odd sign"
    assert bench.studio.export(bench.evaluation, "pyramids.zip")


def test_ids_of_removed_units_are_not_used_again(bench):
    bench.do({"edit": "AddUnit", "label": "New", "at": 0})
    bench.do({"edit": "RemoveUnit", "uid": "4"})
    state = bench.do({"edit": "AddUnit", "label": "Newer", "at": 0}).json()
    assert state["order"] == ["5", "1", "2", "3"]


def test_two_organizers_never_overwrite_each_other_silently(bench):
    other = bench.studio.person("Otto", "organizer")
    assert bench.do({"edit": "Relabel", "uid": "1", "label": "mine"}, version=0).is_success
    refused = bench.do({"edit": "Relabel", "uid": "1", "label": "his"}, version=0, client=other)
    assert refused.status_code == 409
    [since] = refused.json()["changes"]
    assert (since["action"], since["edit"], since["who"]) == ("do", "Relabel", "Olga")
    assert bench.step("undo", client=other).status_code == 422, "people undo their changes only"
    assert bench.labels[0] == "mine"
    assert bench.do({"edit": "Relabel", "uid": "1", "label": "his"}, client=other).is_success
    refused = bench.step("undo")
    assert "somebody else has since changed the same unit" in refused.json()["error"]
    assert bench.labels[0] == "his"


def test_edits_of_different_units_are_merged(bench):
    otto = bench.studio.person("Otto", "organizer")
    start = bench.client.get(f"/api/desks/{bench.token}").json()["references"][0]["start"]
    part = {"parts": [[start + 3, start + 6]]}
    edits = [
        {"edit": "RemoveUnit", "uid": "1"},
        {"edit": "AddUnit", "label": "New", "at": 3},
        {"edit": "Relabel", "uid": "2", "label": "The sea"},
    ]
    for edit in edits:
        assert bench.do(edit, version=0, page="browser-1").is_success
    later = [
        {"edit": "AddUnit", "label": "His", "at": 3, "contributors": [part]},
        {"edit": "AddContributor", "uid": "2", "at": 2, "contributor": part},
        {"edit": "MoveUnit", "uid": "3", "at": 1, "beside": "2"},
    ]
    for edit in later:
        assert bench.do(edit, version=0, page="browser-2", client=otto).is_success, edit
    state = bench.client.get(f"/api/desks/{bench.token}").json()
    assert [(unit["uid"], unit["label"], unit["weight"]) for unit in state["units"]] == [
        ("3", "By a meter", 1), ("2", "The sea", 3), ("4", "New", 0), ("5", "His", 1),
    ]  # fmt: skip
    gone = bench.do({"edit": "Relabel", "uid": "1", "label": "x"}, version=0, client=otto)
    assert (gone.status_code, len(gone.json()["changes"])) == (409, 1)
    # Everybody undoes their changes; the others' stay.
    for _ in edits:
        assert bench.step("undo").is_success
    state = bench.client.get(f"/api/desks/{bench.token}").json()
    assert [(unit["uid"], unit["label"], unit["weight"]) for unit in state["units"]] == [
        ("1", "Ice melts", 2), ("3", "By a meter", 1), ("2", "The sea rises", 3), ("5", "His", 1),
    ]  # fmt: skip


def test_new_units_are_named_by_the_key_of_their_event(bench):
    otto = bench.studio.person("Otto", "organizer")
    add, relabel = ({"edit": "AddUnit", "at": 3}, {"edit": "Relabel", "uid": "new:first-unit"})
    assert bench.do({**add, "label": "His"}, client=otto).is_success
    events = [
        {"key": "first-unit", "action": "do", "edit": {**add, "label": "Mine"}},
        {"key": next(KEYS), "action": "do", "edit": {**relabel, "label": "Really mine"}},
    ]
    events = [{**event, "page": "browser-1"} for event in events]
    for _ in range(2):  # the first answer is lost
        answer = bench.client.post(f"/api/desks/{bench.token}", json={"events": events}).json()
        assert answer["uids"] == {"first-unit": "5"}
        assert answer["stored"] == [event["key"] for event in events]
    assert sorted(bench.labels[3:]) == ["His", "Really mine"]
    lost = bench.do({"edit": "RemoveUnit", "uid": "new:never-stored"})
    assert (lost.status_code, "was not stored" in lost.json()["error"]) == (422, True)
    # One invalid event: nothing of the request is stored.
    events = [{**events[0], "key": "other-unit"}, {**events[1], "edit": {**relabel, "uid": "99"}}]
    events[1] |= {"key": next(KEYS)}
    events[1]["edit"] = {"edit": "Relabel", "uid": "99", "label": "x"}
    refused = bench.client.post(f"/api/desks/{bench.token}", json={"events": events})
    assert (refused.status_code, len(bench.labels)) == (422, 5)


def test_people_see_who_is_at_work_and_what_has_changed(bench):
    otto, bob = bench.studio.person("Otto", "organizer"), bench.studio.person("Bob")
    bench.assign("Bob", "pyramid", "")
    path = f"/api/desks/{bench.token}"
    assert otto.get(path, params={"unit": "2"}).json()["people"] == []
    assert bob.get(path, params={"seen": 0}).json() == {
        "version": 0, "people": [{"who": "", "unit": "2"}],
    }  # fmt: skip
    bench.do({"edit": "Relabel", "uid": "1", "label": "x"}, client=bob)
    state = bench.client.get(path, params={"seen": 0}).json()
    assert sorted(person["who"] for person in state["people"]) == ["Bob", "Otto"]
    assert [(c["who"], c["edit"]) for c in state["changes"]] == [("Bob", "Relabel")]
    assert bob.get(path, params={"seen": 0}).json()["changes"] == [
        {"action": "do", "edit": "Relabel"}
    ]


def test_simultaneous_edits_are_all_stored(bench):
    people = [bench.studio.person(name, "organizer") for name in ("Otto", "Olga")]
    answers = []
    for version in range(5):
        ready = threading.Barrier(2)

        def edit(client, version=version, ready=ready):
            ready.wait()
            change = {"edit": "AddUnit", "label": "x", "at": 0}
            answers.append(bench.do(change, client=client, version=version).status_code)

        threads = [threading.Thread(target=edit, args=(client,)) for client in people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == [200] * 10
    assert len(bench.labels) == 3 + 10


@pytest.fixture
def other_process(bench):
    """A studio on the same file that shares no memory with the first: its URL differs."""
    path = Path(bench.studio.store.url.removeprefix("sqlite:///"))
    store = Store(f"sqlite:///{path.parent}/../{path.parent.name}/{path.name}")
    yield Studio(store, create_app(store))
    store.close()


def test_another_process_sees_earlier_edits(bench, other_process):
    relabel = {"edit": "Relabel", "uid": "1"}
    assert bench.do({**relabel, "label": "first"}, version=0).is_success
    other = other_process.organizer
    assert other.get(f"/api/desks/{bench.token}").json()["units"][0]["label"] == "first"
    assert bench.do({**relabel, "label": "second"}, version=1, client=other).is_success
    # This process saw the board before the last edit.
    refused = bench.do({**relabel, "label": "x"}, version=1)
    assert refused.status_code == 409
    assert len(refused.json()["changes"]) == 1, "the edit after version 1, not all of them"
    assert bench.labels[0] == "second"


def test_a_replaced_database_file_is_noticed(bench):
    bench.do({"edit": "Relabel", "uid": "1", "label": "first"})
    with bench.studio.store.write() as session:
        # Only another file can hold other changes: triggers protect this one.
        session.execute(text("DROP TRIGGER board_changes_no_update"))
        restored = {"sheet": "", "edit": {"edit": "Relabel", "uid": "1", "label": "restored"}}
        session.execute(
            text("""UPDATE board_changes SET key = 'restored', data = :data
                 WHERE board_id = (SELECT id FROM boards WHERE token = :token)"""),
            {"data": json.dumps(restored), "token": bench.token},
        )
    assert bench.labels[0] == "restored"


def test_merging_and_splitting_lose_no_mark_of_half_annotated_peers(bench):
    ann, tokens = bench.studio.person("Ann"), [bench.assign("Ann"), bench.assign("Bob")]
    assert bench.mark(tokens[0], ann, "1", "ice melts").is_success
    assert bench.mark(tokens[0], ann, "2", "the sea rises").is_success
    assert bench.mark(tokens[0], ann, "2", "too").is_success
    assert bench.do({"edit": "Merge", "into": "1", "uid": "2"}).is_success
    state = ann.get(f"/api/desks/{tokens[0]}").json()
    assert {uid: len(marks) for uid, marks in state["marks"].items()} == {"1": 3}
    split = {"edit": "Split", "uid": "1", "label": "The sea rises", "places": [2, 3], "at": 1}
    assert bench.do(split).is_success
    state = ann.get(f"/api/desks/{tokens[0]}").json()
    assert {uid: len(marks) for uid, marks in state["marks"].items()} == {"1": 2, "4": 1}
    [task] = state["tasks"]
    assert (task["text"], task["choices"]) == ("too", ["1", "4"])
    assert bench.client.get(f"/api/desks/{bench.token}").json()["sheets"][0]["tasks"] == 1
    early = bench.send("submit", client=ann, at=tokens[0])
    assert (early.status_code, "need review" in early.json()["error"]) == (422, True)
    body = {"key": next(KEYS), "task": {name: task[name] for name in ("uid", "parts", "reason")}}
    state = bench.send("keep", client=ann, at=tokens[0], **body).json()
    assert state["tasks"] == []
    again = bench.send("keep", client=ann, at=tokens[0], **body)  # the answer may have been lost
    assert (again.status_code, again.json()["tasks"]) == (200, [])
    assert bench.do({"edit": "RemoveUnit", "uid": "1"}).is_success
    state = ann.get(f"/api/desks/{tokens[0]}").json()
    assert {uid: len(marks) for uid, marks in state["marks"].items()} == {"0": 2, "4": 1}
    assert len(state["tasks"]) == 2
    while bench.step("undo").is_success:
        pass
    state = ann.get(f"/api/desks/{tokens[0]}").json()
    assert {uid: len(marks) for uid, marks in state["marks"].items()} == {"1": 1, "2": 2}
    assert bench.pyramid == PYRAMID


def test_annotators_do_not_disturb_each_other(bench):
    ann, bob = bench.studio.person("Ann"), bench.studio.person("Bob")
    of_ann, of_bob = bench.assign("Ann"), bench.assign("Bob")
    bench.mark(of_ann, ann, "1", "ice melts")
    bench.mark(of_bob, bob, "2", "the sea rises")
    assert bob.get(f"/api/desks/{of_bob}").json()["version"] == 1  # others are not counted
    assert bench.step("undo", client=ann, at=of_ann).json()["marks"] == {}
    assert bob.get(f"/api/desks/{of_bob}").json()["marks"].keys() == {"2"}
    assert bench.step("redo", client=ann, at=of_ann).json()["marks"].keys() == {"1"}
    # The pyramid concerns everybody.
    bench.do({"edit": "Relabel", "uid": "3", "label": "x"})
    edit = {"edit": "RemoveContributor", "uid": "1", "at": 0}
    assert bench.do(edit, client=ann, at=of_ann, version=3).is_success
    assert bench.step("undo", client=ann, at=of_ann).is_success
    bench.do({"edit": "Merge", "into": "2", "uid": "1"})
    refused = bench.do(edit, client=ann, at=of_ann, version=3)
    assert refused.status_code == 409
    assert refused.json()["changes"][-1] == {"action": "do", "edit": "Merge"}


def test_who_may_do_what(bench):
    ann, eve = bench.studio.person("Ann"), bench.studio.person("Eve")
    sheet, build = bench.assign("Ann"), bench.assign("Bob", "pyramid", "")
    board = f"/api/desks/{bench.token}"
    relabel = {"edit": "Relabel", "uid": "1", "label": "x"}
    for path in (f"/api/desks/{sheet}", board, f"/annotate/{sheet}", f"/pyramids/{bench.token}"):
        assert eve.get(path).status_code == 404
    assert ann.get(board).status_code == 404
    assert bench.do(relabel, client=ann, version=0).status_code == 404
    assert bench.do(relabel, client=ann, at=sheet, version=0).status_code == 422
    assert bench.do(relabel, client=bench.studio.person("Bob")).is_success
    assert (
        bench.studio.person("Bob")
        .get(f"/annotate/{build}")
        .headers["location"]
        .endswith(bench.token)
    )
    # Organizers look at sheets, and leave them to their annotators.
    assert bench.client.get(f"/api/desks/{sheet}").json()["may_edit"] is False
    assert bench.mark(sheet, bench.client, "1", "ice melts").status_code == 422
    assert ann.get(f"/evaluations/{bench.token}/pyramids").status_code == 404


def test_assessors_see_no_names(bench):
    ann, token = bench.studio.person("Ann"), bench.assign("Ann")
    bench.assign("Bob", system="secret8")
    bench.mark(token, ann, "1", "ice melts")
    bob = bench.studio.person("Bob")
    bench.assign("Bob", "pyramid", "")
    answers = [
        ann.get(f"/api/desks/{token}"), ann.get(f"/annotate/{token}"),
        ann.get(f"/api/desks/{token}?view=suggestions"), bob.get(f"/api/desks/{bench.token}"),
        bob.get(f"/pyramids/{bench.token}"), ann.get("/"),
    ]  # fmt: skip
    for answer in answers:
        assert answer.status_code == 200
        assert "secret" not in answer.text
    state = answers[0].json()
    assert [reference["name"] for reference in state["references"]] == [
        "Reference 1",
        "Reference 2",
    ]
    assert "sheets" not in answers[3].json()


def test_the_live_score_is_that_of_the_command(bench):
    ann, token = bench.studio.person("Ann"), bench.assign("Ann")
    bench.mark(token, ann, "1", "ice melts")
    score = bench.mark(token, ann, "0", "They say").json()["score"]
    bench.send("submit", client=ann, at=token)
    [peer] = bench.peers.values()
    expected = score_peer(peer)
    assert score["modified"] == pytest.approx(expected.modified)
    assert score["original"] == pytest.approx(expected.original)
    assert score["outside"] == expected.outside == 1


def test_submitted_peers_are_part_of_the_collection_until_they_are_opened_again(bench):
    ann, token = bench.studio.person("Ann"), bench.assign("Ann")
    bench.mark(token, ann, "1", "ice melts")
    assert bench.peers == {}
    key = {"key": next(KEYS)}
    for _ in range(2):
        state = bench.send("submit", client=ann, at=token, **key).json()
    assert state["submitted"] is True
    assert bench.mark(token, ann, "2", "the sea rises").status_code == 422
    now = bench.studio.collection(bench.evaluation)
    [(address, peer)] = now.peer_annotations.items()
    assert address == ("", "T1", "secret7", "Ann", "")
    assert peer.text == PEER
    assert peer.pyramid == now.pyramids["", "T1"]
    bench.send("reopen", client=ann, at=token)
    assert bench.peers == {}
    assert bench.mark(token, ann, "2", "the sea rises").is_success


def test_a_closed_evaluation_takes_no_marks(bench):
    ann, token = bench.studio.person("Ann"), bench.assign("Ann")
    bench.studio.change_settings(bench.evaluation, is_open="")
    assert bench.mark(token, ann, "1", "ice melts").status_code == 409


def test_peers_that_came_with_the_collection_are_for_organizers(studio):
    peer = PeerAnnotation(
        PYRAMID, PEER, unannotated_entries(PYRAMID.scus, PYRAMID.weights.tolist())
    )
    annotated = replace(FULL, peer_annotations={("", "T1", "secret7", "Old", ""): peer})
    bench = Bench(studio, annotated)
    [sheet] = bench.client.get(f"/api/desks/{bench.token}").json()["sheets"]
    assert (sheet["system"], sheet["assessor"], sheet["given"]) == ("secret7", "Old", True)
    path = f"/api/desks/{sheet['sheet']}"
    here = f"?board={bench.token}"
    state = bench.client.get(f"{path}{here}").json()
    assert state["may_edit"] is True
    edit = {"edit": "AddContributor", "uid": "1", "at": 0, "contributor": {"parts": [[9, 18]]}}
    body = {"events": [{"key": next(KEYS), "action": "do", "edit": edit}]}
    assert bench.client.post(f"{path}{here}", json=body).is_success
    [changed] = bench.peers.values()
    assert changed.scus[0].contributors[0].label == "ice melts"
    for client in (studio.person("Ann"), bench.client):
        assert client.get(path).status_code == 404  # the board must be named
    assert studio.person("Ann").get(f"{path}{here}").status_code == 404


def test_peers_assigned_later_follow_what_was_done_before(bench):
    bench.do({"edit": "Merge", "into": "1", "uid": "2"})
    ann, token = bench.studio.person("Ann"), bench.assign("Ann")
    assert bench.mark(token, ann, "1", "ice melts").is_success
    bench.step("undo")
    assert ann.get(f"/api/desks/{token}").json()["order"] == ["1", "2", "3"]


def test_matches_come_first_and_say_where_they_come_from(bench):
    ann, token = bench.studio.person("Ann"), bench.assign("Ann")
    first, second, *_ = ann.get(f"/api/desks/{token}?view=suggestions").json()["suggestions"]
    assert [(s["source"], s["uid"], s["contributors"][0]["text"]) for s in (first, second)] == [
        ("match", "1", "ice melts"), ("match", "2", "the sea rises"),
    ]  # fmt: skip
    assert first["probability"] == 0.9
    suggested = {name: first[name] for name in ("id", "source", "probability")}
    part = {"parts": first["contributors"][0]["parts"]}
    edit = {"edit": "AddContributor", "uid": "1", "at": 0, "contributor": part}
    assert bench.do(edit, client=ann, at=token, suggested=suggested).is_success
    refused = {name: second[name] for name in ("id", "source", "probability")}
    body = {"key": next(KEYS), "suggested": refused}
    assert bench.send("refuse", client=ann, at=token, **body).is_success
    left = ann.get(f"/api/desks/{token}?view=suggestions").json()["suggestions"]
    assert {s["id"] for s in left}.isdisjoint({first["id"], second["id"]})
    page = bench.client.get(f"/evaluations/{bench.evaluation}/pyramids").text
    cells = re.findall("<td>([^<]*)</td>", page.partition("Suggestions")[2])
    assert cells == ["annotation", "match", "1", "1", "50%"]


def test_a_source_that_is_refused_too_often_is_hidden(bench):
    ann, token = bench.studio.person("Ann"), bench.assign("Ann")
    path = f"/api/desks/{token}?view=suggestions"
    shown = [ann.get(path).json()["suggestions"]]
    for number in range(4):
        refused = {"id": f"other-{number}", "source": "match", "probability": 0.9}
        body = {"key": next(KEYS), "suggested": refused}
        assert bench.send("refuse", client=ann, at=token, **body).is_success
        shown.append(ann.get(path).json()["suggestions"])
    # 90% of ten before anybody answered; then 9 of 11, 9 of 12, and 9 of 13.
    assert [bool(suggestions) for suggestions in shown] == [True, True, True, False, False]
    assert [suggestions[0]["probability"] for suggestions in shown[:3]] == [0.9, 0.818, 0.75]
    assert {s["source"] for s in shown[0]} == {"match"}, "similar words have not been checked yet"


def test_the_builder_suggests_units_of_text_that_has_none(studio):
    bench = Bench(studio, EMPTY)
    path = f"/api/desks/{bench.token}?view=suggestions"
    first = bench.client.get(path).json()["suggestions"][0]
    assert first["source"] == "builder"
    assert len(first["contributors"]) == 2
    contributors = [{"parts": contributor["parts"]} for contributor in first["contributors"]]
    edit = {"edit": "AddUnit", "label": first["label"], "at": 0, "contributors": contributors}
    suggested = {"id": first["id"], "source": "builder"}
    assert bench.do(edit, suggested=suggested).json()["units"][0]["weight"] == 2
    assert first["id"] not in [s["id"] for s in bench.client.get(path).json()["suggestions"]]
    assert [contributor.label for contributor in bench.pyramid.scus[0].contributors] == [
        contributor["text"] for contributor in first["contributors"]
    ]


def test_suggestions_can_be_switched_off(bench):
    ann, token = bench.studio.person("Ann"), bench.assign("Ann")
    bench.studio.change_settings(bench.evaluation, suggestions="")
    assert ann.get(f"/api/desks/{token}?view=suggestions").json() == {"suggestions": []}


NONSENSE = [
    {"edit": "Relabel", "uid": "1"},
    {"edit": "Relabel", "uid": "99", "label": "x"},
    {"edit": "Relabel", "uid": "1", "label": "\ud800"},
    {"edit": "AddUnit", "label": "x", "at": 0, "contributors": [{"parts": [[0, 10**8]]}]},
    {"edit": "AddUnit", "label": "x", "at": 0, "contributors": [{"parts": [[5, 2]]}]},
    {"edit": "AddUnit", "label": "x", "at": 0, "contributors": [{"parts": [[0, 5]]}]},
    {"edit": "Split", "uid": "1", "label": "x", "places": [7], "at": 0},
    {"edit": "Merge", "into": "1", "uid": "1"},
    {"edit": "Explode"},
]


def test_what_makes_no_sense_is_refused(bench):
    for edit in NONSENSE:
        body = json.dumps({"events": [{"key": next(KEYS), "action": "do", "edit": edit}]})
        answer = bench.client.post(
            f"/api/desks/{bench.token}", content=body,
            headers={"Content-Type": "application/json"},
        )  # fmt: skip
        assert (answer.status_code, bool(answer.json()["error"])) == (422, True), edit
    assert bench.pyramid == PYRAMID


def test_the_page_of_pyramids_opens_boards(studio):
    path = f"/evaluations/{studio.evaluation(EMPTY)}/pyramids"
    assert "Begin" in studio.organizer.get(path).text
    csrf = studio.organizer.headers["X-CSRF-Token"]
    opened = studio.organizer.post(path, data={"csrf": csrf, "topic": "T1"})
    assert opened.status_code == 303
    assert opened.headers["location"] in studio.organizer.get(path).text
    assert studio.organizer.post(path, data={"csrf": csrf, "topic": "T9"}).status_code == 422


def test_a_board_outlives_the_server(bench, other_process):
    bench.do({"edit": "Relabel", "uid": "1", "label": "stored"})
    pyramids = other_process.collection(bench.evaluation).pyramids
    assert pyramids["", "T1"].scus[0].label == "stored"
