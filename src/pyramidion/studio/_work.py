"""The work of an assessor, by evaluation and kind."""

from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from pyramidion.studio._accounts import hashed
from pyramidion.studio._evaluations import Settings, TopicNames, imported_collection, topic_names
from pyramidion.studio._modes import JUDGED_KINDS, MODES
from pyramidion.studio._sheets import sheets_of
from pyramidion.studio._store import Account, Assignment, Evaluation

#: Kinds of work: the title, and the unit in singular and plural.
_KINDS = {
    "judge": ("Judge summaries", "summary", "summaries"),
    **{kind: (mode.task, *mode.unit) for kind, mode in MODES.items()},
    "annotate": ("Annotate summaries", "summary", "summaries"),
    "pyramid": ("Build pyramids", "pyramid", "pyramids"),
    "independent": ("Build pyramids", "pyramid", "pyramids"),
}


@dataclass(frozen=True)
class Piece:
    """An item with its own page."""

    name: str
    address: str
    is_done: bool
    token: str
    queue: str


@dataclass(frozen=True)
class Work:
    """Work of one kind in one evaluation."""

    evaluation: str
    kind: str
    title: str
    unit: str
    done: int
    left: int
    is_open: bool
    address: str
    token: str
    queue: str
    pieces: tuple[Piece, ...]

    @property
    def total(self) -> int:
        """The number of items."""
        return self.done + self.left


def queue_name(evaluation: Evaluation, account: Account) -> str:
    """Name a person's queue of unsent events, as several people may share a browser."""
    return hashed(f"{evaluation.token} {account.id}")[:22]


def desk_queue(token: str, account: Account) -> str:
    """Name the queue of a person's unsent changes of a pyramid or a peer."""
    return hashed(f"{token} {account.id}")[:22]


def work_of(session: Session, account: Account) -> list[Work]:
    """List the work of an assessor: what is open first, by kind."""
    of_account = Assignment.account_id == account.id
    is_active = Assignment.evaluation.has(Evaluation.state == "active")
    query = (
        select(Assignment).where(of_account, is_active).options(joinedload(Assignment.evaluation))
    )
    order = (Assignment.evaluation_id, Assignment.kind, Assignment.position)
    sheets = sheets_of(session, of_account)
    finished_ids = {id for id, sheet in sheets.items() if sheet.is_submitted}
    items = session.scalars(query.order_by(*order))
    groups = (list(group) for _, group in groupby(items, lambda i: (i.evaluation_id, i.kind)))
    # What is open comes first.
    jobs = [_work(group, finished_ids, _topics(session, group[0])) for group in groups]
    kinds = list(_KINDS)
    return sorted(jobs, key=lambda job: (not (job.is_open and job.left), kinds.index(job.kind)))


def _topics(session: Session, item: Assignment) -> TopicNames:
    """Return the names of topics, if items are listed; only then the collection is read."""
    if item.kind in JUDGED_KINDS:
        return TopicNames()
    return topic_names(imported_collection(session, item.evaluation))


def _work(items: list[Assignment], finished_ids: set[int], topics: TopicNames) -> Work:
    first_open = next((item for item in items if item.id not in finished_ids), items[0])
    title, singular, plural = _KINDS[first_open.kind]
    n_finished = sum(item.id in finished_ids for item in items)
    named_items = (
        (item, f"{number}. {topics[item.topic]}") for number, item in enumerate(items, start=1)
    )
    pieces = tuple(
        Piece(
            name,
            _address(item),
            item.id in finished_ids,
            item.token,
            desk_queue(item.token, item.account),
        )
        for item, name in named_items
    )
    return Work(
        evaluation=first_open.evaluation.name,
        kind=first_open.kind,
        title=title,
        unit=singular if len(items) == 1 else plural,
        done=n_finished,
        left=len(items) - n_finished,
        is_open=Settings.of(first_open.evaluation).is_open,
        address=_address(first_open),
        token=first_open.evaluation.token,
        queue=queue_name(first_open.evaluation, first_open.account),
        pieces=() if first_open.kind in JUDGED_KINDS else pieces,
    )


def _address(item: Assignment) -> str:
    """Return the page of an item; judging has one page per evaluation."""
    if item.kind not in JUDGED_KINDS:
        return f"/annotate/{item.token}"
    return f"/judge/{item.evaluation.token}" + (f"?kind={item.kind}" * (item.kind != "judge"))
