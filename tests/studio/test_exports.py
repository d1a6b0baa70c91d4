"""Exports of an evaluation: the collection, other files, and a backup that can be restored."""

import io
import json
import re
import time
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import uvicorn
from sqlalchemy import event, inspect, text

from pyramidion.collection import Collection, Judgment, Scores, Summary, Topic
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.questions import Progress
from pyramidion.studio import Store, create_app, serve
from studio.conftest import PASSWORD, Studio
from studio.judged import judge

SMALL = Collection(
    "small",
    topics=(Topic("T1"), Topic("T2")),
    summaries=(
        Summary("T1", "A", "Rain fell.", kind="human"),
        Summary("T1", "7", "It rained."),
        Summary("T2", "7", "The sun came out."),
    ),
)


def judged(studio, token, assessor="Ann", *, occasion=0, submit=True, value=4):
    """Let an assessor judge one summary."""
    item = studio.assign(token, assessor, "T1", "A", occasion=occasion)
    judge(studio, token, assessor, item, submit=submit, responsiveness=value, readability=3)


def responsiveness(collection):
    return [
        (row.assessor, row.value, row.occasion, row.kind)
        for row in collection.scores
        if row.measure == "responsiveness"
    ]


def test_the_collection_holds_what_was_submitted(studio):
    token = studio.evaluation(SMALL)
    judged(studio, token)
    judged(studio, token, "Bob", submit=False)
    judged(studio, token, "Cy", occasion=1, value=2)
    now = studio.collection(token)
    assert responsiveness(now) == [("Ann", 4.0, "", "human"), ("Cy", 2.0, "1", "human")]
    times = [datetime.fromisoformat(row.time) for row in now.scores]
    assert all(abs(datetime.now(UTC) - time) < timedelta(minutes=1) for time in times)
    assert now.scales["responsiveness"].high == 5
    assert now.summaries == SMALL.summaries


def test_an_assessor_who_judged_before_the_import_judges_again(studio):
    before = Judgment("T1", "A", "responsiveness", 1.0, kind="human", assessor="Ann", time="7")
    token = studio.evaluation(replace(SMALL, scores=Scores.from_judgments([before])))
    studio.change_settings(token)
    judged(studio, token)
    first, second = studio.collection(token).scores.select(measure="responsiveness")
    assert (first.value, first.occasion, first.time) == (1.0, "", "7")
    assert (second.value, second.occasion) == (4.0, "1")
    # Imported times are numbers, so new ones are numbers too.
    assert float(second.time) == pytest.approx(time.time(), abs=60)


def unpacked(content, folder):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
        return archive.namelist()


def test_the_exported_scores_are_read_again(studio, tmp_path):
    token = studio.evaluation(SMALL)
    judged(studio, token)
    (tmp_path / "scores.csv").write_bytes(studio.export(token, "scores.csv"))
    scores = Collection.load(tmp_path / "scores.csv").scores
    assert scores == studio.collection(token).scores
    assert len(scores) == 2


def test_the_exported_pyramids_are_read_again(studio, tmp_path):
    token = studio.evaluation(load_demo())
    names = unpacked(studio.export(token, "pyramids.zip"), tmp_path / "pyramids")
    assert sum(name.endswith(".pyr") for name in names) == 12
    assert Collection.load(tmp_path / "pyramids").pyramids == load_demo().pyramids
    guidelines = unpacked(studio.export(token, "guidelines.zip"), tmp_path / "guidelines")
    assert "readability-1.md" in guidelines


def test_missing_content_is_reported(studio):
    path = f"/evaluations/{studio.evaluation(SMALL)}/export"
    assert studio.organizer.get(path).text.count("(nothing yet)") == 5
    for name, message in (("scores.csv", "no scores yet"), ("pyramids.zip", "no pyramids yet")):
        answer = studio.organizer.get(f"{path}/{name}")
        assert answer.status_code == 422
        assert message in answer.text
    assert studio.organizer.get(f"{path}/secrets.txt").status_code == 404


def test_imported_scores_and_submitted_ones_are_content(studio):
    for collection in (load_demo(), SMALL):
        token = studio.evaluation(collection)
        if collection is SMALL:
            judged(studio, token)
        page = studio.organizer.get(f"/evaluations/{token}/export").text
        assert page.count("(nothing yet)") == 3 + (collection is SMALL)
        assert studio.export(token, "scores.csv")


def test_events_name_people_and_times_and_run_no_formula(studio):
    token = studio.evaluation(SMALL)
    judged(studio, token, "Ann", submit=False)
    with studio.store.write() as session:  # such a name is refused today
        session.execute(text("UPDATE accounts SET name = '=Ann()' WHERE name = 'Ann'"))
    row = studio.events(token)[0]
    assert row["person"] == "'=Ann()"
    assert (row["event"], row["value"], row["guideline"]) == ("score", "4", "0")
    assert abs(datetime.now(UTC) - datetime.fromisoformat(row["time"])) < timedelta(minutes=1)
    assert json.loads(row["details"])["measure"] == "responsiveness"


def rows_of(store):
    """All rows that a backup holds."""
    tables = sorted(set(inspect(store.engine).get_table_names()) - {"invitations", "visits"})
    studio = Studio(store, None)
    return {
        name: [tuple(map(_as_stored, row)) for row in studio.rows(name)]
        for name in tables
        if name != "alembic_version"
    }


def _as_stored(cell):
    """SQLite stores JSON as text."""
    return json.dumps(cell) if isinstance(cell, dict) else cell


@pytest.fixture
def filled(studio):
    """A studio with an evaluation, a judgment and a person who has a password."""
    studio.register("Ann")
    studio.token = studio.evaluation(SMALL)
    judged(studio, studio.token)
    return studio


@pytest.fixture
def backup(filled, tmp_path):
    """The path of a backup of that studio."""
    path = tmp_path / "b.zip"
    path.write_bytes(filled.organizer.get(f"/evaluations/{filled.token}/backup").content)
    return path


@pytest.fixture
def restore(monkeypatch):
    """Restore a backup as `pyramidion serve --restore` does, without serving."""
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: sockets[0].close())

    def restored(database, path):
        messages: list[str] = []
        progress = Progress(message=messages.append)
        serve(database=str(database), restore=path, port=0, progress=progress)
        return messages[0]

    return restored


def test_a_backup_restores_everything(filled, backup, restore, tmp_path):
    with zipfile.ZipFile(backup) as archive:
        assert not {"visits.jsonl", "invitations.jsonl"} & set(archive.namelist())
    before = rows_of(filled.store)
    message = restore(tmp_path / "new.db", backup)
    assert message == f"restored {sum(map(len, before.values()))} rows"
    new = Store(tmp_path / "new.db")
    assert rows_of(new) == before
    again = Studio(new, create_app(new))
    form = {"name": "Ann", "password": PASSWORD}
    assert again.stranger().post("/login", data=form).status_code == 303
    assert again.collection(filled.token) == filled.collection(filled.token)
    with pytest.raises(InputError, match="this database is not empty"):
        restore(tmp_path / "new.db", backup)
    new.close()


def test_a_backup_that_unpacks_to_too_much_is_refused(restore, tmp_path):
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("backup.json", b" " * 2**27)
    with pytest.raises(InputError, match="it unpacks to more than 64 MiB"):
        restore(tmp_path / "new.db", tmp_path / "b.zip")


def test_a_backup_is_of_one_moment(filled):
    """Somebody is added after the backup has begun; it does not contain them."""
    path, late = f"/evaluations/{filled.token}", []

    def add_somebody(_connection, _cursor, statement, *_arguments):
        if "alembic_version" in statement:
            late.append(filled.organizer.post(f"{path}/people", data={"name": "Late"}))

    filled.organizer.get("/")
    before = len(filled.rows("accounts"))
    event.listen(filled.store.engine, "after_cursor_execute", add_somebody)
    content = filled.organizer.get(f"{path}/backup").content
    event.remove(filled.store.engine, "after_cursor_execute", add_somebody)
    assert late
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert len(archive.read("accounts.jsonl").splitlines()) == before
    assert len(filled.rows("accounts")) == before + 1


@pytest.mark.parametrize("damage", ["cut", "text", "other", "row", "absent"])
def test_a_damaged_backup_changes_nothing(backup, restore, tmp_path, damage):
    with zipfile.ZipFile(backup) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    if damage == "other":
        files["backup.json"] = re.sub(rb'"00\d\d"', b'"0000"', files["backup.json"])
    if damage == "row":
        files["events.jsonl"] += b'{"id": 99, "assignment_id": 12345}\n'
    with zipfile.ZipFile(backup, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    if damage in ("cut", "text"):
        backup.write_bytes(backup.read_bytes()[:-40] if damage == "cut" else b"no backup")
    with pytest.raises(InputError, match=r"b\.zip: this backup|nowhere: this backup"):
        restore(tmp_path / "new.db", tmp_path / "nowhere" if damage == "absent" else backup)
    new = Store(tmp_path / "new.db")
    assert not any(rows_of(new).values())
    new.close()


def test_annotated_summaries_are_exported_and_read_again(studio, tmp_path):
    ann = studio.person("Ann ~ B")  # a name that cannot be part of a file name
    token = studio.evaluation(load_demo())
    item = studio.assign(token, "Ann ~ B", "P01", "A", task="A", kind="annotate")
    sheet = f"/api/desks/{item}"
    units = load_demo().pyramids["A", "P01"].scus
    edit = {"edit": "AddContributor", "uid": units[0].uid, "at": 0}
    edit["contributor"] = {"parts": [[0, 9]]}
    mark = {"key": "mark-1234", "action": "do", "edit": edit}
    events = [mark, {"key": "done-1234", "action": "submit"}]
    assert ann.post(sheet, json={"events": events}).status_code == 200
    for name in ("collection.zip", "pyramids.zip"):
        names = unpacked(studio.export(token, name), tmp_path / name)
        assert sum(path.endswith(".pan") for path in names) == 1
        read = Collection.load(tmp_path / name).annotations_of("A", "P01", "A")
        (peer,) = read.values()
        assert list(read) == [("Ann ~ B", "")]
        assert [unit.uid for unit in peer.scus if unit.contributors] == [units[0].uid]
    events = [(row["person"], row["system"], row["event"]) for row in studio.events(token)]
    assert events == [
        ("Ann ~ B", "A", "do"),
        ("Ann ~ B", "A", "submit"),
    ]


def test_the_page_of_an_annotation_links_to_the_next_open_one(studio):
    """The next by position, and after the last the first; never the page itself."""
    token = studio.evaluation(load_demo())
    sheets = [
        studio.assign(token, "Ann", "P01", system, task="A", kind="annotate") for system in "ABC"
    ]
    ann = studio.person("Ann")
    links = [
        re.findall(r'href="/annotate/([\w-]+)">Next', ann.get(f"/annotate/{sheet}").text)
        for sheet in sheets
    ]
    assert links == [[sheets[1]], [sheets[2]], [sheets[0]]]
