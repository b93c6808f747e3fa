"""Access control of the explorer, which answers its own page only, and the headers of every response."""

from secrets import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Headers of every response, also of errors: no foreign script, no caching, no access from other pages."""


class Guard:
    """Lets through what the explorer's own page asks, and answers all else with an empty 403, 404 or 405.

    A request must have the host ``127.0.0.1:PORT`` (another name for this address is refused), the token in its path,
    and our own origin for a POST.

    Parameters
    ----------
    app : the guarded app; it gets paths without the token.
    port : port of the server, on 127.0.0.1.
    token : the first part of every path.
    opening : the first part of a path that leads to the page once; None for no such path. The file that starts a
        browser contains it.
    """

    def __init__(self, app: ASGIApp, *, port: int, token: str, opening: str | None = None) -> None:
        self._app = app
        self._host = f"127.0.0.1:{port}"
        self._token = token
        self._opening = opening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return  # no web sockets, and nothing to do at startup or shutdown
        guarded = _with_headers(send)
        if self._opens(scope):
            self._opening = None
            # the request comes from a file, a foreign site; a refresh, unlike a redirection, is same-origin
            await Response(headers={"refresh": f"0; url=/{self._token}/"})(scope, receive, guarded)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await Response(status_code=refused)(scope, receive, guarded)
            return
        inner = {**scope, "path": scope["path"].removeprefix(f"/{self._token}")}
        inner.pop("raw_path", None)
        await self._app(inner, receive, guarded)

    def _opens(self, scope: Scope) -> bool:
        """Return whether a request is for the path that leads to the page once."""
        if self._opening is None or scope["method"] != "GET" or not self._is_named(Headers(scope=scope)):
            return False
        return compare_digest(scope["path"].encode(), f"/{self._opening}/".encode())

    def _is_named(self, headers: Headers) -> bool:
        """Return whether a request has the expected host."""
        return headers.getlist("host") == [self._host]

    def _refusal(self, scope: Scope) -> int | None:
        """Return the status of a refused request; None if it is admitted."""
        headers = Headers(scope=scope)
        if not self._is_named(headers):
            return 403
        first, slash, _ = scope["path"].removeprefix("/").partition("/")
        if not slash or not compare_digest(first.encode(), self._token.encode()):
            return 404
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:  # from another page
            return 403
        if scope["method"] not in {"GET", "HEAD", "POST"}:
            return 405
        if scope["method"] == "POST" and headers.getlist("origin") != [f"http://{self._host}"]:
            return 403
        return None


def _with_headers(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return guarded
