"""The order in which the sentences of a summary are read."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from pyramidion.collection import Document
from pyramidion.collection.dates import read_date
from pyramidion.errors import InputError
from pyramidion.summarizers.extract import ChosenSentence
from pyramidion.summarizers.source import Source

__all__ = ["ORDERS", "Order", "by_date", "reading_order"]

#: ``source``: by the documents' dates and the place within; ``cohesive``: the same, but what is
#: about the same things stays together; ``chosen``: as they were chosen.
Order = Literal["source", "cohesive", "chosen"]

ORDERS: tuple[Order, ...] = ("source", "cohesive", "chosen")

#: Sentences that share less of their words are not about the same.
_RELATED = 0.2


def by_date(documents: Sequence[Document]) -> list[int]:
    """Give the documents' numbers, the earliest first.

    Dates are read with the year first (``2031-04-12``, ``20310412 0930``) or with the month's
    name, see `read_date`. A document without one follows the document it was given after.

    Parameters
    ----------
    documents
        The documents, in the order they were given.

    Examples
    --------
    >>> by_date([Document("a", "", date="2031-04-12"), Document("b", ""),
    ...          Document("c", "", date="20310411")])
    [2, 0, 1]
    """
    dates: list[tuple[str, ...]] = []
    for document in documents:
        found = read_date(document.date)
        dates.append(found or (dates[-1] if dates else ()))
    return sorted(range(len(dates)), key=lambda number: dates[number])


def reading_order(
    source: Source, sentences: Sequence[ChosenSentence], order: Order = "source"
) -> tuple[ChosenSentence, ...]:
    """Put the sentences of a summary in the order of reading; one that is cut off comes last.

    Parameters
    ----------
    source
        Where they come from.
    sentences
        As they were chosen.
    order
        Which order. ``cohesive`` follows the augmented ordering of Barzilay, Elhadad and McKeown
        (2002): sentences that are related to each other, directly or by others, make a block;
        blocks and the sentences in them stand in chronological order.

    Examples
    --------
    >>> source = Source.of_texts(["Rain fell. It was cold."])
    >>> late, early = ChosenSentence("It was cold.", "1", 1, 2.0, 1), ChosenSentence(
    ...     "Rain fell.", "1", 0, 1.0, 2)
    >>> [sentence.text for sentence in reading_order(source, [late, early])]
    ['Rain fell.', 'It was cold.']
    """
    if order not in ORDERS:
        raise InputError(f"the order is {order!r}", hint=f"give {' or '.join(ORDERS)}")
    if order == "chosen":
        return tuple(sentences)
    places = {source.documents[k].id: place for place, k in enumerate(by_date(source.documents))}
    ordered = sorted(sentences, key=lambda own: (places[own.document], own.index))
    if order == "cohesive":
        ordered = _together(source, ordered)
    return tuple(sorted(ordered, key=lambda own: own.cut))


def _together(source: Source, ordered: list[ChosenSentence]) -> list[ChosenSentence]:
    """Move sentences up to the earliest one that they are related to."""
    from scipy.sparse.csgraph import connected_components

    numbers = {(own.document, own.index): k for k, own in enumerate(source.sentences)}
    rows = source.wording.presence[[numbers[own.document, own.index] for own in ordered]]
    sizes = np.asarray(rows.sum(axis=1), dtype=np.float64)
    shared = (rows @ rows.T).toarray() / np.sqrt(np.outer(sizes, sizes)).clip(1.0)
    _, blocks = connected_components(shared >= _RELATED, directed=False)
    firsts: dict[int, int] = {}
    for place, block in enumerate(blocks.tolist()):
        firsts.setdefault(block, place)
    order = sorted(range(len(ordered)), key=lambda k: (firsts[int(blocks[k])], k))
    return [ordered[k] for k in order]
