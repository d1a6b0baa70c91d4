"""Statistics on arrays, independent of summaries.

Functions follow SciPy's new style: options are keyword-only, ``rng=`` takes a generator or a
seed, and the result is an object. Topics are always the blocks. Where the papers are ambiguous,
docstrings cite the chosen reading by its number in ``docs/readings.md``.

>>> from pyramidion.stats import wilcoxon
>>> round(wilcoxon([3, 5, 4, 6, 5], [1, 4, 5, 2, 2]).p, 4)
0.1041
"""

from pyramidion._lazy import lazy_front

# Modules load on first use: together they take a second, and most commands need one or two.
__all__, __getattr__, __dir__ = lazy_front(__name__)
