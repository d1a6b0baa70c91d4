"""What there is to find by similarity: content units of pyramids or lists, in which summaries."""

from collections.abc import Collection as Names
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from pyramidion.collection import Collection, Pyramid
from pyramidion.collection.ids import natural_order
from pyramidion.collection.problems import address_name
from pyramidion.errors import InputError
from pyramidion.pyramid._topics import placed_words, require_known
from pyramidion.pyramid._units import TopicUnits, all_units, reference_writers

#: Task, topic.
_Address = tuple[str, str]


@dataclass(frozen=True, slots=True)
class UnitsToFind:
    """Content units of a topic, and the summaries they are to be found in."""

    task: str
    topic: str
    units: TopicUnits
    pyramid: Pyramid | None = None
    references: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The topic and task in words, for messages."""
        return address_name(self.task, self.topic)

    @property
    def most(self) -> int:
        """The most that as many units can weigh as a reference has; 0 if it has none."""
        weighing = self.units.weighing
        return weighing.most(weighing.size) if weighing.units else 0


def gather_units(
    collection: Collection, *, topics: Names[str] = (), tasks: Names[str] = ()
) -> list[UnitsToFind]:
    """Gather the content units of each topic, and its peers."""
    pyramids = dict(collection.pyramids)
    for (task, topic, _), peer in collection.peer_annotations.items():
        pyramids.setdefault((task, topic), peer.pyramid)
    units = {key: TopicUnits.of(pyramid) for key, pyramid in pyramids.items()}
    units = all_units(collection) | units
    if not units:
        raise InputError(
            f"there are no pyramids in {collection.name}",
            hint="add .pyr files, or make some with `pyramidion pyramid auto build`",
        )
    require_known("topic", topics, {topic for _, topic in units})
    require_known("task", tasks, {task for task, _ in units})
    references, peers = _texts(collection)
    wanted = (
        (task, topic)
        for task, topic in sorted(units, key=lambda key: tuple(map(natural_order, reversed(key))))
        if topic in (topics or (topic,)) and task in (tasks or (task,))
    )
    return [
        _checked(
            UnitsToFind(
                *key, units[key], pyramids.get(key), references.get(key, {}), peers.get(key, {})
            )
        )
        for key in wanted
    ]


def _texts(
    collection: Collection,
) -> tuple[dict[_Address, dict[str, str]], dict[_Address, dict[str, str]]]:
    """Give references and peers by topic and system; an annotated peer in its annotated form."""
    references: dict[_Address, dict[str, str]] = {}
    peers: dict[_Address, dict[str, str]] = {}
    for summary in collection.summaries:
        for wanted, texts in ((summary.is_reference, references), (summary.is_peer, peers)):
            if wanted:
                here = texts.setdefault((summary.task, summary.topic), {})
                here[summary.system] = summary.plain
    for (task, topic, system), peer in collection.peer_annotations.items():
        peers.setdefault((task, topic), {})[system] = peer.text
    return references, peers


def _checked(place: UnitsToFind) -> UnitsToFind:
    """Drop writers of references, whose own words the units are, and say what is odd."""
    writers = place.references if place.pyramid is None else reference_writers(place.pyramid)
    texts = {system: text for system, text in place.texts.items() if system not in writers}
    kept = replace(place, texts=texts if place.most else {})
    return replace(kept, left_out=tuple(_oddities(place, texts)))


def _oddities(place: UnitsToFind, texts: Mapping[str, str]) -> Iterator[str]:
    if not place.most:
        yield f"{place.name}: it has too few content units to score by"
    for system, text in texts.items():
        if not placed_words(text):
            yield f"{place.name}, {system}: the summary has no words, so nothing is found in it"
