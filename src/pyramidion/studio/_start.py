"""Starting the studio: database, first links, server."""

import os
import secrets
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn
from sqlalchemy import select
from sqlalchemy.orm import Session

from pyramidion.collection import Collection
from pyramidion.errors import InputError, known_names
from pyramidion.studio._accounts import account_named, add_account, invite
from pyramidion.studio._app import create_app
from pyramidion.studio._backup import restore
from pyramidion.studio._demo import add_samples, demo_collection
from pyramidion.studio._evaluations import add_evaluation, digest_of, packed
from pyramidion.studio._store import Account, Evaluation, Store

if TYPE_CHECKING:
    from pyramidion.studio._serve import ServeOptions

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def run(options: "ServeOptions") -> None:
    """Open the database, print links, and serve until interrupted."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder, "demo.db") if options.demo else options.database)
        try:
            store.upgrade()
            if options.restore:
                options.progress.message(f"restored {restore(store, options.restore):,} rows")
            with closing(_listening(options.host, options.port)) as listening:
                _serve(options, store, listening)
        finally:
            store.close()


def _serve(options: "ServeOptions", store: Store, listening_socket: socket.socket) -> None:
    address = f"http://{_reached_as(options.host)}:{listening_socket.getsockname()[1]}"
    app = create_app(store)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=5,
    )  # fmt: skip
    with suppress(KeyboardInterrupt):  # before the server handles it
        for line in _prepare(options, store, address, app.state.entries):
            options.progress.message(line)
        entry = next(iter(app.state.entries), "")
        _Server(config, options, address, entry).run(sockets=[listening_socket])


class _Server(uvicorn.Server):
    """A server that ends cleanly when it is interrupted."""

    def __init__(
        self, config: uvicorn.Config, options: "ServeOptions", address: str, entry: str = ""
    ) -> None:
        super().__init__(config)
        self._options, self._address, self._entry = options, address, entry

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Print the address once the server listens."""
        await super().startup(sockets)
        print_message = self._options.progress.message
        print_message(f"The studio is open at {self._address} (Ctrl-C ends it).")
        if self._options.host not in _LOOPBACK:
            print_message("Others on the network can reach it: put an HTTPS proxy in front of it.")
        if self._entry and _has_screen():
            webbrowser.open(f"{self._address}/enter/{self._entry}")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Finish open requests and end; end at once on the second signal."""
        self.force_exit = self.should_exit
        self.should_exit = True


def _reached_as(host: str) -> str:
    """Return the host name for browsers on this computer."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"[{name}]" if ":" in name else name


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    server_socket = socket.socket(family, socket.SOCK_STREAM)
    server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server_socket.bind((host, port))
    except OSError as error:
        server_socket.close()
        hint = "choose another with --port; 0 selects a free one"
        raise InputError(f"port {port} of {host} cannot be used ({error.strerror})", hint) from None
    return server_socket


def _has_screen() -> bool:
    """Return whether a person at this computer started the studio and can see a browser."""
    windows = sys.platform in ("win32", "darwin") or {"DISPLAY", "WAYLAND_DISPLAY"} & {*os.environ}
    return bool(windows) and sys.stderr.isatty()


def _prepare(
    options: "ServeOptions", store: Store, address: str, entries: dict[str, int]
) -> Iterator[str]:
    """Import the source if it is new; yield messages with links."""
    source = (
        demo_collection() if options.demo else options.source and Collection.load(options.source)
    )
    people: list[Account] = []
    with store.write() as session:
        if source:
            archive = packed(source)
            same_collection = select(Evaluation).where(Evaluation.digest == digest_of(archive))
            if session.scalar(same_collection) is None:
                evaluation = add_evaluation(session, source)
                yield f"imported {evaluation.name}"
                people = add_samples(session, evaluation) if options.demo else []
        if not options.demo:
            yield from _links(session, address, options.link)
            return
        organizer = add_account(session, "organizer", "organizer")
        for person in (organizer, *people):
            token = secrets.token_urlsafe(24)
            entries[token] = person.id
            title = "a sample assessor" if person in people else "who sees everything"
            yield f"{person.name}, {title}: {address}/enter/{token}"


def _links(session: Session, address: str, name: str | None) -> Iterator[str]:
    """Return the link of the first organizer until it is used, and the one of --link."""
    organizer = session.scalar(select(Account).where(Account.role == "organizer"))
    if organizer is None:
        organizer = add_account(session, "organizer", "organizer")
    if not organizer.password_hash:
        yield f"Organizer, choose a password: {address}/invitation/{invite(session, organizer)}"
    if name:
        people = session.scalars(select(Account.name).where(Account.active)).all()
        account = account_named(session, name)
        if account is None or account.name not in people:
            raise InputError(f"there is no account {name!r}", hint=known_names(name, people))
        yield f"{account.name}, choose a password: {address}/invitation/{invite(session, account)}"
