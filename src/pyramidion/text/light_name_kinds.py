"""Whether names are of people, places or organizations."""

from collections.abc import Callable, Mapping, Sequence

from pyramidion.text.light_name_words import LightName, NamedSentence, name_words

__all__ = ["NameKinds"]

_NEAR = 8
_GENERATIONS = ("Jr.", "Sr.")
_PRONOUNS = frozenset({"he", "her", "him", "himself", "herself", "his", "she"})
_OF_PHRASES = frozenset({"CD", "DT", "HYPH", "JJ", "JJR", "JJS", "NN", "NNP", "POS", "PRP$", "RB"})


class NameKinds:
    """Tells the kinds of names by their words, and by what stands around them.

    Parameters
    ----------
    learned
        Words by kind of name, and nouns for people, that the treebanks teach.
    is_common
        Whether a word (in small letters) is one that is not of names.

    Examples
    --------
    >>> kinds = NameKinds()
    >>> kinds.is_role("co-founder"), kinds.is_title("Judge"), kinds.is_title("Snow")
    (True, True, False)
    """

    def __init__(
        self,
        learned: Mapping[str, str] | None = None,
        is_common: Callable[[str], bool] = lambda word: False,
    ) -> None:
        more = {kind: frozenset(words.split()) for kind, words in (learned or {}).items()}
        self.is_common = is_common
        self._words = name_words()
        self._learned = more
        self._roles = self._words["roles"] | more.get("roles", frozenset())

    def is_role(self, word: str) -> bool:
        """Whether a noun (in small letters) says what somebody is."""
        return word in self._roles or word.removeprefix("co-").removeprefix("ex-") in self._roles

    def is_title(self, text: str) -> bool:
        """Whether a word may stand before a name as a title."""
        return text in self._words["titles"] or (text[:1].isupper() and self.is_role(text.lower()))

    def kind(self, own: NamedSentence, name: LightName) -> str:
        """Tell the kind of a name in a sentence, nothing where that is not known."""
        texts = [own.text(place) for place in range(name.first, name.last + 1)]
        return (
            self._by_words(own, texts)
            or self._by_context(own, name, texts)
            or self._by_lesson(texts)
            or self._by_pronoun(own, name)
            or self._by_form(own, name, texts)
        )

    def _by_words(self, own: NamedSentence, texts: Sequence[str]) -> str:
        texts = [text for text in texts if text not in _GENERATIONS] or texts
        many, words = len(texts) > 1, self._words
        if texts[-1] in words["organizations"] or "&" in texts or "of" in texts:
            return "organization"
        if many and texts[0] in words["given"]:
            return "person"
        if texts[-1] in words["places"] or (many and texts[0] in words["opening_places"]):
            return "place"
        initials = [len(text) == 2 and text[1] == "." for text in texts]
        if any(initials[:-1]) and not initials[-1]:
            return "person"
        # Park Sung-ho.
        if many and any(text.partition("-")[2].islower() for text in texts):
            return "person"
        if not many and texts[0] in words["given"]:
            return "person"
        acronym = texts[0].isupper() and 2 <= len(texts[0]) <= 6 and not own.capitals
        return "organization" if acronym and not many else ""

    def _by_context(self, own: NamedSentence, name: LightName, texts: Sequence[str]) -> str:
        before, after = own.text(name.first - 1).lower(), own.text(name.last + 1).lower()
        if after == "," and self._described(own, name.last + 2):
            return "person"
        if before == "the":
            return "organization" if len(texts) > 1 or own.pairs[name.last].fine == "NNPS" else ""
        if after in self._words["says"] or (before in self._words["says"] and after in ",."):
            return "person"
        return "place" if before in {"in", "near"} and len(texts) < 3 else ""

    def _described(self, own: NamedSentence, place: int) -> bool:
        """Whether *who*, an age or a noun for a person follows."""
        if own.text(place) in {"who", "whose", "whom"}:
            return True
        if own.text(place).isdigit():
            return len(own.text(place)) == 2 and own.text(place + 1) == ","
        for number in range(place, min(place + _NEAR, len(own))):
            fine = own.pairs[number].fine
            if fine in {"NN", "NNS"} and own.pairs[min(number + 1, len(own) - 1)].fine != "NN":
                return self.is_role(own.lower[number])
            if fine not in _OF_PHRASES:
                return False
        return False

    def _by_lesson(self, texts: Sequence[str]) -> str:
        for kind in ("person", "place", "organization"):
            if texts[-1] in self._learned.get(kind, ()):
                return kind
        return ""

    def _by_pronoun(self, own: NamedSentence, name: LightName) -> str:
        """Take a subject that *he* or *her* follows for a person."""
        after = name.last + 1
        if len(name) > 1 or after >= len(own) or own.pairs[after].tag not in {"VERB", "AUX"}:
            return ""
        place = own.text(name.first - 1).lower() in {"the", "in", "at", "near", "of"}
        follows = any(word in _PRONOUNS for word in own.lower[after:])
        return "person" if follows and not place else ""

    def _by_form(self, own: NamedSentence, name: LightName, texts: Sequence[str]) -> str:
        """Take several words for a person, if nothing else is known."""
        words = [text for text in texts if text not in {"-", "–"}]
        strange = all(text.isalpha() and not self.is_common(text.lower()) for text in words)
        if len(words) in {2, 3} and strange and own.pairs[name.last].fine != "NNPS":
            return "person"
        return "organization" if len(words) > 3 else ""
