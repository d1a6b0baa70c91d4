"""DUCView's files: a ``.pyr``, a ``.pan``, or a folder of them, as a collection."""

from pyramidion.collection.formats.ducview._format import FORMAT, annotated_summaries
from pyramidion.collection.formats.ducview.read import read_peer_annotation, read_pyramid
from pyramidion.collection.formats.ducview.write import (
    peer_annotation_bytes,
    pyramid_bytes,
    write_peer_annotation,
    write_pyramid,
)

__all__ = [
    "FORMAT",
    "annotated_summaries",
    "peer_annotation_bytes",
    "pyramid_bytes",
    "read_peer_annotation",
    "read_pyramid",
    "write_peer_annotation",
    "write_pyramid",
]
