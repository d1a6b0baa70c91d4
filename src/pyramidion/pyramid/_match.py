"""Annotating summaries by the phrases that were marked in others, and how well that works."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

import numpy as np

from pyramidion.collection._pyramids import (
    NOT_IN_PYRAMID,
    Contributor,
    Part,
    PeerAnnotation,
    Pyramid,
    unexpressed,
)
from pyramidion.errors import InputError
from pyramidion.pyramid._match_phrases import (
    Claim,
    Marked,
    Occurrence,
    PhraseIndex,
    longest_first,
    placements,
)
from pyramidion.pyramid._scores import (
    Content,
    PyramidScores,
    Weighing,
    content_of_peer,
    score_weighed,
)
from pyramidion.pyramid._topics import PlacedWord, placed_words, with_free_zero
from pyramidion.pyramid._units import reference_writers


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


def _begin(claim: Claim) -> int:
    return claim.begin


def _contributor(claim: Claim, text: str, words: list[PlacedWord]) -> Contributor:
    runs = chain.from_iterable(claim.parts)
    spans = ((words[begin].start, words[end - 1].end) for begin, end in runs)
    return Contributor(tuple(Part(start, end, text[start:end]) for start, end in spans))


Role = Literal["peer", "reference"]


@dataclass(frozen=True, slots=True)
class MatchedSummary:
    """A summary that was annotated from the others of its topic.

    Parameters
    ----------
    system
        Who wrote it.
    annotation
        What was found in it.
    automatic
        The scores this gives; those that ask for content outside the pyramid are NaN.
    manual
        The scores by its own annotation; none if nobody annotated it.
    role
        Whether it is a peer or one of the pyramid's references, which is scored against the
        pyramid of the others.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "It is old. Ice melts."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> [(found.system, found.difference) for found in match_topic(pyramid)]
    [('A', 0.0), ('B', 0.0)]
    """

    system: str
    annotation: PeerAnnotation
    automatic: PyramidScores
    manual: PyramidScores | None = None
    role: Role = "peer"

    @property
    def difference(self) -> float:
        """The manual minus the automatic modified score; NaN without the former."""
        manual = float("nan") if self.manual is None else self.manual.modified
        return manual - self.automatic.modified


def match_topic(
    pyramid: Pyramid,
    peers: Mapping[str, PeerAnnotation] | None = None,
    summaries: Mapping[str, str] | None = None,
    *,
    rules: MatchRules | None = None,
) -> list[MatchedSummary]:
    """Annotate all summaries of a topic, each from the annotated ones among the others.

    Parameters
    ----------
    pyramid
        The pyramid.
    peers
        Annotated peers by system.
    summaries
        Texts by system that nobody annotated.
    rules
        What counts as a match.

    Returns
    -------
    list
        The references, the annotated peers and the others; those that have a modified score.
        A reference has none where the others have less than half a content unit each.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"]}), ("It is old", {"B": ["It is old"]})])
    >>> found = match_topic(pyramid, summaries={"7": "Ice melts, it is said."})
    >>> [(item.system, item.automatic.weight) for item in found]
    [('A', 0), ('B', 0), ('7', 1)]
    """
    peers = peers or {}
    topic = _Topic(Matcher(pyramid, peers, rules=rules))
    texts = {system: peer.text for system, peer in peers.items()} | dict(summaries or {})
    found = [
        *topic.references(),
        *(topic.peer(system, text, peers.get(system)) for system, text in texts.items()),
    ]
    return [item for item in found if item is not None]


class _Topic:
    """A pyramid's references and what they weigh, together and without each."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        self.pyramid = matcher.pyramid
        self.writers = reference_writers(self.pyramid)
        self._all = Weighing.of(self.pyramid.membership)

    def references(self) -> Iterator[MatchedSummary | None]:
        for column, (writer, reference) in enumerate(
            zip(self.writers, self.pyramid.references, strict=True)
        ):
            text = self.pyramid.text[reference.start : reference.end].strip()
            by_hand = Content(self.pyramid.contributions[:, column])
            yield self._matched(writer, text, by_hand, "reference")

    def peer(self, system: str, text: str, peer: PeerAnnotation | None) -> MatchedSummary | None:
        own = None if peer is None else content_of_peer(replace(peer, pyramid=self.pyramid))
        return self._matched(system, text, own, "peer")

    def _matched(
        self, system: str, text: str, by_hand: Content | None, role: Role
    ) -> MatchedSummary | None:
        weighing = self._weighing(system)
        if not (weighing.units and weighing.size):
            return None
        found = self.matcher.annotate(text, leave_out=system)
        content = replace(content_of_peer(found), complete=False)
        manual = None if by_hand is None else score_weighed(by_hand, weighing)
        return MatchedSummary(system, found, score_weighed(content, weighing), manual, role)

    def _weighing(self, system: str) -> Weighing:
        """Weigh content units by the references that this system did not write."""
        if system not in self.writers:
            return self._all
        own = self.writers.index(system)
        return Weighing.of(np.delete(self.pyramid.membership, own, axis=1))


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """Mean scores of summaries, and of the differences between them.

    Parameters
    ----------
    n
        How many summaries, or topics, they are means of.
    manual, automatic, difference
        The means; the difference is manual minus automatic.
    """

    n: int
    manual: float
    automatic: float
    difference: float


def mean_differences(
    found: Iterable[MatchedSummary] | Iterable[MeanDifference],
) -> MeanDifference | None:
    """Average over the summaries of a topic that people annotated, or over topics.

    Parameters
    ----------
    found
        Summaries (those without a manual score do not count), or means of topics.

    Returns
    -------
    MeanDifference or None
        Nothing if there is nothing to average.

    Examples
    --------
    >>> mean_differences([MeanDifference(9, 0.5, 0.5, 0.0), MeanDifference(3, 0.6, 0.5, 0.1)])
    MeanDifference(n=2, manual=0.55, automatic=0.5, difference=0.05)
    """
    rows = [row for item in found if (row := _row(item)) is not None]
    if not rows:
        return None
    manual, automatic, difference = np.mean(rows, axis=0).tolist()
    return MeanDifference(len(rows), manual, automatic, difference)


def _row(item: MatchedSummary | MeanDifference) -> tuple[float, float, float] | None:
    if isinstance(item, MeanDifference):
        return item.manual, item.automatic, item.difference
    if item.manual is None:
        return None
    return item.manual.modified, item.automatic.modified, item.difference
