"""The pyramid method: what summaries express, weighted by how many people expressed it.

Names are loaded when they are first used.

>>> from pyramidion.collection import Pyramid
>>> from pyramidion.pyramid import score
>>> pyramid = Pyramid.from_references(
...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
...      ("It is old", {"B": ["It is old"]})])
>>> [(row.case.system, row.scores.modified) for row in score(pyramid)]
[('A', 0.5), ('B', 1.0)]
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
