"""Metrics trained to predict human judgments: features, fits, and the search for the best.

Names are loaded on first use, since a trained model needs few of them.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
