"""Scoring: items in, counts and scores out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyramidion.errors import InputError
from pyramidion.rouge import perl
from pyramidion.rouge.counting import Counts, Pairs, Reading, count
from pyramidion.rouge.items import Items, TextInput, aligned_items, items_by_id
from pyramidion.rouge.reading import read_items
from pyramidion.rouge.results import RougeScores
from pyramidion.rouge.rouge import Rouge
from pyramidion.rouge.scoring import item_counts
from pyramidion.rouge.variants import Variant

__all__ = ["PairCounts", "count_pairs", "score_texts"]


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The counts of each peer with each of its references, for every variant.

    They are all that resampling, jackknifing and other sets of references need.

    Parameters
    ----------
    rouge
        What was counted.
    pairs
        Which texts were compared.
    counts
        By variant.
    peer_words
        The number of words of each pair's peer.
    """

    rouge: Rouge
    pairs: Pairs
    counts: Mapping[Variant, Counts]
    peer_words: np.ndarray[Any, np.dtype[np.int64]]

    def of_items(self, chosen: Pairs | None = None, rows: Any = slice(None)) -> dict[str, Counts]:
        """Bring the references of each item together.

        Parameters
        ----------
        chosen, rows
            Another grouping of pairs into items: the grouping, and which row of these counts
            each of its pairs is. By default the items as they were given.
        """
        pairs = self.pairs if chosen is None else chosen
        result = {}
        for variant, counts in self.counts.items():
            taken = Counts(counts.model[rows], counts.peer[rows], counts.hits[rows], counts.weight)
            result[variant.measure] = self._together(taken, pairs, variant, self.peer_words[rows])
        return result

    def _together(self, counts: Counts, pairs: Pairs, variant: Variant, words: Any) -> Counts:
        if self.rouge.exact:
            return perl.exact_counts(counts, pairs, variant, self.rouge.models, peer_words=words)
        return item_counts(counts, pairs, self.rouge.models)


def count_pairs(rouge: Rouge, items: Items, *, threads: int = 1) -> PairCounts:
    """Count every variant for every peer and reference.

    Parameters
    ----------
    rouge
        What to count.
    items
        The texts.
    threads
        How many threads the compiled kernels use.

    Examples
    --------
    >>> items = Items()
    >>> items.add("It rained.", ["Rain fell.", "It rained"], "T1")
    >>> count_pairs(Rouge(n=1, l=False), items).counts[Variant("n", "1")].hits.tolist()
    [0.0, 2.0]
    """
    reading: Reading = read_items(rouge, items)
    pairs = items.pairs()
    counts = {v: count(reading, pairs, v, threads=threads) for v in rouge.variants}
    return PairCounts(rouge, pairs, counts, reading.flat_lengths[pairs.peers])


def score_texts(
    rouge: Rouge,
    peers: Mapping[Any, TextInput] | Sequence[TextInput],
    references: Mapping[Any, Sequence[TextInput]] | Sequence[TextInput | Sequence[TextInput]],
    *,
    threads: int = 1,
) -> RougeScores:
    """Score peers against references given by id, or as lists of the same length and order.

    Examples
    --------
    >>> score_texts(Rouge(n=2), ["rain fell today"], [["today rain fell"]])["rouge-2"].tolist()
    [0.5]
    """
    ids: Sequence[object]
    if isinstance(peers, Mapping) != isinstance(references, Mapping):
        raise InputError("peers and references must both be given by id, or both be lists")
    if isinstance(peers, str | bytes) or isinstance(references, str | bytes):
        raise InputError(
            "a single text is given for a list of texts", hint="put it in a list: [text]"
        )
    if isinstance(peers, Mapping) and isinstance(references, Mapping):
        ids, items = items_by_id(peers, references)
    elif not isinstance(peers, Mapping) and not isinstance(references, Mapping):
        items = aligned_items(peers, references)
        ids = range(len(items))
    counts = count_pairs(rouge, items, threads=threads)
    return RougeScores(rouge, tuple(ids), counts.of_items())
