"""Small examples of `pyramidion.studies._status_training`, worked by hand."""

import re

import numpy as np
import pytest

from pyramidion.collection import Collection
from pyramidion.errors import InputError
from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._status.features import DescriptionModel
from pyramidion.rewriting._status.model import default_model
from pyramidion.studies._status_training import (
    Judged,
    LabelAgreement,
    collection_examples,
    cross_validate,
    examples_of,
    judge_affiliation,
    judge_postmodification,
    judge_status,
    recall_by_agreement,
    share_interval,
    train_model,
    train_status,
    validate_status,
)
from pyramidion.text.parsing import load_parser


def test_share_interval():
    assert [round(bound, 3) for bound in share_interval(8, 10)] == [0.49, 0.943]


def test_judged():
    found = Judged.of([True, True, False, False], [True, False, False, False])
    assert (found.accuracy, found.majority, found.yes()[:2], found.no()[1]) == (
        0.75,
        0.5,
        (1.0, 0.5),
        1.0,
    )


def test_train():
    table = np.arange(20.0)[:, None]
    assert train_status(table, table[:, 0] > 9, "tree").probabilities(
        np.array([[3.0], [12.0]])
    ).tolist() == [0.0, 1.0]


def test_cross_validate():
    table = np.arange(40.0)[:, None]
    assert cross_validate(table, table[:, 0] > 19, "linear", folds=5).judged.accuracy > 0.9


def test_examples_of():
    assert examples_of(Articles(()), Articles(()), topic="T1") == []


def test_collection_examples():
    assert collection_examples(Collection("mine"), load_parser("light")) == ([], [])


def test_agreement():
    assert LabelAgreement(4, 4, 25, 21).recall == 0.84


def test_judge_status():
    assert judge_status([], [])["major"].number == 0


def test_recall_by_agreement():
    assert recall_by_agreement([], []) == []


def test_validate_status():
    with pytest.raises(
        InputError, match=re.escape("0 examples, 0 of the rarer answer, are too few to be divided;")
    ):
        validate_status([], "major", default_model(), grouped=True)


def test_judge_affiliation():
    assert judge_affiliation([], [])["never"].number == 0


def test_judge_postmodification():
    assert judge_postmodification([], []).number == 0


def test_train_model():
    with pytest.raises(InputError, match=re.escape("nobody is labeled for the question major;")):
        train_model([], DescriptionModel(), data="nothing")
