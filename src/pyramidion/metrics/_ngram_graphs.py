"""Graphs of character n-grams: AutoSummENG and MeMoG."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.metrics._cases import ScoringBatch, Sparse, Texts, count_pairs_of_codes
from pyramidion.metrics._metric import Metric, Need, share
from pyramidion.questions import option


@dataclass(frozen=True, slots=True)
class AutoSummENG(Metric):
    r"""AutoSummENG: similarity of graphs of character n-grams, averaged over references.

    Every n-gram of a text is a node; two n-grams that begin at most ``window`` characters apart
    have an edge, weighted by how often they do. The similarity of two graphs with E and F edges is
    :math:`\sum_e \frac{\min(w_e, v_e)}{\max(w_e, v_e)} / \max(E, F)` over common edges: 1 for
    identical texts, 0 if no edge is shared. Runs of white space count as one space; case matters.
    A text too short for an edge has no graph: the score is 0, or undefined if both are too short.

    Source: Giannakopoulos, Karkaletsis, Vouros and Stamatopoulos (2008). Summarization system
    evaluation revisited: n-gram graphs. ACM Transactions on Speech and Language Processing 5(3).
    """

    name: ClassVar[str] = "autosummeng"
    title: ClassVar[str] = "AutoSummENG"
    summary: ClassVar[str] = "similarity of character n-gram graphs, mean over references"
    bounds: ClassVar[str] = "0 to 1"
    citation: ClassVar[str] = "Giannakopoulos et al. 2008"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    n: int = option(3, "number of characters of an n-gram", min=1, max=8)
    window: int = option(3, "maximum distance of neighbors, in characters", min=1, max=20)

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the value similarity."""
        graphs = _graphs(cases.texts, self.n, self.window)
        peers, models, indices = cases.compared
        values = _value_similarity(graphs[peers], graphs[models])[indices]
        return cases.mean_over_references(values)[:, None]


class MeMoG(AutoSummENG):
    """MeMoG: similarity of a summary's graph and one graph merged from all references.

    The merged graph has every edge of every reference, with the mean of its weights (0 where a
    reference does not have it). See `AutoSummENG`.

    Source: Giannakopoulos and Karkaletsis (2010). Summarization system evaluation variations based
    on n-gram graphs. TAC.
    """

    name: ClassVar[str] = "memog"
    title: ClassVar[str] = "MeMoG"
    summary: ClassVar[str] = "similarity of character n-gram graphs, the references' merged"
    citation: ClassVar[str] = "Giannakopoulos and Karkaletsis 2010"

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the value similarity."""
        graphs = _graphs(cases.texts, self.n, self.window)
        sets = cases.references
        merged_graphs = sets.summed(graphs)
        sizes = np.maximum(np.diff(sets.bounds), 1)
        merged_graphs.data /= np.repeat(sizes, np.diff(merged_graphs.indptr))
        values = _value_similarity(graphs[cases.peers], merged_graphs[sets.of])
        return np.where(sets.sizes > 0, values, np.nan)[:, None]


def _value_similarity(graphs: Sparse, other_graphs: Sparse) -> Floats:
    """Compare graphs row by row."""
    minima, product = graphs.minimum(other_graphs), graphs.multiply(other_graphs).tocsr()
    # Both have only the shared edges, and min / max = min² / product.
    minima.data = minima.data**2 / product.data
    shared_weights = np.asarray(minima.sum(axis=1), dtype=np.float64)
    sizes = np.maximum(np.diff(graphs.indptr), np.diff(other_graphs.indptr)).astype(np.float64)
    return share(shared_weights, sizes)


def _graphs(texts: Texts, n: int, window: int) -> Sparse:
    """Return each text's graph as a row of edge weights."""

    def counted() -> Sparse:
        grams, owners = _numbered_grams(texts, n)
        n_grams = int(grams.max(initial=0)) + 1
        codes, rows = [], []
        for distance in range(1, window + 1):
            same_text = owners[distance:] == owners[:-distance]
            first_and_second = grams[:-distance][same_text], grams[distance:][same_text]
            codes.append(np.minimum(*first_and_second) * n_grams + np.maximum(*first_and_second))
            rows.append(owners[distance:][same_text])
        rows_and_codes = np.concatenate(rows), np.concatenate(codes)
        return count_pairs_of_codes(*rows_and_codes, n_rows=len(texts))[0].astype(np.float64)

    return texts.memo(("ngram_graphs", n, window), counted)


def _numbered_grams(texts: Texts, n: int) -> tuple[Ints, Ints]:
    """Return the id of the n-gram at each position, and the index of its text."""
    normalized_texts = [" ".join(texts.plain(number).split()) for number in range(len(texts))]
    letters = np.frombuffer(
        "".join(normalized_texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32
    )
    letter_numbers = _renumber(letters.astype(np.int64))
    n_letters = int(letter_numbers.max(initial=0)) + 1
    text_of_letter = np.repeat(
        np.arange(len(normalized_texts)), [len(text) for text in normalized_texts]
    )
    grams = letter_numbers
    for offset in range(1, n):
        # One more letter at a time, renumbered to stay within 64 bits.
        grams = _renumber(grams[:-1] * n_letters + letter_numbers[offset:])
    text_of_gram = text_of_letter[: max(len(letter_numbers) - n + 1, 0)]
    is_in_one_text = text_of_gram == text_of_letter[n - 1 :][: len(text_of_gram)]
    return grams[is_in_one_text], text_of_gram[is_in_one_text]


def _renumber(codes: Ints) -> Ints:
    """Renumber the distinct codes in order, with a lookup table unless it would be too long."""
    table_length = int(codes.max(initial=0)) + 1
    if table_length > max(16 * len(codes), 1 << 22):
        return np.unique(codes, return_inverse=True)[1].astype(np.int64)
    table = np.zeros(table_length, dtype=np.int64)
    table[codes] = 1
    return (np.cumsum(table) - 1)[codes]
