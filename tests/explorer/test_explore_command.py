"""The command `gamedeid explore`: prints an address, and ends by itself without requests."""

import re
import signal
import subprocess
import sys
import webbrowser
from pathlib import Path
from time import monotonic, sleep
from unittest.mock import Mock
from urllib.parse import unquote, urlsplit

import httpx
import pytest
from small_world import gamedeid_command, gamedeid_prints, gamedeid_says, process_environment, small_world


def test_it_prints_the_address_and_ends_when_no_page_asks(tmp_path):
    said = gamedeid_prints("explore", small_world(tmp_path), "--no-browser", "--idle", "0.01")

    address, how_it_ends, ended = said.splitlines()
    assert address.startswith("Explorer: http://127.0.0.1:")
    assert "Ctrl-C ends it; it also ends after 0.01 min without a request from the page." == how_it_ends
    assert "Ended: no request from the page for 0.01 min." == ended


class Browser:
    """Records the words that start it, and the page that they open."""

    def __init__(self, name):
        self.name, self.words, self.modes, self.content = name, [], [], ""

    def open(self, address):
        file = Path(unquote(urlsplit(address).path))
        self.words.append(address)
        self.modes += [one.stat().st_mode & 0o777 for one in (file.parent, file)]
        self.content = file.read_text("utf-8")


@pytest.mark.parametrize(("name", "opens"), [("firefox", 1), ("/usr/bin/w3m", 0)])
def test_a_browser_is_started_with_a_file_of_its_owner_alone_that_leads_to_the_page_once(
    tmp_path, monkeypatch, name, opens
):
    browser = Browser(name)
    monkeypatch.setattr(webbrowser, "get", lambda: browser)

    said = gamedeid_prints("explore", small_world(tmp_path), "--idle", "0.01")

    assert opens == len(browser.words)
    if opens:
        [address], printed = browser.words, said.split()[1]
        leads_to = re.search(r'url=(http://127[.]0[.]0[.]1:[0-9]+/[^/]+/)"', browser.content)[1]
        assert leads_to != printed
        assert urlsplit(leads_to).netloc == urlsplit(printed).netloc
        assert "file" == urlsplit(address).scheme
        assert [] == [token for token in map(token_of, (leads_to, printed)) if token in address]
        assert [0o700, 0o600] == browser.modes
        assert not Path(unquote(urlsplit(address).path)).parent.exists()


def token_of(address):
    return urlsplit(address).path.strip("/")


STARTED = """
import os, sys
from pathlib import Path
from time import sleep
ours = Path("/proc/self/cmdline").read_bytes(), Path("/proc/self/environ").read_bytes(), sys.argv[1].encode()
Path(os.environ["NOTES"] + ".new").write_bytes(b" ".join(ours))
Path(os.environ["NOTES"] + ".new").rename(os.environ["NOTES"])
"""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no list of what processes were started with")
@pytest.mark.parametrize(
    ("end", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "asked to end")]
)
def test_no_process_gets_the_pages_address_in_a_word_or_variable(tmp_path, end, code, word):
    (tmp_path / "browser.py").write_text(STARTED)
    (tmp_path / "temporary").mkdir()
    variables = {
        "BROWSER": f"{sys.executable} {tmp_path / 'browser.py'} %s",
        "NOTES": str(tmp_path / "notes"),
        "TMPDIR": str(tmp_path / "temporary"),
    }
    words = gamedeid_command("explore", small_world(tmp_path), "-o", tmp_path, "--log", tmp_path / "log")
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, text=True, env=process_environment(**variables), **streams) as process:
        address = process.stdout.readline().split()[1]
        token = token_of(address)
        assert 200 == httpx.get(address).status_code
        until = monotonic() + 60
        while not (tmp_path / "notes").exists() and monotonic() < until:
            sleep(0.05)
        notes = (tmp_path / "notes").read_text("utf-8", errors="replace")
        [page] = (tmp_path / "temporary").glob(".*/explorer.html")
        opening = token_of(re.search(r'url=([^"]+)"', page.read_text())[1])
        told = [notes, *process_words(process.pid), (tmp_path / "log").read_text()]
        process.send_signal(end)
        _, said = process.communicate(timeout=30)

    assert (code, f"gamedeid: {word}\n") == (process.returncode, said)
    assert str(page) in notes
    assert [] == [secret for secret in (token, opening) if any(secret in one for one in told)]
    assert not page.parent.exists()


def process_words(number):
    return [Path(f"/proc/{number}/{what}").read_text("utf-8", errors="replace") for what in ("cmdline", "environ")]


def test_without_a_browser_the_address_is_printed_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(webbrowser, "get", Mock(side_effect=webbrowser.Error("could not locate runnable browser")))

    assert 0 == gamedeid_says("explore", small_world(tmp_path), "--idle", "0.01").code
