"""How results reach the disk: whole or not at all, readable by their owner only."""

from gamedeid.results.file import write_file, writing_file
from gamedeid.results.folder import FolderWriter, write_result, writing_folder

__all__ = ["FolderWriter", "write_file", "write_result", "writing_file", "writing_folder"]
