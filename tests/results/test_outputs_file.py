"""A single file, with the same promises."""

import errno
import os
import stat
from unittest.mock import Mock

import pytest
from writing_outputs import RESULTS, everything_in, mode, names_in, results

from gamedeid.errors import OutputError
from gamedeid.results.file import write_file

pytestmark = pytest.mark.own_documents


@pytest.mark.parametrize("content", ["größe\n", "größe\n".encode(), b"", ""])
def test_a_file_is_written_unchanged(tmp_path, content):
    write_file(tmp_path / "file", content)
    assert everything_in(tmp_path) == {"file": content.encode() if isinstance(content, str) else content}


def test_a_file_that_is_there_is_replaced_on_request(tmp_path):
    (tmp_path / "file").write_text("mine")
    write_file(tmp_path / "file", "text", overwrite=True)
    assert everything_in(tmp_path) == {"file": b"text"}
    assert mode(tmp_path / "file") == 0o600
    write_file(tmp_path / "new", "text", overwrite=True)
    assert names_in(tmp_path) == ["file", "new"]


def test_a_file_created_meanwhile_is_not_replaced(tmp_path, monkeypatch):
    fsync = os.fsync

    def come_between(descriptor: int) -> None:
        (tmp_path / "file").write_text("mine")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", come_between)
    with pytest.raises(OutputError, match="it already exists; choose another name or pass overwrite=True"):
        write_file(tmp_path / "file", "text")
    assert everything_in(tmp_path) == {"file": b"mine"}


def test_a_file_is_written_on_a_disk_without_hard_links(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", Mock(side_effect=OSError(errno.EPERM, os.strerror(errno.EPERM))))
    write_file(tmp_path / "file", "text")
    assert everything_in(tmp_path) == {"file": b"text"}


def test_a_disk_that_cannot_sync_names_is_not_an_error(tmp_path, monkeypatch):
    fsync = os.fsync

    def files_only(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", files_only)
    results(tmp_path / "out", "text")
    assert names_in(tmp_path / "out") == RESULTS


def test_a_file_that_the_disk_cannot_keep_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", Mock(side_effect=OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))))
    with pytest.raises(
        OutputError, match=r"cannot write release\.csv into .*: your disk quota is used up; free some space"
    ):
        results(tmp_path / "out", "text")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("name", ["release.csv", "key", "manifest.json"])
def test_no_file_is_written_into_a_folder_of_results_whose_manifest_would_not_name_it(tmp_path, name):
    results(tmp_path / "out", "text")
    before = everything_in(tmp_path / "out")
    (tmp_path / "link").symlink_to(tmp_path / "out" / name)
    for path in (tmp_path / "out" / name, tmp_path / "link"):
        with pytest.raises(OutputError, match=r"because manifest.json does not name it; write it elsewhere"):
            write_file(path, "other", overwrite=True)
    assert before == everything_in(tmp_path / "out")

    (tmp_path / "manifest.json").write_text('{"outputs": {}}')  # of another program
    write_file(tmp_path / "file", "text")
