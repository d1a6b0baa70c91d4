"""The chains that Nenkova's thesis prints, Figures 5.4 to 5.8, and its limits of section 5.1.5.

They were counted in full documents, not in summaries. Probabilities have two digits; what a row
lacks to 1 is shared out, see `pyramidion.rewriting.people.sequences.rounding.shared_out`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.rewriting.people.sequences.chain import MarkovChain
from pyramidion.rewriting.people.sequences.features import feature
from pyramidion.rewriting.people.sequences.files import read_chains
from pyramidion.rewriting.people.sequences.stratified import StratifiedModel

__all__ = [
    "FIRST_WITH_BOTH",
    "printed_limit",
    "printed_transitions",
    "published_chain",
    "published_stratified",
]

_DATA = Path(__file__).parent / "data" / "thesis.json"

#: Section 5.1.2: how many first mentions are both premodified and postmodified. The figures give
#: 0.51 + 0.40 - 0.76 = 0.15, and with all three off by half a hundredth 0.165 at most.
FIRST_WITH_BOTH = 0.17


def published_chain(name: str = "name form") -> MarkovChain:
    """Give the chain of a feature.

    Parameters
    ----------
    name
        ``modification``, ``name form``, ``postmodification`` or ``premodifiers``.

    Examples
    --------
    >>> published_chain("modification").limit().probabilities.round(4).tolist()
    [0.3043, 0.6957]
    """
    return _chains()[feature(name).name]


@cache
def _chains() -> dict[str, MarkovChain]:
    return read_chains(_DATA)


@cache
def _content() -> Any:
    return json.loads(_DATA.read_text(encoding="utf-8"))


def printed_limit(name: str = "name form") -> dict[str, float]:
    """Give the limiting distribution of a feature as section 5.1.5 prints it.

    Parameters
    ----------
    name
        As in `published_chain`.

    Examples
    --------
    >>> printed_limit()
    {'full': 0.0838, 'last': 0.8646, 'nickname': 0.0517}
    """
    record = _record(name)
    # Six premodifiers are not printed: nothing leads there.
    missing = [0.0] * (len(record["states"]) - len(record["limit"]))
    return dict(zip(record["states"], [*record["limit"], *missing], strict=True))


def printed_transitions(name: str = "name form") -> Floats:
    """Give the transitions of a feature with two digits, as printed; not all rows sum to 1.

    Parameters
    ----------
    name
        As in `published_chain`.

    Examples
    --------
    >>> printed_transitions("modification").tolist()
    [[0.44, 0.56], [0.24, 0.75]]
    """
    return np.array(_record(name)["transitions"])


def _record(name: str) -> Any:
    wanted = feature(name).name
    return next(record for record in _content()["features"] if record["feature"] == wanted)


@cache
def published_stratified() -> dict[str, StratifiedModel]:
    """Give the stratified models of Figure 5.8, as printed, by feature.

    Examples
    --------
    >>> models = published_stratified()
    >>> list(models), models["name form"].probabilities[1].tolist()
    (['modification', 'premodification', 'name form'], [0.13, 0.81, 0.05])
    """
    return {
        record["feature"]: StratifiedModel(
            record["feature"], tuple(record["states"]), np.array(record["probabilities"])
        )
        for record in _content()["stratified"]
    }
