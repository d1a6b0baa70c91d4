"""Results of promptfoo: JSON, JSONL, and CSV, whose scores are rounded."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.collection.formats.base import LogSettings
from pyramidion.collection.ids import grouped
from pyramidion.errors import Where, shortened
from pyramidion.files.reading import read_text
from pyramidion.logs._files import read_json, read_json_lines, require
from pyramidion.logs.run_log import (
    ERROR,
    LoggedItem,
    RunLog,
    content_hash,
    split_scores,
    text_fields,
)

_FAILURE_REASON_ERROR = 2
_MAX_TITLE_LENGTH = 40


def read_promptfoo(path: Path, settings: LogSettings) -> Iterator[RunLog]:
    """Read an evaluation: one run for each provider and prompt."""
    if path.name.endswith((".csv", ".csv.gz")):
        yield from _read_table(path)
        return
    data: dict[str, Any] = {}
    if path.name.endswith((".jsonl", ".jsonl.gz")):
        rows = read_json_lines(path)
    else:
        data = read_json(path)
        require(data, ("results",), Where(path))
        rows = (data["results"] or {}).get("results") or []
    for number, row in enumerate(rows, start=1):
        where = Where(path, element=f"result {number}")
        require(row, ("vars", "provider", "score", "failureReason"), where)
    names, items_by_prompt = _system_names(rows), dict[int, list[LoggedItem]]()
    occurrences = Counter[tuple[int, str]]()
    # Tests with the same variables are different items if their assertions differ.
    assertions_by_content = grouped(
        (content_hash(row["vars"]), _assertions_hash(row)) for row in rows
    )
    for row, title in zip(rows, _test_titles([row["vars"] for row in rows]), strict=True):
        index, content = int(row.get("promptIdx", 0)), content_hash(row["vars"])
        if len(set(assertions_by_content[content])) > 1:
            content = content_hash(row["vars"], _assertions_hash(row))
        occurrences[index, content] += 1
        items_by_prompt.setdefault(index, []).append(
            _read_item(row, content, title, occurrences[index, content])
        )
    config, version = (
        data.get("config") or {},
        str((data.get("metadata") or {}).get("promptfooVersion", "")),
    )
    for index, items in items_by_prompt.items():
        yield RunLog(
            path=path,
            tool="promptfoo",
            version=version,
            task=str(config.get("description") or ""),
            model=names[index],
            items=tuple(items),
            run_id=f"{data['evalId']} {index}" if data.get("evalId") else "",
        )


def _system_names(rows: list[dict[str, Any]]) -> dict[int, str]:
    """Name systems after the parts that vary: the provider, the prompt, or both."""
    providers, prompts = dict[int, str](), dict[int, str]()
    for row in rows:
        index, provider = int(row.get("promptIdx", 0)), row["provider"] or {}
        label = (
            provider.get("label") or provider.get("id") if isinstance(provider, dict) else provider
        )
        providers[index] = str(label or "provider")
        prompt = row.get("prompt") or {}
        prompts[index] = str(prompt.get("label") or prompt.get("raw") or "")[:60]
    parts = [part for part in (providers, prompts) if len(set(part.values())) > 1] or [providers]
    names = {index: " | ".join(part[index] for part in parts) for index in providers}
    repeated_names = {name for name, count in Counter(names.values()).items() if count > 1}
    return {
        index: f"{name} {index + 1}" if name in repeated_names else name
        for index, name in names.items()
    }


def _test_titles(variables: Sequence[Any]) -> list[str]:
    """Name tests without a description after the first variable that differs the most."""
    tables = [table if isinstance(table, Mapping) else {} for table in variables]
    columns = [
        [" ".join(_text(table.get(name, "")).split()) for table in tables]
        for name in dict.fromkeys(name for table in tables for name in table)
    ]
    titles = max(columns, key=lambda column: len({*column}), default=[""] * len(tables))
    return [shortened(text, _MAX_TITLE_LENGTH) for text in titles]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _read_item(row: Mapping[str, Any], content: str, title: str, run: int) -> LoggedItem:
    """Return a result; one that failed has no scores, although the file says 0."""
    test = row.get("testCase") or {}
    values = {
        "score": row["score"],
        "success": bool(row.get("success")),
        **(row.get("namedScores") or {}),
    }
    numeric_values = {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, bool | int | float)
    }
    scores, missing_scores = split_scores(numeric_values)
    if row["failureReason"] == _FAILURE_REASON_ERROR:
        scores, missing_scores = {}, {"": ERROR}
    return LoggedItem(
        id=str(test.get("description") or title or content[:12]),
        content=content,
        scores=scores,
        missing=missing_scores,
        run=str(run),
        groups={
            name: value
            for name, value in text_fields(test.get("metadata") or row.get("metadata")).items()
            if not name.startswith("_")
        },
        position="" if test.get("description") else content,
        scoring=_assertions_hash(row),
    )


def _assertions_hash(row: Mapping[str, Any]) -> str:
    return content_hash((row.get("testCase") or {}).get("assert"))


def _read_table(path: Path) -> Iterator[RunLog]:
    """Read the CSV export: blocks of columns, each after a column with the name of a system."""
    header, *lines = csv.reader(io.StringIO(read_text(path)))
    block_starts = [number - 1 for number, name in enumerate(header) if name == "Status"]
    variable_columns = range(1 if header[0] == "Description" else 0, block_starts[0])
    titles = _test_titles(
        [
            {column: cell for column, cell in enumerate(line) if column in variable_columns}
            for line in lines
        ]
    )
    for start, end in zip(block_starts, [*block_starts[1:], len(header)], strict=True):
        items, occurrences = [], Counter[str]()
        for number, (line, title) in enumerate(zip(lines, titles, strict=True), start=2):
            if len(line) != len(header):
                problem = f"the row has {len(line)} cells, the header {len(header)}"
                raise Where(path, line=number).error(problem, "export the file again")
            content = content_hash({header[column]: line[column] for column in variable_columns})
            occurrences[content] += 1
            cells = dict(zip(header[start:end], line[start:end], strict=True))
            scores = {"score": cells["Score"], "success": str(int(cells["Status"] == "PASS"))}
            scores |= {
                name[8:]: value
                for name, value in cells.items()
                if name.startswith("Metric: ") and value
            }
            is_error = cells["Status"] == "ERROR"
            description = line[0] if header[0] == "Description" else ""
            items.append(
                LoggedItem(
                    id=description or title or content[:12],
                    content=content,
                    scores={}
                    if is_error
                    else {name: float(value) for name, value in scores.items()},
                    missing={"": ERROR} if is_error else {},
                    run=str(occurrences[content]),
                    position="" if description else content,
                )
            )
        provider, _, prompt = header[start].removeprefix("[").partition("] ")
        note = f"{path.name}: scores are rounded to two digits in CSV; read the JSON output instead"
        yield RunLog(
            path, "promptfoo", "", "", f"{provider} | {prompt}", tuple(items), left_out=(note,)
        )
