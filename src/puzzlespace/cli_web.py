"""The command `serve`."""

from __future__ import annotations

import secrets
import sys
import webbrowser
from typing import Annotated

import typer

from .errors import InputError, UnsupportedError
from .terminal import parse_size

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def serve(
    host: Annotated[str, typer.Option(help="the address to listen at; others than this machine's own need a token")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65_535, help="the port; 0 takes a free one")] = 8765,
    token: Annotated[str, typer.Option(help="what visitors must show (default: made anew where one is needed)")] = "",
    show: Annotated[bool, typer.Option("--open", help="open the page in a browser")] = False,
    seconds: Annotated[float, typer.Option(min=1, help="most seconds of one question")] = 120.0,
    memory: Annotated[str, typer.Option(help="most memory of one question")] = "2G",
    positions: Annotated[int, typer.Option(min=1000, help="most positions generated for one question")] = 2 * 10**9,
    jobs: Annotated[int, typer.Option(min=0, max=64, help="long questions at the same time (0: by the machine)")] = 0,
) -> int:
    """Open the page on this machine: write a puzzle, play it, see its depths and its map. Example: puzzlespace serve"""
    try:
        import uvicorn

        from .web.app import application
    except ImportError:
        raise UnsupportedError("serve: needs the extra `web`: pip install 'puzzlespace[web]'") from None
    from .web.bounds import Bounds

    options = {"seconds": seconds, "memory": parse_size(memory), "positions": positions}
    bounds = Bounds(**options, **({"benches": jobs} if jobs else {}))
    if host not in LOOPBACK:
        token = token or secrets.token_urlsafe(24)
        print(f"puzzlespace: {host} can be reached from other machines; they need the token", file=sys.stderr)
    listener = uvicorn.Config(
        application(bounds, token), host=host, port=port, log_level="warning", limit_concurrency=200,
        timeout_keep_alive=15, h11_max_incomplete_event_size=16_384, server_header=False, timeout_graceful_shutdown=1,
    )  # fmt: skip
    try:
        socket = listener.bind_socket()
    except SystemExit:
        raise InputError(
            f"serve: cannot listen at {host}, port {port}; is it taken? (--port 0 takes a free one)"
        ) from None
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{socket.getsockname()[1]}/" + (f"?token={token}" if token else "")
    print(f"puzzlespace: open {address} (Ctrl-C stops)", flush=True)
    if show:
        webbrowser.open(address)
    uvicorn.Server(listener).run(sockets=[socket])
    return 0
