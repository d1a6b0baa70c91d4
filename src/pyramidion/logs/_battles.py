"""Preferences of AlpacaEval and Chatbot Arena."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, Judgment, Preference, Preferences, Scores
from pyramidion.collection.formats.base import first_bytes, first_record, nonzero_counts
from pyramidion.errors import Where
from pyramidion.logs._files import first_item_fields, read_objects, require, table_header
from pyramidion.logs.run_log import content_hash

_CHOICE_OF_WINNER = {"model_a": "first", "model_b": "second", "tie": "tie", "tie (bothbad)": "tie"}
_CHOICE_OF_COLUMN = {"winner_model_a": "first", "winner_model_b": "second", "winner_tie": "tie"}


def are_battles(path: Path) -> bool:
    """Recognize annotations of AlpacaEval, and battles with a winner or one column for each."""
    keys = {*(first_record(path).keys() or first_item_fields(path))}
    if {"generator_1", "generator_2", "preference"} <= keys:
        return True
    if not keys and path.name.endswith((".csv", ".csv.gz")):
        keys = {*table_header(first_bytes(path))}
    return {"model_a", "model_b"} <= keys and ("anony" in keys or {*_CHOICE_OF_COLUMN} <= keys)


def read_battles(path: Path) -> Collection:
    """Read annotations or battles."""
    records = [
        (Where(path, element=f"record {number}"), record)
        for number, record in enumerate(read_objects(path), start=1)
    ]
    counts = Counter[str]()
    if records and "generator_1" in records[0][1]:
        return _read_alpaca(path, records, counts)
    preferences = [
        preference
        for where, record in records
        if (preference := _read_battle(record, where, counts))
    ]
    return Collection(
        path.name,
        preferences=Preferences.from_records(preferences),
        left_out=nonzero_counts(counts),
    )


def _read_battle(
    record: Mapping[str, Any], where: Where, counts: Counter[str]
) -> Preference | None:
    """Return the choice of a battle, unless the judge knew the models."""
    require(record, ("model_a", "model_b"), where)
    if str(record.get("anony")).lower() == "false":
        counts["battles in which the judge knew the models (anony: false)"] += 1
        return None
    if "winner" in record:
        choice = _CHOICE_OF_WINNER.get(str(record["winner"]), "")
    else:
        choice = next(
            (
                candidate
                for name, candidate in _CHOICE_OF_COLUMN.items()
                if str(record.get(name)) in ("1", "1.0")
            ),
            "",
        )
    if not choice:
        problem = f"the winner is {record.get('winner')!r}"
        raise where.error(problem, "write model_a, model_b, tie or tie (bothbad)")
    topic = next(
        (record[name] for name in ("question_id", "id") if record.get(name) is not None), ""
    )
    return Preference(
        topic=str(topic) or content_hash(record.get("prompt"))[:12],
        first=str(record["model_a"]),
        second=str(record["model_b"]),
        choice=choice,
        task=str(record.get("language") or ""),
        assessor=str(record.get("judge") or record.get("judge_hash") or ""),
        time=str(record.get("tstamp") or ""),
    )


def _read_alpaca(
    path: Path, records: list[tuple[Where, dict[str, Any]]], counts: Counter[str]
) -> Collection:
    """Read a model's preferences between a reference (1) and another system (2).

    Outputs were shown in random order and put back, so effects of their order are unknown. The
    preference minus 1 is the probability of the second system: a score that can be compared.
    """
    choices, judgments, datasets = [], [], []
    occurrences = Counter[tuple[str, str]]()
    for where, record in records:
        require(record, ("instruction", "generator_1", "generator_2", "preference"), where)
        value, first, second = record["preference"], record["generator_1"], record["generator_2"]
        if value is None:
            counts["instructions that the judge failed on"] += 1
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 2:
            raise where.error(f"`preference` is {value!r}", "it is 1, 2, 1.5, or between 1 and 2")
        value = 1.5 if value < 1 else float(value)
        topic = content_hash(record["instruction"])[:12]
        occurrences[topic, second] += 1
        if (occurrence := occurrences[topic, second]) > 1:
            topic = f"{topic}#{occurrence}"
        task, judge = str(record.get("datasplit") or ""), str(record.get("annotator") or "")
        choice = "tie" if value == 1.5 else "first" if value < 1.5 else "second"
        strength = abs(2 * value - 3) or 1.0
        choices.append(
            Preference(
                topic, first, second, choice, task=task, assessor=judge, sides="unknown",
                strength=strength,
            )
        )  # fmt: skip
        judgments.append(
            Judgment(
                topic, second, "preference", value - 1, task=task, assessor=judge,
                assessor_kind="model" if judge else "",
            )
        )  # fmt: skip
        datasets.append(str(record.get("dataset") or ""))
    scores = Scores.from_judgments(judgments)
    extra_columns = {"dataset": datasets} if len(set(datasets)) > 1 else {}
    return Collection(
        path.name,
        scores=Scores(scores.columns, scores.value, extra=extra_columns),
        preferences=Preferences.from_records(choices),
        left_out=nonzero_counts(counts),
    )
