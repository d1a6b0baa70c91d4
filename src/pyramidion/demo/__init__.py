"""The embedded collection, an evaluation of twelve systems on it, and the story of both.

Texts, references, pyramids, systems and judgments are invented; no conclusion about any system or
person can be drawn from them.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
