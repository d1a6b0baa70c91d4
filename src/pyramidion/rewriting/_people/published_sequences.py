"""Published and saved chains of mentions, and sampling from them."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import FormatError, InputError, Where
from pyramidion.files.reading import MAX_MODEL_BYTES, read_object
from pyramidion.files.writing import write_text
from pyramidion.rewriting import MarkovChain
from pyramidion.rewriting._people.mention import NameForm
from pyramidion.rewriting._people.sequences import feature
from pyramidion.rewriting.markov import round_to_sum

# The largest rounding error of numbers with two digits.
_ROUNDING_ERROR = 0.005
_SAVE_HINT = "write such a file with `pyramidion study references SRC --save FILE.json`"


def save_chains(
    path: str | Path, chains: Iterable[MarkovChain], card: Mapping[str, Any] | None = None
) -> None:
    """Write chains to a JSON file.

    Parameters
    ----------
    path
        The file.
    chains
        One chain per feature.
    card
        How they were counted, and from which data.

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
    """Read chains from a JSON file, by feature; rounded rows need not sum to 1.

    Examples
    --------
    >>> read_chains("nowhere.json")
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: nowhere.json: ...
    """
    where = Where(path)
    empty_error = where.error("this file contains no chains of mentions", _SAVE_HINT)
    try:
        content = read_object(path, limit=MAX_MODEL_BYTES)
    except FormatError as error:
        raise where.error(f"{empty_error.what} ({error.what})", _SAVE_HINT) from error
    try:
        chains = [chain_of_record(record, where) for record in content["features"]]
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise empty_error from error
    return {chain.feature: chain for chain in chains}


def chain_record(chain: MarkovChain) -> dict[str, Any]:
    """Return a chain as a JSON record, with None for missing numbers.

    Examples
    --------
    >>> chain_record(published_chain("modification"))["states"]
    ['modified', 'unmodified']
    """
    limit, counts = chain.limit(), (chain.initial_counts, chain.transition_counts)
    initial_counts, transition_counts = (
        None if array is None else array.tolist() for array in counts
    )
    return {
        "feature": chain.feature,
        "states": list(chain.states),
        "initial": _json_row(chain.initial),
        "transitions": [_json_row(row) for row in chain.transitions],
        "limit": None if limit.problem else _json_row(limit.probabilities),
        "problem": limit.problem,
        "initial_counts": initial_counts,
        "transition_counts": transition_counts,
    }


def _json_row(values: Floats) -> list[float] | None:
    return None if np.isnan(values).any() else [float(value) for value in values]


def chain_of_record(record: Mapping[str, Any], where: Where) -> MarkovChain:
    """Read a chain from a JSON record."""
    states = tuple(map(str, record["states"]))
    size = len(states)
    rows = [record["initial"], *record["transitions"]]
    table = np.array([[np.nan] * size if row is None else row for row in rows], dtype=np.float64)
    complete_rows = table[~np.isnan(table).any(axis=1)]
    has_wrong_sum = np.abs(complete_rows.sum(axis=1) - 1) > _ROUNDING_ERROR * size + 1e-9
    if table.shape != (size + 1, size) or has_wrong_sum.any() or (complete_rows < 0).any():
        problem = f"the rows of {record['feature']!r} are not probabilities of {size} states"
        raise FormatError(
            problem, where=where, hint="each row has one number per state and sums to 1"
        )
    rounded = round_to_sum(table)
    counts = [record.get("initial_counts"), record.get("transition_counts")]
    initial_counts, transition_counts = (
        None if rows is None else np.array(rows, np.float64) for rows in counts
    )
    return MarkovChain(
        str(record["feature"]), states, rounded[0], rounded[1:], initial_counts, transition_counts
    )


_CHAINS_FILE = Path(__file__).parents[1] / "data" / "thesis.json"


def published_chain(name: str = "name form") -> MarkovChain:
    """Return the thesis's chain of a feature.

    Parameters
    ----------
    name
        ``modification``, ``name form``, ``postmodification`` or ``premodifiers``.

    Examples
    --------
    >>> published_chain("modification").limit().probabilities.round(4).tolist()
    [0.3043, 0.6957]
    """
    return chain_of_record(_record(name), Where(_CHAINS_FILE))


@cache
def thesis_chains() -> Any:
    """Read the figures of the thesis.

    Examples
    --------
    >>> sorted(thesis_chains())
    ['features', 'first_mentions_with_both', 'source', 'stratified']
    """
    return json.loads(_CHAINS_FILE.read_text(encoding="utf-8"))


def printed_limit(name: str = "name form") -> dict[str, float]:
    """Return the limiting distribution of a feature as printed in section 5.1.5.

    Examples
    --------
    >>> printed_limit()
    {'full': 0.0838, 'last': 0.8646, 'nickname': 0.0517}
    """
    record = _record(name)
    # The limit of six premodifiers, 0, is not printed.
    zero_states = [0.0] * (len(record["states"]) - len(record["limit"]))
    return dict(zip(record["states"], [*record["limit"], *zero_states], strict=True))


def printed_transitions(name: str = "name form") -> Floats:
    """Return the transitions of a feature as printed, with two digits; some rows do not sum to 1.

    Examples
    --------
    >>> printed_transitions("modification").tolist()
    [[0.44, 0.56], [0.24, 0.75]]
    """
    return np.array(_record(name)["transitions"])


def _record(name: str) -> Any:
    records = {record["feature"]: record for record in thesis_chains()["features"]}
    return records[feature(name).name]


# The order of the forms on the interval from 0 to 1.
_FORM_ORDER: tuple[NameForm, ...] = ("last", "full", "nickname")


def later_form(rng: np.random.Generator, limiting: Mapping[str, float] | None = None) -> NameForm:
    """Draw the form of the name of a later mention.

    Parameters
    ----------
    rng
        The generator; one number is drawn.
    limiting
        The probability of each form; those printed in the thesis by default.

    Examples
    --------
    >>> rng = np.random.default_rng(7)
    >>> [later_form(rng) for _ in range(4)]
    ['last', 'full', 'last', 'last']
    """
    forms = get_args(NameForm)
    probabilities = printed_limit() if limiting is None else limiting
    are_probabilities = (
        set(probabilities) == set(forms)
        and abs(sum(map(probabilities.__getitem__, forms)) - 1) < 0.01
    )
    if not are_probabilities or min(probabilities.values()) < 0:
        hint = f"give {', '.join(forms)}, which sum to 1"
        raise InputError(f"{dict(probabilities)} are not probabilities of name forms", hint=hint)
    number = rng.random()
    for form in _FORM_ORDER[:-1]:
        number -= probabilities[form]
        if number < 0:
            return form
    return _FORM_ORDER[-1]


def sampled_forms(seed: int, n: int, chain: MarkovChain | None = None) -> list[NameForm]:
    """Draw the forms of several later mentions.

    Parameters
    ----------
    seed
        Random seed.
    n
        The number of forms.
    chain
        A chain of name forms with a limit, for instance from `read_chains`; the thesis's numbers
        by default.

    Examples
    --------
    >>> sampled_forms(0, 3)
    ['last', 'last', 'last']
    """
    limiting = None if chain is None else drawing_limit(chain)
    rng = np.random.default_rng(seed)
    return [later_form(rng, limiting) for _ in range(n)]


def drawing_limit(chain: MarkovChain) -> Mapping[str, float]:
    """Return the limit of a chain of name forms; raise an error if there is none."""
    limit = chain.limit()
    problem = limit.problem
    if _FORM_ORDER[0] in limit.left:
        problem = f"no transitions lead back to {', '.join(limit.left)}"
    if problem:
        problem_text = (
            f"the chain of {chain.feature} has no limiting distribution to draw from: {problem}"
        )
        raise InputError(problem_text, hint="count more text, or add to each count (--add)")
    return limit.as_dict()
