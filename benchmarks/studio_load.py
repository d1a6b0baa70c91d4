"""How long the studio takes to store judgments while many people save at once.

Each assessor is a thread with a connection of its own that saves a score every ``--every`` seconds
for ``--seconds`` seconds. The studio runs as a process of its own, on a new SQLite file or on the
database that ``--database`` names. Times are wall times: run it on an idle machine. It fails if
one request fails, if a score is missing at the end, or if the 95th percentile is above ``BAR``.
"""

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from secrets import token_urlsafe

from sqlalchemy import func, select

from pyramidion.demo import load_demo
from pyramidion.studio import Store
from pyramidion.studio._accounts import add_account, begin_visit, visit_of
from pyramidion.studio._evaluations import add_evaluation
from pyramidion.studio._store import Assignment, Event

#: Milliseconds that the 95th percentile may take.
BAR = 150.0
_PORT = 8769


def prepare(store: Store, people: int) -> tuple[str, list[tuple[str, str, str]]]:
    """Assign a summary to each person; return cookies, CSRF tokens and items."""
    store.upgrade()
    work = []
    with store.write() as session:
        evaluation = add_evaluation(session, load_demo())
        for number in range(people):
            account = add_account(session, f"Person {token_urlsafe(6)}", "assessor")
            item = Assignment(
                evaluation_id=evaluation.id, account_id=account.id, kind="judge", task="A",
                topic="P01", system="A", occasion=0, position=number,
            )  # fmt: skip
            session.add(item)
            cookie = begin_visit(session, account)
            session.flush()
            visit = visit_of(session, cookie)
            assert visit is not None
            work.append((cookie, visit.csrf, item.token))
        return evaluation.token, work


def save(
    path: str, person: tuple[str, str, str], end: float, every: float, log: list[float]
) -> None:
    """Save scores until the end; log the milliseconds of each request, infinite if it failed."""
    cookie, csrf, item = person
    connection = http.client.HTTPConnection("127.0.0.1", _PORT, timeout=30)
    headers = {
        "Cookie": f"pyramidion={cookie}", "X-CSRF-Token": csrf, "Content-Type": "application/json",
    }  # fmt: skip
    time.sleep(every * (hash(item) % 1000) / 1000)
    while time.monotonic() < end:
        event = {
            "key": token_urlsafe(16), "item": item, "kind": "score", "measure": "readability",
            "value": 3,
        }  # fmt: skip
        began = time.monotonic()
        connection.request("POST", path, json.dumps({"events": [event]}), headers)
        answer = connection.getresponse()
        answer.read()
        seconds = time.monotonic() - began
        log.append(seconds * 1000 if answer.status == 200 else float("inf"))
        time.sleep(max(0.0, every - seconds))


def main() -> None:
    """Run the load, and print percentiles."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=2.0)
    parser.add_argument("--database", default="")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(chosen.database or Path(folder, "load.db"))
        token, work = prepare(store, chosen.people)
        url = store.engine.url.render_as_string(hide_password=False)
        code = (
            "import sys, uvicorn; from pyramidion.studio import Store, create_app; "
            "uvicorn.run(create_app(Store(sys.argv[1])), port=int(sys.argv[2]), log_level='error')"
        )
        server = subprocess.Popen([sys.executable, "-c", code, url, str(_PORT)])
        try:
            times, seconds = run(token, work, chosen, server.pid)
        finally:
            server.terminate()
            server.wait()
        with store.read() as session:
            stored = session.scalar(select(func.count()).where(Event.kind == "score"))
        store.close()
    failed = sum(value == float("inf") for value in times)
    p50, p95 = (statistics.quantiles(times, n=100)[n] for n in (49, 94))
    print(f"{len(times)} saved by {chosen.people} people, {failed} failed, {stored} stored")
    load = os.getloadavg()[0]
    print(
        f"p50 {p50:.0f} ms, p95 {p95:.0f} ms (bar {BAR:.0f}) at a load of {load:.1f}; "
        f"{1000 * seconds / len(times):.1f} ms of CPU of the server per save"
    )
    if failed or stored != len(times) or p95 > BAR:
        sys.exit(1)


def cpu_of(pid: int) -> float:
    """Return the seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(
    token: str, work: list[tuple[str, str, str]], chosen: argparse.Namespace, pid: int
) -> tuple[list[float], float]:
    """Let everybody save at once; return the milliseconds of all requests, and seconds of CPU."""
    while True:  # until it listens
        try:
            connection = http.client.HTTPConnection("127.0.0.1", _PORT, timeout=5)
            connection.request("GET", "/health")
            connection.getresponse()
            break
        except OSError:
            time.sleep(0.2)
    times: list[float] = []
    used = cpu_of(pid)
    end, path = time.monotonic() + chosen.seconds, f"/api/judge/{token}/events"
    threads = [
        threading.Thread(target=save, args=(path, person, end, chosen.every, times))
        for person in work
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, cpu_of(pid) - used


if __name__ == "__main__":
    main()
