"""Fixtures for tests of the explorer, and one server for all tests of a file about its page."""

import pytest
from explorer_client import ExplorerClient
from explorer_page import page_of
from small_world import QUICKSTART, small_world

from gamedeid.explorer.serving import serving
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario


@pytest.fixture(scope="session")
def small_scenario(tmp_path_factory):
    """Return the small question, to be read only."""
    return Scenario.read(small_world(tmp_path_factory.mktemp("world")))


@pytest.fixture(scope="session")
def small_client(small_scenario):
    return ExplorerClient(Session.open(small_scenario))


@pytest.fixture(scope="session")
def quick_client():
    return ExplorerClient(Session.open(Scenario.read(QUICKSTART)))


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("root")


@pytest.fixture(scope="module")
def session(root):
    session = Session.open(Scenario.read(QUICKSTART), root=root)
    session.answer({})
    return session


@pytest.fixture(scope="module")
def client(session):
    """Return a client for the quickstart, which may write below `root`."""
    return ExplorerClient(session)


@pytest.fixture(scope="module")
def server(session):
    with serving(session) as server:
        yield server


@pytest.fixture
def page(running, server):
    with page_of(running, server.address) as page:
        yield page
