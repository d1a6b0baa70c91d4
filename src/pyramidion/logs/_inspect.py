"""Logs of inspect_ai: ``.eval`` archives and ``.json`` files."""

import io
import json
import math
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pyramidion.collection.formats.base import LogSettings, first_bytes
from pyramidion.errors import MissingExtraError, Where
from pyramidion.files.inputs import max_unpacked
from pyramidion.logs._files import parse_json, read_json, require
from pyramidion.logs.run_log import (
    ERROR,
    LoggedItem,
    RunLog,
    content_hash,
    split_scores,
    text_fields,
    to_number,
)

_ZSTANDARD_METHOD = 93

_NO_ANSWER_NOTE = "grade N (no answer), counted as 0"

# The fields of a sample that are used; the others, such as messages, may be large.
_USED_FIELDS = (
    "id",
    "epoch",
    "input",
    "choices",
    "target",
    "metadata",
    "scores",
    "error",
    "invalidation",
)

# Summaries hold texts of up to this many characters; longer ones are only in the samples.
_MAX_SUMMARY_TEXT = 1024


class _Log(NamedTuple):
    """The header of a log, its samples, and a function that reads whole samples."""

    header: dict[str, Any]
    samples: list[dict[str, Any]]
    is_finished: bool


def read_inspect(path: Path, settings: LogSettings) -> Iterator[RunLog]:
    """Read a log; one that did not succeed is read only if that is allowed."""
    log = _read_archive(path) if first_bytes(path, 2) == b"PK" else _read_json_log(path)
    header, where = log.header, Where(path)
    require(header, ("eval",), where)
    evaluation = header["eval"]
    require(evaluation, ("task", "model"), where)
    status = str(header.get("status", "started")) if log.is_finished else "started"
    if header.get("invalidated"):
        raise where.error("the log is marked as invalidated", "leave it out")
    yield _make_run(path, header, log.samples, settings, status)


def _make_run(
    path: Path,
    header: dict[str, Any],
    samples: list[dict[str, Any]],
    settings: LogSettings,
    status: str,
) -> RunLog:
    """Return a log as a run."""
    evaluation, counts = header["eval"], Counter[str]()
    items = tuple(
        _read_item(sample, settings.grade_values, counts)
        for sample in samples
        if not sample.get("invalidation")
    )
    if n_skipped := len(samples) - len(items):
        counts["invalidated samples"] = n_skipped
    if status != "success":
        counts[f"samples that an evaluation with the status {status} may lack"] = max(
            0, int(_expected_samples(header) - len(samples))
        )
    config, dataset = evaluation.get("config") or {}, evaluation.get("dataset") or {}
    reducers = config.get("epochs_reducer") or ["mean"]
    roles = {
        name: str(role.get("model") if isinstance(role, dict) else role)
        for name, role in (evaluation.get("model_roles") or {}).items()
    }
    n_no_answers = counts.pop(_NO_ANSWER_NOTE, 0)
    left_out = [f"{path.name}: {number} {name}" for name, number in counts.items() if number]
    if reducers not in (["mean"], "mean"):
        left_out.append(f"{path.name}: its own figures reduce epochs by {reducers}; here, by mean")
    return RunLog(
        path=path,
        tool="inspect_ai",
        version=str((evaluation.get("packages") or {}).get("inspect_ai", "")),
        task=str(evaluation["task"]),
        model=str(evaluation["model"]),
        items=items,
        run_id=str(evaluation.get("eval_id") or ""),
        attempt_of=str(evaluation.get("task_id") or ""),
        status=status,
        settings=_settings(header),
        scorers={scorer["name"]: _scorer_text(scorer) for scorer in _scorers(evaluation)},
        task_version=str(evaluation.get("task_version", "")),
        roles=roles,
        limit=f"limit {config['limit']}" if config.get("limit") else "",
        stated=_stated_means(header) if reducers in (["mean"], "mean") else {},
        assessors={
            scorer["name"]: str(judge)
            for scorer in _scorers(evaluation)
            if (judge := _judge_of_scorer(scorer, roles))
        },
        ids_are_positions=bool(dataset.get("shuffled")),
        counts={_NO_ANSWER_NOTE: n_no_answers} if n_no_answers else {},
        left_out=tuple(left_out),
    )


def _expected_samples(header: Mapping[str, Any]) -> int:
    """Return the number of samples that a complete log would have."""
    config = header["eval"].get("config") or {}
    ids = (header["eval"].get("dataset") or {}).get("sample_ids") or ()
    return len(ids) * int(config.get("epochs") or 1)


def _scorers(evaluation: Mapping[str, Any]) -> list[dict[str, Any]]:
    scorers = evaluation.get("scorers") or []
    return [scorer for scorer in scorers if isinstance(scorer, dict) and "name" in scorer]


def _judge_of_scorer(scorer: Mapping[str, Any], roles: Mapping[str, str]) -> Any:
    """Return the grading model: that of the scorer, or the one in the role of a grader."""
    grader = roles.get("grader") if scorer["name"].startswith("model_graded") else None
    return (scorer.get("options") or {}).get("model") or grader


def _scorer_text(scorer: Mapping[str, Any]) -> str:
    scorer_fields = {
        name: scorer[name] for name in ("name", "options", "metrics") if name in scorer
    }
    return json.dumps(scorer_fields, sort_keys=True, default=str)


def _settings(header: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings that affect answers, besides the model and the items."""
    evaluation, plan = header["eval"], header.get("plan") or {}
    steps = [
        f"{step.get('solver')} {_setting_text(step.get('params'))}"
        for step in plan.get("steps", ())
    ]
    settings = {
        **(evaluation.get("task_args") or {}),
        "solver": " > ".join(steps),
        **(evaluation.get("model_generate_config") or {}),
        **{
            name: value
            for name, value in (plan.get("config") or {}).items()
            if name != "max_connections"
        },
    }
    return {name: _setting_text(value) for name, value in settings.items()}


def _setting_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _stated_means(header: Mapping[str, Any]) -> dict[str, float]:
    """Return the means that the log reports for its measures."""
    means = {}
    for score in (header.get("results") or {}).get("scores") or ():
        name, scorer, metrics = score.get("name"), score.get("scorer"), score.get("metrics") or {}
        value = (metrics.get("mean") or metrics.get("accuracy") or {}).get("value")
        if isinstance(value, int | float) and math.isfinite(value):
            means[name if name == scorer else f"{scorer}.{name}"] = float(value)
    return means


def _read_item(
    sample: Mapping[str, Any], grades: Mapping[str, float], counts: Counter[str]
) -> LoggedItem:
    """Return a sample's scores; grades become numbers, other texts are counted."""
    values: dict[str, float] = {}
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value") if isinstance(score, dict) else score
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for part, part_value in parts:
            name = f"{scorer}.{part}" if part else scorer
            number = to_number(part_value, grades)
            if part_value == "N" and "N" not in grades:
                counts[_NO_ANSWER_NOTE] += 1
            if number is not None:
                values[name] = number
            elif isinstance(part_value, str):
                counts[f"values {part_value!r} of {name}; give their numbers with --grades"] += 1
            elif part_value is not None:
                counts[f"values of {name} that are neither numbers nor grades"] += 1
    scores, missing_scores = split_scores(values)
    if sample.get("error") and not scores:
        missing_scores = {"": ERROR}
    return LoggedItem(
        id=str(sample.get("id", "")),
        content=content_hash(
            _input_text(sample.get("input")), sample.get("choices") or None, sample.get("target")
        ),
        scores=scores,
        missing=missing_scores,
        run=str(sample.get("epoch", 1)),
        groups=text_fields(sample.get("metadata")),
    )


def _input_text(value: Any) -> str:
    """Return the text of an input that may be a list of messages."""
    if not isinstance(value, list):
        return str(value)
    texts = []
    for message in value:
        content = message.get("content") if isinstance(message, dict) else message
        parts = content if isinstance(content, list) else [content]
        texts += [part.get("text", "") if isinstance(part, dict) else str(part) for part in parts]
    return "\n".join(texts)


def _read_json_log(path: Path) -> _Log:
    data = read_json(path)
    require(data, ("eval",), Where(path))
    samples = [sample for sample in data.get("samples") or () if isinstance(sample, dict)]
    return _Log(data, samples, True)


def _read_archive(path: Path) -> _Log:
    """Read the header and the summaries; whole samples only where summaries do not suffice."""
    where = Where(path)
    try:
        with zipfile.ZipFile(path) as archive:
            reader = _Reader(path, archive)
            names = {info.filename: info for info in archive.infolist()}
            is_finished = "header.json" in names
            header = reader.json("header.json" if is_finished else "_journal/start.json")
            if "summaries.json" in names:
                summaries = reader.json("summaries.json")
            else:
                parts = [name for name in names if name.startswith("_journal/summaries/")]
                summaries = [summary for name in parts for summary in reader.json(name)]
            samples = [summary for summary in summaries if isinstance(summary, dict)]
            is_complete = any("metadata" in sample for sample in samples)
            if is_complete and not any("choices" in sample for sample in samples):
                # Some versions leave choices out of summaries; the first sample shows whether.
                is_complete = not any(
                    _complete_sample(sample, reader, names, False).get("choices")
                    for sample in samples[:1]
                )
            samples = [_complete_sample(summary, reader, names, is_complete) for summary in samples]
    except (
        zipfile.BadZipFile, zlib.error, EOFError, struct.error, OSError, KeyError, RuntimeError,
    ) as error:  # fmt: skip
        problem = f"the archive is damaged ({error})"
        raise where.error(problem, "copy it again, or leave it out") from None
    return _Log(header, samples, is_finished)


def _complete_sample(
    summary: dict[str, Any],
    reader: "_Reader",
    names: Mapping[str, zipfile.ZipInfo],
    is_complete: bool,
) -> dict[str, Any]:
    """Return the sample of a summary whose texts are cut or that lacks metadata or choices."""
    texts = (_input_text(summary.get("input")), str(summary.get("target")))
    if is_complete and all(len(text) < _MAX_SUMMARY_TEXT for text in texts):
        return summary
    name = f"samples/{summary.get('id')}_epoch_{summary.get('epoch')}.json"
    if name not in names:
        return summary
    sample = reader.json(name)
    return {**summary, **{field: sample[field] for field in _USED_FIELDS if field in sample}}


class _Reader:
    """Reads members of an archive up to a size limit, without writing files."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._path, self._archive = path, archive
        self._max_bytes = self._remaining_bytes = max_unpacked(path.stat().st_size)

    def json(self, name: str) -> Any:
        """Read a member as JSON."""
        where = Where(self._path, element=name)
        info = self._archive.getinfo(name)
        data = b"" if info.file_size > self._remaining_bytes else self._bytes(info)
        if info.file_size > self._remaining_bytes or len(data) > self._remaining_bytes:
            problem = f"the archive unpacks to more than {self._max_bytes // 2**20} MiB"
            raise where.error(problem, "check that it is a log")
        self._remaining_bytes -= len(data)
        return parse_json(data.decode("utf-8", "replace"), where)

    def _bytes(self, info: zipfile.ZipInfo) -> bytes:
        if info.compress_type != _ZSTANDARD_METHOD:
            with self._archive.open(info) as member:
                return member.read(self._remaining_bytes + 1)
        # Before Python 3.14, zipfile lists members compressed with Zstandard but cannot read them.
        try:
            import zstandard
        except ImportError:
            raise MissingExtraError("reading this log", extra="logs") from None
        with self._path.open("rb") as file:
            file.seek(info.header_offset)
            name_length, extra_length = struct.unpack("<HH", file.read(30)[26:])
            file.seek(name_length + extra_length, 1)
            packed_bytes = io.BytesIO(file.read(info.compress_size))
        try:
            stream = zstandard.ZstdDecompressor().stream_reader(
                packed_bytes, read_across_frames=True
            )
            return bytes(stream.read(self._remaining_bytes + 1))
        except zstandard.ZstdError as error:
            raise zipfile.BadZipFile(str(error)) from None
