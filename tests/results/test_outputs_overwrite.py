"""Only our own results are replaced, and only as a whole."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from writing_outputs import RESULTS, everything_in, mode, names_in, results

from gamedeid.errors import OutputError
from gamedeid.results.folder import writing_folder

pytestmark = pytest.mark.own_documents


def test_our_own_results_are_replaced_as_a_whole(tmp_path):
    results(tmp_path / "out", "old", names=("release.csv", "sweep.csv"))
    results(tmp_path / "out", "new", overwrite=True)
    assert names_in(tmp_path) == ["out"]
    assert names_in(tmp_path / "out") == RESULTS
    assert (tmp_path / "out" / "release.csv").read_text() == "new"
    assert mode(tmp_path / "out") == 0o700


def test_results_of_which_files_are_missing_or_changed_are_still_ours(tmp_path):
    results(tmp_path / "out", "old", names=("release.csv", "sweep.csv"))
    (tmp_path / "out" / "release.csv").unlink()
    (tmp_path / "out" / "sweep.csv").write_text("changed")
    (tmp_path / "out").chmod(0o500)
    results(tmp_path / "out", "new", overwrite=True)
    assert names_in(tmp_path / "out") == RESULTS


def test_overwriting_nothing_or_an_empty_folder_is_writing(tmp_path):
    (tmp_path / "empty").mkdir()
    results(tmp_path / "empty", "text", overwrite=True)
    results(tmp_path / "none", "text", overwrite=True)
    assert everything_in(tmp_path / "empty") == everything_in(tmp_path / "none")


def _manifest(text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / "manifest.json").write_bytes(text.encode("latin-1"))


def _link(folder: Path) -> None:
    (folder / "manifest.json").rename(folder.parent / "elsewhere.json")
    (folder / "manifest.json").symlink_to("../elsewhere.json")


def _folder_of_a_known_name(folder: Path) -> None:
    (folder / "release.csv").unlink()
    (folder / "release.csv").mkdir()
    (folder / "release.csv" / "notes.txt").write_text("mine")


TEXTS = (
    "",
    "[]",
    '"gamedeid"',
    '{"name": "web page"}',
    '{"gamedeid": "0"}',
    '{"gamedeid": "0", "outputs": []}',
    "\xff",
)
NO_MANIFEST = "it has no manifest.json of gamedeid"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        *((_manifest(text), NO_MANIFEST) for text in (*TEXTS, "[" * 100_000)),
        (lambda folder: (folder / "manifest.json").unlink(), NO_MANIFEST),
        (_link, NO_MANIFEST),
        (
            lambda folder: (folder / "notes.txt").write_text("mine"),
            "it holds notes.txt, which its manifest.json does not name",
        ),
        (_folder_of_a_known_name, "it holds release.csv, which its manifest.json does not name"),
    ],
)
@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_folder_that_holds_anything_else_is_never_replaced(tmp_path, change, reason, when):
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


def test_a_file_added_at_the_last_moment_survives(tmp_path, monkeypatch):
    results(tmp_path / "out", "old")
    looks: list[Path] = []

    def look(folder: Path) -> str | None:
        looks.append(folder)
        return "was added to" if len(looks) == 3 else None

    monkeypatch.setattr("gamedeid.results.folder.foreign_content", look)
    with pytest.raises(OutputError, match="because it was added to"):
        results(tmp_path / "out", "new", overwrite=True)
    assert looks[:2] == [tmp_path / "out"] * 2
    assert looks[2] != tmp_path / "out"
    assert names_in(tmp_path) == ["out"]
    assert (tmp_path / "out" / "release.csv").read_text() == "old"


def test_the_old_folder_comes_back_when_the_new_one_cannot_take_its_place(tmp_path, monkeypatch):
    results(tmp_path / "out", "old")
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OutputError, match="Input/output error"):
        results(tmp_path / "out", "new", overwrite=True)
    assert names_in(tmp_path) == ["out"]
    assert (tmp_path / "out" / "release.csv").read_text() == "old"


def test_old_results_that_cannot_be_removed_are_reported(tmp_path, monkeypatch):
    results(tmp_path / "out", "old")

    with monkeypatch.context() as patch:
        patch.setattr(
            "gamedeid.results.folder.remove", Mock(side_effect=PermissionError(errno.EPERM, os.strerror(errno.EPERM)))
        )
        with pytest.raises(
            OutputError, match=r"the new results are in place, but the old ones are left in .*/\.gamedeid-"
        ):
            results(tmp_path / "out", "new", overwrite=True)
    assert (tmp_path / "out" / "release.csv").read_text() == "new"
    results(tmp_path / "out", "newer", overwrite=True)
    assert names_in(tmp_path) == ["out"]
