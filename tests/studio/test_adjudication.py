"""Independent pyramids and annotations by two people, and the third one that decides."""

import json
import re
from itertools import count

import pytest

from pyramidion.collection import Collection, Summary, Topic
from pyramidion.pyramid import score_peer

KEYS = map("decision-{:05}".format, count())
TEXTS = {
    "A": "Ice melts fast. The sea rises. Storms grow.",
    "B": "Ice melts. The sea rises by a meter.",
    "C": "Ice melts now. The sea rises. Ports close.",
}
COLLECTION = Collection(
    "seas",
    topics=(Topic("T1", title="Seas"),),
    summaries=(
        *(
            Summary("T1", name, text, kind="human", role="reference")
            for name, text in TEXTS.items()
        ),
        Summary("T1", "first", "Ice melts and the sea rises."),
        Summary("T1", "second", "Storms grow, ports close."),
    ),
)
#: Labels, and the references and words of each unit; three are the same but for the ends.
ANN = [
    ("Ice melts", {"A": "Ice melts", "B": "Ice melts", "C": "Ice melts"}),
    ("The sea rises", {"A": "The sea rises", "B": "The sea rises", "C": "The sea rises"}),
    ("Storms grow", {"A": "Storms grow"}),
]
BEN = [
    ("Melting", {"A": "Ice melts fast", "B": "Ice melts", "C": "Ice melts now"}),
    ("Rising sea", {"A": "The sea rises", "C": "The sea rises"}),
    ("Ports close", {"C": "Ports close"}),
]


def do(client, token, edit, **fields):
    version = client.get(f"/api/desks/{token}").json()["version"]
    event = {"key": next(KEYS), "action": "do", "version": version, "edit": edit, **fields}
    answer = client.post(f"/api/desks/{token}", json={"events": [event]})
    assert answer.is_success, answer.text
    return answer.json()


def build(client, token, units):
    """Build a pyramid through the API, as a browser does."""
    assert client.get(f"/annotate/{token}").status_code == 303
    state = client.get(f"/api/desks/{token}").json()
    starts = {text["text"]: text["start"] for text in state["references"]}
    for label, words in units:
        contributors = []
        for name, part in words.items():
            start = starts[TEXTS[name]] + TEXTS[name].index(part)
            contributors.append({"parts": [[start, start + len(part)]]})
        edit = {"edit": "AddUnit", "label": label, "at": 0, "contributors": contributors}
        state = do(client, token, edit)
    return state


@pytest.fixture
def built(studio):
    """An evaluation in which Ann and Ben have built pyramids of one topic."""
    token = studio.evaluation(COLLECTION)
    for name, units in (("Ann", ANN), ("Ben", BEN)):
        item = studio.assign(token, name, "T1", kind="independent")
        assert len(build(studio.person(name), item, units)["order"]) == 3
    return token, studio.board(token, "T1")


def rows_of(page):
    """The rows of the table of aligned units, without markup."""
    table = page.partition('aria-label="Aligned units"')[2].partition("</table>")[0]
    cells = [re.findall("<td.*?>(.*?)</td>", row, re.S) for row in table.split("<tr>")[2:]]
    return [[" ".join(re.sub("<[^>]*>", " ", cell).split()) for cell in row] for row in cells]


def test_independent_pyramids_are_aligned_and_decided(studio, built):
    token, board = built
    path = f"/evaluations/{token}/adjudicate/{board}"
    listed = studio.organizer.get(f"/evaluations/{token}/pyramids").text
    assert path in listed
    assert "2 independent pyramids, 0 summaries annotated by several people" in listed
    assert studio.person("Ann").get(path).status_code == 404
    page = studio.organizer.get(path).text
    rows = rows_of(page)
    shown = [(row[0], row[1][:15], row[2][:12], row[3]) for row in rows]
    assert sorted(shown[:3]) == [
        ("1", "1 Storms grow S", "–", "0%"), ("1", "3 The sea rises", "2 Rising sea", "67%"),
        ("1", "–", "1 Ports clos", "0%"),
    ]  # fmt: skip
    assert (shown[3][0], shown[3][1], shown[3][2]) == ("0", "3 Ice melts Ice", "3 Melting Ic")
    # Nothing of it is in the pyramid of everybody.
    assert studio.organizer.get(f"/api/desks/{board}").json()["order"] == []
    assert studio.collection(token).pyramids == {}
    form = {"csrf": studio.organizer.headers["X-CSRF-Token"]}
    assert studio.organizer.post(path, data={**form, "take": "agreed"}).status_code == 303
    keys = re.findall('name="take" value="([^"]*)"', page)
    for take in keys:
        if take.startswith(("2+", "3+/")):  # Ann's sea, Ann's storms
            studio.organizer.post(path, data={**form, "take": take})
    units = studio.organizer.get(f"/api/desks/{board}").json()["units"]
    taken = {(unit["label"], unit["weight"]) for unit in units}
    assert taken == {("Ice melts", 3), ("The sea rises", 3), ("Storms grow", 1)}
    [*events] = (row for row in studio.events(token) if row["work"] == "pyramid")
    sources = [json.loads(row["details"])["from"] for row in events]
    assert [len(source) for source in sources] == [2, 2, 1]
    page = studio.organizer.get(path).text
    assert sum("unit" in row[4] for row in rows_of(page)) == 3
    kappas = re.findall('<th scope="row">([^<]*)</th><td class="number">([^<]*)<', page)
    assert [name for name, _ in kappas] == [
        "Ann and Ben", "Ann and the decision", "Ben and the decision"
    ]  # fmt: skip
    assert float(kappas[1][1]) == 1.0 > float(kappas[0][1]) == float(kappas[2][1])
    again = studio.organizer.post(path, data={**form, "take": keys[1]})
    assert again.status_code in (303, 422)


def test_the_ranking_is_shown_with_the_weights_of_either(studio, built):
    token, board = built
    path = f"/evaluations/{token}/adjudicate/{board}"
    page = studio.organizer.get(path).text
    form = {"csrf": studio.organizer.headers["X-CSRF-Token"]}
    for take in re.findall('name="take" value="([^"]*)"', page):
        studio.organizer.post(path, data={**form, "take": take})
    uids = {
        u["label"]: u["uid"] for u in studio.organizer.get(f"/api/desks/{board}").json()["units"]
    }
    cara = studio.person("Cara")
    marks = {"first": [("Ice melts", 0, 9), ("The sea rises", 14, 27)],
             "second": [("Storms grow", 0, 11), ("Ports close", 13, 24)]}  # fmt: skip
    for system, parts in marks.items():
        sheet = studio.assign(token, "Cara", "T1", system, kind="annotate")
        for label, start, end in parts:
            edit = {"edit": "AddContributor", "uid": uids[label], "at": 0,
                    "contributor": {"parts": [[start, end]]}}  # fmt: skip
            do(cara, sheet, edit)
        events = [{"key": next(KEYS), "action": "submit"}]
        assert cara.post(f"/api/desks/{sheet}", json={"events": events}).is_success
    page = studio.organizer.get(path).text.partition("Effect on the ranking")[2]
    values = re.findall(r"([\d.]+) \((\d)\)", page)
    peers = studio.collection(token).peer_annotations
    decided = {key[2]: f"{score_peer(peer).modified:.3f}" for key, peer in peers.items()}
    assert [values[2][0], values[5][0]] == [decided["first"], decided["second"]]
    assert [rank for _, rank in values] == ["1"] * 3 + ["2"] * 3
    # To Ben, ports close and no storms grow: one unit of weight 1, of at least one on average.
    assert float(values[4][0]) < 1


def test_annotations_of_a_summary_are_compared_and_decided(studio, built):
    token, board = built
    olga = studio.organizer
    add = {"edit": "AddUnit", "at": 0}
    for label in ("Ice melts", "The sea rises"):
        do(olga, board, {**add, "label": label})
    sheets = {
        name: studio.assign(token, name, "T1", "first", kind="annotate") for name in ("Ann", "Ben")
    }
    found = {"Ann": [("1", 0, 9), ("2", 14, 27)], "Ben": [("1", 0, 9)]}
    for name, sheet in sheets.items():
        for uid, start, end in found[name]:
            part = {"parts": [[start, end]]}
            do(
                studio.person(name),
                sheet,
                {"edit": "AddContributor", "uid": uid, "at": 0, "contributor": part},
            )
    path = f"/evaluations/{token}/adjudicate/{board}"
    listed = olga.get(f"/evaluations/{token}/pyramids").text
    assert "2 independent pyramids, 1 summaries annotated by several people" in listed
    page = olga.get(path).text.partition("Not found by")[2]
    [row] = re.findall("<td[^>]*>([^<]*)</td>" * 5, page)
    assert row == ("0", "The sea rises", "first", "Ann", "Ben")
    form = {"csrf": olga.headers["X-CSRF-Token"], "system": "first"}
    opened = olga.post(path, data=form).headers["location"]
    assert olga.post(path, data=form).headers["location"] == opened, "a decision is begun once"
    state = olga.get(f"/api/desks/{opened.rpartition('/')[2]}").json()
    assert {uid: len(marks) for uid, marks in state["marks"].items()} == {"1": 1}
    assert state["may_edit"] is True
    [*events] = (
        json.loads(row["details"]) for row in studio.events(token) if row["person"] == "Olga"
    )
    assert {source["sheet"] for source in events[-1]["from"]} == set(sheets.values())
