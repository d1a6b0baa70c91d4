"""Texts as numbers: encoded words, a background corpus, topic signatures."""

import gzip
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion import kernels
from pyramidion._types import Floats, Ints
from pyramidion.errors import DataNote, DataWarning
from pyramidion.text._english import english_file
from pyramidion.text.languages import (
    UNKNOWN,
    non_ascii_characters,
    splitting_letters,
    stop_list,
    units_of,
)
from pyramidion.text.tokens import (
    Stemmer,
    Tokenizer,
    is_stop_word,
    lexicon,
    stem,
    stemmer_for,
    tokenize,
)

#: From this share of non-ASCII letters on, a text is in another script, of which ROUGE's tokenizer
#: would keep only numbers and foreign names.
OTHER_SCRIPT_SHARE = 0.25
#: English texts have a smaller share; German, French and Spanish ones a larger share.
_ACCENTED_SHARE = 0.008

#: A function that returns the words of a text.
WordFunction = Callable[[Any], Iterable[str]]

#: Maximum length (in characters) of texts whose sentences are cached.
_MAX_SHORT_LENGTH = 10_000
#: Maximum number of different letters that are searched for one by one.
_MAX_SEARCHED_LETTERS = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """How texts become words.

    Examples
    --------
    >>> Reading(stop_words=True)
    Reading(stem=True, stop_words=True, tokenizer='rouge', language='en')
    """

    stem: bool = True
    stop_words: bool = False
    tokenizer: Tokenizer = "rouge"
    #: The language of the stop list and stemmer. Unless it is English or unknown, characters of
    #: scripts without spaces are taken in pairs.
    language: str = "en"


def other_letters(texts: Iterable[str | Sequence[object]]) -> float:
    """Return the share of non-ASCII letters."""
    joined_texts = [text if isinstance(text, str) else _join_sentences(text) for text in texts]
    n_other, n_letters = (
        (0, 0) if all(map(str.isascii, joined_texts)) else letter_counts(joined_texts)
    )
    return n_other / n_letters if n_other else 0.0


def letter_counts(texts: Iterable[str]) -> tuple[int, int]:
    """Count the non-ASCII letters, and all letters."""
    # Accents may be separate characters.
    composed_texts = [
        text if text.isascii() else unicodedata.normalize("NFC", text) for text in texts
    ]
    n_other = sum(map(str.isalpha, non_ascii_characters(composed_texts)))
    return n_other, kernels.ascii_letters(composed_texts) + n_other


def has_no_word(text: str | bytes | Sequence[object]) -> bool:
    """Return whether a text has letters but no words for the rouge tokenizer; never for bytes."""
    words = (
        text if isinstance(text, str) else "" if isinstance(text, bytes) else _join_sentences(text)
    )
    if words.isascii() or _ASCII_WORD.search(words):
        return False
    return any(map(str.isalpha, words))


def _join_sentences(sentences: Sequence[object]) -> str:
    return " ".join(map(str, sentences))


_ASCII_WORD = re.compile("[A-Za-z0-9]")


def tokenizer_for(
    share: float, requested_tokenizer: Tokenizer | None, *, fixed: bool = False
) -> Tokenizer | None:
    """Choose a tokenizer by the share of non-ASCII letters unless one was chosen, and warn."""
    if requested_tokenizer == "unicode" or share < _ACCENTED_SHARE:
        return requested_tokenizer
    message = f"{share:.0%} of the letters of the texts are not ASCII"
    if share < OTHER_SCRIPT_SHARE:
        message += ": the rouge tokenizer splits words at them; use the unicode tokenizer instead"
        warnings.warn(message, DataWarning, stacklevel=3)
    elif requested_tokenizer is None and not fixed:
        message += ": using the unicode tokenizer, because rouge knows only ASCII"
        warnings.warn(message, DataNote, stacklevel=3)
        return "unicode"
    else:
        message += ", and the rouge tokenizer ignores them: the scores mean little or nothing; use "
        warnings.warn(f"{message}the unicode tokenizer", DataWarning, stacklevel=3)
    return requested_tokenizer


@dataclass(frozen=True)
class Encoded:
    """Texts as arrays of word ids."""

    ids: npt.NDArray[np.int32]
    sentences: Ints
    texts: Ints
    words: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts) - 1

    @property
    def starts(self) -> Ints:
        """The offsets of the texts in `ids`, and the end."""
        return self.sentences[self.texts]

    @property
    def lengths(self) -> Ints:
        """The number of words of each text."""
        return np.diff(self.starts)

    @property
    def sentence_lengths(self) -> Ints:
        """The number of words of each sentence, text by text."""
        return np.diff(self.sentences)

    @property
    def alphabetical(self) -> "Encoded":
        """The same texts with word ids in alphabetical order."""
        order = sorted(range(len(self.words)), key=self.words.__getitem__)
        numbers = np.empty(len(order), np.int32)
        numbers[order] = np.arange(len(order), dtype=np.int32)
        return replace(self, ids=numbers[self.ids], words=[self.words[index] for index in order])

    def text(self, number: int) -> npt.NDArray[np.int32]:
        """Return the words of a text."""
        first, last = self.texts[number], self.texts[number + 1]
        return self.ids[self.sentences[first] : self.sentences[last]]

    def sentences_of(self, number: int) -> list[npt.NDArray[np.int32]]:
        """Return the words of each sentence of a text; sentences may be empty."""
        bounds = self.sentences[self.texts[number] : self.texts[number + 1] + 1]
        return np.split(self.ids[bounds[0] : bounds[-1]], bounds[1:-1] - bounds[0])


def expanded(starts: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Concatenate ranges; return the index of the range and the value of each element."""
    owners = np.repeat(np.arange(len(counts)), counts)
    offsets = starts - np.cumsum(counts) + counts
    return owners, np.arange(len(owners)) + offsets[owners]


def encode(
    texts: Sequence[Any],
    *,
    tokenizer: Tokenizer | WordFunction = "rouge",
    stem: bool | str | Stemmer = False,
    stop_words: bool = False,
    exceptions: bool = True,
    language: str = "en",
) -> Encoded:
    """Tokenize texts and number their words with a common vocabulary."""
    stem = stemmer_for(stem, language)
    word_lexicon = lexicon(exceptions=exceptions, nltk=stem == "nltk", language=language)
    is_rule_stemmer = bool(stem) and not callable(stem)
    vocabulary = kernels.Vocabulary(word_lexicon, stem=is_rule_stemmer, stop_words=stop_words)
    numbers = numbered(texts, vocabulary, tokenizer, language)
    encoded_texts = Encoded(*numbers, vocabulary.words)
    return _stem_vocabulary(encoded_texts, stem) if callable(stem) else encoded_texts


def numbered(
    texts: Sequence[Any],
    vocabulary: kernels.Vocabulary,
    tokenizer: Tokenizer | WordFunction,
    language: str = "en",
) -> kernels.Encoding:
    """Return the word ids of texts; the kernels tokenize what all our tokenizers split alike."""
    if tokenizer == "rouge":
        return vocabulary.encode(texts)
    words_of = tokenizer if callable(tokenizer) else _tokenizer_for(tokenizer, language)
    text_lines = [lines_of(text) for text in texts]
    sentences = [line for text in text_lines for line in text]
    special_indices = (
        list(range(len(sentences))) if callable(tokenizer) else _special_indices(sentences)
    )
    special_sentences = [sentences[number] for number in special_indices]
    for number in special_indices:
        sentences[number] = ""
    ids, bounds, _ = vocabulary.encode([tuple(sentences)])
    text_bounds = np.array([*accumulate(map(len, text_lines), initial=0)])
    if not special_indices:
        return ids, bounds, text_bounds
    pieces, last = [], 0
    sizes = np.zeros(len(bounds), np.int64)
    for number, end, sentence in zip(
        special_indices, bounds[special_indices].tolist(), special_sentences, strict=True
    ):
        words = vocabulary.encode_words(list(words_of(sentence)))
        pieces += [ids[last:end], words]
        sizes[number + 1], last = len(words), end
    return np.concatenate([*pieces, ids[last:]]), bounds + sizes.cumsum(), text_bounds


def _special_indices(sentences: Sequence[str | bytes]) -> list[int]:
    """Return the indices of sentences in which our tokenizers may find different words."""
    try:
        non_ascii_indices = [
            index for index, sentence in enumerate(sentences) if not sentence.isascii()
        ]
    except AttributeError:  # not a text; the tokenizer reports it
        return list(range(len(sentences)))
    accents = splitting_letters(
        sentence for index in non_ascii_indices if isinstance(sentence := sentences[index], str)
    )
    if len(accents) > _MAX_SEARCHED_LETTERS or any(
        isinstance(sentences[index], bytes) for index in non_ascii_indices
    ):
        return non_ascii_indices
    return [
        index
        for index in non_ascii_indices
        if any(sign in str(sentences[index]) for sign in accents)
    ]


def _tokenizer_for(tokenizer: Tokenizer, language: str) -> WordFunction:
    if language in ("en", UNKNOWN):
        return partial(tokenize, tokenizer=tokenizer)
    stop_words = stop_list(language)
    return lambda text: units_of(tokenize(text, tokenizer), stop_words)


def _stem_vocabulary(encoded_texts: Encoded, stemmer: Stemmer) -> Encoded:
    """Stem each word of the vocabulary once."""
    stem_ids: dict[str, int] = {}
    numbers = [stem_ids.setdefault(stemmer(word), len(stem_ids)) for word in encoded_texts.words]
    ids = np.array(numbers, np.int32)[encoded_texts.ids] if numbers else encoded_texts.ids
    return replace(encoded_texts, ids=ids, words=list(stem_ids))


def lines_of(text: Any) -> Sequence[str | bytes]:
    """Return the lines of a text; a sequence of sentences is returned unchanged."""
    if isinstance(text, str):
        return text.split("\n")
    return text.split(b"\n") if isinstance(text, bytes) else text


def as_sentences(text: str, language: str = "en") -> tuple[str, ...]:
    """Split a text into sentences: at line breaks, if there are any."""
    if "\n" in text.strip():
        return tuple(text.split("\n"))
    split = _split_text if len(text) <= _MAX_SHORT_LENGTH else _split_text.__wrapped__
    return split(text, language)


@lru_cache(maxsize=10_000)
def _split_text(text: str, language: str) -> tuple[str, ...]:
    from pyramidion.text.sentences import split_sentences

    return tuple(split_sentences(text, language=language))


@dataclass(frozen=True, eq=False)
class Background:
    """Word counts and document frequencies of general English."""

    counts: Mapping[str, int]
    document_frequencies: Mapping[str, int]
    documents: int

    @property
    def total(self) -> int:
        """The number of words counted."""
        return sum(self.counts.values())

    def counts_of(self, words: list[str]) -> Ints:
        """Return the count of each word, 0 for unknown ones."""
        return np.array([self.counts.get(word, 0) for word in words], dtype=np.int64)

    def idf(self, words: list[str]) -> Floats:
        r"""Return each word's inverse document frequency, :math:`\log((N + 1/2) / (n + 1/2))`."""
        spread = np.array(
            [self.document_frequencies.get(word, 0) for word in words], dtype=np.float64
        )
        return np.log((self.documents + 0.5) / (spread + 0.5))

    def without_stop_words(self) -> "Background":
        """Return the counts without stop words."""
        counts = {word: count for word, count in self.counts.items() if not is_stop_word(word)}
        return Background(counts, self.document_frequencies, self.documents)

    def stemmed(self) -> "Background":
        """Return the counts of stems."""
        counts: Counter[str] = Counter()
        spread: Counter[str] = Counter()
        for word, count in self.counts.items():
            root = stem(word)
            counts[root] += count
            spread[root] = min(
                spread[root] + self.document_frequencies.get(word, 0), self.documents
            )
        return Background(counts, spread, self.documents)


@cache
def default_background(*, stem: bool = False, stop_words: bool = False) -> Background:
    """Read the built-in counts of general English (see ``background.md``)."""
    if stem:
        return default_background(stop_words=stop_words).stemmed()
    if stop_words:
        return default_background().without_stop_words()
    path = english_file("background.tsv.gz", "weighting words by their frequency in English")
    header, *lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return Background(
        {word: int(count) for word, count, _ in rows},
        {word: int(spread) for word, _, spread in rows},
        documents=int(header.rsplit(" ", 1)[1]),
    )


#: Words with a larger ratio are topic signatures; 10.83 is the 0.001 point of chi-square.
SIGNATURE_CUTOFF = 10.0


def log_likelihood_ratios(
    counts: npt.ArrayLike, total: int, background: npt.ArrayLike, background_total: int
) -> Floats:
    r"""Return :math:`-2\log\lambda` of each word; negative if it is rarer than in general English.

    References
    ----------
    Dunning (1993). Accurate methods for the statistics of surprise and coincidence.
    Computational Linguistics 19(1).
    """
    observed_counts, background_counts = (
        np.asarray(counts, dtype=np.float64),
        np.asarray(background, dtype=np.float64),
    )
    n1, n2 = float(total), float(background_total)
    pooled_rate = (observed_counts + background_counts) / max(n1 + n2, 1.0)
    ratio = 2 * (
        _log_likelihood(observed_counts, n1, observed_counts / max(n1, 1.0))
        + _log_likelihood(background_counts, n2, background_counts / max(n2, 1.0))
        - _log_likelihood(observed_counts, n1, pooled_rate)
        - _log_likelihood(background_counts, n2, pooled_rate)
    )
    return np.where(
        observed_counts * n2 >= background_counts * n1,
        np.maximum(ratio, 0.0),
        -np.maximum(ratio, 0.0),
    )


def _log_likelihood(k: Floats, n: float, p: Floats) -> Floats:
    """Return the binomial log-likelihood without its coefficient; 0 log 0 is 0."""
    from scipy.special import xlog1py, xlogy

    likelihood = xlogy(k, p) + xlog1py(n - k, -p)
    return np.asarray(likelihood, dtype=np.float64)


def signature_weights(words: list[str], counts: npt.ArrayLike, background: Background) -> Floats:
    """Return the log-likelihood ratios of an input's words."""
    observed_counts, background_counts = np.asarray(counts), background.counts_of(words)
    return log_likelihood_ratios(
        observed_counts, int(observed_counts.sum()), background_counts, background.total
    )
