"""Compiled kernels; the Python modules beside this file are their specification."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.kernels.stops import Judge, Span
from pyramidion.kernels.summaries import Ids, Summaries
from pyramidion.kernels.units import Unit
from pyramidion.kernels.vocabulary import Encoding, Text

def rouge_tokens(text: str | bytes) -> list[str]: ...
def porter_stem(word: str, nltk: bool = False) -> str: ...

class Lexicon:
    def __init__(
        self, exceptions: dict[str, str], stop_words: Iterable[str], nltk: bool = False
    ) -> None: ...
    def stem(self, word: str, shortest: int = 4) -> str: ...
    def is_stop_word(self, word: str) -> bool: ...

class Vocabulary:
    def __init__(
        self, lexicon: Lexicon, *, stem: bool = False, stop_words: bool = False
    ) -> None: ...
    @property
    def words(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def encode(self, texts: Sequence[Text]) -> Encoding: ...
    def encode_words(self, words: Sequence[str]) -> npt.NDArray[np.int32]: ...

class Stops:
    def __init__(self, abbreviations: dict[str, int], marks: str) -> None: ...
    def split(
        self, text: str, paragraphs: Sequence[Span], *, caseless: bool, judge: Judge
    ) -> list[Span]: ...

def hashes_of(word: str) -> tuple[int, int]: ...
def json_item(line: bytes) -> tuple[str, str, str, tuple[str, ...]] | None: ...

class GivenTexts:
    @staticmethod
    def of(peers: object, references: object) -> GivenTexts | None: ...
    @property
    def ascii(self) -> bool: ...
    @property
    def prose(self) -> bool: ...
    splits: bool
    @property
    def items(self) -> Ints: ...
    def units(
        self,
        vocabularies: list[Vocabulary],
        units: Sequence[Unit],
        whole: bool = False,
        stops: Stops | None = None,
        judge_of: Callable[[str], Judge] | None = None,
    ) -> Floats | None: ...

def ngram_hits(
    ids: Ids, starts: Ints, peers: Ints, models: Ints, n: int, threads: int = 1
) -> Ints: ...
def skip_hits(
    ids: Ids,
    starts: Ints,
    peers: Ints,
    models: Ints,
    gap: int,
    unigrams: bool,
    threads: int = 1,
) -> Ints: ...
def lcs_hits(summaries: Summaries, peers: Ints, models: Ints, threads: int = 1) -> Ints: ...
def weighted_lcs_hits(
    summaries: Summaries, peers: Ints, models: Ints, weight: float, threads: int = 1
) -> Floats: ...
def shared_units(
    summaries: Summaries, peers: Ints, models: Ints, units: Sequence[Unit], threads: int = 1
) -> list[Ints | Floats]: ...
