"""How well status and affiliation are told from the form of references: Tables 5.2 to 5.5."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyramidion.rewriting.people.mention import Person
from pyramidion.rewriting.status.affiliation import (
    RULES,
    AffiliationRule,
    affiliations_in,
    affiliations_of,
    include_affiliation,
    salience_list,
)
from pyramidion.rewriting.status.examples import Example
from pyramidion.rewriting.status.features import THESIS, feature_table
from pyramidion.rewriting.status.judged import Judged
from pyramidion.rewriting.status.learning import FOLDS, CrossValidation, Recipe, cross_validate
from pyramidion.rewriting.status.model import Status, StatusModel
from pyramidion.rewriting.status.postmodification import can_postmodify, postmodify

__all__ = [
    "RECIPES",
    "Agreement",
    "Question",
    "judge_affiliation",
    "judge_postmodification",
    "judge_status",
    "recall_by_agreement",
    "validate_status",
]

#: What is asked of a person.
Question = str
#: How classifiers are trained for each question: as in the thesis, but for logistic regression in
#: place of a support vector machine, which has no probabilities.
RECIPES: Mapping[Question, Recipe] = {
    "major": Recipe("tree", THESIS),
    "hearer_old": Recipe("linear", THESIS),
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many of the people that some summaries name were found.

    Parameters
    ----------
    named, summaries
        In how many of how many summaries they are named.
    examples, recalled
        How many people there are, and how many of them were called major.

    Examples
    --------
    >>> Agreement(4, 4, 25, 21).recall
    0.84
    """

    named: int
    summaries: int
    examples: int
    recalled: int

    @property
    def recall(self) -> float:
        """The share that was found."""
        return self.recalled / self.examples


def _truth(examples: Sequence[Example], question: Question) -> list[bool | None]:
    if question == "major":
        return [example.labels.major for example in examples]
    return [example.labels.hearer_old for example in examples]


def judge_status(examples: Sequence[Example], statuses: Sequence[Status]) -> dict[Question, Judged]:
    """Count how often statuses agree with the summaries.

    Parameters
    ----------
    examples
        Labelled people.
    statuses
        What was told of them. Whether somebody is known is judged only for those whom a summary
        names.

    Examples
    --------
    >>> judge_status([], [])["major"].number
    0
    """
    answers = {
        "major": [status.major for status in statuses],
        "hearer_old": [status.hearer_old for status in statuses],
    }
    found = {}
    for question, said in answers.items():
        pairs = [
            (truth, answer)
            for truth, answer in zip(_truth(examples, question), said, strict=True)
            if truth is not None
        ]
        found[question] = Judged.of([truth for truth, _ in pairs], [said for _, said in pairs])
    return found


def recall_by_agreement(examples: Sequence[Example], major: Sequence[bool]) -> list[Agreement]:
    """Count how many people were found, by how many summaries name them (Table 5.4).

    Parameters
    ----------
    examples
        Labelled people.
    major
        Whether each was called major.

    Examples
    --------
    >>> recall_by_agreement([], [])
    []
    """
    groups: dict[tuple[int, int], list[bool]] = {}
    for example, said in zip(examples, major, strict=True):
        if example.labels.major:
            key = (example.labels.summaries, example.labels.named)
            groups.setdefault(key, []).append(bool(said))
    return [
        Agreement(named, summaries, len(said), sum(said))
        for (summaries, named), said in sorted(groups.items())
    ]


def validate_status(
    examples: Sequence[Example],
    question: Question,
    model: StatusModel,
    *,
    grouped: bool,
    folds: int = FOLDS,
    seed: int = 0,
) -> CrossValidation:
    """Cross-validate classifiers that are trained on a collection's own people.

    Parameters
    ----------
    examples
        Labelled people.
    question
        ``major`` or ``hearer_old``.
    model
        Where the bigram model is taken from; its classifiers are not used.
    grouped
        Whether people of one topic are left out together.
    folds, seed
        See `cross_validate`.

    Examples
    --------
    >>> from pyramidion.rewriting.status.model import default_model
    >>> validate_status([], "major", default_model(), grouped=True)
    Traceback (most recent call last):
    pyramidion.errors.InputError: 0 examples, 0 of the rarer answer, are too few to be divided; ...
    """
    known = [
        (example, truth)
        for example, truth in zip(examples, _truth(examples, question), strict=True)
        if truth is not None
    ]
    recipe = RECIPES[question]
    table = feature_table((example.person for example, _ in known), model.descriptions)
    return cross_validate(
        table,
        [truth for _, truth in known],
        recipe.learner,
        features=recipe.features,
        groups=[example.topic for example, _ in known] if grouped else None,
        folds=folds,
        seed=seed,
    )


def judge_affiliation(
    examples: Sequence[Example], statuses: Sequence[Status]
) -> dict[AffiliationRule, Judged]:
    """Compare rules with the first mentions of human summaries (Table 5.5).

    Only people count whose affiliation the input tells: for others there is nothing to decide.

    Parameters
    ----------
    examples
        Labelled people.
    statuses
        Who is known.

    Examples
    --------
    >>> judge_affiliation([], [])["never"].number
    0
    """
    truth: list[bool] = []
    answers: dict[AffiliationRule, list[bool]] = {rule: [] for rule in RULES}
    people: dict[str, list[Person]] = {}
    for example in examples:
        people.setdefault(example.topic, []).append(example.person)
    for example, status in zip(examples, statuses, strict=True):
        own = affiliations_of(example.person)
        for first in example.firsts if own else ():
            sentence, word = first.place
            salience = salience_list(
                first.sentences, sentence=sentence, word=word, people=people[example.topic]
            )
            truth.append(any(key in own for key in affiliations_in(first.mention)))
            for rule, said in answers.items():
                said.append(
                    include_affiliation(example.person, salience, status, rule, affiliations=own)
                )
    return {rule: Judged.of(truth, said) for rule, said in answers.items()}


def judge_postmodification(examples: Sequence[Example], statuses: Sequence[Status]) -> Judged:
    """Compare the decision to describe after the name with human summaries (section 5.2.5).

    Only people count whom a summary names and the input describes in such a way.

    Parameters
    ----------
    examples
        Labelled people.
    statuses
        Who is known.

    Examples
    --------
    >>> judge_postmodification([], []).number
    0
    """
    pairs = [
        (example.labels.postmodified, postmodify(example.person, status))
        for example, status in zip(examples, statuses, strict=True)
        if example.labels.postmodified is not None and can_postmodify(example.person)
    ]
    return Judged.of([bool(truth) for truth, _ in pairs], [said for _, said in pairs])
