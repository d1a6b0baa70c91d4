"""Words that describe people before their names, and how usual a description is."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from pyramidion.errors import InputError
from pyramidion.rewriting.people.mention import Mention

__all__ = ["FREQUENT_DESCRIPTORS", "DescriptionModel", "description_words", "frequent_descriptors"]

#: The most frequent description words of the thesis' news corpus (section 5.2.4).
FREQUENT_DESCRIPTORS = [
    "president",
    "former",
    "spokesman",
    "sen",
    "dr",
    "chief",
    "coach",
    "attorney",
    "minister",
    "director",
    "gov",
    "rep",
    "leader",
    "secretary",
    "rev",
    "judge",
    "us",
    "general",
    "manager",
    "chairman",
]

#: Spellings of a descriptor that stand for it.
_SPELLINGS = {"senator": "sen", "governor": "gov", "representative": "rep", "reverend": "rev"}
_START, _NAME = "<s>", "</s>"
#: How many words a word's own frequency counts for beside the pairs that were seen.
_UNIGRAMS = 1.0


def description_words(mention: Mention) -> list[str]:
    """Give the words before a name in small letters, without dots.

    Parameters
    ----------
    mention
        A mention by name.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.text._parsing import ParsedWord
    >>> words = [ParsedWord("U.S.", "U.S.", "PROPN", 1, "modifier", 0),
    ...          ParsedWord("Sen.", "Sen.", "PROPN", 2, "title", 5),
    ...          ParsedWord("Ode", "Ode", "PROPN", 2, "root", 10)]
    >>> sentence = ParsedSentence("U.S. Sen. Ode", tuple(words))
    >>> description_words(Mention(sentence, 2, 2, "last", titles=1, external=1))
    ['us', 'sen']
    """
    words = mention.sentence.words[mention.premodified_first : mention.first]
    plain = (word.text.lower().replace(".", "") for word in words)
    return [word for word in plain if any(map(str.isalnum, word))]


def frequent_descriptors(words: Iterable[str]) -> set[str]:
    """Give the thesis' frequent description words among words.

    Examples
    --------
    >>> sorted(frequent_descriptors(["former", "senator", "flutist"]))
    ['former', 'sen']
    """
    return {_SPELLINGS.get(word, word) for word in words} & {*FREQUENT_DESCRIPTORS}


@dataclass(frozen=True)
class DescriptionModel:
    """How probable words before a name are: pairs of words, eased by the words' own frequency.

    Parameters
    ----------
    pairs
        How often each word followed each other in descriptions, as "word word"; ``<s>`` stands
        before the first word and ``</s>`` for the name.

    Examples
    --------
    >>> model = DescriptionModel.of_descriptions([["prime", "minister"], ["minister"], []])
    >>> model.log10(["minister"]) > model.log10(["flutist"])
    True
    """

    pairs: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for pair, number in self.pairs.items():
            if len(pair.split()) != 2 or not isinstance(number, int) or number < 1:
                raise InputError(
                    f"{pair!r}: {number!r} is no count of a pair of words",
                    hint='write "word word": number',
                )

    @classmethod
    def of_descriptions(cls, descriptions: Iterable[Sequence[str]]) -> "DescriptionModel":
        """Count pairs in descriptions, which are lists of words.

        Parameters
        ----------
        descriptions
            The words before each name; none for a bare name.
        """
        counts = Counter(pair for words in descriptions for pair in _pairs(words))
        return cls(dict(sorted(counts.items())))

    @cached_property
    def _before(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for pair, number in self.pairs.items():
            found[pair.split()[0]] += number
        return found

    @cached_property
    def _after(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for pair, number in self.pairs.items():
            found[pair.split()[1]] += number
        return found

    def log10(self, words: Sequence[str]) -> float:
        """Give the logarithm of a description's probability.

        Parameters
        ----------
        words
            The words before a name, as `description_words` gives them.
        """
        return math.fsum(math.log10(self._probability(pair)) for pair in _pairs(words))

    def _probability(self, pair: str) -> float:
        before, after = pair.split()
        # One more word than was seen shares what is left, so that nothing is impossible.
        single = (self._after[after] + 1) / (sum(self._after.values()) + len(self._after) + 1)
        together = self.pairs.get(pair, 0) + _UNIGRAMS * single
        return together / (self._before[before] + _UNIGRAMS)


def _pairs(words: Sequence[str]) -> list[str]:
    chain = [_START, *words, _NAME]
    return [f"{before} {after}" for before, after in pairwise(chain)]
