"""Metrics that are trained to predict people: features, fits, and the search for the best.

Names are loaded when they are first used, since a trained model needs few of them.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
