"""How results reach the disk: whole or not at all, readable by their owner only. Its public names are the results."""

from gamedeid.later import public_names
from gamedeid.results.file import write_file as write_file
from gamedeid.results.file import writing_file as writing_file
from gamedeid.results.folder import FolderWriter as FolderWriter
from gamedeid.results.folder import Written as Written
from gamedeid.results.folder import opened_folder as opened_folder
from gamedeid.results.folder import write_result as write_result
from gamedeid.results.folder import writing_folder as writing_folder

__getattr__, __dir__ = public_names(__name__)
