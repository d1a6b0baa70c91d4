"""Readability: sentence lengths, syllables, anaphora, readability indices."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import RatioMetric, tokenizer_option
from pyramidion.metrics._sentence_terms import TermMetric, TermSentences
from pyramidion.questions import option
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import Encoded

_IRREGULAR_SYLLABLES = {
    **dict.fromkeys(("aged", "aisle", "aisles", "clothes", "isle", "isles"), 1),
    **dict.fromkeys(("argue", "argued", "argues", "business", "crooked", "evening"), 2),
    **dict.fromkeys(("evenings", "every", "leopard", "naive", "naked", "people", "peoples"), 2),
    **dict.fromkeys(("wednesday", "wicked", "wretched"), 2),
    **dict.fromkeys(("anyone", "arguing", "beloved", "businesses", "element", "elements"), 3),
    **dict.fromkeys(("everyone", "everything", "jeopardy", "nuclear", "parliament"), 3),
    **dict.fromkeys(("parliaments", "recipe", "recipes"), 3),
    **dict.fromkeys(("apostrophe", "california", "catastrophe", "everybody"), 4),
}

#: Vowel letters that are silent or act as consonants, and their replacements.
_CONSONANTAL_VOWELS = (
    (re.compile(r"(?<=[aeiou][gq])ue(?=s?$)|(?<=[gq])u(?=[aeiou])"), ""),
    (re.compile(r"^y(?=[aeiou])|(?<=[aeiou])y(?=[aeiou])"), "j"),
)

# An e is not mute if a consonant with l or r makes a syllable of it: settlement, settled.
_MUTE_E_INSIDE = re.compile(
    r"(?<=[aeiouy][^aeiouy])(?<![bcdfgkpstz]l)e(?=(?:ly|ments?|ful|fully|less|ness|some|ty|teen|"
    r"things?|times?|where|one|body|fore|works?|workers?|lands?|long|lines?|ships?|makers?)$)"
    r"|(?<=[aeiouy][^aeiouy][^aeiouy])(?<![bcdfgkpstz][lr])e(?=(?:ly|ments?|ful|fully|less|ness)$)"
)
_MUTE_E_AT_END = re.compile(
    r"(?<=[^aeiouy])(?<![bcdfgkpstz]l)(?<![bcdgkpt]r)"
    r"(?:e$|(?<![szxcg])(?<![cs]h)es$|(?<![td])ed$)"
)
#: Replaces a mute ending, so that the letters before it do not match as the end of the word.
_MUTE_MARK = "'"

#: Adjacent letters that belong to two syllables.
_HIATUS_PATTERN = re.compile(
    "|".join(
        (
            r"(?<![cstl])i(?=a(?!g(?:es|')?$))",  # media, not special, marriage
            r"(?<=[cst])i(?=a(?![nl]|$))",  # association, not Asian, partial
            r"(?<=l)i(?=a(?!ns?$|nts?$|rs?$))",  # liable, not Italian, familiar
            r"(?<![tscgxn])(?<!ll)i(?=o(?!rs?$))",  # radio, not nation, million
            r"(?<![vn])i(?=ors?$)",  # prior, not senior
            r"(?<=[tscgx])i(?=o(?![nu]))|(?<=n)i(?=ou)",  # ratio, harmonious
            r"(?<!g)i(?=u)|i(?=et)",  # stadium, quiet
            r"(?<![ct])(?<!fr)i(?=en)|(?<=^sc)i(?=en)",  # audience, science, not patient, friend
            r"(?<=rr)i(?=ers?$)|(?<=rl)i(?=ers?$)|(?<=pp)i(?=ers?$)",  # carrier, earlier
            r"(?<=as)i(?=ers?$)|(?<=av)i(?=ers?$)|(?<!pr)i(?=est$)",  # easier, heavier, easiest
            r"(?<!s)u(?=a)|(?<=s)u(?=al)",  # annual, usual, not persuade
            r"u(?=e[lnt])|u(?=i[nd])|(?<=s)u(?=ic)|u(?=it[iy])|u(?=ou)",  # fuel, ruin, suicide
            r"(?<![gt])e(?=o(?!u))|(?<=g)e(?=o[glmp])|(?<![gt])e(?=ous)",  # video, geology, hideous
            r"e(?=um$)|e(?=ing)",  # museum, being
            r"(?<=cr)e(?=at(?!ur))|(?<=^r)e(?=act)|(?<=r)e(?=ali)|(?<=th)e(?=at)",  # create, react
            r"(?<=[aeiouy][^aeiouy])e(?=as?$)",  # idea, not sea
            r"(?<=[aeiouy][^aeiouyc])e(?=ans?$)",  # Korean, not clean, ocean
            r"(?<=^r)e(?=in[cftsv])|(?<=^r)e(?=e[lnx])",  # reinforce, reelect
            r"(?<=^p)o(?=e[mt])|(?<=^c)o(?=e[dx]|opera|ordi)",  # poet, coexist, cooperate
            r"o(?=ing)|o(?=ics?$)|(?<=z)o(?=olog)",  # going, heroic, zoology
            r"a(?=ic$)|a(?=o)|y(?=i)",  # mosaic, chaos, flying
            r"(?<=[ia])s(?=ms?$)|(?<=th)m(?=s?$)|^m(?=c[^aeiou])",  # tourism, rhythm, McKay
        )
    )
)
_SOUNDED_VOWELS = str.maketrans("éèêë", "aaaa")
_VOWELS = re.compile(r"[aeiouy]+")


@lru_cache(maxsize=100_000)
def count_syllables(word: str) -> int:
    """Count the syllables of an English word.

    Correct for 345 of 348 words drawn at random from the demo's texts and from news summaries; all
    but businessman, Georgia and livelihood.
    """
    composed_word = unicodedata.normalize("NFC", word.lower()).translate(_SOUNDED_VOWELS)
    decomposed_word = unicodedata.normalize("NFD", composed_word)
    letters = "".join(letter for letter in decomposed_word if "a" <= letter <= "z")
    if not letters or letters in _IRREGULAR_SYLLABLES:
        return _IRREGULAR_SYLLABLES.get(letters, 0)
    for pattern, replacement in _CONSONANTAL_VOWELS:
        letters = pattern.sub(replacement, letters)
    letters = _MUTE_E_INSIDE.sub("", letters)
    marked_letters = _MUTE_E_AT_END.sub(_MUTE_MARK, letters)
    # In "the" and "red", the e is the only vowel and therefore not mute.
    marked_letters = marked_letters if _VOWELS.search(marked_letters) else letters
    return max(
        1, len(_VOWELS.findall(marked_letters)) + len(_HIATUS_PATTERN.findall(marked_letters))
    )


#: What follows an apostrophe, as in it's and we'll; not counted as words.
CLITICS = frozenset({"d", "ll", "m", "re", "s", "t", "ve"})


@dataclass(frozen=True, slots=True)
class ReadabilityMetric(RatioMetric):
    """One count of a summary divided by another."""

    citation: ClassVar[str] = "Tavernier and Bellot 2011"

    tokenizer: Tokenizer | None = tokenizer_option()

    def syllables(self, cases: ScoringBatch) -> Ints:
        """Count the syllables of each word; 0 for numbers and clitics such as *'ll*."""

        def counted() -> Ints:
            words = cases.texts.encoded(self.reading).words
            is_word = (word.isalpha() and word not in CLITICS for word in words)
            pairs = zip(words, is_word, strict=True)
            return np.array(
                [
                    count_syllables(word) if is_word_of_letters else 0
                    for word, is_word_of_letters in pairs
                ],
                dtype=np.int64,
            )

        return cases.texts.memo(("spoken_words", self.tokenizer or "rouge"), counted)

    def of_summaries(self, cases: ScoringBatch, *counts: Ints) -> Floats:
        """Select each summary's row from counts of all texts."""
        return np.stack(counts, axis=1)[cases.peers].astype(np.float64)


def _sum_per_text(values: Ints | Bools, bounds: Ints) -> Ints:
    """Sum values of words or sentences over each text."""
    return np.diff(np.concatenate([[0], np.cumsum(values)])[bounds])


def sum_over_words(encoded_texts: Encoded, values: Ints) -> Ints:
    """Sum a value of each word over each text."""
    return _sum_per_text(values[encoded_texts.ids], encoded_texts.starts)


def _is_whole_word(encoded_texts: Encoded) -> Ints:
    """Mark the words that do not follow an apostrophe."""
    return 1 - _is_in_list(encoded_texts, CLITICS)


def count_sentences(encoded_texts: Encoded) -> Ints:
    """Count the sentences of each text that have a word."""
    return _sum_per_text(encoded_texts.sentence_lengths > 0, encoded_texts.texts)


_PRONOUNS = frozenset(
    {
        *("he", "him", "his", "himself", "she", "her", "hers", "herself"),
        *("it", "its", "itself", "they", "them", "their", "theirs", "themselves"),
    }
)
#: Anaphora by kind: anywhere, and only at the beginning of a sentence.
_ANAPHORA = {
    "pronouns": (_PRONOUNS, frozenset[str]()),
    "demonstratives": (frozenset({"this", "these", "those"}), frozenset({"that"})),
    "definite": (frozenset[str](), frozenset({"the"})),
}


@dataclass(frozen=True, slots=True)
class Anaphora(ReadabilityMetric):
    """Anaphora per sentence: pronouns, demonstratives, and *the* at the beginning.

    Counts personal, possessive and reflexive pronouns of the third person; *this*, *these* and
    *those* anywhere, and *that* at the beginning of a sentence (elsewhere it mostly joins clauses);
    and *the* at the beginning of a sentence. ``count`` selects one kind. Nothing is resolved: a
    pronoun counts whether or not the summary has its antecedent. Undefined for a text without
    words.

    Source: Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the
    quality of a text summary. Algorithms 5. (Named there as future work.)
    """

    name: ClassVar[str] = "anaphora"
    title: ClassVar[str] = "anaphora per sentence"
    summary: ClassVar[str] = "mean number of anaphoric words per sentence"
    bounds: ClassVar[str] = "from 0"
    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"
    higher_is_better: ClassVar[bool] = False

    count: str = option("all", "which of them", choices=("all", *_ANAPHORA))

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count anaphora and sentences."""
        encoded_texts = cases.texts.encoded(self.reading)
        counts = np.zeros(len(encoded_texts), dtype=np.int64)
        for kind in _ANAPHORA if self.count == "all" else (self.count,):
            anywhere_words, opening_words = _ANAPHORA[kind]
            counts += sum_over_words(encoded_texts, _is_in_list(encoded_texts, anywhere_words))
            counts += _count_beginnings(encoded_texts, opening_words)
        return self.of_summaries(cases, counts, count_sentences(encoded_texts))


def _is_in_list(encoded_texts: Encoded, words: frozenset[str]) -> Ints:
    return np.array([word in words for word in encoded_texts.words], dtype=np.int64)


def _count_beginnings(encoded_texts: Encoded, words: frozenset[str]) -> Ints:
    """Count the sentences of each text that begin with one of the words."""
    is_opening = np.zeros(len(encoded_texts.sentences) - 1, dtype=np.int64)
    has_words = encoded_texts.sentence_lengths > 0
    first_ids = encoded_texts.ids[encoded_texts.sentences[:-1][has_words]]
    is_opening[has_words] = _is_in_list(encoded_texts, words)[first_ids]
    return _sum_per_text(is_opening, encoded_texts.texts)


class SentenceLength(ReadabilityMetric):
    """Mean number of words per sentence; undefined for a text without words.

    ``it's`` counts as one word, and so does a number.

    Source: Tavernier and Bellot (2011). Combining relevance and readability for INEX 2011
    question-answering track. Pre-proceedings of INEX.
    """

    name: ClassVar[str] = "sentence-length"
    title: ClassVar[str] = "words per sentence"
    summary: ClassVar[str] = "mean number of words per sentence"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "affected by length"
    higher_is_better: ClassVar[bool] = False

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count words and sentences."""
        encoded_texts = cases.texts.encoded(self.reading)
        n_words = sum_over_words(encoded_texts, _is_whole_word(encoded_texts))
        return self.of_summaries(cases, n_words, count_sentences(encoded_texts))


class NegLogSentences(TermMetric):
    r"""The negative logarithm of the number of sentences, a feature of CLASSY.

    .. math:: -\log_2 n

    The table of models calls it ``-log2(sent length)``: under a word limit, fewer sentences are
    longer. A sentence counts if it has a word, even a stop word. One sentence gives 0; undefined
    for a text without words.

    Source: Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the
    quality of a text summary. Algorithms 5.
    """

    name: ClassVar[str] = "neg-log-sentences"
    title: ClassVar[str] = "-log2(sentences)"
    summary: ClassVar[str] = "the negative logarithm of the number of sentences"
    bounds: ClassVar[str] = "up to 0"

    def measured(self, terms: TermSentences) -> Floats:
        """Return the score itself."""
        # Subtracting from 0 avoids a score of -0.
        return 0 - np.log2(np.maximum(terms.n_sentences, 1))


class SyllablesPerWord(ReadabilityMetric):
    """Mean number of syllables per word, by rules for English (see `count_syllables`).

    Numbers and what follows an apostrophe are ignored. Undefined for a text without other words.

    Source: Tavernier and Bellot (2011). Combining relevance and readability for INEX 2011
    question-answering track. Pre-proceedings of INEX.
    """

    name: ClassVar[str] = "syllables-per-word"
    title: ClassVar[str] = "syllables per word"
    summary: ClassVar[str] = "mean number of syllables per word"
    bounds: ClassVar[str] = "from 1"
    higher_is_better: ClassVar[bool] = False

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count syllables and words."""
        encoded_texts, syllables = cases.texts.encoded(self.reading), self.syllables(cases)
        n_words = sum_over_words(encoded_texts, 1 * (syllables > 0))
        return self.of_summaries(cases, sum_over_words(encoded_texts, syllables), n_words)


class Monosyllables(ReadabilityMetric):
    """The share of words with a single syllable; see `SyllablesPerWord`."""

    name: ClassVar[str] = "monosyllables"
    title: ClassVar[str] = "monosyllables"
    summary: ClassVar[str] = "the share of words with a single syllable"
    bounds: ClassVar[str] = "0 to 1"

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count monosyllables and words."""
        encoded_texts, syllables = cases.texts.encoded(self.reading), self.syllables(cases)
        n_words = sum_over_words(encoded_texts, 1 * (syllables > 0))
        return self.of_summaries(
            cases, sum_over_words(encoded_texts, 1 * (syllables == 1)), n_words
        )


#: Each index as a function of rates: words per sentence, syllables per word, letters and digits
#: per word, long words per sentence.
_FORMULAS: Mapping[str, Callable[[Floats, Floats, Floats, Floats], Floats]] = {
    "flesch-reading-ease": lambda words, syllables, _, __: (
        206.835 - 1.015 * words - 84.6 * syllables
    ),
    "flesch-kincaid-grade": lambda words, syllables, _, __: 0.39 * words + 11.8 * syllables - 15.59,
    "gunning-fog": lambda words, _, __, long: 0.4 * (words + 100 * long / words),
    "automated-readability": lambda words, _, signs, __: 4.71 * signs + 0.5 * words - 21.43,
    "coleman-liau": lambda words, _, signs, __: 5.88 * signs - 29.6 / words - 15.8,
    "smog": lambda _, __, ___, long: 1.0430 * np.sqrt(30 * long) + 3.1291,
}


@dataclass(frozen=True, slots=True)
class ReadabilityIndex(ReadabilityMetric):
    r"""One of six readability indices, made for English school books.

    With words per sentence (w), syllables per word (s), letters and digits per word (c) and words
    of three or more syllables per sentence (p):

    - ``flesch-reading-ease``: 206.835 - 1.015 w - 84.6 s; higher is easier
    - ``flesch-kincaid-grade``: 0.39 w + 11.8 s - 15.59
    - ``gunning-fog``: 0.4 (w + 100 p / w); unlike Gunning's, it counts names, compounds and words
      made long by *-es* or *-ed*
    - ``automated-readability``: 4.71 c + 0.5 w - 21.43
    - ``coleman-liau``: 5.88 c - 29.6 / w - 15.8
    - ``smog``: :math:`1.043 \sqrt{30 p} + 3.1291`, made for 30 sentences, rough for fewer

    All but the first are grades of American schools. Easy does not mean good: an index only knows
    the lengths of words and sentences. ``it's`` is one word; numbers have one syllable. Undefined
    for a text without words. Dale-Chall is missing because its word list has no license.

    Source: Flesch (1948), A new readability yardstick, Journal of Applied Psychology 32. Kincaid,
    Fishburne, Rogers and Chissom (1975), Derivation of new readability formulas for Navy enlisted
    personnel (also the automated readability index). Gunning (1952), The technique of clear
    writing. Coleman and Liau (1975), A computer readability formula designed for machine scoring,
    Journal of Applied Psychology 60. McLaughlin (1969), SMOG grading, Journal of Reading 12.
    """

    name: ClassVar[str] = "readability-index"
    title: ClassVar[str] = "readability indices"
    summary: ClassVar[str] = "reading difficulty, by lengths of words and sentences"
    bounds: ClassVar[str] = "any number"
    confuses: ClassVar[str] = "affected by length"
    citation: ClassVar[str] = "Flesch 1948 and others"
    descriptive: ClassVar[bool] = True
    ascii_only: ClassVar[bool] = True  # made for English
    members: ClassVar[tuple[str, ...]] = tuple(_FORMULAS)

    index: str = option("flesch-reading-ease", "which of them", choices=tuple(_FORMULAS))

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Parse the name of an index."""
        return {"index": name} if name in cls.members else None

    def _call(self) -> str:
        return self.index

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count words, sentences, syllables, letters and digits, and long words."""
        encoded_texts = cases.texts.encoded(self.reading)

        def counted() -> tuple[Ints, ...]:
            word_counts = _is_whole_word(encoded_texts)
            syllables = np.maximum(self.syllables(cases), word_counts)
            n_characters = np.array([*map(len, encoded_texts.words)], dtype=np.int64)
            return word_counts, syllables, n_characters, 1 * (syllables >= 3)

        columns = cases.texts.memo(("grades", self.tokenizer or "rouge"), counted)
        n_words, *sums = (sum_over_words(encoded_texts, column) for column in columns)
        return self.of_summaries(cases, n_words, count_sentences(encoded_texts), *sums)

    def score(self, statistics: Floats) -> Floats:
        """Apply the formula to rates."""
        words, sentences, syllables, n_characters, n_long = np.moveaxis(statistics, -1, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = words / sentences, syllables / words, n_characters / words, n_long / sentences
            scores = _FORMULAS[self.index](*rates)
        return np.where(words > 0, scores, np.nan)
