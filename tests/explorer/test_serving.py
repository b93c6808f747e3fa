"""The explorer's server on a real socket: only on 127.0.0.1, at a unique address, until it is stopped."""

import socket
import webbrowser
from contextlib import ExitStack, suppress
from time import monotonic, sleep
from types import SimpleNamespace

import httpx
import pytest
from small_world import small_world
from uvicorn.protocols.http.h11_impl import H11Protocol

from gamedeid.errors import GamedeidError
from gamedeid.explorer.serving import ARRIVAL_SECONDS, MOST_CONNECTIONS, serving
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    return Session.open(Scenario.read(small_world(tmp_path_factory.mktemp("world"))))


def test_the_page_is_served_on_this_computer_until_the_server_stops(session):
    with serving(session) as server:
        session.compile_in_background().join()
        url = httpx.URL(server.address)
        origin = f"http://127.0.0.1:{url.port}"
        with httpx.Client() as client:
            assert 200 == client.get(server.address).status_code
            answered = client.post(
                f"{server.address}api/answer", json={"setting": {"loss": 50}}, headers={"origin": origin}
            )
            assert 50 == answered.json()["setting"]["loss"]
            assert "server" not in answered.headers
            assert 404 == client.get(origin).status_code
        assert server.idle < 10
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", url.port), 2)


def test_every_server_has_an_address_of_its_own_that_cannot_be_guessed(session):
    with serving(session) as one, serving(session) as other:
        tokens = {httpx.URL(server.address).path.strip("/") for server in (one, other)}
        assert 2 == len(tokens)
        assert all(len(token) >= 32 for token in tokens)


def test_a_scenario_and_a_study_open_their_page_from_python(tmp_path, monkeypatch):
    scenario = Scenario.read(small_world(tmp_path))
    opened = []
    monkeypatch.setattr(webbrowser, "get", lambda: SimpleNamespace(name="firefox", open=opened.append))
    with scenario.explore(folder=tmp_path) as one, Study.prepare(scenario).explore(browser=False) as other:
        for server in (one, other):
            assert 200 == httpx.get(server.address).status_code
            assert "Server(answers=True)" == repr(server)
    assert "Server(answers=False)" == repr(other)
    assert 1 == len(opened)
    for wrong in ({"folder": tmp_path / "none"}, {"idle": 0.0}):
        with pytest.raises(GamedeidError, match=f"^({'there is no folder' if 'folder' in wrong else 'idle: '})"):
            scenario.explore(browser=False, **wrong)


def test_an_idle_page_from_python_ends(tmp_path):
    server = Scenario.read(small_world(tmp_path)).explore(browser=False, idle=0.01)
    begun = monotonic()
    while "True" in repr(server) and monotonic() - begun < 30:
        sleep(0.05)

    with pytest.raises(httpx.ConnectError):
        httpx.get(server.address)


def test_an_idle_server_ends_after_that_time(session):
    with serving(session) as server:
        server.wait(0.05)
        assert server.idle >= 0.05


def test_no_part_of_an_answer_waits_until_the_one_before_it_is_acknowledged(session, monkeypatch):
    options = []
    made = H11Protocol.connection_made

    def connection_made(self, transport):
        made(self, transport)
        options.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(H11Protocol, "connection_made", connection_made)
    with serving(session) as server, httpx.Client() as client:
        client.get(server.address)

    assert [True] == [option != 0 for option in options]


UNFINISHED = {
    "nothing": b"",
    "headers": b"GET / HTTP/1.1\r\nhost: x\r\n",
    "a body": b"POST /{token}/api/alive HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n"
    b"content-length: 9\r\n\r\n{",
}


def unfinished(server, kind):
    """Return a connection with an unfinished request."""
    url = httpx.URL(server.address)
    words = UNFINISHED[kind].replace(b"{token}", url.path.strip("/").encode())
    connection = socket.create_connection((url.host, url.port), 5)
    connection.sendall(words.replace(b"{host}", url.netloc))
    return connection


@pytest.mark.parametrize("kind", UNFINISHED)
def test_a_request_that_does_not_arrive_is_waited_for_no_longer_than_that(session, monkeypatch, kind):
    monkeypatch.setattr("gamedeid.explorer.serving.ARRIVAL_SECONDS", 0.3)
    with serving(session) as server, unfinished(server, kind) as connection:
        connection.settimeout(5)
        with suppress(ConnectionResetError):
            assert b"" == connection.recv(1)
        assert 200 == httpx.get(server.address).status_code


def test_a_connection_that_is_used_again_and_again_is_kept(session, monkeypatch):
    monkeypatch.setattr("gamedeid.explorer.serving.ARRIVAL_SECONDS", 0.4)
    ports = set()
    with serving(session) as server, httpx.Client() as client:
        for _ in range(4):
            with client.stream("GET", server.address) as answer:
                ports.add(answer.extensions["network_stream"].get_extra_info("client_addr"))
                assert 200 == answer.status_code
                answer.read()
            sleep(0.2)
    assert 1 == len(ports)


def test_an_answer_may_take_longer_than_its_request_may(session, monkeypatch):
    monkeypatch.setattr("gamedeid.explorer.serving.ARRIVAL_SECONDS", 0.2)
    monkeypatch.setattr(session, "question", lambda: sleep(0.6) or {"late": True})
    with serving(session) as server:
        url = httpx.URL(server.address)
        asked = {"json": {}, "headers": {"origin": f"http://{url.netloc.decode()}"}}
        assert {"late": True} == httpx.post(f"{server.address}api/question", **asked).json()


def test_many_unfinished_requests_do_not_block_others(session):
    with ExitStack() as stack, serving(session) as server:
        for number in range(3 * MOST_CONNECTIONS):
            stack.enter_context(unfinished(server, list(UNFINISHED)[number % len(UNFINISHED)]))
        begun = monotonic()
        assert 200 == httpx.get(server.address, timeout=ARRIVAL_SECONDS).status_code
        assert monotonic() - begun < ARRIVAL_SECONDS / 2
        assert len(server._server.server_state.connections) <= MOST_CONNECTIONS  # noqa: SLF001
