"""The command `serve`."""

from __future__ import annotations

import secrets
import sys
from typing import Annotated

from ..errors import InputError, UnsupportedError
from .parser import Argument, Option
from .terminal import parse_size

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def serve(
    file: Annotated[
        str | None, Argument(metavar="[FILE]", help="a puzzle file or a game that the page opens with")
    ] = None,
    host: Annotated[str, Option(help="the address to listen at; one that other machines reach needs a token")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, Option(min=0, max=65_535, help="the port; 0 takes a free one")] = 8765,
    token: Annotated[str, Option(help="the token of visitors (default: a new one if it is needed)")] = "",
    show: Annotated[bool, Option("--open", help="open the page in a browser")] = False,
    seconds: Annotated[float, Option(min=1, help="most seconds of one question")] = 120.0,
    memory: Annotated[str, Option(help="most memory of one question (default: what fits, at most 2G)")] = "",
    positions: Annotated[int, Option(min=1000, help="most positions generated for one question")] = 2 * 10**9,
    jobs: Annotated[int, Option(min=0, max=64, help="long questions at the same time (0: depends on the machine)")] = 0,
) -> int:
    """Open the page on this machine: write a puzzle, play it, see its depths and its map. Example: puzzlespace serve"""
    try:
        from ..web.serving import Address, run
    except ImportError:
        raise UnsupportedError("serve: needs the extra `web`: pip install 'puzzlespace[web]'") from None
    from ..web.bounds import Bounds

    text = _text(file) if file is not None else ""
    bounds = Bounds(
        seconds=seconds, memory=parse_size(memory) if memory else 0, positions=positions, long_workers=jobs
    )  # fmt: skip
    if host not in LOOPBACK:
        token = token or secrets.token_urlsafe(24)
        print(f"puzzlespace: {host} can be reached from other machines; they need the token", file=sys.stderr)
    try:
        run(bounds, Address(host, port, token), show, text)
    except OSError:
        raise InputError(
            f"serve: cannot listen at {host}, port {port}; is it in use? (--port 0 takes a free one)"
        ) from None
    return 0


def _text(file: str) -> str:
    """Return the text of a puzzle or a game for the page. Raises InputError if it cannot be read, or is too long."""
    from ..api.games import text_of
    from ..api.loader import puzzle_of, written
    from ..formats import read_text
    from ..web.questions import WRITTEN

    text = text_of(file)
    if text is None:
        puzzle = puzzle_of(file)
        text = read_text(file, WRITTEN)[0] if file.endswith(".pzl") else written(puzzle)
    if not text:
        raise InputError(f"{file}: expected a puzzle that a puzzle file can express, found another one")
    if len(text.encode()) > WRITTEN:
        raise InputError(f"{file}: expected a file of at most {WRITTEN:,} bytes for the page, found more")
    return text
