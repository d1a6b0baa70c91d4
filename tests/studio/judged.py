"""An evaluation that assessors judge, for tests: what is assigned, and what is sent."""

from itertools import count

from pyramidion.demo import load_demo

_KEYS = count()


def add_work(studio, names, *, items=4, collection=None):
    """Import the demo and assign its first references to each of the people, in this order.

    The last item of each person repeats the first.
    """
    collection = collection or load_demo()
    token = studio.evaluation(collection, name="Demo")
    summaries = [summary for summary in collection.summaries if summary.is_reference][: items - 1]
    for name in names:
        for number, summary in enumerate([*summaries, summaries[0]]):
            studio.assign(
                token, name, summary.topic, summary.system, task=summary.task,
                occasion=int(number == len(summaries)),
            )  # fmt: skip
    return token


def event(item, kind, *, key="", **data):
    """Make an event as a browser sends it, with a new key."""
    return {"key": key or f"test-key-{next(_KEYS):06}", "item": item, "kind": kind, **data}


def score(item, measure, value, **fields):
    return event(item, "score", measure=measure, value=value, **fields)


def send(browser, token, *events):
    return browser.post(f"/api/judge/{token}/events", json={"events": events})


def items_of(browser, token):
    return browser.get(f"/api/judge/{token}").json()["items"]


def judge(studio, token, name, item, *, submit=True, **scores):
    """Let a person score an item that is assigned to them, and submit it."""
    events = [score(item, measure, value) for measure, value in scores.items()]
    answer = send(studio.person(name), token, *events, *[event(item, "submit")] * submit)
    assert answer.status_code == 200, answer.text
