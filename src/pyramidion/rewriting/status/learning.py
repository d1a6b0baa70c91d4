"""Training and cross-validating the classifiers, with scikit-learn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.errors import InputError, MissingExtraError
from pyramidion.rewriting.status.classifiers import Classifier, Linear, Tree
from pyramidion.rewriting.status.judged import Judged

__all__ = ["FOLDS", "LEARNERS", "CrossValidation", "Learner", "Recipe", "cross_validate", "train"]

#: As many as in the thesis.
FOLDS = 20

#: ``linear`` is logistic regression, ``svm`` a support vector machine with a linear kernel like
#: the thesis' SMO, ``tree`` a decision tree like its J48.
Learner = Literal["linear", "svm", "tree"]
LEARNERS: tuple[Learner, ...] = ("linear", "svm", "tree")

#: What pruning asks a split of the tree to gain, in bits for each example.
_LEAST_GAIN = 0.02
_SMALLEST_LEAF = 5


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a classifier is trained.

    Parameters
    ----------
    learner
        Which method.
    features
        Numbers of the features that it may use.

    Examples
    --------
    >>> Recipe("tree", (0, 16)).learner
    'tree'
    """

    learner: Learner
    features: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """What classifiers say of examples that they were not trained on.

    Parameters
    ----------
    answers
        Yes or no for each example.
    judged
        The answers beside the truth.
    folds
        Into how many parts the examples were put.
    grouped
        Whether those of a group are in one part.

    Examples
    --------
    >>> CrossValidation(np.array([True]), Judged(1, 0, 0, 0), 20, grouped=False).judged.accuracy
    1.0
    """

    answers: Bools
    judged: Judged
    folds: int
    grouped: bool


def train(
    table: Floats,
    labels: Sequence[bool] | Bools,
    learner: Learner,
    *,
    features: Sequence[int] | None = None,
    seed: int = 0,
) -> Classifier:
    """Train a classifier.

    Parameters
    ----------
    table
        Features, a row for each example.
    labels
        Yes or no for each example.
    learner
        Which method.
    features
        Numbers of the features that it may use; all if they are not given.
    seed
        Where chance begins: features that are as good as each other are drawn.

    Examples
    --------
    >>> table = np.arange(20.0)[:, None]
    >>> train(table, table[:, 0] > 9, "tree").probabilities(np.array([[3.0], [12.0]])).tolist()
    [0.0, 1.0]
    """
    truth = np.asarray(labels, dtype=np.bool_)
    chosen = tuple(range(table.shape[1])) if features is None else tuple(features)
    if truth.all() or not truth.any():
        raise InputError(
            f"all {len(truth)} examples have one answer",
            hint="give examples of both, for instance more topics",
        )
    if learner == "tree":
        return _tree(table[:, chosen], truth, chosen, seed)
    return _linear(table[:, chosen], truth, chosen, learner, seed)


def _linear(
    table: Floats, truth: Bools, chosen: tuple[int, ...], learner: Learner, seed: int
) -> Linear:
    centres, spread = table.mean(axis=0), table.std(axis=0)
    # A feature that never changes teaches nothing.
    scales = np.where(spread > 0, spread, 1.0)
    scaled = (table - centres) / scales
    if learner == "svm":
        fitted = _learners("svm").LinearSVC(C=0.1, random_state=seed, max_iter=100_000)
    else:
        fitted = _learners("linear_model").LogisticRegression(C=0.1, max_iter=10_000)
    fitted.fit(scaled, truth)
    return Linear(
        chosen,
        tuple(centres.tolist()),
        tuple(scales.tolist()),
        tuple(fitted.coef_[0].tolist()),
        float(fitted.intercept_[0]),
    )


def _tree(table: Floats, truth: Bools, chosen: tuple[int, ...], seed: int) -> Tree:
    fitted = (
        _learners("tree")
        .DecisionTreeClassifier(
            criterion="entropy",
            min_samples_leaf=_SMALLEST_LEAF,
            ccp_alpha=_LEAST_GAIN,
            random_state=seed,
        )
        .fit(table, truth)
        .tree_
    )
    inner = fitted.children_left >= 0
    return Tree(
        tuple(chosen[f] if own else -1 for f, own in zip(fitted.feature, inner, strict=True)),
        tuple(np.where(inner, fitted.threshold, 0.0).tolist()),
        tuple(np.where(inner, fitted.children_left, 0).tolist()),
        tuple(np.where(inner, fitted.children_right, 0).tolist()),
        tuple((fitted.value[:, 0, 1] / fitted.value[:, 0].sum(axis=1)).tolist()),
    )


def cross_validate(
    table: Floats,
    labels: Sequence[bool] | Bools,
    learner: Learner,
    *,
    groups: Sequence[str] | None = None,
    features: Sequence[int] | None = None,
    folds: int = FOLDS,
    seed: int = 0,
) -> CrossValidation:
    """Let classifiers answer for examples that they did not see.

    Parameters
    ----------
    table, labels, learner, features
        See `train`.
    groups
        What each example belongs to: all of a group are left out together. People of one
        document or topic share its words and its importance, so that plain folds leak; the
        thesis' folds were plain.
    folds
        Into how many parts the examples are put; fewer where there are fewer groups or fewer
        examples of an answer.
    seed
        Where chance begins.

    Examples
    --------
    >>> table = np.arange(40.0)[:, None]
    >>> cross_validate(table, table[:, 0] > 19, "linear", folds=5).judged.accuracy > 0.9
    True
    """
    truth = np.asarray(labels, dtype=np.bool_)
    parts = _parts(truth, groups, folds)
    answers = np.zeros(len(truth), dtype=np.bool_)
    for rest, held in _splits(table, truth, groups, parts, seed):
        if truth[rest].all() or not truth[rest].any():
            answers[held] = truth[rest][0]
            continue
        fitted = train(table[rest], truth[rest], learner, features=features, seed=seed)
        answers[held] = fitted.probabilities(table[held]) > 0.5
    return CrossValidation(answers, Judged.of(truth, answers), parts, grouped=groups is not None)


def _parts(truth: Bools, groups: Sequence[str] | None, folds: int) -> int:
    fewest = int(min(truth.sum(), (~truth).sum()))
    most = min(folds, fewest, len(truth) if groups is None else len(set(groups)))
    if most < 2:
        raise InputError(
            f"{len(truth)} examples, {fewest} of the rarer answer, are too few to be divided",
            hint="give more topics",
        )
    return most


def _splits(
    table: Floats, truth: Bools, groups: Sequence[str] | None, parts: int, seed: int
) -> Any:
    select = _learners("model_selection")
    if groups is None:
        folds = select.StratifiedKFold(parts, shuffle=True, random_state=seed)
        return folds.split(table, truth)
    together = select.StratifiedGroupKFold(parts, shuffle=True, random_state=seed)
    return together.split(table, truth, groups)


def _learners(part: str) -> Any:
    """Give a part of scikit-learn."""
    from importlib import import_module

    try:
        return import_module(f"sklearn.{part}")
    except ImportError:
        raise MissingExtraError("training", extra="nlp") from None
