"""Questions: which systems differ, which metrics to trust, which judges.

Names are loaded when they are first used, since few programs ask all questions.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
