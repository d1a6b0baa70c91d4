"""Pages of organizers: people, settings, guidelines, assignments, progress."""

import re
from dataclasses import replace

import pytest

from pyramidion.collection import Collection, Judgment, Scores, Summary, Topic
from pyramidion.demo import load_demo
from pyramidion.studio._evaluations import Settings, add_evaluation
from pyramidion.studio._guidelines import guidelines_of
from pyramidion.studio._progress import by_person, by_topic, steps_of
from pyramidion.studio._store import Account, Assignment, BoardChange, BoardRow, Evaluation, Event

SCALES = {"scale-responsiveness": "1-5", "scale-readability": "1-5"}
MACHINES = Collection(
    "machines",
    topics=tuple(Topic(f"T{n}", category=str(n % 2 + 1)) for n in range(4)),
    summaries=tuple(
        Summary(f"T{n}", system, f"Text {n} of {system}.") for n in range(4) for system in "pqrs"
    ),
)


@pytest.fixture
def home(studio):
    """The address of an evaluation with two assessors."""
    with studio.store.write() as session:
        token = add_evaluation(session, MACHINES).token
    for name in ("Ann", "Bob"):
        studio.person(name)
    return f"/evaluations/{token}"


def evaluation(session):
    return session.query(Evaluation).one()


def events(studio, *kinds, name="Ann", number=1, **data):
    """Let a person do something to the first items of theirs."""
    with studio.store.write() as session:
        account = session.query(Account).filter_by(name=name).one()
        items = session.query(Assignment).filter_by(account_id=account.id).order_by("place")
        for item in items.limit(number):
            for kind in kinds:
                key = f"{item.id} {kind} {data}"
                row = Event(assignment_id=item.id, account_id=account.id, key=key, kind=kind)
                row.data = data
                session.add(row)


def assign(studio, home, **form):
    """Look at a plan, and write it."""
    asked = {"kind": "judge", "person": ["Ann", "Bob"], "task": [""], "writers": "on", **form}
    seen = studio.organizer.post(f"{home}/assign", data={**asked, "action": "look"})
    assert seen.status_code == 200
    mark = re.search(r'name="fingerprint" value="(\w+)"', seen.text)
    if mark is None:
        return seen.text
    written = studio.organizer.post(
        f"{home}/assign", data={**asked, "action": "write", "fingerprint": mark[1]}
    )
    assert written.status_code == 303
    return seen.text


PAGES = ["", "/progress", "/settings", "/people", "/guidelines", "/guidelines/readability"]
PAGES += ["/assign", "/export", "/export/collection.zip", "/export/events.csv", "/backup"]


def test_pages_are_for_organizers_only(studio, home):
    stranger = studio.stranger()
    for path in PAGES:
        assert studio.organizer.get(home + path).status_code == 200, path
        assert studio.person("Ann").get(home + path).status_code == 404, path
        assert stranger.get(home + path).headers["location"] == "/login", path
        assert studio.organizer.get(f"/evaluations/nowhere{path}").status_code == 404, path


# People


def test_a_link_is_shown_once_and_invites(studio, home):
    added = studio.organizer.post(f"{home}/people", data={"name": "Cy"})
    (link,) = re.findall(r"http://127\.0\.0\.1(/invitation/[\w-]+)", added.text)
    assert link not in studio.organizer.get(f"{home}/people").text
    assert studio.stranger().get(link).status_code == 200
    again = studio.organizer.post(f"{home}/people", data={"name": "cy"})
    assert again.status_code == 422
    assert "There is an account cy already. Take another name." in again.text


def test_a_new_link_ends_the_old_one_and_access_can_end(studio, home):
    added = studio.organizer.post(f"{home}/people", data={"name": "Cy"})
    (first,) = re.findall(r"/invitation/[\w-]+", added.text)
    with studio.store.read() as session:
        id = session.query(Account).filter_by(name="Cy").one().id
        ann = session.query(Account).filter_by(name="Ann").one().id
        own = session.query(Account).filter_by(name="Olga").one().id
    (second,) = re.findall(
        r"/invitation/[\w-]+", studio.organizer.post(f"{home}/people/{id}/invite").text
    )
    assert studio.stranger().get(first).status_code == 404
    assert studio.stranger().get(second).status_code == 200
    assert studio.person("Ann").get("/").status_code == 200
    assert studio.organizer.post(f"{home}/people/{ann}/deactivate").status_code == 303
    assert studio.person("Ann").get("/").headers["location"] == "/login"
    assert studio.organizer.post(f"{home}/people/{ann}/activate").status_code == 303
    assert studio.organizer.post(f"{home}/people/{own}/deactivate").status_code == 422
    assert studio.organizer.post(f"{home}/people/99/invite").status_code == 404
    assert studio.organizer.post(f"{home}/people/{ann}/promote").status_code == 404


# Settings


def settings(studio):
    with studio.store.read() as session:
        made = Settings.of(evaluation(session))
    return {one.name: (one.low, one.high) for one in made.measures}, made


def test_settings_are_changed(studio, home):
    form = {"scale-focus": "1-10", "own": "My Measure", "own-scale": "1-5", "name": "Spring"}
    assert studio.organizer.post(f"{home}/settings", data=form).status_code == 303
    measures, made = settings(studio)
    assert measures == {"focus": (1, 10), "my-measure": (1, 5)}
    assert (made.is_open, made.suggestions) == (False, False)
    with studio.store.read() as session:
        assert {"focus", "my-measure"} <= guidelines_of(session, evaluation(session)).keys()
        assert evaluation(session).name == "Spring"
    more = {"scale-my-measure": "1-5", "is_open": "on", "suggestions": "on"}
    assert studio.organizer.post(f"{home}/settings", data=more).status_code == 303
    measures, made = settings(studio)
    assert measures == {"my-measure": (1, 5)}
    assert (made.is_open, made.suggestions) == (True, True)


def test_wrong_settings_change_nothing(studio, home):
    before = settings(studio)
    for form in ({}, {**SCALES, "own": "Ö!"}, {**SCALES, "own": "focus"}):
        assert studio.organizer.post(f"{home}/settings", data=form).status_code == 422
    assert settings(studio) == before


def test_what_was_judged_is_not_changed_unseen(studio, home):
    assign(studio, home)
    events(studio, "score", number=3, measure="readability", value=4, guideline=1)
    other = studio.organizer.post(f"{home}/settings", data={**SCALES, "scale-readability": "1-10"})
    assert other.status_code == 422
    assert "3 judgments of readability are on another scale" in other.text
    fewer = {"scale-responsiveness": "1-5", "is_open": "on"}
    asked = studio.organizer.post(f"{home}/settings", data=fewer)
    assert asked.status_code == 409
    assert "readability (3)" in asked.text
    assert "readability" in settings(studio)[0]
    sure = studio.organizer.post(f"{home}/settings", data={**fewer, "sure": "on"})
    assert sure.status_code == 303
    assert settings(studio)[0] == {"responsiveness": (1, 5)}
    back = studio.organizer.post(f"{home}/settings", data={**SCALES, "scale-readability": "1-10"})
    assert "3 judgments of readability are on another scale" in back.text
    assert studio.organizer.post(f"{home}/settings", data=SCALES).status_code == 303
    assert settings(studio)[0]["readability"] == (1, 5)


def test_imported_judgments_keep_their_scale(studio):
    with studio.store.write() as session:
        token = add_evaluation(session, load_demo()).token
    refused = studio.organizer.post(
        f"/evaluations/{token}/settings", data={"scale-responsiveness": "1-10"}
    )
    assert refused.status_code == 422
    assert "the imported judgments of responsiveness" in refused.text.lower()


def test_means_that_were_imported_are_on_no_scale(studio):
    scores = Scores.from_judgments([Judgment("T", "7", "readability", 3.5)])
    with studio.store.write() as session:
        row = add_evaluation(session, replace(load_demo(), scores=scores))
        assert [one.name for one in Settings.of(row).measures] == ["responsiveness"]
        token = row.token
    refused = studio.organizer.post(
        f"/evaluations/{token}/settings", data={"scale-readability": "1-5"}
    )
    assert refused.status_code == 422
    assert "3.5 is one of them" in refused.text


# Guidelines


def test_a_guideline_is_edited_and_old_versions_are_read(studio, home):
    path = f"{home}/guidelines/readability"
    text = "# Mine\n\n<script>alert(1)</script> **well**"
    assert studio.organizer.post(path, data={"text": text, "seen": "1"}).status_code == 303
    shown = studio.organizer.get(f"{home}/guidelines").text
    assert "<p>&lt;script&gt;alert(1)&lt;/script&gt; <strong>well</strong></p>" in shown
    assert "readability, version 2" in shown
    old = studio.organizer.get(f"{path}?version=1").text
    assert "How well can the summary be read" in old
    assert "<textarea" not in old
    late = studio.organizer.post(path, data={"text": "Other.", "seen": "1"})
    assert late.status_code == 422
    assert "Somebody wrote version 2 meanwhile." in late.text
    assert ">Other.</textarea>" in late.text  # what one wrote is not lost
    assert studio.organizer.get(f"{path}?version=7").status_code == 404
    assert studio.organizer.get(f"{home}/guidelines/nothing").status_code == 404


# Assignments


def test_a_plan_is_shown_and_then_written(studio, home):
    seen = assign(studio, home, per_topic="1", repeats="25%")
    assert "Assign 20 items" in seen
    with studio.store.read() as session:
        rows = session.query(Assignment).all()
        names = {row.account.name: row for row in rows}
        assert set(names) == {"Ann", "Bob"}
        assert sorted(row.place for row in rows if row.account.name == "Ann") == list(range(10))
        assert sum(row.occasion for row in rows) == 4
        assert len({row.token for row in rows}) == 20
    assert "Everything that was asked for is assigned already." in assign(studio, home)


def test_nobody_can_compute_the_orders(studio):
    with studio.store.write() as session:
        seeds = {Settings.of(add_evaluation(session, MACHINES)).seed for _ in range(3)}
    assert len(seeds) == 3


def test_a_plan_that_changed_meanwhile_is_shown_again(studio, home):
    form = {"kind": "judge", "person": ["Ann"], "task": [""], "action": "write"}
    old = studio.organizer.post(f"{home}/assign", data={**form, "fingerprint": "0"})
    assert old.status_code == 422
    assert "Something has changed since this plan was shown." in old.text
    with studio.store.read() as session:
        assert session.query(Assignment).count() == 0


NOT_PLANNED = [
    ({"person": []}, "Nobody is chosen."),
    ({"person": ["Olga"]}, "Nobody is chosen."),
    ({"per_topic": "3"}, "3 for each topic, but 2 people are chosen."),
    ({"per_topic": "x"}, "people for each topic."),
    ({"repeats": "lots"}, "repeats."),
    ({"repeats": "60%"}, "More than half is to be repeated."),
    ({"task": ["Z"]}, "There is nothing to do."),
    ({"kind": "sleep"}, "This kind of work is unknown."),
    ({"kind": "pyramid"}, "There is nothing to do."),  # without references
]


def test_what_cannot_be_planned_is_told(studio, home):
    for form, told in NOT_PLANNED:
        asked = {"kind": "judge", "person": ["Ann", "Bob"], "task": [""], **form}
        answer = studio.organizer.post(f"{home}/assign", data=asked)
        assert answer.status_code == 422
        assert told in answer.text


def test_later_work_does_not_disturb_what_is_there(studio, home):
    assign(studio, home)
    with studio.store.read() as session:
        before = {row.token: (row.account_id, row.place) for row in session.query(Assignment)}
    studio.person("Cy")
    assign(studio, home, person=["Ann", "Bob", "Cy"], per_topic="2")
    with studio.store.read() as session:
        after = {row.token: (row.account_id, row.place) for row in session.query(Assignment)}
    assert before.items() <= after.items()
    assert len(after) == 32


def test_what_is_not_begun_can_be_taken_back(studio, home):
    assign(studio, home)
    events(studio, "time", number=2, seconds=5)
    form = {"kind": "judge", "person": ["Ann"], "action": "withdraw"}
    assert studio.organizer.post(f"{home}/assign", data=form).status_code == 303
    with studio.store.read() as session:
        left = [row.account.name for row in session.query(Assignment)]
    assert (left.count("Ann"), left.count("Bob")) == (2, 8)


def test_work_of_somebody_who_left_is_given_to_others(studio, home):
    assign(studio, home)
    with studio.store.write() as session:
        ann = session.query(Account).filter_by(name="Ann").one()
        first, *_, last = session.query(Assignment).filter_by(account_id=ann.id).order_by("place")
        assert first.topic != last.topic
        ann.active = False
    events(studio, "submit", number=4)  # the first topic is finished
    assert "Assign 4 items" in assign(studio, home, person=["Bob"])
    with studio.store.read() as session:
        bobs = {row.topic for row in session.query(Assignment) if row.account.name == "Bob"}
    assert last.topic in bobs
    assert first.topic not in bobs


def test_pyramids_are_assigned_by_topic(studio):
    with studio.store.write() as session:
        token = add_evaluation(session, load_demo()).token
    studio.person("Ann")
    seen = assign(
        studio, f"/evaluations/{token}", kind="pyramid", person=["Ann"], task=["A"], repeats="5"
    )
    assert "Assign 6 items" in seen
    with studio.store.read() as session:
        assert {row.system for row in session.query(Assignment)} == {""}


# Progress


def test_progress_by_person_and_topic(studio, home):
    assign(studio, home)
    events(studio, "time", number=3, seconds=20)
    events(studio, "time", number=2, seconds=45.4)
    events(studio, "submit", number=2)
    events(studio, "reopen")
    with studio.store.read() as session:
        steps = steps_of(session, evaluation(session))
    ann, bob = by_person(steps)
    assert (ann.name, ann.total, ann.begun, ann.submitted, ann.time) == ("Ann", 8, 3, 1, "1:05 min")
    assert (bob.name, bob.begun, bob.submitted, bob.time) == ("Bob", 0, 0, "–")
    assert sum(row.total for row in by_topic(steps)) == 16
    text = studio.organizer.get(f"{home}/progress").text
    assert "Ann: 1 of 8 submitted" in text
    assert "<html" not in text


def test_annotating_begins_with_the_first_mark(studio, home):
    assign(studio, home, kind="annotate", person=["Ann"])
    with studio.store.write() as session:
        first, second = session.query(Assignment).order_by("place").limit(2)
        board = BoardRow(evaluation_id=first.evaluation_id, task="", topic=first.topic)
        session.add(board)
        session.flush()
        change = BoardChange(
            board_id=board.id, version=1, account_id=first.account_id, key="k", action="do"
        )
        change.data = {"sheet": second.token}
        session.add(change)
    with studio.store.read() as session:
        begun = [step.place for step in steps_of(session, evaluation(session)) if step.begun]
    assert begun == [1]


def test_scores_alone_are_an_evaluation_too(studio):
    only = Collection("scores", scores=Scores.from_judgments([Judgment("T", "x", "fluency", 1.0)]))
    with studio.store.write() as session:
        token = add_evaluation(session, only).token
    for path in ("", "/assign", "/export", "/settings"):
        assert studio.organizer.get(f"/evaluations/{token}{path}").status_code == 200
