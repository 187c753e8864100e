"""Malformed headers are refused, never a fault of the server, as requests to the application and in a socket."""

import asyncio
import random
import socket
import threading

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

from puzzlespace.web.app import application
from puzzlespace.web.bounds import Bounds
from puzzlespace.web.serving import Address
from webserver import running

NAMES = ["Host", "Origin", "Cookie", "Range", "Content-Length", "Content-Type", "Accept-Encoding", "Transfer-Encoding"]
NAMES += ["If-None-Match", "If-Modified-Since", "Connection", "Forwarded", "Referer", "Expect", "Upgrade"]
PARTS = [
    "http://",
    "https:",
    "[",
    "]",
    "[::1",
    "::",
    "localhost",
    "127.0.0.1",
    ":",
    "8000",
    ":99999999",
    "%",
    "%5B",
    "@",
]
PARTS += [
    "puzzlespace=",
    ";",
    '"',
    "\\",
    ",",
    "bytes=",
    "-",
    "0-",
    "9" * 30,
    "gzip",
    "q=",
    "\xff",
    "é",
    "\t",
    " ",
    "null",
]
PATHS = [
    "/",
    "/service-worker.js",
    "/static/page.js",
    "/static/x/page.js",
    "/static/",
    "/api/open",
    "/api/open/",
    "/none",
]
KNOWN = [
    ("Origin", "http://["), ("Origin", "http://[::1"), ("Origin", "//[x]"), ("Host", "["), ("Host", "localhost]"),
    ("Host", "[::1"), ("Cookie", 'puzzlespace="'), ("Cookie", "=;=;"), ("Range", "bytes=9-1"), ("Range", "["),
]  # fmt: skip


def headers(seed):
    """Some headers with random values, as names and values."""
    dice = random.Random(seed)
    found = [("Host", "localhost")] if dice.random() < 0.7 else []
    for _ in range(dice.randint(1, 3)):
        found.append((dice.choice(NAMES), "".join(dice.choices(PARTS, k=dice.randint(0, 4)))))
    return [KNOWN[seed], *found] if seed < len(KNOWN) else found


def asked(app, method, path, given, query=b""):
    """The status of the answer to a request that is handed to the application."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    pairs = [(name.lower().encode(), value.strip().encode("latin-1")) for name, value in given]
    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": query,
        "headers": pairs, "scheme": "http", "server": ("localhost", 80), "client": ("127.0.0.1", 1), "root_path": "",
        "http_version": "1.1",
    }  # fmt: skip
    thread = threading.Thread(target=lambda: asyncio.run(app(scope, receive, send)))  # a browser's loop may run in this
    thread.start()
    thread.join()
    return sent[0]["status"]


@pytest.mark.parametrize("token", ["", "open sesame"])
def test_random_headers_are_answered_or_refused(token):
    app = application(Bounds(), token)
    found = set()
    for seed in range(300):
        dice = random.Random(-seed - 1)
        given = headers(seed)
        if token and dice.random() < 0.7:
            given.append(("Cookie", f'puzzlespace="{token}"'))
        status = asked(app, dice.choice(["GET", "POST", "HEAD", "PUT"]), dice.choice(PATHS), given)
        assert status < 500, given
        found.add(status)
    assert {200, 403} <= found
    for query in (b"token=%", b"token=%ff%fe", b"token=\xff", b"&&==", b"token=" + b"x" * 10_000):
        assert asked(app, "GET", "/", [("Host", "localhost")], query) == (403 if token else 200)


@pytest.mark.parametrize("origin", ["http://[", "http://localhost:x]", "null", "", "http://localhost@evil.example"])
def test_a_foreign_or_malformed_origin_is_refused(origin):
    app = application(Bounds())
    assert asked(app, "POST", "/api/open", [("Host", "localhost"), ("Origin", origin)]) == 403
    twice = [("Host", "localhost"), ("Origin", origin), ("Origin", "http://localhost")]
    assert asked(app, "POST", "/api/open", twice) == 403
    own = [("Host", "localhost:8000"), ("Origin", "http://localhost:8000"), ("Content-Type", "application/json")]
    assert asked(app, "POST", "/api/open", own) == 400


def test_random_requests_in_a_socket_are_answered_without_a_traceback():
    with running() as host:
        for seed in range(60):
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers(seed))
            with socket.create_connection(("127.0.0.1", host.port), timeout=20) as line:
                method = random.Random(seed).choice(["GET / ", "POST /api/open ", "GET /static/page.js "])
                line.sendall(f"{method}HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode("latin-1"))
                line.shutdown(socket.SHUT_WR)
                answer = line.recv(100)
            assert not answer or b"100" <= answer.split()[1] < b"500", lines
        assert host.get("/")[0] == 200
        process = host.process
    assert "Traceback" not in process.stderr.read()


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_printed_link_is_one_that_other_machines_can_open(host):
    link = Address(host, 0, "word").link(8765)
    assert link.endswith(":8765/?token=word")
    assert not any(f"//{each}:" in link for each in ("0.0.0.0", "[::]"))
    assert Address("127.0.0.1", 0).link(80) == "http://localhost:80/"
