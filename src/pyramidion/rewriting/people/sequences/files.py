"""Files of Markov chains: what a study counted, or what somebody printed."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.files import read_text, write_text
from pyramidion.errors import FormatError, Where
from pyramidion.rewriting.people.sequences.chain import MarkovChain
from pyramidion.rewriting.people.sequences.rounding import shared_out

__all__ = ["chain_of_record", "chain_record", "read_chains", "save_chains"]

# Numbers of two digits are off by half a hundredth each.
_ROUNDED = 0.005
_HINT = "write such a file with `pyramidion study references SRC --save FILE.json`"


def save_chains(
    path: str | Path, chains: Iterable[MarkovChain], card: Mapping[str, Any] | None = None
) -> None:
    """Write chains to a file, whole or not at all.

    Parameters
    ----------
    path
        The file, JSON.
    chains
        The chains, each of another feature.
    card
        What they were counted from, and how.

    Examples
    --------
    >>> import tempfile
    >>> chain = MarkovChain.of_counts("name form", ("full", "last"), [9, 1], [[1, 3], [0, 4]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_chains(Path(folder) / "chains.json", [chain], {"corpus": "mine"})
    ...     read_chains(Path(folder) / "chains.json")["name form"].transitions.tolist()
    [[0.25, 0.75], [0.0, 1.0]]
    """
    content = {"card": dict(card or {}), "features": [chain_record(chain) for chain in chains]}
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def read_chains(path: str | Path) -> dict[str, MarkovChain]:
    """Read chains from a file, each under the name of its feature.

    Rows that were printed with two digits need not sum to 1: see `shared_out`.

    Parameters
    ----------
    path
        The file, JSON.

    Examples
    --------
    >>> read_chains("nowhere.json")
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: nowhere.json: ...
    """
    where = Where(path)
    try:
        content = json.loads(read_text(path))
        records = content["features"]
        chains = [chain_of_record(record, where) for record in records]
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(
            "there are no chains of mentions in it", where=where, hint=_HINT
        ) from error
    return {chain.feature: chain for chain in chains}


def chain_record(chain: MarkovChain) -> dict[str, Any]:
    """Give a chain as what JSON knows; nothing where there is no number.

    Parameters
    ----------
    chain
        A chain.

    Examples
    --------
    >>> chain = MarkovChain.of_counts("x", ("a", "b"), [1, 1], [[0, 2], [0, 0]])
    >>> chain_record(chain)["transitions"]
    [[0.0, 1.0], None]
    """
    limit = chain.limit()
    return {
        "feature": chain.feature,
        "states": list(chain.states),
        "initial": _row(chain.initial),
        "transitions": [_row(row) for row in chain.transitions],
        "limit": None if limit.problem else _row(limit.probabilities),
        "problem": limit.problem,
        "initial_counts": _counted(chain.initial_counts),
        "transition_counts": _counted(chain.transition_counts),
    }


def _counted(counts: Floats | None) -> Any:
    return None if counts is None else counts.tolist()


def _row(values: Floats) -> list[float] | None:
    return None if np.isnan(values).any() else [float(value) for value in values]


def chain_of_record(record: Mapping[str, Any], where: Where) -> MarkovChain:
    """Make a chain of what was read.

    Parameters
    ----------
    record
        As `chain_record` gives it.
    where
        The file, for messages.

    Examples
    --------
    >>> record = {"feature": "x", "states": ["a", "b"], "initial": [1, 0],
    ...           "transitions": [[0.44, 0.56], [0.24, 0.75]]}
    >>> chain_of_record(record, Where("x.json")).transitions.round(3).tolist()
    [[0.44, 0.56], [0.245, 0.755]]
    """
    states = tuple(map(str, record["states"]))
    size = len(states)
    rows = [record["initial"], *record["transitions"]]
    table = np.array([[np.nan] * size if row is None else row for row in rows], dtype=np.float64)
    there = table[~np.isnan(table).any(axis=1)]
    off = np.abs(there.sum(axis=1) - 1) > _ROUNDED * size + 1e-9
    if table.shape != (size + 1, size) or off.any() or (there < 0).any():
        raise FormatError(
            f"the rows of {record['feature']!r} are no probabilities of {size} states",
            where=where,
            hint="each row has a number a state and sums to 1",
        )
    mended = shared_out(table)
    counts = [record.get("initial_counts"), record.get("transition_counts")]
    firsts, followed = (None if own is None else np.array(own, dtype=np.float64) for own in counts)
    return MarkovChain(str(record["feature"]), states, mended[0], mended[1:], firsts, followed)
