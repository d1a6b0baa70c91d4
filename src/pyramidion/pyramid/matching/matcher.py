"""Annotating a summary from what annotators marked in other summaries of the topic.

This is the *autoannotate* function of the pyramid process: the contributors of annotated
summaries, the pyramid's own references among them, are looked up in a new one. It finds what is
said in the same words, which is most of what extractive summarizers say, and nothing else; what
the summary says beyond the pyramid stays unknown, so of its scores the modified one is meant.

Words are compared (see :mod:`pyramidion.pyramid._topics`). The parts of a contributor must
come in the order of its source, with at most as many words between them as there, or `gap`.
Of overlapping matches the longest is taken first:

- matches of one content unit that share a word are one, the longest;
- a match all of whose words lie in longer ones of other units says nothing of its own and is
  dropped, unless an annotator marked both units in the same words or `nested` is asked for.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from pyramidion.collection.pyramids import PeerAnnotation, Pyramid
from pyramidion.collection.scus import NOT_IN_PYRAMID, Contributor, Part, unexpressed
from pyramidion.errors import InputError
from pyramidion.pyramid._topics import PlacedWord, placed_words, with_free_zero
from pyramidion.pyramid._units import reference_writers
from pyramidion.pyramid.matching.claims import Claim, longest_first, placements
from pyramidion.pyramid.matching.index import Occurrence, PhraseIndex
from pyramidion.pyramid.matching.marks import Marked

__all__ = ["MatchRules", "Matcher", "match_summary"]


@dataclass(frozen=True, slots=True)
class MatchRules:
    """What counts as a match.

    Parameters
    ----------
    gap
        How many words may stand between two parts of a contributor, where its source does not
        have more.
    skip
        How many words of the new text may stand inside a part without belonging to it.
    least
        Contributors of fewer words are not looked up.
    nested
        Whether content units count that are found only inside longer matches of others.

    Examples
    --------
    >>> MatchRules(skip=1).gap
    10
    """

    gap: int = 10
    skip: int = 0
    least: int = 1
    nested: bool = False

    def __post_init__(self) -> None:
        for name, lowest in (("gap", 0), ("skip", 0), ("least", 1)):
            value = getattr(self, name)
            if value < lowest:
                raise InputError(f"{name} is {value}", hint=f"give a whole number from {lowest} on")

    def __str__(self) -> str:
        given = f"gap={self.gap},skip={self.skip},least={self.least}"
        return f"{given},nested" if self.nested else given


class Matcher:
    """The annotated summaries of a topic, ready to annotate others.

    Parameters
    ----------
    pyramid
        The pyramid; its references are annotated summaries, too.
    peers
        Annotated peers by system.
    rules
        What counts as a match.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts fast.", "B": "The old ice is melting."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["ice is melting"]}),
    ...      ("The ice is old", {"B": ["The old ice"]})])
    >>> found = Matcher(pyramid).annotate("In May “ice melts”, they say.")
    >>> [(scu.uid, contributor.label) for scu in found.scus for contributor in scu.contributors]
    [('1', 'ice melts')]
    >>> Matcher(pyramid).annotate("Ice melts fast.", leave_out="A").scus[0].contributors
    ()
    """

    def __init__(
        self,
        pyramid: Pyramid,
        peers: Mapping[str, PeerAnnotation] | None = None,
        *,
        rules: MatchRules | None = None,
    ) -> None:
        self.pyramid, self.notes = with_free_zero(pyramid)
        self.rules = rules or MatchRules()
        self._index = PhraseIndex()
        self._add_references()
        for system, peer in (peers or {}).items():
            self._add_peer(system, peer)
        self._add_notes()
        self._unexpressed = unexpressed(self.pyramid.scus, self.pyramid.weights.tolist())

    def __len__(self) -> int:
        """Count the different phrases that can be found."""
        return len(self._index)

    def _add_references(self) -> None:
        names = (reference.name for reference in self.pyramid.references)
        writers = dict(zip(names, reference_writers(self.pyramid), strict=True))
        marked = []
        for row, scu in enumerate(self.pyramid.scus):
            for contributor in scu.contributors:
                name = self.pyramid.reference_of(contributor)
                if name is None:
                    self.notes.append(f"SCU {scu.uid}: a contributor that is in no reference")
                else:
                    marked.append(Marked(row, writers[name], contributor))
        self._index.add(self.pyramid.text, marked)

    def _add_peer(self, system: str, peer: PeerAnnotation) -> None:
        self._index.add(
            peer.text,
            [
                Marked(self.pyramid.row(scu.uid), system, contributor)
                for scu in peer.scus
                if scu.uid != NOT_IN_PYRAMID
                for contributor in scu.contributors
            ],
        )

    def _add_notes(self) -> None:
        if self._index.wordless:
            self.notes.append(f"{self._index.wordless} contributors that have no words")

    def annotate(self, text: str, *, leave_out: str | None = None) -> PeerAnnotation:
        """Annotate a summary.

        Parameters
        ----------
        text
            The summary; the annotation's offsets count its characters.
        leave_out
            A system, or the writer of a reference, whose own contributors are not used.

        Returns
        -------
        PeerAnnotation
            One entry for each content unit of the pyramid. The entry `NOT_IN_PYRAMID` is
            empty: nothing is known of content outside the pyramid. Its `notes` say which
            contributors could not be looked up.
        """
        words = placed_words(text)
        parts = self._index.parts_in([word.text for word in words], skip=self.rules.skip)
        claims = list(self._claims(parts, leave_out))
        scus = list(self._unexpressed)
        for row, contributors in self._by_row(claims, text, words).items():
            scus[row] = replace(scus[row], contributors=contributors)
        return PeerAnnotation(self.pyramid, text, tuple(scus), tuple(self.notes))

    def _claims(
        self, parts: Mapping[int, list[Occurrence]], leave_out: str | None
    ) -> Iterator[Claim]:
        for phrase in self._index.phrases_in(parts):
            sources = [source for source in phrase.sources if source.owner != leave_out]
            if sources and phrase.size >= self.rules.least:
                own_gaps = zip(*(source.gaps for source in sources), strict=True)
                gaps = [max(self.rules.gap, *gap) for gap in own_gaps]
                companions = frozenset(chain.from_iterable(s.companions for s in sources))
                owners = len({source.owner for source in sources})
                for placed in placements(phrase, parts, gaps):
                    yield Claim(phrase.row, placed, companions, owners)

    def _by_row(
        self, claims: Iterable[Claim], text: str, words: list[PlacedWord]
    ) -> dict[int, tuple[Contributor, ...]]:
        found: dict[int, list[Contributor]] = {}
        for claim in sorted(longest_first(claims, nested=self.rules.nested), key=_begin):
            found.setdefault(claim.row, []).append(_contributor(claim, text, words))
        return {row: tuple(contributors) for row, contributors in found.items()}


def match_summary(
    text: str,
    pyramid: Pyramid,
    peers: Mapping[str, PeerAnnotation] | None = None,
    *,
    rules: MatchRules | None = None,
) -> PeerAnnotation:
    """Annotate one summary; for several of a topic make one `Matcher`.

    Parameters
    ----------
    text
        The summary.
    pyramid, peers, rules
        See `Matcher`.

    Examples
    --------
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("It melts", {"A": ["melts"]})])
    >>> match_summary("Snow MELTS, too.", pyramid).scus[0].contributors[0].parts
    (Part(start=5, end=10, label='MELTS'),)
    """
    return Matcher(pyramid, peers, rules=rules).annotate(text)


def _begin(claim: Claim) -> int:
    return claim.begin


def _contributor(claim: Claim, text: str, words: list[PlacedWord]) -> Contributor:
    runs = chain.from_iterable(claim.parts)
    spans = ((words[begin].start, words[end - 1].end) for begin, end in runs)
    return Contributor(tuple(Part(start, end, text[start:end]) for start, end in spans))
