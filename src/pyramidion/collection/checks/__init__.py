"""What is doubtful, missing or inconsistent in data.

`find_problems` lists everything in a collection; `streams` checks scoring streams in one pass.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
