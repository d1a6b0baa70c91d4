"""Rewriting of summaries: noun phrases and references to people; people's cognitive status.

>>> from pyramidion.rewriting import people_in, who_is
>>> lock = people_in("Sen. Mary Lock won on Monday. Lock was glad.", "light")[0]
>>> lock.name, len(lock.mentions)
('Mary Lock', 2)
>>> who_is(lock).text
'Mary Lock is a senator.'
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
