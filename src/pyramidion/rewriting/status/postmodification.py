"""When a first mention is followed by a description: section 5.2.5."""

from pyramidion.rewriting.people.mention import Person
from pyramidion.rewriting.status.features import FEATURES, descriptions_of, person_features
from pyramidion.rewriting.status.model import Status

__all__ = ["can_postmodify", "postmodify"]

_DESCRIPTORS = FEATURES.index("frequent descriptors")
_DESCRIBED = FEATURES.index("described first names per document")


def can_postmodify(person: Person) -> bool:
    """Tell whether an apposition or relative clause describes a person in the input.

    Parameters
    ----------
    person
        Somebody, with all mentions in the input.

    Examples
    --------
    >>> can_postmodify(Person("Ode", "Ode", ()))
    False
    """
    return bool(descriptions_of(person, "apposition") or descriptions_of(person, "relative clause"))


def postmodify(person: Person, status: Status) -> bool:
    """Decide whether an apposition or relative clause follows the first mention.

    Never for people whom readers know: no such person had one in the thesis' human summaries.
    For others where most documents describe the person so at first, and no frequent title
    (*president*, *Sen.*) says it already: the three features that the thesis found useful.

    Parameters
    ----------
    person
        Somebody, with all mentions in the input.
    status
        Whether readers know the person.

    Examples
    --------
    >>> postmodify(Person("Ode", "Ode", ()), Status(major=True, hearer_old=False))
    False
    """
    if status.hearer_old or not can_postmodify(person):
        return False
    features = person_features(person)
    return bool(features[_DESCRIBED] >= 0.5 and features[_DESCRIPTORS] == 0)
