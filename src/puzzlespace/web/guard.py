"""Checks of every request (host, origin, token), and the security headers of every answer."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "puzzlespace"
LOOPBACK = ("localhost", "127.0.0.1", "::1")

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass
class RequestGuard:
    """Passes valid requests to `app` and refuses others.

    token  '' on loopback, where only requests to the machine's own names are answered
    """

    app: ASGIApp
    token: str = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                more = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *(pair for pair in more if pair[0] not in present)]
            await send(message)

        await (self.app if refused is None else refused)(scope, receive, sealed)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if self.token and (refused := self._without_token(scope, headers)) is not None:
            return refused
        if not self.token and _name(host) not in LOOPBACK:
            return PlainTextResponse("This server answers to localhost only.", 403)
        origins = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"origin"]
        if scope["method"] not in ("GET", "HEAD") and any(_place(origin) != host for origin in origins):
            return PlainTextResponse("Questions are taken from this server's own page only.", 403)
        return None

    def _without_token(self, scope: Scope, headers: dict[str, str]) -> Response | None:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["path"] == "/" and self._right(given):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return answer
        if self._right(_cookie(headers.get("cookie", ""))):
            return None
        return PlainTextResponse("A token is needed: open the address that the server printed.", 403)

    def _right(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


def _place(origin: str) -> str | None:
    """Return host and port of an origin, None if it is malformed."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _name(host: str) -> str:
    """Return a host without its port: 'localhost' of 'localhost:8000', '::1' of '[::1]:8000'."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""
