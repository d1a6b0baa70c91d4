"""Two names that *and* joins: both keep their titles, or neither does."""

from collections.abc import Sequence

from pyramidion.rewriting.people.first_mentions import Change
from pyramidion.rewriting.people.mention import Mention
from pyramidion.rewriting.people.register import Named

__all__ = ["alike_in_pairs"]


def alike_in_pairs(
    changes: Sequence[tuple[Named, Change]], named: Sequence[Named]
) -> list[tuple[Named, Change]]:
    """Leave out changes that would drop one of two titles: *Gen. Orr and Gen. Vale*.

    Parameters
    ----------
    changes
        Those of a sentence, with the mentions that they change.
    named
        All mentions of the sentence.

    Examples
    --------
    >>> alike_in_pairs([], [])
    []
    """
    changed = {id(own.mention) for own, _ in changes}
    return [
        (own, change)
        for own, change in changes
        if change.reason.startswith("first")
        or not any(_keeps_title(other.mention, own.mention, changed) for other in named)
    ]


def _keeps_title(other: Mention, mention: Mention, changed: set[int]) -> bool:
    """Tell whether a name beside another keeps a title that the other would lose."""
    if not (mention.titles and other.titles) or id(other) in changed:
        return False
    return other.form == "last" and (_joined(mention, other) or _joined(other, mention))


def _joined(mention: Mention, other: Mention) -> bool:
    begin = other.phrase_first
    between = mention.sentence.words[mention.last + 1 : begin]
    return [word.text for word in between] in (["and"], ["&"], ["or"])
