"""What tables of scores hold of these metrics."""

from pyramidion.collection import Measure

#: What the entry point ``pyramidion.measures`` provides; a name may end in ``*``.
MEASURES = {"classy": Measure(), "classy-*": Measure()}
