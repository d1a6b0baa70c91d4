"""A running Dask cluster: checks its workers and sends them work."""

import asyncio
import inspect
import logging
import pickle
import ssl
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import pyramidion
from pyramidion.engine.engines import map_in_order
from pyramidion.engine.parts import is_remote
from pyramidion.errors import InputError, MissingExtraError
from pyramidion.questions import library_versions

Part = TypeVar("Part")
Output = TypeVar("Output")

# Seconds to wait for a lost scheduler, and for new workers when all are lost.
_RECONNECT_SECONDS = 60.0

# Seconds between checks that there are workers at all.
_POLL_SECONDS = 5.0

# Workers receive plain expressions: functions of this package that they cannot load would
# terminate them one by one, and the client would wait forever.
_PROBE_CODE = "(exec(source, names), names['describe_worker'](*arguments))[-1]"
_CALL_CODE = "__import__('pickle').loads(call)()"


def versions() -> tuple[str, ...]:
    """Return the versions of all libraries that results may depend on."""
    return (f"pyramidion:{pyramidion.__version__}", *library_versions(seeded=True))


def describe_worker(paths: list[str]) -> dict[str, Any]:
    """Describe the worker this runs on.

    The function is sent as source code, so it does its own imports.
    """
    import platform
    import socket
    from pathlib import Path

    def size(path: Path) -> int | None:
        return path.stat().st_size if path.is_file() else -1 if path.exists() else None

    state: dict[str, Any] = {
        "host": socket.gethostname(), "python": platform.python_version(),
        "sizes": [size(Path(path)) for path in paths],
    }  # fmt: skip
    try:
        import pyramidion

        state["versions"] = (f"pyramidion:{pyramidion.__version__}",)
        from pyramidion.engine._cluster import versions

        state["versions"] = versions()
    except ImportError as error:
        state["error"] = str(error)
    return state


@dataclass(frozen=True)
class WorkerState:
    """The state of a worker of a cluster."""

    address: str
    host: str
    threads: int
    #: The memory it may use, in bytes; 0 if there is no limit.
    memory: int
    #: Version of Python; empty if the worker does not answer.
    python: str = ""
    versions: tuple[str, ...] = ()
    #: Sizes of the paths that were checked: -1 for a folder, `None` if it does not exist.
    sizes: tuple[int | None, ...] = ()

    @property
    def package(self) -> str:
        """The version of Pyramidion; empty if it is not installed."""
        return next(
            (
                version.split(":")[1]
                for version in self.versions
                if version.startswith("pyramidion:")
            ),
            "",
        )

    @property
    def problem(self) -> str:
        """Why the worker cannot be used; empty if it can."""
        if not self.python:
            return "does not answer"
        if not self.package:
            return "does not have Pyramidion"
        local_versions, remote_versions = {*versions()}, {*self.versions}
        joined_names = (
            ", ".join(sorted(names))
            for names in (remote_versions - local_versions, local_versions - remote_versions)
        )
        return "" if local_versions == remote_versions else "has {}, not {}".format(*joined_names)


@dataclass
class DaskCluster:
    """Runs on the workers of a running Dask cluster.

    Parameters
    ----------
    scheduler
        Address of the scheduler, such as ``tcp://10.0.0.1:8786``; for ``tls://``, Dask's
        configuration names the certificates.
    connect_timeout
        Seconds to wait for the scheduler and its first worker.
    """

    scheduler: str
    connect_timeout: float = 10.0
    _client: Any = field(default=None, repr=False)
    _was_ready: bool = field(default=False, repr=False)

    @property
    def workers(self) -> int:
        """Total threads of its workers; waits for the first worker."""
        patience = _RECONNECT_SECONDS if self._was_ready else self.connect_timeout
        client = self.connected()
        if self._was_ready and not client.nthreads():
            warning = f"lost all workers of {self.scheduler}; waiting {patience:g} s for new ones"
            warnings.warn(warning, stacklevel=2)
        try:
            client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            hint = "start some, and run the same command again" if self._was_ready else "start some"
            raise InputError(f"the scheduler {self.scheduler} has no workers", hint) from None
        threads: dict[str, int] = client.nthreads()
        return max(1, sum(threads.values()))

    def map(self, function: Callable[[Part], Output], parts: Iterable[Part]) -> Iterator[Output]:
        """Return the results in the order of the parts."""
        if not self._was_ready:
            self.require_ready()
        workers = self.workers
        distributed: Any = import_module("distributed")
        checked_function = SameVersions(function, versions())

        def submit(part: Part) -> Any:
            # Results computed twice are identical, so none is cached by its key.
            call = pickle.dumps(partial(checked_function, part))
            return _AwaitedFuture(
                self, self.connected().submit(eval, _CALL_CODE, {"call": call}, pure=False)
            )

        closed_error = distributed.comm.CommClosedError
        lost_errors = (
            distributed.CancelledError,
            distributed.KilledWorker,
            closed_error,
            TimeoutError,
        )
        return self._explain_errors(map_in_order(submit, parts, workers, lost_errors, self.restart))

    def _explain_errors(self, results: Iterator[Output]) -> Iterator[Output]:
        """Explain import errors of workers that joined later and lack Pyramidion."""
        try:
            yield from results
        except ImportError as error:
            self.require_ready()
            raise InputError(
                f"a worker cannot load its task ({error})",
                hint="install the same packages on all workers, and start them again",
            ) from error

    def require_ready(self, *paths: str) -> None:
        """Refuse a cluster whose workers lack Pyramidion or cannot see these paths.

        For a path that does not exist yet, the nearest existing parent is checked.
        """
        local_folders = [_nearest_existing(path) for path in paths if not is_remote(path)]
        sizes = dict(zip(local_folders, describe_worker(local_folders)["sizes"], strict=True))
        states = self.states(*local_folders)
        problems: dict[str, list[str]] = {}
        for state in states:
            paths_with_sizes = zip(local_folders, state.sizes, strict=False)
            unseen_paths = [path for path, size in paths_with_sizes if size != sizes[path]]
            if problem := state.problem or (
                f"does not see {unseen_paths[0]}" if unseen_paths else ""
            ):
                problems.setdefault(problem, []).append(state.host)
        for problem, hosts in problems.items():
            worker_count = f"{len(hosts)} of {len(states)} workers ({_list_hosts(hosts)})"
            verb = problem if len(hosts) == 1 else _in_plural(problem)
            hint = f"run: pip install pyramidion=={pyramidion.__version__} on them, and start them "
            hint += "again; `pyramidion engine check` lists all workers"
            if "see" in problem:
                hint = "mount it at the same path there, or use a folder that all of them share"
            if "answer" in problem:
                hint = "check their logs, or raise --connect-timeout"
            raise InputError(f"{worker_count} {verb}", hint)
        self._was_ready = True

    def states(self, *paths: str) -> list[WorkerState]:
        """Ask every worker for its versions, and whether it sees these paths."""
        _ = self.workers  # waits for the first worker
        client = self.connected()
        # Workers that join later are asked when they fail.
        workers = client.scheduler_info(n_workers=-1)["workers"]
        names = {
            "source": inspect.getsource(describe_worker),
            "names": {},
            "arguments": (list(paths),),
        }
        ask = partial(
            client.run, eval, _PROBE_CODE, names, workers=list(workers), on_error="return"
        )
        asking = ThreadPoolExecutor(1)
        try:
            answers: Mapping[str, Any] = asking.submit(ask).result(max(5.0, self.connect_timeout))
        except TimeoutError:
            answers = {}
        finally:
            asking.shutdown(wait=False)
        return [
            _worker_state(address, workers[address], answers.get(address))
            for address in sorted(workers)
        ]

    def connected(self) -> Any:
        """Return a client of the scheduler; refuse one that does not answer."""
        if self._client is not None:
            return self._client
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise MissingExtraError("a Dask cluster", extra="cluster") from None
        logging.getLogger("distributed.client").addFilter(_drop_traceback)
        try:
            distributed.comm.get_address_host(self.scheduler)
        except ValueError:
            hint = "write it as tcp://HOST:PORT"
            raise InputError(f"{self.scheduler} is not a scheduler's address", hint) from None
        patience = _RECONNECT_SECONDS if self._was_ready else self.connect_timeout
        try:
            # A client that fails leaves threads and messages behind: try a bare connection first.
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, _try_connecting(self.scheduler, patience)).result()
            with warnings.catch_warnings():
                # Dask warns about versions, which are compared here.
                warnings.simplefilter("ignore")
                self._client = distributed.Client(
                    self.scheduler, timeout=patience, set_as_default=False
                )
        except (OSError, TypeError, ValueError, RuntimeError, MemoryError) as error:
            raise self._connection_error(error, patience) from None
        return self._client

    def _connection_error(self, error: BaseException, patience: float) -> InputError:
        while isinstance(error.__cause__, Exception):
            error = error.__cause__
        if isinstance(error, TimeoutError | OSError) and not isinstance(error, ssl.SSLError):
            reason = "" if isinstance(error, TimeoutError) else f" ({error.strerror or error})"
            return InputError(
                f"the scheduler {self.scheduler} did not answer within {patience:g} s{reason}",
                hint="start it, correct --scheduler, or raise --connect-timeout",
            )
        reason = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        if self.scheduler.startswith("tls://"):
            return InputError(
                f"cannot connect securely to the scheduler {self.scheduler} ({reason})",
                hint="check distributed.comm.tls (ca-file, client.cert, client.key) in Dask's "
                "configuration",
            )
        # The bytes of another protocol are read as a message length, which raises MemoryError.
        return InputError(
            f"the server at {self.scheduler} is not a Dask scheduler",
            hint="correct --scheduler; a scheduler with TLS is at tls://HOST:PORT",
        )

    def restart(self) -> None:
        """Disconnect; the next piece of work connects again."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):  # a lost connection cannot be closed
                client.close(timeout=2)

    close = restart


@dataclass(frozen=True)
class _AwaitedFuture:
    """A future that is awaited as long as there are workers."""

    cluster: DaskCluster
    future: Any

    def result(self) -> Any:
        patience = _POLL_SECONDS
        while True:
            try:
                # The worker that holds the result may be lost after it has finished.
                return self.future.result(timeout=patience)
            except TimeoutError:
                if self.future.status == "error":
                    raise
                _ = self.cluster.workers  # raises an error if there are none for a minute
                patience *= 2  # a large result may take longer

    def cancel(self) -> None:
        self.future.cancel()


@dataclass(frozen=True)
class SameVersions:
    """A function that refuses to run with other library versions."""

    function: Callable[[Any], Any]
    versions: tuple[str, ...]

    def __call__(self, part: Any) -> Any:
        """Check the versions, and call the function."""
        if (local := versions()) != self.versions:
            raise InputError(
                f"a worker has {', '.join(local)}, this program {', '.join(self.versions)}",
                hint="install the same versions on all of them",
            )
        return self.function(part)


def _worker_state(address: str, info: Mapping[str, Any], answer: Any) -> WorkerState:
    worker_state = answer if isinstance(answer, Mapping) else {}
    return WorkerState(
        address, worker_state.get("host") or info["host"], info["nthreads"],
        info["memory_limit"] or 0,
        worker_state.get("python", ""), tuple(worker_state.get("versions", ())),
        tuple(worker_state.get("sizes", ())),
    )  # fmt: skip


def _nearest_existing(path: str) -> str:
    """Return the path itself, or its nearest existing parent."""
    target = Path(path).absolute()
    return str(next(folder for folder in (target, *target.parents) if folder.exists()))


def _list_hosts(hosts: list[str]) -> str:
    """List hosts with the number of their workers."""
    counts = {host: hosts.count(host) for host in sorted(hosts)}
    host_texts = [f"{count} on {host}" for host, count in counts.items()]
    suffix = [f"and on {len(host_texts) - 5} more hosts"] if len(host_texts) > 5 else []
    return ", ".join(host_texts[:5] + suffix)


def _in_plural(problem: str) -> str:
    return problem.replace("does not", "do not", 1).replace("has ", "have ", 1)


async def _try_connecting(address: str, patience: float) -> None:
    """Connect to a scheduler as a client does, and disconnect."""
    distributed: Any = import_module("distributed")
    args = distributed.Security().get_connection_args("client")
    connection = await asyncio.wait_for(
        distributed.comm.connect(address, timeout=patience, **args), patience
    )
    await connection.close()


def _drop_traceback(record: logging.LogRecord) -> bool:
    """Drop tracebacks of lost connections, which are restored or reported anyway."""
    record.exc_info = record.exc_text = None
    return bool(record.getMessage().strip())
