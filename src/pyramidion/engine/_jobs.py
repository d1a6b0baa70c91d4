"""A job over the parts of a folder: finished parts are kept, failures are reported."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from pyramidion.collection._files import Record
from pyramidion.collection._ids import grouped, natural_order
from pyramidion.collection._options import option
from pyramidion.collection._questions import Options, Progress
from pyramidion.engine._engines import Engine, EngineOptions, InProcess
from pyramidion.engine._parts import (
    absolute,
    address_of,
    digest_of,
    files_of,
    joined,
    lies_in,
    make_folder,
    part_names,
    read_batches,
    read_json,
    remove_file,
    size_of,
    stamp_of,
    write_json,
    write_records,
)
from pyramidion.engine._sums import ExactSums
from pyramidion.errors import InputError, Where

#: What becomes of a record that cannot be worked on.
OnError = Literal["stop", "report"]

# Beside the parts: one report for each that is finished, and the records that were set aside.
# And what made them, so that no other job writes there.
_DONE, _ASIDE, _JOB = "_done", "_errors", "_job.json"

# What a record may cause, in a metric of one's own, too; a lack of memory or disk is another thing.
_POISON = (InputError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError,
           ValueError)  # fmt: skip

#: Task, system and kind: what a mean is taken over.
Group = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class PartsOptions(EngineOptions):
    """Where the parts of a folder are worked on, and what becomes of them."""

    on_error: OnError = option(
        "stop", "What to do with a record of a part that cannot be read: stop, or report (set it "
        "aside in the folder _errors of the output, and count it).", metavar="NAME",
    )  # fmt: skip
    parts_to: str | None = option(None, "Folder for the results of a folder.", typed=False)
    progress: Progress = option(Progress(), "Receives progress updates.", typed=False)

    def tell_unheeded(self) -> None:
        """Say that what is asked for has no effect where there are no parts."""
        for line in self.unheeded:
            self.progress.message(line)

    def run(self, job: "Job", source: str) -> "JobReport":
        """Run a job over the parts of a folder, and report what is new and where it is."""
        if self.parts_to is None:
            hint = "name a new folder with --output"
            raise InputError("results of parts need a folder of their own", hint)
        target = address_of(self.parts_to)
        if target.endswith((".csv", ".tsv")):
            hint = "name a folder, such as scores/"
            raise InputError("results of parts are a folder", hint, where=Where(target))
        with self.opened() as engine:
            report = run_parts(
                job, source, target,
                engine=engine, on_error=self.on_error, progress=self.progress.advance,
            )  # fmt: skip
        if report.resumed:
            earlier = f"{report.resumed} of {report.parts} parts were finished by an earlier run"
            self.progress.message(earlier)
        self.progress.message(f"wrote {target}: {report.records:,} records")
        if not report.records:
            hint = f"{target}/{_ASIDE} says why" if report.failed else "check them"
            raise InputError("no record of these parts can be used", hint, where=Where(source))
        return report

    def left_out(self, report: "JobReport") -> tuple[str, ...]:
        """Say how many records were set aside, and where they are."""
        if not report.failed:
            return ()
        noun = "record" if report.failed == 1 else "records"
        target = address_of(str(self.parts_to))
        return (f"{report.failed} {noun} that cannot be used, in {target}/{_ASIDE}",)


def refuse_unheeded(options: Options, *names: str, by: str = "a folder of parts") -> None:
    """Refuse options that would change nothing."""
    for name, _ in options.changed(*names):
        raise InputError(f"--{name} has no effect on {by}", hint="leave it out")


class Job(Protocol):
    """A pure function from records to records, which can be pickled."""

    @property
    def label(self) -> str:
        """What decides its results; it is kept with them."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The numbers among what it makes that are averaged."""

    def __call__(self, records: Sequence[Record]) -> list[dict[str, Any]]:
        """Make a record of each record; an error names the one that it is about."""


@dataclass(frozen=True)
class JobReport:
    """What came of a job, or of one of its parts.

    Parameters
    ----------
    parts
        How many parts there are.
    resumed
        How many of them were finished by an earlier run.
    records
        How many records were made.
    failed
        How many were set aside, and lie in the folder ``_errors``.
    digest
        A sum of hashes of what was read, which does not depend on its order.
    sums
        What means are made of, by group and measure.
    """

    parts: int = 0
    resumed: int = 0
    records: int = 0
    failed: int = 0
    digest: int = 0
    sums: Mapping[Group, Mapping[str, ExactSums]] = field(default_factory=dict)

    def __add__(self, other: "JobReport") -> "JobReport":
        sums = {group: dict(own) for group, own in self.sums.items()}
        _add_sums(sums, other.sums)
        numbers = ("parts", "resumed", "records", "failed")
        counts = {name: getattr(self, name) + getattr(other, name) for name in numbers}
        return JobReport(**counts, digest=(self.digest + other.digest) % 2**64, sums=sums)

    def means(self, measures: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Average measures over what belongs to a task, system and kind; people come last."""
        for task, system, kind in sorted(self.sums, key=group_order):
            for measure in measures:
                own = self.sums[task, system, kind][measure]
                low, high = own.interval()
                yield {
                    "task": task, "system": system, "kind": kind, "measure": measure,
                    "mean": own.mean, "low": low, "high": high, "n": own.n,
                }  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON keeps of a part."""
        groups = ((group, sorted(mine.items())) for group, mine in sorted(self.sums.items()))
        sums = [[*group, {name: own.to_list() for name, own in mine}] for group, mine in groups]
        return {
            "records": self.records, "failed": self.failed, "digest": self.digest, "sums": sums,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "JobReport":
        """Read what `to_dict` gives."""
        sums = {
            (task, system, kind): {name: ExactSums.from_list(own) for name, own in mine.items()}
            for task, system, kind, mine in data["sums"]
        }
        return cls(1, 1, data["records"], data["failed"], data["digest"], sums)


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
    """Run a job over all parts of a folder; each makes a part of the same name in another.

    A run that was interrupted goes on where it stopped: parts that are finished are not done
    again.

    Parameters
    ----------
    job
        What is done with the records.
    source, target
        Folders, or addresses that fsspec knows, such as ``s3://bucket/outputs``.
    engine
        Where it is done; in this process by default.
    on_error
        ``"stop"`` at a record that cannot be worked on, or ``"report"``: set it aside in the
        folder ``_errors`` of the target, with what is wrong.
    progress
        Called with the number of finished parts, and of all parts.
    """
    names = part_names(source)
    if lies_in(target, source):
        raise InputError("the results would be among the parts", "name another folder")
    label = job.label
    _claim(target, label, names)
    if engine is not None and not isinstance(engine, InProcess):
        # Workers may have been started in another folder.
        source, target = map(absolute, (source, target))
    tasks = [_Task(job, label, source, target, name, on_error) for name in names]
    kept = {task.name: report for task in tasks if (report := task.finished()) is not None}
    report, done = sum(kept.values(), JobReport()), len(kept)
    waiting = [task for task in tasks if task.name not in kept]
    for made in (engine or InProcess()).map(_do, waiting):
        report += made
        done += 1
        if progress is not None:
            progress(done, len(tasks))
    return report


def _claim(target: str, label: str, names: Sequence[str]) -> None:
    """Mark a folder as that of a job; refuse one that has anything else in it."""
    done = {name.removesuffix(".json") for name in files_of(joined(target, _DONE))}
    there = read_json(target, _JOB)
    if there is None and not done and (others := files_of(target).intersection(names)):
        raise _refusal(target, f"{min(others)} is there already, and was made by something else")
    if there is not None and there.get("job") != label:
        raise _refusal(target, "this folder was made by other options")
    if gone := done.difference(names):
        raise _refusal(target, f"{min(gone)} was made of a part that is no longer there")
    for folder in (target, joined(target, _DONE)):
        make_folder(folder)
    if there is None:
        write_json(target, _JOB, {"job": label})


def _refusal(target: str, what: str) -> InputError:
    return InputError(what, hint="name another folder, or remove this one", where=Where(target))


@dataclass(frozen=True)
class _Task:
    """One part, and what is done with it."""

    job: Job
    label: str
    source: str
    target: str
    name: str
    on_error: OnError

    def __str__(self) -> str:
        return joined(self.source, self.name)

    def finished(self) -> JobReport | None:
        """Return the report of an earlier run; refuse one of another job or of other data."""
        data = read_json(joined(self.target, _DONE), f"{self.name}.json")
        # What it made may have been removed, or cut off.
        if data is None or data.get("size") != size_of(self.target, self.name):
            return None
        if data.get("job") != self.label:
            raise _refusal(self.target, f"{self.name} was made by other options")
        stamp = stamp_of(self.source, self.name)
        # A part that was only copied or touched is still the same.
        if (stamp is None or data.get("stamp") != stamp) and (
            data.get("content") != digest_of(self.source, self.name)
        ):
            raise _refusal(self.target, f"{self.name} was made of other data")
        report = JobReport.from_dict(data)
        # To stop at errors means to work again on a part with records set aside.
        return None if report.failed and self.on_error == "stop" else report


def _do(task: _Task) -> JobReport:
    """Do one part: its records, then those set aside, then the report that it is finished."""
    # Before it is read: what is written meanwhile is other data.
    work, place = _Work(task), (task.source, task.name)
    origin = {"job": task.label, "stamp": stamp_of(*place), "content": digest_of(*place)}
    write_records(task.target, task.name, work.made())
    aside = joined(task.target, _ASIDE)
    if work.aside:
        make_folder(aside)
        in_order = sorted(work.aside, key=lambda one: one["line"] or 0)
        write_records(aside, f"{task.name}.jsonl", in_order)
    else:
        # A run that was killed may have left some, of data that is fixed now.
        remove_file(aside, f"{task.name}.jsonl")
    kept = {**origin, **work.report.to_dict(), "size": size_of(task.target, task.name)}
    write_json(joined(task.target, _DONE), f"{task.name}.json", kept)
    return work.report


def _add_sums(
    sums: dict[Group, dict[str, ExactSums]], more: Mapping[Group, Mapping[str, ExactSums]]
) -> None:
    """Add sums by group and measure to others, in place: there may be many groups."""
    for group, added in more.items():
        mine = sums.setdefault(group, {})
        for measure, own in added.items():
            mine[measure] = mine.get(measure, ExactSums()) + own


@dataclass
class _Work:
    """A part while it is worked on."""

    task: _Task
    aside: list[dict[str, Any]] = field(default_factory=list)
    records: int = 0
    digest: int = 0
    sums: dict[Group, dict[str, ExactSums]] = field(default_factory=dict)

    def made(self) -> Iterator[dict[str, Any]]:
        """Return what the job makes of the records, batch by batch."""
        for batch in read_batches(self.task.source, self.task.name):
            records = []
            for one in batch:
                if isinstance(one, Record):
                    records.append(one)
                else:
                    self._set_aside(one.error, one.error.where, text=one.text)
            made = self._called(records)
            self.records += len(made)
            self.digest += sum(map(_digest, records))
            _add_sums(self.sums, self._sums(made))
            yield from made

    @property
    def report(self) -> JobReport:
        """What came of it so far."""
        digest = self.digest % 2**64
        return JobReport(1, 0, self.records, len(self.aside), digest, self.sums)

    def _called(self, records: list[Record]) -> list[dict[str, Any]]:
        try:
            return self.task.job(records)
        except _POISON as error:
            if len(records) == 1:
                self._set_aside(error, records[0].where, record=dict(records[0].data))
                return []
            # One of them is wrong: halves find it, and the others are done all the same.
            half = len(records) // 2
            return self._called(records[:half]) + self._called(records[half:])

    def _set_aside(self, error: Exception, where: Where | None, **found: Any) -> None:
        if self.task.on_error == "stop":
            if isinstance(error, InputError):
                error.where = error.where or where
            else:
                error.add_note(f"at {where}")
            raise error
        # Without the path, which engines write differently: the file is named as the part is.
        message = f"{type(error).__name__}: {error}"
        if isinstance(error, InputError):
            message = "; ".join(filter(None, (error.what, error.hint)))
        line = where.line if where else None
        self.aside.append({"line": line, "error": message, **found})

    def _sums(self, made: Sequence[Mapping[str, Any]]) -> dict[Group, dict[str, ExactSums]]:
        def group(record: Mapping[str, Any]) -> Group:
            task, system, kind = (str(record.get(name, "")) for name in ("task", "system", "kind"))
            return task, system, kind

        def of(measure: str, records: list[Mapping[str, Any]]) -> ExactSums:
            return ExactSums.of(np.array([one.get(measure) for one in records], dtype=np.float64))

        groups = grouped((group(record), record) for record in made)
        names = self.task.job.measures
        return {key: {name: of(name, own) for name in names} for key, own in groups.items()}


def _digest(record: Record) -> int:
    content = repr(sorted(record.data.items())).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big")
