"""A job over the parts of a folder: finished parts are kept, failures are reported."""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from pyramidion.checks.streams import StreamChecks, repeated_error
from pyramidion.collection.checking import warn_findings
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.collection.stream import StreamItem
from pyramidion.engine._sums import ExactSums
from pyramidion.engine.engines import Engine, EngineOptions, InProcess, require_ready
from pyramidion.engine.parts import (
    absolute,
    address_of,
    change_stamp,
    digest_of,
    encode_records,
    files_of,
    is_inside,
    is_remote,
    join_path,
    make_folder,
    open_part,
    part_sizes,
    read_json,
    remove_file,
    size_of,
    write_json,
    write_part,
)
from pyramidion.engine.pieces import PIECE_BYTES, Piece, Unread, cut_file
from pyramidion.errors import InputError, Where
from pyramidion.files.reading import Record
from pyramidion.files.writing import FileBatch, sweep_unfinished
from pyramidion.questions import Options, Progress, option

#: How to handle a record that cannot be processed.
OnError = Literal["stop", "report"]

# Next to the results: a report on each finished part, the records set aside, and the job that
# wrote them, so that no other job writes there.
_DONE_FOLDER, _ERRORS_FOLDER, _JOB_FILE = "_done", "_errors", "_job.json"

# Errors that a bad record can cause, also in a user's metric; running out of memory is not one.
_RECORD_ERRORS = (
    InputError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip

# Records per batch, and the count below which numbers are added without an array.
_BATCH_SIZE, _MAX_PLAIN_SUM = 1024, 64

# Parts that a worker gets at a time, and the seconds after which it saves finished ones.
_MAX_BATCH_PARTS, _SECONDS_BETWEEN_SAVES = 256, 2.0

# Parts up to this many bytes are read several at a time if their records fit into a batch.
_MAX_SMALL_BYTES, _MAX_PREPARED_PARTS = 2**16, 64

# Gzipped parts with more bytes are cut.
_MAX_PACKED_BYTES = PIECE_BYTES // 8

#: Task, system and kind: the unit of averaging.
Group = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class PartsOptions(EngineOptions):
    """Where the parts of a folder are processed, and where results and errors go."""

    on_error: OnError = option(
        "stop", "How to handle a record that cannot be read: stop, or report (write it to the "
        "folder _errors of the output, and count it).", metavar="NAME",
    )  # fmt: skip
    parts_to: str | None = option(
        None, "Output folder, if the source is a folder of parts.", on_command_line=False
    )
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)

    def report_ineffective(self) -> None:
        """Report options that have no effect without parts."""
        for line in self.ineffective:
            self.progress.message(line)

    def run(self, job: "Job", source: str) -> "JobReport":
        """Run a job over the parts of a folder, and report progress and problems."""
        if self.parts_to is None:
            hint = "name a new folder with --output"
            raise InputError("a folder of parts needs an output folder", hint)
        target = address_of(self.parts_to)
        if target.endswith((".csv", ".tsv")):
            hint = "name a folder, such as scores/"
            raise InputError(
                "the output of a folder of parts must be a folder", hint, where=Where(target)
            )
        try:
            with self.opened() as engine:
                report = run_parts(
                    job, source, target,
                    engine=engine, on_error=self.on_error, progress=self.progress.advance,
                )  # fmt: skip
        finally:
            _remove_unfinished_files(target)  # unfinished files of workers that were killed
        warn_findings(report.checks.problems(), Where(source))
        if report.resumed:
            self.progress.message(
                f"{report.resumed} of {report.parts} parts were finished by an earlier run"
            )
        self.progress.message(f"wrote {target}: {report.records:,} records")
        if not report.records:
            hint = f"see {target}/{_ERRORS_FOLDER}" if report.failed else "check the parts"
            raise InputError("no record of these parts can be used", hint, where=Where(source))
        return report

    def left_out(self, report: "JobReport") -> tuple[str, ...]:
        """Count the records set aside, and name their folder."""
        if not report.failed:
            return ()
        record_noun = "record" if report.failed == 1 else "records"
        target = address_of(str(self.parts_to))
        return (f"{report.failed} {record_noun} that cannot be used, in {target}/{_ERRORS_FOLDER}",)


def refuse_ineffective(options: Options, *names: str, source: str = "a folder of parts") -> None:
    """Refuse options that would change nothing."""
    for name, _ in options.changed(*names):
        raise InputError(f"--{name} has no effect on {source}", hint="leave it out")


class Job(Protocol):
    """A pure function from records to records that can be pickled."""

    @property
    def label(self) -> str:
        """Everything that determines the results; stored with them."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The fields of its results that are averaged."""

    def __call__(self, records: Sequence[Record]) -> list[dict[str, Any]]:
        """Return one record per record; an error names the record at fault."""


class StreamJob:
    """A job on the items of a stream, which are checked like those of a single file."""

    def of_items(self, items: Sequence[StreamItem]) -> list[dict[str, Any]]:
        """Return one record per item."""
        raise NotImplementedError

    def __call__(self, records: Sequence[Record]) -> list[dict[str, Any]]:
        """Return one record per record."""
        return self.of_items([StreamItem.from_record(record) for record in records])


@dataclass(frozen=True)
class JobReport:
    """The outcome of a job, or of one of its parts.

    Parameters
    ----------
    parts, resumed
        Number of parts, and of those finished by an earlier run.
    records, failed
        Number of records written, and of those set aside in the folder ``_errors``.
    digest
        Sum of the hashes of the records read; independent of their order.
    sums
        Sums for means, by group and measure.
    checks
        Suspicious items of a stream.
    """

    parts: int = 0
    resumed: int = 0
    records: int = 0
    failed: int = 0
    digest: int = 0
    sums: Mapping[Group, Mapping[str, ExactSums]] = field(default_factory=dict)
    checks: StreamChecks = field(default_factory=StreamChecks, compare=False)

    @classmethod
    def total(cls, reports: Iterable["JobReport"]) -> "JobReport":
        """Add up the counts and sums of several reports."""
        counts, digest = dict.fromkeys(("parts", "resumed", "records", "failed"), 0), 0
        sums: dict[Group, dict[str, ExactSums]] = {}
        checks = []
        for report in reports:
            checks.append(report.checks)
            for name in counts:
                counts[name] += getattr(report, name)
            digest += report.digest
            _add_sums(sums, report.sums)
        merged_checks = StreamChecks.merged(checks)
        return cls(**counts, digest=digest % 2**64, sums=sums, checks=merged_checks)

    def means(self, measures: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield the mean of each measure by task, system and kind; people come last."""
        for task, system, kind in sorted(self.sums, key=group_order):
            for measure in measures:
                values = self.sums[task, system, kind][measure]
                low, high = values.interval()
                yield {
                    "task": task, "system": system, "kind": kind, "measure": measure,
                    "mean": values.mean, "low": low, "high": high, "n": values.n,
                }  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return the report on a part for JSON."""
        sums = [
            [
                *group,
                {name: numbers.to_list() for name, numbers in sorted(by_measure.items())},
            ]
            for group, by_measure in sorted(self.sums.items())
        ]
        return {
            "records": self.records, "failed": self.failed, "digest": self.digest, "sums": sums,
            "checks": self.checks.to_dict(),
        }  # fmt: skip

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "JobReport":
        """Parse the output of `to_dict`."""
        sums = {
            (task, system, kind): {n: ExactSums.from_list(v) for n, v in by_measure.items()}
            for task, system, kind, by_measure in data["sums"]
        }
        checks = StreamChecks.from_dict(data["checks"])
        return cls(1, 1, data["records"], data["failed"], data["digest"], sums, checks)


def group_order(group: Group) -> tuple[object, ...]:
    """Order systems by task and name, people last."""
    task, system, kind = group
    return task, kind == "human", natural_order(system)


def run_parts(
    job: Job,
    source: str,
    target: str,
    *,
    engine: Engine | None = None,
    on_error: OnError = "stop",
    progress: Callable[[int, int], None] | None = None,
) -> JobReport:
    """Run a job over all parts of a folder; results go to parts of the same name in another.

    An interrupted run continues where it stopped: finished parts are not repeated.

    Parameters
    ----------
    job
        Function that is applied to the records.
    source, target
        Folders, or addresses that fsspec can open, such as ``s3://bucket/outputs``.
    engine
        Where the work is done; in this process by default.
    on_error
        ``"stop"`` at a record that cannot be used, or ``"report"``: set it aside in the folder
        ``_errors`` of the target, with the error.
    progress
        Called with the number of finished parts, and of all parts.
    """
    sizes = part_sizes(source)
    if is_inside(target, source):
        raise InputError("the output folder is in the folder of parts", "name another folder")
    label, engine, folder = job.label, engine or InProcess(), source
    if not isinstance(engine, InProcess):
        # Workers may have been started in another folder.
        source, target = map(absolute, (source, target))
        require_ready(engine, join_path(source, next(iter(sizes))), target)
    finished_names = _claim_folder(target, label, list(sizes))
    plan = _PartPlan(job, label, source, target, on_error)
    reports = {
        name: report
        for name in finished_names
        if (report := plan.finished_report(name)) is not None
    }
    waiting_parts = {name: size for name, size in sizes.items() if name not in reports}

    def iter_reports() -> Iterator[JobReport]:
        yield from reports.values()
        n_done = len(reports)
        results = iter(engine.map(_run_task, plan.tasks(waiting_parts, engine)))
        for result in results:
            new_results = result if isinstance(result, list) else [plan.assemble(result, results)]
            yield from new_results
            n_done += sum(report.parts for report in new_results)
            if progress is not None:
                progress(n_done, len(sizes))

    report = JobReport.total(iter_reports())
    _remove_unfinished_files(target)  # unfinished files of workers that were killed
    if repeated_keys := report.checks.repeated:
        # Messages name the folder as typed.
        original_plan = replace(plan, source=folder)
        raise repeated_error(
            (item for name in sizes for item in original_plan.repeated_items(name, repeated_keys)),
            repeated_keys,
        )
    return report


def _claim_folder(target: str, label: str, names: Sequence[str]) -> list[str]:
    """Mark a folder as a job's output, and list the parts that an earlier run finished.

    A folder with other contents is refused.
    """
    reports = files_of(join_path(target, _DONE_FOLDER))
    finished_names = {name.removesuffix(".json") for name in reports if name[0] != "."}
    state = read_json(target, _JOB_FILE)
    if (
        state is None
        and not finished_names
        and (foreign_files := files_of(target).intersection(names))
    ):
        raise _refusal_error(
            target, f"{min(foreign_files)} exists and was not written by this command"
        )
    if state is not None and state.get("job") != label:
        raise _refusal_error(target, "this folder was written with other options")
    if removed_parts := finished_names.difference(names):
        raise _refusal_error(
            target, f"{min(removed_parts)} was made from a part that no longer exists"
        )
    for folder in (target, join_path(target, _DONE_FOLDER)):
        make_folder(folder)
    _remove_unfinished_files(target)
    if state is None:
        write_json(target, _JOB_FILE, {"job": label})
    return sorted(finished_names)


def _remove_unfinished_files(target: str) -> None:
    if not is_remote(target):
        for folder in (target, join_path(target, _DONE_FOLDER), join_path(target, _ERRORS_FOLDER)):
            sweep_unfinished(Path(folder))


def _refusal_error(target: str, message: str) -> InputError:
    return InputError(message, hint="name another folder, or remove this one", where=Where(target))


@dataclass(frozen=True)
class _PartPlan:
    """How every part is processed."""

    job: Job
    label: str
    source: str
    target: str
    on_error: OnError

    def finished_report(self, name: str) -> JobReport | None:
        """Return the report of an earlier run; refuse one of another job or of other data."""
        data = read_json(join_path(self.target, _DONE_FOLDER), f"{name}.json")
        # The results may have been removed or truncated.
        if data is None or data.get("size") != size_of(join_path(self.target, name)):
            return None
        if data.get("job") != self.label:
            raise _refusal_error(self.target, f"{name} was written with other options")
        stamp = change_stamp(self.source, name)
        # A part that was only copied or touched is still the same.
        if (stamp is None or data.get("stamp") != stamp) and (
            data.get("content") != digest_of(self.source, name)
        ):
            raise _refusal_error(self.target, f"{name} was made from other data")
        try:
            report = JobReport.from_dict(data)
        except (KeyError, TypeError, ValueError, AttributeError):
            return None  # the report is damaged
        # Without --on-error report, a part with records set aside is not finished.
        return None if report.failed and self.on_error == "stop" else report

    def repeated_items(self, name: str, keys: set[int]) -> Iterator[StreamItem]:
        """Read the items of a finished part again if any of them has one of these hashes."""
        report = read_json(join_path(self.target, _DONE_FOLDER), f"{name}.json")
        if report is not None and StreamChecks.from_dict(report["checks"]).holds(keys):
            for record in Piece(join_path(self.source, name)).records():
                # Records that cannot be used were set aside.
                with suppress(InputError):
                    if isinstance(record, Record):
                        yield StreamItem.from_record(record)

    def tasks(self, sizes: Mapping[str, int], engine: Engine) -> Iterator["_Task"]:
        """Batch small parts and cut large ones, so that workers finish at about the same time."""
        is_in_process, n_batches = isinstance(engine, InProcess), 4 * engine.workers
        batch_names: list[str] = []
        batch_bytes, n_remaining = 0, len(sizes)
        for name, size in sizes.items():
            n_remaining -= 1
            if not is_in_process and size > (
                _MAX_PACKED_BYTES if name.endswith(".gz") else PIECE_BYTES
            ):
                yield _LargePart(self, name)
                yield from self._piece_tasks(name)
                continue
            batch_names.append(name)
            batch_bytes += size
            if (
                len(batch_names) >= min(_MAX_BATCH_PARTS, n_remaining // n_batches)
                or batch_bytes >= PIECE_BYTES
            ):
                yield _WholeParts(self, tuple(batch_names))
                batch_names, batch_bytes = [], 0
        if batch_names:
            yield _WholeParts(self, tuple(batch_names))

    def _piece_tasks(self, name: str) -> Iterator["_CutPart"]:
        last_size = None
        for piece in cut_file(join_path(self.source, name)):
            if last_size is not None:
                yield _CutPart(self, name, last_size)
            last_size = piece
        yield _CutPart(self, name, last_size or Piece(join_path(self.source, name)), is_last=True)

    def assemble(self, part_state: "_PartState", results: Iterator[Any]) -> JobReport:
        """Assemble a part from the results of its pieces, which come next, in order."""
        reports: list[JobReport] = []
        rejected_entries: list[dict[str, Any]] = []

        def content() -> Iterator[Any]:
            n_lines = 0
            for result in results:
                reports.append(result.report)
                rejected_entries.extend(
                    entry | {"line": entry["line"] + n_lines} for entry in result.rejected
                )
                n_lines += result.lines
                yield from result.content
                if result.is_last:
                    break
            if change_stamp(self.source, part_state.name) != part_state.stamp:
                where = Where(join_path(self.source, part_state.name))
                raise InputError("this part changed while it was read", "try again", where=where)

        writer = _PartWriter(self)
        write_part(self.target, part_state.name, content(), writer.results)
        report = replace(JobReport.total(reports), parts=1)
        writer.add(part_state, report, rejected_entries)
        writer.commit()
        return report


@dataclass(frozen=True)
class _PartState:
    """The state of a part when it was read; a later change is detected."""

    name: str
    stamp: list[Any] | None
    content: str


@dataclass(frozen=True)
class _WholeParts:
    """Whole parts that one worker processes and saves together."""

    plan: _PartPlan
    names: tuple[str, ...]

    def __str__(self) -> str:
        return join_path(
            self.plan.source, " to ".join(dict.fromkeys((self.names[0], self.names[-1])))
        )

    @property
    def single(self) -> "list[_WholeParts]":
        """The parts one by one, if there are several."""
        return [replace(self, names=(name,)) for name in self.names] if len(self.names) > 1 else []

    def __call__(self) -> list[JobReport]:
        """Process all parts, and return one report; those before an error are saved."""
        reports, writer, target = [], _PartWriter(self.plan), self.plan.target
        try:
            for start in range(0, len(self.names), _MAX_PREPARED_PARTS):
                origins_with_work = [
                    self._prepare(name) for name in self.names[start : start + _MAX_PREPARED_PARTS]
                ]
                _call_ahead(
                    self.plan.job, [work for _, work in origins_with_work if work.lines is not None]
                )
                for origin, work in origins_with_work:
                    content = encode_records(origin.name, work.results())
                    write_part(target, origin.name, content, writer.results)
                    writer.add(origin, work.report, work.rejected)
                    reports.append(work.report)
                    writer.commit_if_due()
        finally:
            writer.commit()
        return [JobReport.total(reports)]

    def _prepare(self, name: str) -> "tuple[_PartState, _WorkInProgress]":
        source, path = self.plan.source, join_path(self.plan.source, name)
        stamp = change_stamp(source, name)
        if not stamp or stamp[0] > _MAX_SMALL_BYTES or is_remote(path) or name.endswith(".parquet"):
            return _PartState(name, stamp, digest_of(source, name)), _WorkInProgress(
                self.plan, Piece(path)
            )
        with open_part(path) as stream:
            piece = Piece(path, data=stream.read())
        origin = _PartState(name, stamp, digest_of(source, name, piece.data))
        try:
            return origin, _WorkInProgress(self.plan, piece, list(piece.numbered_records()))
        except InputError:  # a damaged file: raised again after the parts before it are saved
            return origin, _WorkInProgress(self.plan, piece)


def _call_ahead(job: Job, part_works: "list[_WorkInProgress]") -> None:
    """Call a job once for the records of several small parts, unless a record is invalid."""
    if len(part_works) < 2 or not getattr(job, "one_to_one", False):
        return
    part_lines = [[line for _, line in work.lines or () if line is not None] for work in part_works]
    records = [record for lines in part_lines for record in lines if isinstance(record, Record)]
    if len(records) > _BATCH_SIZE or len(records) < sum(map(len, part_lines)):
        return
    with suppress(*_RECORD_ERRORS):
        items: list[list[StreamItem]] = [[] for _ in part_works]
        if isinstance(job, StreamJob):
            items = [
                [StreamItem.from_record(line) for line in lines if isinstance(line, Record)]
                for lines in part_lines
            ]
            results = iter(job.of_items(list(chain.from_iterable(items))))
        else:
            results = iter(job(records))
        for work, lines, item_checks in zip(part_works, part_lines, items, strict=True):
            work.results_ahead = iter(list(islice(results, len(lines))))
            if item_checks:
                work.checks.add(item_checks)


@dataclass(frozen=True)
class _LargePart:
    """A large part, whose pieces follow."""

    plan: _PartPlan
    name: str

    def __str__(self) -> str:
        return join_path(self.plan.source, self.name)

    def __call__(self) -> _PartState:
        """Hash the part."""
        source = self.plan.source
        return _PartState(self.name, change_stamp(source, self.name), digest_of(source, self.name))


@dataclass(frozen=True)
class _PieceResult:
    """The results of a piece of a part."""

    content: list[Any]
    rejected: list[dict[str, Any]]
    report: JobReport
    lines: int
    is_last: bool


@dataclass(frozen=True)
class _CutPart:
    """A piece of a large part; the caller assembles the results."""

    plan: _PartPlan
    name: str
    piece: Piece
    is_last: bool = False

    def __str__(self) -> str:
        return str(self.piece)

    def __call__(self) -> _PieceResult:
        """Process the records of the piece."""
        work = _WorkInProgress(self.plan, self.piece)
        content = list(encode_records(self.name, work.results()))
        if not self.name.endswith(".parquet"):
            content = [b"".join(content)]
        # Lines are counted from the start of the piece: how many precede it may be unknown here.
        lines_before = self.piece.first_line - 1
        rejected_entries = [
            entry | {"line": entry["line"] - lines_before} for entry in work.rejected
        ]
        lines = max(0, work.last_line - lines_before)
        return _PieceResult(content, rejected_entries, work.report, lines, self.is_last)


_Task = _WholeParts | _LargePart | _CutPart


def _run_task(task: _Task) -> Any:
    return task()


class _PartWriter:
    """Saves parts: results and records set aside, then the reports on them."""

    def __init__(self, plan: _PartPlan) -> None:
        self._plan = plan
        self._finished_reports: dict[str, dict[str, Any]] = {}
        self._last_commit = time.monotonic()
        self._earlier_error_files = files_of(join_path(plan.target, _ERRORS_FOLDER))
        self.results = FileBatch()

    def add(
        self, origin: _PartState, report: JobReport, rejected_entries: Sequence[Mapping[str, Any]]
    ) -> None:
        """Add the report on a part whose results are written."""
        folder, name = join_path(self._plan.target, _ERRORS_FOLDER), f"{origin.name}.jsonl"
        if rejected_entries:
            make_folder(folder)
            sorted_entries = sorted(rejected_entries, key=lambda entry: entry["line"] or 0)
            write_part(folder, name, encode_records(name, sorted_entries), self.results)
        elif name in self._earlier_error_files:
            # An earlier run left it; the data have been fixed since.
            remove_file(folder, name)
        header = {"job": self._plan.label, "stamp": origin.stamp, "content": origin.content}
        self._finished_reports[origin.name] = header | report.to_dict()

    def commit_if_due(self) -> None:
        """Save finished parts if the last time was long enough ago."""
        if time.monotonic() - self._last_commit > _SECONDS_BETWEEN_SAVES:
            self.commit()

    def commit(self) -> None:
        """Save finished parts: results reach the disk before their reports."""
        self.results.commit()
        reports, self._finished_reports = self._finished_reports, {}
        batch, folder = FileBatch(), join_path(self._plan.target, _DONE_FOLDER)
        for name, report in reports.items():
            size = size_of(join_path(self._plan.target, name))
            write_json(folder, f"{name}.json", report | {"size": size}, batch)
        batch.commit()
        self._last_commit = time.monotonic()


def _add_sums(
    sums: dict[Group, dict[str, ExactSums]], new_sums: Mapping[Group, Mapping[str, ExactSums]]
) -> None:
    """Add sums by group and measure, in place: there may be many groups."""
    for group, measures in new_sums.items():
        totals = sums.setdefault(group, {})
        for measure, numbers in measures.items():
            totals[measure] = totals.get(measure, ExactSums()) + numbers


@dataclass
class _WorkInProgress:
    """A part, or a piece of one, in progress."""

    plan: _PartPlan
    piece: Piece
    lines: list[tuple[int, Record | Unread | None]] | None = None
    #: Results computed ahead, in the order of the records.
    results_ahead: Iterator[dict[str, Any]] | None = None
    rejected: list[dict[str, Any]] = field(default_factory=list)
    records: int = 0
    digest: int = 0
    last_line: int = 0
    sums: dict[Group, dict[str, ExactSums]] = field(default_factory=dict)
    checks: StreamChecks = field(default_factory=StreamChecks)

    def results(self) -> Iterator[dict[str, Any]]:
        """Yield the job's results, batch by batch."""
        lines = self.piece.numbered_records() if self.lines is None else iter(self.lines)
        while batch := list(islice(lines, _BATCH_SIZE)):
            records = []
            for self.last_line, record in batch:
                if isinstance(record, Record):
                    records.append(record)
                elif record is not None:
                    self._set_aside(record.error, record.error.where, text=record.text)
            if self.results_ahead is None:
                results = self._call_job(records)
            else:
                results = list(islice(self.results_ahead, len(records)))
            self.records += len(results)
            self.digest += sum(map(_record_digest, records))
            _add_sums(self.sums, self._sum_by_group(results))
            yield from results

    @property
    def report(self) -> JobReport:
        """The report on what is done so far."""
        digest = self.digest % 2**64
        return JobReport(1, 0, self.records, len(self.rejected), digest, self.sums, self.checks)

    def _call_job(self, records: list[Record]) -> list[dict[str, Any]]:
        job = self.plan.job
        try:
            if not isinstance(job, StreamJob):
                return job(records)
            items = [StreamItem.from_record(record) for record in records]
            results = job.of_items(items)
            self.checks.add(items)
            return results
        except _RECORD_ERRORS as error:
            if len(records) == 1:
                self._set_aside(error, records[0].where, record=dict(records[0].data))
                return []
            # Bisect to find the record at fault, and process the others.
            middle = len(records) // 2
            return self._call_job(records[:middle]) + self._call_job(records[middle:])

    def _set_aside(self, error: Exception, where: Where | None, **details: Any) -> None:
        if self.plan.on_error == "stop":
            if isinstance(error, InputError):
                error.where = self.piece.locate(error.where or where)
            else:
                error.add_note(f"at {self.piece.locate(where)}")
            raise error
        # The path is left out, because it differs between engines; the file is named like the part.
        message = f"{type(error).__name__}: {error}"
        if isinstance(error, InputError):
            message = "; ".join(filter(None, (error.what, error.hint)))
        line = where.line if where else None
        self.rejected.append({"line": line, "error": message, **details})

    def _sum_by_group(
        self, results: Sequence[Mapping[str, Any]]
    ) -> dict[Group, dict[str, ExactSums]]:
        def group_of(record: Mapping[str, Any]) -> Group:
            task, system, kind = (str(record.get(name, "")) for name in ("task", "system", "kind"))
            return task, system, kind

        def sum_values(measure: str, records: list[Mapping[str, Any]]) -> ExactSums:
            values = [record.get(measure) for record in records]
            if len(values) < _MAX_PLAIN_SUM:
                return ExactSums.of_few(value for value in values if value is not None)
            return ExactSums.of(np.array(values, dtype=np.float64))

        groups = grouped((group_of(record), record) for record in results)
        names = self.plan.job.measures
        return {
            key: {name: sum_values(name, records) for name in names}
            for key, records in groups.items()
        }


def _record_digest(record: Record) -> int:
    content = repr(sorted(record.data.items())).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big")
