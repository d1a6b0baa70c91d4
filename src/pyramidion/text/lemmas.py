"""Base forms of words, by rules on endings and a table of what they do not cover."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Lemmatizer"]

#: Endings of more letters are not looked at.
_LONGEST = 5
#: Letters that a base form adds or loses.
Edit = tuple[int, str]


@dataclass(frozen=True, eq=False)
class Lemmatizer:
    """What becomes of a word with a certain tag.

    Parameters
    ----------
    rules
        By tag and ending, how many letters go and which ones come: the longest ending counts.
    words
        Base forms that the rules get wrong, by tag and word.

    Examples
    --------
    >>> pairs = [("Rains", "VBZ", "rain"), ("sings", "VBZ", "sing"), ("goes", "VBZ", "go")]
    >>> lemmatizer = Lemmatizer.learn(pairs)
    >>> [lemmatizer.lemma(word, "VBZ") for word in ("floods", "GOES", "s")]
    ['flood', 'go', 's']
    """

    rules: Mapping[str, Edit]
    words: Mapping[str, str]

    def lemma(self, word: str, fine: str) -> str:
        """Give the base form, in small letters.

        Parameters
        ----------
        word
            A word.
        fine
            Its tag, in the Penn Treebank's letters.
        """
        lower = word.lower()
        return self.words.get(f"{fine} {lower}") or self._by_rule(lower, fine)

    def _by_rule(self, lower: str, fine: str) -> str:
        for size in range(min(_LONGEST, len(lower) - 1), -1, -1):
            edit = self.rules.get(f"{fine} {lower[len(lower) - size :]}")
            if edit:
                cut, added = edit
                return (lower[: len(lower) - cut] if cut < len(lower) else "") + added or lower
        return lower

    @classmethod
    def learn(cls, known: Iterable[tuple[str, str, str]]) -> "Lemmatizer":
        """Learn from words, their tags and base forms.

        Parameters
        ----------
        known
            Words as often as they occur.
        """
        counted: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for word, fine, lemma in known:
            counted[fine, word.lower()][lemma.lower()] += 1
        best = {own: lemmas.most_common(1)[0][0] for own, lemmas in counted.items()}
        rules = _learned_rules(best)
        plain = cls(rules, {})
        words = {
            f"{fine} {word}": lemma
            for (fine, word), lemma in sorted(best.items())
            if plain.lemma(word, fine) != lemma
        }
        return cls(rules, words)

    def header(self) -> dict[str, Any]:
        """Give what JSON holds of it."""
        return {"rules": dict(self.rules), "words": dict(self.words)}

    @classmethod
    def from_header(cls, header: Mapping[str, Any]) -> "Lemmatizer":
        """Read what `header` gave."""
        return cls(
            {own: (cut, added) for own, (cut, added) in header["rules"].items()}, header["words"]
        )


def _learned_rules(best: Mapping[tuple[str, str], str]) -> dict[str, Edit]:
    """Count edits by ending; keep those of an ending that a shorter one does not say."""
    seen: defaultdict[tuple[str, str], Counter[Edit]] = defaultdict(Counter)
    for (fine, word), lemma in best.items():
        edit = _edit(word, lemma)
        for size in range(min(_LONGEST, len(word) - 1) + 1):
            seen[fine, word[len(word) - size :]][edit] += 1
    rules: dict[str, Edit] = {}
    for fine, ending in sorted(seen, key=lambda own: (len(own[1]), own)):
        (edit, times), *_ = sorted(seen[fine, ending].items(), key=lambda item: (-item[1], item[0]))
        shorter = (rules.get(f"{fine} {ending[k:]}") for k in range(1, len(ending) + 1))
        said = next((own for own in shorter if own), (0, ""))
        if edit != said and (times > 1 or not ending):
            rules[f"{fine} {ending}"] = edit
    return rules


def _edit(word: str, lemma: str) -> Edit:
    same = 0
    while same < min(len(word), len(lemma)) and word[same] == lemma[same]:
        same += 1
    return len(word) - same, lemma[same:]
