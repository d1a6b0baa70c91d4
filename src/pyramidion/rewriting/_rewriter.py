"""What a rewriter is asked and answers: sentences, and what was replaced in them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Replacement:
    """A change of a sentence.

    Parameters
    ----------
    start, end
        Which part of the sentence (as it was) is replaced.
    before, after
        What stood there, and what stands there now.
    kind
        ``person`` or ``noun phrase``.
    reason
        Why, in a few words: ``first mention``, ``later mention``.
    document, index
        The sentence that the new wording comes from; nothing where it was only shortened.

    Examples
    --------
    >>> Replacement(0, 5, "Rubin", "Robert Rubin", "person", "first mention", "d1", 3).after
    'Robert Rubin'
    """

    start: int
    end: int
    before: str
    after: str
    kind: str
    reason: str
    document: str = ""
    index: int | None = None


def edited(text: str, replacements: Iterable[Replacement]) -> str:
    """Make changes that do not overlap.

    Parameters
    ----------
    text
        A sentence.
    replacements
        Its changes.

    Examples
    --------
    >>> change = Replacement(0, 5, "Rubin", "Robert Rubin", "person", "first mention")
    >>> edited("Rubin resigned.", [change])
    'Robert Rubin resigned.'
    """
    pieces, done = [], 0
    for change in sorted(replacements, key=lambda change: change.start):
        pieces += [text[done : change.start], change.after]
        done = change.end
    return "".join([*pieces, text[done:]])


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
    """What is summarized, as far as a rewriter needs to know it."""

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
