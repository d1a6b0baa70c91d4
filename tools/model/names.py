"""Names of persons, places and organizations in the treebanks' sentences.

In GUM they are the proper nouns that head a mention of a person, a place or an organization. In
EWT nobody marked them: there they come from an older pipeline (see ``silver.py``), and proper
nouns that it did not recognize count as unknown rather than as no name.
"""

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from treebank import TYPES, Name, Sentence
from wordlists import listed

__all__ = ["gold_names", "read_silver", "silver_names", "with_gold_names", "with_silver_names"]

_SILVER = {
    "PERSON": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "organization",
}
_PERSONAL = ("nsubj", "nsubj:pass", "nmod:poss", "vocative", "appos", "obl:agent", "conj", "iobj")
_OFFICES = (*listed("titles"), "Earl", "Emperor", "Fellow", "Lord", "Protector", "Catholic")
Spans = Sequence[tuple[int, int, str]]


def with_gold_names(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Add the names that GUM's mentions show."""
    for sentence in sentences:
        yield replace(sentence, names=gold_names(sentence))


def gold_names(sentence: Sentence) -> tuple[Name, ...]:
    """Find the names that head mentions; of two that overlap the longer one counts."""
    names = {
        name
        for mention in sentence.mentions
        if mention.type in TYPES and (name := _name_of(sentence, mention))
    }
    return _without_overlap(names)


def _name_of(sentence: Sentence, mention: Name) -> Name | None:
    words = sentence.words
    inside = range(mention.first, mention.last)
    head = next((i for i in inside if words[i].head == i or words[i].head not in inside), None)
    if head is None or words[head].upos != "PROPN":
        return None
    first = last = head
    while first > mention.first and _belongs(sentence, first - 1, head, mention.type):
        first -= 1
    while last + 1 < mention.last and _belongs(sentence, last + 1, head, mention.type):
        last += 1
    while words[first].upos == "PUNCT":
        first += 1
    while words[last].upos == "PUNCT" or words[last].upos == "ADP" or words[last].upos == "DET":
        last -= 1
    if first == last and mention.type == "person" and words[first].text in _OFFICES:
        return None
    return Name(first, last + 1, mention.type)


def _belongs(sentence: Sentence, index: int, head: int, type: str) -> bool:
    """Return whether a word is part of the name around a head."""
    word = sentence.words[index]
    if word.upos == "PUNCT":
        return (word.text in "-–.'" and word.head != head) or word.text in "-–"
    if word.relation == "nmod:desc":
        return False
    near = word.head == head or sentence.words[word.head].head == head
    if word.upos == "PROPN" or (word.fine == "NNP" and type != "person"):
        return (near and word.relation in ("flat", "compound", "amod", "goeswith", "nummod")) or (
            type != "person" and near and word.relation == "nmod"
        )
    if type == "person":
        return near and word.relation == "flat"
    return (
        index > head
        and word.text.lower() in ("of", "the")
        and near
        and index + 1 < len(sentence.words)
    )


def _without_overlap(names: Iterable[Name]) -> tuple[Name, ...]:
    separate: list[Name] = []
    for name in sorted(names, key=lambda n: (n.first - n.last, n.first, n.type)):
        if all(name.last <= other.first or other.last <= name.first for other in separate):
            separate.append(name)
    return tuple(sorted(separate, key=lambda n: n.first))


def _may_be_named(sentence: Sentence, index: int) -> bool:
    """Return whether an unknown proper noun may well be a person's name: by what it does."""
    head = sentence.words[index]
    while head.relation == "flat" and sentence.words[head.head] is not head:
        head = sentence.words[head.head]
    parts = any(w.relation == "flat" and sentence.words[w.head] is head for w in sentence.words)
    return parts or head.relation in _PERSONAL


def read_silver(path: Path) -> Mapping[str, Sequence[Spans]]:
    """Read what the older pipeline found: spans of words with its labels, by treebank."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def with_silver_names(sentences: Iterable[Sentence], spans: Iterable[Spans]) -> list[Sentence]:
    """Add the names that the older pipeline found; a name has the type that it has mostly."""
    named = [
        replace(sentence, names=silver_names(sentence, silver))
        for sentence, silver in zip(sentences, spans, strict=True)
    ]
    types: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in named:
        for name in sentence.names or ():
            types[_text(sentence, name)][name.type] += bool(name.type)
    return [_consistent(sentence, types) for sentence in named]


def _text(sentence: Sentence, name: Name) -> str:
    return " ".join(word.text for word in sentence.words[name.first : name.last])


def _consistent(sentence: Sentence, types: Mapping[str, Counter[str]]) -> Sentence:
    names = []
    for name in sentence.names or ():
        counts = types[_text(sentence, name)]
        usual, times = counts.most_common(1)[0]
        certain = times >= 4 and times >= 0.75 * counts.total()
        # Greetings and signatures are too short to tell.
        short = len(sentence.words) <= 4 and name.type != "person"
        type = "" if not name.type or (short and not certain) else name.type
        names.append(replace(name, type=usual if type and certain else type))
    return replace(sentence, names=tuple(names))


def silver_names(sentence: Sentence, spans: Spans) -> tuple[Name, ...]:
    """Return names where the older pipeline and the treebank's proper nouns agree."""
    names = []
    taken: set[int] = set()
    for first, last, label in spans:
        proper = [i for i in range(first, last) if sentence.words[i].fine.startswith("NNP")]
        taken |= set(range(first, last))
        if label not in _SILVER or not proper:
            taken -= set(proper) if label in _SILVER else set()
            continue
        if _SILVER[label] == "person":
            proper = [i for i in proper if sentence.words[i].relation != "nmod:desc"] or proper
        names.append(Name(proper[0], proper[-1] + 1, _SILVER[label]))
    unknown = [
        Name(i, i + 1, "")
        for i, word in enumerate(sentence.words)
        if word.upos == "PROPN" and i not in taken and _may_be_named(sentence, i)
    ]
    return (*names, *unknown)
