"""Write small trees of words and turn them into sentences."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from treebank import Name, Sentence, Word

__all__ = ["Node", "mark", "sentence_of", "word"]

_UPOS = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "JJ": "ADJ", "JJR": "ADJ",
    "JJS": "ADJ", "DT": "DET", "IN": "ADP", "RB": "ADV", "CD": "NUM", "PRP": "PRON",
    "PRP$": "PRON", "WP": "PRON", "WP$": "PRON", "WDT": "PRON", "TO": "PART", "POS": "PART",
    "CC": "CCONJ", "MD": "AUX", "$": "SYM",
}  # fmt: skip
_NO_SPACE_BEFORE = {",", ".", ":", ")", "''", "POS", "HYPH", "n't", "-RRB-"}
_NO_SPACE_AFTER = {"``", "HYPH", "-LRB-", "$"}


@dataclass(slots=True)
class Node:
    """A word with the words that depend on it, those before it and those after it."""

    text: str
    lemma: str
    upos: str
    fine: str
    relation: str = "root"
    left: list["Node"] = field(default_factory=list)
    right: list["Node"] = field(default_factory=list)
    name: str = ""

    def as_(self, relation: str) -> "Node":
        """Let it depend in a given way."""
        self.relation = relation
        return self


def word(text: str, fine: str, relation: str = "dep", *, lemma: str = "", upos: str = "") -> Node:
    """Make a word; its lemma and its part of speech follow from its tag unless they are given."""
    base = lemma or (text if fine.startswith("NNP") else text.lower())
    kind = upos or _UPOS.get(fine) or ("VERB" if fine[0] == "V" else "PUNCT")
    return Node(text, base, kind, fine, relation)


def mark(text: str, fine: str = "") -> Node:
    """Make a punctuation mark."""
    return Node(text, text, "PUNCT", fine or text, "punct")


def sentence_of(root: Node, id: str = "made") -> Sentence:
    """Write a tree down."""
    order = list(_in_order(root))
    nodes = [node for node, _ in order]
    places = {_key(node): index for index, node in enumerate(nodes)}
    words = tuple(
        Word(
            _cased(node.text, index),
            node.lemma,
            node.upos,
            node.fine,
            places[_key(head)],
            node.relation,
            _space(node, nodes[index + 1] if index + 1 < len(nodes) else None),
        )
        for index, (node, head) in enumerate(order)
    )
    names = tuple(_names(nodes, places))
    return Sentence(id, words, (), names)


def _key(node: Node) -> int:
    return id(node)


def _in_order(node: Node, head: Node | None = None) -> Iterator[tuple[Node, Node]]:
    for child in node.left:
        yield from _in_order(child, node)
    yield node, head or node
    for child in node.right:
        yield from _in_order(child, node)


def _cased(text: str, index: int) -> str:
    return text[:1].upper() + text[1:] if index == 0 else text


def _space(node: Node, after: Node | None) -> bool:
    if after is None or node.fine in _NO_SPACE_AFTER:
        return False
    return after.fine not in _NO_SPACE_BEFORE and after.text not in _NO_SPACE_BEFORE


def _names(nodes: list[Node], places: dict[int, int]) -> Iterator[Name]:
    """Return the words of each name: its head, its parts and the hyphens between."""
    for node in nodes:
        if not node.name:
            continue
        parts = [node, *_parts(node)]
        inside = [places[_key(part)] for part in parts]
        yield Name(min(inside), max(inside) + 1, node.name)


def _parts(node: Node) -> Iterator[Node]:
    for child in (*node.left, *node.right):
        proper = child.fine.startswith("NNP") and child.relation in ("flat", "compound", "amod")
        if proper or child.fine == "HYPH":
            yield child
            yield from _parts(child)
