"""How far matching gets: automatic beside manual pyramid scores, topic by topic.

Each annotated summary is annotated once more, from all the others of its topic. Where the
automatic score is the higher, its annotator missed what was marked in the others, or marked there
what was not worth it; so the mean of manual minus automatic shows how consistent a topic's
annotation is, and the mean over topics how consistent an assessor is [1]_.

References
----------
.. [1] K. Owczarzak, P. A. Rankel, H. T. Dang and J. M. Conroy (2012). Assessing the effect of
   inconsistent assessors on summarization evaluation. ACL 2012 (short papers).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pyramidion.collection.pyramids import PeerAnnotation, Pyramid
from pyramidion.pyramid._scores import (
    Content,
    PyramidScores,
    Weighing,
    content_of_peer,
    score_weighed,
)
from pyramidion.pyramid._units import reference_writers
from pyramidion.pyramid.matching.matcher import Matcher, MatchRules

__all__ = ["MatchedSummary", "MeanDifference", "match_topic", "mean_differences"]

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

    Examples
    --------
    >>> MeanDifference(12, 0.5, 0.4, 0.1).difference
    0.1
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
