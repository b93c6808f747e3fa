"""Kept parts are used only if unchanged since they were finished, and never through a symbolic link."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from gamedeid.errors import OutputError
from gamedeid.results.folder import writing_folder
from gamedeid.results.resume import FinishedParts

pytestmark = pytest.mark.own_documents

CONTENT = b'"rows of a part"'


def kept(folder: Path, made_of: str = "a question") -> FinishedParts:
    return FinishedParts(folder / "out.parts", made_of)


@pytest.fixture(name="part")
def _part(tmp_path: Path) -> Path:
    ours = kept(tmp_path)
    with ours.writing("part") as stream:
        stream.write(CONTENT)
    return ours.path("part")


def test_a_part_is_found_again_with_the_digest_that_was_recorded(tmp_path, part):
    ours = kept(tmp_path)

    assert part == ours.find("part")
    assert sha256(CONTENT).hexdigest() == ours.digest("part")
    assert "rows of a part" == ours.read_values("part")
    assert None is ours.find("another") is ours.read_values("another")
    assert {0o600} == {path.stat().st_mode & 0o777 for path in part.parent.iterdir()}
    assert 0o700 == part.parent.stat().st_mode & 0o777


@pytest.mark.parametrize("content", [b"", CONTENT[:-1], CONTENT + b"\n", CONTENT.upper()])
def test_a_part_that_was_cut_short_or_changed_is_made_again(content, tmp_path, part):
    part.write_bytes(content)

    assert None is kept(tmp_path).find("part") is kept(tmp_path).read_values("part")


@pytest.mark.parametrize("digest", [None, b"", b"\xff\x00", sha256(b"").hexdigest().encode()])
def test_a_part_without_its_digest_is_made_again(digest, tmp_path, part):
    recorded = part.with_name(f"{part.name}.sha256")
    recorded.unlink() if digest is None else recorded.write_bytes(digest)

    assert None is kept(tmp_path).find("part") is kept(tmp_path).read_values("part")


@pytest.mark.parametrize("ending", ["", ".sha256"])
def test_a_symbolic_link_in_the_place_of_a_part_is_refused_and_never_written_through(ending, tmp_path, part):
    link, target = part.with_name(part.name + ending), tmp_path / "elsewhere"
    link.rename(target)
    link.symlink_to(target)
    before = target.read_bytes()

    for look in (kept(tmp_path).find, kept(tmp_path).read_values):
        with pytest.raises(OutputError, match="is a symbolic link; gamedeid writes regular files only: remove it"):
            look("part")
    with kept(tmp_path).writing("part") as stream:
        stream.write(b'"new"')
    assert before == target.read_bytes()
    assert not link.is_symlink()
    assert "new" == kept(tmp_path).read_values("part")


def test_a_folder_of_parts_that_is_a_link_or_another_users_is_refused(tmp_path, part, monkeypatch):
    (tmp_path / "link").symlink_to(part.parent)
    with pytest.raises(OutputError, match="link is a symbolic link"):
        FinishedParts(tmp_path / "link", "a question")
    with pytest.raises(OutputError, match="is no folder"):
        FinishedParts(part, "a question")
    monkeypatch.setattr(os, "geteuid", lambda: part.stat().st_uid + 1)
    with pytest.raises(OutputError, match=r"out\.parts belongs to another user"):
        kept(tmp_path)


def test_a_part_that_changes_after_it_was_found_is_not_taken_into_the_results(tmp_path, part):
    ours = kept(tmp_path)
    ours.find("part")
    part.write_bytes(b"other rows")

    with (
        pytest.raises(OutputError, match="was changed after it was finished"),
        writing_folder(tmp_path / "out") as folder,
    ):
        folder.adopt(part, "part", ours.digest("part"))
    assert not (tmp_path / "out").exists()


def test_parts_of_another_question_are_left_alone_and_counted(tmp_path, part):
    others = kept(tmp_path, "another question")
    with others.writing("part") as stream:
        stream.write(b"")

    assert 1 == others.clear()
    assert "rows of a part" == kept(tmp_path).read_values("part")
    ours = kept(tmp_path)
    ours.find("part")
    assert 0 == ours.clear()
    assert not part.parent.exists()
