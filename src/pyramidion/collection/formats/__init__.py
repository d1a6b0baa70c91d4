"""Every format, each in a file of its own that reads and writes it.

To add one, write its file, end it with ``FORMAT = Format(...)`` and put it into `FORMATS`.
"""

from pyramidion.collection.formats._base import Format
from pyramidion.collection.formats._registry import (
    FORMATS,
    detect,
    format_named,
    read_collection,
    write_collection,
)

__all__ = ["FORMATS", "Format", "detect", "format_named", "read_collection", "write_collection"]
