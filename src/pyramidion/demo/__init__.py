"""The embedded collection, written for this project, and a tour of the toolkit on it.

Its texts, references, pyramids and judgments were made to show how things work. They measure
nobody, and no conclusion about any system or person can be drawn from them.
"""

from typing import TYPE_CHECKING

from pyramidion._lazy import lazy_front

if TYPE_CHECKING:
    from pyramidion.demo._load import load_demo as load_demo
    from pyramidion.demo._tour import tour as tour

__all__, __getattr__, __dir__ = lazy_front(__name__, {"_load": "load_demo", "_tour": "tour"})
