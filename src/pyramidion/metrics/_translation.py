"""Metrics of machine translation, computed by the packages people know them from."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar

from pyramidion.collection._options import option
from pyramidion.errors import InputError
from pyramidion.metrics._metric import Need, SingleMetric


@dataclass(frozen=True, slots=True)
class _Translation(SingleMetric):
    """A metric of another package that compares a summary with all its references at once."""

    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    extra: ClassVar[str] = "mt"

    @property
    def signed(self) -> str:
        """The text of a signature, with the version of the package."""
        (package,) = self.packages
        try:
            return f"{self}[{package} {version(package)}]"
        except PackageNotFoundError:
            return str(self)


@dataclass(frozen=True, slots=True)
class Chrf(_Translation):
    """ChrF: F of character n-grams, by sacrebleu; its number divided by 100.

    With ``words=2`` it is chrF++. Of several references the best one counts.

    References
    ----------
    Popović (2015). chrF: character n-gram F-score for automatic MT evaluation. WMT. Post (2018).
    A call for clarity in reporting BLEU scores. WMT.

    Examples
    --------
    >>> Chrf(words=2)
    Chrf(characters=6, words=2, beta=2)
    """

    name: ClassVar[str] = "chrf"
    title: ClassVar[str] = "chrF"
    summary: ClassVar[str] = "character n-grams shared with the best reference, recall foremost"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "length"
    citation: ClassVar[str] = "Popović 2015"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    characters: int = option(6, "the longest character n-grams", min=1, max=9)
    words: int = option(0, "the longest word n-grams; 2 for chrF++", min=0, max=9)
    beta: int = option(2, "how much more recall weighs than precision", min=1, max=9)

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Ask sacrebleu."""
        from sacrebleu.metrics.chrf import CHRF

        chrf = CHRF(char_order=self.characters, word_order=self.words, beta=self.beta)
        return float(chrf.sentence_score(summary, sides[0]).score) / 100


@dataclass(frozen=True, slots=True)
class Ter(_Translation):
    """TER: edits, moves of words included, for each word of the references, by sacrebleu.

    Its number divided by 100: 0 for a copy of a reference, above 1 where more words must be
    changed than the references have on average. Of several references the nearest counts.

    References
    ----------
    Snover, Dorr, Schwartz, Micciulla and Makhoul (2006). A study of translation edit rate with
    targeted human annotation. AMTA.

    Examples
    --------
    >>> str(Ter(normalized=True))
    'ter(normalized)'
    """

    name: ClassVar[str] = "ter"
    title: ClassVar[str] = "TER"
    summary: ClassVar[str] = "how many edits make the summary the nearest reference"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"
    citation: ClassVar[str] = "Snover et al. 2006"
    in_all: ClassVar[bool] = False  # sacrebleu looks for moved words a long time
    higher_is_better: ClassVar[bool] = False
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    normalized: bool = option(False, "split punctuation off words")
    punctuation: bool = option(True, "compare punctuation, too")

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Ask sacrebleu."""
        from sacrebleu.metrics.ter import TER

        ter = TER(normalized=self.normalized, no_punct=not self.punctuation)
        found = float(ter.sentence_score(summary, sides[0]).score) / 100
        # Without a word in any reference sacrebleu divides by nothing.
        return found if any(side.strip() for side in sides[0]) else float("nan")


#: Where systems keep WordNet; Debian's package is called wordnet-base.
_WORDNETS = ("/usr/share/wordnet", "/usr/share/wordnet/dict", "/opt/homebrew/opt/wordnet/dict")


@dataclass(frozen=True, slots=True)
class Meteor(_Translation):
    """METEOR: aligned words, stems and synonyms, with a penalty for breaks, by nltk.

    Synonyms are WordNet's: of ``wordnet=FOLDER`` or the environment variable
    ``PYRAMIDION_WORDNET``, of nltk's own data, or of a system package (Debian: wordnet-base).
    Words are found as ROUGE finds them. Of several references the best one counts.

    References
    ----------
    Banerjee and Lavie (2005). METEOR: an automatic metric for MT evaluation with improved
    correlation with human judgments. ACL workshop on intrinsic and extrinsic evaluation measures.

    Examples
    --------
    >>> str(Meteor(alpha=0.8))
    'meteor(alpha=0.8)'
    """

    name: ClassVar[str] = "meteor"
    title: ClassVar[str] = "METEOR"
    summary: ClassVar[str] = "words, stems and synonyms aligned with the best reference"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "length"
    citation: ClassVar[str] = "Banerjee and Lavie 2005"
    packages: ClassVar[tuple[str, ...]] = ("nltk",)
    ascii_only: ClassVar[bool] = True

    alpha: float = option(0.9, "the weight of recall against precision", min=0, max=1)
    beta: float = option(3.0, "how the penalty grows with breaks", min=0)
    gamma: float = option(0.5, "the greatest penalty", min=0, max=1)
    wordnet: str = option("", "folder with WordNet's files")

    def require_installed(self) -> None:
        """Refuse to begin without nltk, or without WordNet."""
        SingleMetric.require_installed(self)
        _wordnet(self.wordnet)

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Ask nltk."""
        from nltk.translate.meteor_score import meteor_score

        from pyramidion.text import tokenize

        weights = {"alpha": self.alpha, "beta": self.beta, "gamma": self.gamma}
        texts = [tokenize(text) for text in sides[0]], tokenize(summary)
        return float(meteor_score(*texts, wordnet=_wordnet(self.wordnet), **weights))


@cache
def _wordnet(folder: str) -> Any:
    """Load WordNet from a folder, from a system package or from nltk's data."""
    asked = folder or os.environ.get("PYRAMIDION_WORDNET", "")
    for place in map(Path, (asked,) if asked else _WORDNETS):
        if (place / "index.noun").is_file():
            return WordNetFiles(place)
    if not asked:
        from nltk.corpus import wordnet

        with suppress(LookupError):
            wordnet.ensure_loaded()
            return wordnet
    raise InputError(
        f"meteor needs WordNet, which is not in {asked or 'the system or in the data of nltk'}",
        hint="install a system package such as wordnet-base, or write meteor(wordnet=FOLDER)",
    )


#: Endings of inflected words and what stands in their place, as in WordNet's morphology.
_ENDINGS = {
    "noun": "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    "verb": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "adj": "er: est: er:e est:e",
    "adv": "",
}


class WordNetFiles:
    """Synonyms from WordNet's own files, which nltk's reader takes from nltk's folders only."""

    def __init__(self, folder: Path) -> None:
        self._data = {kind: (folder / f"data.{kind}").read_bytes() for kind in _ENDINGS}
        self._index = {kind: dict(_indexed(folder / f"index.{kind}")) for kind in _ENDINGS}
        self._irregular = {kind: _exceptions(folder / f"{kind}.exc") for kind in _ENDINGS}
        self.synsets = cache(self._synsets)

    def _synsets(self, word: str) -> "list[_Synset]":
        """Return all senses of a word, which may be inflected."""
        return [
            self._synset(kind, offset)
            for kind in _ENDINGS
            for form in dict.fromkeys(self._forms(kind, word.lower()))
            for offset in self._index[kind].get(form, ())
        ]

    def _forms(self, kind: str, word: str) -> Iterator[str]:
        yield from self._irregular[kind].get(word, ())
        yield word
        if word not in self._irregular[kind]:
            for rule in _ENDINGS[kind].split():
                ending, _, other = rule.partition(":")
                if word.endswith(ending):
                    yield word.removesuffix(ending) + other

    def _synset(self, kind: str, offset: int) -> "_Synset":
        data = self._data[kind]
        parts = data[offset : data.index(b"\n", offset)].decode().split()
        names = parts[4 : 4 + 2 * int(parts[3], 16) : 2]
        # Adjectives may carry a mark of where they stand.
        return _Synset(_Lemma(name.partition("(")[0]) for name in names)


class _Lemma(str):
    """A word that gives its name as nltk's lemmas do."""

    __slots__ = ()

    def name(self) -> str:
        return str(self)


class _Synset(tuple[_Lemma, ...]):
    """Lemmas that are given as nltk's synsets give them."""

    __slots__ = ()

    def lemmas(self) -> "_Synset":
        return self


def _indexed(path: Path) -> Iterator[tuple[str, list[int]]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            lemma, _, senses, *rest = line.split()
            yield lemma, [int(offset) for offset in rest[-int(senses) :]]


def _exceptions(path: Path) -> dict[str, list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {word: forms for word, *forms in map(str.split, lines)}
