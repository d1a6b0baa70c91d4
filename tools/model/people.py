"""Count persons, descriptions and relations on sentences written for this project.

A relation counts if its modifier depends on its head; a full name is one node. Descriptions are
exact spans: what precedes the name, the apposition, the relative clause.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.text.parsing import ParsedWord, Parser

__all__ = ["PeopleFigures", "people_figures"]


@dataclass(slots=True)
class PeopleFigures:
    """Right ones of all, by kind; and what went wrong."""

    counts: dict[str, tuple[int, int]]
    wrong: list[str]


def people_figures(parser: Parser, path: Path) -> PeopleFigures:
    """Count on the sentences of a file."""
    items = json.loads(path.read_text(encoding="utf-8"))["news"]
    parsed = parser.parse([item["text"] for item in items])
    figures = PeopleFigures({}, [])
    for item, words in zip(items, parsed, strict=True):
        for kind, right, what in _checks(item, words):
            good, all_ = figures.counts.get(kind, (0, 0))
            figures.counts[kind] = (good + right, all_ + 1)
            if not right:
                figures.wrong.append(f"{item['id']} {kind}: {what}")
    return figures


def _checks(item: dict[str, Any], words: Sequence[ParsedWord]) -> Iterator[tuple[str, bool, str]]:
    names = [person["name"] for person in item["persons"]]
    predicted = _found_names(item["text"], words)
    for person in item["persons"]:
        name = person["name"]
        yield "names", name in predicted, f"{name} among {predicted}"
        yield from _described(item["text"], words, person)
    for head, modifier in item["relations"]:
        yield (
            "relations",
            _depends(item["text"], words, head, modifier, names),
            f"{head} {modifier}",
        )


def _found_names(text: str, words: Sequence[ParsedWord]) -> list[str]:
    names = []
    for index, word in enumerate(words):
        if word.opens and word.entity == "person":
            last = index
            while last + 1 < len(words) and words[last + 1].entity and not words[last + 1].opens:
                last += 1
            names.append(text[word.start : words[last].end])
    return names


def _described(
    text: str, words: Sequence[ParsedWord], person: dict[str, Any]
) -> Iterator[tuple[str, bool, str]]:
    inside = _places(text, words, person["name"])
    head = _head(words, inside)
    for kind, relation in (("apposition", "apposition"), ("relative", "relative clause")):
        if person[kind]:
            spans = [
                _span(text, words, c)
                for c in _children(words, head)
                if words[c].relation == relation
            ]
            yield kind, person[kind] in spans, f"{person[kind]} among {spans}"
    if person["premodifier"]:
        before = [
            c
            for c in _below(words, head)
            if c < inside[0] and words[c].relation not in ("case", "punctuation")
        ]
        span = text[words[min(before)].start : words[max(before)].end] if before else ""
        yield "premodifier", span == person["premodifier"], f"{person['premodifier']} not {span}"


def _places(text: str, words: Sequence[ParsedWord], part: str) -> list[int]:
    begin = text.index(part)
    return [i for i, w in enumerate(words) if w.start < begin + len(part) and w.end > begin]


def _head(words: Sequence[ParsedWord], inside: Sequence[int]) -> int:
    return next((i for i in inside if words[i].head not in inside or words[i].head == i), inside[0])


def _children(words: Sequence[ParsedWord], head: int) -> list[int]:
    return [i for i, word in enumerate(words) if word.head == head and i != head]


def _below(words: Sequence[ParsedWord], head: int) -> list[int]:
    places = [head]
    for index in places:
        places.extend(_children(words, index))
    return sorted(places)


def _span(text: str, words: Sequence[ParsedWord], head: int) -> str:
    places = _below(words, head)
    while words[places[0]].tag == "PUNCT":
        places = places[1:]
    while words[places[-1]].text in (",", "."):
        places = places[:-1]
    return text[words[places[0]].start : words[places[-1]].end]


def _depends(
    text: str, words: Sequence[ParsedWord], head: str, modifier: str, names: list[str]
) -> bool:
    above, below = _node(text, words, head, names), _node(text, words, modifier, names)
    return words[_head(words, below)].head in above


def _node(text: str, words: Sequence[ParsedWord], part: str, names: list[str]) -> list[int]:
    if part in names:
        return _places(text, words, part)
    return [next(i for i, word in enumerate(words) if word.text == part)]
