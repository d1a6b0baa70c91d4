"""An evaluation in which systems, people and comments have names that occur nowhere else."""

from dataclasses import dataclass
from typing import Any

from pyramidion.collection import Collection, PeerAnnotation, Pyramid, Summary, Task, Topic
from studio.judged import event, score, send

PEOPLE, MACHINES = ("Wq7Ursula", "Wq7Viktor"), ("Xz9lead", "Xz9graph", "Xz9copy")
OTHER, BOSS, BEFORE, COMMENT = "Yk3Otto", "Yk3Boss", "Yk3Before", "Vj5comment"
SECRETS = (*PEOPLE, *MACHINES, OTHER, BOSS, BEFORE, COMMENT)


def collection(name: str) -> Collection:
    """Two topics, two people and three machines; one peer was annotated before."""
    topics = tuple(Topic(id, title=f"Topic {id}") for id in ("T1", "T2"))
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
    """A studio in which Ann and others have work; tokens are listed by what they name."""

    studio: Any
    tokens: dict[str, list[str]]
    foreign: dict[str, list[str]]

    @property
    def ann(self) -> Any:
        return self.studio.person("Ann")


def blind_studio(studio: Any) -> Blind:
    """Ann and Otto judge, annotate and build; Otto has finished everything, Ann nothing."""
    studio.person(BOSS, "organizer")
    shared, foreign = (studio.evaluation(collection(name)) for name in ("shared", "foreign"))
    tokens_of_ann = {"evaluation": [shared], "item": [], "sheet": [], "pyramid": []}
    tokens_of_otto = {"evaluation": [foreign], "item": [], "sheet": [], "pyramid": []}
    systems = (*PEOPLE, *MACHINES)
    for topic in ("T1", "T2"):
        for system in systems:
            tokens_of_ann["item"].append(studio.assign(shared, "Ann", topic, system, task="A"))
            _judge(studio, shared, studio.assign(shared, OTHER, topic, system, task="A"))
            item = studio.assign(foreign, OTHER, topic, system, task="A")
            tokens_of_otto["item"].append(_judge(studio, foreign, item))
            sheet = {"task": "A", "kind": "annotate"}
            tokens_of_ann["sheet"].append(studio.assign(shared, "Ann", topic, system, **sheet))
            for token in (shared, foreign):
                _submit(studio, item := studio.assign(token, OTHER, topic, system, **sheet))
                tokens_of_otto["sheet"] += [item] * (token == foreign)
        repeat = studio.assign(shared, "Ann", topic, systems[0], task="A", occasion=1)
        tokens_of_ann["item"].append(repeat)
    pyramid = {"task": "A", "kind": "pyramid"}
    tokens_of_ann["pyramid"].append(studio.assign(shared, "Ann", "T1", **pyramid))
    studio.assign(shared, OTHER, "T2", **pyramid)
    tokens_of_otto["pyramid"] += [
        studio.assign(foreign, OTHER, topic, **pyramid) for topic in ("T1", "T2")
    ]
    tokens_of_ann["board"] = [studio.board(shared, topic, "A") for topic in ("T1", "T2")]
    tokens_of_otto["board"] = [studio.board(foreign, topic, "A") for topic in ("T1", "T2")]
    return Blind(studio, tokens_of_ann, tokens_of_otto)


def _judge(studio: Any, token: str, item: str) -> str:
    scores = [score(item, measure, 5) for measure in ("responsiveness", "readability")]
    comment = event(item, "comment", text=COMMENT)
    answer = send(studio.person(OTHER), token, *scores, comment, event(item, "submit"))
    assert answer.status_code == 200, answer.text
    return item


def _submit(studio: Any, sheet: str) -> None:
    events = [{"key": sheet, "action": "submit"}]
    answer = studio.person(OTHER).post(f"/api/desks/{sheet}", json={"events": events})
    assert answer.status_code == 200, answer.text
