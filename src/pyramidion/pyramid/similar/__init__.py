"""Annotation and pyramids by similarity alone.

`annotate_similar` annotates a summary that nobody has annotated, and `build_pyramid` builds a
pyramid from references. Words are weighed, and what is found of them judged, by one small model
that was fitted on REALSumm's SCU labels (`default_model`); `fit_similarity` fits another.
"""

from pyramidion.pyramid.similar.annotate import (
    SimilarAnnotation,
    SimilarAnnotator,
    annotate_similar,
)
from pyramidion.pyramid.similar.build import build_pyramid
from pyramidion.pyramid.similar.examples import similarity_examples
from pyramidion.pyramid.similar.fit import SimilarityExample, fit_similarity
from pyramidion.pyramid.similar.model import SimilarityModel, default_model

__all__ = [
    "SimilarAnnotation",
    "SimilarAnnotator",
    "SimilarityExample",
    "SimilarityModel",
    "annotate_similar",
    "build_pyramid",
    "default_model",
    "fit_similarity",
    "similarity_examples",
]
