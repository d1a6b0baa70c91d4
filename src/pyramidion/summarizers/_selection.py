"""Choosing sentences within a limit, and the resulting summary."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.collection import Document
from pyramidion.errors import InputError
from pyramidion.summarizers._dates import read_date
from pyramidion.summarizers._replacements import Replacement, Rewritten
from pyramidion.summarizers._source import Source
from pyramidion.summarizers.sentences import cut_after, length_of

if TYPE_CHECKING:
    from pyramidion.summarizers._guard import GuardReport

#: Names and contributions; see `Summarizer.explain`.
Terms = tuple[tuple[str, float], ...]

#: What happens when the next sentence does not fit.
Fit = Literal["stop", "fill", "truncate"]


@dataclass(frozen=True, slots=True)
class Limit:
    """The maximum length of a summary.

    Parameters
    ----------
    words
        Maximum number of words, or of characters in scripts without spaces; see `length_of`.
    fit
        If the next sentence does not fit: ``fill`` takes the best one that does, ``stop`` ends the
        summary, ``truncate`` cuts the sentence off. If no sentence fits, the best is always cut
        off.

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
            raise InputError(f"the limit is {self.words} words", hint="use 1 or more")
        if self.fit not in ("stop", "fill", "truncate"):
            raise InputError(f"fit is {self.fit!r}", hint="use fill, stop or truncate")

    def room(self, used: int) -> int:
        """Return the number of words left."""
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
        Its text in the summary.
    document, index
        Its document and position there.
    score
        Its score when it was chosen.
    rank
        The order of choice, from 1.
    rewritten
        Whether its text differs from the source.
    replacements
        What was replaced in it.
    before
        Its text in the source, if words were replaced.
    cut
        Whether it is cut off.
    terms
        Its explanation, if it cannot be computed later; see `Summarizer.explain`.
    citations
        Documents and positions of the sentences that a writer cites.

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
    citations: tuple[tuple[str, int], ...] = ()

    def citation_label(self, *, is_written: bool = False) -> str:
        """Return the sentences it is based on, such as ``[d3:12]``, with numbers from 1."""
        origins = self.citations if is_written else ((self.document, self.index),)
        return "".join(f"[{document}:{index + 1}]" for document, index in origins)


@dataclass(frozen=True, slots=True)
class Extract:
    """A summary.

    Parameters
    ----------
    sentences
        In reading order.
    method
        The method with its options.
    weights
        Up to 100 words and their initial weights, heaviest first.
    notes
        Remarks, one line each.
    guard
        Which sentences of a language model were checked, and the cost.
    novelty
        In an update, the share of its distinct content words that the known texts do not have.

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
    guard: "GuardReport | None" = None
    novelty: float | None = None

    @property
    def text(self) -> str:
        """The summary, one sentence per line."""
        return "\n".join(sentence.text for sentence in self.sentences)

    @property
    def words(self) -> int:
        """The number of words."""
        return length_of(self.text)


def assemble(source: Source, choice: "Choice", limit: Limit) -> tuple[ChosenSentence, ...]:
    """Return the sentences of a summary in the order they were chosen, cut off at the limit."""
    sentences, n_used = [], 0
    for rank, (number, score) in enumerate(zip(choice.numbers, choice.scores, strict=True), 1):
        room = limit.room(n_used)
        if not room:
            break
        original_sentence, length = source.sentence(number), int(source.lengths[number])
        # Without rewriting, terms can be computed later.
        terms = choice.explained.get(number, ()) if choice.rewritten else ()
        address = original_sentence.document, original_sentence.index
        sentence = ChosenSentence(original_sentence.text, *address, score, rank, terms=terms)
        trim, rewritten_sentence = source.trims.get(number), choice.rewritten.get(number)
        if trim or rewritten_sentence:
            sentence = replace(
                sentence,
                text=rewritten_sentence.text if rewritten_sentence else original_sentence.text,
                rewritten=True,
                replacements=tuple(
                    change
                    for edit in (trim, rewritten_sentence)
                    if edit
                    for change in edit.replacements
                ),
                before=trim.before if trim else original_sentence.text,
            )
            length = length_of(sentence.text)
        if length > room:
            text = cut_after(sentence.text, room)
            sentence = replace(sentence, text=text, rewritten=True, cut=True)
        sentences.append(sentence)
        n_used += length
    return tuple(sentences)


#: Relative differences below this are ties: sums depend slightly on their order.
_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True)
class Choice:
    """Numbers of sentences in the order they were chosen, and their scores.

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
    #: Explanations that cannot be computed later.
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
    joins: Callable[[int, Sequence[int]], bool] | None = None,
) -> Choice:
    """Take the best sentence, weight the others again, and repeat until no other sentence fits.

    Ties go to the sentence that comes earlier in its document, then alphabetically, so that the
    order of documents does not matter.

    Parameters
    ----------
    source, limit
        The sentences, and the maximum length.
    weigh
        Returns the current score of every sentence; minus infinity excludes one.
    chosen
        Called with each sentence that is taken.
    allowed
        The sentences that may be chosen; the source's candidates by default.
    narrow
        Restricts the sentences that may come next; by default, any may.
    rewrite
        Called with each sentence that is taken and the number of words left, before `chosen`;
        returns the number of words of the rewritten sentence.
    begun
        Sentences taken earlier, which others may follow.
    joins
        Returns whether a sentence may join those taken; `Source.may_join` by default.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day. Roads were flooded by rain."])
    >>> choose_greedily(source, Limit(5), lambda: np.array([0.1, 0.2])).numbers
    (1,)
    """
    open_ = (source.candidates if allowed is None else allowed).copy()
    lengths = source.lengths
    selected_numbers, scores = list(begun), list[float]()
    waiting_numbers: set[int] = set()
    length, joins = 0, joins or source.may_join
    while limit.room(length):
        if limit.fit == "fill":
            open_ &= lengths <= limit.room(length)
        scores_now = weigh()
        gains = np.where(open_ if narrow is None else narrow(open_), scores_now, -np.inf)
        while (best_number := _best(source, gains)) is not None and not joins(
            best_number, selected_numbers
        ):
            waiting_numbers.add(best_number)
            open_[best_number], gains[best_number] = False, -np.inf
            if narrow is not None:
                gains = np.where(narrow(open_), scores_now, -np.inf)
        if best_number is None or not limit.fits(int(lengths[best_number]), length):
            break
        open_[best_number] = False
        selected_numbers.append(best_number)
        scores.append(float(gains[best_number]))
        length += (
            int(lengths[best_number])
            if rewrite is None
            else rewrite(best_number, limit.room(length))
        )
        if best_number + 1 in waiting_numbers:
            open_[best_number + 1] = True
        if chosen is not None:
            chosen(best_number)
    return Choice(tuple(selected_numbers[len(begun) :]), tuple(scores))


def choose_ranked(
    source: Source,
    limit: Limit,
    scores: Floats,
    acceptable: Callable[[int, list[int]], bool] | None = None,
) -> Choice:
    """Go down a ranking and take each acceptable sentence.

    Ties are ranked as in `choose_greedily`.

    Parameters
    ----------
    source, limit
        The sentences, and the maximum length.
    scores
        The score of every sentence; minus infinity excludes one.
    acceptable
        Called with a sentence and those taken so far.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day. Roads were flooded by rain."])
    >>> choose_ranked(source, Limit(20), np.array([0.1, 0.2])).numbers
    (1, 0)
    """
    numbers = np.flatnonzero(source.candidates & np.isfinite(scores)).tolist()
    max_score = np.abs(scores[numbers]).max(initial=0.0)
    exponent = int(np.floor(np.log10(max_score))) if max_score > 0 else 0
    rounded = np.round(scores, 12 - exponent) if abs(exponent) < 200 else scores
    keys = list(zip((-rounded).tolist(), source.positions.tolist(), source.texts, strict=True))
    ranked_numbers = sorted(numbers, key=keys.__getitem__)[::-1]
    chosen: list[int] = []
    waiting_numbers: set[int] = set()
    n_used = 0
    while ranked_numbers and limit.room(n_used):
        number = ranked_numbers.pop()
        length = int(source.lengths[number])
        if not limit.fits(length, n_used) and limit.fit == "fill":
            continue
        if not source.may_join(number, chosen):
            waiting_numbers.add(number)
        elif acceptable is None or acceptable(number, chosen):
            if not limit.fits(length, n_used):
                break
            chosen.append(number)
            n_used += length
            if number + 1 in waiting_numbers:
                ranked_numbers.append(number + 1)
    return Choice(tuple(chosen), tuple(scores[chosen].tolist()))


def _best(source: Source, scores: Floats) -> int | None:
    """Return the best sentence; None if all are excluded."""
    max_score = float(scores[scores.argmax()])
    if not isfinite(max_score):
        return None
    best_numbers: list[int] = (
        (scores >= max_score - _TOLERANCE * abs(max_score)).nonzero()[0].tolist()
    )
    if len(best_numbers) == 1:
        return best_numbers[0]
    return min(best_numbers, key=lambda number: (source.positions[number], source.texts[number]))


#: ``source``: by date and position; ``cohesive``: the same, with related sentences together;
#: ``chosen``: as selected.
Order = Literal["source", "cohesive", "chosen"]

ORDERS: tuple[Order, ...] = ("source", "cohesive", "chosen")

#: Minimum share of common words of related sentences.
_MIN_RELATED_SHARE = 0.2


def date_ranks(documents: Sequence[Document]) -> list[int]:
    """Rank the documents by date (see `read_date`), from 0; equal dates have the same rank.

    A document without a date has the date of the previous document.
    """
    dates: list[tuple[str, ...]] = []
    for document in documents:
        date = read_date(document.date) if document.date else None
        dates.append(date or (dates[-1] if dates else ()))
    ranks = {date: rank for rank, date in enumerate(sorted(set(dates)))}
    return [ranks[date] for date in dates]


def by_date(documents: Sequence[Document]) -> list[int]:
    """Return the documents' indices, earliest first; those with the same date keep their order."""
    ranks = date_ranks(documents)
    return sorted(range(len(ranks)), key=ranks.__getitem__)


def reading_order(
    source: Source, sentences: Sequence[ChosenSentence], order: Order = "source"
) -> tuple[ChosenSentence, ...]:
    """Put the sentences of a summary in reading order; one that is cut off comes last.

    A summary opens like an article: with the sentence that comes earliest in its article, among
    those that can be understood first (`Source.can_open`). The others follow by date; documents
    without dates, or of one date, by the position of their first sentence in the summary.

    Parameters
    ----------
    source, sentences
        The input, and the chosen sentences.
    order
        ``cohesive`` is the augmented ordering of Barzilay, Elhadad and McKeown (2002): sentences
        that are directly or indirectly related form a block; blocks and the sentences in them are
        in chronological order.

    Examples
    --------
    >>> source = Source.of_texts(["Rain fell. It was cold."])
    >>> late, early = ChosenSentence("It was cold.", "1", 1, 2.0, 1), ChosenSentence(
    ...     "Rain fell.", "1", 0, 1.0, 2)
    >>> [sentence.text for sentence in reading_order(source, [late, early])]
    ['Rain fell.', 'It was cold.']
    """
    if order not in ORDERS:
        raise InputError(f"the order is {order!r}", hint=f"use {' or '.join(ORDERS)}")
    if order == "chosen":
        return tuple(sentences)
    ranks = date_ranks(source.documents)
    numbers = {document.id: number for number, document in enumerate(source.documents)}
    first_positions: dict[str, int] = {}
    for sentence in sentences:
        first = first_positions.setdefault(sentence.document, sentence.index)
        first_positions[sentence.document] = min(sentence.index, first)

    def key(sentence: ChosenSentence) -> tuple[int, ...]:
        number = numbers[sentence.document]
        return ranks[number], first_positions[sentence.document], number, sentence.index

    sentences_in_order = sorted(sentences, key=key)
    if order == "cohesive":
        sentences_in_order = _related_together(source, sentences_in_order)
    return tuple(
        sorted(_with_opening_first(source, sentences_in_order), key=lambda sentence: sentence.cut)
    )


def opening_of(source: Source, numbers: Sequence[int]) -> int:
    """Return which of some sentences, in reading order, a summary of them opens with.

    It is the first of its document among them.
    """
    firsts = {int(source.homes[number]): number for number in sorted(numbers, reverse=True)}
    heads = [number for number in numbers if number in firsts.values()]
    if len(heads) == 1:
        return heads[0]
    source_positions = {number: source.place(number) for number in heads}
    for number in sorted(heads, key=lambda number: (source_positions[number], number != heads[0])):
        if source.can_open(number):
            return number
    return numbers[0]


def _with_opening_first(
    source: Source, sentences_in_order: list[ChosenSentence]
) -> list[ChosenSentence]:
    """Move the opening to the front, with the sentences after it that depend on it."""
    numbers = [source.starts[s.document] + s.index for s in sentences_in_order if not s.cut]
    if len(numbers) < 2:
        return sentences_in_order
    opening_index = numbers.index(opening_of(source, numbers))
    end = opening_index + 1
    while (
        end < len(numbers) and numbers[end] == numbers[end - 1] + 1 and source.leans(numbers[end])
    ):
        end += 1
    whole_sentences = [sentence for sentence in sentences_in_order if not sentence.cut]
    return [
        *whole_sentences[opening_index:end],
        *whole_sentences[:opening_index],
        *whole_sentences[end:],
        *(s for s in sentences_in_order if s.cut),
    ]


def _related_together(
    source: Source, sentences_in_order: list[ChosenSentence]
) -> list[ChosenSentence]:
    """Move sentences up to the first one they are related to."""
    from scipy.sparse.csgraph import connected_components

    numbers = {(s.document, s.index): k for k, s in enumerate(source.sentences)}
    sentence_numbers = [
        numbers[sentence.document, sentence.index] for sentence in sentences_in_order
    ]
    rows = source.wording.presence[sentence_numbers]
    sizes = np.asarray(rows.sum(axis=1), dtype=np.float64)
    cosines = (rows @ rows.T).toarray() / np.sqrt(np.outer(sizes, sizes)).clip(1.0)
    # A sentence that depends on the previous one stays with it.
    leaning_numbers = [
        first + 1 == other and source.leans(other) for first, other in pairwise(sentence_numbers)
    ]
    related = (cosines >= _MIN_RELATED_SHARE) | np.diag(
        np.array(leaning_numbers, dtype=np.bool_), 1
    )
    _, blocks = connected_components(related, directed=False)
    first_positions = np.unique(blocks, return_index=True)[1]
    return [
        sentences_in_order[k] for k in np.argsort(first_positions[blocks], kind="stable").tolist()
    ]
