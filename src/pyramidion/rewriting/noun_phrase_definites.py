"""What *the ferry* without more is about: the ferry that its article spoke of before."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyramidion.rewriting.noun_lists import nouns_of
from pyramidion.rewriting.referring import Referring

__all__ = ["BareDefinites", "Groups"]

#: Sentences; of several ferries only one that was named so shortly before is *the ferry*.
_NEAR = 1

#: A noun, and whether it is plural.
Key = tuple[str, bool]


class Groups:
    """Things that are put together, two at a time.

    Parameters
    ----------
    size
        How many things there are.

    Examples
    --------
    >>> groups = Groups(3)
    >>> groups.join([2, 1])
    >>> [groups.root(one) for one in range(3)]
    [0, 1, 1]
    """

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def root(self, one: int) -> int:
        """Give the first thing of a group."""
        while self._above[one] != one:
            one = self._above[one]
        return one

    def join(self, members: Sequence[int]) -> None:
        """Put things into one group."""
        for other in members[1:]:
            first, second = sorted((self.root(members[0]), self.root(other)))
            self._above[second] = first


@dataclass(frozen=True)
class BareDefinites:
    """Finds what definite phrases without modifiers are about.

    Parameters
    ----------
    phrases
        All phrases, in their order.
    groups
        Which are about the same thing, as far as is known.
    named
        The numbers of those that have a name.

    Examples
    --------
    >>> BareDefinites((), Groups(0), ()).kinds
    {}
    """

    phrases: Sequence[Referring]
    groups: Groups
    named: Sequence[int]

    @property
    def kinds(self) -> dict[Key, list[int]]:
        """The names that tell what they name: *the ferry Maren Star*, *the Safety Board*."""
        found: dict[Key, list[int]] = defaultdict(list)
        for k in self.named:
            own = self.phrases[k]
            if not own.person:
                for noun in {own.noun, *own.kinds} - {""}:
                    found[noun, False].append(k)
        return dict(found)

    def join(self, members: Sequence[int], others: Sequence[int], kinds: Sequence[int]) -> None:
        """Join phrases with what they are about, and those that found nothing with each other.

        Parameters
        ----------
        members
            Definite phrases with one noun and no modifiers.
        others
            Other phrases with that noun.
        kinds
            Names of such things.
        """
        # *Arrest* with neither article nor more names a kind of thing, not another one.
        others = [
            k
            for k in others
            if self.phrases[k].modifiers or self.phrases[k].phrase.definiteness != "bare"
        ]
        for member in members:
            meant = self._meant(member, others, kinds)
            if meant is not None and not self.phrases[meant].adjectives & nouns_of(
                "distinguishing"
            ):
                self.groups.join((meant, member))
        self._join_same_document(members)

    def _meant(self, member: int, others: Sequence[int], kinds: Sequence[int]) -> int | None:
        """Find the last thing of that kind that the document named, or the only one there is."""
        own = self.phrases[member]
        here = [k for k in sorted((*others, *kinds)) if self.phrases[k].document == own.document]
        before = [k for k in here if k < member]
        if not before:
            return self._only(own, others)
        last = before[-1]
        near = abs(self.phrases[last].phrase.sentence.index - own.phrase.sentence.index) <= _NEAR
        by_name = last in kinds
        several = len(self._roots(before)) > 1
        if (several and not near) or (by_name and len(self._roots({*here} & {*kinds})) > 1):
            return None
        return None if self._another(member, last, by_name=by_name) else last

    def _only(self, own: Referring, others: Sequence[int]) -> int | None:
        """Find the only thing of a kind in all documents, if any of them takes it for known."""
        settled = any(self.phrases[k].phrase.definiteness in ("definite", "name") for k in others)
        if len(self._roots(others)) != 1 or not settled or own.phrase.plural:
            return None
        return None if own.noun in nouns_of("organizations") else others[0]

    def _another(self, member: int, meant: int, *, by_name: bool) -> bool:
        """Tell whether another name may be the one that is meant: *the agency* after *NASA*."""
        own, home = self.phrases[member], self.groups.root(meant)
        generic = own.noun in nouns_of("organizations")
        for k in self.named:
            other = self.phrases[k]
            if not (k < member and other.document == own.document) or other.person or other.place:
                continue
            since = k > meant or by_name
            short = len(other.name) == 1 and other.name[0].isupper()
            if self.groups.root(k) != home and ((generic and since) or (by_name and short)):
                return True
        return False

    def _roots(self, members: Iterable[int]) -> set[int]:
        return {self.groups.root(k) for k in members}

    def _join_same_document(self, members: Sequence[int]) -> None:
        """Join those of one document that found nothing to belong to."""
        by_document: dict[str, list[int]] = defaultdict(list)
        for member in members:
            if self.groups.root(member) == member:
                by_document[self.phrases[member].document].append(member)
        for same in by_document.values():
            self.groups.join(same)
