"""Pyramids of a collection, and the summaries to annotate with them."""

import re
import unicodedata
from collections.abc import Collection as Names
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, NamedTuple

from pyramidion.checks.structure import differing_units
from pyramidion.collection import Collection, PeerAnnotation, Pyramid
from pyramidion.collection.findings import address_name
from pyramidion.collection.ids import grouped, natural_order, natural_orders
from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid.content_units import NO_UNITS, reference_writers
from pyramidion.text import tokenize

_ASCII_WORD = re.compile("[A-Za-z0-9]+")
_CHUNK = re.compile(r"\S+")


class PlacedWord(NamedTuple):
    """A word in lower case, and its position in the text (end exclusive)."""

    text: str
    start: int
    end: int


def locate_words(text: str) -> list[PlacedWord]:
    """Find the words of a text."""
    if text.isascii():
        return list(_ascii_words(text, 0))
    placed_words_found: list[PlacedWord] = []
    for chunk in _CHUNK.finditer(text):
        token, offset = chunk.group(), chunk.start()
        if token.isascii():
            placed_words_found += _ascii_words(token, offset)
        else:
            for start, end in _stretches(token):
                words = tokenize(token[start:end], "unicode")
                placed_words_found += (
                    PlacedWord(word, offset + start, offset + end) for word in words
                )
    return placed_words_found


def _ascii_words(text: str, offset: int) -> Iterator[PlacedWord]:
    for match in _ASCII_WORD.finditer(text):
        yield PlacedWord(match.group().lower(), offset + match.start(), offset + match.end())


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Find where words begin and end, character by character."""
    start = end = -1
    is_isolated = False
    for index, character in enumerate(text):
        role = _character_role(character)
        if role == "mark" and start >= 0:
            end = index + 1
        if role in ("mark", "nothing"):
            continue
        if start >= 0 and (is_isolated or role != "letter"):
            yield start, end
            start = -1
        if role != "blank":
            start, end = (index if start < 0 else start), index + 1
            is_isolated = role == "alone"
    if start >= 0:
        yield start, end


@cache
def _character_role(character: str) -> Literal["letter", "alone", "mark", "blank", "nothing"]:
    """Find out from the tokenizer what a character does between two letters."""
    if unicodedata.category(character) in ("Mn", "Mc") and not tokenize(character, "unicode"):
        return "mark"
    words = tokenize(f"a{character}a", "unicode")
    if words == ["aa"]:
        return "nothing"
    if words == ["a", "a"]:
        return "blank"
    return "alone" if len(words) > 2 and words[0] == "a" else "letter"


def without_zero_uid(pyramid: Pyramid) -> tuple[Pyramid, list[str]]:
    """Rename a content unit whose uid, 0, means content outside the pyramid in annotations."""
    uids = {scu.uid for scu in pyramid.scus}
    if NOT_IN_PYRAMID not in uids:
        return pyramid, []
    new_uid = next(str(number) for number in range(1, len(uids) + 2) if str(number) not in uids)
    scus = (replace(s, uid=new_uid) if s.uid == NOT_IN_PYRAMID else s for s in pyramid.scus)
    note = f"SCU {NOT_IN_PYRAMID} is called {new_uid} in annotations, where 0 is unmatched content"
    return replace(pyramid, scus=tuple(scus)), [note]


@dataclass(frozen=True, slots=True)
class TopicSummaries:
    """A pyramid, and the summaries to annotate with it."""

    task: str
    topic: str
    pyramid: Pyramid
    peers: Mapping[str, PeerAnnotation] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Topic and task, for messages."""
        return address_name(self.task, self.topic)


def gather_topics(
    collection: Collection, *, topics: Names[str] = (), tasks: Names[str] = ()
) -> list[TopicSummaries]:
    """Return each topic with a pyramid, and its summaries except those of reference writers."""
    pyramids, texts = every_pyramid(collection), summary_texts(collection)
    if not pyramids:
        hint = "add .pyr files, or make some with `pyramidion pyramid auto build`"
        raise InputError(f"there are no pyramids in {collection.name}", hint)
    peers = grouped((key[:2], (key, peer)) for key, peer in collection.peer_annotations.items())
    return [
        _topic(key, pyramids[key], dict(peers.get(key, ())), texts.get(key, {}))
        for key in chosen_addresses(pyramids, topics, tasks)
    ]


def summary_texts(
    collection: Collection, *, references: bool = False
) -> dict[tuple[str, str], dict[str, str]]:
    """Return the texts of peers, or of references, by task and topic and then by system."""
    texts_by_topic = grouped(
        ((summary.task, summary.topic), (summary.system, summary.plain))
        for summary in collection.summaries
        if (summary.is_reference if references else summary.is_peer)
    )
    return {key: dict(texts) for key, texts in texts_by_topic.items()}


def every_pyramid(collection: Collection) -> dict[tuple[str, str], Pyramid]:
    """Return the collection's pyramids, and those that only annotated peers have."""
    pyramids = dict(collection.pyramids)
    for (task, topic, *_), peer in collection.peer_annotations.items():
        pyramids.setdefault((task, topic), peer.pyramid)
    return pyramids


def chosen_addresses(
    addresses: Names[tuple[str, str]], topics: Names[str] = (), tasks: Names[str] = ()
) -> list[tuple[str, str]]:
    """Return the chosen (task, topic), all by default, in the natural order of topics."""
    for index, kind, names in ((1, "topic", topics), (0, "task", tasks)):
        available_names = (address[index] for address in addresses)
        require_known(f"there is no pyramid of {kind} {{}}", names, available_names, "none")
    return [
        (task, topic)
        for task, topic in sorted(addresses, key=lambda key: natural_orders(key[::-1]))
        if topic in (topics or (topic,)) and task in (tasks or (task,))
    ]


def require_known(
    message: str,
    names: Iterable[str],
    available_names: Iterable[str],
    empty_text: str = "none with a name",
) -> None:
    """Raise an error for an unknown name, listing the known ones."""
    choices = set(available_names)
    for name in names:
        if name not in choices:
            listing = ", ".join(sorted(filter(None, choices), key=natural_order)) or empty_text
            raise NotFoundError(message.format(repr(name)), hint=f"available: {listing}")


def _topic(
    address: tuple[str, str],
    pyramid: Pyramid,
    annotations: Mapping[tuple[str, ...], PeerAnnotation],
    summary_texts_by_system: Mapping[str, str],
) -> TopicSummaries:
    name = address_name(*address)
    left_out = list(note_several_annotations(annotations))
    if not pyramid.membership.any():
        left_out.append(f"{name}: {NO_UNITS}")
    # The first of several annotations of a summary is used.
    peers_by_system: dict[str, PeerAnnotation] = {}
    for key, peer in annotations.items():
        peers_by_system.setdefault(key[2], peer)
    peers = {}
    differing_peers = []
    for system, peer in peers_by_system.items():
        if reason := unknown_unit(peer, pyramid):
            left_out.append(f"{name}, {system}: annotated with another pyramid; {reason}")
            continue
        peers[system] = peer
        if uids := differing_units(peer.pyramid, pyramid):
            unit_names = f"SCU {uids[0]}" + (f" and {len(uids) - 1} more" if len(uids) > 1 else "")
            reason = f"its own pyramid differs in {unit_names}; the topic's is used"
            differing_peers.append(f"{name}, {system}: {reason}")
    excluded_names = {*reference_writers(pyramid), *peers_by_system}
    texts = {
        system: text
        for system, text in summary_texts_by_system.items()
        if system not in excluded_names
    }
    text_of_system = {system: peer.text for system, peer in peers.items()} | texts
    left_out += [*differing_peers, *note_wordless(name, text_of_system)]
    return TopicSummaries(*address, pyramid, peers, texts, tuple(left_out))


def note_several_annotations(keys: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield notes on summaries of which only the first of several annotations is used."""
    for group in grouped((key[:3], key) for key in keys).values():
        if len(group) > 1:
            name = address_name(*group[0])
            yield f"{name}: the first of {len(group)} annotations is used; choose with --assessor"


def unknown_unit(peer: PeerAnnotation, pyramid: Pyramid) -> str:
    """Describe the first content unit of a peer that is missing or different in the pyramid."""
    units = {scu.uid: scu for scu in pyramid.scus}
    peer_units = {} if peer.pyramid is pyramid else {scu.uid: scu for scu in peer.pyramid.scus}
    for uid in (s.uid for s in peer.scus if s.contributors and s.uid != NOT_IN_PYRAMID):
        if uid not in units:
            return f"this one has no SCU {uid}"
        # A unit that was reworded, or found in one more reference, is still the same.
        if uid in peer_units and units[uid].label != peer_units[uid].label:
            writers = (
                pyramid.references_of(units[uid]),
                peer.pyramid.references_of(peer_units[uid]),
            )
            if writers[0] != writers[1]:
                return f"SCU {uid} differs in this one"
    return ""


def note_wordless(name: str, texts: Mapping[str, str]) -> Iterator[str]:
    """Note which summaries of a topic have no words."""
    for system, text in texts.items():
        if not locate_words(text):
            yield f"{name}, {system}: the summary has no words, so nothing is found in it"


def topic_assessors(collection: Collection) -> dict[tuple[str, str], str]:
    """Return who judged each topic, if it was one person.

    This is the only person who annotated its peers, else the topic's assessor, else the only
    assessor among the scores of its summaries.
    """
    columns = (collection.scores.columns[name] for name in ("task", "topic", "assessor"))
    topic_assessor_pairs = ((row[:2], row[2]) for row in set(zip(*columns, strict=True)) if row[2])
    annotation_assessors = ((key[:2], key[3]) for key in collection.peer_annotations)
    sole_assessors, sole_annotators = (
        {address: names[0] for address, names in grouped(pairs).items() if len({*names}) == 1}
        for pairs in (topic_assessor_pairs, annotation_assessors)
    )
    topic_assessor = {topic.id: topic.assessor for topic in collection.topics if topic.assessor}
    addresses = {
        *sole_assessors,
        *collection.pyramids,
        *(key[:2] for key in collection.peer_annotations),
    }
    assessors_by_topic = {
        address: topic_assessor[address[1]] for address in addresses if address[1] in topic_assessor
    }
    return (
        sole_assessors
        | assessors_by_topic
        | {address: name for address, name in sole_annotators.items() if name}
    )
