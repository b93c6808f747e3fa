"""The explorer shows no value in answers, refusals, served and saved files, or internal errors."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from explorer_client import TOKEN, ExplorerClient
from leak_made import Made
from leak_marks import CROWD, DROPPED, DROPPED_NAME, FAULTY, FOLDER, KEPT, KEY_NAME, RAW, WITHHELD, assert_bare
from leak_world import place_of
from test_leaks_commands import listened

from gamedeid.explorer.pages import build_pages
from gamedeid.explorer.session import Session

SETTING = {"loss": 300.0, "game": "no-attack", "weights": {"sex": 1.0}, "policy": "areas"}
SAVED = {"loss": 6000.0, "policy": "areas"}
"""Stakes at which the same records are withheld as at the scenario's."""
PERSON = {"place": place_of(0), "sex": "Male"}

ASKED: Mapping[str, Callable[[Made], list[dict[str, Any]]]] = {
    "question": lambda _: [{}],
    "answer": lambda _: [{"setting": setting} for setting in ({}, SETTING)],
    "changes": lambda _: [{"setting": setting} for setting in ({"loss": 1e9}, {"loss": 1.0}, SETTING)],
    "examples": lambda _: [{"setting": SETTING}],
    "breakpoints": lambda _: [{"setting": SETTING, "stake": stake} for stake in ("loss", "benefit", "cost")],
    "map": lambda _: [{"setting": SETTING, "key": None, "have": 0}],
    "person": lambda _: [
        {"setting": setting, "values": {"place": f"A7K0{'0' * len(RAW)}", "sex": "Male"}}  # a person without a record
        for setting in ({}, SETTING)
    ],
    "suggestions": lambda _: [{"setting": SETTING}],  # no threshold is named; `suggest` is asked in test_leaks_classes
    "save": lambda _: [{"setting": SAVED, "path": "saved.toml", "overwrite": True}],
    "write": lambda _: [{"setting": SAVED, "folder": "explored", "overwrite": True}],
    "progress": lambda _: [{}],
    "alive": lambda _: [{}],
}
"""Answer of the page -> what it is asked for."""

ODD: tuple[Any, ...] = (
    {},
    {"setting": {"loss": -1}},
    {"setting": {"weights": {"place": -1}}, "stake": "loss", "key": None, "have": 0, "values": {}},
    {"setting": {}, "stake": "luck", "key": "x", "have": -1, "values": {"place": "A7K0", "sex": "Male"}},
    [],
)
"""Paths that belong to no answer and hold no values."""


@pytest.fixture(scope="module")
def session(made: Made) -> Session:
    return Session.open(made.question, root=made.folder)


@pytest.fixture(scope="module")
def client(session: Session) -> ExplorerClient:
    return ExplorerClient(session)


def addresses(session: Session) -> dict[str, set[str]]:
    return {route.path: set(route.methods) for route in build_pages(session).routes}


def test_every_address_is_asked(session):
    answers = {path.removeprefix("/api/") for path, methods in addresses(session).items() if "POST" in methods}
    assert answers == set(ASKED)


@pytest.mark.parametrize("name", [name for name in ASKED if name != "write"])  # which is asked below
def test_no_answer_shows_a_value(name, client, made):
    with listened() as heard:
        for content in ASKED[name](made):
            response = client.post(name, content)
            assert (400 if name in {"person", "suggestions"} else 200) == response.status_code, response.text
            assert_bare(response.text, allowed={FOLDER}, name=name)  # where it may write
        for odd in ODD:
            refused = client.post(name, odd)
            assert refused.status_code in {200, 400}
            assert_bare(refused.text, allowed={FOLDER}, name=f"{name} {odd}")
    for text in heard.values():
        assert_bare(text, name=name)


def test_the_answer_on_a_person_has_released_values_only(client):
    """The user has typed the values; the answer shows them as the release would."""
    response = client.post("person", {"setting": {}, "values": PERSON})

    assert 200 == response.status_code, response.text
    assert_bare(response.text, allowed={RAW}, name="person")


def test_no_file_of_the_page_and_no_header_shows_a_value(session, client):
    for path, methods in addresses(session).items():
        if "GET" in methods and "{" not in path:
            response = client.request("GET", f"/{TOKEN}{path}")
            assert 200 == response.status_code
            assert_bare(response.content, name=path)
            assert_bare(str(response.headers), name=path)


WRITTEN = {"release": {KEPT}, "manifest": {DROPPED_NAME, KEY_NAME}, "saved.toml": {DROPPED_NAME, KEY_NAME}}
"""Part of a file's name -> what may be in it: released rows, and columns that were declared."""


def test_files_that_the_page_saves_writes_and_downloads_are_those_of_run(client, session, made):
    assert {"/download/{name}"} == {path for path in addresses(session) if "{" in path}
    client.ask("save", **ASKED["save"](made)[0])
    written = client.post("write", ASKED["write"](made)[0])
    assert 200 == written.status_code
    assert_bare(written.text, allowed={FOLDER}, name="write")
    for odd in ODD:
        assert_bare(client.post("write", odd).text, allowed={FOLDER}, name=f"write {odd}")
    for path in [made.folder / "saved.toml", *sorted((made.folder / "explored").iterdir())]:
        allowed = set().union(*(marks for part, marks in WRITTEN.items() if part in path.name))
        assert_bare(path.read_bytes(), allowed=allowed, name=path.name)
    for name in ("release.csv", "report.html", "strategies.csv", "manifest.json", "../saved.toml"):
        response = client.request("GET", f"/{TOKEN}/download/{name}")
        assert (200 if name in {"release.csv", "report.html"} else 404) == response.status_code
        allowed = WRITTEN["release"] if name == "release.csv" else set()
        assert_bare(response.content, allowed=allowed, name=name)


def test_an_internal_error_shows_no_value_on_the_page_or_the_terminal(made, monkeypatch, capfd, caplog):
    """Through the server itself, which prints errors on the terminal."""
    import httpx  # noqa: PLC0415

    from gamedeid.explorer.serving import serving  # noqa: PLC0415

    session = Session.open(made.question, root=made.folder)

    def fail(*_: object, **__: object) -> None:
        raise ValueError(f"could not convert {FAULTY} {DROPPED} {KEPT} {WITHHELD} {CROWD}")

    monkeypatch.setattr(session, "answer", fail)
    with serving(session) as server:
        url = httpx.URL(server.address)
        origin = {"origin": f"http://127.0.0.1:{url.port}"}
        response = httpx.post(f"{server.address}api/answer", json={"setting": {}}, headers=origin)
    captured = capfd.readouterr()
    said = captured.out + captured.err + caplog.text

    assert 500 == response.status_code
    assert_bare(response.text, name="answer")
    assert "ValueError" in said
    assert "in fail" in said
    assert "could not convert QZ" not in said
    assert_bare(said, name="terminal")
