"""Where work is done: in this process, on all cores of this machine, on a Dask cluster."""

import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import pyramidion
from pyramidion.collection._options import option
from pyramidion.collection._questions import Options, library_versions
from pyramidion.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Part = TypeVar("Part")
Made = TypeVar("Made")

#: The engines by name.
EngineName = Literal["in-process", "cores", "dask"]

# A part whose worker is lost so often is what kills it.
_MOST_TRIES = 3


class Engine(Protocol):
    """Maps a function over parts.

    Parameters
    ----------
    workers
        How many parts are worked on at a time.
    """

    @property
    def workers(self) -> int:
        """How many parts are worked on at a time."""

    def map(self, function: Callable[[Part], Made], parts: Iterable[Part]) -> Iterator[Made]:
        """Return the results in the order of the parts; a part whose worker is lost is retried.

        Parameters
        ----------
        function
            A pure function that can be pickled; what it raises is raised here.
        parts
            What it is called with; a few more than there are workers are taken ahead.
        """


@dataclass(frozen=True)
class InProcess:
    """Calls the function here, part by part.

    Examples
    --------
    >>> list(InProcess().map(len, ["ab", "c"]))
    [2, 1]
    """

    workers: int = 1

    def map(self, function: Callable[[Part], Made], parts: Iterable[Part]) -> Iterator[Made]:
        """Return the results in the order of the parts."""
        return map(function, parts)


@dataclass
class Cores:
    """Uses processes of this machine, one a core.

    Parameters
    ----------
    workers
        How many processes; one a core by default.

    Examples
    --------
    >>> with open_engine("cores", workers=1) as engine:
    ...     list(engine.map(len, ["ab", "c"]))
    [2, 1]
    """

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    _pool: "ProcessPoolExecutor | None" = field(default=None, repr=False)

    def map(self, function: Callable[[Part], Made], parts: Iterable[Part]) -> Iterator[Made]:
        """Return the results in the order of the parts."""
        from concurrent.futures.process import BrokenProcessPool

        def submit(part: Part) -> "Future[Made]":
            return self._started().submit(function, part)

        return _in_order(submit, parts, self.workers, (BrokenProcessPool,), self.restart)

    def _started(self) -> "ProcessPoolExecutor":
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        if self._pool is None:
            # Processes that are forked would inherit locks of threads.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=context, initializer=_begin_worker
            )
        return self._pool

    def restart(self) -> None:
        """End the processes, whatever they do; new ones are started when there is work."""
        running = {} if self._pool is None else self._pool._processes or {}
        for process in list(running.values()):
            process.terminate()
        self.close()

    def close(self) -> None:
        """End the processes when they are done, and have cleaned up."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Clean up when terminated, and end with the parent process, even if it is killed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    # Ctrl-C reaches all processes of a terminal: the first of them decides what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


@dataclass
class DaskCluster:
    """Uses the workers of a Dask cluster that is running.

    Parameters
    ----------
    scheduler
        Address of the scheduler, such as ``tcp://10.0.0.1:8786``.
    patience
        Seconds to wait for a scheduler that does not answer, also one that is restarted, or for
        its first worker.
    """

    scheduler: str
    patience: float = 60.0
    _client: Any = field(default=None, repr=False)

    @property
    def workers(self) -> int:
        """How many threads its workers have; refuse a scheduler that stays without workers."""
        try:
            self.connected().wait_for_workers(1, timeout=self.patience)
        except TimeoutError:
            raise InputError(
                f"the scheduler {self.scheduler} has no workers", "start some"
            ) from None
        threads: dict[str, int] = self.connected().nthreads()
        return max(1, sum(threads.values()))

    def map(self, function: Callable[[Part], Made], parts: Iterable[Part]) -> Iterator[Made]:
        """Return the results in the order of the parts."""
        workers = self.workers  # connects, or says what is missing
        dask: Any = import_module("distributed")
        alike = _SameVersions(function, _versions())

        def submit(part: Part) -> Any:
            # What is computed twice is written twice, the same: nothing is kept by its key.
            return self.connected().submit(alike, part, pure=False)

        closed = dask.comm.CommClosedError
        lost = (dask.CancelledError, dask.KilledWorker, closed, TimeoutError)
        return _loaded(_in_order(submit, parts, workers, lost, self.restart))

    def connected(self) -> Any:
        """Return a client of the scheduler; refuse one that does not answer."""
        if self._client is None:
            try:
                dask: Any = import_module("distributed")
            except ImportError:
                raise MissingExtraError("a Dask cluster", extra="cluster") from None
            logging.getLogger("distributed.client").addFilter(_in_one_line)
            try:
                dask.comm.get_address_host(self.scheduler)
            except ValueError:
                hint = "write it as tcp://HOST:PORT"
                raise InputError(f"the scheduler {self.scheduler} is no address", hint) from None
            try:
                wait = {"timeout": self.patience, "set_as_default": False}
                self._client = dask.Client(self.scheduler, **wait)
            except OSError as error:
                raise InputError(
                    f"the scheduler {self.scheduler} does not answer ({type(error).__name__})",
                    hint="start it, or give its address with --scheduler tcp://HOST:PORT",
                ) from None
        return self._client

    def restart(self) -> None:
        """Connect anew when there is work."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):  # what is lost cannot be closed
                client.close(timeout=2)

    close = restart


def _loaded(results: Iterator[Made]) -> Iterator[Made]:
    """Say what it means that a scheduler or a worker cannot unpack a function of this program."""
    try:
        yield from results
    except (RuntimeError, ImportError) as error:
        if isinstance(error, ImportError) or "deserializ" in str(error):
            raise InputError(
                "the scheduler or a worker cannot load this program",
                hint="install the same version of Pyramidion on all of them, and start them again",
            ) from error
        raise


def _in_one_line(record: logging.LogRecord) -> bool:
    """Log no tracebacks of lost connections, which are restored or reported."""
    record.exc_info = record.exc_text = None
    return bool(record.getMessage().strip())


def _versions() -> tuple[str, ...]:
    return (f"pyramidion:{pyramidion.__version__}", *library_versions(seeded=True))


@dataclass(frozen=True)
class _SameVersions:
    """A function that is not called where other versions may give other digits."""

    function: Callable[[Any], Any]
    versions: tuple[str, ...]

    def __call__(self, part: Any) -> Any:
        """Call it."""
        if (here := _versions()) != self.versions:
            raise InputError(
                f"a worker has {', '.join(here)}, this program {', '.join(self.versions)}",
                hint="install the same versions on all of them",
            )
        return self.function(part)


def _in_order(
    submit: Callable[[Part], Any],
    parts: Iterable[Part],
    workers: int,
    lost: tuple[type[BaseException], ...],
    restart: Callable[[], None],
) -> Iterator[Any]:
    """Keep the workers busy, give results in order, and submit again what was lost."""
    queue = _Queue(submit, lost, restart)
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
    """Parts in their order, each with its future; `None` where it must be submitted again."""

    submit: Callable[[Any], Any]
    lost: tuple[type[BaseException], ...]
    restart: Callable[[], None]
    waiting: deque[tuple[Any, Any]] = field(default_factory=deque)

    def add(self, part: Any) -> None:
        """Submit a part; the workers may be lost already."""
        future = None
        with suppress(*self.lost):
            future = self.submit(part)
        self.waiting.append((part, future))

    def first_result(self) -> Any:
        """Wait for the first part; where workers are lost, try it alone, then the others again."""
        part, future = self.waiting.popleft()
        for _ in range(_MOST_TRIES):
            try:
                made = (self.submit(part) if future is None else future).result()
            except self.lost:
                self.restart()
                # Another part may be what they were lost on.
                future, self.waiting = None, deque((other, None) for other, _ in self.waiting)
            else:
                self._submit_again()
                return made
        raise InputError(
            f"the workers on {part} were lost {_MOST_TRIES} times",
            hint="look at their logs, and give them more memory or smaller parts",
        )

    def _submit_again(self) -> None:
        others, self.waiting = self.waiting, deque()
        for part, future in others:
            if future is None:
                self.add(part)
            else:
                self.waiting.append((part, future))

    def cancel(self) -> None:
        """Give up what is being worked on."""
        for _, future in self.waiting:
            if future is not None:
                future.cancel()


@contextmanager
def open_engine(
    name: EngineName = "in-process", *, workers: int | None = None, scheduler: str | None = None
) -> Iterator[Engine]:
    """Open an engine by name, and close it in the end.

    Parameters
    ----------
    name
        ``"in-process"``, ``"cores"`` or ``"dask"``.
    workers
        How many processes ``"cores"`` starts; one a core by default.
    scheduler
        Address of the scheduler of ``"dask"``.

    Examples
    --------
    >>> with open_engine() as engine:
    ...     list(engine.map(abs, [-1, 2]))
    [1, 2]
    """
    if name == "in-process":
        yield InProcess()
        return
    engine: Cores | DaskCluster
    if scheduler is not None:
        engine = DaskCluster(scheduler)
        engine.connected()  # before anything is written
    else:
        engine = Cores() if workers is None else Cores(workers)
    try:
        yield engine
    except BaseException:
        engine.restart()  # nobody waits for what is worked on
        raise
    finally:
        engine.close()


@dataclass(frozen=True, slots=True)
class EngineOptions(Options):
    """Where parts of the work are done."""

    engine: EngineName = option(
        "in-process", "Where parts of the work are done: in-process, cores (all cores of this "
        "machine) or dask (a cluster that is running). Results are the same.", metavar="NAME",
    )  # fmt: skip
    workers: int | None = option(
        None, "Number of processes of the engine cores; one per core by default.", min=1
    )
    scheduler: str | None = option(
        None, "Address of the Dask scheduler, such as tcp://10.0.0.1:8786.", metavar="ADDRESS"
    )

    def check(self) -> None:
        """Refuse an engine without what it needs."""
        if (self.engine == "dask") != (self.scheduler is not None):
            said = "needs a scheduler" if self.engine == "dask" else "has no scheduler"
            hint = "use --engine dask with --scheduler tcp://HOST:PORT"
            raise InputError(f"the engine {self.engine} {said}", hint)
        if self.engine != "cores" and self.workers is not None:
            raise InputError(f"the engine {self.engine} starts no workers", "use --engine cores")

    @property
    def unheeded(self) -> tuple[str, ...]:
        """A note that the engine has no effect, where there are no parts."""
        if self.engine == "in-process":
            return ()
        return (f"--engine {self.engine} has no effect: only folders of parts are shared out",)

    def opened(self) -> AbstractContextManager[Engine]:
        """Open the engine, to be closed in the end."""
        return open_engine(self.engine, workers=self.workers, scheduler=self.scheduler)
