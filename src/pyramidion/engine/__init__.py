"""Large jobs: one function over many parts, in this process, on all cores, or on a cluster.

A job is a pure function from records to records (`score_frame` is the one for scores, for data
frames of any library). An engine maps it over parts; results do not depend on the engine, on the
number of workers or on how the data is cut into parts.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
