"""Statements of summaries that their documents do not support.

Names are loaded when they are first used.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
