"""The explorer's server on a real socket: only on 127.0.0.1, at an address of its own, until it is stopped."""

import socket

import httpx
import pytest
from small_world import small_world
from uvicorn.protocols.http.h11_impl import H11Protocol

from gamedeid.explorer.serving import serving
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario


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


def test_a_server_that_nobody_asks_is_waited_for_no_longer_than_that(session):
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
