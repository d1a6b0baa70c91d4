"""Which features to combine, and how: every subset is tried."""

from pyramidion.classy._search.criteria import Criterion, SelectionLevel
from pyramidion.classy._search.exhaustive import Progress, Selection, SubsetSearch, search_subsets
from pyramidion.classy._search.subsets import Subsets

__all__ = [
    "Criterion",
    "Progress",
    "Selection",
    "SelectionLevel",
    "SubsetSearch",
    "Subsets",
    "search_subsets",
]
