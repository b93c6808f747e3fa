"""The server of the explorer, on the loopback address only, and the file that opens its page."""

import asyncio
import atexit
import logging
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from html import escape
from os import PathLike
from pathlib import Path, PurePath
from threading import Event, Thread
from time import monotonic
from typing import Any, Self

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from gamedeid.data.engines.options import spill_folder
from gamedeid.errors import InvalidScenarioError, OutputError, quoted, traceback_places
from gamedeid.explorer.guard import Guard
from gamedeid.explorer.pages import build_pages
from gamedeid.explorer.session import Session
from gamedeid.reprs import repr_of
from gamedeid.results.staging import create
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

_LOG = logging.getLogger(__name__)

_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>gamedeid explorer</title>
<p>The explorer opens. If it does not, <a href="{address}">open it</a>.</p>
"""


@contextmanager
def opening_file(address: str) -> Iterator[Path]:
    """Yield a file, removed in the end, that leads a browser to an address; its mode is 0600, its folder's 0700."""
    with spill_folder(None) as folder:
        path = folder / "explorer.html"
        with os.fdopen(create(path), "w", encoding="utf-8") as stream:
            stream.write(_PAGE.format(address=escape(address)))
        yield path


LEAST_IDLE, MOST_IDLE = 0.01, 7 * 24 * 60
"""Least and greatest minutes without a request after which a server can be set to end."""

TEXT_BROWSERS = frozenset({"elinks", "links", "lynx", "w3m", "www-browser"})
"""Browsers that would occupy the terminal, and cannot run the page."""

_TOKEN_BYTES = 24
_LISTENS = 1  # seconds until Ctrl-C takes effect on systems where nothing interrupts a wait
_CLOSING = 5  # seconds for pending answers when the server is stopped


class Server:
    """A server of the explorer's page, which runs until it is stopped or its block ends.

    Parameters
    ----------
    address : address of the page, with the token; only for the user who started the server.
    opening_address : address that leads to the page once; for the file that starts a browser.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        # with an explicit protocol, asyncio sets TCP_NODELAY: else the second part of a response can wait 40 ms
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen()  # early requests wait until the server answers
        port = self._socket.getsockname()[1]
        token, opening = (secrets.token_urlsafe(_TOKEN_BYTES) for _ in range(2))
        self.address, self.opening_address = (f"http://127.0.0.1:{port}/{path}/" for path in (token, opening))
        self._asked = monotonic()
        self._ended = Event()
        self._until_the_end = ExitStack()
        app = Guard(self._noting_requests(build_pages(session)), port=port, token=token, opening=opening)
        config = uvicorn.Config(
            app,
            http=BoundedProtocol,
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            log_level=logging.ERROR,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_CLOSING,
        )
        self._server = uvicorn.Server(config)
        self._thread = Thread(target=self._serve, name="gamedeid-explorer-serves", daemon=True)

    def __repr__(self) -> str:
        """Return whether the server answers, without the address, which gives access to the page."""
        return repr_of(self, answers=self._thread.is_alive())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def open_page(self) -> None:
        """Open the page in a browser, unless there is none, or only a text browser, which would occupy the terminal."""
        with suppress(webbrowser.Error, OutputError):
            browser = webbrowser.get()
            if PurePath(browser.name).name not in TEXT_BROWSERS:
                browser.open(self._until_the_end.enter_context(opening_file(self.opening_address)).as_uri())

    @property
    def idle(self) -> float:
        """Seconds since the last request of the page."""
        return monotonic() - self._asked

    def wait(self, idle: float) -> None:
        """Wait until there was no request for ``idle`` seconds, or the server has ended."""
        while (left := idle - self.idle) > 0 and not self._ended.wait(min(left, _LISTENS)):
            pass

    def end_when_idle(self, idle: float) -> None:
        """Stop when there was no request for ``idle`` seconds."""
        self.wait(idle)
        self.stop()
        atexit.unregister(self.stop)

    def start(self) -> None:
        """Start the server in a separate thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the server; pending answers may end."""
        self._session.end()
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        self._socket.close()
        self._until_the_end.close()

    def _serve(self) -> None:
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._ended.set()

    def _noting_requests(self, app: ASGIApp) -> ASGIApp:
        async def heard(scope: Scope, receive: Receive, send: Send) -> None:
            self._asked = monotonic()
            try:
                await app(scope, receive, send)
            except Exception as error:  # noqa: BLE001  (our own fault, of which the page has been told)
                _LOG.error("a fault of gamedeid itself: %s", type(error).__name__)
                if sys.stderr is not None:
                    places = "".join(traceback_places(error))
                    sys.stderr.write(f"this is a fault of gamedeid itself; please report the lines below\n{places}")

        return heard


def serving(session: Session) -> Server:
    """Return a server that answers until the block ends."""
    server = Server(session)
    server.start()
    return server


def check_place(folder: str | PathLike[str], idle: float) -> Path:
    """Return the folder below which the page may write; check that it exists, and the range of minutes ``idle``."""
    if not LEAST_IDLE <= idle <= MOST_IDLE:
        raise InvalidScenarioError(
            f"idle: expected minutes from {LEAST_IDLE} to {MOST_IDLE:,}, a week, not {idle:g}", arguments=["idle"]
        )
    if not Path(folder).is_dir():
        raise OutputError(f"there is no folder {quoted(folder)}; create it first")
    return Path(folder)


def explore(
    question: Scenario | Study, *, folder: str | PathLike[str] = ".", browser: bool = True, idle: float = 15.0
) -> Server:
    """Open the explorer's page on a question, and return its server, as :meth:`gamedeid.Study.explore`."""
    root = check_place(folder, idle)
    session = Session(question, root=root) if isinstance(question, Study) else Session.open(question, root=root)
    server = serving(session)
    session.compile_in_background()
    atexit.register(server.stop)
    Thread(target=server.end_when_idle, args=[60 * idle], name="gamedeid-explorer-ends", daemon=True).start()
    if browser:
        server.open_page()
    return server


ARRIVAL_SECONDS = 10.0
"""Seconds from a connection, or from the previous response, in which a whole request with its body must arrive."""

MOST_CONNECTIONS = 100
"""Most open connections; a browser opens six to a host. A further one replaces the connection that has waited
longest."""


class BoundedProtocol(H11Protocol):
    """The protocol of one connection: uvicorn's own, with limits on the time and number of incomplete requests."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request; with too many connections, end the one that has waited longest."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > MOST_CONNECTIONS:
            waited_for = (one for one in self.connections if isinstance(one, BoundedProtocol) and one.is_waited_for())
            min(waited_for, key=BoundedProtocol.waited_until, default=self).give_up()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._forget()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Start to wait for the next request."""
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        self._forget()
        self._deadline = self.loop.call_later(ARRIVAL_SECONDS, self._end_wait)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()

    def waited_until(self) -> float:
        """Return the end of the wait, by the clock of the loop."""
        return 0.0 if self._deadline is None else self._deadline.when()

    def is_waited_for(self) -> bool:
        """Return whether a request has not arrived, or not with its whole body."""
        state: Any = self.conn.their_state
        return state in {h11.IDLE, h11.SEND_BODY} and not self.transport.is_closing()

    def _end_wait(self) -> None:
        if self.is_waited_for():
            self.give_up()

    def give_up(self) -> None:
        """End the connection without a response."""
        self.connections.discard(self)  # now, so that the next connection ends another one
        self.transport.abort()
