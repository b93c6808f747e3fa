"""Fixtures for tests of commands: the small question, or a folder with input for every command."""

from pathlib import Path

import pytest
from command_files import write_command_files
from small_world import small_world


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """Return the small question, with files in the folder of the test."""
    return small_world(tmp_path)


@pytest.fixture
def folder_of_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change into a folder with input for every command, and return it."""
    write_command_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
