"""Annotating summaries with the phrases that were marked in others."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import Literal

import numpy as np

from pyramidion.collection import Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.ids import grouped
from pyramidion.collection.pyramids import NOT_IN_PYRAMID, WeightPolicy, unannotated_entries
from pyramidion.pyramid._auto.phrases import (
    Claim,
    MarkedContributor,
    Occurrence,
    Phrase,
    PhraseIndex,
    keep_longest,
    placements,
)
from pyramidion.pyramid.content_units import (
    Content,
    PyramidScores,
    Weighing,
    content_of_peer,
    reference_writers,
    score_weighed,
)
from pyramidion.pyramid.topics import PlacedWord, locate_words, without_zero_uid
from pyramidion.questions import Options, option

#: Annotated peers by name.
Peers = Mapping[str, PeerAnnotation]


@dataclass(frozen=True, slots=True)
class MatchRules(Options):
    """What counts as a match.

    Parameters
    ----------
    gap
        Maximum number of words between two parts of a contributor, unless its source has more.
    skip
        Maximum number of other words inside a part.
    min_words
        Minimum number of words of a contributor.
    min_content
        Minimum number of words that are not stop words.
    nested
        Whether content units count that are found only inside longer matches of others.

    Examples
    --------
    >>> MatchRules(skip=1).gap
    10
    """

    gap: int = option(
        10,
        "Number of words allowed between two parts of a contributor, if its source does not have "
        "more.",
        min=0,
    )
    skip: int = option(0, "Number of other words allowed inside a part of a contributor.", min=0)
    min_words: int = option(1, "Minimum number of words of a contributor to search for.", min=1)
    min_content: int = option(
        0, "Minimum number of words of a contributor that are not stop words.", min=0
    )
    nested: bool = option(
        False, "Also count content units found only inside longer matches.", flags=("--nested",)
    )

    def __str__(self) -> str:
        nested = ",nested" if self.nested else ""
        content = f",min-content={self.min_content}" if self.min_content else ""
        return f"gap={self.gap},skip={self.skip},min-words={self.min_words}{content}{nested}"


class Matcher:
    """Annotates summaries with the words that were marked in others.

    Parameters
    ----------
    pyramid
        The pyramid, whose references count as annotated summaries.
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
    >>> peer = Matcher(pyramid).annotate("In May “ice melts”, they say.")
    >>> [(scu.uid, contributor.label) for scu in peer.scus for contributor in scu.contributors]
    [('1', 'ice melts')]
    >>> Matcher(pyramid).annotate("Ice melts fast.", leave_out="A").scus[0].contributors
    ()
    """

    def __init__(
        self, pyramid: Pyramid, peers: Peers | None = None, *, rules: MatchRules | None = None
    ) -> None:
        self.pyramid, self.notes = without_zero_uid(pyramid)
        self.rules = rules or MatchRules()
        self._index = PhraseIndex()
        self._index.add(self.pyramid.text, self._reference_contributors())
        for system, peer in (peers or {}).items():
            marked_contributors = (
                MarkedContributor(self.pyramid.row(scu.uid), system, contributor)
                for scu in peer.scus
                if scu.uid != NOT_IN_PYRAMID
                for contributor in scu.contributors
            )
            self._index.add(peer.text, marked_contributors)
        if self._index.wordless_count:
            self.notes.append(f"{self._index.wordless_count} contributors that have no words")
        self._unexpressed = unannotated_entries(self.pyramid.scus, self.pyramid.weights.tolist())

    def _reference_contributors(self) -> Iterator[MarkedContributor]:
        names = (reference.name for reference in self.pyramid.references)
        writers = dict(zip(names, reference_writers(self.pyramid), strict=True))
        for row, scu in enumerate(self.pyramid.scus):
            for contributor in scu.contributors:
                name = self.pyramid.reference_of(contributor)
                if name is None:
                    self.notes.append(f"SCU {scu.uid}: a contributor that is in no reference")
                else:
                    yield MarkedContributor(row, writers[name], contributor)

    def annotate(self, text: str, *, leave_out: str | None = None) -> PeerAnnotation:
        """Annotate a summary.

        Parameters
        ----------
        text
            The summary; the annotation's offsets count its characters.
        leave_out
            A system, or the writer of a reference, whose contributors are not used.

        Returns
        -------
        PeerAnnotation
            One entry per content unit of the pyramid. The entry `NOT_IN_PYRAMID` is empty, since
            content outside the pyramid is unknown. Its `notes` list contributors that could not
            be looked up.
        """
        scus = list(self._unexpressed)
        contributors = self.contributors(text, locate_words(text), leave_out=leave_out)
        for row, unit_contributors in contributors.items():
            scus[row] = replace(scus[row], contributors=unit_contributors)
        return PeerAnnotation(self.pyramid, text, tuple(scus), tuple(self.notes))

    def contributors(
        self, text: str, words: list[PlacedWord], *, leave_out: str | None = None
    ) -> dict[int, tuple[Contributor, ...]]:
        """Return the contributors in a text by the rows of their content units, in order."""
        parts = self._index.parts_in([word.text for word in words], skip=self.rules.skip)
        claims = keep_longest(self._claims(parts, leave_out), nested=self.rules.nested)
        sorted_claims = sorted(claims, key=attrgetter("start"))
        by_row = grouped((claim.row, _contributor(claim, text, words)) for claim in sorted_claims)
        return {row: tuple(contributors) for row, contributors in by_row.items()}

    def _claims(
        self, parts: Mapping[int, list[Occurrence]], leave_out: str | None
    ) -> Iterator[Claim]:
        for phrase in self._index.phrases_in(parts):
            sources = [source for source in phrase.sources if source.owner != leave_out]
            if sources and self._is_long_enough(phrase):
                source_gaps = zip(*(source.gaps for source in sources), strict=True)
                gaps = [max(self.rules.gap, *gap) for gap in source_gaps]
                companions = frozenset(chain.from_iterable(s.companions for s in sources))
                owners = len({source.owner for source in sources})
                for placement in placements(phrase, parts, gaps):
                    yield Claim(phrase.row, placement, companions, owners)

    def _is_long_enough(self, phrase: Phrase) -> bool:
        rules = self.rules
        return (
            phrase.word_count >= rules.min_words and phrase.content_word_count >= rules.min_content
        )


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
    annotation, automatic
        The automatic annotation, and its scores; those that depend on content outside the
        pyramid are NaN.
    manual
        The scores by manual annotation, if there is one.
    role
        Whether it is a peer or one of the pyramid's references, which is scored against the
        pyramid of the others.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "It is old. Ice melts."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> [(summary.system, summary.difference) for summary in match_topic(pyramid)]
    [('A', 0.0), ('B', 0.0)]
    """

    system: str
    annotation: PeerAnnotation
    automatic: PyramidScores
    manual: PyramidScores | None = None
    role: Role = "peer"

    @property
    def difference(self) -> float:
        """Manual minus automatic modified score; NaN without the former."""
        manual_score = float("nan") if self.manual is None else self.manual.modified
        return manual_score - self.automatic.modified


def match_topic(
    pyramid: Pyramid,
    peers: Peers | None = None,
    summaries: Mapping[str, str] | None = None,
    *,
    rules: MatchRules | None = None,
    weights: WeightPolicy = "contributors",
) -> list[MatchedSummary]:
    """Annotate every summary of a topic, using the annotations of the other summaries.

    Returns
    -------
    list
        References, annotated peers and other summaries that have a modified score. A reference
        has none if the others have less than half a content unit each.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"]}), ("It is old", {"B": ["It is old"]})])
    >>> matched = match_topic(pyramid, summaries={"7": "Ice melts, it is said."})
    >>> [(summary.system, summary.automatic.weight) for summary in matched]
    [('A', 0), ('B', 0), ('7', 1)]
    """
    matcher = Matcher(pyramid, peers, rules=rules)
    pyramid, writers = matcher.pyramid, reference_writers(matcher.pyramid)
    full_weighing = Weighing.of(pyramid.counted(weights))
    matched_summaries: list[MatchedSummary] = []

    def add(system: str, text: str, manual_content: Content | None, role: Role) -> None:
        weighing = full_weighing
        if system in writers:
            column = writers.index(system)
            weighing = Weighing.of(np.delete(pyramid.counted(weights), column, axis=1))
        if weighing.units and weighing.size:
            annotation = matcher.annotate(text, leave_out=system)
            content = replace(content_of_peer(annotation), complete=False)
            automatic_scores = score_weighed(content, weighing)
            manual_scores = (
                None if manual_content is None else score_weighed(manual_content, weighing)
            )
            matched_summaries.append(
                MatchedSummary(system, annotation, automatic_scores, manual_scores, role)
            )

    for column, (writer, reference) in enumerate(zip(writers, pyramid.references, strict=True)):
        text = pyramid.text[reference.start : reference.end].strip()
        add(writer, text, Content(pyramid.contributions[:, column]), "reference")
    unannotated_texts = dict(summaries or {})
    for system, peer in (peers or {}).items():
        text = unannotated_texts.pop(system, peer.text)
        add(system, text, content_of_peer(replace(peer, pyramid=pyramid)), "peer")
    for system, text in unannotated_texts.items():
        add(system, text, None, "peer")
    return matched_summaries


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """Mean scores of `n` summaries or topics, and of the differences, manual minus automatic."""

    n: int
    manual: float
    automatic: float
    difference: float


def mean_differences(
    values: Iterable[MatchedSummary] | Iterable[MeanDifference],
) -> MeanDifference | None:
    """Average over the summaries that have a manual score, or over topics.

    Examples
    --------
    >>> mean_differences([MeanDifference(9, 0.5, 0.5, 0.0), MeanDifference(3, 0.6, 0.5, 0.1)])
    MeanDifference(n=2, manual=0.55, automatic=0.5, difference=0.05)
    """
    rows = []
    for value in values:
        if isinstance(value, MeanDifference):
            rows.append((value.manual, value.automatic, value.difference))
        elif value.manual is not None:
            rows.append((value.manual.modified, value.automatic.modified, value.difference))
    return MeanDifference(len(rows), *np.mean(rows, axis=0).tolist()) if rows else None
