"""The order in which the sentences of a summary are read."""

from collections.abc import Sequence
from typing import Literal

from pyramidion.summarizers.extract import ChosenSentence
from pyramidion.summarizers.source import Source

__all__ = ["Order", "reading_order"]

#: ``source``: by the documents' date (those without one keep their place) and the place within;
#: ``chosen``: as they were chosen.
Order = Literal["source", "chosen"]


def reading_order(
    source: Source, sentences: Sequence[ChosenSentence], order: Order = "source"
) -> tuple[ChosenSentence, ...]:
    """Put the sentences of a summary in the order of reading.

    Parameters
    ----------
    source
        Where they come from.
    sentences
        As they were chosen.
    order
        Which order.

    Examples
    --------
    >>> source = Source.of_texts(["Rain fell. It was cold."])
    >>> late, early = ChosenSentence("It was cold.", "1", 1, 2.0, 1), ChosenSentence(
    ...     "Rain fell.", "1", 0, 1.0, 2)
    >>> [sentence.text for sentence in reading_order(source, [late, early])]
    ['Rain fell.', 'It was cold.']
    """
    if order == "chosen":
        return tuple(sentences)
    places = {document.id: place for place, document in enumerate(source.documents)}
    dates = {document.id: document.date for document in source.documents}

    def key(sentence: ChosenSentence) -> tuple[str, int, int]:
        return dates[sentence.document], places[sentence.document], sentence.index

    return tuple(sorted(sentences, key=key))
