"""How worker processes are started on this machine.

On Linux they are forked from one *fork server*, which has loaded the program and Dask once and has no threads. On other
systems each is started anew and loads everything itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import BaseContext

FORKED = sys.platform == "linux"
"""Whether workers are forked. On macOS libraries of the system may start threads, which do not survive a fork."""

LOADED = ("puzzlespace.api.clusters", "puzzlespace.cluster.windows", "puzzlespace.cluster.runs")
"""What a fork server loads. A worker loads what else it needs."""

ENVIRONMENT = {
    "MALLOC_TRIM_THRESHOLD_": str(1 << 27),
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Variables of worker processes: memory is kept for the next task, and libraries start no threads."""


def context(*more: str) -> BaseContext:
    """Return how to start worker processes; start the fork server, which loads modules while this process goes on.

    more  modules to load beside LOADED
    A fork server that runs already is used as it is: it is right whatever it has loaded.
    """
    if not FORKED:
        return get_context("spawn")
    from multiprocessing import forkserver

    forks = get_context("forkserver")
    forks.set_forkserver_preload([*LOADED, *more])
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    with _environment(ENVIRONMENT | {"PYTHONPATH": paths}):
        forkserver.ensure_running()
    return forks


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set variables of the environment for a while."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
