r"""Hot loops: compiled where a C++ compiler was found, readable Python everywhere else.

Each compiled kernel is specified by a Python module (``tokens``, ``porter``, ``lexicon``,
``vocabulary``, ``stops``, ``overlap``, ``subsequences``, ``units``, ``resampling``) that gives the
same results. The Python kernels are used if nothing was compiled, or if the environment variable
``PYRAMIDION_KERNELS`` is ``python``; the logger ``pyramidion.kernels`` then reports this once, at
the first use. :data:`BACKEND` is ``"native"`` or ``"python"``.

>>> from pyramidion import kernels
>>> kernels.rouge_tokens("The geese flew at 7:45.")
['the', 'geese', 'flew', 'at', '7', '45']
>>> kernels.porter_stem("professional")
'profess'

For many texts, a :class:`Vocabulary` encodes words as ids without holding the GIL:

>>> lexicon = kernels.Lexicon({"geese": "goose"}, ["the"])
>>> vocabulary = kernels.Vocabulary(lexicon, stem=True, stop_words=True)
>>> ids, sentences, texts = vocabulary.encode(["The geese flew.\nFlying geese.", "A goose."])
>>> ids.tolist(), sentences.tolist(), texts.tolist()
([0, 1, 2, 0, 3, 4], [0, 2, 4, 6], [0, 2, 3])
>>> vocabulary.words
['goose', 'flew', 'fly', 'a', 'goos']

Encoded texts are compared pair by pair, in any number of threads:

>>> import numpy as np
>>> first, second = np.array([0]), np.array([1])
>>> kernels.ngram_hits(ids, sentences[texts], first, second, n=1, threads=2).tolist()
[0]
>>> summaries = kernels.Summaries(ids, sentences[texts], ids, sentences, texts)
>>> kernels.lcs_hits(summaries, first, first).tolist()
[4]
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyramidion.kernels.choice import BACKEND
from pyramidion.kernels.summaries import Summaries
from pyramidion.kernels.vocabulary import Encoding

#: Topic, system, peer and references of a line.
JsonItem = tuple[str, str, str, tuple[str, ...]]

if TYPE_CHECKING or BACKEND == "native":
    from pyramidion.kernels import _native
    from pyramidion.kernels._native import (
        Lexicon,
        Vocabulary,
        lcs_hits,
        ngram_hits,
        porter_stem,
        rouge_tokens,
        shared_units,
        skip_hits,
        weighted_lcs_hits,
    )

    #: Reads and compares texts in one pass; None if they must be read first.
    GivenTexts: "type[_native.GivenTexts] | None" = getattr(_native, "GivenTexts", None)
    #: Parses common JSONL lines; None if Python's parser must read all.
    json_item: "Callable[[bytes], JsonItem | None] | None" = getattr(_native, "json_item", None)
else:
    GivenTexts = json_item = None
    from pyramidion.kernels.fallback import (
        Lexicon,
        Vocabulary,
        lcs_hits,
        ngram_hits,
        porter_stem,
        rouge_tokens,
        shared_units,
        skip_hits,
        weighted_lcs_hits,
    )

if TYPE_CHECKING or (BACKEND == "native" and hasattr(_native, "Stops")):
    from pyramidion.kernels._native import Stops
else:  # nothing was compiled, or before this kernel existed
    from pyramidion.kernels.stops import Stops

if TYPE_CHECKING or (BACKEND == "native" and hasattr(_native, "bootstrap_sums")):
    from pyramidion.kernels._native import ascii_letters, bootstrap_sums
else:
    from pyramidion.kernels.fallback import ascii_letters, bootstrap_sums

__all__ = [
    "BACKEND", "Encoding", "GivenTexts", "Lexicon", "Stops", "Summaries", "Vocabulary",
    "ascii_letters", "bootstrap_sums", "json_item", "lcs_hits", "ngram_hits", "porter_stem",
    "rouge_tokens", "shared_units", "skip_hits", "weighted_lcs_hits",
]  # fmt: skip
