"""The page as an app: its files are kept while the server is away, and those of two versions are never mixed.

This is the worker of `serve`, whose files have versions; that of a site is in `test_static_site.py`.
"""

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from puzzlespace.web.guard import HEADERS
from puzzlespace.web.modules import TYPES, static_files


@contextmanager
def serving(version="", port=0, missing=b""):
    """A server of the page's files alone, at a port; `version` stands for that of a changed file.

    missing  is left out of all files
    """
    found, own = static_files()
    name = version or own
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            file = self.path.partition("?")[0].removeprefix(f"/static/{name}/").removeprefix("/") or "index.html"
            content = found.get(file.removeprefix("static/"))
            self.send_response(404 if content is None else 200)
            for key, value in HEADERS.items():
                self.send_header(key, value)
            self.send_header("content-type", TYPES.get("." + file.rpartition(".")[2], "text/plain"))
            self.end_headers()
            written = (content or b"").replace(own.encode(), name.encode())
            self.wfile.write(written.replace(missing, b"") if missing else written)

        def log_message(self, *parts):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, args=[0.02])
    thread.start()
    try:
        yield server.server_port, name, asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def until(page, expression, seconds=60):
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        time.sleep(0.02)


KEPT = "caches.keys().then(JSON.stringify)"
ALL_KEPT = """Promise.all(performance.getEntriesByType('resource').map(({ name }) => name)
    .filter((name) => name.includes('/static/') && !name.includes('icon')).map((name) => caches.match(name)))
    .then((found) => found.every(Boolean))"""
SCRIPT = "document.querySelector('script').src"
KEEP = f"import(new URL('offline.js', {SCRIPT})).then(({{ keepFiles }}) => keepFiles())"


def opened(context, port):
    """A page of a server, which a service worker controls."""
    page = context.new_page()
    page.goto(f"http://localhost:{port}/")
    page.evaluate(KEEP)
    until(page, "navigator.serviceWorker.controller !== null")
    return page


def test_the_page_opens_without_a_server_and_takes_a_new_version_as_a_whole(browser):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    broken = []
    page.on("console", lambda message: broken.append(message.text) if "Content Security" in message.text else None)
    page.on("pageerror", lambda error: broken.append(str(error)) if "import" in str(error) else None)
    with serving() as (port, first, asked):
        page.goto(f"http://localhost:{port}/")
        page.evaluate(KEEP)
        until(page, "navigator.serviceWorker.controller !== null")
        until(page, ALL_KEPT)
        assert json.loads(page.evaluate(KEPT)) == [f"puzzlespace-{first}"]
        manifest = context.new_cdp_session(page).send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert json.loads(manifest["data"])["start_url"] == "/"
        asked.clear()
        page.reload()
        until(page, "document.querySelector('#work').textContent || document.body.dataset.counted")
        assert not [path for path in asked if path.startswith("/static/") and "icon" not in path]
    page.reload()
    until(page, "document.querySelector('#browse').textContent")
    assert f"/static/{first}/" in page.evaluate(SCRIPT)
    away = "fetch('/static/icon.svg', { cache: 'no-store' }).then(() => 0, () => 1)"
    assert page.evaluate(away)
    until(page, "document.querySelector('#work').textContent.includes('does not answer')")
    with serving("new0version0", port) as (_, second, _):
        page.reload()
        until(page, "document.querySelector('#browse').textContent")
        assert f"/static/{second}/" in page.evaluate(SCRIPT)
        page.evaluate(KEEP)
        until(page, f"{KEPT}.then((names) => names === '[\"puzzlespace-{second}\"]')")
    page.reload()
    until(page, "document.querySelector('#browse').textContent")
    assert f"/static/{second}/" in page.evaluate(SCRIPT)
    context.close()
    assert broken == []


def test_a_page_that_was_on_its_way_when_the_worker_took_over_the_others_is_kept_too(browser):
    taking = b".then(() => self.clients.claim())"
    assert taking in static_files()[0]["service-worker.js"]
    context = browser.new_context()
    page = context.new_page()
    with serving(missing=taking) as (port, _, _):
        page.goto(f"http://localhost:{port}/")
        page.evaluate(KEEP)
        until(page, ALL_KEPT)
    context.close()


def test_the_page_opens_where_the_browser_has_no_room_to_keep_it(browser):
    context = browser.new_context()
    with serving() as (port, _, _):
        page = opened(context, port)
        quota = {"origin": f"http://localhost:{port}", "quotaSize": 1}
        context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", quota)
        page.reload()
        until(page, "document.querySelector('#browse').textContent")
        full = "caches.open('other').then((cache) => cache.put('/', new Response('1234'))).then(() => 0, () => 1)"
        assert page.evaluate(full)
    context.close()


def test_a_page_asks_nothing_of_the_worker_of_another_version(browser):
    waits = b".then(() => self.skipWaiting())"
    assert waits in static_files()[0]["service-worker.js"]
    context = browser.new_context()
    with serving() as (port, _, _):
        page = opened(context, port)
    with serving("new0version0", port, missing=waits) as (_, _, asked):
        page.reload()
        page.evaluate(KEEP)
        until(page, "navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)")
        page.evaluate(f"void import(new URL('offline.js', {SCRIPT})).then(({{ keepNow }}) => keepNow(['/kept']))")
        page.evaluate(f"import(new URL('offline.js', {SCRIPT})).then(() => fetch('/fetched'))")
        assert ("/fetched" in asked, "/kept" in asked) == (True, False)
    context.close()


def test_a_worker_of_another_version_is_not_installed(browser):
    context = browser.new_context()
    page = context.new_page()
    with serving() as (port, _, _):
        page.goto(f"http://localhost:{port}/")
        gone = (
            "navigator.serviceWorker.register('/service-worker.js?version=old').then((found) => new Promise((done) => {"
        )
        gone += " found.installing.onstatechange = ({ target }) => done(target.state); }))"
        assert page.evaluate(gone) == "redundant"
        assert page.evaluate(KEPT) == "[]"
    context.close()
