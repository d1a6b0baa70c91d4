"""The pyramid method: what summaries say, weighed by how many people said it."""

from pyramidion.pyramid.content import Content, content_of_peer, content_of_reference
from pyramidion.pyramid.scores import (
    PyramidScores,
    max_weight,
    mean_units,
    score_content,
    score_peer,
    score_reference,
)

__all__ = [
    "Content",
    "PyramidScores",
    "content_of_peer",
    "content_of_reference",
    "max_weight",
    "mean_units",
    "score_content",
    "score_peer",
    "score_reference",
]
