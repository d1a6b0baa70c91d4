"""The pyramid score without annotators."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import PeerAnnotation, Pyramid
from pyramidion.metrics._cases import ScoringBatch, others_of
from pyramidion.metrics._metric import Need, RatioMetric
from pyramidion.pyramid import Annotator, SimilarityModel
from pyramidion.pyramid._auto.build import built_of
from pyramidion.pyramid.content_units import TopicUnits, pyramid_of, reference_writers
from pyramidion.pyramid.similarity import default_similarity
from pyramidion.pyramid.topics import unknown_unit
from pyramidion.questions import option

#: An annotator, and the greatest weight that a summary of average size can have.
_Scale = tuple[Annotator, float]


@cache
def _model(file: str) -> SimilarityModel:
    return SimilarityModel.load(file) if file else default_similarity()


@dataclass(frozen=True, slots=True)
class AutoPyramid(RatioMetric):
    """The expected modified pyramid score, without annotators.

    Content units are those of the topic's pyramid (for a person's summary, of the pyramid without
    it) or of its list of units; if there is neither, they are built from the references, of which
    one is enough. Each counts with the probability that the summary expresses it, from annotations
    of the same words and from similarity; ``pyramid auto`` shows which. Units that were built count
    with the share of their words that is found.
    """

    name: ClassVar[str] = "auto-pyramid"
    title: ClassVar[str] = "pyramid without annotators"
    summary: ClassVar[str] = "expected weight of the content units it expresses"
    citation: ClassVar[str] = "no source"
    needs: ClassVar[frozenset[Need]] = frozenset({"references or content units"})
    in_all: ClassVar[bool] = False
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"

    units: str = option(
        "given",
        "a topic's pyramid or list of units, where there is one; or references",
        choices=("given", "references"),
    )
    model: str = option("", "a model file that `pyramid auto fit` wrote")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the expected weight, and the greatest it can be."""
        known: dict[Hashable, _Scale | None] = {}
        table = np.full((len(cases), 2), np.nan)
        for row in range(len(cases)):
            own = cases.summaries[row] if cases.summaries else None
            key = own and (own.task, own.topic), tuple(cases.references[row].tolist())
            if key not in known:
                known[key] = self._scale(cases, row)
            found = known[key]
            if found is not None:
                annotator, greatest = found
                text, system = cases.texts.plain(int(cases.peers[row])), own.system if own else None
                table[row] = annotator.expected_weight(text, leave_out=system), greatest
        return table

    def _scale(self, cases: ScoringBatch, row: int) -> _Scale | None:
        units = cases.units_of(row) if self.units == "given" else None
        model, numbers = _model(self.model), cases.references[row].tolist()
        texts = {f"R{place}": cases.texts.plain(own) for place, own in enumerate(numbers)}
        built = units is None
        if isinstance(units, Pyramid):
            units = _of_others(cases, row, units)
        elif units is None:
            units = built_of(texts, model=model)
        if units is None:
            return None
        weighing = (TopicUnits.of(units) if isinstance(units, Pyramid) else units).weighing
        if not (weighing.units and weighing.size):
            return None
        peers = _annotated(cases, row, units) if isinstance(units, Pyramid) else {}
        annotator = Annotator(units, texts, peers=peers, model=model, built=built)
        return annotator, annotator.most(weighing)


def _annotated(cases: ScoringBatch, row: int, pyramid: Pyramid) -> dict[str, PeerAnnotation]:
    """Return the annotated peers of a case's topic that fit its pyramid."""
    found: dict[str, PeerAnnotation] = {}
    if cases.collection is not None and cases.units_of(row) is not None:
        own = cases.summaries[row]
        for (task, topic, system, *_), peer in cases.collection.peer_annotations.items():
            if (task, topic) == (own.task, own.topic) and not unknown_unit(peer, pyramid):
                found.setdefault(system, peer)
    return found


def _of_others(cases: ScoringBatch, row: int, pyramid: Pyramid) -> Pyramid:
    """Return the pyramid without the references that a case is not compared with."""
    assert cases.collection is not None
    own, numbers = cases.summaries[row], set(cases.references[row].tolist())
    others = others_of(cases.collection, own)
    left_out = {own.system} | {
        r.system for r in others if cases.texts.number(r.text) not in numbers
    }
    writers = zip(reference_writers(pyramid), pyramid.references, strict=True)
    kept = {reference.name for writer, reference in writers if writer not in left_out}
    return pyramid_of(pyramid, kept) if len(kept) < len(pyramid.references) else pyramid
