"""Forms of later mentions drawn by chance, for variety (section 5.1.5)."""

from collections.abc import Mapping
from typing import cast, get_args

import numpy as np

from pyramidion.errors import InputError
from pyramidion.rewriting.people.mention import NameForm
from pyramidion.rewriting.people.sequences.chain import MarkovChain
from pyramidion.rewriting.people.sequences.published import printed_limit

__all__ = ["drawing_limit", "later_form", "sampled_forms"]

# A number between 0 and 1 is drawn, and these follow each other in that order.
_ORDER: tuple[NameForm, ...] = ("last", "full", "nickname")


def later_form(rng: np.random.Generator, limiting: Mapping[str, float] | None = None) -> NameForm:
    """Draw the form of the name of a later mention.

    With the thesis' numbers it is the last name from 0 to 0.8646, the full name from there to
    0.9484, and the first name (or nickname) for the rest.

    Parameters
    ----------
    rng
        Draws one number.
    limiting
        The probability of each form; as the thesis prints them if not given.

    Examples
    --------
    >>> rng = np.random.default_rng(7)
    >>> [later_form(rng) for _ in range(4)]
    ['last', 'full', 'last', 'last']
    """
    probabilities = _checked(printed_limit() if limiting is None else limiting)
    drawn = rng.random()
    for form in _ORDER[:-1]:
        drawn -= probabilities[form]
        if drawn < 0:
            return form
    return _ORDER[-1]


def sampled_forms(seed: int, n: int, chain: MarkovChain | None = None) -> list[NameForm]:
    """Draw the forms of several later mentions.

    Parameters
    ----------
    seed
        Where chance begins; the same seed gives the same forms, and more of them begin alike.
    n
        How many.
    chain
        A chain of name forms with a limit, for instance from `read_chains`; what the thesis
        prints if not given.

    Examples
    --------
    >>> sampled_forms(0, 3)
    ['last', 'last', 'last']
    """
    limiting = None if chain is None else drawing_limit(chain)
    rng = np.random.default_rng(seed)
    return [later_form(rng, limiting) for _ in range(n)]


def drawing_limit(chain: MarkovChain) -> Mapping[str, float]:
    """Give the limit of a chain of name forms, to draw from; refuse one without.

    Parameters
    ----------
    chain
        For instance from `read_chains`.

    Examples
    --------
    >>> counts = [[2, 6, 1], [1, 9, 1], [1, 2, 3]]
    >>> chain = MarkovChain.of_counts("name form", ("full", "last", "nickname"), [9, 1, 1], counts)
    >>> round(drawing_limit(chain)["last"], 2)
    0.72
    """
    limit = chain.limit()
    problem = limit.problem
    if _ORDER[0] in limit.left:
        problem = f"nothing was seen to lead back to {', '.join(limit.left)}"
    if problem:
        raise InputError(
            f"the chain of {chain.feature} has no limit to draw from: {problem}",
            hint="count more text, or add something to each count (--add)",
        )
    return limit.as_dict()


def _checked(limiting: Mapping[str, float]) -> Mapping[NameForm, float]:
    forms = get_args(NameForm)
    total = sum(limiting.get(form, np.nan) for form in forms)
    if set(limiting) != set(forms) or not abs(total - 1) < 0.01 or min(limiting.values()) < 0:
        raise InputError(
            f"{dict(limiting)} are no probabilities of name forms",
            hint=f"give {', '.join(forms)}, which sum to 1",
        )
    return cast("Mapping[NameForm, float]", limiting)
