"""Sharing work out: properties that every plan has."""

import json
import time
import warnings
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import DataWarning, InputError
from pyramidion.studio._demo import add_samples, demo_collection
from pyramidion.studio._plan import Item, PlanOptions, PriorAssignments, plan, spread
from pyramidion.studio._store import Evaluation

PEOPLE = ("Ann", "Bob", "Cy", "Di", "Ed")


@st.composite
def evaluations(draw):
    """Some topics of some categories with the same systems, some of which say the same."""
    categories = draw(st.lists(st.sampled_from("1234"), min_size=1, max_size=14))
    tasks = draw(st.sampled_from([("",), ("A", "B"), ("2", "1")]))
    systems = draw(st.integers(1, 8))
    texts = draw(st.lists(st.integers(0, 9), min_size=systems, max_size=systems))
    return [
        Item(task, f"T{number}", str(system), category, texts[system])
        for number, category in enumerate(categories)
        for task in tasks
        for system in range(systems)
    ]


plan_options = st.builds(
    PlanOptions,
    per_topic=st.integers(1, 3),
    repeats=st.integers(0, 4),
    repeated_share=st.sampled_from([0.0, 0.1, 0.5]),
    mixed=st.booleans(),
    seed=st.integers(0, 5),
)
people = st.integers(3, 5).map(lambda number: PEOPLE[:number])


def as_prior(planned, before=None):
    """What a plan leaves behind when it is written."""
    before = before or PriorAssignments()
    names = {*before.items, *(entry.assessor for entry in planned)}
    items = {
        name: before.items.get(name, frozenset())
        | {(*entry.item.pair, entry.item.system) for entry in planned if entry.assessor == name}
        for name in names
    }
    last = dict(before.next_position)
    for entry in planned:
        last[entry.assessor] = max(last.get(entry.assessor, 0), entry.position + 1)
    return PriorAssignments(items, last)


def spans(counts, names):
    values = [counts[name] for name in names]
    return max(values) - min(values)


@given(evaluations(), people, plan_options)
def test_every_summary_goes_to_as_many_people_as_asked(items, names, options):
    planned = plan(items, names, options)
    firsts = [(entry.item, entry.assessor) for entry in planned if entry.occasion == 0]
    assert len(set(firsts)) == len(firsts)
    assert Counter(item for item, _ in firsts) == dict.fromkeys(items, options.per_topic)
    # All summaries of a topic, of all tasks, go to the same people.
    owners = {item.topic: set() for item in items}
    for item, name in firsts:
        owners[item.topic].add(name)
    assert {len(names) for names in owners.values()} == {options.per_topic}


@given(evaluations(), people, plan_options)
def test_work_is_balanced_over_categories_and_people(items, names, options):
    planned = plan(items, names, options)
    topics = {(entry.assessor, entry.item.topic, entry.item.category) for entry in planned}
    for category in {item.category for item in items}:
        assert spans(Counter(n for n, _, c in topics if c == category), names) <= 1
    assert spans(Counter(name for name, _, _ in topics), names) <= 2


@given(evaluations(), people, plan_options)
def test_positions_are_consecutive_and_repeats_come_far_behind(items, names, options):
    planned = plan(items, names, options)
    for name in names:
        order = [entry for entry in planned if entry.assessor == name]
        assert [entry.position for entry in order] == list(range(len(order)))
        first = {entry.item: entry.position for entry in order if entry.occasion == 0}
        again = {entry.item: entry.position for entry in order if entry.occasion == 1}
        assert len(first) + len(again) == len(order)
        assert len(again) <= max(options.repeats, round(options.repeated_share * len(first)))
        for item, position in again.items():
            assert position - first[item] >= len(first) // 2


@given(evaluations(), people, plan_options)
def test_topics_are_finished_one_after_the_other(items, names, options):
    planned = plan(items, names, replace(options, mixed=False, repeats=0, repeated_share=0))
    for name in names:
        order = [entry.item for entry in planned if entry.assessor == name]
        blocks = [
            item.pair for n, item in enumerate(order) if n == 0 or order[n - 1].pair != item.pair
        ]
        assert len(blocks) == len(set(blocks))
        tasks = list(dict.fromkeys(item.task for item in items))
        assert [task for task, _ in blocks] == tasks * len({topic for _, topic in blocks})


@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.integers(0, 9))
def test_summaries_that_say_the_same_are_far_apart(texts, seed):
    items = [Item("", "T", str(n), content=text) for n, text in enumerate(texts)]
    order = [item.content for item in spread(items, Random(seed))]
    assert Counter(order) == Counter(texts)
    sizes = Counter(texts)
    for text, size in sizes.items():
        places = [index for index, content in enumerate(order) if content == text]
        classes = len(set(sizes.values()))
        for earlier, later in pairwise(places):
            assert later - earlier >= len(texts) / size - classes


@given(evaluations(), people, plan_options)
def test_the_same_seed_gives_the_same_plan_and_another_one_another_order(items, names, options):
    assert plan(items, names, options) == plan(items, names, options)
    orders = {
        tuple(entry.item for entry in plan(items, names, replace(options, seed=seed)))
        for seed in range(8)
    }
    assert len(orders) > 1 or len(items) < 4


@given(evaluations(), people, plan_options)
def test_what_is_assigned_stays_and_only_what_lacks_is_added(items, names, options):
    before = as_prior(plan(items, names[:-1], replace(options, per_topic=1)))
    added = plan(items, names, options, before)
    for entry in added:
        assert (*entry.item.pair, entry.item.system) not in before.items.get(entry.assessor, ())
        assert entry.position >= before.next_position.get(entry.assessor, 0)
    after = as_prior(added, before)
    have = Counter(key for keys in after.items.values() for key in keys)
    assert set(have.values()) == {options.per_topic}
    assert plan(items, names, options, after) == []


def test_orders_of_two_people_differ():
    items = [Item("", "T", str(n)) for n in range(12)]
    planned = plan(items, ("Ann", "Bob"), PlanOptions(per_topic=2))
    orders = [
        [entry.item.system for entry in planned if entry.assessor == n] for n in ("Ann", "Bob")
    ]
    assert orders[0] != orders[1]


def test_company_changes():
    items = [Item("", f"T{n}", "1") for n in range(12)]
    planned = plan(items, PEOPLE[:4], PlanOptions(per_topic=2))
    pairs = Counter(
        tuple(sorted(entry.assessor for entry in planned if entry.item.topic == f"T{n}"))
        for n in range(12)
    )
    assert len(pairs) == 6  # so that everybody can be compared with everybody


def test_more_for_a_topic_than_there_are_people():
    with pytest.raises(InputError, match="3 for each topic, but 2 people are chosen"):
        plan([Item("", "T", "1")], ("Ann", "Bob"), PlanOptions(per_topic=3))


def test_who_has_a_part_of_a_topic_gets_the_rest():
    items = [Item("", "T", str(n)) for n in range(6)]
    before = as_prior(plan(items[:4], PEOPLE, PlanOptions()))
    (owner,) = before.items
    added = plan(items, PEOPLE, PlanOptions(), before)
    assert {(entry.assessor, entry.item.system, entry.position) for entry in added} == {
        (owner, entry.item.system, position) for entry, position in zip(added, (4, 5), strict=True)
    }
    assert {entry.item.system for entry in added} == {"4", "5"}


def test_the_demonstration_has_two_people_with_some_finished_work(studio):
    """Each judged 30 summaries, the last of them not submitted, and annotated two."""
    token = studio.evaluation(demo_collection())
    with studio.store.write() as session:
        evaluation = session.query(Evaluation).filter_by(token=token).one()
        assert [person.name for person in add_samples(session, evaluation)] == ["Kim", "Lee"]
    rows = studio.rows("events", "account_id, assignment_id, kind, data, at")
    kinds = Counter((account, kind) for account, _, kind, _, _ in rows)
    for account in {row[0] for row in rows}:
        counts = [kinds[account, kind] for kind in ("score", "comment", "time", "submit")]
        assert counts == [60, 1, 30, 29 + 2]
        times = sorted({at for who, _, kind, _, at in rows if (who, kind) == (account, "time")})
        # Three minutes apart; the first item has a comment, which takes a second.
        assert {round(b - a) for a, b in pairwise(times[1:])} == {180}
        assert 86_400 < time.time() - times[0] < 3 * 86_400
    data = [json.loads(row[3]) if isinstance(row[3], str) else row[3] for row in rows]
    values = Counter(payload["value"] for payload in data if "value" in payload)
    assert values.total() == 120
    assert set(values) <= {1, 2, 3, 4, 5}
    assert {payload["seconds"] for payload in data if "seconds" in payload} == {
        60.0 + number for number in range(30)
    }
    with warnings.catch_warnings():
        # Which summaries were judged is random: systems may lack topics, two people may agree.
        warnings.simplefilter("ignore", DataWarning)
        annotated = studio.collection(token).peer_annotations
    assert Counter(key[3] for key in annotated) == {"Kim": 2, "Lee": 2}
