"""What is looked at in a mention: four features, each with a few states."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from pyramidion.errors import NotFoundError
from pyramidion.rewriting.people.mention import Mention, NameForm

__all__ = [
    "BOTH",
    "FEATURES",
    "MODIFICATION",
    "NAME_FORM",
    "POST",
    "PRE",
    "PREMODIFICATION",
    "Feature",
    "feature",
]

_MOST = 6


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature of mentions.

    Parameters
    ----------
    name
        What it is called.
    states
        What a mention may be.
    of
        Tells which of them a mention is.

    Examples
    --------
    >>> feature("name form").states
    ('full', 'last', 'nickname')
    """

    name: str
    states: tuple[str, ...]
    of: Callable[[Mention], str]

    def number(self, mention: Mention) -> int:
        """Give the number of a mention's state."""
        return self.states.index(self.of(mention))


def _counted(mention: Mention) -> str:
    """Name the number of premodifiers; six and more are one state."""
    return str(mention.premodifiers) if mention.premodifiers < _MOST else f"{_MOST}+"


def _both(mention: Mention) -> bool:
    return mention.premodifiers > 0 and mention.post != "none"


#: Whether anything modifies the name: Figure 5.4.
MODIFICATION = Feature(
    "modification", ("modified", "unmodified"), lambda m: "modified" if m.modified else "unmodified"
)

#: How the name is given: Figure 5.5.
NAME_FORM = Feature("name form", get_args(NameForm), lambda m: m.form)

#: What follows the name, in the order of Figure 5.6.
POST = Feature(
    "postmodification",
    ("apposition", "none", "prepositional", "relative clause", "other"),
    lambda m: m.post,
)

#: How many words premodify the name, titles and others: Figure 5.7.
PRE = Feature("premodifiers", (*map(str, range(_MOST)), f"{_MOST}+"), _counted)

#: Whether anything premodifies the name: Figure 5.8.
PREMODIFICATION = Feature(
    "premodification",
    ("premodified", "not premodified"),
    lambda m: "premodified" if m.premodifiers else "not premodified",
)

#: Whether something stands before and something after the name: the text below Figure 5.8.
BOTH = Feature("both", ("both", "not both"), lambda m: "both" if _both(m) else "not both")

#: The four features that chains are made of, in the order of the figures.
FEATURES = (MODIFICATION, NAME_FORM, POST, PRE)


def feature(name: str) -> Feature:
    """Give one of the four features by its name.

    Parameters
    ----------
    name
        ``modification``, ``name form``, ``postmodification`` or ``premodifiers``.

    Examples
    --------
    >>> feature("premodifiers").states
    ('0', '1', '2', '3', '4', '5', '6+')
    """
    for own in FEATURES:
        if own.name == name:
            return own
    names = ", ".join(own.name for own in FEATURES)
    raise NotFoundError(f"there is no feature {name!r} of mentions", hint=f"there are: {names}")
