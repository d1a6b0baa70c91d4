"""Assessors learn nothing about systems or other people, whatever they request.

Systems, people and comments have names that occur nowhere else; everything an assessor can reach
is fetched and searched for them.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from studio.blind import SECRETS, Blind, blind_studio

# Field names that would reveal something, whatever their values.
FIELDS = {"system", "systems", "occasion", "assessor", "account", "who", "kind", "role", "sheets"}


@pytest.fixture
def blind(studio) -> Blind:
    return blind_studio(studio)


def tells_nothing(answer: Any) -> None:
    assert answer.status_code < 500
    content = f"{answer.text}\n{dict(answer.headers)}".lower()
    assert [secret for secret in SECRETS if secret.lower() in content] == []
    described = "openapi.json" in str(answer.url)  # the same for everybody
    if "json" in answer.headers.get("content-type", "") and not described:
        assert FIELDS.isdisjoint(keys_of(json.loads(answer.text)))


def keys_of(value: Any) -> Iterator[str]:
    """Name all fields of an answer, at any depth."""
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from keys_of(inner)


LINK = re.compile(r"""(?:href|src|action|data-[\w-]+)=["']?(/[^"'>\s]*)|from ['"]\./([\w.]+)['"]""")


def crawl(client: Any, start: str) -> dict[str, Any]:
    """Fetch every page and file that can be reached by links."""
    seen: dict[str, Any] = {}
    waiting = [start]
    while waiting:
        path = waiting.pop().partition("#")[0]
        if path not in seen and not path.startswith("//"):
            seen[path] = client.get(path)
            links = LINK.findall(seen[path].text)
            waiting += [link or f"/static/{script}" for link, script in links]
            waiting += [seen[path].headers[n] for n in ("location",) if n in seen[path].headers]
    return seen


def routes(studio: Any) -> Iterator[tuple[str, str, Any]]:
    """Return method, path and route of everything there is."""
    waiting = list(studio.app.routes)
    for route in waiting:
        waiting += getattr(getattr(route, "original_router", None), "routes", [])
        for method in sorted(getattr(route, "methods", None) or ()):
            yield method, route.path, route


def filled(path: str, tokens: dict[str, list[str]], kind: str = "board") -> Iterator[str]:
    """Put tokens where a path has names; a bare token is a sheet, a board or an evaluation."""
    kind = "sheet" if "annotate" in path else kind
    kind = "evaluation" if path.startswith("/evaluations") else kind
    path = re.sub(r"\{(part|name|measure|id|action)\}", "responsiveness", path)
    for bare in tokens[kind] + (tokens["pyramid"] if kind == "sheet" else []):
        for item in tokens["item"][:2]:
            with_item = path.replace("{token}", bare).replace("{item}", item)
            yield with_item.replace("{evaluation}", tokens["evaluation"][0])


def test_nothing_an_assessor_can_reach_tells_of_systems_or_people(blind):
    reached = crawl(blind.ann, "/")
    pages = [path for path in reached if path.startswith(("/judge/", "/annotate/", "/pyramids/"))]
    assert len(pages) > 10  # each sheet, the board, the judging page
    assert any(path.endswith(".js") for path in reached)
    paths = {
        path
        for method, route, _ in routes(blind.studio)
        if method == "GET" and "invitation" not in route
        for kind in ("sheet", "board")
        for path in filled(route, blind.tokens, kind)
    }
    answers = {path: blind.ann.get(path) for path in sorted(paths)} | reached
    assert sum(answer.status_code == 200 for answer in answers.values()) > 30
    for answer in answers.values():
        tells_nothing(answer)


def test_answers_to_what_an_assessor_does_tell_nothing(blind):
    ann, tokens = blind.ann, blind.tokens
    item, sheet, board = (tokens[kind][0] for kind in ("item", "sheet", "board"))
    events = [{"kind": "comment", "key": "k" * 20, "item": item, "text": "good"}]
    start = ann.get(f"/api/desks/{board}").json()["references"][0]["start"]
    parts = [{"parts": [[start, start + 4]]}]
    mark = {"edit": "AddUnit", "label": "Rain", "contributors": parts, "at": 0}
    relabel = {"edit": "Relabel", "uid": "1", "label": "Rain"}

    def desk(token, action, key, **fields):
        events = [{"key": key * 20, "action": action, **fields}]
        return ann.post(f"/api/desks/{token}", json={"events": events})

    answers = [
        ann.post(f"/api/judge/{tokens['evaluation'][0]}/events", json={"events": events}),
        desk(board, "do", "a", edit=mark),
        desk(board, "do", "b", edit=relabel),
        desk(board, "do", "c", edit=relabel),  # an old version
        desk(board, "undo", "d"),
        ann.get(f"/api/desks/{sheet}"),
        ann.get(f"/api/desks/{sheet}?view=suggestions"),
        desk(sheet, "submit", "e"),
        desk(sheet, "reopen", "f"),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 409, *[200] * 5]
    for answer in answers:
        tells_nothing(answer)


def is_for_organizers(route: Any) -> bool:
    """Return whether a route requires an organizer or a reader, also through a dependency."""
    dependants = [getattr(route, "dependant", None)]
    for dependant in dependants:
        dependants += dependant.dependencies if dependant else []
    return any(getattr(d and d.call, "__name__", "") in ("organizer", "reader") for d in dependants)


def test_pages_of_organizers_do_not_exist_for_others(blind):
    checked = 0
    unknown = {kind: ["n" * 22] for kind in blind.tokens}
    for method, path, route in routes(blind.studio):
        if path.startswith("/evaluations"):
            assert is_for_organizers(route), path
        if is_for_organizers(route) and method != "HEAD":
            paths = [next(filled(path, tokens)) for tokens in (blind.tokens, unknown)]
            answers = [blind.ann.request(method, address) for address in paths]
            assert [answer.status_code for answer in answers] == [404, 404], path
            assert answers[0].text == answers[1].text
            checked += 1
    assert checked > 15


@contextmanager
def statements(store: Any) -> Iterator[list[str]]:
    """Record the statements sent to the database, which determine the response time."""
    executed: list[str] = []

    def note(_connection, _cursor, statement, *_arguments):
        executed.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    yield executed
    event.remove(store.engine, "before_cursor_execute", note)


BODIES: dict[str, Any] = {
    "events": {"events": [{"kind": "submit", "key": "k" * 20, "item": "i" * 22}]},
    "{token}": {"events": [{"key": "k" * 20, "action": "undo"}]},
}


def test_what_belongs_to_others_answers_like_what_does_not_exist(blind):
    unknown = {kind: ["n" * 22] for kind in blind.foreign}
    checked = []
    for method, path, route in routes(blind.studio):
        has_token = "{" in path and "invitation" not in path and not is_for_organizers(route)
        if not has_token or method == "HEAD" or not hasattr(route, "dependant"):
            continue
        body = BODIES.get(path.rpartition("/")[2])
        for kind in ("sheet", "board") if "desks" in path else ("board",):
            answers, counts = [], []
            for tokens in (blind.foreign, unknown, blind.foreign, unknown):
                address = next(filled(path, tokens, kind))
                with statements(blind.studio.store) as executed:
                    answers.append(blind.ann.request(method, address, json=body))
                counts.append(len(executed))
            assert answers[2].status_code in (404, 422), path
            assert answers[2].text == answers[3].text, path
            assert counts[2] == counts[3], path
            checked += [path] * (answers[2].status_code == 404)
    assert len(checked) > 9
