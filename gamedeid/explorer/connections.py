"""How long a request to the explorer may take to arrive, and how many connections are open: nobody is kept out."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

ARRIVAL = 10.0
"""Seconds from a connection, or from the answer before, in which a request must be there with all of its body."""

MOST = 100
"""Connections that are open together; a browser opens six to a host. One more takes the place of the one that has been
waited for longest."""


class BoundedProtocol(H11Protocol):
    """What talks on one connection, as uvicorn's own, which bounds neither before a request is whole."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request; if there are too many connections, give up the longest wait."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > MOST:
            waited_for = (one for one in self.connections if isinstance(one, BoundedProtocol) and one.is_waited_for())
            min(waited_for, key=BoundedProtocol.waited_until, default=self).give_up()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._forget()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        self._forget()
        self._deadline = self.loop.call_later(ARRIVAL, self._end_wait)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()

    def waited_until(self) -> float:
        """Return when the wait ends, by the clock of the loop."""
        return 0.0 if self._deadline is None else self._deadline.when()

    def is_waited_for(self) -> bool:
        """Return whether a request is not there, or not with all of its body."""
        state: Any = self.conn.their_state
        return state in {h11.IDLE, h11.SEND_BODY} and not self.transport.is_closing()

    def _end_wait(self) -> None:
        if self.is_waited_for():
            self.give_up()

    def give_up(self) -> None:
        """End the connection without an answer."""
        self.connections.discard(self)  # at once, so that the next connection gives up another
        self.transport.abort()
