"""Workers: those of a Dask client, or any executor.

What Dask does is left to Dask: a task whose worker is lost is given to another one (four times at most, Dask's
`allowed-failures`), a task that raises an error is tried again, a nanny restarts a worker that ended, an idle worker
steals tasks from a busy one. Three things are not: Dask waits for ever if there is no worker or the scheduler does not
come back, it runs a task to its end even if a limit stops the count, and it starts all processes of a local cluster
although one task at a time can run here.
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import InputError, PuzzlespaceError, TableError, UnsupportedError
from ..limits.machine import spare_memory
from ..limits.threads import processors
from .places import NO_DASK

RETRIES = 2
"""How often Dask tries a task again that raises an error, such as a full disk of one worker."""

AHEAD = 8
"""Tasks for each slot that Dask has to choose from."""

GLANCE = 0.2
"""Seconds between two checks of the limits."""

LOST = 60.0
"""Seconds without a worker after which the count stops."""

FORMS = "local, local:WORKERS, threads:WORKERS, tcp://HOST:PORT, tls://HOST:PORT or FILE.json"

FILE_SECONDS = 20.0
"""Seconds to wait for the file in which a scheduler says where it is: network folders show new files late."""

MEMORY_SHARE = 0.4
"""The share of a worker's memory that a task may take for its data; the rest is for the program and for buffers.

Dask stops giving tasks to a worker that holds 80 % of its memory.
"""

Message = str
Answer = dict[str, Any]


class LostError(TableError):
    """The workers or the scheduler of a cluster are lost; the count can be resumed."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text}; resume=True continues the count")


class Workers:
    """An executor, or a Dask client.

    slots   how many tasks run at a time; the threads of Dask's workers if there is a client
    memory  bytes that a task may take
    start   called once, when there is more than one task at a time: returns a client to use from then on
    """

    def __init__(self, executor: Executor | None, slots: int, memory: int, name: str, client: Any = None) -> None:
        self.executor, self.memory, self.name, self.client = executor, memory, name, client
        self.own = slots
        self.start: Callable[[], Any] | None = None
        self.found: list[str] = []
        self.asked = 0.0

    def slots(self) -> int:
        """Return how many tasks can run at a time."""
        return self.own if self.client is None else len(self.spots())

    def spots(self) -> list[str]:
        """Return the worker of each thread of the client's cluster, in an order that stays; asked every second."""
        if self.client.status != "running":
            raise LostError(f"the scheduler is lost (the client is {self.client.status})")
        if time.monotonic() - self.asked >= 1.0 or not self.found:
            try:
                self.found = [each for each, many in sorted(self.client.nthreads().items()) for _ in range(many)]
            except (OSError, CancelledError) as error:
                raise LostError(f"the scheduler is lost: {type(error).__name__}: {error}"[:300]) from error
            self.asked = time.monotonic()
        return self.found

    def begin(self) -> None:
        """Start the processes, if that is still to be done."""
        if self.start is not None:
            start, self.start = self.start, None
            self.client = start()

    def answers(
        self,
        work: Callable[[Message], Answer],
        messages: Sequence[Message],
        look: Callable[[], None],
        homes: Sequence[float] = (),
    ) -> Iterator[tuple[int, Answer]]:
        """Yield (number of the message, answer) as tasks end. `look` checks the limits.

        homes  for each message a number from 0 to 1: tasks with about the same number go to the same worker of a
               client, as long as that is not busy
        Raises the error of a task that fails every time, LostError if the workers are lost.
        """
        if len(messages) > 1:
            self.begin()
        served = time.monotonic()
        futures: dict[Future[Answer], int] = {}
        waiting = iter(enumerate(messages))
        try:
            while True:
                for number, message in islice(waiting, max(0, AHEAD * max(1, self.slots()) - len(futures))):
                    futures[self._submit(work, message, homes[number : number + 1])] = number
                if not futures:
                    return
                done, _ = wait(futures, GLANCE, FIRST_COMPLETED)
                for future in done:
                    yield futures.pop(future), self._result(future)
                del done
                if self.slots():
                    served = time.monotonic()
                elif time.monotonic() - served > LOST:
                    raise LostError(f"{self.name}: no worker for {LOST:.0f} seconds")
                look()
        finally:
            for future in futures:
                future.cancel()

    def _submit(self, work: Callable[[Message], Answer], message: Message, home: Sequence[float]) -> Future[Answer]:
        executor = self.executor
        if self.client is not None:
            spots = self.spots() if home else []
            near = {"workers": [spots[int(home[0] * len(spots))]], "allow_other_workers": True} if spots else {}
            executor = self.client.get_executor(pure=False, retries=RETRIES, **near)
        assert executor is not None
        try:
            return executor.submit(work, message)
        except RuntimeError as error:  # a pool that lost a process takes no more tasks
            raise LostError(f"{self.name}: it takes no more tasks: {error}") from error

    def _result(self, future: Future[Answer]) -> Answer:
        try:
            return future.result()
        except PuzzlespaceError:
            raise
        except CancelledError as error:  # so are all tasks of a client that loses its scheduler
            raise LostError(f"{self.name}: the scheduler is lost") from error
        except Exception as error:
            raise LostError(f"{self.name}: a task was lost: {type(error).__name__}: {error}"[:300]) from error


def of_executor(executor: Executor, slots: int, memory: int | None = None) -> Workers:
    """Return any executor as workers: a pool of threads or processes, an `MPIPoolExecutor`, …"""
    return Workers(executor, slots, memory or _share(spare_memory(), slots), type(executor).__name__)


def of_client(client: Any, memory: int | None = None) -> Workers:
    """Return the workers of a Dask `Client`."""

    def least() -> int:
        found = client.scheduler_info(n_workers=-1)["workers"].values()
        each = [int(w["memory_limit"] or 0) / max(1, w["nthreads"]) for w in found]
        known = [size for size in each if size]
        return int(MEMORY_SHARE * min(known)) if known else _share(spare_memory(), processors())

    where = str(client.scheduler.address) if client.scheduler is not None else "Dask"
    return Workers(None, 0, memory or least(), where, client)


def _share(memory: int, slots: int) -> int:
    return int(MEMORY_SHARE * memory / max(1, slots))


@contextmanager
def hired(where: Any, memory: int | None = None, tell: Callable[[str], None] = lambda _: None) -> Iterator[Workers]:
    """Yield the workers that a text or object names, and end those that were started for it.

    where   one of FORMS, a Dask `Client`, an `Executor`, or `Workers`
    memory  bytes for all workers that are started here together; for others, for each task
    tell    called with the address of Dask's dashboard, if there is one
    Raises InputError for any other text, UnsupportedError if Dask is not installed.
    """
    with ExitStack() as ends:
        if isinstance(where, Workers):
            yield where
        elif isinstance(where, Executor):
            yield of_executor(where, getattr(where, "_max_workers", None) or processors(), memory)
        elif not isinstance(where, str):
            if not hasattr(where, "get_executor"):
                raise InputError(f"cluster: expected {FORMS}, a Dask client or an executor, found {where!r}")
            yield of_client(where, memory)
        elif where.startswith(("tcp://", "tls://", "ucx://")) or where.endswith(".json"):
            client = ends.enter_context(_client(where))
            _tell_dashboard(client, tell)
            yield of_client(client, memory)
        else:
            yield _here(where, memory, tell, ends)


def _tell_dashboard(client: Any, tell: Callable[[str], None]) -> None:
    with suppress(Exception):  # a scheduler without one
        if client.dashboard_link:
            tell(client.dashboard_link)


def _here(where: str, memory: int | None, tell: Callable[[str], None], ends: ExitStack) -> Workers:
    """Return workers on this machine: threads, or processes that Dask starts when there is more than one task."""
    kind, _, number = where.partition(":")
    count = int(number) if number.isascii() and number.isdigit() else 0 if number else processors()
    if kind not in ("local", "threads") or not 1 <= count <= 4096:
        raise InputError(f"cluster: expected {FORMS}, found {where!r}")
    each = _share(memory or spare_memory(), count)
    if kind == "threads":
        return Workers(ends.enter_context(ThreadPoolExecutor(count)), count, each, where)
    if find_spec("distributed") is None:
        raise UnsupportedError(NO_DASK)
    alone = ThreadPoolExecutor(1)  # tasks must be short: one that runs here cannot be interrupted
    ends.callback(alone.shutdown, cancel_futures=True)
    workers = Workers(alone, count, each, where)

    def start() -> Any:
        alone.shutdown()  # gives back the pieces of a table that the thread keeps
        client = ends.enter_context(_local(count, memory))
        if find_spec("bokeh") is not None:  # else the page asks to install it
            _tell_dashboard(client, tell)
        return client

    workers.start = start
    return workers


UNDISTURBED = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What a worker of a local cluster runs first: only the client reacts to Ctrl-C, which the terminal sends to all."""

LOADED = ("distributed", "puzzlespace.api.clusters", "puzzlespace.cluster.windows", "puzzlespace.cluster.runs")
"""What the process has loaded from which workers are forked, once and before it has threads."""


@contextmanager
def _local(count: int, memory: int | None) -> Iterator[Any]:
    """Start processes on this machine. On macOS libraries of the system may start threads, which forks do not have."""
    distributed = _distributed()
    from dask import config

    forked = sys.platform == "linux"
    if forked:
        multiprocessing.set_forkserver_preload(list(LOADED))
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with (
        config.set({"distributed.worker.multiprocessing-method": "forkserver" if forked else "spawn"}),
        distributed.LocalCluster(
            n_workers=count, threads_per_worker=1, memory_limit=(memory // count) if memory else 0,
            dashboard_address=":0", silence_logs=logging.CRITICAL, preload=[UNDISTURBED],
        ) as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        yield client


@contextmanager
def _client(where: str) -> Iterator[Any]:
    distributed = _distributed()
    address = _address(where)
    try:
        client = distributed.Client(address, timeout=20)
    except (OSError, TimeoutError, ValueError, TypeError) as error:  # TypeError: no certificates are configured
        raise InputError(f"cluster: no scheduler answers at {address}: {error}") from error
    with client:
        yield client


def _address(where: str) -> str:
    """Return the address of a running scheduler; wait some seconds for its file. Raises InputError."""
    ends = time.monotonic() + FILE_SECONDS
    while where.endswith(".json"):
        try:
            return str(json.loads(Path(where).read_text(encoding="utf-8"))["address"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            if time.monotonic() > ends:
                raise InputError(f"cluster: {where} does not say where a scheduler is: {error!r}") from error
        time.sleep(0.1)
    return where


def _distributed() -> Any:
    """Return the package `distributed`, with time-outs that allow for long tasks, and without Dask's own memory rules.

    The copies of a table that a worker keeps are memory that Dask cannot spill.
    """
    try:
        import distributed
        from dask import config
    except ImportError:
        raise UnsupportedError(NO_DASK) from None
    config.set({
        "distributed.scheduler.worker-ttl": "30 minutes",
        "distributed.comm.timeouts.connect": "60s",
        "distributed.comm.timeouts.tcp": "120s",
        "distributed.admin.tick.limit": "1 hour",
        "distributed.worker.memory.target": False,
        "distributed.worker.memory.spill": False,
        "distributed.worker.memory.pause": False,
        "distributed.worker.profile.enabled": False,
        "distributed.scheduler.active-memory-manager.start": False,
        "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 27,  # memory is kept for the next task
    })  # fmt: skip
    return distributed
