"""The table of items, summaries side by side, reopening with a note; the audit log and readers."""

import csv
import io
import re

import pytest

from pyramidion.demo import load_demo
from studio.judged import event, items_of, judge, send
from studio.test_results import judged, shown, text_of

DEMO = load_demo()


@pytest.fixture
def token(studio):
    """Two people who disagree about a summary, beside the imported scores."""
    token = studio.evaluation(DEMO)
    judged(studio, token, (1, 5), measure="readability")
    return token


def listed(studio, token, **chosen):
    """The page of items, and how many judgments it counts."""
    page = studio.organizer.get(f"/evaluations/{token}/items", params=chosen)
    text = " ".join(text_of(page).split())
    number = re.search(r"([\d,]+) of [\d,]+ judgments", text)
    return text, int(number[1].replace(",", "")) if number else 0


def test_items_are_filtered(studio, token):
    _, total = listed(studio, token)
    assert total > 90
    assert listed(studio, token, person="Kim1")[1] == 1
    text, number = listed(studio, token, flag="far", stage="submitted")
    assert number == 2
    assert re.search(r"A A Kim1 3 1 .*submitted far apart .*A A Kim2 3 5 ", text)
    assert listed(studio, token, system="A", topic="P01", stage="imported")[1] >= 1
    assert "No judgment passes" in listed(studio, token, text="no such comment")[0]
    fields = {"topic": "P01", "system": "A", "task": "A"}
    own = studio.organizer.get(f"/evaluations/{token}/item", params=fields)
    assert "Kim1" in own.text


def test_suspicious_judgments_lead_to_the_item(studio, token):
    page = " ".join(shown(studio, token, "/assessors").split())
    assert re.search("P01 A A readability 1 5 Kim1, ?", page), page[-1500:]
    answer = studio.organizer.get(f"/evaluations/{token}/results/assessors").text
    [path] = set(re.findall(r'href="(/evaluations/\S+/item\?\S+?)">P01 A A', answer))
    assert "Kim2" in text_of(studio.organizer.get(path.replace("&amp;", "&")))


def test_summaries_are_shown_side_by_side(studio, token):
    path = f"/evaluations/{token}/item"
    columns = {"task": "A", "topic": "P01", "system": ["A", "B"]}
    page = studio.organizer.get(path, params=columns).text
    for system in "AB":
        [summary] = [s for s in DEMO.references("P01", "A") if s.system == system]
        assert summary.plain.split()[0] in page
    assert studio.organizer.get(path, params={**columns, "system": "x"}).status_code == 404
    many = {**columns, "system": list("ABCDE")}
    assert studio.organizer.get(path, params=many).status_code == 422


def test_an_item_is_reopened_with_a_note(studio, token):
    [item] = items_of(studio.person("Kim1"), token)
    path = f"/evaluations/{token}/items/{item['token']}/reopen"
    assert studio.organizer.post(path, data={"note": " "}).status_code == 422
    assert studio.organizer.post(path, data={"note": "Why 1?"}).status_code == 303
    assert studio.organizer.post(path, data={"note": "Again"}).status_code == 422  # not submitted
    [item] = items_of(studio.person("Kim1"), token)
    assert (item["stage"], item["note"]) == ("draft", "Why 1?")
    judge(studio, token, "Kim1", item["token"], readability=4)
    assert "reopened" in listed(studio, token, person="Kim1")[0]
    assert "reopen" in {row["event"] for row in studio.events(token) if row["person"] == "Olga"}


def test_a_judgment_much_faster_than_usual_is_marked(studio):
    token = studio.evaluation(DEMO)
    summaries = [s for s in DEMO.summaries if s.is_reference][:6]
    for number, summary in enumerate(summaries):
        item = studio.assign(token, "Ann", summary.topic, summary.system, task=summary.task)
        seconds = event(item, "time", seconds=5.0 if number == 3 else 60.0)
        assert send(studio.person("Ann"), token, seconds).is_success
        judge(studio, token, "Ann", item, responsiveness=3, readability=3)
    assert listed(studio, token, flag="fast")[1] == 1


def test_a_reader_sees_results_and_no_way_to_change_anything(studio, token):
    reader = studio.person("Rita", "reader")
    assert "Import a collection" not in reader.get("/").text
    for path in ("", "/items", "/results", "/results/assessors", "/guidelines", "/export"):
        page = reader.get(f"/evaluations/{token}{path}")
        assert page.status_code == 200, path
        links = re.findall(r'href="(/[^"]*)"', page.text)
        refused = {link for link in links if reader.get(link).status_code == 404}
        assert not refused, path
        assert '<form method="post"' not in page.text.replace(
            '<form method="post" action="/logout"', ""
        ), path  # fmt: skip
    assert reader.get(f"/evaluations/{token}/export/scores.csv").status_code == 200


def test_the_audit_log_lists_who_did_what_without_names_of_erased_people(studio, token):
    browser = studio.organizer
    browser.post(f"/evaluations/{token}/people", data={"name": "Zoe", "role": "reader"})
    id = dict(studio.rows("accounts", "name, id"))["Zoe"]
    studio.change_settings(token)
    studio.export(token, "scores.csv")
    assert "Zoe" in browser.get("/log").text
    for action in ("deactivate", "erase"):
        browser.post(f"/evaluations/{token}/people/{id}/{action}")
    rows = list(csv.DictReader(io.StringIO(browser.get("/log.csv").text)))
    assert [row["action"] for row in reversed(rows)] == [
        "added as reader", "changed the settings", "exported", "ended the access of",
        "erased the name of",
    ]  # fmt: skip
    assert {row["person"] for row in rows} == {"Olga"}
    assert not any("Zoe" in str(cell) for row in studio.rows("audit") for cell in row)
    assert "Zoe" not in browser.get(f"/log?evaluation={token}").text
