"""The pyramid score without annotators."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import PeerAnnotation, Pyramid
from pyramidion.metrics._cases import ScoringBatch, other_references
from pyramidion.metrics._metric import Need, RatioMetric
from pyramidion.pyramid import Annotator, SimilarityModel
from pyramidion.pyramid._auto.build import build_if_possible
from pyramidion.pyramid.content_units import TopicUnits, pyramid_of, reference_writers
from pyramidion.pyramid.similarity import default_similarity
from pyramidion.pyramid.topics import unknown_unit
from pyramidion.questions import option

#: An annotator, and the maximum weight of a summary of average size.
_AnnotatorAndMaximum = tuple[Annotator, float]


@cache
def _model(file: str) -> SimilarityModel:
    return SimilarityModel.load(file) if file else default_similarity()


@dataclass(frozen=True, slots=True)
class AutoPyramid(RatioMetric):
    """The expected modified pyramid score, without annotators.

    Content units come from the topic's pyramid (for a human summary, the pyramid without it) or its
    list of units; if it has neither, they are built from one or more references. Each unit counts
    with the probability that the summary expresses it, estimated from annotations of the same words
    and from similarity; ``pyramid auto`` lists these probabilities. Units built from references
    count with the share of their words that the summary has.
    """

    name: ClassVar[str] = "auto-pyramid"
    title: ClassVar[str] = "pyramid without annotators"
    summary: ClassVar[str] = "expected weight of the content units it expresses"
    citation: ClassVar[str] = "no source"
    needs_english: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"references or content units"})
    in_all: ClassVar[bool] = False
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "affected by length"

    units: str = option(
        "given",
        "the topic's pyramid or list of units if it has one; or always the references",
        choices=("given", "references"),
    )
    model: str = option("", "a model file that `pyramid auto fit` wrote")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the expected weight and its maximum."""
        annotators: dict[Hashable, _AnnotatorAndMaximum | None] = {}
        table = np.full((len(cases), 2), np.nan)
        for row in range(len(cases)):
            summary = cases.summaries[row] if cases.summaries else None
            key = summary and (summary.task, summary.topic), tuple(cases.references[row].tolist())
            if key not in annotators:
                annotators[key] = self._annotator_and_maximum(cases, row)
            if (annotator_and_maximum := annotators[key]) is not None:
                annotator, max_weight = annotator_and_maximum
                text = cases.texts.plain(int(cases.peers[row]))
                system = summary.system if summary else None
                table[row] = annotator.expected_weight(text, leave_out=system), max_weight
        return table

    def _annotator_and_maximum(self, cases: ScoringBatch, row: int) -> _AnnotatorAndMaximum | None:
        units = cases.units_of(row) if self.units == "given" else None
        model, reference_numbers = _model(self.model), cases.references[row].tolist()
        texts = {
            f"R{index}": cases.texts.plain(text) for index, text in enumerate(reference_numbers)
        }
        is_built = units is None
        if isinstance(units, Pyramid):
            units = _without_excluded(cases, row, units)
        elif units is None:
            units = build_if_possible(texts, model=model)
        if units is None:
            return None
        weighing = (TopicUnits.of(units) if isinstance(units, Pyramid) else units).weighing
        if not (weighing.units and weighing.size):
            return None
        peers = _annotations_of(cases, row, units) if isinstance(units, Pyramid) else {}
        # A metric must not learn from the judgments that it is compared with.
        annotator = Annotator(units, texts, peers=peers, answers={}, model=model, built=is_built)
        return annotator, annotator.most(weighing)


def _annotations_of(cases: ScoringBatch, row: int, pyramid: Pyramid) -> dict[str, PeerAnnotation]:
    """Return the peer annotations of a case's topic that fit its pyramid."""
    annotations: dict[str, PeerAnnotation] = {}
    if cases.collection is not None and cases.units_of(row) is not None:
        summary = cases.summaries[row]
        for (task, topic, system, *_), peer in cases.collection.peer_annotations.items():
            if (task, topic) == (summary.task, summary.topic) and not unknown_unit(peer, pyramid):
                annotations.setdefault(system, peer)
    return annotations


def _without_excluded(cases: ScoringBatch, row: int, pyramid: Pyramid) -> Pyramid:
    """Return the pyramid without those of its references that a case is not compared with."""
    assert cases.collection is not None
    summary, reference_numbers = cases.summaries[row], set(cases.references[row].tolist())
    references = other_references(cases.collection, summary)
    left_out = {summary.system} | {
        reference.system
        for reference in references
        if cases.texts.number(reference.text) not in reference_numbers
    }
    writers = zip(reference_writers(pyramid), pyramid.references, strict=True)
    included_names = {reference.name for writer, reference in writers if writer not in left_out}
    return (
        pyramid_of(pyramid, included_names)
        if len(included_names) < len(pyramid.references)
        else pyramid
    )
