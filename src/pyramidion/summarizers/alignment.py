"""Which sentences of an input its references were made of."""

import numpy as np

from pyramidion._types import Bools
from pyramidion.summarizers.source import Source

__all__ = ["aligned_sentences"]


def aligned_sentences(source: Source, *, least: int = 2) -> Bools:
    """Label the sentences that references share words with.

    For each reference the sentence that has most of its content words is marked, then the one
    that has most of those that are left, as long as a sentence brings ``least`` or more. Of
    equally good sentences the shorter is taken, and of those the first.

    Parameters
    ----------
    source
        The input, with its references.
    least
        How many words of a reference a sentence must have that no other has brought.

    Examples
    --------
    >>> text = "Rain fell on Ardel for a week. It was cold. Many goats were sold. Goats and rain."
    >>> source = Source.of_texts([text], references=["Goats were sold in Ardel as rain fell."])
    >>> aligned_sentences(source).tolist()
    [True, False, True, False]
    """
    wording = source.read(source.reading, references=True)
    presence = wording.presence
    sizes = np.diff(presence.indptr)
    marked = np.zeros(len(source), dtype=np.bool_)
    for sentences in wording.references:
        wanted = np.zeros(len(wording.words))
        wanted[np.concatenate([np.zeros(0, np.int32), *sentences])] = 1.0
        while True:
            brings = presence @ wanted
            # A word less in the sentence never outweighs a word more of the reference.
            best = int(np.argmax(brings - sizes / (sizes.max(initial=0) + 1)))
            if brings[best] < least:
                break
            marked[best] = True
            wanted[presence.indices[presence.indptr[best] : presence.indptr[best + 1]]] = 0.0
    return marked
