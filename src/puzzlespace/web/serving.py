"""Serve the page at an address of this machine, and print the address once it answers."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from dataclasses import dataclass

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .app import application
from .bounds import Bounds

HEAD = 4.0
"""Seconds in which the headers of a request must have arrived."""

EVERY = ("0.0.0.0", "::")
"""Every address of this machine: where to listen, but nothing to open."""

LOOPBACK = "127.0.0.1"
"""This machine alone; it is printed by its name, which nobody takes for an address of others."""

UNFINISHED = 100
"""The most connections without a whole request; the oldest are closed if there are more."""


class Connection(H11Protocol):
    """A connection that is closed if it does not send the whole headers of a request in time."""

    unfinished: dict[Connection, asyncio.TimerHandle] = {}  # noqa: RUF012 - shared by all connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._forget()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self not in self.unfinished:
            self.unfinished[self] = self.loop.call_later(HEAD, self._end)
        if len(self.unfinished) > UNFINISHED:
            next(iter(self.unfinished))._end()

    def _end(self) -> None:
        self._forget()
        self.transport.abort()

    def _forget(self) -> None:
        timer = self.unfinished.pop(self, None)
        if timer is not None:
            timer.cancel()


def own_address(host: str) -> str:
    """Return the address by which other machines reach this one, of the kind of `host`; its name if it has none."""
    family, outside = (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "192.0.2.1")
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as unconnected:
            unconnected.connect((outside, 9))  # sends nothing: it only chooses the way
            return unconnected.getsockname()[0]
    except OSError:
        return socket.gethostname()


@dataclass(frozen=True)
class Address:
    """Where to listen. Port 0 takes a free one; with a token, only requests that have it are answered."""

    host: str
    port: int
    token: str = ""

    def listen(self) -> socket.socket:
        """Return a socket bound to the address. Raises OSError."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        bound = socket.socket(family)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((self.host, self.port))
        return bound

    def link(self, port: int) -> str:
        """Return the link to open in a browser."""
        host = own_address(self.host) if self.host in EVERY else "localhost" if self.host == LOOPBACK else self.host
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{port}/" + (f"?token={self.token}" if self.token else "")


class Told(uvicorn.Server):
    """A server that prints its address once it answers."""

    def __init__(self, config: uvicorn.Config, link: str, show: bool) -> None:
        super().__init__(config)
        self.link = link
        self.show = show

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"puzzlespace: open {self.link} (Ctrl-C stops)", flush=True)
            if self.show:
                webbrowser.open(self.link)


def run(bounds: Bounds, address: Address, show: bool = False, text: str = "") -> None:
    """Serve the page until it is interrupted. Raises OSError if it cannot listen at the address.

    text  as `application` takes it
    """
    bound = address.listen()
    config = uvicorn.Config(
        application(bounds, address.token, text), log_level="warning", limit_concurrency=500, timeout_keep_alive=15,
        h11_max_incomplete_event_size=16_384, server_header=False, timeout_graceful_shutdown=1, http=Connection,
        ws="none", proxy_headers=False,
    )  # fmt: skip
    Told(config, address.link(bound.getsockname()[1]), show).run(sockets=[bound])
