"""Part-of-speech tagging and lemmatization with a small averaged perceptron."""

import json
import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from pyramidion._types import Ints
from pyramidion.errors import InputError
from pyramidion.text._abbreviations import lexicon
from pyramidion.text._english import english_file
from pyramidion.text._light.name_words import name_words
from pyramidion.text.encoding import expanded

Hashes = npt.NDArray[np.uint32]
"""Hashed numbers."""

N_HASHES: Final = 1 << 20
"""The number of hash values of features."""

_MIX_MULTIPLIER: Final = np.uint32(0x9E3779B1)
_SPREAD_MULTIPLIER: Final = np.uint32(0x85EBCA6B)
_SALT_MULTIPLIER: Final = 0x27D4EB2F
_HALF_BITS: Final = np.uint32(15)
#: Bits dropped to get hashes below `N_HASHES`.
_DROPPED_BITS: Final = np.uint32(12)


def hash_text(text: str) -> int:
    """Hash a text."""
    return crc32(text.encode("utf-8", "replace"))


def hash_numbers(numbers: Any) -> Hashes:
    """Hash small numbers."""
    return np.asarray(numbers).astype(np.uint32) * np.uint32(2654435761)


class Templates:
    """Feature templates, each a combination of columns."""

    def __init__(self, templates: Sequence[Sequence[int]]) -> None:
        sorted_templates = sorted(templates, key=len)
        salts = [
            (number + 1) * _SALT_MULTIPLIER & 0xFFFFFFFF for number in range(len(sorted_templates))
        ]
        self._salts = np.array(salts, np.uint32)
        self._columns = [
            np.array(
                [template[depth] for template in sorted_templates if len(template) > depth],
                np.int64,
            )
            for depth in range(len(sorted_templates[-1]))
        ]

    def hashed(self, hashes: Hashes) -> Hashes:
        """Hash features: one row per case, one column per feature."""
        mixed_hashes: Hashes = hashes[:, self._columns[0]] * _MIX_MULTIPLIER + self._salts
        for columns in self._columns[1:]:
            longer_templates = mixed_hashes[:, -len(columns) :]
            longer_templates ^= longer_templates >> _HALF_BITS
            longer_templates += hashes[:, columns]
            longer_templates *= _SPREAD_MULTIPLIER
        mixed_hashes ^= mixed_hashes >> _HALF_BITS
        mixed_hashes *= _SPREAD_MULTIPLIER
        mixed_hashes >>= _DROPPED_BITS
        return mixed_hashes


Scores = npt.NDArray[np.int16]
#: Features of at most this many cases are summed at once; for more cases, one at a time is faster.
_MAX_FEW_CASES: Final = 150

MAGIC = b"pyramidion model 1\n"


@dataclass(frozen=True, eq=False)
class HashedWeights:
    """Weights of hashed features for classes."""

    matrix: npt.NDArray[np.int16]
    rows: npt.NDArray[np.int32]

    @classmethod
    def indexed(
        cls, matrix: npt.NDArray[np.int16], keys: npt.NDArray[Any], hashes: int
    ) -> "HashedWeights":
        """Index rows by hash; the first row serves all other hashes."""
        rows = np.zeros(hashes, np.int32)
        rows[keys] = np.arange(1, len(keys) + 1)
        return cls(matrix, rows)

    def score(self, hashes: npt.NDArray[Any]) -> Scores:
        """Sum the weights of the features of each case (a row of hashes)."""
        rows = self.rows.take(hashes)
        total: Scores
        if len(rows) <= _MAX_FEW_CASES:
            total = self.matrix.take(rows, axis=0).sum(axis=1, dtype=np.int16)
            return total
        total = self.matrix.take(rows[:, 0], axis=0)
        for column in range(1, rows.shape[1]):
            total += self.matrix.take(rows[:, column], axis=0)
        return total

    @classmethod
    def unpack(cls, header: Mapping[str, int], data: bytes) -> "HashedWeights":
        """Unpack trained weights."""
        count, values = header["rows"], header["values"]
        buffer = np.frombuffer(data, np.uint8)
        part_ends = np.cumsum([4 * count, count, values, values])
        key_bytes, sizes, columns, weights, _ = np.split(buffer, part_ends)
        keys = np.ascontiguousarray(key_bytes.reshape(4, -1).T).view("<u4")[:, 0]
        matrix = np.zeros((count + 1, header["classes"]), np.int16)
        matrix[np.repeat(np.arange(1, count + 1), sizes), columns] = weights.view(np.int8)
        return cls.indexed(matrix, np.cumsum(keys), header["hashes"])


def read_model(path: Path) -> tuple[dict[str, Any], HashedWeights]:
    """Read a trained model."""
    try:
        magic_bytes, _, packed_bytes = path.read_bytes().partition(b"\n")
        if magic_bytes + b"\n" != MAGIC:
            raise ValueError
        header_line, _, data = lzma.decompress(packed_bytes).partition(b"\n")
        header = json.loads(header_line)
        return header, HashedWeights.unpack(header["weights"], data)
    except (OSError, ValueError, KeyError, lzma.LZMAError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a model"
        hint = "reinstall the package, or train the model again with `make train MODEL=tagger`"
        raise InputError(f"{path}: a model cannot be read ({reason})", hint) from None


#: The length of the longest endings in rules.
MAX_ENDING_LENGTH = 5
#: The number of letters to cut, and the letters to add.
Edit = tuple[int, str]


@dataclass(frozen=True, eq=False)
class Lemmatizer:
    """Rules for base forms, and words with listed base forms, by tag."""

    rules: Mapping[str, Edit]
    words: Mapping[str, str]

    def lemma(self, word: str, fine_tag: str) -> str:
        """Return the base form in lower case."""
        lowercase = word.lower()
        if lemma := self.words.get(f"{fine_tag} {lowercase}"):
            return lemma
        for size in range(min(MAX_ENDING_LENGTH, len(lowercase) - 1), -1, -1):
            if edit := self.rules.get(f"{fine_tag} {lowercase[len(lowercase) - size :]}"):
                n_cut, new_ending = edit
                return (
                    lowercase[: len(lowercase) - n_cut] if n_cut < len(lowercase) else ""
                ) + new_ending or lowercase
        return lowercase

    @classmethod
    def from_header(cls, header: Mapping[str, Any]) -> "Lemmatizer":
        """Read the rules and words of a model's header."""
        rules = {
            ending: (n_cut, new_ending) for ending, (n_cut, new_ending) in header["rules"].items()
        }
        return cls(rules, header["words"])


#: Words that are split in two, and the length of the first part.
_FIRST_PART_LENGTHS: Final = {
    **dict.fromkeys(("im", "ive"), 1),
    **dict.fromkeys(("dont", "isnt"), 2),
    **dict.fromkeys(("cannot", "gonna", "gotta", "wanna", "gimme", "lemme"), 3),
    **dict.fromkeys(("didnt", "wasnt", "arent", "youre"), 3),
    **dict.fromkeys(("doesnt", "havent", "thats", "whats", "theyre"), 4),
    **dict.fromkeys(("wouldnt", "couldnt", "theres"), 5),
}


class Token(NamedTuple):
    """A token and its offset."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset of its end."""
        return self.start + len(self.text)


def grammar_tokens(sentence: str) -> list[Token]:
    """Split a sentence into tokens, which cover all characters except white space."""
    tokens: list[Token] = []
    for match in _token_pattern().finditer(sentence):
        text, start = match.group(), match.start()
        cut_index = _FIRST_PART_LENGTHS.get(text.lower()) if match.lastgroup == "word" else None
        if cut_index:
            tokens += [Token(text[:cut_index], start), Token(text[cut_index:], start + cut_index)]
        else:
            tokens.append(Token(text, start))
    return tokens


@cache
def _token_pattern() -> re.Pattern[str]:
    forms = sorted(lexicon("en").abbreviations, key=len, reverse=True)
    words_by_name = {
        "ABBREVIATIONS": [
            re.escape(form) for form in forms if form.lower() not in _ABBREVIATIONS_LIKE_WORDS
        ],
        "PREFIXES": sorted(name_words()["prefixes"]),
        "SYLLABLES": sorted(name_words()["syllables"]),
    }
    pattern = "|".join(_TOKEN_PATTERNS)
    for name, words in words_by_name.items():
        pattern = pattern.replace(name, "|".join(words))
    return re.compile(pattern)


#: Abbreviations that are usually words at the end of a sentence.
_ABBREVIATIONS_LIKE_WORDS: Final = {
    *("art", "dec", "est", "ext", "fig", "in", "mar", "mass", "min", "miss", "no", "ore", "sat"),
    *("sun", "wash"),
}

_CLITICS_PATTERN: Final = r"['’`](?:s|re|ve|ll|d|m)(?!\w)"
_LETTER_PATTERN: Final = r"[^\W\d_]"

#: Patterns of tokens; the first match at a position is used.
_TOKEN_PATTERNS: Final = (
    # Addresses.
    r"(?:https?://|www\.)\S+?(?=[.,;:!?)\]\"'>]*(?:\s|$))",
    r"[\w.+-]+@\w[\w-]*(?:\.[\w-]*\w)+",
    r"(?<!\w)[@#][A-Za-z_]\w+",
    r"\w[\w-]*(?:\.[\w-]+)*\.(?:com|org|net|gov|edu|info|co\.uk|html?|pdf|docx?|xlsx?)(?!\w)",
    # Letters with stops (U.S., a.m.), abbreviations, initials that something follows.
    rf"(?<!\w){_LETTER_PATTERN}(?:\.{_LETTER_PATTERN})+(?!\w)\.?",
    r"(?<!\w)(?:Ph\.D|M\.Sc|B\.Sc)\.?",
    r"(?<![\w'’])(?:ABBREVIATIONS)\.(?!\w)",
    rf"(?<![\w'’])(?!I\.){_LETTER_PATTERN}\.(?=[\s,]*\w)",
    # Numbers, dates, times, ordinals; months and No. before a number.
    r"(?<!\w)(?:No|Nos|Dec|Mar|Sat|Sun)\.(?=\s?\d)",
    r"\d+(?:[.,:/]\d+)*(?=(?i:[ap]m|bn|[ckm]m|ft|[gkm]b|hrs?|[km]g?|lbs?|mph|x|yrs?)(?!\w))",
    r"(?<!\w)[+]?\d{3,}(?:-\d{3,})+(?!\w)",
    r"(?:(?<!\w)[.])?\d+(?:[.,:/]\d+)*(?:['’]s|\w*)(?!\w)",
    # Clitics and the words before them.
    rf"(?:(?!n['’`]t)\w)+?(?=n['’`]t(?!\w))|n['’`]t(?!\w)|{_CLITICS_PATTERN}",
    # Smileys, runs of marks.
    r"[:;=]-?[)(DP](?!\w)|<<+|>>+|\[\.\.\.\]|\.\.+|…|--+|==+|\*\*+|__+|~~+|\$\$+|[!?]+|''|``|’’",
    # Words that keep their hyphen or apostrophe.
    rf"(?i:(?<!\w)(?:PREFIXES)-(?={_LETTER_PATTERN})\w+)",
    r"(?<!\w)[A-Z][a-z]+-(?:SYLLABLES)(?!\w)",
    r"US\$|(?<!\w)[A-Z]+&[A-Z]+(?!\w)",
    rf"(?P<word>{_LETTER_PATTERN}\w*(?:['’](?!(?:s|re|ve|ll|d|m)(?!\w)){_LETTER_PATTERN}\w*)*)",
    r"\w+|\S",
)


#: Positions with separate caches and shapes: within a sentence, at its beginning, and anywhere in a
#: sentence in capitals.
_INNER, _FIRST, _CAPITALS = range(3)
#: The number of empty rows before and after each sentence.
_PADDING_ROWS: Final = 2
#: Columns of the table of words: the word, its last and first letters, its shape and its class.
_WORD, _SUFFIX1, _SUFFIX2, _SUFFIX3, _SUFFIX4, _PREFIX1, _PREFIX3, _SHAPE, _CLASS = range(9)

#: Offsets and properties of words in the features.
_FEATURE_PROPERTIES: Final = (
    *((0, feature) for feature in range(9)),
    *((-1, feature) for feature in (_WORD, _CLASS, _SUFFIX3, _SHAPE)),
    *((1, feature) for feature in (_WORD, _CLASS, _SUFFIX3, _SHAPE)),
    *((-2, _WORD), (2, _WORD), (2, _CLASS)),
)
_INDEX_OF_PROPERTY: Final = {pair: number for number, pair in enumerate(_FEATURE_PROPERTIES)}
_STATIC_PROPERTIES: Final = (
    *((pair,) for pair in _FEATURE_PROPERTIES if pair not in ((-1, _SHAPE), (1, _SHAPE))),
    ((-1, _SHAPE), (0, _SHAPE)),
    ((1, _SHAPE), (0, _SHAPE)),
    ((-1, _WORD), (0, _WORD)),
    ((0, _WORD), (1, _WORD)),
    ((0, _CLASS), (1, _CLASS)),
    ((-1, _CLASS), (0, _CLASS), (1, _CLASS)),
    ((0, _CLASS), (1, _CLASS), (2, _CLASS)),
    ((0, _SUFFIX2), (0, _SHAPE)),
)
_STATIC_TEMPLATES: Final = Templates(
    [[_INDEX_OF_PROPERTY[pair] for pair in seen] for seen in _STATIC_PROPERTIES]
)

#: Columns 0 and 1 are the tags of the two preceding words.
_DYNAMIC_PROPERTIES: Final = ((0, _WORD), (0, _CLASS), (1, _CLASS), (0, _SUFFIX3), (1, _WORD))
_DYNAMIC_TEMPLATES: Final = Templates(
    [(0,), (0, 1), (0, 2), (0, 3), (0, 3, 4), (0, 5), (0, 6), (0, 1, 3)]
)
# Distinguishes the hashes of dynamic features, which share a table with the static ones.
_DYNAMIC_SALT: Final = np.uint32(0x5BD1E995)


class Batch(NamedTuple):
    """Sentences as rows of hashed properties, with empty rows between them."""

    properties: Hashes
    starts: Ints
    lengths: Ints

    @property
    def word_rows(self) -> Ints:
        """The rows of the words, sentence by sentence."""
        return expanded(self.starts, self.lengths)[1]


class WordTable:
    """A cache of hashed properties of words."""

    def __init__(self, classes: Mapping[str, str]) -> None:
        self._classes = classes
        self._clear()

    def _clear(self) -> None:
        self._row_numbers: tuple[dict[str, int], ...] = ({}, {}, {})
        self._rows: list[Sequence[int]] = [(0,) * 9]
        self._table = np.zeros((1, 9), np.uint32)

    def numbers(self, words: Sequence[str]) -> list[int]:
        """Return the row numbers of a sentence's words; first words and capitals have their own."""
        if is_all_capitals(words):
            return [self._number(word, _CAPITALS) for word in words]
        inner_ids = self._row_numbers[_INNER]
        inner_numbers = [inner_ids.get(word) or self._number(word, _INNER) for word in words[1:]]
        return [self._number(words[0], _FIRST), *inner_numbers] if words else []

    def _number(self, word: str, mode: int) -> int:
        row_numbers = self._row_numbers[mode]
        number = row_numbers.get(word)
        if number is None:
            number = row_numbers[word] = len(self._rows)
            self._rows.append(_properties(word, mode, self._classes))
        return number

    def properties(self, numbers: Any) -> Hashes:
        """Return the rows of numbered words; 0 is an empty row."""
        if len(self._table) < len(self._rows):
            new_rows = np.array(self._rows[len(self._table) :], np.uint32)
            self._table = np.concatenate([self._table, new_rows])
        rows: Hashes = self._table[numbers]
        return rows

    def clear_if_large(self) -> None:
        """Clear the cache if it is too large."""
        if len(self._rows) > 200_000:
            self._clear()


def is_all_capitals(words: Sequence[str]) -> bool:
    """Return whether all words of a sentence are in capitals."""
    long_words = [word for word in words if len(word) > 1 and word[0].isalpha()]
    return len(long_words) > 1 and all(word.isupper() for word in long_words)


def _properties(word: str, mode: int, classes: Mapping[str, str]) -> list[int]:
    lowercase = word.lower()
    zeroed_digits = "".join("0" if letter.isdigit() else letter for letter in lowercase)
    parts = (
        zeroed_digits,
        zeroed_digits[-1:],
        zeroed_digits[-2:],
        zeroed_digits[-3:],
        zeroed_digits[-4:],
        zeroed_digits[:1],
        zeroed_digits[:3],
    )
    feature_texts = enumerate((*parts, _shape(word, mode), classes.get(lowercase, "")))
    return [hash_text(f"{number}{part}") for number, part in feature_texts]


def _shape(word: str, mode: int) -> str:
    inner_marks = ("-" if "-" in word[1:] else "") + ("." if "." in word[1:] else "")
    inner_marks += "0" if any(map(str.isdigit, word)) else ""
    if mode == _CAPITALS:
        return f"{inner_marks}?"
    case_mark = "A" if word.isupper() else "a" if word.islower() else "t" if word.istitle() else "m"
    case_mark += "1" if len(word) == 1 else ""
    return f"{inner_marks}{case_mark}{'^' if mode == _FIRST else ''}"


def batch_of(sentences: Sequence[Sequence[str]], table: WordTable) -> Batch:
    """Combine sentences into a batch."""
    numbers = [0] * _PADDING_ROWS
    starts = []
    for words in sentences:
        starts.append(len(numbers))
        numbers += table.numbers(words)
        numbers += [0] * _PADDING_ROWS
    lengths = np.array([len(words) for words in sentences], np.int64)
    return Batch(table.properties(numbers), np.array(starts, np.int64), lengths)


def static_hashes(batch: Batch, word_rows: Ints) -> Hashes:
    """Hash the static features: one row per word, one column per feature."""
    hashes = [
        batch.properties[word_rows + offset, column] for offset, column in _FEATURE_PROPERTIES
    ]
    return _STATIC_TEMPLATES.hashed(np.stack(hashes, axis=1))


def dynamic_hashes(
    batch: Batch, word_rows: Ints, previous_tag: Hashes, second_previous_tag: Hashes
) -> Hashes:
    """Hash the features that depend on the tags of the two preceding words."""
    hashes = [
        batch.properties[word_rows + offset, column] for offset, column in _DYNAMIC_PROPERTIES
    ]
    return _DYNAMIC_TEMPLATES.hashed(
        np.stack([previous_tag ^ _DYNAMIC_SALT, second_previous_tag, *hashes], axis=1)
    )


#: Number of words tagged at a time.
_PORTION_WORDS = 20_000


class TagPair(NamedTuple):
    """The Penn Treebank tag and the universal tag of a word."""

    fine: str
    tag: str


class Tagger:
    """A part-of-speech tagger."""

    def __init__(
        self,
        pairs: Sequence[TagPair],
        classes: Mapping[str, str],
        weights: HashedWeights,
        lemmatizer: Lemmatizer,
    ) -> None:
        self.pairs, self.weights, self.lemmatizer = tuple(pairs), weights, lemmatizer
        self._classes = classes
        self._table = WordTable(classes)
        self._hashes = hash_numbers(range(len(self.pairs) + 1))

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[TagPair]]:
        """Tag sentences."""
        tagged_numbers = (
            numbers for portion in _portions(sentences) for numbers in self._tag_portion(portion)
        )
        return [[self.pairs[number] for number in numbers] for numbers in tagged_numbers]

    def lemma(self, word: str, fine_tag: str) -> str:
        """Return the base form of a word with a tag, in lower case."""
        return self.lemmatizer.lemma(word, fine_tag)

    def is_common(self, word: str) -> bool:
        """Return whether a lower-case word occurred other than in names."""
        kinds = self._classes.get(word, "")
        return any(not kind.startswith("NNP") for kind in kinds.split("|") if kind)

    def _tag_portion(self, sentences: Sequence[Sequence[str]]) -> list[list[int]]:
        self._table.clear_if_large()
        batch = batch_of(sentences, self._table)
        static_scores = self.weights.score(static_hashes(batch, batch.word_rows))
        numbers = self._tag_in_parallel(batch, static_scores)
        ends = np.cumsum(batch.lengths)
        return [part.tolist() for part in np.split(numbers, ends[:-1])] if len(ends) else []

    def _tag_in_parallel(self, batch: Batch, static_scores: Scores) -> Ints:
        """Tag all sentences in parallel, from left to right."""
        order = np.argsort(-batch.lengths, kind="stable")
        lengths, word_rows = batch.lengths[order], batch.word_rows
        starts = (np.cumsum(batch.lengths) - batch.lengths)[order]
        tags_by_row = np.zeros(len(word_rows), np.int64)
        previous_tags = tags_before_those = np.full(len(order), len(self.pairs))
        for step in range(int(lengths.max(initial=0))):
            count = int(np.searchsorted(-lengths, -step))
            rows = starts[:count] + step
            previous_tags, tags_before_those = previous_tags[:count], tags_before_those[:count]
            tags = self._hashes[previous_tags], self._hashes[tags_before_those]
            scores = self.weights.score(dynamic_hashes(batch, word_rows[rows], *tags))
            previous_tags, tags_before_those = (
                (scores + static_scores[rows]).argmax(axis=1),
                previous_tags,
            )
            tags_by_row[rows] = previous_tags
        return tags_by_row

    @classmethod
    def read(cls, path: Path) -> "Tagger":
        """Read a tagger from a file."""
        header, weights = read_model(path)
        pairs = [TagPair(*pair) for pair in header["pairs"]]
        classes = header["classes"].items()
        classes_by_word = {
            word: kind for kind, words_text in classes for word in words_text.split()
        }
        return cls(pairs, classes_by_word, weights, Lemmatizer.from_header(header["lemmas"]))


def _portions(sentences: Sequence[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    """Yield the sentences in portions."""
    portion: list[Sequence[str]] = []
    size = 0
    for words in sentences:
        portion.append(words)
        size += len(words)
        if size > _PORTION_WORDS:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


@cache
def load_tagger() -> Tagger:
    """Load the built-in tagger."""
    return Tagger.read(english_file("tagger.model", "tagging English words"))


CONTENT_TAGS = frozenset({"ADJ", "NOUN", "NUM", "PROPN", "VERB"})
"""The universal tags of content words."""


def content_only(sentences: Sequence[str]) -> list[str]:
    """Reduce English sentences to their content words."""
    words = [[token.text for token in grammar_tokens(sentence)] for sentence in sentences]
    tagged_sentences = load_tagger().tag(words)
    is_content = ([pair.tag in CONTENT_TAGS for pair in pairs] for pairs in tagged_sentences)
    return [" ".join(compress(*sentence)) for sentence in zip(words, is_content, strict=True)]
