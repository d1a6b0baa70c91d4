"""A summary made of sentences of the input, and how long it may be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pyramidion.errors import InputError
from pyramidion.rewriting._rewriter import Replacement, Rewritten
from pyramidion.summarizers.lengths import cut_after, length_of
from pyramidion.summarizers.source import Source

__all__ = ["ChosenSentence", "Extract", "Fit", "Limit", "Terms", "assemble"]

#: Names and what each counted for, see `Summarizer.explain`.
Terms = tuple[tuple[str, float], ...]

#: What happens when the next sentence does not fit.
Fit = Literal["stop", "fill", "truncate"]


@dataclass(frozen=True, slots=True)
class Limit:
    """How many words a summary may have.

    Parameters
    ----------
    words
        The limit, in words between white space; in characters where a script writes none, see
        `length_of`.
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
    replacements
        What was replaced in it, with where the new wording comes from.
    before
        Its text in the source, where words were replaced.
    cut
        Whether it is cut off.
    terms
        What made it worth choosing, where it cannot be told afterwards, see `Summarizer.explain`.

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
    replacements: tuple[Replacement, ...] = ()
    before: str = ""
    cut: bool = False
    terms: Terms = ()


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
        return length_of(self.text)


def assemble(
    source: Source,
    chosen: Sequence[int],
    scores: Sequence[float],
    limit: Limit,
    rewritten: Mapping[int, Rewritten] | None = None,
) -> tuple[ChosenSentence, ...]:
    """Make sentences of a summary from their numbers, in the order they were chosen.

    Parameters
    ----------
    source, chosen, scores
        Which sentences, and what each was worth when it was chosen.
    limit
        The last sentence is cut where it is too long.
    rewritten
        The sentences that were rewritten, by number.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day. Roads were flooded by it."])
    >>> [s.text for s in assemble(source, [1, 0], [0.5, 0.4], Limit(8, "truncate"))]
    ['Roads were flooded by it.', 'Heavy rain fell']
    """
    sentences, used = [], 0
    for rank, (number, score) in enumerate(zip(chosen, scores, strict=True), start=1):
        room = limit.room(used)
        if not room:
            break
        own = _as_it_stands(source, number, score, rank, (rewritten or {}).get(number))
        length = length_of(own.text) if own.replacements else int(source.lengths[number])
        sentences.append(_cut(own, room) if length > room else own)
        used += length
    return tuple(sentences)


def _as_it_stands(
    source: Source, number: int, score: float, rank: int, made: Rewritten | None
) -> ChosenSentence:
    own = source.sentence(number)
    chosen = ChosenSentence(own.text, own.document, own.index, score, rank)
    if made is None:
        return chosen
    changes = made.replacements
    return replace(chosen, text=made.text, rewritten=True, replacements=changes, before=own.text)


def _cut(sentence: ChosenSentence, room: int) -> ChosenSentence:
    return replace(sentence, text=cut_after(sentence.text, room), rewritten=True, cut=True)
