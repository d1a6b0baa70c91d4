"""Scoring: items in, counts and scores out."""

from collections.abc import Iterable, Mapping, Sequence, Set
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
    names
        What the items are called in messages.

    Examples
    --------
    >>> items = Items()
    >>> items.add("It rained.", ["Rain fell.", "It rained"], "T1")
    >>> counts = count_pairs(Rouge(n=1, l=False), items)
    >>> counts.peer_words.tolist(), counts.of_items()["rouge-1"].hits.tolist()
    ([2, 2], [2.0])
    """

    rouge: Rouge
    pairs: Pairs
    counts: Mapping[Variant, Counts]
    peer_words: np.ndarray[Any, np.dtype[np.int64]]
    names: Sequence[str]

    def of_items(self, chosen: Pairs | None = None, rows: Any = slice(None)) -> dict[str, Counts]:
        """Bring the references of each item together.

        Parameters
        ----------
        chosen, rows
            Another grouping of pairs into items: the grouping, and which row of these counts
            each of its pairs is. By default the items as they were given.
        """
        pairs = self.pairs if chosen is None else chosen
        return {
            variant.measure: self._together(counts, pairs, variant, rows)
            for variant, counts in self.counts.items()
        }

    def _together(self, counts: Counts, pairs: Pairs, variant: Variant, rows: Any) -> Counts:
        counts = counts[rows]
        if not self.rouge.exact:
            return item_counts(counts, pairs, self.rouge.models)
        owners = self.pairs.items[rows]
        return perl.exact_counts(
            counts,
            pairs,
            variant,
            self.rouge.models,
            peer_words=self.peer_words[rows],
            name_of=lambda row: self.names[owners[row]],
        )


def count_pairs(
    rouge: Rouge, items: Items, *, threads: int = 1, reading: Reading | None = None
) -> PairCounts:
    """Count every variant for every peer and reference.

    Parameters
    ----------
    rouge
        What to count.
    items
        The texts.
    threads
        How many threads the compiled kernels use.
    reading
        The texts as `read_items` gives them, if they have been read already.

    Examples
    --------
    >>> items = Items()
    >>> items.add("It rained.", ["Rain fell.", "It rained"], "T1")
    >>> count_pairs(Rouge(n=1, l=False), items).counts[Variant("n", "1")].hits.tolist()
    [0.0, 2.0]
    """
    if threads < 1:
        raise InputError(f"threads is {threads}", hint="give a whole number from 1 on")
    reading = read_items(rouge, items) if reading is None else reading
    pairs = items.pairs()
    counts = {v: count(reading, pairs, v, threads=threads) for v in rouge.variants}
    return PairCounts(rouge, pairs, counts, reading.flat_lengths[pairs.peers], items.names)


def score_texts(
    rouge: Rouge,
    peers: str | Mapping[Any, TextInput] | Sequence[TextInput],
    references: str | Mapping[Any, Sequence[TextInput]] | Sequence[TextInput | Sequence[TextInput]],
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
    if isinstance(peers, Mapping) and isinstance(references, Mapping):
        named, items = items_by_id(peers, references)
        ids = tuple(named)
    else:
        both = ([peers], [references]) if isinstance(peers, str) else (peers, references)
        items = aligned_items(_list_of("peers", both[0]), _list_of("references", both[1]))
        ids = range(len(items))
    counts = count_pairs(rouge, items, threads=threads)
    return RougeScores(rouge, ids, counts.of_items())


def _list_of(name: str, texts: Any) -> list[Any]:
    if isinstance(texts, Mapping):
        raise InputError("peers and references must both be given by id, or both be lists")
    if isinstance(texts, str | bytes):
        raise InputError(f"{name} is a single text", hint="put it in a list: [text]")
    if not isinstance(texts, Iterable) or isinstance(texts, Set):
        raise InputError(f"{name} is {texts!r:.40}", hint="give a list, or texts by id")
    return list(texts)
