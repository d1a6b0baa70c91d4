"""Who matters and who is known, told from the form of references: Tables 5.2 to 5.5."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pyramidion.collection import Signature
from pyramidion.errors import InputError, PyramidionError
from pyramidion.evaluation.study._places import require_ids
from pyramidion.report.answer import Answer
from pyramidion.report.study_source import Source, StudyRequest, read_study
from pyramidion.report.study_status_tables import status_tables
from pyramidion.rewriting.status.affiliation import AffiliationRule
from pyramidion.rewriting.status.examples import Example, collection_examples
from pyramidion.rewriting.status.features import FEATURES, person_features
from pyramidion.rewriting.status.judged import Judged, share_interval
from pyramidion.rewriting.status.learning import FOLDS
from pyramidion.rewriting.status.model import Status, StatusModel, default_model, statuses_of
from pyramidion.rewriting.status.study import (
    RECIPES,
    Agreement,
    judge_affiliation,
    judge_postmodification,
    judge_status,
    recall_by_agreement,
    validate_status,
)
from pyramidion.rewriting.status.training import train_model
from pyramidion.text.parsing import Parser, load_parser

__all__ = ["StatusFindings", "status_answer"]


@dataclass(frozen=True, slots=True)
class StatusFindings:
    """What the study found.

    Parameters
    ----------
    examples, statuses
        The people, and what the model tells of each.
    decisions
        Each question, how it was answered, and how often that was right.
    agreement
        Recall by the number of summaries that name a person, of the model.
    affiliation
        Each rule, beside human summaries.

    Examples
    --------
    >>> StatusFindings((), (), (), (), ()).examples
    ()
    """

    examples: tuple[Example, ...]
    statuses: tuple[Status, ...]
    decisions: tuple[tuple[str, str, Judged], ...]
    agreement: tuple[Agreement, ...]
    affiliation: tuple[tuple[AffiliationRule, Judged], ...]


def status_answer(
    source: Source,
    request: StudyRequest | None = None,
    *,
    pipeline: str = "",
    model: str | Path | None = None,
    save: str | Path | None = None,
    folds: int = FOLDS,
    seed: int = 0,
) -> Answer:
    """Tell whom human summaries name and take for known, and how well that is told.

    Parameters
    ----------
    source
        A collection with documents and references, or where it is.
    request
        Which topics and tasks.
    pipeline
        What parses the texts, see `load_parser`.
    model
        The file of a model; that of the package if none is given.
    save
        Train a model on all people of the collection and write it here.
    folds, seed
        How the collection is divided to validate classifiers that are trained on it.

    Examples
    --------
    >>> from pyramidion.collection import Collection
    >>> status_answer(Collection("mine"), pipeline="light")
    Traceback (most recent call last):
    pyramidion.errors.InputError: no people are named in the documents of mine; ...
    """
    asked = request or StudyRequest()
    used = default_model() if model is None else StatusModel.load(model)
    collection = read_study(source, asked)
    require_ids(collection, topics=asked.topics, tasks=asked.tasks)
    parser = load_parser(pipeline)
    examples, lacking = collection_examples(
        collection, parser, topics=asked.topics, tasks=asked.tasks
    )
    if not examples:
        raise InputError(
            f"no people are named in the documents of {collection.name}",
            hint="give a collection with documents and references",
        )
    found, not_validated = _findings(examples, used, folds=folds, seed=seed)
    if save is not None:
        train_model(examples, used.descriptions, data=collection.name, seed=seed).save(save)
    return Answer(
        command="study status",
        signature=Signature(
            "study-status",
            data=collection.data_hash,
            seed=seed,
            details=_details(parser, used, folds),
        ),
        results=[_record(found, used)],
        tables=status_tables(found),
        left_out=(*collection.left_out, *lacking, *not_validated),
    )


def _details(parser: Parser, model: StatusModel, folds: int) -> tuple[tuple[str, str], ...]:
    """Name what the answer depends on beside the data: models by their contents."""
    content = sha256(repr(model).encode()).hexdigest()[:8]
    return ("parser", parser.name), ("model", content), ("folds", str(folds))


def _findings(
    examples: Sequence[Example], model: StatusModel, *, folds: int, seed: int
) -> tuple[StatusFindings, list[str]]:
    statuses = statuses_of((example.person for example in examples), model)
    decisions = [
        (question, "model", judged) for question, judged in judge_status(examples, statuses).items()
    ]
    left_out: list[str] = []
    for question in RECIPES:
        for grouped in (False, True):
            how = "trained here, topics apart" if grouped else "trained here"
            try:
                validated = validate_status(
                    examples, question, model, grouped=grouped, folds=folds, seed=seed
                )
                decisions.append((question, how, validated.judged))
            except PyramidionError as error:
                left_out.append(f"{question.replace('_', '-')}, {how}: {error}")
    decisions.append(("postmodified", "rule", judge_postmodification(examples, statuses)))
    found = StatusFindings(
        tuple(examples),
        tuple(statuses),
        tuple(decisions),
        tuple(recall_by_agreement(examples, [status.major for status in statuses])),
        tuple(judge_affiliation(examples, statuses).items()),
    )
    return found, left_out


def _record(found: StatusFindings, model: StatusModel) -> dict[str, Any]:
    return {
        "study": "status",
        "people": len(found.examples),
        "decisions": [
            {"question": question, "how": how, **_judged(judged)}
            for question, how, judged in found.decisions
        ],
        "agreement": [
            {
                "named": row.named,
                "summaries": row.summaries,
                "examples": row.examples,
                "recalled": row.recalled,
                "interval": share_interval(row.recalled, row.examples),
            }
            for row in found.agreement
        ],
        "affiliation": [{"rule": rule, **_judged(judged)} for rule, judged in found.affiliation],
        "persons": list(_persons(found, model)),
    }


def _judged(judged: Judged) -> dict[str, Any]:
    measures = ("precision", "recall", "f")
    return {
        "examples": judged.number,
        "right": judged.right,
        "accuracy": judged.accuracy,
        "interval": judged.interval,
        "majority": judged.majority,
        "yes": dict(zip(measures, judged.yes(), strict=True)),
        "no": dict(zip(measures, judged.no(), strict=True)),
    }


def _persons(found: StatusFindings, model: StatusModel) -> Iterator[dict[str, Any]]:
    for example, status in zip(found.examples, found.statuses, strict=True):
        features = person_features(example.person, model.descriptions)
        yield {
            "topic": example.topic,
            "task": example.task,
            "name": example.person.name,
            "unsure": example.person.unsure,
            "summaries": example.labels.summaries,
            "named": example.labels.named,
            "major": example.labels.major,
            "hearer_old": example.labels.hearer_old,
            "probabilities": status.probabilities,
            "features": dict(zip(FEATURES, features.tolist(), strict=True)),
        }
