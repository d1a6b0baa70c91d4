"""DUC's and TAC's folders: summaries, articles, topic statements, scores and pyramids."""

from pyramidion.collection.formats.duc._format import FORMAT

__all__ = ["FORMAT"]
