"""The common form of all logs of evaluations: the scores of one system's items."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Why a score is missing.
ERROR, UNSCORED = "error", "unscored"

_VALUE_OF_GRADE = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_VALUE_OF_WORD = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


@dataclass(frozen=True, slots=True)
class LoggedItem:
    """One item of a run with its scores.

    Parameters
    ----------
    id
        Its name in the log.
    content
        A hash of everything that makes it the same item: question, choices, expected answer.
    scores
        The values of its measures.
    missing
        Why other measures have no value: `ERROR` or `UNSCORED`.
    run
        The number of the epoch or repetition.
    groups
        Texts that other items may share, such as the source of the item.
    position
        What identifies it in the log (a number or the content), if the id does not.
    prompt, scoring
        Hashes of the prompt, and of how the answer was scored, if the log has them by item.
    """

    id: str
    content: str
    scores: Mapping[str, float]
    missing: Mapping[str, str] = field(default_factory=dict)
    run: str = "1"
    groups: Mapping[str, str] = field(default_factory=dict)
    position: str = ""
    prompt: str = ""
    scoring: str = ""


@dataclass(frozen=True, slots=True)
class RunLog:
    """The log of one system on one task.

    Parameters
    ----------
    path, tool, version
        The file, and what wrote it.
    task, model
        The task, and the system that answered.
    run_id
        Identifies the run, so that a copy of its log is not counted twice.
    attempt_of
        Identifies the evaluation that was repeated because an earlier try failed.
    status
        Whether the evaluation succeeded: ``success``, or another word.
    settings
        What else may differ between runs: prompts, arguments, few-shot examples.
    scorers
        How each measure is computed, as a text to compare.
    lower_is_better, higher_is_better
        Measures whose direction the log states.
    unclear_directions
        Measures whose direction depends on the tool's version, which the log does not state.
    task_version
        The version of the task, if the log states one.
    roles
        Models with another part in the evaluation, such as the grader.
    limit
        How the items were restricted, in words.
    stated
        The means that the log itself reports.
    assessors
        The model that judged each measure, if one did.
    ids_are_positions
        Whether the ids only number the items in the order of this run.
    counts
        How often something was read in a way that users should know about, such as grades.
    left_out
        What the reader could not use, one line each.
    """

    path: Path
    tool: str
    version: str
    task: str
    model: str
    items: tuple[LoggedItem, ...]
    run_id: str = ""
    attempt_of: str = ""
    status: str = "success"
    settings: Mapping[str, str] = field(default_factory=dict)
    scorers: Mapping[str, str] = field(default_factory=dict)
    lower_is_better: frozenset[str] = frozenset()
    higher_is_better: frozenset[str] = frozenset()
    unclear_directions: frozenset[str] = frozenset()
    task_version: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    limit: str = ""
    stated: Mapping[str, float] = field(default_factory=dict)
    assessors: Mapping[str, str] = field(default_factory=dict)
    ids_are_positions: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def content_hash(*parts: Any) -> str:
    """Return a short hash of texts, lists and objects, regardless of the order of keys."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def to_number(value: Any, grades: Mapping[str, float]) -> float | None:
    """Convert a score to a number: numbers, yes or no, and grades; None for other values.

    >>> to_number("C", {}), to_number(True, {}), to_number("good", {"good": 1}), to_number("x", {})
    (1.0, 1.0, 1, None)
    """
    if isinstance(value, bool | int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    if value in grades:
        return grades[value]
    if value in _VALUE_OF_GRADE or value.lower() in _VALUE_OF_WORD:
        return _VALUE_OF_GRADE.get(value, _VALUE_OF_WORD.get(value.lower()))
    try:
        return float(value)
    except ValueError:
        return None


def split_scores(values: Mapping[str, float]) -> tuple[dict[str, float], dict[str, str]]:
    """Separate numbers from those that are not finite, which mean that there is no score."""
    scores = {name: value for name, value in values.items() if math.isfinite(value)}
    return scores, dict.fromkeys(values.keys() - scores.keys(), UNSCORED)


def text_fields(data: Any) -> dict[str, str]:
    """Return the fields of an object that can name a group of items."""
    pairs = data.items() if isinstance(data, dict) else ()
    texts = {str(name): value for name, value in pairs if isinstance(value, str | int | bool)}
    return {name: str(value) for name, value in texts.items() if len(str(value)) <= 100}
