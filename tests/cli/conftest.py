"""What the tests of commands ask: the small question, or a folder in which every command has something to read."""

from pathlib import Path

import pytest
from command_files import write_command_files
from small_world import small_world


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """Return the small question, whose files stand in the folder of the test."""
    return small_world(tmp_path)


@pytest.fixture
def folder_of_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder in which every command has something to read, and return it."""
    write_command_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
