"""A model that predicts from shared words whether a text expresses a unit."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Pyramid
from pyramidion.errors import FormatError, InputError, Where
from pyramidion.files.reading import MAX_MODEL_BYTES, read_object
from pyramidion.files.writing import write_text
from pyramidion.pyramid.content_units import TopicUnits
from pyramidion.pyramid.topics import locate_words
from pyramidion.text import is_stop_word
from pyramidion.text.encoding import default_background
from pyramidion.text.tokens import lexicon

#: The properties of a stem, in the order of the columns of `Wordings.factors`.
FACTORS = ("rarity", "spread", "number", "quoted")

# The commonest words have an inverse document frequency near 0, whose logarithm is too low.
_MIN_RARITY = 0.1


@dataclass(frozen=True, slots=True)
class Wordings:
    """The wordings of all content units of a pyramid; each is a set of stems."""

    columns: Mapping[str, int]
    uses: Bools
    unit: Ints
    units: int
    factors: Floats
    #: Number of words of each unit's first wording; 0 if it has none.
    words: Ints

    @classmethod
    def of(cls, texts: Sequence[Iterable[str]], references: Iterable[str] = ()) -> "Wordings":
        """Make wordings from the texts of each unit, and the references they come from."""
        unit_texts = (
            (unit, text) for unit, unit_wordings in enumerate(texts) for text in unit_wordings
        )
        stemmed_texts = ((unit, tuple(dict.fromkeys(stem_text(text)))) for unit, text in unit_texts)
        wordings = list(dict.fromkeys((unit, stems) for unit, stems in stemmed_texts if stems))
        stems_in_order = dict.fromkeys(stem for _, stems in wordings for stem in stems)
        columns = {stem: column for column, stem in enumerate(stems_in_order)}
        uses = np.zeros((len(wordings), len(columns)), dtype=np.bool_)
        for row, (_, stems) in enumerate(wordings):
            uses[row, [columns[stem] for stem in stems]] = True
        unit = np.array([unit for unit, _ in wordings], dtype=np.int64)
        words = np.array(
            [len(stem_text(next(iter(unit_wordings), ""))) for unit_wordings in texts],
            dtype=np.int64,
        )
        quoted_stems = {stem for reference in references for stem in stem_text(reference)}
        factors = _factors(columns, uses, unit, quoted_stems)
        return cls(columns, uses, unit, len(texts), factors, words)

    @classmethod
    def of_pyramid(cls, pyramid: Pyramid) -> "Wordings":
        """Use a pyramid's labels and contributors."""
        texts = [
            [scu.label, *(" ".join(part.label for part in c.parts) for c in scu.contributors)]
            for scu in pyramid.scus
        ]
        references = (pyramid.text[r.start : r.end] for r in pyramid.references)
        return cls.of(texts, references)

    @classmethod
    def of_list(cls, units: TopicUnits, references: Iterable[str] = ()) -> "Wordings":
        """Use the labels of a list of units, as in REALSumm."""
        return cls.of([[label] for label in units.labels], references)

    def crowding(self, words: int) -> float:
        """Return the log ratio of the number of words in all units to that of a text.

        The greater it is, the smaller the share of units that the text can express.
        """
        return float(np.log(max(int(self.words.sum()), 1) / max(words, 1)))

    def sizes(self) -> Floats:
        """Return the mean number of content words of each unit's wordings."""
        n_content_words = self.uses[:, [not is_stop_word(stem) for stem in self.columns]].sum(
            axis=1
        )
        n_wordings = np.bincount(self.unit, minlength=self.units)
        return np.bincount(self.unit, n_content_words, self.units) / np.maximum(n_wordings, 1)

    def best(self, odds: Floats) -> Ints:
        """Return the most probable wording of each unit that has any, the first of equal ones."""
        order = np.lexsort((-odds, self.unit))
        return order[np.unique(self.unit[order], return_index=True)[1]]


def _factors(columns: Mapping[str, int], uses: Bools, unit: Ints, quoted_stems: set[str]) -> Floats:
    stems = list(columns)
    unit_columns = {
        (int(unit[row]), int(column)) for row, column in zip(*np.nonzero(uses), strict=True)
    }
    spreads = np.bincount([column for _, column in unit_columns], minlength=len(stems))
    rarities = np.maximum(default_background(stem=True).idf(stems), _MIN_RARITY)
    has_digit = [any(map(str.isdigit, stem)) for stem in stems]
    return np.column_stack(
        [np.log(rarities), np.log(spreads), has_digit, [stem in quoted_stems for stem in stems]]
    ).astype(np.float64)


def stem_text(text: str) -> list[str]:
    """Return the stems of a text's words in order."""
    return [stem_word(word.text) for word in locate_words(text)]


@cache
def stem_word(word: str) -> str:
    """Stem a lower-case word."""
    return lexicon().stem(word)


# Sums are rounded, so that those that differ only by rounding errors are equal.
_ROUNDING_DIGITS = 9


class Evidence(NamedTuple):
    """The shares of each wording that occur in a text."""

    anywhere: Floats
    near: Floats
    position: Ints


def best_in_windows(hits: Floats, window: int) -> Floats:
    """Return the best hit of each stem in every run of `window` words."""
    if hits.shape[1] <= window:
        best_hits: Floats = np.max(hits, axis=1, keepdims=True, initial=0.0)
        return best_hits
    window_hits, width = hits, 1
    while width < window:
        step = min(width, window - width)
        window_hits, width = np.maximum(window_hits[:, :-step], window_hits[:, step:]), width + step
    return window_hits


class WordFinder:
    """Looks for the stems of wordings in texts, and caches which stems resemble each other."""

    def __init__(self, wordings: Wordings, *, likeness: float) -> None:
        self.columns = wordings.columns
        self.likeness = likeness
        self._stems_by_trigram: dict[str, list[str]] = {}
        self._matches_by_stem: dict[str, list[tuple[int, float]]] = {}
        for stem in wordings.columns:
            for trigram in _trigrams(stem) if _can_resemble(stem) else ():
                self._stems_by_trigram.setdefault(trigram, []).append(stem)

    def find(self, stems: Sequence[str]) -> tuple[Ints, Floats]:
        """Find the stems in a text; return the columns of those found, and their hits by word."""
        position_by_stem: dict[str, int] = {}
        stem_columns = [position_by_stem.setdefault(stem, len(position_by_stem)) for stem in stems]
        matches = [
            (column, position, share)
            for stem, position in position_by_stem.items()
            for column, share in self._matching_stems(stem)
        ]
        columns, row_indices = np.unique([column for column, _, _ in matches], return_inverse=True)
        similarities = np.zeros((len(columns), len(position_by_stem)))
        similarities[row_indices, [position for _, position, _ in matches]] = [
            share for _, _, share in matches
        ]
        return columns.astype(np.int64), similarities[:, stem_columns]

    def hits(self, stems: Sequence[str]) -> Floats:
        """Look for them in a text; stems that do not occur have a row as well."""
        columns, similarities = self.find(stems)
        table = np.zeros((len(self.columns), len(stems)))
        table[columns] = similarities
        return table

    def _matching_stems(self, stem: str) -> list[tuple[int, float]]:
        if stem not in self._matches_by_stem:
            candidates = {
                other
                for trigram in _trigrams(stem)
                for other in self._stems_by_trigram.get(trigram, ())
            }
            shares = {other: resemblance(stem, other) for other in {stem} | candidates}
            self._matches_by_stem[stem] = [
                (self.columns[other], share)
                for other, share in shares.items()
                if other in self.columns and share >= self.likeness
            ]
        return self._matches_by_stem[stem]


def resemblance(word: str, other: str) -> float:
    """Return the Dice coefficient of the character trigrams of two words.

    Numbers and words of up to three letters are similar to no other word.
    """
    if word == other:
        return 1.0
    if not (_can_resemble(word) and _can_resemble(other)):
        return 0.0
    first, second = _trigrams(word), _trigrams(other)
    return 2 * len(first & second) / (len(first) + len(second))


def _can_resemble(word: str) -> bool:
    return len(word) > 3 and not word[0].isdigit()


@cache
def _trigrams(word: str) -> frozenset[str]:
    padded_word = f"^{word}$"
    return frozenset(padded_word[start : start + 3] for start in range(len(padded_word) - 2))


#: Fitted numbers are small; the exponential of larger ones would overflow.
MAX_COEFFICIENT = 50.0

_MODEL_FILE = Path(__file__).parent / "data" / "similarity.json"


@dataclass(frozen=True, slots=True)
class SimilarityModel:
    """The parameters of the similarity model.

    Parameters
    ----------
    rarity, spread, number, quoted
        Coefficients of the four properties of a stem in the logarithm of its weight.
    intercept, anywhere, near, crowding
        Coefficients of the logistic function: of the share of a wording that occurs anywhere, or
        within a window, and of the units' words per word of the text (`Wordings.crowding`).
    size
        Coefficient of the logarithm of the number of stems; 0 in current models.
    window
        Number of words in a window.
    likeness
        Minimum likeness of two words that match in part.
    marked
        Probability of a unit whose words an annotator marked for it elsewhere.
    card
        Where the numbers come from.

    Examples
    --------
    >>> model = SimilarityModel(intercept=-2.0, anywhere=4.0)
    >>> wordings = Wordings.of([["Ice melts"]])
    >>> model.shares(wordings).round(2).tolist()
    [[0.49, 0.51]]
    """

    rarity: float = 1.0
    spread: float = -1.0
    number: float = 0.0
    quoted: float = 0.0
    intercept: float = -2.0
    anywhere: float = 2.0
    near: float = 2.0
    crowding: float = 0.0
    size: float = 0.0
    window: int = 15
    likeness: float = 0.6
    marked: float = 0.9
    card: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in (*FACTORS, "intercept", "anywhere", "near", "crowding", "size"):
            _require_number(getattr(self, name), name, -MAX_COEFFICIENT, MAX_COEFFICIENT)
        for name in ("likeness", "marked"):
            _require_number(getattr(self, name), name, 0, 1)
        _require_number(self.window, "window", 1, 1000)
        if not isinstance(self.window, int):
            raise InputError(f"`window` is {self.window!r}", hint="give a whole number of words")

    @property
    def of_stems(self) -> Floats:
        """The coefficients of `FACTORS`."""
        return np.array([getattr(self, name) for name in FACTORS])

    def shares(self, wordings: Wordings) -> Floats:
        """Return the share of each stem (column) in the weight of each wording (row)."""
        weights = np.where(wordings.uses, np.exp(wordings.factors @ self.of_stems), 0.0)
        shares: Floats = weights / weights.sum(axis=1, keepdims=True)
        return shares

    def evidence(self, hits: Floats, shares: Floats) -> Evidence:
        """Return how much of each wording occurs in a text, by the shares of its stems."""
        if not hits.size:
            zeros = np.zeros(len(shares))
            return Evidence(zeros, zeros, np.zeros(len(shares), dtype=np.int64))
        shares_anywhere = np.round(shares @ hits.max(axis=1), _ROUNDING_DIGITS)
        window_shares = np.round(shares @ best_in_windows(hits, self.window), _ROUNDING_DIGITS)
        return Evidence(shares_anywhere, window_shares.max(axis=1), window_shares.argmax(axis=1))

    def log_odds(self, evidence: Evidence, sizes: Ints, crowding: float = 0.0) -> Floats:
        """Return the log-odds of wordings, given their numbers of stems and the crowding."""
        known_terms = self.intercept + self.anywhere * evidence.anywhere + self.near * evidence.near
        odds: Floats = known_terms + self.size * np.log(sizes) + self.crowding * crowding
        return np.where(evidence.anywhere > 0, odds, -np.inf)

    @classmethod
    def load(cls, path: str | Path) -> "SimilarityModel":
        """Read a model from JSON.

        Raises
        ------
        FormatError
            The file is not a model.
        """
        values = read_object(path, limit=MAX_MODEL_BYTES)
        try:
            return cls(**values)
        except InputError as error:
            raise FormatError(error.what, where=Where(path), hint=error.hint) from None
        except TypeError:
            names = ", ".join(parameter.name for parameter in fields(cls))
            message = f"this is not a similarity model: its fields are not {names}"
            hint = "write one with `SimilarityModel.save`"
            raise FormatError(message, hint, where=Where(path)) from None

    def save(self, path: str | Path) -> None:
        """Write the model as JSON."""
        rounded_values = {
            name: round(value, 6) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }
        text = json.dumps(rounded_values, indent=2, ensure_ascii=False)
        write_text(path, f"{text}\n")


def _require_number(value: object, name: str, minimum: float, maximum: float) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and minimum <= cast("float", value) <= maximum):
        raise InputError(
            f"`{name}` is {value!r}", hint=f"give a number from {minimum:g} to {maximum:g}"
        )


class UnitFinder:
    """Looks for units in texts with a model."""

    def __init__(self, wordings: Wordings, model: SimilarityModel) -> None:
        self.wordings, self.model = wordings, model
        self.shares = model.shares(wordings)
        self._sizes = wordings.uses.sum(axis=1)
        self._finder = WordFinder(wordings, likeness=model.likeness)

    def find(self, stems: Sequence[str]) -> "UnitsFound":
        """Look for the units in a text."""
        columns, hits = self._finder.find(stems)
        evidence = self.model.evidence(hits, self.shares[:, columns])
        odds = self.model.log_odds(evidence, self._sizes, self.wordings.crowding(len(stems)))
        best_wordings = self.wordings.best(odds)
        units = self.wordings.unit[best_wordings]
        n_units = self.wordings.units
        wording, probabilities, share = (
            np.zeros(n_units, np.int64),
            np.zeros(n_units),
            np.zeros(n_units),
        )
        wording[units] = best_wordings
        probabilities[units] = 1 / (1 + np.exp(-odds[best_wordings]))
        share[units] = evidence.anywhere[best_wordings]
        return UnitsFound(probabilities, share, wording, columns, hits)


class UnitsFound(NamedTuple):
    """Probability, share and wording of each unit in a text; columns and hits of its stems."""

    probable: Floats
    share: Floats
    wording: Ints
    columns: Ints
    hits: Floats


@cache
def default_similarity() -> SimilarityModel:
    """Read the built-in model, which was fitted to published answers about units."""
    return SimilarityModel.load(_MODEL_FILE)
