"""The data of an evaluation: topics, documents, summaries, judgments and pyramids."""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
