"""What an input looks like before anybody has summarized it.

The features are those that were found to go with difficulty (Nenkova and Louis 2008): length,
vocabulary, redundancy, and how much the documents have in common.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection
from pyramidion.text import split_sentences
from pyramidion.text._encoding import (
    SIGNATURE_CUTOFF,
    Encoded,
    default_background,
    encode,
    signature_weights,
)

#: The features, and what they are.
FEATURES: Mapping[str, str] = {
    "documents": "documents",
    "sentences": "sentences",
    "words": "words",
    "sentence-length": "words a sentence",
    "vocabulary": "different words",
    "type-token": "different words over words",
    "used-once": "share of the vocabulary that is used once",
    "entropy": "bits a word, by the words' frequencies",
    "redundancy": "mean cosine of a sentence with the one most like it",
    "similarity": "mean cosine of two documents",
    "least-similarity": "the smallest cosine of two documents",
    "divergence": "mean Jensen-Shannon divergence of a document from the input, in bits",
    "signature": "share of content words that are the topic's signature",
}


def input_features(documents: Sequence[str]) -> dict[str, float]:
    """Measure an input.

    Lengths, vocabulary and entropy count all words. Redundancy, similarity, divergence and the
    signature look at stems of words that are no stop words, by their counts.

    What is undefined, such as the similarity of one document, is NaN.

    References
    ----------
    A. Nenkova and A. Louis. Can you summarize this? Identifying correlates of input difficulty
    for generic multi-document summarization. ACL, 2008.
    """
    parted = [split_sentences(text, boilerplate="strip") for text in documents]
    everything = encode(parted)
    content = encode(parted, stem=True, stop_words=True)
    found = {
        **_sizes(everything),
        **_words(everything),
        "redundancy": _redundancy(content),
        **_between_documents(content),
        "signature": _signature_share(content),
    }
    return {name: found[name] for name in FEATURES}


def features_of(collection: Collection, task: str) -> dict[str, dict[str, float]]:
    """Measure the input of each topic that has documents for a task."""
    texts = {
        topic.id: [document.text for document in collection.documents(topic.id, task)]
        for topic in collection.topics
    }
    return {topic: input_features(own) for topic, own in texts.items() if any(own)}


def _sizes(encoded: Encoded) -> dict[str, float]:
    lengths = encoded.sentence_lengths
    sentences, words = int((lengths > 0).sum()), int(lengths.sum())
    return {
        "documents": float(len(encoded)),
        "sentences": float(sentences),
        "words": float(words),
        "sentence-length": _ratio(words, sentences),
    }


def _words(encoded: Encoded) -> dict[str, float]:
    counts = np.bincount(encoded.ids, minlength=len(encoded.words))
    counts = counts[counts > 0]
    shares = counts / max(1, counts.sum())
    return {
        "vocabulary": float(len(counts)),
        "type-token": _ratio(len(counts), int(counts.sum())),
        "used-once": _ratio(int((counts == 1).sum()), len(counts)),
        "entropy": float(-(shares * np.log2(shares)).sum()) if len(counts) else math.nan,
    }


def _redundancy(encoded: Encoded) -> float:
    """Average each sentence's greatest cosine with another one."""
    table = _unit_rows(_counted(encoded.ids, encoded.sentences, len(encoded.words)))
    if table.shape[0] < 2:
        return math.nan
    cosines = (table @ table.T).tolil()
    cosines.setdiag(0)
    return float(cosines.tocsr().max(axis=1).toarray().mean())


def _between_documents(encoded: Encoded) -> dict[str, float]:
    counts = _counted(encoded.ids, encoded.starts, len(encoded.words))
    units = _unit_rows(counts)
    names = ("similarity", "least-similarity", "divergence")
    if units.shape[0] < 2:
        return dict.fromkeys(names, math.nan)
    cosines = (units @ units.T).toarray()[np.triu_indices(units.shape[0], 1)]
    values = (float(cosines.mean()), float(cosines.min()), _divergence(counts.toarray()))
    return dict(zip(names, values, strict=True))


def _divergence(counts: Floats) -> float:
    """Average the divergence of documents from all of them together, in bits."""
    own = counts[counts.sum(axis=1) > 0]
    shares = own / own.sum(axis=1, keepdims=True)
    pool = own.sum(axis=0) / own.sum()
    middle = (shares + pool) / 2
    return float(
        np.mean(_relative(shares, middle) + _relative(np.broadcast_to(pool, shares.shape), middle))
        / 2
    )


def _relative(p: Floats, q: Floats) -> Floats:
    """Give the Kullback-Leibler divergence of rows, in bits; 0 log 0 is 0."""
    from scipy.special import rel_entr

    divergence: Floats = rel_entr(p, q).sum(axis=1) / math.log(2)
    return divergence


def _signature_share(encoded: Encoded) -> float:
    counts = np.bincount(encoded.ids, minlength=len(encoded.words))
    if not counts.sum():
        return math.nan
    weights = signature_weights(list(encoded.words), counts, default_background(stem=True))
    return float(counts[weights > SIGNATURE_CUTOFF].sum() / counts.sum())


def _counted(ids: npt.NDArray[np.int32], starts: Ints, words: int) -> Any:
    """Count words in the parts of a text: a row a part that has any."""
    from scipy.sparse import csr_array

    table = csr_array((np.ones(len(ids)), ids, starts), shape=(len(starts) - 1, words))
    table.sum_duplicates()
    return table[np.flatnonzero(np.diff(starts) > 0)]


def _unit_rows(table: Any) -> Any:
    from scipy.sparse import diags_array

    lengths = np.sqrt(table.multiply(table).sum(axis=1))
    return diags_array(1 / lengths) @ table if table.shape[0] else table


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
