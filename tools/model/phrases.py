"""Phrases of made sentences: noun phrases and predicates as trees.

Noun phrases are written as ``a former bank+ clerk for the city``: words before a noun are
adjectives, those with ``+`` nouns, ``troops/troop`` gives a plural with its lemma; ``PLACE``,
``ORG`` and ``NATION`` are filled in. Predicates are written in parts, ``joined/join | a team |
in YEAR``: a verb with its auxiliaries, its object, its phrases with a preposition.
"""

from people_phrases import PeoplePhrases
from trees import Node, word

__all__ = ["Phrases", "passive"]

_PREPOSITIONS = frozenset(
    (
        *("of", "in", "at", "on", "for", "from", "by", "with", "to", "after", "before"),
        *("against", "about", "over", "into", "near", "during", "under"),
    )
)
_FIRST_WORDS = {
    "DT": ("the", "a", "an", "this", "that", "some", "all"),
    "JJ": ("several", "many"),
    "PRP$": ("his", "her", "its", "their", "our", "my"),
    "CD": ("two", "three", "four", "five", "ten", "dozens"),
}
_FIRST_RELATIONS = {"DT": "det", "JJ": "amod", "PRP$": "nmod:poss", "CD": "nummod"}
_AUXILIARIES = {
    "has": ("have", "VBZ"),
    "have": ("have", "VBP"),
    "had": ("have", "VBD"),
    "did": ("do", "VBD"),
    "was": ("be", "VBD"),
    "were": ("be", "VBD"),
    "is": ("be", "VBZ"),
    "been": ("be", "VBN"),
    "be": ("be", "VB"),
    **{modal: (modal, "MD") for modal in ("will", "would", "could", "might", "may", "should")},
}


class Phrases(PeoplePhrases):
    """Phrases filled in at random."""

    def noun_phrase(self, text: str) -> Node:
        """Make a noun phrase with the phrases that follow its noun."""
        parts: list[list[str]] = [[]]
        for token in text.split():
            if token in _PREPOSITIONS:
                parts.append([])
            parts[-1].append(token)
        head = last = self._plain(parts[0])
        for part in parts[1:]:
            child = self._plain(part[1:]).as_("nmod")
            child.left.insert(0, word(part[0], "IN", "case"))
            last.right.append(child)
            last = child
        return head

    def _plain(self, tokens: list[str]) -> Node:
        *before, last = tokens
        head = self.noun(last)
        for index, token in enumerate(before):
            head.left.insert(index, self._before(token))
        return head

    def noun(self, token: str) -> Node:
        """Make a noun, or fill in what is written in capitals."""
        if token == "PLACE":
            return self.location()
        if token == "ORG":
            return self.organization()
        if token == "YEAR":
            return word(str(self.chance.randint(1950, 2024)), "CD", "nmod")
        if token == "MONTH":
            return word(self.pick("months"), "NNP", "nmod")
        if token == "DAY":
            return word(self.pick("days"), "NNP", "nmod")
        if token.startswith("$"):
            return _money(token[1:])
        text, _, lemma = token.partition("/")
        return word(text, "NNS" if lemma else "NN", "nmod", lemma=lemma)

    def _before(self, token: str) -> Node:
        if token == "NATION":
            return self.nation()
        if token.endswith("'s"):
            return self._owner(token[:-2])
        for fine, words in _FIRST_WORDS.items():
            if token in words:
                lemma = "a" if token == "an" else token
                return word(token, fine, _FIRST_RELATIONS[fine], lemma=lemma)
        if token.endswith("+"):
            return word(token[:-1], "NN", "compound")
        return word(token, "JJ", "amod")

    def _owner(self, token: str) -> Node:
        owner = self.noun(token).as_("nmod:poss")
        if owner.fine == "NN":
            owner.left.append(word("the", "DT", "det"))
        owner.right.append(word("'s", "POS", "case"))
        return owner

    def predicate(self, text: str) -> Node:
        """Make a verb with its object and its phrases."""
        group, *parts = [part.strip() for part in text.split("|")]
        verb = self.verb(group)
        for part in parts:
            verb.right.append(self._complement(verb, part))
        return verb

    def _complement(self, verb: Node, part: str) -> Node:
        first, _, rest = part.partition(" ")
        if first in _PREPOSITIONS:
            child = self.noun_phrase(rest)
            agent = first == "by" and passive(verb)
            child.as_("obl:agent" if agent else "obl").left.insert(0, word(first, "IN", "case"))
            return child
        if first == "DAY":
            return self.noun(first).as_("obl:unmarked")
        if first in ("out", "up", "down", "off"):
            return word(first, "RP", "compound:prt", upos="ADP")
        return self.noun_phrase(part).as_("obj")

    def verb(self, text: str) -> Node:
        """Make a verb with its auxiliaries."""
        *before, last = text.split()
        form, _, lemma = last.partition("/")
        fine = _form(form, lemma, [token for token in before if token in _AUXILIARIES])
        verb = word(form, fine, lemma=lemma or form)
        verb.left.extend(_helper(token, fine) for token in before)
        return verb


def passive(verb: Node) -> bool:
    """Return whether a verb is passive."""
    return any(child.relation == "aux:pass" for child in verb.left)


def _form(text: str, lemma: str, helpers: list[str]) -> str:
    if not helpers:
        if text == lemma or not lemma:
            return "VBP"
        return "VBZ" if text.endswith("s") else "VBD"
    if helpers[-1] in ("has", "have", "had", "was", "were", "is", "been", "be"):
        return "VBG" if text.endswith("ing") else "VBN"
    return "VB"


def _helper(token: str, fine: str) -> Node:
    if token == "not":
        return word("not", "RB", "advmod", upos="PART")
    if token not in _AUXILIARIES:
        return word(token, "RB", "advmod")
    lemma, tag = _AUXILIARIES[token]
    is_passive = lemma == "be" and fine == "VBN"
    return word(token, tag, "aux:pass" if is_passive else "aux", lemma=lemma, upos="AUX")


def _money(amount: str) -> Node:
    """Make ``$2.5 million``: the sign is the head, as in the treebanks."""
    head = word("$", "$", "obj", lemma="$")
    million = word("million", "CD", "nummod")
    million.left.append(word(amount, "CD", "compound"))
    head.right.append(million)
    return head
