"""A dataset is fetched exactly as published, or not at all; the server of these tests is on this computer."""

import hashlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from small_world import gamedeid_says
from typer.testing import CliRunner

from gamedeid.cli.app import load_commands
from gamedeid.data.datasets import DATASETS, already_there, fetch
from gamedeid.errors import DownloadError, InvalidDataError, OutputError

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

CONTENT = b"39, State-gov, 77516, Bachelors\n" * 10_000
PUBLISHED = DATASETS["adult"]
DIGEST = hashlib.sha256(CONTENT).hexdigest()
UNREADABLE = r"cannot be read \(.*\); check the address and the network, or try again later$"


@dataclass
class Server:
    """Gives each path its prepared answer, and records the requests."""

    answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    address: str = ""

    def answer(self, content: bytes, *, code: int = 200, length: int | None = None, **headers: str) -> str:
        """Return an address with this answer."""

        def respond(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(code)
            for name, value in headers.items():
                handler.send_header(name, value)
            if length is not None:
                handler.send_header("Content-Length", str(length))
            handler.end_headers()
            handler.wfile.write(content)

        return self.respond(respond)

    def respond(self, respond: Callable[[BaseHTTPRequestHandler], None]) -> str:
        path = f"/{len(self.answers)}/adult.data"
        self.answers[path] = respond
        return self.address + path


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append((self.path, self.headers["User-Agent"]))
            server.answers[self.path](self)

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Print nothing: in some tests clients hang up on purpose."""

    with Quiet(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        server.address = f"http://127.0.0.1:{running.server_port}"
        yield server
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know a smaller file under the name."""
    monkeypatch.setitem(DATASETS, "adult", replace(DATASETS["adult"], size=len(CONTENT), sha256=DIGEST))


def test_a_server_that_sends_a_byte_rarely_is_given_up(server, tmp_path, monkeypatch):
    monkeypatch.setattr("gamedeid.data.datasets.TIMEOUT", 0.3)
    monkeypatch.setattr("gamedeid.data.datasets.SLOWEST", 1e9)
    over = threading.Event()

    def dribble(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not over.wait(0.05):
            handler.wfile.write(b"-")

    since = time.monotonic()
    refused("did not arrive within 0 seconds; try again later, or another address", tmp_path, server.respond(dribble))
    over.set()
    assert time.monotonic() - since < 2


def refused(said: str, folder: Path, address: str) -> None:
    """Check that the answer of an address is refused, and nothing is written."""
    with pytest.raises(DownloadError, match=said):
        fetch("adult", folder, address=address)
    assert [] == list(folder.iterdir())


def test_the_known_file_is_the_published_one():
    assert PUBLISHED.sha256 == "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"
    assert PUBLISHED.address == "https://archive.ics.uci.edu/ml/machine-learning-databases/adult/adult.data"


def test_a_dataset_arrives_whole_and_for_its_owner_only(tmp_path, server):
    reported: list[tuple[int, int]] = []
    assert not already_there("adult", tmp_path)
    address = server.answer(CONTENT, length=len(CONTENT))
    path = fetch("adult", tmp_path, address=address, progress=lambda come, expected: reported.append((come, expected)))
    assert path == tmp_path / "adult.data"
    assert path.read_bytes() == CONTENT
    assert path.stat().st_mode & 0o777 == 0o600
    assert already_there("adult", tmp_path)
    assert reported[-1] == (len(CONTENT), len(CONTENT))
    assert reported == sorted(set(reported))
    assert len(reported) > 1
    assert str(server.asked[0][1]).startswith("gamedeid/")


def test_a_dataset_is_followed_where_it_has_moved_and_of_unsaid_length(tmp_path, server):
    moved = server.answer(b"", code=301, Location=server.answer(CONTENT))
    assert fetch("adult", tmp_path, address=moved).read_bytes() == CONTENT


def test_an_existing_dataset_is_not_downloaded_again(tmp_path, server):
    (tmp_path / "adult.data").write_bytes(CONTENT)
    before = (tmp_path / "adult.data").stat()
    assert fetch("adult", tmp_path, address=server.answer(CONTENT)) == tmp_path / "adult.data"
    assert server.asked == []
    assert (tmp_path / "adult.data").stat() == before


def test_a_different_file_is_never_overwritten(tmp_path, server):
    (tmp_path / "adult.data").write_bytes(b"mine")
    found = hashlib.sha256(b"mine").hexdigest()
    said = rf"adult\.data already exists and is not the training .* \(SHA-256 {found}, not {DIGEST}\); move it away or"
    with pytest.raises(OutputError, match=said):
        fetch("adult", tmp_path, address=server.answer(CONTENT))
    assert server.asked == []
    assert (tmp_path / "adult.data").read_bytes() == b"mine"


def test_a_folder_with_the_datasets_name_is_reported(tmp_path):
    (tmp_path / "adult.data").mkdir()
    with pytest.raises(InvalidDataError, match="Is a directory"):
        fetch("adult", tmp_path)


def test_a_folder_that_is_not_there_is_not_made(tmp_path, server):
    with pytest.raises(OutputError, match=r"cannot write adult\.data into .*dta: there is no such folder; create it"):
        fetch("adult", tmp_path / "dta", address=server.answer(CONTENT))
    assert server.asked == []


def test_an_unknown_dataset_is_reported_with_the_known_ones(tmp_path):
    with pytest.raises(DownloadError, match=r"there is no dataset 'adlut' to fetch; known: adult$"):
        fetch("adlut", tmp_path)


@pytest.mark.parametrize(("code", "words"), [(404, "Not Found"), (503, "Service Unavailable")])
def test_a_refusal_of_the_server_is_reported(tmp_path, server, code, words):
    said = f"the server answers {code} {words}; check the address, or try another with address=..., or try again"
    refused(said, tmp_path, server.answer(b"<html>", code=code))


def test_another_file_is_reported_with_both_digests(tmp_path, server):
    found = hashlib.sha256(b"<html>").hexdigest()
    said = rf"sent 6 bytes with SHA-256 {found}, but the training .* has 320,000 with {DIGEST}; try again, or another"
    refused(said, tmp_path, server.answer(b"<html>"))


@pytest.mark.parametrize("chunks", [1, 1_000_000])
def test_no_more_is_read_than_the_length_of_the_file(tmp_path, server, chunks):
    sent = []

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(CONTENT)
        for number in range(chunks):
            handler.wfile.write(bytes(1000))
            sent.append(number)

    said = r"sends more than the 320,000 bytes of the training .* file; check the address"
    refused(said, tmp_path, server.respond(respond))
    assert len(sent) < 1_000_000


@pytest.mark.parametrize("length", [None, len(CONTENT)])
def test_a_broken_connection_is_reported(tmp_path, server, length):
    refused(r"sent 1,000 bytes with SHA-256 .*; try again", tmp_path, server.answer(CONTENT[:1000], length=length))


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\nabc"


@pytest.mark.parametrize("sent", [b"", CHUNKED, b"SSH-2.0-OpenSSH_9.6\r\n"], ids=["nothing", "a chunk", "no HTTP"])
def test_a_truncated_or_invalid_answer_is_reported(tmp_path, server, sent):
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(sent)
        handler.connection.shutdown(socket.SHUT_RDWR)

    refused(UNREADABLE, tmp_path, server.respond(respond))


@pytest.mark.parametrize("before", [b"", b"HTTP/1.1 200 OK\r\n\r\n39, State-gov"])
def test_a_silent_server_is_given_up(tmp_path, server, monkeypatch, before):
    monkeypatch.setattr("gamedeid.data.datasets.TIMEOUT", 0.1)

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(before)
        handler.wfile.flush()
        time.sleep(0.3)

    refused(UNREADABLE, tmp_path, server.respond(respond))


def test_an_address_without_a_server_or_host_is_reported(tmp_path, monkeypatch):
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setenv("no_proxy", "*")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but not listening
        refused(UNREADABLE, tmp_path, f"http://127.0.0.1:{taken.getsockname()[1]}/adult.data")
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    refused(UNREADABLE, tmp_path, "http://mirror.invalid/adult.data")


def test_a_failed_tls_connection_is_reported(tmp_path, server):
    refused(UNREADABLE, tmp_path, server.answer(CONTENT).replace("http:", "https:"))


NOT_HTTP = r"is no http or https address$"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        *((one, NOT_HTTP) for one in ("file:///etc/passwd", "ftp://127.0.0.1/adult.data", "data:,39", "adult.data")),
        *((f"http://{one}", UNREADABLE) for one in ("[::1/adult.data", "127.0.0.1:port/adult.data", "127.0.0.1/a b")),
    ],
)
def test_only_addresses_of_http_and_https_are_asked(tmp_path, monkeypatch, address, said):
    monkeypatch.setenv("no_proxy", "*")
    refused(said, tmp_path, address)


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://127.0.0.1/adult.data"])
def test_no_redirection_leads_away_from_http(tmp_path, server, place):
    refused("check the address", tmp_path, server.answer(b"", code=302, Location=place))
    assert len(server.asked) == 1


# the command


def test_the_command_names_written_and_existing_files(tmp_path, server):
    words = ("fetch", "adult", "--to", tmp_path, "--address", server.answer(CONTENT))
    written, again = gamedeid_says(*words), gamedeid_says(*words)
    path = tmp_path / "adult.data"
    assert (0, f"Written to {path}: {DATASETS['adult'].title}.\n", "") == (written.code, written.out, written.err)
    assert (0, f"{path} is already there.\n") == (again.code, again.out)


SCHEMA = "urn:gamedeid:schema:dataset:1"


def test_the_command_speaks_json(tmp_path, server):
    words = ("fetch", "adult", "-o", tmp_path, "--address", server.answer(CONTENT), "--json")
    said = [json.loads(gamedeid_says(*words).out) for _ in range(2)]
    path = str(tmp_path / "adult.data")
    assert said == [
        {"schema": SCHEMA, "dataset": "adult", "path": path, "sha256": DIGEST, "already_there": there}
        for there in (False, True)
    ]


def test_the_command_shows_progress_on_a_terminal(tmp_path, server, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    said = CliRunner().invoke(
        load_commands(), ["fetch", "adult", "-o", str(tmp_path), "--address", server.answer(CONTENT)]
    )
    assert said.exit_code == 0
    assert "adult.data" in said.stderr


def test_the_command_ends_with_one_line_and_exit_code_2(tmp_path, server):
    address = server.answer(b"<html>", code=404)
    said = gamedeid_says("fetch", "adult", "-o", tmp_path, "--address", address)
    assert said.code == 2
    assert said.err == (
        f"gamedeid: {address}: the server answers 404 Not Found; check the address, or try another with --address, "
        "or try again later\n"
    )
    assert list(tmp_path.iterdir()) == []
