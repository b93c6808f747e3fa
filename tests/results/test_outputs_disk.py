"""Disks that are full, read-only or lack features."""

import errno
import fcntl
import os
import resource
import subprocess
from hashlib import sha256
from pathlib import Path
from unittest.mock import Mock

import pyarrow as pa
import pytest
from writing_outputs import everything_in, mode, names_in, refused_before_any_work, results

from gamedeid.errors import OutputError
from gamedeid.results.file import write_file
from gamedeid.results.folder import writing_folder
from gamedeid.results.staging import Place
from gamedeid.results.tables import write_blocks

pytestmark = pytest.mark.own_documents


def test_a_full_disk_is_one_line_and_nothing_is_left(small_disk):
    results(small_disk / "out", "old")
    free = os.statvfs(small_disk).f_bfree
    with (  # noqa: PT012  (the end of the block fails)
        pytest.raises(
            OutputError, match=r"^cannot write release\.csv into .*out: the disk is full; free some space or ch.*$"
        ),
        writing_folder(small_disk / "out", overwrite=True) as folder,
    ):
        folder.write_text("summary.json", "{}")
        with folder.open("release.csv") as stream:
            stream.write(bytes(1_000_000))
    assert names_in(small_disk) == ["out"]
    assert (small_disk / "out" / "release.csv").read_text() == "old"
    assert os.statvfs(small_disk).f_bfree == free


def test_a_full_disk_is_reported_through_pyarrow(small_disk):
    table = pa.table({"age": list(range(500_000))})
    with pytest.raises(OutputError, match="the disk is full"), writing_folder(small_disk / "out") as folder:  # noqa: SIM117
        with folder.open("release.parquet") as stream:
            write_blocks([table], stream, "parquet")
    assert names_in(small_disk) == []


def test_an_incomplete_file_is_not_shown_even_if_its_error_was_ignored(small_disk):
    with pytest.raises(OutputError, match="the disk is full"), writing_folder(small_disk / "out") as folder:  # noqa: PT012
        stream = folder.open("release.csv")
        with pytest.raises(OutputError):
            stream.write(bytes(1_000_000))
        stream.close()
    assert names_in(small_disk) == []


def test_a_full_disk_is_reported_for_a_single_file(small_disk):
    write_file(small_disk / "file", "old")
    with pytest.raises(OutputError, match=r"cannot write .*file: the disk is full"):
        write_file(small_disk / "file", bytes(1_000_000), overwrite=True)
    assert everything_in(small_disk) == {"file": b"old"}


def test_a_read_only_disk_is_reported_before_any_work(small_disk):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    refused_before_any_work(small_disk / "out", "cannot write .*out: that disk is read-only; choose another folder")
    with pytest.raises(OutputError, match="read-only"):
        write_file(small_disk / "file", "text")


def test_a_folder_that_is_a_disk_of_its_own_is_refused_before_any_work(small_disk):
    refused_before_any_work(small_disk, "is a separate disk and cannot be replaced as a whole; choose a folder inside")


def test_a_folder_of_another_user_is_reported_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "mkdir", Mock(side_effect=PermissionError(errno.EACCES, os.strerror(errno.EACCES))))
    refused_before_any_work(tmp_path / "out", "cannot write .*out: you may not write there; choose another folder")
    monkeypatch.setattr(Path, "is_dir", Mock(side_effect=PermissionError(errno.EACCES, os.strerror(errno.EACCES))))
    with pytest.raises(OutputError, match="you may not write there"):
        write_file(tmp_path / "file", "text")


def test_a_file_larger_than_the_system_allows_is_reported(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, before[1]))
    why = r"^cannot write release\.csv into .*/out: it is larger than a file may be here; choose another folder$"
    try:
        with pytest.raises(OutputError, match=why), writing_folder(tmp_path / "out") as folder:
            folder.write_bytes("release.csv", bytes(2_000_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert names_in(tmp_path) == []


# systems that lack features


@pytest.mark.parametrize(
    "failure",
    [PermissionError(errno.EPERM, os.strerror(errno.EPERM)), NotImplementedError("follow_symlinks unavailable")],
    ids=["disk", "system"],
)
def test_a_part_is_copied_if_it_cannot_be_linked(failure, tmp_path, monkeypatch):
    (tmp_path / "part").write_text("text")
    monkeypatch.setattr(os, "link", Mock(side_effect=failure))
    with writing_folder(tmp_path / "out") as folder:
        folder.adopt(tmp_path / "part", "release.csv", sha256(b"text").hexdigest())
    assert everything_in(tmp_path / "out") == {"release.csv": b"text"}
    assert mode(tmp_path / "out" / "release.csv") == 0o600


def test_an_impossible_name_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    monkeypatch.setattr(Path, "rename", Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    with pytest.raises(OutputError, match="the disk is full"):
        write_file(tmp_path / "file", "text")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("lack", ["system", "disk"])
def test_locks_are_skipped_where_not_supported(tmp_path, monkeypatch, lack):
    if lack == "system":
        monkeypatch.setattr("gamedeid.results.staging.fcntl", None)
    else:
        monkeypatch.setattr(fcntl, "flock", Mock(side_effect=OSError(errno.EBADF, os.strerror(errno.EBADF))))
    results(tmp_path / "out", "old")
    results(tmp_path / "out", "new", overwrite=True)
    write_file(tmp_path / "file", "text")
    left = Place.of(tmp_path / "out").hidden()
    left.mkdir()
    results(tmp_path / "out", "newer", overwrite=True)
    assert names_in(tmp_path) == [left.name, "file", "out"], "what cannot be locked may be alive"
