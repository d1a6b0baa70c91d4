"""What is evaluated: topics, documents, summaries, judgments, pyramids.

A `Collection` holds everything that belongs to one evaluation; ``formats`` reads and writes it.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
