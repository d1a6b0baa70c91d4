"""Choosing sentences within a limit, and the summary that they make."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import isfinite
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.collection import Document
from pyramidion.collection._dates import read_date
from pyramidion.errors import InputError
from pyramidion.summarizers._replacements import Replacement, Rewritten
from pyramidion.summarizers._source import Source
from pyramidion.summarizers.sentences import cut_after, length_of

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
        """Return how many words are left."""
        return max(self.words - used, 0)

    def fits(self, length: int, used: int) -> bool:
        """Return whether a sentence of this length may come next."""
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


def assemble(source: Source, choice: "Choice", limit: Limit) -> tuple[ChosenSentence, ...]:
    """Return the sentences of a summary in the order they were chosen, cut off at the limit."""
    sentences, used = [], 0
    for rank, (number, score) in enumerate(zip(choice.numbers, choice.scores, strict=True), 1):
        room = limit.room(used)
        if not room:
            break
        own, length = source.sentence(number), int(source.lengths[number])
        # Without rewriting, terms can be computed again when they are asked for.
        terms = choice.explained.get(number, ()) if choice.rewritten else ()
        sentence = ChosenSentence(own.text, own.document, own.index, score, rank, terms=terms)
        trim, made = source.trims.get(number), choice.rewritten.get(number)
        if trim or made:
            sentence = replace(
                sentence,
                text=made.text if made else own.text,
                rewritten=True,
                replacements=tuple(
                    change for own in (trim, made) if own for change in own.replacements
                ),
                before=trim.before if trim else own.text,
            )
            length = length_of(sentence.text)
        if length > room:
            text = cut_after(sentence.text, room)
            sentence = replace(sentence, text=text, rewritten=True, cut=True)
        sentences.append(sentence)
        used += length
    return tuple(sentences)


#: What is nearer than this, as a share, is equal: sums depend a little on their order.
_EQUAL = 1e-12


@dataclass(frozen=True, slots=True)
class Choice:
    """Sentences by number, in the order they were chosen, and what each was worth then.

    Examples
    --------
    >>> Choice((3, 0), (0.5, 0.2)).numbers
    (3, 0)
    """

    numbers: tuple[int, ...]
    scores: tuple[float, ...]
    notes: tuple[str, ...] = ()
    #: The sentences that were rewritten, by number.
    rewritten: Mapping[int, Rewritten] = field(default_factory=dict)
    #: What made each worth choosing, where it cannot be told afterwards.
    explained: Mapping[int, Terms] = field(default_factory=dict)


def choose_greedily(
    source: Source,
    limit: Limit,
    weigh: Callable[[], npt.NDArray[Any]],
    chosen: Callable[[int], None] | None = None,
    *,
    allowed: Bools | None = None,
    narrow: Callable[[Bools], Bools] | None = None,
    rewrite: Callable[[int, int], int] | None = None,
    begun: Sequence[int] = (),
) -> Choice:
    """Take the best sentence, weigh all of them again, and repeat until nothing more fits.

    Of equally good sentences the one that comes earlier in its document is taken, then the first
    in the alphabet, so that the order of documents does not matter.

    Parameters
    ----------
    source, limit
        The sentences, and how many words may be used.
    weigh
        Returns the current score of every sentence; minus infinity for one that must not be taken.
    chosen
        Called with each sentence that was taken.
    allowed
        Which sentences may be chosen; the source's candidates if not given.
    narrow
        Returns which of the sentences that may come next are weighed; all if not given.
    rewrite
        Called with each sentence that was taken and how many words are left, before `chosen`;
        returns how many words the rewritten sentence has.
    begun
        Sentences that were taken before, which others may follow.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day. Roads were flooded by rain."])
    >>> choose_greedily(source, Limit(5), lambda: np.array([0.1, 0.2])).numbers
    (1,)
    """
    open_ = (source.candidates if allowed is None else allowed).copy()
    lengths = source.lengths
    taken, scores = list(begun), list[float]()
    waiting: set[int] = set()
    used = 0
    while limit.room(used):
        if limit.fit == "fill":
            open_ &= lengths <= limit.room(used)
        weighed = weigh()
        worth = np.where(open_ if narrow is None else narrow(open_), weighed, -np.inf)
        while (best := _best(source, worth)) is not None and not source.may_join(best, taken):
            waiting.add(best)
            open_[best], worth[best] = False, -np.inf
            if narrow is not None:
                worth = np.where(narrow(open_), weighed, -np.inf)
        if best is None or not limit.fits(int(lengths[best]), used):
            break
        open_[best] = False
        taken.append(best)
        scores.append(float(worth[best]))
        used += int(lengths[best]) if rewrite is None else rewrite(best, limit.room(used))
        if best + 1 in waiting:
            open_[best + 1] = True
        if chosen is not None:
            chosen(best)
    return Choice(tuple(taken[len(begun) :]), tuple(scores))


def choose_ranked(
    source: Source,
    limit: Limit,
    scores: Floats,
    acceptable: Callable[[int, list[int]], bool] | None = None,
) -> Choice:
    """Go down a ranking and take each sentence that is acceptable beside those already taken.

    Equally good sentences are ranked as in `choose_greedily`.

    Parameters
    ----------
    source, limit
        The sentences, and how many words may be used.
    scores
        The score of every sentence; minus infinity for one that must not be taken.
    acceptable
        Called with a sentence and those taken so far.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day. Roads were flooded by rain."])
    >>> choose_ranked(source, Limit(20), np.array([0.1, 0.2])).numbers
    (1, 0)
    """
    numbers = np.flatnonzero(source.candidates & np.isfinite(scores)).tolist()
    greatest = np.abs(scores[numbers]).max(initial=0.0)
    exponent = int(np.floor(np.log10(greatest))) if greatest > 0 else 0
    rounded = np.round(scores, 12 - exponent) if abs(exponent) < 200 else scores
    keys = list(zip((-rounded).tolist(), source.places.tolist(), source.texts, strict=True))
    ranked = sorted(numbers, key=keys.__getitem__)[::-1]
    taken: list[int] = []
    waiting: set[int] = set()
    used = 0
    while ranked and limit.room(used):
        number = ranked.pop()
        length = int(source.lengths[number])
        if not limit.fits(length, used) and limit.fit == "fill":
            continue
        if not source.may_join(number, taken):
            waiting.add(number)
        elif acceptable is None or acceptable(number, taken):
            if not limit.fits(length, used):
                break
            taken.append(number)
            used += length
            if number + 1 in waiting:
                ranked.append(number + 1)
    return Choice(tuple(taken), tuple(scores[taken].tolist()))


def _best(source: Source, worth: Floats) -> int | None:
    """Return the best sentence; none if all are worth minus infinity."""
    top = float(worth[worth.argmax()])
    if not isfinite(top):
        return None
    best: list[int] = (worth >= top - _EQUAL * abs(top)).nonzero()[0].tolist()
    if len(best) == 1:
        return best[0]
    return min(best, key=lambda number: (source.places[number], source.texts[number]))


#: ``source``: by the documents' dates and the place within; ``cohesive``: the same, but what is
#: about the same things stays together; ``chosen``: as they were chosen.
Order = Literal["source", "cohesive", "chosen"]

ORDERS: tuple[Order, ...] = ("source", "cohesive", "chosen")

#: Sentences that share less of their words are not about the same.
_RELATED = 0.2


def date_ranks(documents: Sequence[Document]) -> list[int]:
    """Rank the documents by date, from 0; those of one date have the same rank.

    Dates are read with the year first (``2031-04-12``, ``20310412 0930``) or with the month's
    name, see `read_date`. A document without one has that of the document it was given after.
    """
    dates: list[tuple[str, ...]] = []
    for document in documents:
        found = read_date(document.date) if document.date else None
        dates.append(found or (dates[-1] if dates else ()))
    ranks = {date: rank for rank, date in enumerate(sorted(set(dates)))}
    return [ranks[date] for date in dates]


def by_date(documents: Sequence[Document]) -> list[int]:
    """Return the documents' numbers, the earliest first, those of one date as they were given."""
    ranks = date_ranks(documents)
    return sorted(range(len(ranks)), key=ranks.__getitem__)


def reading_order(
    source: Source, sentences: Sequence[ChosenSentence], order: Order = "source"
) -> tuple[ChosenSentence, ...]:
    """Put the sentences of a summary in the order of reading; one that is cut off comes last.

    Of documents of one date, or without any, the one whose first sentence here stands earliest in
    it comes first: so a summary opens as articles do.

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
    ranks = date_ranks(source.documents)
    numbers = {document.id: number for number, document in enumerate(source.documents)}
    firsts: dict[str, int] = {}
    for own in sentences:
        firsts[own.document] = min(own.index, firsts.get(own.document, own.index))

    def key(own: ChosenSentence) -> tuple[int, ...]:
        number = numbers[own.document]
        return ranks[number], firsts[own.document], number, own.index

    ordered = sorted(sentences, key=key)
    if order == "cohesive":
        ordered = _together(source, ordered)
    return tuple(sorted(ordered, key=lambda own: own.cut))


def _together(source: Source, ordered: list[ChosenSentence]) -> list[ChosenSentence]:
    """Move sentences up to the earliest one they are related to."""
    from scipy.sparse.csgraph import connected_components

    numbers = {(own.document, own.index): k for k, own in enumerate(source.sentences)}
    chosen = [numbers[own.document, own.index] for own in ordered]
    rows = source.wording.presence[chosen]
    sizes = np.asarray(rows.sum(axis=1), dtype=np.float64)
    shared = (rows @ rows.T).toarray() / np.sqrt(np.outer(sizes, sizes)).clip(1.0)
    # What leans on a sentence stays with it.
    leaning = [one + 1 == other and source.leans(other) for one, other in pairwise(chosen)]
    related = (shared >= _RELATED) | np.diag(np.array(leaning, dtype=np.bool_), 1)
    _, blocks = connected_components(related, directed=False)
    firsts = np.unique(blocks, return_index=True)[1]
    return [ordered[k] for k in np.argsort(firsts[blocks], kind="stable").tolist()]
