"""Requests to the explorer, as its page makes them, without a socket."""

import asyncio
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
from small_world import small_world

from gamedeid.explorer.guard import Guard
from gamedeid.explorer.pages import build_pages
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario

PORT, TOKEN, OPENING = 50123, "token-of-the-test", "opening-of-the-test"
ORIGIN = f"http://127.0.0.1:{PORT}"


class ExplorerClient:
    """The requests of the explorer's page, and requests that others might try."""

    def __init__(self, session: Session) -> None:
        self._guard = Guard(build_pages(session), port=PORT, token=TOKEN, opening=OPENING)

    def ask(self, name: str, **content: Any) -> Any:
        """Return the answer to the page."""
        response = self.post(name, content)
        assert response.status_code == 200, response.text
        return response.json()

    def refused(self, name: str, **content: Any) -> str:
        """Return the error line of a refused request."""
        response = self.post(name, content)
        assert response.status_code == 400, response.text
        [line] = response.json()["error"].splitlines()
        return line

    def post(self, name: str, content: Any) -> httpx.Response:
        """Return the response to a request of the page."""
        return self.request("POST", f"/{TOKEN}/api/{name}", json=content, headers={"origin": ORIGIN})

    def request(self, method: str, path: str, **named: Any) -> httpx.Response:
        """Return the response to any request."""

        async def respond() -> httpx.Response:
            transport = httpx.ASGITransport(app=self._guard, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
                return await client.request(method, path, **named)

        return asyncio.run(respond())


def client_in(folder: Path) -> ExplorerClient:
    """Return a client for the small question, written into a folder below which the page may write."""
    return ExplorerClient(Session.open(Scenario.read(small_world(folder)), root=folder))


def as_shown(number: int) -> int | None:
    """Return a number of records as the explorer shows it: small numbers are hidden."""
    return None if 0 < number < 11 else number


def whole_map(client: ExplorerClient, setting: dict[str, Any]) -> tuple[Any, dict[int, Any]]:
    """Return the last answer on the map of a setting, and all rows of the map by place."""
    rows: dict[int, Any] = {}
    key, ends = None, monotonic() + 60
    while monotonic() < ends:
        found = client.ask("map", setting=setting, key=key, have=len(rows))
        assert key is None or found["key"] == key
        assert found["first"] == len(rows)
        key = found["key"]
        rows |= {row["row"]: row["policies"] for row in found["rows"]}
        if found["complete"]:
            return found, rows
        sleep(0.02)
    raise TimeoutError
