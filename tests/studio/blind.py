"""An evaluation in which systems, people and comments have names that stand nowhere else."""

from dataclasses import dataclass
from typing import Any

from pyramidion.collection import Collection, PeerAnnotation, Pyramid, Summary, Task, Topic
from pyramidion.studio import _assigning
from pyramidion.studio._accounts import add_account
from pyramidion.studio._assigning import Asked
from pyramidion.studio._boards import open_board
from pyramidion.studio._evaluations import add_evaluation
from pyramidion.studio._store import Account, Assignment, BoardRow, Evaluation, Event

PEOPLE, MACHINES = ("Wq7Ursula", "Wq7Viktor"), ("Xz9lead", "Xz9graph", "Xz9copy")
OTHER, BOSS, BEFORE, COMMENT = "Yk3Otto", "Yk3Boss", "Yk3Before", "Vj5comment"
SECRETS = (*PEOPLE, *MACHINES, OTHER, BOSS, BEFORE, COMMENT)


def collection(name: str) -> Collection:
    """Two topics, two people and three machines; one peer was annotated before."""
    topics = tuple(Topic(one, title=f"Topic {one}") for one in ("T1", "T2"))
    references = {name: f"Rain fell on {name[-1]}. It was cold." for name in PEOPLE}
    summaries = [
        Summary(topic.id, system, text, task="A", kind="human", role="both")
        for topic in topics
        for system, text in references.items()
    ]
    summaries += [
        Summary(topic.id, system, "Rain fell. It was warm.", task="A", kind="machine")
        for topic in topics
        for system in MACHINES
    ]
    pyramid = Pyramid.from_references(
        references, [("Rain fell", {name: ["Rain fell"] for name in references})]
    )
    before = PeerAnnotation(pyramid, "Rain fell. It was warm.", pyramid.scus[:0])
    return Collection(
        name, tasks=(Task("A", title="Summaries"),), topics=topics, summaries=tuple(summaries),
        pyramids={("A", "T1"): pyramid},
        peer_annotations={("A", "T1", MACHINES[0], BEFORE, ""): before},
    )  # fmt: skip


@dataclass
class Blind:
    """A studio in which Ann and others have work."""

    studio: Any
    own: dict[str, list[str]]
    foreign: dict[str, list[str]]

    @property
    def ann(self) -> Any:
        return self.studio.person("Ann")


def blind_studio(studio: Any) -> Blind:
    """Ann and Otto judge, annotate and build; Otto has finished all, Ann nothing."""
    studio.person(BOSS, "organizer")
    with studio.store.write() as session:
        ann, otto = (add_account(session, name, "assessor") for name in ("Ann", OTHER))
        shared = add_evaluation(session, collection("shared"))
        foreign = add_evaluation(session, collection("foreign"))
        for kind in ("judge", "annotate"):
            asked = Asked(kind, ("Ann", OTHER), ("A",), per_topic=2, repeats="2")
            _assigning.write(session, shared, kind, _assigning.planned(session, shared, asked))
        for kind in ("judge", "annotate", "pyramid"):
            asked = Asked(kind, (OTHER,), ("A",))
            _assigning.write(session, foreign, kind, _assigning.planned(session, foreign, asked))
        for topic, name in (("T1", "Ann"), ("T2", OTHER)):
            who = ann if name == "Ann" else otto
            session.add(
                Assignment(
                    evaluation_id=shared.id, account_id=who.id, kind="pyramid", task="A",
                    topic=topic, system="", place=0,
                )
            )  # fmt: skip
        for evaluation in (shared, foreign):
            for topic in ("T1", "T2"):
                open_board(session, evaluation, "A", topic)
        _finish(session, otto)
        session.flush()
        return Blind(studio, _tokens(session, ann, shared), _tokens(session, otto, foreign))


def _finish(session, otto: Account) -> None:
    for item in session.query(Assignment).filter_by(account_id=otto.id):
        score = {"measure": "responsiveness", "value": 5, "guideline": 1}
        said = [("score", score), ("comment", {"text": COMMENT}), ("submit", {})]
        session.add_all(
            Event(
                assignment_id=item.id, account_id=otto.id, key=f"{item.id}-{kind}", kind=kind,
                data=data,
            )
            for kind, data in said
        )  # fmt: skip


def _tokens(session, person: Account, evaluation: Evaluation) -> dict[str, list[str]]:
    items = session.query(Assignment).filter_by(account_id=person.id, evaluation_id=evaluation.id)
    boards = session.query(BoardRow).filter_by(evaluation_id=evaluation.id)
    return {
        "evaluation": [evaluation.token],
        "item": [one.token for one in items if one.kind == "judge"],
        "sheet": [one.token for one in items if one.kind == "annotate"],
        "pyramid": [one.token for one in items if one.kind == "pyramid"],
        "board": [one.token for one in boards],
    }
