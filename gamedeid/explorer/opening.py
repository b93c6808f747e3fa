"""How a browser gets to the page: by a file of its owner alone, since all users can read the words of a command."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from gamedeid.data.engines.spills import spill_folder
from gamedeid.results.staging import create

_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>gamedeid explorer</title>
<p>The explorer opens. If it does not, <a href="{address}">open it</a>.</p>
"""


@contextmanager
def opening_file(address: str) -> Iterator[Path]:
    """Hold a file that leads a browser to an address; it has mode 0600, and its folder 0700, and both are removed.

    Parameters
    ----------
    address : it is in this file, and in no word of the command with which a browser is started.

    Raises
    ------
    OutputError : the system's folder for temporary files takes no file.
    """
    with spill_folder(None) as folder:
        path = folder / "explorer.html"
        with os.fdopen(create(path), "w", encoding="utf-8") as stream:
            stream.write(_PAGE.format(address=escape(address)))
        yield path
