"""Checks of names, numbers, quotations, opposites and negation in a summary against its source.

Names are loaded when they are first used.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
