"""Samples of lm-evaluation-harness: ``samples_TASK_TIME.jsonl`` next to ``results_TIME.json``."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pyramidion.collection.formats.base import LogSettings
from pyramidion.errors import Where
from pyramidion.logs._files import read_json, read_json_lines, require
from pyramidion.logs.run_log import LoggedItem, RunLog, split_scores, text_fields

_FILE_NAME = re.compile(r"samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT[\d.:-]+)\.jsonl(?:\.gz)?$")

# Without results, these are the metrics of the harness for which lower is better.
_LOWER_IS_BETTER = ("perplexity", "bits_per_byte", "ter", "wer", "brier_score")


def read_lm_eval(path: Path, settings: LogSettings) -> Iterator[RunLog]:
    """Read the samples of one task."""
    match = _FILE_NAME.match(path.name)
    task = match["task"] if match else path.name.split(".")[0].removeprefix("samples_")
    results = _read_results(path, match["time"] if match else "", task)
    records, corpus_measures = read_json_lines(path), set[str]()
    items = tuple(_items(records, path, corpus_measures))
    directions = (results.get("higher_is_better") or {}).get(task) or {}
    measures = {name for item in items for name in item.scores}
    directions_stated = {name: directions.get(_metric_of(name)) for name in measures}
    # The harness writes null for metrics that it does not know.
    lower_names = {
        name
        for name, is_higher_better in directions_stated.items()
        if is_higher_better is False or (is_higher_better is None and _is_lower_better(name))
    }
    left_out = [
        f"{path.name}: {name} has no scores of items (corpus measure)"
        for name in sorted(corpus_measures)
    ]
    yield RunLog(
        path=path,
        tool="lm-eval",
        version=str(results.get("lm_eval_version", "")),
        task=task,
        model=str(results.get("model_name") or path.absolute().parent.name),
        items=items,
        run_id=f"{match['time']} {task}" if match else "",
        settings=_settings(results, task),
        scorers=dict.fromkeys(measures, _scoring_text(results, task)),
        lower_is_better=frozenset(lower_names),
        higher_is_better=frozenset(name for name in measures if directions.get(_metric_of(name))),
        task_version=str((results.get("versions") or {}).get(task, "")),
        limit=_limit(results, task),
        stated=_stated_means(results, task, measures),
        left_out=tuple(left_out),
    )


def _read_results(path: Path, time: str, task: str) -> dict[str, Any]:
    """Read the results of the same run; empty if there are none."""
    results = path.parent / f"results_{time}.json"
    data = read_json(results) if time and results.is_file() else {}
    return data if isinstance(data, dict) else {}


def _items(
    records: list[dict[str, Any]], path: Path, corpus_measures: set[str]
) -> Iterator[LoggedItem]:
    """Join the blocks of the filters: a document occurs once in each, or it is listed again."""
    occurrences = Counter[tuple[str, str]]()
    documents: dict[str, dict[str, Any]] = {}
    values: dict[str, dict[str, float]] = {}
    for number, record in enumerate(records, start=1):
        require(record, ("doc_id", "doc_hash", "metrics"), Where(path, line=number))
        key = str(record["doc_id"])
        suffix = "" if record.get("filter", "none") == "none" else f",{record['filter']}"
        occurrences[key, suffix] += 1
        key += f"#{occurrences[key, suffix]}" * (occurrences[key, suffix] > 1)
        documents.setdefault(key, record)
        for metric in record["metrics"]:
            value, name = record.get(metric), f"{metric}{suffix}"
            if isinstance(value, bool | int | float):
                values.setdefault(key, {})[name] = float(value)
            elif value is not None:
                corpus_measures.add(name)
    for key, record in documents.items():
        scores, missing_scores = split_scores(values.get(key, {}))
        document_hash = str(record["doc_hash"])
        groups, prompt = text_fields(record.get("doc")), str(record.get("prompt_hash", ""))
        yield LoggedItem(
            document_hash[:12],
            document_hash,
            scores,
            missing_scores,
            groups=groups,
            position=key,
            prompt=prompt,
        )


def _metric_of(measure: str) -> str:
    return measure.partition(",")[0]


def _is_lower_better(measure: str) -> bool:
    return any(metric in _metric_of(measure) for metric in _LOWER_IS_BETTER if len(metric) > 3) or (
        _metric_of(measure) in _LOWER_IS_BETTER
    )


def _settings(results: Mapping[str, Any], task: str) -> dict[str, str]:
    """Return the settings that affect the prompts, besides the documents."""
    settings = {"n-shot": str((results.get("n-shot") or {}).get(task, ""))}
    for name in ("chat_template_sha", "system_instruction_sha"):
        settings[name.removesuffix("_sha").replace("_", " ")] = str(results.get(name) or "")
    return {name: value for name, value in settings.items() if value}


def _scoring_text(results: Mapping[str, Any], task: str) -> str:
    config = (results.get("configs") or {}).get(task) or {}
    parts = {name: config.get(name) for name in ("metric_list", "filter_list", "process_results")}
    return json.dumps(parts, sort_keys=True, default=str) if config else ""


def _limit(results: Mapping[str, Any], task: str) -> str:
    if limit := (results.get("config") or {}).get("limit"):
        return f"limit {limit:g}" if isinstance(limit, int | float) else f"limit {limit}"
    counts = (results.get("n-samples") or {}).get(task) or {}
    n_original, n_effective = counts.get("original"), counts.get("effective")
    return f"{n_effective} of {n_original} documents" if n_original != n_effective else ""


def _stated_means(results: Mapping[str, Any], task: str, measures: set[str]) -> dict[str, float]:
    """Return the means that the results report."""
    task_results = (results.get("results") or {}).get(task) or {}
    keys = {name: name if "," in name else f"{name},none" for name in measures}
    return {
        name: float(task_results[key])
        for name, key in keys.items()
        if isinstance(task_results.get(key), int | float)
    }
