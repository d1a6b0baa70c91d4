"""What an evaluation gives: the collection as it stands now."""

from dataclasses import replace

from pyramidion.collection import Collection, Judgment, Scores, Summary, Topic
from pyramidion.studio._accounts import add_account
from pyramidion.studio._evaluations import add_evaluation
from pyramidion.studio._exports import current_collection
from pyramidion.studio._store import Assignment, Event

SMALL = Collection(
    "small",
    topics=(Topic("T1"), Topic("T2")),
    summaries=(
        Summary("T1", "A", "Rain fell.", kind="human"),
        Summary("T1", "7", "It rained."),
        Summary("T2", "7", "The sun came out."),
    ),
)


def judged(session, evaluation, assessor="Ann", *, occasion=0, submit=True, value=4):
    """Let a new assessor judge one summary."""
    account = add_account(session, assessor, "assessor")
    item = Assignment(
        evaluation_id=evaluation.id, account_id=account.id, kind="judge", task="", topic="T1",
        system="A", occasion=occasion, place=0,
    )  # fmt: skip
    session.add(item)
    session.flush()
    events = [("score", {"measure": "responsiveness", "value": value, "guideline": 1})]
    for number, (kind, data) in enumerate(events + [("submit", {})] * submit):
        event = Event(
            assignment_id=item.id, account_id=account.id, key=str(number), kind=kind, data=data,
            at=1000.5,
        )  # fmt: skip
        session.add(event)
    session.flush()


def test_the_collection_holds_what_was_submitted(studio):
    with studio.store.write() as session:
        evaluation = add_evaluation(session, SMALL)
        judged(session, evaluation)
        judged(session, evaluation, "Bob", submit=False)
        judged(session, evaluation, "Cy", occasion=1, value=2)
        now = current_collection(session, evaluation)
    assert [(row.assessor, row.value, row.occasion, row.kind, row.time) for row in now.scores] == [
        ("Ann", 4.0, "", "human", "1970-01-01T00:16:40.500+00:00"),
        ("Cy", 2.0, "1", "human", "1970-01-01T00:16:40.500+00:00"),
    ]
    assert now.scales["responsiveness"].high == 5
    assert now.summaries == SMALL.summaries


def test_who_judged_before_the_import_judges_again(studio):
    before = Judgment("T1", "A", "responsiveness", 1.0, kind="human", assessor="Ann", time="7")
    imported = replace(SMALL, scores=Scores.from_judgments([before]))
    with studio.store.write() as session:
        evaluation = add_evaluation(session, imported)
        judged(session, evaluation)
        now = current_collection(session, evaluation)
    # Times are numbers already, so they stay numbers.
    assert [(row.value, row.occasion, row.time) for row in now.scores] == [
        (1.0, "", "7"),
        (4.0, "1", "1000.5"),
    ]
