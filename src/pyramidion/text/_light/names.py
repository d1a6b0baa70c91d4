"""Names found by the light parser, with titles before people's names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pyramidion.text._light.name_model import load_names
from pyramidion.text._light.name_words import name_words
from pyramidion.text._tagging import TagPair, Token


@dataclass(frozen=True, slots=True)
class LightName:
    """A name in a sentence: its first and last word, and its kind."""

    first: int
    last: int
    kind: str = ""
    title_last: int = -1  # last word of a title: Prime Minister
    title_first: int = -1

    def __len__(self) -> int:
        return self.last - self.first + 1


class Roles:
    """Recognizes roles of people and titles."""

    def __init__(self, learned_names: Mapping[str, str] | None = None) -> None:
        self._roles = name_words()["roles"] | frozenset(
            (learned_names or {}).get("roles", "").split()
        )

    def is_role(self, word: str) -> bool:
        """Return whether a lower-case noun is a role of people."""
        return word in self._roles or word.removeprefix("co-").removeprefix("ex-") in self._roles

    def is_title(self, text: str) -> bool:
        """Return whether a word may be a title before a name."""
        is_listed = text in name_words()["titles"]
        return is_listed or (text[:1].isupper() and self.is_role(text.lower()))


_DESCRIPTION_TAGS = frozenset({"JJ", "NN", "NNP", "NNPS", "NNS", "HYPH"})


@dataclass(frozen=True, eq=False)
class NameFinder:
    """Finds names in texts."""

    roles: Roles

    def find(
        self, sentences: Sequence[Sequence[Token]], pairs: Sequence[Sequence[TagPair]]
    ) -> list[list[LightName]]:
        """Find the names in the sentences of a text."""
        words = [[token.text for token in sentence] for sentence in sentences]
        tags = [[pair.fine for pair in sentence_pairs] for sentence_pairs in pairs]
        spans_by_sentence = load_names().find(list(zip(words, tags, strict=True)))
        rows = zip(words, tags, spans_by_sentence, strict=True)
        return [
            [self._with_title(sentence, sentence_tags, LightName(*span)) for span in spans]
            for sentence, sentence_tags, spans in rows
        ]

    def _with_title(self, words: Sequence[str], tags: Sequence[str], name: LightName) -> LightName:
        """Add the title before a person's name."""
        title_index = name.first - 1
        if name.kind != "person" or title_index < 0:
            return name
        if self.roles.is_title(words[title_index]):
            first = _title_start(words, tags, title_index)
        elif (
            title_index > 1
            and words[title_index - 1] == "of"
            and self.roles.is_title(words[title_index - 2])
        ):
            # *Secretary of State Ada Lee*.
            first = title_index - 2
        elif tags[title_index] in {"NN", "NNP", "JJ"} and self.roles.is_role(
            words[title_index].lower()
        ):
            first = title_index
            while first and tags[first - 1] in _DESCRIPTION_TAGS:
                first -= 1
        else:
            return name
        return replace(name, title_last=title_index, title_first=first)


def _title_start(words: Sequence[str], tags: Sequence[str], first: int) -> int:
    """Return where a title with the words before it begins: *former*, *Russian*, *Vice*."""
    while first and (
        words[first - 1].lower() in name_words()["premodifiers"]
        or (tags[first - 1] in {"NNP", "NNPS", "JJ"} and words[first - 1][:1].isupper())
    ):
        first -= 1
    return first
