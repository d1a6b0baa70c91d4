"""Published judgments as JSONL: one judged summary a line, with its references and scores."""

from pyramidion.collection.formats.judged._format import FORMAT, read_judged

__all__ = ["FORMAT", "read_judged"]
