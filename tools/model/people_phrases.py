"""Names at random: of persons with what precedes them, of places, of organizations."""

from collections.abc import Sequence
from random import Random

from trees import Node, mark, word
from wordlists import listed

__all__ = ["PeoplePhrases"]

_BEFORE = {
    "New": "amod",
    "Saudi": "amod",
    "North": "compound",
    "South": "compound",
    "West": "compound",
    "Cape": "compound",
}
_LETTERS = "ABCDEFGHJKLMNPRSTVW"
_ROLES = ("Mayor", "Governor", "Gov.", "coach", "lawyer", "resident", "Bishop")
_OFFICES = (
    "spokesman",
    "spokeswoman",
    "analyst",
    "chairman",
    "president",
    "official",
    "director",
    "chief",
    "scientist",
)


class PeoplePhrases:
    """Names filled in at random."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def maybe(self, share: float) -> bool:
        """Say yes in a share of all cases."""
        return self.chance.random() < share

    def pick(self, items: str | Sequence[str]) -> str:
        """Choose from items, or from the list of a name."""
        return self.chance.choice(listed(items) if isinstance(items, str) else items)

    def last_name(self) -> str:
        """Return a family name, a third of them invented."""
        if self.maybe(0.67):
            return self.pick("last_names")
        middle = self._middle()
        return self.pick("onsets") + middle + self.pick("endings")

    def _middle(self) -> str:
        long = self.maybe(0.6)
        return self.pick("vowels") + (self.pick("codas") if long else "")

    def first_name(self) -> str:
        """Return a first name, few of them invented."""
        if self.maybe(0.85):
            return self.pick("first_names")
        begin = self.pick("onsets") + self.pick("vowels") + self.pick("codas")
        return begin + self.pick(("a", "o", "i", "ah", "en", ""))

    def name(self, *, full: bool = True) -> Node:
        """Make a person's name; its first word is its head."""
        parts = self._parts() if full else [self.last_name()]
        head = word(parts[0], "NNP", "nsubj")
        head.name = "person"
        waiting: list[Node] = []
        for part in parts[1:]:
            if part == "-":
                waiting = [mark("-", "HYPH")]
                continue
            child = word(part, "NNP", "flat")
            child.left, waiting = waiting, []
            head.right.append(child)
        return head

    def _parts(self) -> list[str]:
        kind = self.chance.random()
        if kind < 0.07:
            family, first = self.pick("eastern_last_names"), self.pick("syllables")
            return [family, first, "-", self.pick("syllables").lower()]
        if kind < 0.11:
            return [self.pick("first_names"), "-", self.pick("joined_names"), self.last_name()]
        if kind < 0.15:
            return [self.first_name(), self.last_name(), "-", self.last_name()]
        if kind < 0.19:
            return [self.first_name(), *self.pick("particles").split(), self.last_name()]
        if kind < 0.22:
            return [self.first_name(), "al", "-", self.last_name()]
        middle = [self.pick(tuple(_LETTERS)) + "."] if self.maybe(0.18) else []
        if not middle and self.maybe(0.06):
            middle = [self.first_name()]
        return [self.first_name(), *middle, self.last_name()]

    def person(self, *, described: float = 0.5) -> Node:
        """Make a name with what may stand before it."""
        if not self.maybe(described):
            name = self.name(full=self.maybe(0.9))
            if self.maybe(0.03):
                name.right.append(word("Jr.", "NNP", "nmod:desc"))
            return name
        name = self.name(full=self.maybe(0.8))
        name.left.append(self._description())
        return name

    def _description(self) -> Node:
        kind = self.chance.random()
        if kind < 0.34:
            return self._abbreviated()
        if kind < 0.5:
            return self._titled()
        if kind < 0.6:
            return self._sporting()
        if kind < 0.68:
            location = self.location().as_("compound")
            return _with(self.pick(_ROLES), location)
        if kind < 0.75:
            organization = self.organization().as_("compound")
            return _with(self.pick(_OFFICES), organization)
        head = _described(self.pick("descriptions"))
        if self.maybe(0.2):
            head.left.insert(0, self.nation())
        return head

    def _abbreviated(self) -> Node:
        title = word(self.pick("abbreviated_titles"), "NNP", "nmod:desc")
        if self.maybe(0.1) and title.text in ("Sen.", "Rep.", "Gov.", "Gen."):
            former = self.pick(("state", "former")) == "former"
            before = word("former", "JJ", "amod") if former else word("state", "NN", "compound")
            title.left.append(before)
        return title

    def _titled(self) -> Node:
        title = word(self.pick("titles"), "NNP", "nmod:desc")
        if self.maybe(0.25):
            title.left.append(self.nation())
        return title

    def _sporting(self) -> Node:
        position = word(self.pick("positions"), "NN", "nmod:desc")
        team = word(self.pick("teams"), "NNPS", "compound")
        team.name = "organization"
        position.left.append(team)
        return position

    def nation(self) -> Node:
        """Make the adjective of a nation."""
        text = self.pick("nations")
        return word(text, "JJ", "amod", lemma=text)

    def location(self) -> Node:
        """Make a place's name; some first words depend on the second."""
        first, *rest = self.pick("places").split()
        if rest and first in _BEFORE:
            head = word(rest[0], "NNP", "nmod")
            relation = _BEFORE[first]
            upos = "ADJ" if relation == "amod" else "PROPN"
            head.left.append(word(first, "NNP", relation, upos=upos))
        else:
            head = word(first, "NNP", "nmod")
            head.right.extend(word(part, "NNP", "flat") for part in rest)
        head.name = "place"
        return head

    def organization(self) -> Node:
        """Make an organization's name; its list marks the head and adjectives."""
        *before, last = self.pick("organizations").split()
        head = word(last.lstrip("*"), "NNPS" if last.endswith("Airlines") else "NNP", "nmod")
        head.name = "organization"
        for part in before:
            plain = part.removesuffix("/A")
            relation, upos = ("compound", "PROPN") if plain == part else ("amod", "ADJ")
            head.left.append(word(plain, "NNP", relation, upos=upos))
        return head

    def party(self) -> Node:
        """Make ``R-Maine``."""
        party = word(self.pick(("R", "D")), "NNP", "appos")
        state = word(self.pick("states"), "NNP", "flat")
        state.left.append(mark("-", "HYPH"))
        party.right.append(state)
        return party


def _with(text: str, before: Node) -> Node:
    role = word(text, "NN" if text[0].islower() else "NNP", "nmod:desc")
    role.left.append(before)
    return role


def _described(text: str) -> Node:
    """Make a description: the last word is its head, ``/A`` marks adjectives."""
    *before, last = text.split()
    head = word(last, "NNP" if last[0].isupper() else "NN", "nmod:desc")
    for token in before:
        plain = token.removesuffix("/A")
        if plain != token:
            fine = "NNP" if plain[0].isupper() and plain != "Former" else "JJ"
            head.left.append(word(plain, fine, "amod", upos="ADJ"))
        else:
            head.left.append(word(plain, "NNP" if plain[0].isupper() else "NN", "compound"))
    return head
