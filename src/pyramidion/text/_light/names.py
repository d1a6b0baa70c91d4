"""Names that the light parser finds."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from pyramidion.text._tagging import TagPair, Token, is_all_capitals


@dataclass(frozen=True, slots=True)
class LightName:
    """A name in a sentence.

    Parameters
    ----------
    first, last
        The places of its first and last word.
    kind
        ``person``, ``place``, ``organization``, or nothing where that is not known.
    title
        The place of the last word of what stands before a person's name (*Prime Minister*), or
        -1 if nothing does.
    title_first
        The place of its first word.

    Examples
    --------
    >>> len(LightName(2, 3, "person", title=1))
    2
    """

    first: int
    last: int
    kind: str = ""
    title: int = -1
    title_first: int = -1

    def __len__(self) -> int:
        return self.last - self.first + 1


@cache
def name_words() -> Mapping[str, frozenset[str]]:
    """Read the words that tell names, by kind."""
    text = (files("pyramidion.text") / "data" / "names.toml").read_text(encoding="utf-8")
    return {kind: frozenset(words.split()) for kind, words in tomllib.loads(text).items()}


@dataclass(frozen=True, eq=False)
class NamedSentence:
    """A tagged sentence, with what is asked about its words."""

    texts: tuple[str, ...]
    lower: tuple[str, ...]
    pairs: Sequence[TagPair]
    glued: tuple[bool, ...]
    capitals: bool

    @classmethod
    def of(cls, tokens: Sequence[Token], pairs: Sequence[TagPair]) -> "NamedSentence":
        """Take a tagged sentence."""
        texts = tuple(token.text for token in tokens)
        glued = tuple(
            number > 0 and tokens[number - 1].end == token.start
            for number, token in enumerate(tokens)
        )
        lower = tuple(text.lower() for text in texts)
        return cls(texts, lower, pairs, glued, is_all_capitals(texts))

    def __len__(self) -> int:
        return len(self.texts)

    def text(self, place: int) -> str:
        """Give a word, with capitals as in names; nothing outside the sentence."""
        if not 0 <= place < len(self.texts):
            return ""
        return self.texts[place].capitalize() if self.capitals else self.texts[place]

    def is_proper(self, place: int) -> bool:
        """Whether it is tagged as a name's word, or is a given name."""
        if not 0 <= place < len(self.texts):
            return False
        if self.pairs[place].fine in {"NNP", "NNPS"}:
            return self.text(place)[:1].isupper()
        if self.texts[place].endswith(".") and self.text(place) in name_words()["titles"]:
            return True
        return place > 0 and not self.capitals and self.texts[place] in name_words()["given"]


_NEAR = 8
_GENERATIONS = ("Jr.", "Sr.")
_PRONOUNS = frozenset({"he", "her", "him", "himself", "herself", "his", "she"})
_OF_PHRASES = frozenset({"CD", "DT", "HYPH", "JJ", "JJR", "JJS", "NN", "NNP", "POS", "PRP$", "RB"})


class NameKinds:
    """Tells the kinds of names by their words, and by what stands around them."""

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


class NameFinder:
    """Finds names in the sentences of a text."""

    def __init__(self, kinds: NameKinds | None = None) -> None:
        self.kinds = kinds or NameKinds()
        self._words = name_words()

    def find(
        self, sentences: Sequence[Sequence[Token]], pairs: Sequence[Sequence[TagPair]]
    ) -> list[list[LightName]]:
        """Find the names of sentences of one text, whose people are taken for the same."""
        given = [NamedSentence.of(*own) for own in zip(sentences, pairs, strict=True)]
        found = [[self._typed(own, run) for run in self._runs(own)] for own in given]
        people = {
            own.text(name.last).rstrip(".")
            for own, names in zip(given, found, strict=True)
            for name in names
            if name.kind == "person"
        }
        return [
            [self._agreed(own, name, people) for name in names]
            for own, names in zip(given, found, strict=True)
        ]

    def _agreed(self, own: NamedSentence, name: LightName, people: set[str]) -> LightName:
        """Take a single word for a person if a person of the text is called so."""
        text = own.text(name.last)
        single = len(name) == 1 and not (name.kind == "place" and text in self._words["places"])
        return replace(name, kind="person") if single and text in people else name

    def _runs(self, own: NamedSentence) -> Iterator[LightName]:
        """Give words of names that stand together."""
        place = 0
        while place < len(own):
            if not self._opens(own, place):
                place += 1
                continue
            last = place
            while (following := self._next(own, last)) > last:
                last = following
            yield LightName(place, last)
            place = last + 1

    def _opens(self, own: NamedSentence, place: int) -> bool:
        if not own.is_proper(place):
            return False
        if own.text(place) not in self._words["others"]:
            return True
        after = own.text(place + 1)
        return own.is_proper(place + 1) and after in self._words["organizations"]

    def _next(self, own: NamedSentence, last: int) -> int:
        """Give the place of the next word of a name, or the last one again."""
        step = own.lower[last + 1] if last + 1 < len(own) else ""
        if own.is_proper(last + 1):
            return last if own.text(last + 1) in self._words["others"] else last + 1
        if step == "," and own.text(last + 2) in self._words["endings"]:
            return last + 2
        if step in {"-", "–"} and own.is_proper(last + 2):
            return last + 2 if own.glued[last + 1] and own.glued[last + 2] else last
        if step in self._words["particles"] or step in {"&", "-"}:
            reach = last + 2
            while own.text(reach).lower() in self._words["particles"]:
                reach += 1
            return reach if own.is_proper(reach) else last
        if step == "of" and own.text(last) in self._words["organizations"]:
            reach = last + 2 + (own.text(last + 2) == "the")
            return reach if own.is_proper(reach) else last
        return last

    def _typed(self, own: NamedSentence, run: LightName) -> LightName:
        """Take off a title, and tell the kind."""
        if all(self.kinds.is_title(own.text(place)) for place in range(run.first, run.last + 1)):
            return run
        name = self._without_title(own, run)
        if name.title >= 0:
            return name
        kind = self.kinds.kind(own, name)
        if kind in {"", "person"} and self._role_before(own, name):
            kind, title = "person", name.first - 1
            return replace(name, kind=kind, title=title, title_first=self._phrase(own, title))
        return replace(name, kind=kind)

    def _without_title(self, own: NamedSentence, run: LightName) -> LightName:
        for place in range(run.last - 1, run.first - 1, -1):
            rest = LightName(place + 1, run.last)
            if self.kinds.is_title(own.text(place)) and not self._is_institution(own, rest):
                first = self._described_from(own, run.first)
                return replace(rest, kind="person", title=place, title_first=first)
        of = run.first - 1
        # Secretary of State Ada Lee.
        if len(run) > 2 and own.text(of) == "of" and self.kinds.is_title(own.text(of - 1)):
            return LightName(run.first + 1, run.last, "person", run.first, of - 1)
        return run

    def _described_from(self, own: NamedSentence, first: int) -> int:
        """Give the place where *former* or *Russian* before a title begins."""
        while first and (
            own.lower[first - 1] in self._words["premodifiers"]
            or (own.pairs[first - 1].fine == "JJ" and own.text(first - 1)[:1].isupper())
        ):
            first -= 1
        return first

    def _is_institution(self, own: NamedSentence, rest: LightName) -> bool:
        """Whether what follows a title is none of a person: General Motors, King County."""
        words = self._words["organizations"] | self._words["places"]
        last = own.text(rest.last)
        given = own.text(rest.first) in self._words["given"] and len(rest) > 1
        return (last in words or self.kinds.is_title(last)) and not given

    def _role_before(self, own: NamedSentence, name: LightName) -> bool:
        before = name.first - 1
        return (
            before >= 0
            and own.pairs[before].fine in {"NN", "NNP", "JJ"}
            and self.kinds.is_role(own.lower[before])
        )

    def _phrase(self, own: NamedSentence, title: int) -> int:
        """Give the place of the first word that describes a title: *former bank* clerk."""
        first = title
        while first and own.pairs[first - 1].fine in {"JJ", "NN", "NNP", "NNPS", "NNS", "HYPH"}:
            first -= 1
        return first
