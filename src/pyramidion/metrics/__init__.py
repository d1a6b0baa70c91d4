"""Every automatic metric as a value: parsed from a name, hashable, and printed in the same form.

Names are loaded when they are first used: a user's metric needs few of them.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
