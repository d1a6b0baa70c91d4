"""Rounds, training, groups and decisions: who is assigned what, and what counts."""

import html
import re
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection import Collection, Judgment, Scores, Summary
from pyramidion.comparison import compare
from pyramidion.studio._plan import Item, PlanOptions, PriorAssignments, plan
from studio.conftest import PASSWORD
from studio.judged import items_of, judge
from studio.test_results import shown

SYSTEMS, PEOPLE = ("a", "b", "c"), ("Ann", "Bob", "Cy")
CONSENT = "We store your scores under your pseudonym, for research only."


def collection(topics: int = 20, scores: Scores | None = None) -> Collection:
    """Three systems that wrote about topics, with scores of a measure from 1 to 5."""
    summaries = tuple(
        Summary(f"T{number:02}", system, f"{system} says {number}.", kind="machine")
        for number in range(topics)
        for system in SYSTEMS
    )
    return Collection("Rounds", summaries=summaries, scores=scores or Scores.from_judgments([]))


def assign(studio, token, **fields):
    """Assign what a form asks for, through the plan that is shown."""
    form = {"kind": "judge", "person": PEOPLE, "task": [""], "per_topic": "1", **fields}
    path = f"/evaluations/{token}/assign"
    page = studio.organizer.post(path, data={**form, "action": "look"})
    assert page.status_code == 200, page.text
    [fingerprint] = re.findall('name="fingerprint" value="(.*?)"', page.text)
    answer = studio.organizer.post(
        path, data={**form, "action": "write", "fingerprint": fingerprint}
    )
    assert answer.status_code == 303, answer.text


def assigned(studio):
    """The rows of assignments: person, topic, system, round."""
    names = dict(studio.rows("accounts", "id, name"))
    columns = "account_id, topic, system, round_id"
    return [(names[row[0]], *row[1:]) for row in studio.rows("assignments", columns)]


@pytest.fixture
def token(studio):
    for name in PEOPLE:
        studio.person(name)
    return studio.evaluation(collection())


summaries = st.integers(2, 12).flatmap(
    lambda topics: st.integers(1, 6).map(
        lambda systems: [
            Item("", f"T{n}", str(system)) for n in range(topics) for system in range(systems)
        ]
    )
)


@given(summaries, st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.integers(0, 5))
def test_single_summaries_are_balanced_over_systems_and_people(items, overlap, seed):
    options = PlanOptions(seed=seed, overlap=overlap, overlap_people=3, single=True)
    planned = plan(items, PEOPLE, options)
    assert planned == plan(items, PEOPLE, options)
    firsts = Counter((entry.assessor, entry.item) for entry in planned)
    assert set(firsts.values()) == {1}  # nobody judges a summary twice
    judged = Counter(item for _, item in firsts)
    assert set(judged) == set(items)
    assert set(judged.values()) <= {1, 3}
    by_system = defaultdict(list)
    for item, number in judged.items():
        by_system[item.system].append(number == 3)
    for shared in by_system.values():  # each system is shared alike
        assert abs(sum(shared) - overlap * len(shared)) < 1
    seen = Counter((name, item.system) for name, item in firsts)
    for system in by_system:
        counts = [seen[name, system] for name in PEOPLE]
        assert max(counts) - min(counts) <= 1


def test_everybody_gets_so_many_items_of_a_plan(studio, token):
    assign(studio, token, single="on", limit="10", overlap="20%", overlap_people="3")
    rows = assigned(studio)
    assert Counter(name for name, *_ in rows) == dict.fromkeys(PEOPLE, 10)
    judged = Counter((topic, system) for _, topic, system, _ in rows)
    assert sum(number == 3 for number in judged.values()) in (4, 5)  # a fifth of 21 or 22


def test_a_person_who_comes_later_gets_what_is_still_needed():
    items = [Item("", f"T{n}", system) for n in range(10) for system in SYSTEMS]
    options = PlanOptions(
        seed=1, limit=12, overlap=0.5, overlap_people=2, single=True, is_partial=True
    )
    taken: dict[str, frozenset[tuple[str, str, str]]] = {}
    for name in ("Ann", "Bob", "Cy", "Di", "Ed"):
        planned = plan(items, [name], options, PriorAssignments(dict(taken)))
        taken[name] = frozenset((*entry.item.pair, entry.item.system) for entry in planned)
    assert [len(keys) for keys in taken.values()] == [12, 12, 12, 8, 1]
    counts = Counter(key for keys in taken.values() for key in keys)
    assert Counter(counts.values()) == {1: 15, 2: 15}


def test_a_round_has_chosen_topics_and_systems_and_its_results(studio, token):
    assign(studio, token, purpose="pilot", topic=["T00", "T01"], system=["a", "b"])
    assign(studio, token, purpose="main", topic=["T02", "T03"])
    rows = assigned(studio)
    assert {row[1:3] for row in rows[:4]} == {(t, s) for t in ("T00", "T01") for s in "ab"}
    assert {row[1:3] for row in rows[4:]} == {(t, s) for t in ("T02", "T03") for s in SYSTEMS}
    page = studio.organizer.get(f"/evaluations/{token}/assign").text
    assert "Round 1, pilot" in page
    for name in PEOPLE:
        for item in items_of(studio.person(name), token) if name in {r[0] for r in rows} else []:
            judge(studio, token, name, item["token"], responsiveness=3, readability=3)
    pilot = shown(studio, token, "/scores?origin=round-1")
    assert ("T00" in pilot, "T02" in pilot) == (True, False)
    main = shown(studio, token, "/scores?origin=round-2")
    assert ("T00" in main, "T02" in main) == (False, True)
    rounds = {row["round"] for row in studio.events(token) if row["event"] == "submit"}
    assert rounds == {"1", "2"}


def test_pairs_have_rounds_with_overlap_results_and_group_links(studio, token):
    assign(studio, token, kind="prefer", purpose="pilot", topic=["T00"], person=["Ann"])
    assign(
        studio, token, kind="prefer", topic=["T01", "T02", "T03", "T04"],
        single="on", overlap="50%", overlap_people="3", per_topic="1",
    )  # fmt: skip
    rows = assigned(studio)
    pilot, main = sorted({row[3] for row in rows})
    times = Counter(row[1:3] for row in rows if row[3] == main)
    assert Counter(times.values()) == {1: 6, 3: 6}  # half of 4 topics with 3 pairs each
    assert {row[1] for row in rows if row[3] == pilot} == {"T00"}
    for name in PEOPLE:
        client = studio.person(name)
        for item in client.get(f"/api/judge/{token}?kind=prefer").json().get("items", []):
            events = [{"kind": "score", "measure": "preference", "value": 1}, {"kind": "submit"}]
            sent = [
                {"key": f"{item['token']}-{n}", "item": item["token"], **event}
                for n, event in enumerate(events)
            ]
            assert client.post(f"/api/judge/{token}/events", json={"events": sent}).is_success
    page = studio.organizer.get(f"/evaluations/{token}/assign").text
    assert f'/evaluations/{token}/results/comparisons?origin=round-1"' in page
    everything, first = (
        shown(studio, token, f"/comparisons{query}") for query in ("", "?origin=round-1")
    )
    assert "Round 1, pilot: Comparing two summaries" in everything
    wins = [
        re.findall(r" (\d+) 0 \d+ [a-c]\b", text.partition("LaTeX")[0])
        for text in (everything, first)
    ]
    assert [sum(map(int, column)) for column in wins] == [3 + 6 + 3 * 6, 3], first
    form = {"kind": "prefer", "task": [""], "topic": ["T09"], "limit": "2", "action": "link",
            "consent": CONSENT, "max_people": "9", "single": "on"}  # fmt: skip
    page = studio.organizer.post(f"/evaluations/{token}/assign", data=form)
    link = re.search('value="http://127.0.0.1(/join/.*?)"', page.text)[1]
    browser, answer = join(studio, link, "fox")
    assert answer.headers["location"] == f"/judge/{token}?kind=prefer"
    assert len(browser.get(f"/api/judge/{token}?kind=prefer").json()["items"]) == 2


def scored(topics: int, gap: float) -> Scores:
    """System b is as good as a, and c is clearly worse."""
    return Scores.from_judgments(
        Judgment(
            f"T{number:02}", system, "quality", value, assessor="Kim", kind="machine"
        )
        for number in range(topics)
        for system, value in (("a", 4 + gap * (number % 2)), ("b", 4), ("c", 1))
    )  # fmt: skip


def test_undecided_pairs_have_a_price_and_can_be_assigned(studio):
    for name in PEOPLE:
        studio.person(name)
    token = studio.evaluation(collection(60, scored(40, 0.5)))
    page = shown(studio, token, "/decisions?measure=quality")
    [result] = compare(
        collection(60, scored(40, 0.5)), measures="quality", sequential=True, scale=(1, 5)
    )
    decided = [pair for pair in result.sequence if pair.decided_after]
    assert [{pair.a, pair.b} for pair in decided] == [{"a", "c"}, {"b", "c"}]
    assert "2 of 3 pairs are decided" in page
    answer = studio.organizer.get(f"/evaluations/{token}/results/decisions?measure=quality")
    [link] = re.findall('class="assign" href="(.*?)"', answer.text)
    form = studio.organizer.get(html.unescape(link)).text
    assert 'value="tie-break" checked' in form
    chosen = re.findall('<option value="(T..)" selected', form)
    assert set(chosen) <= {f"T{number}" for number in range(40, 60)}  # topics nobody has judged
    needed = re.search(r"a – b\s+40\s+\+0.250\s+(\d+)\s+20\s+(\d+)\s", page)
    assert len(chosen) == min(int(needed[1]), 20)
    assert int(needed[2]) == 2 * int(needed[1])
    assign(studio, token, purpose="tie-break", topic=chosen, system=["a", "b"])
    rows = {(topic, system) for _, topic, system, _ in assigned(studio)}
    assert rows == {(topic, system) for topic in chosen for system in "ab"}


def join(studio, link, name, **fields):
    form = {"name": name, "password": PASSWORD, "agreed": "on", **fields}
    browser = studio.stranger()
    return browser, browser.post(link, data=form)


def test_a_group_registers_by_a_link_and_gets_work(studio, token):
    form = {"kind": "judge", "task": [""], "single": "on", "limit": "25", "action": "link",
            "consent": CONSENT, "max_people": "9"}  # fmt: skip
    page = studio.organizer.post(f"/evaluations/{token}/assign", data=form)
    link = re.search('value="http://127.0.0.1(/join/.*?)"', page.text)[1]
    assert CONSENT in studio.stranger().get(link).text
    refused = join(studio, link, "fox", agreed="")[1]
    assert (refused.status_code, "have not agreed" in refused.text) == (422, True)
    assert join(studio, link, "fox", password="qwertyuiop")[1].status_code == 422
    numbers = []
    for name in ("fox", "owl", "elk"):
        browser, answer = join(studio, link, name)
        assert answer.headers["location"] == f"/judge/{token}"
        numbers.append(len(items_of(browser, token)))
    assert numbers == [25, 25, 10]
    full = join(studio, link, "bee")[1]
    assert "all work is assigned" in full.text
    assert "bee" not in dict(studio.rows("accounts", "name, id"))
    assert (
        "3 of 9 people have registered" in studio.organizer.get(f"/evaluations/{token}/assign").text
    )
    [(group,)] = studio.rows("groups", "id")
    studio.organizer.post(f"/evaluations/{token}/groups/{group}/close")
    assert studio.stranger().get(link).status_code == 404
    assert CONSENT in str(studio.rows("groups", "consent"))


def test_training_comes_first_gives_feedback_and_does_not_count(studio, token):
    known = {"task": "", "topic": "T05", "system": "b", "answer-readability": "4",
             "note": "It repeats itself."}  # fmt: skip
    path = f"/evaluations/{token}/training"
    wrong = studio.organizer.post(path, data={**known, "answer-readability": "9"})
    assert wrong.status_code == 422
    assert studio.organizer.post(path, data=known).status_code == 303
    assign(studio, token, training="on", person=["Ann"])
    rows = assigned(studio)
    assert Counter(row[1:3] for row in rows)["T05", "b"] == 1
    ann = studio.person("Ann")
    first, second = items_of(ann, token)[:2]
    assert (first["training"], second["training"]) == (True, False)
    address = f"/api/judge/{token}/items"
    assert ann.get(f"{address}/{first['token']}/feedback").status_code == 404  # not submitted
    judge(studio, token, "Ann", first["token"], responsiveness=3, readability=2)
    judge(studio, token, "Ann", second["token"], responsiveness=3, readability=2)
    assert ann.get(f"{address}/{first['token']}/feedback").json() == {
        "answers": [
            {"question": "Readability", "answer": "2", "expected": "4", "is_right": False}
        ],
        "note": "It repeats itself.",
    }  # fmt: skip
    assert ann.get(f"{address}/{second['token']}/feedback").status_code == 404
    assert studio.person("Bob").get(f"{address}/{first['token']}/feedback").status_code == 404
    assert len(studio.collection(token).scores) == 2  # of the second item
    page = studio.organizer.get(f"/evaluations/{token}/assign").text
    assert "does not count" in page
    assert f'<span class="soft">Judging {len(rows)}</span>' in page  # with the training
    assign(studio, token, training="on", person=["Ann", "Bob"], per_topic="2")
    trained = Counter(row[:3] for row in assigned(studio) if row[1:3] == ("T05", "b"))
    assert trained == {("Ann", "T05", "b"): 1, ("Bob", "T05", "b"): 1}, "everybody is trained once"


def test_feedback_is_shown_before_the_next_summary(live):
    live.visit("Ann")
    token = live.evaluation(collection())
    known = {"topic": "T05", "system": "b", "answer-readability": "4", "note": "It repeats."}
    assert live.organizer.post(f"/evaluations/{token}/training", data=known).status_code == 303
    assign(live, token, training="on", person=["Ann"])
    page = live.page("Ann", width=360)
    page.goto(f"/judge/{token}")
    page.get_by_role("heading", name="Summary 1 of").wait_for()
    page.locator("#judge:not(.loading)").wait_for()
    for key in ("4", "2", "Enter"):
        page.keyboard.press(key)
    dialog = page.get_by_role("dialog", name="Some of your answers differ")
    dialog.wait_for()
    assert "It repeats." in dialog.inner_text()
    page.keyboard.press("3")  # is not a score of the summary behind it
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("All saved", exact=True).wait_for()
    assert len([kind for _, _, kind, _ in live.stored_events() if kind == "score"]) == 2


def test_memory_depends_on_what_is_open(studio, monkeypatch):
    from pyramidion.studio import _evaluations

    monkeypatch.setattr(_evaluations, "_CACHE", {})
    tokens = [studio.evaluation(collection(3), name=str(number)) for number in range(20)]
    for token in tokens:
        assert studio.organizer.get(f"/evaluations/{token}").status_code == 200
    assert len(_evaluations._CACHE) <= _evaluations._MAX_CACHED < 20
