"""The server: the page's files, short questions, and long questions, whose answers are streams of lines."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from .. import catalogue
from .bounds import QUICK, Bounds
from .guard import RequestGuard
from .japanese import with_japanese
from .measured import SUMMARY
from .modules import TYPES, static_files
from .pool import BrokenError, BusyError, Pieces, Pool

SHORT = {"open", "read", "at", "sample"}
LONG = {"search", "path", "measure", "map", "copy", "make", "design"}
BRIEF = {"search", "path", "measure"}

PREFIX, LOCK = "puzzlespace-page-", "lock"
"""How the names of the servers' folders begin, and the file in each that its server locks."""

YOUNG = 2.0
"""Seconds in which a new folder may not be locked yet."""

BEAT = 2.0
"""Seconds between empty lines in a stream, which show that the server is still at work."""

LEAVING = 0.5
"""Seconds that a short question may still take once its visitor has gone; then its process is killed."""

UPLOAD = 10.0
"""Seconds in which a question must have arrived."""

SAID = {
    "seconds": "stopped: the question takes more time than the server allows",
    "memory": "stopped: the question takes more memory than the server allows",
    "busy": "too many questions are waiting; try again in a moment",
    "large": "the question is too large",
    "input": "the question cannot be read",
}


def longest(seconds: float) -> float:
    """Return after how many seconds a process is killed that should have stopped by itself."""
    return 1.1 * seconds + 1


def remove_left_folders() -> None:
    """Delete the folders of servers that were killed: those whose lock nobody holds."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            if time.time() - folder.stat().st_mtime < YOUNG:
                continue
            with FileLock(folder / LOCK, timeout=0):
                pass
        except (OSError, Timeout):  # in use, or another person's
            continue
        shutil.rmtree(folder, ignore_errors=True)


class Server:
    """The page's server: its processes, the folder of tables that they share, and the files that it serves.

    tables_folder  the folder that the workers share, with the tables that they saved
    short_pool     workers for short questions
    long_pool      workers for long questions
    """

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        remove_left_folders()
        self.tables_folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        self.lock = FileLock(self.tables_folder / LOCK, timeout=0)
        self.lock.acquire()
        short = range(bounds.short_workers)
        long = range(bounds.short_workers, bounds.short_workers + bounds.long_workers)
        quick = replace(bounds, memory=min(QUICK, bounds.memory))
        self.short_pool = Pool(quick, self.tables_folder, short, bounds.quick, 10 * bounds.waiting)
        self.long_pool = Pool(
            bounds, self.tables_folder, long, longest(bounds.seconds), bounds.waiting, longest(bounds.brief)
        )
        self.pictures: dict[tuple[str, str], bytes] = {}
        self.catalogue: asyncio.Task[dict[str, Any]] | None = None

    @contextlib.asynccontextmanager
    async def running(self, app: Starlette) -> AsyncIterator[None]:
        """Start the processes; when the server stops, end them and delete the shared folder."""
        try:
            await self.short_pool.start({"task": "warm"}, self.bounds.short_workers)
            self.catalogue = asyncio.create_task(self._prepared())
            yield
            self.catalogue.cancel()
        finally:
            await asyncio.gather(self.short_pool.stop(), self.long_pool.stop())
            self.lock.release()
            shutil.rmtree(self.tables_folder, ignore_errors=True)

    async def _prepared(self) -> dict[str, Any]:
        """Start the processes for long questions; return the catalogue, which is their first answer."""
        await self.long_pool.start({"task": "warm"}, self.bounds.ready)
        return await answered(self.long_pool.ask({"task": "catalogue"}))

    async def short(self, question: dict[str, Any], visitor: str = "") -> dict[str, Any]:
        """Return the answer to a short question."""
        try:
            return await answered(self.short_pool.ask(question, visitor))
        except BusyError:
            return _error("busy")
        except BrokenError as error:
            return _error(error.kind)

    async def task(self, request: Request) -> Any:
        """Answer a question of the page."""
        name = request.path_params["task"]
        if name not in SHORT | LONG:
            return JSONResponse(_error("input", "no such question"), 404)
        if not request.headers.get("content-type", "").startswith("application/json"):
            return _refused("input", 415)
        try:
            body = await asyncio.wait_for(self._body(request), UPLOAD)
        except TimeoutError:
            return _refused("seconds", 408)
        if body is None:
            return _refused("large", 413)
        try:
            question = json.loads(body)
        except (ValueError, RecursionError):
            question = None
        if not isinstance(question, dict):
            return _refused("input", 400)
        asked = {**question, "task": name}
        visitor = request.client.host if request.client is not None else ""
        if name in SHORT:
            return _json(await self._unless_gone(request, self.short(asked, visitor)))
        return Stream(self, asked, visitor)

    async def _unless_gone(self, request: Request, asking: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
        """Return the answer to a short question, which is stopped if its visitor has gone."""
        work, gone = asyncio.create_task(asking), asyncio.create_task(_gone(request.receive))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                await asyncio.wait({work}, timeout=LEAVING)
                if not work.done():
                    raise ClientDisconnect
            return await work
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)

    async def _body(self, request: Request) -> bytes | None:
        """Return the body; None if it is too large, in which case its rest is not read."""
        found = bytearray()
        async for part in request.stream():
            found += part
            if len(found) > self.bounds.body:
                return None
        return bytes(found)

    async def picture(self, request: Request) -> Response:
        """Return the picture of a catalogue puzzle."""
        name, theme = request.path_params["name"], request.path_params["theme"]
        if name not in catalogue.names(None) or theme not in ("light", "dark", "grey"):
            return Response(status_code=404)
        if (name, theme) not in self.pictures:
            answer = await self.short({"task": "picture", "puzzle": name, "theme": theme})
            if "svg" not in answer:
                return Response(status_code=503)
            self.pictures[name, theme] = answer["svg"].encode()
        return Packed(self.pictures[name, theme], "image/svg+xml", _fresh(3600))

    async def listing(self, request: Request) -> Response:
        """Return the catalogue."""
        assert self.catalogue is not None
        return _json(await asyncio.shield(self.catalogue), _fresh(3600))

    def tidy(self) -> None:
        """Delete the least recently used tables while the shared folder is larger than its limit."""
        summaries = self.tables_folder.glob(f"*/{SUMMARY}")
        kept = sorted((path.parent for path in summaries), key=lambda path: path.stat().st_mtime)
        sizes = {path: sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) for path in kept}
        held = sum(sizes.values())
        for path in kept[:-1]:
            if held > self.bounds.tables:
                held -= sizes[path]
                shutil.rmtree(path, ignore_errors=True)


class Stream:
    """The answer to a long question as JSON lines; its process is ended if the visitor disconnects."""

    def __init__(self, server: Server, question: dict[str, Any], visitor: str) -> None:
        self.server = server
        self.question = question
        self.visitor = visitor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"application/x-ndjson"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        work = asyncio.create_task(self._work(send))
        gone = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)

    async def _work(self, send: Send) -> None:
        """Send the answer, with empty lines while it takes long, and the reason if it is stopped."""
        lock = asyncio.Lock()

        async def say(body: bytes, more: bool = True) -> None:
            async with lock:
                await send({"type": "http.response.body", "body": body, "more_body": more})

        beat = asyncio.create_task(_beat(say))
        try:
            short = self.question["task"] in BRIEF and self.question.get("brief") is True
            asking = self.server.long_pool.ask(self.question, self.visitor, short)
            async with contextlib.aclosing(asking) as pieces:
                async for line, raw in pieces:
                    beat.cancel()  # an empty line must not come between a line and its raw bytes
                    await say(raw or _line(line))
                    if not raw and "bytes" not in line:
                        beat = asyncio.create_task(_beat(say))
        except BusyError:
            await say(_line({**_error("busy"), "done": True}))
        except BrokenError as error:
            await say(_line({**_error(error.kind), "done": True}))
        finally:
            beat.cancel()
        self.server.tidy()
        await say(b"", more=False)


async def answered(pieces: Pieces) -> dict[str, Any]:
    """Return all lines of an answer merged into one object."""
    found: dict[str, Any] = {}
    async with contextlib.aclosing(pieces):
        async for line, _ in pieces:
            found |= line
    return found


async def _gone(receive: Receive) -> None:
    """Return when the visitor has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _beat(say: Any) -> None:
    while True:
        await asyncio.sleep(BEAT)
        await say(b"{}\n")


def _line(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _error(kind: str, message: str = "") -> dict[str, Any]:
    return {"error": with_japanese({"kind": kind, "message": message or SAID[kind]}, "message")}


def _refused(kind: str, status: int) -> JSONResponse:
    return JSONResponse(_error(kind), status)


def _fresh(seconds: int) -> dict[str, str]:
    return {"cache-control": f"max-age={seconds}"}


class Packed(Response):
    """An answer, compressed for browsers that say that they read it so."""

    def __init__(self, content: bytes, kind: str, headers: dict[str, str]) -> None:
        super().__init__(content, media_type=kind, headers=headers | {"vary": "accept-encoding"})
        self.parts = content, kind, headers | {"vary": "accept-encoding", "content-encoding": "gzip"}

    @cached_property
    def packed(self) -> Response:
        """The compressed answer."""
        content, kind, headers = self.parts
        return Response(gzip.compress(content, mtime=0), media_type=kind, headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if any("gzip" in reads for reads in Headers(scope=scope).getlist("accept-encoding")):
            await self.packed(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def _json(answer: dict[str, Any], headers: dict[str, str] | None = None) -> Packed:
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return Packed(text.encode(), "application/json", headers or {})


def _file(name: str, content: bytes, cached: str) -> Packed:
    return Packed(content, TYPES[Path(name).suffix], {"cache-control": cached})


def application(bounds: Bounds, token: str = "", text: str = "") -> RequestGuard:
    """Return the page as an ASGI application; with a token, only requests that have it are answered.

    text  the puzzle file or the game with which the page opens; '' for its usual puzzle
    """
    server, (found, version) = Server(bounds), static_files()
    if text:
        found["index.html"] = found["index.html"].replace(b"<body ", b'<body data-own="/api/own" ', 1)
    fresh = {name: _file(name, content, "no-cache") for name, content in found.items()}
    kept = {name: _file(name, content, "max-age=31536000, immutable") for name, content in found.items()}

    async def file(request: Request) -> Response:
        """Return a file of the page; no other file is served, whatever the path."""
        name = request.path_params.get("name") or request.scope["path"][1:] or "index.html"
        versions = {None: fresh, version: kept}
        return versions.get(request.path_params.get("version"), {}).get(name, Response(status_code=404))

    routes = [
        Route("/", file),
        Route("/service-worker.js", file),
        Route("/static/{name}", file),
        Route("/static/{version}/{name}", file),
        Route("/api/catalogue", server.listing),
        Route("/api/own", lambda request: Packed(text.encode(), "text/plain", {"cache-control": "no-store"})),
        Route("/api/picture/{name}/{theme}", server.picture),
        Route("/api/{task}", server.task, methods=["POST"]),
    ]

    def broken(request: Request, error: Exception) -> Response:
        return _refused("input", 400)

    app = Starlette(routes=routes, lifespan=server.running, exception_handlers={ClientDisconnect: broken})
    return RequestGuard(app, token)
