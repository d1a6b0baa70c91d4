"""Which features to combine, and how: every subset is tried."""

from pyramidion.classy.search.criteria import Criterion, SelectionLevel
from pyramidion.classy.search.exhaustive import Progress, search_subsets
from pyramidion.classy.search.result import Selection, SubsetSearch
from pyramidion.classy.search.subsets import Subsets

__all__ = [
    "Criterion",
    "Progress",
    "Selection",
    "SelectionLevel",
    "SubsetSearch",
    "Subsets",
    "search_subsets",
]
