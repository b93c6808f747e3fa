"""Results appear whole or not at all: whatever happens to the disk, the system or the run."""

import ctypes
import errno
import fcntl
import hashlib
import io
import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from gamedeid.errors import OutputError
from gamedeid.outputs import write_file, writing_folder
from gamedeid.outputs.staging import Place, hidden_folder, hold
from gamedeid.outputs.swaps import exchange

ROOT = Path(__file__).parents[1]
NO_NAMELESS = "import gamedeid.outputs.nameless; gamedeid.outputs.nameless._NAMELESS = 0\n"


@pytest.fixture(params=["without names", "in a hidden folder"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let files wait in either way; the first is Linux's."""
    if request.param == "in a hidden folder":
        monkeypatch.setattr("gamedeid.outputs.nameless._NAMELESS", 0)
    elif not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without names")
    return str(request.param)


@pytest.fixture(params=["exchanged", "moved aside"])
def swap(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Replace a folder in either way; the first is Linux's."""
    if request.param == "moved aside":
        monkeypatch.setattr("gamedeid.outputs.swaps.exchange", lambda _one, _other: False)
    return str(request.param)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 256 KiB."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k,mode=755", "tmpfs", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(f"this system lets nobody mount a small disk: {mounted.stderr.splitlines()[0]}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def results(path: Path, text: str, *, overwrite: bool = False, names: tuple[str, ...] = ("release.csv",)) -> None:
    """Write a folder of ours."""
    with writing_folder(path, overwrite=overwrite) as folder:
        for name in names:
            folder.write_text(name, text)
        folder.write_text("manifest.json", json.dumps({"gamedeid": "0", "outputs": folder.digests}))


def run(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(process: subprocess.Popen[str]) -> str:
    """Return the next line of a process, and fail with its complaint if it ended before."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate()[1]
    return line.strip()


# whole


@pytest.mark.usefixtures("way")
def test_a_folder_holds_what_was_written_and_says_its_digests(tmp_path: Path) -> None:
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


@pytest.mark.usefixtures("way")
def test_an_empty_run_makes_an_empty_folder(tmp_path: Path) -> None:
    with writing_folder(tmp_path / "out"):
        pass
    assert names_in(tmp_path / "out") == []


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_only_the_owner_can_read_whatever_the_umask(tmp_path: Path, umask: int) -> None:
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


def test_a_folder_that_hands_its_group_down_does_not_hand_it_to_results(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o2777)
    results(tmp_path / "shared" / "out", "text")
    assert mode(tmp_path / "shared" / "out") == 0o700


def test_nothing_has_a_name_before_the_end(tmp_path: Path) -> None:
    if not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without names")
    with writing_folder(tmp_path / "out") as folder:
        folder.write_text("release.csv", "text")
        assert names_in(tmp_path) == []


def test_the_hidden_folder_is_for_its_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedeid.outputs.nameless._NAMELESS", 0)
    with writing_folder(tmp_path / "out") as folder:
        folder.write_text("release.csv", "text")
        (hidden,) = tmp_path.iterdir()
        assert hidden.name.startswith(".gamedeid-")
        assert mode(hidden) == 0o700
        assert mode(hidden / "release.csv") == 0o600


@pytest.mark.usefixtures("way")
def test_pyarrow_writes_into_a_folder(tmp_path: Path) -> None:
    table = pa.table({"age": list(range(50_000)), "sex": ["*"] * 50_000})
    with writing_folder(tmp_path / "out") as folder:
        with folder.open("release.csv") as stream:
            pyarrow.csv.write_csv(table, stream)
        with folder.open("release.parquet") as stream:
            pyarrow.parquet.write_table(table, stream)
        digests = folder.digests
    assert pyarrow.csv.read_csv(tmp_path / "out" / "release.csv").equals(table)
    assert pyarrow.parquet.read_table(tmp_path / "out" / "release.parquet").equals(table)
    assert digests == {
        name: hashlib.sha256(content).hexdigest() for name, content in sorted(everything_in(tmp_path / "out").items())
    }


def test_text_streams_can_be_laid_over_a_file(tmp_path: Path) -> None:
    with (
        writing_folder(tmp_path / "out") as folder,
        io.TextIOWrapper(folder.open("release.csv"), encoding="utf-8", newline="\n") as stream,
    ):
        stream.write("größe\n")
    assert everything_in(tmp_path / "out") == {"release.csv": "größe\n".encode()}


def test_a_file_cannot_be_rewound(tmp_path: Path) -> None:
    with writing_folder(tmp_path / "out") as folder, folder.open("release.csv") as stream:
        assert not stream.seekable()
        with pytest.raises(io.UnsupportedOperation, match="not seekable"):
            stream.seek(0)


# or not at all


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, SystemExit, MemoryError])
def test_whatever_ends_the_block_leaves_nothing(tmp_path: Path, failure: type[BaseException]) -> None:
    def write() -> NoReturn:
        with writing_folder(tmp_path / "out") as folder:
            folder.write_text("summary.json", "{}")
            folder.open("release.csv").write(b"not all of it")
            raise failure

    with pytest.raises(failure):
        write()
    assert names_in(tmp_path) == []


@pytest.mark.usefixtures("way")
def test_a_failure_in_the_block_leaves_an_empty_folder_empty(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(ZeroDivisionError), writing_folder(tmp_path / "out") as folder:
        folder.write_text("summary.json", str(1 / 0))
    assert names_in(tmp_path) == ["out"]
    assert names_in(tmp_path / "out") == []


@pytest.mark.usefixtures("way")
def test_a_file_still_open_at_the_end_is_our_own_fault(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"release\.csv is still open"), writing_folder(tmp_path / "out") as folder:
        folder.open("release.csv").write(b"not all of it")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc/passwd", "twice"])
def test_a_name_must_be_plain_and_new(tmp_path: Path, name: str) -> None:
    with writing_folder(tmp_path / "out") as folder:
        folder.write_text("twice", "")
        with pytest.raises(ValueError, match="not the name of a new file"):
            folder.open(name)
    assert names_in(tmp_path / "out") == ["twice"]


def test_errors_of_the_block_are_not_mistaken_for_errors_of_the_output(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), writing_folder(tmp_path / "out"):
        (tmp_path / "input").read_text()


@pytest.mark.usefixtures("way")
def test_ctrl_c_during_the_last_step_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def interrupted(self: Path, target: Path) -> Path:
        os.kill(os.getpid(), signal.SIGINT)
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        results(tmp_path / "out", "text")
    assert names_in(tmp_path) == ["out"]
    assert names_in(tmp_path / "out") == ["manifest.json", "release.csv"]


def test_a_request_to_end_during_the_last_step_waits_for_it(tmp_path: Path, way: str) -> None:
    process = run(
        (NO_NAMELESS if way == "in a hidden folder" else "")
        + """
import os, signal, sys
from pathlib import Path
from gamedeid.outputs import writing_folder
rename = Path.rename
def interrupted(self, target):
    os.kill(os.getpid(), signal.SIGTERM)
    return rename(self, target)
Path.rename = interrupted
with writing_folder(Path(sys.argv[1])) as folder:
    folder.write_text("release.csv", "text")
""",
        tmp_path / "out",
    )
    assert process.communicate() == ("", "")
    assert process.returncode == -signal.SIGTERM
    assert everything_in(tmp_path) == {"out/release.csv": b"text"}


@pytest.mark.usefixtures("way")
def test_folders_are_written_from_any_thread(tmp_path: Path) -> None:
    thread = threading.Thread(target=results, args=(tmp_path / "out", "text"))
    thread.start()
    thread.join()
    assert names_in(tmp_path / "out") == ["manifest.json", "release.csv"]


@pytest.mark.usefixtures("way")
def test_a_failure_of_the_last_step_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: Path, _target: Path) -> NoReturn:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OutputError, match=r"^cannot write .*out: Input/output error$"):
        results(tmp_path / "out", "text")
    assert names_in(tmp_path) == []


# what stands in the way


@pytest.mark.usefixtures("way")
def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir(mode=0o755)
    results(tmp_path / "out", "text")
    assert names_in(tmp_path / "out") == ["manifest.json", "release.csv"]
    assert mode(tmp_path / "out") == 0o700


def test_an_empty_folder_is_filled_where_renaming_over_it_is_not_to_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def particular(self: Path, target: Path) -> Path:
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", particular)
    (tmp_path / "out").mkdir()
    results(tmp_path / "out", "text")
    assert names_in(tmp_path / "out") == ["manifest.json", "release.csv"]


@pytest.mark.usefixtures("way")
def test_a_full_folder_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    with (
        pytest.raises(
            OutputError, match=r"out already exists and is not empty; choose another folder or pass --overwrite"
        ),
        writing_folder(tmp_path / "out"),
    ):
        pytest.fail("the block must not be entered")
    assert everything_in(tmp_path) == {"out/notes.txt": b"mine"}


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_file_in_the_way_is_refused(tmp_path: Path, *, overwrite: bool) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OutputError, match=r"out already exists and is not a folder; choose another folder$"):
        results(tmp_path / "out", "text", overwrite=overwrite)
    assert everything_in(tmp_path) == {"out": b"mine"}


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_came_into_the_way_meanwhile_is_refused(tmp_path: Path, what: str) -> None:
    target = tmp_path / "out"
    with (  # noqa: PT012  (the end of the block fails)
        pytest.raises(OutputError, match=r"out already exists and is not empty"),
        writing_folder(target) as folder,
    ):
        folder.write_text("release.csv", "text")
        if what == "file":
            target.write_text("mine")
        else:
            target.mkdir()
            (target / "notes.txt").write_text("mine")
    assert list(everything_in(tmp_path).values()) == [b"mine"]


def test_a_missing_parent_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(
        OutputError, match=r"cannot write .*out: there is no folder .*reslts; create it, or check its name"
    ):
        results(tmp_path / "reslts" / "out", "text")
    assert names_in(tmp_path) == []


def test_a_parent_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match="there is no folder"):
        results(tmp_path / "file" / "out", "text")


def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="the name is too long; choose a shorter one"):
        results(tmp_path / ("x" * 300), "text")
    with pytest.raises(OutputError, match="the name is too long"):
        results(tmp_path / ("x" * 300) / "out", "text")
    assert names_in(tmp_path) == []


@pytest.mark.usefixtures("way")
def test_the_longest_name_can_be_written_and_replaced(tmp_path: Path) -> None:
    results(tmp_path / ("x" * 255), "old")
    results(tmp_path / ("x" * 255), "new", overwrite=True)
    write_file(tmp_path / ("y" * 255), "file")
    assert names_in(tmp_path) == ["x" * 255, "y" * 255]


def test_a_link_to_a_folder_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "run 3").mkdir()
    (tmp_path / "latest").symlink_to("run 3")
    results(tmp_path / "latest", "text")
    assert (tmp_path / "latest").is_symlink()
    assert names_in(tmp_path / "run 3") == ["manifest.json", "release.csv"]


def test_a_link_that_leads_round_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("out")
    with pytest.raises(OutputError, match="out already exists and is not a folder"):
        results(tmp_path / "out", "text")


def test_the_working_folder_can_be_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    results(Path(), "text")
    monkeypatch.chdir(tmp_path)
    assert names_in(tmp_path / "out") == ["manifest.json", "release.csv"]


def test_a_parent_that_goes_away_meanwhile_is_said(tmp_path: Path) -> None:
    (tmp_path / "parent").mkdir()
    with (
        pytest.raises(OutputError, match="the folder it was to stand in has gone"),
        writing_folder(tmp_path / "parent" / "out"),
    ):
        (tmp_path / "parent").rmdir()
    assert names_in(tmp_path) == []


# overwriting


@pytest.mark.usefixtures("way", "swap")
def test_our_own_results_are_replaced_as_a_whole(tmp_path: Path) -> None:
    results(tmp_path / "out", "old", names=("release.csv", "sweep.csv"))
    results(tmp_path / "out", "new", overwrite=True)
    assert names_in(tmp_path) == ["out"]
    assert names_in(tmp_path / "out") == ["manifest.json", "release.csv"]
    assert (tmp_path / "out" / "release.csv").read_text() == "new"
    assert mode(tmp_path / "out") == 0o700


@pytest.mark.usefixtures("way", "swap")
def test_results_of_which_files_are_missing_or_changed_are_still_ours(tmp_path: Path) -> None:
    results(tmp_path / "out", "old", names=("release.csv", "sweep.csv"))
    (tmp_path / "out" / "release.csv").unlink()
    (tmp_path / "out" / "sweep.csv").write_text("changed")
    (tmp_path / "out").chmod(0o500)
    results(tmp_path / "out", "new", overwrite=True)
    assert names_in(tmp_path / "out") == ["manifest.json", "release.csv"]


@pytest.mark.usefixtures("way")
def test_overwriting_nothing_or_an_empty_folder_is_writing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    results(tmp_path / "empty", "text", overwrite=True)
    results(tmp_path / "none", "text", overwrite=True)
    assert everything_in(tmp_path / "empty") == everything_in(tmp_path / "none")


def _no_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def _manifest_of_somebody_else(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"name": "web page"}')


def _manifest_without_outputs(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"gamedeid": "0"}')


def _manifest_that_is_no_json(folder: Path) -> None:
    (folder / "manifest.json").write_text("[" * 100_000)


def _manifest_that_is_a_link(folder: Path) -> None:
    (folder / "manifest.json").rename(folder.parent / "elsewhere.json")
    (folder / "manifest.json").symlink_to("../elsewhere.json")


def _another_file(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")


def _folder_of_a_known_name(folder: Path) -> None:
    (folder / "release.csv").unlink()
    (folder / "release.csv").mkdir()
    (folder / "release.csv" / "notes.txt").write_text("mine")


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_no_manifest, "it has no manifest.json of gamedeid"),
        (_manifest_of_somebody_else, "it has no manifest.json of gamedeid"),
        (_manifest_without_outputs, "it has no manifest.json of gamedeid"),
        (_manifest_that_is_no_json, "it has no manifest.json of gamedeid"),
        (_manifest_that_is_a_link, "it has no manifest.json of gamedeid"),
        (_another_file, "it holds notes.txt, which its manifest.json does not name"),
        (_folder_of_a_known_name, "it holds release.csv, which its manifest.json does not name"),
    ],
)
@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_folder_that_holds_anything_else_is_never_replaced(
    tmp_path: Path, change: Callable[[Path], None], reason: str, when: str
) -> None:
    results(tmp_path / "out", "old")
    if when == "before":
        change(tmp_path / "out")
    with (  # noqa: PT012  (the end of the block fails)
        pytest.raises(
            OutputError, match=rf"out already exists and is not replaced, because {reason}; choose another folder"
        ),
        writing_folder(tmp_path / "out", overwrite=True) as folder,
    ):
        folder.write_text("release.csv", "new")
        change(tmp_path / "out")
    assert "new" not in everything_in(tmp_path).values()
    assert [name for name in names_in(tmp_path) if name != "elsewhere.json"] == ["out"]


@pytest.mark.usefixtures("way", "swap")
def test_a_file_added_at_the_last_moment_survives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results(tmp_path / "out", "old")
    looks: list[Path] = []

    def look(folder: Path) -> str | None:
        looks.append(folder)
        return "was added to" if len(looks) == 3 else None

    monkeypatch.setattr("gamedeid.outputs.folders.not_ours", look)
    with pytest.raises(OutputError, match="because it was added to"):
        results(tmp_path / "out", "new", overwrite=True)
    assert looks[:2] == [tmp_path / "out"] * 2
    assert looks[2] != tmp_path / "out"
    assert names_in(tmp_path) == ["out"]
    assert (tmp_path / "out" / "release.csv").read_text() == "old"


@pytest.mark.usefixtures("way")
def test_the_old_folder_comes_back_when_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results(tmp_path / "out", "old")
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.suffix == ".new":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return rename(self, target)

    monkeypatch.setattr("gamedeid.outputs.swaps.exchange", lambda _one, _other: False)
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OutputError, match="Input/output error"):
        results(tmp_path / "out", "new", overwrite=True)
    assert names_in(tmp_path) == ["out"]
    assert (tmp_path / "out" / "release.csv").read_text() == "old"


@pytest.mark.usefixtures("way", "swap")
def test_old_results_that_cannot_be_removed_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results(tmp_path / "out", "old")

    def fail(_path: Path) -> NoReturn:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    with monkeypatch.context() as patch:
        patch.setattr("gamedeid.outputs.staging.remove", fail)
        with pytest.raises(
            OutputError, match=r"the new results are in place, but the old ones are left in .*/\.gamedeid-"
        ):
            results(tmp_path / "out", "new", overwrite=True)
    assert (tmp_path / "out" / "release.csv").read_text() == "new"
    results(tmp_path / "out", "newer", overwrite=True)
    assert names_in(tmp_path) == ["out"]


def test_two_names_are_exchanged_at_once_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("1")
    with pytest.raises(FileNotFoundError):
        exchange(one, other)
    other.write_text("2")
    if not exchange(one, other):
        pytest.skip("this system or disk cannot exchange names")
    assert (one.read_text(), other.read_text()) == ("2", "1")
    monkeypatch.setattr(ctypes, "CDLL", lambda _name, **_: None)
    assert not exchange(one, other)
    assert (one.read_text(), other.read_text()) == ("2", "1")


def test_a_disk_that_cannot_exchange_names_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedeid.outputs.swaps._EXCHANGE", 1 << 30)
    results(tmp_path / "out", "old")
    results(tmp_path / "out", "new", overwrite=True)
    assert (tmp_path / "out" / "release.csv").read_text() == "new"
    assert names_in(tmp_path) == ["out"]


# full, read-only and foreign disks


@pytest.mark.usefixtures("way")
def test_a_full_disk_is_said_in_one_line_and_nothing_is_left(small_disk: Path) -> None:
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


@pytest.mark.usefixtures("way")
def test_a_full_disk_is_said_through_pyarrow(small_disk: Path) -> None:
    table = pa.table({"age": list(range(500_000))})
    with pytest.raises(OutputError, match="the disk is full"), writing_folder(small_disk / "out") as folder:  # noqa: SIM117
        with folder.open("release.csv") as stream:
            pyarrow.csv.write_csv(table, stream)
    assert names_in(small_disk) == []


@pytest.mark.usefixtures("way")
def test_a_file_that_was_not_all_written_is_not_shown_even_if_nobody_minded(small_disk: Path) -> None:
    with pytest.raises(OutputError, match="the disk is full"), writing_folder(small_disk / "out") as folder:  # noqa: PT012
        stream = folder.open("release.csv")
        with pytest.raises(OutputError):
            stream.write(bytes(1_000_000))
        stream.close()
    assert names_in(small_disk) == []


@pytest.mark.usefixtures("way")
def test_a_full_disk_is_said_for_a_single_file(small_disk: Path) -> None:
    write_file(small_disk / "file", "old")
    with pytest.raises(OutputError, match=r"cannot write .*file: the disk is full"):
        write_file(small_disk / "file", bytes(1_000_000), overwrite=True)
    assert everything_in(small_disk) == {"file": b"old"}


@pytest.mark.usefixtures("way")
def test_a_read_only_disk_is_said_before_any_work(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with (
        pytest.raises(OutputError, match=r"cannot write .*out: that disk is read-only; choose another folder"),
        writing_folder(small_disk / "out"),
    ):
        pytest.fail("the block must not be entered")
    with pytest.raises(OutputError, match="read-only"):
        write_file(small_disk / "file", "text")


def test_a_folder_that_is_a_disk_of_its_own_is_refused_before_any_work(small_disk: Path) -> None:
    with pytest.raises(
        OutputError, match="is a disk of its own and cannot be replaced as a whole; choose a folder inside"
    ):
        results(small_disk, "text")


@pytest.mark.usefixtures("way")
def test_a_folder_of_somebody_else_is_said_before_any_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("gamedeid.outputs.nameless.open_nameless", refuse)
    monkeypatch.setattr(Path, "mkdir", refuse)
    with (
        pytest.raises(OutputError, match=r"cannot write .*out: you may not write there; choose another folder"),
        writing_folder(tmp_path / "out"),
    ):
        pytest.fail("the block must not be entered")
    monkeypatch.setattr(Path, "is_dir", refuse)
    with pytest.raises(OutputError, match="you may not write there"):
        write_file(tmp_path / "file", "text")


@pytest.mark.parametrize("way", ["", NO_NAMELESS])
def test_a_file_larger_than_the_system_allows_is_said(tmp_path: Path, way: str) -> None:
    process = run(
        way
        + """
import resource, sys
from pathlib import Path
from gamedeid.errors import OutputError
from gamedeid.outputs import writing_folder
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    with writing_folder(Path(sys.argv[1])) as folder, folder.open("release.csv") as stream:
        for _ in range(10):
            stream.write(bytes(100_000))
except OutputError as error:
    print(error)
""",
        tmp_path / "out",
    )
    said, complaint = process.communicate()
    assert complaint == ""
    expected = (
        f"cannot write release.csv into {tmp_path}/out: it is larger than a file may be here; choose another folder\n"
    )
    assert said == expected
    assert names_in(tmp_path) == []


# systems that cannot do everything


def test_files_without_names_are_done_without_where_the_disk_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_folder: Path) -> NoReturn:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr("gamedeid.outputs.nameless.open_nameless", refuse)
    results(tmp_path / "out", "text")
    assert names_in(tmp_path / "out") == ["manifest.json", "release.csv"]


def test_files_without_names_are_done_without_where_no_name_could_be_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamedeid.outputs.nameless._handle", lambda descriptor: f"/no/proc/{descriptor}")
    with writing_folder(tmp_path / "out"):
        assert len(names_in(tmp_path)) == 1
    assert names_in(tmp_path) == ["out"]


def test_files_are_copied_where_the_system_forbids_naming_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbid(*_: object, **__: object) -> NoReturn:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", forbid)
    results(tmp_path / "out", "text" * 100_000)
    write_file(tmp_path / "file", "text")
    assert (tmp_path / "out" / "release.csv").read_text() == "text" * 100_000
    assert (tmp_path / "file").read_text() == "text"
    assert (mode(tmp_path / "out" / "release.csv"), mode(tmp_path / "file")) == (0o600, 0o600)


@pytest.mark.usefixtures("way")
def test_a_copy_that_fails_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbid(*_: object, **__: object) -> NoReturn:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "link", forbid)
    monkeypatch.setattr("shutil.copyfileobj", full)
    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(OutputError, match="the disk is full"):
        write_file(tmp_path / "file", "text")
    assert names_in(tmp_path) == []


def test_a_full_disk_is_said_when_files_get_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "link", full)
    with pytest.raises(OutputError, match=r"cannot write release\.csv into .*out: the disk is full"):
        results(tmp_path / "out", "text")
    assert names_in(tmp_path) == []


@pytest.mark.usefixtures("way", "swap")
@pytest.mark.parametrize("lack", ["system", "disk"])
def test_locks_are_done_without_where_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lack: str
) -> None:
    def refuse(_descriptor: int, _operation: int) -> NoReturn:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    if lack == "system":
        monkeypatch.setattr("gamedeid.outputs.staging.fcntl", None)
    else:
        monkeypatch.setattr(fcntl, "flock", refuse)
    results(tmp_path / "out", "old")
    results(tmp_path / "out", "new", overwrite=True)
    write_file(tmp_path / "file", "text")
    left = Place.of(tmp_path / "out").hidden("new")
    left.mkdir()
    results(tmp_path / "out", "newer", overwrite=True)
    assert names_in(tmp_path) == [left.name, "file", "out"], "what cannot be locked may be alive"


# runs beside each other


@pytest.mark.usefixtures("way")
def test_of_two_runs_for_one_folder_the_first_to_end_wins(tmp_path: Path) -> None:
    with (  # noqa: PT012  (the end of the block fails)
        pytest.raises(OutputError, match="out already exists and is not empty"),
        writing_folder(tmp_path / "out") as slow,
    ):
        slow.write_text("release.csv", "slow")
        results(tmp_path / "out", "quick")
    assert names_in(tmp_path) == ["out"]
    assert (tmp_path / "out" / "release.csv").read_text() == "quick"


@pytest.mark.usefixtures("way", "swap")
def test_of_two_runs_that_overwrite_the_last_to_end_stays(tmp_path: Path) -> None:
    results(tmp_path / "out", "old")
    with writing_folder(tmp_path / "out", overwrite=True) as slow:
        slow.write_text("manifest.json", '{"gamedeid": "slow", "outputs": {}}')
        results(tmp_path / "out", "quick", overwrite=True)
    assert everything_in(tmp_path) == {"out/manifest.json": b'{"gamedeid": "slow", "outputs": {}}'}


@pytest.mark.usefixtures("swap")
def test_a_folder_that_another_run_is_replacing_is_refused(tmp_path: Path) -> None:
    results(tmp_path / "out", "old")
    lock = hold(tmp_path / "out")
    assert lock is not None
    with pytest.raises(OutputError, match="another run is writing there; wait for it or choose another folder"):
        results(tmp_path / "out", "new", overwrite=True)
    os.close(lock)
    assert (tmp_path / "out" / "release.csv").read_text() == "old"
    assert names_in(tmp_path) == ["out"]


def test_a_folder_swept_away_before_it_was_locked_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place.of(tmp_path / "out")
    monkeypatch.setattr(os.path, "samestat", lambda _one, _other: False)
    with (
        pytest.raises(OutputError, match="the folder it was to stand in has gone"),
        place.refusing(),
        hidden_folder(place),
    ):
        pytest.fail("the block must not be entered")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("way", ["", NO_NAMELESS])
def test_processes_that_race_for_one_folder_make_one_whole_folder(tmp_path: Path, way: str) -> None:
    code = (
        way
        + """
import sys
from pathlib import Path
from gamedeid.errors import OutputError
from gamedeid.outputs import writing_folder
print("ready", flush=True)
sys.stdin.readline()
try:
    with writing_folder(Path(sys.argv[1])) as folder:
        for name in "abcdef":
            folder.write_text(name, sys.argv[2])
except OutputError as error:
    print("lost", error)
else:
    print("won")
"""
    )
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "out"), str(number)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    assert [told(racer) for racer in racers] == ["ready"] * 4
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("\n")
        racer.stdin.flush()
    said = [racer.communicate()[0].split()[0] for racer in racers]
    assert sorted(said) == ["lost", "lost", "lost", "won"]
    winner = str(said.index("won")).encode()
    assert everything_in(tmp_path) == {f"out/{name}": winner for name in "abcdef"}


# killed runs

WRITES_FOR_EVER = """
import sys
from pathlib import Path
from gamedeid.outputs import writing_folder
with writing_folder(Path(sys.argv[1]), overwrite=True) as folder:
    print("writing", flush=True)
    with folder.open("release.csv") as stream:
        while True:
            stream.write(bytes(10_000))
            stream.flush()
"""

WRITES_AGAIN_AND_AGAIN = """
import itertools, json, sys
from pathlib import Path
from gamedeid.outputs import writing_folder
print("writing", flush=True)
for number in itertools.count():
    with writing_folder(Path(sys.argv[1]), overwrite=True) as folder:
        folder.write_text("release.csv", f"{number}\\n" * 1000)
        folder.write_text("summary.json", f"{number}\\n" * 1000)
        folder.write_text("manifest.json", json.dumps({"gamedeid": number, "outputs": folder.digests}))
"""

MOVES_ASIDE = "import gamedeid.outputs.swaps; gamedeid.outputs.swaps.exchange = lambda one, other: False\n"


def kill(process: subprocess.Popen[str], after: float) -> None:
    assert told(process) == "writing"
    time.sleep(after)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("moment", range(8))
def test_a_run_killed_while_it_writes_leaves_nothing_at_all(tmp_path: Path, moment: int) -> None:
    if not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without names")
    kill(run(WRITES_FOR_EVER, tmp_path / "out"), after=moment * 0.0017)
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("moment", range(12))
@pytest.mark.parametrize("way", ["", NO_NAMELESS, NO_NAMELESS + MOVES_ASIDE], ids=["nameless", "hidden", "aside"])
def test_a_run_killed_at_any_moment_leaves_whole_results_or_none_and_the_next_run_clears_up(
    tmp_path: Path, way: str, moment: int
) -> None:
    target = tmp_path / "out"
    kill(run(way + WRITES_AGAIN_AND_AGAIN, target), after=0.003 + moment * 0.0061)
    Place.of(target).sweep()
    assert names_in(tmp_path) in ([], ["out"])
    if target.exists():
        found = everything_in(target)
        number = json.loads(found["manifest.json"])["gamedeid"]
        text = f"{number}\n".encode() * 1000
        assert {name: content for name, content in found.items() if name != "manifest.json"} == {
            "release.csv": text,
            "summary.json": text,
        }
    results(target, "next", overwrite=True)
    assert names_in(tmp_path) == ["out"]
    assert names_in(target) == ["manifest.json", "release.csv"]


LAST_STEPS = """
import os, signal, sys
from pathlib import Path
from gamedeid.outputs import writing_folder
calls = 0
def deadly(call):
    def called(*arguments, **keywords):
        global calls
        calls += 1
        result = call(*arguments, **keywords)
        if calls == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    return called
with writing_folder(Path(sys.argv[1]), overwrite=True) as folder:
    folder.write_text("release.csv", "new")
    folder.write_text("manifest.json", '{"gamedeid": "0", "outputs": {"release.csv": ""}}')
    for name in ("mkdir", "rename", "unlink", "rmdir"):
        setattr(Path, name, deadly(getattr(Path, name)))
    os.link = deadly(os.link)
print("done")
"""


@pytest.mark.parametrize("way", ["", NO_NAMELESS, MOVES_ASIDE, NO_NAMELESS + MOVES_ASIDE])
@pytest.mark.parametrize(
    "before", [{}, {"release.csv": b"old", "manifest.json": b'{"gamedeid":"0","outputs":{"release.csv":""}}'}]
)
def test_a_run_killed_after_each_of_its_last_steps_loses_neither_old_nor_new(
    tmp_path: Path, way: str, before: dict[str, bytes]
) -> None:
    new = {"release.csv": b"new", "manifest.json": b'{"gamedeid": "0", "outputs": {"release.csv": ""}}'}
    for step in range(1, 20):
        target = tmp_path / f"step{step}" / "out"
        target.parent.mkdir()
        if before:
            target.mkdir()
        for name, content in before.items():
            (target / name).write_bytes(content)
        process = run(way + LAST_STEPS, target, step)
        done = process.communicate()[0] == "done\n"
        Place.of(target).sweep()
        assert names_in(target.parent) in (["out"], [] if not before else ["out"])
        found = everything_in(target) if target.exists() else {}
        assert found == new if done else found in (before, new)
        if done:
            break
    assert done
    assert step > 2 if before or way == "" else step > 1


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_a_living_run_has_hidden_is_left_alone(tmp_path: Path, what: str) -> None:
    place = Place.of(tmp_path / "out")
    if what == "folder":
        with hidden_folder(place) as hidden:
            place.sweep()
            assert names_in(tmp_path) == [hidden.name]
    else:
        hidden = place.hidden("new")
        hidden.write_text("text")
        lock = hold(hidden)
        assert lock is not None
        place.sweep()
        assert names_in(tmp_path) == [hidden.name]
        os.close(lock)
    place.sweep()
    assert names_in(tmp_path) == []


def test_what_belongs_to_other_targets_and_computers_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Place.of(tmp_path / "other").hidden("new")
    other.write_text("text")
    (tmp_path / ".gamedeid-notes").write_text("mine")
    with monkeypatch.context() as patch:
        patch.setattr("platform.node", lambda: "another computer")
        foreign = Place.of(tmp_path / "out").hidden("new")
        foreign.write_text("text")
    Place.of(tmp_path / "out").sweep()
    assert names_in(tmp_path) == sorted([other.name, foreign.name, ".gamedeid-notes"])


def test_what_cannot_be_swept_does_not_stop_a_run(tmp_path: Path) -> None:
    hidden = Place.of(tmp_path / "out").hidden("new")
    (hidden / "inner").mkdir(parents=True)
    results(tmp_path / "out", "text")
    assert names_in(tmp_path) == [hidden.name, "out"]


def test_a_link_under_a_hidden_name_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").write_text("mine")
    Place.of(tmp_path / "out").hidden("new").symlink_to("precious")
    results(tmp_path / "out", "text")
    assert (tmp_path / "precious" / "file").read_text() == "mine"


def test_only_one_holds_a_lock_and_only_of_what_still_has_the_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    lock = hold(tmp_path / "file")
    assert lock is not None
    with pytest.raises(BlockingIOError):
        hold(tmp_path / "file")
    os.close(lock)
    with pytest.raises(FileNotFoundError):
        hold(tmp_path / "none")


# a single file


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("content", ["größe\n", "größe\n".encode(), b"", ""])
def test_a_file_is_written_as_it_is(tmp_path: Path, content: str | bytes) -> None:
    write_file(tmp_path / "file", content)
    assert everything_in(tmp_path) == {"file": content.encode() if isinstance(content, str) else content}


@pytest.mark.usefixtures("way")
def test_a_file_that_is_there_is_replaced_only_on_request(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match=r"file already exists; choose another name or pass --overwrite"):
        write_file(tmp_path / "file", "text")
    assert everything_in(tmp_path) == {"file": b"mine"}
    write_file(tmp_path / "file", "text", overwrite=True)
    assert everything_in(tmp_path) == {"file": b"text"}
    assert mode(tmp_path / "file") == 0o600
    write_file(tmp_path / "new", "text", overwrite=True)
    assert names_in(tmp_path) == ["file", "new"]


@pytest.mark.usefixtures("way")
def test_a_file_that_came_meanwhile_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync = os.fsync

    def come_between(descriptor: int) -> None:
        (tmp_path / "file").write_text("mine")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", come_between)
    with pytest.raises(OutputError, match="it already exists; choose another name or pass --overwrite"):
        write_file(tmp_path / "file", "text")
    assert everything_in(tmp_path) == {"file": b"mine"}


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_is_never_replaced_by_a_file(tmp_path: Path, *, overwrite: bool) -> None:
    with pytest.raises(OutputError, match="already exists and is a folder; choose another name"):
        write_file(tmp_path, "text", overwrite=overwrite)


def test_a_single_file_needs_its_folder(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no folder"):
        write_file(tmp_path / "none" / "file", "text")


def test_a_file_is_written_on_a_disk_without_second_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr("gamedeid.outputs.nameless._NAMELESS", 0)
    monkeypatch.setattr(os, "link", refuse)
    write_file(tmp_path / "file", "text")
    assert everything_in(tmp_path) == {"file": b"text"}


def test_a_disk_that_takes_no_request_to_keep_names_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def files_only(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", files_only)
    results(tmp_path / "out", "text")
    assert names_in(tmp_path / "out") == ["manifest.json", "release.csv"]


def test_a_file_the_disk_will_not_keep_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_descriptor: int) -> NoReturn:
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(
        OutputError, match=r"cannot write release\.csv into .*: your disk quota is used up; free some space"
    ):
        results(tmp_path / "out", "text")
    assert names_in(tmp_path) == []
