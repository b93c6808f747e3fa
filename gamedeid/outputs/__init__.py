"""How results reach the disk: whole or not at all, readable by their owner only."""

from gamedeid.outputs.folders import FolderWriter, writing_folder
from gamedeid.outputs.single import write_file, writing_file

__all__ = ["FolderWriter", "write_file", "writing_file", "writing_folder"]
