"""Read and write collections in many formats.

A format is a module that defines ``FORMAT = Format(...)`` and is listed in ``_registry.py``; other
packages, such as `pyramidion.datasets`, use entry points of the group ``pyramidion.formats``.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
