"""The annotator: marks in other summaries first, then similarity or entailment."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nlargest
from operator import itemgetter
from typing import Literal, NamedTuple, Protocol

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import SCU, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.pyramids import joined_references, unannotated_entries
from pyramidion.errors import InputError
from pyramidion.pyramid._auto.calibrate import Recalibration, SearchResult
from pyramidion.pyramid._auto.marks import Matcher, MatchRules
from pyramidion.pyramid.content_units import TopicUnits, Weighing
from pyramidion.pyramid.similarity import (
    SimilarityModel,
    UnitFinder,
    UnitsFound,
    Wordings,
    default_similarity,
    stem_word,
)
from pyramidion.pyramid.topics import PlacedWord, locate_words, without_zero_uid
from pyramidion.text import sentence_spans

#: How units are found: by marks in other summaries and then similarity, or by one of them.
EvidenceChoice = Literal["both", "marks", "similarity"]

#: Marks of a single content word are not used, since such a word occurs everywhere.
MARK_RULES = MatchRules(min_words=2, min_content=2)

#: What people found in a text: 1, 0 or a share of people for each unit, NaN if nobody answered.
Answers = tuple[str, Floats]


class Judge(Protocol):
    """Estimates, in place of similarity, the probability that a text says each statement."""

    @property
    def name(self) -> str:
        """Its name in signatures."""

    def probabilities(self, text: str, statements: Sequence[str]) -> Floats:
        """Return the probability that a text says each statement."""


def sentence_numbers(text: str, words: list[PlacedWord]) -> Ints:
    """Return the number of each word's sentence, from 0."""
    ends = [end for _, end in sentence_spans(text)]
    return np.searchsorted(ends, [word.start for word in words], side="right")


#: The indices of the first word and of the word after the last.
WordRange = tuple[int, int]

# Each further word of a stretch must add at least this share of the unit.
_MIN_GAIN_PER_WORD = 0.01
_MAX_STRETCH_WORDS = 40


def candidate_stretches(
    hits: Floats, shares: Floats, sentences: Ints
) -> Iterator[tuple[WordRange, float]]:
    """List the stretches that could express a unit, with their gains.

    A stretch begins and ends with a word of the unit, within a sentence. Its gain is the share of
    the unit that it contains, minus a little for its length.
    """
    stem_rows = np.flatnonzero(shares)
    weighted_hits = hits[stem_rows] * shares[stem_rows, None]
    # Function words do not extend a stretch, unless there are no other words.
    is_important = shares[stem_rows] >= shares.max() / 4
    words = np.flatnonzero(weighted_hits[is_important].any(axis=0))
    if not len(words):
        words = np.flatnonzero(weighted_hits.any(axis=0))
    for index, first in enumerate(words):
        later_words = words[index : index + _MAX_STRETCH_WORDS]
        stretch_ends = later_words[
            (later_words < first + _MAX_STRETCH_WORDS)
            & (sentences[later_words] == sentences[first])
        ]
        reached_shares = np.maximum.accumulate(
            weighted_hits[:, first : stretch_ends[-1] + 1], axis=1
        ).sum(axis=0)
        for last in stretch_ends:
            gain = reached_shares[last - first] - _MIN_GAIN_PER_WORD * (last - first + 1)
            yield (int(first), int(last) + 1), round(float(gain), 9)


def assign_stretches(
    hits: Floats, shares: Floats, probabilities: Floats, sentences: Ints
) -> dict[int, WordRange]:
    """Assign different stretches to units, maximizing the sum of probability times gain."""
    from scipy.optimize import linear_sum_assignment

    columns: dict[WordRange, int] = {}
    candidates = []
    for unit, unit_shares in enumerate(shares):
        possible_stretches = candidate_stretches(hits, unit_shares, sentences)
        # Other units can take at most all but one of these.
        for stretch, gain in nlargest(len(shares), possible_stretches, key=itemgetter(1)):
            candidates.append((unit, columns.setdefault(stretch, len(columns)), gain))
    gains = np.zeros((len(shares), len(columns)))
    for unit, column, gain in candidates:
        gains[unit, column] = max(gain * probabilities[unit], 1e-6)
    stretches = list(columns)
    unit_indices, column_indices = linear_sum_assignment(gains, maximize=True)
    pairs = zip(unit_indices.tolist(), column_indices.tolist(), strict=True)
    return {unit: stretches[column] for unit, column in pairs if gains[unit, column] > 0}


_JOINING_MARKS = frozenset(["", "-", "'", "’", ".", ",", "/"])


@dataclass(frozen=True, slots=True)
class Annotation:
    """An automatic annotation of a summary.

    Parameters
    ----------
    annotation
        The annotated peer; it can be scored and written like one made by hand.
    probabilities
        For each content unit, by uid, the probability that the summary expresses it.
    expected_weight
        The expected total weight D: the sum of weight times probability, see also `built` of
        `Annotator`.
    """

    annotation: PeerAnnotation
    probabilities: dict[str, float]
    expected_weight: float

    @property
    def expected_units(self) -> float:
        """Expected number of units: the sum of the probabilities."""
        return sum(self.probabilities.values())


class Annotator:
    """Annotates summaries with a pyramid or a list of content units.

    Parameters
    ----------
    units
        The pyramid or the list.
    references
        The texts of the references that a list was made from, by name.
    peers
        Annotated peers by system, whose marks are used like those in the pyramid's references.
    answers
        What people found in summaries of the topic, by system; what was annotated in `peers` by
        default. Probabilities are calibrated on them.
    by
        How expressed units are found: by words that annotators marked elsewhere, by similarity, or
        by both in this order.
    model
        The similarity model; the built-in one by default.
    judge
        What is used in place of similarity, such as an `Entailment`.
    rules
        What counts as marked elsewhere.
    weights
        The weights of the units; the pyramid's by default.
    built
        Whether a program made the units, whose limits are then uncertain. Such a unit counts with
        the share of it that is found, once for each of its content words.

    Raises
    ------
    InputError
        No unit has a word, or two have one uid.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "The ferry burned and ten people died.", "B": "Ten died on the ferry."},
    ...     [("Ten people died", {"A": ["ten people died"], "B": ["Ten died"]}),
    ...      ("The ferry burned", {"A": ["The ferry burned"]})])
    >>> result = Annotator(pyramid).annotate("A fire on a ferry killed ten people.")
    >>> [(scu.label, [c.label for c in scu.contributors]) for scu in result.annotation.scus]
    [('(2) Ten people died', ['ten people']), ('(1) The ferry burned', []),
     ('All non-matching SCUs go here', [])]
    """

    def __init__(
        self,
        units: Pyramid | TopicUnits,
        references: Mapping[str, str] | None = None,
        *,
        peers: Mapping[str, PeerAnnotation] | None = None,
        answers: Mapping[str, Answers] | None = None,
        by: EvidenceChoice = "both",
        model: SimilarityModel | None = None,
        judge: Judge | None = None,
        rules: MatchRules | None = None,
        weights: Ints | None = None,
        built: bool = False,
    ) -> None:
        self.model, self.by, self.judge = model or default_similarity(), by, judge
        self.built = built
        self._matcher: Matcher | None = None
        if isinstance(units, Pyramid):
            self.wordings = Wordings.of_pyramid(units)
            self.uids = tuple(scu.uid for scu in units.scus)
            self.weights = units.weights if weights is None else weights
            pyramid = units
            if by != "similarity":
                self._matcher = Matcher(units, peers, rules=rules or MARK_RULES)
        else:
            references = references or {}
            self.wordings = Wordings.of_list(units, references.values())
            self.uids, self.weights = units.uids, units.weighing.weights
            scus = tuple(map(SCU, units.uids, units.labels))
            pyramid = Pyramid(joined_references(references), scus)
        self.pyramid, self.renamed = without_zero_uid(pyramid)
        if not len(self.wordings.unit):
            raise InputError("the pyramid has no content unit with words", "give it labels")
        for uid, count in Counter(self.uids).items():
            if count > 1:
                raise InputError(f"{count} content units are SCU {uid}", "give each its own uid")
        unworded_units = sorted(set(range(self.wordings.units)) - set(self.wordings.unit.tolist()))
        self.unworded = tuple(
            f"SCU {self.uids[unit]} has no words and is never found" for unit in unworded_units
        )
        self._unit_weights = self.weights * self.wordings.sizes() if built else self.weights
        self._finder = UnitFinder(self.wordings, self.model)
        self._answers = dict(
            answers if answers is not None else self._answers_of_peers(peers or {})
        )
        self._search_cache: dict[tuple[str, str], _Search] = {}
        self._unexpressed = unannotated_entries(self.pyramid.scus, self.weights.tolist())

    def annotate(self, text: str, *, leave_out: str | None = None) -> Annotation:
        """Annotate a summary.

        Parameters
        ----------
        text
            The summary; the annotation's offsets count its characters.
        leave_out
            A system whose marks are not used.
        """
        words = locate_words(text)
        units, marked_units = self._find_units(text, words, leave_out)
        probabilities = units.probable
        n_units = int(np.floor(probabilities.sum() + 0.5))
        probable_units = np.argsort(-np.round(probabilities, 9), kind="stable")[:n_units]
        scus = list(self._unexpressed)
        for unit in set(probable_units.tolist()) & marked_units.keys():
            scus[unit] = replace(scus[unit], contributors=marked_units[unit])
        unmarked_units = np.array(
            [unit for unit in probable_units.tolist() if unit not in marked_units], np.int64
        )
        shares = self._finder.shares[np.ix_(units.wording[unmarked_units], units.columns)]
        sentences = sentence_numbers(text, words)
        stretches = assign_stretches(units.hits, shares, probabilities[unmarked_units], sentences)
        for row, stretch in stretches.items():
            unit, contributor = int(unmarked_units[row]), _contributor(text, words, stretch)
            scus[unit] = replace(scus[unit], contributors=(contributor,))
        notes = (*self.renamed, *self.unworded)
        return Annotation(
            PeerAnnotation(self.pyramid, text, tuple(scus), notes),
            dict(zip(self.uids, probabilities.tolist(), strict=True)),
            self._expected_weight(units),
        )

    def probabilities(self, text: str, *, leave_out: str | None = None) -> Floats:
        """Return only the probability of each unit, in order."""
        return self._find_units(text, locate_words(text), leave_out)[0].probable

    def expected_weight(self, text: str, *, leave_out: str | None = None) -> float:
        """Return only the expected weight."""
        return self._expected_weight(self._find_units(text, locate_words(text), leave_out)[0])

    def most(self, weighing: Weighing) -> float:
        """Return the maximum weight of a text with as many units as a reference."""
        if self.built:
            return float(self._unit_weights @ self.pyramid.membership.mean(axis=1))
        return weighing.most(weighing.size)

    def _expected_weight(self, units: UnitsFound) -> float:
        counts_by_share = self.built and self.judge is None and self.by != "marks"
        return float(self._unit_weights @ (units.share if counts_by_share else units.probable))

    def _answers_of_peers(
        self, peers: Mapping[str, PeerAnnotation]
    ) -> Iterator[tuple[str, Answers]]:
        for system, peer in peers.items():
            expressed_uids = {scu.uid for scu in peer.scus if scu.contributors}
            yield system, (peer.text, np.array([uid in expressed_uids for uid in self.uids], float))

    @cached_property
    def _calibration(self) -> Recalibration | None:
        """The calibration of probabilities on annotated summaries; None without any."""
        pairs = [
            (self._search(text, system).result, answers)
            for system, (text, answers) in self._answers.items()
        ]
        return Recalibration.fitted(pairs) if pairs and self.by != "marks" else None

    def observed(
        self, min_probability: float
    ) -> dict[Literal["match", "similarity"], tuple[int, int]]:
        """Count the units, found in either way, that annotators also found, and those they did not.

        Units that similarity finds count if their probability is at least `min_probability`.
        """
        counts = np.zeros((2, 2), dtype=np.int64)
        for system, (text, answers) in self._answers.items():
            search_results = self._search(text, system).result
            probabilities = self._probabilities(search_results)
            for row, mask in enumerate((search_results.is_marked, ~search_results.is_marked)):
                counted_answers = answers[
                    mask & (probabilities >= (0 if row == 0 else min_probability))
                ]
                counts[row] += (counted_answers > 0.5).sum(), (counted_answers <= 0.5).sum()
        (n_right, n_wrong), (n_right_similar, n_wrong_similar) = counts.tolist()
        return {"match": (n_right, n_wrong), "similarity": (n_right_similar, n_wrong_similar)}

    def _probabilities(self, search_results: SearchResult) -> Floats:
        calibration = self._calibration
        return (
            search_results.probable
            if calibration is None
            else calibration.probabilities(search_results)
        )

    def _search(
        self, text: str, leave_out: str | None, words: list[PlacedWord] | None = None
    ) -> "_Search":
        """Look for each unit; annotated summaries are searched once."""
        key = text, leave_out or ""
        if key in self._search_cache:
            return self._search_cache[key]
        words = locate_words(text) if words is None else words
        units = self._finder.find([stem_word(word.text) for word in words])
        probabilities = units.probable
        if self.by == "marks":
            probabilities = np.zeros_like(probabilities)
        elif self.judge is not None and words:
            probabilities = self.judge.probabilities(text, [scu.label for scu in self.pyramid.scus])
        marked_units: dict[int, tuple[Contributor, ...]] = {}
        is_marked = np.zeros(len(probabilities), dtype=np.bool_)
        if self._matcher is not None:
            marked_units = self._matcher.contributors(text, words, leave_out=leave_out)
            is_marked[list(marked_units)] = True
            mark_probability = 1.0 if self.by == "marks" else self.model.marked
            probabilities = np.where(
                is_marked, np.maximum(probabilities, mark_probability), probabilities
            )
        search = _Search(units, SearchResult(probabilities, is_marked), marked_units)
        if leave_out in self._answers:
            self._search_cache[key] = search
        return search

    def _find_units(
        self, text: str, words: list[PlacedWord], leave_out: str | None
    ) -> tuple[UnitsFound, dict[int, tuple[Contributor, ...]]]:
        """Look for each unit, and return the contributors of units that marks decide."""
        units, search_results, marked_units = self._search(text, leave_out, words)
        return units._replace(probable=self._probabilities(search_results)), marked_units


class _Search(NamedTuple):
    """What was found in a text, before calibration."""

    units: UnitsFound
    result: SearchResult
    marked_units: dict[int, tuple[Contributor, ...]]


def _contributor(text: str, words: Sequence[PlacedWord], stretch: WordRange) -> Contributor:
    first, last = stretch
    # Extend the stretch to whole hyphenated words.
    while first > 0 and text[words[first - 1].end : words[first].start] in _JOINING_MARKS:
        first -= 1
    while last < len(words) and text[words[last - 1].end : words[last].start] in _JOINING_MARKS:
        last += 1
    start, end = words[first].start, words[last - 1].end
    return Contributor((Part(start, end, text[start:end]),))
