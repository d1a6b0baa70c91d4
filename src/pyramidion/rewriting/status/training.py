"""Models of status from labelled people."""

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.errors import InputError
from pyramidion.rewriting.people.mention import Person
from pyramidion.rewriting.status.descriptors import DescriptionModel
from pyramidion.rewriting.status.examples import Example
from pyramidion.rewriting.status.features import feature_table
from pyramidion.rewriting.status.learning import Recipe, train
from pyramidion.rewriting.status.model import StatusModel
from pyramidion.rewriting.status.study import RECIPES

__all__ = ["train_model"]


def train_model(
    examples: Sequence[Example],
    descriptions: DescriptionModel,
    *,
    data: str,
    recipes: Mapping[str, Recipe] = RECIPES,
    card: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> StatusModel:
    """Train both classifiers on all labelled people.

    Parameters
    ----------
    examples
        Labelled people; those of whom nobody says whether they are known teach only who matters.
    descriptions
        How probable words before a name are.
    data
        What they are from.
    recipes
        How ``major`` and ``hearer_old`` are trained; as in the thesis if nothing is said.
    card
        What else to say about the model.
    seed
        Where chance begins.

    Examples
    --------
    >>> train_model([], DescriptionModel(), data="nothing")
    Traceback (most recent call last):
    pyramidion.errors.InputError: of nobody is it known whether they are major; ...
    """
    labels: dict[str, list[tuple[Person, bool]]] = {
        "major": [(own.person, own.labels.major) for own in examples],
        "hearer_old": [
            (own.person, known) for own in examples if (known := own.labels.hearer_old) is not None
        ],
    }
    fitted = {}
    for question, pairs in labels.items():
        if not pairs:
            raise InputError(
                f"of nobody is it known whether they are {question.replace('_', '-')}",
                hint="give documents and references that name people",
            )
        fitted[question] = train(
            feature_table((person for person, _ in pairs), descriptions),
            [truth for _, truth in pairs],
            recipes[question].learner,
            features=recipes[question].features,
            seed=seed,
        )
    majority = {
        question: round(sum(truth for _, truth in pairs) / len(pairs), 6)
        for question, pairs in labels.items()
    }
    numbers = {f"people_{question}": len(pairs) for question, pairs in labels.items()}
    return StatusModel(
        fitted["major"],
        fitted["hearer_old"],
        majority,
        descriptions,
        {"data": data, **numbers, **(card or {})},
    )
