"""Command lines run in this process."""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout

from puzzlespace.cli.app import app
from puzzlespace.cli.terminal import guarded


def run(*words, stdin=None, monkeypatch=None):
    """Run the command line in this process; return (exit code, stdout, stderr)."""
    out, err = io.StringIO(), io.StringIO()
    if stdin is not None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
    with redirect_stdout(out), redirect_stderr(err):
        code = guarded(lambda: app(list(words), standalone_mode=False))
    return code, out.getvalue(), err.getvalue()


def run_json(*words):
    code, out, err = run(*words, "--json")
    assert out.count("\n") == 1, err
    return code, json.loads(out)
