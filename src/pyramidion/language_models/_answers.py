"""Judgments in the answers of language models: the requested JSON, or something close to it."""

import json
import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any, NamedTuple

Value = float | str

#: Keys under which models give reasons.
_REASON_KEYS = ("reason", "reasoning", "reasons", "explanation", "rationale", "justification")
_THOUGHTS_PATTERN = re.compile(
    r"<(think|thinking|thought|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.I
)
_END_OF_THOUGHTS_PATTERN = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.I)
_FENCE_PATTERN = re.compile(r"```\w*")
_NUMBER_PATTERN = re.compile(r"-?\d+(?:\.\d+)?")

# Maximum number of objects read at the end of an answer; each may be deeply nested.
_MAX_READ_OBJECTS = 50


class ReadAnswer(NamedTuple):
    """A judgment (None if there is none), its reason, and whether it was read leniently.

    >>> ReadAnswer(4.0, "It is clear.").lenient
    False
    """

    value: Value | None
    reason: str = ""
    lenient: bool = False


def read_answer(
    text: str, reason: bool, accept: Callable[[Any], Value | None], *, strict: bool = False
) -> ReadAnswer:
    """Read the requested JSON object; unless `strict`, also what models send instead.

    Lenient forms are JSON with text, thoughts or a fence around it, numbers as strings, other keys,
    and a value alone. Where an answer has several different judgments, none counts.

    >>> read_answer('I say: {"answer": "Yes"}', False, {"yes": "yes"}.get)
    ReadAnswer(value='yes', reason='', lenient=True)
    """
    answer = _parse_json(text)
    if isinstance(answer, dict) and {*answer} == {"answer", *["reason"] * reason}:
        value = accept(answer["answer"])
        if value is not None:
            return ReadAnswer(value, str(answer.get("reason", "")))
    if strict:
        return ReadAnswer(None)
    # Some servers send the end of the thoughts only.
    body = _END_OF_THOUGHTS_PATTERN.split(_THOUGHTS_PATTERN.sub("", text))[-1]
    judgments = [ReadAnswer(*pair, lenient=True) for pair in _find_judgments(body, accept)]
    return (
        judgments[-1] if len({judgment.value for judgment in judgments}) == 1 else ReadAnswer(None)
    )


def _find_judgments(
    body: str, accept: Callable[[Any], Value | None]
) -> Iterator[tuple[Value, str]]:
    """Find judgments: a value that is the whole text, or those of all JSON objects in it."""
    unfenced_text = _FENCE_PATTERN.sub("", body).strip()
    if (value := _as_allowed_value(unfenced_text, accept)) is not None:
        yield value, ""
    for content in _find_objects(body):
        answer = {key.strip().casefold(): value for key, value in content.items()}
        reason = next((str(answer.pop(key)) for key in _REASON_KEYS if key in answer), "")
        only_value = next(iter(answer.values())) if len(answer) == 1 else None
        if (value := _as_allowed_value(answer.get("answer", only_value), accept)) is not None:
            yield value, reason


def _find_objects(body: str) -> Iterator[dict[str, Any]]:
    """Return the JSON objects in a text; an object that only wraps another one is unwrapped."""
    decoder, end = json.JSONDecoder(object_pairs_hook=_unique_keys), 0
    starts = [brace.start() for brace in re.finditer("{", body)]
    for start in starts[-_MAX_READ_OBJECTS:]:
        with suppress(ValueError, RecursionError):
            if start >= end:
                answer, end = decoder.raw_decode(body, start)
                while len(answer) == 1 and isinstance(
                    inner_object := next(iter(answer.values())), dict
                ):
                    answer = inner_object
                yield answer


def _as_allowed_value(value: Any, accept: Callable[[Any], Value | None]) -> Value | None:
    """Return an allowed value, also if it is written as a string or in capitals."""
    if not isinstance(value, str):
        return accept(value)
    word = value.strip(" \n\t.!*\"'").casefold()
    try:
        return accept(float(word))
    except ValueError:
        return accept(word)


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError):
        return None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    merged_fields = dict(pairs)
    if len(merged_fields) < len(pairs):
        raise ValueError("a key appears twice")
    return merged_fields


def score_probabilities(
    tokens: Sequence[tuple[str, Mapping[str, float]]], scale: Sequence[Value], score: Any
) -> dict[str, float]:
    """Return the probabilities of all scores at the token of the score that was given.

    That is the last number of the answer. Nothing is returned if several tokens form it. If a score
    begins another one, as 1 begins 10, the token of a longer one must be among the alternatives:
    otherwise the tokenizer may split it, and the shorter one would get its probability.

    >>> score_probabilities([("4", {"4": 0.0})], [1, 2, 3, 4, 5], 4.0)
    {'4': 1.0}
    """
    answer_text = "".join(token for token, _ in tokens)
    numbers = [*_NUMBER_PATTERN.finditer(answer_text)]
    if not numbers or not isinstance(score, float) or float(numbers[-1][0]) != score:
        return {}
    ends = list(accumulate(len(token) for token, _ in tokens))
    index = bisect_right(ends, numbers[-1].start())
    if ends[index] < numbers[-1].end():
        return {}
    labels = {str(value) for value in scale}
    probabilities: dict[str, float] = {}
    for token, logprob in tokens[index][1].items():
        if (number := _NUMBER_PATTERN.search(token)) and number[0] in labels:
            label, probability = number[0], math.exp(min(logprob, 0.0))
            probabilities[label] = probabilities.get(label, 0.0) + probability
    longer_labels = {
        label for label in labels if any(label[:end] in labels for end in range(1, len(label)))
    }
    return probabilities if not longer_labels or longer_labels & probabilities.keys() else {}


def expected_score(probabilities: Any) -> float | None:
    """Return the mean of scores weighted by stored probabilities, which must be valid.

    >>> expected_score({"4": 0.5, "5": 0.5})
    4.5
    """
    if not isinstance(probabilities, dict):
        return None
    try:
        pairs = [(float(score), float(weight)) for score, weight in probabilities.items()]
    except (TypeError, ValueError):
        return None
    total = sum(weight for _, weight in pairs)
    mean = sum(score * weight for score, weight in pairs) / total if total > 0 else math.nan
    return mean if math.isfinite(mean) else None
