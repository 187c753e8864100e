"""What all tests share: a cache folder of their own, a kept table, and one browser for those that need it."""

import os
import shutil
from itertools import islice
from pathlib import Path

import pytest

from kept import EIGHT, saved_table
from puzzlespace.limits.threads import processors
from skips import pytest_sessionfinish as pytest_sessionfinish
from skips import pytest_terminal_summary as pytest_terminal_summary

PLAIN_ROOMS = {"formats", "model", "puzzle", "render", "rules", "structure"}
"""The folders whose tests hardly need the compiler."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Start one worker more than there are processors: a quarter of the time tests wait for browsers and commands."""
    return None if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") else processors() + 1


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Let all workers but the first, which begin at equal distances, read and draw while it compiles the loops.

    If all begin with searches, they compile the same loops at the same time.
    """
    here = Path(__file__).parent
    plain = [item for item in items if item.path.relative_to(here).parts[0] in PLAIN_ROOMS]
    others = [item for item in items if item.path.relative_to(here).parts[0] not in PLAIN_ROOMS]
    workers = max(2, getattr(config, "workerinput", {}).get("workercount", 1))
    share = -(-len(plain) // (workers - 1))
    rest, ordered = iter(others), []
    for worker in range(1, workers):
        begin = len(items) * worker // workers
        ordered += islice(rest, max(0, begin - len(ordered)))
        ordered += plain[share * (worker - 1) : share * worker]
    items[:] = [*ordered, *rest]


@pytest.fixture(autouse=True, scope="session")
def _cache_of_its_own(tmp_path_factory):
    """Keep tables in a folder of this run, whatever the user has set; the commands that tests start see it too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PUZZLESPACE_CACHE_SIZE", raising=False)
        patch.setenv("PUZZLESPACE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium, the only one of a run; tests that need it are skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--enable-unsafe-swiftshader"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def eight(tmp_path_factory):
    """The folder of the table of the 8-puzzle."""
    folder = tmp_path_factory.mktemp("tables") / "eight"
    saved_table(EIGHT, folder)
    return folder
