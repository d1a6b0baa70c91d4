"""The embedded collection, written for this project, and a tour of the toolkit on it.

Its texts, references, pyramids and judgments are invented; no conclusion about any system or person
can be drawn from them.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
