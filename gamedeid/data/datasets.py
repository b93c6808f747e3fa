"""Download a public dataset: the bytes with the known digest, or an error."""

import hashlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

from gamedeid._version import __version__
from gamedeid.errors import DownloadError, OutputError, one_line
from gamedeid.file_identity import digest_file
from gamedeid.progress import Progress, unreported
from gamedeid.results.file import write_file

TIMEOUT = 30.0
"""Seconds without data from the server after which a download fails."""

SLOWEST = 20_000.0
"""Bytes a second that a server must send on average; a slower download fails."""

_BLOCK = 1 << 16  # bytes of a download: fewer than for files, so that a slow server is noticed soon


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A public file, known byte by byte.

    Parameters
    ----------
    size : in bytes; nothing longer is read.
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


def fetch(name: str, to: str | PathLike[str], *, address: str | None = None, progress: Progress | None = None) -> Path:
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
    DownloadError : there is no such dataset, or it did not arrive, or its content differs. Nothing is written.
    OutputError : the file cannot be written there, or a different one has its name.
    InvalidDataError : a file of this name exists and cannot be read.
    """
    dataset = find_dataset(name)
    path = Path(to, dataset.file)
    if not already_there(name, Path(to)):
        write_file(path, _download(dataset, address or dataset.address, progress or unreported))
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


def _download(dataset: Dataset, address: str, progress: Progress) -> bytes:
    """Return the content that a server sends, if it is the dataset and arrives in time."""
    content = bytearray()
    seconds = TIMEOUT + dataset.size / SLOWEST
    late = monotonic() + seconds
    with _explaining_errors(address):
        if urlsplit(address).scheme not in {"http", "https"}:
            raise DownloadError(f"{address}: is no http or https address")
        request = urllib.request.Request(address, headers={"User-Agent": f"gamedeid/{__version__}"})  # noqa: S310
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310  (checked above)
            while block := response.read1(_BLOCK):
                content += block
                if len(content) > dataset.size:
                    raise DownloadError(
                        f"{address}: sends more than the {dataset.size:,} bytes of {dataset.title}, so it is another"
                        " file; check the address"
                    )
                if monotonic() > late:
                    raise DownloadError(
                        f"{address}: {dataset.title} did not arrive within {seconds:.0f} seconds; try again later, or "
                        "another address",
                        arguments=["address"],
                    )
                progress(len(content), dataset.size)
    found = hashlib.sha256(content).hexdigest()
    if found != dataset.sha256:
        raise DownloadError(
            f"{address}: sent {len(content):,} bytes with SHA-256 {found}, but {dataset.title} has"
            f" {dataset.size:,} with {dataset.sha256}; try again, or another address"
        )
    return bytes(content)


@contextmanager
def _explaining_errors(address: str) -> Iterator[None]:
    try:
        yield
    except DownloadError:
        raise
    except urllib.error.HTTPError as error:
        error.close()
        raise DownloadError(
            f"{address}: the server answers {error.code} {error.reason}; check the address, or try another with "
            "address=..., or try again later",
            arguments=["address=..."],
        ) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        cause = one_line(str(getattr(error, "reason", error)))
        raise DownloadError(
            f"{address}: cannot be read ({cause}); check the address and the network, or try again later"
        ) from error
