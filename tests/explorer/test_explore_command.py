"""The command `gamedeid explore`: prints an address, and ends by itself when nobody asks."""

import importlib.util

from small_world import gamedeid_says, small_world


def test_it_prints_the_address_and_ends_when_no_page_asks(tmp_path):
    said = gamedeid_says("explore", small_world(tmp_path), "--no-browser", "--idle", "0.01")

    assert (0, "") == (said.code, said.err)
    address, how_it_ends, ended = said.out.splitlines()
    assert address.startswith("Explorer: http://127.0.0.1:")
    assert "Ctrl-C ends it; so do 0.01 minutes in which no page asks for anything." == how_it_ends
    assert "Ended: no page has asked for anything for 0.01 minutes." == ended


def test_bad_input_is_one_line_and_no_server(tmp_path):
    said = gamedeid_says("explore", small_world(tmp_path), "--set", "payoffs.loss=-1", "--no-browser")

    assert (2, "") == (said.code, said.out)
    assert 1 == len(said.err.splitlines())


def test_without_its_packages_it_says_what_to_install(tmp_path, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "uvicorn" else found(name))

    said = gamedeid_says("explore", small_world(tmp_path), "--no-browser")

    assert 2 == said.code
    assert (
        "gamedeid: explore needs packages that are not installed; install them with: "
        "python -m pip install 'gamedeid[explore]'\n"
    ) == said.err
