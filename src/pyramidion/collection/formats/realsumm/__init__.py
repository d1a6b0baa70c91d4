"""REALSumm's own release: crowd answers to SCUs (CSV) and the systems' outputs (text)."""

from pyramidion.collection.formats.realsumm._format import FORMAT, read_realsumm

__all__ = ["FORMAT", "read_realsumm"]
