"""The database: accounts, evaluations, and append-only events.

Times are seconds since 1970 (UTC). Ids that reach a browser are random tokens, which reveal neither
the order nor the number of rows.
"""

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal
from unicodedata import normalize

from sqlalchemy import (
    JSON,
    Double,
    ForeignKey,
    LargeBinary,
    String,
    UniqueConstraint,
    create_engine,
    event,
)
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    mapped_column,
    relationship,
    validates,
)

from pyramidion.errors import InputError, Where

#: Organizers set up evaluations and see everything; assessors judge and annotate; readers see the
#: progress, the data and the results of all evaluations, and change nothing.
Role = Literal["organizer", "assessor", "reader"]

#: Why work is assigned; training has known answers and does not count.
Purpose = Literal["main", "pilot", "tie-break", "training"]

# Seconds that a writer waits for another one.
_PATIENCE = 30.0


def new_token() -> str:
    """Return an id that cannot be guessed."""
    return secrets.token_urlsafe(16)


def folded(name: str) -> str:
    """Return a key that ignores case, spaces and how accents are encoded."""
    return normalize("NFC", normalize("NFC", " ".join(name.split())).casefold())


# SQLite does not limit texts.
_IN_TWO_PARTS = String(200).with_variant(String(500), "postgresql")


class Base(DeclarativeBase):
    """The base of all tables."""

    type_annotation_map = {dict[str, Any]: JSON, str: String(200), float: Double}  # noqa: RUF012


class Account(Base):
    """A person. An invitation sets the password hash, which is needed to log in."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    #: The name with case folded; empty in rows of older backups.
    folded: Mapped[str] = mapped_column(
        unique=True, index=True, default=lambda row: folded(row.get_current_parameters()["name"])
    )
    role: Mapped[str]
    password_hash: Mapped[str] = mapped_column(default="")
    active: Mapped[bool] = mapped_column(default=True)
    #: The link by which the person registered, and with it the text they agreed to.
    group_id: Mapped[int | None] = mapped_column(ForeignKey("groups.id"))
    created: Mapped[float] = mapped_column(default=time.time)

    @validates("name")
    def _fold(self, _field: str, name: str) -> str:
        self.folded = folded(name)
        return name


class Invitation(Base):
    """A link that works once; only its hash is stored."""

    __tablename__ = "invitations"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    expires: Mapped[float]
    used: Mapped[float | None]
    account: Mapped[Account] = relationship()


class Visit(Base):
    """A login session; only the hash of its cookie is stored."""

    __tablename__ = "visits"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    csrf: Mapped[str] = mapped_column(default=new_token)
    expires: Mapped[float]
    account: Mapped[Account] = relationship()


class Evaluation(Base):
    """An imported collection, and the settings of its judging.

    `archive` is a ZIP file of a collection folder; `Settings` reads `settings`.
    """

    __tablename__ = "evaluations"

    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(unique=True, default=new_token)
    name: Mapped[str]
    archive: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    digest: Mapped[str]
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    #: "active", "archived", or "deleted" while its rows are removed.
    state: Mapped[str] = mapped_column(default="active", server_default="active")
    created: Mapped[float] = mapped_column(default=time.time)


class Round(Base):
    """Work that was assigned together; `data` has the plan, from which it can be made again."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("evaluation_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), index=True)
    number: Mapped[int]  # from 1; the training is 0
    purpose: Mapped[str]  # a `Purpose`
    data: Mapped[dict[str, Any]] = mapped_column(default=dict)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))
    created: Mapped[float] = mapped_column(default=time.time)

    @property
    def kind(self) -> str:
        """The kind of work, a key of `KINDS`."""
        return str(self.data.get("kind", "judge"))

    @property
    def title(self) -> str:
        """The name of the round for people."""
        names = {"main": "", "pilot": ", pilot", "tie-break": ", tie-break"}
        return f"Round {self.number}{names[self.purpose]}" if self.number else "Training"


class RegistrationLink(Base):
    """A link by which people register under a pseudonym; only its hash is stored.

    `data` has the id of the round, whose plan gives each of them work.
    """

    __tablename__ = "groups"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), index=True)
    consent: Mapped[str] = mapped_column(String())
    data: Mapped[dict[str, Any]] = mapped_column(default=dict)
    max_people: Mapped[int]
    active: Mapped[bool] = mapped_column(default=True)
    created: Mapped[float] = mapped_column(default=time.time)


class AuditEntry(Base):
    """An action that changed or exported something; `data` has ids, and no names of people."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[float] = mapped_column(default=time.time)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))
    #: The token of the evaluation, which may be deleted by now.
    evaluation: Mapped[str] = mapped_column(index=True, default="")
    action: Mapped[str]
    data: Mapped[dict[str, Any]] = mapped_column(default=dict)


def record(
    session: Session, account: Account | None, action: str, evaluation: str = "", **data: Any
) -> None:
    """Add an action to the audit log, in the transaction that carries it out."""
    id = account.id if account else None
    session.add(AuditEntry(account_id=id, evaluation=evaluation, action=action, data=data))


class Guideline(Base):
    """A version of the instructions for a measure; the latest one applies.

    Without an account it is a default text.
    """

    __tablename__ = "guidelines"
    __table_args__ = (UniqueConstraint("evaluation_id", "measure", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), index=True)
    measure: Mapped[str]
    version: Mapped[int]
    text: Mapped[str] = mapped_column(String())
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))
    at: Mapped[float] = mapped_column(default=time.time)


class Assignment(Base):
    """One summary that one assessor judges or annotates.

    A planted repeat of a summary is `occasion` 1.
    """

    __tablename__ = "assignments"
    __table_args__ = (UniqueConstraint("evaluation_id", "account_id", "kind", "place"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(unique=True, default=new_token)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    kind: Mapped[str]  # a key of `KINDS`
    task: Mapped[str]
    topic: Mapped[str]
    system: Mapped[str] = mapped_column(_IN_TWO_PARTS)  # a second part follows after a tab
    occasion: Mapped[int]
    position: Mapped[int] = mapped_column("place")
    round_id: Mapped[int | None] = mapped_column(ForeignKey("rounds.id"))
    evaluation: Mapped[Evaluation] = relationship()
    account: Mapped[Account] = relationship()


class Event(Base):
    """An action of an assessor, such as a score or a comment; never changed or removed.

    `key` comes from the browser: an event that is sent twice is stored once.
    """

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("account_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    key: Mapped[str]
    kind: Mapped[str]
    data: Mapped[dict[str, Any]]
    at: Mapped[float] = mapped_column(default=time.time)
    assignment: Mapped[Assignment] = relationship()


class BoardRow(Base):
    """The pyramid of a topic with its peers.

    In the topic of an independent pyramid, the id of the account follows after a tab.
    """

    __tablename__ = "boards"
    __table_args__ = (UniqueConstraint("evaluation_id", "task", "topic"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(unique=True, default=new_token)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), index=True)
    task: Mapped[str]
    topic: Mapped[str] = mapped_column(_IN_TWO_PARTS)
    evaluation: Mapped[Evaluation] = relationship()

    @property
    def subject(self) -> str:
        """The topic."""
        return self.topic.partition("\t")[0]

    @property
    def account_id(self) -> int:
        """The person who builds an independent pyramid; 0 for the shared pyramid."""
        return int(self.topic.partition("\t")[2] or 0)


class BoardChange(Base):
    """A change to a board; rows are never modified or deleted.

    Of two changes of the same version only one succeeds: (board, version) is unique.
    """

    __tablename__ = "board_changes"
    __table_args__ = (
        UniqueConstraint("board_id", "version"),
        UniqueConstraint("account_id", "key"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    board_id: Mapped[int] = mapped_column(ForeignKey("boards.id"), index=True)
    version: Mapped[int]  # the version it leads to, from 1
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    key: Mapped[str]
    action: Mapped[str]  # an `Action`
    data: Mapped[dict[str, Any]]  # the edit, and the suggestion it accepts
    at: Mapped[float] = mapped_column(default=time.time)


class Store:
    """A database of the studio.

    Parameters
    ----------
    url
        The path of an SQLite file, or a URL that SQLAlchemy accepts, such as
        ``postgresql+psycopg://host/name``.

    Examples
    --------
    >>> store = Store("sqlite://")
    >>> store.upgrade()
    >>> with store.write() as session:
    ...     session.add(Account(name="Ann", role="assessor"))
    >>> with store.read() as session:
    ...     session.query(Account).count()
    1
    """

    def __init__(self, url: str | Path) -> None:
        text = str(url)
        self.url = text if "://" in text else f"sqlite:///{Path(text).absolute()}"
        self.engine = _open_database(self.url)
        self._writer = self.engine.execution_options(immediate=True)
        # SQLite waits for another writer by trying again and again; a lock wakes the next thread.
        is_sqlite = self.engine.dialect.name == "sqlite"
        self._turn = threading.Lock() if is_sqlite else nullcontext()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Open a session to read; loaded rows stay usable afterwards."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Open a session to read and write; it is committed at the end, or rolled back."""
        with self._turn, Session(self._writer, expire_on_commit=False) as session, session.begin():
            yield session

    def upgrade(self, version: str = "head") -> None:
        """Create the tables, or migrate them to the current version."""
        from alembic import command
        from alembic.config import Config
        from alembic.util.exc import CommandError

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
        try:
            with self._turn, self._writer.begin() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, version)
        except (DBAPIError, CommandError) as error:
            reason = str(getattr(error, "orig", error)).splitlines()[0]
            if "locate revision" in reason:
                raise InputError(
                    "a newer version of Pyramidion created this database", where=Where(self.shown),
                    hint="upgrade Pyramidion",
                ) from None  # fmt: skip
            raise InputError(
                f"this database cannot be opened ({reason})", where=Where(self.shown),
                hint="name a file of the studio, or a new one",
            ) from None  # fmt: skip

    @property
    def shown(self) -> str:
        """The URL without a password, for messages."""
        return self.engine.url.render_as_string(hide_password=True).removeprefix("sqlite:///")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def _open_database(url: str) -> Engine:
    from sqlalchemy.pool import StaticPool

    if not url.startswith("sqlite"):
        try:
            return create_engine(url, pool_pre_ping=True, hide_parameters=True)
        except (ArgumentError, ModuleNotFoundError) as error:
            raise InputError(
                f"cannot connect to this database URL ({error})",
                hint="for PostgreSQL, run: pip install psycopg, and use "
                "postgresql+psycopg://NAME@HOST/DATABASE",
            ) from None
    # Every connection to a database in memory would have its own.
    pool_options: dict[str, Any] = {"poolclass": StaticPool} if url == "sqlite://" else {}
    engine = create_engine(
        url, connect_args={"timeout": _PATIENCE, "check_same_thread": False},
        hide_parameters=True,  # keeps values out of errors and logs
        **pool_options,
    )  # fmt: skip

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions are begun explicitly
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer locks at once: upgrading a read lock later may fail.
        immediate = connection.get_execution_options().get("immediate")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine
