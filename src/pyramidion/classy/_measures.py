"""Declares this package's metrics as measures of score tables."""

from pyramidion.collection import Measure

#: The value of the entry point ``pyramidion.measures``; a name may end in ``*``.
MEASURES = {"classy": Measure(), "classy-*": Measure()}
