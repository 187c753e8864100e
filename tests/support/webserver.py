"""A running server for tests, in its own process, and a client for it; and a plain file server."""

import base64
import http.client
import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PROGRAM = """
import sys
from puzzlespace.web.bounds import Bounds
from puzzlespace.web.serving import Address, run
bounds = Bounds(short_workers=int(sys.argv[4]), long_workers=int(sys.argv[5]), seconds=float(sys.argv[3]))
run(bounds, Address(sys.argv[1], 0, sys.argv[2]), text=sys.argv[6])
"""


class Visitor:
    """A client of the server at an address."""

    def __init__(self, address, process):
        self.address = address.split("?")[0].rstrip("/")
        self.token = address.partition("?token=")[2]
        self.process = process
        self.port = int(self.address.rpartition(":")[2])

    def connect(self, seconds=30, source="127.0.0.1"):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds, source_address=(source, 0))

    def get(self, path, **headers):
        """Return (status, headers, body)."""
        connection = self.connect()
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()

    def send(self, task, body, seconds=30, source="127.0.0.1", **headers):
        """Send a question from an address; return the connection."""
        connection = self.connect(seconds, source)
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request("POST", f"/api/{task}", raw, {"Content-Type": "application/json", **headers})
        return connection

    def begin(self, task, body, **options):
        """Send a question; return the connection and its answer, which is not read yet."""
        connection = self.send(task, body, **options)
        return connection, connection.getresponse()

    def ask(self, task, body, **headers):
        """Send a question; return all lines of its answer merged into one object."""
        _, answer = self.begin(task, body, **headers)
        found = {}
        while line := answer.readline():
            found |= json.loads(line)
            if "bytes" in found:
                found["raw"] = answer.read(found.pop("bytes"))
        return found

    def workers(self):
        """The process ids of the server's workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return set(children.read_text().split())


@contextmanager
def running(host="127.0.0.1", token="", seconds=60.0, short_workers=1, long_workers=1, text=""):
    """A server that is stopped at the end of the block; its page opens with a text."""
    numbers = [str(seconds), str(short_workers), str(long_workers)]
    arguments = [sys.executable, "-c", PROGRAM, host, token, *numbers, text]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        assert "open http" in line, process.stderr.read()
        yield Visitor(line.split()[2], process)
    finally:
        process.terminate()
        process.wait(20)


class Plain(SimpleHTTPRequestHandler):
    """A file server that knows nothing of the site."""

    def log_message(self, *parts):
        pass


WORKER = """addEventListener("message", async ({ data }) => {
  const answer = await fetch(new URL("python", import.meta.url), { method: "POST", body: JSON.stringify(data) });
  for (const line of (await answer.text()).trim().split("\\n")) {
    const { raw, ...told } = JSON.parse(line);
    postMessage(raw ? { ...told, raw: Uint8Array.from(atob(raw), (sign) => sign.charCodeAt()).buffer } : told);
  }
});
"""
"""What stands for Python in the browser in a site that is served with `python`: the tests' own Python answers."""


@contextmanager
def serving(folder, port=0, python=None):
    """Serve a folder at a port (0: any); the address of its subfolder `sub`, and all paths that were asked for.

    python  answers what `WORKER` asks, as `inside.asker` returns it
    """
    asked, lock = [], threading.Lock()

    class Handler(Plain):
        def do_GET(self):
            asked.append(self.path)
            super().do_GET()

        def do_POST(self):
            question, lines = self.rfile.read(int(self.headers["Content-Length"])).decode(), []

            def post(line, raw=b""):
                told = json.loads(line) | ({"raw": base64.b64encode(raw).decode()} if raw else {})
                lines.append(json.dumps(told) + "\n")

            with lock:
                python(question, post)
            body = "".join(lines).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, args=[0.02])
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/sub/", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
