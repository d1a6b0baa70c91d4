"""Trees of words that can be turned round: from ClearNLP's scheme to Universal Dependencies'."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Tree", "turn_round"]

_BE = ("be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m")


@dataclass(slots=True)
class Tree:
    """The heads of words (its own place if a word is a root), and labels."""

    heads: list[int]
    labels: list[str]

    @classmethod
    def of_tokens(cls, tokens: Sequence[Any]) -> "Tree":
        """Read spaCy's words; a head that is a space or outside hands over to its own head."""
        places = {token.i: place for place, token in enumerate(tokens)}
        heads = []
        for place, token in enumerate(tokens):
            head = token.head
            while head.i not in places and head.head.i != head.i:
                head = head.head
            heads.append(places.get(head.i, place))
        return cls(heads, [token.dep_ for token in tokens])

    def children(self, place: int) -> list[int]:
        """Give the words that depend on one."""
        return [i for i, head in enumerate(self.heads) if head == place and i != place]

    def top(self, first: int, last: int) -> int:
        """Give the first word of some whose head is not among them."""
        inside = range(first, last)
        tops = (i for i in inside if self.heads[i] == i or self.heads[i] not in inside)
        return next(tops, first)

    def swap(self, below: int, *, label: str, above_label: str) -> None:
        """Let a word take the place of its head, with all that depended on it."""
        above = self.heads[below]
        others = [child for child in self.children(above) if child != below]
        head = self.heads[above]
        self.heads[below] = below if head == above else head
        self.labels[below] = label
        self.labels[above] = above_label
        for other in (above, *others):
            self.heads[other] = below

    def is_below(self, place: int, tops: Iterable[int]) -> bool:
        """Tell whether a word is among some, or depends on one of them, however far away."""
        wanted, seen = set(tops), set[int]()
        while place not in seen:
            if place in wanted:
                return True
            seen.add(place)
            place = self.heads[place]
        return False

    def keep_one_root(self) -> None:
        """Let every further root depend on the first one; a circle of words is opened before."""
        self._open_circles()
        first, *others = [place for place, head in enumerate(self.heads) if head == place]
        for place in others:
            self.heads[place] = first
            self.labels[place] = "punct" if self.labels[place] == "punct" else "parataxis"
        # A word that a rule has put below another one.
        self.labels = ["parataxis" if own.lower() == "root" else own for own in self.labels]
        self.labels[first] = "root"

    def _open_circles(self) -> None:
        """Make a word of each circle a root."""
        led: set[int] = set()
        for start in range(len(self.heads)):
            place, path = start, set[int]()
            while place not in led and place not in path:
                path.add(place)
                place = self.heads[place]
            if place in path:
                self.heads[place] = place
            led |= path


def turn_round(tree: Tree, tokens: Sequence[Any]) -> None:
    """Make nouns the heads of prepositions, and predicates those of forms of *be*."""
    _turn_prepositions(tree)
    _turn_copulas(tree, tokens)


def _turn_prepositions(tree: Tree) -> None:
    for place, label in enumerate(tree.labels):
        if label not in ("pobj", "pcomp") or tree.heads[place] == place:
            continue
        above = tree.labels[tree.heads[place]]
        if above in ("case", "mark", "pobj"):
            continue
        clause = label == "pcomp"
        plain = above in ("prep", "agent", "dative")
        own = ("advcl" if clause else "obl") if plain else above
        tree.swap(place, label=own, above_label="mark" if clause else "case")


def _turn_copulas(tree: Tree, tokens: Sequence[Any]) -> None:
    for place, label in enumerate(tree.labels):
        above = tree.heads[place]
        verb = tokens[above].text.lower().replace("’", "'")
        if label in ("attr", "acomp") and verb in _BE and tree.labels[above] != "cop":
            tree.swap(place, label=tree.labels[above], above_label="cop")
