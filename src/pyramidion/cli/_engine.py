"""``pyramidion engine check``: check whether the workers of a cluster are ready."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pyramidion.engine import DaskCluster
from pyramidion.engine._cluster import WorkerState, versions
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.questions import Options, option, question
from pyramidion.rendering import Cell, Result, Table, signed

_WORKER_COLUMNS = ("worker", "host", "threads", "package", "python", "memory", "folder", "problem")


@dataclass(frozen=True, slots=True)
class ClusterOptions(Options):
    """The cluster to check."""

    scheduler: str | None = option(
        None, "Address of the Dask scheduler, such as tcp://10.0.0.1:8786 or tls://host:8786.",
        metavar="ADDRESS",
    )  # fmt: skip
    folder: Path = option(Path(), "Folder that every worker should see under the same path.")
    connect_timeout: float = option(
        10.0, "Seconds to wait for the scheduler and its first worker.", min=0.1, metavar="SECONDS",
    )  # fmt: skip

    def check(self) -> None:
        """Reject a missing scheduler or folder."""
        if self.scheduler is None:
            raise InputError("no scheduler is named", "add --scheduler tcp://HOST:PORT")
        if not self.folder.is_dir():
            raise NotFoundError("there is no such folder", "check it", where=Where(self.folder))


@question
def check_engine(options: ClusterOptions) -> Result[dict[str, Cell]]:
    """Check that the workers of a Dask cluster have the same packages and can see a folder.

    The exit code is 1 if a worker is not ready.
    """
    cluster = DaskCluster(str(options.scheduler), options.connect_timeout)
    try:
        with _mark_folder(options.folder.absolute()) as folder_name:
            rows = [_worker_row(state) for state in cluster.states(folder_name)]
    finally:
        cluster.close()
    table = Table(
        _WORKER_COLUMNS,
        tuple(tuple(row[name] for name in _WORKER_COLUMNS) for row in rows),
        title=f"Workers of {options.scheduler}",
        note=f"Here: {', '.join(versions())}. Folder: {options.folder.absolute()}",
        name="workers",
    )
    return Result(
        command="engine check",
        signature=signed("engine check"),
        values=rows,
        tables=[table],
        ok=not any(row["problem"] for row in rows),
    )


@contextmanager
def _mark_folder(folder: Path) -> Iterator[str]:
    """Put a marker file into a folder: on another machine, its path may be another folder."""
    with ExitStack() as stack:
        folder_name = str(folder)
        with suppress(OSError):  # a read-only folder is checked by its name alone
            marker = tempfile.NamedTemporaryFile(prefix=".pyramidion-", dir=folder)  # noqa: SIM115
            folder_name = stack.enter_context(marker).name
        yield folder_name


def _worker_row(state: WorkerState) -> dict[str, Cell]:
    has_sizes = any(size is not None for size in state.sizes)
    folder_problem = "" if has_sizes or not state.python else "does not see the folder"
    memory = f"{state.memory / 2**30:.1f} GiB" if state.memory else "no limit"
    return {
        "worker": state.address, "host": state.host, "threads": state.threads,
        "package": state.package or "missing", "python": state.python or "unknown",
        "memory": memory, "folder": "yes" if has_sizes else "no",
        "problem": state.problem or folder_problem,
    }  # fmt: skip
