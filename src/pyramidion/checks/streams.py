"""Check a stream in one pass, in any order and split into any parts.

Memory: 8 bytes per summary (a hash of its task, topic and system), about 35 per topic (hashes of
its name and its references, flags, and the compressed name), a few numbers per system, and the
texts of some topics (`TextSample`).
"""

import json
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain, count, islice
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Ints
from pyramidion.checks._gathered import TextSample, one_line
from pyramidion.checks._scores import spelled_twice
from pyramidion.checks._texts import equal_to_references, findings_of_texts
from pyramidion.checks.structure import empty_summary, missing_summaries
from pyramidion.collection.findings import Finding, address_name
from pyramidion.collection.ids import brief_list, natural_order, natural_orders
from pyramidion.collection.stream import StreamItem, plain_text
from pyramidion.errors import FormatError, Where

_HashKeys = npt.NDArray[np.uint64]
_Rows = npt.NDArray[Any]
_Hashes = npt.NDArray[np.uint32]
_Flags = npt.NDArray[np.uint8]

# Of a topic: the lowest and highest hash of its references (equal unless these differ; without
# those of people), the number of its task, and flags.
_ROW_TYPE = np.dtype([("low", "<u4"), ("high", "<u4"), ("task", "<u4"), ("flags", "u1")])
_COMBINERS = {"low": np.minimum, "high": np.maximum, "flags": np.bitwise_or}
_HAS_MACHINE, _HAS_EMPTY_REFERENCE = 1, 2

# Distinguishes the hash of a system from that of a topic of the same name.
_SYSTEM_MARK = b"system"

# Number of topics kept by name.
_MAX_RECENT_TOPICS = 2**14

# How many topics are looked up to name one, and for how many systems missing topics are named.
_MAX_NAMED_TOPICS, _MAX_NAMED_SYSTEMS = 100, 20

# Findings about texts that are counted in all of them, not in a sample.
_COUNTED_KINDS = {"system equal to a reference", "references among the summaries"}

_OWN_REFERENCES = "its records have different ones; each summary is scored against its own"


@dataclass(slots=True)
class _SystemCounts:
    """Counts of a system in a task, each with an example topic."""

    key: int
    summaries: int = 0
    empty: int = 0
    empty_topic: str = ""
    copies: int = 0
    copied_topic: str = ""

    def add(self, other: "_SystemCounts") -> None:
        """Add the counts of another part."""
        self.summaries += other.summaries
        self.add_empty(other.empty_topic, other.empty)
        self.add_copy(other.copied_topic, other.copies)

    def add_empty(self, topic: str, number: int = 1) -> None:
        """Count empty summaries."""
        self.empty += number
        self.empty_topic = _choose_example(self.empty_topic, topic)

    def add_copy(self, topic: str, number: int = 1) -> None:
        """Count summaries that are references."""
        self.copies += number
        self.copied_topic = _choose_example(self.copied_topic, topic)


_SYSTEM_COUNTS = attrgetter("summaries", "empty", "empty_topic", "copies", "copied_topic")


def _choose_example(topic: str, other: str) -> str:
    """Choose one of two topics, independent of their order; ignore empty names."""
    if not (topic and other):
        return topic or other
    return min(topic, other, key=lambda name: (len(name), name))


def _find_keys(run: _HashKeys, keys: _HashKeys) -> tuple[Bools, Ints]:
    """Return which keys are in a sorted run, and their indices in it."""
    indices = np.minimum(np.searchsorted(run, keys), len(run) - 1)
    return run[indices] == keys, indices


class SortedKeys:
    """Hashes in sorted runs, each much shorter than the one before."""

    def __init__(self) -> None:
        self.runs: list[_HashKeys] = []

    def holds(self, keys: _HashKeys) -> Bools:
        """Return which hashes are present."""
        is_present = np.zeros(len(keys), dtype=bool)
        for run in self.runs:
            is_present |= _find_keys(run, keys)[0]
        return is_present

    def add(self, keys: _HashKeys) -> None:
        """Add sorted hashes."""
        self.runs.append(keys)
        while len(self.runs) > 1 and len(self.runs[-2]) < 8 * len(self.runs[-1]):
            self.runs[-2:] = [_sort_runs(self.runs[-2:])]

    def add_new(self, keys: _HashKeys) -> list[int]:
        """Add hashes in any order; return the indices of those that are new."""
        distinct_keys, indices = np.unique(keys, return_index=True)
        is_new = ~self.holds(distinct_keys)
        if is_new.any():
            self.add(distinct_keys[is_new])
        return sorted(indices[is_new].tolist())

    def all(self) -> _HashKeys:
        """Return all hashes in order."""
        return _sort_runs(self.runs)


def _sort_runs(runs: Sequence[_HashKeys]) -> _HashKeys:
    return np.sort(np.concatenate([np.zeros(0, np.uint64), *runs]), kind="stable")


class _TopicStore:
    """Topics: those of the last batches by name, earlier ones by hash."""

    def __init__(self) -> None:
        self.tasks: dict[str, int] = {}
        self._recent: dict[str, int] = {}
        self._keys, self._rows = np.zeros(0, np.uint64), np.zeros(0, _ROW_TYPE)
        # Sorted by key, each run at most half as long as the one before.
        self._runs: list[tuple[_HashKeys, _Rows]] = []
        # Keys, and the names of their topics as compressed JSON in the same order.
        self._names: list[tuple[_HashKeys, bytes]] = []

    def add(self, items: Sequence[StreamItem], hashes: _Hashes, flags: _Flags) -> _HashKeys:
        """Add the hash of the references of each summary, and flags; return the topics' keys."""
        if len(self._recent) >= _MAX_RECENT_TOPICS:
            self._flush()
        recent_items, n_before = self._recent, len(self._recent)
        # With a length, so that no other task and topic get the same name.
        names = [f"{len(item.task)}:{item.task}{item.topic}" for item in items]
        pairs = zip(names, items, strict=True)
        new_topics = {name: item.task for name, item in pairs if name not in recent_items}
        if new_topics:
            recent_items.update(zip(new_topics, count(n_before), strict=False))
            data = b"".join([blake2b(name.encode(), digest_size=8).digest() for name in new_topics])
            self._keys = np.concatenate([self._keys, np.frombuffer(data, "<u8")])
            self._rows = np.concatenate([self._rows, np.zeros(len(new_topics), _ROW_TYPE)])
            self._rows["low"][n_before:] = 2**32 - 1
            tasks = {task: self.task(task) for task in {*new_topics.values()}}
            self._rows["task"][n_before:] = list(map(tasks.__getitem__, new_topics.values()))
        indices = np.fromiter(map(recent_items.__getitem__, names), np.int64, len(names))
        # A person is scored against the others.
        by_machine = (flags & _HAS_MACHINE) > 0
        np.minimum.at(self._rows["low"], indices[by_machine], hashes[by_machine])
        np.maximum.at(self._rows["high"], indices[by_machine], hashes[by_machine])
        np.bitwise_or.at(self._rows["flags"], indices, flags)
        keys: _HashKeys = self._keys[indices]
        return keys

    def task(self, name: str) -> int:
        """Return the number of a task; a new task gets the next one."""
        return self.tasks.setdefault(name, len(self.tasks))

    def _flush(self) -> None:
        """Merge the recent topics into the runs, by key."""
        order = np.argsort(self._keys)
        keys, rows, names = self._keys[order], self._rows[order], [*self._recent]
        is_new = np.ones(len(keys), dtype=bool)
        for run, run_rows in self._runs:
            is_present, indices = _find_keys(run, keys)
            is_new &= ~is_present
            for field, combine in _COMBINERS.items():
                run_rows[field][indices[is_present]] = combine(
                    run_rows[field][indices[is_present]], rows[field][is_present]
                )
        if is_new.any():
            packed_names = _pack_names([names[index] for index in order[is_new].tolist()])
            self._names.append((keys[is_new], packed_names))
            self._runs.append((keys[is_new], rows[is_new]))
        while len(self._runs) > 1 and len(self._runs[-2][0]) < 2 * len(self._runs[-1][0]):
            self._runs[-2:] = [_merge_runs(self._runs[-2:])]
        self._recent.clear()
        self._keys, self._rows = self._keys[:0], self._rows[:0]

    def all(self) -> tuple[_HashKeys, _Rows]:
        """Return the keys of all topics in order, and their rows."""
        if self._recent:
            self._flush()
        if len(self._runs) != 1:
            self._runs = [_merge_runs(self._runs)]
        return self._runs[0]

    def names(self, keys: _HashKeys) -> dict[int, tuple[str, str]]:
        """Return the tasks and names of topics by key."""
        self.all()
        addresses: dict[int, tuple[str, str]] = {}
        ends = np.cumsum([len(block) for block, _ in self._names])
        hashes = np.concatenate([np.zeros(0, np.uint64), *(block for block, _ in self._names)])
        # All blocks at once: there may be many small ones.
        indices = np.flatnonzero(np.isin(hashes, keys))
        for number in np.unique(np.searchsorted(ends, indices, side="right")).tolist():
            block, packed_names = self._names[number]
            names = json.loads(zlib.decompress(packed_names))
            for index in np.flatnonzero(np.isin(block, keys)).tolist():
                length, _, name = names[index].partition(":")
                addresses[int(block[index])] = name[: int(length)], name[int(length) :]
        return addresses

    def merge(self, parts: Sequence["_TopicStore"]) -> None:
        """Add the topics of parts, in any order."""
        for part in parts:
            keys, rows = part.all()
            rows, numbers = rows.copy(), [self.task(task) for task in part.tasks]
            rows["task"] = np.array(numbers, np.uint32)[rows["task"]]
            self._runs.append((keys, rows))
            self._names += part._names

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain JSON."""
        keys, rows = self.all()
        packed_names = self._names[0][1]
        if len(self._names) > 1:
            # Parts that were merged may have the same topics.
            name_blocks = [
                (block, json.loads(zlib.decompress(text))) for block, text in self._names
            ]
            pairs = (zip(block.tolist(), names, strict=True) for block, names in name_blocks)
            name_of = dict(chain.from_iterable(pairs))
            packed_names = _pack_names([name_of[key] for key in keys.tolist()])
        return {
            "topics": _array_to_text(keys), "rows": _array_to_text(rows), "tasks": [*self.tasks],
            "names": b64encode(packed_names).decode(),
        }  # fmt: skip

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "_TopicStore":
        """Parse the output of `to_dict`."""
        topics, keys = cls(), _array_from_text(data["topics"], np.uint64)
        topics.tasks = {task: number for number, task in enumerate(data["tasks"])}
        rows, packed_names = _array_from_text(data["rows"], _ROW_TYPE), b64decode(data["names"])
        if len(keys) != len(rows) or (rows["task"] >= len(topics.tasks)).any():
            raise ValueError("the topics and their rows do not match")
        try:
            names = json.loads(zlib.decompress(packed_names))
        except zlib.error as error:
            raise ValueError(str(error)) from None
        if len(names) != len(keys):
            raise ValueError("the topics and their names do not match")
        topics._runs.append((keys, rows))
        topics._names.append((keys, packed_names))
        return topics


def _merge_runs(runs: Sequence[tuple[_HashKeys, _Rows]]) -> tuple[_HashKeys, _Rows]:
    """Merge runs into one; rows with the same key are combined."""
    keys = np.concatenate([np.zeros(0, np.uint64), *(keys for keys, _ in runs)])
    rows = np.concatenate([np.zeros(0, _ROW_TYPE), *(rows for _, rows in runs)])
    order = np.argsort(keys, kind="stable")
    keys, rows = keys[order], rows[order]
    starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] + np.uint64(1)))
    single_rows: _Rows = rows[starts]
    for field, combine in _COMBINERS.items() if len(starts) < len(keys) else ():
        single_rows[field] = combine.reduceat(rows[field], starts)
    return keys[starts], single_rows


def _array_to_text(array: npt.NDArray[Any]) -> str:
    return b64encode(array.tobytes()).decode()


def _array_from_text(text: str, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    return np.frombuffer(b64decode(text), kind)


class StreamChecks:
    """Collects problems of the items of a stream; the states of parts can be merged."""

    def __init__(self) -> None:
        #: Hashes of summaries that occur more than once.
        self.repeated: set[int] = set()
        self._pairs, self._topics, self._texts = SortedKeys(), _TopicStore(), TextSample()
        self._systems: dict[tuple[str, str, str], _SystemCounts] = {}

    def passed(self, items: Iterable[StreamItem], size: int = 1000) -> Iterator[StreamItem]:
        """Yield items after checking them, batch by batch."""
        item_iterator = iter(items)
        while batch := tuple(islice(item_iterator, size)):
            self.add(batch)
            yield from batch

    def add(self, items: Sequence[StreamItem]) -> None:
        """Check a batch of items, without keeping their texts."""
        if not items:
            return
        peers = [
            item.peer if isinstance(item.peer, str) else plain_text(item.peer) for item in items
        ]
        references: list[tuple[Any, ...]] = [item.references for item in items]
        try:
            hashes, flags = _hash_references(references)
        except TypeError:  # some are lists of sentences
            references = [tuple(map(plain_text, item.references)) for item in items]
            hashes, flags = _hash_references(references)
        groups = [(item.task, item.system, item.kind) for item in items]
        counts = Counter(groups)
        for group, number in counts.items():
            if group not in self._systems:
                self._systems[group] = _SystemCounts(_hash_key(group[1], _SYSTEM_MARK))
            self._systems[group].summaries += number
        machines = {group: group[2] != "human" for group in counts}
        flags |= np.fromiter(map(machines.__getitem__, groups), np.uint8, len(groups))
        for index in _candidate_rows(peers, references):
            system, topic = self._systems[groups[index]], items[index].topic
            if not peers[index].strip():
                system.add_empty(topic)
            elif one_line(peers[index]) in map(one_line, references[index]):
                system.add_copy(topic)
        topics = self._topics.add(items, hashes, flags)
        self._texts.add(items, peers, references, topics)
        keys = {group: self._systems[group].key for group in counts}
        systems = np.fromiter(map(keys.__getitem__, groups), np.uint64, len(groups))
        pairs = np.sort(topics ^ systems)
        repeated_pairs = pairs[self._pairs.holds(pairs)], pairs[1:][pairs[1:] == pairs[:-1]]
        self.repeated.update(chain.from_iterable(keys.tolist() for keys in repeated_pairs))
        self._pairs.add(pairs)

    @classmethod
    def merged(cls, parts: Iterable["StreamChecks"]) -> "StreamChecks":
        """Merge the states of parts, in any order."""
        merged_checks, nonempty_parts = cls(), [part for part in parts if part._systems]
        merged_checks._pairs.runs = [
            _sort_runs([run for part in nonempty_parts for run in part._pairs.runs])
        ]
        pairs = merged_checks._pairs.runs[0]
        merged_checks.repeated.update(pairs[1:][pairs[1:] == pairs[:-1]].tolist())
        merged_checks._topics.merge([part._topics for part in nonempty_parts])
        merged_checks._texts.merge(part._texts for part in nonempty_parts)
        for part in nonempty_parts:
            for group, system in part._systems.items():
                merged_checks._systems.setdefault(group, _SystemCounts(system.key)).add(system)
        return merged_checks

    def repeated_name(self) -> str:
        """Name a summary that occurs more than once."""
        for (_, system, _), counts in self._systems.items():
            keys = np.array([key ^ counts.key for key in self.repeated], np.uint64)
            for task, topic in self._topics.names(keys).values():
                return f"topic {address_name(task, topic)}, system {system}"
        return "a summary"

    def to_dict(self) -> dict[str, Any]:
        """Return the state of a part as plain JSON."""
        if not self._systems:
            return {}
        systems = [
            [*group, *_SYSTEM_COUNTS(self._systems[group])] for group in sorted(self._systems)
        ]
        pairs = _array_to_text(self._pairs.all())
        texts = self._texts.to_text()
        return {"pairs": pairs, "systems": systems, "texts": texts, **self._topics.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "StreamChecks":
        """Parse the output of `to_dict`."""
        part = cls()
        if data:
            part._pairs.runs.append(_array_from_text(data["pairs"], np.uint64))
            part._topics = _TopicStore.from_dict(data)
            part._texts = TextSample.from_text(data["texts"])
            for task, system, kind, *counts in data["systems"]:
                part._systems[task, system, kind] = _SystemCounts(
                    _hash_key(system, _SYSTEM_MARK), *counts
                )
        return part

    def topics(self) -> dict[str, int]:
        """Count the topics of each task."""
        numbers = np.bincount(self._topics.all()[1]["task"], minlength=len(self._topics.tasks))
        return dict(zip(self._topics.tasks, numbers.tolist(), strict=True))

    def systems(self) -> dict[tuple[str, str, str], int]:
        """Count the summaries of each task, system and kind."""
        return {group: system.summaries for group, system in self._systems.items()}

    def holds(self, keys: set[int]) -> bool:
        """Return whether a summary with one of these hashes occurs."""
        return bool(self._pairs.holds(np.array(sorted(keys), np.uint64)).any())

    def problems(self, consequence: str = _OWN_REFERENCES) -> Iterator[Finding]:
        """List problems, at most one of a kind per system; `consequence` is as in `differing`."""
        groups = sorted(self._systems, key=natural_orders)
        for group in groups:
            if number := self._systems[group].empty:
                task, system, _ = group
                yield empty_summary((task, self._systems[group].empty_topic, system), number - 1)
        if self._systems:
            yield from self._missing(groups)
            keys, rows = self._topics.all()
            with_empty_reference = keys[(rows["flags"] & _HAS_EMPTY_REFERENCE) > 0]
            yield from self._of_topics(
                "empty reference", with_empty_reference, "no text can match it"
            )
            yield from self.differing(consequence)
        kinds = {system: kind for _, system, kind in self._systems}
        yield from spelled_twice("system", kinds, kinds)
        yield from self._copies()
        for finding in findings_of_texts(self._texts.texts()):
            if finding.kind not in _COUNTED_KINDS:
                yield finding

    def differing(self, consequence: str) -> Iterator[Finding]:
        """Find topics whose records have different references; the message is `consequence`."""
        if self._systems:
            keys, rows = self._topics.all()
            # Those of people do not count: each is scored against the others.
            differing_keys = keys[rows["low"] < rows["high"]]
            copied_systems = {
                name for (_, name, _), counts in self._systems.items() if counts.copies
            }
            if people := sorted(self._texts.referees() - copied_systems, key=natural_order):
                consequence += f"; people ({brief_list(people)}) are among the systems"
            for finding in self._of_topics("differing references", differing_keys, consequence):
                yield replace(finding, severity="note") if people else finding

    def _missing(self, groups: Sequence[tuple[str, str, str]]) -> Iterator[Finding]:
        """Find machines without summaries on topics that other machines have."""
        keys, rows = self._topics.all()
        by_machines = (rows["flags"] & _HAS_MACHINE) > 0
        n_topics_of_tasks = np.bincount(
            rows["task"][by_machines], minlength=len(self._topics.tasks)
        )
        n_named = 0
        for group in (group for group in groups if group[2] != "human"):
            (task, name, _), system = group, self._systems[group]
            n_missing = int(n_topics_of_tasks[self._topics.tasks[task]]) - system.summaries
            if n_missing > 0 or self.repeated:
                names: list[str] = []
                if n_named < _MAX_NAMED_SYSTEMS:
                    topic_keys = keys[by_machines & (rows["task"] == self._topics.tasks[task])]
                    absent_topic_keys = topic_keys[
                        ~self._pairs.holds(topic_keys ^ np.uint64(system.key))
                    ]
                    n_missing = len(absent_topic_keys)
                    examples = self._topics.names(absent_topic_keys[:_MAX_NAMED_TOPICS]).values()
                    names = sorted((topic for _, topic in examples), key=natural_order)
                    n_named += 1
                if n_missing > 0:
                    yield missing_summaries(task, name, n_missing, names)

    def _of_topics(self, kind: str, keys: _HashKeys, message: str) -> Iterator[Finding]:
        """Report the first topic with a problem, and how many others have the same one."""
        if len(keys):
            task, topic = min(
                self._topics.names(keys[:_MAX_NAMED_TOPICS]).values(), key=natural_orders
            )
            suffix = f" ({len(keys):,} topics in all)" if len(keys) > 1 else ""
            yield Finding(kind, f"topic {address_name(task, topic)}", f"{message}{suffix}")

    def _copies(self) -> Iterator[Finding]:
        """Find systems with summaries that equal one of their references."""
        systems: dict[str, _SystemCounts] = {}
        for (_, name, _), counts in sorted(self._systems.items(), key=itemgetter(0)):
            systems.setdefault(name, _SystemCounts(counts.key)).add(counts)
        for name in sorted(systems, key=natural_order):
            counts = systems[name]
            if counts.copies:
                n_written = counts.summaries - counts.empty
                yield equal_to_references(name, counts.copies, n_written) or Finding(
                    "summary equal to a reference",
                    f"topic {counts.copied_topic}, system {name}",
                    f"it is one of its own references ({counts.copies} of {n_written} topics)",
                )


def _hash_key(name: str, namespace: bytes) -> int:
    data = blake2b(name.encode(), digest_size=8, person=namespace).digest()
    return int.from_bytes(data, "little")


def _pack_names(names: Sequence[str]) -> bytes:
    return zlib.compress(json.dumps(names).encode(), 1)


def _hash_references(references: Sequence[tuple[Any, ...]]) -> tuple[_Hashes, _Flags]:
    """Hash the references of each item, in any order, and find empty ones."""
    hashes, flags = [], np.zeros(len(references), np.uint8)
    previous_texts, value, may_be_blank = None, 0, False
    for index, texts in enumerate(references):
        if texts != previous_texts:
            previous_texts, sorted_texts = texts, sorted(texts)
            value = zlib.crc32("\0".join(sorted_texts).encode())
            # White space sorts before the other ASCII characters, or after all of them.
            may_be_blank = sorted_texts[0] < "!" or sorted_texts[-1] > "\x7f"
        hashes.append(value)
        if may_be_blank and not all(map(str.strip, texts)):
            flags[index] = _HAS_EMPTY_REFERENCE
    return np.array(hashes, np.uint32), flags


def _candidate_rows(peers: Sequence[str], references: Sequence[tuple[Any, ...]]) -> Iterator[int]:
    """Find summaries that may be empty or equal a reference, by their first words."""
    for index, (peer, texts) in enumerate(zip(peers, references, strict=True)):
        start = peer[:1]
        if not start or start.isspace():
            yield index
            continue
        for reference in texts:
            first_letter = reference[:1]
            if first_letter <= " " or (
                first_letter == start and _first_word(reference) == _first_word(peer)
            ):
                yield index
                break


def _first_word(text: str) -> str:
    return text[:9].split(None, 1)[0]


def repeated_error(
    items: Iterable[StreamItem], keys: set[int], name: str = "a summary"
) -> FormatError:
    """Return the error about the first item whose address occurs twice.

    Items of standard input cannot be read again; their lines are then unknown.
    """
    first_places: dict[int, Where | None] = {}
    where, earlier_note = None, ""
    for item in items:
        topic = f"{len(item.task)}:{item.task}{item.topic}"
        key = _hash_key(topic, b"") ^ _hash_key(item.system, _SYSTEM_MARK)
        if key in keys:
            name, where = item.name, item.where
            if key in first_places:
                earlier_note = f"the other one is in {first_places[key]}; "
                break
            first_places[key] = item.where
    hint = f"{earlier_note}keep one for each task, topic and system"
    return FormatError(f"{name} occurs twice", hint, where=where)
