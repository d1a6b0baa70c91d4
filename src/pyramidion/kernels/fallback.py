"""The Python kernels for installations without compiled ones; the first use is logged once."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

from pyramidion.kernels import lexicon, overlap, porter, resampling, subsequences, tokens, units
from pyramidion.kernels.choice import announce_slow_path
from pyramidion.kernels.stops import Stops
from pyramidion.kernels.vocabulary import Vocabulary

__all__ = [
    "Lexicon", "Stops", "Vocabulary", "ascii_letters", "bootstrap_sums", "lcs_hits",
    "ngram_hits", "porter_stem", "rouge_tokens", "shared_units", "skip_hits", "weighted_lcs_hits",
]  # fmt: skip

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


def _announce(kernel: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    @wraps(kernel)
    def announce_and_call(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        announce_slow_path()
        return kernel(*args, **kwargs)

    return announce_and_call


ascii_letters = _announce(tokens.ascii_letters)
bootstrap_sums = _announce(resampling.bootstrap_sums)
lcs_hits = _announce(subsequences.lcs_hits)
ngram_hits = _announce(overlap.ngram_hits)
porter_stem = _announce(porter.porter_stem)
rouge_tokens = _announce(tokens.rouge_tokens)
shared_units = _announce(units.shared_units)
skip_hits = _announce(overlap.skip_hits)
weighted_lcs_hits = _announce(subsequences.weighted_lcs_hits)


class Lexicon(lexicon.Lexicon):
    """The lexicon of :mod:`pyramidion.kernels.lexicon`, announced."""

    __slots__ = ()

    def __init__(
        self, exceptions: dict[str, str], stop_words: Iterable[str], nltk: bool = False
    ) -> None:
        announce_slow_path()
        super().__init__(exceptions, stop_words, nltk)
