"""The routes of the explorer: the page's files, and JSON for its script."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from gamedeid.errors import GamedeidError, InvalidScenarioError
from gamedeid.explorer.compiled import SupersededError
from gamedeid.explorer.outputs import DOWNLOADS
from gamedeid.explorer.session import Session

_PAGE = Path(__file__).with_name("page")
_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
"""Suffix of a file of the page -> its media type, independent of this computer's settings."""

_FILES = {
    "/" if file.suffix == ".html" else f"/{file.name}": file
    for file in sorted(_PAGE.iterdir())
    if file.suffix in _KINDS
}
"""Path -> file of the page; no other file is served."""

LARGEST_BODY = 1 << 20
"""Bytes of a request; a setting has some hundred, a hierarchy of many values some hundred thousand."""

Answering: TypeAlias = Callable[..., dict[str, Any]]
"""A function from the values of keys in a request of the page's script to the content of the response."""


def build_pages(session: Session) -> Starlette:
    """Return the app behind the guard: the page's files, and the responses to requests of its script."""
    files = [Route(path, _file(file), methods=["GET"]) for path, file in _FILES.items()]
    answers: dict[str, tuple[Answering, tuple[str, ...]]] = {
        "question": (session.question, ()),
        "answer": (session.answer, ("setting",)),
        "changes": (session.changes, ("setting",)),
        "examples": (session.examples, ("setting",)),
        "breakpoints": (session.turning_points, ("setting", "stake")),
        "map": (session.map, ("setting", "key", "have")),
        "person": (session.person, ("setting", "values")),
        "suggestions": (session.suggestions, ("setting",)),
        "save": (session.save, ("setting", "path", "overwrite")),
        "write": (session.write, ("setting", "folder", "overwrite")),
        "progress": (lambda: session.outputs.progress, ()),
        "alive": (dict, ()),
    }
    asked = [Route(f"/api/{name}", _endpoint(*answer), methods=["POST"]) for name, answer in answers.items()]
    downloads = [Route("/download/{name}", _download(session), methods=["GET"])]
    app = Starlette(routes=[*files, *asked, *downloads], exception_handlers={Exception: _our_fault})
    app.router.redirect_slashes = False  # the redirected path would lack the token
    return app


def _file(file: Path) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_: Request) -> Response:
        return FileResponse(file, media_type=_KINDS[file.suffix])

    return answer


def _download(session: Session) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that sends a file of the last written release, to be saved and not shown."""

    async def answer(request: Request) -> Response:
        name = request.path_params["name"]
        content = await run_in_threadpool(session.outputs.download, name)
        if content is None:
            return Response(status_code=404)
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type=DOWNLOADS[name], headers=headers)

    return answer


def _endpoint(answer: Answering, required: tuple[str, ...]) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that answers JSON with these keys by JSON; errors are one line."""

    async def endpoint(request: Request) -> Response:
        body = await _read_body(request)
        if body is None:
            return Response(status_code=413)
        try:
            content = _content(body, required)
            found = await run_in_threadpool(answer, *(content[key] for key in required))
        except SupersededError as error:  # no one waits for this answer any more
            return JSONResponse({"error": str(error)}, status_code=409)
        except GamedeidError as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        return JSONResponse(found)

    return endpoint


async def _read_body(request: Request) -> bytes | None:
    """Return the body of a request; None if it is larger than any from the page, or does not arrive."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_BODY:
                return None
    except ClientDisconnect:
        return None
    return bytes(body)


def _content(body: bytes, required: tuple[str, ...]) -> dict[str, Any]:
    try:
        content = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise InvalidScenarioError("the request is not JSON") from None
    if not isinstance(content, dict):
        raise InvalidScenarioError("the request is not a JSON object")
    for key in required:
        if key not in content:
            raise InvalidScenarioError(f"the request lacks the key `{key}`")
    return content


async def _our_fault(_: Request, error: Exception) -> Response:
    """Answer an internal error with its type only."""
    said = f"this is a fault of gamedeid itself ({type(error).__name__}); the terminal says more"
    return JSONResponse({"error": said}, status_code=500)
