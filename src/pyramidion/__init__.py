"""The whole life of a summary: write it, judge it, score it, compare, check.

Names are loaded when they are first used, so that ``import pyramidion`` is quick.
"""

from pyramidion._lazy import lazy_front
from pyramidion._version import __version__ as __version__

__all__, __getattr__, __dir__ = lazy_front(__name__)
