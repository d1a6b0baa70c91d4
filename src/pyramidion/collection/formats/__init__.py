"""Every format, each in a file of its own that reads and writes it.

To add one, write its file, end it with ``FORMAT = Format(...)`` and put it into `FORMATS`.
"""

from pyramidion.collection.formats._base import Format
from pyramidion.collection.formats._ducview_files import (
    read_peer_annotation,
    read_pyramid,
    write_peer_annotation,
    write_pyramid,
)
from pyramidion.collection.formats._registry import (
    FORMATS,
    detect,
    format_named,
    read_collection,
    write_collection,
)
from pyramidion.collection.formats._scores import read_scores, write_scores

__all__ = [
    "FORMATS",
    "Format",
    "detect",
    "format_named",
    "read_collection",
    "read_peer_annotation",
    "read_pyramid",
    "read_scores",
    "write_collection",
    "write_peer_annotation",
    "write_pyramid",
    "write_scores",
]
