"""Every format, each in a file of its own that reads and writes it.

To add one, write its file, end it with ``FORMAT = Format(...)`` and put its name into `FORMATS` of
``_registry.py``; other packages use entry points of the group ``pyramidion.formats``.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
