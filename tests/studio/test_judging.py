"""The judging page: drafts, idempotent events, and what assessors may see."""

import json
import re
from dataclasses import replace

import pytest

from pyramidion.collection import Summary
from pyramidion.demo import load_demo
from studio.judged import add_work, event, items_of, judge, score, send


@pytest.fixture
def ann(studio):
    return studio.person("Ann")


@pytest.fixture
def token(studio, ann):
    return add_work(studio, ["Ann"])


def stored(studio):
    return studio.rows("events", "key, kind, data")


def test_a_draft_is_kept_submitted_reopened_and_changed(studio, ann, token):
    first = items_of(ann, token)[0]
    assert (first["stage"], first["scores"], first["comment"]) == ("new", {}, "")
    item = first["token"]
    send(ann, token, score(item, "readability", 2, guideline=1), event(item, "comment", text="ok"))
    drafted = items_of(ann, token)[0]
    assert (drafted["stage"], drafted["scores"]) == ("draft", {"readability": 2})
    assert drafted["comment"] == "ok"
    assert send(ann, token, event(item, "submit")).status_code == 422  # a measure is missing
    rest = score(item, "responsiveness", 5), event(item, "submit")
    assert send(ann, token, *rest).status_code == 200
    refused = send(ann, token, score(item, "readability", 1))
    assert refused.status_code == 422
    assert "reopen" in refused.json()["hint"]
    again = event(item, "reopen"), score(item, "readability", 4), event(item, "submit")
    assert send(ann, token, *again).status_code == 200
    rows = [row for row in studio.collection(token).scores if row.assessor == "Ann"]
    assert {row.measure: row.value for row in rows} == {"readability": 4, "responsiveness": 5}
    assert {row.occasion for row in rows} == {""}


def test_summaries_of_a_table_can_be_read_though_it_declares_no_topics(studio, ann):
    token = add_work(studio, ["Ann"], collection=replace(load_demo(), topics=()))
    item = items_of(ann, token)[0]["token"]
    text = ann.get(f"/api/judge/{token}/items/{item}").json()
    assert (text["topic"], text["documents"]) == (load_demo().topics[0].id, [])
    assert text["summary"]


def test_a_score_that_was_taken_back_is_none(studio, ann, token):
    item = items_of(ann, token)[0]["token"]
    send(ann, token, score(item, "readability", 3), score(item, "readability", None))
    assert items_of(ann, token)[0]["scores"] == {}
    assert [json.loads(row["details"])["value"] for row in studio.events(token)] == [3, None]


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
    assert first.json() == second.json() == {"stored": [sent_event["key"] for sent_event in sent]}
    third = send(ann, token, sent[0], sent[0], score(item, "responsiveness", 1))
    assert third.status_code == 200
    assert len(stored(studio)) == 3
    studio.change_settings(token, is_open="")
    assert send(ann, token, *sent).json() == first.json()  # even after it is closed


def test_a_key_is_not_used_again_for_something_else(studio, ann, token):
    items = [item["token"] for item in items_of(ann, token)]
    first = score(items[0], "readability", 2, guideline=0)
    send(ann, token, first)
    changes = ({"value": 3}, {"item": items[1]}, {"guideline": 1}, {"measure": "responsiveness"})
    reused = [first | change for change in changes]
    reused.append(event(items[0], "comment", key=first["key"], text="x"))
    for other in reused:
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
    token = add_work(studio, ["Ann"])
    studio.change_settings(token, **{"own": "style", "own-scale": "1-10"})
    item = items_of(ann, token)[0]["token"]
    answers = [send(ann, token, score(item, "style", value)) for value in (0, 1, 10, 11)]
    assert [answer.status_code for answer in answers] == [422, 200, 200, 422]


def test_a_closed_evaluation_is_read_and_not_changed(studio, ann, token):
    item = items_of(ann, token)[0]["token"]
    send(ann, token, score(item, "readability", 2))
    studio.change_settings(token, is_open="")
    answer = send(ann, token, score(item, "readability", 3))
    assert answer.status_code == 409
    shown = ann.get(f"/api/judge/{token}").json()
    assert shown["is_open"] is False
    assert shown["items"][0]["scores"] == {"readability": 2}
    assert ann.get(f"/api/judge/{token}/items/{item}").status_code == 200
    studio.change_settings(token)
    assert send(ann, token, score(item, "readability", 3)).status_code == 200


def test_an_item_has_its_topic_and_documents(studio, ann, token):
    item = studio.assign(token, "Ann", "P01", "A", task="B")
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
        assert 'data-scale="1 to 5" data-version="1"' in part
        assert words in part


def test_nothing_that_an_assessor_sees_names_a_system_a_kind_or_a_repeat(studio, ann, token):
    answers = [ann.get(path).text for path in ("/", f"/api/judge/{token}")]
    items = items_of(ann, token)
    texts = [ann.get(f"/api/judge/{token}/items/{item['token']}").json() for item in items]
    assert texts[0] == texts[-1]  # the repeat is like the first in everything
    assert len({tuple(item) for item in items}) == 1
    assert len({item["token"] for item in items}) == len(items)
    names = {name for record in [*items, *texts] for name in record}
    assert names == {
        "token", "stage", "scores", "comment", "note", "training", "task", "word_limit", "topic",
        "narrative", "category", "aspects", "documents", "known", "references", "summary",
        "second", "questions",
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
    other = add_work(studio, ["Bob"])
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
    other = add_work(studio, ["Bob"])
    for browser, work in ((ann, token), (bob, other)):
        sent = score(items_of(browser, work)[0]["token"], "readability", 2, key="the-same-key")
        assert send(browser, work, sent).status_code == 200
    assert len(stored(studio)) == 2


def test_the_start_page_counts_what_is_done_and_left(studio, ann, token):
    for item in items_of(ann, token)[:3]:
        both = (score(item["token"], m, 3) for m in ("responsiveness", "readability"))
        send(ann, token, *both, event(item["token"], "submit"))
    shown = ann.get("/").text
    assert "3 of 4 summaries done." in shown
    assert f'href="/judge/{token}"' in shown
    assert "Continue" in shown


def test_the_start_page_leads_to_what_is_annotated_and_built(studio, ann, token):
    work = [("annotate", "A"), ("annotate", "B"), ("pyramid", "")]
    tokens = [
        studio.assign(token, "Ann", "P01", system, task="A", kind=kind) for kind, system in work
    ]
    body = {"events": [{"key": "submit-1", "action": "submit"}]}
    assert ann.post(f"/api/desks/{tokens[0]}", json=body).is_success
    addresses = [f"/annotate/{item}" for item in tokens]
    shown = ann.get("/").text
    begin = shown.partition("Annotate summaries")[2]
    title = load_demo().topics[0].title
    assert "1 of 2 summaries done." in begin
    assert f'<a class="button" href="{addresses[1]}">Continue</a>' in begin
    assert f'<a href="{addresses[0]}">1. {title} (P01)</a>, done' in begin
    assert f'<a class="button" href="{addresses[2]}">Start</a>' in shown
    assert ann.get(addresses[2]).headers["location"].startswith("/pyramids/")
    # It is not judged.
    assert ann.get(f"/api/judge/{token}/items/{tokens[0]}").status_code == 404


def test_scales_with_steps_labels_and_any_value(studio, ann, token):
    studio.change_settings(
        token, **{"scale-non-redundancy": "0 to 1 any value", "scale-responsiveness": "",
                  "scale-focus": "-1 to 1 step 0.5",
                  "scale-readability": "", "scale-coherence": "1 to 3: bad, fair, good",
                  "own": "genre", "own-scale": "categories: news, opinion"},
    )  # fmt: skip
    page = ann.get(f"/judge/{token}").text
    assert re.findall(r'<button[^>]* value="([^"]*)"[^>]*>([^<]*)<', page) == [
        *((value, value) for value in ("-1", "-0.5", "0", "0.5", "1")),
        ("1", "bad"), ("2", "fair"), ("3", "good"), ("1", "news"), ("2", "opinion"),
    ]  # fmt: skip
    item = items_of(ann, token)[0]["token"]
    for measure, value in (("focus", 0.3), ("non-redundancy", 1.1), ("coherence", 1.5)):
        assert send(ann, token, score(item, measure, value)).status_code == 422
    values = {"focus": -0.5, "non-redundancy": 0.123, "coherence": 3, "genre": 2}
    judge(studio, token, "Ann", item, **values)
    assert items_of(ann, token)[0]["scores"] == values
    assert {r.measure: r.value for r in studio.collection(token).scores if r.time} == values


@pytest.mark.parametrize("system", ["A", "machine"])
def test_references_are_shown_without_the_judged_summary_and_in_equal_number(studio, ann, system):
    machine = Summary("P01", "machine", "A summary.", task="A")
    demo = load_demo()
    token = studio.evaluation(replace(demo, summaries=(*demo.summaries, machine)))
    item = studio.assign(token, "Ann", "P01", system, task="A")
    path = f"/api/judge/{token}/items/{item}"
    assert ann.get(path).json()["references"] == []
    studio.change_settings(token, references="on")
    text = ann.get(path).json()
    assert len(text["references"]) == len(demo.references("P01", "A")) - 1
    assert text["summary"] not in text["references"]
