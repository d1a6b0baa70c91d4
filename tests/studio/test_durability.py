"""Judgments outlive the server: it is killed at any moment while twenty assessors write."""

import http.client
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count

import pytest

from pyramidion.demo import load_demo
from studio.conftest import COOKIE
from studio.judged import add_work, items_of

ASSESSORS = [f"Assessor {n}" for n in range(20)]
MEASURES = ("responsiveness", "readability")


# Everything is loaded once; each line of input then starts a server in a new process.
SERVERS = """
import os, sys
from pyramidion.cli import main
from pyramidion.studio import Store, create_app

store = Store("sqlite://")
store.upgrade()
create_app(store)
for _ in sys.stdin:
    if (child := os.fork()) == 0:
        print("process", os.getpid(), flush=True)
        main(["serve", "--database", sys.argv[1], "--port", "0"])
    os.waitpid(child, 0)
    print("ended", child, flush=True)
"""


class Server:
    """The studio as its users start it, in a process that can be killed."""

    def __init__(self, database):
        self.database = database
        self.is_up = threading.Event()
        self.starting = subprocess.Popen(
            [sys.executable, "-c", SERVERS, str(database)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
        )  # fmt: skip

    def _wait_for(self, pattern):
        lines = []
        for line in self.starting.stdout:
            lines.append(line)
            if match := re.search(pattern, line):
                return match[1]
        raise AssertionError(lines)

    def start(self):
        self.starting.stdin.write("\n")
        self.process = int(self._wait_for(r"process (\d+)"))
        self.address = self._wait_for(r"open at http://(\S+)")
        self.is_up.set()

    def kill(self):
        self.is_up.clear()
        os.kill(self.process, signal.SIGKILL)
        self._wait_for(r"ended (\d+)")

    def end(self):
        Server.kill(self)
        self.starting.communicate(timeout=30)


class Writer:
    """An assessor whose browser sends events in order, again and again until they are stored."""

    def __init__(self, server, evaluation, visit, items, seed):
        self.server, self.path, self.items = server, f"/api/judge/{evaluation}/events", items
        token, csrf = visit
        self.headers = {
            "Cookie": f"{COOKIE}={token}", "X-CSRF-Token": csrf, "Content-Type": "application/json"
        }  # fmt: skip
        self.random = random.Random(seed)
        self.name = f"writer-{seed:03}"
        self.sent, self.stored, self.again = [], set(), 0

    def judged(self):
        """Judge every item, then all of them anew, without end."""
        numbers = count()
        for n in count():
            item = self.items[n % len(self.items)]
            events = [{"kind": "reopen"}] if n >= len(self.items) else []
            for measure in MEASURES:
                value = self.random.randint(1, 5)
                events.append({"kind": "score", "measure": measure, "value": value})
            events += [{"kind": "comment", "text": f"round {n}"}, {"kind": "submit"}]
            for event in events:
                yield {"key": f"{self.name}-{next(numbers):06}", "item": item, **event}

    def submitted(self):
        """Return the scores of the items that stand submitted, as they were typed last."""
        scores, open_items = {}, set()
        for event in self.sent:
            if event["kind"] == "score":
                scores[event["item"], event["measure"]] = event["value"]
            {"submit": open_items.discard}.get(event["kind"], open_items.add)(event["item"])
        return [(m, value) for (item, m), value in scores.items() if item not in open_items]

    def write(self, stopped):
        """Send events, one to three at a time, until told to stop."""
        events = self.judged()
        while not stopped.is_set():
            batch = [next(events) for _ in range(self.random.randint(1, 3))]
            self.sent += batch
            while not self.was_stored(batch):
                self.again += 1
                time.sleep(0.05)

    def was_stored(self, batch):
        self.server.is_up.wait()
        connection = http.client.HTTPConnection(self.server.address, timeout=20)
        try:
            connection.request("POST", self.path, json.dumps({"events": batch}), self.headers)
            answer = connection.getresponse()
            content = json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            return False  # nobody knows whether it was stored
        finally:
            connection.close()
        if answer.status == 503:
            return False  # the database is down
        assert answer.status == 200, content
        assert content["stored"] == [event["key"] for event in batch]
        self.stored.update(content["stored"])
        return True


class Editor(Writer):
    """An organizer whose browser adds units to a shared pyramid, and names them."""

    def __init__(self, server, board, visit, seed):
        super().__init__(server, "", visit, [], seed)
        self.path = f"/api/desks/{board}"

    def judged(self):
        """Add units without end, and give each a label before its id is known."""
        for n in count():
            add = {"edit": "AddUnit", "label": "new", "at": 0}
            name = {"edit": "Relabel", "uid": f"new:{self.name}-{2 * n:06}", "label": self.label(n)}
            for number, edit in enumerate((add, name), start=2 * n):
                key = f"{self.name}-{number:06}"
                yield {"key": key, "action": "do", "page": self.name, "edit": edit}

    def label(self, number):
        return f"unit {number} of {self.name}"

    def labels(self):
        named = sum(event["edit"]["edit"] == "Relabel" for event in self.sent)
        return [self.label(number) for number in range(named)]


def in_database(path, folder, table="events"):
    """Count the keys in a copy of the database, as it was left."""
    copy = folder / "copy.db"
    for file in path.parent.glob(f"{path.name}*"):
        if not file.name.endswith("-shm"):
            shutil.copy(file, folder / file.name.replace(path.name, copy.name))
    connection = sqlite3.connect(copy)
    try:
        (state,) = connection.execute("PRAGMA integrity_check").fetchone()
        keys = connection.execute(f"SELECT key FROM {table} ORDER BY id")
        return state, Counter(key for (key,) in keys)
    finally:
        connection.close()
        for file in folder.glob("copy.db*"):
            file.unlink()


def prepared(studio, server):
    visits = [studio.visit(name) for name in ASSESSORS]
    token = add_work(studio, ASSESSORS, items=5)
    work = [[item["token"] for item in items_of(studio.person(name), token)] for name in ASSESSORS]
    studio.store.close()
    everybody = enumerate(zip(visits, work, strict=True))
    return [Writer(server, token, visit, items, n) for n, (visit, items) in everybody]


def acknowledged(writers):
    return {key for writer in writers for key in list(writer.stored)}


def killed(server, writers, kills, stored_keys):
    """Kill the server at random moments and restart it; everything acknowledged must be stored."""
    moments = random.Random(23)
    for _ in range(kills):
        enough, latest = len(acknowledged(writers)) + len(writers), time.monotonic() + 60
        while len(acknowledged(writers)) < enough:
            assert time.monotonic() < latest, "nobody is answered"
            time.sleep(0.01)
        time.sleep(moments.uniform(0, 0.3))
        server.kill()
        promised = acknowledged(writers)
        state, stored = stored_keys()
        server.start()  # before the assertions, so that writers can finish
        assert (state, max(stored.values())) == ("ok", 1)
        assert not promised - set(stored)


def work(server, writers, kills, stored_keys):
    """Let everybody write while the server is killed."""
    stopped = threading.Event()
    with ThreadPoolExecutor(len(writers)) as threads:
        server.start()
        working = [threads.submit(writer.write, stopped) for writer in writers]
        try:
            killed(server, writers, kills, stored_keys)
        finally:
            stopped.set()
            for future in working:
                future.result()
            server.end()


of_sqlite = pytest.mark.skipif(
    bool(os.environ.get("STUDIO_DATABASE")), reason="writes to a file of SQLite"
)


@of_sqlite
@pytest.mark.parametrize("kills", [1, pytest.param(50, marks=pytest.mark.long)])
def test_no_judgment_is_lost_or_doubled(studio, tmp_path, kills, capsys):
    server = Server(tmp_path / "studio.db")
    writers = prepared(studio, server)
    stored_keys = partial(in_database, server.database, tmp_path)
    work(server, writers, kills, stored_keys)
    require_all(studio, writers, stored_keys())
    with capsys.disabled():
        print(report(kills, writers))


def require_all(studio, writers, stored_keys):
    """Everything that was sent is stored once, in its order, and counts in the results."""
    state, stored = stored_keys
    assert state == "ok"
    sent = [event["key"] for writer in writers for event in writer.sent]
    assert stored == Counter(sent)
    assert set(sent) == acknowledged(writers)
    for writer in writers:  # in the order they were made
        assert [key for key in stored if key.startswith(writer.name)] == [
            event["key"] for event in writer.sent
        ]
    [(token,)] = studio.rows("evaluations", "token")
    judgments = [row for row in studio.collection(token).scores if row.assessor in ASSESSORS]
    assert Counter((row.assessor, row.measure, row.value) for row in judgments) == Counter(
        (name, *score)
        for name, writer in zip(ASSESSORS, writers, strict=True)
        for score in writer.submitted()
    )


def report(kills, writers):
    sent, again = (sum(len(w.sent) for w in writers), sum(w.again for w in writers))
    return (
        f"\n{kills} kills under {len(writers)} assessors: {sent} events acknowledged, "
        f"0 lost, 0 doubled; {again} requests were sent again"
    )


@of_sqlite
@pytest.mark.long
def test_no_edit_is_lost_or_doubled(studio, tmp_path, capsys):
    server = Server(tmp_path / "studio.db")
    board = studio.board(studio.evaluation(load_demo()), "P01", "A")
    visits = [studio.visit(name, "organizer") for name in ASSESSORS[:6]]
    studio.store.close()
    editors = [Editor(server, board, visit, n) for n, visit in enumerate(visits)]
    stored_keys = partial(in_database, server.database, tmp_path, "board_changes")
    work(server, editors, 10, stored_keys)
    state, stored = stored_keys()
    sent = [event["key"] for editor in editors for event in editor.sent]
    assert (state, stored) == ("ok", Counter(sent))
    units = studio.organizer.get(f"/api/desks/{board}").json()["units"]
    labels = Counter(unit["label"] for unit in units if "writer" in unit["label"])
    assert labels == Counter(label for editor in editors for label in editor.labels())
    with capsys.disabled():
        again = sum(editor.again for editor in editors)
        print(f"\n10 kills: {len(sent)} edits, 0 lost, 0 doubled; {again} requests sent again")
