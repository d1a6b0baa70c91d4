"""The pyramid method: what summaries say, weighed by how many people said it.

Names are loaded when they are first used, since few programs ask all questions.

>>> from pyramidion.collection import Pyramid
>>> from pyramidion.pyramid import score
>>> pyramid = Pyramid.from_references(
...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
...      ("It is old", {"B": ["It is old"]})])
>>> [(one.case.system, one.scores.modified) for one in score(pyramid)]
[('A', 0.5), ('B', 1.0)]
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
