"""Processes that answer questions, some for short and some for long ones; abandoned workers are killed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import sys
import time
from collections.abc import AsyncGenerator, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .bounds import MEGABYTE, Bounds

STARTING = 60.0
"""Seconds in which a new process must be ready."""

LINE = 2**25
"""The most bytes of one line of an answer."""

CHUNK = 2**18

KEPT = 512 * MEGABYTE
"""The most bytes that a process may hold between questions; it is replaced if it holds more, which returns them."""

Pieces = AsyncGenerator[tuple[dict[str, Any], bytes], None]
"""The pieces of an answer: (line, b'') or ({}, raw bytes)."""


class BusyError(Exception):
    """Too many questions are waiting."""


class BrokenError(Exception):
    """A process ended (`kind` 'memory'), or its time was over ('seconds'), before its answer was complete."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Worker:
    """One process, which runs `worker.main`."""

    def __init__(self, bounds: Bounds, tables_folder: Path, number: int) -> None:
        self.bounds = bounds
        self.tables_folder = tables_folder
        self.scratch = tables_folder / f"part-{number}"
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process and wait until it is ready. Raises BrokenError."""
        arguments = [self.bounds.to_json(), str(self.tables_folder), str(self.scratch)]
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "puzzlespace.web.worker", *arguments, stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, limit=LINE, start_new_session=True,
        )  # fmt: skip
        async for _ in self._lines(STARTING):
            pass

    async def ask(self, question: dict[str, Any], seconds: float) -> Pieces:
        """Yield the pieces of an answer. Raises BrokenError."""
        if not self.running:
            await self.start()
        assert self.process is not None
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            await self.process.stdin.drain()
        except OSError:
            raise BrokenError("memory") from None
        async for piece in self._lines(seconds):
            yield piece

    async def _lines(self, seconds: float) -> Pieces:
        """Yield the pieces of an answer up to its last line."""
        assert self.process is not None
        assert self.process.stdout is not None
        end, done = time.monotonic() + seconds, False
        while not done:
            line = json.loads(await self._in_time(self.process.stdout.readline(), end))
            done = line.get("done", False)
            yield line, b""
            left = line.get("bytes", 0)
            while left:
                part = await self._in_time(self.process.stdout.read(min(left, CHUNK)), end)
                left -= len(part)
                yield {}, part

    async def _in_time(self, reading: Any, end: float) -> bytes:
        try:
            found = await asyncio.wait_for(reading, max(0.0, end - time.monotonic()))
        except TimeoutError:
            raise BrokenError("seconds") from None
        if not found:
            raise BrokenError("memory")
        return found

    @property
    def running(self) -> bool:
        """Whether the process has started and not ended."""
        return self.process is not None and self.process.returncode is None

    def held(self) -> int:
        """Return the bytes of memory that the process holds for itself; 0 if the system does not tell."""
        if self.process is None:
            return 0
        try:
            _, resident, shared, *_ = map(int, Path(f"/proc/{self.process.pid}/statm").read_text().split())
        except (OSError, ValueError):
            return 0
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE")

    async def stop(self) -> None:
        """Kill the process."""
        if self.process is not None and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()
        self.process = None
        shutil.rmtree(self.scratch, ignore_errors=True)


EACH = 2
"""The most processes of one visitor at a time: one may count all positions while another answers."""


@dataclass
class VisitorTurns:
    """The processes that a visitor may use, and how many of the visitor's questions use one or wait for one."""

    places: asyncio.Semaphore
    users: int = 0


@dataclass
class Lane:
    """The processes that questions of one kind may use at a time, and how many of them wait for one."""

    places: asyncio.Semaphore
    waiting: int = 0


class Pool:
    """Processes of one kind.

    At most `waiting` questions wait for a free process, and as many of one visitor until that visitor's others are
    answered. A visitor has at most `each` processes at a time, some for brief questions and some for others, and never
    all of three or more.

    brief  seconds of a brief question; 0: there are none. Other questions leave one process to the brief ones, unless
           there is only one
    """

    def __init__(
        self,
        bounds: Bounds,
        tables_folder: Path,
        numbers: range,
        seconds: float,
        waiting: int,
        brief: float = 0.0,
    ) -> None:
        self.workers = [Worker(bounds, tables_folder, number) for number in numbers]
        self.free: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        self.seconds = {False: seconds, True: brief}
        self.most = waiting
        kept = 1 if brief else 0
        each = max(1, min(EACH, len(numbers) - 1 - kept))
        self.each = {False: each, True: max(1, min(EACH, len(numbers) - 1 - each))}
        self.lanes = {
            False: Lane(asyncio.Semaphore(max(1, len(numbers) - kept))),
            True: Lane(asyncio.Semaphore(len(numbers))),
        }
        self.first: dict[str, Any] = {}
        self.turns: dict[tuple[str, bool], VisitorTurns] = {}
        self.restarts: set[asyncio.Task[None]] = set()

    async def start(self, first: dict[str, Any], ready: int) -> None:
        """Start the first `ready` processes; the others start when they are needed.

        first  a question that each process answers first, so that its code is loaded
        """
        self.first = first
        for worker in self.workers[ready:]:
            self.free.put_nowait(worker)
        await asyncio.gather(*map(self._begin, self.workers[:ready]))

    async def _begin(self, worker: Worker) -> None:
        try:
            await worker.start()
            async for _ in worker.ask(self.first, STARTING):
                pass
        finally:
            self.free.put_nowait(worker)

    async def stop(self) -> None:
        """End all processes."""
        for task in self.restarts:
            task.cancel()
        await asyncio.gather(*(worker.stop() for worker in self.workers))

    async def ask(self, question: dict[str, Any], visitor: str = "", brief: bool = False) -> Pieces:
        """Yield the pieces of an answer. If the caller stops early, the process is killed.

        visitor  who asks ('' for the server itself): at most `each` questions of a visitor are answered at a time
        brief    whether it is a brief question: these have a process and turns of their own, and less time
        Raises BusyError if too many questions wait, BrokenError if a limit was reached.
        """
        async with self._turn(visitor, brief), self._place(brief):
            worker = await self.free.get()
            self._make_ready()
            whole = False
            try:
                async for piece in worker.ask(question, self.seconds[brief]):
                    whole = bool(piece[0].get("done"))
                    yield piece
            finally:
                if whole and worker.held() <= KEPT:
                    self.free.put_nowait(worker)
                else:
                    self._again(worker)

    @contextlib.asynccontextmanager
    async def _place(self, brief: bool) -> AsyncGenerator[None, None]:
        """Wait until one more question of the kind may use a process, and hold that right in the block."""
        lane = self.lanes[brief]
        if lane.waiting >= self.most:
            raise BusyError
        lane.waiting += 1
        try:
            await lane.places.acquire()
        finally:
            lane.waiting -= 1
        try:
            yield
        finally:
            lane.places.release()

    @contextlib.asynccontextmanager
    async def _turn(self, visitor: str, brief: bool) -> AsyncGenerator[None, None]:
        """Wait until the visitor may use one more process, and hold that right in the block."""
        turn = VisitorTurns(asyncio.Semaphore(self.each[brief]))
        turn = self.turns.setdefault((visitor, brief), turn) if visitor else turn
        if turn.users >= self.each[brief] + self.most:
            raise BusyError
        turn.users += 1
        try:
            async with turn.places:
                yield
        finally:
            turn.users -= 1
            if not turn.users:
                self.turns.pop((visitor, brief), None)

    def _make_ready(self) -> None:
        """Start the process that is taken next, in the background, unless it runs or there is none."""
        with contextlib.suppress(asyncio.QueueEmpty):
            worker = self.free.get_nowait()
            if worker.running:
                self.free.put_nowait(worker)
            else:
                self._in_background(self._begin(worker))

    def _again(self, worker: Worker) -> None:
        """Kill a process and start it again, in the background."""

        async def again() -> None:
            await worker.stop()
            await self._begin(worker)

        self._in_background(again())

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.restarts.add(task)
        task.add_done_callback(self.restarts.discard)
