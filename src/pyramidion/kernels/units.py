"""Several kinds of units that two texts share, counted at once.

This is the readable specification of the compiled function of the same name, and the
fallback if nothing was compiled.
"""

from collections.abc import Sequence

from pyramidion._types import Floats, Ints
from pyramidion.kernels.checks import checked_units
from pyramidion.kernels.overlap import ngram_hits, skip_hits
from pyramidion.kernels.subsequences import lcs_hits, weighted_lcs_hits
from pyramidion.kernels.summaries import Summaries

__all__ = ["Unit", "shared_units"]

Unit = tuple[str, float]
"""``n`` and an n, ``s`` or ``su`` and a gap, ``l`` and 0, ``w`` and a weight."""


def shared_units(
    summaries: Summaries, peers: Ints, models: Ints, units: Sequence[Unit], threads: int = 1
) -> list[Ints | Floats]:
    """Count several kinds of units, with the results of their separate functions."""
    arguments = (summaries.ids, summaries.starts, peers, models)

    def hits(family: str, parameter: float) -> Ints | Floats:
        if family == "n":
            return ngram_hits(*arguments, int(parameter), threads)
        if family == "l":
            return lcs_hits(summaries, peers, models, threads)
        if family == "w":
            return weighted_lcs_hits(summaries, peers, models, parameter, threads)
        return skip_hits(*arguments, int(parameter), family == "su", threads)

    return [hits(*unit) for unit in checked_units(units)[0]]
