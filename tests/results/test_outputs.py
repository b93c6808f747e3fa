"""A folder of results appears complete or not at all."""

import errno
import hashlib
import io
import os
import shutil
import signal
import threading
from pathlib import Path
from typing import NoReturn
from unittest.mock import Mock

import pytest
from forked_writers import FORKING, write_and_be_asked_to_end
from writing_outputs import RESULTS, everything_in, mode, names_in, refused_before_any_work, results

from gamedeid.errors import OutputError
from gamedeid.results.file import write_file
from gamedeid.results.folder import writing_folder

pytestmark = pytest.mark.own_documents


def test_a_folder_holds_the_written_files_and_reports_their_digests(tmp_path):
    with writing_folder(tmp_path / "out") as folder:
        with folder.open("release.csv") as stream:
            stream.write(b"age,sex\n")
            stream.write(b"48,*\n" * 100_000)
            assert folder.digests == {}
        folder.write_text("summary.json", "größe\n")
        digests = folder.digests
    expected = {"release.csv": b"age,sex\n" + b"48,*\n" * 100_000, "summary.json": "größe\n".encode()}
    assert everything_in(tmp_path / "out") == expected
    assert digests == {name: hashlib.sha256(content).hexdigest() for name, content in expected.items()}
    assert names_in(tmp_path) == ["out"]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_only_the_owner_can_read_whatever_the_umask(tmp_path, umask):
    before = os.umask(umask)
    try:
        results(tmp_path / "out", "text")
        write_file(tmp_path / "file", "text")
    finally:
        os.umask(before)
    assert mode(tmp_path / "out") == 0o700
    assert mode(tmp_path / "out" / "release.csv") == 0o600
    assert mode(tmp_path / "out" / "manifest.json") == 0o600
    assert mode(tmp_path / "file") == 0o600


def test_a_folder_that_hands_its_group_down_does_not_hand_it_to_results(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o2777)
    results(tmp_path / "shared" / "out", "text")
    assert mode(tmp_path / "shared" / "out") == 0o700


def test_files_wait_in_a_hidden_folder_for_its_owner_only(tmp_path):
    with writing_folder(tmp_path / "out") as folder:
        folder.write_text("release.csv", "text")
        (hidden,) = tmp_path.iterdir()
        assert hidden.name.startswith(".gamedeid-")
        assert mode(hidden) == 0o700
        assert [mode(path) for path in sorted(hidden.rglob("*"))] == [0o700, 0o600]


def test_a_file_cannot_be_rewound(tmp_path):
    with writing_folder(tmp_path / "out") as folder, folder.open("release.csv") as stream:
        assert not stream.seekable()
        with pytest.raises(io.UnsupportedOperation, match="not seekable"):
            stream.seek(0)


# or not at all


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("failure", [RuntimeError, FileNotFoundError, KeyboardInterrupt, SystemExit, MemoryError])
def test_any_exception_leaves_the_place_as_it_was(tmp_path, failure, *, there):
    if there:
        (tmp_path / "out").mkdir()

    def write() -> NoReturn:
        with writing_folder(tmp_path / "out") as folder:
            folder.write_text("summary.json", "{}")
            folder.open("release.csv").write(b"not all of it")
            raise failure

    with pytest.raises(failure):
        write()
    assert [path.name for path in tmp_path.rglob("*")] == ["out"] * there


def test_a_file_still_open_at_the_end_is_our_own_fault(tmp_path):
    with pytest.raises(ValueError, match=r"release\.csv is still open"), writing_folder(tmp_path / "out") as folder:
        folder.open("release.csv").write(b"not all of it")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc/passwd", "twice"])
def test_a_name_must_be_plain_and_new(tmp_path, name):
    with writing_folder(tmp_path / "out") as folder:
        folder.write_text("twice", "")
        with pytest.raises(ValueError, match="not the name of a new file"):
            folder.open(name)
    assert names_in(tmp_path / "out") == ["twice"]


def test_ctrl_c_during_the_last_step_waits_for_it(tmp_path, monkeypatch):
    rename = Path.rename

    def interrupted(self: Path, target: Path) -> Path:
        os.kill(os.getpid(), signal.SIGINT)
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        results(tmp_path / "out", "text")
    assert names_in(tmp_path) == ["out"]
    assert names_in(tmp_path / "out") == RESULTS


def test_a_request_to_end_during_the_last_step_waits_for_it(tmp_path):
    process = FORKING.Process(target=write_and_be_asked_to_end, args=(tmp_path / "out",))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGTERM
    assert everything_in(tmp_path) == {"out/release.csv": b"text"}


def test_folders_are_written_from_any_thread(tmp_path):
    thread = threading.Thread(target=results, args=(tmp_path / "out", "text"))
    thread.start()
    thread.join()
    assert names_in(tmp_path / "out") == RESULTS


def test_a_failure_of_the_last_step_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "rename", Mock(side_effect=OSError(errno.EIO, os.strerror(errno.EIO))))
    with pytest.raises(OutputError, match=r"^cannot write .*out: Input/output error$"):
        results(tmp_path / "out", "text")
    assert names_in(tmp_path) == []


# paths in the way


@pytest.mark.parametrize("renames_over_it", [True, False])
def test_an_empty_folder_is_filled(tmp_path, monkeypatch, *, renames_over_it):
    rename = Path.rename

    def particular(self: Path, target: Path) -> Path:
        if target.exists() and not renames_over_it:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", particular)
    (tmp_path / "out").mkdir(mode=0o755)
    results(tmp_path / "out", "text")
    assert names_in(tmp_path / "out") == RESULTS
    assert mode(tmp_path / "out") == 0o700


OCCUPIED = "already exists and is not empty; choose another folder or pass overwrite=True$"
NO_FOLDER = "already exists and is not a folder; choose another folder$"
NOT_THERE = "^cannot write .*reslts/out: there is no folder .*reslts; create it, or check its name$"


@pytest.mark.parametrize(
    ("write", "place", "overwrite", "why"),
    [
        (results, "full", False, OCCUPIED),
        *((results, place, overwrite, NO_FOLDER) for place in ("file", "loop") for overwrite in (0, 1)),
        *(
            (write, "reslts/out", overwrite, NOT_THERE)
            for write in (results, write_file)
            for overwrite in (False, True)
        ),
        (results, "file/out", False, "there is no folder"),
        (results, "x" * 300, False, "the name is too long; choose a shorter one"),
        (results, "x" * 300 + "/out", False, "the name is too long"),
        (write_file, "file", False, "file already exists; choose another name or pass overwrite=True$"),
        *(
            (write_file, "full", overwrite, "already exists and is a folder; choose another name$")
            for overwrite in (0, 1)
        ),
    ],
)
def test_a_path_in_the_way_is_refused_and_stays(tmp_path, write, place, overwrite, why):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match=why):
        write(tmp_path / place, "text", overwrite=bool(overwrite))
    if write is results and not overwrite:
        refused_before_any_work(tmp_path / place, why)
    assert everything_in(tmp_path) == {"file": b"mine", "full/notes.txt": b"mine"}
    assert names_in(tmp_path) == ["file", "full", "loop"]


def _folder(target: Path) -> None:
    target.mkdir()
    (target / "notes.txt").write_text("mine")


@pytest.mark.parametrize(
    "come", [lambda target: target.write_text("mine"), _folder, lambda target: results(target, "mine")]
)
def test_a_path_created_meanwhile_is_refused(tmp_path, come):
    with (  # noqa: PT012  (the end of the block fails)
        pytest.raises(OutputError, match=r"out already exists and is not empty"),
        writing_folder(tmp_path / "out") as folder,
    ):
        folder.write_text("release.csv", "text")
        come(tmp_path / "out")
    assert names_in(tmp_path) == ["out"]
    assert {b"mine", b"text"}.intersection(everything_in(tmp_path).values()) == {b"mine"}


def test_the_longest_name_can_be_written_and_replaced(tmp_path):
    results(tmp_path / ("x" * 255), "old")
    results(tmp_path / ("x" * 255), "new", overwrite=True)
    write_file(tmp_path / ("y" * 255), "file")
    assert names_in(tmp_path) == ["x" * 255, "y" * 255]


def test_a_link_to_a_folder_is_followed_and_stays(tmp_path):
    (tmp_path / "run 3").mkdir()
    (tmp_path / "latest").symlink_to("run 3")
    results(tmp_path / "latest", "text")
    assert (tmp_path / "latest").is_symlink()
    assert names_in(tmp_path / "run 3") == RESULTS


def test_the_working_folder_can_be_filled(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    results(Path(), "text")
    monkeypatch.chdir(tmp_path)
    assert names_in(tmp_path / "out") == RESULTS


def test_a_parent_removed_meanwhile_is_reported(tmp_path):
    (tmp_path / "parent").mkdir()
    with pytest.raises(OutputError, match="the folder around it has gone"), writing_folder(tmp_path / "parent" / "out"):
        shutil.rmtree(tmp_path / "parent")
    assert names_in(tmp_path) == []
