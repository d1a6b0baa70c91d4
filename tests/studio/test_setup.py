"""Pages of organizers: people, settings, guidelines, assignments, progress."""

import re
from dataclasses import replace

import pytest

from pyramidion.collection import Collection, Judgment, Scale, Scores, Summary, Topic
from pyramidion.demo import load_demo
from studio.judged import event, items_of, judge, send

SCALES = {"scale-responsiveness": "1 to 5", "scale-readability": "1-5"}
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
    for name in ("Ann", "Bob"):
        studio.person(name)
    return f"/evaluations/{studio.evaluation(MACHINES)}"


def first_items(studio, home, number, name="Ann"):
    """The tokens of a person's first items."""
    items = items_of(studio.person(name), home.rpartition("/")[2])
    return [item["token"] for item in items[:number]]


def events(studio, home, kind, *, number=1, **data):
    """Send an event about each of Ann's first items."""
    sent = [event(item, kind, **data) for item in first_items(studio, home, number)]
    assert send(studio.person("Ann"), home.rpartition("/")[2], *sent).is_success


def submit(studio, home, number):
    """Let Ann judge and submit her first items."""
    for item in first_items(studio, home, number):
        judge(studio, home.rpartition("/")[2], "Ann", item, responsiveness=3, readability=3)


def assigned(studio):
    """Name, topic, system, occasion, position and token of each assignment."""
    names = dict(studio.rows("accounts", "id, name"))
    columns = "account_id, topic, system, occasion, place, token"
    return [(names[row[0]], *row[1:]) for row in studio.rows("assignments", columns)]


def assign(studio, home, **form):
    """Preview a plan and confirm it; return the preview."""
    fields = {"kind": "judge", "person": ["Ann", "Bob"], "task": [""], "writers": "on", **form}
    seen = studio.organizer.post(f"{home}/assign", data={**fields, "action": "look"})
    assert seen.status_code == 200
    mark = re.search(r'name="fingerprint" value="(\w+)"', seen.text)
    if mark is None:
        return seen.text
    written = studio.organizer.post(
        f"{home}/assign", data={**fields, "action": "write", "fingerprint": mark[1]}
    )
    assert written.status_code == 303
    return seen.text


PAGES = ["", "/progress", "/settings", "/people", "/guidelines", "/guidelines/readability"]
PAGES += ["/preview", "/assign"]
PAGES += ["/export", "/export/collection.zip", "/export/events.csv", "/backup"]


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
    assert "There is already an account cy. Choose another name." in again.text


def test_a_new_link_ends_the_old_one_and_access_can_end(studio, home):
    added = studio.organizer.post(f"{home}/people", data={"name": "Cy"})
    (first,) = re.findall(r"/invitation/[\w-]+", added.text)
    ids = dict(studio.rows("accounts", "name, id"))
    ann, cy, olga = ids["Ann"], ids["Cy"], ids["Olga"]
    (second,) = re.findall(
        r"/invitation/[\w-]+", studio.organizer.post(f"{home}/people/{cy}/invite").text
    )
    assert studio.stranger().get(first).status_code == 404
    assert studio.stranger().get(second).status_code == 200
    assert studio.person("Ann").get("/").status_code == 200
    assert studio.organizer.post(f"{home}/people/{ann}/deactivate").status_code == 303
    assert studio.person("Ann").get("/").headers["location"] == "/login"
    assert studio.organizer.post(f"{home}/people/{ann}/activate").status_code == 303
    assert studio.organizer.post(f"{home}/people/{olga}/deactivate").status_code == 422
    assert studio.organizer.post(f"{home}/people/99/invite").status_code == 404
    assert studio.organizer.post(f"{home}/people/{ann}/promote").status_code == 404


def test_people_are_added_as_a_list_all_or_nobody(studio, home):
    wrong = studio.organizer.post(f"{home}/people", data={"name": "Cy\nDee\nann"})
    assert wrong.status_code == 422
    added = studio.organizer.post(f"{home}/people", data={"name": "Cy\r\n\r\nDee"})
    names = re.findall(r"(\w+): http://127\.0\.0\.1/invitation/[\w-]+", added.text)
    assert names == ["Cy", "Dee"]


def test_a_person_who_left_can_be_erased(studio, home):
    assign(studio, home)
    submit(studio, home, 1)
    id = dict(studio.rows("accounts", "name, id"))["Ann"]
    for action in ("deactivate", "erase"):
        assert studio.organizer.post(f"{home}/people/{id}/{action}").status_code == 303
    assert "Ann" not in studio.organizer.get(f"{home}/people").text
    people = {row["person"] for row in studio.events(home.rpartition("/")[2])}
    assert len(people) == 1
    assert re.fullmatch(r"Person \w{8}", *people)


def test_an_organizer_is_assigned_work_and_judges_blind(studio, home):
    studio.organizer  # noqa: B018
    assign(studio, home, person=["Olga"], limit="8")
    assert len(assigned(studio)) == 8
    assert "0 of 8 " in studio.organizer.get("/").text
    token = home.rpartition("/")[2]
    item = items_of(studio.organizer, token)[0]["token"]
    assert "system" not in studio.organizer.get(f"/api/judge/{token}/items/{item}").json()


def test_a_preview_shows_what_assessors_see(studio, home):
    token = home.rpartition("/")[2]
    items = studio.organizer.get(f"/api/preview/{token}").json()["items"]
    assert len(items) == 5
    text = studio.organizer.get(f"/api/preview/{token}/items/4").json()
    assert text["summary"].startswith("Text ")
    assert studio.organizer.get(f"/api/preview/{token}/items/5").status_code == 422
    assert studio.person("Ann").get(f"/api/preview/{token}").status_code == 404


def test_an_evaluation_is_archived_restored_and_deleted(studio, home):
    assign(studio, home)
    submit(studio, home, 2)
    studio.evaluation(load_demo())
    path = f"{home}/state"
    assert studio.organizer.post(path, data={"state": "archived"}).status_code == 303
    assert "Archived (1)" in studio.organizer.get("/").text
    assert "nothing for you to do" in studio.person("Ann").get("/").text
    assert studio.organizer.post(path, data={"state": "active"}).status_code == 303
    assert "2 of 8" in studio.person("Ann").get("/").text
    assert studio.organizer.post(path, data={"state": "deleted", "name": "x"}).status_code == 422
    assert len(studio.rows("events")) > 0
    deleted = studio.organizer.post(path, data={"state": "deleted", "name": "machines"})
    assert deleted.status_code == 303
    assert studio.organizer.get(home).status_code == 404
    assert (studio.rows("events"), studio.rows("assignments")) == ([], [])
    assert len(studio.rows("evaluations", "id")) == 1


# Settings


OPTION = re.compile(r'<input name="scale-([^"]+)" value="([^"]+)"')


def settings(studio, home):
    """The scales and switches that the form shows."""
    page = studio.organizer.get(f"{home}/settings").text
    scales = dict(OPTION.findall(page))
    switches = [
        bool(re.search(rf'name="{name}"[^>]*checked', page)) for name in ("is_open", "suggestions")
    ]
    return scales, switches


def test_settings_are_changed(studio, home):
    form = {"scale-focus": "1-10", "own": "My Measure", "own-scale": "yes / no", "name": "Spring"}
    assert studio.organizer.post(f"{home}/settings", data=form).status_code == 303
    assert settings(studio, home) == ({"focus": "1 to 10", "my-measure": "yes/no"}, [False, False])
    guidelines = studio.organizer.get(f"{home}/guidelines").text
    assert "focus, version 1" in guidelines
    assert "my-measure, version 1" in guidelines
    assert ">Spring</h1>" in studio.organizer.get(home).text
    fewer = {"scale-my-measure": "yes/no", "is_open": "on", "suggestions": "on"}
    assert studio.organizer.post(f"{home}/settings", data=fewer).status_code == 303
    assert settings(studio, home) == ({"my-measure": "yes/no"}, [True, True])


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ((0, 1, 2), "0 to 2"), ((0, 1), "yes/no"), ((2, 4), "1 to 5"), ((6, 9), "1 to 10"),
        ((0.25, 0.5), "0 to 1 any value"), ((1.5, 3.25), "1 to 5"), ((-1, 1), "-1 to 1"),
        ((40, 80), "1 to 100 any value"), ((0, 250), "0 to 250 any value"),
    ],
)  # fmt: skip
def test_the_measures_of_a_collection_are_judged_on_a_scale_that_has_their_scores(
    studio, values, scale
):
    pairs = zip("pqr", values, strict=False)
    rows = [Judgment("T0", name, "Clear & sound", v, assessor="Kim") for name, v in pairs]
    rows += [Judgment("T0", "p", "rouge-2-r", 0.5), Judgment("T0", "p", "pyramid-modified", 0.5)]
    token = studio.evaluation(replace(MACHINES, scores=Scores.from_judgments(rows)))
    assert settings(studio, f"/evaluations/{token}")[0] == {"Clear &amp; sound": scale}
    path = f"/evaluations/{token}/guidelines/Clear%20%26%20sound"
    assert studio.organizer.get(path).status_code == 200


def test_a_declared_scale_is_kept(studio):
    declared = replace(MACHINES, scales={"style": Scale(0, 10, 2.5)})
    home = f"/evaluations/{studio.evaluation(declared)}"
    assert settings(studio, home)[0] == {"style": "0 to 10 step 2.5"}


def test_wrong_settings_change_nothing(studio, home):
    before = settings(studio, home)
    wrong = ({}, {**SCALES, "own": "Ö!"}, {**SCALES, "own": "focus"})
    scales = ("5 to 1", "1 to 5 step 3", "1 to 3: bad, good", "good", "a, a", "0 to 9999999")
    for form in (*wrong, *({"scale-focus": scale} for scale in scales)):
        assert studio.organizer.post(f"{home}/settings", data=form).status_code == 422
    assert settings(studio, home) == before


def test_the_scale_of_judged_measures_is_not_changed(studio, home):
    assign(studio, home)
    events(studio, home, "score", number=3, measure="readability", value=4, guideline=1)
    other = studio.organizer.post(f"{home}/settings", data={**SCALES, "scale-readability": "1-10"})
    assert other.status_code == 422
    assert "3 judgments of readability are on another scale" in other.text
    fewer = {"scale-responsiveness": "1-5", "is_open": "on"}
    warned = studio.organizer.post(f"{home}/settings", data=fewer)
    assert warned.status_code == 409
    assert "readability (3)" in warned.text
    assert "readability" in settings(studio, home)[0]
    sure = studio.organizer.post(f"{home}/settings", data={**fewer, "sure": "on"})
    assert sure.status_code == 303
    assert settings(studio, home)[0] == {"responsiveness": "1 to 5"}
    back = studio.organizer.post(f"{home}/settings", data={**SCALES, "scale-readability": "1-10"})
    assert "3 judgments of readability are on another scale" in back.text
    assert studio.organizer.post(f"{home}/settings", data=SCALES).status_code == 303
    assert settings(studio, home)[0]["readability"] == "1 to 5"


def test_imported_judgments_keep_their_scale(studio):
    home = f"/evaluations/{studio.evaluation(load_demo())}"
    refused = studio.organizer.post(f"{home}/settings", data={"scale-responsiveness": "1-10"})
    assert refused.status_code == 422
    assert "the imported judgments of responsiveness" in refused.text.lower()


def test_imported_means_may_lie_between_the_points(studio):
    rows = [Judgment("P01", "A", "readability", 3.5, task="A", kind="human")]
    token = studio.evaluation(replace(load_demo(), scores=Scores.from_judgments(rows)))
    home = f"/evaluations/{token}"
    assert settings(studio, home)[0]["readability"] == "1 to 5"
    assert studio.collection(token).scales["readability"] == Scale(1, 5, 0)
    refused = studio.organizer.post(f"{home}/settings", data={"scale-readability": "1 to 3"})
    assert refused.status_code == 422


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
    assert "Somebody else has written version 2 in the meantime." in late.text
    assert ">Other.</textarea>" in late.text  # what one wrote is not lost
    assert studio.organizer.get(f"{path}?version=7").status_code == 404
    assert studio.organizer.get(f"{home}/guidelines/nothing").status_code == 404


# Assignments


def test_a_plan_is_shown_and_then_written(studio, home):
    seen = assign(studio, home, per_topic="1", repeats="25%")
    assert "Assign 20 items" in seen
    names, _, _, occasions, positions, tokens = zip(*assigned(studio), strict=True)
    assert set(names) == {"Ann", "Bob"}
    ann = [position for name, position in zip(names, positions, strict=True) if name == "Ann"]
    assert sorted(ann) == list(range(10))
    assert sum(occasions) == 4
    assert len(set(tokens)) == 20
    assert "Everything selected is already assigned." in assign(studio, home)


def test_orders_cannot_be_predicted(studio):
    orders = set()
    for _ in range(3):
        home = f"/evaluations/{studio.evaluation(MACHINES)}"
        studio.person("Ann")
        assign(studio, home, person=["Ann"])
        rows = sorted(assigned(studio)[-16:], key=lambda row: row[4])
        orders.add(tuple(row[1:3] for row in rows))
    assert len(orders) == 3


def test_a_plan_that_changed_meanwhile_is_shown_again(studio, home):
    form = {"kind": "judge", "person": ["Ann"], "task": [""], "action": "write"}
    old = studio.organizer.post(f"{home}/assign", data={**form, "fingerprint": "0"})
    assert old.status_code == 422
    assert "Something has changed since this plan was shown." in old.text
    assert assigned(studio) == []


NOT_PLANNED = [
    ({"person": []}, "Nobody is chosen."),
    ({"person": ["Zoe"]}, "Nobody is chosen."),
    ({"limit": "x"}, "items per person."),
    ({"per_topic": "3"}, "3 for each topic, but 2 people are chosen."),
    ({"per_topic": "x"}, "people for each topic."),
    ({"per_topic": "999"}, "999 for each topic, but 2 people are chosen."),
    ({"per_topic": "1000"}, "&#39;1000&#39; people for each topic. Give a whole number up to"),
    ({"repeats": "lots"}, "repeats."),
    ({"repeats": "60%"}, "More than half would be repeated."),
    ({"task": ["Z"]}, "There is nothing to do."),
    ({"kind": "sleep"}, "This kind of work is unknown."),
    ({"kind": "pyramid"}, "There is nothing to do."),  # without references
]


def test_impossible_plans_are_explained(studio, home):
    for form, message in NOT_PLANNED:
        fields = {"kind": "judge", "person": ["Ann", "Bob"], "task": [""], **form}
        answer = studio.organizer.post(f"{home}/assign", data=fields)
        assert answer.status_code == 422
        assert message in answer.text


def test_later_work_does_not_disturb_what_is_there(studio, home):
    assign(studio, home)
    before = assigned(studio)
    studio.person("Cy")
    assign(studio, home, person=["Ann", "Bob", "Cy"], per_topic="2")
    assert set(before) <= set(assigned(studio))
    assert len(assigned(studio)) == 32


def test_what_is_not_begun_can_be_taken_back(studio, home):
    assign(studio, home)
    events(studio, home, "time", number=2, seconds=5.0)
    form = {"kind": "judge", "person": ["Ann"], "action": "withdraw"}
    assert studio.organizer.post(f"{home}/assign", data=form).status_code == 303
    left = [name for name, *_ in assigned(studio)]
    assert (left.count("Ann"), left.count("Bob")) == (2, 8)


def test_work_of_somebody_who_left_is_given_to_others(studio, home):
    assign(studio, home)
    ann = sorted((row for row in assigned(studio) if row[0] == "Ann"), key=lambda row: row[4])
    first, last = ann[0][1], ann[-1][1]
    assert first != last
    submit(studio, home, 4)  # the first topic is finished
    id = dict(studio.rows("accounts", "name, id"))["Ann"]
    assert studio.organizer.post(f"{home}/people/{id}/deactivate").status_code == 303
    assert "Assign 4 items" in assign(studio, home, person=["Bob"])
    topics = {row[1] for row in assigned(studio) if row[0] == "Bob"}
    assert last in topics
    assert first not in topics


def test_pyramids_are_assigned_by_topic(studio):
    home = f"/evaluations/{studio.evaluation(load_demo())}"
    studio.person("Ann")
    seen = assign(studio, home, kind="pyramid", person=["Ann"], task=["A"], repeats="5")
    assert "Assign 6 items" in seen
    assert {row[2] for row in assigned(studio)} == {""}


# Progress


ROW = re.compile(
    r'<tr><th scope="row">(.*?)</th>.*?aria-label="(.*?)".*?<td class="number">(.*?)</td>'
    r'<td class="number">(.*?)</td><td>(.*?)</td></tr>',
    re.DOTALL,
)


def progress(studio, home):
    """The tables of people and topics: name, submitted, begun, time an item, last active."""
    page = studio.organizer.get(f"{home}/progress").text
    assert "<html" not in page
    return [[[*row] for row in ROW.findall(part)] for part in page.split("<details")]


def test_progress_by_person_and_topic(studio, home):
    assign(studio, home)
    events(studio, home, "time", number=3, seconds=20.0)
    events(studio, home, "time", number=2, seconds=45.4)
    submit(studio, home, 2)
    events(studio, home, "reopen")
    people, topics = progress(studio, home)
    name, done, begun, seconds, last = people[0]
    assert (name, done, begun, seconds) == ("Ann", "Ann: 1 of 8 submitted", "3", "1:05 min")
    assert last.endswith("UTC")
    assert people[1] == ["Bob", "Bob: 0 of 8 submitted", "0", "–", "–"]
    assert len(topics) == 4
    assert sum(int(row[1].split()[-2]) for row in topics) == 16


def test_annotating_begins_with_the_first_mark(studio):
    token = studio.evaluation(load_demo())
    studio.assign(token, "Ann", "P01", "A", task="A", kind="annotate")
    sheet = studio.assign(token, "Ann", "P01", "B", task="A", kind="annotate")
    edit = {"edit": "AddContributor", "uid": "0", "at": 0, "contributor": {"parts": [[0, 9]]}}
    body = {"events": [{"key": "first-mark", "action": "do", "edit": edit}]}
    assert studio.person("Ann").post(f"/api/desks/{sheet}", json=body).is_success
    [[name, done, begun, *_]] = progress(studio, f"/evaluations/{token}")[0]
    assert (name, done, begun) == ("Ann", "Ann: 0 of 2 submitted", "1")


def test_scores_alone_are_an_evaluation_too(studio):
    only = Collection("scores", scores=Scores.from_judgments([Judgment("T", "x", "fluency", 1.0)]))
    token = studio.evaluation(only)
    for path in ("", "/assign", "/export", "/settings"):
        assert studio.organizer.get(f"/evaluations/{token}{path}").status_code == 200
