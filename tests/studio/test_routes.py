"""Every route, as every kind of person: the answers are those of the table in routes.txt.

`STUDIO_ROUTES=record pytest tests/studio/test_routes.py` writes the table again; read its diff.
"""

import os
import re
from pathlib import Path

import pytest

from studio.blind import MACHINES, blind_studio
from studio.conftest import COOKIE
from studio.test_blindness import BODIES, routes

TABLE = Path(__file__).with_name("routes.txt")
PEOPLE = ("nobody", "elsewhere", "assessor", "reader", "organizer")
QUERIES = {"/evaluations/{token}/item": f"?task=A&topic=T1&system={MACHINES[0]}"}
# What a request needs to be understood where it may be answered at all.
FORMS = {
    "/evaluations/{token}/state": {"state": "active"},
    "/evaluations/{token}/people": {"name": "=", "role": "reader"},
    "/evaluations/{token}/settings": {
        "scale-responsiveness": "1 to 5", "scale-readability": "1 to 5", "is_open": "on",
    },
    "/login": {"name": "Nobody", "password": "wrong"},
}  # fmt: skip


def filled(path, tokens, spare):
    """The address of something that exists; links that were never made do not."""
    kind = "sheet" if "annotate" in path else "board"
    kind = "evaluation" if path.startswith("/evaluations") or "preview" in path else kind
    never = "n" * 22 if re.match("/(invitation|join|enter)/", path) else ""
    values = {
        "token": never or tokens[kind][0], "evaluation": tokens["evaluation"][0],
        "item": tokens["item"][0], "board": tokens["board"][0],
        "part": "scores", "name": "scores.csv", "number": "0",
        "measure": "readability", "id": str(spare), "action": "invite",
    }  # fmt: skip
    address = re.sub(r"\{(\w+)(:path)?\}", lambda match: values.get(match[1], "x"), path)
    return address + QUERIES.get(path, "")


@pytest.mark.long
def test_every_route_answers_as_the_table_says(studio):
    blind = blind_studio(studio)
    foreign = blind.foreign["evaluation"][0]
    studio.assign(foreign, "Fay", "T1", MACHINES[0], task="A")
    studio.person("Spare")
    spare = dict(studio.rows("accounts", "name, id"))["Spare"]
    names = dict(zip(PEOPLE, ("", "Fay", "Ann", "Rita", "Olga"), strict=True))
    roles = {"reader": "reader", "organizer": "organizer"}

    def browser(kind):
        client = studio.stranger()
        if kind != "nobody":
            token, csrf = studio.visit(names[kind], roles.get(kind, "assessor"))
            client.cookies.set(COOKIE, token)
            client.headers["X-CSRF-Token"] = csrf
        return client

    clients = {kind: browser(kind) for kind in PEOPLE}
    lines = [f"{'':6} {'':62}" + " ".join(f"{kind:>9}" for kind in PEOPLE)]
    for method, path, _ in sorted(
        (entry for entry in routes(studio) if hasattr(entry[2], "dependant")),
        key=lambda entry: (entry[1], entry[0]),
    ):
        if method == "HEAD":
            continue
        address = filled(path, blind.tokens, spare)
        json = BODIES.get(path.rpartition("/")[2]) if path.startswith("/api") else None
        body = {"data": FORMS.get(path), "json": json} if method == "POST" else {}
        answers = [clients[kind].request(method, address, **body) for kind in PEOPLE]
        codes = [answer.status_code for answer in answers]
        if path == "/logout":
            clients = {kind: browser(kind) for kind in PEOPLE}
        lines.append(f"{method:6} {path:62}" + " ".join(f"{code:>9}" for code in codes))
    table = "\n".join(lines) + "\n"
    if os.environ.get("STUDIO_ROUTES") == "record":
        TABLE.write_text(table)
    assert table == TABLE.read_text()
    for line in lines[1:]:
        method, path, *codes = line.split()
        answered = dict(zip(PEOPLE, codes, strict=True))
        if re.match(r"/evaluations|/log(\.csv)?$", path):
            assert answered["nobody"] == "303", path
            assert (answered["elsewhere"], answered["assessor"]) == ("404", "404"), path
            assert method == "GET" or answered["reader"] == "404", path
