"""Who matters and who is known: trained models, and how they are applied to a person."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pyramidion.collection.files import read_text, write_text
from pyramidion.errors import FormatError, PyramidionError, Where
from pyramidion.rewriting.people.mention import Person
from pyramidion.rewriting.status.classifiers import Classifier, Linear, Tree
from pyramidion.rewriting.status.descriptors import DescriptionModel
from pyramidion.rewriting.status.features import FEATURES, feature_table

__all__ = ["Status", "StatusModel", "default_model", "status_of", "statuses_of"]

_KINDS: dict[str, type[Linear] | type[Tree]] = {"linear": Linear, "tree": Tree}


@dataclass(frozen=True, slots=True)
class Status:
    """Whether a person matters to the story, and is known to its readers.

    Parameters
    ----------
    major
        Whether a summary should name the person.
    hearer_old
        Whether readers are assumed to know the person already.
    probabilities
        Of ``major`` and ``hearer_old``.

    Examples
    --------
    >>> Status(major=True, hearer_old=False).hearer_old
    False
    """

    major: bool
    hearer_old: bool
    probabilities: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class StatusModel:
    """Two classifiers of people, and the bigram model that their features need.

    Parameters
    ----------
    major, hearer_old
        The classifiers; they see the features of Table 5.1.
    majority
        The share of yes for each of the two among the training examples: what is said of a
        person of whom nothing is seen.
    descriptions
        How probable words before a name are.
    card
        What it was trained on.

    Examples
    --------
    >>> leaf = Tree((-1,), (0.0,), (0,), (0,), (0.1,))
    >>> model = StatusModel(leaf, leaf, {"major": 0.1, "hearer_old": 0.1})
    >>> status_of(Person("Ode", "Ode", ()), model).major
    False
    """

    major: Classifier
    hearer_old: Classifier
    majority: Mapping[str, float]
    descriptions: DescriptionModel = field(default_factory=DescriptionModel)
    card: Mapping[str, Any] = field(default_factory=dict)

    def save(self, path: str | Path) -> None:
        """Write the model as JSON."""
        content = {
            "card": self.card,
            "majority": self.majority,
            "major": self.major.to_dict(),
            "hearer_old": self.hearer_old.to_dict(),
            "descriptions": self.descriptions.pairs,
        }
        write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> "StatusModel":
        """Read a model that `save` wrote."""
        try:
            content = json.loads(read_text(path))
            return cls(
                _classifier(content["major"]),
                _classifier(content["hearer_old"]),
                {name: float(content["majority"][name]) for name in ("major", "hearer_old")},
                DescriptionModel(content["descriptions"]),
                content["card"],
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise _unreadable(path, error) from None
        except PyramidionError as error:
            raise error if error.where else _unreadable(path, error.what) from None


def _classifier(content: Mapping[str, Any]) -> Classifier:
    found = _KINDS[content["kind"]].from_dict(content)
    for feature in found.features:
        if not isinstance(feature, int) or not -1 <= feature < len(FEATURES):
            raise ValueError(f"there is no feature {feature!r}")
    return found


def _unreadable(path: str | Path, error: object) -> FormatError:
    return FormatError(
        f"this is no model of cognitive status ({error})",
        where=Where(path),
        hint="train one with `pyramidion study status --save FILE`",
    )


@cache
def default_model() -> StatusModel:
    """Give the model that comes with the package, trained on GUM.

    Examples
    --------
    >>> sorted(default_model().majority)
    ['hearer_old', 'major']
    """
    return StatusModel.load(Path(str(files("pyramidion.rewriting.status") / "data/status.json")))


def status_of(person: Person, model: StatusModel | None = None) -> Status:
    """Tell whether a person matters to the story and is known to its readers.

    Somebody who is never mentioned gets the answer that is right for most people.

    Parameters
    ----------
    person
        Somebody, with all mentions in the input.
    model
        The classifiers; those of the package if none is given.

    Examples
    --------
    >>> status_of(Person("Ode", "Ode", ())).major
    False
    """
    return statuses_of([person], model)[0]


def statuses_of(people: Iterable[Person], model: StatusModel | None = None) -> list[Status]:
    """Tell the status of several people at once.

    Parameters
    ----------
    people
        Each with all mentions in the input.
    model
        See `status_of`.

    Examples
    --------
    >>> statuses_of([])
    []
    """
    used, given = model or default_model(), list(people)
    table = feature_table(given, used.descriptions)
    likely = {
        "major": used.major.probabilities(table),
        "hearer_old": used.hearer_old.probabilities(table),
    }
    rows = [
        {name: float(values[row]) if person.mentions else used.majority[name]
         for name, values in likely.items()}
        for row, person in enumerate(given)
    ]  # fmt: skip
    return [Status(row["major"] > 0.5, row["hearer_old"] > 0.5, row) for row in rows]
