"""Results of DeepEval, ragas and HELM."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pyramidion.collection.formats.base import LogSettings
from pyramidion.errors import Where
from pyramidion.logs._files import read_json, read_objects, require
from pyramidion.logs.run_log import (
    ERROR,
    UNSCORED,
    LoggedItem,
    RunLog,
    content_hash,
    split_scores,
    text_fields,
)

# In DeepEval, lower is better for these in version 3 and higher in version 4, and files do not
# state the version.
_CHANGED_DIRECTION = re.compile(r"hallucination|bias|toxicity", re.IGNORECASE)

# HELM's statistics of the run, which do not describe the answer.
_RUN_STATISTIC = re.compile(
    r"num_|finish_reason_|training_|inference_|batch_size|prompt_truncated|max_prob|logprob"
)


def read_deepeval(path: Path, settings: LogSettings) -> Iterator[RunLog]:
    """Read a test run."""
    data = read_json(path)
    require(data, (), Where(path))
    cases = [*(data.get("testCases") or ()), *(data.get("conversationalTestCases") or ())]
    for number, case in enumerate(cases, start=1):
        require(case, ("metricsData",), Where(path, element=f"test case {number}"))
    results = [metric for case in cases for metric in case["metricsData"] or ()]
    hyperparameters = data.get("hyperparameters") or {}
    lower_names, higher_names = _directions(results)
    unclear_names = (
        {metric["name"] for metric in results if _CHANGED_DIRECTION.search(metric["name"])}
        - lower_names
        - higher_names
    )
    yield RunLog(
        path=path,
        tool="deepeval",
        version="",
        task=str(data.get("datasetAlias") or ""),
        model=str(hyperparameters.get("model") or data.get("identifier") or path.stem),
        items=tuple(map(_read_case, cases)),
        scorers={
            metric["name"]: json.dumps(
                [metric.get("threshold"), metric.get("strictMode")], default=str
            )
            for metric in results
        },
        lower_is_better=frozenset(lower_names),
        higher_is_better=frozenset(higher_names),
        assessors={
            metric["name"]: str(metric["evaluationModel"])
            for metric in results
            if metric.get("evaluationModel")
        },
        unclear_directions=frozenset(unclear_names),
    )


def _read_case(case: Mapping[str, Any]) -> LoggedItem:
    """Return a test case; a metric that failed has an error and no score."""
    metrics = case["metricsData"] or ()
    values = {
        metric["name"]: float(metric["score"])
        for metric in metrics
        if metric.get("score") is not None
    }
    scores, missing_scores = split_scores(values)
    missing_scores |= {metric["name"]: ERROR for metric in metrics if metric["name"] not in values}
    content = content_hash(case.get("input"), case.get("expectedOutput"), case.get("turns"))
    name = str(case.get("name") or "")
    is_position = not name or re.fullmatch(r"(?:conversational_)?test_case_\d+", name)
    return LoggedItem(
        content[:12] if is_position else name, content, scores, missing_scores,
        groups={"tags": ",".join(map(str, case["tags"]))} if case.get("tags") else {},
    )  # fmt: skip


def _directions(results: list[Any]) -> tuple[set[str], set[str]]:
    """Infer from passes and failures which measures are better if lower, and if higher."""
    lower_names, higher_names = set[str](), set[str]()
    for metric in results:
        score, threshold = metric.get("score"), metric.get("threshold")
        if not _CHANGED_DIRECTION.search(metric["name"]) or score is None or threshold is None:
            continue
        if score != threshold:
            passes_below = bool(metric.get("success")) == (score < threshold)
            (lower_names if passes_below else higher_names).add(metric["name"])
    return lower_names, higher_names


def read_ragas(path: Path, settings: LogSettings) -> Iterator[RunLog]:
    """Read a table of results: one row per item, without a name of the system."""
    rows = read_objects(path)
    text_fields = {
        "user_input",
        "response",
        "reference",
        "retrieved_contexts",
        "reference_contexts",
    }
    text_fields |= {"", "Unnamed: 0", "id"}  # the index of a frame
    names = [name for name in (rows[0] if rows else {}) if name not in text_fields]
    measures = [name for name in names if all(_is_number(row.get(name)) for row in rows)]
    items = []
    for row in rows:
        cells = {name: row[name] for name in measures if row.get(name) not in (None, "")}
        scores, missing_scores = split_scores({name: float(value) for name, value in cells.items()})
        missing_scores |= dict.fromkeys((name for name in measures if name not in cells), UNSCORED)
        content = content_hash(row.get("user_input"), row.get("reference"))
        items.append(LoggedItem(content[:12], content, scores, missing_scores))
    stem = re.sub(r"\.(csv|jsonl)(\.gz)?$", "", path.name)
    yield RunLog(path, "ragas", "", "", stem, tuple(items))


def _is_number(value: Any) -> bool:
    if value in (None, ""):
        return True
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def read_helm(path: Path, settings: LogSettings) -> Iterator[RunLog]:
    """Read the folder of a run by its ``per_instance_stats.json``."""
    spec = read_json(path.parent / "run_spec.json")
    state_path = path.parent / "scenario_state.json"
    state = read_json(state_path) if state_path.is_file() else {}
    instances = {
        str(request["instance"].get("id")): request["instance"]
        for request in state.get("request_states") or ()
        if isinstance(request.get("instance"), dict)
    }
    items = []
    for number, record in enumerate(read_json(path), start=1):
        require(record, ("instance_id", "stats"), Where(path, element=f"instance {number}"))
        if not record.get("perturbation"):
            items.append(_read_instance(record, instances.get(str(record["instance_id"]), {})))
    adapter = spec.get("adapter_spec") or {}
    scenario = str((spec.get("scenario_spec") or {}).get("class_name", "")).rpartition(".")[2]
    limit = adapter.get("max_eval_instances")
    ignored_settings = ("model", "model_deployment", "max_eval_instances", "num_train_trials")
    yield RunLog(
        path=path,
        tool="helm",
        version="",
        task=scenario.removesuffix("Scenario") or str((spec.get("groups") or [""])[0]),
        model=str(adapter.get("model") or path.absolute().parent.name),
        items=tuple(items),
        settings={
            name: json.dumps(value)
            for name, value in adapter.items()
            if name not in ignored_settings
        },
        limit=f"max_eval_instances {limit}" if limit else "",
    )


def _read_instance(record: Mapping[str, Any], instance: Mapping[str, Any]) -> LoggedItem:
    values = {
        stat["name"]["name"]: float(stat["mean"])
        for stat in record["stats"]
        if stat.get("count")
        and not stat["name"].get("perturbation")
        and not _RUN_STATISTIC.match(stat["name"]["name"])
        and isinstance(stat.get("mean"), int | float)
        and math.isfinite(stat["mean"])
    }
    name = str(record["instance_id"])
    references = [reference.get("output") for reference in instance.get("references") or ()]
    content = content_hash(instance.get("input"), references) if instance else name
    run = str(int(record.get("train_trial_index") or 0) + 1)
    return LoggedItem(
        name, content, values, run=run, groups=text_fields(instance.get("extra_data"))
    )
