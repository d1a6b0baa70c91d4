"""Every automatic metric as a value: parsed from a name, hashable, printed as it is typed.

Names are loaded when they are first used: a metric of one's own needs few of them.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
