"""A summary made of sentences of the input, and how long it may be."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pyramidion.errors import InputError
from pyramidion.summarizers.source import Source
from pyramidion.text import count_words, truncate_words

__all__ = ["ChosenSentence", "Extract", "Fit", "Limit", "assemble"]

#: What happens when the next sentence does not fit.
Fit = Literal["stop", "fill", "truncate"]


@dataclass(frozen=True, slots=True)
class Limit:
    """How many words a summary may have.

    Parameters
    ----------
    words
        The limit, in words between white space.
    fit
        When the next best sentence does not fit: ``fill`` takes the best one that does,
        ``stop`` ends the summary, ``truncate`` cuts the sentence off. Where not even one
        sentence fits, the best is cut off whatever is said here.

    Examples
    --------
    >>> limit = Limit(5)
    >>> limit.room(3), limit.fits(2, 3), limit.fits(3, 3)
    (2, True, False)
    """

    words: int = 100
    fit: Fit = "fill"

    def __post_init__(self) -> None:
        if self.words < 1:
            raise InputError(f"the limit is {self.words} words", hint="give 1 or more")
        if self.fit not in ("stop", "fill", "truncate"):
            raise InputError(f"fit is {self.fit!r}", hint="give fill, stop or truncate")

    def room(self, used: int) -> int:
        """Tell how many words are left."""
        return max(self.words - used, 0)

    def fits(self, length: int, used: int) -> bool:
        """Tell whether a sentence of this length may come next."""
        room = self.room(used)
        return room > 0 if self.fit == "truncate" else length <= room


@dataclass(frozen=True, slots=True)
class ChosenSentence:
    """A sentence of a summary.

    Parameters
    ----------
    text
        As it stands in the summary.
    document, index
        Where it comes from.
    score
        What it was worth when it was chosen.
    rank
        When it was chosen, from 1.
    rewritten
        Whether its text differs from the source's.

    Examples
    --------
    >>> ChosenSentence("Rain fell.", "d1", 0, 0.5, 1).rewritten
    False
    """

    text: str
    document: str
    index: int
    score: float
    rank: int
    rewritten: bool = False


@dataclass(frozen=True, slots=True)
class Extract:
    """A summary.

    Parameters
    ----------
    sentences
        In the order in which they are read.
    method
        How it was made, as it is typed.
    weights
        The words that mattered and what they weighed at first, the heaviest first; at most a
        hundred.
    notes
        What there is to say about it, one line each.

    Examples
    --------
    >>> extract = Extract((ChosenSentence("Rain fell.", "d1", 0, 0.5, 1),), "sum-avr")
    >>> extract.text, extract.words
    ('Rain fell.', 2)
    """

    sentences: tuple[ChosenSentence, ...]
    method: str
    weights: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def text(self) -> str:
        """The summary as a text, a sentence a line."""
        return "\n".join(sentence.text for sentence in self.sentences)

    @property
    def words(self) -> int:
        """How many words it has."""
        return count_words(self.text)


def assemble(
    source: Source, chosen: Sequence[int], scores: Sequence[float], limit: Limit
) -> tuple[ChosenSentence, ...]:
    """Make sentences of a summary from their numbers, in the order they were chosen.

    Parameters
    ----------
    source, chosen, scores
        Which sentences, and what each was worth when it was chosen.
    limit
        The last sentence is cut where it is too long.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day. Roads were flooded by it."])
    >>> [s.text for s in assemble(source, [1, 0], [0.5, 0.4], Limit(8, "truncate"))]
    ['Roads were flooded by it.', 'Heavy rain fell']
    """
    sentences, used = [], 0
    for rank, (number, score) in enumerate(zip(chosen, scores, strict=True), start=1):
        own, room = source.sentence(number), limit.room(used)
        if not room:
            break
        cut = own.words > room
        text = truncate_words(own.text, room) if cut else own.text
        sentences.append(ChosenSentence(text, own.document, own.index, score, rank, cut))
        used += own.words
    return tuple(sentences)
