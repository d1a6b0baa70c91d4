"""Names in trees: what a recognizer found, made to agree with heads, titles and parts of names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyramidion.text.spacy_trees import Tree

__all__ = ["Name", "names_of"]

_ENTITIES: Mapping[str, str] = {
    "PERSON": "person",
    "PER": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PLACE": "place",
    "ORG": "organization",
    "ORGANIZATION": "organization",
}
#: Words after a name that belong to it.
_SUFFIXES = ("jr", "sr", "ii", "iii", "iv")
#: Words before names of places, and of things.
_PLACES = ("st", "saint", "mount", "mt", "fort", "ft", "lake", "port", "cape")
_THINGS = ("hurricane", "typhoon", "cyclone", "storm", "operation", "comet", "ferry", "ship")


@dataclass(frozen=True, slots=True)
class Name:
    """A name: words from ``first`` to before ``last``."""

    first: int
    last: int
    entity: str


def names_of(tree: Tree, tokens: Sequence[Any]) -> list[Name]:
    """Give the names of a sentence; heads inside persons' names are made the first words."""
    _keep_suffixes(tree, tokens)
    recognized = [name for name in _recognized(tokens) if _is_name(tree, tokens, name)]
    found = [_turned(tree, tokens, name) for name in recognized]
    whole = [_whole(tree, tokens, name) for name in found]
    titled = list(_titled(tree, tokens))
    return _without_overlap(
        [name for name in (*titled, *whole) if not _is_thing(tree, tokens, name)]
    )


def _recognized(tokens: Sequence[Any]) -> Iterator[Name]:
    first = 0
    for place, token in enumerate(tokens):
        first = first if token.ent_iob_ == "I" else place
        ends = place + 1 == len(tokens) or tokens[place + 1].ent_iob_ != "I"
        entity = _ENTITIES.get(token.ent_type_.upper(), "")
        if entity and ends:
            yield Name(first, place + 1, entity)


def _is_name(tree: Tree, tokens: Sequence[Any], name: Name) -> bool:
    """Tell whether there is more in it than titles, and a proper noun if a sentence begins with it.

    A capital says nothing there; where tags are not known, every word counts as proper.
    """
    words = [place for place in range(name.first, name.last) if not _is_title(tree, place)]
    return any(name.first > 0 or tokens[place].pos_ in ("PROPN", "") for place in words)


def _is_title(tree: Tree, place: int) -> bool:
    return tree.labels[place] == "nmod:desc" and tree.heads[place] > place


def _keep_suffixes(tree: Tree, tokens: Sequence[Any]) -> None:
    """Make *Jr.* a part of its name, however it depends on it."""
    for place in range(1, len(tokens)):
        suffix = _plain(tokens[place]) in _SUFFIXES
        if suffix and tree.heads[place] < place and tokens[place - 1].pos_ == "PROPN":
            tree.labels[place] = "flat"


def _turned(tree: Tree, tokens: Sequence[Any], name: Name) -> Name:
    """Make the first word of a person's name its head, and what stands before it its title."""
    if name.entity != "person":
        return name
    head = tree.top(name.first, name.last)
    if head != name.first and tree.labels[name.first] == "compound" and _hangs(tree, name, head):
        _make_first(tree, tokens, name, head)
        head = name.first
    for child in tree.children(head):
        if child < name.first and tree.labels[child] in ("compound", "nn"):
            tree.labels[child] = "nmod:desc"
    return _without_titles(tree, name)


def _hangs(tree: Tree, name: Name, head: int) -> bool:
    """Tell whether a name's head is a root, or depends on a word that is not below the name."""
    above = tree.heads[head]
    return above == head or not tree.is_below(above, range(name.first, name.last))


def _make_first(tree: Tree, tokens: Sequence[Any], name: Name, head: int) -> None:
    first = name.first
    tree.heads[first] = first if tree.heads[head] == head else tree.heads[head]
    tree.labels[first] = tree.labels[head]
    for child in tree.children(head):
        tree.heads[child] = first
    for place in range(first + 1, name.last):
        tree.heads[place] = first
        if tokens[place].pos_ != "PUNCT":
            tree.labels[place] = "flat"


def _without_titles(tree: Tree, name: Name) -> Name:
    first = name.first
    while first + 1 < name.last and _is_title(tree, first):
        first += 1
    return Name(first, name.last, name.entity)


def _whole(tree: Tree, tokens: Sequence[Any], name: Name) -> Name:
    """Add the parts of a name that the recognizer missed."""
    if name.entity != "person":
        return name
    first = tree.top(name.first, name.last)
    while tree.labels[first] == "flat" and tree.heads[first] < first:
        first = tree.heads[first]
    begin, end = _span(tree, tokens, first)
    if begin <= name.first < end:
        return Name(begin, max(end, name.last), "person")
    return name


def _span(tree: Tree, tokens: Sequence[Any], head: int) -> tuple[int, int]:
    """Give a word and the parts of its name that follow it without a gap."""
    last = head
    while last + 1 < len(tokens) and _is_part(tree, tokens, head, last + 1):
        last += 1
    while last > head and tokens[last].pos_ == "PUNCT":
        last -= 1
    return head, last + 1


def _is_part(tree: Tree, tokens: Sequence[Any], head: int, place: int) -> bool:
    if tokens[place].text in ("-", "–"):
        return bool(tokens[place - 1].whitespace_ == "")
    above = tree.heads[place]
    return tree.labels[place] == "flat" and above in range(head, place)


def _titled(tree: Tree, tokens: Sequence[Any]) -> Iterator[Name]:
    """Give the names that have a title before them: these are persons."""
    for place, head in enumerate(tree.heads):
        is_place = _plain(tokens[place]) in _PLACES
        if _is_title(tree, place) and not is_place and _proper(tokens[head]):
            yield Name(*_span(tree, tokens, head), "person")


def _is_thing(tree: Tree, tokens: Sequence[Any], name: Name) -> bool:
    before = (place for place in tree.children(name.first) if place < name.first)
    return name.entity == "person" and any(_plain(tokens[place]) in _THINGS for place in before)


def _plain(token: Any) -> str:
    return str(token.text).lower().rstrip(".")


def _proper(token: Any) -> bool:
    return bool(token.pos_ == "PROPN" and token.text[:1].isupper())


def _without_overlap(names: Sequence[Name]) -> list[Name]:
    """Keep the first of names that share words."""
    kept: list[Name] = []
    for name in names:
        if all(name.last <= other.first or other.last <= name.first for other in kept):
            kept.append(name)
    return sorted(kept, key=lambda name: name.first)
