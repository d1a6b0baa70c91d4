"""What an evaluation gives: the collection as it stands now, files, and a backup that restores."""

import csv
import io
import json
import shutil
import zipfile
from dataclasses import replace

import pytest
import uvicorn
from sqlalchemy import update

from pyramidion.collection import Collection, Judgment, Scores, Summary, Topic
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.questions import Progress
from pyramidion.studio import Store, create_app, serve
from pyramidion.studio._accounts import accept, add_account, invite
from pyramidion.studio._backup import dump, restore
from pyramidion.studio._evaluations import add_evaluation
from pyramidion.studio._exports import current_collection
from pyramidion.studio._store import Account, Assignment, Base, Evaluation, Event

SMALL = Collection(
    "small",
    topics=(Topic("T1"), Topic("T2")),
    summaries=(
        Summary("T1", "A", "Rain fell.", kind="human"),
        Summary("T1", "7", "It rained."),
        Summary("T2", "7", "The sun came out."),
    ),
)


def judged(session, evaluation, assessor="Ann", *, occasion=0, submit=True, value=4):
    """Let a new assessor judge one summary."""
    account = add_account(session, assessor, "assessor")
    item = Assignment(
        evaluation_id=evaluation.id, account_id=account.id, kind="judge", task="", topic="T1",
        system="A", occasion=occasion, place=0,
    )  # fmt: skip
    session.add(item)
    session.flush()
    events = [("score", {"measure": "responsiveness", "value": value, "guideline": 1})]
    for number, (kind, data) in enumerate(events + [("submit", {})] * submit):
        event = Event(
            assignment_id=item.id, account_id=account.id, key=str(number), kind=kind, data=data,
            at=1000.5,
        )  # fmt: skip
        session.add(event)
    session.flush()


def test_the_collection_holds_what_was_submitted(studio):
    with studio.store.write() as session:
        evaluation = add_evaluation(session, SMALL)
        judged(session, evaluation)
        judged(session, evaluation, "Bob", submit=False)
        judged(session, evaluation, "Cy", occasion=1, value=2)
        now = current_collection(session, evaluation)
    assert [(row.assessor, row.value, row.occasion, row.kind, row.time) for row in now.scores] == [
        ("Ann", 4.0, "", "human", "1970-01-01T00:16:40.500+00:00"),
        ("Cy", 2.0, "1", "human", "1970-01-01T00:16:40.500+00:00"),
    ]
    assert now.scales["responsiveness"].high == 5
    assert now.summaries == SMALL.summaries


def test_who_judged_before_the_import_judges_again(studio):
    before = Judgment("T1", "A", "responsiveness", 1.0, kind="human", assessor="Ann", time="7")
    imported = replace(SMALL, scores=Scores.from_judgments([before]))
    with studio.store.write() as session:
        evaluation = add_evaluation(session, imported)
        judged(session, evaluation)
        now = current_collection(session, evaluation)
    # Times are numbers already, so they stay numbers.
    assert [(row.value, row.occasion, row.time) for row in now.scores] == [
        (1.0, "", "7"),
        (4.0, "1", "1000.5"),
    ]


def export(studio, evaluation, name):
    answer = studio.organizer.get(f"/evaluations/{evaluation.token}/export/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].endswith(f'-{name}"')
    return answer.content


def unpacked(content, folder):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
        return archive.namelist()


def test_the_exported_collection_is_read_again(studio, tmp_path):
    with studio.store.write() as session:
        evaluation = add_evaluation(session, SMALL)
        judged(session, evaluation)
        now = current_collection(session, evaluation)
    unpacked(export(studio, evaluation, "collection.zip"), tmp_path / "all")
    assert Collection.load(tmp_path / "all") == now
    (tmp_path / "scores.csv").write_bytes(export(studio, evaluation, "scores.csv"))
    assert Collection.load(tmp_path / "scores.csv").scores == now.scores


def test_the_exported_pyramids_are_read_again(studio, tmp_path):
    with studio.store.write() as session:
        evaluation = add_evaluation(session, load_demo())
    names = unpacked(export(studio, evaluation, "pyramids.zip"), tmp_path / "pyramids")
    assert sum(name.endswith(".pyr") for name in names) == 12
    assert Collection.load(tmp_path / "pyramids").pyramids == load_demo().pyramids
    guidelines = unpacked(export(studio, evaluation, "guidelines.zip"), tmp_path / "guidelines")
    assert "readability-1.md" in guidelines


def test_what_is_not_there_yet_is_told(studio):
    with studio.store.write() as session:
        path = f"/evaluations/{add_evaluation(session, SMALL).token}/export"
    assert studio.organizer.get(path).text.count("(nothing yet)") == 2
    for name, told in (("scores.csv", "no scores yet"), ("pyramids.zip", "no pyramids yet")):
        answer = studio.organizer.get(f"{path}/{name}")
        assert answer.status_code == 422
        assert told in answer.text
    assert studio.organizer.get(f"{path}/secrets.txt").status_code == 404


def test_events_tell_who_and_when_and_run_no_formula(studio):
    with studio.store.write() as session:
        evaluation = add_evaluation(session, SMALL)
        judged(session, evaluation, "Ann", submit=False)
        session.execute(update(Account).values(name="=Ann()"))  # of an older studio
    content = export(studio, evaluation, "events.csv").decode()
    (row,) = csv.DictReader(io.StringIO(content))
    assert row["person"] == "'=Ann()"
    assert (row["event"], row["value"], row["guideline"]) == ("score", "4", "1")
    assert row["time"] == "1970-01-01T00:16:40.500+00:00"
    assert json.loads(row["details"])["measure"] == "responsiveness"


def rows_of(store):
    with store.engine.connect() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(table.select())]
            for table in Base.metadata.sorted_tables
            if table.name not in ("invitations", "visits")
        }


@pytest.fixture
def filled(studio):
    """A studio with an evaluation, a judgment and a person who has a password."""
    with studio.store.write() as session:
        evaluation = add_evaluation(session, SMALL)
        judged(session, evaluation)
        ann = session.query(Account).filter_by(name="Ann").one()
        accept(session, invite(session, ann), "several good words")
    studio.token = evaluation.token
    return studio


def test_a_backup_restores_everything(filled, tmp_path, empty_database):
    answer = filled.organizer.get(f"/evaluations/{filled.token}/backup")
    path = tmp_path / "b.zip"
    path.write_bytes(answer.content)
    with zipfile.ZipFile(path) as archive:
        assert not {"visits.jsonl", "invitations.jsonl"} & set(archive.namelist())
    new = Store(shutil.copy(empty_database, tmp_path / "new.db"))
    before = rows_of(filled.store)
    assert restore(new, path) == sum(map(len, before.values()))
    assert rows_of(new) == before
    again = type(filled)(new, create_app(new))
    logged_in = again.stranger().post(
        "/login", data={"name": "Ann", "password": "several good words"}
    )
    assert logged_in.status_code == 303
    with new.read() as session, filled.store.read() as old:
        assert current_collection(session, session.query(Evaluation).one()) == current_collection(
            old, old.query(Evaluation).one()
        )
    with pytest.raises(InputError, match="this database is not empty"):
        restore(new, path)
    new.close()


def test_a_backup_that_unpacks_to_too_much_is_refused(tmp_path, empty_database):
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("backup.json", b" " * 2**27)
    new = Store(shutil.copy(empty_database, tmp_path / "new.db"))
    with pytest.raises(InputError, match="it unpacks to more than 64 MiB"):
        restore(new, tmp_path / "b.zip")
    new.close()


def test_serve_restores_a_backup(filled, tmp_path, monkeypatch):
    with (tmp_path / "b.zip").open("wb") as file:
        dump(filled.store, file)
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: sockets[0].close())
    said: list[str] = []
    serve(
        database=str(tmp_path / "new.db"), restore=tmp_path / "b.zip", port=0,
        progress=Progress(message=said.append),
    )  # fmt: skip
    assert said[0].startswith("restored ")
    new = Store(tmp_path / "new.db")
    assert rows_of(new)["events"] == rows_of(filled.store)["events"]
    new.close()


class Interrupted(io.BytesIO):
    """A file during whose first write somebody else adds a person."""

    def __init__(self, store):
        super().__init__()
        self.store = store

    def write(self, data):
        store, self.store = self.store, None
        if store is not None:
            with store.write() as session:
                add_account(session, "Late", "assessor")
        return super().write(data)


def test_a_backup_is_of_one_moment(filled):
    made = Interrupted(filled.store)
    before = len(rows_of(filled.store)["accounts"])
    dump(filled.store, made)
    with zipfile.ZipFile(made) as archive:
        assert len(archive.read("accounts.jsonl").splitlines()) == before
    assert len(rows_of(filled.store)["accounts"]) == before + 1


@pytest.mark.parametrize("damage", ["cut", "text", "other", "row", "absent"])
def test_a_damaged_backup_changes_nothing(filled, tmp_path, empty_database, damage):
    made = io.BytesIO()
    dump(filled.store, made)
    files = {}
    with zipfile.ZipFile(made) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    if damage == "other":
        files["backup.json"] = files["backup.json"].replace(b'"0001"', b'"0000"')
    if damage == "row":
        files["events.jsonl"] += b'{"id": 99, "assignment_id": 12345}\n'
    path = tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    if damage in ("cut", "text"):
        path.write_bytes(path.read_bytes()[:-40] if damage == "cut" else b"no backup")
    new = Store(shutil.copy(empty_database, tmp_path / "new.db"))
    with pytest.raises(InputError, match=r"b\.zip: this backup|nowhere: this backup"):
        restore(new, tmp_path / "nowhere" if damage == "absent" else path)
    assert not any(rows_of(new).values())
    new.close()


def test_annotated_summaries_are_exported_and_read_again(studio, tmp_path):
    ann = studio.person("Ann ~ B")  # a name that cannot stand in the name of a file
    with studio.store.write() as session:
        evaluation = add_evaluation(session, load_demo())
        account = session.query(Account).filter_by(name="Ann ~ B").one()
        item = Assignment(
            evaluation_id=evaluation.id, account_id=account.id, kind="annotate", task="A",
            topic="P01", system="A", place=0,
        )  # fmt: skip
        session.add(item)
    sheet = f"/api/sheets/{item.token}"
    units = load_demo().pyramids["A", "P01"].scus
    edit = {"edit": "AddContributor", "uid": units[0].uid, "at": 0}
    edit["contributor"] = {"parts": [[0, 9]]}
    version = ann.get(sheet).json()["version"]
    body = {"key": "mark-1234", "version": version, "edit": edit}
    assert ann.post(f"{sheet}/edits", json=body).status_code == 200
    assert ann.post(f"{sheet}/submit", json={"key": "done-1234"}).status_code == 200
    for name in ("collection.zip", "pyramids.zip"):
        names = unpacked(export(studio, evaluation, name), tmp_path / name)
        assert sum(one.endswith(".pan") for one in names) == 1
        read = Collection.load(tmp_path / name).annotations_of("A", "P01", "A")
        (peer,) = read.values()
        assert list(read) == [("Ann ~ B", "")]
        assert [unit.uid for unit in peer.scus if unit.contributors] == [units[0].uid]
    rows = list(csv.DictReader(io.StringIO(export(studio, evaluation, "events.csv").decode())))
    assert [(row["person"], row["system"], row["event"]) for row in rows] == [
        ("Ann ~ B", "A", "do"),
        ("Ann ~ B", "A", "submit"),
    ]
