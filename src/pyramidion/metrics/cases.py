"""What metrics score: summaries, each with what it is scored against."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Collection, Summary
from pyramidion.errors import ShapeError
from pyramidion.metrics.text_sets import TextSets
from pyramidion.metrics.texts import Texts

__all__ = ["Cases", "TextSets", "others_of"]

#: Who wrote the references of a case, and who the earlier ones.
Writers = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Cases:
    """Summaries to be scored, with their references and documents as numbers of texts.

    Parameters
    ----------
    texts
        All texts of the run.
    peers
        The text of each summary.
    references, documents, earlier
        What each summary is scored against: references (never its writer's own), the documents
        it summarizes, and for an update the references of what was known before (by others, too).
    names
        What the cases are called in messages.
    owners
        The summary each case belongs to, where one summary is scored in several ways.
    threads
        How many threads a metric may use; no score depends on it.
    writers
        Who wrote the references, and the earlier ones, of each case, where it is known.

    Examples
    --------
    >>> cases = Cases.of_texts(["Rain fell."], [["It rained.", "Rain."]])
    >>> len(cases), cases.references[0].tolist(), cases.texts.plain(1)
    (1, [1, 2], 'It rained.')
    """

    texts: Texts
    peers: Ints
    references: TextSets
    documents: TextSets
    earlier: TextSets
    names: Sequence[str] = field(repr=False)
    owners: Ints | None = None
    threads: int = 1
    writers: Sequence[Writers] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.peers)

    @classmethod
    def of_texts(
        cls,
        peers: Sequence[str | tuple[str, ...]],
        references: Sequence[Sequence[str | tuple[str, ...]]] = (),
        *,
        documents: Sequence[Sequence[str]] = (),
        earlier: Sequence[Sequence[str | tuple[str, ...]]] = (),
        names: Sequence[str] = (),
        threads: int = 1,
    ) -> "Cases":
        """Make cases of lists of the same length.

        Parameters
        ----------
        peers
            The summaries; a text, or a tuple of sentences.
        references, documents, earlier
            For each summary a list of texts; nothing if there are none at all.
        names
            What they are called in messages; numbers if not given.
        threads
            How many threads a metric may use.
        """
        texts = Texts()
        numbers = np.array([texts.number(peer) for peer in peers], dtype=np.int64)
        lists = {"references": references, "documents": documents, "earlier": earlier}
        for what, given in lists.items():
            _require_lists(what, given, len(peers))
        sets = {
            what: TextSets.of_lists(
                [texts.number(text) for text in own] for own in given or [()] * len(peers)
            )
            for what, given in lists.items()
        }
        called = names or [f"summary {row}" for row in range(len(peers))]
        own, documented, before = sets.values()
        return cls(texts, numbers, own, documented, before, names=called, threads=threads)

    @classmethod
    def of_collection(
        cls, collection: Collection, summaries: Sequence[Summary], *, threads: int = 1
    ) -> "Cases":
        """Make cases of summaries of a collection.

        Parameters
        ----------
        collection
            Where their references and documents are.
        summaries
            The summaries to be scored.
        threads
            How many threads a metric may use.
        """
        references = [others_of(collection, summary) for summary in summaries]
        earlier = [_earlier_of(collection, summary) for summary in summaries]
        cases = cls.of_texts(
            [summary.text for summary in summaries],
            [[r.text for r in own] for own in references],
            documents=[[d.text for d in collection.documents(s.topic, s.task)] for s in summaries],
            earlier=[[r.text for r in own] for own in earlier],
            names=[summary.name for summary in summaries],
            threads=threads,
        )
        both = zip(references, earlier, strict=True)
        writers = [(_systems(own), _systems(before)) for own, before in both]
        return replace(cases, writers=writers)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Every case with each of its references, as two columns."""
        return self.references.pairs()

    @cached_property
    def compared(self) -> tuple[Ints, Ints, Ints]:
        """The different pairs of a summary's and a reference's text, and which each of `pairs` is.

        Jackknifed cases and the cases they were made of have the same different pairs.
        """
        rows, references = self.pairs
        codes = self.peers[rows] * len(self.texts) + references
        different, places = np.unique(codes, return_inverse=True)
        peers, models = np.divmod(different, len(self.texts))
        return peers, models, places

    def mean_over_references(self, values: Floats) -> Floats:
        """Average what was computed for `pairs` over each case's references; NaN if none."""
        rows, _ = self.pairs
        sums = np.bincount(rows, weights=values, minlength=len(self))
        sizes = self.references.sizes
        means = np.full(len(self), np.nan)
        np.divide(sums, sizes, out=means, where=sizes > 0)
        return means

    def greatest_over_references(self, values: Floats) -> Floats:
        """Take the greatest of what was computed for `pairs` of each case; NaN if none."""
        rows, _ = self.pairs
        greatest = np.full(len(self), np.nan)
        first = np.flatnonzero(np.diff(rows, prepend=-1))
        if len(first):
            greatest[rows[first]] = np.maximum.reduceat(values, first)
        return greatest

    def against(self, which: str) -> "Cases":
        """Compare with ``references``, or with the ``earlier`` ones in their stead.

        Examples
        --------
        >>> cases = Cases.of_texts(["Snow."], [["It snowed."]], earlier=[["Rain.", "Hail."]])
        >>> cases.against("earlier").references.sizes.tolist()
        [2]
        """
        return replace(self, references=self.earlier) if which == "earlier" else self

    def jackknifed(self, chosen: Bools) -> "Cases":
        """Score the chosen summaries against all references but one, in turn.

        Parameters
        ----------
        chosen
            Which summaries; those with one reference or none are left as they are. Whose
            reference is left out, their earlier one is, too, if writers are known.
        """
        folds = [
            (row, *fold) for row in range(len(self)) for fold in self._folds(row, bool(chosen[row]))
        ]
        owners = np.array([row for row, _, _ in folds], dtype=np.int64)
        return replace(
            self,
            peers=self.peers[owners],
            references=TextSets.of_lists(own for _, own, _ in folds),
            documents=replace(self.documents, of=self.documents.of[owners]),
            earlier=TextSets.of_lists(before for _, _, before in folds),
            names=[self.names[row] for row in owners],
            owners=owners,
            writers=(),
        )

    def _folds(self, row: int, chosen: bool) -> Iterator[tuple[list[int], list[int]]]:
        """Give the references and the earlier ones of each fold."""
        own = self.references[self.references.of[row]].tolist()
        before = self.earlier[self.earlier.of[row]].tolist()
        if not chosen or len(own) < 2:
            yield own, before
            return
        writers, earlier_writers = self.writers[row] if self.writers else ((), ())
        for place in range(len(own)):
            writer = writers[place] if writers else None
            others = zip(before, earlier_writers, strict=False)
            # With nothing left there would be nothing to compare with.
            kept = [text for text, by in others if by != writer] or before
            yield own[:place] + own[place + 1 :], kept


def others_of(collection: Collection, summary: Summary) -> tuple[Summary, ...]:
    """Give the references of a summary's topic that its own writer did not write."""
    references = collection.references(summary.topic, summary.task)
    return tuple(r for r in references if r.system != summary.system)


def _earlier_of(collection: Collection, summary: Summary) -> tuple[Summary, ...]:
    earlier = collection.earlier_references(summary.topic, summary.task)
    return tuple(r for r in earlier if r.system != summary.system)


def _systems(summaries: Sequence[Summary]) -> tuple[str, ...]:
    return tuple(summary.system for summary in summaries)


def _require_lists(what: str, given: Sequence[object], number: int) -> None:
    if given and len(given) != number:
        raise ShapeError(
            f"{number} summaries, but {len(given)} lists of {what}",
            hint="give one list for each summary, in the same order",
        )
    for row, own in enumerate(given):
        if isinstance(own, str):
            raise ShapeError(f"the {what} of summary {row} are a text", hint="put it in a list")
