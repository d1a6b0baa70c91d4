"""Features of mentions (section 5.1.2 of the thesis)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from pyramidion.errors import NotFoundError
from pyramidion.rewriting._people.mention import Mention, NameForm

_MAX_PREMODIFIERS = 6


@dataclass(frozen=True, slots=True)
class MentionFeature:
    """A feature of mentions with its states."""

    name: str
    states: tuple[str, ...]
    of: Callable[[Mention], str]

    def number(self, mention: Mention) -> int:
        """Return the index of a mention's state."""
        return self.states.index(self.of(mention))


def _count_premodifiers(mention: Mention) -> str:
    """Return the number of premodifiers as a state; six and more are one state."""
    return (
        str(mention.premodifiers)
        if mention.premodifiers < _MAX_PREMODIFIERS
        else f"{_MAX_PREMODIFIERS}+"
    )


#: Whether the name is modified: Figure 5.4.
MODIFICATION = MentionFeature(
    "modification", ("modified", "unmodified"), lambda m: "modified" if m.modified else "unmodified"
)

#: The form of the name: Figure 5.5.
NAME_FORM = MentionFeature("name form", get_args(NameForm), lambda m: m.form)

#: The postmodifier, in the order of Figure 5.6.
POSTMODIFICATION = MentionFeature(
    "postmodification",
    ("apposition", "none", "prepositional", "relative clause", "other"),
    lambda m: m.post,
)

#: The number of premodifiers, including titles: Figure 5.7.
PREMODIFIERS = MentionFeature(
    "premodifiers",
    (*map(str, range(_MAX_PREMODIFIERS)), f"{_MAX_PREMODIFIERS}+"),
    _count_premodifiers,
)

#: The four features, in the order of the figures.
MENTION_FEATURES = (MODIFICATION, NAME_FORM, POSTMODIFICATION, PREMODIFIERS)


def feature(name: str) -> MentionFeature:
    """Return a feature by name."""
    features = {feature.name: feature for feature in MENTION_FEATURES}
    if name not in features:
        hint = f"use one of {', '.join(features)}"
        raise NotFoundError(f"there is no feature {name!r} of mentions", hint=hint)
    return features[name]
