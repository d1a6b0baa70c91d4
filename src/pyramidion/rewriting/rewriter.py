"""What rewrites the sentences of a summary while they are chosen: what it is asked and answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pyramidion.rewriting.edits import Replacement

__all__ = ["ReadsBefore", "RewriteInput", "RewriteSession", "Rewriter", "Rewritten", "Weigh"]

#: Gives the weight of each word that counts in a text, at this moment.
Weigh = Callable[[str], Sequence[float]]

#: Tells whether a sentence that was chosen already (the first number) will be read before one that
#: is chosen now.
ReadsBefore = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A sentence after rewriting.

    Parameters
    ----------
    text
        As it stands now.
    replacements
        What was replaced; nothing where it was left alone.

    Examples
    --------
    >>> Rewritten("Rain fell.").replacements
    ()
    """

    text: str
    replacements: tuple[Replacement, ...] = ()


class RewriteInput(Protocol):
    """What is summarized, as far as a rewriter needs to know it.

    Examples
    --------
    >>> class One:
    ...     texts, homes, documents = ("Rain fell.",), (0,), ()
    >>> given: RewriteInput = One()
    """

    @property
    def texts(self) -> Sequence[str]:
        """All sentences of all documents, in the documents' order."""

    @property
    def homes(self) -> Any:
        """The number of each sentence's document."""

    @property
    def documents(self) -> Sequence[Any]:
        """The documents, each with an ``id``."""


class RewriteSession(Protocol):
    """One summary being made.

    Examples
    --------
    >>> class Untouched:
    ...     def rewrite(self, number, weigh, room):
    ...         return Rewritten("Rain fell.")
    >>> session: RewriteSession = Untouched()
    """

    def rewrite(self, number: int, weigh: Weigh, room: int) -> Rewritten:
        """Rewrite a sentence that was just chosen.

        Parameters
        ----------
        number
            Which sentence of the input.
        weigh
            Weighs words as they are before this sentence is said.
        room
            How many words the summary has left.
        """


class Rewriter(Protocol):
    """What rewrites summaries.

    Examples
    --------
    >>> class Untouched:
    ...     def begin(self, source, weigh, reads_before):
    ...         self.texts = source.texts
    ...         return self
    ...     def rewrite(self, number, weigh, room):
    ...         return Rewritten(self.texts[number])
    >>> rewriter: Rewriter = Untouched()
    """

    def begin(
        self, source: RewriteInput, weigh: Weigh, reads_before: ReadsBefore
    ) -> RewriteSession:
        """Begin a summary.

        Parameters
        ----------
        source
            What is summarized.
        weigh
            Weighs words as they are before anything is said.
        reads_before
            Tells the order in which chosen sentences will be read.
        """
