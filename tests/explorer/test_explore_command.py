"""The command `gamedeid explore`: prints an address, and ends by itself when nobody asks."""

import signal
import subprocess
import webbrowser

import httpx
import pytest
from small_world import gamedeid_command, gamedeid_says, process_environment, small_world


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
    monkeypatch.setattr("gamedeid.extras.find_spec", lambda name: None if name == "uvicorn" else name)

    said = gamedeid_says("explore", small_world(tmp_path), "--no-browser")

    assert 2 == said.code
    assert (
        'gamedeid: explore needs uvicorn, which is not installed: python -m pip install "gamedeid[explore]"\n'
    ) == said.err


def test_ctrl_c_ends_it_as_it_ends_any_command(tmp_path):
    words = gamedeid_command("explore", small_world(tmp_path), "--no-browser", "-o", tmp_path)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, text=True, env=process_environment(), **streams) as process:
        address = process.stdout.readline().split()[1]
        assert 200 == httpx.get(address).status_code
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)

    assert (130, "gamedeid: interrupted\n") == (process.returncode, said)


def test_a_folder_that_is_not_there_is_said_before_anything_is_read(tmp_path):
    said = gamedeid_says("explore", tmp_path / "no.toml", "--no-browser", "-o", tmp_path / "none")

    assert (2, "") == (said.code, said.out)
    assert "there is no folder" in said.err


class Browser:
    def __init__(self, name):
        self.name, self.opened = name, []

    def open(self, address):
        self.opened.append(address)


@pytest.mark.parametrize(("name", "opens"), [("firefox", 1), ("/usr/bin/w3m", 0)])
def test_a_browser_gets_an_address_that_leads_to_the_page_once(tmp_path, monkeypatch, name, opens):
    browser = Browser(name)
    monkeypatch.setattr(webbrowser, "get", lambda: browser)

    said = gamedeid_says("explore", small_world(tmp_path), "--idle", "0.01")

    assert opens == len(browser.opened)
    printed = said.out.split()[1]
    assert all(address.startswith("http://127.0.0.1:") and address != printed for address in browser.opened)


def test_without_a_browser_the_address_is_printed_all_the_same(tmp_path, monkeypatch):
    def fail():
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", fail)

    assert 0 == gamedeid_says("explore", small_world(tmp_path), "--idle", "0.01").code


@pytest.mark.parametrize("idle", ["0", "-1", "inf", "nan", "20000", "soon"])
def test_the_minutes_without_a_question_are_a_number_up_to_a_week(tmp_path, idle):
    said = gamedeid_says("explore", tmp_path / "no.toml", "--no-browser", "--idle", idle)

    assert (2, "") == (said.code, said.out)
    assert "idle" in said.err
    assert 1 == len(said.err.splitlines())
