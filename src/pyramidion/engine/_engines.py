"""Where work is done: in this process, on all cores of this machine, on a Dask cluster."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from pyramidion.collection._options import option
from pyramidion.collection._questions import Options
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
        """Give the results in the order of the parts; a part whose worker is lost is retried.

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
        """Give the results in the order of the parts."""
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
        """Give the results in the order of the parts."""
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
            self._pool = ProcessPoolExecutor(self.workers, mp_context=context)
        return self._pool

    def restart(self) -> None:
        """End the processes; new ones are started when there is work."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None

    close = restart


@dataclass
class DaskCluster:
    """Uses the workers of a Dask cluster that is running.

    Parameters
    ----------
    scheduler
        Address of the scheduler, such as ``tcp://10.0.0.1:8786``.
    patience
        Seconds to wait for a scheduler that does not answer, also one that is restarted.
    """

    scheduler: str
    patience: float = 60.0
    _client: Any = field(default=None, repr=False)

    @property
    def workers(self) -> int:
        """How many threads its workers have."""
        threads: dict[str, int] = self._connected().nthreads()
        return max(1, sum(threads.values()))

    def map(self, function: Callable[[Part], Made], parts: Iterable[Part]) -> Iterator[Made]:
        """Give the results in the order of the parts."""
        workers = self.workers  # connects, or says what is missing
        dask: Any = import_module("distributed")

        def submit(part: Part) -> Any:
            # What is computed twice is written twice, the same: nothing is kept by its key.
            return self._connected().submit(function, part, pure=False)

        closed = dask.comm.CommClosedError
        lost = (dask.CancelledError, dask.KilledWorker, closed, TimeoutError)
        return _in_order(submit, parts, workers, lost, self.restart)

    def _connected(self) -> Any:
        if self._client is None:
            try:
                dask: Any = import_module("distributed")
            except ImportError:
                raise MissingExtraError("a Dask cluster", extra="cluster") from None
            try:
                wait = {"timeout": self.patience, "set_as_default": False}
                self._client = dask.Client(self.scheduler, **wait)
            except (OSError, ValueError) as error:
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


def _in_order(
    submit: Callable[[Part], Any],
    parts: Iterable[Part],
    workers: int,
    lost: tuple[type[BaseException], ...],
    restart: Callable[[], None],
) -> Iterator[Any]:
    """Keep the workers busy, give results in order, and submit again what was lost."""
    waiting: deque[tuple[Part, Any]] = deque()

    def first_result() -> Any:
        part, future = waiting.popleft()
        for _ in range(_MOST_TRIES):
            try:
                return future.result()
            except lost:
                restart()
                future = submit(part)
                others = [(other, submit(other)) for other, _ in waiting]
                waiting.clear()
                waiting.extend(others)
        raise InputError(
            f"the workers on {part} were lost {_MOST_TRIES} times",
            hint="look at their logs, and give them more memory or smaller parts",
        )

    try:
        for part in parts:
            waiting.append((part, submit(part)))
            if len(waiting) > 2 * workers:
                yield first_result()
        while waiting:
            yield first_result()
    finally:
        for _, future in waiting:
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
    else:
        engine = Cores() if workers is None else Cores(workers)
    try:
        yield engine
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
        None, "Number of processes of the engine cores; one per core by default.", least=1
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

    def opened(self) -> AbstractContextManager[Engine]:
        """Open the engine, to be closed in the end."""
        return open_engine(self.engine, workers=self.workers, scheduler=self.scheduler)
