"""Metrics of machine translation: BLEU, and those computed by sacrebleu and nltk."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Metric, Need, SingleMetric, tokenizer_option
from pyramidion.questions import option
from pyramidion.text import Tokenizer


@dataclass(frozen=True, slots=True)
class Bleu(Metric):
    r"""BLEU: the geometric mean of n-gram precisions, times a penalty for brevity.

    An n-gram counts at most as often as in the reference that has it most often. With c words in
    the summary and r in the reference closest in length (the shorter of two), the penalty is
    :math:`\min(1, e^{1 - r/c})`. Since a single summary often shares no 4-gram, 1 is added to
    matches and totals of n > 1 (method 2 of Chen and Cherry 2014).

    Source: Papineni, Roukos, Ward and Zhu (2002). BLEU: a method for automatic evaluation of
    machine translation. ACL.
    """

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    summary: ClassVar[str] = "precision of n-grams, with a penalty for brevity"
    bounds: ClassVar[str] = "0 to 1"
    citation: ClassVar[str] = "Papineni et al. 2002"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    n: int = option(4, "the longest n-grams", min=1, max=9)
    stem: bool = option(False, "stem words")
    smooth: bool = option(True, "add 1 to matches and totals of n-grams with n > 1")
    tokenizer: Tokenizer | None = tokenizer_option()

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return lengths of the summary and its nearest reference, then matches and totals."""
        references = cases.references
        lengths = cases.texts.encoded(self.reading).lengths
        columns = [lengths[cases.peers], _nearest_length(cases, lengths)]
        for n in range(1, self.n + 1):
            counts = cases.texts.counts(self.reading, n)
            clipped_counts = counts[cases.peers].minimum(references.greatest(counts)[references.of])
            columns += [clipped_counts.sum(axis=1), np.maximum(lengths[cases.peers] - n + 1, 0)]
        return np.stack(columns, axis=1).astype(np.float64)

    def score(self, statistics: Floats) -> Floats:
        """Combine precisions and the penalty."""
        lengths, nearest_lengths = statistics[..., 0], statistics[..., 1]
        matches, totals = statistics[..., 2::2], statistics[..., 3::2]
        if self.smooth:
            smoothing = np.arange(self.n) > 0
            matches, totals = matches + smoothing, totals + smoothing
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.where(totals > 0, matches / totals, 0.0)
            mean_logs = np.log(precisions).mean(axis=-1)
            penalty = np.minimum(0.0, 1 - nearest_lengths / lengths)
        scores = np.where(lengths > 0, np.exp(mean_logs + penalty), 0.0)
        return np.where(np.isnan(nearest_lengths), np.nan, scores)


def _nearest_length(cases: ScoringBatch, lengths: Ints) -> Floats:
    """Return the length of the reference closest in length to each summary; NaN if none."""
    rows, references = cases.pairs
    peer_lengths, reference_lengths = lengths[cases.peers[rows]], lengths[references]
    order = np.lexsort((reference_lengths, np.abs(reference_lengths - peer_lengths), rows))
    first_rows = order[np.flatnonzero(np.diff(rows[order], prepend=-1))]
    nearest_lengths = np.full(len(cases), np.nan)
    nearest_lengths[rows[first_rows]] = reference_lengths[first_rows]
    return nearest_lengths


class _Translation(SingleMetric):
    """A metric computed by another package, for a summary and all its references."""

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
    """ChrF: F of character n-grams, computed by sacrebleu and divided by 100.

    ``words=2`` gives chrF++. With several references, the best one counts.

    Source: Popović (2015). chrF: character n-gram F-score for automatic MT evaluation. WMT. Post
    (2018). A call for clarity in reporting BLEU scores. WMT.
    """

    name: ClassVar[str] = "chrf"
    title: ClassVar[str] = "chrF"
    summary: ClassVar[str] = "character n-grams shared with the best reference, mainly recall"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "affected by length"
    citation: ClassVar[str] = "Popović 2015"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    characters: int = option(6, "the longest character n-grams", min=1, max=9)
    words: int = option(0, "the longest word n-grams; 2 for chrF++", min=0, max=9)
    beta: int = option(2, "weight of recall relative to precision", min=1, max=9)

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Call sacrebleu."""
        from sacrebleu.metrics.chrf import CHRF

        chrf = CHRF(char_order=self.characters, word_order=self.words, beta=self.beta)
        return float(chrf.sentence_score(summary, sides[0]).score) / 100


@dataclass(frozen=True, slots=True)
class Ter(_Translation):
    """TER: edits, including moves of words, per word of the references, computed by sacrebleu.

    0 for a copy of a reference, above 1 if there are more edits than words in an average reference
    (sacrebleu's number is divided by 100). With several references, the closest one counts.

    Source: Snover, Dorr, Schwartz, Micciulla and Makhoul (2006). A study of translation edit rate
    with targeted human annotation. AMTA.
    """

    name: ClassVar[str] = "ter"
    title: ClassVar[str] = "TER"
    summary: ClassVar[str] = "edits that turn the summary into the closest reference"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "affected by length"
    citation: ClassVar[str] = "Snover et al. 2006"
    in_all: ClassVar[bool] = False  # sacrebleu's search for moved words is slow
    higher_is_better: ClassVar[bool] = False
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    normalized: bool = option(False, "split punctuation off words")
    punctuation: bool = option(True, "also compare punctuation")

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Call sacrebleu."""
        from sacrebleu.metrics.ter import TER

        ter = TER(normalized=self.normalized, no_punct=not self.punctuation)
        # sacrebleu divides by zero if no reference has a word.
        if not any(side.strip() for side in sides[0]):
            return float("nan")
        return float(ter.sentence_score(summary, sides[0]).score) / 100


#: Where system packages put WordNet (Debian: wordnet-base).
_WORDNET_FOLDERS = (
    "/usr/share/wordnet",
    "/usr/share/wordnet/dict",
    "/opt/homebrew/opt/wordnet/dict",
)


@dataclass(frozen=True, slots=True)
class Meteor(_Translation):
    """METEOR: aligned words, stems and synonyms, with a penalty for gaps, computed by nltk.

    Synonyms come from WordNet: from ``wordnet=FOLDER`` or the environment variable
    ``PYRAMIDION_WORDNET``, a system package (Debian: wordnet-base), or nltk's data. Words are
    tokenized as in ROUGE. With several references, the best one counts.

    Source: Banerjee and Lavie (2005). METEOR: an automatic metric for MT evaluation with improved
    correlation with human judgments. ACL workshop on intrinsic and extrinsic evaluation measures.
    """

    name: ClassVar[str] = "meteor"
    title: ClassVar[str] = "METEOR"
    summary: ClassVar[str] = "words, stems and synonyms aligned with the best reference"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "affected by length"
    citation: ClassVar[str] = "Banerjee and Lavie 2005"
    packages: ClassVar[tuple[str, ...]] = ("nltk",)
    ascii_only: ClassVar[bool] = True

    alpha: float = option(0.9, "weight of recall against precision", min=0, max=1)
    beta: float = option(3.0, "exponent of the penalty for gaps", min=0)
    gamma: float = option(0.5, "maximum penalty", min=0, max=1)
    wordnet: str = option("", "folder with WordNet's files")

    def require_installed(self) -> None:
        """Raise an error if nltk or WordNet is missing."""
        SingleMetric.require_installed(self)
        _load_wordnet(self.wordnet)

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Call nltk."""
        from nltk.translate.meteor_score import meteor_score

        from pyramidion.text import tokenize

        weights = {"alpha": self.alpha, "beta": self.beta, "gamma": self.gamma}
        texts = [tokenize(text) for text in sides[0]], tokenize(summary)
        return float(meteor_score(*texts, wordnet=_load_wordnet(self.wordnet), **weights))


@cache
def _load_wordnet(folder: str) -> Any:
    """Load WordNet from a folder, from a system package or from nltk's data."""
    requested_folder = folder or os.environ.get("PYRAMIDION_WORDNET", "")
    for directory in map(Path, (requested_folder,) if requested_folder else _WORDNET_FOLDERS):
        if (directory / "index.noun").is_file():
            return WordNetFiles(directory)
    if not requested_folder:
        from nltk.corpus import wordnet

        with suppress(LookupError):
            wordnet.ensure_loaded()
            return wordnet
    raise InputError(
        "meteor needs WordNet, which is not in "
        f"{requested_folder or 'the system or the data of nltk'}",
        hint="install a system package such as wordnet-base, or use meteor(wordnet=FOLDER)",
    )


#: Endings of inflected words and their replacements, as in WordNet's morphology.
_ENDINGS_BY_POS = {
    "noun": "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    "verb": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "adj": "er: est: er:e est:e",
    "adv": "",
}


class WordNetFiles:
    """Synonyms from WordNet's files; nltk only reads its own data folders."""

    def __init__(self, folder: Path) -> None:
        self._data = {pos: (folder / f"data.{pos}").read_bytes() for pos in _ENDINGS_BY_POS}
        self._index = {pos: dict(_read_index(folder / f"index.{pos}")) for pos in _ENDINGS_BY_POS}
        self._irregular: dict[str, dict[str, list[str]]] = {}
        for pos in _ENDINGS_BY_POS:
            path = folder / f"{pos}.exc"
            lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
            self._irregular[pos] = {word: forms for word, *forms in map(str.split, lines)}
        self.synsets = cache(self._synsets)

    def _synsets(self, word: str) -> "list[_Synset]":
        """Return all senses of a possibly inflected word."""
        return [
            self._synset(pos, offset)
            for pos in _ENDINGS_BY_POS
            for word_form in dict.fromkeys(self._forms(pos, word.lower()))
            for offset in self._index[pos].get(word_form, ())
        ]

    def _forms(self, pos: str, word: str) -> Iterator[str]:
        yield from self._irregular[pos].get(word, ())
        yield word
        if word not in self._irregular[pos]:
            for rule in _ENDINGS_BY_POS[pos].split():
                ending, _, replacement = rule.partition(":")
                if word.endswith(ending):
                    yield word.removesuffix(ending) + replacement

    def _synset(self, pos: str, offset: int) -> "_Synset":
        data = self._data[pos]
        parts = data[offset : data.index(b"\n", offset)].decode().split()
        names = parts[4 : 4 + 2 * int(parts[3], 16) : 2]
        # Adjectives may have a syntactic marker such as (a).
        return _Synset(_Lemma(name.partition("(")[0]) for name in names)


class _Lemma(str):
    """A word that returns its name as nltk's lemmas do."""

    __slots__ = ()

    def name(self) -> str:
        return str(self)


class _Synset(tuple[_Lemma, ...]):
    """Lemmas as nltk's synsets return them."""

    __slots__ = ()

    def lemmas(self) -> "_Synset":
        return self


def _read_index(path: Path) -> Iterator[tuple[str, list[int]]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            lemma, _, senses, *fields = line.split()
            yield lemma, [int(offset) for offset in fields[-int(senses) :]]
