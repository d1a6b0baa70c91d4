"""An evaluation that assessors judge, for tests: what is assigned, and what is sent."""

from itertools import count

from pyramidion.demo import load_demo
from pyramidion.studio._evaluations import Settings, add_evaluation
from pyramidion.studio._store import Account, Assignment, Evaluation

_KEYS = count()


def add_work(session, names, *, items=4, settings=None, collection=None):
    """Store the demo, and assign its first references to each of the people, in this order.

    The last item of each is a planted repeat of the first.
    """
    demo = collection or load_demo()
    evaluation = add_evaluation(session, demo, name="Demo", settings=settings)
    summaries = [one for one in demo.summaries if one.is_reference][: items - 1]
    for name in names:
        account = session.query(Account).filter_by(name=name).one()
        for place, one in enumerate([*summaries, summaries[0]]):
            session.add(
                Assignment(
                    evaluation_id=evaluation.id, account_id=account.id, kind="judge",
                    task=one.task, topic=one.topic, system=one.system, place=place,
                    occasion=int(place == len(summaries)),
                )
            )  # fmt: skip
    session.flush()
    return evaluation.token


def close(session, token, *, is_open=False):
    """Close an evaluation, or open it again."""
    evaluation = session.query(Evaluation).filter_by(token=token).one()
    evaluation.settings = {**Settings.of(evaluation).to_json(), "is_open": is_open}


def event(item, kind, *, key="", **data):
    """Make an event as a browser sends it; each has another key."""
    return {"key": key or f"test-key-{next(_KEYS):06}", "item": item, "kind": kind, **data}


def score(item, measure, value, **more):
    return event(item, "score", measure=measure, value=value, **more)
