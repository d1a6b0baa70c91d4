"""Comparing pairs, checking units and statements: assigning, answering, exports and results."""

import csv
import html
import io
import re
import warnings
from collections import Counter
from itertools import count
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest

from pyramidion.collection import SCU, Collection, Pyramid, Summary
from pyramidion.comparison import checklists, preferences
from pyramidion.demo import load_demo
from pyramidion.errors import DataNote, DataWarning
from pyramidion.faithfulness import faithful, summary_statements
from pyramidion.stats import adjust_p, confidence_sequence
from pyramidion.studio._modes import mode_items
from pyramidion.studio._plan import Item

KEYS = map("mode-key-{:05}".format, count())
DEMO = load_demo()


def assigned(studio, kind, *, topics=(), people=("Ann",)):
    """An evaluation in which work of a kind was assigned with the form."""
    token = studio.evaluation(DEMO)
    for name in people:
        studio.person(name)
    assign_all(studio, token, kind, people, topic=list(topics), per_topic=len(people))
    return token


def items(client, token, kind):
    return client.get(f"/api/judge/{token}?kind={kind}").json()["items"]


def answer(client, token, item, values):
    """Answer the questions of an item, and submit it."""
    events = [{"kind": "score", "measure": id, "value": value} for id, value in values.items()]
    events = [{"key": next(KEYS), "item": item, **event} for event in (*events, {"kind": "submit"})]
    sent = [events[start : start + 100] for start in range(0, len(events), 100)]
    return [client.post(f"/api/judge/{token}/events", json={"events": part}) for part in sent][-1]


def text_of(client, token, item):
    return client.get(f"/api/judge/{token}/items/{item}").json()


def answer_all(client, token, kind, choose):
    for item in items(client, token, kind):
        shown = text_of(client, token, item["token"])
        values = {question["id"]: choose(shown, question) for question in shown["questions"]}
        assert answer(client, token, item["token"], values).is_success


def exported(studio, token, file):
    return list(csv.DictReader(io.StringIO(studio.export(token, file).decode())))


TEXTS = {(s.topic, s.system): s.plain for s in DEMO.summaries if s.task == "A" and s.is_peer}


def test_preferences_are_exported_and_ranked(studio, tmp_path):
    token = assigned(studio, "prefer", topics=["P01", "P02", "P03"])
    ann = studio.person("Ann")
    left = Counter()

    def longer(shown, _question):
        sizes = [len(shown["summary"]), len(shown["second"])]
        left["more"] += sizes[0] > sizes[1]
        return 0 if sizes[0] == sizes[1] else -2 if sizes[0] > sizes[1] else 1

    answer_all(ann, token, "prefer", longer)
    rows = exported(studio, token, "preferences.csv")
    systems = {system for (topic, system) in TEXTS if topic in ("P01", "P02", "P03")}
    assert len(rows) == 6 * 3  # all pairs of four summaries of three topics
    for row in rows:
        sizes = [len(TEXTS[row["topic"], row[side]]) for side in ("first", "second")]
        expected = "tie" if sizes[0] == sizes[1] else "first" if sizes[0] > sizes[1] else "second"
        assert (row["choice"], row["assessor"]) == (expected, "Ann")
        assert row["strength"] == ("2" if expected == "first" else "1")
    # Sides are drawn: a system is on the left about half of the time.
    assert 0.2 < sum(row["first"] < row["second"] for row in rows) / len(rows) < 0.8
    path = tmp_path / "preferences.csv"
    path.write_bytes(studio.export(token, "preferences.csv"))
    [ranking] = preferences(path)
    assert {row.result.system for row in ranking.systems} == systems
    assert (
        "Preferences</h2>" in studio.organizer.get(f"/evaluations/{token}/results/comparisons").text
    )


def test_of_many_systems_each_is_in_four_pairs_of_a_topic():
    summaries = [Item("", topic, f"s{n}") for topic in ("T1", "T2") for n in range(9)]
    pairs = [
        (item.topic, *item.system.split("\t")) for item in mode_items(DEMO, "prefer", summaries)
    ]
    assert len(set(pairs)) == len(pairs) == 2 * 18
    counts = Counter((topic, system) for topic, *both in pairs for system in both)
    assert set(counts.values()) == {4}
    assert {p[1:] for p in pairs if p[0] == "T1"} != {p[1:] for p in pairs if p[0] == "T2"}


def test_units_are_checked_by_summary_and_across_summaries(studio, tmp_path):
    labels = {unit.uid: unit.label for key, p in DEMO.pyramids.items() for unit in p.scus
              if key == ("A", "P01")}  # fmt: skip
    systems = sorted({system for _, system in TEXTS})
    for kind in ("checklist", "unit"):
        token = assigned(studio, kind)
        ann = studio.person("Ann")
        answer_all(ann, token, kind, lambda _shown, question: 1 + len(question["text"]) % 3)
        rows = exported(studio, token, "checklists.csv")
        pairs = {(row["topic"], row["system"], row["unit"]) for row in rows}
        units = sum(len(p.scus) for (task, _), p in DEMO.pyramids.items() if task == "A")
        per_topic = len(TEXTS) // len({topic for topic, _ in TEXTS})
        assert len(rows) == len(pairs) == units * per_topic
        assert {row["label"] for row in rows if row["topic"] == "P01"} == set(labels.values())
        names = ("yes", "no", "cannot tell")
        for row in rows:
            text = row["label"] if kind == "checklist" else TEXTS[row["topic"], row["system"]]
            assert row["answer"] == names[len(text) % 3]
        path = tmp_path / f"{kind}.csv"
        path.write_bytes(studio.export(token, "checklists.csv"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataNote)  # how the columns were read
            warnings.simplefilter("ignore", DataWarning)  # the answers repeat a pattern
            [checked] = checklists(path)
        assert sorted(row.system for row in checked.systems) == systems
        results = studio.organizer.get(f"/evaluations/{token}/results/comparisons").text
        assert "Checklists</h2>" in results
        assert all(f">{system}<" in results for system in systems)


def test_statements_are_labelled_with_the_text_they_had(studio, tmp_path):
    token = assigned(studio, "statements", people=("Ann", "Bob"), topics=["P01"])
    for name, shift in (("Ann", 0), ("Bob", 1)):
        client = studio.person(name)
        answer_all(client, token, "statements", lambda _s, q, n=shift: 1 + (len(q["text"]) + n) % 3)
    rows = exported(studio, token, "statements.csv")
    assert list(rows[0])[:6] == ["task", "topic", "system", "statement", "annotator", "label"]
    names = ("supported", "unsupported", "cannot tell")
    for row in rows:
        shift = row["annotator"] == "Bob"
        assert row["label"] == names[(len(row["statement"]) + shift) % 3]
    expected = {
        (*key, statement.text) for key, text in TEXTS.items() if key[0] == "P01"
        for statement in summary_statements(text)
    }  # fmt: skip
    for name in ("Ann", "Bob"):
        mine = {(r["topic"], r["system"], r["statement"]) for r in rows if r["annotator"] == name}
        assert mine == expected
    path = tmp_path / "statements.csv"
    path.write_bytes(studio.export(token, "statements.csv"))
    checked = faithful(DEMO, labels=path)
    assert len(checked.items) == len(expected)
    assert sum(len(item.labels) for item in checked.items) == 2 * len(expected)


def test_only_complete_and_possible_answers_are_submitted(studio):
    token = assigned(studio, "statements", topics=["P02"])
    ann = studio.person("Ann")
    [item, *_] = items(ann, token, "statements")
    shown = text_of(ann, token, item["token"])
    ids = [question["id"] for question in shown["questions"]]
    assert not {"system", "occasion"} & set(shown)
    assert answer(ann, token, item["token"], {}).status_code == 422
    assert answer(ann, token, item["token"], {"unknown": 1}).status_code == 422
    assert answer(ann, token, item["token"], {ids[0]: 4}).status_code == 422
    assert answer(ann, token, item["token"], dict.fromkeys(ids, 1)).is_success
    eve = studio.person("Eve")
    assert eve.get(f"/api/judge/{token}?kind=statements").status_code == 404
    assert ann.get(f"/judge/{token}").status_code == 404, "no scores are assigned"
    assert "Check statements" in ann.get("/").text


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "keys"),
    [("prefer", ["ArrowLeft"]), ("statements", ["1", "2", "3"]), ("unit", ["2"]),
     ("checklist", ["1"])],
)  # fmt: skip
def test_every_mode_is_answered_by_keyboard(live, kind, keys):
    token = assigned(live, kind)
    page = live.page("Ann")
    page.goto(f"/judge/{token}?kind={kind}")
    for _ in range(2):
        page.locator(".judge:not(.loading) .measure").first.wait_for(state="attached")
        where = page.locator("#where").inner_text()
        for number in range(page.locator(".measure").count()):
            page.keyboard.press(keys[number % len(keys)])
        page.keyboard.press("Enter")
        page.wait_for_function(
            "old => document.getElementById('where').innerText !== old", arg=where
        )
    page.locator(".judge:not(.loading) .measure").first.wait_for(state="attached")
    page.locator("#saved", has_text="All saved").wait_for()
    page.context.set_offline(True)
    page.keyboard.press(keys[0])
    assert "1 answer not sent yet" in page.locator("#saved").inner_text()
    before = len([1 for _, _, event, _ in live.stored_events() if event == "score"])
    page.close()
    page = page.context.new_page()
    page.context.set_offline(False)
    page.goto("/")
    for _ in range(100):
        page.wait_for_timeout(100)
        kinds = Counter(event for _, _, event, _ in live.stored_events())
        if kinds["score"] > before:
            break
    assert (kinds["score"], kinds["submit"]) == (before + 1, 2)


#: An item of each kind, its known answers as the form names them, and an answer to each question.
TRAINED = {
    "prefer": ("A\tB", {"preference": -1}),
    "checklist": ("A", None),
    "unit": ("\t1", None),
    "statements": ("A", None),
}


@pytest.mark.parametrize("kind", TRAINED)
def test_training_gives_feedback_in_every_mode_and_does_not_count(studio, kind):
    token = studio.evaluation(DEMO)
    system, known = TRAINED[kind]
    path = f"/evaluations/{token}/training"
    item = {"kind": kind, "task": "A", "topic": "P01", "system": system}
    form = studio.organizer.get(path, params=item).text
    names = re.findall('name="answer-(.*?)"', form)
    known = known or {names[0]: 2, names[1]: 2}
    fields = {f"answer-{name}": str(value) for name, value in known.items()}
    sent = {**item, **fields, "note": "Read it twice."}
    assert studio.organizer.post(path, data={**sent, "system": "none"}).status_code == 404
    assert studio.organizer.post(path, data={**item, "note": "?"}).status_code == 422
    assert studio.organizer.post(path, data=sent).status_code == 303
    form = studio.organizer.get(path, params=item).text
    assert form.count(" selected>") == len(known) + 3  # kind, task and topic are selected, too
    assert "Read it twice." in form
    for name in ("Ann", "Bob"):
        studio.person(name)
    assign_all(studio, token, kind, ("Ann", "Bob"), topic=["P01"], training="on")
    sheet = studio.rows("assignments", "kind, system, round_id, account_id")
    assert len([row for row in sheet if row[1] == system]) == 2  # as training, for each
    assert len({row[2] for row in sheet if row[1] == system}) == 1
    for name in ("Ann", "Bob"):
        client = studio.person(name)
        first, *others = items(client, token, kind)
        assert (first["training"], any(other["training"] for other in others)) == (True, False)
        shown = text_of(client, token, first["token"])
        address = f"/api/judge/{token}/items/{first['token']}/feedback"
        assert client.get(address).status_code == 404  # not submitted
        # Everybody gives the last answer; of a pair, that is the side on the right.
        values = {q["id"]: q["answers"][-1][0] for q in shown["questions"]}
        assert answer(client, token, first["token"], values).is_success
        feedback = client.get(address).json()
        assert feedback["note"] == "Read it twice."
        assert len(feedback["answers"]) == len(known)
        for row in feedback["answers"]:
            if kind != "prefer":
                assert (row["expected"], row["answer"], row["is_right"]) == (
                    ("not supported" if kind == "statements" else "no"), "cannot tell", False
                )  # fmt: skip
                continue
            # "A" is better; the sides of each person are drawn.
            is_left = shown["summary"] == TEXTS["P01", "A"]
            assert row["expected"] == ("left better" if is_left else "right better")
            assert row["is_right"] is not is_left
            assert row["answer"] == "right much better"
    file = {"prefer": "preferences.csv", "statements": "statements.csv"}.get(kind, "checklists.csv")
    assert exported(studio, token, file) == []


def assign_all(studio, token, kind, people, **fields):
    """Assign work with the form; return the plan that it showed."""
    path = f"/evaluations/{token}/assign"
    form = {"kind": kind, "person": list(people), "task": ["A"], "per_topic": 1, "repeats": "0",
            "writers": "on", **fields}  # fmt: skip
    plan = studio.organizer.post(path, data={**form, "action": "look"}).text
    fingerprint = re.search('name="fingerprint" value="([^"]*)"', plan)
    assert fingerprint, plan
    form |= {"action": "write", "fingerprint": fingerprint[1]}
    assert studio.organizer.post(path, data=form).status_code == 303
    return plan


def written(topics):
    """Three systems, and two units for each topic."""
    texts = {"a": "It rained a little.", "b": "It rained. Rivers rose.", "c": "It snowed."}
    summaries = tuple(
        Summary(topic, system, text, kind="machine")
        for topic in topics
        for system, text in texts.items()
    )
    units = (SCU("1", "rain"), SCU("2", "rivers"))
    pyramids = {("", topic): Pyramid("", units) for topic in topics}
    return Collection("Modes", summaries=summaries, pyramids=pyramids)


#: Of each kind: the title of its results, the items of a topic and of two systems, and the
#: difference of each pair in topics with an even and an odd number.
DECIDED: dict[str, tuple[str, int, int, dict[str, tuple[float, float]]]] = {
    "prefer": ("Preferences", 3, 1, {"ab": (-1, 0), "ac": (1, 1), "bc": (1, 1)}),
    "checklist": ("Checklists", 3, 2, {"ab": (-0.5, 0), "ac": (0.5, 0.5), "bc": (1, 0.5)}),
    "unit": ("Checklists", 2, 2, {"ab": (-0.5, 0), "ac": (0.5, 0.5), "bc": (1, 0.5)}),
    "statements": ("Statements", 3, 2, {"ab": (0, 0.5), "ac": (1, 1), "bc": (1, 0.5)}),
}


def chosen_answer(kind, topic, shown, question):
    """Answers that make b a little better or worse than a, and c bad."""
    is_even = int(topic[1:]) % 2 == 0
    if kind == "prefer":
        sides = [shown["summary"], shown["second"]]
        if "It snowed." in sides:
            return 1 if sides[0] == "It snowed." else -2
        return 0 if not is_even else (-1 if "Rivers" in sides[0] else 2)
    if kind == "statements":
        text = question["text"]
        return 2 if "snow" in text or (not is_even and "Rivers" in text) else 1
    text = question["text"] if kind == "unit" else shown["summary"]
    unit = shown["summary"] if kind == "unit" else question["text"]
    has_unit = "rained" in text if unit == "rain" else is_even and "Rivers" in text
    return 1 if has_unit else 2


@pytest.mark.parametrize("kind", DECIDED)
def test_undecided_pairs_of_every_mode_have_a_price_and_can_be_assigned(studio, kind):
    title, per_topic, of_pair, gains = DECIDED[kind]
    names = [f"T{n:02}" for n in range(40)]
    collection = written(names)
    token, judged = studio.evaluation(collection), names[:10]
    for name in ("Ann", "Bob"):
        studio.person(name)
    assign_all(studio, token, kind, ("Ann",), task=[""], topic=judged)
    ann = studio.person("Ann")
    sheet = items(ann, token, kind)
    assert len(sheet) == per_topic * len(judged)
    for item in sheet:
        shown = text_of(ann, token, item["token"])
        values = {
            q["id"]: chosen_answer(kind, shown["topic"], shown, q) for q in shown["questions"]
        }
        time = {"key": next(KEYS), "item": item["token"], "kind": "time", "seconds": 30.0}
        ann.post(f"/api/judge/{token}/events", json={"events": [time]})
        assert answer(ann, token, item["token"], values).is_success
    page = studio.organizer.get(f"/evaluations/{token}/results/decisions")
    text = re.sub("<.*?>", " ", page.text)
    assert f"{title}</h2>" in page.text
    # The first two values are those of T00 and T01.
    paths = {pair: np.array(values * 5, float) for pair, values in gains.items()}
    p = {pair: confidence_sequence(path, bounds=(-1, 1), null=0, confidence_level=0.95).p[-1]
         for pair, path in paths.items()}  # fmt: skip
    adjusted = dict(zip(p, adjust_p(np.array([*p.values()]), method="holm"), strict=True))
    decided = {pair for pair, value in adjusted.items() if value <= 0.05}
    assert f"{len(decided) or 'None'} of 3 pair" in text
    links = [html.unescape(link) for link in re.findall('class="assign" href="(.*?)"', page.text)]
    assert len(links) == 3 - len(decided) > 0
    for link in links:
        query = parse_qs(urlparse(link).query)
        pair = "".join(sorted(query["system"]))
        assert (query["kind"], query["purpose"]) == ([kind], ["tie-break"])
        assert not set(query["topic"]) & set(judged)
        pattern = rf"[{pair}] – [{pair}]\s+10\s+(\S+)\s+(\S+)\s+30\s+(\S+)\s+(\S+)"
        difference, needed, items_needed, hours = re.search(pattern, text).groups()
        assert abs(abs(float(difference)) - abs(paths[pair].mean())) < 0.0006
        needed = int(needed)
        assert len(query["topic"]) == min(needed, 30)
        assert int(items_needed) == of_pair * needed
        assert abs(float(hours) - of_pair * needed * 30 / 3600) <= 0.051
    [of_ab] = (link for link in links if "system=a&system=b" in link or "system=b&system=a" in link)
    trained = parse_qs(urlparse(of_ab).query)["topic"][0]
    system = {"prefer": "a\tb", "unit": "\t1"}.get(kind, "a")
    item = {"kind": kind, "task": "", "topic": trained, "system": system}
    known = studio.organizer.get(f"/evaluations/{token}/training", params=item).text
    [name, *_] = re.findall('name="(answer-.*?)"', known)
    answers = {**item, name: "1"}
    assert studio.organizer.post(f"/evaluations/{token}/training", data=answers).status_code == 303
    page = studio.organizer.get(f"/evaluations/{token}/results/decisions").text
    links = [html.unescape(link) for link in re.findall('class="assign" href="(.*?)"', page)]
    of_a = [parse_qs(urlparse(link).query) for link in links if "system=a" in link]
    assert of_a
    assert not any(trained in query["topic"] for query in of_a)
    before = len(studio.rows("assignments"))
    form = studio.organizer.get(links[0]).text
    assert f'value="{kind}" checked' in form
    query = parse_qs(urlparse(links[0]).query)
    assign_all(studio, token, kind, ("Bob",), task=[""], topic=query["topic"],
               system=query["system"], purpose="tie-break")  # fmt: skip
    rows = studio.rows("assignments", "topic, system")[before:]
    assert len(rows) == len(set(rows)) == of_pair * len(query["topic"])
    assert {topic for topic, _ in rows} == set(query["topic"])
