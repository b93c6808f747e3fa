"""One server and one browser for the tests of a file about the explorer's page.

They end with the file: as long as the browser is there, a loop of asyncio runs in this thread.
"""

import pytest
from browser import browser
from explorer_page import page_of
from small_world import HOME

from gamedeid.explorer.serving import serving
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario


@pytest.fixture(scope="module")
def page_root(tmp_path_factory):
    return tmp_path_factory.mktemp("written")


@pytest.fixture(scope="module")
def session(page_root):
    session = Session.open(Scenario.read(HOME / "scenarios" / "quickstart.toml"), root=page_root)
    session.answer({})
    return session


@pytest.fixture(scope="module")
def server(session):
    with serving(session) as server:
        yield server


@pytest.fixture(scope="module")
def chrome():
    with browser() as running:
        yield running


@pytest.fixture
def page(chrome, server):
    with page_of(chrome, server.address) as (page, wrong):
        yield page
        assert [] == wrong
