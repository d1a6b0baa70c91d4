"""Pyramids and annotations by two people: where they disagree, and a third version that decides.

The third pyramid is the shared one, and the third annotation that of the organizer who decides.
Units that are taken over are stored as separate edits, which record their sources.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import isnan
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pyramidion.collection import SCU, Collection, PeerAnnotation, Pyramid
from pyramidion.collection.ids import natural_order
from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.errors import InputError, PyramidionError
from pyramidion.pyramid import agreement, score_peer
from pyramidion.studio._app import Organizer, StoreDep, evaluation_of, go_to, or_404, page
from pyramidion.studio._boards import (
    BoardState,
    ChangeRequest,
    board_state,
    change,
    free_uid,
    remember,
    submitted,
)
from pyramidion.studio._edits import AddContributor, AddUnit, Edit
from pyramidion.studio._evaluations import imported_collection as imported
from pyramidion.studio._evaluations import topic_names
from pyramidion.studio._store import (
    Account,
    Assignment,
    BoardChange,
    BoardRow,
    Evaluation,
    new_token,
)

router = APIRouter(include_in_schema=False)

# Units of two pyramids correspond if they have this share of their text in common.
_MIN_OVERLAP = 0.25
# An agreement has no value if a pyramid is empty.
_Agreement = tuple[str, float | None]


@dataclass(frozen=True)
class Independent:
    """An independent pyramid, and who built it."""

    name: str
    row: BoardRow
    pyramid: Pyramid


@dataclass(frozen=True)
class UnitPair:
    """Units of two pyramids that correspond; one is missing if the other pyramid has no such unit.

    `stake` is the weight they disagree about: the contributors that only one of them has.
    """

    first: SCU | None
    second: SCU | None
    overlap: float = 0.0
    stake: int = 0
    #: The id of the unit that was taken over from them.
    taken: str = ""

    @property
    def is_agreed(self) -> bool:
        """Whether both have the same contributors, though perhaps with other words at the ends."""
        return self.stake == 0

    @property
    def weights(self) -> tuple[int, int]:
        """The numbers of contributors."""
        first_weight, second_weight = (len(unit.contributors) if unit else 0 for unit in self.units)
        return first_weight, second_weight

    @property
    def units(self) -> tuple[SCU | None, SCU | None]:
        """Both units."""
        return self.first, self.second

    @property
    def key(self) -> str:
        """A name for forms."""
        return "+".join(unit.uid if unit else "" for unit in self.units)


def _covered_words(unit: SCU) -> set[int]:
    return {
        offset
        for contributor in unit.contributors
        for part in contributor.parts
        for offset in range(part.start, part.end)
    }


def aligned(first: Pyramid, second: Pyramid) -> list[UnitPair]:
    """Align the units of two pyramids by the text they share, the largest stake first."""
    texts = [[(unit, _covered_words(unit)) for unit in pyramid.scus] for pyramid in (first, second)]
    overlaps = sorted(
        (
            (len(a & b) / len(a | b), -row, -column)
            for row, (_, a) in enumerate(texts[0])
            for column, (_, b) in enumerate(texts[1])
            if a & b
        ),
        reverse=True,
    )
    columns: dict[int, tuple[int, float]] = {}
    for overlap, row, column in overlaps:
        if overlap < _MIN_OVERLAP or -row in columns or -column in {c for c, _ in columns.values()}:
            continue
        columns[-row] = (-column, overlap)
    pairs = []
    for row, unit in enumerate(first.scus):
        column, overlap = columns.get(row, (-1, 0.0))
        other = second.scus[column] if column >= 0 else None
        pairs.append(UnitPair(unit, other, overlap, _stake(first, unit, other)))
    matched_columns = {column for column, _ in columns.values()}
    pairs += (
        UnitPair(None, unit, 0.0, _stake(first, unit, None))
        for column, unit in enumerate(second.scus)
        if column not in matched_columns
    )
    return sorted(pairs, key=lambda pair: (-pair.stake, -max(pair.weights)))


def _stake(pyramid: Pyramid, unit: SCU, other: SCU | None) -> int:
    """Count the references that express only one of two units."""
    writers = [
        {pyramid.reference_of(contributor) for contributor in entry.contributors}
        if entry
        else set()
        for entry in (unit, other)
    ]
    return len(writers[0] ^ writers[1])


def independents(session: Session, board: BoardRow) -> list[Independent]:
    """Return the independent pyramids of a topic."""
    rows = session.scalars(
        select(BoardRow).where(
            BoardRow.evaluation_id == board.evaluation_id, BoardRow.task == board.task,
            BoardRow.topic.startswith(f"{board.subject}\t", autoescape=True),
        ).order_by(BoardRow.id)
    ).all()  # fmt: skip
    names = {account.id: account.name for account in session.scalars(select(Account))}
    return [
        Independent(names.get(row.account_id, ""), row, board_state(session, row).board.pyramid)
        for row in rows
    ]


def sources_of(session: Session, board: BoardRow) -> dict[str, list[dict[str, str]]]:
    """Return where the units of an adjudicated pyramid come from: boards and units."""
    rows = session.scalars(
        select(BoardChange)
        .where(BoardChange.board_id == board.id, BoardChange.action == "do")
        .order_by(BoardChange.version)
    )
    edits = ((row.data["edit"], row.data.get("from")) for row in rows)
    return {
        edit["uid"]: sources for edit, sources in edits if sources and edit["edit"] == "AddUnit"
    }


def _taken_pairs(
    pairs: Sequence[UnitPair], annotators: Sequence[Independent], state: BoardState,
    sources: Mapping[str, list[dict[str, str]]],
) -> list[UnitPair]:  # fmt: skip
    """Record which pairs were copied into units that still exist."""
    uids = {unit.uid for unit in state.board.pyramid.scus}
    of_source = {
        (source["board"], source["uid"]): uid
        for uid, unit_sources in sources.items() if uid in uids for source in unit_sources
    }  # fmt: skip
    tokens = [entry.row.token for entry in annotators]

    def taken(pair: UnitPair) -> str:
        keys = ((token, unit.uid) for token, unit in zip(tokens, pair.units, strict=True) if unit)
        return next((of_source[key] for key in keys if key in of_source), "")

    return [replace(pair, taken=taken(pair)) for pair in pairs]


def _agreements(
    annotators: Sequence[Independent], decided_pyramid: Pyramid, key: tuple[str, str]
) -> list[_Agreement]:
    """Return kappa of the two pyramids, and of each with the one that decides."""
    pairs = [
        (
            f"{annotators[0].name} and {annotators[1].name}",
            annotators[0].pyramid,
            annotators[1].pyramid,
        )
    ]
    pairs += (
        (f"{entry.name} and the decision", entry.pyramid, decided_pyramid) for entry in annotators
    )
    return [(name, _kappa(first, second, key)) for name, first, second in pairs]


def _kappa(first: Pyramid, second: Pyramid, key: tuple[str, str]) -> float | None:
    """Return how far two pyramids agree on which words of different references share a unit."""
    texts = [{frozenset(_covered_words(unit)) for unit in entry.scus} for entry in (first, second)]
    if texts[0] == texts[1]:
        return 1.0 if texts[0] else None
    try:
        collections = [Collection("", pyramids={key: pyramid}) for pyramid in (first, second)]
        [row] = agreement(*collections)
    except PyramidionError:  # a pyramid is empty
        return None
    kappa: float = row.across.kappa  # type: ignore[union-attr]
    return None if isnan(kappa) else kappa


def _rankings(
    session: Session, state: BoardState, annotators: Sequence[Independent],
    sources: Mapping[str, list[dict[str, str]]],
) -> list[tuple[str, list[tuple[float, int]]]]:  # fmt: skip
    """Score each system with the weights of either pyramid, and with those that were decided."""
    decided_pyramid = state.board.pyramid
    variants = [_reweighted_pyramid(decided_pyramid, entry, sources) for entry in annotators] + [
        decided_pyramid
    ]
    submitted_items = submitted(session, annotators[0].row.evaluation)
    scores: dict[str, list[list[float]]] = {}
    for name, sheet in state.sheets.items():
        if sheet.is_imported or name in submitted_items:
            peer = state.board.peers[name]
            values = [_score(replace(peer, pyramid=pyramid)) for pyramid in variants]
            scores.setdefault(sheet.key[2], []).append(values)
    means = {
        system: [sum(column) / len(column) for column in zip(*values, strict=True)]
        for system, values in scores.items()
    }
    return [
        (system, [(value, 1 + sum(other[n] > value for other in means.values()))
                  for n, value in enumerate(means[system])])
        for system in sorted(means, key=natural_order)
    ]  # fmt: skip


def _reweighted_pyramid(
    decided_pyramid: Pyramid, entry: Independent, sources: Mapping[str, list[dict[str, str]]]
) -> Pyramid:
    """Return the decided pyramid with the contributors that somebody found."""
    units = {unit.uid: unit.contributors for unit in entry.pyramid.scus}

    def contributors(unit: SCU) -> Any:
        if unit.uid not in sources:
            return unit.contributors
        uids = [s["uid"] for s in sources[unit.uid] if s["board"] == entry.row.token]
        return next((units[uid] for uid in uids if uid in units), ())

    return replace(
        decided_pyramid,
        scus=tuple(replace(unit, contributors=contributors(unit)) for unit in decided_pyramid.scus),
    )


def _score(peer: PeerAnnotation) -> float:
    try:
        return float(score_peer(peer).modified)
    except PyramidionError:
        return float("nan")


# Annotations of one summary.


@dataclass(frozen=True)
class MarkDisagreement:
    """A unit that one person found in a summary and another did not."""

    system: str
    uid: str
    label: str
    weight: int
    marked: str
    unmarked: str


def _doubly_annotated(state: BoardState) -> Iterator[tuple[str, list[str]]]:
    """Yield systems that several people annotated, with their sheets."""
    systems: dict[str, list[str]] = {}
    for name, sheet in state.sheets.items():
        systems.setdefault(sheet.key[2], []).append(name)
    for system, names in systems.items():
        if len({state.sheets[name].key[3] for name in names}) > 1:
            yield system, names


def _expressed_units(state: BoardState, sheet: str) -> set[str]:
    units = state.board.peers[sheet].scus
    return {unit.uid for unit in units if unit.contributors and unit.uid != NOT_IN_PYRAMID}


def mark_disagreements(state: BoardState) -> list[MarkDisagreement]:
    """List the units that people disagree on, the heaviest first."""
    pyramid = state.board.pyramid
    weights = dict(zip((u.uid for u in pyramid.scus), pyramid.weights.tolist(), strict=True))
    labels = {unit.uid: unit.label for unit in pyramid.scus}
    rows: list[MarkDisagreement] = []
    for system, names in _doubly_annotated(state):
        for first, second in combinations(names, 2):
            people = [state.sheets[name].key[3] for name in (first, second)]
            sets = [_expressed_units(state, name) for name in (first, second)]
            for one_way, (people_marking, people_not_marking) in ((0, people), (1, people[::-1])):
                own_spans = sets[one_way] - sets[1 - one_way]
                rows += (
                    MarkDisagreement(system, uid, labels.get(uid, uid), weights.get(uid, 0),
                    people_marking,
                                     people_not_marking)
                    for uid in sorted(own_spans, key=natural_order)
                )  # fmt: skip
    return sorted(rows, key=lambda row: -row.weight)


# Pages.


def annotated_twice(
    session: Session, evaluation: Evaluation, names: Mapping[str, str]
) -> list[dict[str, Any]]:
    """List the boards with independent pyramids, or with summaries annotated by several people."""
    rows = []
    of_evaluation = select(BoardRow).where(BoardRow.evaluation_id == evaluation.id)
    for board in session.scalars(of_evaluation.order_by(BoardRow.id)).all():
        if board.account_id:
            continue
        number = len(independents(session, board))
        peers = sum(1 for _ in _doubly_annotated(board_state(session, board)))
        if number > 1 or peers:
            name = " · ".join(filter(None, (names[board.topic], board.task)))
            text = f"{number} independent pyramids, {peers} summaries annotated by several people"
            rows.append({"board": board, "name": name, "text": text})
    return rows


def _board(session: Session, evaluation: Evaluation, token: str) -> BoardRow:
    conditions = (BoardRow.token == token, BoardRow.evaluation_id == evaluation.id)
    return or_404(session.scalar(select(BoardRow).where(*conditions)))


@router.get("/evaluations/{token}/adjudicate/{board}")
def adjudication_page(
    request: Request, user: Organizer, store: StoreDep, token: str, board: str
) -> HTMLResponse:
    """Show where two people disagree, and what was decided."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        row = _board(session, evaluation, board)
        state, annotators = board_state(session, row), independents(session, row)[:2]
        sources = sources_of(session, row)
        details: dict[str, Any] = {"pairs": [], "agreements": [], "rankings": []}
        if len(annotators) == 2:
            pairs = aligned(annotators[0].pyramid, annotators[1].pyramid)
            details = {
                "pairs": _taken_pairs(pairs, annotators, state, sources),
                "agreements": _agreements(annotators, state.board.pyramid, (row.task, row.subject)),
                "rankings": _rankings(session, state, annotators, sources),
            }
        names = topic_names(imported(session, evaluation))
        return page(
            request, "adjudicate.html", evaluation=evaluation, tab="Pyramids", board=row,
            people=[entry.name for entry in annotators], marks=mark_disagreements(state),
            peers=list(_doubly_annotated(state)), sheets=state.sheets,
            name=" · ".join(filter(None, (names[row.topic], row.task))), **details,
        )  # fmt: skip


@router.post("/evaluations/{token}/adjudicate/{board}")
def adjudicate(
    user: Organizer, store: StoreDep, token: str, board: str,
    take: Annotated[str, Form(max_length=500)] = "",
    system: Annotated[str, Form(max_length=200)] = "",
) -> Response:  # fmt: skip
    """Take over one unit, all agreed units, or the agreed marks of a summary."""
    with store.write() as session:
        evaluation = evaluation_of(session, token)
        row = _board(session, evaluation, board)
        state = board_state(session, row)
        if system:
            state, sheet = _begin_annotation(session, row, state, system, user.account)
        else:
            state, sheet = _take_units(session, row, state, take, user.account), ""
    remember(session, row, state)
    return go_to(f"/annotate/{sheet}" if sheet else f"/evaluations/{token}/adjudicate/{board}")


def _take_units(
    session: Session, row: BoardRow, state: BoardState, take: str, account: Account
) -> BoardState:
    """Add units to the shared pyramid: `take` is "agreed", or a pair and whose unit it is."""
    annotators = independents(session, row)[:2]
    if len(annotators) < 2:
        raise InputError("there are not two independent pyramids", hint="assign them first")
    sources = sources_of(session, row)
    pairs = _taken_pairs(
        aligned(annotators[0].pyramid, annotators[1].pyramid), annotators, state, sources
    )
    key, _, side = take.rpartition("/")
    unit_indices = [
        (pair, int(side) if side in ("0", "1") else 0)
        for pair in pairs
        if not pair.taken and (pair.is_agreed if take == "agreed" else pair.key == key)
    ]
    if not unit_indices and take != "agreed":
        raise InputError("this unit was changed or taken over", hint="reload the page")
    for pair, index in unit_indices:
        unit = pair.units[index]
        if unit is None:
            raise InputError("only the other pyramid has this unit", hint="choose the other one")
        unit_fields = [
            {"board": entry.row.token, "uid": source.uid}
            for entry, source in zip(annotators, pair.units, strict=True) if source
        ]  # fmt: skip
        position = len(state.board.pyramid.scus)
        edit = AddUnit(
            free_uid(state.history), unit.label, position, unit.contributors, unit.comment
        )
        state = _store_change(session, row, state, edit, account, unit_fields)
    return state


def _store_change(
    session: Session, row: BoardRow, state: BoardState, edit: Edit, account: Account,
    sources: list[dict[str, str]],
) -> BoardState:  # fmt: skip
    """Store an edit with its sources."""
    version = state.version(edit.sheet)
    request = ChangeRequest(
        account.id, new_token(), "do", edit.sheet, version, edit, details={"from": sources}
    )
    return change(session, row, request, state_before=state)[1]


def _begin_annotation(
    session: Session, row: BoardRow, state: BoardState, system: str, account: Account
) -> tuple[BoardState, str]:
    """Assign a summary to the organizer, with the marks that everybody agrees on."""
    names = dict(_doubly_annotated(state)).get(system)
    if not names:
        raise InputError("no two people have annotated this summary", hint="assign it to two")
    for name in names:
        if state.sheets[name].account == account.id:
            return state, name
    last_position = select(func.max(Assignment.position)).where(
        Assignment.evaluation_id == row.evaluation_id, Assignment.account_id == account.id,
        Assignment.kind == "annotate",
    )  # fmt: skip
    position = session.scalar(last_position)
    item = Assignment(
        evaluation_id=row.evaluation_id, account_id=account.id, kind="annotate", task=row.task,
        topic=row.topic, system=system, occasion=0,
        position=0 if position is None else position + 1,
    )  # fmt: skip
    session.add(item)
    session.flush()
    state = board_state(session, row)
    agreed_uids = set.intersection(*(_expressed_units(state, name) for name in names))
    sheet_fields = [{"sheet": name} for name in names]
    for unit in state.board.peers[names[0]].scus:
        for contributor in unit.contributors if unit.uid in agreed_uids else ():
            (entry,) = (u for u in state.board.peers[item.token].scus if u.uid == unit.uid)
            at = len(entry.contributors)
            edit = AddContributor(unit.uid, contributor, at, sheet=item.token)
            state = _store_change(session, row, state, edit, account, sheet_fields)
    return state, item.token
