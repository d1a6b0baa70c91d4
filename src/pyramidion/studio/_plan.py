"""Plans of who judges which items in which order: pure functions of items, people and a seed.

A person gets all summaries of a topic, so that their severity affects all systems alike. Existing
assignments stay as they are.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from random import Random

from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError


@dataclass(frozen=True, slots=True)
class Item:
    """Something to judge; identical summaries have equal `content`."""

    task: str
    topic: str
    system: str
    category: str = ""
    content: object = None

    @property
    def pair(self) -> tuple[str, str]:
        """The task and the topic."""
        return self.task, self.topic


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """An item at a position of somebody's order; a repeat is occasion 1."""

    assessor: str
    item: Item
    occasion: int
    position: int


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """How work is assigned: the number of people per topic or summary, and the order."""

    per_topic: int = 1
    #: How many summaries of the first half of each order are repeated, as a number and as a share
    #: of the person's summaries; the larger one counts.
    repeats: int = 0
    repeated_share: float = 0.0
    #: Whether topics are mixed; otherwise a person finishes one before the next.
    mixed: bool = False
    seed: int = 0
    #: The maximum number of items of a plan for one person, without repeats; 0 for no limit.
    limit: int = 0
    #: The share that this many people get instead, to see how far they agree.
    overlap: float = 0.0
    overlap_people: int = 0
    #: Whether single summaries are assigned; otherwise topics stay whole.
    single: bool = False
    #: Whether more people may come later.
    is_partial: bool = False


@dataclass(frozen=True)
class PriorAssignments:
    """Existing assignments: each person's items and next free position."""

    items: Mapping[str, frozenset[tuple[str, str, str]]] = field(default_factory=dict)
    next_position: Mapping[str, int] = field(default_factory=dict)

    def pairs(self, assessor: str) -> set[tuple[str, str]]:
        """Return a person's tasks and topics."""
        return {(task, topic) for task, topic, _ in self.items.get(assessor, ())}


def plan(
    items: Sequence[Item],
    assessors: Sequence[str],
    wish: PlanOptions,
    prior: PriorAssignments | None = None,
) -> list[PlannedItem]:
    """Assign items to people and order them; the same arguments give the same plan."""
    prior = prior or PriorAssignments()
    people_per_topic = max(wish.per_topic, wish.overlap_people)
    if not 1 <= people_per_topic <= max(len(assessors), wish.is_partial * people_per_topic):
        message = f"{people_per_topic} for each topic, but {len(assessors)} people are chosen"
        raise InputError(message, hint="choose more people, or fewer for each topic")
    shares = _shares(items, assessors, wish, prior)
    tasks = list(dict.fromkeys(item.task for item in items))
    return [
        PlannedItem(name, item, occasion, prior.next_position.get(name, 0) + index)
        for name in assessors
        for index, (item, occasion) in enumerate(_order_items(shares[name], wish, name, tasks))
    ]


#: A task and a topic, and a system if single summaries are assigned.
Unit = tuple[str, ...]


def _units(items: Sequence[Item], wish: PlanOptions) -> dict[Unit, list[Item]]:
    """Return what is assigned as a whole, in random order: topics with all their tasks."""
    random_generator = Random(f"{wish.seed} units")  # noqa: S311
    # Categories one after the other are balanced best; a limit would drop the last ones.
    category = {item.topic: "" if wish.limit else item.category for item in items}
    turn = {topic: (category[topic], random_generator.random()) for topic in category}
    units = grouped(((*i.pair, i.system) if wish.single else i.pair, i) for i in items)
    random_order = {unit: random_generator.random() * wish.single for unit in units}
    return {
        u: units[u] for u in sorted(units, key=lambda unit: (turn[unit[1]], random_order[unit]))
    }


def _needs(units: Iterable[Unit], wish: PlanOptions) -> dict[Unit, int]:
    """Return the number of people per unit; the overlap is spread evenly over the systems."""
    random_generator = Random(f"{wish.seed} overlap")  # noqa: S311
    strata = grouped((unit[2:], unit) for unit in units)
    offset = random_generator.random()
    needs: dict[Unit, int] = {}
    for number, stratum in enumerate(strata.values()):
        start = (number + offset) / len(strata)
        for index, unit in enumerate(stratum):
            is_shared = int((index + 1) * wish.overlap + start) > int(index * wish.overlap + start)
            needs[unit] = max(wish.per_topic, wish.overlap_people * is_shared)
    return needs


def _shares(
    items: Sequence[Item], assessors: Sequence[str], wish: PlanOptions, prior: PriorAssignments
) -> dict[str, list[Item]]:
    """Return each person's items, unordered."""
    random_generator = Random(f"{wish.seed} shares")  # noqa: S311
    loads = _Loads(prior, {item.topic: item.category for item in items}, assigns_once=wish.single)
    units = _units(items, wish)
    needs = _needs(units, wish)
    shares: dict[str, list[Item]] = {name: [] for name in assessors}
    for unit, members in units.items():
        keys = {(*item.pair, item.system) for item in members}
        holders = [name for name, assigned_keys in prior.items.items() if assigned_keys & keys]
        new_assessors: list[str] = []
        while len(new_assessors) + len(holders) < needs[unit]:
            available_people = [
                name for name in assessors if name not in (*new_assessors, *holders)
                and (not wish.limit or len(shares[name]) + len(members) <= wish.limit)
            ]  # fmt: skip
            if not available_people:
                break
            people = (*new_assessors, *holders)
            ranks = {
                name: (*loads.rank(name, unit, people), random_generator.random())
                for name in available_people
            }
            new_assessors.append(min(available_people, key=ranks.__getitem__))
        for name in (*new_assessors, *(other for other in holders if other in shares)):
            assigned_keys = prior.items.get(name, ())
            shares[name] += [i for i in members if (*i.pair, i.system) not in assigned_keys]
        loads.add(unit, new_assessors, holders, len(members))
    return shares


class _Loads:
    """The workload of each person: topics by category, summaries by system, and shared topics."""

    def __init__(
        self, prior: PriorAssignments, category: Mapping[str, str], *, assigns_once: bool
    ) -> None:
        self._category, self._single = category, assigns_once
        self._topics = {(name, topic) for name in prior.items for _, topic in prior.pairs(name)}
        self._by_category = Counter((name, category.get(topic)) for name, topic in self._topics)
        self._summaries = Counter({name: len(items) for name, items in prior.items.items()})
        self._by_system = Counter(
            (name, system) for name, items in prior.items.items() for _, _, system in items
        )
        self._together: Counter[frozenset[str]] = Counter()

    def rank(self, name: str, unit: Unit, partners: Iterable[str]) -> tuple[int, ...]:
        """Rank people for a unit.

        A topic goes to those who know it, have little work, or new partners; a summary to those who
        have seen its system least.
        """
        topic = unit[1]
        company = sum(self._together[frozenset((name, other))] for other in partners)
        if self._single:
            return self._by_system[name, unit[2]], self._summaries[name], company
        topics_in_category = self._by_category[name, self._category[topic]]
        is_new = (name, topic) not in self._topics
        return is_new, topics_in_category, self._summaries[name], company

    def add(self, unit: Unit, names: list[str], holders: list[str], summaries: int) -> None:
        """Count a unit assigned to people."""
        for number, name in enumerate(names):
            self._summaries[name] += summaries
            self._by_system[name, unit[-1]] += self._single
            if (name, unit[1]) not in self._topics:
                self._topics.add((name, unit[1]))
                self._by_category[name, self._category[unit[1]]] += 1
            self._together.update(frozenset((name, other)) for other in (*names[:number], *holders))


def _order_items(
    items: list[Item], wish: PlanOptions, name: str, tasks: list[str]
) -> list[tuple[Item, int]]:
    """Order a person's items, and repeat some of the first half much later."""
    random_generator = Random(f"{wish.seed} order of {name}")  # noqa: S311
    order = (
        spread(items, random_generator)
        if wish.mixed
        else list(_by_topic(items, tasks, random_generator))
    )
    counts = Counter(_identity(item) for item in order)
    # Identical summaries are judged twice anyway; a third time would come too soon.
    first_half = [index for index in range(len(order) // 2) if counts[_identity(order[index])] == 1]
    number = max(wish.repeats, round(wish.repeated_share * len(order)))
    repeated_indices = sorted(random_generator.sample(first_half, min(number, len(first_half))))
    first_round = [(index, item, 0) for index, item in enumerate(order)]
    # Half the list later; at the end if topics are kept together.
    distance = len(order) / 2 + 0.5 if wish.mixed else len(order)
    repeats = [(index + distance, order[index], 1) for index in repeated_indices]
    merged_entries = sorted((*first_round, *repeats), key=lambda entry: entry[0])
    return [(item, occasion) for _, item, occasion in merged_entries]


def _by_topic(items: list[Item], tasks: list[str], random_generator: Random) -> Iterator[Item]:
    """Order topics at random, with the tasks of each in their order: updates come last."""
    turn = {
        topic: random_generator.random() for topic in dict.fromkeys(item.topic for item in items)
    }
    placed_items = sorted(items, key=lambda item: (turn[item.topic], tasks.index(item.task)))
    for _, group in groupby(placed_items, key=lambda item: item.pair):
        yield from spread(list(group), random_generator)


def _identity(item: Item) -> object:
    # An item without content is unique.
    return (*item.pair, item.content if item.content is not None else item)


def spread(items: Sequence[Item], random_generator: Random) -> list[Item]:
    """Order items at random, with equal content as far apart as possible."""
    # Members of a group of n are 1/n of the order apart. Groups of one size are spaced evenly, so
    # that 1/n of everything else lies between two members.
    groups = grouped((_identity(item), item) for item in random_generator.sample(items, len(items)))
    placed_items: list[tuple[float, float, Item]] = []
    for size, same_size in groupby(sorted(groups.values(), key=len), key=len):
        equal_items = list(same_size)
        start = random_generator.random()
        for number, group in enumerate(equal_items):
            offset = (number + start) / (len(equal_items) * size)
            placed_items += [
                (offset + n / size, random_generator.random(), item) for n, item in enumerate(group)
            ]
    return [item for *_, item in sorted(placed_items, key=lambda entry: entry[:2])]
