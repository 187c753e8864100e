"""The page in a browser, from one server and from one site of files for all tests of a process."""

from functools import cache

import pytest
from filelock import FileLock

from page import BOARD, fragment, site_of_files, until, write_site
from puzzlespace import load
from puzzlespace.api.loader import from_text
from puzzlespace.web import standalone
from webserver import running


@pytest.fixture(scope="session")
def served():
    """The address of `serve`."""
    pytest.importorskip("starlette", reason="the extra `web` is not installed")
    pytest.importorskip("uvicorn", reason="the extra `web` is not installed")
    with running() as visitor:
        yield visitor.address


@pytest.fixture(scope="session")
def site(request, tmp_path_factory):
    """The address of a site of files, which is written once for all processes of a run."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if hasattr(request.config, "workerinput") else own) / "site of the tests"
    with FileLock(f"{folder}.lock"):
        if not (folder / "sub" / "service-worker.js").exists():  # the last file that is written
            write_site(folder)
    with site_of_files(folder) as found:
        yield found


@pytest.fixture(scope="session")
def places(request):
    """Return the address of the page in a place, which is begun when it is asked for first."""
    return lambda place: request.getfixturevalue("served" if place == "serve" else "site")


@pytest.fixture(params=["serve", "site"])
def address(request, places):
    """Where the page is: a test runs on both, unless it says `only` one."""
    return places(request.param)


@pytest.fixture(scope="session")
def played(places, tmp_path_factory):
    """Return the address of a puzzle, by its name or its text, in a place: an exported file, or the page."""
    folder = tmp_path_factory.mktemp("files")

    @cache
    def file(source, most):
        made = folder / f"{len(list(folder.iterdir()))}.html"
        puzzle = from_text(source, "mine.pzl") if "\n" in source else load(source)
        made.write_text(standalone.page(puzzle, most=most), encoding="utf-8")
        return made.as_uri()

    def where(source, place="file", most=standalone.MOST):
        if place == "file":
            return file(source, most)
        return f"{places(place)}/" + (fragment(source) if "\n" in source else f"#{source}")

    return where


@pytest.fixture
def visit(browser, address):
    """Open the page at an address; every fault that the browser reports fails the test."""
    contexts, faults = [], []

    def bad(message):
        cut = "net::ERR_FAILED" in message.text  # of routes that a test cuts
        return message.type == "error" and not cut and "status of 404" not in message.text  # a site has few puzzles

    def opened(where="", motion="reduce", shown=f"{BOARD}.position", **options):
        context = browser.new_context(reduced_motion=motion, service_workers="block", **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if bad(message) else None)
        page.goto(f"{address}/{where}")
        until(page, shown)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults
