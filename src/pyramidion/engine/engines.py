"""Engines: this process, all cores of this machine, or a Dask cluster."""

import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from pyramidion.errors import InputError, show_warning
from pyramidion.questions import Options, option

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from pyramidion.engine._cluster import DaskCluster

Part = TypeVar("Part")
Output = TypeVar("Output")

#: The engines by name.
EngineName = Literal["in-process", "cores", "dask"]

# Keeps Python from importing modules from the folder in which it is started.
_SAFE_PATH = "PYTHONSAFEPATH"

# After this many lost workers, a part is considered the cause.
_MAX_TRIES = 3

# Topics that a worker gets at a time.
_MAX_TOPICS = 32


class Engine(Protocol):
    """Maps a function over parts."""

    @property
    def workers(self) -> int:
        """Number of parts that are processed at the same time."""

    def map(self, function: Callable[[Part], Output], parts: Iterable[Part]) -> Iterator[Output]:
        """Return the results in the order of the parts; a part whose worker is lost is retried.

        Parameters
        ----------
        function
            A pure function that can be pickled; its errors are raised here.
        parts
            Its arguments; some are consumed ahead, to keep all workers busy.
        """


@dataclass(frozen=True)
class InProcess:
    """Runs everything in this process.

    Examples
    --------
    >>> list(InProcess().map(len, ["ab", "c"]))
    [2, 1]
    """

    workers: int = 1

    def map(self, function: Callable[[Part], Output], parts: Iterable[Part]) -> Iterator[Output]:
        """Return the results in the order of the parts."""
        return map(function, parts)


@dataclass
class Cores:
    """Runs in processes on this machine.

    Parameters
    ----------
    workers
        Number of processes; one per core by default.

    Examples
    --------
    >>> with open_engine("cores", workers=1) as engine:
    ...     list(engine.map(len, ["ab", "c"]))
    [2, 1]
    """

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    _pool: "ProcessPoolExecutor | None" = field(default=None, repr=False)

    def map(self, function: Callable[[Part], Output], parts: Iterable[Part]) -> Iterator[Output]:
        """Return the results in the order of the parts."""
        from concurrent.futures.process import BrokenProcessPool

        def submit(part: Part) -> "Future[Output]":
            with _safe_path():
                return self._started().submit(_until_terminated, function, part)

        return in_order(submit, parts, self.workers, (BrokenProcessPool,), self.restart)

    def _started(self) -> "ProcessPoolExecutor":
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        if self._pool is None:
            # Forked processes would inherit locks of threads.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=context, initializer=_begin_worker
            )
        return self._pool

    def restart(self) -> None:
        """Terminate the processes; new ones are started when there is work."""
        running = {} if self._pool is None else self._pool._processes or {}
        for process in list(running.values()):
            process.terminate()
        self.close()

    def close(self) -> None:
        """Wait for running work, and end the processes."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Keep new processes from importing modules from the working folder."""
    old_value = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if old_value is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = old_value


def _begin_worker() -> None:
    """Clean up when terminated, and end with the parent process, even if it is killed."""
    signal.signal(signal.SIGTERM, _on_sigterm)
    # Ctrl-C reaches all processes of a terminal; the parent decides what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.showwarning = show_warning
    threading.Thread(target=_end_with_parent, daemon=True).start()


#: Whether this worker process is processing a part.
_at_work = False


def _on_sigterm(*_: object) -> None:
    """End a worker; one at work cleans up first."""
    if not _at_work:
        os._exit(1)
    sys.exit(1)


def _until_terminated(function: Callable[[Part], Output], part: Part) -> Output:
    """Call a function; end the process on SIGTERM, which the pool would catch."""
    global _at_work  # noqa: PLW0603 - read by the signal handler
    _at_work = True
    try:
        return function(part)
    except SystemExit:
        os._exit(1)
    finally:
        _at_work = False


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def in_order(
    submit: Callable[[Part], Any],
    parts: Iterable[Part],
    workers: int,
    lost_errors: tuple[type[BaseException], ...],
    restart: Callable[[], None],
) -> Iterator[Any]:
    """Keep the workers busy, yield results in order, and resubmit lost parts."""
    queue = _Queue(submit, lost_errors, restart)
    try:
        for part in parts:
            queue.add(part)
            if len(queue.waiting) > 2 * workers:
                yield queue.first_result()
        while queue.waiting:
            yield queue.first_result()
    finally:
        queue.cancel()


@dataclass
class _Queue:
    """Parts in order, each with its future; `None` if it must be resubmitted."""

    submit: Callable[[Any], Any]
    lost: tuple[type[BaseException], ...]
    restart: Callable[[], None]
    waiting: deque[tuple[Any, Any]] = field(default_factory=deque)

    def add(self, part: Any) -> None:
        """Submit a part, unless the workers are already lost."""
        future = None
        with suppress(*self.lost):
            future = self.submit(part)
        self.waiting.append((part, future))

    def first_result(self) -> Any:
        """Wait for the first part; if workers are lost, retry it alone, then resubmit the rest."""
        part, future = self.waiting.popleft()
        result = self._result(part, future)
        self._submit_again()
        return result

    def _result(self, part: Any, future: Any) -> Any:
        for _ in range(_MAX_TRIES):
            try:
                return (self.submit(part) if future is None else future).result()
            except self.lost:
                self.restart()
                # Another part may have been the cause.
                future, self.waiting = None, deque((other, None) for other, _ in self.waiting)
        if single_results := getattr(part, "single", []):
            # Several parts at once: find the one that kills workers.
            return [result for part in single_results for result in self._result(part, None)]
        raise InputError(
            f"workers were lost {_MAX_TRIES} times on {part}",
            hint="check their logs; use smaller parts, or workers with more memory",
        )

    def _submit_again(self) -> None:
        submitted_tasks, self.waiting = self.waiting, deque()
        for part, future in submitted_tasks:
            if future is None:
                self.add(part)
            else:
                self.waiting.append((part, future))

    def cancel(self) -> None:
        """Cancel everything that is waiting."""
        for _, future in self.waiting:
            if future is not None:
                future.cancel()


def map_topics(
    engine: Engine,
    function: Callable[[Part], Output],
    topics: Iterable[tuple[str, Part]],
    number: int,
) -> Iterator[Output]:
    """Map over named topics in batches, since they may be small."""
    size = max(1, min(_MAX_TOPICS, number // (4 * engine.workers)))
    topic_iterator = iter(topics)
    batches = map(_Topics, iter(lambda: tuple(islice(topic_iterator, size)), ()))
    return chain.from_iterable(engine.map(_CallEach(function), batches))


@dataclass(frozen=True)
class _Topics:
    """Topics for one worker, each with its name."""

    named: tuple[tuple[str, Any], ...]

    def __str__(self) -> str:
        return " to ".join(dict.fromkeys((self.named[0][0], self.named[-1][0])))

    @property
    def single(self) -> "list[_Topics]":
        """The topics one by one, if there are several."""
        return [_Topics((topic,)) for topic in self.named] if len(self.named) > 1 else []


@dataclass(frozen=True)
class _CallEach:
    """Calls a function for each of several topics."""

    function: Callable[[Any], Any]

    def __call__(self, topics: _Topics) -> list[Any]:
        """Return the results in the order of the topics."""
        return [self.function(topic) for _, topic in topics.named]


def require_ready(engine: Engine, *paths: str) -> None:
    """Refuse a cluster whose workers lack Pyramidion or cannot see these paths."""
    if (require := getattr(engine, "require_ready", None)) is not None:
        require(*paths)


@contextmanager
def open_engine(
    name: EngineName = "in-process",
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    connect_timeout: float = 10.0,
) -> Iterator[Engine]:
    """Open an engine by name; a context manager that closes it.

    Parameters
    ----------
    name
        ``"in-process"``, ``"cores"`` or ``"dask"``.
    workers
        Number of processes of ``"cores"``; one per core by default.
    scheduler, connect_timeout
        Address of the scheduler of ``"dask"``, and seconds to wait for it and its first worker.

    Examples
    --------
    >>> with open_engine() as engine:
    ...     list(engine.map(abs, [-1, 2]))
    [1, 2]
    """
    if name == "in-process":
        yield InProcess()
        return
    engine: Cores | DaskCluster = Cores() if workers is None else Cores(workers)
    if scheduler is not None:
        from pyramidion.engine import _cluster

        engine = _cluster.DaskCluster(scheduler, connect_timeout)
    try:
        require_ready(engine)  # before anything is written
        yield engine
    except BaseException:
        engine.restart()  # nobody waits for the results
        raise
    finally:
        engine.close()


@dataclass(frozen=True, slots=True)
class EngineOptions(Options):
    """Where the work is done."""

    engine: EngineName = option(
        "in-process", "Where the work is done: in-process, cores (all cores of this machine) or "
        "dask (a running cluster). All of them give the same results.", metavar="NAME",
    )  # fmt: skip
    workers: int | None = option(
        None, "Number of processes for --engine cores; one per core by default.", min=1
    )
    scheduler: str | None = option(
        None, "Address of the Dask scheduler, such as tcp://10.0.0.1:8786 or tls://host:8786.",
        metavar="ADDRESS",
    )  # fmt: skip
    connect_timeout: float = option(
        10.0, "Seconds to wait for the Dask scheduler and its first worker.", min=0.1,
        metavar="SECONDS",
    )  # fmt: skip

    def check(self) -> None:
        """Refuse options that do not fit the engine."""
        if (self.engine == "dask") != (self.scheduler is not None):
            problem = "needs a scheduler" if self.engine == "dask" else "takes no scheduler"
            hint = "use --engine dask with --scheduler tcp://HOST:PORT"
            raise InputError(f"the engine {self.engine} {problem}", hint)
        if self.engine != "cores" and self.workers is not None:
            raise InputError(f"the engine {self.engine} starts no workers", "use --engine cores")

    @property
    def ineffective(self) -> tuple[str, ...]:
        """Notes that the engine has no effect."""
        note = f"--engine {self.engine} has no effect here"
        return () if self.engine == "in-process" else (note,)

    def opened(self) -> AbstractContextManager[Engine]:
        """Open the engine in a context manager that closes it."""
        return open_engine(
            self.engine, workers=self.workers, scheduler=self.scheduler,
            connect_timeout=self.connect_timeout,
        )  # fmt: skip
