"""What the judging page is told and what it sends: drafts, idempotent events, blindness."""

import json
from dataclasses import replace

import pytest

from pyramidion.demo import load_demo
from pyramidion.studio._evaluations import JudgedMeasure, Settings
from pyramidion.studio._sheets import judgment_records
from pyramidion.studio._store import Assignment, Evaluation, Event
from studio.judged import add_work, close, event, score


@pytest.fixture
def ann(studio):
    return studio.person("Ann")


@pytest.fixture
def token(studio, ann):
    with studio.store.write() as session:
        return add_work(session, ["Ann"])


def items_of(browser, token):
    return browser.get(f"/api/judge/{token}").json()["items"]


def send(browser, token, *events):
    return browser.post(f"/api/judge/{token}/events", json={"events": events})


def stored(studio):
    with studio.store.read() as session:
        return [(e.key, e.kind, e.data) for e in session.query(Event).order_by(Event.id)]


def test_a_draft_is_kept_submitted_reopened_and_changed(studio, ann, token):
    first = items_of(ann, token)[0]
    assert (first["stage"], first["scores"], first["comment"]) == ("new", {}, "")
    item = first["token"]
    send(ann, token, score(item, "readability", 2, guideline=1), event(item, "comment", text="ok"))
    drafted = items_of(ann, token)[0]
    assert (drafted["stage"], drafted["scores"]) == ("draft", {"readability": 2})
    assert drafted["comment"] == "ok"
    assert send(ann, token, event(item, "submit")).status_code == 422  # a measure is missing
    more = score(item, "responsiveness", 5), event(item, "submit")
    assert send(ann, token, *more).status_code == 200
    refused = send(ann, token, score(item, "readability", 1))
    assert refused.status_code == 422
    assert "reopen" in refused.json()["hint"]
    again = event(item, "reopen"), score(item, "readability", 4), event(item, "submit")
    assert send(ann, token, *again).status_code == 200
    with studio.store.read() as session:
        records = list(judgment_records(session, session.query(Evaluation).one()))
    assert {r["measure"]: r["value"] for r in records} == {"readability": 4, "responsiveness": 5}
    assert {(r["assessor"], r["occasion"]) for r in records} == {("Ann", "0")}


def test_summaries_of_a_table_can_be_read_though_it_declares_no_topics(studio, ann):
    with studio.store.write() as session:
        token = add_work(session, ["Ann"], collection=replace(load_demo(), topics=()))
    item = items_of(ann, token)[0]["token"]
    text = ann.get(f"/api/judge/{token}/items/{item}").json()
    assert (text["topic"], text["documents"]) == (load_demo().topics[0].id, [])
    assert text["summary"]


def test_a_score_that_was_taken_back_is_none(studio, ann, token):
    item = items_of(ann, token)[0]["token"]
    send(ann, token, score(item, "readability", 3), score(item, "readability", None))
    assert items_of(ann, token)[0]["scores"] == {}
    assert [data["value"] for _, _, data in stored(studio)] == [3, None]


def test_work_resumes_at_the_item_touched_last(ann, token):
    items = [item["token"] for item in items_of(ann, token)]
    assert ann.get(f"/api/judge/{token}").json()["resume"] == ""
    send(ann, token, score(items[2], "readability", 3))
    assert ann.get(f"/api/judge/{token}").json()["resume"] == items[2]
    send(ann, token, event(items[1], "comment", text="?"), event(items[0], "time", seconds=2.5))
    assert ann.get(f"/api/judge/{token}").json()["resume"] == items[1]


def test_what_is_sent_twice_is_stored_once_and_answered_alike(studio, ann, token):
    item = items_of(ann, token)[0]["token"]
    sent = [score(item, "readability", 2), event(item, "time", seconds=3.0)]
    first, second = send(ann, token, *sent), send(ann, token, *sent)
    assert first.json() == second.json() == {"stored": [one["key"] for one in sent]}
    third = send(ann, token, sent[0], sent[0], score(item, "responsiveness", 1))
    assert third.status_code == 200
    assert len(stored(studio)) == 3
    with studio.store.write() as session:
        close(session, token)
    assert send(ann, token, *sent).json() == first.json()  # also after it is closed


def test_a_key_is_not_used_again_for_something_else(studio, ann, token):
    items = [item["token"] for item in items_of(ann, token)]
    first = score(items[0], "readability", 2, guideline=0)
    send(ann, token, first)
    changes = ({"value": 3}, {"item": items[1]}, {"guideline": 1}, {"measure": "responsiveness"})
    others = [first | change for change in changes]
    others.append(event(items[0], "comment", key=first["key"], text="x"))
    for other in others:
        answer = send(ann, token, score(items[0], "responsiveness", 2), other)
        assert answer.status_code == 422
        assert "was used for something else" in answer.json()["error"]
    assert len(stored(studio)) == 1  # all of a request is stored, or nothing


BAD = [
    score("", "readability", 6),
    score("", "readability", 0),
    score("", "readability", True),
    score("", "readability", "3"),
    score("", "readability", 2.5),
    score("", "coherence", 3),
    score("", "readability", 3, guideline=2),
    score("", "readability", 3, system="A"),
    event("", "time", seconds=0),
    event("", "time", seconds=-1),
    event("", "comment", text="x" * 10_001),
    event("", "comment", text="\ud800"),
    event("", "submit", key="short"),
    event("", "delete"),
]


def test_what_makes_no_sense_is_refused(studio, ann, token):
    item = items_of(ann, token)[0]["token"]
    for bad in BAD:
        content = json.dumps({"events": [{**bad, "item": item}]})
        answer = ann.post(f"/api/judge/{token}/events", content=content)
        assert answer.status_code == 422, (bad, answer.text)
    assert stored(studio) == []


def test_ten_points(studio, ann):
    with studio.store.write() as session:
        wide = Settings(measures=(JudgedMeasure("readability", 1, 10),))
        token = add_work(session, ["Ann"], settings=wide)
    item = items_of(ann, token)[0]["token"]
    assert send(ann, token, score(item, "readability", 10)).status_code == 200


def test_a_closed_evaluation_is_read_and_not_changed(studio, ann, token):
    item = items_of(ann, token)[0]["token"]
    send(ann, token, score(item, "readability", 2))
    with studio.store.write() as session:
        close(session, token)
    answer = send(ann, token, score(item, "readability", 3))
    assert answer.status_code == 409
    shown = ann.get(f"/api/judge/{token}").json()
    assert shown["is_open"] is False
    assert shown["items"][0]["scores"] == {"readability": 2}
    assert ann.get(f"/api/judge/{token}/items/{item}").status_code == 200
    with studio.store.write() as session:
        close(session, token, is_open=True)
    assert send(ann, token, score(item, "readability", 3)).status_code == 200


def test_the_topic_and_documents_stand_beside_the_summary(studio, ann, token):
    with studio.store.write() as session:
        session.query(Assignment).filter_by(place=0).one().task = "B"
    item = items_of(ann, token)[0]["token"]
    shown = ann.get(f"/api/judge/{token}/items/{item}").json()
    assert shown["topic"] == "Maren Star Ferry Fire"
    assert shown["narrative"].startswith("Describe the fire")
    assert shown["category"] == "Accidents and Natural Disasters"
    assert shown["aspects"][0] == {"name": "WHAT", "description": "what happened"}
    assert (shown["task"], shown["word_limit"]) == ("update summary", 100)
    assert len(shown["documents"]) == len(shown["known"]) == 4
    assert shown["known"][0]["headline"] == "Six Dead as Night Ferry Burns in Ardel Strait"


def test_the_page_has_the_guideline_of_each_measure(ann, token):
    shown = ann.get(f"/judge/{token}").text
    for measure, words in {
        "responsiveness": "answer what the topic",
        "readability": "judge what is there",
    }.items():
        part = shown.partition(f'data-measure="{measure}"')[2].partition("</details>")[0]
        assert 'data-low="1" data-high="5" data-version="1"' in part
        assert words in part


def test_nothing_that_an_assessor_is_told_names_a_system_a_kind_or_a_repeat(studio, ann, token):
    answers = [ann.get(path).text for path in ("/", f"/api/judge/{token}")]
    items = items_of(ann, token)
    texts = [ann.get(f"/api/judge/{token}/items/{one['token']}").json() for one in items]
    assert texts[0] == texts[-1]  # the repeat is like the first in everything
    assert len({tuple(one) for one in items}) == 1
    assert len({one["token"] for one in items}) == len(items)
    names = {name for one in [*items, *texts] for name in one}
    assert names == {
        "token", "stage", "scores", "comment", "task", "word_limit", "topic", "narrative",
        "category", "aspects", "documents", "known", "summary",
    }  # fmt: skip
    for word in ("occasion", "reference", "system", "repeat", "place"):
        assert not any(word in answer.lower() for answer in answers), word


def test_what_belongs_to_others_does_not_exist(studio, ann, token):
    bob = studio.person("Bob")
    item = items_of(ann, token)[0]["token"]
    paths = [f"/judge/{token}", f"/api/judge/{token}", f"/api/judge/{token}/items/{item}"]
    assert [bob.get(path).status_code for path in paths] == [404] * 3
    assert studio.organizer.get(f"/api/judge/{token}").status_code == 404
    assert send(bob, token, score(item, "readability", 2)).status_code == 404
    with studio.store.write() as session:
        other = add_work(session, ["Bob"])
    foreign = items_of(bob, other)[0]["token"]
    for wrong in (foreign, "no-such-token"):
        assert ann.get(f"/api/judge/{token}/items/{wrong}").status_code == 404
        mixed = send(ann, token, score(item, "readability", 2), score(wrong, "readability", 2))
        assert (mixed.status_code, mixed.json()["error"]) == (404, "There is no such page.")
    assert stored(studio) == []
    assert studio.stranger().get(f"/api/judge/{token}").status_code == 401
    assert studio.stranger().post(f"/api/judge/{token}/events", json={}).status_code == 401


def test_two_people_may_use_the_same_key(studio, ann, token):
    bob = studio.person("Bob")
    with studio.store.write() as session:
        other = add_work(session, ["Bob"])
    for browser, work in ((ann, token), (bob, other)):
        sent = score(items_of(browser, work)[0]["token"], "readability", 2, key="the-same-key")
        assert send(browser, work, sent).status_code == 200
    assert len(stored(studio)) == 2


def test_the_start_page_counts_what_is_done_and_left(studio, ann, token):
    for item in items_of(ann, token)[:3]:
        both = (score(item["token"], m, 3) for m in ("responsiveness", "readability"))
        send(ann, token, *both, event(item["token"], "submit"))
    shown = ann.get("/").text
    assert "3 of 4 summaries are done, 1 is left" in shown
    assert f'href="/judge/{token}"' in shown
    assert "Go on" in shown


def test_the_start_page_leads_to_what_is_annotated_and_built(studio, ann, token):
    with studio.store.write() as session:
        rows = session.query(Assignment).order_by(Assignment.place).all()
        for row, kind in zip(rows, ("annotate", "annotate", "pyramid"), strict=False):
            row.kind = kind
        session.add(
            Event(
                assignment_id=rows[0].id,
                account_id=rows[0].account_id,
                key="a",
                kind="submit",
                data={},
            )
        )
        addresses = [f"/annotate/{row.token}" for row in rows]
    shown = ann.get("/").text
    begin = shown.partition("Annotate summaries")[2]
    assert "1 of 2 summaries is done, 1 is left." in begin
    assert f'<a class="button" href="{addresses[1]}">Go on</a>' in begin
    assert f'<a href="{addresses[0]}">1 (P01)</a>, done' in begin
    assert f'<a class="button" href="{addresses[2]}">Begin</a>' in shown
    assert ann.get(addresses[2]).headers["location"].startswith("/pyramids/")
    assert (
        ann.get(f"/api/judge/{token}/items/{rows[0].token}").status_code == 404
    )  # it is not judged
