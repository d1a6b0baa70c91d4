"""CLASSY: a hidden Markov model scores sentences, a pivoted QR decomposition picks them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection.options import option
from pyramidion.summarizers.alignment import aligned_sentences
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.hmm import fit_hmm
from pyramidion.summarizers.hmm_files import HmmFile, default_hmms
from pyramidion.summarizers.selection import Choice, choose_greedily
from pyramidion.summarizers.signature import signature_of
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer
from pyramidion.text._encoding import SIGNATURE_CUTOFF, Background

__all__ = ["HmmQr", "observations", "train_hmms"]


@dataclass(frozen=True, slots=True)
class HmmQr(Summarizer):
    r"""CLASSY, peer 65 of DUC 2004: a hidden Markov model and a pivoted QR decomposition.

    1. Of each sentence :math:`\log(n + 1)` is observed, where n is the number of its different
       words that are in the topic signature (:math:`-2\log\lambda` above ``cutoff``).
    2. A hidden Markov model (`SummaryHmm`) reads each document from its first sentence to its last
       and gives each sentence the probability to be a summary sentence, which is its score.
    3. The best sentences within the limit, ``pool`` times as many words as it, become the columns
       of a matrix whose rows are the signature's words: 1 where a sentence has a word, each
       column scaled to the length of the sentence's score. The longest column is taken; what it
       shares with the others is subtracted from them (a QR decomposition with column pivoting);
       and again, until the limit is reached. Room that none of them fits into goes to others.

    The models that come with the package have 3 to 13 states and were trained on GUM; ``model``
    names a file with others, see `train_hmms`.

    References
    ----------
    Conroy and O'Leary (2001). Text summarization via hidden Markov models. SIGIR. Conroy,
    Schlesinger, Goldstein and O'Leary (2004). Left-brain/right-brain multi-document
    summarization. DUC. Nenkova (2006), section 4.5.

    Examples
    --------
    >>> text = "Floods closed roads in Ardel. It was late by then. Mud lay in Ardel schools."
    >>> source = Source.of_texts([text] * 3)
    >>> HmmQr().choose(source, Limit(10)).numbers
    (0, 2)
    """

    name: ClassVar[str] = "hmm-qr"
    title: ClassVar[str] = "HMM and QR (CLASSY)"
    summary: ClassVar[str] = "sentences a hidden Markov model likes, each for what is new in it"
    citation: ClassVar[str] = "Conroy and O'Leary 2001"

    states: int = option(5, "how many states the model has", least=3)
    cutoff: float = option(SIGNATURE_CUTOFF, "words above it are the signature", least=0)
    pool: float = option(3.0, "words of the sentences to pick from, in limits", least=1)
    model: str = option("", "a file with other models")

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        scores = self._scores(source)
        pool = self._pool(source, scores, limit)
        columns = _Columns(source, pool, scores, signature_of(source) > self.cutoff)
        return choose_greedily(source, limit, columns.weigh, columns.take)

    def explain(
        self, source: Source, number: int, said: Sequence[int] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Give the model's probability, and the length that is left of the sentence's column.

        Sentences outside the pool, which only fill room that is left, are explained alike.
        """
        scores = self._scores(source)
        everything = np.array([*said, number])
        columns = _Columns(source, everything, scores, signature_of(source) > self.cutoff)
        for own in said:
            columns.take(own)
        return ("posterior", float(scores[number])), ("residual", float(columns.left()[-1]))

    def _scores(self, source: Source) -> Floats:
        models = HmmFile.load(self.model) if self.model else default_hmms()
        model = models.model(self.states)
        return np.concatenate(model.posteriors(observations(source, self.cutoff)))

    def _pool(self, source: Source, scores: Floats, limit: Limit) -> Ints:
        """Take the best sentences that are within the limit until they have enough words."""
        fitting = source.candidates & (source.lengths <= limit.words)
        may = np.flatnonzero(fitting if fitting.any() else source.candidates)
        order = may[np.lexsort((source.places[may], -scores[may]))]
        before = np.cumsum(source.lengths[order]) - source.lengths[order]
        return order[before < self.pool * limit.words]


def observations(
    source: Source, cutoff: float = SIGNATURE_CUTOFF, background: Background | None = None
) -> list[Floats]:
    r"""Give :math:`\log(n + 1)` of each sentence of each document, n signature words in it.

    Parameters
    ----------
    source
        The input.
    cutoff
        Words above it are the signature.
    background
        What is common in general; general English if it is not given.

    Examples
    --------
    >>> source = Source.of_texts(["Floods closed roads. It was late."] * 4)
    >>> observations(source)[0].round(2).tolist()
    [1.39, 0.69]
    """
    signature = signature_of(source, background) > cutoff
    numbers = np.log1p(source.wording.presence @ signature.astype(np.float64))
    return _by_document(source, np.asarray(numbers, dtype=np.float64))


def train_hmms(
    sources: Iterable[Source],
    *,
    states: Iterable[int] = (3, 5, 7, 9, 11, 13),
    background: Callable[[Source], Background | None] = lambda source: None,
    card: dict[str, Any] | None = None,
) -> HmmFile:
    """Train models on inputs that have references.

    Parameters
    ----------
    sources
        The inputs; their sentences are labelled by `aligned_sentences`.
    states
        How many states the models have, one model each.
    background
        Gives what is common in general beside an input; general English if it gives nothing.
    card
        What a reader of the file should know.

    Examples
    --------
    >>> text = "Floods closed roads in Ardel. It was late by then. Nobody had seen it so before."
    >>> source = Source.of_texts([text] * 3, references=["Ardel's roads were closed by floods."])
    >>> train_hmms([source], states=[3]).model(3).states
    3
    """
    documents: list[tuple[Floats, Bools]] = []
    for source in sources:
        seen = observations(source, background=background(source))
        documents += zip(seen, _by_document(source, aligned_sentences(source)), strict=True)
    given = [(seen, labels) for seen, labels in documents if len(seen)]
    return HmmFile({number: fit_hmm(given, states=number) for number in states}, card or {})


def _by_document(source: Source, values: Any) -> list[Any]:
    return np.split(values, np.searchsorted(source.homes, np.arange(1, len(source.documents))))


class _Columns:
    """Sentences as columns that lose what was taken; the matrix is small, so it is dense."""

    def __init__(
        self,
        source: Source,
        pool: Ints,
        scores: Floats,
        terms: Bools,
    ) -> None:
        rows = source.wording.presence[pool][:, np.flatnonzero(terms)].toarray()
        lengths = np.linalg.norm(rows, axis=1)
        self._rows = rows * (scores[pool] / np.where(lengths > 0, lengths, 1.0))[:, None]
        self._pool = pool
        self._places = {number: place for place, number in enumerate(pool.tolist())}
        # A sentence without anything new, or none of the best, may still fill room that is left.
        self._rest = 1e-6 * scores

    def weigh(self) -> Floats:
        """Give what each sentence is worth: what is left of its column, or next to nothing."""
        worth = self._rest.copy()
        worth[self._pool] += self.left()
        return worth

    def left(self) -> Floats:
        """Give the length of what is left of each column of the pool."""
        return np.asarray(np.linalg.norm(self._rows, axis=1), dtype=np.float64)

    def take(self, number: int) -> None:
        """Subtract from all columns what they share with one."""
        if number not in self._places:
            return
        own = self._rows[self._places[number]]
        length = float(np.linalg.norm(own))
        if length > 1e-12:
            direction = own / length
            self._rows -= np.outer(self._rows @ direction, direction)
