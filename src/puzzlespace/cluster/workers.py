"""Executors that run tasks, and the loop that hands them out: never more than one task for each free slot.

Dask is loaded only if a cluster is asked for. What the loop knows of it: how many slots its workers have, and that its
futures are forgotten as soon as their result is read, so that nothing is computed again if a worker is lost.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from importlib.util import find_spec
from multiprocessing import parent_process
from pathlib import Path
from threading import Thread
from typing import Any

from ..errors import InputError, TableError, UnsupportedError
from ..limits.machine import spare_memory
from ..limits.threads import processors
from . import forks

ATTEMPTS = 4
"""How often a task is handed out before the count stops because its worker is lost every time."""

GLANCE = 0.2
"""Seconds between two checks of the limits."""

LOST = 60.0
"""Seconds without a worker after which the count stops."""

PATIENCE = 10.0
"""Seconds without a scheduler after which the count stops."""

FORMS = "local, local:WORKERS, threads:WORKERS, processes:WORKERS, tcp://HOST:PORT, tls://HOST:PORT or FILE.json"

FILE_SECONDS = 20.0
"""Seconds to wait for the file in which a scheduler says where it is: network folders show new files late."""

NO_DASK = "a cluster needs Dask: install puzzlespace[cluster]"

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
    """An executor with a number of slots.

    memory   bytes that a task may take
    renew    returns a new executor if this one is broken, or None
    spots    returns the worker of each slot, in an order that stays; None if tasks cannot be given to a certain worker
    at       returns an executor that prefers a worker of `spots`
    """

    def __init__(
        self,
        executor: Executor,
        slots: Callable[[], int],
        memory: int,
        renew: Callable[[], Executor] | None = None,
        name: str = "",
        dashboard: str = "",
        spots: Callable[[], list[str]] | None = None,
        at: Callable[[str], Executor] | None = None,
    ) -> None:
        self.executor, self.slots, self.memory, self.renew = executor, slots, memory, renew
        self.name, self.dashboard, self.spots, self.at = name, dashboard, spots, at

    def answers(
        self,
        work: Callable[[Message], Answer],
        messages: Sequence[Message],
        look: Callable[[], None],
        homes: Sequence[float] = (),
    ) -> Iterator[tuple[int, Answer]]:
        """Yield (number of the message, answer) as tasks end. `look` checks the limits.

        homes  for each message a number from 0 to 1: tasks with about the same number go to the same worker
        Raises LostError if a task loses its worker every time, or there are no workers for long.
        """
        waiting = list(range(len(messages)))[::-1]
        attempts = [0] * len(messages)
        running: dict[Future[Answer], tuple[int, str]] = {}
        served = time.monotonic()
        try:
            while waiting or running:
                slots = self.slots()
                if slots:
                    served = time.monotonic()
                elif time.monotonic() - served > LOST:
                    raise LostError(f"{self.name}: no worker for {LOST:.0f} seconds")
                while waiting and len(running) < slots:
                    number, spot = self._next(waiting, homes, [at for _, at in running.values()])
                    attempts[number] += 1
                    running[self._submit(work, messages[number], spot)] = number, spot
                done, _ = wait(running, GLANCE, FIRST_COMPLETED) if running else (set(), None)
                if not running:
                    time.sleep(GLANCE)
                broken = False
                for future in done:
                    number, _ = running.pop(future)
                    failed = self._failed(future)
                    if failed is None:
                        yield number, future.result()
                        continue
                    broken = True
                    if attempts[number] >= ATTEMPTS:
                        raise LostError(f"{self.name}: a task lost its worker {ATTEMPTS} times: {failed}")
                    waiting.append(number)
                del done
                if broken and self.renew is not None:  # the other tasks of a broken pool are lost, too
                    waiting += [number for number, _ in running.values()]
                    running.clear()
                    self._repair()
                look()
        finally:
            for future in running:
                future.cancel()

    def _next(self, waiting: list[int], homes: Sequence[float], busy: Sequence[str]) -> tuple[int, str]:
        """Take the task out of those waiting that a free slot prefers; return its number and the worker of the slot."""
        spots = self.spots() if self.spots is not None and homes else []
        spot = next((Counter(spots) - Counter(busy)).elements(), "")
        if not spot:
            return waiting.pop(), ""
        first, size = spots.index(spot), len(spots)
        begin, end = first / size, (first + spots.count(spot)) / size
        number = min(reversed(waiting), key=lambda each: max(begin - homes[each], homes[each] - end, 0.0))
        waiting.remove(number)
        return number, spot

    def _submit(self, work: Callable[[Message], Answer], message: Message, spot: str) -> Future[Answer]:
        for _ in range(ATTEMPTS):
            try:
                executor = self.at(spot) if spot and self.at is not None else self.executor
                return executor.submit(work, message)
            except RuntimeError as error:  # a pool that lost a process takes no more tasks
                if self.renew is None:
                    raise LostError(f"{self.name}: it takes no more tasks: {error}") from error
                self._repair()
        raise LostError(f"{self.name}: it takes no more tasks")

    def _failed(self, future: Future[Answer]) -> str | None:
        """Return why a task has no answer, or None. Tasks report errors in their answers."""
        if future.cancelled():
            return "it was cancelled"
        error = future.exception()
        return None if error is None else f"{type(error).__name__}: {error}"[:300]

    def _repair(self) -> None:
        if self.renew is not None:
            with suppress(RuntimeError):
                self.executor.shutdown(wait=False, cancel_futures=True)
            self.executor = self.renew()


def of_executor(executor: Executor, slots: int, memory: int | None = None) -> Workers:
    """Return any executor as workers: a pool of threads or processes, an `MPIPoolExecutor`, …"""
    return Workers(executor, lambda: slots, memory or _share(spare_memory(), slots), name=type(executor).__name__)


def of_client(client: Any, memory: int | None = None) -> Workers:
    """Return the workers of a Dask `Client`."""
    count = _Counted(client)

    def renew() -> Executor:
        return client.get_executor(pure=False)

    def least() -> int:
        found = client.scheduler_info(n_workers=-1)["workers"].values()
        each = [int(w["memory_limit"] or 0) / max(1, w["nthreads"]) for w in found]
        known = [size for size in each if size]
        return int(MEMORY_SHARE * min(known)) if known else _share(spare_memory(), processors())

    @cache
    def at(spot: str) -> Executor:
        return client.get_executor(pure=False, workers=[spot], allow_other_workers=True)

    dashboard = ""
    with suppress(Exception):
        dashboard = client.dashboard_link
    where = str(client.scheduler.address) if client.scheduler is not None else "Dask"
    return Workers(renew(), lambda: len(count()), memory or least(), None, where, dashboard, count, at)


class _Counted:
    """The worker of each slot of a client's cluster; asked again every second, so that workers can join and leave."""

    def __init__(self, client: Any) -> None:
        self.client, self.at = client, 0.0
        self.spots: list[str] = []
        self.alive = time.monotonic()

    def __call__(self) -> list[str]:
        now = time.monotonic()
        if self.client.status != "running":
            if now - self.alive > PATIENCE:
                raise LostError(f"the scheduler is lost (the client is {self.client.status})")
            return []
        self.alive = now
        if now - self.at >= 1.0 or not self.spots:
            self.at = now
            try:
                found = sorted(self.client.nthreads().items())
            except Exception as error:
                raise LostError(f"the scheduler is lost: {type(error).__name__}: {error}"[:300]) from error
            self.spots = [spot for spot, threads in found for _ in range(threads)]
        return self.spots


def _share(memory: int, slots: int) -> int:
    return int(MEMORY_SHARE * memory / max(1, slots))


@contextmanager
def hired(where: Any, memory: int | None = None) -> Iterator[Workers]:
    """Yield the workers that a text or object names, and end those that were started for it.

    where   one of FORMS, a Dask `Client`, an `Executor`, or `Workers`
    memory  bytes for all workers that are started here together; for others, for each task
    Raises InputError for any other text, UnsupportedError if Dask is not installed.
    """
    if isinstance(where, Workers):
        yield where
    elif isinstance(where, Executor):
        yield of_executor(where, getattr(where, "_max_workers", None) or processors(), memory)
    elif not isinstance(where, str):
        if not hasattr(where, "get_executor"):
            raise InputError(f"cluster: expected {FORMS}, a Dask client or an executor, found {where!r}")
        yield of_client(where, memory)
    elif _running(where):
        with _client(where) as client:
            yield of_client(client, memory)
    else:
        with _started(*_form(where), memory) as workers:
            yield workers


@contextmanager
def hired_late(where: Any, memory: int | None, tell: Callable[[Workers], None]) -> Iterator[Workers | LateWorkers]:
    """Do what `hired` does, but start processes only when there is more than one task at a time.

    tell  called with the workers as soon as they run
    """
    if isinstance(where, str) and not _running(where) and not where.startswith("threads"):
        kind, count = _form(where)
        if kind == "local" and find_spec("distributed") is None:
            raise UnsupportedError(NO_DASK)
        late = LateWorkers(kind, count, memory, tell)
        try:
            yield late
        finally:
            late.end()
    else:
        with hired(where, memory) as workers:
            tell(workers)
            yield workers


class LateWorkers:
    """Processes that are started when there is more than one task at a time; until then, this process runs the tasks.

    So a small count does not pay for their start. Tasks must be short: one that runs here cannot be interrupted.
    """

    def __init__(self, kind: str, count: int, memory: int | None, tell: Callable[[Workers], None]) -> None:
        self.begin, self.tell = partial(_started, kind, count, memory), tell
        self.ends = ExitStack()
        self.here: Executor | None = ThreadPoolExecutor(1)
        each = _share(memory or spare_memory(), count)
        self.now = Workers(self.here, lambda: count, each, None, f"{count} {kind}")

    @property
    def memory(self) -> int:
        """Bytes that a task may take."""
        return self.now.memory

    def slots(self) -> int:
        """Return how many tasks can run at a time."""
        return self.now.slots()

    def answers(
        self,
        work: Callable[[Message], Answer],
        messages: Sequence[Message],
        look: Callable[[], None],
        homes: Sequence[float] = (),
    ) -> Iterator[tuple[int, Answer]]:
        """Do what `Workers.answers` does."""
        if len(messages) > 1 and self.here is not None:
            self._end_here()
            self.now = self.ends.enter_context(self.begin())
            self.tell(self.now)
        return self.now.answers(work, messages, look, homes)

    def end(self) -> None:
        """End the processes."""
        self._end_here()
        self.ends.close()

    def _end_here(self) -> None:
        """End the thread of this process, which gives its copies of pieces back."""
        if self.here is not None:
            self.here.shutdown(wait=True, cancel_futures=True)
            self.here = None


def _running(where: str) -> bool:
    """Return whether a text is the address of a scheduler, or the name of the file in which one says where it is."""
    return where.startswith(("tcp://", "tls://", "ucx://")) or where.endswith(".json")


def _address(where: str) -> str:
    """Return the address of a running scheduler; wait some seconds for its file. Raises InputError."""
    if not where.endswith(".json"):
        return where
    ends = time.monotonic() + FILE_SECONDS
    while True:
        try:
            found = json.loads(Path(where).read_text(encoding="utf-8"))
            return str(found["address"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            if time.monotonic() > ends:
                raise InputError(f"cluster: {where} does not say where a scheduler is: {error!r}") from error
        time.sleep(0.1)


def _form(where: str) -> tuple[str, int]:
    """Return the kind and number of the workers to start; raise InputError for any other text."""
    kind, _, number = where.partition(":")
    count = int(number) if number.isascii() and number.isdigit() else 0 if number else processors()
    if kind not in ("local", "threads", "processes") or not 1 <= count <= 4096:
        raise InputError(f"cluster: expected {FORMS}, found {where!r}")
    return kind, count


UNDISTURBED = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What a worker of a local cluster runs first: only the client reacts to Ctrl-C, which the terminal sends to all."""


def _undisturbed() -> None:
    """Make a process of a pool ignore Ctrl-C, but end with the client, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    client = parent_process()

    def look() -> None:
        if client is not None:
            client.join()
            os._exit(1)

    Thread(target=look, daemon=True).start()


@contextmanager
def _started(kind: str, count: int, memory: int | None) -> Iterator[Workers]:
    each = _share(memory or spare_memory(), count)
    if kind == "local":
        if find_spec("distributed") is not None:
            forks.context("distributed")  # loads while this process does
        distributed = _distributed()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        with (
            _forked(),
            distributed.LocalCluster(
                n_workers=count, threads_per_worker=1, memory_limit=(memory // count) if memory else 0,
                dashboard_address=":0", silence_logs=logging.CRITICAL, preload=[UNDISTURBED],
            ) as cluster,
            distributed.Client(cluster) as client,
        ):  # fmt: skip
            workers = of_client(client, each)
            workers.name = f"local cluster at {client.scheduler.address}"
            if find_spec("bokeh") is None:
                workers.dashboard = ""  # a page that asks to install it
            yield workers
        return

    def pool() -> Executor:
        if kind == "threads":
            return ThreadPoolExecutor(count)
        return ProcessPoolExecutor(count, forks.context(), _undisturbed)

    workers = Workers(pool(), lambda: count, each, pool, f"{count} {kind}")
    try:
        yield workers
    finally:
        workers.executor.shutdown(wait=True, cancel_futures=True)


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


def _forked() -> Any:
    """Make Dask start the workers of a local cluster as `forks` says, until the context is left."""
    from dask import config

    return config.set({"distributed.worker.multiprocessing-method": forks.context().get_start_method()})


def _distributed() -> Any:
    """Return the package `distributed`, with time-outs that allow for long tasks and little work of its own."""
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
        "distributed.worker.memory.monitor-interval": "1s",
        "distributed.worker.profile.enabled": False,
        "distributed.admin.tick.interval": "500ms",
        "distributed.admin.system-monitor.interval": "5s",
        "distributed.scheduler.active-memory-manager.start": False,
        "distributed.scheduler.work-stealing": False,
        "distributed.nanny.pre-spawn-environ": forks.ENVIRONMENT,
    })  # fmt: skip
    return distributed
