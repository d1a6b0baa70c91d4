"""Who matters and who is known, and what a first mention therefore tells."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection._files import read_object, write_text
from pyramidion.errors import FormatError, InputError, PyramidionError, Where
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._status.bodies import body_key, is_organization_word
from pyramidion.rewriting._status.features import FEATURES, DescriptionModel, feature_table
from pyramidion.rewriting._word_lists import bare, status_words, words_of


@dataclass(frozen=True, slots=True)
class Linear:
    """A weighted sum of scaled features, turned into a probability."""

    features: tuple[int, ...]  # their numbers
    centres: tuple[float, ...]  # taken off each
    scales: tuple[float, ...]  # what the rest is divided by
    weights: tuple[float, ...]
    intercept: float

    def __post_init__(self) -> None:
        sizes = {len(self.features), len(self.centres), len(self.scales), len(self.weights)}
        if len(sizes) != 1 or not all(scale > 0 for scale in self.scales):
            raise InputError(
                "a weighted sum does not have a center, a scale above 0 and a weight for each "
                "feature",
                hint="train it again",
            )

    def probabilities(self, table: Floats) -> Floats:
        """Return the probability of yes for each row of a table of features."""
        scaled = (table[:, self.features] - np.array(self.centres)) / np.array(self.scales)
        sums = scaled @ np.array(self.weights) + self.intercept
        # Beyond 30 a probability differs from 0 or 1 by less than one in ten billion.
        likely: Floats = 1 / (1 + np.exp(-np.clip(sums, -30, 30)))
        return likely

    def to_dict(self) -> dict[str, Any]:
        """Return what is written to a file."""
        return {"kind": "linear", **_rounded(self)}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Read what `to_dict` gave."""
        names = ("centres", "scales", "weights")
        centres, scales, weights = (tuple(map(float, content[name])) for name in names)
        return cls(
            tuple(content["features"]), centres, scales, weights, float(content["intercept"])
        )


@dataclass(frozen=True, slots=True)
class Tree:
    """A decision tree; node 0 is its root."""

    features: tuple[int, ...]  # that each node asks for; -1 for a leaf
    limits: tuple[float, ...]  # up to it, left
    left: tuple[int, ...]
    right: tuple[int, ...]
    shares: tuple[float, ...]  # of yes among the training examples

    def __post_init__(self) -> None:
        number = len(self.features)
        columns = (self.limits, self.left, self.right, self.shares)
        if not number or any(len(column) != number for column in columns) or not self._descends():
            raise InputError(
                "the nodes of a decision tree do not fit each other", hint="train it again"
            )

    def _descends(self) -> bool:
        """Return whether every way down ends: nodes below have greater numbers."""
        return all(
            feature < 0 or node < min(low, high) <= max(low, high) < len(self.features)
            for node, (feature, low, high) in enumerate(
                zip(self.features, self.left, self.right, strict=True)
            )
        )

    def probabilities(self, table: Floats) -> Floats:
        """Return the share of yes in the leaf that each row of a table of features falls into."""
        nodes = np.zeros(len(table), dtype=np.int64)
        features, limits = np.array(self.features), np.array(self.limits)
        left, right = np.array(self.left), np.array(self.right)
        rows = np.arange(len(table))
        while (inner := features[nodes] >= 0).any():
            value = table[rows, np.maximum(features[nodes], 0)]
            below = np.where(value <= limits[nodes], left[nodes], right[nodes])
            nodes = np.where(inner, below, nodes)
        return np.array(self.shares)[nodes]

    def written(self, names: Sequence[str], *, node: int = 0, depth: int = 0) -> list[str]:
        """Write the tree as lines, one a question or answer."""
        space = "  " * depth
        feature = self.features[node]
        if feature < 0:
            return [f"{space}{self.shares[node]:.2f}"]
        low = self.written(names, node=self.left[node], depth=depth + 1)
        high = self.written(names, node=self.right[node], depth=depth + 1)
        limit = f"{names[feature]} <= {self.limits[node]:g}"
        return [f"{space}{limit}:", *low, f"{space}otherwise:", *high]

    def to_dict(self) -> dict[str, Any]:
        """Return what is written to a file."""
        return {"kind": "tree", **_rounded(self)}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Read what `to_dict` gave."""
        names = ("features", "limits", "left", "right", "shares")
        return cls(*(tuple(content[name]) for name in names))


Classifier = Linear | Tree


def _rounded(classifier: Classifier) -> dict[str, Any]:
    """Return the fields of a classifier as a file has them."""
    return {
        name: round(own, 6) if isinstance(own, float) else [round(value, 6) for value in own]
        for name, own in asdict(classifier).items()
    }


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

    def beats_majority(self, question: str) -> bool:
        """Tell whether people left out in training were told better than by one answer for all."""
        share = self.majority[question]
        accuracy: float = self.card.get("accuracy", {}).get(question, 0.0)
        return accuracy > max(share, 1 - share)

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
            content = read_object(path)
            return cls(
                _classifier(content["major"]),
                _classifier(content["hearer_old"]),
                {name: float(content["majority"][name]) for name in ("major", "hearer_old")},
                DescriptionModel(content["descriptions"]),
                content["card"],
            )
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise _unreadable(path, error) from None
        except FormatError as error:
            raise _unreadable(path, error.what) from None
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
        f"this is not a model of cognitive status ({error})",
        where=Where(path),
        hint="train one with `pyramidion study status --save FILE`",
    )


@cache
def default_model() -> StatusModel:
    """Return the model that comes with the package, trained on GUM.

    Examples
    --------
    >>> sorted(default_model().majority)
    ['hearer_old', 'major']
    """
    return StatusModel.load(Path(str(files("pyramidion.rewriting") / "data" / "status.json")))


def status_of(person: Person, model: StatusModel | None = None) -> Status:
    """Return whether a person matters to the story and is known to its readers.

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


def territory_of(mention: Mention) -> str | None:
    """Return the key of what stands right before *Gov.* or *President*: a place, parsed or not."""
    place = mention.first - mention.titles - 1
    if not mention.titles or not mention.external or place < 0:
        return None
    word, title = mention.sentence.words[place], mention.sentence.words[place + 1]
    describes = word.text in words_of("never") or is_organization_word(word.text)
    named = word.tag == "PROPN" and word.text[:1].isupper() and not describes
    territorial = bare(title.text) in status_words("territorial")
    return body_key(word.text) if named and territorial else None
