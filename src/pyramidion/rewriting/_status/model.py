"""Models of cognitive status: who matters to a story, and who is known to its readers."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import FormatError, InputError, PyramidionError, Where
from pyramidion.files.reading import MAX_MODEL_BYTES, read_object
from pyramidion.files.writing import write_text
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._status.bodies import body_key, is_organization_word
from pyramidion.rewriting._status.features import STATUS_FEATURES, DescriptionModel, people_features
from pyramidion.rewriting._word_lists import bare, status_words, word_list
from pyramidion.text import english_file


@dataclass(frozen=True, slots=True)
class Linear:
    """A weighted sum of scaled features, turned into a probability."""

    features: tuple[int, ...]  # indices
    centres: tuple[float, ...]  # subtracted from each feature
    scales: tuple[float, ...]  # divisors
    weights: tuple[float, ...]
    intercept: float

    def __post_init__(self) -> None:
        sizes = {len(self.features), len(self.centres), len(self.scales), len(self.weights)}
        if len(sizes) != 1 or not all(scale > 0 for scale in self.scales):
            raise InputError(
                "a linear classifier needs a center, a scale above 0 and a weight per feature",
                hint="train it again",
            )

    def probabilities(self, table: Floats) -> Floats:
        """Return the probability of yes for each row of a table of features."""
        scaled_values = (table[:, self.features] - np.array(self.centres)) / np.array(self.scales)
        # Not a product of matrices, whose last digits depend on the number of rows.
        sums = (scaled_values * np.array(self.weights)).sum(axis=1) + self.intercept
        # Beyond 30, a probability is within 1e-10 of 0 or 1.
        probabilities: Floats = 1 / (1 + np.exp(-np.clip(sums, -30, 30)))
        return probabilities


@dataclass(frozen=True, slots=True)
class Tree:
    """A decision tree; node 0 is its root."""

    features: tuple[int, ...]  # of each node; -1 for a leaf
    limits: tuple[float, ...]  # values up to the limit go left
    left: tuple[int, ...]
    right: tuple[int, ...]
    shares: tuple[float, ...]  # of yes among the training examples

    def __post_init__(self) -> None:
        columns = (self.features, self.limits, self.left, self.right, self.shares)
        have_equal_lengths = {len(column) for column in columns} == {len(self.features) or 1}
        # Children have higher indices than their parent, so every path ends.
        nodes = enumerate(zip(self.features, self.left, self.right, strict=False))
        if not have_equal_lengths or not all(
            feature < 0 or node < min(low, high) <= max(low, high) < len(self.features)
            for node, (feature, low, high) in nodes
        ):
            problem = "the nodes of a decision tree do not match"
            raise InputError(problem, hint="train it again")

    def probabilities(self, table: Floats) -> Floats:
        """Return the share of yes in the leaf of each row of a table of features."""
        nodes = np.zeros(len(table), dtype=np.int64)
        features, limits = np.array(self.features), np.array(self.limits)
        left, right = np.array(self.left), np.array(self.right)
        rows = np.arange(len(table))
        while (is_inner := features[nodes] >= 0).any():
            value = table[rows, np.maximum(features[nodes], 0)]
            next_nodes = np.where(value <= limits[nodes], left[nodes], right[nodes])
            nodes = np.where(is_inner, next_nodes, nodes)
        return np.array(self.shares)[nodes]

    def written(self, names: Sequence[str], *, node: int = 0, depth: int = 0) -> list[str]:
        """Return the tree as lines of text, one per node."""
        indent = "  " * depth
        feature = self.features[node]
        if feature < 0:
            return [f"{indent}{self.shares[node]:.2f}"]
        left_lines = self.written(names, node=self.left[node], depth=depth + 1)
        right_lines = self.written(names, node=self.right[node], depth=depth + 1)
        limit = f"{names[feature]} <= {self.limits[node]:g}"
        return [f"{indent}{limit}:", *left_lines, f"{indent}otherwise:", *right_lines]


Classifier = Linear | Tree

_CLASSIFIER_KINDS: dict[str, type[Linear] | type[Tree]] = {"linear": Linear, "tree": Tree}


def classifier_record(classifier: Classifier) -> dict[str, Any]:
    """Return a classifier as a JSON record."""
    numbers = {
        name: round(value, 6) if isinstance(value, float) else [round(cell, 6) for cell in value]
        for name, value in asdict(classifier).items()
    }
    return {"kind": type(classifier).__name__.lower(), **numbers}


def read_classifier(record: Mapping[str, Any]) -> Classifier:
    """Read a JSON record of a classifier."""
    kind = _CLASSIFIER_KINDS[record["kind"]]
    columns = {column.name: record[column.name] for column in fields(kind)}
    for feature in columns["features"]:
        if not isinstance(feature, int) or not -1 <= feature < len(STATUS_FEATURES):
            raise ValueError(f"there is no feature {feature!r}")
    if kind is Tree:
        return Tree(**{name: tuple(column) for name, column in columns.items()})
    names = ("centres", "scales", "weights")
    centres, scales, weights = (tuple(map(float, columns[name])) for name in names)
    features, intercept = tuple(columns["features"]), float(columns["intercept"])
    return Linear(features, centres, scales, weights, intercept)


@dataclass(frozen=True, slots=True)
class Status:
    """Whether a person matters to the story and is known to its readers.

    Parameters
    ----------
    major
        Whether a summary should name the person.
    hearer_old
        Whether readers are assumed to know the person.
    probabilities
        The probabilities of ``major`` and ``hearer_old``.

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
        The classifiers of `STATUS_FEATURES`.
    majority
        The share of yes in the training examples for each classifier; the answer for a person
        who is never mentioned.
    descriptions
        The model of words before names.
    card
        The data card.

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
        """Check whether the accuracy on held-out people beats the majority class."""
        share = self.majority[question]
        accuracy: float = self.card.get("accuracy", {}).get(question, 0.0)
        return accuracy > max(share, 1 - share)

    def save(self, path: str | Path) -> None:
        """Write the model as JSON."""
        content = {
            "card": self.card,
            "majority": self.majority,
            "major": classifier_record(self.major),
            "hearer_old": classifier_record(self.hearer_old),
            "descriptions": self.descriptions.pairs,
        }
        write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> "StatusModel":
        """Read a model that `save` wrote."""
        try:
            content = read_object(path, limit=MAX_MODEL_BYTES)
            return cls(
                read_classifier(content["major"]),
                read_classifier(content["hearer_old"]),
                {name: float(content["majority"][name]) for name in ("major", "hearer_old")},
                DescriptionModel(content["descriptions"]),
                content["card"],
            )
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            reason = str(error)
        except PyramidionError as error:
            if error.where and not isinstance(error, FormatError):
                raise
            reason = error.what
        problem = f"this is not a model of cognitive status ({reason})"
        hint = "train one with `pyramidion study status --save FILE`"
        raise FormatError(problem, where=Where(path), hint=hint)


@cache
def default_model() -> StatusModel:
    """Return the built-in model, trained on GUM.

    Examples
    --------
    >>> sorted(default_model().majority)
    ['hearer_old', 'major']
    """
    return StatusModel.load(english_file("status.json", "telling who matters"))


def status_of(person: Person, model: StatusModel | None = None, documents: int = 0) -> Status:
    """Return whether a person matters to the story and is known to its readers.

    Parameters
    ----------
    person
        A person with all mentions in the input; without any, the majority class is returned.
    model
        The classifiers; the built-in ones by default.
    documents
        The number of documents of the input; by default those that name the person.

    Examples
    --------
    >>> status_of(Person("Ode", "Ode", ())).major
    False
    """
    return statuses_of([person], model, documents)[0]


def statuses_of(
    people: Iterable[Person],
    model: StatusModel | None = None,
    documents: int | Sequence[int] = 0,
) -> list[Status]:
    """Return the status of several people; see `status_of`.

    Examples
    --------
    >>> statuses_of([])
    []
    """
    status_model, persons = model or default_model(), list(people)
    table = people_features(persons, status_model.descriptions, documents)
    probabilities = {
        "major": status_model.major.probabilities(table),
        "hearer_old": status_model.hearer_old.probabilities(table),
    }
    statuses = []
    for row, person in enumerate(persons):
        model_probabilities = {name: float(values[row]) for name, values in probabilities.items()}
        probabilities_of_person = (
            model_probabilities
            if person.mentions
            else {name: status_model.majority[name] for name in probabilities}
        )
        statuses.append(
            Status(
                probabilities_of_person["major"] > 0.5,
                probabilities_of_person["hearer_old"] > 0.5,
                probabilities_of_person,
            )
        )
    return statuses


def territory_of(mention: Mention) -> str | None:
    """Return the key of the place right before *Gov.* or *President*, if there is one.

    Examples
    --------
    >>> from pyramidion.rewriting import people_in
    >>> territory_of(people_in("Texas Gov. Ada Ode won.", "light")[0].mentions[0])
    'texas'
    """
    index = mention.first - mention.titles - 1
    if not mention.titles or not mention.external or index < 0:
        return None
    word, title = mention.sentence.words[index], mention.sentence.words[index + 1]
    is_descriptor = word.text in word_list("never") or is_organization_word(word.text)
    is_proper_name = word.tag == "PROPN" and word.text[:1].isupper() and not is_descriptor
    is_territorial = bare(title.text) in status_words("territorial")
    return body_key(word.text) if is_proper_name and is_territorial else None
