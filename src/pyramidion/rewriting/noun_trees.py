"""What belongs to the phrase of a noun, by the tree of a sentence."""

from collections.abc import Iterator, Sequence

from pyramidion.text._parsing import ParsedWord

__all__ = ["NounTree"]

_NOUNS = ("NOUN", "PROPN")
#: What stands at the edge of a phrase without being part of it.
_OUTER = ("case", "marker", "coordinator", "copula", "auxiliary", "punctuation", "cc", "discourse")
#: What depends on a noun that is a predicate as it would depend on a verb.
_CLAUSAL = ("subject", "clause", "copula", "auxiliary", "marker", "punctuation", "expl", "vocative")


class NounTree:
    """The words of a sentence with what depends on each, seen from the nouns.

    Parameters
    ----------
    words
        The words of a parsed sentence.

    Examples
    --------
    >>> roof = ParsedWord("Roofs", "roof", "NOUN", 0, "root", 0)
    >>> of = ParsedWord("of", "of", "ADP", 2, "case", 6)
    >>> tin = ParsedWord("tin", "tin", "NOUN", 0, "modifier", 9)
    >>> list(NounTree((roof, of, tin)).heads())
    [(0, False), (2, True)]
    """

    def __init__(self, words: Sequence[ParsedWord]) -> None:
        self.words = words
        self.children: list[list[int]] = [[] for _ in words]
        for place, word in enumerate(words):
            if word.head != place:
                self.children[word.head].append(place)

    def heads(self) -> Iterator[tuple[int, bool]]:
        """Give the noun of each phrase, and whether it stands in another phrase."""
        waiting = [(place, False) for place, word in enumerate(self.words) if word.head == place]
        seen: set[int] = set()
        while waiting:
            place, inside = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            noun = self.words[place].tag in _NOUNS
            if noun and not self._belongs_to_a_name(place):
                yield place, inside
            own = set(self.own(place)) if noun else set()
            waiting += [(child, inside or child in own) for child in self.children[place]]

    def _belongs_to_a_name(self, place: int) -> bool:
        """Tell whether a noun only premodifies one or goes on with a name."""
        word = self.words[place]
        if word.relation == "name":
            return True
        before = word.head > place and self.words[word.head].tag in _NOUNS
        bare = not any(
            self.words[child].relation in ("case", "determiner") for child in self.children[place]
        )
        return before and bare and word.relation in ("modifier", "title")

    def predicate(self, place: int) -> int:
        """Give the copula of a noun that is a predicate; -1 if it is none."""
        relations = {self.words[child].relation: child for child in self.children[place]}
        if "copula" in relations:
            return relations["copula"]
        return relations.get("subject", -1)

    def own(self, place: int) -> list[int]:
        """Give what depends on a noun within its phrase."""
        after = self.predicate(place)
        kept = []
        for child in self.children[place]:
            relation = self.words[child].relation
            outer = relation in _OUTER and (child < place or relation != "case")
            clausal = after >= 0 and (relation in _CLAUSAL or child < after)
            if not outer and not clausal:
                kept.append(child)
        return kept

    def subtree(self, place: int) -> list[int]:
        """Give the words of a noun's phrase."""
        found, waiting = {place}, self.own(place)
        while waiting:
            next_ = waiting.pop()
            if next_ not in found:
                found.add(next_)
                waiting += self.children[next_]
        return sorted(found)
