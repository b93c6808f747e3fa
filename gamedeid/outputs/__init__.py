"""How results reach the disk: whole or not at all, readable by their owner only."""

from gamedeid.outputs.folders import FolderWriter, write_file, writing_folder

__all__ = ["FolderWriter", "write_file", "writing_folder"]
