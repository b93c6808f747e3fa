"""Download a public dataset: the bytes with the known digest, or an error."""

import hashlib
import http.client
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from gamedeid._version import __version__
from gamedeid.errors import DownloadError, OutputError
from gamedeid.file_identity import digest_file
from gamedeid.progress import Progress
from gamedeid.results import write_file

TIMEOUT = 30.0
"""Seconds without data from the server after which a download fails."""

SLOWEST = 20_000.0
"""Bytes a second that a server must send on average; a slower download fails."""

_BLOCK = 1 << 16  # bytes of a download: fewer than of a file, so that a slow server is noticed soon


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A public file, known byte by byte.

    Parameters
    ----------
    title : what it is, for people.
    file : its name on disk.
    address : where its keepers publish it.
    size : in bytes; nothing longer is read.
    sha256 : in hex.
    """

    title: str
    file: str
    address: str
    size: int
    sha256: str


DATASETS = {
    "adult": Dataset(
        title="the training part of the UCI Adult dataset",
        file="adult.data",
        address="https://archive.ics.uci.edu/ml/machine-learning-databases/adult/adult.data",
        size=3_974_305,
        sha256="5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
    ),
}


def fetch(name: str, to: Path, *, address: str | None = None, progress: Progress | None = None) -> Path:
    """Download a public dataset, unless it is already there.

    Parameters
    ----------
    name : a key of ``DATASETS``.
    to : the folder for it, which must exist.
    address : another ``http`` or ``https`` address of the same file, such as a mirror's.
    progress : called with (bytes read, bytes in all).

    Returns
    -------
    The path of the file, which has the known SHA-256 and can be read by its owner only.

    Raises
    ------
    DownloadError : there is no such dataset, or it did not come, or something else came. Nothing is written.
    OutputError : the file cannot be written there, or a different one has its name.
    InvalidDataError : a file of this name is there and cannot be read.
    """
    dataset = find_dataset(name)
    path = to / dataset.file
    if not already_there(name, to):
        write_file(path, _download_within_limit(dataset, address or dataset.address, progress))
    return path


def find_dataset(name: str) -> Dataset:
    """Return the description of a dataset."""
    if name not in DATASETS:
        raise DownloadError(f"there is no dataset {name!r} to fetch; known: {', '.join(DATASETS)}")
    return DATASETS[name]


def already_there(name: str, to: Path) -> bool:
    """Return whether a folder holds a dataset already."""
    dataset = find_dataset(name)
    if not to.is_dir():
        raise OutputError(
            f"cannot write {dataset.file} into {to}: there is no such folder; create it, or check its name"
        )
    path = to / dataset.file
    if not path.exists():
        return False
    found = digest_file(path)
    if found != dataset.sha256:
        raise OutputError(
            f"{path} already exists and is not {dataset.title} (SHA-256 {found}, not {dataset.sha256});"
            " move it away or choose another folder"
        )
    return True


def _download_within_limit(dataset: Dataset, address: str, progress: Progress | None) -> bytes:
    """Download a dataset in a thread of its own, and give it up when it takes too long, whatever the server says."""
    limit = TIMEOUT + dataset.size / SLOWEST
    future: Future[bytes] = Future()
    ended = threading.Event()

    def download() -> None:
        try:
            future.set_result(_download(dataset, address, progress, ended))
        except BaseException as error:  # noqa: BLE001  (raised where it is waited for)
            future.set_exception(error)

    threading.Thread(target=download, daemon=True).start()
    try:
        return future.result(limit)
    except TimeoutError:
        raise DownloadError(
            f"{address}: {dataset.title} has not come within {limit:.0f} seconds; try again later, or another address",
            arguments=["address"],
        ) from None
    finally:
        ended.set()


def _download(dataset: Dataset, address: str, progress: Progress | None, ended: threading.Event) -> bytes:
    """Return what a server sends, until nobody waits for it any more."""
    content = bytearray()
    with _explaining_errors(address):
        if urlsplit(address).scheme not in {"http", "https"}:
            raise DownloadError(f"{address}: is no http or https address")
        request = urllib.request.Request(address, headers={"User-Agent": f"gamedeid/{__version__}"})  # noqa: S310
        with _opener().open(request, timeout=TIMEOUT) as response:
            while not ended.is_set() and (block := response.read1(_BLOCK)):
                content += block
                if len(content) > dataset.size:
                    raise DownloadError(
                        f"{address}: sends more than the {dataset.size:,} bytes of {dataset.title}, so it is another"
                        " file; check the address"
                    )
                if progress is not None:
                    progress(len(content), dataset.size)
    found = hashlib.sha256(content).hexdigest()
    if found != dataset.sha256:
        raise DownloadError(
            f"{address}: sent {len(content):,} bytes with SHA-256 {found}, but {dataset.title} has"
            f" {dataset.size:,} with {dataset.sha256}; try again, or another address"
        )
    return bytes(content)


def _opener() -> urllib.request.OpenerDirector:
    """Return what opens http and https and nothing else, wherever a server may redirect to."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.UnknownHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPRedirectHandler,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener


@contextmanager
def _explaining_errors(address: str) -> Iterator[None]:
    try:
        yield
    except DownloadError:
        raise
    except urllib.error.HTTPError as error:
        error.close()
        hint, argument = _hint(error.code)
        raise DownloadError(
            f"{address}: the server answers {error.code} {error.reason}; {hint}", arguments=[argument]
        ) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        raise DownloadError(f"{address}: {_reason(cause)}") from error


def _hint(code: int) -> tuple[str, str]:
    """Return what to do about an answer of the server, and the words of it that name an argument."""
    if code < 500:  # noqa: PLR2004
        return "check the address, or try another with address=...", "address=..."
    return "try again later, or another address", "address"


def _reason(cause: object) -> str:
    match cause:
        case TimeoutError():
            return f"no word from the server for {TIMEOUT:g} seconds; try again later"
        case ConnectionRefusedError():
            return "the server refuses the connection; check the address, or try again later"
        case ssl.SSLError():
            return f"the connection is not safe ({_one_line(cause)}); check the address and this computer's clock"
        case http.client.IncompleteRead() | http.client.RemoteDisconnected() | ConnectionError():
            return "the server broke the connection off; try again"
        case OSError() | str():
            return f"cannot be reached ({_one_line(cause)}); check the address and the network"
        case _:
            return f"is no address, or its answer makes no sense ({_one_line(cause)}); check it"


def _one_line(cause: object) -> str:
    return " ".join(str(cause).split())
